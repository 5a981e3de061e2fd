import type { Change, Row, RowChange, Statement } from '../world.ts'
import { statement } from './statement.ts'
import { appender, difference, keeper, type SqlType, type Table, tableNamed } from './table.ts'

/** The right to answer one Idempotency-Key, taken in the statement that begins the work: see `http/idempotency.ts`. */
export type Claim = {
  merchant_id: string
  key: string
  scope: string
  digest: string
  token: string
  claimed_at: string
  stale_before: string
}

export type ClaimedChange = Change & { claim?: Claim }

/** A change as one SQL statement, and the question whether exactly this change was written (for a COMMIT that was cut off). */
export type Written = { statement: Statement; values: unknown[]; proof: { statement: Statement; values: unknown[] } }

/** Everything a statement's values are read from. */
type Source = { change: ClaimedChange; after: Row; event_id: string; created: string; version: number; was: string; set: string }

type Read = (source: Source) => unknown

/** The statement of one shape of change, and what appends the values of its parameters, in their order. */
type Shape = { statement: Statement; appends: ((values: unknown[], source: Source) => void)[] }

const proof = statement(
  'proof_of_change',
  'select version from events where merchant_id = $1 and payment_id = $2 and version = $3 and event_id = $4',
)

const verbOf = (row: RowChange): 'insert' | 'update' | 'delete' =>
  row.before === null ? 'insert' : row.after === null ? 'delete' : 'update'

/**
 * Turns changes into statements, one for each shape of change. One statement writes everything of a change, so that it is atomic on its own and several fit one transaction:
 *
 *   k  claims the Idempotency-Key                                         (if the request brought one)
 *   g  inserts rows whose key a caller chose, if the version still holds  (a refund)
 *   h  moves the payment: update … where version = …, or insert
 *   r  writes the other rows, `from h`: only if the payment moved
 *   e  writes the event, with h's version
 *
 * One row comes back if it was written, none if not. Nothing in it raises an error for what a caller sent: inserts under a key that a caller may choose say `on conflict do nothing`. The others'
 * keys are ours and the guard makes them unique; were they not, an error would be right, and a payment that moved without its operation would not.
 */
export function openStatements(head: Table) {
  const shapes = new Map<string, Shape>()
  const [merchantKey, idKey] = [head.key[0]!, head.key[1]!]

  const tableOf = (row: RowChange): Table => tableNamed(row.table)

  /** Rows that a caller could have made before, under the same key: they are inserted before the payment moves. */
  const isGate = (change: Change, row: RowChange): boolean =>
    change.before !== null && row.before === null && tableOf(row).keyChosenByCaller

  function nameOf(change: ClaimedChange): string {
    let name = change.before ? `update ${sameJson(change.before, change.after).join(' ')}` : 'insert'
    if (change.claim) name += '+claim'
    for (const row of change.rows) name += `+${verbOf(row)} ${row.table}`
    return name
  }

  const json = head.mutable.filter(column => head.columns[column]!.is.sql === 'json')

  /** The JSON columns that a move leaves as they are. They are large, and the guard says that the row still is what it was: so they are not sent again. */
  const sameJson = (before: Row, after: Row): string[] => json.filter(column => before[column] === after[column])

  /** What the change makes besides the payment, by the id that a caller knows; else the payment. */
  function objectOf(change: Change): unknown {
    const row = change.rows.find(one => one.before === null && tableOf(one).keyChosenByCaller)
    return row ? row.after![tableOf(row).key[1]!] : change.after[idKey]
  }

  function build(change: ClaimedChange): Shape {
    const appends: Shape['appends'] = []
    let parameters = 0
    /** A parameter: its place in the text and where its value comes from, said once. */
    const param = (type: SqlType, read: Read): string => {
      appends.push((values, source) => values.push(read(source)))
      return `$${++parameters}::${type}`
    }
    /** Parameters for columns of one row. */
    const columns = (table: Table, names: readonly string[], row: (source: Source) => Row): string[] => {
      const append = appender(table, names)
      appends.push((values, source) => append(values, row(source)))
      return names.map(name => `$${++parameters}::${table.columns[name]!.is.sql}`)
    }
    const assign = (table: Table, row: (source: Source) => Row, same: readonly string[] = []) => {
      const names = table.mutable.filter(name => !same.includes(name))
      const places = columns(table, names, row)
      return names.map((name, i) => `${name} = ${places[i]}`).join(', ')
    }
    const all = (table: Table) => table.names
    /** An update leaves alone what never changes. */
    const keeps = (table: Table, rows: (source: Source) => { before: Row | null; after: Row | null }) => {
      const keep = keeper(table)
      appends.push((_values, source) => {
        const { before, after } = rows(source)
        keep(before!, after!)
      })
    }
    const afterOf = (i: number) => (source: Source) => source.change.rows[i]!.after!

    const merchant = param('text', s => s.after[merchantKey])
    const id = param('text', s => s.after[idKey])
    const parts: string[] = []
    const gates: string[] = []
    const guard = change.before
      ? `${head.name}.${merchantKey} = ${merchant} and ${head.name}.${idKey} = ${id} and ${head.name}.version = ${param('int', s => s.change.before!.version)}`
      : ''

    if (change.claim) {
      const claim = (name: keyof Claim, type: SqlType = 'text') => param(type, s => s.change.claim![name])
      parts.push(`k as (insert into claims as c (merchant_id, key, scope, digest, token, claimed_at, payment_id, object_id, version, event_id)
  values (${claim('merchant_id')}, ${claim('key')}, ${claim('scope')}, ${claim('digest')}, ${claim('token')}, ${claim('claimed_at', 'timestamptz')}, ${id},
    ${param('text', s => objectOf(s.change))}, ${param('int', s => s.version)}, ${param('text', s => s.event_id)})
  on conflict (merchant_id, key) do update set token = excluded.token, claimed_at = excluded.claimed_at, payment_id = excluded.payment_id, object_id = excluded.object_id,
    version = excluded.version, event_id = excluded.event_id
  where c.status is null and c.scope = excluded.scope and c.digest = excluded.digest
    and (c.token = excluded.token or c.claimed_at < ${claim('stale_before', 'timestamptz')})
    and not exists (select from events where merchant_id = c.merchant_id and payment_id = c.payment_id and version = c.version and event_id = c.event_id)
  returning 1)`)
      gates.push('exists (select from k)')
    }

    change.rows.forEach((row, i) => {
      if (!isGate(change, row)) return
      const table = tableOf(row)
      const name = `g${gates.length}`
      parts.push(`${name} as (insert into ${table.name} (${all(table).join(', ')}) select ${columns(table, all(table), afterOf(i)).join(', ')}
  from ${head.name} where ${guard} for update on conflict do nothing returning 1)`)
      gates.push(`exists (select from ${name})`)
    })

    const gated = gates.join(' and ')
    if (change.before) {
      keeps(head, s => s.change)
      parts.push(`h as (update ${head.name} set version = version + 1, sequence = sequence + ${param('int', s => (s.change.event.announces === null ? 0 : 1))},
  ${assign(head, s => s.after, sameJson(change.before, change.after))} where ${guard}${gated && ` and ${gated}`} returning version, sequence)`)
    } else {
      parts.push(`h as (insert into ${head.name} (${all(head).join(', ')}) select ${columns(head, all(head), s => s.after).join(', ')}
  ${gated && `where ${gated} `}on conflict do nothing returning version, sequence)`)
    }

    change.rows.forEach((row, i) => {
      if (isGate(change, row)) return
      const table = tableOf(row)
      const verb = verbOf(row)
      if (verb === 'insert') {
        parts.push(
          `r${i} as (insert into ${table.name} (${all(table).join(', ')}) select ${columns(table, all(table), afterOf(i)).join(', ')} from h)`,
        )
        return
      }
      if (verb === 'update') keeps(table, s => s.change.rows[i]!)
      const places = columns(table, table.key, s => s.change.rows[i]!.before!)
      const match = table.key.map((name, k) => `${table.name}.${name} = ${places[k]}`).join(' and ')
      parts.push(
        verb === 'delete'
          ? `r${i} as (delete from ${table.name} using h where ${match})`
          : `r${i} as (update ${table.name} set ${assign(table, afterOf(i))} from h where ${match})`,
      )
    })

    const announces = param('text', s => s.change.event.announces)
    parts.push(`e as (insert into events (merchant_id, payment_id, version, sequence, event_id, type, announces, was, set, created)
  select ${merchant}, ${id}, h.version, case when ${announces} is null then null else h.sequence end, ${param('text', s => s.event_id)}, ${param('text', s => s.change.event.type)},
    ${announces}, ${param('json', s => s.was)}, ${param('json', s => s.set)}, ${param('timestamptz', s => s.created)} from h)`)

    return { appends, statement: { name: `change_${shapes.size + 1}`, text: `with ${parts.join(',\n')}\nselect from h` } }
  }

  return {
    /** The statement of a change. `created` is the time of the event, `event_id` its id. */
    of(change: ClaimedChange, event_id: string, created: string): Written {
      const name = nameOf(change)
      let shape = shapes.get(name)
      if (!shape) {
        shape = build(change)
        shapes.set(name, shape)
      }
      const { before, after } = change
      const version = before ? (before.version as number) + 1 : 1
      const { was, set } = before ? difference(head, before, after) : { was: {}, set: {} }
      const source: Source = { change, after, event_id, created, version, was: JSON.stringify(was), set: JSON.stringify(set) }
      const values: unknown[] = []
      for (const append of shape.appends) append(values, source)
      return {
        statement: shape.statement,
        values,
        proof: { statement: proof, values: [after[merchantKey], after[idKey], version, event_id] },
      }
    },
  }
}
