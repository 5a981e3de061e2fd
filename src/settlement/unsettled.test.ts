import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { writeMovements } from '../../test/many-movements.ts'
import { openShop, type Shop } from '../../test/shop.ts'
import { firstEventId } from '../base/id.ts'
import { DAY_MS, later } from '../base/time.ts'
import { needAccount } from './account.ts'
import { type Unsettled, unsettled } from './unsettled.ts'

/** Movements of which each has changed on several days: more than the service reads at once. */
const PAYMENTS = 5000

async function openChangedShop() {
  const shop = await openShop()
  await writeMovements(shop, { payments: PAYMENTS, amounts: [1000, -400], daysAgo: 5 })
  return shop
}

/** Gives the pages of what is owed of the last days, from the event after which the first page begins. */
async function owedOf({ service, merchant_id, merchant_connector_id }: Shop, days: number, after?: string) {
  const now = service.context.now()
  const account = await needAccount(service.context, merchant_id, merchant_connector_id)
  const from = firstEventId(later(now, -days * DAY_MS))
  const pages: { last: string; found: Unsettled[] }[] = []
  for await (const one of unsettled(service.context, account, { from, until: now, ...(after !== undefined && { after }) })) pages.push(one)
  return pages
}

const sizes = (pages: readonly { found: readonly unknown[] }[]): number[] => pages.map(({ found }) => found.length)

test('what is owed for a payment that changed on several days is told once, with all of it, wherever reading begins', async () => {
  const shop = await openChangedShop()
  const pages = await owedOf(shop, 90)
  deepEqual(sizes(pages), [4000, 1000, 0])
  const owed = pages.flatMap(({ found }) => found)
  equal(new Set(owed.map(({ moved }) => moved)).size, PAYMENTS)
  deepEqual([...new Set(owed.map(({ amount, settled }) => `${amount} ${settled}`))], ['600 0'])
  deepEqual(sizes(await owedOf(shop, 90, pages[0]!.last)), [1000, 0], 'reading goes on where it stopped')
  deepEqual(sizes(await owedOf(shop, 4.5)), [4000, 1000], 'what changed since, of which all is told')
})
