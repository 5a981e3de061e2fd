import { outbox } from '../database/changes.ts'
import { DatabaseAway } from '../database/connection.ts'
import { statement } from '../database/statement.ts'
import { type RowOf, select } from '../database/table.ts'
import type { World } from '../world.ts'
import { bodyOf, type Finds, render, type Told, wants } from './announce.ts'

type Waiting = RowOf<typeof outbox>

/** How many changes are taken out of the outbox at once: rendering them holds everybody else up, so no more than take a few milliseconds. */
const MOST = 100

const DEADLOCK = '40P01'

const oldest = statement('outbox_to_tell', select(outbox, `where not n = any($1::bigint[]) order by n limit ${MOST}`))

const columns = `event_id text, kind text, head_id text, version int, sequence int, profile_id text, event_class text, event_type text, object_id text, body text, created timestamptz(3)`
const names = columns
  .split(', ')
  .map(column => column.split(' ')[0])
  .join(', ')

/** Out of the outbox and to whom it is told, in one statement: of two processes that read the same, whoever deletes it tells it. */
const place = statement(
  'place_told',
  `with gone as (delete from outbox where merchant_id = $1 and n = any($2::bigint[]) returning n),
    told as (select e.* from json_to_recordset($3::json) e (n bigint, ${columns}) join gone using (n)),
    a as (
      insert into announcements (merchant_id, ${names}) select $1, ${names} from told on conflict do nothing),
    d as (
      insert into deliveries (merchant_id, event_id, endpoint_id, line, version, status, tries, created)
      select $1, d.event_id, d.endpoint_id, told.head_id, told.version, 'pending', 0, told.created
      from json_to_recordset($4::json) d (event_id text, endpoint_id text) join told using (event_id) on conflict do nothing returning endpoint_id, line, version)
  insert into delivery_lines as l (merchant_id, endpoint_id, line, newest, due_at)
    select $1, endpoint_id, line, max(version), $5::timestamptz from d group by endpoint_id, line
    on conflict (merchant_id, endpoint_id, line) do update set newest = greatest(l.newest, excluded.newest)`,
)

const rowOf = ({ object: _object, status: _status, merchant_id: _merchant, ...row }: Told) => row

/**
 * Takes what is to be told out of the outbox: renders it, and writes down who is to hear it. `publicUrl`: where customers are sent. What cannot be rendered is logged and stands in nobody's way; it is
 * tried again by the next process.
 */
export function openPlacing(world: World, finds: Finds, publicUrl: () => string) {
  const spoiled = new Set<number>()

  async function placeAll(merchant_id: string, rows: readonly Waiting[]): Promise<void> {
    const merchant = await finds.merchant(merchant_id)
    const endpoints = await finds.webhookEndpoints(merchant_id)
    const rendered = merchant ? await render(world, merchant, publicUrl(), rows) : rows.map(() => null)
    const events: object[] = []
    const to: { event_id: string; endpoint_id: string }[] = []
    rendered.forEach((told, i) => {
      if (!told) return
      const theirs = endpoints.filter(endpoint => wants(endpoint, told))
      const body = theirs.length > 0 ? bodyOf(told) : null
      events.push({ n: rows[i]!.n, ...rowOf(told), body })
      for (const { endpoint_id } of theirs) to.push({ event_id: told.event_id, endpoint_id })
    })
    const all = rows.map(row => row.n)
    await world.query(place, [merchant_id, all, JSON.stringify(events), JSON.stringify(to), world.now()])
  }

  /** All of a merchant's at once; if that fails, one by one, so that what cannot be told stands alone. */
  async function placeSome(merchant_id: string, rows: readonly Waiting[]): Promise<void> {
    try {
      await placeAll(merchant_id, rows)
    } catch (error) {
      // A database that is away, or a lock that two of us took crosswise, says nothing of these changes.
      if (error instanceof DatabaseAway || (error as { code?: string }).code === DEADLOCK) throw error
      if (rows.length > 1) for (const row of rows) await placeSome(merchant_id, [row])
      else {
        world.log.error({ err: error, ...rows[0] }, 'an event could not be told')
        spoiled.add(rows[0]!.n)
      }
    }
  }

  /** Takes out a batch; gives how many changes it had. */
  return async function placeNext(): Promise<number> {
    const rows = await world.query<Waiting>(oldest, [[...spoiled]])
    const merchants = new Map<string, Waiting[]>()
    for (const row of rows) merchants.set(row.merchant_id, [...(merchants.get(row.merchant_id) ?? []), row])
    for (const [merchant_id, theirs] of merchants) await placeSome(merchant_id, theirs)
    return rows.length
  }
}
