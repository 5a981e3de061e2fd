import Type, { type TProperties } from 'typebox'
import { orNull } from '../../base/shapes.ts'
import { verbNames } from '../../connectors/verbs.ts'
import { ledgerAccounts } from '../../database/ledger.ts'
import { type TimelineLine, timelineOf } from '../../events/timeline.ts'
import { operationStates } from '../../operations/operation.ts'
import { currency } from '../../payments/fields/order.ts'
import { ownerOf } from '../../payments/payment.ts'
import { needPayment } from '../../payments/rows.ts'
import { requestsThatChange } from '../../telemetry/request-log.ts'
import { count, listSchema, minor, schema, sized, text, texts, time } from '../answer-shapes.ts'
import { endpoint } from '../endpoint.ts'
import { explainedAnswer } from './routing-answers.ts'

const label = orNull(Type.String({ description: 'null if the connector account was deleted' }))

const lineOf = (kind: TimelineLine['kind'], name: string, id: string, description: string, more: TProperties) =>
  schema(`Timeline${name}`, description, {
    at: time,
    kind: Type.Enum([kind]),
    id: Type.String({ description: id }),
    version: orNull(Type.Integer({ description: 'Version of the payment' })),
    ...more,
  })

const operation = {
  n: count,
  attempt: count,
  verb: Type.Enum([...verbNames]),
  purpose: Type.Enum(['merchant', 'reversal', 'external']),
  state: Type.Enum([...operationStates], { description: 'From then on; open: it was sent' }),
  amount: minor,
  currency,
  merchant_connector_id: text,
  connector_label: label,
  ...texts('refund_id error_code why'),
  by: text,
}

const lines = [
  lineOf('request', 'Request', 'log_id', 'An API request that changed the payment, or failed', {
    request_id: text,
    method: text,
    route: text,
    status: count,
    latency_ms: count,
    by: text,
    ...texts('error_code'),
  }),
  lineOf('decision', 'Decision', 'request_id of the attempt', 'Which accounts were eligible, in which order, and why others were not', {
    attempt: count,
    routing: explainedAnswer,
  }),
  lineOf('attempt', 'Attempt', 'request_id of the operation', 'An authorization that was sent, or whose result was reported', operation),
  lineOf(
    'operation',
    'Operation',
    'request_id of the operation',
    'Another operation that was sent, or whose result was reported',
    operation,
  ),
  lineOf('webhook', 'Webhook', 'merchant_connector_id', 'A webhook of the processor that changed the payment', {
    type: text,
    connector_label: label,
  }),
  lineOf('change', 'Change', 'event_id', 'A change that is only recorded', { type: text, by: text }),
  lineOf('event', 'Event', 'event_id', 'A change that is sent to the merchant', {
    type: text,
    event_type: text,
    object_id: text,
    sequence: orNull(count),
    by: text,
  }),
  lineOf('ledger', 'LedgerEntry', 'entry_id', 'Money that moved', {
    type: text,
    merchant_connector_id: orNull(text),
    currency: text,
    lines: Type.Array(Type.Object({ account: Type.Enum(Object.keys(ledgerAccounts)), debit: minor, credit: minor })),
  }),
  lineOf(
    'delivery',
    'Delivery',
    'Id of the delivery attempt; of a delivery without attempts, the event_id',
    'An attempt to deliver an event',
    {
      event_id: text,
      endpoint_id: text,
      status: Type.Enum(['pending', 'delivered', 'dead'], { description: 'Current status of the delivery' }),
      tries: count,
      status_code: orNull(count),
      ...texts('error'),
      latency_ms: orNull(count),
    },
  ),
]

export const timelineOfPayment = endpoint('GET /payments/{payment_id}/timeline', 'retrievePaymentTimeline', {
  title: 'Retrieve the timeline of a payment',
  description:
    'Returns everything that happened with a payment, oldest first: API requests, routing decisions with the excluded accounts and the reasons, attempts, other operations, webhooks of the processor, events, ledger entries and deliveries. The ids of each line open the next one. Requests are included while the request log stores them, deliveries for 90 days.',
  auth: { credential: 'secret', permission: 'payments:read', scope: 'profile' },
  answers: listSchema('Timeline', Type.Union(lines, { title: 'TimelineLine' })),
  json: async ({ context, merchant, path: { payment_id } }) => {
    const payment = await needPayment(context, merchant.merchant_id, payment_id)
    return sized(await timelineOf(context, merchant, payment, await requestsThatChange(context, ownerOf(payment))))
  },
})
