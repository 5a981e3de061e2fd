import type { PaymentInstrument } from '../../connectors/instrument.ts'
import type { RowChange } from '../../context.ts'
import { type InstrumentInput, informed, maskedOf } from '../../instruments/input.ts'
import type { InstrumentAt } from '../../operations/verb.ts'
import {
  deleteWaitingCvc,
  type Kept,
  rowsDeletingInstrument,
  rowsReplacingCvc,
  rowsStoringInstrument,
  storedInstrument,
} from '../authorization/payment-instrument.ts'
import type { Payment } from '../payment.ts'
import type { UseCaseCall } from '../services.ts'
import { type Repeated, storedInstrumentOf } from '../stored-credentials/merchant-initiated.ts'
import { type PaidBy, requestWith, savedBy } from '../stored-credentials/saved-instrument.ts'
import { isMerchantInitiated } from '../stored-credentials/stored-credential.ts'
import type { PaymentTerms } from '../terms.ts'

/** A payment's instrument: from the request, from the customer's saved methods, or stored with the payment before. */
export type PaidWith = {
  /** The instrument in the request, or the saved one. */
  input: InstrumentInput | null
  /** The instrument that the payment has stored, with the security code of the request, or the one that waited. */
  kept: Kept | null
  saved: PaidBy | null
  /** The instrument of a payment that is charged without its customer. */
  repeated: Repeated | null
}

/** Finds a payment's instrument; reads only. Refuses a token, a mandate or a saved card that cannot be charged. */
export async function findPaidWith(call: UseCaseCall, before: Payment | null, wanted: Payment, terms: PaymentTerms): Promise<PaidWith> {
  const { context } = call
  const kept = before && (await storedInstrument(context, before, terms.card_cvc))
  const known = terms.input ?? (kept && { family: kept.family, instrument: kept.instrument, sent: before!.card })
  const repeated = isMerchantInitiated(wanted.request) ? await storedInstrumentOf(call, wanted, wanted.request, known) : null
  const saved = repeated ?? (terms.request.payment_token === undefined ? null : await savedBy(call, wanted, terms))
  const input = informed(context, saved ?? terms.input)
  return { input: input instanceof Promise ? await input : input, kept, saved, repeated }
}

/** Returns the instrument itself, unencrypted; undefined if none exists. */
export const instrumentOf = ({ input, kept }: PaidWith): PaymentInstrument | undefined => input?.instrument ?? kept?.instrument

/** Returns the instrument for the operation that sends it: each account may have its own id for it. */
export const sendableOf = (paid: PaidWith): InstrumentAt | undefined => paid.repeated?.at ?? instrumentOf(paid)

/** Whether an instrument of the payment's method exists. */
export const hasInstrument = ({ input, kept }: PaidWith, { request }: Pick<Payment, 'request'>): boolean =>
  input !== null || (kept !== null && kept.family.method === request.payment_method)

/** Returns the payment with the masked instrument of the request, if it has one. */
export function withMasked({ context }: Pick<UseCaseCall, 'context'>, wanted: Payment, { input, saved }: PaidWith): Payment {
  if (!input) return wanted
  return { ...wanted, request: requestWith(wanted.request, saved), card: maskedOf(context.vault, wanted.merchant_id, input) }
}

/** For a later confirm with the security code; without it, for what follows this attempt; or if nothing does, not. */
export type Keeps = 'for confirm' | 'without code' | 'not at all'

/** Returns the rows that store the request's instrument, sealed, in place of the earlier one. */
export async function rowsOfPaidWith(
  { context }: Pick<UseCaseCall, 'context'>,
  payment: Payment,
  { input, kept }: PaidWith,
  keeps: Keeps,
  card_cvc: string | undefined,
): Promise<RowChange[]> {
  if (!input && kept && keeps === 'for confirm' && card_cvc !== undefined) return rowsReplacingCvc(context, payment, kept)
  // The earlier instrument is not what the payment now shows: no later confirm may use it.
  if (input && kept && keeps === 'not at all') return rowsDeletingInstrument(payment, kept)
  const rows = input && keeps !== 'not at all' ? await rowsStoringInstrument(context, payment, input, keeps, kept) : []
  // The statement that begins the authorization deletes a waiting security code, also if it fails later.
  return kept?.waits && keeps !== 'for confirm' ? [deleteWaitingCvc(payment), ...rows] : rows
}
