import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.ts'
import { after } from '../base/lifecycle.ts'
import type { Movement, PaymentReport } from '../connectors/payment-report.ts'
import type { Operation } from '../operations/operation.ts'
import { lifecycle, obeysItsStatus, type PaymentMove } from '../payments/lifecycle.ts'
import type { Payment } from '../payments/payment.ts'
import { afterCapture } from '../payments/verbs/capture.ts'
import { bookContradiction, bookExternal } from './book.ts'
import { compare, isNothing } from './compare.ts'

/** What a processor's report of a whole payment changes here, without a database. */

const NOW = '2030-01-01T00:01:00.000Z'
let drawn = 0
const context = {
  now: () => NOW,
  random: (length: number) => Buffer.alloc(length, ++drawn),
  by: 'alarm',
} as unknown as Parameters<typeof bookExternal>[0]

const payment = (is: Partial<Payment> = {}): Payment =>
  ({
    merchant_id: 'm',
    payment_id: 'p',
    version: 2,
    status: 'requires_capture',
    alone: null,
    connector: 'stripe',
    merchant_connector_id: 'mca_1',
    connector_transaction_id: 'T1',
    authorization_n: 1,
    authorization_request_id: 'R1',
    operation_count: 1,
    refund_count: 0,
    attempt_count: 1,
    currency: 'EUR',
    amount: 5000,
    net_amount: 5000,
    amount_authorized: 5000,
    amount_capturable: 5000,
    amount_capturing: 0,
    amount_received: 0,
    amount_refunding: 0,
    amount_refunded: 0,
    amount_disputed: 0,
    capture_method: 'manual_multiple',
    request: {},
    facts: null,
    adjustments: null,
    next_action: null,
    last_error: null,
    expires_on: '2030-01-01T00:15:00.000Z',
    ...is,
  }) as Payment

const operation = (is: Partial<Operation> = {}): Operation =>
  ({
    merchant_id: 'm',
    kind: 'payment',
    object_id: 'p',
    n: 1,
    verb: 'authorize',
    purpose: 'merchant',
    acts_on: null,
    attempt: 1,
    state: 'done',
    amount: 5000,
    currency: 'EUR',
    connector: 'stripe',
    merchant_connector_id: 'mca_1',
    request_id: 'R1',
    reference: 'T1',
    refund_id: null,
    response: null,
    began: NOW,
    modified_at: NOW,
    poll_at: null,
    ...is,
  }) as Operation

const on = (n: number, verb: Operation['verb'], amount: number, is: Partial<Operation> = {}): Operation =>
  operation({ n, verb, amount, acts_on: 1, request_id: `R${n}`, reference: `T${n}`, ...is })

const moved = (verb: Movement['verb'], amount: number, reference: string, is: Partial<Movement> = {}): Movement => ({
  verb,
  reference,
  request_id: null,
  amount: { amount, currency: 'EUR' },
  state: 'done',
  reason: null,
  at: null,
  ...is,
})

const report = (is: Partial<PaymentReport> = {}): PaymentReport => ({
  reference: 'T1',
  currency: 'EUR',
  authorized: 5000,
  captured: 0,
  refunded: 0,
  held: 5000,
  released: null,
  movements: [],
  disputes: [],
  ...is,
})

const sold: Partial<Payment> = { status: 'succeeded', capture_method: 'automatic', amount_received: 5000, amount_capturable: 0 }
const captured: Partial<PaymentReport> = { captured: 5000, held: 0 }

test('a report that says what is known, less than is known, or nothing, is no news', () => {
  const quiet = (one: Payment, some: Operation[], said: PaymentReport) => ok(isNothing(compare(one, some, said)), JSON.stringify(said))
  quiet(payment(), [operation()], report())
  quiet(payment(sold), [operation()], report(captured))
  // What was captured with the authorization is listed under its own name.
  quiet(payment(sold), [operation()], report({ ...captured, movements: [moved('capture', 5000, 'C1')] }))
  // A webhook may be older than the answer to our own capture.
  quiet(payment(sold), [operation()], report())
  quiet(payment(), [operation()], { ...report(), authorized: null, captured: null, refunded: null, held: null })
  // A cancel after the capture is a refund at some processors.
  quiet(payment({ ...sold, status: 'cancelled_post_capture' }), [operation()], report({ ...captured, refunded: 5000 }))
  // Before the authorization has its own result, that result is the news.
  quiet(payment(), [operation({ state: 'open' })], report(captured))
})

test('a capture that nobody here made moves a hold to paid, once: by its own reference, or by the total', () => {
  for (const movements of [[], [moved('capture', 5000, 'C9')]]) {
    const { external } = compare(payment(), [operation()], report({ ...captured, movements }))
    equal(external.length, 1)
    const { after: now, rows, posts } = bookExternal(context, payment(), external[0]!)!
    deepEqual([now.status, now.amount_received, now.amount_capturable], ['succeeded', 5000, 0])
    const booked = rows[0]!.after as Operation
    deepEqual([booked.purpose, booked.verb, booked.state, booked.poll_at], ['external', 'capture', 'done', null])
    deepEqual(posts?.entries, { processor: 5000, sales: -5000 })
    ok(isNothing(compare(now, [operation(), booked], report({ ...captured, movements }))), 'the same report again')
  }
})

test('a total that names our captures in it is not explained by one that it does not name', () => {
  const underWay = on(2, 'capture', 5000, { state: 'not_received', reference: null, poll_at: NOW })
  const said = (requests?: string[]) => compare(payment(), [operation(), underWay], report({ ...captured, ...(requests && { requests }) }))
  deepEqual([said().external.length, said().waits], [0, true])
  deepEqual([said(['R2']).external.length, said(['R2']).waits], [0, true])
  deepEqual([said([]).external.length, said([]).waits], [1, false])
})

test('a refund that nobody here made is a refund; ours, under way without a known reference, is waited for', () => {
  const paid = payment(sold)
  const said = report({ ...captured, refunded: 2000, movements: [moved('refund', 2000, 're_9', { reason: 'requested_by_customer' })] })
  const { external } = compare(paid, [operation()], said)
  const { after: now, rows, posts } = bookExternal(context, paid, external[0]!)!
  deepEqual([now.amount_refunded, now.refund_count], [2000, 1])
  const refund = rows.find(({ table }) => table === 'refunds')!.after!
  deepEqual([refund.amount, refund.status, refund.origin, refund.connector_refund_id], [2000, 'succeeded', 'external', 're_9'])
  deepEqual(posts?.entries, { processor: -2000, refunds: 2000 })
  const underWay = on(2, 'refund', 2000, { state: 'unknown', reference: null })
  const waits = compare({ ...paid, amount_refunding: 2000 }, [operation(), underWay], said)
  deepEqual([waits.external, waits.waits, waits.own], [[], true, [{ n: 2, movement: null }]])
  // By our own request id it is ours, whatever its state.
  const ours = { ...said, movements: [moved('refund', 2000, 're_9', { request_id: 'R2' })] }
  deepEqual(compare({ ...paid, amount_refunding: 2000 }, [operation(), underWay], ours).external, [])
})

test('a refund of ours that the processor took back is asked about, and so is one that it made after we gave it up', () => {
  const paid = payment({ ...sold, amount_refunded: 2000 })
  const back = report({ ...captured, movements: [moved('refund', 2000, 'T2', { state: 'declined' })] })
  deepEqual(
    compare(paid, [operation(), on(2, 'refund', 2000)], back).own.map(({ n }) => n),
    [2],
  )
  const made = report({ ...captured, refunded: 2000, movements: [moved('refund', 2000, 'T2', { request_id: 'R2' })] })
  const gone = on(2, 'refund', 2000, { state: 'not_received', reference: null })
  deepEqual(
    compare(payment(sold), [operation(), gone], made).own.map(({ n }) => n),
    [2],
  )
})

test('a hold that was voided at the processor is cancelled, one that expired there has expired, and ours under way is waited for', () => {
  const gone = report({ held: 0, released: 'voided' })
  const { external } = compare(payment(), [operation()], gone)
  const { after: now } = bookExternal(context, payment(), external[0]!)!
  deepEqual([now.status, now.amount_capturable], ['cancelled', 0])
  equal(compare(payment(), [operation()], report({ held: 0, released: 'expired' })).lapsed, true)
  const voiding = compare(payment({ status: 'processing', alone: 2 }), [operation(), on(2, 'void', 5000, { state: 'open' })], gone)
  deepEqual([voiding.external, isNothing(voiding)], [[], true])
})

test('what is captured beyond the hold, refunded beyond the capture, or in another currency, contradicts, with both figures', () => {
  const contradictions: [Payment, PaymentReport, object][] = [
    [payment(), report({ captured: 6000, held: 0 }), { of: 'captured', theirs: 6000, ours: 0 }],
    [payment(sold), report({ ...captured, movements: [moved('refund', 6000, 're_9')] }), { of: 'refunded', theirs: 6000, ours: 5000 }],
    [payment(sold), report({ currency: 'USD' }), { of: 'currency', theirs: 'USD', ours: 'EUR' }],
    [payment({ status: 'cancelled', amount_capturable: 0 }), report(captured), { of: 'captured', theirs: 5000, ours: 0 }],
  ]
  for (const [one, said, expected] of contradictions) {
    const { contradiction, external } = compare(one, [operation()], said)
    deepEqual([contradiction, external], [expected, []])
    const change = bookContradiction(context, one, contradiction!)!
    equal((change.after as Payment).status, 'conflicted')
    ok((change.after as Payment).last_error!.error_message.includes(String((expected as { theirs: unknown }).theirs)))
  }
})

/** A processor that lists its movements, or only counts them, and what we know of it. */
type World = {
  payment: Payment
  operations: Operation[]
  movements: Movement[]
  held: number
  captured: number
  refunded: number
  voided: boolean
}

const steps = fc.array(
  fc.record({
    verb: fc.constantFrom('capture' as const, 'refund' as const, 'void' as const),
    who: fc.constantFrom('outside' as const, 'ours, answer lost' as const, 'ours, never arrived' as const),
    share: fc.integer({ min: 1, max: 100 }),
  }),
  { maxLength: 8 },
)

/** Moves money at the processor; whether it did. */
function movesThere(world: World, verb: Movement['verb'], amount: number, request_id: string | null): boolean {
  const reference = `X${world.movements.length + 1}`
  if (verb === 'capture') {
    if (amount < 1 || amount > world.held) return false
    world.held -= amount
    world.captured += amount
  } else if (verb === 'refund') {
    if (amount < 1 || amount > world.captured - world.refunded) return false
    world.refunded += amount
  } else {
    if (world.held === 0) return false
    world.held = 0
    world.voided = true
  }
  world.movements.push(moved(verb, amount, reference, { request_id }))
  return true
}

/** Our own capture or refund, of which no answer has arrived. */
function begins(world: World, verb: 'capture' | 'refund', amount: number, arrives: boolean): void {
  const { payment: before } = world
  const isCapture = verb === 'capture'
  const left = isCapture ? before.amount_capturable : before.amount_received - before.amount_refunded - before.amount_refunding
  if (amount < 1 || amount > left || (isCapture && !['requires_capture', 'partially_captured_and_capturable'].includes(before.status)))
    return
  const n = before.operation_count + 1
  world.operations.push(on(n, verb, amount, { state: 'unknown', reference: null }))
  world.payment = {
    ...before,
    operation_count: n,
    ...(isCapture
      ? {
          status: before.amount_received > 0 ? 'partially_captured_and_processing' : 'processing',
          amount_capturable: before.amount_capturable - amount,
          amount_capturing: before.amount_capturing + amount,
        }
      : { amount_refunding: before.amount_refunding + amount }),
  }
  if (arrives) movesThere(world, verb, amount, `R${n}`)
}

/** Books everything that a report allows. */
function books(world: World, said: PaymentReport): ReturnType<typeof compare> {
  for (let i = 0; i < 50; i++) {
    const difference = compare(world.payment, world.operations, said)
    const [external] = difference.external
    if (!external) return difference
    const change = bookExternal(context, world.payment, external)
    ok(change, `a ${external.verb} fits ${world.payment.status}`)
    world.payment = change.after as Payment
    world.operations.push(change.rows[0]!.after as Operation)
    ok(obeysItsStatus(world.payment.status, world.payment), `${world.payment.status} with its amounts`)
  }
  throw new Error('it does not come to an end')
}

/** Our operations without an answer get one: what the processor did with them. */
function settles(world: World): void {
  for (const one of world.operations.filter(({ state }) => state === 'unknown')) {
    const there = world.movements.find(({ request_id }) => request_id === one.request_id)
    const state = there ? 'done' : 'not_received'
    const settled = { ...one, state, reference: there?.reference ?? null } as Operation
    world.operations[world.operations.indexOf(one)] = settled
    if (one.verb === 'capture') {
      const outcome = there
        ? ({ is: 'done', reference: there.reference, request_id: one.request_id, amount: there.amount, captured: null, facts: {} } as const)
        : ({ is: 'not_found' } as const)
      const step = afterCapture(world.payment, one, outcome, NOW)!
      const status = step.move === null ? world.payment.status : statusAfter(world.payment, step.move)
      world.payment = { ...world.payment, ...step.head, status }
    } else {
      world.payment = {
        ...world.payment,
        amount_refunding: world.payment.amount_refunding - one.amount,
        amount_refunded: world.payment.amount_refunded + (there ? one.amount : 0),
      }
    }
  }
}

const statusAfter = (before: Payment, move: string): Payment['status'] => after(lifecycle, before.status, move as PaymentMove)

test('whatever others and we do, and whichever of our answers are lost, our totals end as the processor’s, and nothing is booked twice', () => {
  fc.assert(
    fc.property(steps, fc.boolean(), fc.boolean(), (some, isListed, isAskedBetween) => {
      const world: World = {
        payment: payment(),
        operations: [operation()],
        movements: [],
        held: 5000,
        captured: 0,
        refunded: 0,
        voided: false,
      }
      const said = (): PaymentReport =>
        report({
          captured: world.captured,
          refunded: world.refunded,
          held: world.held,
          released: world.voided ? 'voided' : null,
          movements: isListed ? [...world.movements] : [],
        })
      for (const { verb, who, share } of some) {
        const most = verb === 'capture' ? world.held : verb === 'refund' ? world.captured - world.refunded : world.held
        const amount = verb === 'void' ? most : Math.ceil((most * share) / 100)
        if (who === 'outside' || verb === 'void') movesThere(world, verb, amount, null)
        else begins(world, verb, amount, who === 'ours, answer lost')
        if (isAskedBetween) books(world, said())
      }
      books(world, said())
      settles(world)
      const { contradiction } = books(world, said())
      equal(contradiction, null)
      const { amount_received, amount_refunded, amount_refunding, amount_capturing, amount_capturable } = world.payment
      deepEqual(
        { amount_received, amount_refunded, amount_refunding, amount_capturing, amount_capturable },
        {
          amount_received: world.captured,
          amount_refunded: world.refunded,
          amount_refunding: 0,
          amount_capturing: 0,
          amount_capturable: world.held,
        },
      )
      ok(isNothing(compare(world.payment, world.operations, said())), 'asked again, nothing is new')
    }),
    { numRuns: 1000 },
  )
})
