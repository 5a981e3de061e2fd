import type { Account, ContestRequest, Conversation, DisputeRequest, DisputeUpdate, OperationIdentifier, Outcome } from '../connector.ts'
import type { DisputeReport, DisputeStage, DisputeStatus } from '../dispute.ts'
import { credentialOf } from '../kit/credentials.ts'
import { declinedWith, doneWith, failedOutcome, parseReply, type Refused, unlessMoved } from '../kit/parse-reply.ts'
import { isRecord, isWord, parseTime, tableOf } from '../kit/read.ts'
import { baseOf } from '../kit/request.ts'
import { plainText } from '../kit/text.ts'
import { requestTo } from './api.ts'
import { chooseDefense, readReasons } from './defense.ts'
import { familyAtAdyen } from './offers.ts'
import { type AdyenNotificationItem, readRefused } from './replies.ts'
import { acceptBody, defendBody, documentsBody, reasonsBody } from './requests.ts'

/**
 * Disputes at Adyen: reported by notification only, answered through its Disputes API (v30). Each notification reports
 * one step; its `disputeStatus`, if present, takes precedence over its code. Evidence consists of documents:
 * `defense.ts` chooses the defense reason and the type of each document.
 */

const codes = tableOf<[DisputeStage, DisputeStatus]>({
  REQUEST_FOR_INFORMATION: ['pre_dispute', 'dispute_opened'],
  NOTIFICATION_OF_CHARGEBACK: ['pre_dispute', 'dispute_opened'],
  CHARGEBACK: ['dispute', 'dispute_opened'],
  INFORMATION_SUPPLIED: ['dispute', 'dispute_challenged'],
  DISPUTE_DEFENSE_PERIOD_ENDED: ['dispute', 'dispute_expired'],
  CHARGEBACK_REVERSED: ['dispute', 'dispute_challenged'],
  ISSUER_RESPONSE_TIMEFRAME_EXPIRED: ['dispute', 'dispute_won'],
  SECOND_CHARGEBACK: ['pre_arbitration', 'dispute_lost'],
  PREARBITRATION_OPEN: ['pre_arbitration', 'dispute_opened'],
  PREARBITRATION_ACCEPTED: ['pre_arbitration', 'dispute_accepted'],
  PREARBITRATION_DECLINED: ['pre_arbitration', 'dispute_challenged'],
  PREARBITRATION_ISSUER_WITHDRAWN: ['pre_arbitration', 'dispute_cancelled'],
  PREARBITRATION_WON: ['pre_arbitration', 'dispute_won'],
  PREARBITRATION_LOST: ['pre_arbitration', 'dispute_lost'],
  SCHEME_ARBITRATION: ['arbitration', 'dispute_opened'],
  SCHEME_ARBITRATION_WON: ['arbitration', 'dispute_won'],
  SCHEME_ARBITRATION_LOST: ['arbitration', 'dispute_lost'],
})

/** By `disputeStatus`, which may be absent. Requests for information have words of their own. */
const statuses = tableOf<DisputeStatus>({
  Undefended: 'dispute_opened',
  Unresponded: 'dispute_opened',
  Pending: 'dispute_challenged',
  Responded: 'dispute_challenged',
  Won: 'dispute_won',
  Lost: 'dispute_lost',
  Accepted: 'dispute_accepted',
  Expired: 'dispute_expired',
})
const ofInquiries = ['Unresponded', 'Responded']

/** The codes that end or begin a stage, regardless of the rest of the notification. */
const certainCodes = ['NOTIFICATION_OF_CHARGEBACK', 'SECOND_CHARGEBACK', 'PREARBITRATION_OPEN', 'SCHEME_ARBITRATION']

export function disputeUpdateOf(item: AdyenNotificationItem, fields: Record<string, unknown>): DisputeUpdate | null {
  const { eventCode, reference, request_id, acts_on, amount, success, method } = item
  const code = codes[eventCode]
  if (!code || !success) return null
  // A returned direct debit cannot be defended (docs.adyen.com, SEPA and ACH chargebacks): the dispute is lost.
  const isReturn = eventCode === 'CHARGEBACK' && familyAtAdyen(method) === 'bank_debit'
  const more = isRecord(fields.additionalData) ? fields.additionalData : {}
  const word = typeof more.disputeStatus === 'string' ? more.disputeStatus : ''
  const status = certainCodes.includes(eventCode) ? undefined : statuses[word]
  const stage: DisputeStage = ofInquiries.includes(word) ? 'pre_dispute' : code[0]
  const dispute: DisputeReport = {
    reference,
    stage,
    status: isReturn ? 'dispute_lost' : (status ?? code[1]),
    said: isWord(word) ? word : eventCode,
    amount,
    reason: typeof fields.reason === 'string' && fields.reason !== '' ? plainText(fields.reason) : null,
    reason_code: isWord(more.chargebackReasonCode) ? more.chargebackReasonCode : null,
    respond_by: isReturn ? null : parseTime(more.defensePeriodEndsAt),
    created: null,
    updated: parseTime(fields.eventDate),
  }
  const names: OperationIdentifier[] = [
    ...(request_id === null ? [] : [{ request_id, verb: 'authorize' } as const]),
    ...(acts_on === null ? [] : [{ reference: acts_on }]),
  ]
  const [first, ...others] = names
  return first ? { is: 'dispute', of: [first, ...others], dispute } : null
}

/** The host of the Customer Area, which serves disputes and reports. */
export function hostOf(account: Account): string {
  if (account.base_url === '') return 'https://ca-live.adyen.com'
  return account.base_url.startsWith('https://checkout-test.adyen.com') ? 'https://ca-test.adyen.com' : baseOf(account)
}

/** The Disputes API has another host than payments. */
function serviceOf(account: Account): Account {
  return { ...account, base_url: `${hostOf(account)}/ca/services/DisputeService/v30` }
}

type Answer = { is: 'yes'; body: Record<string, unknown> } | { is: 'no'; outcome: Outcome }

function* ask(account: Account, path: string, key: string, body: object): Conversation<Answer> {
  const request = requestTo(serviceOf(account), path, key, body)
  if ('is' in request) return { is: 'no', outcome: request }
  const reply = parseReply(yield request, [credentialOf(account)], readService)
  return reply.is === 'answer' ? { is: 'yes', body: reply.answer } : { is: 'no', outcome: failedOutcome(reply) }
}

function readService(status: number, body: unknown): { is: 'answer'; answer: Record<string, unknown> } | Refused | null {
  if (status !== 200) return readRefused(status, body)
  const result = isRecord(body) && isRecord(body.disputeServiceResult) ? body.disputeServiceResult : null
  if (!isRecord(body) || typeof result?.success !== 'boolean') return null
  if (result.success) return { is: 'answer', answer: body }
  const message = typeof result.errorMessage === 'string' ? result.errorMessage : 'The dispute service refused the request.'
  return { is: 'refused', as: 'operation_declined', code: 'disputeServiceResult', message }
}

export function* acceptDispute(about: DisputeRequest, account: Account): Conversation {
  const answer = yield* ask(account, '/acceptDispute', about.request_id, acceptBody(about, account))
  return answer.is === 'yes' ? doneWith(about.reference, about.money) : answer.outcome
}

export function* contestDispute(about: ContestRequest, account: Account): Conversation {
  const { request_id, evidence } = about
  if (evidence.files.length === 0) return { is: 'not_sent', why: 'there is no defense document' }
  // A repeated request under the same key gets the same answer, so the choice is the same after a crash.
  const asked = yield* ask(account, '/retrieveApplicableDefenseReasons', `${request_id}-reasons`, reasonsBody(about, account))
  // No evidence has been submitted so far.
  if (asked.is === 'no') return unlessMoved(asked.outcome)
  const defense = chooseDefense(readReasons(asked.body), evidence.files)
  if (defense.is === 'none') return declinedWith('operation_declined', 'defense_reason', defense.why)
  const documents = documentsBody(about, defense.labels, account)
  const supplied = yield* ask(account, '/supplyDefenseDocument', `${request_id}-documents`, documents)
  if (supplied.is === 'no') return unlessMoved(supplied.outcome)
  const defended = yield* ask(account, '/defendDispute', request_id, defendBody(about, defense.reason, account))
  return defended.is === 'yes' ? doneWith(about.reference, about.money) : defended.outcome
}
