import type { PaymentReport } from '../connectors/payment-report.ts'
import { NOT_GIVEN_BACK } from '../operations/failure.ts'
import { isReturnOfOthers, type Operation } from '../operations/operation.ts'
import type { Payment } from '../payments/payment.ts'
import { soldAmount } from '../payments/postings.ts'
import { isReturn, keptOf, returnedByOthers, sumOf } from '../payments/verbs/kept.ts'
import { capturedIn, isOneOfOurs, mayExplain, openBooks } from './books.ts'
import { type Difference, type External, nothing } from './difference.ts'

/** Compares what a processor says of a payment that is no sale: what it took is to be returned, or was. Pure. */

/** Returns null if the report is compared as that of a sale. */
export function compareNoSale(payment: Payment, operations: readonly Operation[], report: PaymentReport): Difference | null {
  if (soldAmount(payment) > 0) return null
  if (payment.last_error?.error_code === NOT_GIVEN_BACK || operations.some(isReturnOfOthers))
    return returnedAfterAll(payment, operations, report)
  const early = returnedEarly(payment, operations, report)
  return early ?? (payment.amount_authorized === 0 ? capturedAfterAll(payment, operations, report) : null)
}

/** Money that the processor had refused to return from a payment that is no sale, and that others had it return. */
function returnedAfterAll(payment: Payment, operations: readonly Operation[], report: PaymentReport): Difference {
  if (report.currency !== payment.currency) return nothing
  const books = openBooks(payment, operations, report)
  const others = report.movements.filter(one => !isOneOfOurs(books, one) && one.verb === 'refund' && one.state === 'done')
  const booked = payment.amount_refunded + returnedByOthers(operations)
  const counted = report.refunded === null ? 0 : report.refunded - booked
  const unlisted = { amount: counted, reference: report.reference, reason: null, at: null }
  const listed = others.map(({ reference, reason, at, amount }) => ({ amount: amount.amount, reference, reason, at }))
  const external: External[] = []
  let held = keptOf(operations)
  for (const one of others.length === 0 && counted > 0 ? [unlisted] : listed)
    if (one.amount <= held) {
      held -= one.amount
      external.push({ ...one, verb: 'refund', state: 'done', held })
    }
  return { ...nothing, own: books.own, external }
}

/**
 * A refund by others of a payment of which we have returned everything: one of ours has failed, and that is still to be
 * told. Null if there is none.
 */
function returnedEarly(payment: Payment, operations: readonly Operation[], report: PaymentReport): Difference | null {
  const given = operations.findLast(one => one.state === 'done' && isReturn(one))
  if (!given || report.currency !== payment.currency) return null
  const books = openBooks(payment, operations, report)
  const theirs = report.movements.filter(one => !isOneOfOurs(books, one) && one.verb === 'refund' && one.state === 'done')
  const ours = payment.amount_refunded + (given.response?.amount ?? given.amount)
  const refunded = theirs.reduce((sum, { amount }) => sum + amount.amount, ours)
  // There are none, or ours returned what theirs had left.
  if (refunded <= payment.amount_refunded + given.amount) return null
  return { ...nothing, own: books.own, waits: true, early: { of: 'refunded', theirs: refunded, ours } }
}

/** A payment that failed, of whose hold others captured a part before our void: a person decides who keeps it. */
function capturedAfterAll(payment: Payment, operations: readonly Operation[], report: PaymentReport): Difference {
  const refunded = Math.max(report.refunded ?? 0, sumOf(operations.filter(({ verb, state }) => verb === 'refund' && state === 'done')))
  const theirs = capturedIn(report)
  if (report.currency !== payment.currency || theirs <= refunded) return nothing
  if (operations.some(mayExplain)) return { ...nothing, waits: true }
  return { ...nothing, contradiction: { of: 'captured', theirs, ours: payment.amount_received } }
}

/**
 * Whether the processor keeps nothing of a payment that was cancelled here: where a void gives back what was captured,
 * it has both.
 */
export function isGivenBack({ status, amount_received }: Payment, { captured, refunded, movements }: PaymentReport): boolean {
  if (status !== 'cancelled' || amount_received > 0 || captured === null || captured === 0) return false
  const refunds = movements.filter(({ verb, state }) => verb === 'refund' && state !== 'declined')
  return (
    Math.max(
      refunded ?? 0,
      refunds.reduce((sum, { amount }) => sum + amount.amount, 0),
    ) >= captured
  )
}
