// Checkout.com's disputes over the sandbox's: read, accepted, and contested with files and texts that are attached
// first and then submitted.

import { iso, newId } from '../context.ts'
import { acceptDispute, answerDispute, changeOf, disputesOf, needDispute } from '../disputes.ts'
import { partOf } from '../form-part.ts'
import type { Dispute, Document } from '../records.ts'
import { Refusal } from '../refusals.ts'
import { type Body, isRecord } from '../requests.ts'
import { invalid, need, only } from './checkout-read.ts'
import { isDebit, paymentIdOf, showDispute, showListedDispute } from './checkout-show.ts'
import type { ApiCall, CallResult, Language } from './language.ts'

type Call = Language['calls'][number]

type CheckoutFile = Document & { object: 'file'; name: string; size: number; created: number }

/** Reads a body: JSON, an empty body, or a form with a file. */
export function readCheckout(raw: string | undefined, headers: ApiCall['headers']): Body {
  if (String(headers['content-type'] ?? '').startsWith('multipart/form-data')) return { form: raw }
  if ((raw ?? '') === '') return {}
  try {
    const body: unknown = JSON.parse(raw!)
    if (isRecord(body)) return body
  } catch {}
  throw invalid('request_body_malformed')
}

const LARGEST_FILE = 4_000_000
const NOTHING = Buffer.alloc(0)

function upload({ body, turn }: ApiCall): CallResult {
  const form = String(body.form ?? '')
  const purpose = partOf(form, 'purpose')?.content
  const { header = '', content } = partOf(form, 'file') ?? {}
  const [, name] = /filename="([^"]+)"/.exec(header) ?? []
  if (purpose !== 'dispute_evidence') throw invalid('purpose_invalid')
  if (content === undefined || !/\.(?:pdf|jpe?g|png)$/i.test(name ?? '')) throw invalid('file_type_invalid')
  if (content.length > LARGEST_FILE) throw invalid('file_size_invalid')
  const file: CheckoutFile = { id: newId(turn.context, 'file'), object: 'file', name: name!, size: content.length, created: turn.at }
  return { change: { documents: [file] }, status: 200, body: { id: file.id } }
}

const isFile = (one: Document | undefined): one is CheckoutFile => one?.object === 'file'

function showFile({ account, params }: ApiCall): CallResult {
  const file = account.documents.get(params.id!)
  if (!isFile(file)) throw new Refusal('not_found', 'file_not_found')
  const { id, name: filename, size, created } = file
  return { body: { id, filename, purpose: 'dispute_evidence', size, uploaded_on: iso(created) } }
}

const KINDS =
  'proof_of_delivery_or_service proof_of_delivery_or_service_date invoice_or_receipt invoice_showing_distinct_transactions ' +
  'customer_communication refund_or_cancellation_policy recurring_transaction_agreement additional_evidence'
const MEMBERS = KINDS.split(' ').flatMap(kind => [`${kind}_file`, `${kind}_text`])

function disputeIn({ account, params }: ApiCall): Dispute {
  const dispute = needDispute(account, params.id!)
  if (account.payments.get(dispute.payment)?.dialect !== 'checkout') throw new Refusal('not_found', 'dispute_not_found')
  return dispute
}

/**
 * Returns a dispute that can be contested. Refuses a dispute in arbitration at the scheme, which takes other evidence.
 */
function openIn(asked: ApiCall): Dispute {
  const dispute = disputeIn(asked)
  if (dispute.stage === 'second_chargeback') throw new Refusal('not_allowed', 'dispute_in_arbitration')
  return dispute
}

function attach(asked: ApiCall): CallResult {
  const { body, account, turn } = asked
  only(body, MEMBERS.join(' '))
  const names = Object.keys(body)
  if (names.length === 0) throw invalid('evidence_required')
  const evidence = Object.fromEntries(names.map(name => [name, need(body, name, 500)]))
  const missing = names.find(name => name.endsWith('_file') && !isFile(account.documents.get(evidence[name]!)))
  if (missing !== undefined) throw invalid(`${missing}_invalid`)
  return { change: changeOf(answerDispute(account, openIn(asked), { evidence, submit: false }, turn)), status: 204, body: NOTHING }
}

/** The evidence texts that decide a dispute in tests. */
const deciding = /winning_evidence|losing_evidence/

function submit(asked: ApiCall): CallResult {
  const dispute = openIn(asked)
  const verdict = deciding.exec(Object.values(dispute.evidence).join(' '))
  if (Object.keys(dispute.evidence).length === 0) throw invalid('evidence_required')
  const evidence: Record<string, string> = verdict ? { uncategorized_text: verdict[0] } : {}
  return { change: changeOf(answerDispute(asked.account, dispute, { evidence, submit: true }, asked.turn)), status: 204, body: NOTHING }
}

function showEvidence(asked: ApiCall): CallResult {
  const { uncategorized_text: _verdict, ...evidence } = disputeIn(asked).evidence
  return { body: evidence }
}

const LARGEST_PAGE = 250

/**
 * Lists disputes, the last changed first. A returned debit is an action of its payment, not a dispute. `from`, `to`:
 * when they were last changed.
 */
function list(asked: ApiCall): CallResult {
  const { account, query } = asked
  const { limit = '50', skip = '0', payment_id, payment_reference, id, statuses, from, to } = query
  const timeOf = (value: string | undefined, otherwise: number, name: string): number => {
    const time = value === undefined ? otherwise : Date.parse(value)
    if (Number.isNaN(time)) throw invalid(`${name}_invalid`)
    return time
  }
  const [first, last] = [timeOf(from, 0, 'from'), timeOf(to, Number.POSITIVE_INFINITY, 'to')]
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > LARGEST_PAGE) throw invalid('limit_invalid')
  if (!/^\d{1,9}$/.test(skip)) throw invalid('skip_invalid')
  const all = [...account.payments.values()]
    .filter(one => one.dialect === 'checkout' && (payment_id === undefined || paymentIdOf(one.id) === payment_id))
    .filter(one => payment_reference === undefined || one.reference === payment_reference)
    .filter(one => !isDebit(one))
    .flatMap(one => disputesOf(account, one.id))
    .filter(one => one.updated >= first && one.updated <= last && (id === undefined || one.id === id))
    .sort((a, b) => b.updated - a.updated)
    .map(one => showListedDispute(asked, one))
    .filter(({ status }) => statuses === undefined || statuses.split(',').includes(status))
  const data = all.slice(Number(skip), Number(skip) + Number(limit))
  return { body: { limit: Number(limit), skip: Number(skip), total_count: all.length, data } }
}

export const disputeCalls: readonly Call[] = [
  { method: 'GET', path: '/disputes', call: 'lookup', act: list },
  { method: 'GET', path: '/disputes/:id', call: 'lookup', act: asked => ({ body: showDispute(asked, disputeIn(asked)) }) },
  {
    method: 'POST',
    path: '/disputes/:id/accept',
    call: 'dispute',
    act: asked => ({ change: changeOf(acceptDispute(asked.account, openIn(asked), asked.turn)), status: 204, body: NOTHING }),
  },
  { method: 'PUT', path: '/disputes/:id/evidence', call: null, act: attach },
  { method: 'GET', path: '/disputes/:id/evidence', call: 'lookup', act: showEvidence },
  { method: 'POST', path: '/disputes/:id/evidence', call: 'dispute', act: submit },
  { method: 'POST', path: '/files', call: null, act: upload },
  { method: 'GET', path: '/files/:id', call: 'lookup', act: showFile },
]
