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
import { type Port, portOf } from './port.ts'
import { stripe } from './stripe/connector.ts'

/** Without a prototype, because names come from requests and `constructor` is not a connector. */
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

/** The connectors before they are wrapped, for their own tests: what they return is not screened. */
export const unwrapped: Readonly<Record<string, Connector>> = Object.fromEntries(
  Object.entries(own).map(([name, connector]) => [name, withCredentialsChecked(connector)]),
)

const wrapped = Object.fromEntries(Object.entries(unwrapped).map(([name, connector]) => [name, portOf(connector)]))

/**
 * Other names of connectors, which users of the ecosystem write. Such a connector behaves the same in everything;
 * routing, rules and responses use the name that its account has. If the processor itself must distinguish the names,
 * it does so by the account's base URL.
 */
const otherNames = {
  phonypay: ['fauxpay', 'pretendpay', 'stripe_test', 'adyen_test', 'checkout_test', 'paypal_test'],
  bridge: ['flexifai', 'bitex', 'hypergate', 'k218pay'],
}
export const alsoCalled: Readonly<Record<string, Port>> = Object.fromEntries(
  Object.entries(otherNames).flatMap(([name, others]) => others.map(other => [other, wrapped[name]!])),
)

const renamed = Object.fromEntries(Object.entries(alsoCalled).map(([name, connector]) => [name, { ...connector, name }]))

/**
 * By name: an entry is all that a connector needs to be offered, documented, routed to and checked by the conformance
 * suite. Not frozen, because a test adds a connector of its own before the service is loaded (`test/orderpay.ts`).
 */
export const connectors: Readonly<Record<string, Port>> = Object.assign(Object.create(null), wrapped, renamed)
