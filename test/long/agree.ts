import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Body, Shop } from '../shop.ts'
import type { Order } from './storm.ts'

/** In the processor's words, what a payment of ours may be; undefined: it has no charge. */
const chargeOf: Record<string, string | undefined> = {
  requires_confirmation: undefined,
  failed: undefined,
  requires_capture: 'authorized',
  partially_captured_and_capturable: 'partially_captured',
  partially_captured: 'captured',
  succeeded: 'captured',
  cancelled: 'voided',
}

const isOver = (status: string): boolean => ['succeeded', 'partially_captured', 'failed', 'cancelled'].includes(status)

/**
 * Everything the shop's rows say agrees with the processor's ledger, in both directions, and with everything the service has answered. To be asked when all alarms have rung.
 * Gives how much of it there was.
 */
export async function agree(shop: Shop, yes: { order: Order; body: Body }[] = []) {
  const all = (table: string, order: string) =>
    shop.query(`select * from ${table} where merchant_id = $1 order by ${order}`, [shop.merchant_id]) as Promise<Body[]>
  const payments = new Map((await all('payments', 'payment_id')).map(row => [row.payment_id, row]))
  const refunds = new Map((await all('refunds', 'refund_id')).map(row => [row.refund_id, row]))
  const operations = await all('operations', 'payment_id, n')
  const events = Map.groupBy(await all('events', 'version'), event => event.payment_id)
  const { operations: done, charges } = await shop.processor.ledger()

  // Whatever was asked of the processor ended as its ledger has it; and it did nothing that we did not ask for.
  const theirs = new Map(done.map(operation => [operation.reference, operation]))
  for (const { request_id, verb, state, payment_id, refund_id } of operations) {
    const their = theirs.get(request_id)
    const words = `${verb} of ${payment_id} is ${state} here and ${their?.status ?? 'unknown'} there`
    if (their) equal(state, their.status === 'approved' ? 'done' : 'declined', words)
    else ok(state === 'not_received' || state === 'not_sent', words)
    if (refund_id) equal(refunds.get(refund_id).status, their?.status === 'approved' ? 'succeeded' : 'failed', words)
  }
  const ours = new Map(operations.map(operation => [operation.request_id, operation]))
  deepEqual(
    done.filter(operation => !ours.has(operation.reference)),
    [],
    'the processor did what nobody has asked for',
  )

  // A charge is a payment's, and a payment's only one; no amount differs, none stays reserved.
  const charged = Map.groupBy(charges, charge => ours.get(charge.reference)!.payment_id as string)
  for (const [payment_id, row] of payments) {
    const [charge, another] = charged.get(payment_id) ?? []
    equal(another, undefined, `${payment_id} was charged twice`)
    equal(charge?.status, chargeOf[row.status], `${payment_id} is ${row.status} here and ${charge?.status} there`)
    const amounts = [row.amount_received, row.amount_refunded, row.amount_capturing, row.amount_refunding].map(Number)
    deepEqual(amounts, [charge?.captured ?? 0, charge?.refunded ?? 0, 0, 0], `the amounts of ${payment_id}`)
    if (charge) equal(charge.amount, Number(row.amount))
    ok(amounts[1]! <= amounts[0]!, `${payment_id} gave back more than it took`)

    const history = events.get(payment_id) ?? []
    const heard = history.map(event => event.sequence).filter(sequence => sequence !== null)
    const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1)
    deepEqual([history.map(event => event.version), heard], [upTo(row.version), upTo(row.sequence)], `the events of ${payment_id}`)
  }

  // Nothing is lost or taken back that was answered, and whoever asked again under its key or its id began one thing.
  for (const { order, body } of yes) {
    const row = order.path === '/refunds' ? refunds.get(body.refund_id) : payments.get(body.payment_id)
    ok(row, `${order.path} was answered with what does not exist: ${JSON.stringify(body)}`)
    equal(Number(row.amount), body.amount)
    if (isOver(body.status)) equal(row.status, body.status, `${order.path} was answered ${body.status}`)
    if (order.path !== '/refunds') ok(Number(row.amount_received) >= (body.amount_received ?? 0), `${body.payment_id} had received more`)
  }
  const twice = (names: (string | undefined)[]) => names.filter((name, i) => name && names.indexOf(name) < i)
  deepEqual(twice([...payments.values()].map(row => row.asked.description)), [], 'one order became two payments')
  deepEqual(twice([...refunds.values()].map(row => row.reason)), [], 'one request became two refunds')

  const sum = (of: 'captured' | 'refunded') => charges.reduce((total, charge) => total + charge[of], 0)
  return { payments: payments.size, operations: operations.length, captured: sum('captured'), refunded: sum('refunded') }
}
