import type { Account, AuthorizeRequest, Conversation } from '../connector.ts'
import { without } from '../kit/parse-reply.ts'
import { codesOf } from '../kit/secrets.ts'
import { amountOf, cardMembers, make } from './api.ts'

export function* authorize(ask: AuthorizeRequest<'card' | 'card_redirect'>, account: Account): Conversation {
  const { instrument } = ask
  const card = instrument.is === 'card' ? instrument : null
  const outcome = yield* make(
    {
      referenceId: ask.request_id,
      paymentType: 'DEPOSIT',
      paymentMethod: 'BASIC_CARD',
      ...amountOf(ask.money),
      description: ask.statement_descriptor ?? ask.merchant_name,
      ...(card && { card: cardMembers(card) }),
      returnUrl: ask.return_url,
      ...(account.webhook_url !== undefined && { webhookUrl: account.webhook_url }),
    },
    account,
    card ? [card.number] : [],
  )
  return without(outcome, codesOf(instrument))
}
