import type { Request } from '../../context.ts'
import type { Account, AuthorizeRequest, Conversation } from '../connector.ts'
import { credentialOf, credentialsOf } from '../kit/credentials.ts'
import { failedOutcome, parseReply } from '../kit/parse-reply.ts'
import { textIn, unitOf, withoutUnit } from '../kit/unit.ts'
import { settingOf } from '../settings.ts'
import { collectionReply, headersOf } from './api.ts'
import { outcomeOf } from './outcomes.ts'

export function* authorize(ask: AuthorizeRequest<'mobile_payment' | 'bank_transfer'>, account: Account): Conversation {
  const unit = unitOf(account)
  if (unit === null) return withoutUnit
  const { instrument, money, request_id, return_url } = ask
  const number = instrument.is === 'mobile_payment' ? instrument.secrets.msisdn : undefined
  const amount = textIn(unit, money)
  const request: Request = {
    method: 'POST',
    url: `${account.base_url}/collection/v1/payin`,
    headers: headersOf(account, `${amount}${request_id}${number?.reveal() ?? ''}`),
    body: JSON.stringify({
      requestHeader: { clientId: credentialOf(account, 'key1').reveal(), requestType: 'Collections' },
      ...(number && { customerNumber: number.reveal() }),
      transactionReference: request_id,
      transactionDescription: ask.statement_descriptor ?? ask.merchant_name,
      transactionAmount: amount,
      transactionCurrency: money.currency,
      transactionCountry: settingOf(account, 'country'),
      operatorCode: settingOf(account, 'operator'),
      successUrl: return_url,
      errorUrl: return_url,
      cancelUrl: return_url,
      webhookUrl: account.webhook_url,
    }),
  }
  const reply = parseReply(yield request, [...credentialsOf(account), ...(number ? [number] : [])], collectionReply(unit))
  return reply.is === 'answer' ? outcomeOf(reply.answer, request_id) : failedOutcome(reply)
}
