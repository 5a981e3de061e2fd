import { after } from '../base/lifecycle.ts'
import { refuse } from '../base/refusal.ts'
import type { RowChange } from '../context.ts'
import { payerRows, refuseDeletedCustomer } from '../customers/payer.ts'
import { informed, maskedOf } from '../means/input.ts'
import type { Call } from '../operations/verb.ts'
import type { UpdateBody } from './ask.ts'
import { checkNoProof, checkTerms, refuseStatus } from './check.ts'
import { checkCustomer, confirmPayment, onTerms } from './confirm.ts'
import { brings } from './credentials.ts'
import { checkBrowsersChoice } from './installments.ts'
import { keptMeans, rowsForgetting, rowsKeeping, rowsKeepingAnew } from './instrument.ts'
import { lifecycle, welcomes } from './lifecycle.ts'
import { checkLink } from './link.ts'
import { checkMerchantInitiated } from './merchant-initiated.ts'
import type { Payment } from './payment.ts'
import { begin } from './plan.ts'
import { askedWith, savedBy } from './saved.ts'
import { checkClaims, confirmTerms, type PaymentCaller, type PaymentTerms } from './terms.ts'

/**
 * Says anew what a payment is, while nothing was sent for it. `confirm: true` confirms it in the same call. What it
 * is to be paid with is confirmed as it stands when it is sent, so an update that brings nothing to pay with leaves
 * the payment waiting for it, unless it says `confirm: false`; what was kept is kept, and a confirm may use it
 * (contract 3.2). Refuses (IR_16) in any status but the first two, and (403, IR_22) what its asker may not say.
 */
export async function updatePayment(asked: Call, payment_id: string, ask: UpdateBody, asker: PaymentCaller): Promise<Payment> {
  if (ask.confirm === true) return confirmPayment(asked, payment_id, ask, asker)
  const { context } = asked
  const said = confirmTerms(asked, ask, asker)
  checkNoProof(said.proof)
  const { payment } = await begin(asked, payment_id, async before => {
    checkClaims(said.claims, before)
    if (!welcomes.update.includes(before.status)) refuseStatus(before, 'update', welcomes.update)
    const { call, terms } = await brings(asked, said, before)
    const { merchant } = call
    if (asker.is === 'client') {
      checkCustomer(before, terms)
      checkBrowsersChoice(before, terms.asked)
    }
    const wanted = onTerms(merchant, before, terms)
    checkTerms(wanted)
    checkLink(merchant, wanted, false)
    checkMerchantInitiated(wanted.asked, terms.brought, false)
    const { rows, told, ready } = await meansOf(call, before, wanted, terms)
    if (wanted.customer_id !== before.customer_id) {
      await refuseDeletedCustomer(context, wanted)
      rows.push(...payerRows(context, call.services.payers, wanted, terms.asked))
    }
    const move = ready === 'brought' || (ready === 'kept' && ask.confirm === false) ? 'method_given' : 'updated'
    const after_: Payment = { ...wanted, ...told, status: after(lifecycle, before.status, move), modified_at: context.now() }
    const event = { type: move, announces: null }
    return { change: { head: 'payments', before, after: after_, rows, event, by: context.by } }
  })
  return payment
}

/**
 * What the payment keeps of what it is to be paid with from now on, and whether that was brought now, kept before, or
 * is still to come.
 */
async function meansOf(
  call: Call,
  before: Payment,
  wanted: Payment,
  terms: PaymentTerms,
): Promise<{ rows: RowChange[]; told: Partial<Payment>; ready: 'brought' | 'kept' | 'no' }> {
  const { context } = call
  const kept = await keptMeans(context, before, terms.card_cvc)
  const saved = await savedBy(call, wanted, terms)
  const brought = await informed(context, saved ?? terms.brought)
  if (brought) {
    const card = maskedOf(context.vault, wanted.merchant_id, brought)
    return {
      rows: await rowsKeeping(context, before, brought, 'for confirm', kept),
      told: { asked: askedWith(wanted.asked, saved), card },
      ready: 'brought',
    }
  }
  if (!kept) {
    if (terms.card_cvc !== undefined)
      refuse('unacceptable', { field: 'card_cvc', words: 'can only be sent with a saved card or card data' })
    return { rows: [], told: {}, ready: 'no' }
  }
  // What was kept is of another method than it is to be paid with now.
  if (kept.family.method !== wanted.asked.payment_method) return { rows: rowsForgetting(before, kept), told: { card: null }, ready: 'no' }
  return { rows: terms.card_cvc === undefined ? [] : await rowsKeepingAnew(context, before, kept), told: {}, ready: 'kept' }
}
