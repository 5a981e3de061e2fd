import type { Secret } from '../base/secret.ts'
import { between } from '../base/time.ts'
import type { Context, Reply, Request } from '../context.ts'
import type { Account } from './connector.ts'
import type { Grant, TokenRequest } from './conversation.ts'

/** `token`: null while it is being fetched; `good_ms`: for how long it is used. */
type Held = { grant: Promise<Grant>; token: Secret | null; asked: string; good_ms: number }

/** By opened account: one that changes is opened anew (`accounts/settings.ts`); its token goes with the old object. */
const held = new WeakMap<Account, Held>()

/** So that a token does not expire on its way: a minute, or half its life if that is shorter. */
const MARGIN_MS = 60_000

const LONGEST = 3

/** All concurrent callers share a new one. A failed attempt is not kept. */
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
      if (n === LONGEST) return { is: 'unavailable', why: 'too many requests for one token' }
      step = conversation.next(await send(step.value))
    }
    return step.value
  } catch {
    return { is: 'unavailable', why: 'the connector failed to request a token' }
  }
}
