import type { Money } from '../../base/money.ts'
import type { Request } from '../../context.ts'
import type { Account, Outcome } from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { declinedWith, readerOf, unknown } from '../kit/parse-reply.ts'
import { baseOf } from '../kit/request.ts'
import { plainText } from '../kit/text.ts'
import { settingOf } from '../settings.ts'
import { type AdyenPayment, type AdyenRefusal, readMethods, readPayment, readReceived, readRefused } from './replies.ts'

/** The outcome if no request can be made. `body` null: Adyen cannot express the amount. */
export function requestTo(account: Account, path: string, key: string, body: object | null): Request | Outcome {
  const base = addressOf(account)
  if (base === null) {
    const lack = 'The connector account has no endpoint_prefix, which the live URL requires.'
    return declinedWith('configuration', '', lack)
  }
  if (body === null) return { is: 'not_sent', why: 'the processor does not support this amount' }
  return {
    method: 'POST',
    url: base + path,
    headers: { 'x-api-key': credentialOf(account).reveal(), 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  }
}

function addressOf(account: Account): string | null {
  if (account.base_url !== '') return baseOf(account)
  const prefix = settingOf(account, 'endpoint_prefix')
  return prefix === undefined ? null : `https://${prefix}-checkout-live.adyenpayments.com/checkout/v71`
}

export const paymentReply = readerOf(readPayment, readRefused)
export const modificationReply = readerOf(readReceived, readRefused, [201])
export const methodsReply = readerOf(readMethods, readRefused)

/** Amount and reference are as Adyen echoed them. A full approval without an amount means the requested amount. */
export function outcomeOf({ result, reference, request_id, amount, refusal, action, facts }: AdyenPayment, asked: Money): Outcome {
  switch (result) {
    case 'yes':
    case 'a part': {
      const approved = amount ?? (result === 'yes' ? asked : null)
      if (approved === null) return { ...unknown('partially approved, but the amount is missing'), reference: reference! }
      return { is: 'done', reference: reference!, request_id, amount: approved, captured: 'as asked', facts }
    }
    case 'no':
      return { ...declinedOf(refusal!), reference, facts }
    case 'later':
    case 'act':
      return { is: 'waiting', reference, ...(action && { next_action: action }) }
  }
}

export const declinedOf = ({ message, ...refusal }: AdyenRefusal) => ({ is: 'declined', ...refusal, message: plainText(message) }) as const
