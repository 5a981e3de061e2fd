import Type from 'typebox'
import { strictObject } from '../base/shapes.ts'
import { readTime } from '../base/time.ts'
import type { Reads, Time } from '../context.ts'
import type { Was } from '../database/changes.ts'
import { statement } from '../database/statement.ts'
import { allTables } from '../database/table.ts'
import { changedFields } from './changed-fields.ts'

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
