import type { Movement, PaymentReport } from '../connectors/payment-report.ts'
import type { Verb } from '../connectors/verbs.ts'
import { acceptsUpdates, endedWithOurNo, type Operation } from '../operations/operation.ts'
import type { Payment } from '../payments/payment.ts'
import { sumOf } from '../payments/verbs/kept.ts'
import { type Difference, nothing } from './difference.ts'

/** The books that a comparison (`compare.ts`) has of a payment, beside which it puts a processor's report. Pure. */

export const counterparts: Readonly<Record<Movement['verb'], readonly Verb[]>> = {
  capture: ['capture'],
  refund: ['refund', 'post_capture_void'],
  void: ['void', 'post_capture_void'],
  increment: ['increment'],
}

/**
 * `free`: the operations that no listed movement is yet. `at_once`: captured with the authorization, and not listed
 * yet. The amounts are ours, with what is external.
 */
export type PaymentBooks = Difference & {
  payment: Payment
  free: Operation[]
  at_once: number
  counts: boolean
  authorized: number
  captured: number
  refunded: number
  refunding: number
  /** `roomOf` our rows, which follow when operations have their results. */
  room: number
  held_now: number
}

/** Returns what may still be refunded. */
export const roomOf = ({ amount_received, amount_refunded, amount_refunding }: Payment): number =>
  amount_received - amount_refunded - amount_refunding

export function openBooks(payment: Payment, free: readonly Operation[], report: PaymentReport): PaymentBooks {
  const done = free.filter(one => one.state === 'done')
  return {
    ...nothing,
    external: [],
    own: [],
    payment,
    free: [...free],
    at_once: payment.amount_received - sumOf(done.filter(one => one.verb === 'capture')),
    counts: report.captured !== null,
    authorized: payment.amount_authorized,
    captured: payment.amount_received,
    refunded: payment.amount_refunded + sumOf(done.filter(one => one.verb === 'refund' && one.purpose === 'reversal')),
    refunding: payment.amount_refunding,
    room: roomOf(payment),
    held_now: wasHeldInPart(payment, free, report) ? payment.amount_authorized : payment.amount_capturable,
  }
}

/** Returns what the processor says was captured: in all, or by what it lists. */
export const capturedIn = ({ captured, movements }: PaymentReport): number =>
  captured ??
  movements.filter(({ verb, state }) => verb === 'capture' && state === 'done').reduce((sum, { amount }) => sum + amount.amount, 0)

/**
 * Whether others may have captured a part of a hold before it was voided, by us or by them: their webhooks come in any
 * order, and a void of ours releases what is left. A void of ours of what was captured as a whole contradicts.
 */
function wasHeldInPart({ status, amount_authorized }: Payment, operations: readonly Operation[], report: PaymentReport): boolean {
  if (status !== 'cancelled') return false
  const captured = capturedIn(report)
  const isTheirs = operations.some(one => one.verb === 'void' && one.purpose === 'external')
  return captured < amount_authorized || (isTheirs && captured === amount_authorized)
}

/** Whether it may be what the processor tells of: as long as its own result is asked for. */
export const mayExplain = (one: Operation): boolean => acceptsUpdates(one) || (endedWithOurNo(one) && one.poll_at !== null)

const isOf = (movement: Movement, { verb, request_id, reference }: Operation): boolean =>
  counterparts[movement.verb].includes(verb) &&
  (movement.request_id === request_id || (reference !== null && movement.reference === reference))

/** Takes a movement of which we know the name out of what is free. Returns whether it is one. */
export function isOneOfOurs(books: PaymentBooks, movement: Movement): boolean {
  const { free } = books
  const own = free.find(one => isOf(movement, one))
  if (!own) return false
  free.splice(free.indexOf(own), 1)
  const isNews =
    movement.state === 'done' ? own.state !== 'done' : movement.state === 'declined' && (own.state === 'done' || acceptsUpdates(own))
  if (isNews && own.state !== 'conflicted') books.own.push({ n: own.n, movement })
  explain(books, movement, own)
  return true
}

/**
 * The processor counts an operation that has no result here yet: its totals have nothing more to explain. One that it
 * declined, or took back, leaves room for others.
 */
export function explain(books: PaymentBooks, { verb, state }: Movement, own: Operation): void {
  const { amount } = own
  const isDone = own.state === 'done'
  if (state === 'done' && !isDone) {
    if (verb === 'capture') books.captured += amount
    if (verb === 'refund') books.refunded += amount
    if (verb === 'increment' && amount > books.authorized) {
      books.held_now += amount - books.authorized
      books.authorized = amount
    }
  }
  if (verb !== 'refund' || state === 'waiting') return
  if (acceptsUpdates(own)) books.refunding = Math.max(0, books.refunding - amount)
  if (state === 'declined' && isDone) books.refunded -= amount
}
