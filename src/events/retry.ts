import type { Merchant } from '../accounts/merchant.ts'
import type { WebhookEndpoint } from '../accounts/webhook-endpoint.ts'
import { newEventId } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { statement } from '../database/statement.ts'
import type { World } from '../world.ts'
import { bodyOf, type Finds } from './announce.ts'
import { callEndpoint, isYes } from './call-endpoint.ts'
import { type Announcement, announcements, type Delivery, type DeliveryAttempt, deliveryAttempts } from './delivery.ts'
import { announcementById, attemptsOf, deliveriesOf } from './lines.ts'

/** One try as existing clients read it (contract 6.9), with what they do not know yet. */
export const showAttempt = (event: Announcement, attempt: DeliveryAttempt) => ({
  event_id: attempt.attempt_id,
  merchant_id: event.merchant_id,
  profile_id: event.profile_id,
  object_id: event.object_id,
  event_type: event.event_type,
  event_class: event.event_class,
  is_delivery_successful: isYes(attempt),
  initial_attempt_id: event.event_id,
  processor_merchant_id: event.merchant_id,
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

/** An event that the merchant hears of. Refuses (HE_02) one that there is not. */
export const needAnnouncement = async (world: Pick<World, 'query'>, merchant_id: string, event_id: string): Promise<Announcement> =>
  (await world.query<Announcement>(announcementById, [merchant_id, event_id]))[0] ?? refuse('not_found', { what: 'event' })

/** Its tries, oldest first, under the id of the event or of any of them. Refuses (HE_02) an event of which there is none. */
export async function listAttempts(world: Pick<World, 'query'>, merchant_id: string, event_id: string) {
  const event = await needAnnouncement(world, merchant_id, event_id)
  const attempts = await world.query<DeliveryAttempt>(attemptsOf, [merchant_id, event_id])
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
const announceAlone = statement(
  'announce_alone',
  `insert into announcements (${announcements.names.join(', ')}) values (${announcements.names.map((_, i) => `$${i + 1}`).join(', ')})`,
)
const deliverAlone = statement(
  'deliver_alone',
  `insert into deliveries (merchant_id, event_id, endpoint_id, line, version, status, tries, created) values ($1, $2, $3, $2, 1, 'dead', 0, $4)`,
)

/** Sends an event to an endpoint now, because somebody wants it. Gives the try. */
async function callNow(world: World, endpoint: WebhookEndpoint, event: Announcement, body: string) {
  const monotonic = () => performance.now()
  const { attempt } = await callEndpoint(world, monotonic, endpoint, { event_id: event.event_id, body }, 'manual_retry')
  await world.query(
    noteAttempt,
    deliveryAttempts.names.map(name => {
      const value = attempt[name as keyof DeliveryAttempt]
      return Array.isArray(value) ? JSON.stringify(value) : value
    }),
  )
  if (isYes(attempt)) await world.query(arrived, [event.merchant_id, event.event_id, endpoint.endpoint_id, world.now()])
  return showAttempt(event, attempt)
}

/**
 * Sends an event again, the bytes that were sent before, to every endpoint that has not got it (to all, if all have), and shows the last of these tries. Refuses (HE_02) an event that there is not, and
 * (IR_16) one that no endpoint was to hear of that is still there.
 */
export async function retryEvent(world: World, finds: Finds, merchant_id: string, event_id: string) {
  const event = await needAnnouncement(world, merchant_id, event_id)
  const all = await world.query<Delivery>(deliveriesOf, [merchant_id, event_id])
  const missing = all.filter(delivery => delivery.status !== 'delivered')
  const wanted = new Set((missing.length > 0 ? missing : all).map(delivery => delivery.endpoint_id))
  const endpoints = (await finds.webhookEndpoints(merchant_id)).filter(({ endpoint_id }) => wanted.has(endpoint_id))
  const { body } = event
  if (body === null || endpoints.length === 0)
    return refuse('precondition', { words: 'No webhook endpoint that is still there was to hear of this event' })
  const tries = await Promise.all(endpoints.map(endpoint => callNow(world, endpoint, event, body)))
  return tries.find(one => !one.is_delivery_successful) ?? tries[0]!
}

/** Sends an event that says nothing happened to an endpoint, whether or not it is enabled. Refuses (HE_02) an endpoint that there is not. */
export async function sendTest(world: World, finds: Finds, merchant: Merchant, endpoint_id: string) {
  const { merchant_id } = merchant
  const endpoint =
    (await finds.webhookEndpoints(merchant_id)).find(one => one.endpoint_id === endpoint_id) ??
    refuse('not_found', { what: 'webhook endpoint' })
  const now = world.now()
  const event_id = newEventId(world)
  const of = { kind: 'webhook_test', head_id: event_id, version: 1, sequence: null, profile_id: endpoint.profile_id }
  const event: Announcement = {
    merchant_id,
    event_id,
    ...of,
    event_class: 'webhooks',
    event_type: 'webhook_test',
    object_id: endpoint_id,
    body: null,
    created: now,
  }
  const body = bodyOf({ ...event, object: { endpoint_id, url: endpoint.url }, status: null })
  const row = { ...event, body }
  await world.query(
    announceAlone,
    announcements.names.map(name => row[name as keyof Announcement]),
  )
  await world.query(deliverAlone, [merchant_id, event_id, endpoint_id, now])
  return callNow(world, endpoint, row, body)
}
