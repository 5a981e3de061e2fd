import type { Account } from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { type ReplyReader, readerOf } from '../kit/parse-reply.ts'
import type { Unit } from '../kit/unit.ts'
import { settingOf } from '../settings.ts'
import { type Collection, readCollection } from './replies.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/**
 * Returns the headers of a request. `api_key` is a public key, and does not prove who the caller is. `signs`: the text
 * that the `x-module` variant of the headers repeats.
 */
export function headersOf(account: Account, signs: string): Record<string, string> {
  const key = base64(credentialOf(account).reveal())
  const more = settingOf(account, 'headers') === 'x-module' ? { 'x-module': base64(signs) } : { 'x-api-key': key }
  return { 'x-app': 'api', 'x-business': key, ...more, 'content-type': 'application/json' }
}

/** Parses a collection. No error response is documented, so none counts as a decline. */
export const collectionReply = (unit: Unit): ReplyReader<Collection> =>
  readerOf(
    body => readCollection(body, unit),
    () => null,
  )

/** Returns the adapter that pays out for this account; null if the account's settings name none. */
export function adapterOf(account: Account): Account | null {
  const place = settingOf(account, 'payout_url')
  return place === undefined ? null : { ...account, base_url: place.replace(/(?<!\/)\/+$/, '') }
}

export const LACKS_ADAPTER = 'The connector account has no metadata.payout_url, the URL of the payout adapter.'
