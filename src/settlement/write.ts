import type { Reads, Row } from '../context.ts'
import { statement } from '../database/statement.ts'
import type { Table } from '../database/table.ts'
import { settlementBatchParts, settlementChunks, settlementDifferences, settlementLines } from './tables.ts'

/** Short names of a table's columns in JSON: a chunk of lines has some thousand of each. */
const short = (i: number): string => (i < 26 ? String.fromCharCode(97 + i) : `${short(Math.floor(i / 26) - 1)}${short(i % 26)}`)

type Filled = readonly string[]

/** The columns of a table that rows in JSON bring; the others are the same for all, as SQL. */
function brought(of: Table, same: Readonly<Record<string, string>>) {
  const names: Filled = of.names.filter(name => same[name] === undefined)
  const shorts = names.map((_, i) => short(i))
  const columns = names.map((name, i) => `${shorts[i]} ${of.columns[name]!.is.sql}`).join(', ')
  const values = of.names.map(name => same[name] ?? `g.${shorts[names.indexOf(name)]}`)
  return {
    /** `$parameter`: the rows. They are inserted if the reader still has the account (`lease`). */
    insert: (parameter: string): string =>
      `insert into ${of.name} (${of.names.join(', ')}) select ${values.join(', ')} from lease, json_to_recordset(${parameter}::json) g (${columns})`,
    json: (rows: readonly Row[]): string =>
      JSON.stringify(
        rows.map(row => {
          const line: Row = {}
          for (let i = 0; i < names.length; i++) {
            const value = row[names[i]!]
            if (value !== null) line[shorts[i]!] = value
          }
          return line
        }),
      ),
  }
}

const ofAccount = { merchant_id: '$1', merchant_connector_id: '$2' }
const lines = brought(settlementLines, { ...ofAccount, file_id: '$3', posted_by: 'null', paid_by: 'null' })
const chunks = brought(settlementChunks, { ...ofAccount, file_id: '$3' })
const parts = brought(settlementBatchParts, { ...ofAccount, file_id: '$3' })
const differences = brought(settlementDifferences, ofAccount)

/**
 * Inserts a chunk of lines with its sums and differences, and names the payout of earlier lines, all or none: while the
 * reader has the account, with books closed as the reader knows (`$5`). The reader keeps the account for longer.
 * Gives the differences that are new.
 */
const write = statement(
  'settlement_write_chunk',
  `with lease as (update settlement_accounts set lease_until = $6 where merchant_id = $1 and merchant_connector_id = $2 and lease_by = $4
      and closed_through is not distinct from $5 returning 1),
    l as (${lines.insert('$7')}), c as (${chunks.insert('$8')}), p as (${parts.insert('$9')}),
    d as (${differences.insert('$10')} on conflict do nothing returning cause),
    b as (update settlement_lines l set batch = g.batch, paid_by = $3 from lease, json_to_recordset($11::json) g (identity text, n int, batch text)
      where l.merchant_id = $1 and l.merchant_connector_id = $2 and l.identity = g.identity and l.n = g.n)
  select (select count(*)::int from lease) as held,
    (select coalesce(json_object_agg(cause, number), '{}') from (select cause, count(*) as number from d group by cause) n) as causes`,
)

/** Another process reads a report of the account, or a period was closed meanwhile: the file is read again. */
export class AccountTaken extends Error {}

type ChunkRows = {
  lines: readonly Row[]
  chunks: readonly Row[]
  parts: readonly Row[]
  differences: readonly Row[]
  paid: readonly { identity: string; n: number; batch: string | null }[]
}
type Held = { merchant_id: string; merchant_connector_id: string; file_id: string; lease_by: string; closed_through: string | null }

/** Returns how many differences are new, by cause. Throws `AccountTaken` if nothing may be written. */
export async function writeChunk(context: Reads, held: Held, lease_until: string, rows: ChunkRows): Promise<Record<string, number>> {
  const { merchant_id, merchant_connector_id, file_id, lease_by, closed_through } = held
  const [written] = await context.query<{ held: number; causes: Record<string, number> }>(write, [
    ...[merchant_id, merchant_connector_id, file_id, lease_by, closed_through, lease_until],
    ...[lines.json(rows.lines), chunks.json(rows.chunks), parts.json(rows.parts), differences.json(rows.differences)],
    JSON.stringify(rows.paid),
  ])
  if (written!.held === 0) throw new AccountTaken('another report of this account is being read, or its books were closed meanwhile')
  return written!.causes
}
