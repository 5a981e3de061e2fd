import { may } from '../base/lifecycle.ts'
import type { Outcome } from '../connectors/connector.ts'
import type { RowChange, Time } from '../world.ts'
import { alarmAfter } from './alarm.ts'
import { failure } from './failure.ts'
import { lifecycle, type PaymentMove } from './lifecycle.ts'
import { capturesAtOnce, isUnfinished, type Operation, type OperationState, type Payment, type Said, takesNews } from './payment.ts'

/**
 * What an answer means: pure functions from a payment, one of its operations and what was heard of it, to what changes. The same answer heard twice changes nothing.
 */

/** What changes. `move` names what happened to the payment (null: its status stays); `undo` asks for money that should not have moved to be given back. */
export type Step = {
  move: PaymentMove | null
  payment: Partial<Payment>
  operation: Partial<Operation>
  undo?: 'void' | 'refund'
  /** Further rows, and the event to announce, where they are not the payment's own (refunds). */
  rows?: RowChange[]
  announces?: string | null
}

export type Done = Extract<Outcome, { is: 'done' }>

const finishedBy = {
  done: 'done',
  declined: 'declined',
  not_sent: 'not_sent',
  lapsed: 'lapsed',
  not_found: 'not_received',
} as const satisfies Partial<Record<Outcome['is'], OperationState>>

/** What is kept of an answer on the operation. */
export function saidOf(outcome: Outcome): Said {
  switch (outcome.is) {
    case 'done':
      return { facts: outcome.facts, amount: outcome.amount.amount, currency: outcome.amount.currency, request_id: outcome.request_id }
    case 'declined':
      return {
        words: outcome.said,
        code: outcome.code_said,
        facts: outcome.facts,
        ...(outcome.network_code !== undefined && { network_code: outcome.network_code }),
        ...(outcome.network_advice !== undefined && { network_advice: outcome.network_advice }),
      }
    case 'unknown':
    case 'not_sent':
      return { why: outcome.why }
    default:
      return {}
  }
}

/**
 * Does the answer speak of what was asked? An authorization may approve less (partial approval); nothing may be more, other or somebody else's, nothing taken that was not approved, and nothing taken
 * where a hold was asked for.
 */
function contradicts(payment: Payment, operation: Operation, outcome: Done): boolean {
  const { amount, currency } = outcome.amount
  const { captured } = outcome
  if (outcome.request_id !== operation.request_id || currency !== operation.currency) return true
  if (captured && (captured.currency !== currency || captured.amount > (capturesAtOnce(payment) ? amount : 0))) return true
  if (operation.verb === 'authorize') return amount > operation.amount || amount <= 0
  return operation.verb !== 'void' && amount !== operation.amount
}

export const endedWithANo = (operation: Pick<Operation, 'state'>): boolean =>
  ['not_received', 'not_sent', 'declined'].includes(operation.state)

/**
 * A yes for an operation that had ended with a no. An authorization is given back (see `stray`); what else the money did has no place in the
 * lifecycle: it is kept on the operation and announced, and a person must look.
 */
export function afterANo(operation: Operation, outcome: Outcome, now: Time): Step | null {
  if (outcome.is !== 'done' || !endedWithANo(operation)) return null
  const side: Partial<Operation> = {
    state: 'conflicted',
    reference: outcome.reference,
    said: saidOf(outcome),
    modified_at: now,
    ask_at: null,
  }
  if (operation.verb === 'authorize') return stray({ ...side, state: 'done' }, outcome)
  return { move: null, payment: { last_error: failure.late(operation) }, operation: side, announces: 'action_required' }
}

/**
 * The operation's side of an outcome, for every verb. Null: nothing new.
 * - An operation that has ended takes no more news, except a no after a yes (the caller decides what that means).
 * - Silence is not a no: `unknown` and `waiting` keep the alarm.
 */
export function operationAfter(payment: Payment, operation: Operation, outcome: Outcome, now: Time): Partial<Operation> | null {
  if (!takesNews(operation)) return null
  const reference = 'reference' in outcome && outcome.reference !== null ? outcome.reference : operation.reference
  const said = saidOf(outcome)
  // Giving money back does not end with an attempt that reached nobody: its alarm sends it again, under the same request id.
  const unsent = operation.purpose === 'reversal' && (outcome.is === 'not_sent' || outcome.is === 'not_found')
  if (outcome.is === 'unknown' || outcome.is === 'waiting' || unsent) {
    const state = outcome.is === 'waiting' ? 'waiting' : 'unknown'
    if (operation.state === 'unresolved') return null
    if (operation.state === state && (reference === operation.reference || operation.state === 'unknown')) return null
    return { state, reference, said, modified_at: now, ask_at: alarmAfter({ ...operation, state }, now, payment.expires_on) }
  }
  if (outcome.is === 'done' && contradicts(payment, operation, outcome))
    return { state: 'conflicted', reference, said, modified_at: now, ask_at: null }
  const state = finishedBy[outcome.is as keyof typeof finishedBy]
  return {
    state,
    reference,
    said,
    modified_at: now,
    ask_at: alarmAfter({ ...operation, state, modified_at: now }, now, payment.expires_on),
  }
}

/** Has an outcome of this side not ended the operation? */
export const goesOn = (side: Partial<Operation>): boolean => isUnfinished(side as Operation)

/** The move, if the lifecycle has it in this status; null otherwise: the news has no place, the status stays. */
const placed = (payment: Payment, move: PaymentMove): PaymentMove | null => (may(lifecycle, payment.status, move) ? move : null)

const freed = (payment: Payment, busy: Payment['busy']): Pick<Payment, 'busy'> => ({ busy: payment.busy === busy ? null : payment.busy })

/** An authorization was answered. */
export function afterAuthorize(payment: Payment, operation: Operation, outcome: Outcome, now: Time): Step | null {
  if (!takesNews(operation)) return afterANo(operation, outcome, now) ?? afterTheEnd(payment, operation, outcome, now)
  const side = operationAfter(payment, operation, outcome, now)
  if (!side) return challengedAgain(payment, operation, outcome) ?? challengeOver(payment, outcome)
  const mine = operation.request_id === payment.authorization_request_id
  if (!mine) return outcome.is === 'done' ? stray(side, outcome) : { move: null, payment: {}, operation: side }
  if (side.state === 'conflicted') {
    return {
      move: placed(payment, 'contradicted'),
      payment: {
        busy: null,
        next_action: null,
        last_error: failure.contradicted(operation),
        connector_transaction_id: side.reference ?? null,
      },
      operation: side,
    }
  }
  switch (outcome.is) {
    case 'waiting': {
      const transaction = { connector_transaction_id: outcome.reference }
      if (!outcome.next_action) {
        const move = placed(payment, 'customer_returned')
        return { move, payment: { ...transaction, ...(move && { next_action: null }) }, operation: side }
      }
      if (payment.busy !== 'authorize') return { move: null, payment: transaction, operation: side }
      return { move: placed(payment, 'challenged'), payment: { ...transaction, next_action: { ...outcome.next_action } }, operation: side }
    }
    case 'unknown':
      return { move: null, payment: {}, operation: side }
    case 'declined':
    case 'not_sent':
    case 'not_found': {
      const move = outcome.is === 'not_found' ? 'not_received' : outcome.is
      const facts = outcome.is === 'declined' ? outcome.facts : payment.facts
      const reference = side.reference ?? payment.connector_transaction_id
      // A void is under way, and there is nothing to void: the cancel has what it wanted.
      if (payment.busy === 'void')
        return { move: placed(payment, 'voided'), payment: { facts, busy: null, next_action: null }, operation: side }
      return {
        move: placed(payment, move),
        payment: {
          ...freed(payment, 'authorize'),
          facts,
          connector_transaction_id: reference,
          next_action: null,
          ...(placed(payment, move) && { last_error: failure.of(outcome) }),
        },
        operation: side,
      }
    }
    case 'lapsed': {
      const heard = { next_action: null, connector_transaction_id: outcome.reference }
      // A void is under way, and may be what has let go of it: what it says decides.
      if (payment.busy === 'void')
        return { move: null, payment: { ...heard, facts: { ...payment.facts, lapsed_at: now } }, operation: side }
      return { move: placed(payment, 'lapsed'), payment: { ...heard, ...freed(payment, 'authorize') }, operation: side }
    }
    case 'done':
      return approved(payment, operation, outcome, side, now)
  }
}

/** The customer has answered the challenge, and the processor has not decided yet. */
function challengeOver(payment: Payment, outcome: Outcome): Step | null {
  const move = outcome.is === 'waiting' && !outcome.next_action ? placed(payment, 'customer_returned') : null
  return move && { move, payment: { next_action: null }, operation: {} }
}

/** A cancel had closed the challenge in our books, and the processor refused it: the challenge is still open, and the customer may go there again. */
function challengedAgain(payment: Payment, operation: Operation, outcome: Outcome): Step | null {
  if (outcome.is !== 'waiting' || !outcome.next_action || payment.next_action || payment.busy !== 'authorize') return null
  if (operation.request_id !== payment.authorization_request_id) return null
  const move = placed(payment, 'challenged')
  return move && { move, payment: { next_action: { ...outcome.next_action } }, operation: {} }
}

function approved(payment: Payment, operation: Operation, outcome: Done, side: Partial<Operation>, now: Time): Step | null {
  const authorized = outcome.amount.amount
  const captured = outcome.captured?.amount ?? 0
  const partial = authorized < operation.amount
  const heard = { facts: outcome.facts, connector_transaction_id: outcome.reference, next_action: null }
  // This approval is in the books already: the operation was read before it was settled.
  if (payment.amount_authorized > 0) return null
  // Approved after all, when the payment had already ended without it: the money goes back.
  if (!awaitsMoney(payment)) {
    // Our own void has answered this approval already, and only this news of it is late.
    if (payment.status === 'cancelled' && captured === 0) return { move: null, payment: {}, operation: side }
    return stray(side, outcome)
  }
  if (partial && payment.asked.enable_partial_authorization !== true) {
    const undo = captured > 0 ? 'refund' : 'void'
    return {
      move: payment.status === 'requires_customer_action' ? 'reversal_sent' : null,
      payment: { ...heard, busy: 'void', last_error: failure.partialApproval(authorized, operation) },
      operation: side,
      undo,
    }
  }
  if (capturesAtOnce(payment)) {
    if (captured !== authorized) {
      const move = placed(payment, 'customer_returned')
      if (!move && operation.state === 'waiting') return null
      return { move, payment: heard, operation: { ...side, state: 'waiting', ask_at: operation.ask_at ?? now } }
    }
    const totals = { amount_authorized: authorized, amount_received: captured, amount_capturable: 0 }
    return {
      move: placed(payment, partial ? 'captured_in_part' : 'captured'),
      payment: { ...heard, ...freed(payment, 'authorize'), ...totals, last_error: null },
      operation: side,
    }
  }
  const held = Math.min(outcome.capturable?.amount ?? authorized, authorized - captured)
  const totals = { amount_authorized: authorized, amount_capturable: held, amount_received: captured }
  // A void is under way: what it says decides.
  const move = payment.busy === 'void' ? null : placed(payment, held === 0 ? 'lapsed' : partial ? 'partially_authorized' : 'authorized')
  return { move, payment: { ...heard, ...freed(payment, 'authorize'), ...totals, last_error: null }, operation: side }
}

/** Is this payment still one that an approval belongs to? */
const awaitsMoney = (payment: Payment): boolean =>
  ['processing', 'requires_customer_action', 'requires_merchant_action'].includes(payment.status)

/** Money that no payment waits for is given back. */
const stray = (operation: Partial<Operation>, outcome: Done): Step => ({
  move: null,
  payment: { connector_transaction_id: outcome.reference },
  operation,
  undo: (outcome.captured?.amount ?? 0) > 0 ? 'refund' : 'void',
})

/** News of an authorization that was already settled: the processor has let go of the hold or of a part of it, or has taken back a capture. */
function afterTheEnd(payment: Payment, operation: Operation, outcome: Outcome, now: Time): Step | null {
  if (operation.state !== 'done' || operation.request_id !== payment.authorization_request_id) return null
  const underWay = payment.busy !== null || payment.amount_capturing > 0
  if (outcome.is === 'lapsed') {
    if (payment.facts?.lapsed_at !== undefined) return null
    const gone = { amount_capturable: 0, facts: { ...payment.facts, lapsed_at: now } }
    // What is under way decides what the payment becomes; until then it is remembered that nothing more can be captured.
    if (underWay) return { move: null, payment: gone, operation: {} }
    const move = placed(payment, payment.amount_received > 0 && payment.amount_capturable === 0 ? 'voided_at_processor' : 'lapsed')
    return move && { move, payment: gone, operation: {} }
  }
  if (outcome.is === 'done') return underWay ? null : stillHeld(payment, outcome)
  if (outcome.is === 'declined' && capturesAtOnce(payment)) {
    const move = placed(payment, 'capture_failed_later')
    return move && { move, payment: { last_error: failure.of(outcome) }, operation: {} }
  }
  return null
}

/** A hold as the processor has it: what we show as capturable is what it still holds. */
function stillHeld(payment: Payment, outcome: Done): Step | null {
  if (!outcome.capturable || outcome.capturable.currency !== payment.currency || !may(lifecycle, payment.status, 'capture_sent'))
    return null
  const { amount_authorized, amount_received, amount_capturing } = payment
  const amount_capturable = Math.min(outcome.capturable.amount, amount_authorized - amount_received)
  if (amount_capturable === payment.amount_capturable) return null
  if (amount_capturable > 0) return { move: null, payment: { amount_capturable }, operation: {} }
  const move =
    amount_received === 0
      ? placed(payment, 'lapsed')
      : captureMove(payment, { amount_received, amount_capturing, amount_capturable }, 'yes')
  return move && { move, payment: { amount_capturable }, operation: {} }
}

/** Which move a payment with these totals has made: one rule for the answers to captures. */
function captureMove(
  payment: Payment,
  totals: Pick<Payment, 'amount_received' | 'amount_capturing' | 'amount_capturable'>,
  answer: 'yes' | 'no',
): PaymentMove | null {
  const { amount_received, amount_capturing, amount_capturable } = totals
  if (amount_capturing > 0) return amount_received > 0 ? placed(payment, 'captured_others_pending') : null
  if (amount_received === 0 && payment.facts?.lapsed_at !== undefined) return placed(payment, 'lapsed')
  if (amount_received === 0)
    return placed(
      payment,
      payment.amount_authorized < payment.net_amount && payment.status === 'processing' ? 'partial_capture_declined' : 'capture_declined',
    )
  const oneOfSeveral = answer === 'no' && payment.status === 'partially_captured_and_processing'
  if (amount_capturable > 0) return placed(payment, oneOfSeveral ? 'capture_declined' : 'captured_with_rest')
  return placed(payment, amount_received >= payment.net_amount ? 'captured' : 'captured_in_part')
}

/** A capture that had been given up was made after all: it is booked if the hold still has room for it. */
function lateCapture(payment: Payment, operation: Operation, outcome: Outcome, now: Time): Step | null {
  if (!endedWithANo(operation) || outcome.is !== 'done' || contradicts(payment, operation, outcome)) return null
  if (payment.busy || payment.amount_capturable < operation.amount) return null
  const totals = {
    amount_capturing: payment.amount_capturing,
    amount_received: payment.amount_received + operation.amount,
    amount_capturable: payment.capture_method === 'manual_multiple' ? payment.amount_capturable - operation.amount : 0,
  }
  const side: Partial<Operation> = { state: 'done', reference: outcome.reference, said: saidOf(outcome), modified_at: now, ask_at: null }
  return { move: captureMove(payment, totals, 'yes'), payment: { ...totals, last_error: null }, operation: side }
}

/** A capture was answered. Its amount was reserved when it began; a no gives it back, and the hold still lives. */
export function afterCapture(payment: Payment, operation: Operation, outcome: Outcome, now: Time): Step | null {
  if (!takesNews(operation)) {
    const late = lateCapture(payment, operation, outcome, now) ?? afterANo(operation, outcome, now)
    if (late) return late
    const move = operation.state === 'done' && outcome.is === 'declined' ? placed(payment, 'capture_failed_later') : null
    return move && outcome.is === 'declined' ? { move, payment: { last_error: failure.of(outcome) }, operation: {} } : null
  }
  const side = operationAfter(payment, operation, outcome, now)
  if (!side) return null
  if (side.state === 'conflicted')
    return { move: placed(payment, 'contradicted'), payment: { last_error: failure.contradicted(operation) }, operation: side }
  const amount_capturing = payment.amount_capturing - operation.amount
  switch (outcome.is) {
    case 'waiting':
    case 'unknown':
      return { move: null, payment: {}, operation: side }
    case 'done': {
      const rest = payment.capture_method === 'manual_multiple' ? payment.amount_capturable : 0
      const totals = { amount_capturing, amount_received: payment.amount_received + operation.amount, amount_capturable: rest }
      return { move: captureMove(payment, totals, 'yes'), payment: { ...totals, last_error: null }, operation: side }
    }
    case 'declined':
    case 'not_sent':
    case 'not_found':
    case 'lapsed': {
      const totals = {
        amount_capturing,
        amount_received: payment.amount_received,
        // A hold that the processor has let go of meanwhile is not given back.
        amount_capturable: payment.facts?.lapsed_at === undefined ? payment.amount_capturable + operation.amount : 0,
      }
      return { move: captureMove(payment, totals, 'no'), payment: { ...totals, last_error: failure.of(outcome) }, operation: side }
    }
  }
}

/** A void was answered. A refused one gives the payment back as it was: the hold, or the unanswered challenge, still lives. */
export function afterVoid(payment: Payment, operation: Operation, outcome: Outcome, now: Time): Step | null {
  const side = operationAfter(payment, operation, outcome, now)
  if (!side) return afterANo(operation, outcome, now)
  if (goesOn(side)) return { move: null, payment: {}, operation: side }
  if (side.state === 'conflicted')
    return { move: placed(payment, 'contradicted'), payment: { busy: null, last_error: failure.contradicted(operation) }, operation: side }
  const alone = payment.busy === 'void'
  switch (outcome.is) {
    case 'waiting':
    case 'unknown':
      return null
    case 'done': {
      if (payment.status === 'succeeded')
        return { move: placed(payment, 'voided_at_processor'), payment: freed(payment, 'void'), operation: side }
      const move = alone ? placed(payment, operation.purpose === 'reversal' ? 'reversed' : 'voided') : null
      return { move, payment: alone ? { busy: null, amount_capturable: 0, next_action: null } : {}, operation: side }
    }
    case 'declined':
    case 'not_sent':
    case 'not_found':
    case 'lapsed': {
      // The hold could not be undone: it may have been captured meanwhile, so the money is asked back instead. A person hears of it if that fails too.
      if (operation.purpose === 'reversal')
        return { move: null, payment: {}, operation: side, ...(outcome.is === 'declined' && { undo: 'refund' as const }) }
      if (!alone) return { move: null, payment: {}, operation: side }
      // There was nothing left to undo.
      if (payment.facts?.lapsed_at !== undefined) return { move: placed(payment, 'lapsed'), payment: { busy: null }, operation: side }
      // Nothing was authorized yet: the challenge is still open, and its own alarm brings the news.
      if (payment.amount_authorized === 0)
        return { move: null, payment: { busy: 'authorize', last_error: failure.of(outcome) }, operation: side }
      const move = payment.amount_authorized < payment.net_amount ? 'partial_void_declined' : 'void_declined'
      const back = placed(payment, move)
      // Captured meanwhile: the refused cancel is no failure of what succeeded.
      return { move: back, payment: { busy: null, ...(back && { last_error: failure.of(outcome) }) }, operation: side }
    }
  }
}

/** Our own undoing of a captured amount was answered (a refund that no merchant asked for). */
export function afterReversal(payment: Payment, operation: Operation, outcome: Outcome, now: Time): Step | null {
  const side = operationAfter(payment, operation, outcome, now)
  if (!side) return null
  if (goesOn(side)) return { move: null, payment: {}, operation: side }
  const given = side.state === 'done'
  const move = payment.busy === 'void' ? placed(payment, given ? 'reversed' : 'unresolved') : null
  if (given) return { move, payment: freed(payment, 'void'), operation: side }
  const held = { ...freed(payment, 'void'), last_error: failure.notGivenBack(operation) }
  return { move, payment: held, operation: side, announces: 'action_required' }
}

/** Seven days have passed without an answer: a person must look. Totals stay reserved: money may still have moved. */
export function unresolved(payment: Payment, operation: Operation, now: Time): Step {
  return {
    move: operation.refund_id === null ? placed(payment, 'unresolved') : null,
    payment: { next_action: null, last_error: failure.unresolved(operation) },
    operation: { state: 'unresolved', ask_at: null, modified_at: now },
    announces: 'action_required',
  }
}
