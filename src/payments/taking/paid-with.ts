import type { PaymentInstrument } from '../../connectors/instrument.ts'
import type { RowChange } from '../../context.ts'
import { type InstrumentInput, informed, maskedOf } from '../../means/input.ts'
import type { InstrumentAt } from '../../operations/verb.ts'
import { type Kept, keptMeans, noLongerWaiting, rowsKeeping, rowsKeepingAnew } from '../authorization/payment-instrument.ts'
import type { Payment } from '../payment.ts'
import type { StoryCall } from '../services.ts'
import { type Repeated, storedInstrumentOf } from '../stored-credentials/merchant-initiated.ts'
import { askedWith, type PaidBy, savedBy } from '../stored-credentials/saved-instrument.ts'
import { isMerchantInitiated } from '../stored-credentials/stored-credential.ts'
import type { PaymentTerms } from '../terms.ts'

/** What a payment is paid with: from the request, from what its customer has saved, or as it was kept before. */
export type PaidWith = {
  /** What comes now, or was saved. */
  brought: InstrumentInput | null
  /** What the payment has kept, with a security code that comes now or has waited. */
  kept: Kept | null
  saved: PaidBy | null
  /** Of a payment that is charged without its customer. */
  repeated: Repeated | null
}

/**
 * Finds what a payment is paid with. `before`: the payment as it is; null if it is being created. Refuses a token, a
 * mandate or a saved card that cannot be charged (`savedBy`, `storedInstrumentOf`). Reads, and writes nothing.
 */
export async function findPaidWith(call: StoryCall, before: Payment | null, wanted: Payment, terms: PaymentTerms): Promise<PaidWith> {
  const { context } = call
  const kept = before && (await keptMeans(context, before, terms.card_cvc))
  const known = terms.brought ?? (kept && { family: kept.family, means: kept.means, sent: before!.card })
  const repeated = isMerchantInitiated(wanted.asked) ? await storedInstrumentOf(call, wanted, wanted.asked, known) : null
  const saved = repeated ?? (await savedBy(call, wanted, terms))
  return { brought: await informed(context, saved ?? terms.brought), kept, saved, repeated }
}

/** The instrument itself, in clear; undefined if there is none. */
export const instrumentOf = ({ brought, kept }: PaidWith): PaymentInstrument | undefined => brought?.means ?? kept?.means

/** The same for whoever sends it, where each account may have another name for it. */
export const sendableOf = (paid: PaidWith): InstrumentAt | undefined => paid.repeated?.at ?? instrumentOf(paid)

/** Is there something to pay with, of the method that the payment names? */
export const hasInstrument = ({ brought, kept }: PaidWith, { asked }: Pick<Payment, 'asked'>): boolean =>
  brought !== null || (kept !== null && kept.family.method === asked.payment_method)

/** The payment with what may stand in clear of what is brought now; otherwise with what it has kept. */
export function withMasked({ context }: Pick<StoryCall, 'context'>, wanted: Payment, { brought, saved }: PaidWith): Payment {
  if (!brought) return wanted
  return { ...wanted, asked: askedWith(wanted.asked, saved), card: maskedOf(context.vault, wanted.merchant_id, brought) }
}

/**
 * The rows that keep what is brought now in the place of what was kept before, sealed by the vault. `waits`: for a
 * confirm, with what may be kept only until then; otherwise nothing waits any more.
 */
export async function rowsOfPaidWith(
  { context }: Pick<StoryCall, 'context'>,
  payment: Payment,
  { brought, kept }: PaidWith,
  waits: 'for confirm' | 'not',
  card_cvc: string | undefined,
): Promise<RowChange[]> {
  if (!brought && kept && waits === 'for confirm' && card_cvc !== undefined) return rowsKeepingAnew(context, payment, kept)
  const rows = brought ? await rowsKeeping(context, payment, brought, waits, kept) : []
  // What waited is deleted by the statement that begins the authorization, whatever happens next.
  if (kept?.waits && waits === 'not') rows.unshift(noLongerWaiting(payment))
  return rows
}
