import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/fast-check.ts'
import { may } from '../../base/lifecycle.ts'
import type { Outcome } from '../../connectors/connector.ts'
import { TOO_MANY } from '../../connectors/exchange.ts'
import { endedWithANo, type Operation, type OperationState, operationStates } from '../../operations/operation.ts'
import type { Transition } from '../../operations/verb.ts'
import { allowedStatuses, lifecycle, obeysItsStatus, type PaymentStatus } from '../lifecycle.ts'
import type { Payment } from '../payment.ts'
import { extendVerb, incrementVerb } from './adjust.ts'
import { afterAuthorize } from './after-authorize.ts'
import { afterCapture } from './capture.ts'
import { postCaptureVoidVerb } from './post-capture-void.ts'
import { afterRefundReversal, afterVoidReversal } from './reverse.ts'
import { voidVerb } from './void.ts'

/**
 * The meaning of answers, without a database: for this payment and this operation, the changes that an outcome makes.
 */

const NOW = '2030-01-01T00:01:00.000Z'
const BEGAN = '2030-01-01T00:00:00.000Z'

const payment = (is: Partial<Payment> = {}): Payment =>
  ({
    merchant_id: 'm',
    payment_id: 'p',
    version: 2,
    status: 'processing',
    alone: null,
    connector_transaction_id: null,
    authorization_n: 1,
    authorization_request_id: 'R1',
    operation_count: 1,
    currency: 'USD',
    amount: 1000,
    net_amount: 1000,
    amount_authorized: 0,
    amount_capturable: 0,
    amount_capturing: 0,
    amount_received: 0,
    amount_refunding: 0,
    amount_refunded: 0,
    amount_disputed: 0,
    capture_method: 'automatic',
    request: {},
    facts: null,
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
    acts_on: is.verb === undefined || is.verb === 'authorize' ? null : 1,
    state: 'open',
    amount: 1000,
    currency: 'USD',
    request_id: 'R1',
    reference: null,
    refund_id: null,
    response: null,
    began: BEGAN,
    modified_at: BEGAN,
    poll_at: '2030-01-01T00:00:05.000Z',
    ...is,
  }) as Operation

const ended = (state: OperationState, is: Partial<Operation> = {}) =>
  operation({
    ...is,
    state,
    modified_at: BEGAN,
    poll_at: ['open', 'waiting', 'unknown', 'not_received'].includes(state) ? '2030-01-01T00:02:00.000Z' : null,
  })

const done = (amount = 1000, captured: number | null = null, request_id = 'R1', currency: 'USD' | 'EUR' = 'USD'): Outcome => ({
  is: 'done',
  reference: 'auth_1',
  request_id,
  amount: { amount, currency },
  captured: captured === null ? null : { amount: captured, currency },
  facts: {},
})
const holding = (amount: number): Outcome => ({ ...done(1000), capturable: { amount, currency: 'USD' } }) as Outcome
const heldAndTaken = (held: number, taken: number): Outcome =>
  ({ ...holding(held), captured: { amount: taken, currency: 'USD' } }) as Outcome
const declined: Outcome = { is: 'declined', reference: 'auth_1', code: 'card_declined', processor_code: 'no', message: 'No.', facts: {} }
const waiting: Outcome = { is: 'waiting', reference: 'auth_1' }
/** The outcome of a processor that captures the requested amount at once, without reporting it. */
const asAsked: Outcome = { ...done(1000), captured: 'as asked' } as Outcome
const nameless: Outcome = { is: 'waiting', reference: null }
const heldNothing: Outcome = { ...done(1000, null, 'R3'), held_nothing: true } as Outcome
/** The record of a decline that came after an approval: the approval is older news. */
const afterYes = { response: { after_yes: true as const } }
const challenge: Outcome = { ...waiting, next_action: { type: 'redirect_to_url', url: 'https://bank.example' } }
const unknown: Outcome = { is: 'unknown', why: 'silence' }
const notSent: Outcome = { is: 'not_sent', why: 'refused' }
const notFound: Outcome = { is: 'not_found' }
const learnt: Outcome[] = [
  { ...unknown, reference: 'ord_1' } as Outcome,
  { ...notSent, reference: 'ord_1' } as Outcome,
  { is: 'not_found', reference: 'ord_1' },
]
const lapsed: Outcome = { is: 'lapsed', reference: 'auth_1' }

const merchants = {
  authorize: afterAuthorize,
  capture: afterCapture,
  void: voidVerb.after,
  refund: afterRefundReversal,
  increment: incrementVerb.after,
  extend: extendVerb.after,
  post_capture_void: postCaptureVoidVerb.after,
  // The tests of disputes are elsewhere.
  accept_dispute: () => null,
  contest_dispute: () => null,
}
const ours = { ...merchants, void: afterVoidReversal }
const decide = (p: Payment, o: Operation, outcome: Outcome): Transition<Payment> | null =>
  (o.purpose === 'reversal' ? ours : merchants)[o.verb as keyof typeof merchants](p, o, outcome, NOW, undefined)

/** Gives the reversal that a step opens, if any. */
const reversalOf = (step: Transition<Payment> | null) => (step?.open?.is === 'reversal' ? step.open : undefined)

/** Gives the rows after a step, as `applyOutcome` would write them. */
function take(p: Payment, o: Operation, step: Transition<Payment> | null): [Payment, Operation] {
  if (!step) return [p, o]
  const status = step.move ? ((lifecycle[p.status] as Record<string, PaymentStatus>)[step.move] as PaymentStatus) : p.status
  ok(!step.move || may(lifecycle, p.status, step.move), `${p.status} has no ${step.move}`)
  return [
    {
      ...p,
      ...step.head,
      status,
      ...(step.open && { operation_count: p.operation_count + 1 }),
      ...(reversalOf(step)?.alone && { alone: p.operation_count + 1 }),
    },
    { ...o, ...step.operation },
  ]
}

/** Gives one line: the status, authorized/capturable/capturing/received, the operation's state, and the reversal. */
function verdict(p: Payment, o: Operation, outcome: Outcome): string {
  const step = decide(p, o, outcome)
  if (!step) return 'nothing'
  const [after, op] = take(p, o, step)
  const { amount_authorized: a, amount_capturable: c, amount_capturing: g, amount_received: r } = after
  const alone = after.alone === null ? '' : after.alone === 1 ? ' (authorize)' : ' (void)'
  return `${after.status} ${a}/${c}/${g}/${r} ${op.state}${alone}${step.open ? `, ${step.open.is === 'capture' ? 'capture' : reversalOf(step)?.verb}` : ''}`
}

const sent = payment({ alone: 1 })
const sentManual = payment({ alone: 1, capture_method: 'manual' })
const inChallenge = payment({ alone: 1, status: 'requires_customer_action', next_action: { type: 'redirect_to_url', url: 'x' } })
const partly = { request: { enable_partial_authorization: true } as Payment['request'] }
const cancelling = payment({ alone: 3 })
const cancellingManual = payment({ alone: 3, capture_method: 'manual' })
const failed = payment({ status: 'failed' })
const cancelled = payment({ status: 'cancelled', capture_method: 'manual' })
const given = payment({ status: 'requires_merchant_action', alone: 1 })
const held = payment({ status: 'requires_capture', capture_method: 'manual', amount_authorized: 1000, amount_capturable: 1000 })
const gone = { lapsed_at: BEGAN }
const capturing = payment({ capture_method: 'manual', amount_authorized: 1000, amount_capturable: 400, amount_capturing: 600 })
const letting = { ...held, status: 'processing' as const, alone: 3 }
const rest = payment({
  ...held,
  status: 'partially_captured_and_capturable',
  capture_method: 'manual_multiple',
  amount_capturable: 700,
  amount_received: 300,
})
const paid = payment({ status: 'succeeded', amount_authorized: 1000, amount_received: 1000 })
const op = operation()
const open = (state: OperationState) => ended(state)
const named = ended('waiting', { reference: 'auth_1' })

// biome-ignore format: a table reads better in columns
const authorizations: [what: string, payment: Payment, operation: Operation, heard: Outcome, verdict: string][] = [
  ['yes, taken at once',                    sent,                            op,                done(1000, 1000),      'succeeded 1000/0/0/1000 done'],
  ['yes, taken as asked',                   sent,                            op,                asAsked,               'succeeded 1000/0/0/1000 done'],
  ['yes, held as asked',                    sentManual,                      op,                asAsked,               'requires_capture 1000/1000/0/0 done'],
  ['taken as asked, when it was given up',  failed,                          open('not_received'), asAsked,            'failed 0/0/0/0 done, refund'],
  ['held as asked, when it was given up',   payment({ status: 'failed', capture_method: 'manual' }), open('not_received'), asAsked, 'failed 0/0/0/0 done, void'],
  ['yes, after a no that came after it',    failed,                          ended('declined', afterYes), asAsked,     'nothing'],
  ['held, after its void',                  cancelled,                       open('waiting'),   done(1000),            'cancelled 0/0/0/0 done'],
  ['held, after a void that found nothing', { ...cancelled, facts: { voided_nothing: true } }, open('waiting'), done(1000), 'cancelled 0/0/0/0 done, void'],
  ['later, under no name yet',              sent,                            op,                nameless,              'processing 0/0/0/0 waiting (authorize)'],
  ['yes, held',                             sentManual,                      op,                done(1000),            'requires_capture 1000/1000/0/0 done'],
  ['yes, held, the capture follows',        { ...sent, capture_method: 'sequential_automatic' }, op, done(1000),         'processing 1000/0/1000/0 done, capture'],
  ['yes, taken before the capture',         { ...sent, capture_method: 'sequential_automatic' }, op, done(1000, 1000),   'succeeded 1000/0/0/1000 done'],
  ['yes, but not taken yet',                sent,                            op,                done(1000),            'processing 0/0/0/0 waiting (authorize)'],
  ['half, taken, not asked for',            sent,                            op,                done(500, 500),        'processing 0/0/0/0 done (void), refund'],
  ['half, held, not asked for',             sentManual,                      op,                done(500),             'processing 0/0/0/0 done (void), void'],
  ['half, taken, asked for',                { ...sent, ...partly },          op,                done(500, 500),        'partially_captured 500/0/0/500 done'],
  ['half, held, asked for',                 { ...sentManual, ...partly },    op,                done(500),             'partially_authorized_and_requires_capture 500/500/0/0 done'],
  ['half, after a challenge',               inChallenge,                     open('waiting'),   done(500, 500),        'processing 0/0/0/0 done (void), refund'],
  ['more than was asked',                   sent,                            op,                done(1001, 1001),      'conflicted 0/0/0/0 conflicted'],
  ['more, though less would do',            { ...sent, ...partly },          op,                done(1001, 1001),      'conflicted 0/0/0/0 conflicted'],
  ['nothing, as a yes',                     sent,                            op,                done(0, 0),            'conflicted 0/0/0/0 conflicted'],
  ['more taken than approved',              sent,                            op,                done(1000, 1001),      'conflicted 0/0/0/0 conflicted'],
  ['taken by others while it was held',     sentManual,                      op,                done(1000, 1000),      'requires_capture 1000/1000/0/0 done'],
  ['the customer has answered, the bank not', inChallenge,                   named,             waiting,               'processing 0/0/0/0 waiting (authorize)'],
  ['the same, after a silence',             inChallenge,                     open('unknown'),   waiting,               'processing 0/0/0/0 waiting (authorize)'],
  ['another currency',                      sent,                            op,                done(1000, 1000, 'R1', 'EUR'), 'conflicted 0/0/0/0 conflicted'],
  ["somebody else's",                       sent,                            op,                done(1000, 1000, 'R9'), 'conflicted 0/0/0/0 conflicted'],
  ['no',                                    sent,                            op,                declined,              'failed 0/0/0/0 declined'],
  ['not sent',                              sent,                            op,                notSent,               'failed 0/0/0/0 not_sent'],
  ['not found, after the window',           sent,                            open('unknown'),   notFound,              'failed 0/0/0/0 not_received'],
  ['let go',                                sentManual,                      open('unknown'),   lapsed,                'expired 0/0/0/0 lapsed'],
  ['silence',                               sent,                            op,                unknown,               'processing 0/0/0/0 unknown (authorize)'],
  ['silence again',                         sent,                            open('unknown'),   unknown,               'nothing'],
  ['later',                                 sent,                            op,                waiting,               'processing 0/0/0/0 waiting (authorize)'],
  ['the customer must act',                 sent,                            op,                challenge,             'requires_customer_action 0/0/0/0 waiting (authorize)'],
  ['the customer still must',               inChallenge,                     named,             challenge,             'nothing'],
  ['the challenge, after a refused cancel', sent,                            named,             challenge,             'requires_customer_action 0/0/0/0 waiting (authorize)'],
  ['accepted',                              inChallenge,                     open('waiting'),   done(1000, 1000),      'succeeded 1000/0/0/1000 done'],
  ['rejected',                              inChallenge,                     open('waiting'),   declined,              'failed 0/0/0/0 declined'],
  ['yes, while it is being cancelled',      cancelling,                      open('waiting'),   done(1000, 1000),      'succeeded 1000/0/0/1000 done (void)'],
  ['held, while it is being cancelled',     cancellingManual,                open('waiting'),   done(1000),            'processing 1000/1000/0/0 done (void)'],
  ['no, while it is being cancelled',       cancelling,                      open('waiting'),   declined,              'cancelled 0/0/0/0 declined'],
  ['the challenge, while being cancelled',  cancelling,                      named,             challenge,             'nothing'],
  ['yes, when it was given up',             failed,                          open('not_received'), done(1000, 1000),   'failed 0/0/0/0 done, refund'],
  ['held, when it was given up',            failed,                          open('not_received'), done(1000),         'failed 0/0/0/0 done, void'],
  ['yes, after a no',                       failed,                          open('declined'),  done(1000, 1000),      'failed 0/0/0/0 done, refund'],
  ['no, after a no',                        failed,                          open('declined'),  declined,              'nothing'],
  ['yes, after it was cancelled',           payment({ status: 'cancelled' }), open('waiting'),  done(1000, 1000),      'cancelled 0/0/0/0 done, refund'],
  ['held, after our void of it',            payment({ status: 'cancelled' }), open('waiting'),  done(1000),            'cancelled 0/0/0/0 done'],
  ['yes, after seven days',                 given,                           open('unresolved'), done(1000, 1000),     'succeeded 1000/0/0/1000 done'],
  ['no, after seven days',                  given,                           open('unresolved'), declined,             'failed 0/0/0/0 declined'],
  ['not found, after seven days',           given,                           open('unresolved'), notFound,             'failed 0/0/0/0 not_received'],
  ['half, after seven days',                given,                           open('unresolved'), done(500, 500),       'requires_merchant_action 0/0/0/0 done (void), refund'],
  ['silence, after seven days',             given,                           open('unresolved'), unknown,              'nothing'],
  ['the same yes again',                    paid,                            open('done'),      done(1000, 1000),      'nothing'],
  ['the same yes, the operation read late', paid,                            open('waiting'),   done(1000, 1000),      'nothing'],
  ['held, the operation read late',         held,                            open('unknown'),   done(1000),            'nothing'],
  ['silence after the yes',                 paid,                            open('done'),      unknown,               'nothing'],
  ['the hold has lapsed',                   held,                            open('done'),      lapsed,                'expired 1000/0/0/0 done'],
  ['the same again',                        payment({ status: 'expired', facts: gone }), open('done'), lapsed,         'nothing'],
  ['it lapses, a part of it was captured',  { ...rest, status: 'partially_captured', amount_capturable: 0 }, open('done'), lapsed, 'nothing'],
  ['it lapses, all of it was captured',     { ...paid, capture_method: 'manual' }, open('done'), lapsed,               'nothing'],
  ['taken at once, and voided there',       paid,                            open('done'),      lapsed,                'cancelled_post_capture 1000/0/0/1000 done'],
  ['it lapses, a capture is under way',     capturing,                       open('done'),      lapsed,                'processing 1000/0/600/0 done'],
  ['it lapses, a void is under way',        letting,                         open('done'),      lapsed,                'processing 1000/0/0/0 done (void)'],
  ['still held, all of it',                 held,                            open('done'),      holding(1000),         'nothing'],
  ['still held, a part of it',              held,                            open('done'),      holding(400),          'requires_capture 1000/400/0/0 done'],
  ['still held, more than we gave out',     { ...rest, amount_capturable: 100 }, open('done'),  holding(900),          'partially_captured_and_capturable 1000/700/0/300 done'],
  ['no longer held',                        held,                            open('done'),      holding(0),            'expired 1000/0/0/0 done'],
  ['no longer held, taken unheard of',      held,                            open('done'),      heldAndTaken(0, 1000),   'nothing'],
  ['no longer held, some of it taken',      rest,                            open('done'),      holding(0),            'partially_captured 1000/0/0/300 done'],
  ['no longer held, a capture under way',   capturing,                       open('done'),      holding(0),            'nothing'],
  ['no, after it was paid',                 paid,                            open('done'),      declined,              'review 1000/0/0/1000 done'],
  ['no, after it was held',                 held,                            open('done'),      declined,              'nothing'],
]

test('a payment that was not sent reports whether the processor was unreachable or its account had too many requests', () => {
  const errorFor = (why: string) => take(payment(), operation({}), decide(payment(), operation({}), { is: 'not_sent', why }))[0].last_error
  const errors = ['no connection (ECONNREFUSED)', TOO_MANY].map(errorFor)
  deepEqual(
    errors.map(error => error?.error_code),
    ['not_sent', 'not_sent'],
  )
  match(errors[0]!.error_message!, /could not be reached/)
  match(errors[1]!.error_message!, /^Too many requests of this connector account are in progress; nothing was sent/)
})

test('the response to an authorization decides the status and the amounts of the payment', () => {
  for (const [what, p, o, outcome, expected] of authorizations) equal(verdict(p, o, outcome), expected, what)
})

const capture = (state: OperationState = 'open', amount = 600) => ended(state, { verb: 'capture', n: 2, request_id: 'R2', amount })
const yes = done(600, null, 'R2')
const several = payment({ capture_method: 'manual_multiple', amount_authorized: 1000, amount_capturable: 400, amount_capturing: 600 })
const two = { ...several, amount_capturable: 0, amount_capturing: 1000 }
const second = payment({ ...several, status: 'partially_captured_and_processing', amount_received: 300, amount_capturable: 100 })
const last = { ...second, amount_received: 400, amount_capturable: 0 }
const half = payment({ capture_method: 'manual', amount_authorized: 600, amount_capturing: 600 })
const person = { ...capturing, status: 'requires_merchant_action' as const }

// biome-ignore format: a table reads better in columns
const captures: [what: string, payment: Payment, operation: Operation, heard: Outcome, verdict: string][] = [
  ['a part, the only one',                  capturing,  capture(),               yes,                    'partially_captured 1000/0/0/600 done'],
  ['all',                                   { ...capturing, amount_capturable: 0, amount_capturing: 1000 }, capture('open', 1000), done(1000, null, 'R2'), 'succeeded 1000/0/0/1000 done'],
  ['a part, the rest is kept',              several,    capture(),               yes,                    'partially_captured_and_capturable 1000/400/0/600 done'],
  ['a part, another is under way',          two,        capture(),               yes,                    'partially_captured_and_processing 1000/0/400/600 done'],
  ['the last part',                         last,       capture(),               yes,                    'succeeded 1000/0/0/1000 done'],
  ['all of a partial approval',             half,       capture(),               yes,                    'partially_captured 600/0/0/600 done'],
  ['no',                                    capturing,  capture(),               declined,               'requires_capture 1000/1000/0/0 declined'],
  ['no, while another is under way',        two,        capture(),               declined,               'processing 1000/600/400/0 declined'],
  ['no, with something captured',           second,     capture(),               declined,               'partially_captured_and_capturable 1000/700/0/300 declined'],
  ['no, on a partial approval',             half,       capture(),               declined,               'partially_authorized_and_requires_capture 600/600/0/0 declined'],
  ['no, and the hold has lapsed',           { ...capturing, facts: gone }, capture(),            declined,               'expired 1000/0/0/0 declined'],
  ['no, lapsed, something captured',        { ...second, amount_capturable: 0, facts: gone }, capture(), declined,       'partially_captured 1000/0/0/300 declined'],
  ['not sent',                              capturing,  capture(),               notSent,                'requires_capture 1000/1000/0/0 not_sent'],
  ['not found, after the window',           capturing,  capture('unknown'),      notFound,               'requires_capture 1000/1000/0/0 not_received'],
  ['silence',                               capturing,  capture(),               unknown,                'processing 1000/400/600/0 unknown'],
  ['later',                                 capturing,  capture(),               waiting,                'processing 1000/400/600/0 waiting'],
  ['another amount',                        capturing,  capture(),               done(599, null, 'R2'),  'conflicted 1000/400/600/0 conflicted'],
  ["somebody else's",                       capturing,  capture(),               done(600, null, 'R9'),  'conflicted 1000/400/600/0 conflicted'],
  ['yes, after seven days',                 person,     capture('unresolved'),   yes,                    'partially_captured 1000/0/0/600 done'],
  ['no, after seven days',                  person,     capture('unresolved'),   declined,               'requires_capture 1000/1000/0/0 declined'],
  ['no, on a partial approval, after seven days', { ...half, status: 'requires_merchant_action' }, capture('unresolved'), declined, 'partially_authorized_and_requires_capture 600/600/0/0 declined'],
  ['yes, when it was given up',             held,       capture('not_received'), yes,                    'partially_captured 1000/0/0/600 done'],
  ['yes, too late for the hold',            paid,       capture('not_received'), yes,                    'succeeded 1000/0/0/1000 conflicted'],
  ['the same again',                        paid,       capture('done'),         yes,                    'nothing'],
  ['no, after it was paid',                 paid,       capture('done'),         declined,               'review 1000/0/0/1000 done'],
  ['no, after a yes, another is under way', second,     capture('done'),         declined,               'review 1000/100/600/300 done'],
  ['yes, after a no that came after it',    held,       ended('declined', { ...capture(), ...afterYes }), yes,  'nothing'],
]

test('the response to a capture books its reserved amount, or returns it to the hold', () => {
  for (const [what, p, o, outcome, expected] of captures) equal(verdict(p, o, outcome), expected, what)
})

const voiding = (state: OperationState = 'open', purpose: Operation['purpose'] = 'merchant') =>
  ended(state, { verb: 'void', n: 3, request_id: 'R3', purpose })
const freed = done(1000, null, 'R3')
const lettingHalf = { ...letting, amount_authorized: 500, amount_capturable: 500 }

// biome-ignore format: a table reads better in columns
const voids: [what: string, payment: Payment, operation: Operation, heard: Outcome, verdict: string][] = [
  ['the hold is released',                  letting,        voiding(),                       freed,                 'cancelled 1000/0/0/0 done'],
  ['a challenge is withdrawn',              cancelling,     voiding(),                       freed,                 'cancelled 0/0/0/0 done'],
  ['no',                                    letting,        voiding(),                       declined,              'requires_capture 1000/1000/0/0 declined'],
  ['no, and the hold has lapsed',           { ...letting, amount_capturable: 0, facts: gone }, voiding(), declined,      'expired 1000/0/0/0 declined'],
  ['no, on a partial approval',             lettingHalf,    voiding(),                       declined,              'partially_authorized_and_requires_capture 500/500/0/0 declined'],
  ['no, on a partial approval, after seven days', { ...lettingHalf, status: 'requires_merchant_action' }, voiding('unresolved'), declined, 'partially_authorized_and_requires_capture 500/500/0/0 declined'],
  ['no, the challenge is still open',       cancelling,     voiding(),                       declined,              'processing 0/0/0/0 declined (authorize)'],
  ['not sent',                              letting,        voiding(),                       notSent,               'requires_capture 1000/1000/0/0 not_sent'],
  ['not found, after the window',           letting,        voiding('unknown'),              notFound,              'requires_capture 1000/1000/0/0 not_received'],
  ['silence',                               letting,        voiding(),                       unknown,               'processing 1000/1000/0/0 unknown (void)'],
  ["somebody else's",                       letting,        voiding(),                       done(1000, null, 'R9'), 'conflicted 1000/1000/0/0 conflicted'],
  ['the money was taken meanwhile, then no', { ...paid, alone: 3 }, voiding(),           declined,              'succeeded 1000/0/0/1000 declined'],
  ['the money was taken meanwhile, then yes', { ...paid, alone: 3 }, voiding(),          freed,                 'cancelled_post_capture 1000/0/0/1000 done'],
  ['ours: given back',                      { ...sent, alone: 3 }, voiding('open', 'reversal'), freed,          'failed 0/0/0/0 done'],
  ['ours: no, so it is asked back instead', { ...sent, alone: 3 }, voiding('open', 'reversal'), declined,       'processing 0/0/0/0 declined (void), refund'],
  ['ours: the hold has lapsed of itself',   { ...sent, alone: 3 }, voiding('open', 'reversal'), lapsed,         'failed 0/0/0/0 lapsed'],
  ['ours: not sent, so it is sent again',   { ...sent, alone: 3 }, voiding('open', 'reversal'), notSent,        'processing 0/0/0/0 unknown (void)'],
  ['nothing was held, so nothing is voided', cancelling,    voiding(),                       heldNothing,           'cancelled 0/0/0/0 done'],
  ['the same again',                        payment({ status: 'cancelled' }), voiding('done'), freed,               'nothing'],
]

test('the response to a void releases the hold, or leaves it in place', () => {
  for (const [what, p, o, outcome, expected] of voids) equal(verdict(p, o, outcome), expected, what)
  const [after] = take(cancelling, voiding(), decide(cancelling, voiding(), heldNothing))
  equal(after.facts?.voided_nothing, true, 'a hold that appears later is voided')
})

const givingBack = (state: OperationState = 'open') =>
  ended(state, { verb: 'refund', n: 4, request_id: 'R4', purpose: 'reversal', amount: 500 })

// biome-ignore format: a table reads better in columns
const reversals: [what: string, payment: Payment, operation: Operation, heard: Outcome, verdict: string][] = [
  ['given back',                            { ...sent, alone: 4 }, givingBack(),          done(500, null, 'R4'), 'failed 0/0/0/0 done'],
  ['no: a person must look',                { ...sent, alone: 4 }, givingBack(),          declined,              'requires_merchant_action 0/0/0/0 declined'],
  ['another amount: a person must look',    { ...sent, alone: 4 }, givingBack(),          done(499, null, 'R4'), 'requires_merchant_action 0/0/0/0 conflicted'],
  ['not sent, so it is sent again',         { ...sent, alone: 4 }, givingBack(),          notSent,               'processing 0/0/0/0 unknown (void)'],
  ['not found, so it is sent again',        { ...sent, alone: 4 }, givingBack(),          notFound,              'processing 0/0/0/0 unknown (void)'],
  ['given back, of a payment that had ended', failed,                  givingBack(),          done(500, null, 'R4'), 'failed 0/0/0/0 done'],
  ['the same again',                        failed,                    givingBack('done'),    done(500, null, 'R4'), 'nothing'],
]

const raise = (state: OperationState = 'open') => ended(state, { verb: 'increment', n: 3, request_id: 'R3', amount: 1500 })
const longer = (state: OperationState = 'open') => ended(state, { verb: 'extend', n: 3, request_id: 'R3' })
const undo = (state: OperationState = 'open', amount = 1000) => ended(state, { verb: 'post_capture_void', n: 3, request_id: 'R3', amount })
const raised = done(1500, null, 'R3')
const well = done(1000, null, 'R3')
const raising = { ...held, alone: 3 }
const undoing = { ...paid, alone: 3 }
const undoingRest = { ...rest, alone: 3 }
const restOf = (p: Payment, n: number): Payment['adjustments'] => ({
  ...p.adjustments,
  releases: [
    ...(p.adjustments?.releases ?? []),
    { n, amount: p.amount_capturable, status: 'pending', connector_reference_id: null, description: null, updated_at: BEGAN },
  ],
})
const releasing: Payment = { ...undoingRest, adjustments: restOf(rest, 3) }
const notReleased: Payment = { ...releasing, alone: null }
const allTaken: Payment = { ...notReleased, status: 'succeeded', amount_capturable: 0, amount_received: 1000 }
const released: Payment = { ...notReleased, status: 'partially_captured', amount_capturable: 0, authorization_n: 1 }
const wasReleased: Payment = { ...released, adjustments: { releases: [{ ...releasing.adjustments!.releases![0]!, status: 'succeeded' }] } }
const lettingRestGo: Payment = { ...released, alone: 3, facts: gone }
const lettingGo = { ...raising, status: 'expired' as const, amount_capturable: 0, facts: gone }

// biome-ignore format: a table reads better in columns
const adjustments: [what: string, payment: Payment, operation: Operation, heard: Outcome, verdict: string][] = [
  ['more is held',                          raising,    raise(),                 raised,                 'requires_capture 1500/1500/0/0 done'],
  ['no more',                               raising,    raise(),                 declined,               'requires_capture 1000/1000/0/0 declined'],
  ['not sent',                              raising,    raise(),                 notSent,                'requires_capture 1000/1000/0/0 not_sent'],
  ['not found, after the window',           raising,    raise('unknown'),        notFound,               'requires_capture 1000/1000/0/0 not_received'],
  ['silence',                               raising,    raise(),                 unknown,                'requires_capture 1000/1000/0/0 unknown (void)'],
  ['later',                                 raising,    raise(),                 waiting,                'requires_capture 1000/1000/0/0 waiting (void)'],
  ['another amount',                        raising,    raise(),                 well,                   'conflicted 1000/1000/0/0 conflicted'],
  ['more, and the hold has lapsed',         lettingGo,  raise(),                 raised,                 'expired 1000/0/0/0 conflicted'],
  ['no more, and the hold has lapsed',      lettingGo,  raise(),                 declined,               'expired 1000/0/0/0 declined'],
  ['more, when it was given up',            held,       raise('not_received'),   raised,                 'requires_capture 1500/1500/0/0 done'],
  ['more, after seven days',                held,       raise('unresolved'),     raised,                 'requires_capture 1500/1500/0/0 done'],
  ['more, while something else is there',   { ...held, alone: 4 }, raise('not_received'), raised,        'requires_capture 1000/1000/0/0 conflicted (void)'],
  ['more, too late',                        paid,       raise('not_received'),   raised,                 'succeeded 1000/0/0/1000 conflicted'],
  ['the same again',                        held,       raise('done'),           raised,                 'nothing'],
  ['longer',                                raising,    longer(),                well,                   'requires_capture 1000/1000/0/0 done'],
  ['no longer',                             raising,    longer(),                declined,               'requires_capture 1000/1000/0/0 declined'],
  ['longer, and the hold has lapsed',       lettingGo,  longer(),                well,                   'expired 1000/0/0/0 conflicted'],
  ['the hold has lapsed meanwhile',         { ...raising, authorization_n: 1 }, operation({ state: 'done', poll_at: null }), lapsed, 'expired 1000/0/0/0 done (void)'],
  ['undone',                                undoing,    undo(),                  well,                   'cancelled_post_capture 1000/0/0/1000 done'],
  ['undone, a part was held',               undoingRest, undo('open', 300),      done(300, null, 'R3'),  'cancelled_post_capture 1000/0/0/300 done'],
  ['not undone',                            undoing,    undo(),                  declined,               'succeeded 1000/0/0/1000 declined'],
  ['undone? silence',                       undoing,    undo(),                  unknown,                'succeeded 1000/0/0/1000 unknown (void)'],
  ["undone, somebody else's",               undoing,    undo(),                  done(1000, null, 'R9'), 'conflicted 1000/0/0/1000 conflicted'],
  ['undone, when it was given up',          paid,       undo('not_received'),    well,                   'cancelled_post_capture 1000/0/0/1000 done'],
  ['undone, and refunded meanwhile',        { ...paid, amount_refunded: 300 }, undo('not_received'), well, 'succeeded 1000/0/0/1000 conflicted'],
  ['the rest is let go',                    releasing,  voiding(),               done(700, null, 'R3'),  'partially_captured 1000/0/0/300 done'],
  ['the rest is not let go',                releasing,  voiding(),               declined,               'partially_captured_and_capturable 1000/700/0/300 declined'],
  ['the rest: silence',                     releasing,  voiding(),               unknown,                'partially_captured_and_capturable 1000/700/0/300 unknown (void)'],
  ['the rest: later',                       releasing,  voiding(),               waiting,                'partially_captured_and_capturable 1000/700/0/300 waiting (void)'],
  ['the rest, when it was given up',        notReleased, voiding('not_received'), freed,                 'partially_captured 1000/0/0/300 done'],
  ['the rest, after seven days',            notReleased, voiding('unresolved'),  freed,                  'partially_captured 1000/0/0/300 done'],
  ['the rest, which was captured meanwhile', allTaken,  voiding('unresolved'),   freed,                  'succeeded 1000/0/0/1000 done'],
  ['the rest, which has lapsed meanwhile',  lettingRestGo, voiding(),            freed,                  'partially_captured 1000/0/0/300 done'],
  ['that it is gone is no news then',       wasReleased, operation({ state: 'done', poll_at: null }), lapsed, 'nothing'],
  ['undone, after seven days',              undoing,    undo('unresolved'),      well,                   'cancelled_post_capture 1000/0/0/1000 done'],
]

test('the response to an increment, extension, release or post-capture void changes the payment or leaves it unchanged', () => {
  for (const [what, p, o, outcome, expected] of adjustments) equal(verdict(p, o, outcome), expected, what)
})

test('a payment can be captured after an increment or extension unresolved for seven days; a post-capture void still blocks it', () => {
  equal(incrementVerb.onPollingEnded(raising, raise('unknown'), NOW, null)!.head.alone, null)
  equal(extendVerb.onPollingEnded(raising, longer('unknown'), NOW, null)!.head.alone, null)
  equal(postCaptureVoidVerb.onPollingEnded(undoing, undo('unknown'), NOW, null)!.head.alone, undefined)
})

test('the reversal of an unwanted charge is repeated if it did not arrive, and requires merchant action if it is declined', () => {
  for (const [what, p, o, outcome, expected] of reversals) equal(verdict(p, o, outcome), expected, what)
})

// --- two authorizations of one payment, at two processors: a retry, and the first one late

const B = { authorization_n: 2, authorization_request_id: 'R2', connector_transaction_id: 'auth_B', operation_count: 2 }
const retried = { ...paid, ...B }
const retrying = { ...sent, ...B, alone: 2, connector_transaction_id: null }
const lateA = ended('not_received')
const anything: Outcome[] = [done(), done(1000, 1000), declined, notSent, notFound, lapsed, unknown, waiting, challenge]
const voidOfA = ended('open', { verb: 'void', n: 3, request_id: 'R3', purpose: 'reversal', acts_on: 1 })
const refundOfA = ended('open', { verb: 'refund', n: 3, request_id: 'R3', purpose: 'reversal', acts_on: 1 })

test('a late approval of an authorization that was replaced by a retry is reversed, and does not change the payment', () => {
  for (const [what, p] of Object.entries({ retried, retrying })) {
    for (const outcome of [done(), done(1000, 1000)]) {
      const step = decide(p, lateA, outcome)!
      deepEqual([step.move, step.head, reversalOf(step)?.alone], [null, {}, false], what)
      equal(reversalOf(step)?.verb, outcome.is === 'done' && outcome.captured ? 'refund' : 'void')
    }
    for (const state of ['open', 'waiting', 'unknown', 'unresolved'] as const) {
      for (const outcome of anything) {
        const step: Transition<Payment> | null = decide(p, ended(state), outcome)
        if (step) deepEqual([step.move, step.head], [null, {}], `${what} ${state} ${outcome.is}`)
      }
    }
  }
})

test('the result of the reversal of a replaced authorization does not change the payment', () => {
  for (const [what, p] of Object.entries({ retried, retrying })) {
    for (const operation of [voidOfA, refundOfA]) {
      for (const outcome of [done(1000, null, 'R3'), done(999, null, 'R9'), ...anything.slice(2)]) {
        const step: Transition<Payment> | null = decide(p, operation, outcome)
        if (!step) continue
        const { last_error: _forAPerson, alone, ...head } = step.head
        deepEqual([step.move, head, alone ?? p.alone], [null, {}, p.alone], `${what}: ${operation.verb} ${outcome.is}`)
      }
    }
    const merchants = { ...voidOfA, purpose: 'merchant' as const }
    for (const outcome of [done(1000, null, 'R3'), declined])
      equal(decide(p, merchants, outcome)?.move, null, `${what}: a cancel of it ${outcome.is}`)
  }
})

// --- rules

const outcomes: Outcome[] = [
  ...learnt,
  done(1000, 1000),
  done(1000),
  done(500, 500),
  done(500),
  done(1001),
  done(1000, null, 'R9'),
  declined,
  notSent,
  notFound,
  lapsed,
  unknown,
  waiting,
  challenge,
  holding(1000),
  holding(300),
  holding(0),
]
const amountsOf = (p: Payment) => [
  p.amount_authorized,
  p.amount_capturable,
  p.amount_capturing,
  p.amount_received,
  p.amount_refunding,
  p.amount_refunded,
]

test('a processor reference in a response is always stored, and alone changes neither status nor amounts, even after seven days', () => {
  for (const [, p, o] of [...authorizations, ...captures, ...voids, ...adjustments, ...reversals]) {
    for (const state of ['open', 'unknown', 'unresolved'] as const) {
      if (o.verb === 'authorize' && p.amount_authorized > 0) continue
      const start = ended(state, { ...o, reference: 'ord_1' })
      const [after, settled] = take(p, start, decide(p, start, { ...unknown, reference: 'ord_2' } as Outcome))
      deepEqual([settled.reference, settled.state], ['ord_2', state === 'open' ? 'unknown' : state], `${o.verb} ${state}`)
      deepEqual([after.status, ...amountsOf(after)], [p.status, ...amountsOf(p)], `${o.verb} ${state}`)
      equal(decide(after, settled, { ...unknown, reference: 'ord_2' } as Outcome), null)
    }
  }
})

test('the same response received twice changes nothing the second time', () => {
  for (const [, p, o] of [...authorizations, ...captures, ...voids, ...adjustments, ...reversals]) {
    for (const state of operationStates) {
      // A payment that holds money was not declined.
      if (o.verb === 'authorize' && p.amount_authorized > 0 && endedWithANo({ state, response: null })) continue
      for (const outcome of outcomes.map(one =>
        one.is === 'done' && one.request_id === 'R1' ? { ...one, request_id: o.request_id } : one,
      )) {
        const start = ended(state, o)
        const [after, settled] = take(p, start, decide(p, start, outcome))
        const again = decide(after, settled, outcome)
        const label = `${o.verb} ${state} of a ${p.status} payment, hearing ${JSON.stringify(outcome)}: ${JSON.stringify(again)}`
        if (!again) continue
        const [twice, opTwice] = take(after, settled, again)
        equal(again.open, undefined, label)
        deepEqual([twice.status, ...amountsOf(twice), opTwice.state], [after.status, ...amountsOf(after), settled.state], label)
      }
    }
  }
})

/** Verifies a payment's amounts, after every outcome. */
function isSound(p: Payment): void {
  for (const amount of amountsOf(p)) ok(amount >= 0, JSON.stringify(p))
  ok(p.amount_capturable + p.amount_capturing + p.amount_received <= p.amount_authorized, 'more than was authorized')
  ok(p.amount_authorized <= p.net_amount, 'more than was asked for')
  ok(obeysItsStatus(p.status, p), `${p.status} with ${amountsOf(p)}`)
}

const anyOutcome = fc.constantFrom<((amount: number, id: string) => Outcome)[]>(
  (amount, id) => done(amount, null, id),
  (amount, id) => done(amount, amount, id),
  (amount, id) => done(Math.max(1, amount - 1), amount, id),
  (amount, id) => done(amount + 1, amount + 1, id),
  () => declined,
  () => notSent,
  () => notFound,
  () => learnt[0]!,
  () => learnt[1]!,
  (amount, id) => ({ ...done(amount, null, id), capturable: { amount: amount >> 1, currency: 'USD' } }) as Outcome,
  (amount, id) => ({ ...done(amount, null, id), capturable: { amount: 0, currency: 'USD' } }) as Outcome,
  () => lapsed,
  () => unknown,
  () => waiting,
  () => challenge,
)
const update = fc.record({ who: fc.nat({ max: 5 }), says: anyOutcome })

test('responses in any order make no total negative or above the authorized amount, and a final status stays final', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('automatic', 'manual', 'manual_multiple', 'sequential_automatic'),
      fc.boolean(),
      fc.array(
        fc.oneof(
          { weight: 3, arbitrary: update },
          { weight: 2, arbitrary: fc.constantFrom('capture', 'cancel', 'increment', 'undo', 'last', 'release') },
        ),
        { maxLength: 24 },
      ),
      (capture_method, partial, steps) => {
        let p = payment({ alone: 1, capture_method: capture_method as Payment['capture_method'], ...(partial && partly) })
        const operations: Operation[] = [operation()]
        const begin = (verb: Operation['verb'], amount: number, purpose: Operation['purpose'] = 'merchant') => {
          const n = operations.length + 1
          operations.push(operation({ n, verb, purpose, amount, request_id: `R${n}` }))
        }
        let taken = 0
        for (const step of steps) {
          if (step === 'capture' || step === 'last') {
            if (step === 'last' && (capture_method !== 'manual_multiple' || p.amount_capturing > 0)) continue
            const amount = capture_method === 'manual_multiple' ? Math.min(300, p.amount_capturable) : p.amount_capturable
            if (amount <= 0 || p.alone || !may(lifecycle, p.status, 'capture_sent')) continue
            begin('capture', amount)
            const status = (lifecycle[p.status] as Record<string, PaymentStatus>).capture_sent!
            p = {
              ...p,
              status,
              operation_count: operations.length,
              amount_capturable: step === 'last' ? 0 : p.amount_capturable - amount,
              ...(step === 'last' && {
                adjustments: { ...p.adjustments, final: { n: operations.length, rest: p.amount_capturable - amount } },
              }),
              amount_capturing: p.amount_capturing + amount,
            }
          } else if (step === 'release') {
            if (p.alone || p.amount_capturing > 0 || !allowedStatuses.release.includes(p.status)) continue
            begin('void', p.amount_capturable)
            const n = operations.length
            p = { ...p, alone: n, operation_count: n, adjustments: restOf(p, n) }
          } else if (step === 'increment' || step === 'undo') {
            const allowed = step === 'increment' ? allowedStatuses.incremental_authorization : allowedStatuses.cancel_post_capture
            if (p.alone || p.amount_refunding + p.amount_refunded > 0 || !allowed.includes(p.status)) continue
            if (step === 'increment') begin('increment', p.amount_authorized + 500)
            else begin('post_capture_void', p.amount_received)
            p = { ...p, alone: operations.length, operation_count: operations.length }
          } else if (step === 'cancel') {
            if (!may(lifecycle, p.status, 'cancel_sent') || (p.alone && p.status !== 'requires_customer_action')) continue
            begin('void', p.amount_capturable)
            p = { ...p, status: 'processing', alone: operations.length, operation_count: operations.length, next_action: null }
          } else {
            const at = step.who % operations.length
            const o = operations[at]!
            const before = p
            const decided = decide(p, o, step.says(o.amount, o.request_id))
            const [after, settled] = take(p, o, decided)
            p = after
            operations[at] = settled
            const back = reversalOf(decided)
            if (back) begin(back.verb, settled.response?.amount ?? o.amount, 'reversal')
            if (decided?.open?.is === 'capture') begin('capture', decided.open.amount)
            if (before.status !== p.status) ok(may(lifecycle, before.status, decided!.move!), `${before.status} to ${p.status}`)
            if (Object.keys(lifecycle[before.status]).length === 0) equal(p.status, before.status)
            ok(p.amount_received >= taken, 'money that was taken is not forgotten')
            taken = p.amount_received
            // The rule that the database enforces too: nothing unfinished is without a job, and of the ended
            // operations only one that was never received may have a job.
            if (settled.poll_at === null) ok(!['open', 'waiting', 'unknown'].includes(settled.state), settled.state)
            else ok(['open', 'waiting', 'unknown', 'not_received'].includes(settled.state), settled.state)
          }
          isSound(p)
        }
        const booked = operations.filter(o => o.verb === 'capture' && o.state === 'done').reduce((sum, o) => sum + o.amount, 0)
        if (capture_method !== 'automatic')
          ok(p.amount_received === booked || p.amount_received === p.amount_authorized - p.amount_capturable - p.amount_capturing)
      },
    ),
    { numRuns: 3000 },
  )
})

test('a cancel in progress sends no event for a payment that was captured meanwhile', () => {
  const cancel = operation({ n: 2, verb: 'void', acts_on: 1 })
  for (const outcome of [waiting, unknown]) {
    equal(
      decide(payment({ status: 'succeeded', alone: 2, amount_authorized: 1000, amount_received: 1000 }), cancel, outcome)?.announces,
      null,
    )
    equal(decide(payment({ status: 'processing', alone: 2 }), cancel, outcome)?.announces, undefined)
  }
})

test('a reversal in progress sends no event for a payment that does not wait for it', () => {
  const silent: Outcome = { is: 'unknown', why: 'silence' }
  for (const [after, verb] of [
    [afterVoidReversal, 'void'],
    [afterRefundReversal, 'refund'],
  ] as const) {
    const reversal = operation({ n: 2, verb, request_id: 'R2', purpose: 'reversal' })
    equal(after(payment({ status: 'succeeded' }), reversal, silent, NOW)?.announces, null, verb)
    equal(after(payment({ alone: 2 }), reversal, silent, NOW)?.announces, undefined, verb)
  }
})
