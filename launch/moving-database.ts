// A deployment's database, as the command that moves a merchant uses it (merchant-move.ts).
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { Misconfigured } from '../src/base/misconfigured.ts'
import { connectionSettings } from '../src/database/connection-settings.ts'
import { type MerchantMove, merchantMoves } from '../src/database/merchant-moves.ts'
import { whyUnreachable } from '../src/database/unreachable.ts'
import { diaries, moved } from './moving-tables.ts'

const MOVE_LOCK = 5_217_187
const LOCK_NOT_AVAILABLE = '55P03'
const MOST_TRIES = 600
const PAUSE_MS = 100
/**
 * The time for which a merchant that has left stays fenced: longer than any process is paused in the middle of a
 * request and then continues.
 */
const FENCED_FOR = '7 days'

export type Side = Awaited<ReturnType<typeof openSide>>

/**
 * Opens a database. `name`: the name that the operator knows. Only one command at a time may move merchants of a
 * database.
 */
export async function openSide(name: string, url: string) {
  const client = new pg.Client({
    ...connectionSettings(url, 'moves'),
    options: '-c timezone=UTC -c datestyle=ISO -c lock_timeout=250ms -c client_min_messages=warning',
  })
  // The error of a connection lost between two statements is reported by the next statement.
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    throw new Misconfigured(`${name}: ${(whyUnreachable(error, client) as Error).message}`)
  }
  const query = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await client.query({ text, values })).rows as T[]
  const side = {
    name,
    query,
    lists: async (text: string): Promise<(string | null)[][]> => (await client.query({ text, rowMode: 'array' })).rows,
    /** Runs work in a transaction. `how`: further properties of the transaction. */
    async within<T>(how: string, work: () => Promise<T>): Promise<T> {
      await query(`begin ${how}`)
      try {
        const done = await work()
        await query('commit')
        return done
      } catch (error) {
        await query('rollback').catch(() => {})
        throw error
      }
    },
    close: () => client.end(),
  }
  const [lock] = await query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [MOVE_LOCK])
  if (lock!.mine) return side
  await side.close()
  throw new Misconfigured(
    `${name}: a merchant is being moved from or to this database by another run of this command, or it is the other database`,
  )
}

export const markOf = async ({ query }: Side, merchant_id: string): Promise<MerchantMove | null> =>
  (await query<MerchantMove>(`select * from ${merchantMoves.name} where merchant_id = $1`, [merchant_id]))[0] ?? null

/**
 * The statement that makes all processes reload the merchant: they see a change by the same statement within a second.
 */
const newVersion = `update settings_version set version = version + 1 returning version`

/** Writes the state of a merchant's move to this database, and makes all processes reload the merchant. */
export const mark = ({ query }: Side, { merchant_id, move_id, state, address }: Omit<MerchantMove, 'changed'>) =>
  query(
    `with s as (${newVersion}), w as (insert into settings_changes (version, merchant_id) select version, $1 from s)
    insert into ${merchantMoves.name} (merchant_id, move_id, state, address, changed) values ($1, $2, $3, $4, now())
      on conflict (merchant_id) do update set move_id = excluded.move_id, state = excluded.state, address = excluded.address, changed = excluded.changed`,
    [merchant_id, move_id, state, address],
  )

/**
 * Ends the service of the merchant at this database, if this move has closed the merchant. Throws if the move was
 * taken back meanwhile.
 */
export async function markMoved({ query }: Side, merchant_id: string, move_id: string): Promise<void> {
  const written = await query(
    `with m as (update ${merchantMoves.name} set state = 'moved', changed = now() where merchant_id = $1 and move_id = $2 and state = 'leaving' returning merchant_id),
      s as (update settings_version set version = version + 1 from m returning version)
    insert into settings_changes (version, merchant_id) select version, $1 from s returning 1`,
    [merchant_id, move_id],
  )
  if (written.length === 0) throw new Misconfigured('the move was taken back meanwhile')
}

export const unmark = ({ query }: Side, merchant_id: string) =>
  query(
    `with s as (${newVersion}), w as (insert into settings_changes (version, merchant_id) select version, $1 from s)
    delete from ${merchantMoves.name} where merchant_id = $1`,
    [merchant_id],
  )

const FENCE = 'merchant_moves_fence'
const fenced = `select merchant_id from ${merchantMoves.name} where state = 'leaving' or (state = 'moved' and changed > now() - interval '${FENCED_FOR}') order by merchant_id`

/**
 * Fences the merchants that are leaving, and for a week those that have left: none of their rows can be written any
 * more, even by a process that does not know of the move. When this function returns, all writes in progress have
 * ended. `but`: the merchant whose fence is removed. Each table is locked until its current writers finish; if that
 * takes longer than a payment waits, the writers go first, and the lock is tried again.
 */
export async function fence({ query }: Side, but: string | null = null): Promise<void> {
  const merchants = (await query<{ merchant_id: string }>(fenced)).map(one => one.merchant_id).filter(one => one !== but)
  const list = `'{${merchants.map(one => `"${one}"`).join(',')}}'::text[]`
  const there = await query<{ name: string }>('select tgrelid::regclass::text as name from pg_trigger where tgname = $1', [FENCE])
  if (merchants.length === 0 && there.length === 0) return
  for (const table of moved)
    await patiently(() =>
      query(
        merchants.length === 0
          ? `drop trigger if exists ${FENCE} on ${table}`
          : `create or replace trigger ${FENCE} before insert or update on ${table} for each row when (new.merchant_id = any (${list})) execute function ${FENCE}()`,
      ),
    )
}

async function patiently(work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await work()
      return
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || tries === MOST_TRIES) throw error
      await wait(PAUSE_MS)
    }
  }
}

/** Lets the current transaction write rows of a fenced merchant. */
export const passFence = ({ query }: Side) => query(`set local switchyard.moves = 'here'`)

export async function tablesHolding({ query }: Side, merchant_id: string): Promise<string[]> {
  const each = [...moved, ...diaries].map(table => `select '${table}' as name where exists (select from ${table} where merchant_id = $1)`)
  return (await query<{ name: string }>(each.join(' union all '), [merchant_id])).map(({ name }) => name)
}
