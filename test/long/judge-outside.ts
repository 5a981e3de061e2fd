import { NOT_GIVEN_BACK } from '../../src/operations/failure.ts'
import { type PaymentStatus, statuses } from '../../src/payments/lifecycle.ts'
import type { Books } from './books.ts'
import type { Differs } from './judge.ts'

/** Compares what others moved at a processor with its ledger: each movement is booked once, and no other as theirs. */

// biome-ignore lint/suspicious/noExplicitAny: rows and ledgers as they come
type Body = any

const verbs = { capture: 'capture', refund: 'refund', void: 'void', increment: 'increment' } as const

const sumOf = (some: readonly Body[]): number => some.reduce((sum, { amount }) => sum + Number(amount), 0)

/** Gives the operations that a person made at the processor's dashboard with the money of a charge. */
function movedAt({ ledger, remote }: Books, { reference }: Body): Body[] {
  const id = remote.get(reference)?.[0]?.payment
  return ledger.operations.filter(({ origin, payment, status }) => origin === 'dashboard' && payment === id && status === 'approved')
}

/**
 * Verifies the external operations of a payment: their totals, and that there are no more of them than there. A capture
 * that we tried to give back in vain is no sale: the error asks a person for it, and theirs is not booked.
 */
function judgeExternal(row: Body, operations: readonly Body[], theirs: readonly Body[], differs: Differs): void {
  for (const verb of Object.keys(verbs) as (keyof typeof verbs)[]) {
    const here = operations.filter(one => one.purpose === 'external' && one.verb === verb && one.state === 'done')
    // A last capture lets the rest of the hold go, which some processors show as a void.
    const there = theirs.filter(({ type, final }) => type === verbs[verb] || (verb === 'void' && final === true))
    if (here.length > there.length) differs(`others made ${there.length} operations (${verb}) there, and ${here.length} are booked here`)
    if (verb === 'capture' && row.last_error?.error_code === NOT_GIVEN_BACK) continue
    if ((verb === 'capture' || verb === 'refund') && sumOf(here) !== sumOf(there))
      differs(`others moved ${sumOf(there)} (${verb}) there, and ${sumOf(here)} is booked here as theirs`)
  }
}

/** Verifies the ledger's claim on the processor, and that each refund that succeeded was announced once. */
function judgeEntries(row: Body, charge: Body, refunds: readonly Body[], events: readonly Body[], differs: Differs): void {
  const claim = events.reduce((sum, { posted }) => sum + Number(posted?.entries.processor ?? 0), 0)
  const owed = charge.captured - charge.refunded - (charge.disputed ?? 0)
  if (claim !== owed) differs(`its processor owes ${claim} by the ledger and ${owed} by the processor's books`)
  const announced = events.filter(({ announces }) => announces === 'refund_succeeded').length
  const succeeded = refunds.filter(({ status }) => status === 'succeeded').length
  if (announced < succeeded || announced > refunds.length)
    differs(`${succeeded} of its ${refunds.length} refunds succeeded, and ${announced} successes were announced`)
  const outside = Number(row.adjustments?.outside ?? 0)
  const booked = events.some(({ type }) => String(type).endsWith('_outside'))
  if (outside > 0 !== booked)
    differs(`${outside} was moved by others as analytics counts, and ${booked ? 'some' : 'none'} is in its history`)
}

/** Whether a person decides what a payment is: it is not compared with its processor. */
export const isForAPerson = ({ status, last_error }: Body): boolean =>
  status === 'requires_merchant_action' ||
  statuses[status as PaymentStatus].traits.includes('unclear') ||
  (status === 'failed' && last_error?.error_code === 'outside')

/** Verifies one payment that has one charge. */
export function judgeOutside(row: Body, books: Books, differs: Differs): void {
  const charges = books.charges.get(row.payment_id) ?? []
  const [charge] = charges
  if (!charge || charges.length > 1 || isForAPerson(row)) return
  const operations = books.operations.get(row.payment_id) ?? []
  const refunds = [...books.refunds.values()].filter(({ payment_id }) => payment_id === row.payment_id)
  // We gave back what others had captured: there was no sale, and theirs is not booked.
  const undone = ['cancelled', 'failed', 'cancelled_post_capture']
  const isUndone = undone.includes(row.status) && charge.captured > 0 && charge.refunded === charge.captured
  if (!isUndone) judgeExternal(row, operations, movedAt(books, charge), differs)
  judgeEntries(row, charge, refunds, books.events.get(row.payment_id) ?? [], differs)
}
