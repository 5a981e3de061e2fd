import type { Money } from '../../base/money.ts'
import type { Secret } from '../../base/secret.ts'
import type { Request } from '../../context.ts'
import type { Account, Conversation } from '../connector.ts'
import type { Card } from '../instrument.ts'
import { credentialOf } from '../kit/credentials.ts'
import { majorNumberOf } from '../kit/decimal.ts'
import { failedOutcome, parseReply, readerOf, unknown } from '../kit/parse-reply.ts'
import { bearerOf, getRequest, jsonRequest } from '../kit/request.ts'
import { outcomeOf } from './outcomes.ts'
import { type PayadmitPaymentType, readAnswer, readRefused } from './replies.ts'

/** The requests to PayAdmit: every operation that moves money creates a payment. */

export type PaymentBody = {
  referenceId: string
  paymentType: PayadmitPaymentType
  parentPaymentId?: string
  paymentMethod?: 'BASIC_CARD'
  amount: object
  currency: string
  description?: string
  card?: { cardNumber: string; cardholderName?: string; cardSecurityCode?: string; expiryMonth: string; expiryYear: string }
  returnUrl?: string
  webhookUrl?: string
}

export const amountOf = (money: Money) => ({ amount: majorNumberOf(money), currency: money.currency })

export const cardMembers = ({ number, exp_month, exp_year, cvc, holder }: Omit<Card, 'is'>) => ({
  cardNumber: number.reveal(),
  ...(holder !== null && { cardholderName: holder }),
  ...(cvc && { cardSecurityCode: cvc.reveal() }),
  expiryMonth: String(exp_month).padStart(2, '0'),
  expiryYear: String(exp_year),
})

export const paymentReply = readerOf(readAnswer, readRefused)

export const get = (account: Account, path: string): Request => getRequest(`${account.base_url}${path}`, bearerOf(credentialOf(account)))

/** Sends the one request of a conversation that moves money: it creates a payment. */
export function* make(body: PaymentBody, account: Account, secrets: readonly Secret[] = []): Conversation {
  const key = credentialOf(account)
  const reply = parseReply(yield jsonRequest('POST', `${account.base_url}/payments`, bearerOf(key), body), [key, ...secrets], paymentReply)
  if (reply.is === 'answer') return outcomeOf(reply.answer, body.paymentType)
  // A creation looks nothing up, so a 404 does not mean "not found".
  return reply.is === 'refused' && reply.as === 'not_found' ? unknown('the creation returned 404') : failedOutcome(reply)
}
