import type { Secret } from '../base/secret.ts'
import type { Reply, Request } from '../context.ts'
import type { Buyer } from './purchase.ts'

/**
 * The steps of a conversation besides requests, and the functions that yield them: `yield* noting(…)`, `yield*
 * withToken(…)`. `converse.ts` runs conversations and carries out each step.
 */

/** An id that the processor gave: stored durably before the conversation continues. */
type Note = { note: string }

/** The processor's answer to a request for an access token. The token is valid for as long as the processor says. */
export type Grant =
  | { is: 'granted'; token: Secret; expires_in_s: number }
  /** The credentials are invalid. */
  | { is: 'refused'; message: string }
  | { is: 'unavailable'; why: string }

/** The requests that obtain an access token: a conversation of its own, which moves no money. */
export type FetchToken = () => Generator<Request, Grant, Reply>

/**
 * The request for the account's access token. A known token is used, unless it is `instead_of` (the token that the
 * processor refused).
 */
export type TokenRequest = { fetch: FetchToken; instead_of: Secret | null }

/**
 * The paying customer, as the merchant stores them: name, contact data, and the processor's id of the customer at this
 * account, null if none is known.
 */
export type KnownCustomer = Buyer & { reference: string | null }

/**
 * The request for the paying customer (`known`), or the processor's id of the customer (`called`), which is stored
 * even if the payment fails.
 */
export type CustomerStep = { customer: 'known' } | { customer: 'called'; reference: string }

export type ConversationStep = Request | Note | TokenRequest | CustomerStep

/**
 * Stores the processor's id of this operation. The conversation continues only once the id is stored, and only if
 * nothing else has ended the operation meanwhile.
 */
export function* noting(reference: string): Generator<ConversationStep, void, unknown> {
  yield { note: reference }
}

/** Returns the paying customer; null if the merchant stores none. */
export function* knownCustomer(): Generator<ConversationStep, KnownCustomer | null, unknown> {
  return (yield { customer: 'known' }) as KnownCustomer | null
}

/**
 * Stores the processor's id of the customer at this account: made before any money moves, and used again by later
 * payments.
 */
export function* callingCustomer(reference: string): Generator<ConversationStep, void, unknown> {
  yield { customer: 'called', reference }
}

/** Returns the account's access token. */
function* tokenBy(fetch: FetchToken, instead_of: Secret | null = null): Generator<ConversationStep, Grant, unknown> {
  return (yield { fetch, instead_of }) as Grant
}

/**
 * Sends a request with the account's access token. A 401 means that nothing happened and that the token is no longer
 * valid: the request is then sent once more with a new token. Without a token nothing is sent, and the reason is
 * returned instead of the reply.
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
