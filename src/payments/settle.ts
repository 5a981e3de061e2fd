import { after } from '../base/lifecycle.ts'
import type { Outcome } from '../connectors/connector.ts'
import { DatabaseAway } from '../database/connection.ts'
import type { RowChange, World } from '../world.ts'
import { openOperation } from './authorize.ts'
import { announcements, lifecycle } from './lifecycle.ts'
import { afterAuthorize, afterCapture, afterReversal, afterVoid, type Step } from './outcomes.ts'
import type { Operation, Payment } from './payment.ts'
import { findWithOperation } from './rows.ts'

/** So often a change is tried that the database is there to refuse (a lock that is held may be free the next time). */
const MOST_REFUSED = 4

/** What settling left behind: the payment as it now stands, and an operation that it opened and that nobody has performed yet. */
export type Settled = { payment: Payment; opened: Operation | null }

/** Decides what an outcome means: purely, from the rows in hand. */
export type Decide = (payment: Payment, operation: Operation, outcome: Outcome, now: string) => Step | null

const byVerb: Record<Operation['verb'], Decide> = {
  authorize: afterAuthorize,
  capture: afterCapture,
  void: afterVoid,
  refund: afterReversal,
}

/**
 * The one door for news of a payment's operations: direct answers, polls, webhooks, the customer's return. Hearing something twice is harmless.
 * Decides on the rows in hand and reads only after a conflict; it never gives up, because what a processor has said must not be lost: while the database is away it tries again.
 */
export async function settle(
  world: World,
  payment: Payment,
  operation: Operation,
  outcome: Outcome,
  decide: Decide = byVerb[operation.verb],
): Promise<Settled> {
  let refused = 0
  for (let pause = 50; ; pause = Math.min(pause * 2, 2000)) {
    const step = decide(payment, operation, outcome, world.now())
    if (!step) return { payment, opened: null }
    const { change, opened } = changeOf(world, payment, operation, step)
    try {
      const written = await world.commit(change)
      if (written.is === 'written') return { payment: written.row, opened }
    } catch (error) {
      world.log.error(
        { err: error, payment_id: payment.payment_id, request_id: operation.request_id },
        'could not write what a processor said',
      )
      // A change that the database refuses is our own mistake: trying for ever would not mend it. Its alarm is still set and asks again.
      if (!(error instanceof DatabaseAway) && ++refused >= MOST_REFUSED) throw error
      await world.wait(pause)
    }
    const [nowPayment, nowOperation] = await reread(world, payment, operation)
    payment = nowPayment
    operation = nowOperation
  }
}

/** The rows as they are now, however long the database takes. */
async function reread(world: World, payment: Payment, operation: Operation): Promise<[Payment, Operation]> {
  for (let pause = 50; ; pause = Math.min(pause * 2, 2000)) {
    try {
      const rows = await findWithOperation(world, operation)
      if (rows) return rows
      throw new Error(`payment ${payment.payment_id} or its operation ${operation.n} is gone`)
    } catch (error) {
      world.log.error({ err: error, payment_id: payment.payment_id }, 'could not read a payment that must be settled; trying again')
      await world.wait(pause)
    }
  }
}

function changeOf(world: World, before: Payment, operation: Operation, step: Step) {
  const now = world.now()
  const status = step.move ? after(lifecycle, before.status, step.move) : before.status
  let payment: Payment = { ...before, ...step.payment, status, modified_at: now }
  const settled: Operation = { ...operation, ...step.operation }
  const rows: RowChange[] = [{ table: 'operations', before: operation, after: settled }, ...(step.rows ?? [])]
  let opened: Operation | null = null
  if (step.undo) {
    const amount = settled.said?.amount ?? operation.amount
    const account = { connector_name: operation.connector, merchant_connector_id: operation.merchant_connector_id }
    opened = openOperation(world, payment, account, { verb: step.undo, purpose: 'reversal', amount })
    payment = { ...payment, operation_count: opened.n }
    rows.push({ table: 'operations', before: null, after: opened })
  }
  // Merchants hear of a new status, of the first word about something under way, and of what needs their eyes.
  const firstWord =
    operation.state === 'open' &&
    settled.state !== 'open' &&
    before.status === status &&
    (settled.state === 'waiting' || settled.state === 'unknown')
  const own = status !== before.status || firstWord || settled.state === 'conflicted' ? (announcements[status] ?? null) : null
  const type = step.move ?? `${operation.verb}_${settled.state}`
  const announces = step.announces === undefined ? own : step.announces
  return { change: { head: 'payments', before, after: payment, rows, event: { type, announces }, by: world.by }, opened }
}
