import type { Account, AuthorizeRequest, Conversation, Outcome } from '../connector.ts'
import { noting } from '../conversation.ts'
import { inProcessorUnits } from '../counting.ts'
import { isOther } from '../instrument.ts'
import { boughtBy, customerThere } from '../kit/buyer.ts'
import { declinedWith, type FailedReply, firstHand, without } from '../kit/parse-reply.ts'
import { inPath } from '../kit/request.ts'
import { codesOf, secretsOf } from '../kit/secrets.ts'
import type { Purchase } from '../purchase.ts'
import { openTalk, type Talk } from './api.ts'
import { counting } from './common.ts'
import type { StripeRefusal } from './errors.ts'
import * as methods from './method-requests.ts'
import { offerFor } from './offers.ts'
import { authorizedOutcome, failedIntent, notCounted, setUpOutcome } from './outcomes.ts'
import { readCustomer, readIntent, readMethod, readSetup } from './replies.ts'
import * as params from './requests.ts'
import { afterFailure, syncAuthorization, syncSetUp } from './sync.ts'

type Ask = AuthorizeRequest<params.StripeTakes>

export function* authorize(ask: Ask, account: Account): Conversation {
  return without(yield* authorization(ask, account), codesOf(ask.instrument))
}

function* authorization(ask: Ask, account: Account): Conversation {
  const amount = inProcessorUnits(counting, ask.money)
  const fee = inProcessorUnits(counting, { ...ask.money, amount: ask.split?.is === 'stripe' ? ask.split.application_fee : 0 })
  if (typeof amount === 'string') return notCounted(amount)
  if (typeof fee === 'string') return notCounted(fee)
  const talk = talkOf(ask, account)
  const body = isKeptMethod(ask)
    ? storedIntent(ask, amount, fee)
    : isMethod(ask)
      ? yield* methodIntent(talk, ask, amount, fee)
      : yield* cardIntent(talk, ask, amount, fee)
  if ('is' in body) return body
  const reply = yield* talk.say(talk.post('/v1/payment_intents', body, ask.request_id), readIntent)
  if (reply.is === 'answer') return firstHand(authorizedOutcome(reply.answer))
  if (reply.is === 'refused' && reply.error.type === 'idempotency_error')
    return firstHand(yield* syncAuthorization(talk, ask.request_id, null))
  return failedIntent(reply)
}

/** A wallet's card is a card. */
const isMethod = (ask: Ask): ask is methods.OfferAsk => isOther(ask.instrument) && offerFor(ask.instrument)?.as !== 'card'

const isKeptMethod = (ask: Ask): ask is AuthorizeRequest<'stored_card'> =>
  ask.instrument.is === 'stored_card' && ask.instrument.of !== undefined && offerFor(ask.instrument.of)?.as !== 'card'

function storedIntent(
  ask: AuthorizeRequest<'stored_card'>,
  amount: number,
  fee: number,
): ReturnType<typeof methods.storedIntent> | Outcome {
  const row = offerFor(ask.instrument.of!)
  return row === null ? notTaken('it is not supported any more') : methods.storedIntent(ask, row, amount, fee)
}

function* methodIntent(
  talk: Talk,
  ask: methods.OfferAsk,
  amount: number,
  fee: number,
): Conversation<ReturnType<typeof methods.methodIntent> | Outcome> {
  const payable = methods.payable(ask)
  if (typeof payable === 'string') return notTaken(payable)
  const needed = payable.row.needs === 'customer'
  const bought = yield* needed ? boughtBy(ask.purchase, 'reference') : boughtIn(ask)
  const owner = needed ? yield* payerOf(talk, ask, bought) : yield* ownerOf(talk, ask, bought)
  return 'is' in owner ? owner : methods.methodIntent(ask, payable, amount, bought.purchase, fee, owner.customer)
}

/** Stripe's id of the customer is read only if the payment method is to be saved. */
const boughtIn = (ask: Ask) => boughtBy(ask.purchase, methods.keeps(ask) ? 'reference' : 'buyer')
type Bought = { purchase: Purchase | undefined; reference: string | null }

/** Null if the payment method is not to be saved. */
function* ownerOf(talk: Talk, ask: Ask, { purchase, reference }: Bought): Conversation<{ customer: string | null } | Outcome> {
  const { stored_credential } = ask
  if (stored_credential?.is !== 'made' || !methods.keeps(ask)) return { customer: null }
  const owner = params.customer(stored_credential.customer, purchase?.buyer)
  const customer = yield* customerOf(talk, owner, reference, ask.request_id)
  return typeof customer === 'string' ? { customer } : customer
}

/** For payment methods that Stripe takes only from its own customers. */
function* payerOf(talk: Talk, ask: methods.OfferAsk, { purchase, reference }: Bought): Conversation<{ customer: string } | Outcome> {
  const customer = yield* customerOf(talk, params.payingCustomer(purchase), reference, ask.request_id)
  return typeof customer === 'string' ? { customer } : customer
}

function* cardIntent(talk: Talk, ask: Ask, amount: number, fee: number): Conversation<ReturnType<typeof params.intent> | Outcome> {
  const paying = yield* payingWith(talk, ask)
  if ('is' in paying) return paying
  const made = params.intent(ask, amount, paying, fee)
  return ask.instrument.is === 'network_transaction_id' ? params.exempted(made, ask.instrument.network_transaction_id) : made
}

const notTaken = (why: string): Outcome => declinedWith('not_supported', 'payment_method', why)

const talkOf = ({ instrument }: Ask, account: Account): Talk => openTalk(account, secretsOf(instrument))

/** None of these requests moves money: if one fails, another processor may be tried. */
function* payingWith(talk: Talk, ask: Ask): Conversation<params.Paying | Outcome> {
  const { instrument } = ask
  if (instrument.is === 'stored_card') return { payment_method: instrument.reference, customer: instrument.customer }
  const token = isOther(instrument) ? methods.cardToken(instrument) : null
  if (isOther(instrument) && token === null)
    return notTaken(`payment_method_type ${instrument.type} requires a token of Stripe's (tok_…): the wallet's own data is not supported`)
  const bought = yield* boughtIn(ask)
  const { purchase } = bought
  const made = isOther(instrument) ? methods.tokenMethod(token!, purchase) : params.method(instrument, purchase)
  const card = yield* talk.say(talk.post('/v1/payment_methods', made), readMethod)
  if (card.is !== 'answer') return beforeMoney(card)
  const owner = yield* ownerOf(talk, ask, bought)
  return 'is' in owner ? owner : { payment_method: card.answer, customer: owner.customer }
}

/** One for each customer of the merchant, updated by later payments. */
function* customerOf(
  talk: Talk,
  owner: ReturnType<typeof params.customer>,
  reference: string | null,
  request_id: string,
): Conversation<string | Outcome> {
  const key = reference === null ? `${request_id}-customer` : `${request_id}-customer-anew`
  const reply = yield* customerThere(
    reference,
    // Without an idempotency key: a repeated update changes nothing, and the key may be that of the creation.
    known => talk.say(talk.post(`/v1/customers/${inPath(known)}`, owner), readCustomer),
    () => talk.say(talk.post('/v1/customers', owner, key), readCustomer),
  )
  return reply.is === 'answer' ? reply.answer : beforeMoney(reply)
}

const beforeMoney = (failure: FailedReply<StripeRefusal>): Outcome =>
  failure.is === 'refused' ? failedIntent(failure) : { is: 'not_sent', why: failure.why }

/** The setup intent's id is noted before it is confirmed, because setup intents cannot be searched for. */
export function* setUp(ask: Ask, account: Account): Conversation {
  return without(yield* verification(ask, account), codesOf(ask.instrument))
}

type SetUp<Make, Confirm> = { make: Make; confirm: Confirm }

function* cardSetup(
  talk: Talk,
  ask: Ask,
): Conversation<SetUp<ReturnType<typeof params.setup>, ReturnType<typeof params.confirmSetup>> | Outcome> {
  const paying = yield* payingWith(talk, ask)
  return 'is' in paying ? paying : { make: params.setup(ask, paying), confirm: params.confirmSetup(ask) }
}

function* methodSetup(
  talk: Talk,
  ask: methods.OfferAsk,
): Conversation<SetUp<ReturnType<typeof methods.methodSetup>, ReturnType<typeof methods.confirmMethodSetup>> | Outcome> {
  const payable = methods.payable(ask)
  if (typeof payable === 'string') return notTaken(payable)
  const bought = yield* boughtIn(ask)
  const owner = yield* ownerOf(talk, ask, bought)
  if ('is' in owner) return owner
  if (owner.customer === null)
    return notTaken(`payment_method_type ${ask.instrument.type} is only kept for a customer (setup_future_usage off_session)`)
  return { make: methods.methodSetup(ask, payable, bought.purchase, owner.customer), confirm: methods.confirmMethodSetup(ask, payable) }
}

function* verification(ask: Ask, account: Account): Conversation {
  const talk = talkOf(ask, account)
  const bodies = isMethod(ask) ? yield* methodSetup(talk, ask) : yield* cardSetup(talk, ask)
  if ('is' in bodies) return bodies
  const made = yield* talk.say(talk.post('/v1/setup_intents', bodies.make, `${ask.request_id}-setup`), readSetup)
  if (made.is !== 'answer') return beforeMoney(made)
  const { id } = made.answer
  yield* noting(id)
  const confirm = talk.post(`/v1/setup_intents/${inPath(id)}/confirm`, bodies.confirm, ask.request_id)
  const reply = yield* talk.say(confirm, readSetup)
  if (reply.is === 'answer') return firstHand(setUpOutcome(reply.answer, ask.money))
  return yield* afterFailure(reply, () => syncSetUp(talk, id, ask.money))
}
