import type { Reads, Row, Statement } from '../context.ts'
import { changes, type Was } from '../database/changes.ts'
import { type PastChange, setBy } from '../database/past-row.ts'
import { statement } from '../database/statement.ts'
import { allTables, select, type Table } from '../database/table.ts'

type Audited = { entry: number; merchant_id: string; object_kind: string; object_id: string; version: number; was: Was | null }

const histories = statement(
  'changes_of_audited',
  select(changes, 'where merchant_id = $1 and kind = $2 and object_id = any($3) order by version'),
)
const statements = new Map<string, Statement>()
function rowsOf({ name, key }: Table): Statement {
  const known = statements.get(name)
  if (known) return known
  const read = statement(`audited_${name}`, select(tableOf(name), `where ${key[0]} = $1 and ${key.at(-1)} = any($2)`))
  statements.set(name, read)
  return read
}
const tableOf = (name: string): Table => allTables().find(table => table.name === name)!

/** By the number of the entry, from the later changes and the present row; unknown for a deleted row. */
export async function changedFields(context: Reads, entries: readonly Audited[]): Promise<Map<number, Row>> {
  const altered = entries.filter(({ was }) => Object.keys(was ?? {}).length > 0)
  const found = new Map<number, Row>()
  const groups = Map.groupBy(altered, ({ merchant_id, object_kind }) => `${merchant_id} ${object_kind}`)
  await Promise.all(
    [...groups.values()].map(async group => {
      const { merchant_id, object_kind } = group[0]!
      const table = allTables().find(({ kind }) => kind === object_kind)
      if (!table) return
      const ids = [...new Set(group.map(({ object_id }) => object_id))]
      // Rows are read before their history: changes in between are then taken back as well.
      const rows = await context.query<Row>(rowsOf(table), [merchant_id, ids])
      const past = await context.query<PastChange & { object_id: string }>(histories, [merchant_id, object_kind, ids])
      const byObject = Map.groupBy(past, ({ object_id }) => object_id)
      for (const row of rows) {
        const id = String(row[table.key.at(-1)!])
        const its = byObject.get(id) ?? []
        const sets = setBy(row, its)
        for (const { entry, version } of group.filter(({ object_id }) => object_id === id)) {
          const set = sets[its.findIndex(change => change.version === version)]
          if (set) found.set(entry, set)
        }
      }
    }),
  )
  return found
}
