import type { Account, Conversation, PayoutRequest } from '../connector.ts'
import { declinedWith } from '../kit/parse-reply.ts'
import { amountOf, cardMembers, make } from './api.ts'

export function* payout({ request_id, money, recipient, merchant_name, description }: PayoutRequest, account: Account): Conversation {
  if (recipient.is !== 'card') return declinedWith('not_supported', '', 'This connector supports payouts to cards only.')
  return yield* make(
    {
      referenceId: request_id,
      paymentType: 'WITHDRAWAL',
      paymentMethod: 'BASIC_CARD',
      ...amountOf(money),
      description: description ?? merchant_name,
      card: cardMembers({ ...recipient, cvc: null }),
      ...(account.webhook_url !== undefined && { webhookUrl: account.webhook_url }),
    },
    account,
    [recipient.number],
  )
}
