import type { Account, BalanceRequest, Conversation, GiftCardBalance } from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { failedWish, parseReply, readerOf, unknown } from '../kit/parse-reply.ts'
import { isRecord } from '../kit/read.ts'
import { secretsOf } from '../kit/secrets.ts'
import { requestTo } from './api.ts'
import { type Offered, offered } from './offered.ts'
import { isText, readAdyenAmount, readRefused } from './replies.ts'
import { type Amount, amountOf, merchantAccountOf } from './requests.ts'

/** Queries the balance of a gift card (docs.adyen.com, gift cards, check the balance). Nothing is reserved. */
export function* readBalance(ask: BalanceRequest, account: Account): Conversation<GiftCardBalance> {
  const paid = offered(ask.instrument, undefined)
  const amount = amountOf(ask.money)
  if (paid === null) return unknown(`Adyen does not support ${ask.instrument.type}`)
  const request = requestTo(account, '/paymentMethods/balance', ask.request_id, amount && balanceBody(paid, amount, account))
  if ('is' in request) return unknown('the connector account cannot ask for this balance')
  const reply = parseReply(yield request, [credentialOf(account), ...secretsOf(ask.instrument)], readerOf(read, readRefused))
  return reply.is === 'answer' ? reply.answer : failedWish(reply)
}

export const balanceBody = ({ way, details }: Offered, amount: Amount, account: Account) => ({
  merchantAccount: merchantAccountOf(account),
  amount,
  paymentMethod: way(details),
})

/**
 * Reads the balance. `Failed` says nothing about the balance. Adyen's message for it may contain the data that was
 * entered, so it is not kept.
 */
function read(body: unknown): GiftCardBalance | null {
  if (!isRecord(body) || !isText(body.resultCode)) return null
  if (body.resultCode === 'Failed') return { is: 'refused', code: 'Failed', message: 'The balance check failed.' }
  const money = body.resultCode === 'Success' || body.resultCode === 'NotEnoughBalance' ? readAdyenAmount(body.balance) : null
  return money && { is: 'done', money }
}
