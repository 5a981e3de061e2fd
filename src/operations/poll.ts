import { SECOND_MS } from '../base/time.ts'
import type { Context, Time } from '../context.ts'
import { claimed } from '../database/due.ts'
import { statement } from '../database/statement.ts'
import { findRows, listLate } from './apply-outcome.ts'
import { mayStillTurnUp, type Operation, type Owner, operations } from './operation.ts'
import { pollAfter } from './poll-schedule.ts'
import { syncOperation } from './sync.ts'
import { aggregateOf, type Call, type JobContext } from './verb.ts'

/** Operations without a known result, a line for each account. */
export const operationPolls = claimed(operations, {
  when: 'poll_at',
  gives: ['merchant_id', 'kind', 'object_id', 'n'],
  asksProcessor: true,
})

/** Only while the poll is still the one that fell due: who settled the operation meanwhile has set its own. */
const setPoll = statement(
  'set_poll',
  'update processor_operations set poll_at = $5 where merchant_id = $1 and kind = $2 and object_id = $3 and n = $4 and poll_at = $6',
)

const SOONEST_MS = 15 * SECOND_MS
const SOONER = `$4::timestamptz + greatest('${SOONEST_MS} ms'::interval, ($4::timestamptz - began) / 30)`

/** Sets the poll to the next tick, unless the poll is due sooner or the operation has been settled. */
const setPollNow = statement(
  'set_poll_now',
  'update processor_operations set poll_at = $5 where merchant_id = $1 and kind = $2 and object_id = $3 and n = $4 and poll_at > $5',
)

/** Makes the poll due now (a webhook, a return). Without a poll, an operation that may still have news is queried. */
export async function pollNow(call: Call, operation: Operation): Promise<void> {
  const { merchant_id, kind, object_id, n, poll_at } = operation
  if (poll_at !== null) {
    await call.context.query(setPollNow, [merchant_id, kind, object_id, n, call.context.now()])
    return
  }
  const rows = await findRows(call.context, call.services, operation)
  if (rows && (mayStillTurnUp(rows.operation) || aggregateOf(call.services, operation).mayChange(rows.head).includes(n)))
    await syncOperation(call, operation)
}

/** Brings the polls of an object's operations forward to a time that grows with their age; leaves sooner polls. */
const setPollSooner = statement(
  'set_poll_sooner',
  `update processor_operations set poll_at = ${SOONER} where merchant_id = $1 and kind = $2 and object_id = $3 and poll_at > ${SOONER}`,
)

/**
 * Has the processor asked soon about an object's unfinished operations, which a merchant's request was refused for
 * (`busy`): polls of old operations are hours apart. However often the request is repeated, they stay `SOONEST_MS` or
 * a thirtieth of the operation's age apart.
 */
export async function bringPollsForward(context: Pick<Context, 'query' | 'now'>, { merchant_id, kind, object_id }: Owner): Promise<void> {
  await context.query(setPollSooner, [merchant_id, kind, object_id, context.now()])
}

/** Asks the processor about an operation whose poll is due, and sets the next poll if nothing is new. */
export async function pollOperation(
  { context, services, settings }: JobContext,
  job: Pick<Operation, 'merchant_id' | 'kind' | 'object_id' | 'n'>,
): Promise<void> {
  const [merchant, rows] = await Promise.all([settings.merchant(job.merchant_id), findRows(context, services, job)])
  if (!merchant || !rows || rows.operation.poll_at === null) return
  const { head, operation } = await listLate({ context, services, merchant }, rows)
  if (operation.poll_at === null) return
  let sooner: Time | null = null
  try {
    sooner = await syncOperation({ context, services, merchant }, operation)
  } finally {
    const { merchant_id, kind, object_id, n, poll_at } = operation
    const usual = pollAfter(operation, context.now(), head.expires_on)
    const next = sooner !== null && (usual === null || sooner < usual) ? sooner : usual
    await context.query(setPoll, [merchant_id, kind, object_id, n, next, poll_at])
  }
}
