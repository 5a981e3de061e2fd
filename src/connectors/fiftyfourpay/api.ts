import type { Account } from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { type ReplyReader, readerOf } from '../kit/parse-reply.ts'
import type { Unit } from '../kit/unit.ts'
import { settingOf } from '../settings.ts'
import { type Collection, readCollection } from './replies.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** `api_key` is a public key: a caller proves nothing by it. `signs`: what the other variant wants to see again. */
export function headersOf(account: Account, signs: string): Record<string, string> {
  const key = base64(credentialOf(account).reveal())
  const more = settingOf(account, 'headers') === 'x-module' ? { 'x-module': base64(signs) } : { 'x-api-key': key }
  return { 'x-app': 'api', 'x-business': key, ...more, 'content-type': 'application/json' }
}

/** No error is known: none is a no. */
export const collectionReply = (unit: Unit): ReplyReader<Collection> =>
  readerOf(
    body => readCollection(body, unit),
    () => null,
  )

/** The adapter that pays out for this account; null where the account names none. */
export function adapterOf(account: Account): Account | null {
  const place = settingOf(account, 'payout_url')
  return place === undefined ? null : { ...account, base_url: place.replace(/\/+$/, '') }
}

export const LACKS_ADAPTER = 'The connector account has no metadata.payout_url, the URL of the payout adapter.'
