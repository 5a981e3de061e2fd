import type { Context } from '../context.ts'
import { changes } from '../database/changes.ts'
import { rowAt } from '../database/past-row.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { type Operation, operations } from '../operations/operation.ts'
import { PAYMENT, payments } from '../payments/payment.ts'
import type { HistoryRow } from './news.ts'

const ofPayment = statement(
  'operations_to_tell',
  select(operations, `where merchant_id = $1 and kind = '${PAYMENT}' and object_id = $2 order by n`),
)
const historyOf = statement(
  'changes_of_operations_to_tell',
  select(changes, `where merchant_id = $1 and kind = '${PAYMENT}' and object_id = $2 order by version`),
)

/**
 * Manual review is required, though the status of the payment has not changed; or the processor did not answer: it
 * concerns an attempt, and nothing else of the payment names it.
 */
const isAboutAnAttempt = ({ announces, was, type }: HistoryRow): boolean =>
  (announces === 'action_required' && !('status' in was)) || (announces !== null && type === 'authorize_unknown')

/**
 * Of a change of a payment that is about an attempt, what was asked of processors, as it was after that change; null
 * of all others, which cost no question.
 */
export async function operationsThen(context: Pick<Context, 'query'>, change: HistoryRow): Promise<Operation[] | null> {
  if (!isAboutAnAttempt(change)) return null
  const { merchant_id, object_id, version } = change
  const { now, all } = await operationsAndHistory(context, merchant_id, object_id)
  return now.map(one => rowAt(operations, one, payments, all, version)).filter(one => one !== null)
}

/**
 * The operations of a payment as they are, and all of its changes. The rows before their history: what moves in between
 * is then taken back as well.
 */
export async function operationsAndHistory(context: Pick<Context, 'query'>, merchant_id: string, payment_id: string) {
  const now = await context.query<Operation>(ofPayment, [merchant_id, payment_id])
  const all = await context.query<HistoryRow>(historyOf, [merchant_id, payment_id])
  return { now, all }
}
