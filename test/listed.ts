import type { Row } from '../src/context.ts'
import { facetsOf, kindOf, listedAmount, listedIds, listedText, wordIn } from '../src/database/listing-kinds.ts'
import type { Table } from '../src/database/table.ts'
import type { Shop } from './shop.ts'

/** Lists a shop's rows of a table again, because a test has written rows by SQL, which does not list them. */
export async function listAnew({ merchant_id, query }: Pick<Shop, 'merchant_id' | 'query'>, table: Table): Promise<void> {
  const [listing, id] = [table.listed!, table.key.at(-1)!]
  const rows: Row[] = await query(`select ${table.names.join(', ')} from ${table.name} where merchant_id = $1`, [merchant_id])
  const lines = rows.map(row => ({
    kind: kindOf(listedText(listing, row)),
    facets: facetsOf(listing, row),
    created: row[listing.created],
    object_id: row[id],
    amount: listedAmount(listing, row),
    ...Object.fromEntries(listedIds.map(name => [name, listing.ids[name] ? wordIn(listing.ids[name], name, row) : null])),
  }))
  const values = [merchant_id, JSON.stringify(lines)]
  const source = `json_to_recordset($2::json) as r (kind bigint, facets json, created timestamptz, object_id text, amount bigint, ${listedIds.map(name => `${name} text`).join(', ')})`
  await query(`delete from listings l using ${source} where l.merchant_id = $1 and l.object_id = r.object_id`, values)
  await query(
    `insert into listing_kinds (merchant_id, resource, kind, facets) select $1, '${listing.resource}', kind, facets from ${source} on conflict do nothing`,
    values,
  )
  const columns = ['kind', 'created', 'object_id', 'amount', ...listedIds].join(', ')
  await query(`insert into listings (merchant_id, ${columns}) select $1, ${columns} from ${source}`, values)
}
