import type { Account, ContestRequest, Conversation, DisputeRead, DisputeRequest, OperationIdentifier } from '../connector.ts'
import type { DisputeReport, DisputeStage, DisputeStatus, EvidenceFile, EvidenceType } from '../dispute.ts'
import { answeredForSure, disputeOutcome } from '../kit/disputes.ts'
import { beforeMoney, declinedWith, doneWith, failedLookup, failedOutcome, readerOf, unknown } from '../kit/parse-reply.ts'
import { isId, isRecord, parseTime, readId, readWord, tableOf } from '../kit/read.ts'
import { inPath, multipart } from '../kit/request.ts'
import { list, readPaypalMoney, readRefused, record } from './replies.ts'
import { sayToPaypal } from './requests.ts'

/**
 * Disputes at PayPal: its own, and chargebacks of cards. A webhook contains only the dispute's id. The dispute's links
 * tell which answers it takes now: evidence, or, after PayPal has decided against the merchant, an appeal.
 */

const stages = tableOf<DisputeStage>({
  INQUIRY: 'pre_dispute',
  CHARGEBACK: 'dispute',
  PRE_ARBITRATION: 'pre_arbitration',
  ARBITRATION: 'arbitration',
})
const states = tableOf<DisputeStatus>({
  OPEN: 'dispute_opened',
  WAITING_FOR_SELLER_RESPONSE: 'dispute_opened',
  WAITING_FOR_BUYER_RESPONSE: 'dispute_challenged',
  UNDER_REVIEW: 'dispute_challenged',
  OTHER: 'dispute_challenged',
})
const ends = tableOf<DisputeStatus>({
  RESOLVED_BUYER_FAVOUR: 'dispute_lost',
  RESOLVED_SELLER_FAVOUR: 'dispute_won',
  // PayPal pays the buyer itself.
  RESOLVED_WITH_PAYOUT: 'dispute_won',
  CANCELED_BY_BUYER: 'dispute_cancelled',
  ACCEPTED: 'dispute_accepted',
  DENIED: 'dispute_won',
})

/** `capture`: the disputed one. `answers`: the relations of the links, which are the answers that it takes now. */
type Dispute = { dispute: DisputeReport; capture: string | null; request_id: string | null; answers: string[] }

function read(body: unknown): Dispute | null {
  if (!isRecord(body) || !isId(body.dispute_id)) return null
  const amount = readPaypalMoney(body.dispute_amount)
  const outcome = readWord(record(body.dispute_outcome).outcome_code)
  const answers = (list(body.links) ?? []).filter(isRecord).map(({ rel }) => String(rel))
  const round = stages[String(body.dispute_life_cycle_stage)]
  const end = body.status === 'RESOLVED' ? ends[outcome ?? ''] : states[String(body.status)]
  const decidedOnce = (list(body.adjudications) ?? []).length > 0
  // A decision by PayPal may be appealed, which is another round of the same dispute.
  const status = end === 'dispute_lost' && answers.includes('appeal') ? 'dispute_opened' : end
  const again = decidedOnce && (end === 'dispute_lost' || body.status !== 'RESOLVED')
  const stage = again && (round === 'pre_dispute' || round === 'dispute') ? 'pre_arbitration' : round
  if (amount === null || stage === undefined || status === undefined) return null
  const [transaction] = list(body.disputed_transactions)?.filter(isRecord) ?? []
  return {
    dispute: {
      reference: body.dispute_id,
      stage,
      status,
      said: body.status === 'RESOLVED' ? outcome! : String(body.status),
      amount,
      reason: readWord(body.reason),
      reason_code: readWord(body.external_reason_code),
      respond_by: parseTime(body.seller_response_due_date),
      created: parseTime(body.create_time),
      updated: parseTime(body.update_time),
    },
    capture: readId(transaction?.seller_transaction_id),
    request_id: readId(transaction?.custom),
    answers,
  }
}

const pathOf = (reference: string): string => `/v1/customer/disputes/${inPath(reference)}`
const disputeReply = readerOf(read, readRefused)
const answeredReply = readerOf(body => (isRecord(body) && Array.isArray(body.links) ? body.links : null), readRefused)
const captureReply = readerOf(body => {
  const related = record(record(body).supplementary_data).related_ids
  return isRecord(body) && isId(body.id) ? { order: readId(record(related).order_id) } : null
}, readRefused)

const readCapture = (id: string, account: Account) => sayToPaypal(account, `/v2/payments/captures/${inPath(id)}`, captureReply)

/** Null if PayPal does not say. */
export function* orderOfCapture(id: string, account: Account): Conversation<string | null> {
  const reply = yield* readCapture(id, account)
  return reply.is === 'answer' ? reply.answer.order : null
}

export function* readDispute(reference: string, account: Account): Conversation<DisputeRead> {
  const reply = yield* sayToPaypal(account, pathOf(reference), disputeReply)
  if (reply.is !== 'answer') return failedLookup(reply)
  const { dispute, capture, request_id } = reply.answer
  if (dispute.reference !== reference) return unknown('the response is for another dispute')
  const of: OperationIdentifier[] = []
  if (request_id !== null) of.push({ request_id, verb: 'authorize' })
  if (capture !== null) of.push({ reference: capture, verb: 'capture' })
  if (request_id === null && capture !== null) {
    // An order that a button created does not contain our request id.
    const found = yield* readCapture(capture, account)
    if (found.is !== 'answer')
      return failedLookup(found).is === 'unknown' ? unknown('the disputed payment could not be read') : { is: 'not_found' }
    if (found.answer.order !== null) of.push({ reference: found.answer.order, verb: 'authorize' })
  }
  return { is: 'dispute', of, dispute }
}

/** The buyer is refunded. */
export function* acceptDispute(ask: DisputeRequest, account: Account): Conversation {
  const body = { note: 'The claim is accepted.', accept_claim_type: 'REFUND' }
  const reply = yield* sayToPaypal(account, `${pathOf(ask.reference)}/accept-claim`, answeredReply, { body })
  return reply.is === 'answer' ? doneWith(ask.reference, ask.money) : failedOutcome(reply)
}

export function* contestDispute(ask: ContestRequest, account: Account): Conversation {
  const found = yield* sayToPaypal(account, pathOf(ask.reference), disputeReply)
  // No evidence was submitted so far.
  if (found.is !== 'answer') return beforeMoney(found)
  const { dispute, answers } = found.answer
  const way = answers.includes('provide_evidence') ? 'provide-evidence' : answers.includes('appeal') ? 'appeal' : null
  if (dispute.reference !== ask.reference || way === null) {
    const known = disputeOutcome('contest_dispute', dispute, ask.money)
    return known.is === 'done' || known.is === 'declined'
      ? answeredForSure(known)
      : declinedWith('not_allowed', dispute.said, 'PayPal takes no evidence now.')
  }
  const form = evidenceForm(ask)
  const reply = yield* sayToPaypal(account, `${pathOf(ask.reference)}/${way}`, answeredReply, form)
  return reply.is === 'answer' ? doneWith(ask.reference, ask.money) : failedOutcome(reply)
}

const kinds: Readonly<Partial<Record<EvidenceType, string>>> = {
  cancellation_policy: 'RETURN_POLICY',
  refund_policy: 'RETURN_POLICY',
  receipt: 'PROOF_OF_RECEIPT_COPY',
  shipping_documentation: 'PROOF_OF_FULFILLMENT',
  recurring_transaction_agreement: 'BILLING_AGREEMENT',
  customer_signature: 'PROOF_OF_DELIVERY_SIGNATURE',
}
const LONGEST_NOTE = 2000

/** A piece for each file, and one for the texts. */
function evidenceOf({ evidence: { texts, files } }: ContestRequest) {
  const { shipping_tracking_number: tracking_number, shipping_carrier: carrier_name_other, ...rest } = texts
  const lines = Object.entries(rest).map(([what, text]) => `${what.replaceAll('_', ' ')}: ${text}`)
  const notes = lines.join('\n').slice(0, LONGEST_NOTE)
  return {
    evidences: [
      ...(notes === '' ? [] : [{ evidence_type: 'OTHER', notes }]),
      ...(tracking_number === undefined
        ? []
        : [
            {
              evidence_type: 'PROOF_OF_FULFILLMENT',
              evidence_info: {
                tracking_info: [{ carrier_name: 'OTHER', ...(carrier_name_other && { carrier_name_other }), tracking_number }],
              },
            },
          ]),
      ...files.map((file, i) => ({ evidence_type: kinds[file.type] ?? 'OTHER', documents: [{ name: fileName(file, i) }] })),
    ],
  }
}

const fileName = ({ name, type }: EvidenceFile, i: number): string =>
  `${type}-${i + 1}.${/\.([A-Za-z]{1,5})$/.exec(name)?.[1]?.toLowerCase() ?? 'pdf'}`

const evidenceForm = (ask: ContestRequest): { bytes: Buffer; type: string } =>
  multipart(ask.request_id, [
    { name: 'input', filename: 'input.json', type: 'application/json', content: JSON.stringify(evidenceOf(ask)) },
    ...ask.evidence.files.map((file, i) => ({
      ...{ name: `evidence-file${i + 1}`, filename: fileName(file, i) },
      ...{ type: file.content_type, content: file.bytes },
    })),
  ])
