import { merchantDisplayName } from '../accounts/profile-settings.ts'
import { may } from '../base/lifecycle.ts'
import type { Outcome, RequestOf } from '../connectors/connector.ts'
import type { Recipient } from '../connectors/instrument.ts'
import type { VerbOf } from '../connectors/verbs.ts'
import type { Time } from '../context.ts'
import { failure } from '../operations/failure.ts'
import { acceptsUpdates, endedWithANo, isUnfinished, type Operation } from '../operations/operation.ts'
import {
  contradicts,
  type Declined,
  type Done,
  endsAs,
  givenUp,
  lateApproval,
  operationPatch,
  responseOf,
  staysOpen,
} from '../operations/operation-patch.ts'
import { allowsAnother, mayTryAgain, nextUntried } from '../operations/retry-policy.ts'
import type { Answered, OutcomeContext, RequestInput, RetryTarget, Transition, VerbDefinition } from '../operations/verb.ts'
import { processorMembers } from '../resources/read.ts'
import { payoutFields } from './fields.ts'
import { lifecycle, type PayoutMove } from './lifecycle.ts'
import type { Payout } from './payout.ts'
import { standingOn } from './plan.ts'

/** The verbs of payouts. A missing answer is never a decline: the payout may have been paid. */
export const payoutVerbs: Record<VerbOf<'payout'>, VerbDefinition<Payout>> = {
  payout: { buildRequest: askToPay, after: afterPayout, next: retryTarget, onPollingEnded: unresolved },
  cancel_payout: { buildRequest: askToCancel, after: afterCancel, onPollingEnded: unresolved },
}

const LOOK = 'payout_processing'

const sentFields = processorMembers(payoutFields)

function askToPay({ connector, account, merchant, head: payout, operation, instrument }: RequestInput<Payout, Recipient>) {
  // The request is not sent a second time by a job: the payout method is not read again.
  if (!instrument) return null
  const { request_id, amount, currency } = operation
  const request: RequestOf<'payout'> = {
    request_id,
    money: { amount, currency },
    recipient: instrument,
    merchant_name: merchantDisplayName(merchant),
    ...sentFields(payout),
  }
  return connector.payout?.(request, account) ?? null
}

/** The account of a retry: after a definitive decline, as often as the profile allows, at an account not yet tried. */
function retryTarget(answered: Answered<Payout>): RetryTarget | null {
  if (!mayTryAgain(answered, answered.head.profile_id) || !allowsAnother(answered)) return null
  const account = nextUntried(answered)
  return account && { account, step_up: false }
}

const ifAllowed = (payout: Payout, move: PayoutMove): PayoutMove | null => (may(lifecycle, payout.status, move) ? move : null)

function afterPayout(
  payout: Payout,
  operation: Operation,
  outcome: Outcome,
  now: Time,
  _companionRow?: unknown,
  more: OutcomeContext = {},
): Transition<Payout> | null {
  if (!acceptsUpdates(operation)) return afterTheEnd(payout, operation, outcome, now, more)
  // The money was paid, but not by the current attempt of the payout: it is not expected.
  if (payout.payout_n !== operation.n && outcome.is === 'done') return strayed(operation, outcome, now)
  const patch = operationPatch(operation, outcome, now, payout.expires_on)
  if (!patch) return null
  if (payout.payout_n !== operation.n) return { move: null, head: {}, operation: patch }
  const connector_transaction_id = patch.reference ?? payout.connector_transaction_id
  if (patch.state === 'conflicted') {
    const head = { alone: null, connector_transaction_id, last_error: failure.contradicted(operation) }
    return { move: null, head, operation: patch, announces: LOOK }
  }
  const freed = { ...freedOf(payout, operation), connector_transaction_id }
  switch (outcome.is) {
    case 'unknown':
      return { move: null, head: { connector_transaction_id }, operation: patch }
    case 'waiting':
      return { move: payout.status === 'pending' ? 'accepted' : null, head: { connector_transaction_id }, operation: patch }
    case 'done':
      return {
        move: ifAllowed(payout, 'paid') ?? ifAllowed(payout, 'paid_after_all'),
        head: { ...freed, alone: null, last_error: null },
        operation: patch,
      }
    case 'lapsed':
      return { move: ifAllowed(payout, 'unclaimed'), head: { ...freed, alone: null }, operation: patch }
    case 'declined':
    case 'later':
    case 'not_sent':
    case 'not_found': {
      if (more.next && payout.alone === operation.n) return retryAt(payout, more.next, patch)
      const last_error = outcome.is === 'not_found' ? failure.payoutNotReceived : failure.of(outcome, more.rule)
      const move = ifAllowed(payout, outcome.is === 'declined' ? moveOf(outcome) : outcome.is === 'not_found' ? 'not_received' : 'not_sent')
      return { move, head: { ...freed, alone: null, ...(move && { last_error }) }, operation: patch }
    }
  }
}

/** `after_yes`: the payout was paid and came back, with both reported at once. */
function moveOf({ code, after_yes }: Declined): PayoutMove {
  if (after_yes) return 'paid_and_returned'
  return code === 'recipient_ineligible' ? 'refused' : code === 'cancelled' ? 'called_off' : 'declined'
}

/** Opens the next attempt in the same change: a payout that did not fail is never announced as failed. */
const retryAt = (payout: Payout, next: RetryTarget, patch: Partial<Operation>): Transition<Payout> => ({
  move: null,
  head: { attempt_count: payout.attempt_count + 1 },
  operation: patch,
  open: { is: 'again', next, head: opened => standingOn(opened) },
  announces: null,
})

function strayed(operation: Operation, outcome: Done, now: Time): Transition<Payout> {
  const step = lateApproval<Payout>(operation, outcome, now)
  return { ...step, operation: { ...step.operation, response: { ...responseOf(outcome, operation), stray: true } }, announces: LOOK }
}

/**
 * Applies news of an operation that had ended: the money came back, or the payout was paid after all. A late approval
 * of a returned payout says nothing new: it was paid before.
 */
function afterTheEnd(
  payout: Payout,
  operation: Operation,
  outcome: Outcome,
  now: Time,
  { rule }: OutcomeContext,
): Transition<Payout> | null {
  const current = payout.payout_n === operation.n
  if (operation.state === 'done' && (outcome.is === 'declined' || outcome.is === 'lapsed')) {
    const move = current ? ifAllowed(payout, 'returned') : null
    if (!move) return null
    const response = { ...operation.response, ...responseOf(outcome, operation), after_yes: true as const }
    return { move, head: { last_error: failure.of(outcome, rule) }, operation: { state: 'declined', response, modified_at: now } }
  }
  if (!endedWithANo(operation) && operation.state !== 'lapsed') return null
  if (outcome.is === 'declined' && outcome.after_yes) {
    const move = current ? ifAllowed(payout, 'paid_and_returned') : null
    const patch = endsAs('declined', operation, outcome, now)
    return move && { move, head: { last_error: failure.of(outcome, rule) }, operation: patch }
  }
  if (outcome.is !== 'done') return null
  const move = current && !contradicts(operation, outcome) ? ifAllowed(payout, 'paid_after_all') : null
  if (!move) return strayed(operation, outcome, now)
  const patch = endsAs('done', operation, outcome, now)
  return { move, head: { connector_transaction_id: outcome.reference, last_error: null }, operation: patch }
}

/** After seven days without an answer: manual review. The status stays, because the money may have left. */
function unresolved(_payout: Payout, operation: Operation, now: Time): Transition<Payout> | null {
  if (!isUnfinished(operation)) return null
  return { move: null, head: { last_error: failure.unresolved(operation) }, operation: givenUp(now), announces: LOOK }
}

function askToCancel({ connector, account, operation, authorization }: RequestInput<Payout>) {
  const { request_id, amount, currency } = operation
  return connector.cancel_payout?.({ request_id, authorization, money: { amount, currency } }, account) ?? null
}

/** Applies the answer to a cancel. A refused cancel leaves the payout on its way, decided by its own operation. */
function afterCancel(
  payout: Payout,
  operation: Operation,
  outcome: Outcome,
  now: Time,
  _companionRow?: unknown,
  { rule }: OutcomeContext = {},
): Transition<Payout> | null {
  if (!acceptsUpdates(operation)) {
    if (outcome.is !== 'done' || !endedWithANo(operation)) return null
    const patch = endsAs('done', operation, outcome, now)
    return calledOff(payout, operation, patch)
  }
  const patch = operationPatch(operation, outcome, now, payout.expires_on)
  if (!patch) return null
  if (staysOpen(patch)) return { move: null, head: {}, operation: patch, announces: null }
  if (outcome.is === 'done' && patch.state !== 'conflicted') return calledOff(payout, operation, patch)
  const contradicted = patch.state === 'conflicted'
  const last_error = contradicted ? failure.contradicted(operation) : failure.of(outcome, rule)
  // The payout has ended already: the refused cancel is not its failure.
  const head = payout.status === 'initiated' ? { ...freedOf(payout, operation), last_error } : freedOf(payout, operation)
  return { move: null, head, operation: patch, ...(contradicted && { announces: LOOK }) }
}

const freedOf = (payout: Payout, { n }: Operation): Pick<Payout, 'alone'> => ({ alone: payout.alone === n ? null : payout.alone })

/** Applies a successful cancel. If the payout was paid already, the processor contradicts itself: manual review. */
function calledOff(payout: Payout, operation: Operation, patch: Partial<Operation>): Transition<Payout> {
  const head = freedOf(payout, operation)
  const move = ifAllowed(payout, 'called_off')
  if (move) return { move, head: { ...head, alone: null }, operation: patch }
  if (payout.status !== 'success') return { move: null, head, operation: patch }
  return {
    move: null,
    head: { ...head, last_error: failure.late(operation) },
    operation: { ...patch, state: 'conflicted' },
    announces: LOOK,
  }
}
