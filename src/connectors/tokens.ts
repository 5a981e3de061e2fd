import type { Secret } from '../base/secret.ts'
import { between } from '../base/time.ts'
import type { Context, Reply, Request } from '../context.ts'
import type { Account } from './connector.ts'
import type { Grant, TokenRequest } from './conversation.ts'

/**
 * The access token of an account. `grant`: the processor's answer; `token`: null while it is being fetched; `asked`:
 * when it was requested; `good_ms`: for how long it is used, in milliseconds.
 */
type Held = { grant: Promise<Grant>; token: Secret | null; asked: string; good_ms: number }

/**
 * The access tokens, by the opened account to which they belong. An account that is changed, disabled or no longer
 * used is opened anew or not at all (`accounts/settings.ts`), and its token is dropped with the old object: nothing
 * must be cleared, and nothing grows.
 */
const held = new WeakMap<Account, Held>()

/**
 * How long before its end a token is no longer used, so that it does not expire on its way to the processor: a minute,
 * or half the token's life if that is shorter.
 */
const MARGIN_MS = 60_000

/** The maximum number of requests to fetch one token; more are an endless loop. */
const LONGEST = 3

/**
 * Returns the access token of an account: the known one while it is valid; otherwise a new one, which all concurrent
 * callers share. A failed attempt is not kept.
 */
export function tokenOf(
  account: Account,
  tokenRequest: TokenRequest,
  now: Context['now'],
  send: (request: Request) => Promise<Reply>,
): Promise<Grant> {
  const known = held.get(account)
  if (known && (known.token === null || (known.token !== tokenRequest.instead_of && between(known.asked, now()) < known.good_ms)))
    return known.grant
  const fresh: Held = { grant: fetched(tokenRequest, send), token: null, asked: now(), good_ms: 0 }
  held.set(account, fresh)
  fresh.grant.then(grant => {
    if (grant.is === 'granted') {
      const life = grant.expires_in_s * 1000
      fresh.token = grant.token
      fresh.good_ms = life - Math.min(MARGIN_MS, life / 2)
    } else if (held.get(account) === fresh) held.delete(account)
  })
  return fresh.grant
}

/** Fetches a token. Never throws. */
async function fetched({ fetch }: TokenRequest, send: (request: Request) => Promise<Reply>): Promise<Grant> {
  try {
    const conversation = fetch()
    let step = conversation.next()
    for (let n = 0; !step.done; n++) {
      if (n === LONGEST) return { is: 'unavailable', why: 'too many requests for one token' }
      step = conversation.next(await send(step.value))
    }
    return step.value
  } catch {
    return { is: 'unavailable', why: 'the connector failed to request a token' }
  }
}
