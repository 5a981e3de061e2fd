import { test } from 'node:test'
import { type Body, openShop, type PayAsk, type Shop, type ShopOptions } from '../shop.ts'
import { type Way, ways } from './outside.ts'
import { type Setting, told } from './outside-cases.ts'
import { found } from './outside-found.ts'
import { meanwhile } from './outside-meanwhile.ts'

const cases = { ...told, ...found, ...meanwhile }
export type CaseName = keyof typeof cases

/**
 * `paid`: how a customer pays, where a payment is not decided at once; returns the payment. `slow`: how long refunds
 * take at the processor. `heard`: the ways in which its processor tells. `asks`: whether it can be asked. `several`:
 * whether it captures a hold several times. `without`: what it cannot do or tell, with the reason. `only`: these cases.
 * `pay`: of every payment.
 */
export type Traits = {
  connector: string
  heard?: readonly Way[]
  asks?: boolean
  several?: boolean
  without?: Partial<Record<CaseName, string>>
  only?: readonly CaseName[]
  shop?: () => ShopOptions
  pay?: PayAsk
  paid?: (shop: Shop, begun: Body) => Promise<Body>
  slow?: string
}

const atOnce = async (_shop: Shop, begun: Body): Promise<Body> => begun

const ofSeveral: readonly CaseName[] = [
  'a capture of a part, before one of ours',
  'a capture of a part, after one of ours of the same amount',
  'a void of what is left after a capture of ours',
  'a cancel of ours after a capture of a part there, which keeps the rest, keeps what was captured',
  'a capture of ours of the rest is made after one of more than a capture there has left',
  'a capture of a part by us and one there of the same amount are both made',
]

const titleOf = (name: string): string => {
  if (name in told) return `the books follow ${name}, made there`
  return name in meanwhile ? `under way, ${name}` : name
}

/** Every way of a case, or one of them: another of each case and processor, so that all occur. */
function waysOf(name: CaseName, { connector, heard = ways }: Traits, grid: 'whole' | 'sample'): readonly Way[] {
  const some = name in found ? heard.filter(way => way !== 'by webhook') : heard
  if (grid === 'whole') return some
  const turn = Object.keys(cases).indexOf(name) + (connector.codePointAt(1) ?? 0)
  return [some[turn % some.length]!]
}

/** Defines the tests of one connector. */
export function definesOutside(named: string, traits: Traits, grid: 'whole' | 'sample' = 'sample') {
  const { connector, asks = true, several = true, without = {}, only, shop: more, pay = {}, paid = atOnce, slow } = traits
  const open = async () => {
    const shop = await openShop({ connector, webhooks: 'on', ...more?.() })
    return {
      ...shop,
      pay: async (ask: PayAsk = {}) => paid(shop, await shop.pay({ ...pay, ...ask })),
      hold: async (ask: PayAsk = {}) => paid(shop, await shop.hold({ ...pay, ...ask })),
      wait: (time: string) => shop.wait(slow !== undefined && (time === '2 minutes' || time === '1 hour') ? slow : time),
    }
  }
  for (const [name, run] of Object.entries(cases) as [CaseName, (setting: Setting) => Promise<void>][]) {
    if (only ? !only.includes(name) : !several && ofSeveral.includes(name)) continue
    for (const way of waysOf(name, traits, grid))
      test(`${named}: ${titleOf(name)}, ${way}`, { skip: without[name] ?? false }, () => run({ open, way, several, asks }))
  }
}
