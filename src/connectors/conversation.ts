import type { Secret } from '../base/secret.ts'
import type { Reply, Request } from '../context.ts'

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

export type ConversationStep = Request | Note | TokenRequest

/**
 * Writes down what the processor calls this operation. What comes after is said only if it is written, and only if
 * nothing else has ended the operation meanwhile.
 */
export function* noting(reference: string): Generator<ConversationStep, void, unknown> {
  yield { note: reference }
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
