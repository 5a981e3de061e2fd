import type { Request } from '../../context.ts'
import type { Account, ContestRequest, Conversation, DisputeRead, DisputeRequest, DisputeUpdate, SyncRequest } from '../connector.ts'
import type { DisputeReport, DisputeStage, DisputeStatus, EvidenceFile, Uploaded } from '../dispute.ts'
import { credentialOf } from '../kit/credentials.ts'
import { answeredOutcome, syncDisputeBy } from '../kit/disputes.ts'
import { declinedWith, failedLookup, failedOutcome, failedWish, parseReply, readerOf, unknown } from '../kit/parse-reply.ts'
import { isId, isRecord, isWord, parseTime, readMoney, tableOf } from '../kit/read.ts'
import type { DisputeVerb } from '../verbs.ts'
import { get, post } from './api.ts'
import { readRefused } from './replies.ts'

const stages = tableOf<DisputeStage>({ inquiry: 'pre_dispute', chargeback: 'dispute', second_chargeback: 'pre_arbitration' })
const statuses = tableOf<DisputeStatus>({
  needs_response: 'dispute_opened',
  under_review: 'dispute_challenged',
  won: 'dispute_won',
  lost: 'dispute_lost',
  accepted: 'dispute_accepted',
  expired: 'dispute_expired',
  cancelled: 'dispute_cancelled',
})

/** `reference`: our request id of the disputed authorization. */
type Dispute = { reference: string; dispute: DisputeReport }

function read(body: unknown): Dispute | null {
  if (!isRecord(body) || body.object !== 'dispute') return null
  const { id, reference, amount, currency, reason, network_code } = body
  const stage = stages[String(body.stage)]
  const status = statuses[String(body.status)]
  const money = readMoney(amount, currency)
  if (!isId(id) || !isId(reference) || money === null || !stage || !status) return null
  const dispute: DisputeReport = {
    reference: id,
    stage,
    status,
    said: String(body.status),
    amount: money,
    reason: isWord(reason) ? reason : null,
    reason_code: isWord(network_code) ? network_code : null,
    respond_by: parseTime(body.due_at),
    created: parseTime(body.created_at),
    updated: parseTime(body.updated_at),
  }
  return { reference, dispute }
}

export function readDisputeUpdates(body: unknown): DisputeUpdate[] {
  const dispute = isRecord(body) && body.type === 'dispute.updated' ? read(body.dispute) : null
  return dispute ? [{ is: 'dispute', of: [{ request_id: dispute.reference, verb: 'authorize' }], dispute: dispute.dispute }] : []
}

const pathOf = (reference: string): string => `/disputes/${encodeURIComponent(reference)}`

export function* acceptDispute(ask: DisputeRequest, account: Account): Conversation {
  return yield* answer('accept_dispute', ask, post(account, `${pathOf(ask.reference)}/accept`, {}, ask.request_id), account)
}

export function* contestDispute(ask: ContestRequest, account: Account): Conversation {
  const { texts, uploaded } = ask.evidence
  const request = post(account, `${pathOf(ask.reference)}/evidence`, { texts, files: uploaded }, ask.request_id)
  return yield* answer('contest_dispute', ask, request, account)
}

const disputeReply = readerOf(read, readRefused)

function* answer(verb: DisputeVerb, ask: DisputeRequest, request: Request, account: Account): Conversation {
  const reply = parseReply(yield request, [credentialOf(account)], disputeReply)
  if (reply.is === 'answer') return answeredOutcome(verb, reply.answer.dispute, ask)
  return reply.is === 'refused' && reply.as === 'exists' ? declinedWith('invalid_request', reply.code, reply.message) : failedOutcome(reply)
}

export const syncDispute = (verb: DisputeVerb, ask: SyncRequest, account: Account): Conversation =>
  syncDisputeBy(readDispute, verb, ask, account)

export function* readDispute(reference: string, account: Account): Conversation<DisputeRead> {
  const reply = parseReply(yield get(account, pathOf(reference)), [credentialOf(account)], disputeReply)
  if (reply.is !== 'answer') return failedLookup(reply)
  const { dispute, reference: request_id } = reply.answer
  if (dispute.reference !== reference) return unknown('the response is for another dispute')
  return { is: 'dispute', of: [{ request_id, verb: 'authorize' }], dispute }
}

const fileReply = readerOf(body => (isRecord(body) && body.object === 'file' && isId(body.id) ? body.id : null), readRefused)

export function* uploadEvidence(file: EvidenceFile & { request_id: string }, account: Account): Conversation<Uploaded> {
  const { name, content_type, bytes, request_id } = file
  const request = post(account, '/files', { name, content_type, content: bytes.toString('base64') }, request_id)
  const reply = parseReply(yield request, [credentialOf(account)], fileReply)
  return reply.is === 'answer' ? { is: 'done', reference: reply.answer } : failedWish(reply)
}
