import { findConnectorAccount, type Merchant } from '../accounts/merchant.ts'
import type { Currency } from '../base/currencies.ts'
import { between } from '../base/time.ts'
import { connectors } from '../connectors/all.ts'
import type { Outcome } from '../connectors/connector.ts'
import { converse } from '../connectors/converse.ts'
import { ASK_FOR_MS, inFlightWindowIsOver } from '../payments/alarm.ts'
import { unresolved } from '../payments/outcomes.ts'
import { isUnfinished, type Operation, type Payment, takesNews } from '../payments/payment.ts'
import { type Here, perform } from '../payments/perform.ts'
import { findOperations, findPayment, findWithOperation } from '../payments/rows.ts'
import { type Decide, settle } from '../payments/settle.ts'
import { findRefund } from '../refunds/refund.ts'
import { decideRefund, unresolvedRefund } from '../refunds/settle.ts'
import type { Sender, World } from '../world.ts'

/**
 * News that comes unasked or late: from alarms, webhooks, the customer's return, `force_sync`. It all ends in `settle`; here is only who decides, and how the
 * processor is asked. (The room stands to the right of `refunds`, because it must know refunds and payments both.)
 */

/** Settles one outcome of an operation, whichever verb it is. `heard` only names the operation: it may have been settled since it was read. */
export async function hear(world: World, here: Here, merchant: Merchant, heard: Operation, outcome: Outcome): Promise<void> {
  const rows = await findWithOperation(world, heard)
  if (!rows) return
  const [payment, operation] = rows
  const settled = await settle(world, payment, operation, outcome, await deciderOf(world, operation, 'answered'))
  if (settled.opened) await perform(world, here, merchant, settled.payment, settled.opened)
}

/** Refunds have a row of their own that moves along; everything else is decided by its verb. */
async function deciderOf(world: World, operation: Operation, how: 'answered' | 'unresolved'): Promise<Decide | undefined> {
  if (operation.refund_id === null)
    return how === 'answered' ? undefined : (payment, op, _outcome, now) => (isUnfinished(op) ? unresolved(payment, op, now) : null)
  const refund = await findRefund(world, operation.merchant_id, operation.refund_id)
  if (!refund) throw new Error(`operation ${operation.request_id} names refund ${operation.refund_id}, which does not exist`)
  return how === 'answered' ? decideRefund(refund) : unresolvedRefund(refund)
}

/**
 * Asks the processor what became of an operation and settles what it says.
 *
 * Our own giving-back of money is sent again, under the same request id, rather than asked about. After seven days the question is put a last time; if that brings no end, nobody is asked any
 * more and a person must look.
 */
export async function ask(world: World, here: Here, merchant: Merchant, asked: Operation): Promise<void> {
  const rows = await findWithOperation(world, asked)
  if (!rows) return
  const [payment, operation] = rows
  const last = isUnfinished(operation) && between(operation.began, world.now()) >= ASK_FOR_MS
  // Only where a creation may be sent twice, and only until the processor has taken it on: then asking is enough.
  const resend = operation.state !== 'waiting' && connectors[operation.connector]?.accepts.creation === 'safe'
  if (operation.purpose === 'reversal' && isUnfinished(operation) && resend && !last) {
    await perform(world, here, merchant, payment, operation)
    return
  }
  const outcome = await question(world, merchant, operation)
  if (outcome) await hear(world, here, merchant, operation, outcome)
  if (last) await giveUp(world, operation)
}

/** What the processor says of an operation; null if that says nothing: a question that failed, or "not found" where that is not a no. */
async function question(world: World, merchant: Merchant, operation: Operation): Promise<Outcome | null> {
  const connector = connectors[operation.connector]
  const account = findConnectorAccount(merchant, operation.merchant_connector_id)?.account
  if (!connector || !account) return null
  const { verb, request_id, reference, amount, currency, merchant_id, merchant_connector_id } = operation
  const sender: Sender = { merchant_id, merchant_connector_id, purpose: 'ask' }
  const outcome = await converse(
    request => world.send(request, sender),
    connector.sync({ verb, request_id, reference, money: { amount, currency: currency as Currency } }, account),
  )
  // A request can be "not found" for good only when it can no longer be on its way, and only if the processor has never named it before.
  const gone = reference === null && inFlightWindowIsOver(world, operation.began, connector.accepts.in_flight_ms)
  if (outcome.is === 'unknown' || outcome.is === 'not_sent' || (outcome.is === 'not_found' && !gone)) return null
  return outcome
}

async function giveUp(world: World, asked: Operation): Promise<void> {
  const rows = await findWithOperation(world, asked)
  if (!rows || !isUnfinished(rows[1])) return
  await settle(world, ...rows, { is: 'unknown', why: 'seven days have passed' }, await deciderOf(world, rows[1], 'unresolved'))
}

/** Statuses of a settled hold about which the processor may still have news: that it has lapsed. */
const HELD: Payment['status'][] = ['requires_capture', 'partially_authorized_and_requires_capture', 'partially_captured_and_capturable']

/** A processor that does not answer must not keep the caller from what is known. */
const LONGEST_SYNC_MS = 20_000

/** Asks about everything of a payment that is unfinished or was given up, and about a hold; then gives the payment as it stands. */
export async function forceSync(world: World, here: Here, merchant: Merchant, payment: Payment): Promise<Payment> {
  const operations = await findOperations(world, payment.merchant_id, payment.payment_id)
  const open = operations.filter(operation => takesNews(operation) || operation.state === 'not_received')
  const hold = HELD.includes(payment.status)
    ? operations.filter(operation => operation.request_id === payment.authorization_request_id)
    : []
  const asking = Promise.all([...new Set([...open, ...hold])].map(operation => ask(world, here, merchant, operation)))
  const answered = new AbortController()
  await Promise.race([asking.finally(() => answered.abort()), world.wait(LONGEST_SYNC_MS, answered.signal)])
  return (await findPayment(world, payment.merchant_id, payment.payment_id)) ?? payment
}
