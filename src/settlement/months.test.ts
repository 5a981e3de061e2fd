import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.ts'
import { balances, differencesOf, line, settledLines, take } from '../../test/settlement.ts'
import { cards, openShop, type Shop } from '../../test/shop.ts'
import { prove } from '../ledger/prove.ts'
import type { SettlementLine } from './line.ts'

/**
 * Months of a processor, in files that overlap, come again, are sorted otherwise and lack lines: the ledger ends the
 * same.
 */

type Value<A> = A extends fc.Arbitrary<infer V> ? V : never

const some = <T>(from: readonly T[]) => fc.constantFrom(...from)

const deed = fc.record({
  does: some(['pay', 'pay', 'parts', 'refund', 'undo'] as const),
  which: fc.nat(3),
  amount: fc.integer({ min: 200, max: 3000 }),
  card: some([cards.approves, cards.approves, cards.approvesHalf, cards.refundsFailLater, cards.chargesAndResets]),
})
/** A movement of the processor's own, in a batch; `times`: how often it truly happened. */
const own = fc.record({
  type: some(['fee', 'adjustment', 'reserve', 'reserve_release', 'invoice'] as const),
  amount: fc.integer({ min: 1, max: 400 }),
  times: fc.integer({ min: 1, max: 3 }),
  batch: some(['b1', 'b2']),
})
const month = fc.record({
  deeds: fc.array(deed, { minLength: 1, maxLength: 6 }),
  owns: fc.array(own, { maxLength: 4 }),
  /** Of each file: from which line to which, and how it is sorted. */
  files: fc.array(fc.record({ from: fc.nat(100), to: fc.nat(100), turned: fc.boolean(), seed: fc.nat(1000) }), {
    minLength: 1,
    maxLength: 4,
  }),
})

async function sell(shop: Shop, deeds: Value<typeof deed>[]): Promise<void> {
  const ids: string[] = []
  for (const { does, which, amount, card } of deeds) {
    const id = ids[which % Math.max(ids.length, 1)] ?? 'pay_none'
    if (does === 'pay') {
      const { body } = await shop.tryToPay({ amount, card })
      if (body.payment_id) ids.push(body.payment_id)
    } else if (does === 'parts') {
      const held = await shop.hold({ amount, capture_method: 'manual_multiple' })
      await shop.capture(held.payment_id, Math.floor(amount / 3))
      await shop.capture(held.payment_id, Math.floor(amount / 2))
      ids.push(held.payment_id)
    } else if (does === 'refund') await shop.refund(id, Math.floor(amount / 2))
    else await shop.post(`/payments/${id}/cancel_post_capture`, {})
  }
  await shop.wait('9 days')
}

/** Groups of lines that stand together in a report: identical movements without a reference do. */
function groupsOf(sold: readonly SettlementLine[], owns: Value<typeof own>[]): SettlementLine[][] {
  const signs = { fee: 0, adjustment: 1, reserve: -1, reserve_release: 1, invoice: -1 }
  const kinds = Map.groupBy(owns, ({ type, amount, batch }) => `${type} ${amount} ${batch}`)
  const its = [...kinds.values()].map(same => {
    const { type, amount, batch } = same[0]!
    const one = line(type === 'fee' ? { type, fee: amount, batch } : { type, gross: signs[type] * amount, batch })
    return Array.from({ length: same.reduce((sum, { times }) => sum + times, 0) }, () => one)
  })
  return [...sold.map(one => [one]), ...its]
}

/** What the books must hold once each of these lines is settled, by hand. */
function expected(lines: readonly SettlementLine[], sales: Record<string, number>): Record<string, number> {
  const accounts = {
    fee: 'fees',
    adjustment: 'adjustments',
    reserve: 'reserves',
    reserve_release: 'reserves',
    invoice: 'invoices',
  } as Record<string, string>
  const sums: Record<string, number> = { ...sales }
  const add = (account: string, amount: number) => (sums[account] = (sums[account] ?? 0) + amount)
  for (const { type, gross, fee, net } of lines) {
    add(accounts[type] ?? 'processor', -gross)
    add('fees', fee)
    add('settled', net)
  }
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0))
}

test('a month is settled once: overlapping, repeated, re-sorted and incomplete files end in the same ledger', async () => {
  await fc.assert(
    fc.asyncProperty(month, async ({ deeds, owns, files }) => {
      const shop = await openShop({ webhooks: 'on' })
      await sell(shop, deeds)
      const sales = await balances(shop)
      const groups = groupsOf(await settledLines(shop), owns)
      const read = new Set<SettlementLine[]>()
      for (const { from, to, turned, seed } of files) {
        const [first, last] = [Math.min(from, to), Math.max(from, to)].map(percent => Math.round((percent / 100) * groups.length)) as [
          number,
          number,
        ]
        const chosen = groups.slice(first, last)
        for (const group of chosen) read.add(group)
        const sorted = turned
          ? chosen.toReversed()
          : chosen
              .map((group, i) => ({ group, at: (i * 31 + seed) % 17 }))
              .sort((a, b) => a.at - b.at)
              .map(({ group }) => group)
        await take(shop, sorted.flat())
      }
      deepEqual(await balances(shop), expected([...read].flat(), sales))
      await take(shop, groups.flat())
      await take(shop, groups.toReversed().flat())
      deepEqual(await balances(shop), expected(groups.flat(), sales))
      deepEqual(
        (await differencesOf(shop)).filter(({ state }) => state === 'open'),
        [],
      )
      deepEqual(await prove(shop.service.context, shop.merchant_id), [])
    }),
    { numRuns: 12, seed: 20261130, endOnFailure: true },
  )
})
