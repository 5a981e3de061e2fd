import type { Recipient } from '../connectors/instrument.ts'
import type { Context } from '../context.ts'
import type { MaskedCard } from '../instruments/card.ts'
import type { MaskedRecipient } from '../instruments/recipient.ts'
import { accountFingerprint, lastingOf, recipientFamilies } from '../instruments/recipients.ts'
import { idFor, type Keeping, keepMethod } from '../payment-methods/keep.ts'
import { statuses } from './lifecycle.ts'
import { findPayout, moved, type Payout } from './payout.ts'
import { storedRecipient } from './recipient.ts'

/** Saves the method of a `recurring` payout for its customer, once. Never throws: the payout is complete. */
export async function savePayoutMethod(context: Context, payout: Payout): Promise<void> {
  if (!payout.recurring || !statuses[payout.status].traits.includes('paid') || payout.payout_method_id !== null) return
  try {
    await keep(context, payout)
  } catch (error) {
    context.log.warn({ err: error, payout_id: payout.payout_id }, 'the payout method could not be saved')
  }
}

async function keep(context: Context, payout: Payout): Promise<void> {
  const { merchant_id, payout_id, customer_id, recipient } = payout
  const kept = await storedRecipient(context, payout)
  if (kept === null || customer_id === null || recipient === null) return
  const what = kept.is === 'card' ? asCard(kept, recipient) : asRecipient(context, merchant_id, kept, recipient)
  const payment_method_id = await idFor(context, { merchant_id, customer_id }, what.fingerprint)
  const recurring = { usage: 'on_session' as const, network_transaction_id: null, connectors: {} }
  const saved = await keepMethod(context, {
    merchant_id,
    customer_id,
    payment_method_id,
    payment_method_type: recipient.type,
    recurring,
    ...what,
  })
  if (!saved) return
  for (let i = 0; i < 3; i++) {
    const now = await findPayout(context, merchant_id, payout_id)
    if (!now || now.payout_method_id !== null) return
    if ((await context.commit(moved(context, now, { ...now, payout_method_id: saved }, 'method_saved'))).is === 'written') return
  }
}

type What = Pick<Keeping, 'payment_method' | 'fingerprint' | 'masked' | 'recipient' | 'number'>

/** Returns a card to save as payments save it; the customer can also pay with it. */
function asCard({ number }: Extract<Recipient, { is: 'card' }>, { shown, fingerprint }: MaskedRecipient): What {
  const { bank_code: _none, ...masked } = shown as Omit<MaskedCard, 'fingerprint' | 'nick_name'> & { bank_code?: unknown }
  return {
    payment_method: 'card',
    fingerprint,
    masked: { ...masked, nick_name: null, fingerprint },
    recipient: null,
    number: number.reveal(),
  }
}

/** Returns any other payout method to save; it can only be paid to. */
const asRecipient = (
  context: Context,
  merchant_id: string,
  kept: Exclude<Recipient, { is: 'card' }>,
  recipient: MaskedRecipient,
): What => ({
  payment_method: recipientFamilies[kept.is].payment_method,
  fingerprint: accountFingerprint(context, merchant_id, kept),
  masked: null,
  recipient,
  number: lastingOf(kept),
})
