// Transactions, refunds, verifications and disputes in Braintree's format, and webhooks: forms with signed XML.

import { createHash, createHmac } from 'node:crypto'
import type { Account, Event } from '../books.ts'
import { disputesOf } from '../disputes.ts'
import type { Decline, Dispute, Operation, Payment } from '../records.ts'
import { callersReference, echoed } from '../show-operation.ts'
import { decimalsOf, majorText } from '../units.ts'
import { dayOf, disputeStatuses, historyOf } from './braintree-disbursements.ts'
import { keptOf } from './braintree-kept.ts'

const DAY_MS = 24 * 3_600_000

/** Returns the global id of an object, made of its type and its legacy id. */
export const globalId = (type: 'transaction' | 'refund' | 'verification' | 'dispute', legacyId: string): string =>
  Buffer.from(`${type}_${legacyId}`)
    .toString('base64')
    .replace(/(?<!=)=+$/, '')
export const legacyIdOf = (ledgerId: string): string => ledgerId.replace(/^[a-z]+_/, '').toLowerCase()
const isPaypal = ({ method }: Pick<Payment, 'method'>): boolean => method?.way === 'paypal_sdk'

/**
 * Returns the result that an amount requests in Braintree's test environment: amounts from 2000.00 to 2999.99 are
 * declined with their own number as the code, 5001.00 is rejected, and 5001.01 is declined by PayPal. Null for other
 * amounts.
 */
export function orderedBy(payment: Pick<Payment, 'asked' | 'currency' | 'method'>): 'rejected' | string | null {
  if (decimalsOf(payment.currency) !== 2) return null
  const whole = Math.floor(payment.asked / 100)
  if (payment.asked === 500_101 && isPaypal(payment)) return '2038'
  return whole >= 2000 && whole <= 3000 ? String(whole) : payment.asked === 500_100 ? 'rejected' : null
}

const codes: Record<string, string> = {
  card_declined: '2000',
  payment_declined: '2074',
  insufficient_funds: '2001',
  lost_card: '2012',
  stolen_card: '2013',
  expired_card: '2004',
  incorrect_cvc: '2010',
  processing_error: '3000',
  avs_declined: '2059',
  authentication_required: '2099',
}
const checksBy: Record<string, string> = { M: 'MATCHES', N: 'DOES_NOT_MATCH', P: 'NOT_PROVIDED', Y: 'MATCHES', A: 'MATCHES' }

const money = (amount: number, currency: string) => ({ value: majorText(amount, currency), currencyCode: currency })

type Seen = { account: Account; at: number }
type Step = Record<string, unknown> & { status: string; timestamp: string }

/** Returns the processor's answer to an authorization. */
function answered(operation: Operation, code: string | null) {
  const { decline } = operation
  const legacyCode = code ?? (decline === null ? '1000' : (codes[decline.code] ?? '2000'))
  return {
    processorResponse: {
      legacyCode,
      message: decline === null ? 'Approved' : decline.message,
      authorizationId: operation.authorization_code,
      cvvResponse: checksBy[operation.cvc_result ?? ''] ?? 'NOT_PROVIDED',
      avsStreetAddressResponse: checksBy[operation.avs_result ?? ''] ?? 'NOT_PROVIDED',
      avsPostalCodeResponse: operation.avs_result === 'A' ? 'DOES_NOT_MATCH' : (checksBy[operation.avs_result ?? ''] ?? 'NOT_PROVIDED'),
    },
    networkResponse: decline === null ? { code: '00', message: 'Approved' } : networkOf(decline),
    merchantAdviceCodeResponse: decline?.network_advice ? { code: decline.network_advice, message: '' } : null,
  }
}
const networkOf = ({ network_code, message }: Decline) => (network_code === null ? null : { code: network_code, message })

const events: Record<string, string> = {
  AUTHORIZED: 'AuthorizedEvent',
  PROCESSOR_DECLINED: 'ProcessorDeclinedEvent',
  GATEWAY_REJECTED: 'GatewayRejectedEvent',
  FAILED: 'FailedEvent',
  SETTLEMENT_DECLINED: 'SettlementDeclinedEvent',
  AUTHORIZATION_EXPIRED: 'AuthorizationExpiredEvent',
  SUBMITTED_FOR_SETTLEMENT: 'SubmittedForSettlementEvent',
  SETTLING: 'SettlingEvent',
  SETTLED: 'SettledEvent',
  VOIDED: 'VoidedEvent',
}

/** Whether a transaction is settled. Braintree settles every night; the sandbox settles a day after submission. */
const isSettled = (submitted: string, at: number): boolean => at - Date.parse(submitted) >= DAY_MS

const operationsOf = (account: Account, payment: Payment): Operation[] =>
  [...account.operations.values()].filter(one => one.payment === payment.id)

/** Returns the status history of a transaction, the latest status first. */
function stepsOf({ account, at }: Seen, payment: Payment): Step[] {
  const truly = account.operations.get(payment.id)!
  const authorization = echoed(truly, payment)
  const { currency } = authorization
  const ordered = orderedBy(payment)
  const steps: Step[] = []
  const add = (status: string, timestamp: string, amount: number, more: object = {}) =>
    steps.unshift({ __typename: events[status], status, timestamp, amount: money(amount, currency), source: 'API', ...more })
  if (truly.status === 'pending' || truly.status === 'challenge') return []
  if (truly.status !== 'approved') {
    const rejected = ordered === 'rejected' || truly.decline?.code === 'authentication_failed'
    const code = ordered === null || ordered === 'rejected' ? null : ordered
    const response = answered(truly, code)
    const isDown = response.processorResponse.legacyCode === '3000'
    if (truly.decline?.code === 'voided') add('VOIDED', truly.updated_at, truly.amount)
    else if (rejected)
      add('GATEWAY_REJECTED', truly.updated_at, truly.amount, {
        ...response,
        gatewayRejectionReason: ordered === 'rejected' ? 'FRAUD' : 'THREE_D_SECURE',
      })
    else add(isDown ? 'FAILED' : 'PROCESSOR_DECLINED', truly.updated_at, truly.amount, response)
    return steps
  }
  const all = operationsOf(account, payment)
  const raised = all.findLast(one => one.type === 'increment' && one.status === 'approved')
  add('AUTHORIZED', truly.updated_at, raised?.amount ?? authorization.amount, {
    ...answered(truly, null),
    authorizationExpiresAt: payment.hold_until === null ? null : new Date(payment.hold_until).toISOString(),
  })
  const capture = all.findLast(one => one.type === 'capture')
  const submitted = payment.capture === 'automatic' ? authorization.updated_at : capture?.created_at
  if (payment.capture === 'automatic') add('SUBMITTED_FOR_SETTLEMENT', authorization.updated_at, authorization.amount)
  else if (capture) add('SUBMITTED_FOR_SETTLEMENT', capture.created_at, capture.amount, sourceOf(capture))
  if (capture?.status === 'declined')
    add('SETTLEMENT_DECLINED', capture.updated_at, capture.amount, {
      processorResponse: { legacyCode: '4001', message: capture.decline!.message },
    })
  else if (submitted !== undefined && isPaypal(payment)) add('SETTLING', submitted, capture?.amount ?? authorization.amount)
  const undone = all.find(one => (one.type === 'void' || one.type === 'reversal') && one.status === 'approved')
  if (undone) add('VOIDED', undone.updated_at, undone.amount, sourceOf(undone))
  else if (payment.phase === 'expired') add('AUTHORIZATION_EXPIRED', truly.updated_at, authorization.amount)
  else if (submitted !== undefined && payment.captured > 0 && isSettled(submitted, at))
    add('SETTLED', new Date(Date.parse(submitted) + DAY_MS).toISOString(), payment.captured)
  return steps
}

/** The maker of a transaction: the merchant's software, or a person in the Control Panel. */
const sourceOf = ({ origin }: Operation) => ({ source: origin === 'dashboard' ? 'CONTROL_PANEL' : 'API' })

export const statusOf = (seen: Seen, payment: Payment): string => stepsOf(seen, payment)[0]?.status ?? 'AUTHORIZING'

/** Returns the details of the payment method of a transaction. */
function snapshotOf(payment: Payment, authorization: Operation, capture: Operation | undefined): object {
  if (isPaypal(payment))
    return { __typename: 'PayPalTransactionDetails', authorizationId: legacyIdOf(payment.id), captureId: null, payerStatus: 'VERIFIED' }
  if (payment.method) return { __typename: 'VenmoAccountDetails', username: 'venmojoe', venmoUserId: '1234567891234567891' }
  return {
    __typename: 'CreditCardTransactionDetails',
    creditCard: { bin: payment.masked.slice(0, 6), last4: payment.masked.slice(-4) },
    networkTransactionId: authorization.network_transaction_id,
    acquirerReferenceNumber: capture?.arn ?? null,
  }
}

export function transaction(seen: Seen, payment: Payment): object {
  const { account } = seen
  const authorization = echoed(account.operations.get(payment.id)!, payment)
  const steps = stepsOf(seen, payment)
  const capture = operationsOf(account, payment).findLast(one => one.type === 'capture')
  const amount =
    capture?.amount ?? (payment.authorized > 0 && authorization.amount === payment.asked ? payment.authorized : authorization.amount)
  const approved = account.operations.get(payment.id)!.status === 'approved'
  return {
    __typename: 'Transaction',
    id: payment.document,
    legacyId: legacyIdOf(payment.id),
    createdAt: authorization.created_at,
    orderId: authorization.reference,
    status: steps[0]?.status ?? 'AUTHORIZING',
    amount: money(amount, authorization.currency),
    statusHistory: steps,
    paymentMethodSnapshot: snapshotOf(payment, authorization, capture),
    paymentMethod: approved ? keptOf(account, payment) : null,
    refunds: () =>
      operationsOf(account, payment)
        .filter(one => one.type === 'refund')
        .map(one => refund(seen, one)),
    disputes: () => disputesOf(account, payment.id).map(one => dispute(seen, one)),
  }
}

/** Shows a refund. A refund is accepted at once; a decline by the issuer is announced later. */
export function refund(seen: Seen, operation: Operation): object {
  const { account, at } = seen
  const { created_at, updated_at, amount, currency, decline } = operation
  const of = money(amount, currency)
  const steps: Step[] = []
  const add = (status: string, timestamp: string, more: object = {}) =>
    steps.unshift({ __typename: events[status], status, timestamp, amount: of, ...sourceOf(operation), ...more })
  if (decline === null || decline.code !== 'refund_declined') add('SUBMITTED_FOR_SETTLEMENT', created_at)
  const isBack = decline?.code === 'refund_failed' && isSettled(created_at, Date.parse(updated_at))
  if (isBack || (operation.status === 'approved' && isSettled(created_at, at)))
    add('SETTLED', new Date(Date.parse(created_at) + DAY_MS).toISOString())
  if (decline) add('PROCESSOR_DECLINED', updated_at, answered(operation, '2046'))
  const legacyId = legacyIdOf(operation.id)
  return {
    __typename: 'Refund',
    id: globalId('refund', legacyId),
    legacyId,
    createdAt: created_at,
    amount: of,
    // Without one of its own, it has that of its transaction.
    orderId: callersReference(operation) ?? account.payments.get(operation.payment)!.reference,
    status: steps[0]!.status,
    statusHistory: steps,
    refundedTransaction: () => transaction(seen, account.payments.get(operation.payment)!),
  }
}

/** Shows a card verification: in the ledger an authorization of zero. */
export function verification({ account }: Seen, payment: Payment): object {
  const operation = account.operations.get(payment.id)!
  const { processorResponse, networkResponse } = answered(operation, null)
  const verified = operation.status === 'approved'
  return {
    __typename: 'Verification',
    id: payment.document,
    legacyId: legacyIdOf(payment.id),
    createdAt: operation.created_at,
    status: verified ? 'VERIFIED' : operation.status === 'pending' ? 'VERIFYING' : 'PROCESSOR_DECLINED',
    processorResponse,
    networkResponse,
    gatewayRejectionReason: null,
    paymentMethod: verified ? keptOf(account, payment) : null,
  }
}

const disputeTypes = { inquiry: 'RETRIEVAL', chargeback: 'CHARGEBACK', second_chargeback: 'PRE_ARBITRATION' } as const
const disputeReasons: Record<string, string> = {
  fraudulent: 'FRAUD',
  product_not_received: 'PRODUCT_NOT_RECEIVED',
  product_unacceptable: 'PRODUCT_UNSATISFACTORY',
  duplicate: 'DUPLICATE',
  subscription_canceled: 'CANCELLED_RECURRING_TRANSACTION',
}

export function dispute(seen: Seen, one: Dispute): object {
  const payment = seen.account.payments.get(one.payment)!
  return {
    __typename: 'Dispute',
    id: globalId('dispute', one.id),
    legacyId: one.id,
    amountDisputed: money(one.amount, payment.currency),
    amountWon: money(one.status === 'won' ? one.amount : 0, payment.currency),
    createdAt: new Date(one.created).toISOString(),
    receivedDate: dayOf(one.created),
    replyByDate: dayOf(one.due_at),
    type: disputeTypes[one.stage],
    status: disputeStatuses[one.status],
    statusHistory: historyOf(one),
    processorResponse: { reason: disputeReasons[one.reason] ?? 'GENERAL', reasonCode: one.network_code, reasonDescription: one.reason },
    transaction: () => transaction(seen, payment),
  }
}

/**
 * Returns the kind of a webhook, or null. For card payments Braintree announces only failed captures, failed refunds
 * and disputes.
 */
function kindOf({ type, operation }: Pick<Event, 'type' | 'operation'>): string | null {
  if (type !== undefined) return type
  if (operation.status !== 'declined') return null
  return operation.type === 'refund' ? 'refund_failed' : operation.type === 'capture' ? 'transaction_settlement_declined' : null
}

function subjectOf(account: Account, { document, operation }: Event): string {
  const payment = account.payments.get(operation.payment)!
  if (document === undefined) {
    const isRefund = operation.type === 'refund'
    const reference = (isRefund ? callersReference(operation) : null) ?? payment.reference
    return `<transaction><id>${legacyIdOf(isRefund ? operation.id : payment.id)}</id><status>${isRefund ? 'processor_declined' : 'settlement_declined'}</status><type>${isRefund ? 'credit' : 'sale'}</type><currency-iso-code>${payment.currency}</currency-iso-code><amount>${majorText(operation.amount, payment.currency)}</amount><order-id>${reference}</order-id><processor-response-code>${isRefund ? '2046' : '4001'}</processor-response-code><processor-response-text>${operation.decline!.message}</processor-response-text></transaction>`
  }
  const { id, amount, stage, status } = account.documents.get(document) as Dispute
  const labels = [disputeTypes[stage], disputeStatuses[status]].map(word => word.toLowerCase())
  return `<dispute><id>${id}</id><amount-disputed>${majorText(amount, payment.currency)}</amount-disputed><currency-iso-code>${payment.currency}</currency-iso-code><kind>${labels[0]}</kind><status>${labels[1]}</status><transaction><id>${legacyIdOf(payment.id)}</id><order-id>${payment.reference}</order-id></transaction></dispute>`
}

/**
 * Returns the form of a webhook, signed with the private key. In the sandbox every credential is the account's key.
 */
function form(account: Account, event: Event): string | null {
  const kind = kindOf(event)
  if (kind === null) return null
  const key = account.name.startsWith('~') ? (account.settings.webhook_secret ?? '') : `sandbox_${account.name}`
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<notification><kind>${kind}</kind><timestamp type="datetime">${event.created_at}</timestamp><subject>${subjectOf(account, event)}</subject></notification>`
  const payload = `${Buffer.from(xml).toString('base64')}\n`
  const digest = createHmac('sha1', createHash('sha1').update(key).digest()).update(payload).digest('hex')
  return new URLSearchParams({ bt_signature: `${key}|${digest}`, bt_payload: payload }).toString()
}

export const webhookFormat = { body: form, signed: () => ({}) }
