// How each dialect announces what happened to a payment that was made in it; the sandbox's own language where none is
// named.

import type { Account, Event } from '../books.ts'
import { showNotification } from './adyen-events.ts'
import { webhookFormat as adyenplatform } from './adyenplatform-show.ts'
import { webhookFormat as braintree } from './braintree-show.ts'
import { webhookFormat as bridge } from './bridge-show.ts'
import { webhookFormat as checkout } from './checkout-show.ts'
import { webhookFormat as fiftyfourpay } from './fiftyfourpay-show.ts'
import { webhookFormat as honeycoin } from './honeycoin-show.ts'
import { webhookFormat as maguapay } from './maguapay-show.ts'
import { webhookFormat as milkypay } from './milkypay-show.ts'
import { webhookFormat as mollie } from './mollie-show.ts'
import { webhookFormat as payadmit } from './payadmit-show.ts'
import { webhookFormat as paypal } from './paypal-show.ts'
import { showEvent, signature } from './stripe-events.ts'

/**
 * `address`: where this one goes, if not to the account's own; null: to that. A body of text is a form; null: that is
 * not announced.
 */
type WebhookFormat = {
  address?(account: Account, event: Event): string | null
  body(account: Account, event: Event, url: string): object | string | null
  signed(body: string, secret: string, t: number): Record<string, string>
}

/**
 * The languages that the sandbox speaks besides its own, each under its name: `{sandbox}/{name}` is where its
 * connector finds it.
 */
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
  stripe: { body: showEvent, signed: signature },
}
