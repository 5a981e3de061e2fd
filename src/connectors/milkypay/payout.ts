import type { Account, Conversation, PayoutRequest } from '../connector.ts'
import { credentialsOf } from '../kit/credentials.ts'
import { majorNumberOf } from '../kit/decimal.ts'
import { declinedWith, failedOutcome, parseReply, unknown } from '../kit/parse-reply.ts'
import { settingOf } from '../settings.ts'
import { createdPayoutReply, invoiceRequest } from './api.ts'
import { paidOutOf } from './outcomes.ts'

/**
 * Sends a payout with one request, whose only data of the recipient is the card number. Its result can be looked up
 * only by the id of its invoice, if the response arrived.
 */
export function* payout({ request_id, money, recipient, merchant_name, description }: PayoutRequest, account: Account): Conversation {
  if (recipient.is !== 'card') return declinedWith('not_supported', '', 'This connector supports payouts to cards only.')
  const request = invoiceRequest('payout-invoices', account, {
    reference_id: request_id,
    amount: majorNumberOf(money),
    currency: money.currency,
    service: settingOf(account, 'payout_service') ?? `payment_card_${money.currency.toLowerCase()}`,
    description: description ?? merchant_name,
    fields: { card_number: recipient.number.reveal() },
    options: { auto_process: true },
  })
  const reply = parseReply(yield request, [...credentialsOf(account), recipient.number], createdPayoutReply)
  if (reply.is !== 'answer') return failedOutcome(reply)
  return reply.answer.reference_id === request_id ? paidOutOf(reply.answer) : unknown('the response is for another invoice')
}
