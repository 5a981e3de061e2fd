import { later } from '../../base/time.ts'
import type { PaymentInstrument } from '../../connectors/instrument.ts'
import type { Context, RowChange } from '../../context.ts'
import { type AnyFamily, familyNamed } from '../../instruments/families.ts'
import type { InstrumentInput } from '../../instruments/input.ts'
import { vaultRecords, WAITS_MS, waitingCvcs, waitingName } from '../../vault/records.ts'
import type { Payment } from '../payment.ts'
import { findSealed } from '../rows.ts'

/** What a payment keeps of what it is paid with: sealed by the vault, under a name of its own. */

type Id = Pick<Payment, 'merchant_id' | 'payment_id'>
export const recordName = (family: AnyFamily, { payment_id }: Id): string => `${family.is} ${payment_id}`

/** `waits`: something waits for the confirm that may not be kept after it. */
export type Kept = { family: AnyFamily; instrument: PaymentInstrument; waits: boolean }

/** Of which family is what the payment is to be paid with; none if nothing is kept. */
export const familyOf = ({ request, card }: Pick<Payment, 'request' | 'card'>): AnyFamily | undefined =>
  card === null ? undefined : familyNamed(request.payment_method)

/**
 * The rows that keep what a request brought, in the place of what was kept before. What may not be kept waits for a
 * confirm, if there is to be one.
 */
export async function rowsKeeping(
  context: Pick<Context, 'numbers' | 'now'>,
  id: Id,
  { family, instrument }: InstrumentInput,
  waits: 'for confirm' | 'not',
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
  if (waits === 'for confirm') {
    const earlier = before?.waits ? { merchant_id, payment_id } : null
    const expires_at = later(created, WAITS_MS)
    const sealed = waiting === null ? null : await context.numbers.keep(merchant_id, waitingName(payment_id), waiting, expires_at)
    const now = sealed && { merchant_id, payment_id, sealed, expires_at }
    if (earlier || now) rows.push({ table: waitingCvcs.name, before: earlier, after: now })
  }
  return rows
}

/** What is kept, with the security code that came now, which waits for a confirm. */
export const rowsKeepingAnew = (context: Context, payment: Payment, kept: Kept): Promise<RowChange[]> =>
  rowsKeeping(context, payment, { family: kept.family, instrument: kept.instrument, sent: null }, 'for confirm', kept)

/** Nothing of what was kept is kept any more. */
export function rowsForgetting(id: Id, { family, waits }: Kept): RowChange[] {
  const { merchant_id } = id
  const rows: RowChange[] = [{ table: vaultRecords.name, before: { merchant_id, record: recordName(family, id) }, after: null }]
  return waits ? [...rows, noLongerWaiting(id)] : rows
}

/** What waited for a confirm waits no longer. */
export const noLongerWaiting = ({ merchant_id, payment_id }: Id): RowChange => ({
  table: waitingCvcs.name,
  before: { merchant_id, payment_id },
  after: null,
})

/**
 * What is kept of a payment, out of the vault; null if nothing is. `anew`: what may not be kept, as it is sent now;
 * else what waited for it, while it may.
 */
export async function keptInstrument(context: Context, payment: Payment, anew: string | undefined): Promise<Kept | null> {
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
