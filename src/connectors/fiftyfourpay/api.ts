import type { Money } from '../../base/money.ts'
import type { Account, DeclineCode, Outcome } from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { declinedWith, type ReplyReader, readerOf, unknown } from '../kit/parse-reply.ts'
import { isAddress, isId, isRecord, tableOf } from '../kit/read.ts'
import { moneyIn, type Unit } from '../kit/unit.ts'
import { settingOf } from '../settings.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** `api_key` is public, and proves nothing. `signs`: the text that the `x-module` variant of the headers repeats. */
export function headersOf(account: Account, signs: string): Record<string, string> {
  const key = base64(credentialOf(account).reveal())
  const more = settingOf(account, 'headers') === 'x-module' ? { 'x-module': base64(signs) } : { 'x-api-key': key }
  return { 'x-app': 'api', 'x-business': key, ...more, 'content-type': 'application/json' }
}

/** No error response is documented, so none counts as a decline. */
export const collectionReply = (unit: Unit): ReplyReader<Collection> =>
  readerOf(
    body => readCollection(body, unit),
    () => null,
  )

/** Null if the account's settings name none. */
export function adapterOf(account: Account): Account | null {
  const place = settingOf(account, 'payout_url')
  return place === undefined ? null : { ...account, base_url: place.replace(/(?<!\/)\/+$/, '') }
}

export const LACKS_ADAPTER = 'The connector account has no metadata.payout_url, the URL of the payout adapter.'

/** A body that does not match the documentation is read as null: no part of it is used. */

/** Only 09 for PENDING is published, "request in progress" in ISO 8583: the codes are read as in that standard. */
const codes = tableOf<'done' | 'waiting' | DeclineCode>({
  '00': 'done',
  '09': 'waiting',
  '05': 'card_declined',
  '51': 'insufficient_funds',
  '57': 'not_supported',
  '96': 'processing_error',
})

type Collection = {
  transactionReference: string
  reference: string | null
  means: 'done' | 'waiting' | DeclineCode
  code: string
  message: string
  money: Money | null
  url: string | null
}

function readCollection(body: unknown, unit: Unit): Collection | null {
  const details = isRecord(body) ? body.responseDetails : null
  if (!isRecord(body) || !isRecord(details)) return null
  const {
    transactionReference,
    transactionId = null,
    transactionAmount,
    transactionCurrency,
    redirectionRequired = false,
    redirectionUrl = null,
  } = body
  const { responseCode, responseMessage } = details
  const means = typeof responseCode === 'string' ? codes[responseCode] : undefined
  if (!isId(transactionReference) || means === undefined || typeof responseMessage !== 'string') return null
  if ((transactionId !== null && !isId(transactionId)) || typeof redirectionRequired !== 'boolean') return null
  const money = transactionAmount === undefined ? null : moneyIn(unit, transactionAmount, transactionCurrency)
  if (transactionAmount !== undefined && money === null) return null
  if (redirectionRequired && !isAddress(redirectionUrl)) return null
  return {
    transactionReference,
    reference: transactionId,
    means,
    code: String(responseCode),
    message: responseMessage,
    money,
    url: redirectionRequired ? (redirectionUrl as string) : null,
  }
}

export const readNamed = (body: unknown): string | null =>
  isRecord(body) && isId(body.transactionReference) ? body.transactionReference : null

export function outcomeOf({ transactionReference, reference, means, code, message, money, url }: Collection, request_id: string): Outcome {
  if (transactionReference !== request_id) return unknown('the response is for another collection')
  if (means === 'waiting')
    return { is: 'waiting', reference: reference ?? request_id, ...(url !== null && { next_action: { type: 'redirect_to_url', url } }) }
  if (means !== 'done') return declinedWith(means, code, message, reference ?? request_id)
  if (money === null) return unknown('collected, but the amount is missing')
  return { is: 'done', reference: reference ?? request_id, request_id, amount: money, captured: money, facts: {} }
}
