import { merchantDisplayName } from '../../accounts/profile-settings.ts'
import { may } from '../../base/lifecycle.ts'
import type { Money } from '../../base/money.ts'
import type { ThreeDsResult } from '../../connectors/authentication.ts'
import type { Outcome } from '../../connectors/connector.ts'
import type { AuthorizeRequest, Later, StoredCredential } from '../../connectors/verbs.ts'
import type { Time } from '../../context.ts'
import { failure } from '../../operations/failure.ts'
import { endedWithANo, type Operation, takesNews } from '../../operations/operation.ts'
import { contradicts, type Done, saidOf, sideOf } from '../../operations/side.ts'
import type { More, RetryTarget, Task, Transition, VerbDefinition } from '../../operations/verb.ts'
import { failedFrom } from '../authorization/card-testing-tries.ts'
import { descriptorOf } from '../authorization/descriptor.ts'
import { installmentsOf } from '../authorization/installments.ts'
import { channelOf, purchaseOf } from '../authorization/purchase.ts'
import { onceMoreAt, standingOn } from '../authorization/retries.ts'
import { splitOf } from '../authorization/split.ts'
import { lifecycle, statuses, welcomes } from '../lifecycle.ts'
import { capturesAtOnce, capturesSeveralTimes, type Payment, takesAtOnce } from '../payment.ts'
import { scheduledCapture } from '../scheduled/scheduled-captures.ts'
import { storedCredentialOf } from '../stored-credentials/stored-credential.ts'
import { returnPage } from '../three-ds/return-page.ts'
import { captureMove } from './capture.ts'
import { freed, isCurrent, placed, unresolved } from './moves.ts'
import { restWasLetGo } from './release.ts'

/**
 * What is asked of a processor that authorizes, and what its answers mean. `publicUrl`: where customers come back to.
 */
export const authorizeVerb = (publicUrl: () => string): VerbDefinition<Payment> => ({
  ask: (task: Task<Payment>) => ask(task, publicUrl()),
  after: afterAuthorize,
  next: onceMoreAt,
  gaveUp: unresolved,
})

function ask({ connector, account, merchant, head: payment, operation, means, proof }: Task<Payment>, publicUrl: string) {
  // What is paid with is not kept for a second sending.
  if (!means) return null
  const { request_id, amount, currency } = operation
  const stored_credential = storedCredentialOf(payment)
  const channel = channelOf(payment.asked)
  const purchase = purchaseOf(merchant, payment, operation.connector)
  const split = splitOf(payment.asked)
  const installments = installmentsOf(payment.asked)
  // Nothing is taken: what is paid with is verified, for later.
  const say = amount === 0 ? connector.setUp : connector.authorize
  return (
    say?.(
      {
        request_id,
        money: { amount, currency },
        instrument: means,
        capture: takesAtOnce(payment) ? 'automatic' : capturesSeveralTimes(payment) ? 'manual_multiple' : 'manual',
        ...authenticationOf(payment, stored_credential, channel, proof),
        return_url: returnPage(publicUrl, payment, operation.connector, request_id),
        merchant_name: merchantDisplayName(merchant),
        partial_approval: payment.asked.enable_partial_authorization === true ? 'accept' : 'refuse',
        later: laterOf(payment),
        statement_descriptor: descriptorOf(payment.asked),
        stored_credential,
        ...(purchase && { purchase }),
        ...(channel && { channel }),
        ...(split && { split }),
        ...(installments !== null && { installments }),
      },
      account,
    ) ?? null
  )
}

/** Who was authenticated, or is to be exempt, is not asked again; nor is who is not there. */
function authenticationOf(
  { authentication_type, asked }: Payment,
  stored_credential: StoredCredential | null,
  channel: AuthorizeRequest['channel'] | null,
  three_ds_result: ThreeDsResult | undefined,
): Pick<AuthorizeRequest, 'three_ds' | 'three_ds_result' | 'exemption'> {
  if (three_ds_result) return { three_ds: 'skip', three_ds_result }
  const exemption = asked.psd2_sca_exemption_type
  // The customer is not present for a challenge.
  if (stored_credential?.is === 'used' || channel) return { three_ds: 'skip' }
  if (exemption) return { three_ds: 'skip', exemption }
  if (authentication_type !== 'three_ds' || asked.authentication) return { three_ds: 'skip' }
  return { three_ds: asked.force_3ds_challenge === true ? 'challenge' : 'request' }
}

const nothing: readonly never[] = []
/** What was asked of the hold for later. */
function laterOf({ asked }: Payment): readonly Later[] {
  const { request_incremental_authorization: increment, request_extended_authorization: extend, enable_overcapture: overcapture } = asked
  if (!increment && !extend && !overcapture) return nothing
  const said = { increment, extend, overcapture }
  return (['increment', 'extend', 'overcapture'] as const).filter(one => said[one] === true)
}

/** What is taken already with an approval; where the processor does not say, what it was asked to take. */
const takenOf = (payment: Payment, { amount, captured }: Done): Money | null =>
  captured === 'as asked' ? (takesAtOnce(payment) ? amount : null) : captured

/**
 * An authorization may approve less (partial approval); nothing may be taken that was not approved, nor where a hold
 * was asked for.
 */
function contradictsIn(payment: Payment) {
  return (operation: Operation, outcome: Done): boolean => {
    const { amount, currency } = outcome.amount
    const captured = takenOf(payment, outcome)
    if (captured && (captured.currency !== currency || captured.amount > (capturesAtOnce(payment) ? amount : 0))) return true
    return contradicts(operation, outcome) || amount > operation.amount || (amount <= 0 && operation.amount !== 0)
  }
}

/**
 * An authorization was answered. If it is not the one that the payment stands on (another was begun since), its
 * approval is not expected: it is reversed, and says nothing of the payment.
 */
export function afterAuthorize(
  payment: Payment,
  operation: Operation,
  outcome: Outcome,
  now: Time,
  _along?: unknown,
  more: More = {},
): Transition<Payment> | null {
  const current = isCurrent(payment, operation.n)
  if (!takesNews(operation))
    return afterANo(payment, operation, outcome, now) ?? (current ? afterTheEnd(payment, operation, outcome, now, more) : null)
  const side = sideOf(operation, outcome, now, payment.expires_on, contradictsIn(payment))
  if (!current)
    return side && (outcome.is === 'done' ? stray(payment, operation, side, outcome) : { move: null, head: {}, operation: side })
  if (!side || side.state === 'unresolved') {
    const step = challengedAgain(payment, operation, outcome) ?? otherAction(payment, operation, outcome) ?? challengeOver(payment, outcome)
    // Polling has ended; its reference is kept for a manual lookup.
    return side ? { ...(step ?? { move: null, head: {} }), operation: side } : step
  }
  if (side.state === 'conflicted') {
    return {
      move: placed(payment, 'contradicted'),
      head: {
        alone: null,
        next_action: null,
        last_error: failure.contradicted(operation),
        connector_transaction_id: side.reference ?? null,
      },
      operation: side,
    }
  }
  switch (outcome.is) {
    case 'waiting': {
      const transaction = { connector_transaction_id: side.reference ?? null }
      if (!outcome.next_action) {
        const move = placed(payment, 'customer_returned')
        return { move, head: { ...transaction, ...(move && { next_action: null }) }, operation: side }
      }
      if (payment.alone !== operation.n) return { move: null, head: transaction, operation: side }
      return { move: placed(payment, 'challenged'), head: { ...transaction, next_action: { ...outcome.next_action } }, operation: side }
    }
    case 'unknown':
      return { move: null, head: { connector_transaction_id: side.reference ?? payment.connector_transaction_id }, operation: side }
    case 'declined':
    case 'not_sent':
    case 'not_found':
      return refused(payment, operation, outcome, side, more)
    case 'lapsed': {
      const heard = { next_action: null, connector_transaction_id: outcome.reference }
      // A void is under way, and may be what has let go of it: what it says decides.
      if (isBeingUndone(payment, operation))
        return { move: null, head: { ...heard, facts: { ...payment.facts, lapsed_at: now } }, operation: side }
      return { move: placed(payment, 'lapsed'), head: { ...heard, ...freed(payment, operation) }, operation: side }
    }
    case 'done':
      return approved(payment, operation, outcome, side)
  }
}

/** Is something else at the payment: a void of this very authorization? */
const isBeingUndone = (payment: Payment, operation: Operation): boolean => payment.alone !== null && payment.alone !== operation.n

type No = Extract<Outcome, { is: 'declined' | 'not_sent' | 'not_found' }>

function refused(payment: Payment, operation: Operation, outcome: No, side: Partial<Operation>, { rule, next }: More): Transition<Payment> {
  const facts = outcome.is === 'declined' ? outcome.facts : payment.facts
  const counted = outcome.is === 'declined' ? failedFrom(payment, operation, side.modified_at!) : {}
  // A void is under way, and there is nothing to void: the cancel has what it wanted.
  if (isBeingUndone(payment, operation))
    return { move: placed(payment, 'voided'), head: { facts, alone: null, next_action: null }, operation: side, ...counted }
  // The next one tells whether the confirmation has failed.
  if (next && payment.alone === operation.n) return onceMore(payment, next, side)
  const move = placed(payment, outcome.is === 'not_found' ? 'not_received' : outcome.is)
  return {
    move,
    head: {
      ...freed(payment, operation),
      facts,
      connector_transaction_id: side.reference ?? payment.connector_transaction_id,
      next_action: null,
      ...(move && { last_error: failure.of(outcome, rule) }),
    },
    operation: side,
    ...counted,
  }
}

/**
 * The no ends this attempt and opens the next one in the same change: a payment that did not fail is never shown or
 * announced as failed.
 */
const onceMore = (payment: Payment, next: RetryTarget, side: Partial<Operation>): Transition<Payment> => ({
  move: null,
  head: {
    attempt_count: payment.attempt_count + 1,
    next_action: null,
    facts: null,
    ...(next.step_up && { authentication_type: 'three_ds' as const, asked: withoutExemption(payment.asked) }),
  },
  operation: side,
  open: { is: 'again', next, head: opened => standingOn(opened) },
  announces: null,
})

/** An exemption that the issuer has refused is not asked for again. */
function withoutExemption(asked: Payment['asked']): Payment['asked'] {
  if (asked.psd2_sca_exemption_type === undefined) return asked
  const { psd2_sca_exemption_type: _refused, ...rest } = asked
  return rest
}

/** The customer has answered the challenge, and the processor has not decided yet. */
function challengeOver(payment: Payment, outcome: Outcome): Transition<Payment> | null {
  const move = outcome.is === 'waiting' && !outcome.next_action ? placed(payment, 'customer_returned') : null
  return move && { move, head: { next_action: null }, operation: {} }
}

/** The customer is to do something else than before: who could not be looked at in a frame is challenged. */
function otherAction(payment: Payment, operation: Operation, outcome: Outcome): Transition<Payment> | null {
  if (outcome.is !== 'waiting' || !outcome.next_action || !payment.next_action || payment.alone !== operation.n) return null
  if (payment.status !== 'requires_customer_action' || outcome.next_action.type === payment.next_action.type) return null
  return { move: null, head: { next_action: { ...outcome.next_action } }, operation: {} }
}

/**
 * A cancel had closed the challenge in our books, and the processor refused it: the challenge is still open, and the
 * customer may go there again.
 */
function challengedAgain(payment: Payment, operation: Operation, outcome: Outcome): Transition<Payment> | null {
  if (outcome.is !== 'waiting' || !outcome.next_action || payment.next_action || payment.alone !== operation.n) return null
  const move = placed(payment, 'challenged')
  return move && { move, head: { next_action: { ...outcome.next_action } }, operation: {} }
}

function approved(payment: Payment, operation: Operation, outcome: Done, side: Partial<Operation>): Transition<Payment> | null {
  const authorized = outcome.amount.amount
  const captured = takenOf(payment, outcome)?.amount ?? 0
  const partial = authorized < operation.amount
  const heard = { facts: outcome.facts, connector_transaction_id: outcome.reference, next_action: null }
  // This approval is in the books already: the operation was read before it was settled.
  if (payment.amount_authorized > 0) return null
  // Approved after all, when the payment had already ended without it: the money goes back.
  if (!awaitsMoney(payment)) {
    // Our own void has answered this approval already, and only this news of it is late.
    if (payment.status === 'cancelled' && captured === 0) return { move: null, head: {}, operation: side }
    return stray(payment, operation, side, outcome)
  }
  if (partial && payment.asked.enable_partial_authorization !== true) {
    return {
      move: payment.status === 'requires_customer_action' ? 'reversal_sent' : null,
      head: { ...heard, last_error: failure.partialApproval(authorized, operation) },
      operation: side,
      open: { is: 'reversal', verb: captured > 0 ? 'refund' : 'void', alone: true },
    }
  }
  // Also of a hold that the processor has captured by itself, where a capture was to follow.
  if (takesAtOnce(payment) || (capturesAtOnce(payment) && captured > 0)) {
    if (captured !== authorized) {
      const move = placed(payment, 'customer_returned')
      if (!move && operation.state === 'waiting') return null
      return { move, head: heard, operation: { ...side, state: 'waiting', ask_at: operation.ask_at ?? side.modified_at! } }
    }
    const totals = { amount_authorized: authorized, amount_received: captured, amount_capturable: 0 }
    return {
      move: placed(payment, partial ? 'captured_in_part' : 'captured'),
      head: { ...heard, ...freed(payment, operation), ...totals, last_error: null },
      operation: side,
    }
  }
  const held = Math.min(outcome.capturable?.amount ?? authorized, authorized - captured)
  const totals = { amount_authorized: authorized, amount_capturable: held, amount_received: captured }
  if (capturesAtOnce(payment) && held > 0 && !isBeingUndone(payment, operation))
    return {
      move: placed(payment, 'customer_returned'),
      head: { ...heard, ...freed(payment, operation), ...totals, amount_capturable: 0, amount_capturing: held, last_error: null },
      operation: side,
      open: { is: 'capture', amount: held },
    }
  // A void is under way: what it says decides.
  const move = isBeingUndone(payment, operation)
    ? null
    : placed(payment, held === 0 ? 'lapsed' : partial ? 'partially_authorized' : 'authorized')
  const facts = held === 0 ? { ...outcome.facts, lapsed_at: side.modified_at! } : outcome.facts
  return {
    move,
    head: { ...heard, facts, ...freed(payment, operation), ...totals, last_error: null },
    operation: side,
    ...scheduledCapture(payment),
  }
}

/** Is this payment still one that an approval belongs to? */
const awaitsMoney = ({ status }: Payment): boolean => statuses[status].is.includes('awaits approval')

/** Money that no payment waits for is given back. */
const stray = (payment: Payment, operation: Operation, side: Partial<Operation>, outcome: Done): Transition<Payment> => ({
  move: null,
  head: isCurrent(payment, operation.n) ? { connector_transaction_id: outcome.reference } : {},
  operation: side,
  open: { is: 'reversal', verb: (takenOf(payment, outcome)?.amount ?? 0) > 0 ? 'refund' : 'void', alone: false },
})

/** A yes for an authorization that had ended with a no. */
function afterANo(payment: Payment, operation: Operation, outcome: Outcome, now: Time): Transition<Payment> | null {
  if (outcome.is !== 'done' || !endedWithANo(operation)) return null
  const side = { state: 'done', reference: outcome.reference, said: saidOf(outcome), modified_at: now, ask_at: null } as const
  return stray(payment, operation, side, outcome)
}

/**
 * News of an authorization that was already settled: the processor has let go of the hold or of a part of it, or has
 * taken back a capture.
 */
function afterTheEnd(payment: Payment, operation: Operation, outcome: Outcome, now: Time, { rule }: More): Transition<Payment> | null {
  if (operation.state !== 'done') return null
  // Who only changes a hold decides nothing about one that is gone.
  const underWay = payment.amount_capturing > 0 || (payment.alone !== null && !welcomes.lapse.includes(payment.status))
  if (outcome.is === 'lapsed') {
    if (payment.facts?.lapsed_at !== undefined || restWasLetGo(payment)) return null
    const gone = { amount_capturable: 0, facts: { ...payment.facts, lapsed_at: now } }
    // What is under way decides what the payment becomes; until then it is remembered that nothing more can be
    // captured.
    if (underWay) return { move: null, head: gone, operation: {} }
    // Only what is held can lapse. What was captured of a hold stays captured; what was taken at once never was one.
    const isTaken = payment.amount_received > 0 && payment.amount_capturable === 0
    if (isTaken && !takesAtOnce(payment)) return null
    const move = placed(payment, isTaken ? 'voided_at_processor' : 'lapsed')
    return move && { move, head: gone, operation: {} }
  }
  if (outcome.is === 'done') return underWay || payment.alone !== null ? null : stillHeld(payment, outcome)
  // A challenge that was not answered is no news of one that was.
  if (outcome.is === 'declined' && takesAtOnce(payment) && outcome.code !== 'authentication_failed') {
    const move = placed(payment, 'capture_failed_later')
    return move && { move, head: { last_error: failure.of(outcome, rule) }, operation: {} }
  }
  return null
}

/** A hold as the processor has it: what we show as capturable is what it still holds. */
function stillHeld(payment: Payment, outcome: Done): Transition<Payment> | null {
  if (!outcome.capturable || outcome.capturable.currency !== payment.currency || !may(lifecycle, payment.status, 'capture_sent'))
    return null
  const { amount_authorized, amount_received, amount_capturing } = payment
  const amount_capturable = Math.min(outcome.capturable.amount, amount_authorized - amount_received)
  if (amount_capturable === payment.amount_capturable) return null
  if (amount_capturable > 0) return { move: null, head: { amount_capturable }, operation: {} }
  // More was captured than is known here (a capture that had been given up): its own news books it, and nothing has
  // lapsed.
  if ((takenOf(payment, outcome)?.amount ?? 0) > amount_received) return null
  const totals = { amount_received, amount_capturing, amount_capturable }
  const move = amount_received === 0 ? placed(payment, 'lapsed') : captureMove(payment, totals, 'yes')
  return move && { move, head: { amount_capturable }, operation: {} }
}
