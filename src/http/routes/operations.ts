import Type from 'typebox'
import { orNull } from '../../base/shapes.ts'
import { verbNames } from '../../connectors/verbs.ts'
import { type Owner, operationStates } from '../../operations/operation.ts'
import { needPayment } from '../../payments/begin-on-payment.ts'
import { currency } from '../../payments/fields/sold.ts'
import { ownerOf as ownerOfPayment } from '../../payments/kind.ts'
import { needPayout } from '../../payouts/begin-on-payout.ts'
import { ownerOf as ownerOfPayout } from '../../payouts/payout.ts'
import { showOperations } from '../../show/operations.ts'
import { requestsThatWrote } from '../../telemetry/request-log.ts'
import { count, minor, sized, text, texts, time } from '../answer-shapes.ts'
import { endpoint, type MerchantCall } from '../endpoint.ts'

export const operationAnswer = Type.Object(
  {
    request_id: Type.String({ description: 'The id under which the processor knows it' }),
    n: Type.Integer({ description: 'Its number among the operations of the object' }),
    verb: Type.Enum([...verbNames]),
    purpose: Type.Enum(['merchant', 'reversal'], { description: 'reversal: returns money that should not have moved' }),
    attempt: Type.Integer({ description: 'The attempt that it belongs to' }),
    acts_on: orNull(Type.Integer({ description: 'The `n` of the authorization that it captures, voids or refunds' })),
    amount: minor,
    currency,
    connector: text,
    merchant_connector_id: text,
    connector_label: orNull(Type.String({ description: 'null if the connector account was deleted' })),
    state: Type.Enum([...operationStates], {
      description:
        'unknown: the processor has not responded, or not clearly; the money may have moved. waiting: the processor has received it, the result is pending. unresolved: no result within seven days. conflicted: the response contradicts the request. not_received: the processor does not know the request. not_sent: nothing reached the processor',
    }),
    why: orNull(Type.String({ description: 'What the processor said, or why nothing is known' })),
    ...texts('error_code refund_id'),
    sent_at: time,
    heard_at: orNull(Type.String({ format: 'date-time', description: 'The first response of the processor; null without one' })),
    latency_ms: orNull(Type.Integer({ description: 'Until the response, or until the request timed out; null while it is under way' })),
    modified_at: time,
    asked: Type.Integer({ description: 'Number of scheduled status polls so far' }),
    ask_at: orNull(Type.String({ format: 'date-time', description: 'The next status poll; null if none follows' })),
    ...texts('reference'),
    version: orNull(Type.Integer({ description: 'Version of the object at which it was sent' })),
    by: orNull(Type.String({ description: 'Who requested it: an API key, a browser (`client`), or the service itself' })),
    log_id: orNull(Type.String({ description: 'The API request that sent it, while the request log keeps it' })),
  },
  { title: 'Operation', description: 'One request to a processor' },
)

const operationsAnswer = Type.Object({ size: count, data: Type.Array(operationAnswer) }, { title: 'Operations' })

async function shownOf({ context, merchant }: MerchantCall, owner: Owner) {
  const logs = await requestsThatWrote(context, owner)
  return { json: sized(await showOperations(context, merchant, owner, version => logs.get(version) ?? null)) }
}

const says =
  'oldest first: authorizations, captures, voids, refunds and the service’s own reversals, each with its state, the connector account, the latency and the next status poll.'

export const operationsOfPayment = endpoint({
  at: 'GET /payments/{payment_id}/operations',
  name: 'listPaymentOperations',
  title: 'List the operations of a payment',
  does: `Lists the requests to processors for a payment, ${says}`,
  answers: operationsAnswer,
  run: async call => shownOf(call, ownerOfPayment(await needPayment(call.context, call.merchant.merchant_id, call.path.payment_id))),
})

export const operationsOfPayout = endpoint({
  at: 'GET /payouts/{payout_id}/operations',
  name: 'listPayoutOperations',
  title: 'List the operations of a payout',
  does: `Lists the requests to processors for a payout, ${says}`,
  answers: operationsAnswer,
  run: async call => shownOf(call, ownerOfPayout(await needPayout(call.context, call.merchant.merchant_id, call.path.payout_id))),
})
