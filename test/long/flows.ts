import { equal } from 'node:assert/strict'
import { openPayoutShop, type PayoutShop, recipients } from '../payout-shop.ts'
import { type Body, cards, openShop, type Shop } from '../shop.ts'
import { deliver, type Flow, type ProcessorWebhook } from './orders.ts'

/** The flows whose webhooks are sent in every order (`orders.ts`): captures, refunds, disputes, payouts. */

/** Gives the number of changes to a column of the payment. */
async function moves(shop: Shop, { payment_id }: Body, column: string): Promise<number> {
  const text = "select count(*)::int as n from changes where merchant_id = $1 and kind = 'payment' and object_id = $2 and was::jsonb ? $3"
  return (await shop.query(text, [shop.merchant_id, payment_id, column]))[0]!.n
}

async function operationsOf(shop: Shop, id: string) {
  const text = 'select verb, amount, state from processor_operations where merchant_id = $1 and object_id = $2 order by verb, amount, n'
  return (await shop.query(text, [shop.merchant_id, id])).map(row => [row.verb, Number(row.amount), row.state])
}

type StatusUpdate = readonly [place: number, status: 'pending' | 'approved' | 'declined']

/**
 * Gives the webhooks about the operations of each object: for each operation, by its place in the ledger, one in this
 * status. An operation that is still pending at the processor is decided.
 */
async function webhooksOf(shop: Shop, made: readonly Body[], updates: readonly StatusUpdate[]): Promise<ProcessorWebhook[][]> {
  const before = await shop.processor.operations()
  const of = (all: readonly Body[], one: Body): Body[] => all.filter(({ payment }) => payment === one.connector_transaction_id)
  for (const one of made)
    for (const [place, status] of updates)
      if (status !== 'pending' && of(before, one)[place]!.status === 'pending')
        await shop.processor.decide(of(before, one)[place]!.id, status)
  const after = await shop.processor.operations()
  return made.map(one =>
    updates.map(([place, status]) => {
      const operation = of(status === 'pending' ? before : after, one)[place]!
      equal(operation.status, status, `operation ${place}`)
      return { type: 'operation.updated', operation }
    }),
  )
}

/**
 * The statuses of the three operations after the authorization: the first is approved, the second declined, the third
 * approved.
 */
const yesNoYes: readonly StatusUpdate[] = [
  [0, 'approved'],
  [1, 'pending'],
  [1, 'approved'],
  [2, 'pending'],
  [2, 'declined'],
  [3, 'approved'],
]

export const captures: Flow = {
  name: 'captures of a hold',
  open: openShop,
  async make(shop) {
    const held = await shop.hold({ amount: 1000, capture_method: 'manual_multiple', card: cards.capturesLater })
    for (const amount of [100, 200]) await shop.capture(held.payment_id, amount)
    return held
  },
  last: (shop, { payment_id }) => shop.capture(payment_id, 400),
  webhooks: (shop, made) => webhooksOf(shop, made, yesNoYes),
  async end(shop, made) {
    const { status, amount_received, amount_capturable, captures } = await shop.get(made.payment_id, '?expand_captures=true')
    const shown = captures.map((one: Body) => [one.amount, one.status])
    const [booked, ours] = [await moves(shop, made, 'amount_received'), await operationsOf(shop, made.payment_id)]
    return { status, amount_received, amount_capturable, shown, booked, ours }
  },
  booked: 2,
}

export const refunds: Flow = {
  name: 'refunds of a payment',
  open: openShop,
  async make(shop) {
    const paid = await shop.pay({ amount: 1000, card: cards.refundsLater })
    for (const amount of [100, 200]) await shop.refund(paid.payment_id, amount)
    return paid
  },
  last: (shop, { payment_id }) => shop.refund(payment_id, 400),
  webhooks: (shop, made) => webhooksOf(shop, made, yesNoYes),
  async end(shop, made) {
    const { status, amount_received, refunds, state_metadata } = await shop.get(made.payment_id)
    const shown = refunds.map((one: Body) => [one.amount, one.status])
    const [booked, ours] = [await moves(shop, made, 'amount_refunded'), await operationsOf(shop, made.payment_id)]
    return { status, amount_received, state_metadata, shown, booked, ours }
  },
  booked: 2,
}

/** Moves a dispute through these steps, as the bank does; gives the webhook of each step. */
async function goesOn(shop: Shop, first: Body, steps: readonly Body[]): Promise<ProcessorWebhook[]> {
  const all = [first]
  for (const to of steps) {
    // The processor's clock moves on between the steps.
    await shop.processor.advance(1)
    all.push(await shop.processor.call('POST', `/control/disputes/${first.id}`, to))
  }
  return all.map(dispute => ({ type: 'dispute.updated', dispute }))
}

const raise = (shop: Shop, { connector_transaction_id }: Body, ask: Body): Promise<Body> =>
  shop.processor.call('POST', `/control/payments/${connector_transaction_id}/dispute`, ask)

async function disputedEnd(shop: Shop, made: Body) {
  const { status, amount_received, disputes, state_metadata } = await shop.get(made.payment_id)
  const shown = disputes.map((one: Body) => [one.dispute_stage, one.dispute_status, one.amount])
  const [booked, ours] = [await moves(shop, made, 'amount_disputed'), await operationsOf(shop, made.payment_id)]
  return { status, amount_received, state_metadata, shown, booked, ours }
}

/**
 * A lost dispute of which no webhook has told the service before. The late answer is that of the capture: the dispute
 * may be known before the disputed money is captured.
 */
export const lostDisputes: Flow = {
  name: 'a dispute that goes through all stages and is lost',
  open: openShop,
  make: shop => shop.hold({ amount: 1000 }),
  last: (shop, { payment_id }) => shop.capture(payment_id),
  async webhooks(shop, made) {
    const all: ProcessorWebhook[][] = []
    for (const one of made)
      all.push(
        await goesOn(shop, await raise(shop, one, { stage: 'inquiry' }), [
          { status: 'under_review' },
          { stage: 'chargeback' },
          { status: 'under_review' },
          { stage: 'second_chargeback' },
          { status: 'lost' },
        ]),
      )
    return all
  },
  end: disputedEnd,
  booked: 1,
}

/**
 * A dispute that is won. The late answer is that of the evidence. The money is withdrawn before the evidence, and
 * comes back once.
 */
export const wonDisputes: Flow = {
  name: 'a dispute that is contested and won',
  open: openShop,
  async make(shop) {
    const paid = await shop.pay({ amount: 1000 })
    const inquiry = await raise(shop, paid, { stage: 'inquiry' })
    const sent = await goesOn(shop, inquiry, [{ stage: 'chargeback' }])
    await deliver(shop, shop.merchant_connector_id, sent[1]!)
    const [{ dispute_id }] = (await shop.get(paid.payment_id)).disputes
    return { ...paid, dispute_id, sent }
  },
  last: (shop, { dispute_id }) => shop.post('/disputes/evidence', { dispute_id, product_description: 'two chairs' }),
  async webhooks(shop, made) {
    const { disputes } = await shop.processor.ledger()
    const all: ProcessorWebhook[][] = []
    for (const { sent } of made) {
      const contested = disputes.find(({ id }) => id === sent[0].dispute.id)!
      equal(contested.status, 'under_review')
      all.push([
        ...sent,
        ...(await goesOn(shop, contested, [{ stage: 'second_chargeback' }, { status: 'under_review' }, { status: 'won' }])),
      ])
    }
    return all
  },
  end: disputedEnd,
  booked: 2,
}

/**
 * A payout whose two cancellations are refused; the second answer may be late. The money is paid out, and is returned.
 */
export const payouts: Flow<PayoutShop> = {
  name: 'a payout that cannot be called off, and is returned',
  open: openPayoutShop,
  async make(shop) {
    const made = await shop.payOut({ to: recipients.card('0739') })
    await shop.cancelPayout(made.payout_id)
    return made
  },
  last: (shop, { payout_id }) => shop.cancelPayout(payout_id),
  async webhooks(shop, made) {
    const all: ProcessorWebhook[][] = []
    for (const { connector_transaction_id } of made) {
      const operations = async () => (await shop.processor.operations()).filter(({ payment }) => payment === connector_transaction_id)
      const [pending, first, second] = (await operations()) as [Body, Body, Body]
      const approved = await shop.processor.decide(pending.id, 'approved')
      const returned = await shop.processor.decide(pending.id, 'returned')
      const asked = { ...second, status: 'pending', decline: null }
      all.push([pending, first, asked, second, approved, returned].map(operation => ({ type: 'operation.updated', operation })))
    }
    return all
  },
  account: shop => shop.payout_account,
  async end(shop, { payout_id }) {
    const { status, amount } = await shop.getPayout(payout_id)
    const [row] = await shop.query(
      "select count(*)::int as n from changes where merchant_id = $1 and object_id = $2 and announces = 'payout_reversed'",
      [shop.merchant_id, payout_id],
    )
    return { status, amount, booked: row!.n, ours: await operationsOf(shop, payout_id) }
  },
  booked: 1,
}
