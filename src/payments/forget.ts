import { familyNamed } from '../instruments/families.ts'
import { forgetter, requestWithout } from '../operations/forget.ts'
import { vaultRecords } from '../vault/records.ts'
import { deleteWaitingCvc, recordName } from './authorization/payment-instrument.ts'
import { payer } from './fields/payer.ts'
import { type Payment, payments } from './payment.ts'
import { findPayment } from './rows.ts'

const personal = [...Object.keys(payer), 'payment_method_billing']

/** Returns a row of a payment, or an earlier version of one, without personal data. */
function without(row: Partial<Payment>, of: Payment): Partial<Payment> {
  const { request, card } = row
  const forget = familyNamed(request?.payment_method ?? of.request.payment_method)?.forget
  const { before_choice: _choice, ...asked } = request ?? {}
  return { ...row, ...(request && { request: requestWithout(asked, personal) }), ...(card && forget && { card: forget(card) }) }
}

/** Removes a customer's personal data from all their payments (`operations/forget.ts`). */
export const forgetPayer = forgetter<Payment>({
  table: payments,
  find: findPayment,
  without,
  kept(payment) {
    const family = payment.card === null ? undefined : familyNamed(payment.request.payment_method)
    if (!family) return null
    const { merchant_id } = payment
    const record = recordName(family, payment)
    return { record, rows: [{ table: vaultRecords.name, before: { merchant_id, record }, after: null }, deleteWaitingCvc(payment)] }
  },
})
