import type { Merchant } from '../accounts/merchant.ts'
import type { WebhookEndpoint } from '../accounts/webhook-endpoint.ts'
import { newEventId } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import type { Context } from '../context.ts'
import { statement } from '../database/statement.ts'
import { bodyOf, type Finds } from './announce.ts'
import { callEndpoint, isYes } from './call-endpoint.ts'
import { type Delivery, type DeliveryAttempt, deliveryAttempts } from './delivery.ts'
import { attemptsOf, deliveriesOf } from './delivery-queue.ts'
import { type Event, needEvent } from './event.ts'

/** What a try is a try of. */
type Tried = Pick<Event, 'merchant_id' | 'profile_id' | 'object_id' | 'event_type' | 'event_class' | 'event_id'>
type Of = Tried & Pick<Event, 'body'>

/** What every answer about an event, or a try of it, says of the event. */
export const showTried = ({ event_id, merchant_id, profile_id, object_id, event_type, event_class }: Tried) => ({
  ...{ event_id, merchant_id, profile_id, object_id, event_type, event_class },
  initial_attempt_id: event_id,
  processor_merchant_id: merchant_id,
})

/** One try as existing clients read it (contract 6.9), with what they do not know yet. */
export const showAttempt = (event: Of, attempt: DeliveryAttempt) => ({
  ...showTried(event),
  event_id: attempt.attempt_id,
  is_delivery_successful: isYes(attempt),
  created: attempt.created,
  endpoint_id: attempt.endpoint_id,
  url: attempt.url,
  latency_ms: attempt.latency_ms,
  request: { body: event.body ?? '', headers: attempt.request_headers },
  response: {
    body: attempt.response_body,
    headers: attempt.response_headers,
    status_code: attempt.status_code,
    error_message: attempt.error,
  },
  delivery_attempt: attempt.kind,
})

/** The tries of an event, oldest first. Refuses (HE_02) an event of which there is none. */
export async function listAttempts(context: Pick<Context, 'query'>, merchant_id: string, event_id: string) {
  const event = await needEvent(context, merchant_id, event_id)
  const attempts = await context.query<DeliveryAttempt>(attemptsOf, [merchant_id, event_id])
  return attempts.length > 0 ? attempts.map(attempt => showAttempt(event, attempt)) : refuse('not_found', { what: 'delivery attempt' })
}

const noteAttempt = statement(
  'note_manual_attempt',
  `insert into delivery_attempts (${deliveryAttempts.names.join(', ')}) values (${deliveryAttempts.names.map((_, i) => `$${i + 1}`).join(', ')})`,
)
const arrived = statement(
  'note_manual_arrival',
  `update deliveries set status = 'delivered', tries = tries + 1, ended_at = $4 where merchant_id = $1 and event_id = $2 and endpoint_id = $3 and status <> 'delivered'`,
)
/** Sends an event to an endpoint now, on request. Returns the attempt. */
async function callNow(
  context: Context,
  endpoint: WebhookEndpoint,
  told: Pick<Of, 'merchant_id' | 'event_id'> & { body: string },
): Promise<DeliveryAttempt> {
  const { attempt } = await callEndpoint(context, () => performance.now(), endpoint, told, 'manual_retry')
  return attempt
}

/** The same, and writes down what became of it. */
async function callAgain(context: Context, endpoint: WebhookEndpoint, event: Event, body: string) {
  const attempt = await callNow(context, endpoint, { ...event, body })
  await context.query(
    noteAttempt,
    deliveryAttempts.names.map(name => {
      const value = attempt[name as keyof DeliveryAttempt]
      return Array.isArray(value) ? JSON.stringify(value) : value
    }),
  )
  if (isYes(attempt)) await context.query(arrived, [event.merchant_id, event.event_id, endpoint.endpoint_id, context.now()])
  return showAttempt(event, attempt)
}

/**
 * Sends an event again, the bytes that were sent before, to every endpoint that has not got it (to all, if all have),
 * and shows the last of these tries. Refuses (HE_02) an event that there is not, and (IR_16) one that no endpoint was
 * to hear of that is still there.
 */
export async function resendEvent(context: Context, finds: Finds, merchant_id: string, event_id: string) {
  const event = await needEvent(context, merchant_id, event_id)
  const all = await context.query<Delivery>(deliveriesOf, [merchant_id, event_id])
  const missing = all.filter(delivery => delivery.status !== 'delivered')
  const wanted = new Set((missing.length > 0 ? missing : all).map(delivery => delivery.endpoint_id))
  const endpoints = (await finds.listeners(merchant_id)).filter(({ endpoint_id }) => wanted.has(endpoint_id))
  const { body } = event
  if (body === null || endpoints.length === 0)
    return refuse('precondition', { words: 'No existing webhook endpoint was subscribed to this event' })
  const tries = await Promise.all(endpoints.map(endpoint => callAgain(context, endpoint, event, body)))
  return tries.find(one => !one.is_delivery_successful) ?? tries[0]!
}

/**
 * Sends an event that says nothing happened to an endpoint, whether or not it is enabled, and shows what came back;
 * nothing of it is kept. Refuses (HE_02) an endpoint that there is not.
 */
export async function sendTest(context: Context, finds: Finds, { merchant_id }: Merchant, endpoint_id: string) {
  const endpoint =
    (await finds.webhookEndpoints(merchant_id)).find(one => one.endpoint_id === endpoint_id) ??
    refuse('not_found', { what: 'webhook endpoint' })
  const { profile_id, url } = endpoint
  const event = { merchant_id, event_id: newEventId(context), event_type: 'webhook_test', event_class: 'webhooks' } as const
  const body = bodyOf({ ...event, object: { endpoint_id, url }, sequence: null, platform: null, profile_id, created: context.now() })
  return showAttempt({ ...event, profile_id, object_id: endpoint_id, body }, await callNow(context, endpoint, { ...event, body }))
}
