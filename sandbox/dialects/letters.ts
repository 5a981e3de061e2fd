// How each dialect announces what happened to a payment that was made in it; the sandbox's own language where none is named.

import type { Account, Event } from '../books.ts'
import { showEvent, signature } from './stripe-events.ts'

type Letter = {
  body(account: Account, event: Event, url: string): object
  signed(body: string, secret: string, t: number): Record<string, string>
}

export const letters: Record<string, Letter> = { stripe: { body: showEvent, signed: signature } }
