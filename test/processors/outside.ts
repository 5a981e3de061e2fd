import { deepEqual, equal, ok } from 'node:assert/strict'
import type { CallName } from '../../sandbox/faults.ts'
import type { MoveName, MoveRequest } from '../../sandbox/move-request.ts'
import { prove } from '../../src/ledger/prove.ts'
import { eventually } from '../eventually.ts'
import type { Charge } from '../processor.ts'
import type { Answer, Body, Shop } from '../shop.ts'

/**
 * Money that a person moves at a processor's own dashboard, at the sandbox's desk (`sandbox/README.md`). The tests are
 * the same at every processor, and compare payment, refunds, disputes, ledger and events with the processor's books.
 */

/** How the service hears of a move. */
export const ways = ['by webhook', 'by a webhook that is late', 'by the same webhook three times', 'without a webhook'] as const
export type Way = (typeof ways)[number]

type More = Omit<MoveRequest, 'move' | 'webhooks'>

/**
 * Makes a move at the processor's dashboard and lets the service hear of it. `pause`: until the jobs that it causes
 * have run, because some news only causes the processor to be asked.
 */
export async function moveOutside(
  shop: Shop,
  payment: Body,
  move: MoveName,
  more: More = {},
  way: Way = 'by webhook',
  pause = '2 minutes',
): Promise<void> {
  const { processor } = shop
  const { payment: id } = await chargeOf(shop, payment)
  const isLate = way === 'by a webhook that is late'
  const isLost = way === 'without a webhook'
  if (way === 'by the same webhook three times') await processor.account({ webhooks: 'duplicate' })
  await processor.move(id, move, { ...more, ...(isLate && { webhooks: 'hold' }), ...(isLost && { webhooks: 'lose' }) })
  if (isLate) {
    await shop.wait('2 hours')
    await processor.flushWebhooks()
  }
  if (way === 'by the same webhook three times') await processor.account({ webhooks: 'send' })
  if (isLost) await shop.sync(payment.payment_id)
  await shop.wait(pause)
}

/**
 * Makes a move whose webhook is lost, or waits at the processor until `hearsLate`. The webhooks of what was made before
 * have arrived.
 */
export async function moveUnheard(
  shop: Shop,
  payment: Body,
  move: MoveName,
  more: More = {},
  way: Way = 'without a webhook',
): Promise<void> {
  await shop.wait('1 second')
  const { payment: id } = await chargeOf(shop, payment)
  await shop.processor.move(id, move, { ...more, webhooks: way === 'without a webhook' ? 'lose' : 'hold' })
}

/** Delivers the webhooks of what was moved unheard; those that are lost never come. */
export async function hearsLate(shop: Shop, way: Way): Promise<void> {
  const { processor } = shop
  if (way === 'without a webhook') return
  if (way === 'by the same webhook three times') await processor.account({ webhooks: 'duplicate' })
  await processor.flushWebhooks()
  if (way === 'by the same webhook three times') await processor.account({ webhooks: 'send' })
  await shop.wait('2 minutes')
}

/** Returns the processor's books of a payment: those of its id, or the only ones. */
export async function chargeOf(shop: Shop, { connector_transaction_id }: Body): Promise<Charge> {
  const charges = await shop.processor.charges()
  const found = charges.find(({ payment }) => payment === connector_transaction_id) ?? (charges.length === 1 ? charges[0] : undefined)
  ok(found, 'the processor has charged the payment')
  return found
}

/** A void of ours that gave back what others had captured leaves a cancelled payment, of which nothing was taken. */
const withoutUndone = ({ status }: Body, charge: Charge): Charge =>
  status === 'cancelled' && charge.captured === charge.refunded ? { ...charge, captured: 0, refunded: 0 } : charge

const heldBy = ({ status, amount, captured }: Charge): number =>
  status === 'authorized' || status === 'partially_captured' ? amount - captured : 0

const sumOf = (some: readonly Body[], member: string): number => some.reduce((sum, one) => sum + Number(one[member]), 0)

/**
 * Asserts that payment, refunds, disputes, ledger and events equal the processor's books, and that asking again changes
 * nothing. The shop has this payment only. Returns the payment.
 */
export async function equalsBooks(shop: Shop, { payment_id }: Body): Promise<Body> {
  const payment = await shop.get(payment_id)
  const { disputed = 0, ...charge } = withoutUndone(payment, await chargeOf(shop, payment))
  const refunds: Body[] = payment.refunds ?? []
  const succeeded = refunds.filter(({ status }) => status === 'succeeded')
  const disputes = (payment.disputes ?? []).filter(({ dispute_status }: Body) => !/won|cancelled/.test(dispute_status))
  deepEqual(
    {
      captured: payment.amount_received ?? 0,
      held: payment.amount_capturable,
      refunded: sumOf(succeeded, 'amount'),
      counted: payment.state_metadata?.total_refunded_amount ?? 0,
      disputed: sumOf(disputes, 'amount'),
    },
    { captured: charge.captured, held: heldBy(charge), refunded: charge.refunded, counted: charge.refunded, disputed },
    `the payment is ${payment.status}, ${payment.error_message ?? 'without an error'}`,
  )
  const balances: Body[] = (await shop.call('GET', '/ledger/balances')).body.data
  const owed = sumOf(
    balances.filter(({ account }) => account === 'processor'),
    'balance',
  )
  equal(owed, charge.captured - charge.refunded - disputed, 'what the processor owes by the ledger')
  deepEqual(await prove(shop.service.context, shop.merchant_id), [])
  await countsEqual(shop, payment, charge, disputed)
  const before = await shop.events(payment_id)
  if (refunds.every(({ status }) => status === 'succeeded'))
    equal(before.filter(({ event_type }) => event_type === 'refund_succeeded').length, refunds.length, 'each refund is told once')
  await shop.sync(payment_id)
  equal((await shop.events(payment_id)).length, before.length, 'asking again tells nothing')
  return payment
}

/** Asserts that analytics counts what the processor has, and apart what others moved. */
async function countsEqual(shop: Shop, payment: Body, { captured, refunded }: Charge, disputed: number): Promise<void> {
  await shop.wait('1 second')
  const metrics = ['captured', 'refunded', 'disputed', 'outside']
  const time_range = { start_time: '2020-01-01T00:00:00.000Z' }
  const [counted = {}] = (await shop.post('/analytics/breakdown', { time_range, metrics })).body.data
  const amountOf = (metric: string) => sumOf(counted[metric]?.amounts ?? [], 'amount')
  const moved = await shop.query(
    `select verb, amount from processor_operations where merchant_id = $1 and object_id = $2 and purpose = 'external'`,
    [shop.merchant_id, payment.payment_id],
  )
  // An increment's amount is the new total of a hold of 12.50.
  const outside = moved.reduce((sum, { verb, amount }) => sum + Number(amount) - (verb === 'increment' ? 1250 : 0), 0)
  const isUndone = payment.status === 'cancelled_post_capture'
  deepEqual(
    Object.fromEntries(metrics.map(metric => [metric, amountOf(metric)])),
    { captured: isUndone ? 0 : captured, refunded: isUndone ? 0 : refunded, disputed, outside },
    'what analytics counts',
  )
}

/** Makes a call of ours, and something else while the processor keeps it waiting. */
export async function during(
  shop: Shop,
  call: CallName,
  request: () => Promise<Answer>,
  meanwhile: () => Promise<unknown>,
): Promise<Answer> {
  const { processor } = shop
  await processor.fault(call, 'latency', { ms: 5000 })
  const answer = request()
  await eventually(async () => (await processor.waiting()).length > 0, 'the processor keeps the call waiting')
  await meanwhile()
  await processor.advance(5)
  const answered = await answer
  // The next poll of a call whose answer is late is hours away; the look that waits for it follows within minutes.
  for (const pause of ['1 hour', '4 hours', '2 minutes']) await shop.wait(pause)
  return answered
}

/** Asserts that a refund of ours was refused, at once or by the processor. */
export const notMoved = ({ status, body }: Answer): void =>
  ok(status >= 400 || body.status === 'failed', `${status} ${JSON.stringify(body)}`)
