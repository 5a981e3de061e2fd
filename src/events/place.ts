import { later } from '../base/time.ts'
import { outbox } from '../database/changes.ts'
import { DatabaseAway } from '../database/connection.ts'
import type { Queue } from '../database/due.ts'
import { endJobs, failJob, ISOLATED_MS, type JobName } from '../database/jobs.ts'
import { keepBalances } from '../database/ledger.ts'
import { statement } from '../database/statement.ts'
import { type RowOf, select } from '../database/table.ts'
import type { Time, World } from '../world.ts'
import { type Finds, listens, render, wants, written } from './announce.ts'

type Waiting = RowOf<typeof outbox>

/** How many changes are taken out of the outbox at once. */
const MOST = 500
/** What cannot be told is tried again after a minute, then after twice as long, up to an hour. */
const FIRST_PAUSE_MS = 60_000
/** How many are rendered at once: that holds everybody else up, so no more than take a few milliseconds. */
const SLICE = 50

/** What waits to be told. */
export const untold: Queue = { name: 'outbox', due: 'select created as at from outbox where created <= $1' }

const oldest = statement('outbox_to_tell', select(outbox, `where not n = any($1::bigint[]) order by n limit ${MOST}`))

const gone = 'gone as (delete from outbox where merchant_id = $1 and n = any($2::bigint[]) returning n, kind, object_id, version)'

const drop = statement('drop_untold', `with ${gone}, ${keepBalances} select`)

/** Out of the outbox and to whom it is told, in one statement: of two processes that read the same, whoever deletes it tells it, and puts the money that moved on the balances. */
const place = statement(
  'place_told',
  `with ${gone},
    ${keepBalances},
    told as (
      select t.* from json_to_recordset($3::json) t (n bigint, event_id text, line text, version int, body text, created timestamptz(3), endpoint_ids json) join gone using (n)),
    a as (insert into announcements (merchant_id, event_id, body, created) select $1, event_id, body, created from told on conflict do nothing),
    d as (
      insert into deliveries (merchant_id, event_id, endpoint_id, line, version, status, tries, created)
      select $1, event_id, endpoint_id, line, version, 'pending', 0, created from told, json_array_elements_text(endpoint_ids) endpoint_id
      on conflict do nothing returning endpoint_id, line, version)
  insert into delivery_lines as l (merchant_id, endpoint_id, line, newest, due_at)
    select $1, endpoint_id, line, max(version), $4::timestamptz from d group by endpoint_id, line
    on conflict (merchant_id, endpoint_id, line) do update set newest = greatest(l.newest, excluded.newest)`,
)

/**
 * Takes what is to be told out of the outbox: renders it, and writes down who is to hear it. `publicUrl`: where customers are sent. What cannot be rendered is logged and stands in nobody's way; it is
 * tried again ever less often, and `GET /jobs` says why.
 */
export function openPlacing(world: World, finds: Finds, publicUrl: () => string) {
  /** What cannot be told, and when it is tried again. */
  const spoiled = new Map<number, Time>()
  const named = ({ merchant_id, kind, object_id, version }: Waiting): JobName => ({ merchant_id, job: `${kind} ${object_id} ${version}` })

  /** Who listens to a merchant. */
  const listening = async (merchant_id: string) => (await finds.webhookEndpoints(merchant_id)).filter(listens)

  async function placeAll(merchant_id: string, rows: readonly Waiting[]): Promise<void> {
    const endpoints = await listening(merchant_id)
    const merchant = endpoints.length > 0 && (await finds.merchant(merchant_id))
    const all = rows.map(row => row.n)
    if (!merchant) return void (await world.query(drop, [merchant_id, all]))
    const events: object[] = []
    const rendered = await render(world, merchant, publicUrl(), rows)
    rendered.forEach((told, i) => {
      const endpoint_ids = told ? endpoints.filter(endpoint => wants(endpoint, told)).map(endpoint => endpoint.endpoint_id) : []
      if (!told || endpoint_ids.length === 0) return
      events.push({ n: rows[i]!.n, ...written(told), endpoint_ids })
    })
    await world.query(place, [merchant_id, all, JSON.stringify(events), world.now()])
  }

  /** All of them at once; if that fails, one by one, so that what cannot be told stands alone. */
  async function placeSome(merchant_id: string, rows: readonly Waiting[]): Promise<void> {
    try {
      await placeAll(merchant_id, rows)
      const mended = rows.filter(row => spoiled.delete(row.n))
      if (mended.length > 0) await endJobs(world, untold.name, mended.map(named))
    } catch (error) {
      // A database that is away says nothing of these changes.
      if (error instanceof DatabaseAway) throw error
      if (rows.length > 1) for (const row of rows) await placeSome(merchant_id, [row])
      else {
        const [row] = rows as [Waiting]
        world.log.error({ err: error, ...row }, 'an event could not be told; it is tried again')
        const { tries } = await failJob(world, untold.name, named(row), error, 1)
        spoiled.set(row.n, later(world.now(), Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), ISOLATED_MS)))
      }
    }
  }

  /** Takes out a batch; gives how many changes it had. Who listens is read anew before: an endpoint hears of everything that happens after it was made. */
  return async function placeNext(): Promise<number> {
    const now = world.now()
    const rows = await world.query<Waiting>(oldest, [[...spoiled].filter(([, until]) => until > now).map(([n]) => n)])
    if (rows.length > 0) await finds.refresh()
    const merchants = new Map<string, Waiting[]>()
    for (const row of rows) {
      const theirs = merchants.get(row.merchant_id)
      if (theirs) theirs.push(row)
      else merchants.set(row.merchant_id, [row])
    }
    for (const [merchant_id, theirs] of merchants) {
      const size = (await listening(merchant_id)).length > 0 ? SLICE : MOST
      for (let i = 0; i < theirs.length; i += size) await placeSome(merchant_id, theirs.slice(i, i + size))
    }
    return rows.length
  }
}
