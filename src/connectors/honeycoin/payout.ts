import type { Account, Conversation, PayoutRequest } from '../connector.ts'
import { declinedWith, failedOutcome, without } from '../kit/parse-reply.ts'
import { codesOfRecipient, secretsOfRecipient } from '../kit/secrets.ts'
import { numberIn, unitOf, withoutUnit } from '../kit/unit.ts'
import { settingOf } from '../settings.ts'
import { call } from './api.ts'
import { outcomeOf } from './outcomes.ts'

export function* payout({ request_id, money, recipient }: PayoutRequest, account: Account): Conversation {
  const unit = unitOf(account)
  if (unit === null) return withoutUnit
  const isMobile = recipient.is === 'wallet'
  if ((!isMobile && recipient.is !== 'bank') || (isMobile && recipient.by !== 'telephone_number'))
    return declinedWith('not_supported', '', 'This connector supports payouts to bank accounts and phone numbers only.')
  const country = (isMobile ? null : recipient.country) ?? settingOf(account, 'country') ?? null
  const code = isMobile ? (settingOf(account, 'operator') ?? null) : recipient.bank_code
  const body = JSON.stringify({
    amount: numberIn(unit, money),
    currency: money.currency,
    ...(country !== null && { country }),
    destination: isMobile ? 'MoMo' : 'Bank Account',
    payoutMethod: {
      ...(recipient.holder !== null && { accountName: recipient.holder }),
      accountNumber: recipient.account.reveal(),
      ...(code !== null && { code }),
    },
    externalReference: request_id,
  })
  const request = { method: 'POST', url: `${account.base_url}/fiat/payout`, body } as const
  const reply = yield* call(account, unit, request, secretsOfRecipient(recipient))
  return without(reply.is === 'answer' ? outcomeOf(reply.answer, 'payout') : failedOutcome(reply), codesOfRecipient(recipient))
}
