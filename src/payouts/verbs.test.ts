import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.ts'
import { may } from '../base/lifecycle.ts'
import type { Outcome } from '../connectors/connector.ts'
import { exampleOf } from '../database/table.ts'
import { type Operation, operationStates, operations } from '../operations/operation.ts'
import type { Transition } from '../operations/verb.ts'
import { lifecycle, type PayoutStatus } from './lifecycle.ts'
import { type Payout, payouts } from './payout.ts'
import { postingsOf } from './postings.ts'
import { payoutVerbs } from './verbs.ts'

/** The meaning of answers, without a database: any news, in any order and however often. */

const NOW = '2030-01-01T00:01:00.000Z'
const money = { amount: 9_900, currency: 'EUR' } as const

const done: Outcome = { is: 'done', reference: 'pout_1', request_id: 'R1', amount: money, captured: null, facts: {} }
const no = (code: 'card_declined' | 'cancelled' | 'recipient_ineligible'): Outcome => ({
  is: 'declined',
  reference: 'pout_1',
  code,
  processor_code: code,
  message: 'No.',
  facts: {},
})
const returned: Outcome = {
  ...(no('card_declined') as Extract<Outcome, { is: 'declined' }>),
  processor_code: 'payout_returned',
  after_yes: true,
}
const waiting: Outcome = { is: 'waiting', reference: 'pout_1' }
const unknown: Outcome = { is: 'unknown', why: 'silence' }
const lapsed: Outcome = { is: 'lapsed', reference: 'pout_1' }
const outcomes = {
  done,
  returned,
  waiting,
  unknown,
  lapsed,
  declined: no('card_declined'),
  cancelled: no('cancelled'),
  refused: no('recipient_ineligible'),
}

const begin = (): [Payout, Operation] => [
  exampleOf(payouts, {
    status: 'pending',
    alone: 1,
    payout_n: 1,
    amount: 9_900,
    currency: 'EUR',
    last_error: null,
    connector_transaction_id: null,
  }),
  exampleOf(operations, {
    kind: 'payout',
    n: 1,
    verb: 'payout',
    purpose: 'merchant',
    state: 'open',
    amount: 9_900,
    currency: 'EUR',
    request_id: 'R1',
    reference: null,
    response: null,
    began: NOW,
  }),
]

/** Gives the rows after a step, as `applyOutcome` would write them; and the amount that is posted. */
function take(payout: Payout, operation: Operation, step: Transition<Payout> | null): [Payout, Operation, number] {
  if (!step) return [payout, operation, 0]
  if (step.move) ok(may(lifecycle, payout.status, step.move), `${step.move} from ${payout.status}`)
  const status = step.move ? (lifecycle[payout.status] as Record<string, PayoutStatus>)[step.move]! : payout.status
  const after = { ...payout, ...step.head, status }
  const settled = { ...operation, ...step.operation }
  const posted = postingsOf({ was: payout, is: after }, { was: operation, is: settled })
  if (posted)
    equal(
      Object.values(posted.entries).reduce((sum, one) => sum + one, 0),
      0,
      'it balances',
    )
  return [after, settled, posted?.entries.payouts ?? 0]
}

function applyAll(reported: readonly Outcome[]) {
  let [payout, operation] = begin()
  let left = 0
  for (const outcome of reported) {
    const [after, settled, posted] = take(payout, operation, payoutVerbs.payout.after(payout, operation, outcome, NOW, null))
    payout = after
    operation = settled
    left += posted
  }
  return { status: payout.status, alone: payout.alone, state: operation.state, left }
}

/** Histories that a processor may report, in their order; in any other order, and repeated, the result is the same. */
const histories: [says: Outcome[], status: PayoutStatus, left: number][] = [
  [[waiting, done], 'success', 9_900],
  [[unknown, waiting, done], 'success', 9_900],
  [[waiting, done, returned], 'reversed', 0],
  [[unknown, done, returned], 'reversed', 0],
  [[waiting, no('card_declined')], 'failed', 0],
  [[waiting, no('cancelled')], 'cancelled', 0],
  [[waiting, no('recipient_ineligible')], 'ineligible', 0],
  [[waiting, lapsed], 'expired', 0],
  [[no('card_declined'), done], 'success', 9_900],
  [[no('card_declined'), done, returned], 'reversed', 0],
]

for (const [reported, status, left] of histories) {
  // Only the order distinguishes a payout that is first declined and then paid.
  const contradictory = reported.some(one => one.is === 'declined' && one.after_yes !== true) && reported.includes(done)
  const how = contradictory ? 'told in its order' : 'told in any order, and twice'
  test(`the processor responses ${reported.map(one => one.is).join(', ')} make a payout ${status}, ${how}`, () => {
    equal(applyAll(reported).status, status)
    const orders = contradictory
      ? fc.constant(reported)
      : fc.shuffledSubarray([...reported, ...reported], { minLength: reported.length * 2, maxLength: reported.length * 2 })
    fc.assert(
      fc.property(orders, order => {
        const end = applyAll(order)
        deepEqual([end.status, end.left, end.alone], [status, left, null], order.map(one => one.is).join())
      }),
    )
  })
}

test('a cancel and its payout end in the same status, regardless of which response is received first', () => {
  const cancelling = (): [Payout, Operation, Operation] => {
    const [payout, operation] = begin()
    const [accepted, itself] = take(payout, operation, payoutVerbs.payout.after(payout, operation, waiting, NOW, null))
    return [
      { ...accepted, alone: 2 },
      itself,
      { ...itself, n: 2, verb: 'cancel_payout', acts_on: 1, request_id: 'R2', reference: null, state: 'open' },
    ]
  }
  for (const staysOpen of [waiting, unknown]) {
    const [payout, , cancel] = cancelling()
    equal(payoutVerbs.cancel_payout.after(payout, cancel, staysOpen, NOW, null)?.announces, null, 'of the payout that says nothing new')
  }
  const yes: Outcome = { ...(done as Extract<Outcome, { is: 'done' }>), reference: 'pcan_1', request_id: 'R2' }
  for (const [answer, outcome, status] of [
    [yes, no('cancelled'), 'cancelled'],
    [no('card_declined'), done, 'success'],
    [no('card_declined'), no('card_declined'), 'failed'],
    [yes, done, 'success'],
  ] as const)
    for (const order of ['cancel first', 'payout first']) {
      let [payout, itself, cancel] = cancelling()
      for (const which of order === 'cancel first' ? ['cancel', 'payout'] : ['payout', 'cancel']) {
        if (which === 'cancel') [payout, cancel] = take(payout, cancel, payoutVerbs.cancel_payout.after(payout, cancel, answer, NOW, null))
        else [payout, itself] = take(payout, itself, payoutVerbs.payout.after(payout, itself, outcome, NOW, null))
      }
      deepEqual([payout.status, payout.alone], [status, null], `${order}: ${answer.is}, ${outcome.is}`)
    }
})

test('any response to a payout in any status is an allowed transition, and a finished operation is not polled', () => {
  const states = Object.keys(lifecycle) as PayoutStatus[]
  fc.assert(
    fc.property(
      fc.constantFrom(...states),
      fc.constantFrom(...operationStates),
      fc.constantFrom(...Object.values(outcomes)),
      fc.boolean(),
      (status, state, outcome, current) => {
        const [payout, operation] = begin()
        const unfinished = ['open', 'waiting', 'unknown'].includes(state)
        const before = { ...operation, state, poll_at: unfinished ? NOW : null }
        const [, settled] = take(
          { ...payout, status, payout_n: current ? 1 : 2 },
          before,
          payoutVerbs.payout.after({ ...payout, status, payout_n: current ? 1 : 2 }, before, outcome, NOW, null),
        )
        equal(['open', 'waiting', 'unknown'].includes(settled.state), settled.state !== 'not_received' ? settled.poll_at !== null : false)
      },
    ),
  )
})
