import type { Movement, PaymentReport } from '../connectors/payment-report.ts'
import type { Verb } from '../connectors/verbs.ts'
import type { Time } from '../context.ts'
import { acceptsUpdates, endedWithOurNo, type Operation } from '../operations/operation.ts'
import { overcapturable } from '../payments/authorization/holds.ts'
import { statuses } from '../payments/lifecycle.ts'
import type { Payment } from '../payments/payment.ts'

/** A movement that nobody here asked for. `held`: what the processor holds after it; null: it does not say. */
export type External = {
  verb: Movement['verb']
  amount: number
  reference: string | null
  state: 'done' | 'waiting'
  reason: string | null
  at: Time | null
  held: number | null
}

/** Figures of the processor and ours that nothing explains, in the lowest denomination of the payment's currency. */
export type Contradiction = { of: 'captured' | 'refunded' | 'currency'; theirs: number | string; ours: number | string }

/**
 * What a report says beyond the payment. `external`: in the order in which they can be booked. `own`: operations of
 * which the processor seems to know another result; null: it lists no movement of it. `waits`: an operation under way
 * may explain a difference. `held`: the processor holds less, and nothing that it lists says why. `lapsed`: the hold
 * expired.
 */
export type Difference = {
  external: External[]
  own: { n: number; movement: Movement | null }[]
  waits: boolean
  held: number | null
  lapsed: boolean
  contradiction: Contradiction | null
}

const counterparts: Readonly<Record<Movement['verb'], readonly Verb[]>> = {
  capture: ['capture'],
  refund: ['refund', 'post_capture_void'],
  void: ['void', 'post_capture_void'],
  increment: ['increment'],
}

const nothing: Difference = { external: [], own: [], waits: false, held: null, lapsed: false, contradiction: null }

export const isNothing = ({ external, own, waits, held, lapsed, contradiction }: Difference): boolean =>
  external.length + own.length === 0 && !waits && held === null && !lapsed && contradiction === null

/**
 * Compares what a processor says of the payment's current authorization with the payment and its operations. What fits
 * is nothing; what an operation under way may explain waits for that operation; what nobody here did is external; what
 * is impossible contradicts. A report that is older than our books says less, which is no news. Pure.
 */
export function compare(payment: Payment, operations: readonly Operation[], report: PaymentReport): Difference {
  const n = payment.authorization_n
  const authorization = operations.find(one => one.n === n)
  // Until the authorization has its own result, that result is the news.
  if (authorization?.state !== 'done' || payment.amount_authorized === 0) return nothing
  // A person decides what such a payment is; one that was undone as a whole is no sale, whatever it is called there.
  const { traits } = statuses[payment.status]
  if (traits.includes('unclear') || traits.includes('undone')) return nothing
  if (report.currency !== payment.currency)
    return { ...nothing, contradiction: { of: 'currency', theirs: report.currency, ours: payment.currency } }
  const books = openBooks(
    payment,
    operations.filter(one => one.acts_on === n),
  )
  for (const movement of report.movements) listed(books, movement)
  captures(books, report)
  refunds(books, report)
  holds(books, report)
  const { external, own, waits, held, lapsed, contradiction } = books
  external.sort((a, b) => order.indexOf(a.verb) - order.indexOf(b.verb))
  return { external, own, waits, held, lapsed, contradiction }
}

const order: readonly Movement['verb'][] = ['increment', 'capture', 'refund', 'void']

/**
 * `free`: the operations that no listed movement is yet. `at_once`: captured with the authorization, and not listed yet.
 * The amounts are ours, with what is external.
 */
type Books = Difference & {
  payment: Payment
  free: Operation[]
  at_once: number
  authorized: number
  captured: number
  refunded: number
  refunding: number
  held_now: number
}

function openBooks(payment: Payment, free: readonly Operation[]): Books {
  const sumOf = (some: readonly Operation[]) => some.reduce((sum, { amount }) => sum + amount, 0)
  const done = free.filter(one => one.state === 'done')
  return {
    ...nothing,
    external: [],
    own: [],
    payment,
    free: [...free],
    at_once: payment.amount_received - sumOf(done.filter(one => one.verb === 'capture')),
    authorized: payment.amount_authorized,
    captured: payment.amount_received,
    refunded: payment.amount_refunded + sumOf(done.filter(one => one.verb === 'refund' && one.purpose === 'reversal')),
    refunding: payment.amount_refunding,
    held_now: payment.amount_capturable,
  }
}

/** Whether it may be what the processor tells of: as long as its own result is asked for. */
const mayExplain = (one: Operation): boolean => acceptsUpdates(one) || (endedWithOurNo(one) && one.poll_at !== null)

const isOf = (movement: Movement, { verb, request_id, reference }: Operation): boolean =>
  counterparts[movement.verb].includes(verb) &&
  (movement.request_id === request_id || (reference !== null && movement.reference === reference))

/** A movement is one of ours, may be one under way of which no reference is known, or is external. */
function listed(books: Books, movement: Movement): void {
  const { free, payment } = books
  const own = free.find(one => isOf(movement, one))
  if (own) {
    free.splice(free.indexOf(own), 1)
    const isNews =
      movement.state === 'done' ? own.state !== 'done' : movement.state === 'declined' && (own.state === 'done' || acceptsUpdates(own))
    if (isNews && own.state !== 'conflicted') books.own.push({ n: own.n, movement })
    explain(books, movement, own)
    return
  }
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

/** The processor counts an operation that has no result here yet: its totals have nothing more to explain. */
function explain(books: Books, { verb, state }: Movement, { amount, state: ours }: Operation): void {
  if (state !== 'done' || ours === 'done') return
  if (verb === 'capture') books.captured += amount
  if (verb !== 'refund') return
  books.refunded += amount
  books.refunding = Math.max(0, books.refunding - amount)
}

type Told = Pick<External, 'amount' | 'reference' | 'state' | 'reason' | 'at'>

/** Books an external movement, if the payment's totals leave room for it. */
function add(books: Books, verb: Movement['verb'], told: Told, held: number | null = null): void {
  const { amount, state } = told
  const isWaiting = state === 'waiting'
  switch (verb) {
    case 'capture': {
      // Of a capture that waits nothing was taken yet.
      if (isWaiting) {
        books.waits = true
        return
      }
      if (amount > books.held_now + overcapturable(books.payment)) {
        // A capture of ours that is under way reserves what was captured here.
        if (books.payment.amount_capturing > 0) books.waits = true
        else books.contradiction ??= { of: 'captured', theirs: books.captured + amount, ours: books.captured }
        return
      }
      books.captured += amount
      books.held_now = Math.max(0, books.held_now - amount)
      break
    }
    case 'refund': {
      if (books.refunded + books.refunding + amount > books.captured) {
        // A refund of ours that was given up, or is under way, may be another name of this one.
        if (books.free.some(one => one.verb === 'refund' && mayExplain(one))) books.waits = true
        else books.contradiction ??= { of: 'refunded', theirs: books.refunded + amount, ours: books.captured }
        return
      }
      if (isWaiting) books.refunding += amount
      else books.refunded += amount
      break
    }
    case 'void':
      // What is released is decided below, from the whole report; of a capture under way, when it has its result.
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

const isExplained = (books: Books, verb: Verb): boolean => books.free.some(one => one.verb === verb && mayExplain(one))

/** The operations under way are asked about, and the report's difference is left to them. */
function waitsFor(books: Books, verb: Verb): void {
  books.waits = true
  books.own.push(...books.free.filter(one => one.verb === verb && mayExplain(one)).map(({ n }) => ({ n, movement: null })))
}

/** Captures that the processor only counts, and captures of a payment that can no longer be captured. */
function captures(books: Books, { captured, reference, held, movements, requests }: PaymentReport): void {
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
  } else if (!statuses[payment.status].traits.includes('holds'))
    books.contradiction ??= { of: 'captured', theirs: books.captured, ours: payment.amount_received }
}

/** Refunds that the processor only counts. */
function refunds(books: Books, { refunded, reference, movements }: PaymentReport): void {
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
function holds(books: Books, { released, held, captured, authorized, reference, movements }: PaymentReport): void {
  const { payment, external } = books
  const isTaken = external.some(({ verb }) => verb === 'capture')
  if (authorized !== null && authorized > books.authorized && books.held_now > 0 && released === null && !isTaken)
    if (isExplained(books, 'increment') || isExplained(books, 'capture')) books.waits = true
    else add(books, 'increment', { amount: authorized, reference, state: 'done', reason: null, at: null })
  const isUndone = released === 'voided' && captured === 0 && payment.amount_received > 0 && payment.amount_refunded === 0
  const isGone = released !== null && books.held_now > 0 && statuses[payment.status].traits.includes('holds')
  if (isUndone || isGone) {
    if (payment.alone !== null || isExplained(books, 'void') || isExplained(books, 'post_capture_void')) {
      waitsFor(books, 'void')
      return
    }
    // A single capture releases the rest by itself.
    if (isTaken) return
    if (released === 'expired') books.lapsed = true
    else
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
