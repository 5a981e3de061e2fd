import { forgiven, noteState, type WebhookEndpoint, type WebhookEndpointState } from '../accounts/webhook-endpoint.ts'
import { between } from '../base/time.ts'
import type { Context, Time } from '../context.ts'
import type { Finds } from './announce.ts'
import { isGone, isYes } from './call-endpoint.ts'
import type { DeliveryAttempt } from './delivery.ts'
import { DISABLED_AFTER_MS, WARNED_AFTER_MS } from './retry-schedule.ts'

/** How it goes with an endpoint: one that fails for days is given up, not without a word before. */

type HealthChange = ReturnType<Parameters<typeof noteState>[2]>

/** What another failed delivery changes; null: nothing. */
function afterFailure({ failing_since, warned_at, disabled_at }: WebhookEndpointState, now: Time): HealthChange {
  if (disabled_at !== null) return null
  if (failing_since === null) return { set: { failing_since: now }, type: 'failing', announces: null }
  const since = between(failing_since, now)
  if (warned_at === null)
    return since >= WARNED_AFTER_MS ? { set: { warned_at: now }, type: 'warned', announces: 'webhook_endpoint_failing' } : null
  // The warning was heard for at least as long as it promised.
  if (since < DISABLED_AFTER_MS || between(warned_at, now) < DISABLED_AFTER_MS - WARNED_AFTER_MS) return null
  return {
    set: { disabled_at: now, disabled_reason: 'nothing arrived for five days' },
    type: 'disabled',
    announces: 'webhook_endpoint_disabled',
  }
}

/** Can a failure change nothing, by what is remembered of the endpoint? Its row is then not read. */
function isTooEarly(state: WebhookEndpointState | null, now: Time): boolean {
  const failing_since = state?.failing_since ?? null
  const after = failing_since === null ? 0 : between(failing_since, now)
  return (failing_since !== null && after < WARNED_AFTER_MS) || (state?.warned_at != null && after < DISABLED_AFTER_MS)
}

/** Writes down what this attempt says of its endpoint. Gives whether anything is different now. */
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

/** The log tells the operator when deliveries to an endpoint begin to fail, and when they succeed again. */
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

/** Notes what an attempt says of its endpoint, and logs it if anything is different now. */
export async function noteHealth(context: Context, finds: Finds, endpoint: WebhookEndpoint, attempt: DeliveryAttempt): Promise<void> {
  if (!(await writeHealth(context, endpoint, attempt))) return
  await finds.refresh()
  await logHealth(context, finds, endpoint, attempt)
}
