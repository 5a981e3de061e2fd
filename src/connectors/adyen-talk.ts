import type { Secret } from '../base/secret.ts'
import type { Request } from '../context.ts'
import { readRefused } from './adyen-wire.ts'
import type { Account, Outcome } from './connector.ts'
import { unknown } from './parse-reply.ts'
import { plainText } from './text.ts'

/** How Adyen is asked, and what its errors mean. */

/**
 * A request with everything that each has; or why there is none: the account lacks something, or the amount cannot be
 * expressed.
 */
export function requestTo(account: Account, path: string, key: string, body: object | null): Request | Outcome {
  const base = baseOf(account)
  const { api_key, key1 } = account.credentials
  if (!api_key || !key1) return misconfigured('The connector account has no api_key or no key1 (the merchant account).')
  if (base === null) return misconfigured('The connector account has no endpoint_prefix, which the live URL requires.')
  if (body === null) return { is: 'not_sent', why: 'the processor does not support this amount' }
  return {
    method: 'POST',
    url: base + path,
    headers: { 'x-api-key': api_key.reveal(), 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  }
}

export function baseOf({ base_url, metadata }: Account): string | null {
  if (base_url !== '') return base_url.endsWith('/') ? base_url.slice(0, -1) : base_url
  const { endpoint_prefix } = metadata
  return typeof endpoint_prefix === 'string' ? `https://${endpoint_prefix}-checkout-live.adyenpayments.com/checkout/v71` : null
}

export const adyenSecrets = ({ credentials }: Account): Secret[] => (credentials.api_key ? [credentials.api_key] : [])

/** An error of the contract: nothing happened. */
export function refusedOf(status: number, body: unknown): Outcome {
  const refused = readRefused(status, body)
  if (!refused) return unknown(`invalid response (HTTP ${status})`)
  const { code, code_said, said } = refused
  if (code === 'later') return { is: 'not_sent', why: 'the processor asks for a later retry' }
  const words = code === 'configuration' ? `The processor refused the credentials of this connector account: ${said}` : said
  return { is: 'declined', reference: null, code, code_said, said: plainText(words), facts: {} }
}

export const misconfigured = (said: string): Outcome => ({
  is: 'declined',
  reference: null,
  code: 'configuration',
  code_said: '',
  said,
  facts: {},
})
