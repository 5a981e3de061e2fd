import type { Account, Conversation, RefundRequest } from '../connector.ts'
import { amountOf, make } from './api.ts'

export function* refund({ request_id, authorization, money, reason }: RefundRequest, account: Account): Conversation {
  if (authorization.reference === null) return { is: 'not_sent', why: 'the payment has no processor reference' }
  return yield* make(
    {
      referenceId: request_id,
      paymentType: 'REFUND',
      parentPaymentId: authorization.reference,
      ...amountOf(money),
      ...(reason !== null && { description: reason }),
      ...(account.webhook_url !== undefined && { webhookUrl: account.webhook_url }),
    },
    account,
  )
}
