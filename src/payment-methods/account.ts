import { refuse } from '../base/refusal.ts'
import type { Context } from '../context.ts'
import { accountFingerprint, lastingOf, maskedRecipientOf, type RecipientInput, recipientFamilies } from '../instruments/recipients.ts'
import type { Method } from './method.ts'
import { type Saving, saveSealed } from './save-sealed.ts'
import type { MethodAsk } from './shape.ts'

/**
 * Accounts that a customer is paid out to again and again: a bank account, a wallet. They are saved as cards are, and
 * nothing is paid with them.
 */

/** Where a request brings them, by payment_method. */
const places = { bank_transfer: recipientFamilies.bank, wallet: recipientFamilies.wallet, bank_redirect: recipientFamilies.bank_redirect }
type Place = keyof typeof places
export const accountPlaces = Object.keys(places) as Place[]

export const isAccount = (payment_method: string): payment_method is Place => Object.hasOwn(places, payment_method)

/**
 * The account that a request brings. Refuses, by the names of its fields, what cannot be paid out to, and a type that
 * it is not of.
 */
export function accountBy(ask: MethodAsk, payment_method: Place, now: string): RecipientInput {
  const sent = ask[payment_method] ?? refuse('missing', { field: payment_method })
  const recipient = places[payment_method].read(sent, payment_method, now)
  const { payment_method_type: type = recipient.type } = ask
  if (type !== recipient.type)
    refuse('unacceptable', {
      field: 'payment_method_type',
      words: `${type} does not match ${payment_method}, which is of type ${recipient.type}`,
    })
  return { sent, recipient }
}

/**
 * Saves an account for a customer, or for one who is made with it. The same account again is the same payment method,
 * with what is said of it now.
 */
export async function saveAccount<T>(context: Context, method: Method, input: RecipientInput, saving: Saving<T>): Promise<T> {
  const { merchant_id } = method
  const recipient = await maskedRecipientOf(context, merchant_id, input)
  const fingerprint = accountFingerprint(context, merchant_id, input.recipient)
  const said = { payment_method_type: recipient.type, recipient }
  return saveSealed(context, method, { fingerprint, lasting: lastingOf(input.recipient), said: () => said }, saving)
}
