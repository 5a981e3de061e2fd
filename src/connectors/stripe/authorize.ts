import type { Account, AuthorizeRequest, Conversation, Outcome } from '../connector.ts'
import { noting } from '../conversation.ts'
import { inProcessorUnits } from '../counting.ts'
import { type FailedReply, firstHand, without } from '../kit/parse-reply.ts'
import { name, openTalk, type Talk } from './api.ts'
import type { StripeRefusal } from './errors.ts'
import { authorizedOutcome, failedIntent, notCounted, setUpOutcome } from './outcomes.ts'
import { readCustomer, readIntent, readMethod, readSetup } from './replies.ts'
import * as params from './requests.ts'
import { afterFailure, syncAuthorization, syncSetUp } from './sync.ts'

type Ask = AuthorizeRequest<params.StripeTakes>

export function* authorize(ask: Ask, account: Account): Conversation {
  return without(yield* authorization(ask, account), ask.instrument.cvc)
}

function* authorization(ask: Ask, account: Account): Conversation {
  const amount = inProcessorUnits(params.counting, ask.money)
  const fee = inProcessorUnits(params.counting, { ...ask.money, amount: ask.split?.is === 'stripe' ? ask.split.application_fee : 0 })
  if (typeof amount === 'string') return notCounted(amount)
  if (typeof fee === 'string') return notCounted(fee)
  const talk = talkOf(ask, account)
  const paying = yield* payingWith(talk, ask)
  if ('is' in paying) return paying
  const request = talk.post('/v1/payment_intents', params.intent(ask, amount, paying, fee), ask.request_id)
  const reply = yield* talk.say(request, readIntent)
  if (reply.is === 'answer') return firstHand(authorizedOutcome(reply.answer))
  if (reply.is === 'refused' && reply.error.type === 'idempotency_error')
    return firstHand(yield* syncAuthorization(talk, ask.request_id, null))
  return failedIntent(reply)
}

const talkOf = ({ instrument }: Ask, account: Account): Talk => openTalk(account, instrument.is === 'card' ? [instrument.number] : [])

/**
 * What Stripe calls the card: one that it keeps, or one that it is given now; and a customer whose it will be, if it
 * is to be kept. None of that is money: if it fails, another processor may be asked.
 */
function* payingWith(talk: Talk, ask: Ask): Conversation<params.Paying | Outcome> {
  const { instrument, stored_credential } = ask
  if (instrument.is === 'stored_card') return { payment_method: instrument.reference, customer: instrument.customer }
  const card = yield* talk.say(talk.post('/v1/payment_methods', params.method(instrument, ask.purchase)), readMethod)
  if (card.is !== 'answer') return beforeMoney(card)
  if (stored_credential?.is !== 'made' || stored_credential.store === false) return { payment_method: card.answer, customer: null }
  const request = talk.post('/v1/customers', params.customer(stored_credential.customer), `${ask.request_id}-customer`)
  const made = yield* talk.say(request, readCustomer)
  return made.is === 'answer' ? { payment_method: card.answer, customer: made.answer } : beforeMoney(made)
}

/** A failure of what comes before the request that moves money. */
const beforeMoney = (failure: FailedReply<StripeRefusal>): Outcome =>
  failure.is === 'refused' ? failedIntent(failure) : { is: 'not_sent', why: failure.why }

/**
 * A card is verified and kept, without an amount: what it is called is written down before it is confirmed, because
 * it could not be searched for.
 */
export function* setUp(ask: Ask, account: Account): Conversation {
  return without(yield* verification(ask, account), ask.instrument.cvc)
}

function* verification(ask: Ask, account: Account): Conversation {
  const talk = talkOf(ask, account)
  const paying = yield* payingWith(talk, ask)
  if ('is' in paying) return paying
  const made = yield* talk.say(talk.post('/v1/setup_intents', params.setup(ask, paying), `${ask.request_id}-setup`), readSetup)
  if (made.is !== 'answer') return beforeMoney(made)
  const { id } = made.answer
  yield* noting(id)
  const confirm = talk.post(`/v1/setup_intents/${name(id)}/confirm`, params.confirmSetup(ask), ask.request_id)
  const reply = yield* talk.say(confirm, readSetup)
  if (reply.is === 'answer') return firstHand(setUpOutcome(reply.answer, ask.money))
  return yield* afterFailure(reply, () => syncSetUp(talk, id, ask.money))
}
