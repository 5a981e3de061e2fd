import { may } from '../base/lifecycle.ts'
import type { Outcome } from '../connectors/connector.ts'
import type { RowChange, Time } from '../context.ts'
import { failure } from '../operations/failure.ts'
import { acceptsUpdates, endedWithANo, isUnfinished, type Operation } from '../operations/operation.ts'
import { contradicts, type Done, endsAs, givenUp, late, operationPatch, responseOf, staysOpen } from '../operations/operation-patch.ts'
import type { OutcomeContext, RequestInput, Transition, VerbDefinition } from '../operations/verb.ts'
import { notedIn } from '../payments/authorization/purchase.ts'
import { type Payment, partOf } from '../payments/payment.ts'
import { askedUntil } from '../payments/verbs/moves.ts'
import { type RefundStatus, refundLifecycle, refundStatuses } from './lifecycle.ts'
import { findRefund, type Refund } from './refund.ts'
import { splitBackOf } from './split.ts'

type Declined = Extract<Outcome, { is: 'declined' }>

/**
 * The verb that refunds for a merchant. The amount was reserved on the payment's row: a confirmation turns it into
 * refunded money, a definitive decline releases it, and without an answer it stays reserved. The refund's row moves
 * along.
 */
export const refundVerb: VerbDefinition<Payment> = {
  async companionRow(context, operation) {
    const refund = await findRefund(context, operation.merchant_id, operation.refund_id ?? '')
    if (!refund) throw new Error(`operation ${operation.request_id} names refund ${operation.refund_id}, which does not exist`)
    return refund
  },
  buildRequest,
  after: (payment, operation, outcome, now, refund, more) => afterRefund(payment, operation, outcome, now, refund as Refund, more),
  until: askedUntil,
  onPollingEnded: (payment, operation, now, refund) => unresolvedRefund(payment, operation, now, refund as Refund),
}

function buildRequest({ connector, account, head: payment, operation, authorization, companionRow }: RequestInput<Payment>) {
  const { request_id, amount, currency } = operation
  const { reason, split_refunds, metadata } = companionRow as Refund
  const noted = notedIn(metadata)
  const split = splitBackOf(split_refunds)
  const money = { amount, currency }
  const part_of = partOf(payment, amount)
  return (
    connector.refund?.(
      {
        request_id,
        authorization,
        money,
        reason,
        ...(split && { split }),
        ...(noted && { metadata: noted }),
        ...(part_of && { part_of }),
      },
      account,
    ) ?? null
  )
}

export function afterRefund(
  payment: Payment,
  operation: Operation,
  outcome: Outcome,
  now: Time,
  refund: Refund,
  { rule }: OutcomeContext = {},
): Transition<Payment> | null {
  if (!acceptsUpdates(operation)) {
    if (outcome.is === 'declined' && operation.state === 'done') return failedLater(payment, operation, outcome, now, refund, rule)
    return outcome.is === 'done' && endedWithANo(operation) ? madeAfterAll(payment, operation, outcome, now, refund) : null
  }
  const side = operationPatch(operation, outcome, now, payment.expires_on)
  if (!side) return null
  const reference = side.reference ?? refund.connector_refund_id
  const step = (status: RefundStatus, changes: Partial<Refund>, head: Partial<Payment>): Transition<Payment> => ({
    move: null,
    head,
    operation: side,
    rows: [row(refund, status, now, { connector_refund_id: reference, ...changes })],
    announces: status === refund.status ? null : refundStatuses[status].announced,
  })
  if (side.state === 'conflicted') return step('review', { last_error: failure.contradicted(operation) }, {})
  if (staysOpen(side)) return step(refund.status, {}, {})
  const amount_refunding = payment.amount_refunding - operation.amount
  if (outcome.is === 'done') {
    return step(
      'succeeded',
      { ...factsOf(outcome), last_error: null },
      { amount_refunding, amount_refunded: payment.amount_refunded + operation.amount },
    )
  }
  return step('failed', { last_error: failure.of(outcome, rule) }, { amount_refunding })
}

const factsOf = ({ facts: { arn, fee } }: Done): Pick<Refund, 'arn' | 'fee'> => ({ arn: arn ?? null, fee: fee ?? null })

/** A confirmation that the processor takes back: the customer did not get the money, and it can be refunded again. */
function failedLater(
  payment: Payment,
  operation: Operation,
  outcome: Declined,
  now: Time,
  refund: Refund,
  rule: OutcomeContext['rule'],
): Transition<Payment> {
  return {
    move: null,
    head: { amount_refunded: payment.amount_refunded - operation.amount },
    operation: { state: 'declined', response: responseOf(outcome, operation), modified_at: now },
    rows: [row(refund, 'failed', now, { last_error: failure.of(outcome, rule) })],
    announces: refundStatuses.failed.announced,
  }
}

/**
 * A refund that had been given up but was made: counted if the payment's amounts allow it, otherwise to be reviewed.
 */
function madeAfterAll(payment: Payment, operation: Operation, outcome: Done, now: Time, refund: Refund): Transition<Payment> {
  const side = endsAs('done', operation, outcome, now)
  const left = payment.amount_received - payment.amount_refunded - payment.amount_refunding - payment.amount_disputed
  if (!contradicts(operation, outcome) && operation.amount <= left) {
    return {
      move: null,
      head: { amount_refunded: payment.amount_refunded + operation.amount },
      operation: side,
      rows: [row(refund, 'succeeded', now, { connector_refund_id: outcome.reference, ...factsOf(outcome), last_error: null })],
      announces: 'refund_succeeded',
    }
  }
  return {
    ...late<Payment>(operation, outcome, now),
    head: {},
    rows: [row(refund, 'review', now, { last_error: failure.late(operation) })],
  }
}

export function unresolvedRefund(_payment: Payment, operation: Operation, now: Time, refund: Refund): Transition<Payment> | null {
  if (!isUnfinished(operation)) return null
  return {
    move: null,
    head: {},
    operation: givenUp(now),
    rows: [row(refund, 'review', now, { last_error: failure.unresolved(operation) })],
    announces: 'action_required',
  }
}

/** Returns the refund's row with its next status, if its lifecycle allows that status; otherwise the status stays. */
function row(refund: Refund, status: RefundStatus, now: Time, changes: Partial<Refund>): RowChange {
  const reachable = Object.entries(refundLifecycle[refund.status]).some(
    ([move, target]) => target === status && may(refundLifecycle, refund.status, move),
  )
  return { table: 'refunds', before: refund, after: { ...refund, ...changes, status: reachable ? status : refund.status, updated_at: now } }
}
