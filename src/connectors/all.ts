import { adyen } from './adyen/connector.ts'
import { adyenplatform } from './adyenplatform/connector.ts'
import { braintree } from './braintree/connector.ts'
import { bridge } from './bridge/connector.ts'
import { checkout } from './checkout/connector.ts'
import type { Connector } from './connector.ts'
import { fiftyfourpay } from './fiftyfourpay/connector.ts'
import { honeycoin } from './honeycoin/connector.ts'
import { withCredentialsChecked } from './kit/credentials.ts'
import { maguapay } from './maguapay/connector.ts'
import { milkypay } from './milkypay/connector.ts'
import { mollie } from './mollie/connector.ts'
import { payadmit } from './payadmit/connector.ts'
import { paypal } from './paypal/connector.ts'
import { phonypay } from './phonypay/connector.ts'
import { stripe } from './stripe/connector.ts'

/** Each by its own name. Without a prototype, because names come from outside and `constructor` is not a connector. */
const own: Readonly<Record<string, Connector>> = Object.assign(Object.create(null), {
  adyen,
  adyenplatform,
  braintree,
  bridge,
  checkout,
  fiftyfourpay,
  honeycoin,
  maguapay,
  milkypay,
  mollie,
  payadmit,
  paypal,
  phonypay,
  stripe,
})

const checked = Object.fromEntries(Object.entries(own).map(([name, connector]) => [name, withCredentialsChecked(connector)]))

/**
 * Other names of connectors, which users of the ecosystem write: the same connector in everything, known to routing,
 * rules and answers by the name that its account says. Where the processor itself tells them apart, it does so by its
 * address.
 */
const otherNames = {
  phonypay: ['fauxpay', 'pretendpay', 'stripe_test', 'adyen_test', 'checkout_test', 'paypal_test'],
  bridge: ['flexifai', 'bitex', 'hypergate', 'k218pay'],
}
export const alsoCalled: Readonly<Record<string, Connector>> = Object.fromEntries(
  Object.entries(otherNames).flatMap(([name, others]) => others.map(other => [other, checked[name]!])),
)

const renamed = Object.fromEntries(Object.entries(alsoCalled).map(([name, connector]) => [name, { ...connector, name }]))

/**
 * Every connector by its name: the whole of what it takes to be offered, documented, routed to and held to the
 * conformance suite. Not frozen: a test adds one of its own before the service is loaded (`test/orderpay.ts`).
 */
export const connectors: Readonly<Record<string, Connector>> = Object.assign(Object.create(null), checked, renamed)
