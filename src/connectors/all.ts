import { adyen } from './adyen.ts'
import { bridge } from './bridge.ts'
import type { Connector } from './connector.ts'
import { fiftyfourpay } from './fiftyfourpay.ts'
import { honeycoin } from './honeycoin.ts'
import { maguapay } from './maguapay.ts'
import { milkypay } from './milkypay.ts'
import { payadmit } from './payadmit.ts'
import { phonypay } from './phonypay.ts'
import { stripe } from './stripe.ts'

/**
 * Other names of connectors, which users of the ecosystem write: the same connector in everything, known to routing,
 * rules and answers by the name that its account says. Where the processor itself tells them apart, it does so by its
 * address.
 */
export const alsoCalled: Readonly<Record<string, Connector>> = {
  fauxpay: phonypay,
  pretendpay: phonypay,
  stripe_test: phonypay,
  adyen_test: phonypay,
  checkout_test: phonypay,
  paypal_test: phonypay,
  flexifai: bridge,
  bitex: bridge,
  hypergate: bridge,
  k218pay: bridge,
}

const renamed = Object.fromEntries(Object.entries(alsoCalled).map(([name, connector]) => [name, { ...connector, name }]))

const own: Readonly<Record<string, Connector>> = Object.assign(Object.create(null), {
  adyen,
  bridge,
  fiftyfourpay,
  honeycoin,
  maguapay,
  milkypay,
  payadmit,
  phonypay,
  stripe,
})

/**
 * Every connector by its name: the whole of what it takes to be offered, documented, routed to and held to the
 * conformance suite. Without a prototype, because names come from outside and `constructor` is not a connector. Not
 * frozen: a test adds one of its own before the service is loaded (`test/orderpay.ts`).
 */
export const connectors: Readonly<Record<string, Connector>> = Object.assign(own, renamed)
