// Adyen's Payout API, limited to immediate payouts to cards.

import { cardOf, luhn, mask } from '../cards.ts'
import { payOut } from '../payouts.ts'
import type { ApiCall, CallResult } from './adyen-calls.ts'
import { type PaymentNote, pspOf } from './adyen-documents.ts'
import { amountOf, merchantAccountOf, need, only, part } from './adyen-read.ts'
import { AdyenRefusal } from './adyen-refusals.ts'

const members = ['merchantAccount', 'reference', 'amount', 'card', 'shopperName', 'billingAddress', 'shopperEmail', 'telephoneNumber']

export function payOutToCard({ body, turn }: ApiCall): CallResult {
  only(body, members, 'PayoutRequest')
  const merchantAccount = merchantAccountOf(body)
  const { value, currency } = amountOf(body)
  const reference = need(body, 'reference', '130', 'Reference Missing')
  const card = part(body, 'card')
  only(card, ['number', 'expiryMonth', 'expiryYear', 'holderName'], 'Card')
  const number = need(card, 'number', '101', 'Invalid card number')
  if (!/^\d{12,19}$/.test(number) || !luhn(number)) throw new AdyenRefusal(422, '101', 'Invalid card number')
  const to = { type: 'card' as const, name: cardOf(number), masked: mask(number) }
  const effect = payOut({ reference, amount: value, currency, to }, turn)
  const [operation] = effect.operations
  const psp = pspOf(operation.id)
  const note: PaymentNote = { id: psp, object: 'adyen_payment', merchantAccount, refusal: null, shopper: null }
  const resultCode = { approved: 'Authorised', pending: 'Received' }[operation.status as 'approved'] ?? 'Refused'
  return {
    change: { ...effect, payment: { ...effect.payment, dialect: 'adyen', document: psp }, documents: [note] },
    status: 200,
    body: { pspReference: psp, resultCode, ...(resultCode === 'Refused' && { refusalReason: 'Refused' }) },
  }
}
