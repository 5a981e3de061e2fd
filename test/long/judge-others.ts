import type { DisputeStage, DisputeStatus } from '../../src/connectors/dispute.ts'
import type { PayoutStatus } from '../../src/payouts/lifecycle.ts'
import type { Books } from './books.ts'
import type { Differs } from './judge.ts'

/** Compares disputes and payouts with the processor's ledger (see `judge.ts`). */

type Of = (payment_id: string | null) => Differs

const stages: Record<string, DisputeStage> = { inquiry: 'pre_dispute', chargeback: 'dispute', second_chargeback: 'pre_arbitration' }

/**
 * The statuses that a dispute may have in the service, by its status at the processor. Some processors have no words
 * for some statuses: to them a dispute that was accepted or has expired is lost, and one that was cancelled is won.
 */
const statuses: Record<string, DisputeStatus[]> = {
  needs_response: ['dispute_opened'],
  under_review: ['dispute_challenged'],
  won: ['dispute_won'],
  lost: ['dispute_lost'],
  accepted: ['dispute_accepted', 'dispute_lost'],
  expired: ['dispute_expired', 'dispute_lost'],
  cancelled: ['dispute_cancelled', 'dispute_won'],
}

// biome-ignore lint/suspicious/noExplicitAny: rows as they come
type Body = any

/**
 * Verifies that each dispute is known on both sides, with the same stage and status. Disputes that were recorded by
 * hand exist only in the service. Where a dispute can be asked about only with its payment, its name here begins with
 * the payment's.
 */
export function judgeDisputes({ disputes, ledger, payments }: Books, of: Of): void {
  const idOf = ({ connector_dispute_id: id }: Body): string => String(id).split('/').at(-1)!
  const ours = new Map([...disputes.values()].filter(row => !row.is_manual).map(row => [idOf(row), row]))
  for (const { id, stage, status, amount } of ledger.disputes) {
    const row = ours.get(id)
    const text = `dispute ${id} of ${amount} is ${stage} ${status} there`
    if (!row) of(null)(`${text}, and unknown here`)
    // Mollie tells no more of a chargeback that is not reversed.
    else if (payments.get(row.payment_id)?.connector === 'mollie' && status === 'expired') continue
    // A chargeback that is lost at PayPal may be appealed.
    else if (row.connector === 'paypal' && `${stage} ${status}` === 'chargeback lost' && isAppealable(row)) continue
    else if (row.dispute_stage !== stages[stage] || !statuses[status]!.includes(row.dispute_status) || Number(row.amount) !== amount)
      of(row.payment_id)(`${text}, and of ${row.amount} ${row.dispute_stage} ${row.dispute_status} here`)
  }
  const remoteIds = new Set(ledger.disputes.map(({ id }) => id as string))
  for (const [id, { payment_id, alone }] of ours) {
    if (!remoteIds.has(id)) of(payment_id)(`dispute ${id} is unknown there`)
    if (alone !== null) of(payment_id)(`dispute ${id} still waits for operation ${alone}`)
  }
  for (const payment_id of new Set([...disputes.values()].map(row => row.payment_id as string)))
    if (!payments.has(payment_id)) of(null)(`a dispute is of ${payment_id}, which is not there`)
}

const isAppealable = ({ dispute_stage, dispute_status }: Body): boolean =>
  dispute_stage === 'pre_arbitration' && dispute_status === 'dispute_opened'

/**
 * The statuses that a payout may have at the processor, by its status in the service. A status that is missing here is
 * not final.
 */
const payoutThere: Partial<Record<PayoutStatus, string[]>> = {
  requires_payout_method_data: ['nothing'],
  requires_confirmation: ['nothing'],
  requires_fulfillment: ['nothing'],
  initiated: ['pending'],
  success: ['paid'],
  reversed: ['returned'],
  failed: ['declined', 'nothing'],
  ineligible: ['declined'],
  cancelled: ['cancelled', 'nothing'],
  expired: ['expired', 'nothing'],
}

/**
 * Verifies that each payout has the same result at the processor as in the service, and that no other attempt of it
 * was paid.
 */
export function judgePayouts({ payouts, operations, remote, ledger }: Books, of: Of): void {
  const there = new Map(ledger.payouts.map(payout => [payout.reference as string, payout]))
  for (const [payout_id, row] of payouts) {
    const differs: Differs = text => of(null)(`payout ${payout_id}: ${text}`)
    const its = operations.get(payout_id) ?? []
    for (const { n, verb, state, request_id } of its) {
      const theirOnes = remote.get(request_id) ?? []
      if (theirOnes.length > 1) differs(`${verb} ${n} was made ${theirOnes.length} times there`)
      if (theirOnes[0]?.sends > 1) differs(`${verb} ${n} was sent ${theirOnes[0].sends} times`)
      // An operation that is waiting for its result may still receive it.
      if (['open', 'unknown'].includes(state) || (state === 'waiting' && row.status !== 'initiated')) differs(`${verb} ${n} is ${state}`)
    }
    const sent = its.filter(({ verb }) => verb === 'payout')
    const paid = sent.find(({ n }) => n === row.payout_n)
    const their = (paid && there.get(paid.request_id)) ?? undefined
    const status = their?.status ?? 'nothing'
    if (!payoutThere[row.status as PayoutStatus]?.includes(status)) differs(`it is ${row.status} here and ${status} there`)
    if (their && (their.amount !== Number(row.amount) || their.currency !== row.currency))
      differs(`it is of ${row.amount} ${row.currency} here and ${their.amount} ${their.currency} there`)
    for (const { n, request_id } of sent)
      if (n !== row.payout_n && ['paid', 'pending', 'returned'].includes(there.get(request_id)?.status ?? ''))
        differs(`attempt ${n}, which it does not stand on, is ${there.get(request_id)!.status} there`)
    if (row.alone !== null && row.status !== 'initiated') differs(`it is still waiting for operation ${row.alone}`)
  }
}
