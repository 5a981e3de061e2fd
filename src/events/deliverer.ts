import type { RecentPayments } from '../analytics/recent.ts'
import { later } from '../base/time.ts'
import type { Context } from '../context.ts'
import type { Finds } from './announce.ts'
import type { Archiving } from './archive.ts'
import { openLineDelivery, type TryObserver } from './deliver-line.ts'
import { type ClaimLimits, claimLines, firstOfLines, type Held, LEASE_MS, type NextDelivery } from './delivery-queue.ts'
import { MOST, openDispatch } from './dispatch-outbox.ts'
import { type EndpointLimiter, openEndpointLimiter } from './endpoint-limiter.ts'
import { type Sinking, SUNK_AT_ONCE } from './sink.ts'

/** The pause between two looks: a query that finds hundreds of changes costs as much as one that finds few. */
const LOOK_EVERY_MS = 250

type Deliver = (held: Held, next: NextDelivery | undefined) => Promise<void>

/** Claims lines as far as there is room and starts their deliveries. `over` is called when a delivery has ended. */
function openClaims(context: Context, limiter: EndpointLimiter, deliver: Deliver, over: () => void) {
  const underWay = new Set<Promise<void>>()

  function begin(held: Held, next: NextDelivery | undefined): void {
    limiter.begin(held)
    const delivering = deliver(held, next)
      .catch(error => context.log.error({ err: error, ...held }, 'a webhook could not be sent; it will be retried'))
      .finally(() => {
        underWay.delete(delivering)
        limiter.end(held)
        over()
      })
    underWay.add(delivering)
  }

  async function claim(rooms: ClaimLimits): Promise<readonly Held[]> {
    const now = context.now()
    const lines = await claimLines(context, now, later(now, LEASE_MS), rooms)
    await Promise.all(
      [...Map.groupBy(lines, held => held.merchant_id)].map(async ([merchant_id, group]) => {
        const nexts = new Map((await firstOfLines(context, merchant_id, group)).map(next => [`${next.endpoint_id} ${next.line}`, next]))
        for (const held of group) begin(held, nexts.get(`${held.endpoint_id} ${held.line}`))
      }),
    )
    return lines
  }

  return {
    underWay: underWay as ReadonlySet<Promise<void>>,
    /** Claims as many lines as there is room for and starts their deliveries. Returns their number. */
    async deliverNext(): Promise<number> {
      const late = limiter.lateRooms()
      const begun = late === null ? 0 : (await claim(late)).length
      for (;;) {
        const rooms = limiter.rooms()
        if (rooms === null) return begun
        const lines = await claim(rooms)
        if (!limiter.ended(rooms, lines)) return begun + lines.length
      }
    },
  }
}

/** Repeats a look four times a second, and without a pause while there is more work, until stopped. */
function openLooks(context: Context) {
  let stopped = false
  let wake = () => {}

  return {
    /**
     * Runs a look repeatedly. After a look that found at least `full` changes, the next one follows at once; otherwise
     * there is a pause, in which more changes gather. `wakes`: whether the pause may be cut short; it may be true for
     * one of the looks only.
     */
    async run(look: () => Promise<number>, full = 1, wakes: () => boolean = () => false): Promise<void> {
      while (!stopped) {
        let found = 0
        try {
          found = await look()
        } catch (error) {
          if (!stopped) context.log.error({ err: error }, 'webhooks could not be read')
        }
        if (stopped || found >= full) continue
        const slept = new AbortController()
        if (wakes()) wake = () => slept.abort()
        await context.wait(LOOK_EVERY_MS, slept.signal)
        wake = () => {}
      }
    },
    wake: (): void => wake(),
    stop(): void {
      stopped = true
      wake()
    },
  }
}

/**
 * Delivers webhooks to merchants. Each endpoint receives the next event of an object only after the one before was
 * delivered or given up. Other events do not wait: a slow endpoint leaves room for the others (`endpoint-limiter.ts`).
 * Several processes share the work by leases; a delivery under an expired lease changes nothing.
 */
export function openDeliverer(
  context: Context,
  finds: Finds,
  publicUrl: () => string,
  monotonic: () => number,
  {
    sinking = null,
    archiving = null,
    tried = () => {},
    recent = null,
  }: { sinking?: Sinking | null; archiving?: Archiving | null; tried?: TryObserver; recent?: Pick<RecentPayments, 'of'> | null } = {},
) {
  const placeNext = openDispatch(context, finds, publicUrl, sinking !== null, recent)
  const sinkNext = sinking?.sinkNext ?? (async () => 0)
  const archiveNext = archiving?.archiveNext ?? (async () => 0)
  const limiter = openEndpointLimiter(monotonic)
  const looks = openLooks(context)
  const { deliver, written } = openLineDelivery(context, finds, monotonic, limiter, tried)
  const { deliverNext, underWay } = openClaims(context, limiter, deliver, looks.wake)
  let running: Promise<unknown> | null = null

  return {
    /** Delivers all events that are due, until none is left. Returns the number of deliveries that were started. */
    async tick(): Promise<number> {
      let started = 0
      for (;;) {
        const placed = await placeNext()
        const begun = await deliverNext()
        const sunk = await sinkNext()
        const archived = await archiveNext()
        await Promise.all(underWay)
        started += begun
        if (placed + begun + sunk + archived === 0) return started
      }
    },
    /** Looks for work four times a second, and sooner while there is more, until closed. */
    run(): void {
      running = Promise.all([
        looks.run(placeNext, MOST),
        looks.run(deliverNext, 1, () => underWay.size > 0),
        ...(sinking ? [looks.run(sinkNext, SUNK_AT_ONCE)] : []),
        ...(archiving ? [looks.run(archiveNext)] : []),
      ])
    },
    async close(): Promise<void> {
      looks.stop()
      await running
      await sinking?.close()
      await Promise.all(underWay)
      await written()
    },
  }
}
