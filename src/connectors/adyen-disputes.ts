import type { Time } from '../context.ts'
import { chooseDefense, readReasons } from './adyen-defense.ts'
import { adyenSecrets, refusedOf, requestTo } from './adyen-talk.ts'
import type { AdyenNotificationItem } from './adyen-wire.ts'
import type { Account, ContestRequest, Conversation, DisputeNews, DisputeRequest, OperationIdentifier, Outcome } from './connector.ts'
import type { DisputeSaid, DisputeStage, DisputeStatus, EvidenceFile } from './dispute.ts'
import { unknown } from './parse-reply.ts'
import { plainText, redact } from './text.ts'
import { isRecord, isWord, readJson, tableOf } from './wire.ts'

/**
 * Disputes at Adyen: heard of by notification only, answered through its Disputes API (v30). Each notification says
 * one step; what `disputeStatus` says besides goes before what its code says. Evidence is documents: which reason
 * they serve, and as what they are supplied, is chosen in `adyen-defense.ts`.
 */

/** What a code says of a dispute. */
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

/** And the word that may stand beside it. Of an inquiry there are words of its own. */
const words = tableOf<DisputeStatus>({
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

/** Codes that end a stage, or begin one, whatever is said besides. */
const certainCodes = ['NOTIFICATION_OF_CHARGEBACK', 'SECOND_CHARGEBACK', 'PREARBITRATION_OPEN', 'SCHEME_ARBITRATION']

const timeOf = (value: unknown): Time | null => {
  const time = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

/** The news of a dispute that a notification brings; null if it brings none. */
export function disputeNewsOf(item: AdyenNotificationItem, fields: Record<string, unknown>): DisputeNews | null {
  const { eventCode, reference, request_id, acts_on, amount, success } = item
  const code = codes[eventCode]
  if (!code || !success) return null
  const more = isRecord(fields.additionalData) ? fields.additionalData : {}
  const word = typeof more.disputeStatus === 'string' ? more.disputeStatus : ''
  const status = certainCodes.includes(eventCode) ? undefined : words[word]
  const stage: DisputeStage = ofInquiries.includes(word) ? 'pre_dispute' : code[0]
  const dispute: DisputeSaid = {
    reference,
    stage,
    status: status ?? code[1],
    said: isWord(word) ? word : eventCode,
    amount,
    reason: typeof fields.reason === 'string' && fields.reason !== '' ? plainText(fields.reason) : null,
    reason_code: isWord(more.chargebackReasonCode) ? more.chargebackReasonCode : null,
    respond_by: timeOf(more.defensePeriodEndsAt),
    created: null,
    updated: timeOf(fields.eventDate),
  }
  const names: OperationIdentifier[] = [
    ...(request_id === null ? [] : [{ request_id, verb: 'authorize' } as const]),
    ...(acts_on === null ? [] : [{ reference: acts_on }]),
  ]
  const [first, ...others] = names
  return first ? { of: [first, ...others], dispute } : null
}

/** Where disputes are answered: at another host than payments are made. */
function serviceOf(account: Account): Account {
  const { base_url } = account
  const [place] = /^https:\/\/checkout-(?:test)\.adyen\.com/.test(base_url) ? ['test'] : base_url === '' ? ['live'] : [null]
  const host = place === null ? base_url.replace(/\/$/, '') : `https://ca-${place}.adyen.com`
  return { ...account, base_url: `${host}/ca/services/DisputeService/v30` }
}

type Answer = { is: 'yes'; body: Record<string, unknown> } | { is: 'no'; outcome: Outcome }

/** One question to the service: it says in its answer whether it did it. */
function* ask(account: Account, path: string, key: string, body: object): Conversation<Answer> {
  const about = { merchantAccountCode: account.credentials.key1?.reveal(), ...body }
  const request = requestTo(serviceOf(account), path, key, about)
  if ('is' in request) return { is: 'no', outcome: request }
  const reply = yield request
  if (reply.is !== 'reply') return { is: 'no', outcome: reply.is === 'not_sent' ? reply : unknown(reply.why) }
  const said = readJson(redact(reply.body, adyenSecrets(account)))
  if (reply.status !== 200) return { is: 'no', outcome: refusedOf(reply.status, said) }
  const result = isRecord(said) && isRecord(said.disputeServiceResult) ? said.disputeServiceResult : null
  if (!isRecord(said) || typeof result?.success !== 'boolean') return { is: 'no', outcome: unknown('invalid response (HTTP 200)') }
  if (result.success) return { is: 'yes', body: said }
  const words = typeof result.errorMessage === 'string' ? result.errorMessage : 'The dispute service refused the request.'
  return { is: 'no', outcome: declined(words) }
}

const declined = (said: string): Extract<Outcome, { is: 'declined' }> => ({
  is: 'declined',
  reference: null,
  code: 'operation_declined',
  code_said: 'disputeServiceResult',
  said: plainText(said),
  facts: {},
})

const done = ({ reference, money }: DisputeRequest): Outcome => ({
  is: 'done',
  reference,
  request_id: null,
  amount: money,
  captured: null,
  facts: {},
})

export function* acceptDispute(about: DisputeRequest, account: Account): Conversation {
  const answer = yield* ask(account, '/acceptDispute', about.request_id, { disputePspReference: about.reference })
  return answer.is === 'yes' ? done(about) : answer.outcome
}

export function* contestDispute(about: ContestRequest, account: Account): Conversation {
  const dispute = { disputePspReference: about.reference }
  const { request_id, evidence } = about
  if (evidence.files.length === 0) return { is: 'not_sent', why: 'there is no defense document' }
  // Asked again under the same key Adyen says the same again, so the choice is the same after a death.
  const asked = yield* ask(account, '/retrieveApplicableDefenseReasons', `${request_id}-reasons`, dispute)
  // Nothing was handed in so far.
  if (asked.is === 'no') return asked.outcome.is === 'unknown' ? { is: 'not_sent', why: asked.outcome.why } : asked.outcome
  const defense = chooseDefense(readReasons(asked.body), evidence.files)
  if (defense.is === 'none') return { ...declined(defense.why), code_said: 'defense_reason' }
  const defenseDocuments = evidence.files.map((file, i) => documentOf(file, defense.labels[i]!))
  const supplied = yield* ask(account, '/supplyDefenseDocument', `${request_id}-documents`, { ...dispute, defenseDocuments })
  if (supplied.is === 'no') return supplied.outcome.is === 'unknown' ? { is: 'not_sent', why: supplied.outcome.why } : supplied.outcome
  const defended = yield* ask(account, '/defendDispute', request_id, { ...dispute, defenseReasonCode: defense.reason })
  return defended.is === 'yes' ? done(about) : defended.outcome
}

const documentOf = ({ content_type, bytes }: EvidenceFile, defenseDocumentTypeCode: string) => ({
  content: bytes.toString('base64'),
  contentType: content_type === 'image/jpeg' ? 'image/jpg' : content_type,
  defenseDocumentTypeCode,
})
