// Braintree's GraphQL API over the sandbox's ledger, under /braintree/graphql: cards become names for once, which are
// authorized and charged; captures, increases, reversals and refunds; searches; disputes with evidence.

import { GraphQLError, graphqlSync, parse } from 'graphql'
import type { Account } from '../books.ts'
import { cardOf, luhn, mask } from '../cards.ts'
import { draw } from '../context.ts'
import { acceptDispute, answerDispute, changeOf, type Disputed, needDispute } from '../disputes.ts'
import type { CallName } from '../faults.ts'
import { authorize, capture, cardKept, type Effect, increment, refund, reverse, voidPayment } from '../processor.ts'
import type { Change, Document, Operation, Payment } from '../records.ts'
import { Refusal } from '../refusals.ts'
import { type AuthorizeRequest, type Body, isRecord } from '../requests.ts'
import { minorOf } from '../units.ts'
import { merchantAccounts } from './braintree-accounts.ts'
import { schema } from './braintree-schema.ts'
import * as show from './braintree-show.ts'
import { type ApiCall, basic, type CallResult, cardFault, type Language } from './language.ts'

/** Keys are kept for 30 days, of requests that made something. */
const KEY_LIFE_MS = 30 * 24 * 3_600_000

type Token = Document & { object: 'braintree_token'; card: AuthorizeRequest['card']; used: boolean }
type Evidence = Document & { object: 'braintree_evidence'; texts: Record<string, string> }
// biome-ignore lint/suspicious/noExplicitAny: the schema has looked at every member
type Input = any

/** What a request has done so far: its mutations are done one after the other, each on what the one before has left. */
class Work {
  readonly asked: ApiCall
  account: Account
  change: Omit<Change, 'account'> = {}

  constructor(asked: ApiCall) {
    this.asked = asked
    this.account = asked.account
  }

  get seen() {
    return { account: this.account, at: this.asked.turn.at }
  }

  keep({ payment, operations = [], documents = [], ...more }: Omit<Change, 'account'>): void {
    const { account, change } = this
    this.change = {
      ...change,
      ...more,
      ...(payment && { payment }),
      operations: [...(change.operations ?? []), ...operations],
      documents: [...(change.documents ?? []), ...documents],
    }
    this.account = {
      ...account,
      payments: new Map([...account.payments, ...(payment ? [[payment.id, payment] as const] : [])]),
      operations: new Map([...account.operations, ...operations.map(one => [one.id, one] as const)]),
      documents: new Map([...account.documents, ...documents.map(one => [one.id, one] as const)]),
    }
  }
}

/** An error of the API: its class, and the code that the client libraries have for it. */
const error = (errorClass: string, message: string, legacyCode?: string, inputPath?: string[]): GraphQLError =>
  new GraphQLError(message, {
    extensions: { errorClass, errorType: 'developer_error', ...(legacyCode && { legacyCode }), ...(inputPath && { inputPath }) },
  })
const invalid = (legacyCode: string, message: string, ...inputPath: string[]) =>
  error('VALIDATION', message, legacyCode, ['input', ...inputPath])
const unknownId = () => error('NOT_FOUND', 'An object with this ID was not found.')

/** What the rules of money refuse. */
function ruled<T>(legacyCode: string, act: () => T): T {
  try {
    return act()
  } catch (problem) {
    throw problem instanceof Refusal ? invalid(legacyCode, problem.message) : problem
  }
}

const calls: Record<string, CallName | null> = {
  authorizeCreditCard: 'authorize',
  chargeCreditCard: 'authorize',
  authorizePaymentMethod: 'authorize',
  chargePaymentMethod: 'authorize',
  vaultCreditCard: 'authorize',
  verifyCreditCard: 'authorize',
  captureTransaction: 'capture',
  updateTransactionAmount: 'increment',
  reverseTransaction: 'void',
  refundTransaction: 'refund',
  acceptDispute: 'dispute',
  finalizeDispute: 'dispute',
  tokenizeCreditCard: null,
  tokenizeCvv: null,
  createDisputeTextEvidence: null,
  createDisputeFileEvidence: null,
}

/** The first field of a document; null of one that makes no sense. */
function fieldOf({ query }: Body): string | null {
  try {
    const [definition] = parse(String(query)).definitions
    const [field] = definition?.kind === 'OperationDefinition' ? definition.selectionSet.selections : []
    return field?.kind === 'Field' ? field.name.value : null
  } catch {
    return null
  }
}
const inputOf = ({ variables }: Body): Input => (isRecord(variables) && isRecord(variables.input) ? variables.input : {})
const isAuthorization = (field: string | null) => field !== null && calls[field] === 'authorize'

export const braintree: Language = {
  prefix: '/braintree',
  key: headers => basic(headers)?.[1],
  read,
  says: ({ code, message }) => {
    const errorClass = { unauthorized: 'AUTHENTICATION', not_found: 'NOT_FOUND' }[code as string] ?? 'VALIDATION'
    return { status: 200, body: { data: null, errors: [error(errorClass, message).toJSON()], extensions: { requestId: 'sandbox' } } }
  },
  calls: [
    {
      method: 'POST',
      path: '/graphql',
      call: body => calls[fieldOf(body) ?? ''] ?? (fieldOf(body) !== null && fieldOf(body)! in calls ? null : 'lookup'),
      sends({ body, account }) {
        const field = fieldOf(body)
        const input = inputOf(body)
        const reference = input.transaction?.orderId ?? input.refund?.orderId ?? input.apiRequestKey
        if (field === null || !(calls[field] ?? null) || typeof reference !== 'string') return undefined
        return {
          reference,
          fault: isAuthorization(field) ? cardFault(() => cardCalled(account, input.paymentMethodId, 'missing')!) : undefined,
        }
      },
      act: perform,
    },
  ],
}

/** JSON; or a form of several parts, of which the file itself is not looked at. */
function read(raw: string, headers: Record<string, unknown>): Body {
  const boundary = /boundary=([^;]+)/.exec(String(headers['content-type'] ?? ''))?.[1]
  const text = boundary === undefined ? raw : partOf(raw, boundary, 'operations')
  try {
    const body: unknown = JSON.parse(text ?? '')
    if (isRecord(body)) return boundary === undefined ? body : { ...body, file: partOf(raw, boundary, 'map') !== undefined }
  } catch {}
  throw new Refusal('invalid_request', 'The request body must be a JSON object')
}
const partOf = (raw: string, boundary: string, name: string): string | undefined =>
  raw
    .split(`--${boundary}`)
    .find(part => part.includes(`name="${name}"`))
    ?.split('\r\n\r\n')[1]
    ?.trim()

function perform(asked: ApiCall): CallResult {
  const { query, variables } = asked.body
  if (asked.headers['braintree-version'] === undefined) throw new Refusal('invalid_request', 'The Braintree-Version header is missing')
  const work = new Work(asked)
  const { data, errors } = graphqlSync({
    schema,
    source: String(query ?? ''),
    rootValue: root(work),
    variableValues: isRecord(variables) ? variables : {},
  })
  const surprise = errors?.find(one => one.originalError && !(one.originalError instanceof GraphQLError))
  if (surprise?.originalError && !(surprise.originalError instanceof Refusal)) throw surprise.originalError
  const said = errors?.map(one => ('errorClass' in one.extensions ? one : error('VALIDATION', one.message)).toJSON())
  const isEmpty = Object.keys(work.change).length === 0
  return {
    ...(!isEmpty && { change: work.change }),
    body: { ...(data !== undefined && { data }), ...(said && { errors: said }), extensions: { requestId: 'sandbox' } },
  }
}

const newToken = (work: Work, prefix: string): string => `${prefix}_${draw(work.asked.turn.context, 20).toLowerCase()}`

/** A card by what it is called: for once, or kept. Null if it is unknown. */
function cardCalled(account: Account, id: unknown, cvc: 'sent' | 'missing'): AuthorizeRequest['card'] | null {
  const token = account.documents.get(String(id)) as Token | undefined
  if (token?.object === 'braintree_token') return token.card
  return cardKept(account.payments, String(id).replace('paymentmethod_', 'mdt_'), cvc)
}

function needCard(work: Work, id: string, code: unknown): { card: AuthorizeRequest['card']; isKept: boolean } {
  const token = work.account.documents.get(id) as Token | undefined
  if (token?.object === 'braintree_token' && token.used)
    throw invalid('91564', 'Cannot use a paymentMethodNonce more than once.', 'paymentMethodId')
  const card = cardCalled(work.account, id, isCode(work, code) ? 'sent' : 'missing')
  if (card === null) throw invalid('91565', 'Unknown or expired single-use payment method.', 'paymentMethodId')
  if (token) work.keep({ documents: [{ ...token, used: true } as Token] })
  return { card, isKept: token === undefined }
}

function isCode({ account }: Work, code: unknown): boolean {
  if (code === undefined || code === null) return false
  if (account.documents.get(String(code))?.object !== 'braintree_code') throw invalid('91565', 'Unknown tokenized CVV.', 'tokenizedCvv')
  return true
}

function currencyOf(id: unknown): string {
  const known = id === undefined || id === null ? merchantAccounts[0] : merchantAccounts.find(one => one.id === id)
  if (known === undefined) throw invalid('91513', 'Merchant account ID is invalid.', 'transaction', 'merchantAccountId')
  return known.currency
}

function amountOf(value: unknown, currency: string): number {
  const amount = ruled('81503', () => minorOf(value, currency))
  if (amount <= 0) throw invalid('81531', 'Amount must be greater than zero.', 'amount')
  return amount
}

/**
 * What an earlier request of this key has made, as it is now; another request under the key is an error. `made` gives
 * what it is called in the ledger.
 */
function once<T extends object>(
  work: Work,
  field: string,
  input: Input,
  made: () => { id: string; shown: T },
  again: (id: string) => T,
): T {
  if (input.apiRequestKey === undefined || input.apiRequestKey === null) return made().shown
  const { account, turn, fault } = work.asked
  const key = `braintree ${input.apiRequestKey}`
  const fingerprint = `${field} ${JSON.stringify(input)}`
  const known = fault === 'ignore_idempotency' ? undefined : account.keys.get(key)
  if (known?.answer && turn.at - known.answer.at < KEY_LIFE_MS) {
    if (known.fingerprint !== fingerprint)
      throw invalid('915232', 'API request key can be reused only with the same request.', 'apiRequestKey')
    return again(known.operation)
  }
  const { id, shown } = made()
  work.keep({ key: { key, fingerprint, operation: id, answer: { status: 200, body: {}, at: turn.at } } })
  return shown
}

/** A payment, with its name. */
function begin(work: Work, ask: AuthorizeRequest, type: 'transaction' | 'verification'): Payment {
  const { turn } = work.asked
  const ordered = show.orderedBy({ asked: ask.amount, currency: ask.currency }) === null ? turn.ordered : 'decline'
  const effect = authorize(ask, { ...turn, ordered })
  const payment: Payment = { ...effect.payment, dialect: 'braintree', document: show.globalId(type, show.legacyIdOf(effect.payment.id)) }
  work.keep({ ...effect, payment })
  return payment
}

const initiated: Record<string, true> = { RECURRING: true, UNSCHEDULED: true, INSTALLMENT: true }

function pay(work: Work, field: string, input: Input): object {
  const make = () => {
    const { transaction: of, options = {}, paymentMethodId } = input
    const currency = currencyOf(of.merchantAccountId)
    const amount = amountOf(of.amount, currency)
    const { card, isKept } = needCard(work, paymentMethodId, options.tokenizedCvv)
    const proof = options.threeDSecureAuthentication?.passThrough
    const merchant = initiated[of.paymentInitiator] === true
    const isKnown = options.externalVault?.status === 'VAULTED'
    const payment = begin(
      work,
      {
        reference: of.orderId ?? newToken(work, 'order'),
        amount,
        currency,
        capture: field.startsWith('charge') ? 'automatic' : 'manual',
        card,
        three_ds: 'skip',
        return_url: null,
        allow_partial: false,
        ...(proof && {
          authentication: {
            status: proof.authenticationResponse === 'A' ? 'A' : 'Y',
            eci: proof.eciFlag,
            cavv: proof.cavv ?? '',
            version: proof.version ?? '',
            ds_transaction_id: proof.directoryServerTransactionId ?? '',
          },
        }),
        ...(options.scaExemption === 'LOW_VALUE' && { exemption: 'low_value' as const }),
        ...(options.scaExemption === 'TRANSACTION_RISK_ANALYSIS' && { exemption: 'transaction_risk_analysis' as const }),
        ...(of.descriptor?.name && { statement_descriptor: of.descriptor.name }),
        ...(of.vaultPaymentMethodAfterTransacting && !isKept && { store: 'off_session' as const }),
        ...(merchant && { by: isKept ? ('mandate' as const) : isKnown ? ('network_transaction_id' as const) : ('card' as const) }),
        ...(of.paymentInitiator === 'MOTO' && { channel: 'telephone_order' as const }),
        ...(options.installmentCount && { installments: options.installmentCount }),
      },
      'transaction',
    )
    return { id: payment.id, shown: show.transaction(work.seen, payment) }
  }
  const transaction = once(work, field, input, make, id => show.transaction(work.seen, work.account.payments.get(id)!))
  return { clientMutationId: input.clientMutationId, transaction }
}

function verify(work: Work, input: Input, keep: boolean): object {
  const { merchantAccountId, tokenizedCvv } = input.verification ?? input.options ?? {}
  const currency = currencyOf(merchantAccountId)
  const { card } = needCard(work, input.paymentMethodId, tokenizedCvv)
  const ask: AuthorizeRequest = {
    reference: input.clientMutationId ?? newToken(work, 'verification'),
    amount: 0,
    currency,
    capture: 'manual',
    card,
    three_ds: 'skip',
    return_url: null,
    allow_partial: false,
    ...(keep && { store: 'off_session' }),
  }
  const payment = begin(work, ask, 'verification')
  const verification = show.verification(work.seen, payment) as { paymentMethod: object | null }
  return { clientMutationId: input.clientMutationId, verification, paymentMethod: verification.paymentMethod }
}

function paymentCalled(work: Work, id: string): Payment {
  const payment = work.account.payments.get(work.account.names.get(id) ?? '')
  if (payment?.dialect !== 'braintree') throw unknownId()
  return payment
}

/** A change of a transaction: the effect, and what is shown of it. */
function change(work: Work, field: string, input: Input, act: (payment: Payment) => Effect): object {
  const make = () => {
    const payment = paymentCalled(work, input.transactionId)
    const effect = act(payment)
    work.keep(effect)
    return { id: payment.id, shown: show.transaction(work.seen, effect.payment) }
  }
  const transaction = once(work, field, input, make, id => show.transaction(work.seen, work.account.payments.get(id)!))
  return { clientMutationId: input.clientMutationId, transaction }
}

const referenceOf = (work: Work, input: Input): string => input.apiRequestKey ?? input.clientMutationId ?? newToken(work, 'request')

function captureIt(work: Work, input: Input): object {
  return change(work, 'captureTransaction', input, payment => {
    if (show.statusOf(work.seen, payment) !== 'AUTHORIZED')
      throw invalid('91507', 'Cannot submit for settlement unless status is authorized.')
    const amount = input.transaction?.amount ? amountOf(input.transaction.amount, payment.currency) : payment.authorized
    const named = input.transaction?.descriptor?.name
    const ask = { reference: referenceOf(work, input), amount, final: true, ...(named && { statement_descriptor: named }) }
    return ruled('91522', () => capture(payment, ask, work.asked.turn))
  })
}

function raise(work: Work, input: Input): object {
  return change(work, 'updateTransactionAmount', input, payment => {
    const ask = { reference: referenceOf(work, input), amount: amountOf(input.amount, payment.currency) }
    const effect = ruled('915222', () => increment(payment, ask, work.asked.turn))
    if (effect.operations[0].status === 'declined') {
      work.keep(effect)
      throw invalid('95602', 'Failed authorization adjustment: hard decline.')
    }
    return effect
  })
}

/** What is not settled is voided, all of what is settled is refunded. */
function reverseIt(work: Work, input: Input): object {
  const { turn } = work.asked
  const make = () => {
    const payment = paymentCalled(work, input.transactionId)
    const status = show.statusOf(work.seen, payment)
    if (status === 'SETTLED') {
      const effect = refundOf(work, payment, { reference: payment.reference, amount: payment.captured - payment.refunded })
      return { id: effect.operations[0].id, shown: show.refund(work.seen, effect.operations[0]) }
    }
    const ask = { reference: referenceOf(work, input) }
    const act = status === 'SUBMITTED_FOR_SETTLEMENT' ? () => reverse(payment, ask, turn) : () => voidHold(work, payment, ask.reference)
    const effect = ruled('91504', act)
    work.keep(effect)
    if (effect.operations[0].status === 'declined') throw invalid('91504', effect.operations[0].decline!.message)
    return { id: payment.id, shown: show.transaction(work.seen, effect.payment) }
  }
  const reversal = once(work, 'reverseTransaction', input, make, id => shownBy(work, id))
  return { clientMutationId: input.clientMutationId, reversal }
}
const voidHold = (work: Work, payment: Payment, reference: string): Effect =>
  voidPayment(payment, work.account.operations.get(payment.id)!, { reference }, work.asked.turn)

function shownBy(work: Work, id: string): object {
  const payment = work.account.payments.get(id)
  return payment ? show.transaction(work.seen, payment) : show.refund(work.seen, work.account.operations.get(id)!)
}

function refundOf(work: Work, payment: Payment, ask: { reference: string; amount: number }): Effect {
  const effect = ruled('91521', () => refund(payment, { ...ask, reason: null }, work.asked.turn))
  work.keep(effect)
  const { status, decline } = effect.operations[0]
  if (status === 'declined') throw invalid('915200', decline!.message)
  return effect
}

function refundIt(work: Work, input: Input): object {
  const make = () => {
    const payment = paymentCalled(work, input.transactionId)
    if (show.statusOf(work.seen, payment) !== 'SETTLED')
      throw invalid('91506', 'Cannot refund transaction unless it is settled.', 'transactionId')
    const left = payment.captured - payment.refunded - payment.refunding
    if (left === 0) throw invalid('91512', 'Transaction has already been completely refunded.', 'transactionId')
    const amount = input.refund?.amount ? amountOf(input.refund.amount, payment.currency) : left
    const effect = refundOf(work, payment, { reference: input.refund?.orderId ?? payment.reference, amount })
    return { id: effect.operations[0].id, shown: show.refund(work.seen, effect.operations[0]) }
  }
  return { clientMutationId: input.clientMutationId, refund: once(work, 'refundTransaction', input, make, id => shownBy(work, id)) }
}

function disputeCalled(work: Work, id: string) {
  const legacyId = /^dispute_(\w+)$/.exec(Buffer.from(id, 'base64').toString())?.[1]
  if (legacyId === undefined || work.account.documents.get(legacyId)?.object !== 'dispute') throw unknownId()
  return needDispute(work.account, legacyId)
}

const evidenceOf = (work: Work, id: string): Evidence =>
  (work.account.documents.get(`evidence_${id}`) as Evidence | undefined) ?? {
    id: `evidence_${id}`,
    object: 'braintree_evidence',
    texts: {},
  }

function addEvidence(work: Work, input: Input, content: string): object {
  const dispute = disputeCalled(work, input.disputeId)
  if (dispute.status !== 'needs_response') throw invalid('95701', 'Evidence can only be attached to disputes that are in an open state.')
  const before = evidenceOf(work, dispute.id)
  const category = input.category ?? 'GENERAL'
  if (category !== 'GENERAL' && before.texts[category] !== undefined)
    throw invalid('95714', 'Only one record with this category can be provided as evidence.')
  const name = category === 'GENERAL' ? `general_${Object.keys(before.texts).length}` : category
  work.keep({ documents: [{ ...before, texts: { ...before.texts, [name]: content } } as Evidence] })
  const legacyId = newToken(work, 'evidence')
  return { clientMutationId: input.clientMutationId, evidence: { id: legacyId, legacyId, content, url: null } }
}

function answer(work: Work, input: Input, code: string, act: (id: string) => Disputed): object {
  const { id } = disputeCalled(work, input.disputeId)
  const effect = ruled(code, () => act(id))
  work.keep(changeOf(effect))
  return { clientMutationId: input.clientMutationId, dispute: show.dispute(work.seen, effect.dispute) }
}

function finalize(work: Work, input: Input): object {
  return answer(work, input, '95705', id => {
    const dispute = needDispute(work.account, id)
    const texts = Object.values(evidenceOf(work, id).texts)
    if (texts.length === 0 && dispute.status === 'needs_response')
      throw invalid('95726', 'Valid evidence is required to finalize this dispute.')
    const verdict = ['winning_evidence', 'losing_evidence'].find(word => texts.some(text => text.includes(word)))
    const evidence = { uncategorized_text: verdict ?? texts.join('\n') }
    return answerDispute(work.account, dispute, { evidence, submit: true }, work.asked.turn)
  })
}

/** Anything by its id. */
function node(work: Work, id: string): object {
  const { account, seen } = work
  const payment = account.payments.get(account.names.get(id) ?? '')
  if (payment?.dialect === 'braintree') return payment.asked === 0 ? show.verification(seen, payment) : show.transaction(seen, payment)
  const operation = [...account.operations.values()].find(
    one => one.type === 'refund' && show.globalId('refund', show.legacyIdOf(one.id)) === id,
  )
  return operation ? show.refund(seen, operation) : show.dispute(seen, disputeCalled(work, id))
}

const list = (nodes: object[], first: number | undefined) => ({
  edges: nodes.slice(0, first ?? 50).map(one => ({ cursor: null, node: one })),
  pageInfo: { hasNextPage: nodes.length > (first ?? 50) },
})

type Args = { input: Input; first?: number; id: string; legacyId: string; type: string }

const search = (work: Work) => ({
  transactions: ({ input, first }: Args) => {
    const all = [...work.account.payments.values()].filter(one => one.dialect === 'braintree' && one.asked > 0)
    const found = all.filter(one => one.reference === input.orderId?.is || one.document === input.id?.is)
    return list(
      found.reverse().map(one => show.transaction(work.seen, one)),
      first,
    )
  },
  refunds: ({ input, first }: Args) => {
    const found = [...work.account.operations.values()].filter(
      (one: Operation) => one.type === 'refund' && one.reference === input.orderId?.is,
    )
    return list(
      found.reverse().map(one => show.refund(work.seen, one)),
      first,
    )
  },
})

const root = (work: Work) => ({
  ping: 'pong',
  viewer: {
    merchant: {
      id: 'sandbox',
      status: 'ACTIVE',
      merchantAccounts: ({ first }: Args) =>
        list(
          merchantAccounts.map(({ id, currency }, i) => ({ id, currencyCode: currency, status: 'ACTIVE', isDefault: i === 0 })),
          first,
        ),
    },
  },
  node: ({ id }: Args) => node(work, id),
  idFromLegacyId: ({ legacyId, type }: Args) => show.globalId(type.toLowerCase() as 'dispute', legacyId),
  search: search(work),
  tokenizeCreditCard: ({ input }: Args) => ({ clientMutationId: input.clientMutationId, paymentMethod: tokenize(work, input.creditCard) }),
  tokenizeCvv({ input }: Args) {
    if (!/^\d{3,4}$/.test(input.cvv))
      throw invalid('81707', 'CVV must be 4 digits for American Express and 3 digits for other card types.', 'cvv')
    const id = newToken(work, 'tokencvv')
    work.keep({ documents: [{ id, object: 'braintree_code' }] })
    return { clientMutationId: input.clientMutationId, tokenizedCvv: { id } }
  },
  ...Object.fromEntries(
    ['authorizeCreditCard', 'chargeCreditCard', 'authorizePaymentMethod', 'chargePaymentMethod'].map(field => [
      field,
      ({ input }: Args) => pay(work, field, input),
    ]),
  ),
  vaultCreditCard: ({ input }: Args) => verify(work, input, true),
  verifyCreditCard: ({ input }: Args) => verify(work, input, false),
  captureTransaction: ({ input }: Args) => captureIt(work, input),
  updateTransactionAmount: ({ input }: Args) => raise(work, input),
  reverseTransaction: ({ input }: Args) => reverseIt(work, input),
  refundTransaction: ({ input }: Args) => refundIt(work, input),
  createDisputeTextEvidence: ({ input }: Args) => addEvidence(work, input, input.content),
  createDisputeFileEvidence({ input }: Args) {
    if (work.asked.body.file !== true) throw invalid('95712', 'A file is required.')
    return addEvidence(work, { ...input, category: 'GENERAL' }, 'a file')
  },
  acceptDispute: ({ input }: Args) =>
    answer(work, input, '95704', id => acceptDispute(work.account, needDispute(work.account, id), work.asked.turn)),
  finalizeDispute: ({ input }: Args) => finalize(work, input),
})

function tokenize(work: Work, { number, expirationMonth, expirationYear, cvv }: Input): object {
  if (typeof number !== 'string' || number === '') throw invalid('81714', 'Credit card number is required.', 'creditCard', 'number')
  if (!/^\d{12,19}$/.test(number) || !luhn(number)) throw invalid('81715', 'Credit card number is invalid.', 'creditCard', 'number')
  if (!/^(?:0?[1-9]|1[0-2])$/.test(String(expirationMonth)))
    throw invalid('81712', 'Expiration month is invalid.', 'creditCard', 'expirationMonth')
  if (!/^(?:\d{2}|\d{4})$/.test(String(expirationYear)))
    throw invalid('81713', 'Expiration year is invalid.', 'creditCard', 'expirationYear')
  if (cvv !== undefined && cvv !== null && !/^\d{3,4}$/.test(cvv)) throw invalid('81707', 'CVV is invalid.', 'creditCard', 'cvv')
  const card: AuthorizeRequest['card'] = {
    name: cardOf(number),
    masked: mask(number),
    cvc: cvv ? 'sent' : 'missing',
    expires: `${String(expirationYear).padStart(4, '20')}-${String(expirationMonth).padStart(2, '0')}`,
  }
  const token: Token = { id: newToken(work, 'tokencc'), object: 'braintree_token', card, used: false }
  work.keep({ documents: [token] })
  return { id: token.id, legacyId: token.id, usage: 'SINGLE_USE' }
}
