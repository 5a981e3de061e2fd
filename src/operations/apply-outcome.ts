import type { EventType } from '../base/event-types.ts'
import { namesOf } from '../base/log.ts'
import { between } from '../base/time.ts'
import type { Outcome } from '../connectors/connector.ts'
import type { Change, Context, RowChange } from '../context.ts'
import { DatabaseAway } from '../database/connection.ts'
import { isUnlisted } from '../database/listing-kinds.ts'
import { isFenced } from '../database/merchant-moves.ts'
import { declineRule } from './failure.ts'
import { type NewOperation, openOperation, operationRow } from './open.ts'
import { acceptsUpdates, type Destination, findOperation, isUnfinished, type Operation, operations } from './operation.ts'
import { referenceRow } from './references.ts'
import {
  type AggregateDefinition,
  type AggregateRow,
  aggregateOf,
  type Call,
  type Engine,
  type FollowUpOperation,
  type OutcomeContext,
  type RetryTarget,
  type Transition,
} from './verb.ts'
import { verbOf } from './verb-of.ts'

/** How often a change is tried that the database, though available, refuses: a row lock may be free the next time. */
const MOST_REFUSED = 4

/** A head, one of its operations, and the row that moves along with them if the operation's verb has one. */
export type Rows<H = AggregateRow> = { head: H; operation: Operation; companionRow: unknown }

/** The head as it now stands, and an operation that settling opened and that is still to be performed. */
export type Applied<H = AggregateRow> = { head: H; opened: Operation | null }

/**
 * Applies news of an operation from any source: answer, poll, webhook, customer's return; twice is harmless. Reads
 * rows only after a conflict. Never gives up while the database is away: a processor's answer must not be lost.
 * `worth`: the part of the outcome that still applies to the rows as they are by then; null: none.
 */
export async function applyOutcome(
  call: Call,
  rows: Rows,
  outcome: Outcome,
  where: (more: OutcomeContext) => RetryTarget | null = () => null,
  worth: (rows: Rows) => Outcome | null = () => outcome,
): Promise<Applied> {
  const more = declineRule(call.services, rows.head, rows.operation, outcome)
  const known: OutcomeContext = { ...more, next: where(more) }
  return settledOf(
    await decide(call, rows, now => {
      const { head, operation, companionRow } = now
      const applicable = worth(now)
      return applicable && verbOf(call.services, operation).after(head, operation, applicable, call.context.now(), companionRow, known)
    }),
  )
}

/** Applies the end of polling: seven days have passed without an answer. */
export const applyNoAnswer = async (call: Call, rows: Rows): Promise<Applied> =>
  settledOf(
    await decide(call, rows, ({ head, operation, companionRow }) =>
      verbOf(call.services, operation).onPollingEnded(head, operation, call.context.now(), companionRow),
    ),
  )

/** Stores the processor's reference of an operation without a result. An ended operation takes no other. */
export const noteReference = async (call: Call, rows: Rows, reference: string): Promise<Rows> =>
  (
    await decide(call, rows, ({ operation }) =>
      acceptsUpdates(operation) && operation.reference !== reference
        ? { move: null, head: {}, operation: { reference }, announces: null }
        : null,
    )
  ).rows

/**
 * Opens an operation again that never arrived and cannot be on its way any more; the in-flight window counts anew from
 * here. Null: another process or other news was first.
 */
export const reopen = (call: Call, rows: Rows): Promise<Rows | null> => takeInHand(call, rows, { state: 'open' })

/**
 * Writes that another sender is about to send an operation once more: that the first sender's request did not get
 * through is no news from now on (`perform`). Null: the operation has ended, or a third sender is about to send it.
 */
export const takeOver = (call: Call, rows: Rows): Promise<Rows | null> => takeInHand(call, rows, {})

async function takeInHand(call: Call, rows: Rows, more: Partial<Operation>): Promise<Rows | null> {
  let ours = false
  const { modified_at } = rows.operation
  const decided = await decide(call, rows, ({ operation }) => {
    ours = isUnfinished(operation) && operation.modified_at === modified_at
    return ours ? { move: null, head: {}, operation: { ...more, modified_at: call.context.now() }, announces: null } : null
  })
  return ours ? decided.rows : null
}

/** How long a head may stay unlisted without a result; well below `UNLISTED_MS`, when lists stop looking for it. */
const LISTED_BY_MS = 30_000

/** Lists a head whose first answer is late (its process died, or its processor is silent), in its present state. */
export async function listLate(call: Call, rows: Rows): Promise<Rows> {
  const late = ({ head, operation }: Rows) =>
    isUnlisted(aggregateOf(call.services, operation).table.listed, head) && between(operation.began, call.context.now()) >= LISTED_BY_MS
  return late(rows)
    ? (await decide(call, rows, rows => (late(rows) ? { move: null, head: {}, operation: {}, announces: null } : null))).rows
    : rows
}

type Decided = { rows: Rows; opened: Operation | null }

const settledOf = ({ rows, opened }: Decided): Applied => ({ head: rows.head, opened })

/** Decides with `what` and commits, again after a conflict. Only its verb changes `companionRow`: it stays as read. */
async function decide(call: Call, rows: Rows, what: (rows: Rows) => Transition<AggregateRow> | null): Promise<Decided> {
  const { context, services } = call
  let refused = 0
  for (let pause = 50; ; pause = Math.min(pause * 2, 2000)) {
    const step = what(rows)
    if (!step) return { rows, opened: null }
    const { change, operation, opened } = changeOf(context, services, rows, step)
    const { request_id } = rows.operation
    try {
      const written = await context.commit(change)
      if (written.is === 'written') {
        const kind = aggregateOf(services, operation)
        kind.operationChanged?.(written.row, rows.operation, operation)
        const afterwards = kind.afterwards?.(call, written.row)
        if (afterwards) await afterwards
        return { rows: { head: written.row, operation, companionRow: rows.companionRow }, opened }
      }
    } catch (error) {
      context.log.error(
        { err: error, merchant_id: operation.merchant_id, ...namesOf(operation), request_id },
        'a processor response could not be stored',
      )
      // A refused change is our own mistake, which endless retries do not repair: the operation's poll is still set. A
      // fenced merchant's rows belong to another deployment now, which queries the processor itself.
      if (isFenced(error)) throw error
      if (!(error instanceof DatabaseAway) && ++refused >= MOST_REFUSED) throw error
      await context.wait(pause)
    }
    rows = await reread(context, services, rows.operation)
  }
}

/**
 * Reads an operation with its head and companion row. The operation is read after the head, whose version guards the
 * change: one that is newer than its head makes the commit conflict, while an older one would be settled twice (a paid
 * payment's own approval would look like a second one, and be reversed).
 */
export async function findRows(
  context: Pick<Context, 'query' | 'files'>,
  services: Engine,
  named: Pick<Operation, 'merchant_id' | 'kind' | 'object_id' | 'n'>,
): Promise<Rows | undefined> {
  const head = await aggregateOf(services, named).find(context, named.merchant_id, named.object_id)
  const operation = head && (await findOperation(context, named, named.n))
  if (!operation) return undefined
  return {
    head: head as AggregateRow,
    operation,
    companionRow: (await verbOf(services, operation).companionRow?.(context, operation)) ?? null,
  }
}

/** Reads the rows as they are now, however long the database takes. */
async function reread(context: Context, services: Engine, operation: Operation): Promise<Rows> {
  for (let pause = 50; ; pause = Math.min(pause * 2, 2000)) {
    try {
      const rows = await findRows(context, services, operation)
      if (rows) return rows
      throw new Error(`${operation.kind} ${operation.object_id} or its operation ${operation.n} is gone`)
    } catch (error) {
      context.log.error(
        { err: error, merchant_id: operation.merchant_id, ...namesOf(operation) },
        'the operation to update could not be read; retrying',
      )
      await context.wait(pause)
    }
  }
}

function changeOf(context: Context, services: Engine, { head: before, operation }: Rows, step: Transition<AggregateRow>) {
  const kind = aggregateOf(services, operation)
  const status = step.move ? kind.after(before, step.move) : before.status
  const head: AggregateRow = { ...before, ...step.head, status, modified_at: context.now() }
  const settled: Operation = { ...operation, ...step.operation }
  const rows: RowChange[] = [{ table: operations.name, before: operation, after: settled }, ...(step.rows ?? [])]
  const name = referenceRow(operation, settled)
  if (name) rows.push(name)
  let opened: Operation | null = null
  if (step.open) {
    opened = openOperation(context, head, ...toOpen(operation, settled, step.open))
    head.operation_count = opened.n
    if (step.open.is === 'again') Object.assign(head, step.open.head(opened))
    else if (step.open.is === 'reversal' && step.open.alone) head.alone = opened.n
    rows.push(operationRow(opened))
  }
  const type = step.move ?? `${operation.verb}_${settled.state}`
  const announces = step.announces === undefined ? ownAnnouncement(kind, before, head, operation, settled) : step.announces
  const posts = kind.posts?.({ was: before, is: head }, { was: operation, is: settled }, opened)
  const change: Change & { after: AggregateRow } = {
    head: kind.table.name,
    before,
    after: head,
    rows,
    event: { type, announces },
    posts,
    by: context.by,
  }
  return { change, operation: settled, opened }
}

/** Returns the operation that opens with the end of another, and the account that it goes to. */
function toOpen(operation: Operation, settled: Operation, open: FollowUpOperation<AggregateRow>): [Destination, NewOperation] {
  const { kind, object_id } = operation
  if (open.is === 'again') {
    const { purpose, acts_on, amount, client_network, routing } = operation
    const verb = open.verb ?? operation.verb
    return [open.next.account, { kind, object_id, verb, purpose, acts_on, amount, client_network, routing }]
  }
  const same = { connector_name: operation.connector, merchant_connector_id: operation.merchant_connector_id }
  const acts_on = operation.acts_on ?? operation.n
  if (open.is === 'capture') return [same, { kind, object_id, verb: 'capture', purpose: 'merchant', acts_on, amount: open.amount }]
  const amount = open.amount ?? settled.response?.amount ?? operation.amount
  return [same, { kind, object_id, verb: open.verb, purpose: 'reversal', acts_on, amount }]
}

/** The event type to announce: a new status, the first news of an operation in progress, or a conflict. Null: none. */
function ownAnnouncement(
  kind: AggregateDefinition,
  before: AggregateRow,
  after: AggregateRow,
  operation: Operation,
  settled: Operation,
): EventType | null {
  const firstWord =
    operation.state === 'open' && before.status === after.status && (settled.state === 'waiting' || settled.state === 'unknown')
  const isAnnounced = after.status !== before.status || firstWord || settled.state === 'conflicted'
  return isAnnounced ? kind.announced(after) : null
}
