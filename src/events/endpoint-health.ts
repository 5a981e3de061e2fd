import { forgiven, noteState, type WebhookEndpoint, type WebhookEndpointState } from '../accounts/webhook-endpoint.ts'
import { between } from '../base/time.ts'
import type { Context, Time } from '../context.ts'
import type { Finds } from './announce.ts'
import { isGone, isYes } from './call-endpoint.ts'
import type { DeliveryAttempt } from './delivery.ts'
import { DISABLED_AFTER_MS, WARNED_AFTER_MS } from './webhook-retry-schedule.ts'

/** The health of webhook endpoints: an endpoint that fails for days is disabled, and its merchant is warned before. */

type HealthChange = ReturnType<Parameters<typeof noteState>[2]>

/** Returns the change of an endpoint's state after another failed delivery, or null if nothing changes. */
function afterFailure({ failing_since, warned_at, disabled_at }: WebhookEndpointState, now: Time): HealthChange {
  if (disabled_at !== null) return null
  if (failing_since === null) return { set: { failing_since: now }, type: 'failing', announces: null }
  const since = between(failing_since, now)
  if (warned_at === null)
    return since >= WARNED_AFTER_MS ? { set: { warned_at: now }, type: 'warned', announces: 'webhook_endpoint_failing' } : null
  // The merchant has had at least as much time since the warning as the warning promised.
  if (since < DISABLED_AFTER_MS || between(warned_at, now) < DISABLED_AFTER_MS - WARNED_AFTER_MS) return null
  return {
    set: { disabled_at: now, disabled_reason: 'nothing arrived for five days' },
    type: 'disabled',
    announces: 'webhook_endpoint_disabled',
  }
}

/** Whether a failure cannot change anything, judged by the cached state of the endpoint. Its row is then not read. */
function isTooEarly(state: WebhookEndpointState | null, now: Time): boolean {
  const failing_since = state?.failing_since ?? null
  const after = failing_since === null ? 0 : between(failing_since, now)
  return (failing_since !== null && after < WARNED_AFTER_MS) || (state?.warned_at != null && after < DISABLED_AFTER_MS)
}

/** Updates the state of an endpoint after an attempt. Returns whether the state has changed. */
async function writeHealth(context: Context, endpoint: WebhookEndpoint, attempt: DeliveryAttempt): Promise<boolean> {
  const failing_since = endpoint.state?.failing_since ?? null
  const now = context.now()
  if (isYes(attempt)) return failing_since !== null && noteState(context, endpoint, forgiven)
  if (isGone(attempt)) {
    const set = { failing_since: failing_since ?? now, disabled_at: now, disabled_reason: 'it answered 410 Gone' }
    return noteState(context, endpoint, one =>
      one.disabled_at === null ? { set, type: 'disabled', announces: 'webhook_endpoint_disabled' } : null,
    )
  }
  return !isTooEarly(endpoint.state, now) && noteState(context, endpoint, one => afterFailure(one, now))
}

async function logHealth(
  context: Context,
  finds: Finds,
  { merchant_id, endpoint_id }: WebhookEndpoint,
  { status_code, error }: DeliveryAttempt,
): Promise<void> {
  const { state } = (await finds.webhookEndpoints(merchant_id)).find(one => one.endpoint_id === endpoint_id) ?? {}
  const { failing_since = null, warned_at = null, disabled_at = null } = state ?? {}
  const facts = { merchant_id, endpoint_id, status_code, error, failing_since, warned_at, disabled_at }
  if (failing_since === null) context.log.info(facts, 'a webhook endpoint accepts events again')
  else
    context.log.warn(
      facts,
      disabled_at === null ? 'a webhook endpoint does not accept events' : 'a webhook endpoint was disabled after failed deliveries',
    )
}

export async function noteHealth(context: Context, finds: Finds, endpoint: WebhookEndpoint, attempt: DeliveryAttempt): Promise<void> {
  if (!(await writeHealth(context, endpoint, attempt))) return
  await finds.refresh()
  await logHealth(context, finds, endpoint, attempt)
}
