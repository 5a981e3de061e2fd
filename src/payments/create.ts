import { chooseProfile } from '../accounts/choose-profile.ts'
import type { Merchant } from '../accounts/merchant.ts'
import { newResourceId, randomAlphanumeric } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import type { Context, RowChange } from '../context.ts'
import { payerRows } from '../customers/payer.ts'
import { familyNamed } from '../means/families.ts'
import { informed, maskedOf } from '../means/input.ts'
import { insertHead } from '../operations/insert.ts'
import { begun } from '../operations/open.ts'
import { perform } from '../operations/perform.ts'
import type { Call } from '../operations/verb.ts'
import { countCharge, giveBackCharge } from '../payment-methods/charge.ts'
import type { CreateBody } from './ask.ts'
import { authenticationAsked } from './authentication.ts'
import { openAuthorization } from './authorize.ts'
import { blocked, mustNotPay, wasBlocked } from './blocked.ts'
import { checkNoProof, checkTerms, netAmount, sessionEnds } from './check.ts'
import { withCredentials } from './credentials.ts'
import { firstLook, promise } from './follow-ups.ts'
import { checkNotAtOnce } from './installments.ts'
import { rowsKeeping } from './instrument.ts'
import { checkLink } from './link.ts'
import { checkMerchantInitiated, storedInstrumentOf } from './merchant-initiated.ts'
import { authenticatorOf, openAuthentication } from './open-authentication.ts'
import type { Payment } from './payment.ts'
import { findPayment } from './rows.ts'
import { checkStored, noteUse, paidBy, savedBy } from './saved.ts'
import { checkStoredCredential, isMerchantInitiated, needsNoCredential } from './stored-credential.ts'
import { type CreateTerms, createTerms } from './terms.ts'

/**
 * Creates a payment, and with `confirm: true` authorizes it in the same call.
 *
 * What is on the blocklist ends it: nothing is sent. A `payment_id` makes creation idempotent: the same body again
 * gives the stored payment, another body is refused (HE_01).
 */
export async function createPayment(call: Call, ask: CreateBody): Promise<Payment> {
  const terms = createTerms(call, ask)
  const { credentials } = terms
  if (credentials === null) return create(call, terms)
  // What is sent again moves no credentials back to what they were.
  const earlier = await createdBefore(call.context, call.merchant, terms)
  if (earlier) return earlier
  const brings = await withCredentials(call, { ...terms, credentials })
  return create(brings.call, brings.terms)
}

async function create(call: Call, terms: CreateTerms): Promise<Payment> {
  const { context, merchant } = call
  const { confirm } = terms
  if (confirm) checkNotAtOnce(terms.asked)
  else checkNoProof(terms.proof)
  const payer = { merchant_id: merchant.merchant_id, customer_id: terms.columns.customer_id ?? null, currency: terms.columns.currency }
  checkMerchantInitiated(terms.asked, terms.brought, confirm)
  // What it is charged by may have been used up by itself: sent again, it is what it was.
  const earlier = isMerchantInitiated(terms.asked) && (await createdBefore(context, merchant, terms))
  if (earlier) return earlier
  const repeated = isMerchantInitiated(terms.asked) ? await storedInstrumentOf(call, payer, terms.asked, terms.brought) : null
  const saved = repeated ?? (await savedBy(call, payer, terms))
  const brought = await informed(context, saved ?? terms.brought)
  if (confirm) checkStored(terms.asked, saved !== null)
  if (confirm && !brought) {
    const { payment_method } = terms.asked
    // A method that no account takes is refused as that.
    if (payment_method === undefined || familyNamed(payment_method)) refuse('nothing_to_pay_with')
  }
  const created = newPayment(call, { ...terms, ...(saved && paidBy(terms.asked, saved)), brought })
  const payment = confirm ? authenticationAsked(merchant, created, terms.proof) : created
  checkTerms(payment)
  checkLink(merchant, payment, confirm)
  if (confirm) checkStoredCredential(payment)

  const by = confirm && terms.proof === null ? authenticatorOf(merchant, payment, brought?.means) : null
  const rows = brought ? await rowsKeeping(context, payment, brought, confirm && !by ? 'not' : 'for confirm', null) : []
  rows.push(...payerRows(context, call.services.payers, payment, terms.asked))
  if (!confirm) return (await insert(call, payment, rows)).payment
  const not = brought !== null && (await mustNotPay(context, merchant, payment, brought.means))
  const promised = needsNoCredential(payment.asked) || not ? null : await promise(context, payment, saved !== null)
  if (promised) rows.push(...promised.rows)
  const attempt = promised?.payment ?? payment
  const begins =
    by && !not
      ? openAuthentication(call, attempt, brought?.means, by, null)
      : openAuthorization(call, attempt, brought?.means, null, repeated?.agreed(attempt.profile_id))
  const authorization = not ? blocked(payment, begins) : begins
  const counted = repeated?.mandate && !not ? await countCharge(context, repeated.mandate, payment, firstLook(payment.created)) : null
  if (!not) call.services.health.sent(payment.merchant_id, payment.profile_id, authorization.operation.merchant_connector_id)
  rows.push(begun(authorization.operation))
  const written = await insert(call, authorization.payment, rows)
  // Somebody created it a moment before, with the same body: theirs is the one that talks to the processor.
  if (!written.mine && counted !== null) await giveBackCharge(context, payment, counted)
  if (!written.mine || wasBlocked(written.payment)) return written.payment
  const means = repeated?.at ?? brought?.means
  const performed = await perform(call, written.payment, authorization.operation, means ? { means, proof: terms.proof ?? undefined } : {})
  noteUse(call.services.saved, performed, saved)
  return performed
}

/**
 * The payment that was created with this id and body; null if there is none, or the id was not chosen. Refuses
 * (HE_01) another body.
 */
async function createdBefore(context: Context, { merchant_id }: Merchant, { columns, body_digest }: CreateTerms): Promise<Payment | null> {
  if (body_digest === null) return null
  const existing = await findPayment(context, merchant_id, columns.payment_id!)
  return existing ? sameAs(existing, body_digest) : null
}

/** Refuses (HE_01) one that was created by another body. */
function sameAs(existing: Payment, body_digest: string | null): Payment {
  if (existing.body_digest !== null && existing.body_digest === body_digest) return existing
  return refuse('duplicate', { what: 'payment', id: existing.payment_id })
}

function newPayment({ context, merchant, platform }: Call, { columns, asked, brought, body_digest }: CreateTerms): Payment {
  const created = context.now()
  const profile_id = chooseProfile(merchant, columns.profile_id === undefined ? asked : columns).profile_id
  const payment_id = columns.payment_id ?? newResourceId(context, 'pay_')
  return {
    merchant_id: merchant.merchant_id,
    payment_id,
    version: 1,
    sequence: 0,
    status: brought ? 'requires_confirmation' : 'requires_payment_method',
    alone: null,
    profile_id,
    connector: null,
    merchant_connector_id: null,
    connector_transaction_id: null,
    authorization_n: null,
    authorization_request_id: null,
    customer_id: columns.customer_id ?? null,
    currency: columns.currency,
    amount: columns.amount,
    net_amount: netAmount(asked, columns.amount),
    amount_authorized: 0,
    amount_capturable: 0,
    amount_capturing: 0,
    amount_received: 0,
    amount_refunding: 0,
    amount_refunded: 0,
    amount_disputed: 0,
    capture_method: columns.capture_method ?? 'automatic',
    authentication_type: columns.authentication_type ?? 'three_ds',
    attempt_count: 1,
    operation_count: 0,
    refund_count: 0,
    client_secret: `${payment_id}_secret_${randomAlphanumeric(context, 20)}`,
    card: brought ? maskedOf(context.vault, merchant.merchant_id, brought) : null,
    asked: platform === undefined ? asked : { ...asked, platform_merchant_id: platform },
    facts: null,
    next_action: null,
    last_error: null,
    adjustments: null,
    cancellation_reason: null,
    body_digest,
    created,
    modified_at: created,
    expires_on: sessionEnds(merchant, profile_id, asked, created),
  }
}

async function insert(call: Call, payment: Payment, rows: RowChange[]): Promise<{ payment: Payment; mine: boolean }> {
  const event = { type: 'created', announces: wasBlocked(payment) ? 'payment_failed' : null }
  const { head, mine } = await insertHead(
    call,
    { head: 'payments', after: payment, rows, event },
    () => findPayment(call.context, payment.merchant_id, payment.payment_id),
    existing => sameAs(existing, payment.body_digest),
  )
  return { payment: head, mine }
}
