import { adyen } from './adyen.ts'
import type { Connector } from './connector.ts'
import { phonypay } from './phonypay.ts'
import { stripe } from './stripe.ts'

/**
 * Every connector by its name: the whole of what it takes to be offered, documented, routed to and tested for its manners. Without a prototype, because
 * names come from outside and `constructor` is not a connector. Not frozen: a test adds one of its own before the service is loaded (`test/orderpay.ts`).
 */
export const connectors: Readonly<Record<string, Connector>> = Object.assign(Object.create(null), { adyen, phonypay, stripe })
