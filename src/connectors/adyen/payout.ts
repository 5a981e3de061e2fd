import type { Account, Conversation, Outcome, RequestOf } from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { declinedWith, doneWith, failedOutcome, parseReply, readerOf } from '../kit/parse-reply.ts'
import { isRecord, tableOf } from '../kit/read.ts'
import { baseOf } from '../kit/request.ts'
import { settingOf } from '../settings.ts'
import { declinedOf, requestTo } from './api.ts'
import { isCode, isReference, isText, readRefused, refusalIn } from './replies.ts'
import { amountOf, payoutBody } from './requests.ts'

/**
 * Payouts to cards, through Adyen's Payout API (v68), which has another host. Its documentation mentions neither
 * idempotency keys nor a lookup: a request without an answer is not sent again, and a notification reports its result.
 */

/** Null if the account lacks the prefix that the live URL requires. */
function hostOf(account: Account): string | null {
  if (account.base_url.startsWith('https://checkout-test.adyen.com')) return 'https://pal-test.adyen.com'
  if (account.base_url !== '') return baseOf(account)
  const prefix = settingOf(account, 'endpoint_prefix')
  return prefix === undefined ? null : `https://${prefix}-pal-live.adyenpayments.com`
}

export function* payout(ask: RequestOf<'payout'>, account: Account): Conversation {
  const { recipient, money, request_id } = ask
  if (recipient.is !== 'card') return declinedWith('not_supported', '', 'Adyen pays out to cards only.')
  const host = hostOf(account)
  if (host === null) return declinedWith('configuration', '', 'The connector account has no endpoint_prefix, which the live URL requires.')
  const amount = amountOf(money)
  const service = { ...account, base_url: `${host}/pal/servlet/Payout/v68` }
  const request = requestTo(service, '/payout', request_id, amount && payoutBody(ask, recipient, amount, account))
  if ('is' in request) return request
  const reply = parseReply(yield request, [credentialOf(account), recipient.number], readerOf(readPayout, readRefused))
  return reply.is === 'answer' ? outcomeOf(reply.answer, ask) : failedOutcome(reply)
}

const results = tableOf<'yes' | 'no' | 'later'>({
  Authorised: 'yes',
  Success: 'yes',
  Refused: 'no',
  Error: 'no',
  Cancelled: 'no',
  Received: 'later',
  Pending: 'later',
})

type AdyenPayout = { result: 'yes' | 'no' | 'later'; reference: string; reason: string; code: string | null }

function readPayout(body: unknown): AdyenPayout | null {
  if (!isRecord(body) || !isText(body.resultCode) || !isReference(body.pspReference)) return null
  const result = results[body.resultCode]
  const { refusalReason = body.resultCode, refusalReasonCode = null } = body
  if (result === undefined || !isText(refusalReason) || (refusalReasonCode !== null && !isCode(refusalReasonCode))) return null
  return { result, reference: body.pspReference, reason: refusalReason, code: refusalReasonCode }
}

/** The answers echo neither amount nor reference, so a success is of the requested amount. */
function outcomeOf({ result, reference, reason, code }: AdyenPayout, { money }: RequestOf<'payout'>): Outcome {
  if (result === 'later') return { is: 'waiting', reference }
  if (result === 'no') return { ...declinedOf(refusalIn(code, reason)), reference, facts: {} }
  return doneWith(reference, money)
}
