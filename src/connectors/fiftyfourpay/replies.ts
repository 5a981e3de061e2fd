import type { Money } from '../../base/money.ts'
import type { DeclineCode } from '../connector.ts'
import { isAddress, isId, isRecord, tableOf } from '../kit/read.ts'
import { moneyIn, type Unit } from '../kit/unit.ts'

/** What 54Pay writes. A body that is not as its pages say is null: it is never half believed. */

/**
 * Its response codes. Published is one, 09 for PENDING, which is what ISO 8583 calls "request in progress": so these
 * are read as that standard has them, and no other is.
 */
const codes = tableOf<'done' | 'waiting' | DeclineCode>({
  '00': 'done',
  '09': 'waiting',
  '05': 'card_declined',
  '51': 'insufficient_funds',
  '57': 'not_supported',
  '96': 'processing_error',
})

export type Collection = {
  transactionReference: string
  /** Its own name, where it says one. */
  reference: string | null
  means: 'done' | 'waiting' | DeclineCode
  code: string
  said: string
  money: Money | null
  url: string | null
}

export function readCollection(body: unknown, unit: Unit): Collection | null {
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
    said: responseMessage,
    money,
    url: redirectionRequired ? (redirectionUrl as string) : null,
  }
}

/** Which transaction a callback is about. */
export const readNamed = (body: unknown): string | null =>
  isRecord(body) && isId(body.transactionReference) ? body.transactionReference : null
