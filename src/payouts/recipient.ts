import { may } from '../base/lifecycle.ts'
import { refuse } from '../base/refusal.ts'
import { Secret } from '../base/secret.ts'
import { later } from '../base/time.ts'
import type { Recipient } from '../connectors/instrument.ts'
import type { Context, RowChange, Time } from '../context.ts'
import { statement } from '../database/statement.ts'
import type { MaskedRecipient } from '../instruments/recipient.ts'
import { lastingOf, maskedRecipientOf, type RecipientInput, recipientFrom } from '../instruments/recipients.ts'
import { isUsable, methodRecord } from '../payment-methods/method.ts'
import { needWithNumber } from '../payment-methods/number.ts'
import type { SavedCard } from '../payment-methods/saved-cards.ts'
import type { UseCaseCall } from '../payments/services.ts'
import { vaultRecords } from '../vault/records.ts'
import { lifecycle } from './lifecycle.ts'
import type { Payout } from './payout.ts'
import type { PayoutTerms } from './terms.ts'

type Id = Pick<Payout, 'merchant_id' | 'payout_id'>
export const recordName = ({ payout_id }: Pick<Id, 'payout_id'>): string => `recipient ${payout_id}`

/** `payout_method_id`: of the saved one; null if the request contained it. `masked`: if that form is known already. */
export type ChosenPayoutMethod = Pick<RecipientInput, 'recipient'> & { payout_method_id: string | null } & (
    | Pick<RecipientInput, 'sent'>
    | { masked: MaskedRecipient }
  )

type Payee = Pick<Payout, 'merchant_id' | 'customer_id' | 'payout_type'>

/**
 * Returns the payout method that a request names, if any. Refuses (IR_29) a token that is unknown, expired or of
 * another customer, and (HE_02) a payout method that is not this customer's.
 */
export async function findPayoutMethod(
  { context, services }: Pick<UseCaseCall, 'context' | 'services'>,
  payee: Payee,
  { input, payout_token, payout_method_id }: PayoutTerms,
): Promise<ChosenPayoutMethod | null> {
  if (input) return { ...input, payout_method_id: null }
  if ((payout_token ?? payout_method_id) === undefined) return null
  const { merchant_id, customer_id, payout_type } = payee
  if (customer_id === null) refuse('missing', { field: 'customer_id' })
  const absent = (): never => (payout_token === undefined ? refuse('not_found', { what: 'payment method' }) : refuse('token_unusable'))
  const { method, number } = await named()
  const to = method?.customer_id === customer_id ? savedAs(method, number) : undefined
  if (!to) return absent()
  if (payout_type !== null && payout_type !== to.recipient.is)
    refuse('unacceptable', { field: 'payout_type', problem: `must be ${to.recipient.is}, the type of the saved payout method` })
  return to

  async function named(): Promise<{ method: SavedCard | undefined; number: string | null }> {
    if (payout_token === undefined) return needWithNumber(context, merchant_id, payout_method_id!)
    const method = await services.saved.find(merchant_id, payout_token)
    return { method, number: method?.sealed ? await context.numbers.read(merchant_id, methodRecord(method), method.sealed) : null }
  }
}

/** Returns a saved payment method as a payout method; undefined if it cannot be paid to. */
function savedAs(method: SavedCard, number: string | null): ChosenPayoutMethod | undefined {
  const { masked, recipient: other, payment_method_id } = method
  if (number === null || !isUsable(method)) return undefined
  if (other) return { masked: other, recipient: recipientFrom(number), payout_method_id: payment_method_id }
  if (!masked) return undefined
  const { card_exp_month: expiry_month, card_exp_year: expiry_year, card_holder_name, card_network } = masked
  const sent = {
    card_number: number,
    expiry_month,
    expiry_year,
    ...(card_holder_name && { card_holder_name }),
    ...(card_network && { card_network }),
  }
  const recipient: Recipient = {
    is: 'card',
    type: null,
    number: new Secret(number),
    exp_month: Number(expiry_month),
    exp_year: Number(expiry_year),
    holder: card_holder_name,
  }
  return { sent, recipient, payout_method_id: payment_method_id }
}

export async function withRecipient(context: Context, payout: Payout, to: ChosenPayoutMethod): Promise<Payout> {
  const recipient = 'masked' in to ? to.masked : await maskedRecipientOf(context, payout.merchant_id, to)
  return { ...payout, recipient, payout_type: to.recipient.is, payout_method_id: to.payout_method_id }
}

/** Returns the row that stores a payout method in the vault. `replaces`: whether the vault has an earlier one. */
export async function recordOf({ numbers, now }: Context, payout: Id, to: ChosenPayoutMethod, replaces: boolean): Promise<RowChange> {
  const { merchant_id } = payout
  const record = recordName(payout)
  const after = { merchant_id, record, sealed: await numbers.keep(merchant_id, record, lastingOf(to.recipient)), created: now() }
  return { table: vaultRecords.name, before: replaces ? { merchant_id, record } : null, after }
}

const sealedRecipient = statement('sealed_recipient', 'select sealed from vault_records where merchant_id = $1 and record = $2')

/** Reads the payout method of a payout from the vault; null if the payout has none yet. */
export async function storedRecipient(context: Pick<Context, 'query' | 'numbers'>, payout: Payout): Promise<Recipient | null> {
  if (payout.recipient === null) return null
  const { merchant_id } = payout
  const record = recordName(payout)
  const [row] = await context.query<{ sealed: Buffer }>(sealedRecipient, [merchant_id, record])
  return row ? recipientFrom(await context.numbers.read(merchant_id, record, row.sealed)) : null
}

/** Null while the payout may still be sent or is under way. `hours_ms`: `CARD_NUMBER_HOURS`. Pure. */
export function recipientNeededUntil({ status, alone, expire_at, modified_at }: Payout, hours_ms: number): Time | null {
  if (alone !== null || status === 'pending' || status === 'initiated') return null
  if (!may(lifecycle, status, 'sent')) return later(modified_at, hours_ms)
  // A payout without a session waits for its merchant as long as that takes.
  return expire_at === null ? null : later(expire_at, hours_ms)
}
