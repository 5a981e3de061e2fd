import Type from 'typebox'
import { withDescription } from '../../base/shapes.ts'
import { paymentFields } from '../../payments/fields/all.ts'
import { statuses } from '../../payments/lifecycle.ts'
import { listedPayments, paymentListParams } from '../../payments/list.ts'
import type { payments } from '../../payments/payment.ts'
import { exportedFields } from '../../resources/read.ts'
import { showPayments } from '../../show/payment.ts'
import { flag } from '../answer-shapes.ts'
import { single } from '../header.ts'
import { aggregateLists, exportLists, filterLists, getLists, postLists, type Wire } from './lists.ts'
import { paymentAnswer } from './payments-answers.ts'

const wire: Wire<typeof payments> = {
  listed: listedPayments,
  path: 'payments',
  name: 'Payments',
  item: paymentAnswer,
  asked: (call, ask) => paymentListParams(call.context, call.merchant.merchant_id, ask),
  items: (call, rows, how) =>
    showPayments(call.context, call.merchant, rows, {
      publicUrl: call.services.publicUrl,
      audience: 'server',
      now: call.context.now(),
      acceptLanguage: single(call.headers['accept-language']),
      expand_attempts: how?.expand_attempts === true,
    }),
  shows: {
    how: { expand_attempts: Type.Optional(withDescription(flag, 'true: show in `route` where each payment went')) },
    adds: ['route'],
  },
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

/** The operations that list payments. */
export const paymentLists = [
  ...getLists(wire),
  ...postLists(wire, {
    summary: 'Failed payments in euros this year',
    value: { status: ['failed'], currency: ['EUR'], start_time: '2026-01-01T00:00:00.000Z', limit: 20 },
  }),
  ...exportLists(wire, exportedFields(paymentFields), 'customers:personal'),
  ...filterLists(wire),
  ...aggregateLists(wire, Object.keys(statuses)),
]
