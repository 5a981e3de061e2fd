import type { Money } from '../../base/money.ts'
import type { Secret } from '../../base/secret.ts'
import type { Request } from '../../context.ts'
import type { Account, Conversation, Outcome } from '../connector.ts'
import type { Card } from '../instrument.ts'
import { credentialOf } from '../kit/credentials.ts'
import { majorNumberOf, moneyOf } from '../kit/decimal.ts'
import { declinedWith, failedOutcome, parseReply, type Refused, readerOf, refusedBy, unknown } from '../kit/parse-reply.ts'
import { isAddress, isId, isOneOf, isRecord, isWord } from '../kit/read.ts'
import { bearerOf, getRequest, jsonRequest } from '../kit/request.ts'

type PaymentBody = {
  referenceId: string
  paymentType: PayadmitPaymentType
  parentPaymentId?: string
  paymentMethod?: 'BASIC_CARD'
  amount: object
  currency: string
  description?: string
  card?: { cardNumber: string; cardholderName?: string; cardSecurityCode?: string; expiryMonth: string; expiryYear: string }
  returnUrl?: string
}

export const amountOf = (money: Money) => ({ amount: majorNumberOf(money), currency: money.currency })

export const cardMembers = ({ number, exp_month, exp_year, cvc, holder }: Omit<Card, 'is'>) => ({
  cardNumber: number.reveal(),
  ...(holder !== null && { cardholderName: holder }),
  ...(cvc && { cardSecurityCode: cvc.reveal() }),
  expiryMonth: String(exp_month).padStart(2, '0'),
  expiryYear: String(exp_year),
})

export const get = (account: Account, path: string): Request => getRequest(`${account.base_url}${path}`, bearerOf(credentialOf(account)))

export function* make(body: PaymentBody, account: Account, secrets: readonly Secret[] = []): Conversation {
  const key = credentialOf(account)
  const payment = { ...body, ...(account.webhook_url !== undefined && { webhookUrl: account.webhook_url }) }
  const request = jsonRequest('POST', `${account.base_url}/payments`, bearerOf(key), payment)
  const reply = parseReply(yield request, [key, ...secrets], paymentReply)
  if (reply.is === 'answer') return outcomeOf(reply.answer, body.paymentType)
  // A creation looks nothing up, so a 404 does not mean "not found".
  return reply.is === 'refused' && reply.as === 'not_found' ? unknown('the creation returned 404') : failedOutcome(reply)
}

/** A body that does not match the documentation is read as null: no part of it is used. */

const states = ['PENDING', 'COMPLETED', 'DECLINED', 'CANCELLED', 'ERROR'] as const
const payadmitPaymentTypes = ['DEPOSIT', 'REFUND', 'WITHDRAWAL'] as const
export type PayadmitPaymentType = (typeof payadmitPaymentTypes)[number]

/** Payments, refunds and payouts are one kind of object. */
type PayadmitPayment = {
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

const readAnswer = (body: unknown): PayadmitPayment | null => (isRecord(body) && body.status === 200 ? readPayment(body.result) : null)

/** Items are not parsed yet: an invalid one matters only to the request that looks for this payment. */
export function readList(body: unknown): unknown[] | null {
  return isRecord(body) && body.status === 200 && Array.isArray(body.result) ? body.result : null
}

/** Even if the item is otherwise invalid. */
export const isOf = (item: unknown, referenceId: string): boolean => isRecord(item) && item.referenceId === referenceId

const errors = { 400: 'invalid_request', 401: 'configuration', 403: 'configuration', 404: 'not_found', 422: 'invalid_request' } as const

/** It repeats its own status, and has a message and no result. */
export const readRefused = (status: number, body: unknown): Refused | null =>
  isRecord(body) && body.status === status && !('result' in body) ? refusedBy(errors, status, body.message) : null

export const paymentReply = readerOf(readAnswer, readRefused)

export function outcomeOf(
  { id, referenceId, paymentType, state, money, redirectUrl, errorCode, externalResultCode }: PayadmitPayment,
  kind: PayadmitPaymentType | undefined,
): Outcome {
  if (paymentType !== kind) return unknown('the response is for another kind of payment')
  switch (state) {
    case 'COMPLETED':
      return { is: 'done', reference: id, request_id: referenceId, amount: money, captured: kind === 'DEPOSIT' ? money : null, facts: {} }
    case 'PENDING':
      return { is: 'waiting', reference: id, ...(redirectUrl !== null && { next_action: { type: 'redirect_to_url', url: redirectUrl } }) }
    case 'CANCELLED':
    case 'DECLINED':
    case 'ERROR':
      return {
        ...declinedWith(codeOf(state, kind), errorCode || state, `${state}${errorCode && ` (${errorCode})`}`, id),
        ...(externalResultCode !== null && { network_code: externalResultCode }),
      }
  }
}

const codeOf = (state: 'CANCELLED' | 'DECLINED' | 'ERROR', kind: PayadmitPaymentType) =>
  kind !== 'DEPOSIT'
    ? 'operation_declined'
    : state === 'CANCELLED'
      ? 'authentication_failed'
      : state === 'ERROR'
        ? 'processing_error'
        : 'card_declined'
