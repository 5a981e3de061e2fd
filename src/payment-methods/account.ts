import { move } from '../accounts/rows.ts'
import { after } from '../base/lifecycle.ts'
import { refuse } from '../base/refusal.ts'
import type { Context, RowChange } from '../context.ts'
import { type CustomerRow, needCustomer } from '../customers/customer.ts'
import { accountFingerprint, lastingOf, maskedRecipientOf, type RecipientInput, recipientFamilies } from '../instruments/recipients.ts'
import { newIdFor, sameSaved } from './keep.ts'
import { lifecycle } from './lifecycle.ts'
import { findMethods, keepNumber, type Method, paymentMethods } from './method.ts'
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

/** What the caller is shown, the customer who is made with it, and what is written beside it. */
type Saving<T> = {
  show: (method: Method) => T
  made: CustomerRow | null
  beside: (method: Method) => Promise<RowChange[]>
}

/**
 * Saves an account for a customer, or for one who is made with it. The same account again is the same payment method,
 * with what is said of it now.
 */
export async function saveAccount<T>(
  context: Context,
  method: Method,
  input: RecipientInput,
  { show, made, beside }: Saving<T>,
): Promise<T> {
  const { merchant_id, customer_id } = method
  const masked = await maskedRecipientOf(context, merchant_id, input)
  const fingerprint = accountFingerprint(context, merchant_id, input.recipient)
  return move(context, 'customers', made ? 'created' : 'payment_method_saved', async () => {
    const customer = made ?? (await needCustomer(context, merchant_id, customer_id))
    const all = await findMethods(context, merchant_id, customer_id)
    const same = sameSaved(all, fingerprint)
    const stored: Method = {
      ...method,
      ...same,
      payment_method_id: same?.payment_method_id ?? newIdFor(context, customer, fingerprint, all),
      payment_method_type: masked.type,
      status: same ? same.status : after(lifecycle, 'new', 'stored'),
      recipient: masked,
      fingerprint,
      modified_at: context.now(),
    }
    const rows = [
      { table: paymentMethods.name, before: same ?? null, after: stored },
      await keepNumber(context, stored, lastingOf(input.recipient), same ? 'there' : 'new'),
      ...(await beside(stored)),
    ]
    return { before: made ? null : customer, after: { ...customer }, rows, answer: show(stored) }
  })
}
