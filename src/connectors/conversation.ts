import type { Secret } from '../base/secret.ts'
import type { Reply, Request } from '../context.ts'
import type { Buyer } from './purchase.ts'

/** The steps besides requests: `yield* noting(…)`, `yield* withToken(…)`. `converse.ts` carries them out. */

/** An id that the processor gave: stored durably before the conversation continues. */
type Note = { note: string }

/** The processor's answer to a request for an access token. The token is valid for as long as the processor says. */
export type Grant =
  | { is: 'granted'; token: Secret; expires_in_s: number }
  | { is: 'refused'; message: string }
  | { is: 'unavailable'; why: string }

/** A conversation of its own, which moves no money. */
export type FetchToken = () => Generator<Request, Grant, Reply>

/** A known token is used, unless it is `instead_of` (which the processor refused). */
export type TokenRequest = { fetch: FetchToken; instead_of: Secret | null }

/** `reference`: the processor's id of the customer at this account. */
export type KnownCustomer = Buyer & { reference: string | null }

/** `called`: the processor's id of the customer, stored even if the payment fails. */
export type CustomerStep = { customer: 'known' } | { customer: 'called'; reference: string }

export type ConversationStep = Request | Note | TokenRequest | CustomerStep

/** The conversation continues once the id is stored, and only if nothing else has ended the operation. */
export function* noting(reference: string): Generator<ConversationStep, void, unknown> {
  yield { note: reference }
}

/** Null if the merchant stores none. */
export function* knownCustomer(): Generator<ConversationStep, KnownCustomer | null, unknown> {
  return (yield { customer: 'known' }) as KnownCustomer | null
}

/** Made before any money moves, and used again by later payments. */
export function* notingCustomer(reference: string): Generator<ConversationStep, void, unknown> {
  yield { customer: 'called', reference }
}

function* tokenBy(fetch: FetchToken, instead_of: Secret | null = null): Generator<ConversationStep, Grant, unknown> {
  return (yield { fetch, instead_of }) as Grant
}

/**
 * Sends a request with the account's access token. A 401 means that nothing happened and the token is no longer valid:
 * it is sent once more with a new token. Without a token nothing is sent: the reason is returned.
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
