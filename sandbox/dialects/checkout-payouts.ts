// Checkout.com's payouts: payments with a destination, made from a currency account.

import { cardOf, luhn, mask } from '../cards.ts'
import { type PayoutRequest, payOut, readPayout } from '../payouts.ts'
import type { Payment } from '../records.ts'
import { type Body, isMissing } from '../requests.ts'
import { ADDRESS, amountIn, invalid, need, only, part, text } from './checkout-read.ts'
import { paymentIdOf, showReceipt } from './checkout-show.ts'
import type { ApiCall, CallResult } from './language.ts'

const PAYOUT = 'source destination amount currency reference billing_descriptor sender instruction processing_channel_id metadata segment'
const BANK = 'account_type account_number bank_code branch_code iban bban swift_bic country account_holder bank'
const HOLDER =
  'type full_name first_name middle_name last_name company_name email gender tax_id date_of_birth country_of_birth ' +
  'residential_status billing_address phone identification'
const INSTRUCTION = 'purpose charge_bearer repair scheme quote_id skip_expiry funds_transfer_type mvv'

export const isPayout = (body: Body): boolean => !isMissing(body.destination)

function checkHolder(destination: Body): void {
  const holder = part(destination, 'account_holder', HOLDER)
  part(holder, 'billing_address', ADDRESS)
  const type = need(holder, 'type')
  if (type !== 'individual' && type !== 'corporate') throw invalid('account_holder_type_invalid')
  for (const name of type === 'corporate' ? ['company_name'] : ['first_name', 'last_name']) need(holder, name)
}

export function recipientIn(body: Body): PayoutRequest['to'] {
  const destination = part(body, 'destination', `type number expiry_month expiry_year ${BANK}`)
  checkHolder(destination)
  if (destination.type === 'card') {
    only(destination, 'type number expiry_month expiry_year account_holder')
    const number = need(destination, 'number', 19)
    if (!/^\d{12,19}$/.test(number) || !luhn(number)) throw invalid('card_number_invalid')
    return { type: 'card', name: cardOf(number), masked: mask(number) }
  }
  if (destination.type !== 'bank_account') throw invalid('destination_type_invalid')
  only(destination, `type ${BANK}`)
  need(destination, 'country', 2)
  const account = text(destination, 'iban', 34) ?? need(destination, 'account_number', 34)
  return readPayout({ reference: 'none', amount: 1, currency: 'EUR', to: { type: 'bank', account } }).to
}

export function payOutTo({ body, turn, url }: ApiCall): CallResult {
  only(body, PAYOUT)
  const source = part(body, 'source', 'type id amount')
  if (source.type !== 'currency_account') throw invalid('source_type_invalid')
  if (!/^ca_\w+$/.test(need(source, 'id'))) throw invalid('source_id_invalid')
  need(part(body, 'billing_descriptor', 'reference'), 'reference', 140)
  need(body, 'processing_channel_id')
  const scheme = text(part(body, 'instruction', INSTRUCTION), 'scheme')
  if (scheme !== null && !['swift', 'local', 'instant'].includes(scheme)) throw invalid('instruction_scheme_invalid')
  const currency = need(body, 'currency', 3)
  if (!/^[A-Z]{3}$/.test(currency)) throw invalid('currency_invalid')
  const amount = amountIn(body)
  if (amount === 0) throw invalid('amount_invalid')
  const effect = payOut({ reference: need(body, 'reference', 80), amount, currency, to: recipientIn(body) }, turn)
  const [operation] = effect.operations
  if (operation.decline?.code === 'recipient_ineligible') throw invalid('destination_not_eligible')
  const payment: Payment = { ...effect.payment, dialect: 'checkout', document: paymentIdOf(effect.payment.id) }
  return { change: { ...effect, payment }, status: 202, body: showReceipt(url, operation) }
}
