import { between } from '../base/time.ts'
import type { Reads, Time } from '../context.ts'
import { statement } from '../database/statement.ts'
import { type Operation, type OperationState, type Owner, operations } from './operation.ts'
import { POLL_AFTER_MS } from './poll-schedule.ts'

type Step = { version: number; by: string; created: Time; rows: Record<string, Record<string, unknown> | null> | null }

const stepsOf = statement(
  'changes_of_operations',
  `select version, by, created, was -> 'rows' as rows from changes where merchant_id = $1 and object_id = $2 and kind = $3 order by version`,
)

/**
 * `version`: the object's when the operation was begun; `by`: who began it. `heard_at`: when the processor first
 * answered or reported it. `latency_ms`: the first call, until it ended with or without an answer. Null: not yet.
 */
export type OperationHistory = { version: number | null; by: string | null; heard_at: Time | null; latency_ms: number | null }

const isSilence = (state: OperationState): boolean =>
  state === 'open' || state === 'unknown' || state === 'not_sent' || state === 'unresolved'

/** Reads the histories of all operations of an object by one statement, and returns that of each operation. */
export async function findHistories(
  context: Reads,
  { merchant_id, kind, object_id }: Owner,
): Promise<(operation: Operation) => OperationHistory> {
  const steps = await context.query<Step>(stepsOf, [merchant_id, object_id, kind])
  return operation => historyIn(steps, operation)
}

function historyIn(steps: readonly Step[], { n, state, began }: Operation): OperationHistory {
  const name = `${operations.name} ${n}`
  const its = steps.filter(({ rows }) => rows?.[name] !== undefined)
  // The rows that an object was created with are not recorded as changes of the object.
  const first = its.find(({ rows }) => rows![name] === null) ?? steps[0]
  const moves = its.flatMap(({ rows, created }) => (rows![name]?.state === undefined ? [] : [{ created, was: rows![name]!.state }]))
  const answered = moves.find((_, i) => !isSilence((moves[i + 1]?.was ?? state) as OperationState))
  return {
    version: first?.version ?? null,
    by: first?.by ?? null,
    heard_at: answered?.created ?? null,
    latency_ms: moves[0] ? Math.max(0, between(began, moves[0].created)) : null,
  }
}

/** The number of scheduled polls before the next poll, or before the last news if no poll is due. */
export const pollsBefore = ({ began, poll_at, modified_at }: Operation): number => {
  const until = between(began, poll_at ?? modified_at)
  return POLL_AFTER_MS.filter(after => after < until).length
}
