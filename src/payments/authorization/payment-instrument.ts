import { later } from '../../base/time.ts'
import type { PaymentInstrument } from '../../connectors/instrument.ts'
import type { Context, RowChange } from '../../context.ts'
import { type AnyFamily, familyNamed } from '../../instruments/families.ts'
import type { InstrumentInput } from '../../instruments/input.ts'
import { vaultRecords, WAITS_MS, waitingCvcs, waitingName } from '../../vault/records.ts'
import type { Payment } from '../payment.ts'
import { findSealed } from '../rows.ts'

/** The instrument that is stored for a payment: sealed by the vault, as a record of the payment's own. */

type Id = Pick<Payment, 'merchant_id' | 'payment_id'>
export const recordName = (family: AnyFamily, { payment_id }: Id): string => `${family.is} ${payment_id}`

/** A stored instrument. `waits`: whether its security code waits for the confirm; later it must not be stored. */
export type Kept = { family: AnyFamily; instrument: PaymentInstrument; waits: boolean }

/** Returns the family of the payment's instrument; undefined if no instrument is stored. */
export const familyOf = ({ request, card }: Pick<Payment, 'request' | 'card'>): AnyFamily | undefined =>
  card === null ? undefined : familyNamed(request.payment_method)

/** Stores an instrument in place of the earlier one; its security code, if at all, only until the confirm. */
export async function rowsStoringInstrument(
  context: Pick<Context, 'numbers' | 'now'>,
  id: Id,
  { family, instrument }: InstrumentInput,
  keeps: 'for confirm' | 'without code',
  before: Kept | null,
): Promise<RowChange[]> {
  const { merchant_id, payment_id } = id
  const created = context.now()
  const record = recordName(family, id)
  const { lasting, waiting } = family.seal(instrument)
  const after = { merchant_id, record, sealed: await context.numbers.keep(merchant_id, record, lasting), created }
  const same = before?.family === family
  const rows: RowChange[] = [{ table: vaultRecords.name, before: same ? { merchant_id, record } : null, after }]
  if (before && !same) rows.push({ table: vaultRecords.name, before: { merchant_id, record: recordName(before.family, id) }, after: null })
  if (keeps === 'for confirm') {
    const earlier = before?.waits ? { merchant_id, payment_id } : null
    const expires_at = later(created, WAITS_MS)
    const sealed = waiting === null ? null : await context.numbers.keep(merchant_id, waitingName(payment_id), waiting, expires_at)
    const now = sealed && { merchant_id, payment_id, sealed, expires_at }
    if (earlier || now) rows.push({ table: waitingCvcs.name, before: earlier, after: now })
  }
  return rows
}

/** Stores the instrument again with the security code of this request, which waits for a confirm. */
export const rowsReplacingCvc = (context: Context, payment: Payment, kept: Kept): Promise<RowChange[]> =>
  rowsStoringInstrument(context, payment, { family: kept.family, instrument: kept.instrument, sent: null }, 'for confirm', kept)

/** Returns the rows that delete the stored instrument. */
export function rowsDeletingInstrument(id: Id, { family, waits }: Kept): RowChange[] {
  const { merchant_id } = id
  const rows: RowChange[] = [{ table: vaultRecords.name, before: { merchant_id, record: recordName(family, id) }, after: null }]
  return waits ? [...rows, deleteWaitingCvc(id)] : rows
}

/** Returns the row that deletes a security code waiting for a confirm. */
export const deleteWaitingCvc = ({ merchant_id, payment_id }: Id): RowChange => ({
  table: waitingCvcs.name,
  before: { merchant_id, payment_id },
  after: null,
})

/**
 * Returns the stored instrument. `anew`: the security code in this request; else the one that waited, while it is
 * valid.
 */
export async function storedInstrument(context: Context, payment: Payment, anew: string | undefined): Promise<Kept | null> {
  const family = familyOf(payment)
  if (!family) return null
  const { merchant_id } = payment
  const record = recordName(family, payment)
  const stored = await findSealed(context, payment, record)
  if (!stored) return null
  const { sealed, cvc, expires_at } = stored
  const mayWait = cvc !== null && expires_at !== null && expires_at > context.now()
  const waited = mayWait ? await context.numbers.read(merchant_id, waitingName(payment.payment_id), cvc) : null
  const instrument = family.open(payment.card, await context.numbers.read(merchant_id, record, sealed), anew ?? waited)
  return { family, instrument, waits: cvc !== null }
}
