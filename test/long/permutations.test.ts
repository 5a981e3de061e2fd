import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, cards, openPlace, openShop, type Shop } from '../shop.ts'
import { agree } from './agree.ts'
import { type Answering, type Flow, openGate, orders, play, shareOf } from './orders.ts'

/**
 * Six announcements of a processor in each of their 720 orders, each told ten times at once, before and after the processor has answered us: the end is the same, and each is applied once. Every sixth order
 * (`PERMUTATIONS_SEED` says which), or all with PERMUTATIONS=all.
 */

const gate = openGate()
await openPlace({}, gate.wrap)

/** How often a column of the payment moved. */
const moves = async (shop: Shop, { payment_id }: Body, column: string): Promise<number> =>
  (
    await shop.query(
      "select count(*)::int as n from changes where merchant_id = $1 and kind = 'payment' and object_id = $2 and was::jsonb ? $3",
      [shop.merchant_id, payment_id, column],
    )
  )[0]!.n

const operationsOf = async (shop: Shop, { payment_id }: Body) =>
  (
    await shop.query(
      'select verb, amount, state from processor_operations where merchant_id = $1 and object_id = $2 order by verb, amount',
      [shop.merchant_id, payment_id],
    )
  ).map(row => [row.verb, Number(row.amount), row.state])

/** The first, the second and the third of what was asked for after the authorization: yes, no, and yes. */
const tells: Flow['tells'] = [
  [0, 'approved'],
  [1, 'pending'],
  [1, 'approved'],
  [2, 'pending'],
  [2, 'declined'],
  [3, 'approved'],
]

const captures: Flow = {
  name: 'captures of a hold',
  async make(shop) {
    const held = await shop.hold({ amount: 1000, capture_method: 'manual_multiple', card: cards.capturesLater })
    for (const amount of [100, 200]) await shop.capture(held.payment_id, amount)
    return held
  },
  last: (shop, { payment_id }) => shop.capture(payment_id, 400),
  tells,
  async end(shop, made) {
    const { status, amount_received, amount_capturable, captures } = await shop.get(made.payment_id, '?expand_captures=true')
    const theirs = captures.map((one: Body) => [one.amount, one.status])
    return {
      status,
      amount_received,
      amount_capturable,
      theirs,
      booked: await moves(shop, made, 'amount_received'),
      ours: await operationsOf(shop, made),
    }
  },
}

const refunds: Flow = {
  name: 'refunds of a payment',
  async make(shop) {
    const paid = await shop.pay({ amount: 1000, card: cards.refundsLater })
    for (const amount of [100, 200]) await shop.refund(paid.payment_id, amount)
    return paid
  },
  last: (shop, { payment_id }) => shop.refund(payment_id, 400),
  tells,
  async end(shop, made) {
    const { status, amount_received, refunds, state_metadata } = await shop.get(made.payment_id)
    const theirs = refunds.map((one: Body) => [one.amount, one.status])
    return {
      status,
      amount_received,
      state_metadata,
      theirs,
      booked: await moves(shop, made, 'amount_refunded'),
      ours: await operationsOf(shop, made),
    }
  },
}

const AT_ONCE = 24
const share = shareOf(orders(6), process.env)

for (const flow of [captures, refunds])
  for (const answering of ['answered', 'not answered'] as const satisfies Answering[])
    test(`${flow.name}, the last ${answering}: ${share.length} orders of six announcements end alike`, async t => {
      const ends = new Map<string, string>()
      for (let i = 0; i < share.length; i += AT_ONCE) {
        const some = share.slice(i, i + AT_ONCE)
        const shop = await openShop()
        const played = await play(shop, flow, some, answering, gate)
        for (const [n, end] of played.entries()) ends.set(JSON.stringify(end), some[n]!.join(' '))
        await agree(shop)
      }
      t.diagnostic([...ends.keys()].join('\n'))
      deepEqual([...ends.values()].length, 1, [...ends].map(([end, order]) => `${order}: ${end}`).join('\n'))
      const [{ booked }] = [JSON.parse([...ends.keys()][0]!)]
      deepEqual(booked, 2, 'each yes once')
    })
