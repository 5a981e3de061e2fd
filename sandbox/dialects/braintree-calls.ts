// The mutations of Braintree's API, carried out on the ledger.

import { cardOf, luhn, mask } from '../cards.ts'
import { answerDispute, changeOf, type Disputed, needDispute } from '../disputes.ts'
import { authorize, capture, type Effect, increment, refund, reverse, voidPayment } from '../processor.ts'
import type { Payment } from '../records.ts'
import type { AuthorizeRequest } from '../requests.ts'
import { keptOf } from './braintree-kept.ts'
import { needPaid, ownIt } from './braintree-methods.ts'
import * as show from './braintree-show.ts'
import {
  amountOf,
  currencyOf,
  type Evidence,
  type Input,
  invalid,
  newToken,
  once,
  ruled,
  type Token,
  unknownId,
  type Work,
} from './braintree-work.ts'

/** Makes a payment with Braintree's global id. */
function begin(work: Work, ask: AuthorizeRequest, type: 'transaction' | 'verification'): Payment {
  const { turn } = work.asked
  const ordered =
    show.orderedBy({ asked: ask.amount, currency: ask.currency, ...(ask.method && { method: ask.method }) }) === null
      ? turn.ordered
      : 'decline'
  const effect = authorize(ask, { ...turn, ordered })
  const payment: Payment = { ...effect.payment, dialect: 'braintree', document: show.globalId(type, show.legacyIdOf(effect.payment.id)) }
  work.keepEffect(effect, payment)
  return payment
}

const initiated: Record<string, true> = { RECURRING: true, UNSCHEDULED: true, INSTALLMENT: true }

export function pay(work: Work, field: string, input: Input): object {
  const make = () => {
    const { transaction: of, options = {}, paymentMethodId } = input
    const currency = currencyOf(of.merchantAccountId)
    const amount = amountOf(of.amount, currency)
    const paid = needPaid(work, field, paymentMethodId, options.tokenizedCvv, currency)
    const { card, kept: isKept = false } = paid
    const proof = options.threeDSecureAuthentication?.passThrough
    const merchant = initiated[of.paymentInitiator] === true
    const isKnown = options.externalVault?.status === 'VAULTED'
    const keeps = of.vaultPaymentMethodAfterTransacting && !isKept && !paid.once
    if (of.customerDetails && (isKept || of.customerId))
      throw invalid(
        '91510',
        'Customer details cannot be passed for a transaction of an existing customer.',
        'transaction',
        'customerDetails',
      )
    const payment = begin(
      work,
      {
        reference: of.orderId ?? newToken(work, 'order'),
        amount,
        currency,
        capture: field.startsWith('charge') ? 'automatic' : 'manual',
        card,
        ...(paid.method && { method: paid.method }),
        ...(paid.proof && { authentication: paid.proof }),
        three_ds: 'skip',
        return_url: null,
        allow_partial: false,
        ...(proof && { authentication: proofIn(proof) }),
        ...(options.scaExemption === 'LOW_VALUE' && { exemption: 'low_value' as const }),
        ...(options.scaExemption === 'TRANSACTION_RISK_ANALYSIS' && { exemption: 'transaction_risk_analysis' as const }),
        ...(of.descriptor?.name && { statement_descriptor: of.descriptor.name }),
        ...(keeps && { store: 'off_session' as const }),
        ...(merchant && { by: isKept ? ('mandate' as const) : isKnown ? ('network_transaction_id' as const) : ('card' as const) }),
        ...(of.paymentInitiator === 'MOTO' && { channel: 'telephone_order' as const }),
        ...(options.installmentCount && { installments: options.installmentCount }),
      },
      'transaction',
    )
    if (keeps && payment.authorized > 0) ownIt(work, payment, of.customerId, of.customerDetails)
    return { id: payment.id, shown: show.transaction(work.seen, payment) }
  }
  const transaction = once(work, field, input, make, id => show.transaction(work.seen, work.account.payments.get(id)!))
  return { clientMutationId: input.clientMutationId, transaction }
}

/** Returns the 3-D Secure result of an authentication that another server ran. */
const proofIn = (proof: Input) => ({
  status: proof.authenticationResponse === 'A' ? ('A' as const) : ('Y' as const),
  eci: proof.eciFlag,
  cavv: proof.cavv ?? '',
  version: proof.version ?? '',
  ds_transaction_id: proof.directoryServerTransactionId ?? '',
})

export function verify(work: Work, input: Input, keep: boolean): object {
  const { merchantAccountId, tokenizedCvv } = input.verification ?? input.options ?? {}
  const currency = currencyOf(merchantAccountId)
  const { card } = needPaid(work, 'CreditCard', input.paymentMethodId, tokenizedCvv, currency)
  const proof = input.threeDSecurePassThrough
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
    ...(proof && { authentication: proofIn(proof) }),
  }
  const payment = begin(work, ask, 'verification')
  if (keep && work.account.operations.get(payment.id)!.status === 'approved') ownIt(work, payment, input.customerId, undefined)
  const verification = show.verification(work.seen, payment) as { paymentMethod: object | null }
  return { clientMutationId: input.clientMutationId, verification, paymentMethod: verification.paymentMethod }
}

/** Stores a payment method. Only cards are verified. */
export function vault(work: Work, input: Input): object {
  const paid = needPaid(work, 'vaultPaymentMethod', input.paymentMethodId, undefined, 'USD')
  if (paid.kind === 'CreditCard') return verify(work, input, true)
  if (paid.once) throw invalid('82902', 'Cannot vault a one-time use PayPal account.', 'paymentMethodId')
  const ask: AuthorizeRequest = {
    ...{ reference: input.clientMutationId ?? newToken(work, 'vault'), amount: 0, currency: 'USD', capture: 'manual', card: paid.card },
    ...(paid.method && { method: paid.method }),
    ...{ three_ds: 'skip', return_url: null, allow_partial: false, store: 'off_session' },
  }
  const payment = begin(work, ask, 'verification')
  const kept = work.account.operations.get(payment.id)!.status === 'approved'
  if (!kept) throw invalid('82904', 'PayPal accounts are not accepted.', 'paymentMethodId')
  ownIt(work, payment, input.customerId, undefined)
  return { clientMutationId: input.clientMutationId, verification: null, paymentMethod: keptOf(work.account, payment) }
}

function paymentCalled(work: Work, id: string): Payment {
  const payment = work.account.payments.get(work.account.names.get(id) ?? '')
  if (payment?.dialect !== 'braintree') throw unknownId()
  return payment
}

/** Changes a transaction and returns its answer. `act` returns the effect of the change. */
function change(work: Work, field: string, input: Input, act: (payment: Payment) => Effect): object {
  const make = () => {
    const payment = paymentCalled(work, input.transactionId)
    const effect = act(payment)
    work.keepEffect(effect)
    return { id: payment.id, shown: show.transaction(work.seen, work.account.payments.get(payment.id)!) }
  }
  const transaction = once(work, field, input, make, id => show.transaction(work.seen, work.account.payments.get(id)!))
  return { clientMutationId: input.clientMutationId, transaction }
}

const referenceOf = (work: Work, input: Input): string => input.apiRequestKey ?? input.clientMutationId ?? newToken(work, 'request')

export function captureIt(work: Work, input: Input): object {
  return change(work, 'captureTransaction', input, payment => {
    if (show.statusOf(work.seen, payment) !== 'AUTHORIZED')
      throw invalid('91507', 'Cannot submit for settlement unless status is authorized.')
    const amount = input.transaction?.amount ? amountOf(input.transaction.amount, payment.currency) : payment.authorized
    const named = input.transaction?.descriptor?.name
    const ask = { reference: referenceOf(work, input), amount, final: true, ...(named && { statement_descriptor: named }) }
    const effect = ruled('91522', () => capture(payment, ask, work.asked.turn))
    // A settlement that was declined ends the transaction: it cannot be submitted again.
    return effect.operations[0].status === 'declined'
      ? { ...effect, payment: { ...effect.payment, phase: 'voided', hold_until: null } }
      : effect
  })
}

export function raise(work: Work, input: Input): object {
  return change(work, 'updateTransactionAmount', input, payment => {
    if (payment.method) throw invalid('915222', 'Processor does not support authorization adjustment.')
    if (show.statusOf(work.seen, payment) !== 'AUTHORIZED') throw invalid('91507', 'Cannot change the amount unless status is authorized.')
    const ask = { reference: referenceOf(work, input), amount: amountOf(input.amount, payment.currency) }
    const effect = ruled('915222', () => increment(payment, ask, work.asked.turn))
    if (effect.operations[0].status === 'declined') {
      work.keep(effect)
      throw invalid('95602', 'Failed authorization adjustment: hard decline.')
    }
    return effect
  })
}

const isSettling = (work: Work, payment: Payment): boolean => ['SETTLING', 'SETTLED'].includes(show.statusOf(work.seen, payment))

/** Reverses a transaction: voids it before settlement, refunds it in full afterwards. */
export function reverseIt(work: Work, input: Input): object {
  const { turn } = work.asked
  const make = () => {
    const payment = paymentCalled(work, input.transactionId)
    const status = show.statusOf(work.seen, payment)
    if (isSettling(work, payment)) {
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

export function refundIt(work: Work, input: Input): object {
  const make = () => {
    const payment = paymentCalled(work, input.transactionId)
    if (!isSettling(work, payment)) throw invalid('91506', 'Cannot refund transaction unless it is settled.', 'transactionId')
    const left = payment.captured - payment.refunded - payment.refunding
    if (left === 0) throw invalid('91512', 'Transaction has already been completely refunded.', 'transactionId')
    const amount = input.refund?.amount ? amountOf(input.refund.amount, payment.currency) : left
    const effect = refundOf(work, payment, { reference: input.refund?.orderId ?? payment.reference, amount })
    return { id: effect.operations[0].id, shown: show.refund(work.seen, effect.operations[0]) }
  }
  return { clientMutationId: input.clientMutationId, refund: once(work, 'refundTransaction', input, make, id => shownBy(work, id)) }
}

export function tokenize(work: Work, { number, expirationMonth, expirationYear, cvv }: Input): object {
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

export function disputeCalled(work: Work, id: string) {
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

export function addEvidence(work: Work, input: Input, content: string): object {
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

export function answer(work: Work, input: Input, code: string, act: (id: string) => Disputed): object {
  const { id } = disputeCalled(work, input.disputeId)
  const effect = ruled(code, () => act(id))
  work.keep(changeOf(effect))
  return { clientMutationId: input.clientMutationId, dispute: show.dispute(work.seen, effect.dispute) }
}

export function finalize(work: Work, input: Input): object {
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
