// Orders, authorizations, captures, refunds and payouts in PayPal's format, and webhooks.

import type { Account } from '../books.ts'
import { iso } from '../context.ts'
import type { Decline, Dispute, Document, Operation, Payment } from '../records.ts'
import { Refusal } from '../refusals.ts'
import type { AuthorizeRequest } from '../requests.ts'
import { callersReference, echoed } from '../show-operation.ts'
import { majorText } from '../units.ts'

/** Returns PayPal's id of an object: its 17 characters are the end of the ledger's id. */
export const idOf = (id: string): string => id.slice(-17)

/** The time for which an order waits for its payer, in milliseconds. */
export const ORDER_LIFE_MS = 6 * 3_600_000
/** The time for which a setup token waits for its payer, in milliseconds. */
const SETUP_LIFE_MS = 72 * 3_600_000

/**
 * An order. `source`: its payment source, once confirmed. `response`: the response code that a trigger of the test
 * environment requests.
 */
export type OrderNote = Document & {
  object: 'paypal_order'
  intent: 'CAPTURE' | 'AUTHORIZE'
  custom_id: string | null
  invoice_id: string | null
  amount: number
  currency: string
  created: number
  source: Source | null
  cancel_url: string | null
  /** Whether the order is a setup token: nothing is charged, and its payment source is stored. */
  isSetup?: true
  /** The order's items, and the breakdown of its amount. */
  items: readonly unknown[] | null
  breakdown: unknown
}
export type Source = {
  kind: 'card' | 'paypal'
  card: AuthorizeRequest['card']
  response: string | null
  vault: boolean
  /** The credential of a merchant-initiated payment, where the customer is absent. */
  by: 'mandate' | 'network_transaction_id' | null
  three_ds: 'challenge' | 'skip'
}
/** The payer's decision at PayPal. */
export type ApprovalNote = Document & { object: 'paypal_approval'; answer: 'accept' | 'reject' }
export type VaultNote = Document & { object: 'paypal_vault'; kind: Source['kind']; card: AuthorizeRequest['card']; order: string }
/** A refund. `names`: the ids that its request gave it; one that has none shows those of its order. */
export type RefundNote = Document & { object: 'paypal_refund'; capture: string; names?: Names; note?: string }
type Names = { custom_id?: string; invoice_id?: string }

export const noteOf = <Note extends Document>(account: Account, id: string, object: Note['object']): Note | null => {
  const found = account.documents.get(id)
  return found?.object === object ? (found as Note) : null
}

export function orderOf(account: Account, id: string, now: number): OrderNote {
  const order = noteOf<OrderNote>(account, id, 'paypal_order')
  const payment = order && paymentOf(account, order)
  // Unpaid orders are not kept.
  const life = order?.isSetup ? SETUP_LIFE_MS : ORDER_LIFE_MS
  const unpaid = !payment || payment.phase === 'challenge' || (payment.phase === 'expired' && payment.authorized === 0)
  if (!order || (unpaid && now - order.created > life)) throw new Refusal('not_found', 'INVALID_RESOURCE_ID')
  return order
}

export const paymentOf = (account: Account, { id }: Pick<OrderNote, 'id'>): Payment | null =>
  account.payments.get(account.names.get(id) ?? '') ?? null

/** Returns an amount with PayPal's decimals: HUF and TWD have none. */
const valueIn = (amount: number, currency: string): string =>
  currency === 'HUF' || currency === 'TWD' ? majorText(amount, currency).split('.')[0]! : majorText(amount, currency)
const money = (amount: number, currency: string) => ({ currency_code: currency, value: valueIn(amount, currency) })
/** The same of an amount that may be negative. */
export const signedMoney = (amount: number, currency: string) => ({
  currency_code: currency,
  value: (amount < 0 ? '-' : '') + valueIn(Math.abs(amount), currency),
})

/** The response_code of each decline code of the ledger. */
const responses: Record<string, string> = {
  card_declined: '0500',
  insufficient_funds: '5120',
  lost_card: '9520',
  stolen_card: '9520',
  expired_card: '5400',
  incorrect_cvc: '00N7',
  processing_error: '8000',
  avs_declined: '5170',
  authentication_required: '5650',
  authentication_failed: '7710',
}

const approved = (account: Account, payment: Payment): string | null =>
  noteOf<ApprovalNote>(account, `approval ${payment.id}`, 'paypal_approval')?.answer ?? null

const made = (account: Account, payment: Payment, type: Operation['type']): Operation[] =>
  [...account.operations.values()].filter(one => one.payment === payment.id && one.type === type)

function responseOf({ decline, avs_result, cvc_result }: Operation, response: string | null) {
  const code = (refusal: Decline) => response ?? responses[refusal.code] ?? '5100'
  return {
    processor_response: {
      response_code: decline === null ? '0000' : code(decline),
      ...(avs_result !== null && { avs_code: avs_result }),
      ...(cvc_result !== null && { cvv_code: cvc_result }),
      ...(decline?.network_advice && { payment_advice_code: decline.network_advice }),
    },
  }
}

export type Seen = { account: Account; url: string }
const at = ({ url }: Seen, path: string) => `${url}/paypal${path}`
const times = ({ created_at, updated_at }: Operation) => ({ create_time: created_at, update_time: updated_at })
/** Returns a payment as part of its order, without the link to the order. */
const inOrder = ({ supplementary_data, ...shown }: { supplementary_data?: object }): object => shown
const related = (order: string, more: { authorization_id?: string } = {}) => ({
  supplementary_data: { related_ids: { order_id: order, ...more } },
})
const link = (seen: Seen, rel: string, path: string, method = 'GET') => ({ href: at(seen, path), rel, method })

export function showHold(seen: Seen, order: OrderNote, payment: Payment, operation: Operation): object {
  const { phase, captured, method } = payment
  const statuses = { pending: 'PENDING', declined: 'DENIED', voided: 'VOIDED', expired: 'VOIDED', captured: 'CAPTURED' } as const
  const { amount, currency } = echoed(operation, payment)
  const voided = made(seen.account, payment, 'void').find(({ status }) => status === 'approved')
  return {
    id: idOf(operation.id),
    status: phase === 'open' || phase === 'challenge' ? (captured > 0 ? 'PARTIALLY_CAPTURED' : 'CREATED') : statuses[phase],
    amount: money(amount, currency),
    ...namesOf(order),
    ...(payment.hold_until !== null && { expiration_time: iso(payment.hold_until) }),
    ...(phase === 'expired' && { expiration_time: operation.updated_at }),
    ...(!method && responseOf(operation, order.source?.response ?? null)),
    ...(operation.network_transaction_id && { network_transaction_reference: { id: operation.network_transaction_id } }),
    ...related(order.id),
    links: [link(seen, 'self', `/v2/payments/authorizations/${idOf(operation.id)}`), link(seen, 'up', `/v2/checkout/orders/${order.id}`)],
    ...times(operation),
    ...(voided && { update_time: voided.updated_at }),
  }
}

const namesOf = ({ custom_id, invoice_id }: OrderNote) => ({
  ...(invoice_id !== null && { invoice_id }),
  ...(custom_id !== null && { custom_id }),
})

/** Shows a capture. The capture of an order with intent CAPTURE is the ledger's authorization. */
export function showCapture(seen: Seen, order: OrderNote, payment: Payment, operation: Operation): object {
  const { account } = seen
  const shown = echoed(operation, payment)
  const id = idOf(operation.id)
  const back = made(account, payment, 'refund')
    .filter(one => one.status === 'approved' && refundNote(account, one).capture === id)
    .reduce((sum, { amount }) => sum + amount, 0)
  const good = back === 0 ? 'COMPLETED' : back >= operation.amount ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
  const statuses = { approved: good, pending: 'PENDING', declined: 'DECLINED' } as const
  const isOfHold = operation.type === 'capture'
  // A capture without an id of its own has those of its order.
  const own = isOfHold ? callersReference(operation) : null
  const names = own === null ? namesOf(order) : { ...namesOf(order), invoice_id: own }
  const hold = made(account, payment, 'extension').findLast(({ status }) => status === 'approved')?.id ?? payment.id
  const parent = isOfHold ? `/v2/payments/authorizations/${idOf(hold)}` : `/v2/checkout/orders/${order.id}`
  return {
    id,
    status: statuses[operation.status as keyof typeof statuses] ?? 'FAILED',
    amount: money(shown.amount, shown.currency),
    ...(echoed(operation, payment).reference !== operation.reference ? { ...names, custom_id: shown.reference } : names),
    final_capture: operation.type === 'authorization' || operation.final,
    ...(!payment.method && responseOf(operation, order.source?.response ?? null)),
    ...(operation.network_transaction_id && { network_transaction_reference: { id: operation.network_transaction_id } }),
    ...related(order.id, isOfHold ? { authorization_id: idOf(hold) } : {}),
    links: [
      link(seen, 'self', `/v2/payments/captures/${id}`),
      link(seen, 'refund', `/v2/payments/captures/${id}/refund`, 'POST'),
      link(seen, 'up', parent),
    ],
    ...times(operation),
  }
}

/** Shows a refund. PayPal's events and orders name its capture only, in a link. */
export function showRefund(seen: Seen, operation: Operation): object {
  const { account } = seen
  const statuses = { approved: 'COMPLETED', pending: 'PENDING', declined: 'FAILED' } as const
  const { capture, names, note } = refundNote(account, operation)
  const payment = account.payments.get(operation.payment)!
  const order = noteOf<OrderNote>(account, payment.document!, 'paypal_order')!
  const back = made(account, payment, 'refund').filter(
    one => one.status === 'approved' && refundNote(account, one).capture === capture && one.created_at <= operation.created_at,
  )
  const total = back.reduce((sum, { amount }) => sum + amount, 0)
  const gross = money(operation.amount, operation.currency)
  return {
    id: idOf(operation.id),
    status: statuses[operation.status as keyof typeof statuses],
    amount: gross,
    ...namesOf(order),
    ...names,
    ...(note !== undefined && { note_to_payer: note }),
    seller_payable_breakdown: { gross_amount: gross, net_amount: gross, total_refunded_amount: money(total, operation.currency) },
    ...(operation.arn !== null && { acquirer_reference_number: operation.arn }),
    links: [link(seen, 'self', `/v2/payments/refunds/${idOf(operation.id)}`), link(seen, 'up', `/v2/payments/captures/${capture}`)],
    ...times(operation),
  }
}

export const refundNote = (account: Account, { id }: Operation): RefundNote => noteOf<RefundNote>(account, `refund ${id}`, 'paypal_refund')!

const CARD_RESULTS = { accept: { liability_shift: 'POSSIBLE', status: 'Y' }, reject: { liability_shift: 'NO', status: 'N' } } as const

export function showOrder(seen: Seen, order: OrderNote): object {
  const { account, url } = seen
  const payment = paymentOf(account, order)
  const truly = payment && account.operations.get(payment.id)!
  const answer = payment && approved(account, payment)
  const open = payment?.phase === 'challenge'
  const isPaid = payment !== null && !open
  const shown = truly && isPaid ? echoed(truly, payment) : null
  const waits = open && answer === null
  const status = isPaid ? 'COMPLETED' : waits ? 'PAYER_ACTION_REQUIRED' : order.source && answer !== 'reject' ? 'APPROVED' : 'CREATED'
  const payments = isPaid && truly ? paymentsOf(seen, order, payment, truly) : null
  const page = truly?.challenge && `${url}/challenge/${truly.id}/${truly.challenge.token}`
  const vault = [...account.documents.values()].find((one): one is VaultNote => (one as VaultNote).order === order.id)
  const kept = vault && { attributes: { vault: { id: vault.id, status: 'VAULTED', customer: { id: `C${idOf(order.id)}` } } } }
  const decided =
    order.source?.kind === 'card' && order.source.three_ds === 'challenge' && answer !== null ? CARD_RESULTS[answer as 'accept'] : null
  const authentication_result = decided && {
    authentication_result: {
      liability_shift: decided.liability_shift,
      three_d_secure: { enrollment_status: 'Y', authentication_status: decided.status },
    },
  }
  return {
    id: order.id,
    intent: order.intent,
    status,
    purchase_units: [
      {
        reference_id: 'default',
        amount: { ...money(order.amount, order.currency), ...(order.breakdown !== null && { breakdown: order.breakdown }) },
        ...(order.items !== null && { items: order.items }),
        ...namesOf(order),
        ...(shown && shown.reference !== truly!.reference && { custom_id: shown.reference }),
        ...(payments && { payments }),
      },
    ],
    ...(order.source && { payment_source: { [order.source.kind]: { ...kept, ...authentication_result } } }),
    create_time: iso(order.created),
    links: [
      { href: at(seen, `/v2/checkout/orders/${order.id}`), rel: 'self', method: 'GET' },
      ...(waits && page ? [{ href: page, rel: 'payer-action', method: 'GET' }] : []),
    ],
  }
}

export const vaultsOf = ({ documents }: Account, { id }: Pick<OrderNote, 'id'>): VaultNote[] =>
  [...documents.values()].filter((one): one is VaultNote => (one as VaultNote).object === 'paypal_vault' && (one as VaultNote).order === id)
const customerOf = ({ id }: Pick<OrderNote, 'id'>) => ({ customer: { id: `C${idOf(id)}` } })

export function showSetup(seen: Seen, setup: OrderNote): object {
  const { account, url } = seen
  const payment = paymentOf(account, setup)
  const truly = payment && account.operations.get(payment.id)!
  const answer = payment && approved(account, payment)
  const waits = payment?.phase === 'challenge' && answer !== 'accept'
  const isKept = vaultsOf(account, setup).length > 0
  const page = truly?.challenge && `${url}/challenge/${truly.id}/${truly.challenge.token}`
  const verification_status = answer === 'reject' ? 'FAILED' : 'VERIFIED'
  return {
    id: setup.id,
    ...customerOf(setup),
    status: isKept ? 'TOKENIZED' : waits ? 'PAYER_ACTION_REQUIRED' : 'APPROVED',
    payment_source: { [setup.source!.kind]: setup.source!.kind === 'card' && (!waits || answer !== null) ? { verification_status } : {} },
    links: [
      { href: at(seen, `/v3/vault/setup-tokens/${setup.id}`), rel: 'self', method: 'GET' },
      ...(waits && page ? [{ href: page, rel: 'approve', method: 'GET' }] : []),
    ],
  }
}

export function showToken({ account }: Pick<Seen, 'account'>, setup: OrderNote, vault: VaultNote): object {
  const payment = paymentOf(account, setup)
  const name = payment && account.operations.get(payment.id)!.network_transaction_id
  return {
    id: vault.id,
    ...customerOf(setup),
    payment_source: { [vault.kind]: vault.kind === 'card' && name ? { network_transaction_reference: { id: name } } : {} },
  }
}

export function listTokens(account: Account, customer: string): object {
  const setups = [...account.documents.values()].filter((one): one is OrderNote => (one as OrderNote).isSetup === true)
  const own = setups.filter(setup => customerOf(setup).customer.id === customer)
  const payment_tokens = own.flatMap(setup => vaultsOf(account, setup).map(vault => showToken({ account }, setup, vault)))
  return { customer: { id: customer }, payment_tokens }
}

function paymentsOf(seen: Seen, order: OrderNote, payment: Payment, operation: Operation): object {
  const { account } = seen
  const refunds = made(account, payment, 'refund').map(one => showRefund(seen, one))
  const back = refunds.length > 0 && { refunds }
  if (order.intent === 'CAPTURE') return { captures: [inOrder(showCapture(seen, order, payment, operation))], ...back }
  const captures = made(account, payment, 'capture').map(one => inOrder(showCapture(seen, order, payment, one)))
  const renewed = made(account, payment, 'extension').filter(({ status }) => status === 'approved')
  return {
    authorizations: [operation, ...renewed.map(one => ({ ...operation, ...times(one), id: one.id }))].map(one =>
      inOrder(showHold(seen, order, payment, one)),
    ),
    ...(captures.length > 0 && { captures }),
    ...back,
  }
}

const itemStatuses = {
  approved: 'SUCCESS',
  declined: 'FAILED',
  pending: 'PENDING',
  returned: 'REVERSED',
  expired: 'RETURNED',
  challenge: 'PENDING',
} as const

/** Shows a payout item, whose status is unclaimed, pending or final. */
export function showItem(account: Account, operation: Operation, isClaimed: boolean): object {
  const payment = account.payments.get(operation.payment)!
  const { status, decline } = operation
  const word = decline?.code === 'payout_cancelled' ? 'RETURNED' : status === 'pending' && !isClaimed ? 'UNCLAIMED' : itemStatuses[status]
  const shown = echoed(operation, payment)
  return {
    payout_item_id: `I${idOf(operation.id)}`,
    payout_batch_id: idOf(operation.id),
    transaction_status: word,
    payout_item: {
      recipient_type: 'EMAIL',
      amount: { currency: shown.currency, value: valueIn(shown.amount, shown.currency) },
      receiver: payment.masked,
      sender_item_id: shown.reference,
    },
    ...(word === 'FAILED' && {
      errors: {
        name: decline?.code === 'recipient_ineligible' ? 'RECEIVER_UNREGISTERED' : 'PAYOUT_FAILED',
        message: decline?.message ?? 'The payout failed.',
        debug_id: 'sandbox',
      },
    }),
  }
}

export const isClaimed = ({ due_at, created_at }: Operation): boolean => due_at === null || due_at - Date.parse(created_at) < 24 * 3_600_000

export function showBatch(account: Account, operation: Operation, when: 'at first' | 'now'): object {
  return {
    batch_header: {
      payout_batch_id: idOf(operation.id),
      batch_status: when === 'at first' ? 'PENDING' : 'SUCCESS',
      sender_batch_header: { sender_batch_id: operation.reference },
    },
    ...(when === 'now' && { items: [showItem(account, operation, isClaimed(operation))] }),
  }
}

export const DISPUTES = '/v1/customer/disputes'
const stages = { inquiry: 'INQUIRY', chargeback: 'CHARGEBACK', second_chargeback: 'PRE_ARBITRATION' } as const
const outcomes: Partial<Record<Dispute['status'], string>> = {
  won: 'RESOLVED_SELLER_FAVOUR',
  lost: 'RESOLVED_BUYER_FAVOUR',
  expired: 'RESOLVED_BUYER_FAVOUR',
  accepted: 'ACCEPTED',
  cancelled: 'CANCELED_BY_BUYER',
}
const reasons: Record<string, string> = {
  fraudulent: 'UNAUTHORISED',
  product_not_received: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
  product_unacceptable: 'MERCHANDISE_OR_SERVICE_NOT_AS_DESCRIBED',
  duplicate: 'DUPLICATE_TRANSACTION',
  subscription_canceled: 'CANCELED_RECURRING_BILLING',
}

/** Whether a dispute can be appealed: once, after it is lost. */
export const mayAppeal = ({ status, stage }: Dispute): boolean => status === 'lost' && stage === 'chargeback'

export const capturesOf = (account: Account, payment: Payment): Operation[] =>
  [...account.operations.values()].filter(
    one => one.payment === payment.id && (one.type === 'capture' || (one.type === 'authorization' && payment.capture === 'automatic')),
  )

export function showDispute({ account, url }: { account: Account; url: string }, dispute: Dispute): object {
  const payment = account.payments.get(dispute.payment)!
  const capture = capturesOf(account, payment).at(-1)!
  const order = account.documents.get(payment.document ?? '') as { custom_id?: string | null } | undefined
  const custom = order?.custom_id ?? null
  const outcome_code = outcomes[dispute.status]
  const link = (rel: string, path: string) => ({ href: `${url}/paypal${DISPUTES}/${dispute.id}/${path}`, rel, method: 'POST' })
  return {
    dispute_id: dispute.id,
    create_time: iso(dispute.created),
    update_time: iso(dispute.updated),
    disputed_transactions: [{ seller_transaction_id: capture.id.slice(-17), ...(custom !== null && { custom }) }],
    reason: reasons[dispute.reason] ?? 'OTHER',
    external_reason_code: dispute.network_code,
    status: outcome_code ? 'RESOLVED' : dispute.status === 'needs_response' ? 'WAITING_FOR_SELLER_RESPONSE' : 'UNDER_REVIEW',
    ...(outcome_code && { dispute_outcome: { outcome_code } }),
    ...((dispute.status === 'lost' || dispute.stage === 'second_chargeback') && {
      adjudications: [{ type: 'PAYOUT_TO_BUYER', adjudication_time: iso(dispute.updated), dispute_life_cycle_stage: 'CHARGEBACK' }],
    }),
    dispute_amount: money(dispute.amount, payment.currency),
    dispute_life_cycle_stage: stages[dispute.stage],
    dispute_channel: 'INTERNAL',
    seller_response_due_date: iso(dispute.due_at),
    links: [
      { href: `${url}/paypal${DISPUTES}/${dispute.id}`, rel: 'self', method: 'GET' },
      ...(dispute.status === 'needs_response' ? [link('provide_evidence', 'provide-evidence'), link('accept_claim', 'accept-claim')] : []),
      ...(mayAppeal(dispute) ? [link('appeal', 'appeal')] : []),
    ],
  }
}
