import { familyNamed } from '../instruments/families.ts'
import { forgetter, requestWithout } from '../operations/forget.ts'
import { vaultRecords } from '../vault/records.ts'
import { noLongerWaiting, recordName } from './authorization/payment-instrument.ts'
import { payer } from './fields/payer.ts'
import { type Payment, payments } from './payment.ts'
import { findPayment } from './rows.ts'

const told = [...Object.keys(payer), 'payment_method_billing']

/** A row of a payment, or what one was before a change, without the person. */
function without(row: Partial<Payment>, of: Payment): Partial<Payment> {
  const { request, card } = row
  const forget = familyNamed(request?.payment_method ?? of.request.payment_method)?.forget
  return { ...row, ...(request && { request: requestWithout(request, told) }), ...(card && forget && { card: forget(card) }) }
}

/** Takes a customer's person out of all their payments (`operations/forget.ts`). */
export const forgetPayer = forgetter<Payment>({
  table: payments,
  find: findPayment,
  without,
  kept(payment) {
    const family = payment.card === null ? undefined : familyNamed(payment.request.payment_method)
    if (!family) return null
    const { merchant_id } = payment
    const record = recordName(family, payment)
    return { record, rows: [{ table: vaultRecords.name, before: { merchant_id, record }, after: null }, noLongerWaiting(payment)] }
  },
})
