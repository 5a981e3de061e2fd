import type { Money } from '../../base/money.ts'
import { moneyOf } from '../kit/decimal.ts'
import { type Refused, refusedBy } from '../kit/parse-reply.ts'
import { isAddress, isId, isOneOf, isRecord, isWord } from '../kit/read.ts'

/** Reads PayAdmit's responses. A body that does not match the documentation is read as null: no part of it is used. */

const states = ['PENDING', 'COMPLETED', 'DECLINED', 'CANCELLED', 'ERROR'] as const
const payadmitPaymentTypes = ['DEPOSIT', 'REFUND', 'WITHDRAWAL'] as const
export type PayadmitPaymentType = (typeof payadmitPaymentTypes)[number]

/** A payment, a refund or a payout: PayAdmit has one kind of object for all of them. */
export type PayadmitPayment = {
  id: string
  referenceId: string
  paymentType: PayadmitPaymentType
  state: (typeof states)[number]
  money: Money
  redirectUrl: string | null
  errorCode: string
  externalResultCode: string | null
}

export function readPayment(body: unknown): PayadmitPayment | null {
  if (!isRecord(body)) return null
  const { id, referenceId, paymentType, state, amount, currency, redirectUrl = null, errorCode = null, externalResultCode = null } = body
  const money = moneyOf(amount, currency)
  if (!isId(id) || !isId(referenceId) || !isOneOf(payadmitPaymentTypes, paymentType) || !isOneOf(states, state) || money === null)
    return null
  if (redirectUrl !== null && !isAddress(redirectUrl)) return null
  if ((errorCode !== null && !isWord(errorCode)) || (externalResultCode !== null && !isWord(externalResultCode))) return null
  return { id, referenceId, paymentType, state, money, redirectUrl, errorCode: errorCode ?? '', externalResultCode }
}

/** Reads one payment: the response to its creation, or to a lookup by its id. */
export const readAnswer = (body: unknown): PayadmitPayment | null =>
  isRecord(body) && body.status === 200 ? readPayment(body.result) : null

/**
 * Reads a list of payments. Its items are not parsed yet: an invalid one matters only to the request that looks for
 * this payment.
 */
export function readList(body: unknown): unknown[] | null {
  return isRecord(body) && body.status === 200 && Array.isArray(body.result) ? body.result : null
}

/** Whether a list item has this request id, even if the item is otherwise invalid. */
export const isOf = (item: unknown, referenceId: string): boolean => isRecord(item) && item.referenceId === referenceId

const errors = { 400: 'invalid_request', 401: 'configuration', 403: 'configuration', 404: 'not_found', 422: 'invalid_request' } as const

/** Reads an error response, which repeats its own status, and has a message and no result. */
export const readRefused = (status: number, body: unknown): Refused | null =>
  isRecord(body) && body.status === status && !('result' in body) ? refusedBy(errors, status, body.message) : null
