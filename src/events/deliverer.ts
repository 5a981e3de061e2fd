import { forgiven, noteState, type WebhookEndpoint } from '../accounts/webhook-endpoint.ts'
import { between, later } from '../base/time.ts'
import type { Context } from '../context.ts'
import { type Finds, listens } from './announce.ts'
import { callEndpoint, isYes } from './call-endpoint.ts'
import type { DeliveryAttempt } from './delivery.ts'
import {
  type ClaimLimits,
  claimLines,
  type DeliveryOutcome,
  firstOfLines,
  giveUpLine,
  type Held,
  LEASE_MS,
  type NextDelivery,
  writeOutcomes,
} from './delivery-queue.ts'
import { openDispatch } from './dispatch-outbox.ts'
import { openEndpointLimiter } from './endpoint-limiter.ts'
import { DISABLED_AFTER_MS, pauseAfter, WARNED_AFTER_MS } from './retry-schedule.ts'
import type { Sinking } from './sink.ts'

export const LOOK_EVERY_MS = 250

/**
 * Delivers webhooks to merchants. Each endpoint receives the next event of an object only after the one before was
 * delivered or given up; nothing else waits: a slow endpoint leaves room for the others (`endpoint-limiter.ts`).
 * Several processes share the work by leases; a delivery under an expired lease changes nothing.
 */
export function openDeliverer(
  context: Context,
  finds: Finds,
  publicUrl: () => string,
  monotonic: () => number,
  sinking: Sinking | null = null,
) {
  const placeNext = openDispatch(context, finds, publicUrl, sinking !== null)
  const sinkNext = sinking?.sinkNext ?? (async () => 0)
  const underWay = new Set<Promise<void>>()
  const places = openEndpointLimiter(monotonic)
  let stopped = false
  let running: Promise<void> | null = null
  let wake = () => {}

  /** Outcomes gather while others are being written, and are then written together. */
  const gathered = new Map<string, DeliveryOutcome[]>()
  let writing: Promise<void> | null = null
  function note(outcome: DeliveryOutcome): Promise<void> {
    const all = gathered.get(outcome.merchant_id)
    if (all) all.push(outcome)
    else gathered.set(outcome.merchant_id, [outcome])
    writing ??= writeGathered().finally(() => {
      writing = null
    })
    return writing
  }
  async function writeGathered(): Promise<void> {
    while (gathered.size > 0) {
      const batches = [...gathered]
      gathered.clear()
      const written = await Promise.allSettled(batches.map(([merchant_id, outcomes]) => writeOutcomes(context, merchant_id, outcomes)))
      // What could not be written is told again when its lease is over: at least once.
      for (const one of written)
        if (one.status === 'rejected') context.log.error({ err: one.reason }, 'webhook delivery results could not be stored')
    }
  }

  /** Tells the first of a line, and writes down what became of it. */
  async function tell(held: Held, next: NextDelivery | undefined): Promise<void> {
    const { due_at, newest, ...line } = held
    const now = context.now()
    const outcome = { ...line, held: due_at, next: now, event_id: next?.event_id ?? null, attempt: null }
    if (!next) return note({ ...outcome, up_to: newest, status: 'dead' })
    const endpoint = (await finds.listeners(held.merchant_id)).find(one => one.endpoint_id === held.endpoint_id)
    if (!endpoint || !listens(endpoint)) {
      await giveUpLine(context, held)
      return note({ ...outcome, up_to: newest, event_id: null, status: 'dead' })
    }
    // The lease ends too soon: its next holder delivers it.
    if (between(now, due_at) < LEASE_MS / 2) return
    const { attempt, retryAfter } = await callEndpoint(
      context,
      monotonic,
      endpoint,
      { ...next, merchant_id: held.merchant_id },
      next.tries === 0 ? 'initial_attempt' : 'automatic_retry',
      places.within(held.endpoint_id),
    )
    places.note(held, attempt.latency_ms, attempt.status_code !== null)
    const yes = isYes(attempt)
    const gone = attempt.status_code === 410
    const pause = yes || gone ? null : pauseAfter(context, next.tries + 1, retryAfter)
    const status = yes ? 'delivered' : pause === null ? 'dead' : 'pending'
    await note({ ...outcome, next: later(context.now(), pause ?? 0), up_to: next.version, status, attempt })
    if (await noteHealth(endpoint, yes, gone)) {
      await finds.refresh()
      await tellHealth(endpoint, attempt)
    }
  }

  /** The log tells the operator when deliveries to an endpoint begin to fail, and when they succeed again. */
  async function tellHealth({ merchant_id, endpoint_id }: WebhookEndpoint, { status_code, error }: DeliveryAttempt): Promise<void> {
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

  /** One that fails for days is given up, not without a word before. Gives whether anything is different now. */
  async function noteHealth(endpoint: WebhookEndpoint, yes: boolean, gone: boolean): Promise<boolean> {
    const { state } = endpoint
    const failing_since = state?.failing_since ?? null
    const now = context.now()
    if (yes) {
      return failing_since !== null && noteState(context, endpoint, forgiven)
    }
    if (gone) {
      const set = { failing_since: failing_since ?? now, disabled_at: now, disabled_reason: 'it answered 410 Gone' }
      return noteState(context, endpoint, one =>
        one.disabled_at === null ? { set, type: 'disabled', announces: 'webhook_endpoint_disabled' } : null,
      )
    }
    const after = failing_since === null ? 0 : between(failing_since, now)
    if (failing_since !== null && after < WARNED_AFTER_MS) return false
    if (state?.warned_at != null && after < DISABLED_AFTER_MS) return false
    return noteState(context, endpoint, one => {
      if (one.disabled_at !== null) return null
      if (one.failing_since === null) return { set: { failing_since: now }, type: 'failing', announces: null }
      const since = between(one.failing_since, now)
      if (one.warned_at === null)
        return since >= WARNED_AFTER_MS ? { set: { warned_at: now }, type: 'warned', announces: 'webhook_endpoint_failing' } : null
      // The warning was heard for at least as long as it promised.
      if (since < DISABLED_AFTER_MS || between(one.warned_at, now) < DISABLED_AFTER_MS - WARNED_AFTER_MS) return null
      return {
        set: { disabled_at: now, disabled_reason: 'nothing arrived for five days' },
        type: 'disabled',
        announces: 'webhook_endpoint_disabled',
      }
    })
  }

  function begin(held: Held, next: NextDelivery | undefined): void {
    places.begin(held)
    const telling = tell(held, next)
      .catch(error => context.log.error({ err: error, ...held }, 'a webhook could not be sent; it will be retried'))
      .finally(() => {
        underWay.delete(telling)
        places.end(held)
        wake()
      })
    underWay.add(telling)
  }

  async function claim(rooms: ClaimLimits): Promise<readonly Held[]> {
    const now = context.now()
    const lines = await claimLines(context, now, later(now, LEASE_MS), rooms)
    await Promise.all(
      [...Map.groupBy(lines, held => held.merchant_id)].map(async ([merchant_id, theirs]) => {
        const nexts = new Map((await firstOfLines(context, merchant_id, theirs)).map(next => [`${next.endpoint_id} ${next.line}`, next]))
        for (const held of theirs) begin(held, nexts.get(`${held.endpoint_id} ${held.line}`))
      }),
    )
    return lines
  }

  /** Claims what there is room for, and begins with it. Gives how many. */
  async function deliverNext(): Promise<number> {
    const late = places.lateRooms()
    const begun = late === null ? 0 : (await claim(late)).length
    for (;;) {
      const rooms = places.rooms()
      if (rooms === null) return begun
      const lines = await claim(rooms)
      if (!places.ended(rooms, lines)) return begun + lines.length
    }
  }

  async function run(look: () => Promise<number>, woken: boolean): Promise<void> {
    while (!stopped) {
      let more = false
      try {
        more = (await look()) > 0
      } catch (error) {
        if (!stopped) context.log.error({ err: error }, 'webhooks could not be read')
      }
      if (stopped || more) continue
      const slept = new AbortController()
      if (woken && underWay.size > 0) wake = () => slept.abort()
      await context.wait(LOOK_EVERY_MS, slept.signal)
      wake = () => {}
    }
  }

  return {
    /** Tells all that is due, until nothing is left. Gives how many were told. */
    async tick(): Promise<number> {
      let told = 0
      for (;;) {
        const placed = await placeNext()
        const begun = await deliverNext()
        const sunk = await sinkNext()
        await Promise.all(underWay)
        told += begun
        if (placed + begun + sunk === 0) return told
      }
    },
    /** Looks four times a second, and at once while there is more, until closed. */
    run(): void {
      running = Promise.all([run(placeNext, false), run(deliverNext, true), ...(sinking ? [run(sinkNext, false)] : [])]).then(() => {})
    },
    /** Claims no more, and waits for what is under way. */
    async close(): Promise<void> {
      stopped = true
      wake()
      await running
      await sinking?.close()
      await Promise.all(underWay)
      await writing
    },
  }
}
