import { refuse } from '../base/refusal.ts'
import type { Context } from '../context.ts'
import { accountFingerprint, lastingOf, maskedRecipientOf, type RecipientInput, recipientFamilies } from '../instruments/recipients.ts'
import { type Saving, saveSealed } from './keep.ts'
import type { Method } from './method.ts'
import type { MethodAsk } from './shape.ts'

/** Accounts for payouts: a bank account, a wallet. They are saved as cards are, but cannot be paid with. */

const places = { bank_transfer: recipientFamilies.bank, wallet: recipientFamilies.wallet, bank_redirect: recipientFamilies.bank_redirect }
type Place = keyof typeof places
export const accountPlaces = Object.keys(places) as Place[]

export const isAccount = (payment_method: string): payment_method is Place => Object.hasOwn(places, payment_method)

/** Refuses data that cannot be paid out to, and a payment_method_type that differs from the account's type. */
export function accountBy(ask: MethodAsk, payment_method: Place, now: string): RecipientInput {
  const sent = ask[payment_method] ?? refuse('missing', { field: payment_method })
  const recipient = places[payment_method].read(sent, payment_method, now)
  const { payment_method_type: type = recipient.type } = ask
  if (type !== recipient.type)
    refuse('unacceptable', {
      field: 'payment_method_type',
      problem: `${type} does not match ${payment_method}, which is of type ${recipient.type}`,
    })
  return { sent, recipient }
}

export async function saveAccount<T>(context: Context, method: Method, input: RecipientInput, saving: Saving<T>): Promise<T> {
  const { merchant_id } = method
  const recipient = await maskedRecipientOf(context, merchant_id, input)
  const fingerprint = accountFingerprint(context, merchant_id, input.recipient)
  const columns = { payment_method_type: recipient.type, recipient }
  return saveSealed(context, method, { fingerprint, lasting: lastingOf(input.recipient), columns: () => columns }, saving)
}
