import type { Change, Row, RowChange, Statement, Vault } from '../context.ts'
import { macOf, nowhere } from './audit.ts'
import { CLAIMED, type IdempotencyClaim, manyOf, type OfOne } from './batch-statements.ts'
import type { Was } from './changes.ts'
import { balanced } from './ledger.ts'
import { facetsOf, listedAmount, listedIds, wordOf } from './listed.ts'
import { type ListingChange, lineOf, openKnown } from './listing.ts'
import { statement } from './statement.ts'
import { differ, keeper, putter, type SqlType, type Table, tableNamed } from './table.ts'

/**
 * The right to answer one Idempotency-Key, taken in the statement that begins the work: see `http/idempotency.ts`.
 * `answer`: sealed, where it is known before the work is written; it counts only if the work was.
 */
export type Claim = {
  merchant_id: string
  key: string
  scope: string
  digest: string
  token: string
  claimed_at: string
  stale_before: string
  /** When it is forgotten if no money moves. */
  forget_at: string
  answer: Buffer | null
}

export type ClaimedChange = Change & { claim?: Claim }

/**
 * A change as one SQL statement, and the question whether exactly this change was written (for a COMMIT that was cut
 * off). `written`: to be called once it is.
 */
export type WrittenChange = { statement: OfOne; values: unknown[]; proof: { statement: Statement; values: unknown[] }; written(): void }

/** Everything a statement's values are read from. */
type Source = {
  change: ClaimedChange
  event_id: string
  created: string
  /** Where it is found beside its id, if it comes late. */
  place: string | null
  version: number
  was: string
  mac: string
  lines: readonly ListingChange[]
}

type Read = (source: Source) => unknown

/** The statement of one shape of change, how many parameters it has, and what puts their values where they belong. */
type Shape = { statement: OfOne; parameters: number; puts: ((values: unknown[], source: Source) => void)[] }

const proof = statement(
  'proof_of_change',
  'select version from changes where merchant_id = $1 and kind = $2 and object_id = $3 and version = $4 and event_id = $5',
)

/** Has what the Idempotency-Key `c` claimed never begun? */
export const notBegun = `not exists (select from changes where merchant_id = coalesce(c.head_merchant, c.merchant_id) and kind = c.kind and object_id = c.head_id and version = c.version
    and event_id = c.event_id)`

/** A process that was away for more administrative changes than this reads everything anew. */
const TOLD_FOR = 1000

const verbOf = (row: RowChange): 'insert' | 'update' | 'delete' =>
  row.before === null ? 'insert' : row.after === null ? 'delete' : 'update'

/** A head's id: the last part of its key. So are other rows called within their head. */
export const idOf = (table: Table, row: Row): unknown => row[table.key.at(-1)!]

/** Whose a head is: the first part of its key. A merchant, or an organization. */
export const ownerKey = (head: Table, row: Row): unknown => row[head.key[0]!]

/** The name of a row in the `rows` of a history. */
export const rowName = (table: Table, row: Row): string => `${table.name} ${idOf(table, row)}`

export function headTable(change: Pick<Change, 'head'>): Table & { kind: string } {
  const head = tableNamed(change.head)
  if (head.kind === null) throw new Error(`${head.name} is no head of a change`)
  return head as Table & { kind: string }
}

/** Rows that a caller could have made before, under the same key: they are inserted before the head moves. */
const isGate = (change: Change, row: RowChange): boolean =>
  change.before !== null && row.before === null && tableNamed(row.table).keyChosenByCaller

const jsonOf = new Map<Table, string[]>()
/**
 * The JSON columns that a move leaves as they are. They are large, and the guard says that the row still is what it
 * was: so they are not sent again.
 */
function sameJson(head: Table, before: Row, after: Row): string[] {
  let json = jsonOf.get(head)
  if (!json) {
    json = head.mutable.filter(column => head.columns[column]!.is.sql.startsWith('json'))
    jsonOf.set(head, json)
  }
  return json.filter(column => before[column] === after[column])
}

function nameOf(change: ClaimedChange, lines: readonly ListingChange[], late: boolean): string {
  let name = change.before
    ? `update ${sameJson(headTable(change), change.before, change.after).join(' ')}`
    : change.ownId
      ? 'insert own'
      : 'insert'
  name += ` ${change.head}${change.event.announces === null ? '' : ' aloud'}`
  if (change.posts) name += ' posting'
  if (change.claim) name += change.claim.answer ? '+answered claim' : '+claim'
  for (const row of change.rows) name += `+${verbOf(row)} ${row.table}`
  if (change.unless) name += ` unless ${change.unless.table}.${change.unless.column}`
  if (late) name += ' late'
  for (const { i, verb, isNew } of lines) name += ` ${verb} listing ${i}${isNew ? ' of a new kind' : ''}`
  return name
}

/** What the change makes besides its head, by the id that a caller knows; else the head. */
function objectOf(change: Change): unknown {
  const row = change.rows.find(one => one.before === null && tableNamed(one.table).keyChosenByCaller)
  return row ? idOf(tableNamed(row.table), row.after!) : idOf(headTable(change), change.after)
}

const differs = new Map<Table, ReturnType<typeof differ>>()
function wasOf(table: Table, before: Row, after: Row): Row {
  let difference = differs.get(table)
  if (!difference) {
    difference = differ(table)
    differs.set(table, difference)
  }
  return difference(before, after)
}

/** What the rows of a change were, for its history. */
function historyOf({ before, after, rows, ...change }: Change): Was {
  // Before its first version there was nothing.
  if (!before || change.forgets) return {}
  const was: Was = wasOf(headTable(change), before, after)
  for (const row of rows) {
    const table = tableNamed(row.table)
    if (table.secret || table.pointer) continue
    const its = row.before && wasOf(table, row.before, row.after ?? {})
    if (its && Object.keys(its).length === 0) continue
    was.rows ??= {}
    was.rows[rowName(table, row.before ?? row.after!)] = its
  }
  return was
}

/**
 * A row of a change is its head's: of the same merchant, and where it names the head (by its own key, or by kind and
 * id) it names this one.
 */
function belongs(table: Table, common: readonly string[], row: Row, head: Table, after: Row): void {
  for (const column of common) {
    const its = column === 'kind' ? head.kind : column === 'object_id' ? idOf(head, after) : after[column]
    if (row[column] !== its) throw new Error(`${table.name}.${column} is not that of the head`)
  }
}

/**
 * The statement of one shape of change. It writes everything of the change, so that it is atomic on its own and
 * several fit one transaction:
 *
 *   k  claims the Idempotency-Key                                         (if the request brought one)
 *   g  inserts a row whose key a caller chose, if the version still holds (a refund)
 *   h  moves the head: update … where version = …, or insert
 *   r  writes the other rows, `from h`: only if the head moved
 *   l  writes what lists are read from, and n the kinds that are new      (if something listed has changed: `listing.ts`)
 *   s  moves the counter of what every process keeps in memory            (merchants, keys, connector accounts)
 *   w  says whose change moved it, and f forgets whose did long ago
 *   e  writes the history, with h's version, and the money that moved with it
 *   o  and what is to be told of it                                       (if merchants hear of it, or money moved)
 *   p  and where streams find it                                          (if it is said again, long after its event was named)
 *   a  and from where it came                                             (if the audit log has it)
 *
 * One row comes back if it was written, none if not. Nothing in it raises an error for what a caller sent: inserts
 * under a key that a caller may choose say `on conflict do nothing`, which looks every index up first. The others'
 * keys are ours and the guard makes them unique; were they not, an error would be right, and a payment that moved
 * without its operation would not. (The writer knows of one: a change that creates, run again because its COMMIT was
 * cut off.)
 *
 * What is the same for a shape stands in its text: a parameter costs half a microsecond on either side. The first
 * parameter is always the merchant (or the organization, of one that is the head).
 */
function build(name: string, change: ClaimedChange, lines: readonly ListingChange[], late: boolean): Shape {
  const head = headTable(change)
  const aloud = change.event.announces !== null
  const puts: Shape['puts'] = []
  const types: SqlType[] = []
  const place = (type: SqlType): string => `$${types.push(type)}::${type}`
  /** A parameter: its place in the text and where its value comes from, said once. */
  const param = (type: SqlType, read: Read): string => {
    const at = types.length
    puts.push((values, source) => {
      values[at] = read(source)
    })
    return place(type)
  }
  const merchant = param('text', s => ownerKey(head, s.change.after))
  const id = param('text', s => idOf(head, s.change.after))
  /** What all rows of a change have in common with its head is said once. */
  const shared: Record<string, string> = {
    [head.key[0]!]: merchant,
    [head.key.at(-1)!]: head.key.length === 1 ? merchant : id,
    kind: `'${head.kind}'`,
    object_id: id,
  }
  /** Parameters for columns of one row. */
  const columns = (table: Table, names: readonly string[], row: (source: Source) => Row): string[] => {
    const own = names.filter(column => !(column in shared))
    const put = putter(table, own, types.length)
    puts.push((values, source) => put(values, row(source)))
    const common = names.filter(column => column in shared)
    if (table !== head) puts.push((_values, { change }) => belongs(table, common, row({ change } as Source), head, change.after))
    const places = new Map(own.map(column => [column, place(table.columns[column]!.is.sql)]))
    return names.map(column => shared[column] ?? places.get(column)!)
  }
  const assign = (table: Table, row: (source: Source) => Row, same: readonly string[] = []) => {
    const names = table.mutable.filter(column => !same.includes(column))
    const places = columns(table, names, row)
    return names.map((column, i) => `${column} = ${places[i]}`).join(', ')
  }
  /** What inserts a row; those of a head and of a versioned row begin with version 1. */
  const inserts = (table: Table, row: (source: Source) => Row) => {
    const counted = table.names.filter(column => table.columns[column]!.is.counted)
    const names = table.names.filter(column => !counted.includes(column))
    const begins = counted.map(column => (column === 'version' || (aloud && table === head) ? '1' : '0'))
    return `insert into ${table.name} (${[...names, ...counted].join(', ')}) select ${[...columns(table, names, row), ...begins].join(', ')}`
  }
  /** An update leaves alone what never changes. */
  const keeps = (table: Table, row: (source: Source) => { before: Row | null; after: Row | null }) => {
    const keep = keeper(table)
    puts.push((_values, source) => {
      const { before, after } = row(source)
      keep(before!, after!)
    })
  }
  const rowOf = (i: number) => (source: Source) => source.change.rows[i]!
  const afterOf = (i: number) => (source: Source) => source.change.rows[i]!.after!

  const parts: string[] = []
  const gates: string[] = []
  const matches = (table: Table, places: readonly string[]) =>
    table.key.map((column, k) => `${table.name}.${column} = ${places[k]}`).join(' and ')
  const guard = change.before
    ? `${matches(head, head.key.length === 1 ? [merchant] : [merchant, id])} and ${head.name}.version = ${param('int', s => s.change.before!.version)}`
    : ''

  let claims: IdempotencyClaim | null = null
  if (change.claim) {
    const claim = (column: keyof Claim, type: SqlType = 'text') => param(type, s => s.change.claim![column])
    const [owner, key] = [claim('merchant_id'), claim('key')]
    const rest = `${claim('scope')}, ${claim('digest')}, ${claim('token')}, ${claim('claimed_at', 'timestamptz')}, ${head.money ? 'null' : claim('forget_at', 'timestamptz')},
    '${head.kind}', ${merchant}, ${id}, ${param('text', s => objectOf(s.change))}, ${param('int', s => s.version)}, ${param('text', s => s.event_id)}, ${change.claim.answer ? claim('answer', 'bytea') : 'null'}`
    const stale = claim('stale_before', 'timestamptz')
    claims = {
      owner,
      key,
      stale,
      take: (from, staleBefore) =>
        `insert into idempotency_keys as c (merchant_id, key, scope, digest, token, claimed_at, forget_at, kind, head_merchant, head_id, object_id, version, event_id, answer)
  select ${owner}, ${key}, ${rest} ${from}
  on conflict (merchant_id, key) do update set token = excluded.token, claimed_at = excluded.claimed_at, forget_at = excluded.forget_at, kind = excluded.kind,
    head_merchant = excluded.head_merchant, head_id = excluded.head_id, object_id = excluded.object_id, version = excluded.version, event_id = excluded.event_id, answer = excluded.answer
  where c.status is null and c.scope = excluded.scope and c.digest = excluded.digest
    and (c.token = excluded.token or c.claimed_at < ${staleBefore}) and ${notBegun}
  returning c.merchant_id, c.key`,
    }
    parts.push(`k as (${claims.take('', stale)})`)
    gates.push(CLAIMED)
  }

  if (change.unless) {
    const { table, column } = change.unless
    const of = tableNamed(table)
    const places = columns(of, of.key, s => s.change.unless!.key)
    gates.push(`not exists (select from ${table} where ${matches(of, places)} and ${column} is not null)`)
  }

  change.rows.forEach((row, i) => {
    if (!isGate(change, row)) return
    if (parts.some(part => part.startsWith('g')))
      throw new Error('one row of a change has a key that a caller chose: of two, the first would stay if the second were there')
    const gate = `g${gates.length}`
    // Whatever writes in a statement writes, whether or not anything asks for it: so a gate itself waits for those
    // before it.
    const open = [guard, ...gates].join(' and ')
    parts.push(
      `${gate} as (${inserts(tableNamed(row.table), afterOf(i))}\n  from ${head.name} where ${open} for update on conflict do nothing returning 1)`,
    )
    gates.push(`exists (select from ${gate})`)
  })

  const gated = gates.join(' and ')
  const counts = 'sequence' in head.columns ? ['version', 'sequence'] : ['version']
  let move: (from: string, returning: string) => string
  if (change.before) {
    keeps(head, s => s.change)
    const counting = aloud ? 'version = version + 1, sequence = sequence + 1' : 'version = version + 1'
    const sets = assign(head, s => s.change.after, sameJson(head, change.before, change.after))
    move = (from, returning) => `update ${head.name} set ${counting}, ${sets}
  ${from} where ${guard}${gated && ` and ${gated}`} returning ${returning}`
  } else {
    const row = inserts(head, s => s.change.after)
    move = (from, returning) =>
      `${row}\n  ${from} ${gated && `where ${gated} `}${change.ownId ? '' : 'on conflict do nothing '}returning ${returning}`
  }
  const heads = parts.length
  parts.push(`h as (${move('', counts.join(', '))})`)

  change.rows.forEach((row, i) => {
    if (isGate(change, row)) return
    const table = tableNamed(row.table)
    const verb = verbOf(row)
    if (verb === 'insert') {
      const made = table.maybeThere ? ' on conflict do nothing returning 1' : table.pointer ? ' on conflict do nothing' : ''
      parts.push(`r${i} as (${inserts(table, afterOf(i))} from h${made})`)
      return
    }
    if (verb === 'update') keeps(table, rowOf(i))
    const match = matches(
      table,
      columns(table, table.key, s => rowOf(i)(s).before!),
    )
    parts.push(
      verb === 'delete'
        ? `r${i} as (delete from ${table.name} using h where ${match})`
        : `r${i} as (update ${table.name} set ${assign(table, afterOf(i))} from h where ${match})`,
    )
  })
  lines.forEach(({ i, table, listing, verb, isNew }, at) => {
    const of = (s: Source) => s.lines[at]!
    // What was there already has its listing.
    const written = i >= 0 && table.maybeThere ? `r${i}` : 'h'
    const its = table === head ? id : param('text', s => idOf(table, of(s).row))
    const kind = param('bigint', s => of(s).kind)
    const created = param('timestamptz', s => of(s).row[listing.created])
    const columns = ['kind', 'created', 'object_id', 'amount', ...listedIds.filter(name => listing.ids[name])]
    const rest = () => [
      param('bigint', s => listedAmount(listing, of(s).row)),
      ...listedIds.flatMap(name => (listing.ids[name] ? [param('text', s => wordOf(listing.ids[name]!, name, of(s).row))] : [])),
    ]
    if (verb === 'insert')
      parts.push(
        `l${at} as (insert into listings (merchant_id, ${columns.join(', ')}) select ${[merchant, kind, created, its, ...rest()].join(', ')} from ${written})`,
      )
    else {
      const values = verb === 'move' ? [] : rest()
      const sets = [`kind = ${kind}`, ...values.map((value, i) => `${columns[i + 3]} = ${value}`)]
      parts.push(`l${at} as (update listings set ${sets.join(', ')} from h
  where listings.merchant_id = ${merchant} and listings.kind = ${param('bigint', s => of(s).was)} and listings.created = ${created} and listings.object_id = ${its})`)
    }
    if (isNew)
      parts.push(`n${at} as (insert into listing_kinds (merchant_id, resource, kind, facets)
  select ${merchant}, '${listing.resource}', ${kind}, ${param('json', s => JSON.stringify(facetsOf(listing, of(s).row)))} from h on conflict do nothing)`)
  })
  if (head.cached)
    parts.push(
      's as (update settings_version set version = settings_version.version + 1 from h returning settings_version.version)',
      `w as (insert into settings_changes (version, merchant_id) select s.version, ${merchant} from s)`,
      `f as (delete from settings_changes using s where settings_changes.version <= s.version - ${TOLD_FOR})`,
    )

  const created = param('timestamptz', s => s.created)
  parts.push(`e as (insert into changes (merchant_id, kind, object_id, version, sequence, event_id, type, announces, by, was, created${change.posts ? ', posted' : ''})
  select ${merchant}, '${head.kind}', ${id}, h.version, ${aloud ? 'h.sequence' : 'null'}, ${param('text', s => s.event_id)}, ${param('text', s => s.change.event.type)},
    ${aloud ? param('text', s => s.change.event.announces) : 'null'}, ${param('text', s => s.change.by)}, ${change.before ? param('json', s => s.was) : `'{}'`}, ${created}${change.posts ? `, ${param('json', s => balanced(s.change.posts!))}` : ''} from h)`)
  if (aloud || change.posts)
    parts.push(
      `o as (insert into outbox (merchant_id, kind, object_id, version, created) select ${merchant}, '${head.kind}', ${id}, h.version, ${created} from h)`,
    )
  if (late)
    parts.push(
      `p as (insert into late_events (merchant_id, place, event_id) select ${merchant}, ${param('text', s => s.place)}, ${param('text', s => s.event_id)} from h)`,
    )

  if (head.audited)
    parts.push(`a as (insert into audit_log (merchant_id, kind, object_id, version, request_id, address, created, mac)
  select ${merchant}, '${head.kind}', ${id}, h.version, ${param('text', s => s.change.origin?.request_id ?? null)}, ${param('text', s => s.change.origin?.address ?? null)},
    ${created}, ${param('text', s => s.mac)} from h)`)

  const statement: OfOne = { name, text: `with ${parts.join(',\n')}\nselect from h` }
  if (!isApart(change, head, lines, late))
    statement.ofMany = manyOf(name, types, { ...head, counts, inserts: !change.before }, claims, move, parts.slice(heads + 1))
  return { statement, parameters: types.length, puts }
}

/**
 * Is a change always said by itself? What inserts a row whose key a caller chose or moves a counter that all share,
 * what is hardly ever there twice, and what writes a row that two changes might share: only rows that are found by
 * their head's id are certainly of one of them.
 */
function isApart(change: ClaimedChange, head: Table, lines: readonly ListingChange[], late: boolean): boolean {
  if (late || head.cached || head.audited) return true
  if (lines.some(({ i, table }) => i >= 0 && table.maybeThere)) return true
  const id = head.key.at(-1)!
  return change.rows.some(row => {
    if (isGate(change, row)) return true
    const { key } = tableNamed(row.table)
    return row.before !== null && !key.includes('object_id') && !key.includes(id)
  })
}

/** What a change does to what lists are read from. */
function linesOf({ before, after, rows }: ClaimedChange, head: Table): Omit<ListingChange, 'isNew'>[] {
  const lines: Omit<ListingChange, 'isNew'>[] = []
  const add = (line: Omit<ListingChange, 'isNew'> | null) => line && lines.push(line)
  add(lineOf(-1, head, before, after))
  for (let i = 0; i < rows.length; i++) add(lineOf(i, tableNamed(rows[i]!.table), rows[i]!.before, rows[i]!.after))
  return lines
}

/** What the audit log knows of a change. */
function audited({ change, event_id, created, version, was }: Source, head: Table & { kind: string }): Parameters<typeof macOf>[1] {
  const { after, event, by, origin } = change
  const what = { merchant_id: ownerKey(head, after) as string, kind: head.kind, object_id: idOf(head, after) as string, version }
  return { ...what, event_id, type: event.type, by, was, created, ...(origin ?? nowhere) }
}

/** Turns changes into statements, one for each shape of change. `digest`: what makes entries of the audit log ours. */
export function openStatements(digest: Vault['digest']) {
  const shapes = new Map<string, Shape>()
  const known = openKnown()
  return {
    /**
     * The statement of a change. `created` is the time of the event, `event_id` its id, `place` where streams find it
     * if it comes late.
     */
    of(change: ClaimedChange, event_id: string, created: string, place: string | null = null): WrittenChange {
      const { before, after } = change
      const head = headTable(change)
      const merchant_id = ownerKey(head, after)
      const lines = linesOf(change, head).map(line => ({ ...line, isNew: !known.has(merchant_id, line.kind) }))
      const name = nameOf(change, lines, place !== null)
      let shape = shapes.get(name)
      if (!shape) {
        shape = build(`change_${shapes.size + 1}`, change, lines, place !== null)
        shapes.set(name, shape)
      }
      const version = before ? (before.version as number) + 1 : 1
      const was = before ? JSON.stringify(historyOf(change)) : '{}'
      const source: Source = { change, event_id, created, place, version, was, mac: '', lines }
      if (head.audited) source.mac = macOf(digest, audited(source, head))
      const values: unknown[] = new Array(shape.parameters)
      for (const put of shape.puts) put(values, source)
      return {
        statement: shape.statement,
        values,
        proof: { statement: proof, values: [merchant_id, head.kind, idOf(head, after), version, event_id] },
        written() {
          for (const { isNew, kind } of lines) if (isNew) known.add(merchant_id, kind)
        },
      }
    },
  }
}
