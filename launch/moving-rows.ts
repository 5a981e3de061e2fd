// Copies and compares the rows of a merchant that moves.
import pg from 'pg'
import { Misconfigured } from '../src/base/misconfigured.ts'
import { passFence, type Side } from './moving-database.ts'
import { besides, diaries, moved } from './moving-tables.ts'

const BATCH = 500
const literal = pg.escapeLiteral

/** A column as it is copied; `numbered`: whether the target numbers the rows itself, in the order of the source. */
type Column = { name: string; type: string; numbered: boolean }

const columnsOf = ({ query }: Side, table: string) =>
  query<Column>(
    `select quote_ident(attname) as name, format_type(atttypid, atttypmod) as type, attidentity <> '' as numbered
      from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [table],
  )

type Extent = { table: string; where: string; columns: Column[]; order: string }

async function extentOf(source: Side, table: string, where: string): Promise<Extent> {
  const all = await columnsOf(source, table)
  const numbered = all.filter(column => column.numbered).map(({ name }) => name)
  const order = numbered.length > 0 ? `order by ${numbered.join(', ')}` : ''
  return { table, where, columns: all.filter(column => !column.numbered), order }
}

/**
 * Returns SQL for the number of rows, and two checksums of their contents that do not depend on order. The compared
 * text is the one that PostgreSQL itself would dump and restore.
 */
const sumsOf = ({ table, where, columns }: Extent): string => {
  const half = (from: number) => `coalesce(sum(('x' || substr(said, ${from}, 16))::bit(64)::bigint::numeric), 0)::text`
  return `select count(*)::text, ${half(1)}, ${half(17)} from (
    select md5(row(${columns.map(({ name }) => name).join(', ')})::text) as said from ${table} where ${where}) r`
}

const CURSOR = 'rows_that_move'

/** Copies these rows; `conflict` says what happens to a row that exists. Returns the number of copied rows. */
async function copy(source: Side, target: Side, { table, where, columns, order }: Extent, conflict = ''): Promise<number> {
  const names = columns.map(({ name }) => name)
  const typed = columns.map(({ type }, i) => `c${i}::${type}`)
  const lists = columns.map((_, i) => `$${i + 1}::text[]`)
  const insert = `insert into ${table} (${names.join(', ')}) select ${typed.join(', ')}
    from unnest(${lists.join(', ')}) with ordinality as r (${columns.map((_, i) => `c${i}`).join(', ')}, place) order by place ${conflict}`
  await source.query(
    `declare ${CURSOR} no scroll cursor for select ${names.map(name => `${name}::text`).join(', ')} from ${table} where ${where} ${order}`,
  )
  let all = 0
  for (;;) {
    const rows = await source.lists(`fetch ${BATCH} from ${CURSOR}`)
    if (rows.length > 0)
      await target.query(
        insert,
        columns.map((_, i) => rows.map(row => row[i])),
      )
    all += rows.length
    if (rows.length < BATCH) break
  }
  await source.query(`close ${CURSOR}`)
  return all
}

/**
 * Copies all rows of a merchant as of one moment, and compares both sides, table by table: in one transaction on each
 * side, so that the target has all rows or none. Rows that an earlier move of the merchant has left at the target are
 * removed. `then`: work that is done in the target's transaction.
 */
export const moveRows = (source: Side, target: Side, merchant_id: string, then: () => Promise<unknown>): Promise<number> =>
  source.within('isolation level repeatable read read only', () =>
    target.within('', async () => {
      await passFence(target)
      await removeRows(target, merchant_id)
      const id = literal(merchant_id)
      const organization = await extentOf(
        source,
        'organizations',
        `organization_id = (select organization_id from merchants where merchant_id = ${id})`,
      )
      await copy(source, target, organization, 'on conflict do nothing')
      let all = 0
      for (const table of [...moved, ...diaries]) {
        const but = besides[table as keyof typeof besides]
        const extent = await extentOf(source, table, `merchant_id = ${id}${but ? ` and ${but}` : ''}`)
        all += await copy(source, target, extent)
        await compare(source, target, extent)
      }
      await then()
      return all
    }),
  )

async function compare(source: Side, target: Side, extent: Extent): Promise<void> {
  const [here, there] = await Promise.all([source.lists(sumsOf(extent)), target.lists(sumsOf(extent))])
  if (`${here}` !== `${there}`)
    throw new Misconfigured(
      `the rows of ${extent.table} are not the same in both databases (source ${here}, target ${there}); nothing was moved`,
    )
}

/** Removes the rows of a merchant in one database, except in these tables. Returns the number of removed rows. */
export async function removeRows(side: Side, merchant_id: string, but: readonly string[] = []): Promise<number> {
  let all = 0
  for (const table of [...moved, ...diaries].filter(table => !but.includes(table)))
    for (;;) {
      const gone = await side.query<{ n: number }>(
        `with gone as (delete from ${table} where ctid = any (array(select ctid from ${table} where merchant_id = $1 limit 10000)) returning 1) select count(*)::int as n from gone`,
        [merchant_id],
      )
      all += gone[0]!.n
      if (gone[0]!.n === 0) break
    }
  return all
}
