import { isCurrency } from '../base/currencies.ts'
import type { Request, Time } from '../context.ts'
import type { Account, ContestRequest, Conversation, DisputeNews, DisputeRead, DisputeRequest, Outcome, SyncRequest } from './connector.ts'
import type { DisputeSaid, DisputeStage, DisputeStatus, EvidenceFile, Uploaded } from './dispute.ts'
import { disputeOutcome } from './dispute-answers.ts'
import { unknown } from './parse-reply.ts'
import { baseOf, declinedByPhonypay, withoutKey } from './phonypay-talk.ts'
import { readRefused } from './phonypay-wire.ts'
import { plainText, redact } from './text.ts'
import type { DisputeVerb } from './verbs.ts'
import { isAmount, isId, isRecord, isWord, readJson, tableOf } from './wire.ts'

/** Disputes at phonypay: read, accepted and contested (`sandbox/README.md`). */

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

/** A dispute, and the authorization that it is about. */
type Dispute = { reference: string; said: DisputeSaid }

function readTime(value: unknown): Time | null {
  const time = typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]{5,12}Z$/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

function read(body: unknown): Dispute | null {
  if (!isRecord(body) || body.object !== 'dispute') return null
  const { id, reference, amount, currency, reason, network_code } = body
  const stage = stages[String(body.stage)]
  const status = statuses[String(body.status)]
  if (!isId(id) || !isId(reference) || !isAmount(amount) || typeof currency !== 'string' || !isCurrency(currency) || !stage || !status)
    return null
  const said: DisputeSaid = {
    reference: id,
    stage,
    status,
    said: String(body.status),
    amount: { amount, currency },
    reason: isWord(reason) ? reason : null,
    reason_code: isWord(network_code) ? network_code : null,
    respond_by: readTime(body.due_at),
    created: readTime(body.created_at),
    updated: readTime(body.updated_at),
  }
  return { reference, said }
}

/** The dispute that a webhook announces. */
export function readDisputeNews(body: unknown): DisputeNews[] {
  const dispute = isRecord(body) && body.type === 'dispute.updated' ? read(body.dispute) : null
  return dispute ? [{ of: [{ request_id: dispute.reference, verb: 'authorize' }], dispute: dispute.said }] : []
}

function request(account: Account, method: 'GET' | 'POST', path: string, request_id: string | null, body?: object): Request | null {
  const key = account.credentials.api_key
  if (!key) return null
  return {
    method,
    url: `${baseOf(account)}${path}`,
    headers: {
      authorization: `Bearer ${key.reveal()}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(request_id !== null && { 'idempotency-key': request_id }),
    },
    ...(body && { body: JSON.stringify(body) }),
  }
}

const pathOf = (reference: string): string => `/v1/disputes/${encodeURIComponent(reference)}`

export function acceptDispute(ask: DisputeRequest, account: Account): Conversation {
  return move('accept_dispute', ask, request(account, 'POST', `${pathOf(ask.reference)}/accept`, ask.request_id, {}), account)
}

export function contestDispute(ask: ContestRequest, account: Account): Conversation {
  const { texts, uploaded } = ask.evidence
  const body = { texts, files: uploaded }
  return move('contest_dispute', ask, request(account, 'POST', `${pathOf(ask.reference)}/evidence`, ask.request_id, body), account)
}

function* move(verb: DisputeVerb, { money, reference }: DisputeRequest, asked: Request | null, account: Account): Conversation {
  if (!asked) return withoutKey
  const reply = yield asked
  if (reply.is !== 'reply') return reply.is === 'not_sent' ? reply : unknown(reply.why)
  const body = readJson(redact(reply.body, [account.credentials.api_key!]))
  const dispute = reply.status === 200 ? read(body) : null
  if (dispute)
    return dispute.said.reference === reference
      ? certain(disputeOutcome(verb, dispute.said, money))
      : unknown('the response is for another dispute')
  const no = readRefused(reply.status, body)
  if (!no) return unknown(`invalid response (HTTP ${reply.status})`)
  if (no.means === 'later') return { is: 'not_sent', why: 'the processor asks for a later retry' }
  return declinedByPhonypay(no, no.means === 'not_found' || no.means === 'exists' ? 'invalid_request' : no.means)
}

/** A yes after which the dispute stands as before is a surprise that a later question has to look into. */
const certain = (outcome: Outcome): Outcome =>
  outcome.is === 'not_found' ? unknown('the response was accepted, but the dispute is still open') : outcome

export function* syncDispute(verb: DisputeVerb, { reference, money }: SyncRequest, account: Account): Conversation {
  if (reference === null) return unknown('the dispute has no processor reference')
  const read = yield* readDispute(reference, account)
  return read.is === 'dispute'
    ? disputeOutcome(verb, read.dispute, money)
    : unknown(read.is === 'unknown' ? read.why : 'the dispute was not found')
}

export function* readDispute(reference: string, account: Account): Conversation<DisputeRead> {
  const asked = request(account, 'GET', pathOf(reference), null)
  if (!asked) return unknown('the connector account has no api_key')
  const reply = yield asked
  if (reply.is !== 'reply') return unknown(reply.why)
  const body = readJson(redact(reply.body, [account.credentials.api_key!]))
  const dispute = reply.status === 200 ? read(body) : null
  if (dispute?.said.reference === reference)
    return { is: 'dispute', of: [{ request_id: dispute.reference, verb: 'authorize' }], dispute: dispute.said }
  return readRefused(reply.status, body)?.means === 'not_found' ? { is: 'not_found' } : unknown(`invalid response (HTTP ${reply.status})`)
}

export function* uploadEvidence(file: EvidenceFile & { request_id: string }, account: Account): Conversation<Uploaded> {
  const { name, content_type, bytes, request_id } = file
  const asked = request(account, 'POST', '/v1/files', request_id, { name, content_type, content: bytes.toString('base64') })
  if (!asked) return { is: 'refused', code: 'unauthorized', said: 'the connector account has no api_key' }
  const reply = yield asked
  if (reply.is !== 'reply') return unknown(reply.why)
  const body = readJson(redact(reply.body, [account.credentials.api_key!]))
  if (reply.status === 200 && isRecord(body) && body.object === 'file' && isId(body.id)) return { is: 'done', reference: body.id }
  const no = readRefused(reply.status, body)
  return no && no.means !== 'later'
    ? { is: 'refused', code: no.code, said: plainText(no.message) }
    : unknown(`invalid response (HTTP ${reply.status})`)
}
