// Braintree's GraphQL API over the sandbox's ledger, under /braintree/graphql: cards become single-use ids, which are
// authorized and charged; captures, increases, reversals and refunds; searches; disputes with evidence.

import { GraphQLError, graphqlSync, parse } from 'graphql'
import { acceptDispute, needDispute } from '../disputes.ts'
import type { CallName } from '../faults.ts'
import type { Dispute, Document } from '../records.ts'
import { Refusal } from '../refusals.ts'
import { type Body, isRecord } from '../requests.ts'
import { callersReference } from '../show-operation.ts'
import { merchantAccounts } from './braintree-accounts.ts'
import * as act from './braintree-calls.ts'
import { dayOf, disbursedWithin, historyOf } from './braintree-disbursements.ts'
import { keptOf } from './braintree-kept.ts'
import { type Customer, customerCalled, paidBy, saveCustomer } from './braintree-methods.ts'
import { schema } from './braintree-schema.ts'
import * as show from './braintree-show.ts'
import { currencyOf, error, type Input, invalid, newToken, Work } from './braintree-work.ts'
import { type ApiCall, basic, type CallResult, cardFault, type Language } from './language.ts'

const calls: Record<string, CallName | null> = {
  authorizeCreditCard: 'authorize',
  chargeCreditCard: 'authorize',
  authorizePayPalAccount: 'authorize',
  chargePayPalAccount: 'authorize',
  authorizeVenmoAccount: 'authorize',
  chargeVenmoAccount: 'authorize',
  authorizePaymentMethod: 'authorize',
  chargePaymentMethod: 'authorize',
  vaultCreditCard: 'authorize',
  vaultPaymentMethod: 'authorize',
  verifyCreditCard: 'authorize',
  captureTransaction: 'capture',
  updateTransactionAmount: 'increment',
  reverseTransaction: 'void',
  refundTransaction: 'refund',
  acceptDispute: 'dispute',
  finalizeDispute: 'dispute',
  tokenizeCreditCard: null,
  tokenizeCvv: null,
  createCustomer: null,
  updateCustomer: null,
  deleteCustomer: null,
  createClientToken: 'order',
  createDisputeTextEvidence: null,
  createDisputeFileEvidence: null,
}

/** Returns the first field of a GraphQL document; null if the document is invalid. */
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
  errorResponse: ({ code, message }) => {
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
          fault: isAuthorization(field) ? cardFault(() => paidBy(account, input.paymentMethodId, 'missing')!.card) : undefined,
        }
      },
      act: perform,
    },
  ],
}

/** Reads a body: JSON, or a multipart form whose file is not read. */
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
  const shownErrors = errors?.map(one => ('errorClass' in one.extensions ? one : error('VALIDATION', one.message)).toJSON())
  const isEmpty = Object.keys(work.change).length === 0
  return {
    ...(!isEmpty && { change: work.change }),
    body: { ...(data !== undefined && { data }), ...(shownErrors && { errors: shownErrors }), extensions: { requestId: 'sandbox' } },
  }
}

/** Returns the object of a global id. */
function node(work: Work, id: string): object {
  const { account, seen } = work
  const payment = account.payments.get(account.names.get(id) ?? '')
  if (payment?.dialect === 'braintree') return payment.asked === 0 ? show.verification(seen, payment) : show.transaction(seen, payment)
  const keeper = account.payments.get(id.replace('paymentmethod_', 'auth_'))
  const kept = keeper && keptOf(account, keeper)
  if (kept) return kept
  if (account.documents.get(id)?.object === 'braintree_customer') return shownCustomer(customerCalled(work, id))
  const operation = [...account.operations.values()].find(
    one => one.type === 'refund' && show.globalId('refund', show.legacyIdOf(one.id)) === id,
  )
  return operation ? show.refund(seen, operation) : show.dispute(seen, act.disputeCalled(work, id))
}

/** One page of a list. A cursor is the place of an object. */
function list(nodes: object[], first = 50, after: string | null = null) {
  const start = after === null ? 0 : Number(after) + 1
  const edges = nodes.slice(start, start + first).map((node, i) => ({ cursor: String(start + i), node }))
  return { edges, pageInfo: { hasNextPage: nodes.length > start + first, endCursor: edges.at(-1)?.cursor ?? null } }
}

type Args = { input: Input; first?: number; after?: string; id: string; legacyId: string; type: string }

/** Whether a time is within the bounds of a search; without bounds, any. */
const isWithin = (bounds: Input, time: string | undefined): boolean =>
  bounds === undefined || (time !== undefined && time >= (bounds.greaterThanOrEqualTo ?? '') && time <= (bounds.lessThanOrEqualTo ?? '~'))

type Shown = { createdAt: string; statusHistory: { status: string; timestamp: string }[] }

/** Whether an object was created, and came into its statuses, within the bounds of a search. */
function changedWithin({ createdAt, statusTransition = {} }: Input, shown: Shown): boolean {
  const when = (status: string) => shown.statusHistory.find(one => one.status === status)?.timestamp
  return (
    isWithin(createdAt, shown.createdAt) &&
    isWithin(statusTransition.voidedAt, when('VOIDED')) &&
    isWithin(statusTransition.submittedForSettlementAt, when('SUBMITTED_FOR_SETTLEMENT')) &&
    isWithin(statusTransition.processorDeclinedAt, when('PROCESSOR_DECLINED'))
  )
}

/** Whether an object has the name that is searched for, if any. */
const isNamed = ({ orderId, id }: Input, order: string, own: string | undefined): boolean =>
  (orderId === undefined || order === orderId.is) && (id === undefined || own === id.is)

/** Those that were disbursed on the days that are searched for; without such days, all. */
const disbursed = (work: Work, { disbursementDate }: Input, shown: Shown[]): Shown[] =>
  disbursementDate === undefined ? shown : (disbursedWithin(work.seen.at, disbursementDate, shown) as Shown[])

const search = (work: Work) => ({
  transactions({ input, first, after }: Args) {
    const all = [...work.account.payments.values()].filter(
      one => one.dialect === 'braintree' && one.asked > 0 && isNamed(input, one.reference, one.document),
    )
    const shown = all.reverse().map(one => show.transaction(work.seen, one) as Shown)
    return list(
      disbursed(work, input, shown).filter(one => changedWithin(input, one)),
      first,
      after,
    )
  },
  refunds({ input, first, after }: Args) {
    const all = [...work.account.operations.values()].filter(one => {
      const of = work.account.payments.get(one.payment)
      if (one.type !== 'refund' || of?.dialect !== 'braintree') return false
      return isNamed(input, callersReference(one) ?? of.reference, show.globalId('refund', show.legacyIdOf(one.id)))
    })
    const shown = all.reverse().map(one => show.refund(work.seen, one) as Shown)
    return list(
      disbursed(work, input, shown).filter(one => changedWithin(input, one)),
      first,
      after,
    )
  },
  disputes({ input, first, after }: Args) {
    const all = [...work.account.documents.values()].filter(one => one.object === 'dispute') as Dispute[]
    const ofBraintree = all.filter(({ payment }) => work.account.payments.get(payment)?.dialect === 'braintree')
    const took = (one: Dispute) => historyOf(one).some(event => isWithin(input.effectiveDate, (event as Input).effectiveDate))
    const found = ofBraintree.filter(one => took(one) && isWithin(input.receivedDate, dayOf(one.created)))
    return list(
      found.reverse().map(one => show.dispute(work.seen, one)),
      first,
      after,
    )
  },
})

function customerMade(work: Work, input: Input): object {
  return { clientMutationId: input.clientMutationId, customer: shownCustomer(saveCustomer(work, input)) }
}
const shownCustomer = ({ id, said: details }: Customer) => ({ __typename: 'Customer', id, legacyId: id, ...details })

/** Returns the client token for Braintree's script in a page: a document in Base64. */
function clientToken(work: Work, merchantAccountId: unknown): string {
  const currencyIsoCode = currencyOf(merchantAccountId)
  const token = { version: 2, environment: 'sandbox', authorizationFingerprint: newToken(work, 'fingerprint'), merchantId: 'sandbox' }
  return Buffer.from(JSON.stringify({ ...token, paypalEnabled: true, paypal: { currencyIsoCode } })).toString('base64')
}

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
  tokenizeCreditCard: ({ input }: Args) => ({
    clientMutationId: input.clientMutationId,
    paymentMethod: act.tokenize(work, input.creditCard),
  }),
  tokenizeCvv({ input }: Args) {
    if (!/^\d{3,4}$/.test(input.cvv))
      throw invalid('81707', 'CVV must be 4 digits for American Express and 3 digits for other card types.', 'cvv')
    const id = newToken(work, 'tokencvv')
    work.keep({ documents: [{ id, object: 'braintree_code' }] })
    return { clientMutationId: input.clientMutationId, tokenizedCvv: { id } }
  },
  ...Object.fromEntries(
    Object.keys(calls)
      .filter(field => /^(?:authorize|charge)/.test(field))
      .map(field => [field, ({ input }: Args) => act.pay(work, field, input)]),
  ),
  createCustomer: ({ input = {} }: Args) => customerMade(work, { ...input, customerId: undefined }),
  updateCustomer: ({ input }: Args) => customerMade(work, { ...input, customerId: customerCalled(work, input.customerId).id }),
  deleteCustomer({ input }: Args) {
    work.keep({ documents: [{ ...customerCalled(work, input.customerId), gone: true } as Document] })
    return { clientMutationId: input.clientMutationId }
  },
  createClientToken: ({ input = {} }: Args) => ({
    clientMutationId: input.clientMutationId,
    clientToken: clientToken(work, input.clientToken?.merchantAccountId),
  }),
  vaultCreditCard: ({ input }: Args) => act.verify(work, input, true),
  vaultPaymentMethod: ({ input }: Args) => act.vault(work, input),
  verifyCreditCard: ({ input }: Args) => act.verify(work, input, false),
  captureTransaction: ({ input }: Args) => act.captureIt(work, input),
  updateTransactionAmount: ({ input }: Args) => act.raise(work, input),
  reverseTransaction: ({ input }: Args) => act.reverseIt(work, input),
  refundTransaction: ({ input }: Args) => act.refundIt(work, input),
  createDisputeTextEvidence: ({ input }: Args) => act.addEvidence(work, input, input.content),
  createDisputeFileEvidence({ input }: Args) {
    if (work.asked.body.file !== true) throw invalid('95712', 'A file is required.')
    return act.addEvidence(work, { ...input, category: 'GENERAL' }, 'a file')
  },
  acceptDispute: ({ input }: Args) =>
    act.answer(work, input, '95704', id => acceptDispute(work.account, needDispute(work.account, id), work.asked.turn)),
  finalizeDispute: ({ input }: Args) => act.finalize(work, input),
})
