import { later } from '../base/time.ts'
import type { Statement, World } from '../world.ts'

/** An alarm that has gone off: an operation that nobody has heard the end of. */
export type Alarm = { merchant_id: string; payment_id: string; n: number }

/** What to do when an alarm goes off; handed over by `main.ts`. Must not throw for one alarm what others would suffer from. */
export type Rings = (alarm: Alarm) => Promise<void>

/**
 * Claims due alarms in batches. The claim moves the alarm ahead, so that another process does not take it meanwhile; whoever settles the operation clears it. SKIP LOCKED: processes
 * never wait for each other.
 */
const claim: Statement = {
  name: 'claim_alarms',
  text: `update operations o set ask_at = $2 from (
      select merchant_id, payment_id, n from operations where ask_at <= $1 order by ask_at limit $3 for update skip locked
    ) due where o.merchant_id = due.merchant_id and o.payment_id = due.payment_id and o.n = due.n and o.ask_at is not null
    returning o.merchant_id, o.payment_id, o.n`,
}

/** Security codes that nobody came for, and Idempotency-Keys under which no money moved (those begin nothing: they name no payment), a part at a time. */
const forget: Statement = {
  name: 'forget',
  text: `with cvcs as (delete from waiting_cvcs where expires_at <= $1)
    delete from claims where (merchant_id, key) in (select merchant_id, key from claims where payment_id = '' and claimed_at <= $2 order by claimed_at limit 1000)`,
}
const KEYS_KEPT_MS = 90 * 24 * 3_600_000

/** How many alarms are answered at once: one slow processor must not hold up the others. */
const MOST_AT_ONCE = 200
/** Long enough for the longest conversation; a process that dies with a claim loses no more than this. */
const LEASE_MS = 60_000
export const TICK_MS = 500

async function claimDue(world: World, most: number): Promise<Alarm[]> {
  const now = world.now()
  await world.query(forget, [now, later(now, -KEYS_KEPT_MS)])
  return world.query<Alarm>(claim, [now, later(now, LEASE_MS), most])
}

async function answer(world: World, rings: Rings, alarm: Alarm): Promise<void> {
  try {
    await rings(alarm)
  } catch (error) {
    world.log.error({ err: error, ...alarm }, 'an alarm could not be answered; it rings again')
  }
}

/** Answers every alarm that is due, and what else is due by the clock. Gives how many alarms rang. */
export async function tick(world: World, rings: Rings): Promise<number> {
  const due = await claimDue(world, MOST_AT_ONCE)
  await Promise.all(due.map(alarm => answer(world, rings, alarm)))
  return due.length
}

/** Claims due alarms twice a second, as many as there is room for, until stopped. */
export function openClockwork(world: World, rings: Rings, monotonic: () => number) {
  let stopped = false
  let looked = monotonic()
  const underWay = new Set<Promise<void>>()
  const running = (async () => {
    while (!stopped) {
      try {
        const room = MOST_AT_ONCE - underWay.size
        for (const alarm of room > 0 ? await claimDue(world, room) : []) {
          const answering = answer(world, rings, alarm).finally(() => underWay.delete(answering))
          underWay.add(answering)
        }
        looked = monotonic()
      } catch (error) {
        if (!stopped) world.log.error({ err: error }, 'the clockwork could not read its alarms')
      }
      if (!stopped) await world.wait(TICK_MS)
    }
  })()
  return {
    /** How many milliseconds ago it last looked for due alarms. */
    lookedAgo: (): number => monotonic() - looked,
    /** Claims no more, and waits for what is under way. */
    async close(): Promise<void> {
      stopped = true
      await running
      await Promise.all(underWay)
    },
  }
}
