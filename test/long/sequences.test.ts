import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { decide } from '../disputes.ts'
import { addAccount, keysOf } from '../merchant.ts'
import { ends, payOutBody, recipients } from '../payout-shop.ts'
import { openProcessor } from '../processor.ts'
import { isSample, seed } from '../sample.ts'
import { type Answer, type Body, cards, openShop, type Shop } from '../shop.ts'
import { agree } from './agree.ts'
import { readBooks } from './books.ts'
import { type Dice, openDice } from './dice.ts'

/**
 * Random sequences of operations on payments, refunds, disputes and payouts. After every sequence the ledger balances,
 * and agrees with the resources and with the processor. `--count` sets the number of sequences, `--steps` their length,
 * `--seed` which ones.
 */

const { COUNT = isSample ? '2' : '6', STEPS = '60' } = process.env

/**
 * Opens a shop that receives webhooks about its disputes, and that pays out by a separate account at the processor.
 */
async function openBusyShop() {
  const shop = await openShop({ webhooks: 'on' })
  const key = `sandbox_payer_${shop.merchant_id}`
  const { merchant_connector_id } = await addAccount(shop, 'phonypay', {
    connector_type: 'payout_processor',
    connector_label: 'payouts',
    connector_account_details: keysOf('phonypay', key),
    connector_webhook_details: { merchant_secret: shop.webhook_secret },
  })
  const payer = openProcessor(shop.processor.url, key)
  await payer.account({
    webhook_url: `${shop.url}/webhooks/${shop.merchant_id}/${merchant_connector_id}`,
    webhook_secret: shop.webhook_secret,
  })
  await payer.advance(Math.ceil(shop.clock.ahead / 1000))
  const wait = async (duration: string): Promise<void> => {
    const before = shop.clock.ahead
    await shop.wait(duration)
    await payer.advance((shop.clock.ahead - before) / 1000)
  }
  return { ...shop, payer, wait }
}
type BusyShop = Awaited<ReturnType<typeof openBusyShop>>

/** The ids of the objects made so far. */
type Made = { payments: string[]; payouts: string[] }

const paying = [
  cards.approves,
  cards.approves,
  cards.approves,
  cards.declines,
  cards.approvesLater,
  cards.approvesHalf,
  cards.refundsLater,
  cards.refundsFailLater,
  cards.refusesRefunds,
  cards.refusesCaptures,
  cards.capturesLater,
  cards.isDisputed,
  cards.chargesAndResets,
  cards.resets,
] as const

const times = ['1 minute', '5 minutes', '1 hour', '2 days'] as const

/**
 * Makes a call that may be refused because the status of its object does not allow it. The service must never answer
 * with a 5xx.
 */
async function tried(answer: Promise<Answer>): Promise<Body | null> {
  const { status, body, text } = await answer
  ok(status < 500, text)
  return status === 200 ? body : null
}

type Deed = { weight: number; go(shop: BusyShop, made: Made, dice: Dice): Promise<unknown> }

const onPayment =
  (act: (shop: BusyShop, payment_id: string, dice: Dice) => Promise<unknown>): Deed['go'] =>
  async (shop, { payments }, dice) =>
    payments.length > 0 && act(shop, dice.one(payments), dice)

const onPayout =
  (act: (shop: BusyShop, payout_id: string, dice: Dice) => Promise<unknown>): Deed['go'] =>
  async (shop, { payouts }, dice) =>
    payouts.length > 0 && act(shop, dice.one(payouts), dice)

const onDispute = (act: (shop: BusyShop, dispute: Body, dice: Dice) => Promise<unknown>): Deed['go'] =>
  onPayment(async (shop, payment_id, dice) => {
    const disputes = (await shop.get(payment_id)).disputes ?? []
    return disputes.length > 0 && act(shop, (await shop.call('GET', `/disputes/${dice.one<Body>(disputes).dispute_id}`)).body, dice)
  })

const deeds: Record<string, Deed> = {
  pay: {
    weight: 8,
    async go(shop, { payments }, dice) {
      const capture_method = dice.one(['automatic', 'automatic', 'manual', 'manual_multiple'])
      const currency = dice.one(['USD', 'EUR', 'JPY'])
      const paid = await tried(shop.tryToPay({ card: dice.one(paying), amount: dice.between(100, 5000), capture_method, currency }))
      if (paid) payments.push(paid.payment_id)
    },
  },
  capture: { weight: 4, go: onPayment((shop, id, dice) => tried(shop.capture(id, dice.chance(0.5) ? undefined : dice.between(1, 3000)))) },
  cancel: { weight: 1, go: onPayment((shop, id) => tried(shop.cancel(id))) },
  'last capture': {
    weight: 1,
    go: onPayment((shop, id, dice) =>
      tried(shop.post(`/payments/${id}/capture`, { amount_to_capture: dice.between(1, 2000), final_capture: true })),
    ),
  },
  release: { weight: 2, go: onPayment((shop, id) => tried(shop.post(`/payments/${id}/release`, {}))) },
  'cancel after the capture': { weight: 1, go: onPayment((shop, id) => tried(shop.post(`/payments/${id}/cancel_post_capture`, {}))) },
  refund: { weight: 6, go: onPayment((shop, id, dice) => tried(shop.refund(id, dice.chance(0.3) ? undefined : dice.between(100, 3000)))) },
  'scheduled refund': {
    weight: 1,
    go: onPayment((shop, id, dice) => tried(shop.refund(id, dice.between(100, 900), { refund_type: 'scheduled' }))),
  },
  dispute: {
    weight: 4,
    go: onPayment(async (shop, payment_id, dice) => {
      const { connector_transaction_id: transactionId, amount_received } = await shop.get(payment_id)
      if (transactionId === null || amount_received === null) return
      const ask = { amount: dice.between(1, amount_received), stage: dice.one(['inquiry', 'chargeback', 'chargeback']) }
      await shop.processor.call('POST', `/control/payments/${transactionId}/dispute`, ask)
      await shop.processor.advance(0)
    }),
  },
  // The bank moves a dispute to the next stage, and does not decide twice in one stage.
  'the bank decides': {
    weight: 4,
    go: onDispute(async (shop, { connector_dispute_id: id, dispute_stage, dispute_status }, dice) => {
      if (dispute_stage === 'dispute' && dice.chance(0.3)) return decide(shop, { id }, { stage: 'second_chargeback' })
      if (!['dispute_opened', 'dispute_challenged'].includes(dispute_status)) return
      return decide(shop, { id }, { status: dice.one(['won', 'lost', 'cancelled']) })
    }),
  },
  'give in': { weight: 2, go: onDispute((shop, { dispute_id }) => tried(shop.post(`/disputes/accept/${dispute_id}`, {}))) },
  contest: {
    weight: 2,
    go: onDispute((shop, { dispute_id }, dice) =>
      tried(
        shop.post('/disputes/evidence', {
          dispute_id,
          uncategorized_text: dice.one(['winning_evidence', 'losing_evidence', 'see the receipt']),
        }),
      ),
    ),
  },
  'pay out': {
    weight: 6,
    async go(shop, { payouts }, dice) {
      const end = dice.one([
        ends.approves,
        ends.approves,
        ends.declines,
        ends.approvesLater,
        ends.declinesLater,
        ends.returns,
        ends.waits,
        ends.paysAndResets,
        ends.resets,
      ])
      const to = recipients[dice.one(['card', 'bank', 'wallet', 'bank_redirect'] as const)](end)
      const ask = {
        to,
        amount: dice.between(100, 5000),
        currency: dice.one(['USD', 'EUR']),
        auto_fulfill: dice.chance(0.5),
        confirm: dice.chance(0.8),
      }
      const made = await tried(shop.post('/payouts/create', payOutBody(ask)))
      if (made) payouts.push(made.payout_id)
    },
  },
  'confirm a payout': { weight: 1, go: onPayout((shop, id) => tried(shop.post(`/payouts/${id}/confirm`, {}))) },
  fulfil: { weight: 3, go: onPayout((shop, payout_id) => tried(shop.post(`/payouts/${payout_id}/fulfill`, { payout_id }))) },
  'cancel a payout': { weight: 2, go: onPayout((shop, payout_id) => tried(shop.post(`/payouts/${payout_id}/cancel`, { payout_id }))) },
  'look at a payment': { weight: 1, go: onPayment((shop, id) => shop.sync(id)) },
  'look at a payout': { weight: 1, go: onPayout((shop, id) => tried(shop.call('GET', `/payouts/${id}?force_sync=true`))) },
  wait: { weight: 4, go: (shop, _made, dice) => shop.wait(dice.one(times)) },
}

/** Gives the balances of the ledger, by account and currency. */
async function balances(shop: Shop): Promise<Record<string, number>> {
  const sums: Record<string, number> = {}
  for (const { account, currency, balance } of (await shop.call('GET', '/ledger/balances')).body.data)
    sums[`${account} ${currency}`] = (sums[`${account} ${currency}`] ?? 0) + balance
  return sums
}

/**
 * Gives the balances of the same accounts by the processor's books. A charge that was returned as a whole is not a
 * sale, so sales and refunds are compared as one sum.
 */
async function balancesThere(shop: BusyShop): Promise<Record<string, number>> {
  const { ledger } = await readBooks(shop.query, shop, shop.merchant_id)
  const sums: Record<string, number> = {}
  const add = (account: string, currency: string, amount: number) => {
    for (const [name, by] of [
      [account, amount],
      ['processor', -amount],
    ] as const)
      sums[`${name} ${currency}`] = (sums[`${name} ${currency}`] ?? 0) + by
  }
  for (const { captured, refunded, disputed = 0, currency } of ledger.charges) {
    add('sales and refunds', currency, refunded - captured)
    add('disputes', currency, disputed)
  }
  for (const { status, amount, currency } of ledger.payouts) if (status === 'paid') add('payouts', currency, amount)
  return sums
}

const withoutNothing = (sums: Record<string, number>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(sums)
      .filter(([, amount]) => amount !== 0)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

for (let n = 0; n < Number(COUNT); n++)
  test(`random sequence ${n} of seed ${seed}: the ledger balances, and agrees with the payments and with the processor`, async () => {
    const shop = await openBusyShop()
    const dice = openDice(seed, n)
    const made: Made = { payments: [], payouts: [] }
    const done: string[] = []
    for (let step = 0; step < Number(STEPS); step++) {
      const [name, deed] = dice.weighted(Object.entries(deeds).map(entry => Object.assign(entry, { weight: entry[1].weight })))
      done.push(name)
      await deed.go(shop, made, dice)
    }
    // Time passes until everything has ended: challenges and sessions, jobs, deadlines of disputes, unclaimed
    // payouts.
    for (const duration of [...times, '15 days', '31 days', '1 hour']) await shop.wait(duration)
    await agree(shop)
    const here: Record<string, number> = {}
    for (const [name, amount] of Object.entries(await balances(shop))) {
      const merged = name.replace(/^(?:sales|refunds) /, 'sales and refunds ')
      here[merged] = (here[merged] ?? 0) + amount
    }
    deepEqual(withoutNothing(here), withoutNothing(await balancesThere(shop)), done.join(', '))
    equal(
      Object.values(here).reduce((sum, amount) => sum + amount, 0),
      0,
    )
  })
