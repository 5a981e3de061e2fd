import type { Money } from '../../base/money.ts'
import type { Account, Conversation, Facts, Outcome, RequestOf, ReturnRequest, SyncRequest } from '../connector.ts'
import { noting } from '../conversation.ts'
import { isOther } from '../instrument.ts'
import {
  beforeMoney,
  declinedWith,
  doneWith,
  failedOutcome,
  failedQuestion,
  firstHand,
  type ParsedReply,
  readerOf,
  unknown,
  without,
} from '../kit/parse-reply.ts'
import { isOneOf, isRecord, optional, readId, readUrl, readWord } from '../kit/read.ts'
import { inPath } from '../kit/request.ts'
import { codesOf, secretsOf } from '../kit/secrets.ts'
import { shortened } from '../kit/text.ts'
import { every, linkIn, present, readRefused, record } from './replies.ts'
import { type Ask, keepsForLater, numberedCard, paypalAddress, sayToPaypal, waysBack } from './requests.ts'

/** Vault v3: a setup token is noted; once approved, it becomes the payment token of later payments. No money moves. */

const SETUPS = '/v3/vault/setup-tokens'
const KEPT = '/v3/vault/payment-tokens'

type Setup = {
  id: string
  status: 'CREATED' | 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'VAULTED' | 'TOKENIZED'
  customer: string | null
  redirect: string | null
  isRefused: boolean
}
type Token = { id: string; facts: Facts }

const statuses = ['CREATED', 'PAYER_ACTION_REQUIRED', 'APPROVED', 'VAULTED', 'TOKENIZED'] as const

function readSetup(body: unknown): Setup | null {
  if (!isRecord(body)) return null
  const id = readId(body.id)
  const redirect = optional(linkIn(body.links, 'approve', 'payer-action'), readUrl)
  if (id === null || !isOneOf(statuses, body.status) || redirect === undefined) return null
  const isRefused = record(record(body.payment_source).card).verification_status === 'FAILED'
  return { id, status: body.status, customer: readId(record(body.customer).id), redirect, isRefused }
}

function readToken(body: unknown): Token | null {
  if (!isRecord(body)) return null
  const id = readId(body.id)
  if (id === null) return null
  const { network_transaction_reference } = record(record(body.payment_source).card)
  const facts = present({
    connector_mandate_id: id,
    connector_customer_id: readId(record(body.customer).id),
    network_transaction_id: readWord(record(network_transaction_reference).id),
  })
  return { id, facts }
}

const setupReply = readerOf(readSetup, readRefused, [200, 201])
const tokenReply = readerOf(readToken, readRefused, [200, 201])
const tokensReply = readerOf(body => (isRecord(body) ? every(body.payment_tokens, readToken) : null), readRefused)

/** Marked, because PayPal itself adds nothing to it. */
function approvedUrlOf({ return_url }: Ask): string {
  const url = new URL(return_url)
  url.searchParams.set('approved', 'true')
  return url.href
}

const waysBackOf = (ask: Ask) => ({ ...waysBack(ask), return_url: approvedUrlOf(ask) })

export function setupBody(ask: Ask) {
  const { instrument, three_ds, purchase, merchant_name } = ask
  if (isOther(instrument))
    return {
      payment_source: {
        paypal: {
          usage_type: 'MERCHANT' as const,
          experience_context: {
            brand_name: shortened(merchant_name, 127),
            shipping_preference: 'NO_SHIPPING' as const,
            ...waysBackOf(ask),
          },
        },
      },
    } as const
  const billing = purchase?.billing
  return {
    payment_source: {
      card: {
        ...numberedCard(instrument),
        ...(billing?.country && { billing_address: paypalAddress(billing) }),
        ...(three_ds !== 'skip' && {
          verification_method: three_ds === 'challenge' ? ('SCA_ALWAYS' as const) : ('SCA_WHEN_REQUIRED' as const),
          experience_context: waysBackOf(ask),
        }),
      },
    },
  } as const
}

export const tokenBody = (id: string) => ({ payment_source: { token: { id, type: 'SETUP_TOKEN' } } }) as const

export function* vaultForLater(ask: Ask, account: Account): Conversation {
  const { instrument, request_id, money } = ask
  const isNew = instrument.is === 'card' || (isOther(instrument) && instrument.way === 'paypal_redirect')
  if (!isNew || !keepsForLater(ask)) return { is: 'not_sent', why: 'PayPal verifies only cards and wallets that it is to keep' }
  const secrets = secretsOf(instrument)
  const made = yield* sayToPaypal(account, SETUPS, setupReply, { body: setupBody(ask), key: request_id }, secrets)
  if (made.is !== 'answer') return without(beforeMoney(made), codesOf(instrument))
  yield* noting(made.answer.id)
  return firstHand(yield* keep(made.answer, request_id, money, account))
}

/** Once. */
function* keep(setup: Setup, request_id: string, money: Money, account: Account): Conversation {
  const { id, status } = setup
  if (setup.isRefused) return declinedWith('authentication_failed', 'FAILED', 'The card was not verified.', id)
  if (status !== 'APPROVED') return yield* stateOf(setup, money, account)
  const reply = yield* sayToPaypal(account, KEPT, tokenReply, { body: tokenBody(id), key: `${request_id}-token` })
  if (reply.is === 'answer') return doneWith(id, money, { facts: reply.answer.facts })
  // PayPal refuses this if a concurrent request has already created the payment token.
  const now = reply.is === 'refused' ? yield* lookAtSetup(id, account) : reply
  if (now.is === 'answer' && now.answer.status !== 'APPROVED') return yield* stateOf(now.answer, money, account)
  return { ...failedOutcome(reply), reference: id }
}

/** Saved only once a payment token exists, which must be the only one of its customer. */
function* stateOf({ id, status, customer, redirect }: Setup, money: Money, account: Account): Conversation {
  switch (status) {
    case 'PAYER_ACTION_REQUIRED':
      return { is: 'waiting', reference: id, ...(redirect !== null && { next_action: { type: 'redirect_to_url', url: redirect } }) }
    case 'CREATED':
    case 'APPROVED':
      return { is: 'not_found', reference: id }
    case 'VAULTED':
    case 'TOKENIZED': {
      if (customer === null) return { ...unknown('what was kept has no customer'), reference: id }
      const reply = yield* sayToPaypal(account, `${KEPT}?customer_id=${inPath(customer)}`, tokensReply)
      if (reply.is !== 'answer') return failedQuestion(reply)
      const [token, ...others] = reply.answer
      return token && others.length === 0
        ? doneWith(id, money, { facts: token.facts })
        : { ...unknown('what was kept is not listed alone'), reference: id }
    }
  }
}

function* lookAtSetup(id: string, account: Account): Conversation<ParsedReply<Setup>> {
  const reply = yield* sayToPaypal(account, `${SETUPS}/${inPath(id)}`, setupReply)
  return reply.is === 'answer' && reply.answer.id !== id ? unknown('the response is for another setup token') : reply
}

/** PayPal deletes setup tokens after some days. */
const gone = (reply: ParsedReply<Setup>): Outcome | null =>
  reply.is === 'refused' && reply.as === 'not_found' ? { is: 'not_found', gone: true } : null

export function* completeSetUp({ reference, request_id, money, parameters }: ReturnRequest, account: Account): Conversation {
  if (reference === null) return unknown('the setup token has no id yet')
  const reply = yield* lookAtSetup(reference, account)
  if (reply.is !== 'answer') return gone(reply) ?? failedQuestion(reply)
  const { status, isRefused } = reply.answer
  if (parameters.cancelled !== undefined && status === 'PAYER_ACTION_REQUIRED' && !isRefused)
    return declinedWith('cancelled', 'CANCELLED', 'The customer did not agree.', reference)
  return yield* keep(reply.answer, request_id, money, account)
}

export function* syncVaulting({ verb, reference, money, authorization }: SyncRequest, account: Account): Conversation {
  const id = authorization ? authorization.reference : reference
  if (id === null) return verb === 'void' ? unknown('the setup token was not found') : { is: 'not_found' }
  const reply = yield* lookAtSetup(id, account)
  if (reply.is !== 'answer') return (verb === 'authorize' && gone(reply)) || failedQuestion(reply)
  return verb === 'void' ? (calledOff(reply.answer, money) ?? { is: 'not_found' }) : yield* stateOf(reply.answer, money, account)
}

/** No request is needed, because only this service could save the payment method. */
const calledOff = ({ id, status }: Setup, money: Money): Outcome | null =>
  status === 'VAULTED' || status === 'TOKENIZED' ? null : doneWith(id, money, { held_nothing: true })

export function* callOffSetUp({ authorization, money }: RequestOf<'void'>, account: Account): Conversation {
  const reply = authorization.reference === null ? null : yield* lookAtSetup(authorization.reference, account)
  if (reply?.is !== 'answer') return { is: 'not_sent', why: 'the setup token could not be read at the processor' }
  return calledOff(reply.answer, money) ?? declinedWith('not_allowed', reply.answer.status, 'It is kept already.', reply.answer.id)
}
