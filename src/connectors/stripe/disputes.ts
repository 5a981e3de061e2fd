import type { Request } from '../../context.ts'
import type { Account, ContestRequest, Conversation, DisputeRead, DisputeRequest, OperationIdentifier, SyncRequest } from '../connector.ts'
import { uncounted } from '../counting.ts'
import type { DisputeReport, DisputeStage, DisputeStatus, EvidenceFile, Uploaded } from '../dispute.ts'
import { answeredForSure, answeredOutcome, syncDisputeBy } from '../kit/disputes.ts'
import { failedLookup, failedQuestion, failedWish, unknown } from '../kit/parse-reply.ts'
import { isAmount, isId, isRecord, isWord, readId, tableOf } from '../kit/read.ts'
import { inPath, multipart } from '../kit/request.ts'
import type { DisputeVerb } from '../verbs.ts'
import { openTalk, type Param } from './api.ts'
import { counting, REQUEST_ID } from './common.ts'
import { secondsToTime } from './next-actions.ts'
import { failedIntent, wantsLook } from './outcomes.ts'
import { readCurrency } from './replies.ts'
import { contest } from './requests.ts'

/** Events may be old and only cause a query. Evidence is submitted once; Stripe calls an accepted dispute lost. */

const states = tableOf<[DisputeStage, DisputeStatus]>({
  warning_needs_response: ['pre_dispute', 'dispute_opened'],
  warning_under_review: ['pre_dispute', 'dispute_challenged'],
  warning_closed: ['pre_dispute', 'dispute_cancelled'],
  needs_response: ['dispute', 'dispute_opened'],
  under_review: ['dispute', 'dispute_challenged'],
  charge_refunded: ['dispute', 'dispute_cancelled'],
  prevented: ['pre_dispute', 'dispute_cancelled'],
  won: ['dispute', 'dispute_won'],
  lost: ['dispute', 'dispute_lost'],
})

type Dispute = { dispute: DisputeReport; of: OperationIdentifier[] }

/** `of` is empty if the intent is not ours. */
function read(body: unknown): Dispute | null {
  if (!isRecord(body) || body.object !== 'dispute' || !isId(body.id)) return null
  const { id, status, amount, currency, reason, created, evidence_details, payment_method_details, payment_intent } = body
  const code = readCurrency(currency)
  const state = states[String(status)]
  const money = isAmount(amount) && code ? uncounted(counting, amount, code) : null
  if (!state || money === null) return null
  const card = isRecord(payment_method_details) && isRecord(payment_method_details.card) ? payment_method_details.card : {}
  const request_id = isRecord(payment_intent) && isRecord(payment_intent.metadata) ? payment_intent.metadata[REQUEST_ID] : undefined
  return {
    dispute: {
      reference: id,
      stage: state[0],
      status: state[1],
      said: String(status),
      amount: money,
      reason: isWord(reason) ? reason : null,
      reason_code: isWord(card.network_reason_code) ? card.network_reason_code : null,
      respond_by: isRecord(evidence_details) ? secondsToTime(evidence_details.due_by) : null,
      created: secondsToTime(created),
      updated: null,
    },
    of: isId(request_id) ? [{ request_id, verb: 'authorize' }] : [],
  }
}

const pathOf = (reference: string): string => `/v1/disputes/${inPath(reference)}`

export function acceptDispute(ask: DisputeRequest, account: Account): Conversation {
  return answer('accept_dispute', ask, `${pathOf(ask.reference)}/close`, {}, account)
}

export function contestDispute(ask: ContestRequest, account: Account): Conversation {
  return answer('contest_dispute', ask, pathOf(ask.reference), contest(ask), account)
}

function* answer(verb: DisputeVerb, ask: DisputeRequest, path: string, body: { [name: string]: Param }, account: Account): Conversation {
  const talk = openTalk(account)
  const reply = yield* talk.say(talk.post(path, body, ask.request_id), read)
  if (reply.is === 'answer') return answeredOutcome(verb, reply.answer.dispute, ask)
  return wantsLook(reply) ? answeredForSure(yield* syncDispute(verb, ask, account)) : failedIntent(reply)
}

export const syncDispute = (verb: DisputeVerb, ask: Pick<SyncRequest, 'reference' | 'money'>, account: Account): Conversation =>
  syncDisputeBy(readDispute, verb, ask, account)

export function* readDispute(reference: string, account: Account): Conversation<DisputeRead> {
  const reply = yield* openTalk(account).get(`${pathOf(reference)}?expand[]=payment_intent`, read)
  if (reply.is !== 'answer') return failedLookup(reply)
  const { dispute, of } = reply.answer
  return dispute.reference === reference ? { is: 'dispute', of, dispute } : unknown('the response is for another dispute')
}

/** Except in a test system. */
const filesOf = ({ base_url }: Account): string => base_url.replace('https://api.stripe.com', 'https://files.stripe.com')

export function* uploadEvidence(file: EvidenceFile & { request_id: string }, account: Account): Conversation<Uploaded> {
  const { bytes, type } = multipart(file.request_id, [
    { name: 'purpose', content: 'dispute_evidence' },
    { name: 'file', filename: file.name, type: file.content_type, content: file.bytes },
  ])
  const talk = openTalk(account)
  const headers = { ...talk.post('', {}, file.request_id).headers, 'content-type': type }
  const request: Request = { method: 'POST', url: `${filesOf(account)}/v1/files`, headers, bytes }
  const reply = yield* talk.say(request, body => (isRecord(body) && body.object === 'file' ? readId(body.id) : null))
  if (reply.is === 'answer') return { is: 'done', reference: reply.answer }
  return reply.is === 'refused' && reply.as === 'exists' ? failedQuestion(reply) : failedWish(reply)
}
