import { findConnectorAccount, type Merchant } from '../../accounts/merchant.ts'
import { withoutCardNumbers } from '../../base/card-number.ts'
import { Secret } from '../../base/secret.ts'
import { redact } from '../../connectors/kit/text.ts'
import type { Context } from '../../context.ts'

/**
 * What processors said while a call ran, for a server that wants all keys (`all_keys_required`): kept nowhere, and
 * shown once.
 */

const LONGEST = 32_768
/** Shorter texts stand in others by chance. A security code is blanked where it is a value by itself. */
const SHORTEST_SECRET = 6

type Talks = { context: Context; merchant: Merchant }

/**
 * The call as it is asked, and `said`: what was heard last, without the account's keys and what was sent to pay with;
 * null without a request. `sent`: what the request brought to pay with.
 */
export function hearing<C extends Talks>(call: C, sent: unknown): { call: C; said(): string | null } {
  const { context, merchant } = call
  const texts = textsIn(sent)
  const secrets = texts.filter(text => text.length >= SHORTEST_SECRET).map(text => new Secret(text))
  let heard: string | null = null
  const send: Context['send'] = async (request, sender) => {
    const reply = await context.send(request, sender)
    if (reply.is === 'reply') {
      const keys = Object.values(findConnectorAccount(merchant, sender.merchant_connector_id)?.account.credentials ?? {})
      heard = withoutCardNumbers(redact(reply.body.slice(0, LONGEST), [...keys, ...secrets])).toWellFormed()
      for (const text of texts) if (/^\d{3,4}$/.test(text)) heard = heard.replaceAll(`"${text}"`, '"[secret]"')
    }
    return reply
  }
  return { call: { ...call, context: { ...context, send } }, said: () => heard }
}

/** All texts in a value, but for those of an address. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, inner]) => (name === 'billing' || name === 'country' ? [] : textsIn(inner)))
}
