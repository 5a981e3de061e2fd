import type { Secret } from '../../base/secret.ts'
import type { Request } from '../../context.ts'
import type { Account, ContestRequest, Conversation, DisputeRead, DisputeRequest, Outcome } from '../connector.ts'
import type { DisputeReport, DisputeStage, DisputeStatus, EvidenceFile, EvidenceText, EvidenceType, Uploaded } from '../dispute.ts'
import { syncDisputeBy } from '../kit/disputes.ts'
import { declinedWith, doneWith, type FailedReply, failedLookup, failedOutcome, failedWish, readerOf, unknown } from '../kit/parse-reply.ts'
import { isId, isRecord, parseTime, readId, readWord, tableOf } from '../kit/read.ts'
import { inPath } from '../kit/request.ts'
import type { DisputeVerb } from '../verbs.ts'
import { amountIn, parse, readActions, readPayment, readRefused } from './replies.ts'
import { checkoutKeysOf, form, get, post, putJson } from './requests.ts'

/** Webhooks may be outdated: each only triggers a lookup. Evidence has no effect until it is submitted. */

const states = tableOf<[DisputeStage, DisputeStatus]>({
  evidence_required: ['dispute', 'dispute_opened'],
  evidence_under_review: ['dispute', 'dispute_challenged'],
  resolved: ['dispute', 'dispute_cancelled'],
  won: ['dispute', 'dispute_won'],
  lost: ['dispute', 'dispute_lost'],
  canceled: ['dispute', 'dispute_cancelled'],
  expired: ['dispute', 'dispute_expired'],
  accepted: ['dispute', 'dispute_accepted'],
  arb_evidence_submitted: ['arbitration', 'dispute_challenged'],
  arbitration_under_review: ['arbitration', 'dispute_challenged'],
  arbitration_won: ['arbitration', 'dispute_won'],
  arbitration_lost: ['arbitration', 'dispute_lost'],
})

type CheckoutDispute = { dispute: DisputeReport; payment: string }

export function readDisputeBody(body: unknown): CheckoutDispute | null {
  if (!isRecord(body) || !isId(body.id) || !isRecord(body.payment) || !isId(body.payment.id)) return null
  const state = states[String(body.status)]
  const amount = amountIn(body.currency, body.amount)
  if (!state || amount === null) return null
  // Rapid dispute resolution: the network has refunded the cardholder at the merchant's expense.
  const isSettled = body.status === 'resolved' && body.resolved_reason === 'rapid_dispute_resolution'
  return {
    dispute: {
      reference: body.id,
      stage: state[0],
      status: isSettled ? 'dispute_accepted' : state[1],
      said: String(body.status),
      amount,
      reason: readWord(body.category),
      reason_code: readWord(body.reason_code),
      respond_by: parseTime(body.evidence_required_by),
      created: parseTime(body.received_on),
      updated: parseTime(body.last_update),
    },
    payment: body.payment.id,
  }
}

const pathOf = (reference: string): string => `/disputes/${inPath(reference)}`
const disputeReply = readerOf(readDisputeBody, readRefused)
const paymentReply = readerOf(readPayment, readRefused)
const actionsReply = readerOf(readActions, readRefused)
const takenReply = readerOf(() => true, readRefused, [204])
const fileReply = readerOf(body => (isRecord(body) ? readId(body.id) : null), readRefused, [200, 201])

/** The money is lost, and the merchant cannot answer. */
function* readReturn(payment: string, action: string, account: Account): Conversation<DisputeRead> {
  const found = parse(yield get(account, `/payments/${inPath(payment)}`), checkoutKeysOf(account), paymentReply)
  if (found.is !== 'answer')
    return failedLookup(found).is === 'unknown' ? unknown('the returned payment could not be read') : { is: 'not_found' }
  const { money, request_id } = found.answer
  const all = parse(yield get(account, `/payments/${inPath(payment)}/actions`), checkoutKeysOf(account), actionsReply)
  if (all.is !== 'answer') return unknown('the actions of the returned payment could not be read')
  const back = all.answer.find(({ id, approved }) => id === action && approved)
  if (!back || money === null) return unknown('the return is not among the actions of its payment')
  const amount = back.amount === null ? money : amountIn(money.currency, back.amount)
  if (amount === null) return unknown('the returned amount is not understood')
  const of = [
    ...(request_id === null ? [] : [{ request_id, verb: 'authorize' as const }]),
    { reference: payment, verb: 'authorize' as const },
  ]
  const over = { stage: 'dispute', status: 'dispute_lost', said: back.type, respond_by: null, created: null, updated: null } as const
  return { is: 'dispute', of, dispute: { reference: `${payment}/${action}`, amount, reason: null, reason_code: back.code, ...over } }
}

/** Or the return of a debit (`pay_…/act_…`). Our request id comes from the disputed payment. */
export function* readDispute(reference: string, account: Account): Conversation<DisputeRead> {
  const [returned, action] = reference.split('/')
  if (action !== undefined) return yield* readReturn(returned!, action, account)
  const reply = parse(yield get(account, pathOf(reference)), checkoutKeysOf(account), disputeReply)
  if (reply.is !== 'answer') return failedLookup(reply)
  const { dispute, payment } = reply.answer
  if (dispute.reference !== reference) return unknown('the response is for another dispute')
  const found = parse(yield get(account, `/payments/${inPath(payment)}`), checkoutKeysOf(account), paymentReply)
  if (found.is !== 'answer')
    return failedLookup(found).is === 'unknown' ? unknown('the disputed payment could not be read') : { is: 'not_found' }
  const { request_id } = found.answer
  return {
    is: 'dispute',
    of: [...(request_id === null ? [] : [{ request_id, verb: 'authorize' as const }]), { reference: payment, verb: 'authorize' }],
    dispute,
  }
}

export const acceptDispute = (ask: DisputeRequest, account: Account): Conversation =>
  answer('accept_dispute', ask, post(account, `${pathOf(ask.reference)}/accept`), account)

export function* contestDispute(ask: ContestRequest, account: Account): Conversation {
  const evidence = checkoutEvidence(ask)
  if (typeof evidence === 'string') return declinedWith('invalid_request', '', evidence)
  const path = `${pathOf(ask.reference)}/evidence`
  const attached = parse(yield putJson(account, path, evidence), checkoutKeysOf(account), takenReply)
  // No evidence was submitted so far.
  if (attached.is === 'unknown') return { is: 'not_sent', why: attached.why }
  if (attached.is !== 'answer') return yield* refused('contest_dispute', ask, attached, account)
  return yield* answer('contest_dispute', ask, post(account, path), account)
}

function* answer(verb: DisputeVerb, ask: DisputeRequest, request: Request, account: Account): Conversation {
  const reply = parse(yield request, checkoutKeysOf(account), takenReply)
  if (reply.is !== 'answer') return yield* refused(verb, ask, reply, account)
  return doneWith(ask.reference, ask.money)
}

/** A refused answer may have been sent before, so the dispute is read. */
function* refused(verb: DisputeVerb, ask: DisputeRequest, reply: FailedReply, account: Account): Conversation {
  if (reply.is !== 'refused' || (reply.as !== 'not_allowed' && reply.as !== 'invalid_request')) return failedOutcome(reply)
  const outcome: Outcome = yield* syncDisputeBy(readDispute, verb, ask, account)
  return outcome.is === 'done' || outcome.is === 'unknown' ? outcome : failedOutcome(reply)
}

/** Each takes one file. */
const fileMembers: Readonly<Record<EvidenceType, string>> = {
  cancellation_policy: 'refund_or_cancellation_policy_file',
  customer_communication: 'customer_communication_file',
  customer_signature: 'proof_of_delivery_or_service_file',
  receipt: 'invoice_or_receipt_file',
  refund_policy: 'refund_or_cancellation_policy_file',
  service_documentation: 'proof_of_delivery_or_service_file',
  shipping_documentation: 'proof_of_delivery_or_service_file',
  invoice_showing_distinct_transactions: 'invoice_showing_distinct_transactions_file',
  recurring_transaction_agreement: 'recurring_transaction_agreement_file',
  uncategorized_file: 'additional_evidence_file',
}

/** Unlisted texts go into `additional_evidence_text`. */
const textMembers: Readonly<Partial<Record<EvidenceText, string>>> = {
  cancellation_policy_disclosure: 'refund_or_cancellation_policy_text',
  cancellation_rebuttal: 'refund_or_cancellation_policy_text',
  refund_policy_disclosure: 'refund_or_cancellation_policy_text',
  refund_refusal_explanation: 'refund_or_cancellation_policy_text',
  service_date: 'proof_of_delivery_or_service_date_text',
  shipping_date: 'proof_of_delivery_or_service_date_text',
  shipping_address: 'proof_of_delivery_or_service_text',
  shipping_carrier: 'proof_of_delivery_or_service_text',
  shipping_tracking_number: 'proof_of_delivery_or_service_text',
}
const LONGEST_TEXT = 500

/** Or a sentence that says why the evidence does not fit. */
function checkoutEvidence({ evidence: { texts, uploaded } }: ContestRequest): Readonly<Record<string, string>> | string {
  const members = new Map<string, string>()
  for (const [type, file] of Object.entries(uploaded)) {
    const member = fileMembers[type as EvidenceType]
    if (members.has(member)) return `Checkout.com takes one file as ${member}: combine several in one PDF.`
    members.set(member, file)
  }
  for (const [name, text] of Object.entries(texts)) {
    const member = textMembers[name as EvidenceText] ?? 'additional_evidence_text'
    const line = name === 'uncategorized_text' ? text : `${name.replaceAll('_', ' ')}: ${text}`
    const all = [members.get(member), line].filter(one => one !== undefined).join('\n')
    if (all.length > LONGEST_TEXT) return `Checkout.com takes ${LONGEST_TEXT} characters of ${member}, not ${all.length}.`
    members.set(member, all)
  }
  return Object.fromEntries(members)
}

export function* uploadEvidence(file: EvidenceFile & { request_id: string }, account: Account): Conversation<Uploaded> {
  const secrets: readonly Secret[] = checkoutKeysOf(account)
  const reply = parse(yield form(account, '/files', { purpose: 'dispute_evidence' }, file), secrets, fileReply)
  return reply.is === 'answer' ? { is: 'done', reference: reply.answer } : failedWish(reply)
}
