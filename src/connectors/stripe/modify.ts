import type { Account, CaptureRequest, Conversation, IncrementRequest, Outcome, RefundRequest, VoidRequest } from '../connector.ts'
import { inProcessorUnits } from '../counting.ts'
import { firstHand, unknown } from '../kit/parse-reply.ts'
import { inPath } from '../kit/request.ts'
import { openTalk, type Param, type Talk } from './api.ts'
import { counting } from './common.ts'
import { capturedOutcome, failedIntent, incrementedOutcome, notCounted, refundedOutcome, voidedOutcome, withoutIntent } from './outcomes.ts'
import { type Intent, readIntent, readRefund, readSetup } from './replies.ts'
import * as params from './requests.ts'
import { afterFailure, nameOf, syncIntent, syncRefund } from './sync.ts'

/** Captures, increments, voids and refunds: the verbs that act on an intent. */

const ofAmount = <Ask extends CaptureRequest | IncrementRequest>(
  path: 'capture' | 'increment_authorization',
  paramsOf: (ask: Ask, amount: number) => { [name: string]: Param },
  outcomeOf: (intent: Intent, request_id: string) => Outcome,
) =>
  function* (ask: Ask, account: Account): Conversation {
    const amount = inProcessorUnits(counting, ask.money)
    if (typeof amount === 'string') return notCounted(amount)
    const talk = openTalk(account)
    const id = yield* nameOf(talk, ask.authorization)
    if (id === null) return withoutIntent
    return yield* change(talk, ask, `${inPath(id)}/${path}`, paramsOf(ask, amount), outcomeOf)
  }

export const capture = ofAmount<CaptureRequest>('capture', params.capture, capturedOutcome)
/** Raises a hold, only if the authorization requested that beforehand: `request_incremental_authorization`. */
export const increment = ofAmount<IncrementRequest>('increment_authorization', params.increment, incrementedOutcome)

/** Changes an intent. If only a query can show whether the intent was changed, it is queried. */
function* change(
  talk: Talk,
  { request_id, authorization }: Pick<VoidRequest, 'request_id' | 'authorization'>,
  path: string,
  asked: { [name: string]: Param },
  outcomeOf: (intent: Intent, request_id: string) => Outcome,
): Conversation {
  const reply = yield* talk.say(talk.post(`/v1/payment_intents/${path}`, asked, request_id), readIntent)
  if (reply.is === 'answer') return firstHand(outcomeOf(reply.answer, request_id))
  return yield* afterFailure(reply, () => syncIntent(talk, authorization, intent => outcomeOf(intent, request_id)))
}

export function* voidAuthorization(ask: VoidRequest, account: Account): Conversation {
  const talk = openTalk(account)
  const id = yield* nameOf(talk, ask.authorization)
  if (id === null) return withoutIntent
  if (id.startsWith('seti_')) return yield* cancelSetup(talk, id, ask)
  const [how, asked] = ask.of === 'rest' ? ['capture', params.releaseRest(ask)] : ['cancel', params.cancellation(ask)]
  return yield* change(talk, ask, `${inPath(id)}/${how}`, asked, voidedOutcome)
}

function* cancelSetup(talk: Talk, id: string, ask: VoidRequest): Conversation {
  const { request_id, money } = ask
  const reply = yield* talk.say(talk.post(`/v1/setup_intents/${inPath(id)}/cancel`, params.setupCancellation(ask), request_id), readSetup)
  if (reply.is !== 'answer') return failedIntent(reply)
  if (reply.answer.status !== 'canceled') return unknown('not canceled')
  return { is: 'done', reference: id, request_id: null, amount: money, captured: null, facts: {} }
}

export function* refund(ask: RefundRequest, account: Account): Conversation {
  const amount = inProcessorUnits(counting, ask.money)
  if (typeof amount === 'string') return notCounted(amount)
  const talk = openTalk(account)
  const id = yield* nameOf(talk, ask.authorization)
  if (id === null) return withoutIntent
  const reply = yield* talk.say(talk.post('/v1/refunds', params.refund(ask, amount, id), ask.request_id), readRefund)
  if (reply.is === 'answer') return refundedOutcome(reply.answer)
  return yield* afterFailure(reply, () => syncRefund(talk, ask))
}
