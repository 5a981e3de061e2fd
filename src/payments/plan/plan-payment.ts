import { after } from '../../base/lifecycle.ts'
import { refuse } from '../../base/refusal.ts'
import type { Change, EventDraft, RowChange, Time } from '../../context.ts'
import { payerRows, refuseDeletedCustomer } from '../../customers/payer.ts'
import type { Operation } from '../../operations/operation.ts'
import { checkChosen } from '../authorization/installments.ts'
import { isNeededLater } from '../authorization/number-needed.ts'
import { rowsDeletingInstrument } from '../authorization/payment-instrument.ts'
import { checkAllowed, checkSetUpWithoutCharge, checkTerms } from '../check.ts'
import { checkOffered } from '../checkout/offered-methods.ts'
import { checkLink } from '../checkout/payment-link.ts'
import { lifecycle } from '../lifecycle.ts'
import type { Payment } from '../payment.ts'
import type { UseCaseCall } from '../services.ts'
import { checkMerchantInitiated } from '../stored-credentials/merchant-initiated.ts'
import { checkStoredCredential } from '../stored-credentials/stored-credential.ts'
import type { PaymentCaller, PaymentTerms } from '../terms.ts'
import { findPaidWith, hasInstrument, type Keeps, type PaidWith, withMasked } from './paid-with.ts'
import { planAttempt } from './plan-attempt.ts'
import { type Reservation, reservationsOf } from './reservations.ts'

/** One change of a payment and the work around it: `writePlan` writes it, `performPlan` sends it. */
export type PaymentPlan = {
  call: UseCaseCall
  /** The change without the rows that store the instrument: those are sealed when the change is written. */
  change: Change & { after: Payment }
  terms: PaymentTerms
  paid: PaidWith
  /** How the instrument is stored; null leaves the stored instrument unchanged. */
  keeps: Keeps | null
  /** The operation to send to a processor; null if nothing is sent. */
  operation: Operation | null
  reservations: readonly Reservation[]
}

/**
 * Plans a create, update or confirm. `before`: null if the payment is being created. `wanted`: what the request wants.
 * `confirm`, from the request: true begins an attempt; false leaves the payment ready with the stored instrument. May
 * be called again after a conflict: it reads and refuses, writes nothing, and leaves nothing in memory.
 */
export async function planPayment(
  call: UseCaseCall,
  before: Payment | null,
  wanted: Payment,
  terms: PaymentTerms,
  caller: PaymentCaller,
  confirm: boolean | undefined,
): Promise<PaymentPlan> {
  const { context, services } = call
  checkWanted(call, before, wanted, terms, confirm === true)
  const paid = await findPaidWith(call, before, wanted, terms)
  const masked = withMasked(call, wanted, paid)
  // A saved instrument determines its payment method, which must be an allowed one.
  if (paid.saved) checkAllowed(masked.request)
  const isAnothers = before !== null && wanted.customer_id !== before.customer_id
  if (isAnothers) await refuseDeletedCustomer(context, wanted)
  const rows = before === null || isAnothers ? payerRows(context, services.payers, wanted, terms.request) : []

  if (confirm !== true) {
    const waits = planWaiting(before, masked, paid, terms, confirm === false, context.now())
    rows.push(...waits.rows)
    const event = { type: before ? waits.move : 'created', announces: null }
    const change = { head: 'payments', before, after: waits.payment, rows, event, by: context.by }
    return { call, change, terms, paid, keeps: waits.keeps, operation: null, reservations: [] }
  }
  const attempt = await planAttempt(call, masked, paid, terms, caller)
  const { payment, operation, isBlocked, authenticates } = attempt
  rows.push(...attempt.rows)
  const type = before === null ? 'created' : isBlocked ? 'blocked' : before.status === 'failed' ? 'retried' : 'sent'
  const event: EventDraft = { type, announces: isBlocked ? 'payment_failed' : null }
  const change = { head: 'payments', before, after: payment, rows, event, by: context.by }
  const isNeeded = isNeededLater(call.merchant, payment, authenticates, caller)
  const keeps = authenticates ? 'for confirm' : isNeeded ? 'without code' : 'not at all'
  return { call, change, terms, paid, keeps, operation, reservations: reservationsOf(call, attempt, paid) }
}

/** Refuses, before anything is looked up, a payment whose terms are not allowed. */
function checkWanted({ merchant }: UseCaseCall, before: Payment | null, wanted: Payment, terms: PaymentTerms, confirms: boolean): void {
  checkTerms(wanted)
  if (before === null && wanted.request.brought_account === undefined) checkOffered(merchant, wanted)
  if (confirms) {
    checkSetUpWithoutCharge(wanted)
    checkChosen(wanted.request)
  }
  // A payment that already has a link is confirmed on the link's page.
  if (before === null || !confirms || terms.request.payment_link) checkLink(merchant, wanted, confirms)
  if (confirms) checkStoredCredential(wanted, terms.request)
  checkMerchantInitiated(wanted.request, terms.input, confirms, before !== null && before.card !== null)
}

type Waiting = { payment: Payment; move: 'method_given' | 'updated'; rows: RowChange[]; keeps: 'for confirm' | null }

/** `ready`: whether with the stored instrument; otherwise it waits, though a confirm may use that (contract 3.2). */
function planWaiting(
  before: Payment | null,
  wanted: Payment,
  paid: PaidWith,
  { card_cvc }: PaymentTerms,
  ready: boolean,
  now: Time,
): Waiting {
  const { input, kept } = paid
  if (before && !input && !kept && card_cvc !== undefined)
    refuse('unacceptable', { field: 'card_cvc', problem: 'can only be sent with a saved card or card data' })
  const payable = hasInstrument(paid, wanted)
  // The stored instrument is of another method than the payment's current one.
  const forgets = before !== null && kept !== null && !payable
  const move = input !== null || (payable && ready) ? 'method_given' : 'updated'
  return {
    payment: {
      ...wanted,
      ...(forgets && { card: null }),
      status: after(lifecycle, wanted.status, move),
      modified_at: before === null ? wanted.modified_at : now,
    },
    move,
    rows: forgets ? rowsDeletingInstrument(before, kept) : [],
    keeps: forgets ? null : 'for confirm',
  }
}
