import type { Context } from '../context.ts'
import { changes } from '../database/changes.ts'
import { rowAt } from '../database/past-row.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { type Operation, operations } from '../operations/operation.ts'
import { PAYMENT, payments } from '../payments/payment.ts'
import type { HistoryRow } from './headline.ts'

const ofPayment = statement(
  'operations_to_announce',
  select(operations, `where merchant_id = $1 and kind = '${PAYMENT}' and object_id = $2 order by n`),
)
const historyOf = statement(
  'changes_of_operations_to_announce',
  select(changes, `where merchant_id = $1 and kind = '${PAYMENT}' and object_id = $2 order by version`),
)

/** Whether only the attempt shows the change: manual review with an unchanged status, or no answer. */
const isAboutAnAttempt = ({ announces, was, type }: HistoryRow): boolean =>
  (announces === 'action_required' && !('status' in was)) || (announces !== null && type === 'authorize_unknown')

/** Returns a payment's operations after a change about an attempt; null for other changes, without a query. */
export async function operationsAtVersion(context: Pick<Context, 'query'>, change: HistoryRow): Promise<Operation[] | null> {
  if (!isAboutAnAttempt(change)) return null
  const { merchant_id, object_id, version } = change
  const { now, all } = await operationsAndHistory(context, merchant_id, object_id)
  return now.map(one => rowAt(operations, one, payments, all, version)).filter(one => one !== null)
}

/** The rows are read before their history: a change written between the two reads is subtracted as well. */
export async function operationsAndHistory(context: Pick<Context, 'query'>, merchant_id: string, payment_id: string) {
  const now = await context.query<Operation>(ofPayment, [merchant_id, payment_id])
  const all = await context.query<HistoryRow>(historyOf, [merchant_id, payment_id])
  return { now, all }
}
