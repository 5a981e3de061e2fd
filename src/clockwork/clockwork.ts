import { between, later } from '../base/time.ts'
import { openTurns, type Turn } from '../base/turns.ts'
import { statement } from '../database/statement.ts'
import type { Time, World } from '../world.ts'

/** An alarm that has gone off: an operation that nobody has heard the end of, and where it was sent. */
export type Alarm = { merchant_id: string; kind: string; object_id: string; n: number; connector: string; merchant_connector_id: string }

/** What to do when an alarm goes off; handed over by `main.ts`. Must not throw for one alarm what others would suffer from. */
export type Rings = (alarm: Alarm) => Promise<void>

/**
 * Claims due alarms in batches. The claim moves the alarm ahead, so that another process does not take it meanwhile; whoever settles the operation clears it. SKIP LOCKED: processes
 * never wait for each other. Accounts of which alarms wait for their turn already are passed over.
 */
const claim = statement(
  'claim_alarms',
  `update processor_operations o set ask_at = $2 from (
      select merchant_id, kind, object_id, n from processor_operations where ask_at <= $1 and merchant_id || ' ' || merchant_connector_id <> all($4::text[])
      order by ask_at limit $3 for update skip locked
    ) due where o.merchant_id = due.merchant_id and o.kind = due.kind and o.object_id = due.object_id and o.n = due.n and o.ask_at is not null
    returning o.merchant_id, o.kind, o.object_id, o.n, o.connector, o.merchant_connector_id`,
)

/**
 * A part at a time: security codes that nobody came for, Idempotency-Keys under which no money moved, and what nobody has told to others for so long that nobody will. (The oldest of the outbox
 * says whether there is anything to look for.)
 */
const forget = statement(
  'forget',
  `with cvcs as (delete from waiting_cvcs where expires_at <= $1),
      keys as (delete from idempotency_keys where (merchant_id, key) in (select merchant_id, key from idempotency_keys where forget_at <= $1 order by forget_at limit 1000))
    delete from outbox where created <= $2 and (n, merchant_id) in (
      select n, merchant_id from outbox order by n limit (select case when created <= $2 then 5000 else 0 end from outbox order by n limit 1))`,
)
const UNTOLD_MS = 30 * 24 * 3_600_000

/** How many alarms are answered at once, dealt out by `base/turns.ts`: 37 of one account. And how many are claimed at once. */
const PLACES = 400
const BATCH = 200
/** Long enough to wait for a turn and for the longest conversation; a process that dies with a claim loses no more than this. */
const LEASE_MS = 60_000
/** Whose turn has not come by then rings again when its lease is over. */
const LONGEST_WAIT_MS = 30_000
export const TICK_MS = 500

export function openClockwork(world: World, rings: Rings, monotonic: () => number) {
  const turns = openTurns(PLACES, BATCH)
  const underWay = new Set<Promise<void>>()
  let stopped = false
  let looked = monotonic()
  let running: Promise<void> | null = null

  async function ring(alarm: Alarm, claimed: Time): Promise<void> {
    if (stopped || between(claimed, world.now()) > LONGEST_WAIT_MS) return
    try {
      await rings(alarm)
    } catch (error) {
      world.log.error({ err: error, ...alarm }, 'an alarm could not be answered; it rings again')
    }
  }

  function answer(alarm: Alarm, claimed: Time): Promise<void> {
    return new Promise(resolve => {
      const { merchant_id, merchant_connector_id, connector } = alarm
      const begin = async () => {
        await ring(alarm, claimed)
        turns.leave(turn)
        resolve()
      }
      const turn: Turn = { line: `${merchant_id} ${merchant_connector_id}`, merchant: merchant_id, to: connector, begin, is: 'new' }
      if (!turns.enter(turn)) resolve()
    })
  }

  /** Claims a batch of what is due, and does what else is due by the clock. */
  async function claimDue(): Promise<Promise<void>[]> {
    const now = world.now()
    await world.query(forget, [now, later(now, -UNTOLD_MS)])
    const due = await world.query<Alarm>(claim, [now, later(now, LEASE_MS), BATCH, [...turns.waiting.keys()]])
    looked = monotonic()
    return due.map(alarm => {
      const answering = answer(alarm, now).finally(() => underWay.delete(answering))
      underWay.add(answering)
      return answering
    })
  }

  async function run(): Promise<void> {
    while (!stopped) {
      let claimed = 0
      try {
        claimed = (await claimDue()).length
      } catch (error) {
        if (!stopped) world.log.error({ err: error }, 'the clockwork could not read its alarms')
      }
      if (!stopped && claimed < BATCH) await world.wait(TICK_MS)
    }
  }

  return {
    /** Answers a batch of alarms that are due. Gives how many rang. */
    async tick(): Promise<number> {
      const answers = await claimDue()
      await Promise.all(answers)
      return answers.length
    },
    /** Claims due alarms twice a second, and at once while there are more, until closed. */
    run(): void {
      running = run()
    },
    /** How many milliseconds ago it last looked for due alarms. */
    lookedAgo: (): number => monotonic() - looked,
    /** Claims no more, and waits for what is under way. What still waits for its turn rings again when its lease is over. */
    async close(): Promise<void> {
      stopped = true
      await running
      await Promise.all(underWay)
    },
  }
}
