import type { Money } from '../../base/money.ts'
import type { DeclineCode } from '../connector.ts'
import { isAddress, isId, isRecord, tableOf } from '../kit/read.ts'
import { moneyIn, type Unit } from '../kit/unit.ts'

/** Reads 54Pay's responses. A body that does not match the documentation is read as null: no part of it is used. */

/**
 * 54Pay's response codes. Only one is published, 09 for PENDING, which is "request in progress" in ISO 8583. Therefore
 * the codes are read as in that standard, and other codes are not.
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
  /** 54Pay's id of the collection, if the response contains one. */
  reference: string | null
  means: 'done' | 'waiting' | DeclineCode
  code: string
  message: string
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
    message: responseMessage,
    money,
    url: redirectionRequired ? (redirectionUrl as string) : null,
  }
}

/** Returns the id of the transaction that a callback is about. */
export const readNamed = (body: unknown): string | null =>
  isRecord(body) && isId(body.transactionReference) ? body.transactionReference : null
