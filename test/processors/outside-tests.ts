import { test } from 'node:test'
import { type Body, openShop, type PayAsk, type Shop, type ShopOptions } from '../shop.ts'
import { type Way, ways } from './outside.ts'
import { found, meanwhile, type Setting, told } from './outside-cases.ts'

type CaseName = keyof typeof told | keyof typeof found | keyof typeof meanwhile

/**
 * `paid`: how a customer pays, where a payment is not decided at once; returns the payment. `slow`: how long refunds
 * take at the processor.
 * `heard`: the ways in which its processor tells. `several`: whether it captures a hold several times. `without`: what
 * it cannot do or tell, with the reason. `pay`: of every payment.
 */
type Traits = {
  heard?: readonly Way[]
  several?: boolean
  without?: Partial<Record<CaseName, string>>
  shop?: ShopOptions
  pay?: PayAsk
  paid?: (shop: Shop, begun: Body) => Promise<Body>
  slow?: string
}

const atOnce = async (_shop: Shop, begun: Body): Promise<Body> => begun

/** Defines the tests of one connector. */
export function definesOutside(
  connector: string,
  { heard = ways, several = true, without = {}, shop: more = {}, pay = {}, paid = atOnce, slow }: Traits = {},
) {
  const open = async () => {
    const shop = await openShop({ connector, webhooks: 'on', ...more })
    return {
      ...shop,
      pay: async (ask: PayAsk = {}) => paid(shop, await shop.pay({ ...pay, ...ask })),
      hold: async (ask: PayAsk = {}) => paid(shop, await shop.hold({ ...pay, ...ask })),
      wait: (time: string) => shop.wait(slow !== undefined && (time === '2 minutes' || time === '1 hour') ? slow : time),
    }
  }
  const define = (title: string, name: string, run: (setting: Setting) => Promise<void>, way: Way) => {
    const skip = without[name as CaseName] ?? false
    test(`${connector}: ${title}`, { skip }, () => run({ open, way, several }))
  }
  for (const [name, run] of Object.entries(told))
    for (const way of heard) define(`the books follow ${name}, made there, ${way}`, name, run, way)
  for (const [name, run] of Object.entries(found)) define(name, name, run, 'without a webhook')
  for (const [name, run] of Object.entries(meanwhile))
    for (const way of new Set([heard[0]!, heard.at(-1)!])) define(`${name}, ${way}`, name, run, way)
}
