// How each dialect announces what happened to a payment that was made in it; the sandbox's own language where none is
// named.

import type { Account, Event } from '../books.ts'
import { showNotification } from './adyen-events.ts'
import { letter as bridge } from './bridge-show.ts'
import { letter as fiftyfourpay } from './fiftyfourpay-show.ts'
import { letter as honeycoin } from './honeycoin-show.ts'
import { letter as maguapay } from './maguapay-show.ts'
import { letter as milkypay } from './milkypay-show.ts'
import { letter as payadmit } from './payadmit-show.ts'
import { showEvent, signature } from './stripe-events.ts'

type Letter = {
  body(account: Account, event: Event, url: string): object
  signed(body: string, secret: string, t: number): Record<string, string>
}

/**
 * The languages that the sandbox speaks besides its own, each under its name: `{sandbox}/{name}` is where its
 * connector finds it.
 */
export const letters: Record<string, Letter> = {
  bridge,
  payadmit,
  maguapay,
  milkypay,
  honeycoin,
  fiftyfourpay,
  adyen: { body: showNotification, signed: () => ({}) },
  stripe: { body: showEvent, signed: signature },
}
