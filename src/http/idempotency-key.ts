import { canonical } from '../base/canonical.ts'
import { holdsCardNumber } from '../base/card-number.ts'
import { refuse } from '../base/refusal.ts'
import { lastingPart } from '../instruments/input.ts'
import type { Who } from './credentials.ts'
import type { ApiRequest, Endpoint } from './endpoint.ts'
import { type IdempotentAnswer, type Keyed, LONGEST_KEY, once } from './idempotency.ts'
import { shownTo } from './personal-data-mask.ts'

// Identifies a request by its Idempotency-Key, and runs it under that key.

/** Returns the scope and the digest that identify a request. */
export const identityOf = ({ context, who, body, query }: ApiRequest, url: string): Pick<Keyed, 'scope' | 'digest'> => ({
  scope: `${who.is} POST ${url.split('?')[0]}`,
  digest: context.vault.digest('request body', canonical(lastingPart(body)) + asked(query)),
})

/** Returns the query of a request in canonical form: the query identifies a request as well as its body does. */
const asked = (query: object): string => (Object.keys(query).length === 0 ? '' : `?${canonical(query)}`)

/** Returns the key as stored. `opened`: the id of the object whose client_secret opened the operation. */
export function keyedAs(call: ApiRequest, key: string, url: string, opened: string | null): Keyed {
  if (key.length === 0 || key.length > LONGEST_KEY || !/^[\x21-\x7e]+$/.test(key))
    refuse('malformed', { field: 'Idempotency-Key', expected: `1 to ${LONGEST_KEY} visible ASCII characters` })
  const { context, who } = call
  // Any number may be a key, but a number that resembles a card number must not stand in a row.
  const kept = holdsCardNumber(key) ? context.vault.digest('idempotency key', key) : key
  const owner = opened ?? keyOwner(who)
  return {
    // No merchant can have the id @admin.
    merchant_id: 'merchant' in who ? who.merchant.merchant_id : '@admin',
    // One key differs by merchant, customer's browser and platform. No key contains a space and no id an @.
    key: owner === null ? kept : `${owner} ${kept}`,
    ...identityOf(call, url),
  }
}

/** Runs an operation under its Idempotency-Key, or returns its stored answer. */
export function answerUnder(endpoint: Endpoint, call: ApiRequest, keyed: Keyed): Promise<IdempotentAnswer> {
  const shown = shownTo(call.who, endpoint.tag.confidential)
  const work = async (claimed: ApiRequest['context']) => {
    const result = shown.result(await endpoint.run({ ...call, context: claimed }))
    return JSON.stringify('json' in result ? result.json : null)
  }
  const { replay } = endpoint
  const show = async (object_id: string) => JSON.stringify(shown.json(await replay?.(call, object_id)))
  return once(call.context, keyed, work, replay ? { show, kinds: call.services.kinds } : null)
}

/** The owner, for callers whose keys are separate from those of the merchant's API keys; else null. */
function keyOwner(who: Who): string | null {
  if ('user' in who && who.user) return `@${who.user.user_id}`
  if (who.is === 'ephemeral') return who.key_id
  return who.is === 'secret' && who.platform !== null ? `@${who.platform}` : null
}
