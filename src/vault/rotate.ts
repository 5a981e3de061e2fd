import type { Context, Row, Statement } from '../context.ts'
import { allTables, type Sealed, type Table } from '../database/table.ts'
import type { Keys } from './keys.ts'
import { ENVELOPE, prefixOf, REFERENCE } from './sealed.ts'

export const KEYS_EVERY_MS = 2000

/** Longer than a request: one that read a row before it was sealed anew may write the old bytes back. */
const REQUEST_MS = 35_000
const BATCH = 200

type Edges = Pick<Context, 'query' | 'vault' | 'wait'>

/** A column with sealed bytes, or a member of one. `read`: SQL that gives the bytes. */
type Place = { table: Table; column: string; sealed: Sealed; read: string }

const places = (): Place[] =>
  allTables().flatMap(table =>
    Object.entries(table.columns).flatMap(([column, { is }]) =>
      is.sealed.map(sealed => ({
        table,
        column,
        sealed,
        read: sealed.member === null ? column : `decode(${column} #>> '{${sealed.member},sealed}', 'base64')`,
      })),
    ),
  )

/** The prefix of all bytes that these keys seal now. */
const freshOf = (keys: Keys): Buffer => prefixOf(ENVELOPE, keys.active)

/** In SQL. Without references: the process that stores a record seals it, not the one that stores the reference. */
const isOld = ({ read }: Place) =>
  `substring(${read} from 1 for length($1::bytea)) <> $1::bytea and substring(${read} from 1 for 1) <> '\\x0${REFERENCE}'::bytea`

/** Sealed in another way than these keys seal now. */
export async function countOld({ query }: Pick<Edges, 'query'>, keys: Keys): Promise<number> {
  let count = 0
  for (const place of places()) {
    const counting: Statement = {
      name: `count_old_${nameOf(place)}`,
      text: `select count(*)::int as count from ${place.table.name} where ${isOld(place)}`,
    }
    count += (await query<{ count: number }>(counting, [freshOf(keys)]))[0]!.count
  }
  return count
}

export async function isSealedUnder({ query }: Pick<Edges, 'query'>, id: string): Promise<boolean> {
  const prefix = prefixOf(ENVELOPE, id)
  for (const place of places()) {
    const { table, read } = place
    const text = `select 1 from ${table.name} where substring(${read} from 1 for length($1::bytea)) = $1::bytea limit 1`
    if ((await query({ name: `any_under_key_${nameOf(place)}`, text }, [prefix])).length > 0) return true
  }
  return false
}

/** `unreadable`: the names of the records that no key opens. */
export type SealedAnew = { done: number; unreadable: readonly string[] }

/**
 * While the service works: a record is exchanged only if its bytes are still those that were read, and all tables are
 * gone through until no old record is found, with a pause for concurrent writes. A record that no key opens stays, and
 * is named.
 */
export async function sealAnew(edges: Edges, keys: Keys, onProgress: (done: number) => void): Promise<SealedAnew> {
  let done = 0
  for (;;) {
    let found = 0
    const unreadable: string[] = []
    for (const place of places()) {
      for await (const batch of batches(edges, place, freshOf(keys))) {
        found += batch.sealed
        done += batch.sealed
        unreadable.push(...batch.unreadable)
        onProgress(done)
      }
    }
    if (found === 0) return { done, unreadable }
    await edges.wait(REQUEST_MS)
  }
}

/** From the smallest key on, so that a record written back meanwhile is visited again only in the next round. */
async function* batches({ query, vault }: Edges, place: Place, fresh: Buffer): AsyncGenerator<{ sealed: number; unreadable: string[] }> {
  const { table, column, sealed, read } = place
  const { key } = table
  const keyIs = (row: string) => key.map(name => `${row}${name}`).join(', ')
  const after = `(${keyIs('')}) > (${key.map((_, i) => `$${i + 2}`).join(', ')})`
  const page = (where: string) =>
    `select ${keyIs('')}, ${read} as sealed from ${table.name} where ${isOld(place)}${where} order by ${keyIs('')} limit ${BATCH}`
  const first: Statement = { name: `first_old_${nameOf(place)}`, text: page('') }
  const next: Statement = { name: `next_old_${nameOf(place)}`, text: page(` and ${after}`) }
  const exchange = exchangeIn(place)
  let rows = await query<Row & { sealed: Buffer }>(first, [fresh])
  while (rows.length > 0) {
    const anew = rows.map(row => sealedAgain(vault, sealed, row))
    const readable = rows.filter((_, i) => anew[i] !== null)
    const written = [readable.map(row => row.sealed), anew.filter(bytes => bytes !== null)]
    if (readable.length > 0) await query(exchange, [...key.map(name => readable.map(row => row[name])), ...written])
    const named = (row: Row) => `${table.name}.${column} (${key.map(name => `${name} ${row[name]}`).join(', ')})`
    yield { sealed: readable.length, unreadable: rows.filter((_, i) => anew[i] === null).map(named) }
    const last = rows.at(-1)!
    rows = await query(next, [fresh, ...key.map(name => last[name])])
  }
}

/** Null if no key opens it. */
function sealedAgain(vault: Edges['vault'], { record }: Sealed, row: Row & { sealed: Buffer }): Buffer | null {
  const merchant_id = String(row.merchant_id)
  const name = record(row)
  try {
    return vault.seal(merchant_id, name, vault.open(merchant_id, name, row.sealed))
  } catch {
    return null
  }
}

function exchangeIn(place: Place): Statement {
  const { table, column, sealed, read } = place
  const [n, m] = [table.key.length + 1, table.key.length + 2]
  const base64 = "translate(encode(anew.fresh, 'base64'), E'\\n', '')"
  const set = sealed.member === null ? 'anew.fresh' : `jsonb_set(${column}, '{${sealed.member}}', jsonb_build_object('sealed', ${base64}))`
  return {
    name: `seal_anew_${nameOf(place)}`,
    text: `update ${table.name} set ${column} = ${set}
      from unnest(${table.key.map((_, i) => `$${i + 1}::text[]`).join(', ')}, $${n}::bytea[], $${m}::bytea[]) as anew (${table.key.map(name => `key_${name}`).join(', ')}, old, fresh)
      where ${table.key.map(name => `${table.name}.${name} = anew.key_${name}`).join(' and ')} and ${read} = anew.old`,
  }
}

const nameOf = ({ table, column, sealed }: Place): string => `${table.name}_${sealed.member ?? column}`
