import type { Time } from '../../context.ts'
import type { Account, ContestRequest, Conversation, DisputeRead, DisputeRequest, OperationIdentifier, SyncRequest } from '../connector.ts'
import type { DisputeReport } from '../dispute.ts'
import { answeredOutcome, syncDisputeBy } from '../kit/disputes.ts'
import {
  beforeMoney,
  type FailedReply,
  failedLookup,
  failedOutcome,
  failedQuestion,
  parseReply,
  type ReplyReader,
  unknown,
} from '../kit/parse-reply.ts'
import { isRecord, parseTime, readWord } from '../kit/read.ts'
import type { DisputeVerb } from '../verbs.ts'
import { stagesByType, statusesByWord, textCategories } from './declines.ts'
import { documents, textsDocument } from './documents.ts'
import { readErrors, readerAt, readMoneyAt, readName, readNamed } from './replies.ts'
import { fileEvidence, gql, keysOf, mutate } from './requests.ts'

/** Webhooks contain the legacy id; requests need another. Evidence has no effect until the dispute is finalized. */

type BraintreeDispute = { id: string; dispute: DisputeReport; of: OperationIdentifier[] }

export function readBraintreeDispute(value: unknown): BraintreeDispute | null {
  if (!isRecord(value) || value.__typename !== 'Dispute') return null
  const [id, reference] = [readName(value.id), readName(value.legacyId)]
  const [stage, status] = [stagesByType[String(value.type)], statusesByWord[String(value.status)]]
  const amount = readMoneyAt(value.amountDisputed)
  if (id === null || reference === null || amount === null || !stage || !status) return null
  const why = isRecord(value.processorResponse) ? value.processorResponse : null
  const changed = Array.isArray(value.statusHistory) ? value.statusHistory.filter(isRecord).map(one => parseTime(one.timestamp)) : []
  const times = changed.filter((time): time is Time => time !== null).sort()
  const payment = isRecord(value.transaction) ? value.transaction : null
  const [transactionId, ours] = [readName(payment?.id), readName(payment?.orderId)]
  return {
    id,
    dispute: {
      reference,
      stage,
      status,
      said: String(value.status),
      amount,
      reason: readWord(why?.reason),
      reason_code: readWord(why?.reasonCode),
      respond_by: dayEnd(value.replyByDate),
      created: parseTime(value.createdAt),
      updated: times.at(-1) ?? null,
    },
    of: [
      ...(ours === null ? [] : [{ request_id: ours, verb: 'authorize' as const }]),
      ...(transactionId === null ? [] : [{ reference: transactionId, verb: 'authorize' as const }]),
    ],
  }
}

/** In UTC. */
const dayEnd = (day: unknown): Time | null => (typeof day === 'string' ? parseTime(`${day}T23:59:59.000Z`) : null)

function* nameOf(legacyId: string, account: Account): Conversation<string | FailedReply> {
  const request = gql(account, documents.disputeName, { legacyId })
  const reply = parseReply(yield request, keysOf(account), readerAt('idFromLegacyId', readName))
  return reply.is === 'answer' ? reply.answer : reply
}

export function* acceptDispute(ask: DisputeRequest, account: Account): Conversation {
  const id = yield* nameOf(ask.reference, account)
  return typeof id === 'string' ? yield* answer('accept_dispute', ask, id, account) : beforeMoney(id)
}

export function* contestDispute(ask: ContestRequest, account: Account): Conversation {
  const id = yield* nameOf(ask.reference, account)
  if (typeof id !== 'string') return beforeMoney(id)
  const missed = yield* handIn(ask, id, account)
  return missed === null ? yield* answer('contest_dispute', ask, id, account) : beforeMoney(missed)
}

/** The evidence exists already, because the request was sent before. */
const DUPLICATE = '95714'

/** Null if all pieces were added. */
function* handIn({ evidence, request_id }: ContestRequest, disputeId: string, account: Account): Conversation<FailedReply | null> {
  for (const file of evidence.files) {
    const request = fileEvidence(account, disputeId, file, request_id)
    const reply = parseReply(yield request, keysOf(account), readerAt('createDisputeFileEvidence.evidence', readNamed))
    if (reply.is !== 'answer') return reply
  }
  const texts = Object.entries(evidence.texts)
  if (texts.length === 0) return null
  const inputs = texts.map(([name, content]) => {
    const category = textCategories[name as keyof typeof textCategories]
    return { clientMutationId: request_id, disputeId, category: category ?? 'GENERAL', content: category ? content : `${name}: ${content}` }
  })
  const variables = Object.fromEntries(inputs.map((input, i) => [`t${i}`, input]))
  const reply = parseReply(yield gql(account, textsDocument(texts.length), variables), keysOf(account), textsReply(texts.length))
  return reply.is === 'answer' ? null : reply
}

const textsReply =
  (count: number): ReplyReader<true> =>
  (status, body) => {
    if (status !== 200 || !isRecord(body)) return null
    const data = isRecord(body.data) ? body.data : {}
    const missing = Array.from({ length: count }, (_, i) => data[`t${i}`]).filter(one => !isRecord(one) || readNamed(one.evidence) === null)
    if (missing.length === 0) return { is: 'answer', answer: true }
    const error = readErrors(body.errors)
    const all = Array.isArray(body.errors) ? body.errors : []
    const known = all.every(one => isRecord(one) && isRecord(one.extensions) && one.extensions.legacyCode === DUPLICATE)
    return error !== null && known && all.length === missing.length ? { is: 'answer', answer: true } : error
  }

const mutations = { accept_dispute: 'acceptDispute', contest_dispute: 'finalizeDispute' } as const satisfies Record<DisputeVerb, string>

/** A refused answer may have been sent before: the dispute is read. */
function* answer(verb: DisputeVerb, ask: DisputeRequest, disputeId: string, account: Account): Conversation {
  const name = mutations[verb]
  const request = mutate(account, name, { clientMutationId: ask.request_id, disputeId })
  const reply = parseReply(yield request, keysOf(account), readerAt(`${name}.dispute`, readBraintreeDispute))
  if (reply.is === 'answer') return answeredOutcome(verb, reply.answer.dispute, ask)
  if (reply.is !== 'refused' || reply.as !== 'not_allowed') return failedOutcome(reply)
  const outcome = yield* syncDispute(verb, ask, account)
  return outcome.is === 'done' || outcome.is === 'unknown' ? outcome : failedOutcome(reply)
}

export const syncDispute = (verb: DisputeVerb, ask: Pick<SyncRequest, 'reference' | 'money'>, account: Account): Conversation =>
  syncDisputeBy(readDisputeAt, verb, ask, account)

export function* readDisputeAt(reference: string, account: Account): Conversation<DisputeRead> {
  const id = yield* nameOf(reference, account)
  if (typeof id !== 'string') return failedQuestion(id)
  const request = gql(account, documents.dispute, { id })
  const reply = parseReply(yield request, keysOf(account), readerAt<BraintreeDispute>('node', readBraintreeDispute))
  if (reply.is !== 'answer') return failedLookup(reply)
  const { dispute, of } = reply.answer
  return dispute.reference === reference ? { is: 'dispute', of, dispute } : unknown('the response is for another dispute')
}
