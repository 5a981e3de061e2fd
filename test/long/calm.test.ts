import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { addDirectory } from '../merchant.ts'
import { http, openShop, type Shop } from '../shop.ts'
import { agree } from './agree.ts'
import { openClients } from './clients.ts'
import { openDice } from './dice.ts'
import { canGo, journeys, type Need } from './journeys.ts'
import { houses } from './stage.ts'

/**
 * What clients do in the storm, each of it at each processor that can do it, while nothing dies: the books agree, and
 * so does every answer. CALM_SEED says how the clients decide.
 */

const { CALM_SEED = String(Date.now() % 1_000_000) } = process.env

/** So often each journey is gone at each of them. */
const TIMES = 6

/** A customer's browser, which does not follow by itself. */
async function visit(method: 'GET' | 'POST', url: string, form?: string) {
  const { status, headers, text } = await http(method, url, form)
  return { status, location: (headers.location as string | undefined) ?? null, text }
}

/** Its Adyen account may capture a payment several times. */
async function openCalmShop(connector: string): Promise<Shop> {
  const sandboxKey = `sandbox_multi_calm_${connector}_${openDice(connector, process.pid, Date.now()).between(0, 1e9)}`
  const shop = await openShop({ connector, webhooks: 'on', sandboxKey })
  if (connector === 'phonypay') await addDirectory(shop, sandboxKey)
  return shop
}

for (const house of ['phonypay', ...houses])
  for (const journey of journeys.filter(one => one.needs !== 'payer' && canGo(one, house)))
    test(`${house}: ${journey.name}`, async () => {
      if (journey.needs === 'directory' && house !== 'phonypay') return
      const shop = await openCalmShop(house)
      const has: readonly Need[] = ['news', 'directory']
      const clients = openClients({ ...shop, visit, has, houses: [house] }, 2, {
        seed: `${CALM_SEED} ${house} ${journey.name}`,
        whileRunning: 'ask on',
        among: [journey],
      })
      const yeses = clients.yeses(TIMES).then(() => clients.end())
      // Time passes meanwhile, so that what is decided later is.
      let over = false
      const done = yeses.finally(() => {
        over = true
      })
      while (!over) await shop.wait('1 second')
      await done
      for (const time of ['10 minutes', '12 hours', '1 day', '8 days', '1 hour'] as const) await shop.wait(time)
      // That a hold has lapsed is not told by all of them.
      const held =
        "select payment_id from payments where merchant_id = $1 and status in ('requires_capture', 'partially_captured_and_capturable')"
      for (const { payment_id } of await shop.query(held, [shop.merchant_id])) await shop.sync(payment_id)
      deepEqual(clients.surprises, [])
      ok(clients.heard.length > 0)
      await agree(shop, clients.heard)
    })
