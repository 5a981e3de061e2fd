import { canonical } from '../base/canonical.ts'
import { holdsCardNumber } from '../base/card-number.ts'
import { refuse } from '../base/refusal.ts'
import { lastingPart } from '../instruments/input.ts'
import type { Endpoint, EndpointCall } from './endpoint.ts'
import { type IdempotentAnswer, type Keyed, LONGEST_KEY, once } from './idempotency.ts'
import { shownTo } from './masked.ts'
import type { Who } from './who.ts'

// A request as its Idempotency-Key knows it, and what it is answered under that.

/** What makes a request this one and no other. */
export const identityOf = ({ context, who, body, query }: EndpointCall, url: string): Pick<Keyed, 'scope' | 'digest'> => ({
  scope: `${who.is} POST ${url.split('?')[0]}`,
  digest: context.vault.digest('request body', canonical(lastingPart(body)) + asked(query)),
})

/** What is asked for in the address is part of a request as well. */
const asked = (query: object): string => (Object.keys(query).length === 0 ? '' : `?${canonical(query)}`)

/** A request under its key. `opened`: the object whose client_secret opened the operation, where one did. */
export function keyedAs(call: EndpointCall, key: string, url: string, opened: string | null): Keyed {
  if (key.length === 0 || key.length > LONGEST_KEY || !/^[\x21-\x7e]+$/.test(key))
    refuse('malformed', { field: 'Idempotency-Key', expected: `1 to ${LONGEST_KEY} visible ASCII characters` })
  const { context, who } = call
  // Any number may be a key, but none that looks like a card's may stand in a row.
  const kept = holdsCardNumber(key) ? context.vault.digest('idempotency key', key) : key
  const whose = opened ?? whoseKey(who)
  return {
    // No merchant is called @admin: the id could not be one.
    merchant_id: 'merchant' in who ? who.merchant.merchant_id : '@admin',
    // A shopper's key is another than the merchant's of the same name, and than any other shopper's; so is the
    // platform's: no key has a blank in it, and no id an @.
    key: whose === null ? kept : `${whose} ${kept}`,
    ...identityOf(call, url),
  }
}

/** Runs an operation under its key, or answers again what it answered. */
export function answerUnder(endpoint: Endpoint, call: EndpointCall, keyed: Keyed): Promise<IdempotentAnswer> {
  const shown = shownTo(call.who, endpoint)
  const story = async (claimed: EndpointCall['context']) => {
    const result = shown.result(await endpoint.run({ ...call, context: claimed }))
    return JSON.stringify('json' in result ? result.json : null)
  }
  const { current } = endpoint
  const show = async (object_id: string) => JSON.stringify(shown.json(await current?.(call, object_id)))
  return once(call.context, keyed, story, current ? { show, kinds: call.services.kinds } : null)
}

/** Whose an Idempotency-Key is, of those that a merchant does not share with all of its keys. */
function whoseKey(who: Who): string | null {
  if ('user' in who && who.user) return `@${who.user.user_id}`
  if (who.is === 'ephemeral') return who.key_id
  return who.is === 'secret' && who.platform !== null ? `@${who.platform}` : null
}
