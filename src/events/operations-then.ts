import type { Context } from '../context.ts'
import { changes } from '../database/changes.ts'
import { statement } from '../database/statement.ts'
import { type RowOf, select } from '../database/table.ts'
import { type Operation, operations } from '../operations/operation.ts'
import { PAYMENT, payments } from '../payments/payment.ts'
import { rowAt } from './render.ts'

type Change = RowOf<typeof changes>

const ofPayments = statement(
  'operations_to_tell',
  select(operations, `where merchant_id = $1 and kind = '${PAYMENT}' and object_id = any($2) order by n`),
)
const historyOf = statement(
  'changes_of_operations_to_tell',
  select(changes, `where merchant_id = $1 and kind = '${PAYMENT}' and object_id = any($2) order by version`),
)

/**
 * Somebody must look, though the status of the payment has not changed: so it is about an attempt, and nothing else
 * of the payment says which.
 */
const isAboutAnAttempt = (change: Change): boolean => change.announces === 'action_required' && !('status' in change.was)

/**
 * For each of these changes of payments that is about an attempt, what was asked of processors, as it was after that
 * change; null for all others, which cost no question.
 */
export async function operationsThen(
  context: Pick<Context, 'query'>,
  merchant_id: string,
  told: readonly Change[],
): Promise<(change: Change) => Operation[] | null> {
  const ids = [...new Set(told.filter(isAboutAnAttempt).map(change => change.object_id))]
  if (ids.length === 0) return () => null
  // The rows before their history: what moves in between is then taken back as well.
  const now = await context.query<Operation>(ofPayments, [merchant_id, ids])
  const all = await context.query<Change>(historyOf, [merchant_id, ids])
  return change => {
    if (!isAboutAnAttempt(change)) return null
    const its = all.filter(one => one.object_id === change.object_id)
    return now
      .filter(one => one.object_id === change.object_id)
      .map(one => rowAt(operations, one, payments, its, change.version))
      .filter(one => one !== null)
  }
}
