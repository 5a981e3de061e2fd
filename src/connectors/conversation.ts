import type { Secret } from '../base/secret.ts'
import type { Reply, Request } from '../context.ts'
import type { Buyer } from './purchase.ts'

/**
 * What a conversation may say besides requests, and how: `yield* noting(…)`, `yield* withToken(…)`. Who carries it
 * (`converse.ts`) does what it says.
 */

/** A name the processor gave: it is written down, durably, before anything more is said. */
export type Note = { note: string }

/** A processor's answer to who wants an access token. It lives as long as the processor says. */
export type Grant =
  | { is: 'granted'; token: Secret; expires_in_s: number }
  /** The credentials are no good. */
  | { is: 'refused'; said: string }
  | { is: 'unheard'; why: string }

/** How an access token is had: a conversation of its own, which moves no money. */
export type FetchToken = () => Generator<Request, Grant, Reply>

/** Wants the account's access token: the one that is known, unless it is `instead_of`. */
export type TokenRequest = { fetch: FetchToken; instead_of: Secret | null }

/**
 * The customer who pays, as the merchant keeps them: what is said of them, and what the processor calls them at this
 * account, if it was told before.
 */
export type KnownCustomer = Buyer & { reference: string | null }

/** Wants the customer; or tells what the processor calls them, which is kept, also if the payment fails. */
export type CustomerStep = { customer: 'known' } | { customer: 'called'; reference: string }

export type ConversationStep = Request | Note | TokenRequest | CustomerStep

/**
 * Writes down what the processor calls this operation. What comes after is said only if it is written, and only if
 * nothing else has ended the operation meanwhile.
 */
export function* noting(reference: string): Generator<ConversationStep, void, unknown> {
  yield { note: reference }
}

/** The customer who pays; null where the merchant keeps none. */
export function* knownCustomer(): Generator<ConversationStep, KnownCustomer | null, unknown> {
  return (yield { customer: 'known' }) as KnownCustomer | null
}

/** What the processor calls the customer at this account: made before money, and used again by later payments. */
export function* callingCustomer(reference: string): Generator<ConversationStep, void, unknown> {
  yield { customer: 'called', reference }
}

/** The account's access token. */
export function* tokenBy(fetch: FetchToken, instead_of: Secret | null = null): Generator<ConversationStep, Grant, unknown> {
  return (yield { fetch, instead_of }) as Grant
}

/**
 * A request with the account's access token. A 401 says that nothing happened and that the token is no good any more:
 * then, once, with a new one. Without a token nothing is sent, and why there is none comes back in the reply's place.
 */
export function* withToken(
  fetch: FetchToken,
  request: (token: Secret) => Request,
): Generator<ConversationStep, Reply | Exclude<Grant, { is: 'granted' }>, Reply> {
  const first = yield* tokenBy(fetch)
  if (first.is !== 'granted') return first
  const reply = yield request(first.token)
  if (reply.is !== 'reply' || reply.status !== 401) return reply
  const second = yield* tokenBy(fetch, first.token)
  return second.is === 'granted' ? yield request(second.token) : second
}
