import { eventCatalogue } from '../base/event-types.ts'
import { later } from '../base/time.ts'
import type { Context } from '../context.ts'
import type { Queue } from '../database/due.ts'
import { statement } from '../database/statement.ts'
import { bigint, int, type RowOf, select, table, text, time } from '../database/table.ts'
import { bodyOf, type Finds, render } from './announce.ts'
import { byMerchant, openIsolation, SinkAway } from './isolation.ts'

/**
 * An event sink: another system that takes events besides merchants' endpoints, for example to analyze them. It takes
 * all events of all merchants. The statement that removes a change from the outbox also queues it for the sink;
 * therefore the sink misses nothing while it is unavailable, and delays no webhook.
 */
export type Sink = {
  name: string
  /** Stores events in order, each once by its id. Throws `SinkAway` if the sink cannot confirm that now. */
  put(events: readonly SinkEvent[]): Promise<void>
  close(): Promise<void>
}
/** An event for a sink. `line`: the object whose events keep their order. `subject`: merchant and type, with dots. */
export type SinkEvent = { id: string; line: string; subject: string; body: string }

export const sinkQueue = table('sink_queue', {
  key: ['n', 'merchant_id'],
  columns: { n: bigint(), merchant_id: text(), kind: text(), object_id: text(), version: int(), created: time() },
})
type Waiting = RowOf<typeof sinkQueue>

export const unsunk: Queue = { name: 'sink', due: `select created as at from ${sinkQueue.name} where created <= $1` }

/** The process that sends events to a sink: one at a time, so that all events keep their order. */
const sinkLeases = table('sink_leases', { key: ['sink'], columns: { sink: text(), holder: text(), until: time() } })

const lease = statement(
  'lease_sink',
  `insert into ${sinkLeases.name} as l (sink, holder, until) values ($1, $2, $3::timestamptz)
    on conflict (sink) do update set holder = excluded.holder, until = excluded.until where l.holder = excluded.holder or l.until < $4::timestamptz returning 1 as held`,
)
const release = statement('release_sink', `delete from ${sinkLeases.name} where sink = $1 and holder = $2`)
export const SUNK_AT_ONCE = 200
const oldest = statement('events_to_sink', select(sinkQueue, `where not n = any($1::bigint[]) order by n limit ${SUNK_AT_ONCE}`))
const drop = statement('drop_sunk', `delete from ${sinkQueue.name} where merchant_id = $1 and n = any($2::bigint[])`)

/** Longer than a batch takes; if the sending process dies, the others wait for so long. */
const LEASE_MS = 30_000
/** The pause before an unavailable sink is tried again. */
const PAUSE_MS = 5_000

/** Sends queued events to a sink. `holder`: the unique name of this process. */
export function openSinking(context: Context, finds: Finds, publicUrl: () => string, sink: Sink, holder: string) {
  const isolated = openIsolation(context, unsunk.name, 'an event could not be put into the sink; it is tried again')
  let away = false
  let pausedUntil = ''

  async function putSome(merchant_id: string, rows: readonly Waiting[]): Promise<void> {
    const merchant = await finds.merchant(merchant_id)
    const payloads = merchant ? await render(context, merchant, publicUrl(), rows) : []
    const events = payloads
      .filter(one => one !== null)
      .map(one => ({
        id: one.event_id,
        line: `${one.kind} ${one.head_id}`,
        subject: `${merchant_id}.${eventCatalogue[one.event_type].dotted}`,
        body: bodyOf(one),
      }))
    if (events.length > 0) await sink.put(events)
    await context.query(drop, [merchant_id, rows.map(row => row.n)])
  }

  return {
    async sinkNext(): Promise<number> {
      const now = context.now()
      if (now < pausedUntil) return 0
      const rows = await context.query<Waiting>(oldest, [isolated.passedOver(now)])
      if (rows.length === 0) return 0
      const held = await context.query(lease, [sink.name, holder, later(now, LEASE_MS), now])
      if (held.length === 0) return 0
      try {
        for (const [merchant_id, group] of byMerchant(rows)) await isolated.some(group, some => putSome(merchant_id, some))
        if (away) context.log.info({ sink: sink.name }, 'the event sink accepts events again')
        away = false
        return rows.length
      } catch (error) {
        if (!(error instanceof SinkAway)) throw error
        if (!away) context.log.warn({ err: error, sink: sink.name }, 'the event sink is unavailable; events are queued')
        away = true
        pausedUntil = later(now, PAUSE_MS)
        return 0
      }
    },
    async close(): Promise<void> {
      await context.query(release, [sink.name, holder]).catch(() => {})
      await sink.close()
    },
  }
}
export type Sinking = ReturnType<typeof openSinking>
