import type { Account, Conversation, SyncRequest } from '../connector.ts'
import { credentialsOf } from '../kit/credentials.ts'
import { failedLookup, failedQuestion, parseReply, unknown } from '../kit/parse-reply.ts'
import { invoiceReply, lookRequest, payoutReply } from './api.ts'
import { outcomeOf, paidOutOf } from './outcomes.ts'

export function* sync({ verb, reference }: SyncRequest, account: Account): Conversation {
  // The invoice id is noted before the card is sent: a payment without one has moved nothing. A payout is a single
  // request.
  if (reference === null)
    return verb === 'payout' ? unknown('the payout has no processor reference and cannot be synced') : { is: 'not_found' }
  if (verb === 'payout') return yield* lookAtPayout(reference, account)
  const outcome = yield* look(reference, account)
  return verb === 'authorize' ? outcome : unknown('only payments and payouts can be synced')
}

export function* look(id: string, account: Account): Conversation {
  const reply = parseReply(yield lookRequest('payment-invoices', id, account), credentialsOf(account), invoiceReply)
  if (reply.is !== 'answer') return failedLookup(reply)
  return reply.answer.id === id ? outcomeOf(reply.answer) : unknown('the response is for another invoice')
}

function* lookAtPayout(id: string, account: Account): Conversation {
  const reply = parseReply(yield lookRequest('payout-invoices', id, account), credentialsOf(account), payoutReply)
  // A 404 proves nothing, because the URL is only guessed.
  if (reply.is !== 'answer') return failedQuestion(reply)
  return reply.answer.id === id ? paidOutOf(reply.answer) : unknown('the response is for another invoice')
}
