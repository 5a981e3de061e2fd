import type { WebhookEndpoint } from '../accounts/webhook-endpoint.ts'
import { newEventId } from '../base/id.ts'
import type { Context } from '../context.ts'
import type { DeliveryAttempt } from './delivery.ts'
import { signedWebhookHeaders } from './sign-webhook.ts'

/** The number of characters of a response body that are stored. */
export const KEPT = 4096

export type Called = { attempt: DeliveryAttempt; retryAfter: string | undefined }

/** Calls an endpoint once; only 2xx is a success. `within_ms`: a shorter time limit than usual. Never throws. */
export async function callEndpoint(
  context: Pick<Context, 'deliver' | 'now' | 'random'>,
  monotonic: () => number,
  endpoint: WebhookEndpoint,
  event: { merchant_id: string; event_id: string; body: string; names_event?: boolean },
  kind: DeliveryAttempt['kind'],
  within_ms?: number,
): Promise<Called> {
  const { merchant_id, endpoint_id, url } = endpoint
  const now = context.now()
  const headers = signedWebhookHeaders(endpoint, event.event_id, event.body, now)
  const begun = monotonic()
  const reply = await context.deliver(
    { method: 'POST', url: new URL(url).href, headers, body: event.body, ...(within_ms !== undefined && { within_ms }) },
    { merchant_id, merchant_connector_id: endpoint_id, purpose: 'move' },
  )
  const answered = reply.is === 'reply'
  const attempt: DeliveryAttempt = {
    // The event's merchant: a platform's endpoint also receives events of its connected accounts.
    merchant_id: event.merchant_id,
    event_id: event.event_id,
    // One of the first attempts has the event's id as its `attempt_id`, as existing clients expect (contract 6.9).
    // Only one has it, because several endpoints receive an event, and each delivery may be restarted.
    attempt_id: event.names_event ? event.event_id : newEventId(context),
    endpoint_id,
    kind,
    url,
    request_headers: Object.entries(headers),
    status_code: answered ? reply.status : null,
    error: answered ? null : reply.why,
    response_headers: answered ? Object.entries(reply.headers) : null,
    // PostgreSQL cannot store U+0000.
    response_body: answered ? reply.body.slice(0, KEPT).replaceAll('\0', '�').toWellFormed() : null,
    latency_ms: Math.round(monotonic() - begun),
    created: now,
    listener: null,
  }
  return { attempt, retryAfter: answered ? reply.headers['retry-after'] : undefined }
}

export const isYes = ({ status_code }: Pick<DeliveryAttempt, 'status_code'>): boolean =>
  status_code !== null && status_code >= 200 && status_code < 300

export const isGone = ({ status_code }: Pick<DeliveryAttempt, 'status_code'>): boolean => status_code === 410
