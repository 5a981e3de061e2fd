import { countChanges, keepCounts } from '../analytics/keep.ts'
import type { RecentPayments } from '../analytics/recent.ts'
import type { Context } from '../context.ts'
import type { Queue } from '../database/due.ts'
import { keepBalances } from '../database/ledger.ts'
import { notMoving } from '../database/merchant-moves.ts'
import { statement } from '../database/statement.ts'
import { announcementRow, type Finds, listens, render, wants } from './announce.ts'
import { byMerchant, openIsolation, type Waiting } from './isolation.ts'
import { sinkQueue } from './sink.ts'

export const MOST = 500
/** Changes that are rendered at once: rendering blocks other work, for a few milliseconds. */
const SLICE = 50

export const undispatched: Queue = { name: 'outbox', due: `select created as at from outbox where created <= $1 and ${notMoving}` }

/**
 * Reads the oldest changes, in order, as one JSON text: otherwise the driver makes an object of every column of every
 * row. `settings`: the settings counter at the time of this read, so that it includes any endpoint that was created
 * before these changes.
 */
const oldest = statement(
  'outbox_to_dispatch',
  `select json_agg(o order by n) as waiting, (select version from settings_version) as settings from (
    select n, merchant_id, kind, object_id, version from outbox where not n = any($1::bigint[]) and ${notMoving} order by n limit ${MOST}) o`,
)

const gone = 'gone as (delete from outbox where merchant_id = $1 and n = any($2::bigint[]) returning n, kind, object_id, version, created)'
/** Queues the changes for event sinks, in order (`sink.ts`). */
const sunk = `sunk as (insert into ${sinkQueue.name} (merchant_id, kind, object_id, version, created) select $1, kind, object_id, version, created from gone order by n)`

/**
 * Builds the statements that move a row from the outbox to its endpoints. Each is a single statement: if two processes
 * read the same row, the one that deletes it also announces it, adds the moved money to the balances, and adds the
 * results of payments to the analytics counters.
 */
const placing = (name: string, more: string) => ({
  drop: statement(`drop_outbox_rows${name}`, `with ${gone}, ${more}${keepBalances}, ${keepCounts('$3', '$4')} select`),
  place: statement(
    `place_deliveries${name}`,
    `with ${gone},
    ${more}${keepBalances}, ${keepCounts('$5', '$6')},
    ready as (
      select t.* from json_to_recordset($3::json) t (n bigint, event_id text, line text, version int, body text, created timestamptz(3), endpoint_ids json) join gone using (n)),
    a as (insert into announcements (merchant_id, event_id, body, created) select $1, event_id, body, created from ready on conflict do nothing),
    d as (
      insert into deliveries (merchant_id, event_id, endpoint_id, line, version, status, tries, created)
      select $1, event_id, endpoint_id, line, version, 'pending', 0, created from ready, json_array_elements_text(endpoint_ids) endpoint_id
      on conflict do nothing returning endpoint_id, line, version)
  insert into delivery_lines as l (merchant_id, endpoint_id, line, newest, due_at)
    select $1, endpoint_id, line, max(version), $4::timestamptz from d group by endpoint_id, line
    on conflict (merchant_id, endpoint_id, line) do update set newest = greatest(l.newest, excluded.newest)`,
  ),
})
const toMerchants = placing('', '')
const alsoToSink = placing('_and_sunk', `${sunk}, `)

/**
 * Takes changes out of the outbox, renders them as events, and writes their deliveries. `publicUrl`: the URL that
 * customers are sent to. `sinks`: whether an event sink takes events too. `recent`: payments in memory, which need not
 * be read to be counted. A row that cannot be rendered is logged and does not delay others.
 */
export function openDispatch(
  context: Context,
  finds: Finds,
  publicUrl: () => string,
  sinks: boolean,
  recent: Pick<RecentPayments, 'of'> | null = null,
) {
  const { drop, place } = sinks ? alsoToSink : toMerchants
  const isolated = openIsolation(context, undispatched.name, 'an event could not be dispatched; it will be tried again')

  const listening = async (merchant_id: string) => (await finds.listeners(merchant_id)).filter(listens)

  async function placeSome(merchant_id: string, rows: readonly Waiting[]): Promise<void> {
    const endpoints = await listening(merchant_id)
    const merchant = endpoints.length > 0 && (await finds.merchant(merchant_id))
    const all = rows.map(row => row.n)
    const counted = await countChanges(context, merchant_id, rows, recent)
    if (!merchant) return void (await context.query(drop, [merchant_id, all, ...counted]))
    const events: object[] = []
    const rendered = await render(context, merchant, publicUrl(), rows)
    rendered.forEach((payload, i) => {
      const endpoint_ids = payload ? endpoints.filter(endpoint => wants(endpoint, payload)).map(endpoint => endpoint.endpoint_id) : []
      if (!payload || endpoint_ids.length === 0) return
      events.push({ n: rows[i]!.n, ...announcementRow(payload), endpoint_ids })
    })
    await context.query(place, [merchant_id, all, JSON.stringify(events), context.now(), ...counted])
  }

  /**
   * Returns how many changes it took. Reloads the endpoints first if settings were written since: an endpoint receives
   * every event that happens after its creation.
   */
  return async function placeNext(): Promise<number> {
    const [found] = await context.query<{ waiting: Waiting[] | null; settings: number }>(oldest, [isolated.passedOver(context.now())])
    const rows = found?.waiting ?? []
    if (rows.length > 0) await finds.reach(found!.settings)
    for (const [merchant_id, group] of byMerchant(rows)) {
      const size = (await listening(merchant_id)).length > 0 ? SLICE : MOST
      for (let i = 0; i < group.length; i += size) await isolated.some(group.slice(i, i + size), some => placeSome(merchant_id, some))
    }
    return rows.length
  }
}
