import type { Money } from '../../base/money.ts'
import type { Account, Conversation, Outcome, RequestOf, SyncRequest } from '../connector.ts'
import { whyNotCounted } from '../counting.ts'
import { moneyOf } from '../kit/decimal.ts'
import { declinedWith, doneWith, failedLookup, failedOutcome, readerOf, unknown } from '../kit/parse-reply.ts'
import { isId, isOneOf, isRecord, optional, readId, readWord } from '../kit/read.ts'
import { inPath } from '../kit/request.ts'
import { plainText } from '../kit/text.ts'
import { issues } from './declines.ts'
import { every, readRefused, record } from './replies.ts'
import { counting, paypalPayoutBody, sayToPaypal } from './requests.ts'

/** A batch of one payout, only accepted at first. An unclaimed one can be cancelled, and returns after 30 days. */

const batchStatuses = ['DENIED', 'PENDING', 'PROCESSING', 'SUCCESS', 'CANCELED'] as const
const itemStatuses = ['SUCCESS', 'FAILED', 'PENDING', 'UNCLAIMED', 'RETURNED', 'ONHOLD', 'BLOCKED', 'REFUNDED', 'REVERSED'] as const
type Batch = { id: string; status: (typeof batchStatuses)[number]; request_id: string | null; item: Item | null }
type Item = { id: string; status: (typeof itemStatuses)[number]; money: Money; request_id: string | null; code: string; message: string }

function readItem(body: unknown): Item | null {
  if (!isRecord(body) || !isId(body.payout_item_id) || !isRecord(body.payout_item)) return null
  const { amount, sender_item_id } = body.payout_item
  const status = body.transaction_status === undefined ? 'PENDING' : body.transaction_status
  const money = isRecord(amount) ? moneyOf(amount.value, amount.currency) : null
  const request_id = optional(sender_item_id, readId)
  if (!isOneOf(itemStatuses, status) || money === null || request_id === undefined) return null
  const { name: code, message } = record(body.errors)
  const text = typeof message === 'string' && message !== '' ? plainText(message) : 'The payout was not made.'
  return { id: body.payout_item_id, status, money, request_id, code: readWord(code) ?? status, message: text }
}

function readBatch(body: unknown): Batch | null {
  const header = record(record(body).batch_header)
  const { payout_batch_id: id, batch_status: status } = header
  const request_id = optional(record(header.sender_batch_header).sender_batch_id, readId)
  const items = every(record(body).items, readItem)
  if (!isId(id) || !isOneOf(batchStatuses, status) || request_id === undefined || !items || items.length > 1) return null
  return { id, status, request_id, item: items[0] ?? null }
}

function paidOutOf({ id, status, item }: Batch): Outcome {
  if (status === 'DENIED' || status === 'CANCELED')
    return declinedWith(status === 'DENIED' ? 'payment_declined' : 'cancelled', status, `The payout batch is ${status.toLowerCase()}.`, id)
  switch (item?.status) {
    case 'SUCCESS':
      return doneWith(id, item.money, { request_id: item.request_id })
    // The payout was not claimed within 30 days, or it was cancelled.
    case 'RETURNED':
      return { is: 'lapsed', reference: id }
    case 'FAILED':
    case 'BLOCKED':
    case 'REFUNDED':
    case 'REVERSED': {
      const as = issues[item.code]
      const code = as === undefined || as === 'not_found' || as === 'exists' || as === 'later' ? 'payment_declined' : as
      const back = item.status === 'REFUNDED' || item.status === 'REVERSED'
      return { ...declinedWith(code, item.code, item.message, id), ...(back && { after_yes: true }) }
    }
    default:
      return { is: 'waiting', reference: id }
  }
}

const PATH = '/v1/payments/payouts'
const batchReply = readerOf(readBatch, readRefused, [200, 201])
const askedReply = readerOf(readBatch, readRefused)
const itemReply = readerOf(readItem, readRefused)

export function* payout(ask: RequestOf<'payout'>, account: Account): Conversation {
  const { recipient, request_id, money } = ask
  const why = whyNotCounted(counting, money)
  if (why !== null) return { is: 'not_sent', why }
  const body = recipient.is === 'wallet' ? paypalPayoutBody(ask, recipient) : null
  if (body === null || recipient.is !== 'wallet')
    return declinedWith('not_supported', '', 'PayPal pays out to PayPal and Venmo wallets only.')
  const reply = yield* sayToPaypal(account, PATH, batchReply, { body, key: request_id }, [recipient.account])
  if (reply.is !== 'answer') return failedOutcome(reply)
  const { id, request_id: echoed } = reply.answer
  if (echoed !== null && echoed !== request_id) return { ...unknown('the response is for another payout'), reference: id }
  return { is: 'waiting', reference: id }
}

/** PayPal declines any payout that the recipient has claimed. */
export function* callOffPayout({ authorization }: RequestOf<'cancel_payout'>, account: Account): Conversation {
  if (authorization.reference === null) return { is: 'not_sent', why: 'the payout has no processor reference' }
  const found = yield* sayToPaypal(account, `${PATH}/${inPath(authorization.reference)}`, askedReply)
  if (found.is !== 'answer')
    return { is: 'not_sent', why: failedLookup(found).is === 'unknown' ? 'the payout could not be read' : 'no payout' }
  const { item } = found.answer
  if (item?.status === 'RETURNED') return doneWith(item.id, item.money)
  if (!item) return { is: 'not_sent', why: 'PayPal has not made the payout yet' }
  const reply = yield* sayToPaypal(account, `/v1/payments/payouts-item/${inPath(item.id)}/cancel`, itemReply, {})
  if (reply.is !== 'answer') return failedOutcome(reply)
  return reply.answer.id === item.id && reply.answer.status === 'RETURNED'
    ? doneWith(reply.answer.id, reply.answer.money)
    : unknown('the payout was to be called off, and is not returned')
}

export function* syncPayout({ verb, reference, authorization }: SyncRequest, account: Account): Conversation {
  const id = verb === 'payout' ? reference : (authorization?.reference ?? null)
  // The batch id is not known before the response, and no list finds a batch by our request id.
  if (id === null) return unknown('the payout has no processor reference')
  const reply = yield* sayToPaypal(account, `${PATH}/${inPath(id)}`, askedReply)
  if (reply.is !== 'answer') return verb === 'payout' ? failedLookup(reply) : unknown('the payout was not found')
  if (reply.answer.id !== id) return unknown('the response is for another payout')
  if (verb === 'payout') return paidOutOf(reply.answer)
  const { item } = reply.answer
  return item?.status === 'RETURNED' ? doneWith(item.id, item.money) : { is: 'not_found' }
}
