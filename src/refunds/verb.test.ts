import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.ts'
import type { Outcome } from '../connectors/connector.ts'
import { type Operation, type OperationState, operationStates } from '../operations/operation.ts'
import type { Payment } from '../payments/payment.ts'
import { type RefundStatus, refundLifecycle } from './lifecycle.ts'
import type { Refund } from './refund.ts'
import { afterRefund, unresolvedRefund } from './verb.ts'

/** The meaning of answers to a refund, without a database. */

const NOW = '2030-01-01T00:01:00.000Z'
const SOON = '2030-01-01T00:02:00.000Z'

const payment = (refunding = 400, refunded = 100): Payment =>
  ({
    status: 'succeeded',
    alone: null,
    amount_authorized: 1000,
    amount_received: 1000,
    amount_refunding: refunding,
    amount_refunded: refunded,
    expires_on: '2030-01-01T00:15:00.000Z',
  }) as Payment

const operation = (state: OperationState = 'open', is: Partial<Operation> = {}): Operation =>
  ({
    verb: 'refund',
    purpose: 'merchant',
    state,
    amount: 400,
    currency: 'USD',
    request_id: 'R1',
    reference: null,
    refund_id: 'ref_1',
    began: '2030-01-01T00:00:00.000Z',
    modified_at: '2030-01-01T00:00:00.000Z',
    poll_at: ['open', 'waiting', 'unknown'].includes(state) ? SOON : null,
    ...is,
  }) as Operation

const refund = (status: RefundStatus = 'pending'): Refund => ({ status, connector_refund_id: null, last_error: null }) as Refund

const done = (amount = 400, request_id = 'R1', currency: 'USD' | 'EUR' = 'USD'): Outcome => ({
  is: 'done',
  reference: 'ref_9',
  request_id,
  amount: { amount, currency },
  captured: null,
  facts: { arn: '1' },
})
const declined: Outcome = {
  is: 'declined',
  reference: 'ref_9',
  code: 'operation_declined',
  processor_code: 'no',
  message: 'No.',
  facts: {},
}
const waiting: Outcome = { is: 'waiting', reference: 'ref_9' }
const unknown: Outcome = { is: 'unknown', why: 'silence' }
const notSent: Outcome = { is: 'not_sent', why: 'refused' }
const notFound: Outcome = { is: 'not_found' }

type Rows = { payment: Payment; operation: Operation; refund: Refund }

/** Gives the rows after this outcome; null if it changes nothing. */
function apply({ payment, operation, refund }: Rows, outcome: Outcome): (Rows & { announces: string | null | undefined }) | null {
  const step = afterRefund(payment, operation, outcome, NOW, refund)
  if (!step) return null
  equal(step.move, null, 'a refund never moves its payment')
  return {
    payment: { ...payment, ...step.head },
    operation: { ...operation, ...step.operation },
    refund: (step.rows?.[0]?.after as Refund | undefined) ?? refund,
    announces: step.announces,
  }
}

/**
 * Gives one line: the refund's status, the payment's reserved/refunded amounts, the operation's state, and the event
 * for merchants.
 */
function verdict(rows: Rows, outcome: Outcome): string {
  const after = apply(rows, outcome)
  if (!after) return 'nothing'
  const { amount_refunding, amount_refunded } = after.payment
  return `${after.refund.status} ${amount_refunding}/${amount_refunded} ${after.operation.state}${after.announces ? `, ${after.announces}` : ''}`
}

// biome-ignore format: a table reads better in columns
const answers: [what: string, refund: RefundStatus, state: OperationState, heard: Outcome, verdict: string][] = [
  ['yes',                          'pending',   'open',         done(),             'succeeded 0/500 done, refund_succeeded'],
  ['no',                           'pending',   'open',         declined,           'failed 0/100 declined, refund_failed'],
  ['later',                        'pending',   'open',         waiting,            'pending 400/100 waiting'],
  ['yes, later',                   'pending',   'waiting',      done(),             'succeeded 0/500 done, refund_succeeded'],
  ['no, later',                    'pending',   'waiting',      declined,           'failed 0/100 declined, refund_failed'],
  ['silence',                      'pending',   'open',         unknown,            'pending 400/100 unknown'],
  ['silence again',                'pending',   'unknown',      unknown,            'nothing'],
  ['not sent',                     'pending',   'open',         notSent,            'failed 0/100 not_sent, refund_failed'],
  ['not found, after the window',  'pending',   'unknown',      notFound,           'failed 0/100 not_received, refund_failed'],
  ['another amount',               'pending',   'open',         done(401),          'review 400/100 conflicted, action_required'],
  ['another currency',             'pending',   'open',         done(400, 'R1', 'EUR'), 'review 400/100 conflicted, action_required'],
  ["somebody else's",              'pending',   'open',         done(400, 'R9'),    'review 400/100 conflicted, action_required'],
  ['yes, after seven days',        'review',    'unresolved',   done(),             'succeeded 0/500 done, refund_succeeded'],
  ['no, after seven days',         'review',    'unresolved',   declined,           'failed 0/100 declined, refund_failed'],
  ['silence, after seven days',    'review',    'unresolved',   unknown,            'nothing'],
  ['yes, given up, and no room',   'failed',    'not_received', done(),             'review 400/100 conflicted, action_required'],
  ['yes, after a no, and no room', 'failed',    'declined',     done(),             'review 400/100 conflicted, action_required'],
  ['the same yes again',           'succeeded', 'done',         done(),             'nothing'],
  ['the same no again',            'failed',    'declined',     declined,           'nothing'],
]

test('the response to a refund books its reserved amount as refunded, or frees it; no response does neither', () => {
  for (const [what, status, state, outcome, expected] of answers)
    equal(verdict({ payment: payment(), operation: operation(state), refund: refund(status) }, outcome), expected, what)
})

test('a refund that the processor declines after an approval fails, and its amount can be refunded again', () => {
  const rows = { payment: payment(0, 500), operation: operation('done'), refund: refund('succeeded') }
  equal(verdict(rows, declined), 'failed 0/100 declined, refund_failed')
  const after = apply(rows, declined)!
  equal(after.refund.last_error?.error_code, 'no')
  // A processor that declines after its approval has withdrawn the approval: an approval that arrives now is older.
  const back = apply(rows, { ...declined, after_yes: true } as Outcome)!
  equal(verdict(back, done()), 'nothing')
  equal(
    verdict({ ...rows, operation: operation('waiting'), payment: payment(400, 100), refund: refund('pending') }, {
      ...declined,
      after_yes: true,
    } as Outcome),
    'failed 0/100 declined, refund_failed',
  )
  // If this was not the processor's last word either, the refund counts again.
  equal(verdict({ ...after, payment: { ...after.payment, amount_disputed: 0 } }, done()), 'succeeded 0/500 done, refund_succeeded')
})

test('a refund that was given up and made after all counts if its amount is still available', () => {
  for (const state of ['not_received', 'not_sent', 'declined'] as const) {
    const rows = {
      payment: { ...payment(), amount_refunding: 0, amount_disputed: 0 },
      operation: operation(state),
      refund: refund('failed'),
    }
    equal(verdict(rows, done()), 'succeeded 0/500 done, refund_succeeded', state)
    equal(verdict(rows, done(401)), 'review 0/100 conflicted, action_required', `${state}, of another amount`)
  }
})

const everything: Outcome[] = [done(), done(401), declined, waiting, unknown, notSent, notFound]

test('the same response received twice changes nothing the second time', () => {
  for (const state of operationStates) {
    for (const status of Object.keys(refundLifecycle) as RefundStatus[]) {
      for (const outcome of everything) {
        const once = apply({ payment: payment(), operation: operation(state), refund: refund(status) }, outcome)
        if (once) equal(apply(once, outcome), null, `${status} ${state} ${outcome.is}`)
      }
    }
  }
})

test('a refund without a response for seven days goes into review, and its amount stays reserved', () => {
  const step = unresolvedRefund(payment(), operation('unknown'), NOW, refund())!
  deepEqual([step.head, step.operation.state, step.operation.poll_at], [{}, 'unresolved', null])
  equal((step.rows![0]!.after as Refund).status, 'review')
  equal(unresolvedRefund(payment(), operation('done'), NOW, refund('succeeded')), null)
})

const anyOutcome = fc.constantFrom<((o: Operation) => Outcome)[]>(
  o => done(o.amount, o.request_id),
  o => done(o.amount + 1, o.request_id),
  () => declined,
  () => waiting,
  () => unknown,
  () => notSent,
  () => notFound,
)

test('responses in any order make no refund total negative or above the captured amount, and totals match the refunds', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.record({ who: fc.nat({ max: 9 }), says: anyOutcome }), fc.integer({ min: 100, max: 700 })), { maxLength: 30 }),
      steps => {
        let p = payment(0, 0)
        const all: { operation: Operation; refund: Refund }[] = []
        for (const step of steps) {
          if (typeof step === 'number') {
            if (step > p.amount_received - p.amount_refunded - p.amount_refunding) continue
            all.push({ operation: operation('open', { amount: step, request_id: `R${all.length}` }), refund: refund() })
            p = { ...p, amount_refunding: p.amount_refunding + step }
          } else if (all.length > 0) {
            const at = step.who % all.length
            const one = all[at]!
            const after: ReturnType<typeof apply> = apply({ payment: p, ...one }, step.says(one.operation))
            if (!after) continue
            const moves = Object.values(refundLifecycle[one.refund.status])
            ok(
              after.refund.status === one.refund.status || (moves as string[]).includes(after.refund.status),
              `${one.refund.status} to ${after.refund.status}`,
            )
            p = after.payment
            all[at] = { operation: after.operation, refund: after.refund }
          }
          const sum = (holds: (one: (typeof all)[number]) => boolean) =>
            all.filter(holds).reduce((total, one) => total + one.operation.amount, 0)
          ok(p.amount_refunding >= 0 && p.amount_refunded >= 0 && p.amount_refunding + p.amount_refunded <= p.amount_received)
          equal(
            p.amount_refunded,
            sum(one => one.refund.status === 'succeeded'),
          )
        }
      },
    ),
    { numRuns: 2000 },
  )
})

test('a processor reference in a response is stored and frees no reserved amount, even after seven days', () => {
  for (const state of ['open', 'unknown', 'unresolved'] as const) {
    const rows = { payment: payment(), operation: operation(state), refund: refund(state === 'unresolved' ? 'review' : 'pending') }
    const after = apply(rows, { is: 'unknown', why: 'silence', reference: 'ref_2' })!
    deepEqual([after.operation.reference, after.payment.amount_refunding, after.refund.status], ['ref_2', 400, rows.refund.status])
    equal(apply(after, { is: 'unknown', why: 'silence', reference: 'ref_2' }), null)
  }
})
