import { findConnectorAccount, type Merchant } from '../../accounts/merchant.ts'
import { withoutCardNumbers } from '../../base/card-number.ts'
import { Secret } from '../../base/secret.ts'
import { redact } from '../../connectors/kit/text.ts'
import type { Context } from '../../context.ts'

/** Processors' answers for a server that requests all keys (`all_keys_required`): never stored, and shown once. */

const LONGEST = 32_768
/** Shorter texts occur in others by chance: a security code is blanked only where it is a value by itself. */
const SHORTEST_SECRET = 6

type Talks = { context: Context; merchant: Merchant }

/**
 * Returns the call with a `send` that records answers, and `lastReply`: the last answer without the account's keys and
 * the instrument's data (`sent`); null if no request was sent.
 */
export function recordReplies<C extends Talks>(call: C, sent: unknown): { call: C; lastReply(): string | null } {
  const { context, merchant } = call
  const texts = textsIn(sent)
  const secrets = texts.filter(text => text.length >= SHORTEST_SECRET).map(text => new Secret(text))
  let last: string | null = null
  const send: Context['send'] = async (request, sender) => {
    const reply = await context.send(request, sender)
    if (reply.is === 'reply') {
      const keys = Object.values(findConnectorAccount(merchant, sender.merchant_connector_id)?.account.credentials ?? {})
      last = withoutCardNumbers(redact(reply.body.slice(0, LONGEST), [...keys, ...secrets])).toWellFormed()
      for (const text of texts) if (/^\d{3,4}$/.test(text)) last = last.replaceAll(`"${text}"`, '"[secret]"')
    }
    return reply
  }
  return { call: { ...call, context: { ...context, send } }, lastReply: () => last }
}

/** Returns all texts in a value, except those of an address. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, inner]) => (name === 'billing' || name === 'country' ? [] : textsIn(inner)))
}
