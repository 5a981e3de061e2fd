import { may } from '../base/lifecycle.ts'
import type { Movement, PaymentReport } from '../connectors/payment-report.ts'
import type { Verb } from '../connectors/verbs.ts'
import { acceptsUpdates, type Operation } from '../operations/operation.ts'
import { overcapturable } from '../payments/authorization/holds.ts'
import { lifecycle, statuses } from '../payments/lifecycle.ts'
import type { Payment } from '../payments/payment.ts'
import { counterparts, explain, isOneOfOurs, mayExplain, openBooks, type PaymentBooks, roomOf } from './books.ts'
import { compareNoSale, isGivenBack } from './compare-no-sale.ts'
import { type Contradiction, type Difference, type External, nothing } from './difference.ts'

/**
 * Compares what a processor says of the payment's current authorization with the payment and its operations. What fits
 * is nothing; what an operation under way may explain waits for that operation; what no operation of ours did is
 * external; what is impossible contradicts, unless an operation under way may explain it. A report that is older than
 * our books says less, which is no news. Pure.
 */
export function compare(payment: Payment, operations: readonly Operation[], report: PaymentReport): Difference {
  const n = payment.authorization_n
  const authorization = operations.find(one => one.n === n)
  const acting = operations.filter(one => one.acts_on === n)
  // Until the authorization has its own result, that result is the news.
  if (authorization?.state !== 'done') return nothing
  const noSale = compareNoSale(payment, acting, report)
  if (noSale) return noSale
  // A person decides what such a payment is. One that was undone as a whole is no sale, under any name.
  const { traits } = statuses[payment.status]
  if (traits.includes('unclear') || traits.includes('undone') || isGivenBack(payment, report)) return nothing
  if (report.currency !== payment.currency)
    return { ...nothing, contradiction: { of: 'currency', theirs: report.currency, ours: payment.currency } }
  const books = openBooks(payment, acting, report)
  const others = report.movements.filter(one => !isOneOfOurs(books, one))
  // Captures first: they leave room for refunds.
  for (const movement of others.toSorted(byOrder)) listed(books, movement)
  captures(books, report)
  refunds(books, report)
  holds(books, report)
  const { external, own, waits, held, lapsed, contradiction } = books
  external.sort(byOrder)
  return { external, own, waits, held, lapsed, contradiction: waits ? null : contradiction, early: books.early }
}

const order: readonly Movement['verb'][] = ['increment', 'capture', 'refund', 'void']

const byOrder = (a: Pick<Movement, 'verb'>, b: Pick<Movement, 'verb'>): number => order.indexOf(a.verb) - order.indexOf(b.verb)

/** A movement whose name is not known here may be one of ours under way, or is external. */
function listed(books: PaymentBooks, movement: Movement): void {
  const { free, payment } = books
  if (movement.state === 'declined') return
  if (movement.verb === 'capture' && movement.amount.amount <= books.at_once) {
    books.at_once -= movement.amount.amount
    return
  }
  if (movement.amount.currency !== payment.currency) {
    books.contradiction ??= { of: 'currency', theirs: movement.amount.currency, ours: payment.currency }
    return
  }
  const { amount } = movement.amount
  const nameless = free.find(
    one =>
      movement.request_id === null &&
      counterparts[movement.verb].includes(one.verb) &&
      one.reference === null &&
      mayExplain(one) &&
      (movement.verb === 'void' || one.amount === amount),
  )
  if (nameless) {
    free.splice(free.indexOf(nameless), 1)
    books.own.push({ n: nameless.n, movement: null })
    books.waits = true
    explain(books, movement, nameless)
    return
  }
  add(books, movement.verb, { amount, reference: movement.reference, state: movement.state, reason: movement.reason, at: movement.at })
}

/**
 * Returns what may have been captured: also of a hold that has ended here, or that news has lowered already. Captures
 * of ours under way reserve what they ask for.
 */
const capturableIn = ({ payment, held_now, authorized, captured }: PaymentBooks): number =>
  payment.amount_capturing > 0 || payment.status === 'cancelled' ? held_now : authorized - captured

/**
 * Webhooks come in any order. One that has no totals may be older than what it seems to contradict: an increment, a
 * capture, or that an earlier refund failed may still be told.
 */
function contradicts(books: PaymentBooks, contradiction: Contradiction): void {
  if (books.counts) books.contradiction ??= contradiction
  else {
    books.waits = true
    books.early ??= contradiction
  }
}

type Told = Pick<External, 'amount' | 'reference' | 'state' | 'reason' | 'at'>

/** Books an external movement, if the payment's totals leave room for it. */
function add(books: PaymentBooks, verb: Movement['verb'], told: Told, held: number | null = null): void {
  const { amount, state } = told
  const isWaiting = state === 'waiting'
  switch (verb) {
    case 'capture': {
      // Of a capture that waits nothing was taken yet.
      if (isWaiting) {
        books.waits = true
        return
      }
      if (amount > capturableIn(books) + overcapturable(books.payment)) {
        const contradiction = { of: 'captured', theirs: books.captured + amount, ours: books.captured } as const
        // A capture of ours that is under way reserves what was captured here.
        if (books.payment.amount_capturing > 0) books.waits = true
        else contradicts(books, contradiction)
        return
      }
      books.captured += amount
      books.room += amount
      books.held_now = Math.max(0, books.held_now - amount)
      break
    }
    case 'refund': {
      if (books.refunded + books.refunding + amount > books.captured) {
        // A refund of ours that was given up, or is under way, may be another name of this one.
        const contradiction = { of: 'refunded', theirs: books.refunded + amount, ours: books.captured } as const
        if (isExplained(books, 'refund')) waitsFor(books, 'refund')
        else contradicts(books, contradiction)
        return
      }
      // An operation of ours has left the room, and its result is still to be written.
      if (amount > books.room) {
        books.waits = true
        return
      }
      books.room -= amount
      if (isWaiting) books.refunding += amount
      else books.refunded += amount
      break
    }
    case 'void':
      // Releases are decided below, from the whole report; those of a capture under way, when it has its result.
      if (books.payment.amount_capturing > 0) books.waits = true
      return
    case 'increment':
      if (isWaiting || amount <= books.authorized) return
      books.held_now += amount - books.authorized
      books.authorized = amount
      break
  }
  books.external.push({ verb, ...told, held })
}

const isExplained = (books: PaymentBooks, verb: Verb): boolean => books.free.some(one => one.verb === verb && mayExplain(one))

/** The operations under way are asked about, and the report's difference is left to them. */
function waitsFor(books: PaymentBooks, verb: Verb): void {
  books.waits = true
  books.own.push(...books.free.filter(one => one.verb === verb && mayExplain(one)).map(({ n }) => ({ n, movement: null })))
}

/** Captures that the processor only counts, and captures of a payment that can no longer be captured. */
function captures(books: PaymentBooks, { captured, reference, held, movements, requests }: PaymentReport): void {
  const { payment } = books
  const more = captured === null ? 0 : captured - books.captured
  if (more > 0) {
    const isListed = movements.some(({ verb }) => verb === 'capture')
    // A capture that is not in the total explains nothing of it.
    const isOurs = requests
      ? books.free.some(one => requests.includes(one.request_id) && mayExplain(one))
      : isExplained(books, 'capture') || payment.amount_capturing > 0
    if (isOurs) waitsFor(books, 'capture')
    else if (isListed) books.contradiction ??= { of: 'captured', theirs: captured!, ours: books.captured }
    else add(books, 'capture', { amount: more, reference, state: 'done', reason: null, at: null }, held)
  }
  const external = books.external.filter(({ verb }) => verb === 'capture')
  if (external.length === 0) return
  // Before the last of them the processor held at least what the later ones took.
  let later = 0
  for (const one of external.toReversed()) {
    one.held = later === 0 ? held : (held ?? books.held_now) + later
    later += one.amount
  }
  if (payment.alone !== null || payment.amount_capturing > 0) {
    books.waits = true
    books.external = books.external.filter(({ verb }) => verb === 'increment')
    books.room = roomOf(payment)
  } else if (!may(lifecycle, payment.status, 'captured_in_part'))
    books.contradiction ??= { of: 'captured', theirs: books.captured, ours: payment.amount_received }
}

/** Refunds that the processor only counts. */
function refunds(books: PaymentBooks, { refunded, reference, movements }: PaymentReport): void {
  if (refunded === null) return
  const more = refunded - books.refunded
  if (more > 0) {
    if (isExplained(books, 'refund') || isExplained(books, 'post_capture_void')) books.waits = true
    else if (movements.some(({ verb }) => verb === 'refund'))
      books.contradiction ??= { of: 'refunded', theirs: refunded, ours: books.refunded }
    else add(books, 'refund', { amount: more, reference, state: 'done', reason: null, at: null })
  }
}

/** The hold, or what is left of it: released, expired, or less than is known here. */
function holds(books: PaymentBooks, { released, held, captured, authorized, reference, movements }: PaymentReport): void {
  const { payment, external } = books
  const isTaken = external.some(({ verb }) => verb === 'capture')
  if (authorized !== null && authorized > books.authorized && books.held_now > 0 && released === null && !isTaken)
    if (isExplained(books, 'increment') || isExplained(books, 'capture')) books.waits = true
    else add(books, 'increment', { amount: authorized, reference, state: 'done', reason: null, at: null })
  const isUndone = released === 'voided' && captured === 0 && payment.amount_received > 0 && payment.amount_refunded === 0
  // A hold that a void of ours may have released has no status of a hold while that void is under way.
  const isHold = payment.alone !== null || statuses[payment.status].traits.includes('holds')
  const isGone = released !== null && books.held_now > 0 && isHold
  // A capture under way finds the hold released, and then leaves it to be booked; or it is what released the rest.
  if (released !== null && payment.amount_capturing > 0) {
    waitsFor(books, 'capture')
    return
  }
  // No void of ours explains that a hold expired.
  if (isGone && released === 'expired' && !isTaken) {
    books.lapsed = true
    return
  }
  if (isUndone || isGone) {
    // A void of ours that was never received explains nothing: one that turns up late changes nothing either.
    const isOurs = books.free.some(one => one.verb === 'void' && acceptsUpdates(one)) || isExplained(books, 'post_capture_void')
    if (payment.alone !== null || isOurs) {
      waitsFor(books, 'void')
      return
    }
    // A single capture releases the rest by itself.
    if (isTaken) return
    external.push({ verb: 'void', amount: isUndone ? payment.amount_received : books.held_now, ...voidOf(movements, reference), held: 0 })
    return
  }
  const isLess = held !== null && held < books.held_now && !isTaken && payment.alone === null
  if (isLess && statuses[payment.status].traits.includes('holds')) books.held = held
}

/** The processor's name of the void, if it lists one. */
function voidOf(movements: readonly Movement[], reference: string): Omit<Told, 'amount'> {
  const told = movements.find(({ verb, state }) => verb === 'void' && state === 'done')
  return { reference: told?.reference ?? reference, state: 'done', reason: told?.reason ?? null, at: told?.at ?? null }
}
