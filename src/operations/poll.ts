import type { Time } from '../context.ts'
import { claimed } from '../database/due.ts'
import { statement } from '../database/statement.ts'
import { findRows, listLate } from './apply-outcome.ts'
import { type Operation, operations, takesNews } from './operation.ts'
import { pollAfter } from './poll-schedule.ts'
import { syncOperation } from './sync.ts'
import { aggregateOf, type Call, type JobContext } from './verb.ts'

/** Operations without a known result, a line for each account. */
export const operationPolls = claimed(operations, {
  when: 'poll_at',
  gives: ['merchant_id', 'kind', 'object_id', 'n'],
  asksProcessor: true,
})

/** Only while the alarm is the one that went off: a process that settled the operation meanwhile has set its own. */
const setAlarm = statement(
  'set_alarm',
  'update processor_operations set poll_at = $5 where merchant_id = $1 and kind = $2 and object_id = $3 and n = $4 and poll_at = $6',
)

/** It rings at the next tick, unless it is to ring before or has been settled. */
const setAlarmNow = statement(
  'set_alarm_now',
  'update processor_operations set poll_at = $5 where merchant_id = $1 and kind = $2 and object_id = $3 and n = $4 and poll_at > $5',
)

/**
 * The processor may have news of an operation (a webhook, a return). The operation's alarm polls it, as soon as its
 * turn comes; at once, where the operation has none and there may still be news of it.
 */
export async function pollSoon(call: Call, operation: Operation): Promise<void> {
  const { merchant_id, kind, object_id, n, poll_at } = operation
  if (poll_at !== null) {
    await call.context.query(setAlarmNow, [merchant_id, kind, object_id, n, call.context.now()])
    return
  }
  const rows = await findRows(call.context, call.services, operation)
  if (rows && (takesNews(rows.operation) || aggregateOf(call.services, operation).mayChange(rows.head).includes(n)))
    await syncOperation(call, operation)
}

/**
 * An alarm went off: asks the processor about the operation. If that brought nothing new, the alarm is set to the
 * next rung of its ladder.
 */
export async function pollOperation(
  { context, services, settings }: JobContext,
  alarm: Pick<Operation, 'merchant_id' | 'kind' | 'object_id' | 'n'>,
): Promise<void> {
  const [merchant, rows] = await Promise.all([settings.merchant(alarm.merchant_id), findRows(context, services, alarm)])
  if (!merchant || !rows || rows.operation.poll_at === null) return
  const { head, operation } = await listLate({ context, services, merchant }, rows)
  // It ended meanwhile.
  if (operation.poll_at === null) return
  let sooner: Time | null = null
  try {
    sooner = await syncOperation({ context, services, merchant }, operation)
  } finally {
    const { merchant_id, kind, object_id, n, poll_at } = operation
    const usual = pollAfter(operation, context.now(), head.expires_on)
    const next = sooner !== null && (usual === null || sooner < usual) ? sooner : usual
    await context.query(setAlarm, [merchant_id, kind, object_id, n, next, poll_at])
  }
}
