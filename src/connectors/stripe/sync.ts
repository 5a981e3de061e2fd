import type { Money } from '../../base/money.ts'
import type { Account, Authorization, Conversation, Outcome, SyncRequest } from '../connector.ts'
import { type FailedReply, failedLookup, failedQuestion, firstHand, NOT_THERE, unknown } from '../kit/parse-reply.ts'
import { inPath } from '../kit/request.ts'
import { isDisputeVerb } from '../verbs.ts'
import { openTalk, type Talk } from './api.ts'
import { REQUEST_ID } from './common.ts'
import { syncDispute } from './disputes.ts'
import type { StripeRefusal } from './errors.ts'
import * as outcomes from './outcomes.ts'
import { type Intent, readIntent, readList, readRefund, readSetup, readStripeTransfer } from './replies.ts'

/** docs.stripe.com/search: under a minute as a rule, more during outages. Until then "not found" says nothing. */
const SEARCH_LAGS_MS = 3_600_000

/** A query that could not be sent, or was not answered, is `unknown`. */
export function* sync(ask: SyncRequest, account: Account): Conversation {
  const talk = openTalk(account)
  const { verb, request_id, reference } = ask
  if (isDisputeVerb(verb)) return yield* syncDispute(verb, ask, account)
  if (verb === 'authorize' && ask.money.amount === 0) return yield* syncSetUp(talk, reference, ask.money)
  if (verb === 'authorize') return yield* syncAuthorization(talk, request_id, reference)
  if (verb === 'refund') return yield* syncRefund(talk, ask)
  if (verb === 'payout') return yield* syncTransferred(talk, request_id, reference)
  const authorization = ask.authorization ?? { reference: null, request_id: '' }
  const outcomeOf =
    verb === 'capture' ? outcomes.capturedOutcome : verb === 'increment' ? outcomes.incrementedOutcome : outcomes.voidedOutcome
  return yield* syncIntent(talk, authorization, intent => outcomeOf(intent, request_id))
}

export function* syncAuthorization(talk: Talk, request_id: string, reference: string | null): Conversation {
  const id = reference ?? (yield* search(talk, request_id))
  if (id === null) return { is: 'not_found', lags_ms: SEARCH_LAGS_MS }
  if (typeof id !== 'string') return id
  const reply = yield* talk.get(`/v1/payment_intents/${inPath(id)}?expand[]=latest_charge`, readIntent)
  return reply.is === 'answer' ? outcomes.authorizedOutcome(reply.answer) : failedLookup(reply)
}

export function* syncSetUp(talk: Talk, id: string | null, nothing: Money): Conversation {
  // A setup intent without an id was never confirmed.
  if (id === null) return { is: 'not_found' }
  const reply = yield* talk.get(`/v1/setup_intents/${inPath(id)}?expand[]=latest_attempt`, readSetup)
  return reply.is === 'answer' ? outcomes.setUpOutcome(reply.answer, nothing) : failedLookup(reply)
}

export function* syncIntent(talk: Talk, authorization: Authorization, outcomeOf: (intent: Intent) => Outcome): Conversation {
  const id = authorization.reference ?? (yield* search(talk, authorization.request_id))
  if (id === null) return unknown('the payment was not found')
  if (typeof id !== 'string') return id
  const reply = yield* talk.get(`/v1/payment_intents/${inPath(id)}?expand[]=latest_charge`, readIntent)
  return reply.is === 'answer' ? outcomeOf(reply.answer) : withoutObject(reply, 'the payment was not found')
}

export function* syncRefund(
  talk: Talk,
  ask: Pick<SyncRequest, 'request_id' | 'authorization'> & { reference?: string | null },
): Conversation {
  if (typeof ask.reference === 'string') {
    const reply = yield* talk.get(`/v1/refunds/${inPath(ask.reference)}?expand[]=balance_transaction`, readRefund)
    return reply.is === 'answer' ? outcomes.refundedOutcome(reply.answer) : failedLookup(reply)
  }
  const id = ask.authorization?.reference ?? (yield* search(talk, ask.authorization?.request_id ?? ''))
  if (id === null) return unknown('the payment to refund was not found')
  if (typeof id !== 'string') return id
  const path = `/v1/refunds?payment_intent=${inPath(id)}&limit=100&expand[]=data.balance_transaction`
  const reply = yield* talk.get(path, body => readList(body, readRefund))
  if (reply.is !== 'answer') return withoutObject(reply, 'the payment to refund was not found')
  const own = reply.answer.find(({ metadata }) => metadata[REQUEST_ID] === ask.request_id)
  return own ? outcomes.refundedOutcome(own) : { is: 'not_found' }
}

function* syncTransferred(talk: Talk, request_id: string, reference: string | null): Conversation {
  if (reference === null) return yield* lookForTransfer(talk, request_id)
  const reply = yield* talk.get(`/v1/transfers/${inPath(reference)}`, readStripeTransfer)
  return reply.is === 'answer' ? outcomes.transferredOutcome(reply.answer) : failedLookup(reply)
}

/** The group is our request id. Unlike a search, a list contains new transfers at once. */
export function* lookForTransfer(talk: Talk, request_id: string): Conversation {
  const reply = yield* talk.get(`/v1/transfers?transfer_group=${inPath(request_id)}&limit=10`, body => readList(body, readStripeTransfer))
  if (reply.is !== 'answer') return failedQuestion(reply)
  const [own, ...others] = reply.answer.filter(({ metadata }) => metadata[REQUEST_ID] === request_id)
  if (others.length > 0) return unknown('several transfers have this reference')
  return own ? outcomes.transferredOutcome(own) : { is: 'not_found' }
}

/** That proves nothing about the request. */
const withoutObject = (failure: FailedReply, missing: string): Extract<Outcome, { is: 'unknown' }> =>
  failure.is === 'refused' && failure.as === 'not_found' ? unknown(missing) : failedQuestion(failure)

/** Null if none is found (yet). */
function* search(talk: Talk, request_id: string): Conversation<string | null | Extract<Outcome, { is: 'unknown' }>> {
  const query = encodeURIComponent(`metadata["${REQUEST_ID}"]:"${request_id}"`)
  const reply = yield* talk.get(`/v1/payment_intents/search?query=${query}`, body => readList(body, readIntent))
  if (reply.is !== 'answer') return withoutObject(reply, 'search is not available')
  return reply.answer.find(({ metadata }) => metadata[REQUEST_ID] === request_id)?.id ?? null
}

export function* nameOf(talk: Talk, { reference, request_id }: Authorization): Conversation<string | null> {
  const id = reference ?? (yield* search(talk, request_id))
  return typeof id === 'string' ? id : null
}

export function* afterFailure(failure: FailedReply<StripeRefusal>, look: () => Conversation): Conversation {
  if (!outcomes.wantsLook(failure)) return outcomes.failedIntent(failure)
  const outcome = firstHand(yield* look())
  return outcome.is === 'unknown' && failure.is === 'refused' && outcome.why === NOT_THERE ? outcomes.failedIntent(failure) : outcome
}
