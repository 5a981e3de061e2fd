import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.ts'
import { after } from '../base/lifecycle.ts'
import type { Movement, PaymentReport } from '../connectors/payment-report.ts'
import type { Operation } from '../operations/operation.ts'
import { lifecycle, obeysItsStatus, type PaymentMove } from '../payments/lifecycle.ts'
import type { Payment } from '../payments/payment.ts'
import { afterCapture } from '../payments/verbs/capture.ts'
import { voidVerb } from '../payments/verbs/void.ts'
import { bookContradiction, bookExternal } from './book.ts'
import { compare } from './compare.ts'
import { isNothing } from './difference.ts'

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
  // By our own request id it is ours in any state.
  const ours = { ...said, movements: [moved('refund', 2000, 're_9', { request_id: 'R2' })] }
  deepEqual(compare({ ...paid, amount_refunding: 2000 }, [operation(), underWay], ours).external, [])
})

test('an increment of ours that the processor lists before its answer came is ours, and not another one', () => {
  const waiting = payment({ alone: 2 })
  const ours = moved('increment', 7000, 'T2', { request_id: 'R2' })
  const said = compare(waiting, [operation(), on(2, 'increment', 7000, { state: 'open' })], {
    ...report({ authorized: 7000, held: 7000 }),
    movements: [ours],
  })
  deepEqual([said.external, said.held, said.own], [[], null, [{ n: 2, movement: ours }]])
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
  deepEqual([voiding.external, voiding.waits], [[], true])
})

test('what is captured beyond the hold, refunded beyond the capture, or in another currency, contradicts, with both figures', () => {
  const overRefunded = report({ ...captured, movements: [moved('refund', 6000, 're_9')] })
  const contradictions: [Payment, PaymentReport, object, string][] = [
    [payment(), report({ captured: 6000, held: 0 }), { of: 'captured', theirs: 6000, ours: 0 }, 'captured 60.00 EUR, and 0.00 EUR'],
    [payment(sold), overRefunded, { of: 'refunded', theirs: 6000, ours: 5000 }, 'refunded 60.00 EUR, and 50.00 EUR'],
    [payment(sold), report({ currency: 'USD' }), { of: 'currency', theirs: 'USD', ours: 'EUR' }, 'currency USD, and EUR'],
    [
      payment({ status: 'cancelled', amount_capturable: 0 }),
      report({ captured: 6000, held: 0 }),
      { of: 'captured', theirs: 6000, ours: 0 },
      'captured 60.00 EUR, and 0.00 EUR',
    ],
  ]
  for (const [one, said, expected, words] of contradictions) {
    const { contradiction, external } = compare(one, [operation()], said)
    deepEqual([contradiction, external], [expected, []])
    const change = bookContradiction(context, one, contradiction!)!
    equal((change.after as Payment).status, 'conflicted')
    ok((change.after as Payment).last_error!.error_message.includes(words))
  }
})

test('a refund whose capture no webhook has told yet waits for it, and contradicts in the end', () => {
  const untold = { authorized: null, captured: null, refunded: null, held: null }
  const refund = report({ ...untold, movements: [moved('refund', 2000, 're_9')] })
  const { external, waits, contradiction, early } = compare(payment(), [operation()], refund)
  deepEqual([external, waits, contradiction, early], [[], true, null, { of: 'refunded', theirs: 2000, ours: 0 }])
})

test('what others captured while captures of ours are under way, and refunded of it, waits for ours', () => {
  const capturing = payment({ status: 'processing', amount_capturable: 0, amount_capturing: 5000 })
  const ours = on(2, 'capture', 5000, { state: 'unknown', reference: null })
  const said = report({
    ...captured,
    refunded: 5000,
    movements: [moved('capture', 5000, 'C9', { request_id: 'X9' }), moved('refund', 5000, 're_9', { request_id: 'X8' })],
  })
  const { external, contradiction, waits } = compare(capturing, [operation(), ours], said)
  deepEqual([external, contradiction, waits], [[], null, true])
})

test('a refund that was taken back leaves room for one of theirs, which is booked once ours is', () => {
  const back = moved('refund', 3000, 'T2', { request_id: 'R2', state: 'declined' })
  const said = report({ ...captured, refunded: 4000, movements: [moved('refund', 4000, 're_9'), back] })
  const ours = on(2, 'refund', 3000)
  const { external, own, contradiction, waits } = compare(payment({ ...sold, amount_refunded: 3000 }), [operation(), ours], said)
  deepEqual([external, own.map(({ n }) => n), contradiction, waits], [[], [2], null, true])
  const settled = on(2, 'refund', 3000, { state: 'declined', response: { after_yes: true } })
  deepEqual(
    compare(payment(sold), [operation(), settled], said).external.map(({ reference }) => reference),
    ['re_9'],
  )
})

test('a refund of theirs is not taken for ours of the same amount, in whichever order they are listed', () => {
  const paid = payment({ ...sold, amount_refunding: 2000 })
  const ours = on(2, 'refund', 2000, { state: 'unknown', reference: null })
  const both = [moved('refund', 2000, 're_9'), moved('refund', 2000, 're_2', { request_id: 'R2' })]
  for (const movements of [both, both.toReversed()])
    deepEqual(
      compare(paid, [operation(), ours], report({ ...captured, refunded: 4000, movements })).external.map(({ reference }) => reference),
      ['re_9'],
    )
})

test('what was captured there before a hold ended here is paid: after a capture of ours, a cancel, and an expiry', () => {
  const ended = [
    [{ status: 'partially_captured', amount_received: 1000 }, [on(2, 'capture', 1000)]],
    [{ status: 'cancelled' }, [on(2, 'void', 5000, { response: { amount: 3000 } })]],
    [{ status: 'expired' }, []],
  ] as const
  for (const [is, ours] of ended) {
    const before = payment({ ...is, amount_capturable: 0 })
    const total = before.amount_received + 2000
    const { external, contradiction } = compare(before, [operation(), ...ours], report({ captured: total, held: 0, released: 'voided' }))
    deepEqual([external.map(({ verb, amount }) => [verb, amount]), contradiction], [[['capture', 2000]], null])
    const { status, amount_received, amount_authorized } = bookExternal(context, before, external[0]!)!.after
    deepEqual([status, amount_received, amount_authorized], ['partially_captured', total, 5000])
  }
})

test('a hold that news of a capture has lowered already is not lowered by that capture again', () => {
  const lowered = payment({ amount_capturable: 1000 })
  const { external, contradiction } = compare(lowered, [operation()], report({ captured: 4000, held: 1000 }))
  equal(contradiction, null)
  const { amount_received, amount_capturable } = bookExternal(context, lowered, external[0]!)!.after
  deepEqual([amount_received, amount_capturable], [4000, 1000])
})

test('refunds are booked after the captures that they are of, in whichever order they are listed', () => {
  const movements = [moved('refund', 2000, 're_9'), moved('capture', 5000, 'C9')]
  const { external, contradiction } = compare(payment(), [operation()], report({ ...captured, refunded: 2000, movements }))
  deepEqual([external.map(({ verb }) => verb), contradiction], [['capture', 'refund'], null])
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
    verb: fc.constantFrom('capture' as const, 'refund' as const, 'void' as const, 'refund_failed' as const, 'answers' as const),
    who: fc.constantFrom('outside' as const, 'ours, answer lost' as const, 'ours, never arrived' as const),
    share: fc.integer({ min: 1, max: 100 }),
  }),
  { maxLength: 10 },
)

/** The processor takes its latest refund back. */
function takesBack(world: World): void {
  const at = world.movements.findLastIndex(({ verb, state }) => verb === 'refund' && state === 'done')
  const refund = world.movements[at]
  if (!refund) return
  world.refunded -= refund.amount.amount
  world.movements[at] = { ...refund, state: 'declined' }
}

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
function begins(world: World, verb: 'capture' | 'refund' | 'void', amount: number, arrives: boolean): void {
  const { payment: before } = world
  if (before.alone !== null) return
  if (verb === 'void') {
    if (before.status !== 'requires_capture') return
    const n = before.operation_count + 1
    world.operations.push(on(n, verb, amount, { state: 'unknown', reference: null }))
    world.payment = { ...before, operation_count: n, status: 'processing', alone: n }
    if (arrives) movesThere(world, verb, amount, `R${n}`)
    return
  }
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
    equal(difference.contradiction, null)
    const [external] = difference.external
    if (!external) {
      for (const { n, movement } of difference.own) if (movement?.state === 'declined') returns(world, n)
      return difference
    }
    const change = bookExternal(context, world.payment, external)
    ok(change, `a ${external.verb} fits ${world.payment.status}`)
    world.payment = change.after as Payment
    world.operations.push(change.rows[0]!.after as Operation)
    ok(obeysItsStatus(world.payment.status, world.payment), `${world.payment.status} with its amounts`)
    const { amount_received, amount_refunding, amount_refunded } = world.payment
    ok(amount_refunding + amount_refunded <= amount_received, 'no more is refunded than was captured')
  }
  throw new Error('it does not come to an end')
}

/** A refund that the processor took back can be made again; one whose result is not known here is asked about. */
function returns(world: World, n: number): void {
  const at = world.operations.findIndex(one => one.n === n)
  const { amount, state } = world.operations[at]!
  if (state !== 'done') return
  world.operations[at] = { ...world.operations[at]!, state: 'declined', response: { after_yes: true } }
  world.payment = { ...world.payment, amount_refunded: world.payment.amount_refunded - amount }
}

/** Our operations without an answer get one: what the processor did with them. */
function settles(world: World): void {
  for (const one of world.operations.filter(({ state }) => state === 'unknown')) {
    const made = world.movements.find(({ request_id }) => request_id === one.request_id)
    const there = made?.state === 'done' ? made : undefined
    const state = there ? 'done' : made ? 'declined' : 'not_received'
    const settled = { ...one, state, reference: there?.reference ?? null } as Operation
    world.operations[world.operations.indexOf(one)] = settled
    if (one.verb === 'capture' || one.verb === 'void') {
      const outcome = there
        ? ({ is: 'done', reference: there.reference, request_id: one.request_id, amount: there.amount, captured: null, facts: {} } as const)
        : ({ is: 'not_found' } as const)
      const after = one.verb === 'capture' ? afterCapture : voidVerb.after
      const step = after(world.payment, one, outcome, NOW)!
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
    fc.property(steps, fc.boolean(), fc.boolean(), fc.boolean(), (some, isListed, isAskedBetween, isOldNews) => {
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
      const old: PaymentReport[] = []
      for (const { verb, who, share } of some) {
        old.push(said())
        if (verb === 'answers') settles(world)
        // A total of refunds that becomes less tells nothing where no refund is listed.
        if (verb === 'refund_failed' && isListed) takesBack(world)
        if (verb === 'answers' || verb === 'refund_failed') {
          if (isAskedBetween) books(world, said())
          continue
        }
        const most = verb === 'capture' ? world.held : verb === 'refund' ? world.captured - world.refunded : world.held
        const amount = verb === 'void' ? most : Math.ceil((most * share) / 100)
        if (who === 'outside') movesThere(world, verb, amount, null)
        else begins(world, verb, amount, who === 'ours, answer lost')
        if (isAskedBetween) books(world, said())
        if (isOldNews) books(world, old[Math.floor((old.length * share) / 101)]!)
      }
      const before = books(world, said())
      const { payment: known } = world
      const isBehind =
        known.amount_received !== world.captured ||
        known.amount_refunded !== world.refunded ||
        (world.voided && known.amount_capturable + known.amount_capturing > 0)
      ok(!isBehind || before.waits || before.own.length > 0, 'what is not booked yet is asked about again')
      settles(world)
      books(world, said())
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
      if (!isListed) return
      const theirs = world.movements.filter(({ request_id, verb }) => request_id === null && verb !== 'void')
      const booked = world.operations.filter(({ purpose, verb }) => purpose === 'external' && verb !== 'void')
      const others = theirs.filter(({ state, reference }) => state === 'done' || booked.some(one => one.reference === reference))
      deepEqual(booked.map(({ reference }) => reference).sort(), others.map(({ reference }) => reference).sort(), 'booked as theirs')
    }),
    { numRuns: 1000 },
  )
})
