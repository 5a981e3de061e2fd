import type { PaymentInstrument } from '../../connectors/instrument.ts'
import type { RowChange } from '../../context.ts'
import { type InstrumentInput, informed, maskedOf } from '../../instruments/input.ts'
import type { InstrumentAt } from '../../operations/verb.ts'
import { type Kept, keptInstrument, noLongerWaiting, rowsKeeping, rowsKeepingAnew } from '../authorization/payment-instrument.ts'
import type { Payment } from '../payment.ts'
import type { StoryCall } from '../services.ts'
import { type Repeated, storedInstrumentOf } from '../stored-credentials/merchant-initiated.ts'
import { type PaidBy, requestWith, savedBy } from '../stored-credentials/saved-instrument.ts'
import { isMerchantInitiated } from '../stored-credentials/stored-credential.ts'
import type { PaymentTerms } from '../terms.ts'

/** What a payment is paid with: from the request, from what its customer has saved, or as it was kept before. */
export type PaidWith = {
  /** What comes now, or was saved. */
  input: InstrumentInput | null
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
  const kept = before && (await keptInstrument(context, before, terms.card_cvc))
  const known = terms.input ?? (kept && { family: kept.family, instrument: kept.instrument, sent: before!.card })
  const repeated = isMerchantInitiated(wanted.request) ? await storedInstrumentOf(call, wanted, wanted.request, known) : null
  const saved = repeated ?? (terms.request.payment_token === undefined ? null : await savedBy(call, wanted, terms))
  const input = informed(context, saved ?? terms.input)
  return { input: input instanceof Promise ? await input : input, kept, saved, repeated }
}

/** The instrument itself, in clear; undefined if there is none. */
export const instrumentOf = ({ input, kept }: PaidWith): PaymentInstrument | undefined => input?.instrument ?? kept?.instrument

/** The same for the operation that sends it, where each account may have another name for it. */
export const sendableOf = (paid: PaidWith): InstrumentAt | undefined => paid.repeated?.at ?? instrumentOf(paid)

/** Is there something to pay with, of the method that the payment names? */
export const hasInstrument = ({ input, kept }: PaidWith, { request }: Pick<Payment, 'request'>): boolean =>
  input !== null || (kept !== null && kept.family.method === request.payment_method)

/** The payment with what may stand in clear of what is brought now; otherwise with what it has kept. */
export function withMasked({ context }: Pick<StoryCall, 'context'>, wanted: Payment, { input, saved }: PaidWith): Payment {
  if (!input) return wanted
  return { ...wanted, request: requestWith(wanted.request, saved), card: maskedOf(context.vault, wanted.merchant_id, input) }
}

/**
 * The rows that keep what is brought now in the place of what was kept before, sealed by the vault. `waits`: for a
 * confirm, with what may be kept only until then; otherwise nothing waits any more.
 */
export function rowsOfPaidWith(
  { context }: Pick<StoryCall, 'context'>,
  payment: Payment,
  { input, kept }: PaidWith,
  waits: 'for confirm' | 'not',
  card_cvc: string | undefined,
): Promise<RowChange[]> {
  if (!input && kept && waits === 'for confirm' && card_cvc !== undefined) return rowsKeepingAnew(context, payment, kept)
  const rows = input ? rowsKeeping(context, payment, input, waits, kept) : Promise.resolve([])
  // What waited is deleted by the statement that begins the authorization, also if that fails later.
  return kept?.waits && waits === 'not' ? rows.then(more => [noLongerWaiting(payment), ...more]) : rows
}
