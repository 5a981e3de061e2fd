import type { Account, AuthorizeRequest, Conversation } from '../connector.ts'
import { failedOutcome } from '../kit/parse-reply.ts'
import { numberIn, unitOf, withoutUnit } from '../kit/unit.ts'
import { settingOf } from '../settings.ts'
import { call } from './api.ts'
import { outcomeOf } from './outcomes.ts'

export function* authorize(ask: AuthorizeRequest<'mobile_payment' | 'bank_transfer'>, account: Account): Conversation {
  const unit = unitOf(account)
  if (unit === null) return withoutUnit
  const { instrument, money, request_id } = ask
  const phone = instrument.is === 'mobile_payment' ? instrument.secrets.msisdn : undefined
  const operatorCode = instrument.is === 'mobile_payment' ? settingOf(account, 'operator') : undefined
  const path =
    instrument.is === 'mobile_payment'
      ? (settingOf(account, 'momo_path') ?? '/fiat/charge/momo')
      : (settingOf(account, 'bank_path') ?? '/fiat/charge/bank')
  const body = JSON.stringify({
    amount: numberIn(unit, money),
    currency: money.currency,
    externalReference: request_id,
    ...(phone && { phone: phone.reveal() }),
    ...(operatorCode !== undefined && { operatorCode }),
    successRedirectUrl: ask.return_url,
    failureRedirectUrl: ask.return_url,
  })
  const reply = yield* call(account, unit, { method: 'POST', url: `${account.base_url}${path}`, body }, phone ? [phone] : [])
  return reply.is === 'answer' ? outcomeOf(reply.answer, 'authorize') : failedOutcome(reply)
}
