import type { Currency } from '../../base/currencies.ts'
import type { Time } from '../../context.ts'
import type { SettlementLine } from '../line.ts'
import { asFee, blank } from './kit.ts'
import { paypalType } from './paypal-codes.ts'

/**
 * One transaction, as PayPal's reports and its API have it. Amounts are in our unit; an amount is positive if the
 * merchant receives it, a fee if PayPal keeps it. `about`: the reference id. `request_id`: the invoice, or else the
 * custom text.
 */
export type PaypalTransaction = {
  id: string
  about: string | null
  about_type: string
  code: string
  currency: Currency
  gross: number
  fee: number
  request_id: string | null
  bank: string | null
  booked_at: Time | null
}

/** Pending and denied. One that was reversed (V) or refunded in part (F) has moved; what went back has its own id. */
export const movedNothing = (status: string): boolean => status === 'P' || status === 'D'

/** Two halves of a conversion have one reference: that of the payment, or the smaller one of the two that they name. */
function conversionOf(code: string, id: string, about: string | null): string {
  if (about === null) return id
  return code === 'T0200' ? about : id < about ? id : about
}

/** Gives the same line of the same transaction, whichever report has it: so it is settled once. */
export function paypalLine(at: number, transaction: PaypalTransaction): SettlementLine {
  const { id, about, about_type, currency, gross, fee, request_id, bank, booked_at } = transaction
  const code = transaction.code.toUpperCase()
  const type = paypalType(code, gross > 0)
  // A reference of another kind is a subscription, an order or an agreement.
  const other = about_type === '' || about_type.toUpperCase() === 'TXN' ? about : null
  const line: SettlementLine = {
    ...blank(at, type, currency),
    request_id,
    reference: type === 'conversion' ? conversionOf(code, id, other) : id,
    object_reference: type === 'payout' ? bank : id,
    payment_reference: type === 'charge' ? id : other,
    batch: type === 'payout' ? id : null,
    ...{ gross, fee, net: gross - fee, booked_at },
    description: code,
  }
  return type === 'fee' ? asFee(line) : type === 'payout' ? { ...line, paid_at: booked_at } : line
}
