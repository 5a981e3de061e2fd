import type { Statement, Vault } from '../context.ts'
import { macOf, nowhere } from './audit.ts'
import { manyOf, type OfOne, returnedOfMany } from './batch-statements.ts'
import {
  type ClaimedChange,
  type HeadTable,
  headTable,
  headWas,
  historyOf,
  idOf,
  isGate,
  listingChanges,
  ownerKey,
  rowVerb,
  type Source,
  writtenColumns,
} from './change.ts'
import { type ListingChange, openKnown } from './listing.ts'
import { forOne, joined, type Sql } from './sql.ts'
import { statement } from './statement.ts'
import {
  auditPart,
  claimGate,
  type Gate,
  guardOf,
  headBody,
  historyPart,
  latePart,
  listingParts,
  outboxPart,
  type Part,
  rowGate,
  rowPart,
  settingsParts,
  unlessGate,
} from './statement-parts.ts'
import { openValues, type PutValues, param, type Values } from './statement-values.ts'
import { isEmptyYet, tableNamed } from './table.ts'

/** A change as one statement, and the query that proves that it was written. `written`: called once it is. */
export type WrittenChange = { statement: OfOne; values: unknown[]; proof: { statement: Statement; values: unknown[] }; written(): void }

type Shape = { statement: OfOne; parameters: number; puts: PutValues[] }

/** How many shapes have columns of their own; beyond, an update writes all, as PostgreSQL keeps every plan. */
const MOST_SHAPES = 400

const proof = statement(
  'proof_of_change',
  'select version from changes where merchant_id = $1 and kind = $2 and object_id = $3 and version = $4 and event_id = $5',
)

function nameOf(change: ClaimedChange, lines: readonly ListingChange[], written: readonly string[], late: boolean): string {
  let name = change.before ? `update ${written.join(' ')}` : change.ownId ? 'insert own' : 'insert'
  name += ` ${change.head}${change.event.announces === null ? '' : ' aloud'}`
  if (change.posts) name += ' posting'
  if (change.claim) name += change.claim.answer ? '+answered claim' : '+claim'
  if (!change.before && !isEmptyYet(headTable(change), change.after)) name += ' filled'
  for (const row of change.rows) {
    name += `+${rowVerb(row)} ${row.table}`
    if (row.before === null && !isEmptyYet(tableNamed(row.table), row.after!)) name += ' filled'
  }
  if (change.unless) name += ` unless ${change.unless.table}.${change.unless.column}`
  if (late) name += ' late'
  for (const { i, verb, isNew } of lines) name += ` ${verb} listing ${i}${isNew ? ' of a new kind' : ''}`
  return name
}

/**
 * Builds the statement of one shape of change. The statement writes everything of the change, so that it is atomic on
 * its own and several fit one transaction:
 *
 *   k  claims the Idempotency-Key                                         (if the request brought one)
 *   g  inserts a row whose key a caller chose, if the version still holds (a refund)
 *   h  moves the head: update … where version = …, or insert
 *   r  writes the other rows, `from h`: only if the head moved
 *   l  writes the rows that lists are read from, and n the new kinds      (if a listed column changed: `listing.ts`)
 *   s  increments the counter of the settings kept in memory              (merchants, keys, connector accounts)
 *   w  stores the merchant whose change did so, and f deletes old entries
 *   e  writes the history, with h's version, and the money that moved with the change
 *   o  writes the pending announcement                                    (if merchants hear of it, or money moved)
 *   p  writes the place at which streams find the event                   (if its id was created long before)
 *   a  writes the origin of the request                                   (if the audit log has it)
 *
 * The statement returns one row if the change was written, none if not. It raises no error because of a caller's
 * input: inserts under a key that a caller may choose say `on conflict do nothing`, which looks every index up first.
 * The other keys are our own and the guard makes them unique; were they not, an error would be right, and a payment
 * that moved without its operation would not. (The writer knows of one such error: a change that creates a row, run
 * again because its COMMIT was cut off.)
 *
 * The first parameter is always the merchant (or the organization, if that is the head).
 */
function build(name: string, change: ClaimedChange, lines: readonly ListingChange[], written: readonly string[], late: boolean): Shape {
  const head = headTable(change)
  const values = openValues(change, head, lines, written, late)
  const guard = guardOf(values)
  const gates = gatesOf(values, guard)
  const counts = 'sequence' in head.columns ? ['version', 'sequence'] : ['version']
  const holds = gates.map(gate => gate.holds)
  const moved = { one: counts.join(', '), many: returnedOfMany(head, counts, !change.before) }
  const body = headBody(values, guard, holds, moved)
  const before = gates.flatMap(({ part }) => (part ? [part] : []))
  const rest = restOf(values)
  const parts = [...before, { name: 'h', body }, ...rest]
  const text = `with ${parts.map(part => `${part.name} as (${forOne(part.body)})`).join(',\n')}\nselect from h`
  const statement: OfOne = { name, text }
  if (!isApart(change, head, lines, late))
    statement.ofMany = manyOf(name, values.types, { head, counts, inserts: !change.before, before, body, rest })
  return { statement, parameters: values.types.length, puts: values.puts }
}

/** Before the head moves: its Idempotency-Key is claimed, no row blocks it, and keys that callers chose are new. */
function gatesOf(values: Values, guard: Sql): Gate[] {
  const { change } = values
  const gates: Gate[] = []
  if (change.claim) gates.push(claimGate(values))
  if (change.unless) gates.push(unlessGate(values))
  const chosen = change.rows.flatMap((row, i) => (isGate(change, row) ? [i] : []))
  if (chosen.length > 1)
    throw new Error('one row of a change has a key that a caller chose: of two, the first would stay if the second were there')
  const [row] = chosen
  if (row !== undefined) gates.push(rowGate(values, row, `g${gates.length}`, joined([guard, ...gates.map(gate => gate.holds)], ' and ')))
  return gates
}

/** Returns the parts that are written if the head moved. */
function restOf(values: Values): Part[] {
  const { change, head, lines, aloud, late } = values
  const parts: Part[] = []
  change.rows.forEach((row, i) => {
    if (!isGate(change, row)) parts.push(rowPart(values, i))
  })
  for (let at = 0; at < lines.length; at++) parts.push(...listingParts(values, at))
  if (head.cached) parts.push(...settingsParts(values))
  const created = param(values, 'timestamptz', s => s.created)
  parts.push(historyPart(values, created))
  if (aloud || change.posts) parts.push(outboxPart(values, created))
  if (late) parts.push(latePart(values))
  if (head.audited) parts.push(auditPart(values, created))
  return parts
}

/**
 * Whether a change always has a statement of its own: a change that inserts a row whose key a caller chose, or moves a
 * counter that all share; a change of which two at once are rare; and a change of a row that two changes might share:
 * only rows that are found by their head's id certainly belong to one change.
 */
function isApart(change: ClaimedChange, head: HeadTable, lines: readonly ListingChange[], late: boolean): boolean {
  if (late || head.cached || head.audited) return true
  if (lines.some(({ i, table }) => i >= 0 && table.maybeThere)) return true
  const id = head.key.at(-1)!
  return change.rows.some(row => {
    if (isGate(change, row)) return true
    const { key } = tableNamed(row.table)
    return row.before !== null && !key.includes('object_id') && !key.includes(id)
  })
}

function audited({ change, event_id, created, version, was }: Source, head: HeadTable): Parameters<typeof macOf>[1] {
  const { after, event, by, origin } = change
  const what = { merchant_id: ownerKey(head, after) as string, kind: head.kind, object_id: idOf(head, after) as string, version }
  return { ...what, event_id, type: event.type, by, was, created, ...(origin ?? nowhere) }
}

/** Opens the builder of statements, one a shape. `digest`: the keyed digest that proves audit entries to be ours. */
export function openStatements(digest: Vault['digest']) {
  const shapes = new Map<string, Shape>()
  const known = openKnown()
  return {
    /** `created`: the event's time; `place`: the id by which streams find the event, if it is late. */
    of(change: ClaimedChange, event_id: string, created: string, place: string | null = null): WrittenChange {
      const { before, after } = change
      const head = headTable(change)
      const merchant_id = ownerKey(head, after)
      const lines = listingChanges(change, head)
      for (const line of lines) line.isNew = !known.has(merchant_id, line.kind)
      const altered = headWas(head, change)
      const written = shapes.size < MOST_SHAPES ? writtenColumns(head, change, altered) : head.mutable
      const name = nameOf(change, lines, written, place !== null)
      let shape = shapes.get(name)
      if (!shape) {
        shape = build(`change_${shapes.size + 1}`, change, lines, written, place !== null)
        shapes.set(name, shape)
      }
      const version = before ? (before.version as number) + 1 : 1
      const was = before ? JSON.stringify(historyOf(change, altered)) : '{}'
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
