import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { balances, differencesOf, line, proven, settledLines, take } from '../../test/settlement.ts'
import { cards, openShop, type Shop } from '../../test/shop.ts'

/** A processor's report against our books: each movement is settled once, and what differs stays open. */

/**
 * Makes sales of all kinds: at once, in parts, refunded, cancelled afterwards, reversed, and one of unknown result.
 */
async function busyDay(shop: Shop): Promise<void> {
  const { payment_id } = await shop.pay({ amount: 5000 })
  await shop.refund(payment_id, 1500)
  const held = await shop.hold({ amount: 3000, capture_method: 'manual_multiple' })
  await shop.capture(held.payment_id, 1000)
  await shop.capture(held.payment_id, 700)
  const undone = await shop.pay({ amount: 900, currency: 'EUR' })
  await shop.post(`/payments/${undone.payment_id}/cancel_post_capture`, {})
  await shop.tryToPay({ amount: 1000, card: cards.approvesHalf })
  await shop.tryToPay({ card: cards.declines })
  await shop.tryToPay({ amount: 400, card: cards.chargesAndResets })
  await shop.wait('10 minutes')
}

test('after a report of a busy day the processor owes nothing: its balance there is sales less refunds and fees', async () => {
  const shop = await openShop()
  await busyDay(shop)
  const { counts, state } = await take(shop, await settledLines(shop))
  deepEqual([state, counts], ['done', { lines: 9, matched: 9, known: 0, open: 0, unread: 0, causes: {} }])
  const { processor = 0, suspense = 0, settled, fees } = await balances(shop)
  deepEqual([processor, suspense], [0, 0])
  equal(settled! + fees!, 5000 - 1500 + 1700 + 400)
  await proven(shop)
})

test('the same report again changes nothing and says so, in any order, in parts, and a month later', async () => {
  const shop = await openShop()
  await busyDay(shop)
  const lines = await settledLines(shop)
  await take(shop, lines)
  const before = await balances(shop)
  for (const again of [lines, lines.toReversed(), lines.slice(3), [...lines.slice(4), ...lines.slice(0, 2)]]) {
    const { counts } = await take(shop, again)
    deepEqual(counts, { lines: again.length, matched: 0, known: again.length, open: 0, unread: 0, causes: {} })
  }
  await shop.wait('31 days')
  equal((await take(shop, lines)).counts!.known, lines.length)
  deepEqual(await balances(shop), before)
  await proven(shop)
})

test('two identical movements of a report are two, and the same two of another report are still two', async () => {
  const shop = await openShop()
  const fee = line({ type: 'fee', fee: 25, batch: 'b1', description: 'monthly fee' })
  await take(shop, [fee, fee])
  deepEqual(await balances(shop), { fees: 50, settled: -50 })
  await take(shop, [fee, fee, line({ type: 'fee', fee: 10, batch: 'b1', description: 'another' })])
  deepEqual(await balances(shop), { fees: 60, settled: -60 })
  await take(shop, [fee, fee, fee])
  deepEqual(await balances(shop), { fees: 85, settled: -85 })
  await proven(shop)
})

test('a line that differs stays open with both figures, and what matches is posted', async () => {
  const shop = await openShop()
  const first = await shop.pay({ amount: 1000 })
  await shop.pay({ amount: 2000 })
  const [one, two] = await settledLines(shop)
  const { counts } = await take(shop, [
    { ...one!, gross: 999, net: 999 - one!.fee },
    two!,
    line({ at: 7, reference: 'tx_1', request_id: 'nobody_sent', gross: 50 }),
    line({ at: 8, type: 'unknown', reference: 'tx_2', gross: 7, description: 'Mystery' }),
    { at: 9, problem: 'an amount is missing', text: 'a,b,c' },
  ])
  deepEqual(counts, {
    ...{ lines: 4, matched: 1, known: 0, open: 4, unread: 1 },
    causes: { amount_differs: 1, missing_here: 1, unknown_type: 1, unreadable: 1 },
  })
  const found = await differencesOf(shop)
  deepEqual(
    found.map(({ cause, subject_id, ours, theirs }) => [
      cause,
      subject_id,
      ours === null ? null : Number(ours),
      theirs === null ? null : Number(theirs),
    ]),
    [
      ['amount_differs', first.payment_id, 1000, 999],
      ['missing_here', null, null, 50],
      ['unknown_type', null, null, 7],
      ['unreadable', null, null, null],
    ],
  )
  equal((await balances(shop)).processor, 1000)
  await proven(shop)
})

test('taken as a whole, a report with one difference posts nothing', async () => {
  const shop = await openShop()
  await shop.pay({ amount: 1000 })
  const lines = await settledLines(shop)
  const before = await balances(shop)
  const held = await take(shop, [...lines, line({ reference: 'tx_1', gross: 5 })], 'all or nothing')
  deepEqual(
    [held.state, held.counts!.causes, held.examples!.map(({ cause, theirs }) => [cause, theirs])],
    ['held', { missing_here: 1 }, [['missing_here', 5]]],
  )
  deepEqual([await balances(shop), await differencesOf(shop)], [before, []])
  equal((await take(shop, lines, 'all or nothing')).state, 'done')
  equal((await balances(shop)).processor ?? 0, 0)
  await proven(shop)
})

test('the processor settles a payment twice: the second time is a difference, not posted', async () => {
  const shop = await openShop()
  await shop.pay({ amount: 1000 })
  const [one] = await settledLines(shop)
  await take(shop, [one!])
  const { counts } = await take(shop, [one!, { ...one!, reference: 'again' }])
  deepEqual([counts!.known, counts!.causes], [1, { duplicate: 1 }])
  equal((await balances(shop)).processor ?? 0, 0)
})

test('a payment settled in two parts matches once both parts are read, whichever report has them', async () => {
  const shop = await openShop()
  await shop.pay({ amount: 1000 })
  const [one] = await settledLines(shop)
  const part = (gross: number) => line({ ...one!, gross, fee: 0, reference: `part_${gross}` })
  await take(shop, [part(400)])
  equal((await differencesOf(shop))[0]!.state, 'open')
  await take(shop, [part(600)])
  deepEqual(
    (await differencesOf(shop)).map(({ state }) => state),
    ['matched', 'matched'],
  )
  deepEqual(await balances(shop), { sales: -1000, settled: 1000 })
  await proven(shop)
})

test('a payout moves from the balance into transit once, whether a line says so, its lines are paid, or both', async () => {
  const shop = await openShop()
  const paid_at = '2026-11-01T00:00:00.000Z'
  const lines = [
    line({ type: 'adjustment', reference: 'a1', gross: 900, batch: 'po_1', paid_at }),
    line({ type: 'fee', reference: 'f1', fee: 100, batch: 'po_1', paid_at }),
  ]
  await take(shop, lines)
  deepEqual(await balances(shop), { adjustments: -900, fees: 100, in_transit: 800 })
  await take(shop, [line({ type: 'payout', reference: 'po_1', batch: 'po_1', gross: -800 })])
  deepEqual(await balances(shop), { adjustments: -900, fees: 100, in_transit: 800 })
  await take(shop, [
    line({ type: 'payout', reference: 'po_2', batch: 'po_2', gross: -50 }),
    line({ type: 'payout_failure', reference: 'po_2f', batch: 'po_2', gross: 50 }),
  ])
  deepEqual(await balances(shop), { adjustments: -900, fees: 100, in_transit: 800 })
  deepEqual(await differencesOf(shop), [])
  await proven(shop)
})

test('lines of an earlier report are paid with the payout that a later one names, once, and not by a report that is held', async () => {
  const shop = await openShop()
  const lines = (batch: string | null) => [
    line({ type: 'adjustment', reference: 'a1', gross: 900, batch }),
    line({ type: 'fee', reference: 'f1', fee: 100, batch }),
  ]
  const payout = line({ type: 'payout', reference: 'po_1', batch: 'po_1', gross: -800 })
  await take(shop, [...lines(null), payout])
  const partsOf = async () =>
    (
      await shop.query('select lines, lines_net::int, in_transit::int from settlement_batches where merchant_id = $1', [shop.merchant_id])
    )[0]
  deepEqual(await partsOf(), { lines: 0, lines_net: 0, in_transit: 800 })
  await take(shop, [...lines('po_1'), line({ type: 'charge', reference: 'strange', gross: 50 })], 'all or nothing')
  deepEqual(await partsOf(), { lines: 0, lines_net: 0, in_transit: 800 })
  for (let time = 0; time < 2; time++) {
    await take(shop, lines('po_1'))
    deepEqual(await partsOf(), { lines: 2, lines_net: 800, in_transit: 800 })
  }
  deepEqual(await balances(shop), { adjustments: -900, fees: 100, in_transit: 800 })
  await proven(shop)
})

test('what was sold in one currency and settled in another leaves both books balanced, with the rate kept', async () => {
  const shop = await openShop()
  await shop.pay({ amount: 1000, currency: 'EUR' })
  const [one] = await settledLines(shop)
  const { fee: _fee, ...rest } = one!
  await take(shop, [line({ ...rest, currency: 'USD', gross: 1100, fee: 30, original: { amount: 1000, currency: 'EUR', rate: '1.1' } })])
  const { body } = await shop.call('GET', '/ledger/balances')
  deepEqual(
    Object.fromEntries(
      body.data.map((one: { account: string; currency: string; balance: number }) => [`${one.account} ${one.currency}`, one.balance]),
    ),
    { 'processor EUR': 0, 'sales EUR': -1000, 'conversion EUR': 1000, 'conversion USD': -1100, 'fees USD': 30, 'settled USD': 1070 },
  )
  await proven(shop)
})

test('a movement that no report has after the usual delay is a difference, until a report has it', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ amount: 1000 })
  await shop.pay({ amount: 500 })
  const booked_at = new Date(shop.service.context.now()).toISOString()
  const lines = await settledLines(shop, booked_at)
  await take(shop, lines.slice(1))
  await shop.wait('8 days')
  await take(shop, [])
  const [missing] = await differencesOf(shop)
  deepEqual([missing!.cause, missing!.subject_id, Number(missing!.ours)], ['missing_there', payment_id, 1000])
  await take(shop, lines)
  deepEqual(
    (await differencesOf(shop)).map(({ state }) => state),
    ['matched'],
  )
})

test('a payment of which a report has another amount is one difference, not also one that no report has', async () => {
  const shop = await openShop()
  await shop.pay({ amount: 1000 })
  await shop.pay({ amount: 500 })
  const [one, two] = await settledLines(shop, new Date(shop.service.context.now()).toISOString())
  const causes = async () => (await differencesOf(shop)).map(({ cause, state }) => `${cause} ${state}`).sort()
  await take(shop, [two!])
  await shop.wait('8 days')
  await take(shop, [])
  deepEqual(await causes(), ['missing_there open'])
  await take(shop, [{ ...one!, gross: 999, net: 999 - one!.fee }])
  deepEqual(await causes(), ['amount_differs open', 'missing_there matched'])
  await take(shop, [])
  deepEqual(await causes(), ['amount_differs open', 'missing_there matched'])
})
