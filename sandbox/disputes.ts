// Disputes: the cardholder's bank takes money back, the merchant answers, the bank decides. The rules for every
// dialect. All of it is pure: no waiting, no writing, no network.

import type { Account } from './books.ts'
import { behaviourOf } from './cards.ts'
import { draw } from './context.ts'
import type { Turn } from './processor.ts'
import type { Change, Dispute, DisputeStage, DisputeStatus, DocumentEvent, Payment } from './records.ts'
import { Refusal } from './refusals.ts'

export const reasons: Record<string, string> = {
  fraudulent: '10.4',
  product_not_received: '13.1',
  product_unacceptable: '13.3',
  duplicate: '12.6.1',
  subscription_canceled: '13.2',
  general: '13.7',
}

const RESPOND_WITHIN_MS = 9 * 24 * 3600_000

export type Disputed = Pick<Change, 'payment' | 'documents' | 'news'> & { dispute: Dispute }

/**
 * A dialect's ids of disputes and names of dispute webhooks. Payments without a dialect use the sandbox's own
 * language.
 */
type DisputeDialect = { id(turn: Turn): string; events(dispute: Dispute, what: 'begun' | 'moved'): string[] }
const ownDialect: DisputeDialect = { id: turn => `dsp_${draw(turn.context, 20)}`, events: () => ['dispute.updated'] }

const braintreeEvents: Partial<Record<DisputeStatus, string>> = {
  needs_response: 'dispute_opened',
  under_review: 'dispute_disputed',
  won: 'dispute_won',
  cancelled: 'dispute_won',
  lost: 'dispute_lost',
  accepted: 'dispute_accepted',
  expired: 'dispute_expired',
}

const checkoutEvents: Partial<Record<DisputeStatus, string>> = {
  needs_response: 'evidence_required',
  under_review: 'evidence_submitted',
  cancelled: 'canceled',
}
const checkoutSchemeEvents: Partial<Record<DisputeStatus, string>> = {
  needs_response: 'arbitration_sent_to_scheme',
  under_review: 'arbitration_evidence_submitted',
  won: 'arbitration_won',
  lost: 'arbitration_lost',
}

const dialects: Record<string, DisputeDialect> = {
  stripe: {
    id: turn => `dp_${draw(turn.context, 24)}`,
    events({ stage, status }, what) {
      const over = status === 'lost' ? ['charge.dispute.closed'] : []
      if (what === 'begun') return ['charge.dispute.created', ...(stage === 'inquiry' ? [] : ['charge.dispute.funds_withdrawn']), ...over]
      if (status === 'needs_response' || status === 'under_review') return ['charge.dispute.updated']
      return ['charge.dispute.closed', ...(stage !== 'inquiry' && isReturned(status) ? ['charge.dispute.funds_reinstated'] : [])]
    },
  },
  braintree: { id: turn => draw(turn.context, 16).toLowerCase(), events: ({ status }) => [braintreeEvents[status]!] },
  checkout: {
    id: turn => `dsp_${draw(turn.context, 22)}`,
    events({ stage, status }, what) {
      // At Checkout.com, a debit that the customer's bank takes back is not a dispute.
      if (what === 'begun') return status === 'lost' ? ['payment_returned'] : ['dispute_received', 'dispute_evidence_required']
      const names = stage === 'second_chargeback' ? checkoutSchemeEvents : checkoutEvents
      return [`dispute_${names[status] ?? status}`]
    },
  },
  mollie: {
    id: turn => `chb_${draw(turn.context, 6)}`,
    events({ status }, what) {
      if (what === 'begun') return ['chargeback.received']
      return isReturned(status) ? ['chargeback.reversed'] : []
    },
  },
  paypal: {
    id: turn => `PP-D-${draw(turn.context, 6)}`,
    events({ status }, what) {
      if (what === 'begun') return ['CUSTOMER.DISPUTE.CREATED']
      return [status === 'needs_response' || status === 'under_review' ? 'CUSTOMER.DISPUTE.UPDATED' : 'CUSTOMER.DISPUTE.RESOLVED']
    },
  },
  adyen: {
    id: turn => draw(turn.context, 16),
    events({ stage, status }, what) {
      if (stage === 'inquiry') return what === 'begun' ? ['REQUEST_FOR_INFORMATION'] : ['INFORMATION_SUPPLIED']
      if (what === 'begun') return ['NOTIFICATION_OF_CHARGEBACK', 'CHARGEBACK']
      if (status === 'needs_response') return ['SECOND_CHARGEBACK']
      if (status === 'under_review') return ['INFORMATION_SUPPLIED']
      if (isReturned(status)) return [stage === 'chargeback' ? 'CHARGEBACK_REVERSED' : 'PREARBITRATION_WON']
      if (status === 'lost') return [stage === 'chargeback' ? 'SECOND_CHARGEBACK' : 'PREARBITRATION_LOST']
      return ['DISPUTE_DEFENSE_PERIOD_ENDED']
    },
  },
}
const dialectOf = ({ dialect }: Payment): DisputeDialect => dialects[dialect ?? ''] ?? ownDialect

const isReturned = (status: DisputeStatus): boolean => status === 'won' || status === 'cancelled'

/** Whether the bank has the disputed money. */
const isWithdrawn = ({ stage, status }: Dispute): boolean =>
  stage === 'inquiry' ? status === 'accepted' || status === 'lost' : !isReturned(status)

export const disputesOf = (account: Account, payment: string): Dispute[] =>
  [...account.documents.values()].filter((one): one is Dispute => one.object === 'dispute' && (one as Dispute).payment === payment)

function withDispute(account: Account, payment: Payment, dispute: Dispute, what: 'begun' | 'moved'): Disputed {
  const others = disputesOf(account, payment.id).filter(({ id }) => id !== dispute.id)
  const disputed = [...others, dispute].filter(isWithdrawn).reduce((sum, { amount }) => sum + amount, 0)
  const events: DocumentEvent[] = dialectOf(payment)
    .events(dispute, what)
    .map(type => ({ operation: payment.id, type, document: dispute.id }))
  return { dispute, payment: { ...payment, disputed }, documents: [dispute], news: events }
}

export type RaiseRequest = { amount?: number; reason?: string; stage?: DisputeStage; status?: DisputeStatus }

/** Raises a dispute of a payment. Refuses (422) a payment without a captured amount. */
export function raise(account: Account, payment: Payment, ask: RaiseRequest, turn: Turn): Disputed {
  const { amount = payment.captured, reason = 'fraudulent', stage = 'chargeback', status = 'needs_response' } = ask
  if (payment.captured === 0) throw new Refusal('not_allowed', 'The payment does not have a captured amount')
  if (amount > payment.captured) throw new Refusal('not_allowed', `amount ${amount} exceeds the captured amount: ${payment.captured}`)
  const dispute: Dispute = {
    id: dialectOf(payment).id(turn),
    object: 'dispute',
    payment: payment.id,
    amount,
    reason,
    network_code: reasons[reason] ?? reasons.general!,
    stage,
    status,
    evidence: {},
    metadata: {},
    due_at: turn.at + RESPOND_WITHIN_MS,
    created: turn.at,
    updated: turn.at,
  }
  return withDispute(account, payment, dispute, 'begun')
}

/** Returns the dispute that a disputed card raises as soon as an amount is captured; null for other cards. */
export function raisedBy(account: Account, payment: Payment, turn: Turn): Disputed | null {
  const isNew = payment.captured > 0 && disputesOf(account, payment.id).length === 0
  return isNew && behaviourOf(payment.card).disputed ? raise(account, payment, payment.method ? takenBack : {}, turn) : null
}

/** The dispute of a debit that the customer's bank takes back: final, without a way to contest it. */
const takenBack: RaiseRequest = { reason: 'insufficient_funds', status: 'lost' }

const paymentOf = (account: Account, dispute: Dispute): Payment => account.payments.get(dispute.payment)!

const move = (account: Account, before: Dispute, to: Partial<Dispute>, turn: Turn): Disputed =>
  withDispute(account, paymentOf(account, before), { ...before, ...to, updated: turn.at }, 'moved')

function needOpen({ status, due_at }: Dispute, turn: Turn): void {
  if (status !== 'needs_response') throw new Refusal('not_allowed', `A dispute that is ${status} cannot be accepted or contested`)
  if (turn.at > due_at) throw new Refusal('not_allowed', 'The deadline for a response has passed')
}

/** The evidence texts that decide a dispute as soon as they are submitted, as in Stripe's test mode. */
const verdicts: Record<string, DisputeStatus> = { winning_evidence: 'won', losing_evidence: 'lost' }

/** Adds the merchant's evidence to a dispute. Without `submit` the evidence is only stored. */
export function answerDispute(
  account: Account,
  before: Dispute,
  given: { evidence: Record<string, string>; metadata?: Record<string, string>; submit: boolean },
  turn: Turn,
): Disputed {
  needOpen(before, turn)
  const evidence = { ...before.evidence, ...given.evidence }
  const submitted = given.submit && Object.keys(evidence).length > 0
  const status = submitted ? (verdicts[evidence.uncategorized_text ?? ''] ?? 'under_review') : before.status
  return move(account, before, { evidence, status, ...(given.metadata && { metadata: given.metadata }) }, turn)
}

export function acceptDispute(account: Account, before: Dispute, turn: Turn): Disputed {
  needOpen(before, turn)
  return move(account, before, { status: 'accepted' }, turn)
}

/** Decides a dispute as a test orders: the bank rules, withdraws the dispute, or moves it to the next stage. */
export function decideDispute(
  account: Account,
  before: Dispute,
  to: { stage?: DisputeStage; status?: DisputeStatus },
  turn: Turn,
): Disputed {
  const { stage = before.stage, status = stage === before.stage ? before.status : 'needs_response' } = to
  const due_at = stage === before.stage ? before.due_at : turn.at + RESPOND_WITHIN_MS
  return move(account, before, { stage, status, due_at }, turn)
}

/** Expires a dispute that the merchant did not contest in time. */
export const lapseDispute = (account: Account, before: Dispute, turn: Turn): Disputed => move(account, before, { status: 'expired' }, turn)

export const changeOf = ({ dispute: _dispute, ...change }: Disputed): Pick<Change, 'payment' | 'documents' | 'news'> => change

export function needDispute(account: Account, id: string): Dispute {
  const found = account.documents.get(id)
  if (found?.object !== 'dispute') throw new Refusal('not_found', 'No such dispute')
  return found as Dispute
}

/** Shows a dispute in the sandbox's own language. `reference` is that of the authorization. */
export function showDispute(account: Account, dispute: Dispute): object {
  const { payment: id, due_at, created, updated, metadata: _metadata, ...fields } = dispute
  const payment = paymentOf(account, dispute)
  const iso = (at: number) => new Date(at).toISOString()
  return {
    ...fields,
    payment: id,
    reference: payment.reference,
    currency: payment.currency,
    due_at: iso(due_at),
    created_at: iso(created),
    updated_at: iso(updated),
  }
}
