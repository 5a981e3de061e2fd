import Type from 'typebox'
import { strictObject } from '../base/shapes.ts'
import { readTime } from '../base/time.ts'
import type { Reads, Row, Statement, Time } from '../context.ts'
import { changes, type Was } from '../database/changes.ts'
import { type PastChange, setBy } from '../database/past-row.ts'
import { statement } from '../database/statement.ts'
import { allTables, select, type Table } from '../database/table.ts'

const MOST = 100
const usual = 50
const HIDDEN = 'hidden'
const name = (description: string) => Type.Optional(Type.String({ maxLength: 255, description }))

export const auditQuery = strictObject({
  merchant_id: name('Id of the merchant; a merchant’s API key always lists only its own entries'),
  object_kind: name('merchant, profile, api_key, connector_account, blocklist_entry …'),
  object_id: name('Id of the changed object'),
  type: name('Type of change: created, updated, revoked …'),
  by: name('Caller, as in entries: admin, secret_key and its id …'),
  request_id: name('The x-request-id of the request'),
  created_after: Type.Optional(Type.String({ format: 'date-time', description: 'At or after this time' })),
  created_before: Type.Optional(Type.String({ format: 'date-time', description: 'Before this time' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST, description: `Default ${usual}` })),
  before_entry: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Entries before this one: the last `entry` of the previous page',
    }),
  ),
})
export type AuditAsk = Type.Static<typeof auditQuery>

const listed = (
  condition: string,
): string => `select l.n as entry, l.merchant_id, l.kind as object_kind, l.object_id, l.version, c.type, c.by, c.was, l.request_id, l.address, l.created, l.place, l.seal
  from audit_log l left join changes c on c.merchant_id = l.merchant_id and c.object_id = l.object_id and c.kind = l.kind and c.version = l.version
  where ${condition} and l.n < $2 and ($3::text is null or l.kind = $3) and ($4::text is null or l.object_id = $4) and ($5::text is null or c.type = $5) and ($6::text is null or c.by = $6)
    and ($7::text is null or l.request_id = $7) and ($8::timestamptz is null or l.created >= $8) and ($9::timestamptz is null or l.created < $9)
  order by l.n desc limit $10`

const ofMerchant = statement('audit_of_merchant', listed('l.merchant_id = $1'))
const ofAll = statement('audit_of_all', listed('$1::text is null'))

export type AuditEntry = {
  entry: number
  merchant_id: string
  object_kind: string
  object_id: string
  version: number
  type: string | null
  by: string | null
  was: Was | null
  /** Null if they cannot be told any more. */
  set: Was | null
  request_id: string | null
  address: string | null
  created: Time
  place: number | null
  seal: string | null
}

/** The latest first. `merchant_id` null: all. `viewer`: the operator's people are hidden from merchants. */
export async function listAudit(
  context: Reads,
  merchant_id: string | null,
  ask: AuditAsk,
  viewer: 'admin' | 'merchant',
): Promise<AuditEntry[]> {
  const { object_kind = null, object_id = null, type = null, by = null, request_id = null, limit = usual } = ask
  const [after, before] = [timeOf('created_after', ask.created_after), timeOf('created_before', ask.created_before)]
  const asked = [ask.before_entry ?? Number.MAX_SAFE_INTEGER, object_kind, object_id, type, by, request_id, after, before, limit]
  const entries = await context.query<Omit<AuditEntry, 'set'>>(merchant_id === null ? ofAll : ofMerchant, [merchant_id, ...asked])
  const changed = await changedFields(context, entries)
  const shown = entries.map(({ object_kind, was, ...entry }) => ({
    ...entry,
    object_kind,
    was: withoutSecrets(object_kind, was),
    set: withoutSecrets(object_kind, changed.get(entry.entry) ?? null),
  }))
  return viewer === 'admin' ? shown : shown.map(entry => (entry.by === 'admin' ? { ...entry, address: null } : entry))
}

function withoutSecrets(object_kind: string, was: Was | null): Was | null {
  const shown = { ...was }
  const columns = Object.entries(allTables().find(({ kind }) => kind === object_kind)?.columns ?? {})
  for (const [column, { is }] of columns) {
    const value = shown[column] as Record<string, unknown> | null | undefined
    const held = value ? is.sealed.flatMap(({ member }) => (member !== null && value[member] != null ? [[member, HIDDEN]] : [])) : []
    if (held.length > 0) shown[column] = { ...value, ...Object.fromEntries(held) }
  }
  return was && shown
}

const timeOf = (field: string, given: string | undefined): Time | null => (given === undefined ? null : readTime(field, given))

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
async function changedFields(context: Reads, entries: readonly Audited[]): Promise<Map<number, Row>> {
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
