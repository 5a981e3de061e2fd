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
import { type EventListener, type ListenerDelivery, listenersFor, sendToListeners } from './listener.ts'

type Tried = Pick<Event, 'merchant_id' | 'profile_id' | 'object_id' | 'event_type' | 'event_class' | 'event_id'>
type Of = Tried & Pick<Event, 'body'>

/** Returns the members of an event that every response about the event, or about an attempt, contains. */
export const showTried = ({ event_id, merchant_id, profile_id, object_id, event_type, event_class }: Tried) => ({
  ...{ event_id, merchant_id, profile_id, object_id, event_type, event_class },
  initial_attempt_id: event_id,
  processor_merchant_id: merchant_id,
})

/** The format of existing clients (contract 6.9), with additional members. */
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
  listener: attempt.listener,
})

/** Lists the attempts of an event, oldest first. Refuses (HE_02) an unknown event, and an event without attempts. */
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
async function callNow(
  context: Context,
  endpoint: WebhookEndpoint,
  event: Pick<Of, 'merchant_id' | 'event_id'> & { body: string },
): Promise<DeliveryAttempt> {
  const { attempt } = await callEndpoint(context, () => performance.now(), endpoint, event, 'manual_retry')
  return attempt
}

async function callAgain(context: Context, endpoint: WebhookEndpoint, event: Event, body: string) {
  const attempt = await callNow(context, endpoint, { ...event, body })
  await context.query(
    noteAttempt,
    deliveryAttempts.names.map(name => {
      const value = attempt[name as keyof DeliveryAttempt]
      return value !== null && typeof value === 'object' ? JSON.stringify(value) : value
    }),
  )
  if (isYes(attempt)) await context.query(arrived, [event.merchant_id, event.event_id, endpoint.endpoint_id, context.now()])
  return showAttempt(event, attempt)
}

/**
 * Resends an event with its stored payload to every endpoint that has not received it (to all, if all have) and to
 * every active listener. Returns a failed attempt at an endpoint if there is one, otherwise the first; listeners are
 * waited for only if there is no endpoint, because a listener may take its time. Refuses (HE_02) an unknown event, and
 * (IR_16) an event for which no subscribed endpoint is left and no listener is active.
 */
export async function resendEvent(context: Context, finds: Finds, merchant_id: string, event_id: string) {
  const event = await needEvent(context, merchant_id, event_id)
  const [all, listeners] = await Promise.all([
    context.query<Delivery>(deliveriesOf, [merchant_id, event_id]),
    listenersFor(context, merchant_id, event.event_type),
  ])
  const missing = all.filter(delivery => delivery.status !== 'delivered')
  const wanted = new Set((missing.length > 0 ? missing : all).map(delivery => delivery.endpoint_id))
  const { body } = event
  const endpoints = body === null ? [] : (await finds.listeners(merchant_id)).filter(({ endpoint_id }) => wanted.has(endpoint_id))
  if (endpoints.length === 0 && listeners.length === 0)
    return refuse('precondition', { problem: 'No existing webhook endpoint was subscribed to this event' })
  const deliveries = await sendToListeners(context, event, listeners)
  if (endpoints.length === 0) return firstAnswer(context, event, listeners, deliveries)
  const tries = await Promise.all(endpoints.map(endpoint => callAgain(context, endpoint, event, body!)))
  return tries.find(one => !one.is_delivery_successful) ?? tries[0]!
}

/** The number of times that a listener’s answer is looked for, and the pause between two looks. */
const LOOKS = 40
const LOOK_EVERY_MS = 250

/** After ten seconds, an attempt without an answer. */
async function firstAnswer(context: Context, event: Event, listeners: readonly EventListener[], deliveries: readonly ListenerDelivery[]) {
  const sent = new Set(deliveries.map(({ delivery_id }) => delivery_id))
  for (let look = 0; look < LOOKS; look++) {
    await context.wait(LOOK_EVERY_MS)
    const attempts = await context.query<DeliveryAttempt>(attemptsOf, [event.merchant_id, event.event_id])
    const answered = attempts.find(({ attempt_id }) => sent.has(attempt_id))
    if (answered) return showAttempt(event, answered)
  }
  const { listener_id, name, machine, forward_to: url } = listeners[0]!
  const { merchant_id, event_id } = event
  return showAttempt(event, {
    ...{ merchant_id, event_id, attempt_id: deliveries[0]!.delivery_id, endpoint_id: listener_id, kind: 'manual_retry', url },
    ...{ request_headers: [], status_code: null, error: 'The listener has not answered yet', response_headers: null, response_body: null },
    ...{ latency_ms: 0, created: deliveries[0]!.created, listener: { listener_id, name, machine } },
  })
}

/** Sends a test event, also to a disabled endpoint; stores nothing. Refuses (HE_02) an unknown endpoint. */
export async function sendTest(context: Context, finds: Finds, { merchant_id }: Merchant, endpoint_id: string) {
  const endpoint =
    (await finds.webhookEndpoints(merchant_id)).find(one => one.endpoint_id === endpoint_id) ??
    refuse('not_found', { what: 'webhook endpoint' })
  const { profile_id, url } = endpoint
  const event = { merchant_id, event_id: newEventId(context), event_type: 'webhook_test', event_class: 'webhooks' } as const
  const body = bodyOf({ ...event, object: { endpoint_id, url }, sequence: null, platform: null, profile_id, created: context.now() })
  return showAttempt({ ...event, profile_id, object_id: endpoint_id, body }, await callNow(context, endpoint, { ...event, body }))
}
