import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { addDirectory } from '../merchant.ts'
import { sampleOf, seed } from '../sample.ts'
import { http, openShop, type Shop } from '../shop.ts'
import { agree } from './agree.ts'
import { openClients } from './clients.ts'
import { openDice } from './dice.ts'
import { canGo, journeys, type Need } from './journeys.ts'
import { vendorConnectors } from './stage.ts'

/**
 * Runs the journeys of the storm's clients, each at each processor that supports it, while nothing dies: the books
 * agree with all answers. `--seed` determines the clients' decisions.
 */

/** The number of times that each journey runs at each processor. */
const TIMES = 6

/** Makes one request of a customer's browser, without following redirects. */
async function visit(method: 'GET' | 'POST', url: string, form?: string) {
  const { status, headers, text } = await http(method, url, form)
  return { status, location: (headers.location as string | undefined) ?? null, text }
}

/** Opens a shop whose Adyen account may capture a payment several times. */
async function openCalmShop(connector: string): Promise<Shop> {
  const sandboxKey = `sandbox_multi_calm_${connector}_${openDice(connector, process.pid, Date.now()).between(0, 1e9)}`
  const shop = await openShop({ connector, webhooks: 'on', sandboxKey })
  if (connector === 'phonypay') await addDirectory(shop, sandboxKey)
  return shop
}

for (const connector of sampleOf(['phonypay', ...vendorConnectors], 4))
  for (const journey of journeys.filter(one => one.needs !== 'payer' && canGo(one, connector)))
    test(`${connector}: ${journey.name}`, async () => {
      if (journey.needs === 'directory' && connector !== 'phonypay') return
      const shop = await openCalmShop(connector)
      const has: readonly Need[] = ['news', 'directory']
      const clients = openClients({ ...shop, visit, has, connectors: [connector] }, 2, {
        seed: `${seed} ${connector} ${journey.name}`,
        whileRunning: 'ask on',
        among: [journey],
      })
      const yeses = clients.yeses(TIMES).then(() => clients.end())
      // Time passes meanwhile, so that operations that are decided later are decided.
      let over = false
      const done = yeses.finally(() => {
        over = true
      })
      while (!over) await shop.wait('1 second')
      await done
      for (const time of ['10 minutes', '12 hours', '1 day', '8 days', '1 hour'] as const) await shop.wait(time)
      // Not all processors report that a hold has lapsed.
      const held =
        "select payment_id from payments where merchant_id = $1 and status in ('requires_capture', 'partially_captured_and_capturable')"
      for (const { payment_id } of await shop.query(held, [shop.merchant_id])) await shop.sync(payment_id)
      deepEqual(clients.surprises, [])
      ok(clients.received.length > 0)
      await agree(shop, clients.received)
    })
