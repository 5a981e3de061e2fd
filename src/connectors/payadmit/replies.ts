import type { Money } from '../../base/money.ts'
import { moneyOf } from '../kit/decimal.ts'
import { type Refused, refusedBy } from '../kit/parse-reply.ts'
import { isAddress, isId, isOneOf, isRecord, isWord } from '../kit/read.ts'

/** What PayAdmit writes. A body that is not as its pages say is null: it is never half believed. */

export const states = ['PENDING', 'COMPLETED', 'DECLINED', 'CANCELLED', 'ERROR'] as const
export const payadmitPaymentTypes = ['DEPOSIT', 'REFUND', 'WITHDRAWAL'] as const
export type PayadmitPaymentType = (typeof payadmitPaymentTypes)[number]

/** A payment, a refund, a payout: all of it is one kind of object. */
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

/** One payment: the answer to a creation, or to a question by its id. */
export const readAnswer = (body: unknown): PayadmitPayment | null =>
  isRecord(body) && body.status === 200 ? readPayment(body.result) : null

/**
 * Several, as they are listed. A payment that makes no sense spoils the list only for a request that looks for that
 * payment.
 */
export function readList(body: unknown): unknown[] | null {
  return isRecord(body) && body.status === 200 && Array.isArray(body.result) ? body.result : null
}

/** Whose is it? Of an item that may make no sense otherwise. */
export const isOf = (item: unknown, referenceId: string): boolean => isRecord(item) && item.referenceId === referenceId

const errors = { 400: 'invalid_request', 401: 'configuration', 403: 'configuration', 404: 'not_found', 422: 'invalid_request' } as const

/** An error says its own status again, and what is wrong; it has no result. */
export const readRefused = (status: number, body: unknown): Refused | null =>
  isRecord(body) && body.status === status && !('result' in body) ? refusedBy(errors, status, body.message) : null
