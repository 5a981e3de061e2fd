import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { writeMovements } from '../many-movements.ts'
import { balances } from '../settlement.ts'
import { type Body, openPlace, openShop, type Shop } from '../shop.ts'

/** What a processor owes of very many movements: a request reads so many at most, and says of when its answer is. */

const PAYMENTS = 60_000
/** What each payment has moved: a capture, and a part that was given back the day after. */
const MOVED = { payments: PAYMENTS, amounts: [1000, -400], daysAgo: 10 }
const OWED = PAYMENTS * 600
const MOST_READ = 40_000

let read = 0
await openPlace({}, context => ({
  ...context,
  query: async (statement, values) => {
    const rows = await context.query(statement, values)
    if (statement.name === 'settlement_unsettled') read += Number(rows[0]!.events)
    return rows as never
  },
}))

/** Asks what is owed; `age`: of how many minutes ago it is; `read`: how many changes were read for it. */
async function look(shop: Shop): Promise<{ owed: number[] | null; age: number | null; read: number }> {
  read = 0
  const { body } = await shop.call('GET', '/reconciliation/ageing')
  const [{ as_of, owed }] = body.data
  const age = as_of && Math.floor((Date.parse(shop.service.context.now()) - Date.parse(as_of)) / 60_000)
  return { owed: owed?.map(({ amount }: Body) => amount) ?? null, age, read }
}

/** Has what is due done, and gives how many changes it read at once. */
async function tick(shop: Shop): Promise<number> {
  read = 0
  await shop.service.tick()
  return read
}

test('what is owed of very many movements is counted by a job in parts and shown with its time, and an hour later counted again', async () => {
  const shop = await openShop()
  await writeMovements(shop, MOVED)
  deepEqual(await look(shop), { owed: null, age: null, read: MOST_READ })
  deepEqual(await look(shop), { owed: null, age: null, read: 0 }, 'it is being counted')
  const parts = []
  for (let part = await tick(shop); part > 0; part = await tick(shop)) parts.push(part)
  deepEqual(parts, [40_000, 40_000, 40_000])
  deepEqual(await look(shop), { owed: [OWED], age: 0, read: 0 })
  equal((await balances(shop)).processor, OWED)
  await shop.pay({ amount: 7000 })
  await shop.wait('50 minutes')
  deepEqual(await look(shop), { owed: [OWED], age: 50, read: 0 })
  equal(await tick(shop), 0)
  await shop.wait('20 minutes')
  deepEqual(await look(shop), { owed: [OWED], age: 70, read: 0 })
  while ((await tick(shop)) > 0) ok(read <= MOST_READ)
  deepEqual(await look(shop), { owed: [OWED + 7000], age: 0, read: 0 })
  equal((await balances(shop)).processor, OWED + 7000)
})

test('what is owed of few movements is exact at once, and needs no job', async () => {
  const shop = await openShop()
  await writeMovements(shop, { ...MOVED, payments: 500 })
  deepEqual(await look(shop), { owed: [500 * 600], age: 0, read: 1000 })
  const { payment_id } = await shop.pay({ amount: 7000 })
  await shop.refund(payment_id, 1000)
  const { owed, age } = await look(shop)
  deepEqual([owed, age], [[500 * 600 + 6000], 0])
  equal((await balances(shop)).processor, 500 * 600 + 6000)
  deepEqual(await shop.query('select * from settlement_ageings where merchant_id = $1', [shop.merchant_id]), [])
})
