import type { Account, Conversation, PayoutRequest } from '../connector.ts'
import { inProcessorUnits } from '../counting.ts'
import { declinedWith } from '../kit/parse-reply.ts'
import { openTalk } from './api.ts'
import { counting } from './common.ts'
import { notCounted, transferredOutcome } from './outcomes.ts'
import { readStripeTransfer } from './replies.ts'
import { transferTo } from './requests.ts'
import { afterFailure, lookForTransfer } from './sync.ts'

/**
 * Pays out to a connected account of a Connect platform, which the merchant names (`passthrough`): one transfer from
 * the platform's balance to the account's balance, which Stripe makes at once or not at all. The payout from that
 * balance to a bank is a matter between the account's owner and Stripe.
 */
export function* payout(ask: PayoutRequest, account: Account): Conversation {
  const { recipient, money, request_id } = ask
  const destination = recipient.is === 'passthrough' ? recipient.account.reveal() : ''
  if (!/^acct_\w{1,64}$/.test(destination))
    return declinedWith('invalid_request', '', 'Stripe pays out to connected accounts only: psp_token must be the id of one (acct_…).')
  const amount = inProcessorUnits(counting, money)
  if (typeof amount === 'string') return notCounted(amount)
  const talk = openTalk(account)
  const request = talk.post('/v1/transfers', transferTo(ask, amount, destination), request_id)
  const reply = yield* talk.say(request, readStripeTransfer)
  if (reply.is === 'answer') return transferredOutcome(reply.answer)
  return yield* afterFailure(reply, () => lookForTransfer(talk, request_id))
}
