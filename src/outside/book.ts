import type { EventType } from '../base/event-types.ts'
import { newResourceId, randomAlphanumeric } from '../base/id.ts'
import { after as afterMove } from '../base/lifecycle.ts'
import { decimalOf } from '../base/money.ts'
import type { Change, Context, RowChange, Time } from '../context.ts'
import { failure } from '../operations/failure.ts'
import { openOperation, operationRow } from '../operations/open.ts'
import type { Operation } from '../operations/operation.ts'
import { firstPoll } from '../operations/poll-schedule.ts'
import type { Increment } from '../payments/authorization/adjustments.ts'
import { lifecycle, type PaymentMove, statuses } from '../payments/lifecycle.ts'
import { capturesSeveralTimes, ownerOf, type Payment, payments } from '../payments/payment.ts'
import { postingsOf, soldAmount } from '../payments/postings.ts'
import { captureMove } from '../payments/verbs/capture.ts'
import { ifAllowed } from '../payments/verbs/moves.ts'
import { refundStatuses } from '../refunds/lifecycle.ts'
import { initialRefund, type Refund } from '../refunds/refund.ts'
import type { Contradiction, External } from './difference.ts'

/** The change here that follows from a movement made at the processor: one change of its payment. Pure but for ids. */

type Tools = Pick<Context, 'now' | 'random' | 'by'>

/** The effect of a movement on its payment. `refund`: the row of an external refund. Null: it cannot be booked. */
type Effect = {
  move: PaymentMove | null
  head: Partial<Payment>
  refund?: Refund
  announces?: EventType | null
}

/** Returns the change that books an external movement, null if the payment's status does not take it. */
export function bookExternal(context: Tools, payment: Payment, external: External): (Change & { after: Payment }) | null {
  const operation = operationOf(context, payment, external)
  const effect = effects[external.verb](context, payment, operation, external)
  if (!effect) return null
  const { move, head, refund } = effect
  const status = move ? afterMove(lifecycle, payment.status, move) : payment.status
  const adjustments = {
    ...(head.adjustments ?? payment.adjustments),
    outside: (payment.adjustments?.outside ?? 0) + movedBy(payment, external),
  }
  const after: Payment = { ...payment, ...head, adjustments, status, operation_count: operation.n, modified_at: operation.began }
  const rows: RowChange[] = [operationRow(operation)]
  if (refund) rows.push({ table: 'refunds', before: null, after: refund })
  const posts = postingsOf({ was: payment, is: after }, { was: { ...operation, state: 'open' }, is: operation }, null)
  const announces = effect.announces === undefined ? statuses[status].eventType : effect.announces
  return {
    head: payments.name,
    before: payment,
    after,
    rows,
    event: { type: `${external.verb}_outside`, announces },
    posts,
    by: context.by,
  }
}

/** Of an increment, only what is held more. */
const movedBy = (payment: Payment, { verb, amount }: External): number =>
  verb === 'increment' ? amount - payment.amount_authorized : amount

/** An operation that was begun at the processor: of a state that the processor has reported, and never sent. */
function operationOf(context: Tools, payment: Payment, { verb, amount, reference, state, reason, at }: External): Operation {
  const account = { connector_name: payment.connector ?? '', merchant_connector_id: payment.merchant_connector_id ?? '' }
  const operation = openOperation(context, payment, account, {
    ...ownerOf(payment),
    verb,
    purpose: 'external',
    acts_on: payment.authorization_n,
    amount,
    ...(verb === 'refund' && soldAmount(payment) > 0 && { refund_id: newResourceId(context, 'ref_') }),
  })
  const response = { ...(reason !== null && { words: reason }), ...(at !== null && { moved_at: at }) }
  const isWaiting = state === 'waiting'
  return { ...operation, state, reference, response, poll_at: isWaiting ? firstPoll(operation.began) : null }
}

const effects: Record<External['verb'], (context: Tools, payment: Payment, operation: Operation, external: External) => Effect | null> = {
  capture(_context, payment, { amount }, { held }) {
    const usual = capturesSeveralTimes(payment) ? payment.amount_capturable - amount : 0
    const amount_received = payment.amount_received + amount
    const isHold = statuses[payment.status].traits.includes('holds')
    const totals = {
      amount_received,
      amount_capturing: payment.amount_capturing,
      // News of the hold may have lowered it for this capture already.
      amount_capturable: isHold ? Math.max(0, Math.min(held ?? usual, payment.amount_authorized - amount_received)) : 0,
    }
    const over = Math.max(0, amount_received - payment.amount_authorized)
    const move = captureMove(payment, totals, 'yes')
    return move && { move, head: { ...totals, amount_authorized: payment.amount_authorized + over, last_error: null } }
  },
  refund(_context, payment, operation, external) {
    const isDone = external.state === 'done'
    const { amount } = operation
    // Money that should not have been taken is returned at last, or a part of it.
    if (soldAmount(payment) === 0) {
      const rest = external.held ?? 0
      const move = rest === 0 ? ifAllowed(payment, 'reversed') : null
      const last_error = rest === 0 ? failure.givenBack(operation) : failure.notGivenBack({ ...operation, amount: rest })
      return { move, head: { last_error }, ...(move === null && { announces: 'action_required' }) }
    }
    const column = isDone ? 'amount_refunded' : 'amount_refunding'
    const refund = refundOf(payment, operation, external.reference)
    return {
      move: null,
      head: { [column]: payment[column] + amount, refund_count: payment.refund_count + 1 },
      refund,
      announces: refundStatuses[refund.status].eventType,
    }
  },
  void(_context, payment, { n, amount, reference, began }) {
    if (payment.amount_received === 0) {
      const move = ifAllowed(payment, 'voided')
      return move && { move, head: { amount_capturable: 0, next_action: null, last_error: null } }
    }
    if (payment.amount_capturable === 0) {
      const move = ifAllowed(payment, 'voided_at_processor')
      return move && { move, head: {} }
    }
    const release = { n, amount, status: 'succeeded', connector_reference_id: reference, description: null, updated_at: began } as const
    const releases = [...(payment.adjustments?.releases ?? []), release]
    const move = ifAllowed(payment, 'released')
    return move && { move, head: { amount_capturable: 0, adjustments: { ...payment.adjustments, releases } } }
  },
  increment(context, payment, { n, amount }) {
    const more = amount - payment.amount_authorized
    const increments = payment.adjustments?.increments ?? []
    const increment: Increment = {
      authorization_id: `auth_${randomAlphanumeric(context, 20)}_${increments.length + 1}`,
      n,
      amount: payment.amount + more,
      previously_authorized_amount: payment.amount,
      status: 'success',
      error_code: null,
      error_message: null,
    }
    return {
      move: null,
      head: {
        amount: payment.amount + more,
        net_amount: payment.net_amount + more,
        amount_authorized: amount,
        amount_capturable: payment.amount_capturable + more,
        adjustments: { ...payment.adjustments, increments: [...increments, increment] },
      },
    }
  },
}

const refundOf = (payment: Payment, { n, amount, refund_id, state, began }: Operation, reference: string | null): Refund => ({
  ...initialRefund({}),
  merchant_id: payment.merchant_id,
  refund_id: refund_id!,
  payment_id: payment.payment_id,
  n,
  amount,
  currency: payment.currency,
  status: state === 'done' ? 'succeeded' : 'pending',
  origin: 'external',
  profile_id: payment.profile_id,
  connector: payment.connector ?? '',
  merchant_connector_id: payment.merchant_connector_id ?? '',
  connector_refund_id: reference,
  arn: null,
  fee: null,
  last_error: null,
  body_digest: '',
  created_at: began,
  updated_at: began,
})

/** Returns the change by which a person is asked, with the figures of both; null if they are asked already. */
export function bookContradiction(context: Tools, payment: Payment, contradiction: Contradiction): (Change & { after: Payment }) | null {
  const shown = (figure: number | string) =>
    typeof figure === 'string' ? figure : `${decimalOf(figure, payment.currency)} ${payment.currency}`
  const { of, theirs, ours } = contradiction
  const last_error = failure.outside({ of, theirs: shown(theirs), ours: shown(ours) })
  const move = ifAllowed(payment, 'contradicted')
  if (!move && payment.last_error?.error_message === last_error.error_message) return null
  const status = move ? afterMove(lifecycle, payment.status, move) : payment.status
  const after: Payment = { ...payment, status, last_error, modified_at: context.now() as Time }
  const event = { type: move ?? 'contradicted', announces: 'action_required' } as const
  return { head: payments.name, before: payment, after, rows: [], event, by: context.by }
}
