import Type from 'typebox'
import type { Merchant } from '../accounts/merchant.ts'
import { anyText, minor, objectOrNull, orNull, textOrNull } from '../base/shapes.ts'
import { isANo, isUnfinished, type Operation } from '../operations/operation.ts'
import { currency } from '../payments/fields/order.ts'
import { payoutFields } from '../payouts/fields.ts'
import { hasLink, linkOf } from '../payouts/link.ts'
import type { Payout } from '../payouts/payout.ts'
import { type Members, membersOf, renderer } from './member.ts'
import { showRouted } from './routing.ts'

/** `publicUrl`: for recipients, whose browsers see neither the merchant's own notes nor the routing. */
type PayoutView = { publicUrl: string; audience: 'server' | 'client'; operations: readonly Operation[] }

const attempt = Type.Object(
  {
    attempt_id: anyText,
    status: payoutFields.status.responseShape,
    amount: minor,
    currency,
    connector: anyText,
    merchant_connector_id: anyText,
    payment_method: orNull(payoutFields.payout_type.shape),
    payout_method_type: textOrNull,
    error_code: textOrNull,
    error_message: textOrNull,
    connector_transaction_id: textOrNull,
    cancellation_reason: textOrNull,
    unified_code: textOrNull,
    unified_message: textOrNull,
    routing: objectOrNull,
  },
  { title: 'PayoutAttempt' },
)

type Looked = PayoutView & { merchant: Merchant }

export const payoutMembers: Members<Payout, Looked> = membersOf<Payout, Looked, typeof payoutFields>(payoutFields, {
  merchant_id: { from: ({ request, merchant_id }) => request.platform_merchant_id ?? merchant_id },
  payout_method_data: { from: ({ recipient }) => recipient && { [recipient.is]: recipient.shown } },
  customer: { from: showCustomer },
  payout_link: { from: (payout, { merchant, publicUrl }) => (hasLink(payout) ? linkOf(merchant, payout, publicUrl) : null) },
  email: { from: ({ request }) => request.email ?? request.customer?.email ?? null },
  name: { from: ({ request }) => request.name ?? request.customer?.name ?? null },
  phone: { from: ({ request }) => request.phone ?? request.customer?.phone ?? null },
  phone_country_code: { from: ({ request }) => request.phone_country_code ?? request.customer?.phone_country_code ?? null },
  attempts: {
    shape: orNull(Type.Array(attempt, { description: 'Oldest first; null for a browser' })),
    from: (payout, { merchant, operations }) => showPayoutAttempts(merchant, payout, operations),
    serverOnly: true,
  },
})

const render = renderer(payoutMembers)

/** Every member is always present, null where unknown. */
export const showPayout = (merchant: Merchant, payout: Payout, view: PayoutView): Record<string, unknown> =>
  render(payout, { merchant, ...view })

function showCustomer({ customer_id, request }: Payout): Record<string, unknown> | null {
  const { customer, email, name, phone, phone_country_code } = request
  if (customer_id === null && !customer) return null
  return {
    id: customer_id,
    name: name ?? customer?.name ?? null,
    email: email ?? customer?.email ?? null,
    phone: phone ?? customer?.phone ?? null,
    phone_country_code: phone_country_code ?? customer?.phone_country_code ?? null,
    customer_document_details: null,
  }
}

/** Oldest first: one for each payout request to a processor. */
const showPayoutAttempts = (merchant: Merchant, payout: Payout, operations: readonly Operation[]): Record<string, unknown>[] =>
  operations.filter(({ verb }) => verb === 'payout').map(operation => showAttempt(merchant, payout, operation))

/** The current attempt has the payout's status; an earlier one was declined or is not decided. */
const attemptStatus = (payout: Payout, { n, state }: Operation): string =>
  n === payout.payout_n ? payout.status : isUnfinished({ state }) ? 'pending' : state === 'conflicted' ? 'initiated' : 'failed'

function showAttempt(merchant: Merchant, payout: Payout, operation: Operation): Record<string, unknown> {
  const { response, state, routing } = operation
  const no = isANo({ state })
  const current = operation.n === payout.payout_n ? payout.last_error : null
  return {
    attempt_id: `${payout.payout_id}_${operation.attempt}`,
    status: attemptStatus(payout, operation),
    amount: operation.amount,
    currency: operation.currency,
    connector: operation.connector,
    merchant_connector_id: operation.merchant_connector_id,
    error_code: no ? (response?.code ?? state) : null,
    error_message: no ? (response?.words ?? response?.why ?? null) : null,
    payment_method: payout.payout_type,
    payout_method_type: payout.recipient?.type ?? null,
    connector_transaction_id: operation.reference,
    cancellation_reason: null,
    unified_code: current?.unified_code ?? null,
    unified_message: current?.unified_message ?? null,
    routing: routing && showRouted(merchant, routing),
  }
}
