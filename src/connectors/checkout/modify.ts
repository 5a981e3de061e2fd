import type { Account, Authorization, Conversation, RequestOf, SyncRequest, Verb } from '../connector.ts'
import { inProcessorUnits, uncounted } from '../counting.ts'
import { declinedWith, failedOutcome, failedQuestion, readerOf, unknown } from '../kit/parse-reply.ts'
import { inPath } from '../kit/request.ts'
import { actionOutcome, listOf, parse, readActionReceived, readActions, readPayment, readRaised, readRefused } from './replies.ts'
import { checkoutKeysOf, counting, get, post } from './requests.ts'

/** When lists of payments and actions are complete at the latest. Checkout.com does not document it. */
const LISTS_LAG_MS = 3_600_000

const askedReply = readerOf(readPayment, readRefused)
const actionsReply = readerOf(readActions, readRefused)
const receivedReply = readerOf(readActionReceived, readRefused, [202])
export const checkoutListReply = readerOf(listOf(readPayment), readRefused)

type Changing = RequestOf<'capture'> | RequestOf<'void'> | RequestOf<'refund'>

/** Each change is only accepted at first: a webhook and the payment's actions show its result. */
export const changing = <Ask extends Changing>(path: string, bodyOf: (ask: Ask, amount: number) => object) =>
  function* (ask: Ask, account: Account): Conversation {
    const amount = inProcessorUnits(counting, ask.money)
    if (typeof amount === 'string') return { is: 'not_sent', why: amount }
    const id = yield* paymentOf(ask.authorization, account)
    if (id === null) return { is: 'not_sent', why: 'the authorization could not be found at the processor' }
    const request = post(account, `/payments/${inPath(id)}/${path}`, bodyOf(ask, amount), ask.request_id)
    const reply = parse(yield request, checkoutKeysOf(account), receivedReply)
    if (reply.is !== 'answer') return failedOutcome(reply)
    const { reference, request_id } = reply.answer
    if (request_id !== null && request_id !== ask.request_id) return { ...unknown('the response is for another request'), reference }
    return { is: 'waiting', reference }
  }

const raisedReply = readerOf(readRaised, readRefused, [200, 201])

/** The request has the difference from the amount held now. It is never sent again: a hold is increased once. */
export function* increment(ask: RequestOf<'increment'>, account: Account): Conversation {
  const total = inProcessorUnits(counting, ask.money)
  if (typeof total === 'string') return { is: 'not_sent', why: total }
  const id = yield* paymentOf(ask.authorization, account)
  if (id === null) return { is: 'not_sent', why: 'the authorization could not be found at the processor' }
  const held = parse(yield get(account, `/payments/${inPath(id)}`), checkoutKeysOf(account), askedReply)
  if (held.is !== 'answer') return { is: 'not_sent', why: 'the payment could not be read' }
  const { authorized, status } = held.answer
  if (held.answer.id !== id || authorized === null) return { is: 'not_sent', why: 'the payment does not say what it holds' }
  if (status !== 'Authorized' || total <= authorized)
    return declinedWith('not_allowed', status, 'The authorization cannot be increased to this amount.')
  const request = post(
    account,
    `/payments/${inPath(id)}/authorizations`,
    { amount: total - authorized, reference: ask.request_id },
    ask.request_id,
  )
  const reply = parse(yield request, checkoutKeysOf(account), raisedReply)
  if (reply.is !== 'answer') return failedOutcome(reply)
  const { action, total: now } = reply.answer
  const outcome = actionOutcome(action, ask.money.currency)
  if (action.request_id !== null && action.request_id !== ask.request_id)
    return { ...unknown('the response is for another request'), reference: action.id }
  const amount = now === null ? ask.money : uncounted(counting, now, ask.money.currency)
  if (outcome.is !== 'done') return outcome
  return amount ? { ...outcome, amount } : { ...unknown('the amount is not understood'), reference: action.id }
}

/** Null if a payment whose response was lost cannot be found. */
function* paymentOf({ reference, request_id }: Authorization, account: Account): Conversation<string | null> {
  if (reference !== null) return reference
  const found = yield* paymentBy(request_id, account)
  return 'id' in found ? found.id : null
}

export function* paymentBy(request_id: string, account: Account) {
  const reply = parse(yield get(account, `/payments?limit=10&reference=${inPath(request_id)}`), checkoutKeysOf(account), checkoutListReply)
  if (reply.is !== 'answer') return failedQuestion(reply)
  const own = reply.answer.filter(payment => payment.request_id === request_id)
  if (own.length > 1) return unknown('several payments have this reference')
  return own[0] ?? ({ is: 'not_found', lags_ms: LISTS_LAG_MS } as const)
}

const actionTypes: Partial<Record<Verb, string>> = {
  capture: 'Capture',
  void: 'Void',
  refund: 'Refund',
  increment: 'Authorization',
}

export function* syncChange({ verb, request_id, reference, authorization, money }: SyncRequest, account: Account): Conversation {
  const id = authorization && (yield* paymentOf(authorization, account))
  if (id === null) return unknown('the payment was not found')
  const reply = parse(yield get(account, `/payments/${inPath(id)}/actions`), checkoutKeysOf(account), actionsReply)
  if (reply.is !== 'answer') return failedQuestion(reply)
  const action = reply.answer.find(
    one => one.type === actionTypes[verb] && (one.request_id === request_id || (reference !== null && one.id === reference)),
  )
  const outcome = action && actionOutcome(action, money.currency)
  // The action shows the difference, not the total held.
  if (outcome) return outcome.is === 'done' && verb === 'increment' ? { ...outcome, amount: money } : outcome
  // An accepted request appears in the list only when it is completed.
  return reference === null ? { is: 'not_found', lags_ms: LISTS_LAG_MS } : { is: 'waiting', reference }
}
