import { answeredId, type Claim, idOf, rowVerb, type Source } from './change.ts'
import { balanced } from './ledger.ts'
import type { ListingChange } from './listing.ts'
import { facetsOf, listedAmount, listedIds, wordIn } from './listing-kinds.ts'
import { joined, type Sql, type SqlParam, sql } from './sql.ts'
import { assigned, columnValues, inserted, keepFixed, matched, param, type Values } from './statement-values.ts'
import { type SqlType, tableNamed } from './table.ts'

/** A part of a statement, `name as (body)`. Parts behind the head's are written `from h`. */
export type Part = { name: string; body: Sql }

/** A condition that must hold before the head moves, and the part that makes it hold, if it needs one. */
export type Gate = { part: Part | null; holds: Sql }

/** SQL condition: whether the work that the Idempotency-Key `c` was claimed for has never begun. */
export const notBegun = `not exists (select from changes where merchant_id = coalesce(c.head_merchant, c.merchant_id) and kind = c.kind and object_id = c.head_id and version = c.version
    and event_id = c.event_id)`

/** How many changes of settings are kept for processes. A process that was away for more reads all settings anew. */
const KEPT_CHANGES = 1000

/** k claims the Idempotency-Key, each line its own. The same key twice is an error: each change then runs alone. */
export function claimGate(values: Values): Gate {
  const { change, head, merchant, id } = values
  const claim = (column: keyof Claim, type: SqlType = 'text') => param(values, type, s => s.change.claim![column])
  const [owner, key] = [claim('merchant_id'), claim('key')]
  const rest = sql`${claim('scope')}, ${claim('digest')}, ${claim('token')}, ${claim('claimed_at', 'timestamptz')}, ${head.money ? 'null' : claim('forget_at', 'timestamptz')},
    '${head.kind}', ${merchant}, ${id}, ${param(values, 'text', s => answeredId(s.change))}, ${param(values, 'int', s => s.version)}, ${param(values, 'text', s => s.event_id)}, ${change.claim!.answer ? claim('answer', 'bytea') : 'null'}`
  const before = claim('stale_before', 'timestamptz')
  const stale = { one: before, many: sql`(select ${before} from i where ${owner} = c.merchant_id and ${key} = c.key)` }
  const body = sql`insert into idempotency_keys as c (merchant_id, key, scope, digest, token, claimed_at, forget_at, kind, head_merchant, head_id, object_id, version, event_id, answer)
  select ${owner}, ${key}, ${rest} ${ofEach}
  on conflict (merchant_id, key) do update set token = excluded.token, claimed_at = excluded.claimed_at, forget_at = excluded.forget_at, kind = excluded.kind,
    head_merchant = excluded.head_merchant, head_id = excluded.head_id, object_id = excluded.object_id, version = excluded.version, event_id = excluded.event_id, answer = excluded.answer
  where c.status is null and c.scope = excluded.scope and c.digest = excluded.digest
    and (c.token = excluded.token or c.claimed_at < ${stale}) and ${notBegun}
  returning c.merchant_id, c.key`
  const holds = {
    one: 'exists (select from k)',
    many: sql`exists (select from k where k.merchant_id = ${owner} and k.key = ${key})`,
  }
  return { part: { name: 'k', body }, holds }
}

/** In a statement for many changes, the parts before the heads are written from the lines of values. */
const ofEach = { one: '', many: 'from i' }

/** The condition that a row has no time in a column (`Unless`). */
export function unlessGate(values: Values): Gate {
  const { table, column } = values.change.unless!
  const of = tableNamed(table)
  const places = columnValues(values, of, of.key, s => s.change.unless!.key)
  return { part: null, holds: sql`not exists (select from ${table} where ${matched(of, places)} and ${column} is not null)` }
}

/** The guard of a move: the row still has the version that the use case read. */
export function guardOf(values: Values): Sql {
  const { change, head, merchant, id } = values
  if (!change.before) return ''
  const version = param(values, 'int', s => s.change.before!.version)
  return sql`${matched(head, head.key.length === 1 ? [merchant] : [merchant, id])} and ${head.name}.version = ${version}`
}

/**
 * g inserts a row whose key a caller chose, if the version still holds. It writes even if no other part reads it, so
 * each gate requires those before it.
 */
export function rowGate(values: Values, i: number, name: string, open: Sql): Gate {
  const row = inserted(values, tableNamed(values.change.rows[i]!.table), afterOf(i))
  return {
    part: { name, body: sql`${row}\n  from ${values.head.name} where ${open} for update on conflict do nothing returning 1` },
    holds: `exists (select from ${name})`,
  }
}

const afterOf =
  (i: number) =>
  ({ change }: Pick<Source, 'change'>) =>
    change.rows[i]!.after!

/** h moves the head, or inserts it, if its gates hold; `returning`: the columns that are returned. */
export function headBody(values: Values, guard: Sql, gates: readonly Sql[], returning: Sql): Sql {
  const { change, head, aloud } = values
  if (!change.before) {
    const row = inserted(values, head, s => s.change.after)
    const where = gates.length > 0 ? sql`where ${joined(gates, ' and ')} ` : ''
    return sql`${row}\n  ${ofEach} ${where}${change.ownId ? '' : 'on conflict do nothing '}returning ${returning}`
  }
  keepFixed(values, head, s => s.change)
  const counting = aloud ? 'version = version + 1, sequence = sequence + 1' : 'version = version + 1'
  const sets = values.written.length > 0 ? [counting, assigned(values, head, s => s.change.after, values.written)] : [counting]
  return sql`update ${head.name} set ${joined(sets, ', ')}
  ${ofEach} where ${joined([guard, ...gates], ' and ')} returning ${returning}`
}

/** r writes a row beside the head. */
export function rowPart(values: Values, i: number): Part {
  const row = values.change.rows[i]!
  const table = tableNamed(row.table)
  const verb = rowVerb(row)
  const name = `r${i}`
  if (verb === 'insert') {
    const made = table.maybeThere ? ' on conflict do nothing returning 1' : table.pointer ? ' on conflict do nothing' : ''
    return { name, body: sql`${inserted(values, table, afterOf(i))} from h${made}` }
  }
  if (verb === 'update') keepFixed(values, table, source => source.change.rows[i]!)
  const kind = { one: `'${values.head.kind}'`, many: 'h.kind' }
  const match = matched(
    table,
    columnValues(values, table, table.key, s => s.change.rows[i]!.before!, kind),
  )
  if (verb === 'delete') return { name, body: sql`delete from ${table.name} using h where ${match}` }
  return { name, body: sql`update ${table.name} set ${assigned(values, table, afterOf(i))} from h where ${match}` }
}

/** l writes the row that lists are read from, and n the kind, if it is new (`listing.ts`). */
export function listingParts(values: Values, at: number): Part[] {
  const { merchant, id, head } = values
  const { i, table, listing, verb, isNew } = values.lines[at]!
  const line = (s: Source): ListingChange => s.lines[at]!
  const its = table === head ? id : param(values, 'text', s => idOf(table, line(s).row))
  const kind = param(values, 'bigint', s => line(s).kind)
  const created = param(values, 'timestamptz', s => line(s).row[listing.created])
  const names = ['amount', ...listedIds.filter(name => listing.ids[name])]
  const params = (): SqlParam[] => [
    param(values, 'bigint', s => listedAmount(listing, line(s).row)),
    ...listedIds.flatMap(name => (listing.ids[name] ? [param(values, 'text', s => wordIn(listing.ids[name]!, name, line(s).row))] : [])),
  ]
  const parts: Part[] = []
  if (verb === 'insert') {
    // A row that existed already has its listing.
    const from = i >= 0 && table.maybeThere ? `r${i}` : 'h'
    const columns = ['merchant_id', 'kind', 'created', 'object_id', ...names].join(', ')
    const body = sql`insert into listings (${columns}) select ${joined([merchant, kind, created, its, ...params()], ', ')} from ${from}`
    parts.push({ name: `l${at}`, body })
  } else {
    const moved = verb === 'move' ? [] : params()
    const sets = [sql`kind = ${kind}`, ...moved.map((word, i) => sql`${names[i]!} = ${word}`)]
    const was = param(values, 'bigint', s => line(s).was)
    const body = sql`update listings set ${joined(sets, ', ')} from h
  where listings.merchant_id = ${merchant} and listings.kind = ${was} and listings.created = ${created} and listings.object_id = ${its}`
    parts.push({ name: `l${at}`, body })
  }
  if (isNew) {
    const facets = param(values, 'json', s => JSON.stringify(facetsOf(listing, line(s).row)))
    const body = sql`insert into listing_kinds (merchant_id, resource, kind, facets)
  select ${merchant}, '${listing.resource}', ${kind}, ${facets} from h on conflict do nothing`
    parts.push({ name: `n${at}`, body })
  }
  return parts
}

/** s moves the counter of cached settings, w stores the merchant that changed, f deletes old entries. */
export const settingsParts = ({ merchant }: Values): Part[] => [
  { name: 's', body: 'update settings_version set version = settings_version.version + 1 from h returning settings_version.version' },
  { name: 'w', body: sql`insert into settings_changes (version, merchant_id) select s.version, ${merchant} from s` },
  { name: 'f', body: `delete from settings_changes using s where settings_changes.version <= s.version - ${KEPT_CHANGES}` },
]

/** e writes the history, with h's version, and the money that moved. `created`: the time of the change. */
export function historyPart(values: Values, created: SqlParam): Part {
  const { change, head, aloud, merchant, id } = values
  const event_id = param(values, 'text', s => s.event_id)
  const type = param(values, 'text', s => s.change.event.type)
  const announces = aloud ? param(values, 'text', s => s.change.event.announces) : 'null'
  const by = param(values, 'text', s => s.change.by)
  const was = change.before ? param(values, 'json', s => s.was) : "'{}'"
  const posted = change.posts ? sql`, ${param(values, 'json', s => balanced(s.change.posts!))}` : ''
  const body = sql`insert into changes (merchant_id, kind, object_id, version, sequence, event_id, type, announces, by, was, created${change.posts ? ', posted' : ''})
  select ${merchant}, '${head.kind}', ${id}, h.version, ${aloud ? 'h.sequence' : 'null'}, ${event_id}, ${type},
    ${announces}, ${by}, ${was}, ${created}${posted} from h`
  return { name: 'e', body }
}

/** o writes the pending announcement of the change. */
export const outboxPart = ({ head, merchant, id }: Values, created: SqlParam): Part => ({
  name: 'o',
  body: sql`insert into outbox (merchant_id, kind, object_id, version, created) select ${merchant}, '${head.kind}', ${id}, h.version, ${created} from h`,
})

/** p writes the place at which streams find the event, if it is written long after its id was created. */
export function latePart(values: Values): Part {
  const [place, event_id] = [param(values, 'text', s => s.place), param(values, 'text', s => s.event_id)]
  return {
    name: 'p',
    body: sql`insert into late_events (merchant_id, place, event_id) select ${values.merchant}, ${place}, ${event_id} from h`,
  }
}

/** a writes the origin of the request, if the head is in the audit log. */
export function auditPart(values: Values, created: SqlParam): Part {
  const { head, merchant, id } = values
  const request_id = param(values, 'text', s => s.change.origin?.request_id ?? null)
  const address = param(values, 'text', s => s.change.origin?.address ?? null)
  const mac = param(values, 'text', s => s.mac)
  const body = sql`insert into audit_log (merchant_id, kind, object_id, version, request_id, address, created, mac)
  select ${merchant}, '${head.kind}', ${id}, h.version, ${request_id}, ${address},
    ${created}, ${mac} from h`
  return { name: 'a', body }
}
