import type { Account, CancelPayoutRequest, Conversation, PayoutRequest } from '../connector.ts'
import type { Recipient } from '../instrument.ts'
import { without } from '../kit/parse-reply.ts'
import { codesOfRecipient, secretsOfRecipient } from '../kit/secrets.ts'
import { operate, operationName, post } from './api.ts'

export function* payout(ask: PayoutRequest, account: Account): Conversation {
  const { request_id, money, recipient } = ask
  const body = {
    reference: request_id,
    amount: money.amount,
    currency: money.currency,
    to: paidTo(recipient),
    priority: ask.priority ?? undefined,
    entity_type: ask.entity_type,
    merchant: ask.merchant_name,
    description: ask.description ?? undefined,
  }
  const secrets = secretsOfRecipient(recipient)
  const outcome = yield* operate('payout', post(account, '/payouts', body, request_id), { request_id, account, secrets })
  return without(outcome, codesOfRecipient(recipient))
}

function paidTo(recipient: Recipient): object {
  if (recipient.is === 'card') {
    const { number, exp_month, exp_year, holder } = recipient
    return { type: 'card', number: number.reveal(), exp_month, exp_year, holder: holder ?? undefined }
  }
  const { is, type: method, account, holder, ...more } = recipient
  const details = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== null))
  return { type: is, method, account: account.reveal(), holder: holder ?? undefined, ...details }
}

export function* voidPayout({ request_id, authorization }: CancelPayoutRequest, account: Account): Conversation {
  const request = post(account, `/payouts/${operationName(authorization)}/cancel`, { reference: request_id }, request_id)
  return yield* operate('cancel_payout', request, { request_id, account })
}
