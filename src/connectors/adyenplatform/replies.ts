import type { Money } from '../../base/money.ts'
import { IN_USE, readAdyenAmount } from '../adyen/replies.ts'
import type { DeclineCode, Outcome } from '../connector.ts'
import { declinedWith, doneWith, type Refused, readerOf } from '../kit/parse-reply.ts'
import { isId, isRecord, meaningsOf, optional, readId, readWord } from '../kit/read.ts'
import { plainText } from '../kit/text.ts'

export type Transfer = {
  id: string
  status: string
  reason: string
  money: Money
  request_id: string | null
  wasBooked: boolean
}

export function readTransfer(body: unknown): Transfer | null {
  if (!isRecord(body) || !isId(body.id)) return null
  const { id, events = [] } = body
  const status = readWord(body.status)
  const reason = optional(body.reason, readWord)
  const request_id = optional(body.reference, readId)
  const money = readAdyenAmount(body.amount)
  if (status === null || reason === undefined || request_id === undefined || money === null || !Array.isArray(events)) return null
  const wasBooked = events.some(event => isRecord(event) && event.status === 'booked')
  return { id, status, reason: reason ?? status, money, request_id, wasBooked }
}

/** Entries are not read: only our own transfer will be. */
const readTransfers = (body: unknown): unknown[] | null => (isRecord(body) && Array.isArray(body.data) ? body.data : null)

/** Nothing happened. A 401 has the format of Adyen's other APIs. */
function readRefusal(status: number, body: unknown): Refused | null {
  if (!isRecord(body) || body.status !== status) return null
  const [code, message] = [readWord(body.errorCode), status === 401 ? (body.message ?? body.detail) : (body.detail ?? body.title)]
  if (code === null || code === IN_USE || typeof message !== 'string' || message === '') return null
  if (status === 429) return { is: 'refused', as: 'later', code, message }
  if (status === 401 || status === 403) return { is: 'refused', as: 'configuration', code, message }
  return status === 422 ? { is: 'refused', as: 'invalid_request', code, message } : null
}

export const madeReply = readerOf(readTransfer, readRefusal, [200, 202])
export const foundReply = readerOf(readTransfer, readRefusal)
export const listedReply = readerOf(readTransfers, readRefusal)
export const receivedReply = readerOf(body => (isRecord(body) ? true : null), readRefusal)

/** A reason that is not listed is still a decline. */
const reasons = meaningsOf<DeclineCode>({
  velocity_exceeded: 'amountLimitExceeded',
  not_allowed: 'balanceAccountTemporarilyBlockedByTransactionRule declinedByTransactionRule',
  cancelled: 'cancelled',
  recipient_ineligible: `counterpartyAccountBlocked counterpartyAccountClosed counterpartyAccountNotFound invalidToAccount transferInstrumentDoesNotExist`,
  invalid_request: 'counterpartyAddressRequired invalidAmount',
  processing_error: 'counterpartyBankTimedOut counterpartyBankUnavailable error',
  fraudulent: 'fraud',
  insufficient_funds: 'notEnoughBalance',
  not_supported: 'notSupported routeNotFound unableToRouteTransaction',
})

const declinedTransfer = ({ id, status, reason }: Transfer) =>
  declinedWith(reasons[reason] ?? 'payment_declined', reason, plainText(`Adyen: the transfer is ${status} (${reason}).`), id)

/** Received, and not yet taken from the balance account. */
export const onTheWay: readonly string[] = ['received', 'authorised', 'pending', 'pendingApproval', 'approvalPending', 'pendingExecution']

/**
 * A booked transfer has left the balance account, which counts as success: only some banks report whether the
 * recipient was credited. One that the recipient's bank rejects or returns later came back. A status that Adyen does
 * not explain for bank transfers leaves the payout unknown.
 */
export function transferOutcome(transfer: Transfer): Outcome {
  const { id, status, request_id, money, wasBooked } = transfer
  if (onTheWay.includes(status)) return { is: 'waiting', reference: id }
  switch (status) {
    case 'booked':
    case 'credited':
      return doneWith(id, money, { request_id })
    case 'refused':
      return declinedTransfer(transfer)
    case 'cancelled':
      return { ...declinedTransfer(transfer), code: 'cancelled' }
    case 'failed':
      return { ...declinedTransfer(transfer), ...(wasBooked && { after_yes: true as const }) }
    case 'returned':
      return { ...declinedTransfer(transfer), after_yes: true }
    default:
      return { is: 'unknown', why: `the transfer is ${status}`, reference: id }
  }
}
