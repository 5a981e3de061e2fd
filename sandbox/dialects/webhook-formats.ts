// The webhook format of each dialect. Payments without a dialect use the sandbox's own language.

import type { Account, Event } from '../books.ts'
import type { Operation, Payment } from '../records.ts'
import { showNotification } from './adyen-events.ts'
import { webhookFormat as adyenplatform } from './adyenplatform-show.ts'
import { webhookFormat as braintree } from './braintree-show.ts'
import { webhookFormat as bridge } from './bridge-show.ts'
import { webhookFormat as checkout } from './checkout-events.ts'
import { webhookFormat as fiftyfourpay } from './fiftyfourpay-show.ts'
import { webhookFormat as honeycoin } from './honeycoin-show.ts'
import { webhookFormat as maguapay } from './maguapay-show.ts'
import { webhookFormat as milkypay } from './milkypay-show.ts'
import { webhookFormat as mollie } from './mollie-show.ts'
import { webhookFormat as payadmit } from './payadmit-show.ts'
import { webhookFormat as paypal } from './paypal-events.ts'
import { alsoTold, showEvent, signature } from './stripe-events.ts'

/**
 * A webhook format. `address`: the URL of this webhook; null for the account's own. `body`: a string is a form; null
 * if the event is not announced.
 */
type WebhookFormat = {
  address?(account: Account, event: Event): string | null
  body(account: Account, event: Event, url: string): object | string | null
  signed(body: string, secret: string, t: number): Record<string, string>
  /** The types of further events of an operation, which have a content of their own. */
  also?(operation: Operation, payment: Payment): string[]
}

/** The dialects that the sandbox speaks besides its own language. The connector reaches each at `{sandbox}/{name}`. */
export const webhookFormats: Record<string, WebhookFormat> = {
  adyenplatform,
  braintree,
  bridge,
  checkout,
  payadmit,
  paypal,
  maguapay,
  milkypay,
  mollie,
  honeycoin,
  fiftyfourpay,
  adyen: { body: showNotification, signed: () => ({}) },
  stripe: { body: showEvent, signed: signature, also: alsoTold },
}
