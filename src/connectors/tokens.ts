import type { Secret } from '../base/secret.ts'
import { between } from '../base/time.ts'
import type { Context, Reply, Request } from '../context.ts'
import type { Account } from './connector.ts'
import type { Grant, TokenRequest } from './conversation.ts'

/** What is held of an account's token; `token` is null while it is being fetched. */
type Held = { grant: Promise<Grant>; token: Secret | null; asked: string; good_ms: number }

/**
 * Access tokens by the opened account they belong to. An account that is changed, disabled or not used any more is
 * opened anew or not at all (`accounts/settings.ts`), and its token goes with the old one: there is nothing to clear
 * and nothing that grows.
 */
const held = new WeakMap<Account, Held>()

/**
 * A token is let go so long before its end, that it does not end on its way: a minute, or half its life if that is
 * shorter.
 */
const MARGIN_MS = 60_000

/** Requests of one fetching; more are running in circles. */
const LONGEST = 3

/**
 * The access token of an account: the one held, while it is good; otherwise a new one, which all who ask meanwhile
 * share. A fetching that failed is not held.
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

/** Never throws. */
async function fetched({ fetch }: TokenRequest, send: (request: Request) => Promise<Reply>): Promise<Grant> {
  try {
    const conversation = fetch()
    let step = conversation.next()
    for (let n = 0; !step.done; n++) {
      if (n === LONGEST) return { is: 'unheard', why: 'too many requests for one token' }
      step = conversation.next(await send(step.value))
    }
    return step.value
  } catch {
    return { is: 'unheard', why: 'the connector failed to request a token' }
  }
}
