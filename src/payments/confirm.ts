import { chooseProfile } from '../accounts/choose-profile.ts'
import type { ConnectorAccount, Merchant } from '../accounts/merchant.ts'
import { may } from '../base/lifecycle.ts'
import { networkOfAddress } from '../base/network.ts'
import { refuse } from '../base/refusal.ts'
import type { PaymentInstrument } from '../connectors/instrument.ts'
import type { RowChange, Time } from '../context.ts'
import { payerRows, refuseDeletedCustomer } from '../customers/payer.ts'
import { familyNamed } from '../means/families.ts'
import { informed, maskedOf } from '../means/input.ts'
import { begun } from '../operations/open.ts'
import { perform } from '../operations/perform.ts'
import type { Call } from '../operations/verb.ts'
import { countCharge } from '../payment-methods/charge.ts'
import type { ConfirmBody, UpdateBody } from './ask.ts'
import { mayBeRetried, retriesByHand } from './attempt.ts'
import { authenticationAsked } from './authentication.ts'
import { openAuthorization, route } from './authorize.ts'
import { blocked, mustNotPay, wasBlocked } from './blocked.ts'
import { taxAnew } from './calculate-tax.ts'
import { checkTerms, netAmount, refuseStatus, sessionEnds } from './check.ts'
import { brings } from './credentials.ts'
import { firstLook, promise } from './follow-ups.ts'
import { checkBrowsersChoice, checkChosen } from './installments.ts'
import { keptMeans, noLongerWaiting, rowsKeeping, rowsKeepingAnew } from './instrument.ts'
import { lifecycle, welcomes } from './lifecycle.ts'
import { checkLink } from './link.ts'
import { checkMerchantInitiated, type Repeated, storedInstrumentOf } from './merchant-initiated.ts'
import { authenticatorOf, openAuthentication } from './open-authentication.ts'
import { type Payment, paidBySaved } from './payment.ts'
import { begin } from './plan.ts'
import { comesBackFramed } from './returned.ts'
import { askedWith, checkStored, noteUse, savedBy } from './saved.ts'
import { checkStoredCredential, isMerchantInitiated, needsNoCredential } from './stored-credential.ts'
import { checkClaims, confirmTerms, type PaymentCaller, type PaymentTerms } from './terms.ts'
import { tryOf } from './tries.ts'

/**
 * Confirms a payment: authorizes it with what is sent now to pay with, or was kept before. Refuses (IR_16) in any
 * status that does not wait for it, and a browser of which too many tries have failed. What is on the blocklist ends
 * it: nothing is sent.
 */
export async function confirmPayment(
  call: Call,
  payment_id: string,
  ask: ConfirmBody | UpdateBody,
  asker: PaymentCaller,
): Promise<Payment> {
  const { context, merchant } = call
  const terms = confirmTerms(call, ask, asker)
  if (asker.is === 'server') return confirm(call, payment_id, terms, asker, async () => null)
  let leave = () => {}
  const guard = async (masked: Payment) => {
    // Who plans again tries once.
    leave()
    leave = () => {}
    const client_network = networkOfAddress(asker.address)
    leave = await call.services.tries.enter(context, merchant, masked.profile_id, tryOf(masked, client_network))
    return client_network
  }
  return confirm(call, payment_id, terms, asker, guard).finally(() => leave())
}

/** `guard`: lets a browser try, and says from where it does. */
async function confirm(
  asked: Call,
  payment_id: string,
  said: PaymentTerms,
  asker: PaymentCaller,
  guard: (masked: Payment) => Promise<string | null>,
): Promise<Payment> {
  const { context } = asked
  const { payment, plan } = await begin(asked, payment_id, async before => {
    checkClaims(said.claims, before)
    if (before.status === 'failed') checkRetry(asked.merchant, before, context.now())
    else if (!may(lifecycle, before.status, 'sent')) refuseStatus(before, 'confirm', welcomes.confirm)
    const { call, terms } = await brings(asked, said, before)
    const { merchant } = call
    if (asker.is === 'client') {
      checkCustomer(before, terms)
      checkBrowsersChoice(before, terms.asked)
    }
    const agreed = asker.is === 'client' ? savingWanted(onTerms(merchant, before, terms), terms) : onTerms(merchant, before, terms)
    const wanted = authenticationAsked(merchant, agreed, terms.proof)
    checkTerms(wanted)
    checkChosen(wanted.asked)
    if (terms.asked.payment_link) checkLink(merchant, wanted, true)
    checkStoredCredential(wanted)
    checkMerchantInitiated(wanted.asked, terms.brought, true, before.card !== null)
    const { means, rows, saved, repeated, masked: paid, by } = await meansOf(call, before, wanted, terms)
    const masked = by || comesBackFramed(merchant, paid) ? shownBy(paid, asker) : paid
    checkStored(masked.asked, saved !== null || paidBySaved(masked.asked))
    const client_network = await guard(masked)
    const again = before.status === 'failed'
    const retried = again ? { ...masked, attempt_count: masked.attempt_count + 1 } : masked
    const not = await mustNotPay(context, merchant, retried, means)
    const promised = needsNoCredential(retried.asked) || not ? null : await promise(context, retried, saved !== null)
    if (promised) rows.push(...promised.rows)
    const attempt = promised?.payment ?? retried
    const begins =
      by && !not
        ? openAuthentication(call, attempt, means, by, client_network)
        : openAuthorization(call, attempt, means, client_network, repeated?.agreed(attempt.profile_id))
    const { payment: after, operation } = not ? blocked(attempt, begins) : begins
    if (!not) call.services.health.sent(operation.merchant_id, after.profile_id, operation.merchant_connector_id)
    rows.push(begun(operation))
    if (wanted.customer_id !== before.customer_id) {
      await refuseDeletedCustomer(context, wanted)
      rows.push(...payerRows(context, call.services.payers, wanted, terms.asked))
    }
    if (repeated?.mandate && !not) await countCharge(context, repeated.mandate, attempt, firstLook(context.now()))
    const event = not ? { type: 'blocked', announces: 'payment_failed' } : { type: again ? 'retried' : 'sent', announces: null }
    return {
      call,
      means: repeated?.at ?? means,
      saved,
      operation,
      change: { head: 'payments', before, after, rows, event, by: context.by },
    }
  })
  if (wasBlocked(payment)) return payment
  const performed = await perform(plan.call, payment, plan.operation, { means: plan.means, proof: said.proof ?? undefined })
  noteUse(asked.services.saved, performed, plan.saved)
  return performed
}

/** By whose page it is shown, if that is a browser's: only that one, and the shop, are told where a frame goes on. */
const shownBy = (payment: Payment, asker: PaymentCaller): Payment =>
  asker.is === 'client' && asker.origin !== null ? { ...payment, asked: { ...payment.asked, checkout_origin: asker.origin } } : payment

/**
 * A failed payment may be confirmed again in the first half of its session, where the profile allows it (contract
 * 3.6).
 */
function checkRetry(merchant: Merchant, payment: Payment, now: Time): void {
  if (!retriesByHand(merchant, payment))
    refuse('precondition', {
      says: 'You cannot confirm this payment because it has status failed, you can enable `manual_retry` in profile to try this payment again',
      words:
        'This payment has failed: it can be confirmed again only if its business profile has is_manual_retry_enabled, or if it is a payment link',
      help: 'Enable `is_manual_retry_enabled` in the business profile, or create a new payment',
    })
  if (!mayBeRetried(payment, now))
    refuse('precondition', {
      says: 'You cannot confirm this payment using `manual_retry` because the allowed duration has expired',
      words: 'This payment has failed, and the time limit for retrying it has passed',
      help: 'Create a new payment',
    })
}

/** A browser may say who pays only as the payment has it already. */
export function checkCustomer(payment: Payment, { columns: { customer_id } }: PaymentTerms): void {
  if (customer_id !== undefined && customer_id !== payment.customer_id)
    refuse('unauthorized', {
      says: 'Unauthorised access to update customer',
      words: 'customer_id cannot be changed with a publishable key',
    })
}

/**
 * A checkout's "save my card" says no more than that its customer accepts: with a customer and a card that means for
 * payments at which they are there again.
 */
function savingWanted(payment: Payment, { asked: { customer_acceptance } }: PaymentTerms): Payment {
  const { asked, customer_id } = payment
  if (customer_acceptance === undefined || customer_id === null || !needsNoCredential(asked)) return payment
  if ((asked.payment_method ?? 'card') !== 'card') return payment
  return { ...payment, asked: { ...asked, setup_future_usage: 'on_session' } }
}

/** The payment with what an update or a confirm says anew. */
export function onTerms(merchant: Merchant, payment: Payment, { columns, asked: more }: PaymentTerms): Payment {
  // Where nothing is added it stays the same object, and is not written again.
  let asked = Object.keys(more).length === 0 ? payment.asked : { ...payment.asked, ...more }
  // Captured in another way than before: at no time of its own any more.
  if (
    payment.asked.capture_on !== undefined &&
    more.capture_on === undefined &&
    columns.capture_method !== undefined &&
    columns.capture_method !== 'scheduled'
  ) {
    const { capture_on: _before, ...other } = asked
    asked = other
  }
  const amount = columns.amount ?? payment.amount
  const profile_id = columns.profile_id === undefined ? payment.profile_id : chooseProfile(merchant, columns).profile_id
  asked = taxAnew(merchant, { profile_id, amount }, asked, more)
  return {
    ...payment,
    ...columns,
    asked,
    profile_id,
    expires_on: more.session_expiry === undefined ? payment.expires_on : sessionEnds(merchant, profile_id, more, payment.created),
    net_amount: netAmount(asked, amount),
  }
}

/**
 * What a payment is paid with; the rows that keep, or stop keeping, it; and who authenticates its customer before, if
 * somebody is to.
 */
type Paid = {
  means: PaymentInstrument
  rows: RowChange[]
  saved: { payment_method_id: string | null } | null
  repeated?: Repeated
  masked: Payment
  by: ConnectorAccount | null
}

/** What to pay with: from the request, else from the vault, with a security code sent now or one that waited. */
async function meansOf(call: Call, before: Payment, payment: Payment, terms: PaymentTerms): Promise<Paid> {
  const { context, merchant, services } = call
  const { card_cvc, proof } = terms
  const kept = await keptMeans(context, before, card_cvc)
  const known = terms.brought ?? (kept && { family: kept.family, means: kept.means, sent: before.card })
  const repeated = isMerchantInitiated(payment.asked) ? await storedInstrumentOf(call, payment, payment.asked, known) : null
  const saved = repeated ?? (await savedBy(call, payment, terms))
  const brought = await informed(context, saved ?? terms.brought)
  const by = proof === null ? authenticatorOf(merchant, payment, brought?.means ?? kept?.means) : null
  // Whatever happens next, what waited for a confirm waits no longer: it is deleted by the statement that begins the
  // authorization.
  const rows = kept?.waits && !by ? [noLongerWaiting(before)] : []
  if (brought) {
    const { means } = brought
    rows.push(...(await rowsKeeping(context, before, brought, by ? 'for confirm' : 'not', kept)))
    const card = maskedOf(context.vault, merchant.merchant_id, brought)
    const masked = { ...payment, asked: askedWith(payment.asked, saved), card }
    return { means, rows, saved, ...(repeated && { repeated }), masked, by }
  }
  const { payment_method } = payment.asked
  if (!kept || kept.family.method !== payment_method) {
    // A method that nobody takes is refused as that.
    if (payment_method !== undefined && !familyNamed(payment_method)) route(merchant, payment, undefined, services.health)
    refuse('nothing_to_pay_with')
  }
  if (by && card_cvc !== undefined) rows.push(...(await rowsKeepingAnew(context, before, kept)))
  return { means: kept.means, rows, saved: null, masked: payment, by }
}
