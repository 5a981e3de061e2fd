import { type Currency, isCurrency } from '../base/currencies.ts'
import type { Time } from '../context.ts'
import type {
  Account,
  ContestRequest,
  Conversation,
  DisputeRead,
  DisputeRequest,
  OperationIdentifier,
  Outcome,
  SyncRequest,
} from './connector.ts'
import { uncounted } from './counting.ts'
import type { DisputeSaid, DisputeStage, DisputeStatus, EvidenceFile, EvidenceType, Uploaded } from './dispute.ts'
import { disputeOutcome } from './dispute-answers.ts'
import { unknown } from './parse-reply.ts'
import { refusedOutcome, withoutKey } from './stripe-outcome.ts'
import { REQUEST_ID } from './stripe-params.ts'
import { name, openTalk, type StripeReply } from './stripe-talk.ts'
import * as wire from './stripe-wire.ts'
import { plainText, redact } from './text.ts'
import type { DisputeVerb } from './verbs.ts'
import { isAmount, isId, isRecord, isWord, readJson, tableOf } from './wire.ts'

/**
 * Disputes at Stripe. Their events name the intent by Stripe's own id, and show what is past when they are read: so
 * they only say where to look. Evidence is uploaded file by file, and submitted once; who accepts closes the dispute,
 * which Stripe calls lost.
 */

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

type Dispute = { said: DisputeSaid; of: OperationIdentifier[] }

const timeOf = (seconds: unknown): Time | null =>
  typeof seconds === 'number' && seconds > 0 && seconds < 32_503_680_000 ? new Date(seconds * 1000).toISOString() : null

/** A dispute with its intent in it; of one that is not ours there is no name. */
function read(body: unknown): Dispute | null {
  if (!isRecord(body) || body.object !== 'dispute' || !isId(body.id)) return null
  const { id, status, amount, currency, reason, created, evidence_details, payment_method_details, payment_intent } = body
  const code = typeof currency === 'string' ? currency.toUpperCase() : ''
  const state = states[String(status)]
  const money = isAmount(amount) && isCurrency(code) ? uncounted(wire.counting, amount, code as Currency) : null
  if (!state || money === null) return null
  const card = isRecord(payment_method_details) && isRecord(payment_method_details.card) ? payment_method_details.card : {}
  const request_id = isRecord(payment_intent) && isRecord(payment_intent.metadata) ? payment_intent.metadata[REQUEST_ID] : undefined
  return {
    said: {
      reference: id,
      stage: state[0],
      status: state[1],
      said: String(status),
      amount: money,
      reason: isWord(reason) ? reason : null,
      reason_code: isWord(card.network_reason_code) ? card.network_reason_code : null,
      respond_by: isRecord(evidence_details) ? timeOf(evidence_details.due_by) : null,
      created: timeOf(created),
      updated: null,
    },
    of: isId(request_id) ? [{ request_id, verb: 'authorize' }] : [],
  }
}

/** The dispute that an event is about. */
export function readDisputeEvent(raw: Buffer): string | null {
  const body = readJson(raw.toString())
  const object = isRecord(body) && body.object === 'event' && isRecord(body.data) ? body.data.object : null
  return isRecord(object) && object.object === 'dispute' && isId(object.id) ? object.id : null
}

const pathOf = (reference: string): string => `/v1/disputes/${name(reference)}`

export function* acceptDispute(ask: DisputeRequest, account: Account): Conversation {
  const key = account.credentials.api_key
  if (!key) return withoutKey
  const talk = openTalk(account, key)
  return yield* heardOf(
    'accept_dispute',
    ask,
    account,
    yield* talk.say(talk.post(`${pathOf(ask.reference)}/close`, {}, ask.request_id), read),
  )
}

/** What Stripe calls a file of evidence, where that is not as everybody does. */
const files: Partial<Record<EvidenceType, string>> = { invoice_showing_distinct_transactions: 'duplicate_charge_documentation' }

export function* contestDispute(ask: ContestRequest, account: Account): Conversation {
  const key = account.credentials.api_key
  if (!key) return withoutKey
  const { texts, uploaded } = ask.evidence
  const named = Object.entries(uploaded).map(([type, id]) => [files[type as EvidenceType] ?? type, id])
  const evidence = { ...texts, ...Object.fromEntries(named) }
  const talk = openTalk(account, key)
  const request = talk.post(pathOf(ask.reference), { evidence, submit: 'true' }, ask.request_id)
  return yield* heardOf('contest_dispute', ask, account, yield* talk.say(request, read))
}

/**
 * Where only a look can say what there is, one is taken: a failure of theirs is kept under the key, and would be said
 * again.
 */
function* heardOf(verb: DisputeVerb, ask: DisputeRequest, account: Account, heard: StripeReply<Dispute>): Conversation {
  const { money, reference } = ask
  if (heard.is === 'heard')
    return heard.body.said.reference === reference
      ? certain(disputeOutcome(verb, heard.body.said, money))
      : unknown('the response is for another dispute')
  const broke = heard.is === 'unknown' && heard.status !== undefined && heard.status >= 500
  if (broke || (heard.is === 'refused' && heard.means === 'look')) return certain(yield* syncDispute(verb, { ...ask, verb }, account))
  return heard.is === 'refused' ? refusedOutcome(heard) : heard
}

const certain = (outcome: Outcome): Outcome =>
  outcome.is === 'not_found' ? unknown('the response was accepted, but the dispute is still open') : outcome

export function* syncDispute(
  verb: DisputeVerb,
  { reference, money }: Pick<SyncRequest, 'verb' | 'reference' | 'money'>,
  account: Account,
): Conversation {
  if (reference === null) return unknown('the dispute has no processor reference')
  const read = yield* readDispute(reference, account)
  return read.is === 'dispute'
    ? disputeOutcome(verb, read.dispute, money)
    : unknown(read.is === 'unknown' ? read.why : 'the dispute was not found')
}

export function* readDispute(reference: string, account: Account): Conversation<DisputeRead> {
  const key = account.credentials.api_key
  if (!key) return unknown('the connector account has no api_key')
  const heard = yield* openTalk(account, key).ask(`${pathOf(reference)}?expand[]=payment_intent`, read)
  if (heard.is === 'missing') return { is: 'not_found' }
  if (heard.is === 'unheard') return unknown(heard.why)
  const { said, of } = heard.body
  return said.reference === reference ? { is: 'dispute', of, dispute: said } : unknown('the response is for another dispute')
}

/** Files are taken elsewhere than everything else; in a test system they are not. */
const filesOf = ({ base_url }: Account): string => base_url.replace('https://api.stripe.com', 'https://files.stripe.com')

export function* uploadEvidence(file: EvidenceFile & { request_id: string }, account: Account): Conversation<Uploaded> {
  const key = account.credentials.api_key
  if (!key) return { is: 'refused', code: '', said: 'The connector account has no api_key.' }
  const boundary = `evidence-${file.request_id}`
  const lines = [
    `--${boundary}`,
    'content-disposition: form-data; name="purpose"',
    '',
    'dispute_evidence',
    `--${boundary}`,
    `content-disposition: form-data; name="file"; filename="${file.name}"`,
    `content-type: ${file.content_type}`,
    '',
    '',
  ]
  const { headers } = openTalk(account, key).post('', {}, file.request_id)
  const reply = yield {
    method: 'POST',
    url: `${filesOf(account)}/v1/files`,
    headers: { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
    bytes: Buffer.concat([Buffer.from(lines.join('\r\n')), file.bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  }
  if (reply.is !== 'reply') return unknown(reply.why)
  const body = readJson(redact(reply.body, [key]))
  if (reply.status === 200 && isRecord(body) && body.object === 'file' && isId(body.id)) return { is: 'done', reference: body.id }
  const no = wire.readRefused(reply.status, body)
  if (!no || no.means === 'later' || no.means === 'look') return unknown(`invalid response (HTTP ${reply.status})`)
  return { is: 'refused', code: no.error.code, said: plainText(no.error.message) }
}
