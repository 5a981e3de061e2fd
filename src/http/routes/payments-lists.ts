import { statuses } from '../../payments/lifecycle.ts'
import { listedPayments, paymentListParams } from '../../payments/list.ts'
import type { payments } from '../../payments/payment.ts'
import { showPayments } from '../../show/payment.ts'
import { aggregateLists, exportLists, filterLists, getLists, postLists, type Wire } from './lists.ts'
import { paymentAnswer } from './payments-answers.ts'

const wire: Wire<typeof payments> = {
  listed: listedPayments,
  path: 'payments',
  name: 'Payments',
  item: paymentAnswer,
  asked: (call, ask) => paymentListParams(call.context, call.merchant.merchant_id, ask),
  items: (call, rows) =>
    showPayments(call.context, call.merchant, rows, { publicUrl: call.services.publicUrl, eyes: 'server', now: call.context.now() }),
  offered: {
    connector: 'connector',
    currency: 'currency',
    status: 'status',
    payment_method: 'payment_method',
    payment_method_type: 'payment_method_type',
    authentication_type: 'authentication_type',
    card_network: 'card_network',
    card_discovery: 'card_discovery',
  },
}

/** Payments in lists. */
export const paymentLists = [
  ...getLists(wire),
  ...postLists(wire, {
    summary: 'Failed payments in euros this year',
    value: { status: ['failed'], currency: ['EUR'], start_time: '2026-01-01T00:00:00.000Z', limit: 20 },
  }),
  ...exportLists(wire, [
    'payment_id',
    'status',
    'amount',
    'currency',
    'net_amount',
    'amount_received',
    'amount_capturable',
    'connector',
    'merchant_connector_id',
    'connector_transaction_id',
    'profile_id',
    'customer_id',
    'payment_method',
    'payment_method_type',
    'authentication_type',
    'capture_method',
    'attempt_count',
    'error_code',
    'error_message',
    'unified_code',
    'merchant_order_reference_id',
    'description',
    'created',
    'modified_at',
    'metadata',
  ]),
  ...filterLists(wire),
  ...aggregateLists(wire, Object.keys(statuses)),
]
