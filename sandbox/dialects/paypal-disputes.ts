// PayPal's disputes over the sandbox's: read, accepted, answered with evidence, and appealed once they are lost.

import type { Account } from '../books.ts'
import { iso } from '../context.ts'
import { acceptDispute, answerDispute, changeOf, type Disputed, decideDispute, needDispute } from '../disputes.ts'
import type { Dispute } from '../records.ts'
import { Refusal } from '../refusals.ts'
import type { ApiCall, CallResult } from './language.ts'

const PATH = '/v1/customer/disputes'
const stages = { inquiry: 'INQUIRY', chargeback: 'CHARGEBACK', second_chargeback: 'PRE_ARBITRATION' } as const
const outcomes: Partial<Record<Dispute['status'], string>> = {
  won: 'RESOLVED_SELLER_FAVOUR',
  lost: 'RESOLVED_BUYER_FAVOUR',
  expired: 'RESOLVED_BUYER_FAVOUR',
  accepted: 'ACCEPTED',
  cancelled: 'CANCELED_BY_BUYER',
}
const reasons: Record<string, string> = {
  fraudulent: 'UNAUTHORISED',
  product_not_received: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
  product_unacceptable: 'MERCHANDISE_OR_SERVICE_NOT_AS_DESCRIBED',
  duplicate: 'DUPLICATE_TRANSACTION',
  subscription_canceled: 'CANCELED_RECURRING_BILLING',
}

const mayAppeal = ({ status, stage }: Dispute): boolean => status === 'lost' && stage === 'chargeback'

export function showDispute({ account, url }: { account: Account; url: string }, dispute: Dispute): object {
  const payment = account.payments.get(dispute.payment)!
  const capture = [...account.operations.values()].findLast(
    one => one.payment === payment.id && (one.type === 'capture' || (one.type === 'authorization' && payment.capture === 'automatic')),
  )!
  const order = account.documents.get(payment.document ?? '') as { custom_id?: string | null } | undefined
  const custom = order?.custom_id ?? null
  const { amount } = dispute
  const value = (amount / 100).toFixed(2)
  const outcome_code = outcomes[dispute.status]
  const link = (rel: string, path: string) => ({ href: `${url}/paypal${PATH}/${dispute.id}/${path}`, rel, method: 'POST' })
  return {
    dispute_id: dispute.id,
    create_time: iso(dispute.created),
    update_time: iso(dispute.updated),
    disputed_transactions: [{ seller_transaction_id: capture.id.slice(-17), ...(custom !== null && { custom }) }],
    reason: reasons[dispute.reason] ?? 'OTHER',
    external_reason_code: dispute.network_code,
    status: outcome_code ? 'RESOLVED' : dispute.status === 'needs_response' ? 'WAITING_FOR_SELLER_RESPONSE' : 'UNDER_REVIEW',
    ...(outcome_code && { dispute_outcome: { outcome_code } }),
    ...((dispute.status === 'lost' || dispute.stage === 'second_chargeback') && {
      adjudications: [{ type: 'PAYOUT_TO_BUYER', adjudication_time: iso(dispute.updated), dispute_life_cycle_stage: 'CHARGEBACK' }],
    }),
    dispute_amount: { currency_code: payment.currency, value },
    dispute_life_cycle_stage: stages[dispute.stage],
    dispute_channel: 'INTERNAL',
    seller_response_due_date: iso(dispute.due_at),
    links: [
      ...(dispute.status === 'needs_response' ? [link('provide_evidence', 'provide-evidence'), link('accept_claim', 'accept-claim')] : []),
      ...(mayAppeal(dispute) ? [link('appeal', 'appeal')] : []),
    ],
  }
}

const answered = (asked: ApiCall, change: Disputed): CallResult => ({
  change: changeOf(change),
  body: { links: [{ href: `${asked.url}/paypal${PATH}/${asked.params.id}`, rel: 'self', method: 'GET' }] },
})

/** What a form's `input` says; files are taken as they come. */
function inputIn(form: unknown): string {
  const [, text] = /name="input"[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n([\s\S]*?)\r\n--/.exec(String(form ?? '')) ?? []
  try {
    const { evidences } = JSON.parse(text ?? '') as { evidences: { evidence_type?: unknown; notes?: string; documents?: unknown }[] }
    if (evidences.length === 0 || evidences.some(one => typeof one.evidence_type !== 'string')) throw new Error()
    return evidences.map(({ notes, evidence_type }) => notes ?? String(evidence_type)).join(' ')
  } catch {
    throw new Refusal('invalid_request', 'MISSING_EVIDENCE')
  }
}

/** Evidence that says so decides the dispute. */
const deciding = (words: string): string => /winning_evidence|losing_evidence/.exec(words)?.[0] ?? words

export const disputeActs = {
  read: (asked: ApiCall): CallResult => ({ body: showDispute(asked, needDispute(asked.account, asked.params.id!)) }),
  accept(asked: ApiCall): CallResult {
    return answered(asked, acceptDispute(asked.account, needDispute(asked.account, asked.params.id!), asked.turn))
  },
  evidence(asked: ApiCall): CallResult {
    const evidence = { uncategorized_text: deciding(inputIn(asked.body.form)) }
    return answered(
      asked,
      answerDispute(asked.account, needDispute(asked.account, asked.params.id!), { evidence, submit: true }, asked.turn),
    )
  },
  appeal(asked: ApiCall): CallResult {
    const dispute = needDispute(asked.account, asked.params.id!)
    if (!mayAppeal(dispute)) throw new Refusal('not_allowed', 'APPEAL_NOT_ALLOWED')
    inputIn(asked.body.form)
    return answered(asked, decideDispute(asked.account, dispute, { stage: 'second_chargeback', status: 'under_review' }, asked.turn))
  },
}
