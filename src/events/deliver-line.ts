import { between, later } from '../base/time.ts'
import type { Context } from '../context.ts'
import { type Finds, listens } from './announce.ts'
import { callEndpoint, isGone, isYes } from './call-endpoint.ts'
import type { DeliveryAttempt } from './delivery.ts'
import { type DeliveryOutcome, giveUpLine, type Held, LEASE_MS, type NextDelivery, writeOutcomes } from './delivery-queue.ts'
import { noteHealth } from './endpoint-health.ts'
import type { EndpointLimiter } from './endpoint-limiter.ts'
import { pauseAfter } from './webhook-retry-schedule.ts'

/** Collects delivery outcomes while earlier ones are being written; the collected ones are then written together. */
function openOutcomes(context: Context) {
  const gathered = new Map<string, DeliveryOutcome[]>()
  let writing: Promise<void> | null = null

  async function writeGathered(): Promise<void> {
    while (gathered.size > 0) {
      const batches = [...gathered]
      gathered.clear()
      const written = await Promise.allSettled(batches.map(([merchant_id, outcomes]) => writeOutcomes(context, merchant_id, outcomes)))
      // A delivery whose outcome could not be written is sent again when its lease ends: delivery is at least once.
      for (const one of written)
        if (one.status === 'rejected') context.log.error({ err: one.reason }, 'webhook delivery results could not be stored')
    }
  }

  return {
    /** Adds an outcome; resolves once the outcome is written, or could not be written. */
    note(outcome: DeliveryOutcome): Promise<void> {
      const all = gathered.get(outcome.merchant_id)
      if (all) all.push(outcome)
      else gathered.set(outcome.merchant_id, [outcome])
      writing ??= writeGathered().finally(() => {
        writing = null
      })
      return writing
    },
    /** Waits for the outcomes that are being written. */
    async written(): Promise<void> {
      await writing
    },
  }
}

export type TryObserver = (attempt: DeliveryAttempt, accepted: boolean) => void

/** Delivers the first event of a line that this process has claimed. `limiter` receives the endpoint's latency. */
export function openLineDelivery(context: Context, finds: Finds, monotonic: () => number, limiter: EndpointLimiter, tried: TryObserver) {
  const outcomes = openOutcomes(context)

  return {
    async deliver(held: Held, next: NextDelivery | undefined): Promise<void> {
      const { due_at, newest, ...line } = held
      const now = context.now()
      const outcome = { ...line, held: due_at, next: now, event_id: next?.event_id ?? null, attempt: null }
      if (!next) return outcomes.note({ ...outcome, up_to: newest, status: 'dead' })
      const endpoint = (await finds.listeners(held.merchant_id)).find(one => one.endpoint_id === held.endpoint_id)
      if (!endpoint || !listens(endpoint)) {
        await giveUpLine(context, held)
        return outcomes.note({ ...outcome, up_to: newest, event_id: null, status: 'dead' })
      }
      // The lease ends too soon: the next process that claims the line delivers the event.
      if (between(now, due_at) < LEASE_MS / 2) return
      const { attempt, retryAfter } = await callEndpoint(
        context,
        monotonic,
        endpoint,
        { ...next, merchant_id: held.merchant_id },
        next.tries === 0 ? 'initial_attempt' : 'automatic_retry',
        limiter.within(held.endpoint_id),
      )
      limiter.note(held, attempt.latency_ms, attempt.status_code !== null)
      const yes = isYes(attempt)
      tried(attempt, yes)
      const pause = yes || isGone(attempt) ? null : pauseAfter(context, next.tries + 1, retryAfter)
      const status = yes ? 'delivered' : pause === null ? 'dead' : 'pending'
      await outcomes.note({ ...outcome, next: later(context.now(), pause ?? 0), up_to: next.version, status, attempt })
      await noteHealth(context, finds, endpoint, attempt)
    },
    written: outcomes.written,
  }
}
