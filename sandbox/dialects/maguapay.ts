// Magua Pay over the sandbox's ledger, under /maguapay: card payments host to host or through a form, withdrawals to
// cards, look-ups, refunds, and signed callbacks. Amounts are in minor units. Refunds have no id of their own.

import type { Account } from '../books.ts'
import { newId } from '../context.ts'
import { onPage } from '../methods.ts'
import { payOut } from '../payouts.ts'
import { authorize, refund } from '../processor.ts'
import type { Payment } from '../records.ts'
import { Refusal } from '../refusals.ts'
import { type Body, isMissing, readCard, readInteger, readMatch, readUrl } from '../requests.ts'
import { type ApiCall, basic, type CallResult, cardFault, type Language } from './language.ts'
import { checked, show, states } from './maguapay-show.ts'

export const maguapay: Language = {
  prefix: '/maguapay',
  key: headers => basic(headers)?.[0],
  errorResponse: ({ status, message }) => ({ status: status === 422 ? 400 : status, body: { error: message } }),
  calls: [
    {
      method: 'POST',
      path: '/initPaymentHost2Host',
      call: 'authorize',
      sends: ({ body }) => ({ reference: String(body.order_id), fault: cardFault(() => read(body)) }),
      act: init,
    },
    { method: 'POST', path: '/initPayment', call: 'authorize', sends: ({ body }) => ({ reference: String(body.order_id) }), act: init },
    {
      method: 'POST',
      path: '/withdrawal/init',
      call: 'payout',
      sends: ({ body }) => ({ reference: String(body.order_id) }),
      act: withdraw,
    },
    { method: 'POST', path: '/refund', call: 'refund', sends: ({ body }) => ({ reference: String(body.order_id) }), act: giveBack },
    {
      method: 'POST',
      path: '/check',
      call: 'lookup',
      act: ({ account, body, url }) => ({ body: checked(account, paymentOf(account, body), url) }),
    },
  ],
}

const read = ({ card_number: number, card_exp_month: exp_month, card_exp_year: exp_year, card_cvv: cvc, card_holder: holder }: Body) =>
  readCard({ number, exp_month, exp_year, cvc, holder })

const amountOf = (body: Body) => readInteger(body, 'amount', { from: 1, to: Number.MAX_SAFE_INTEGER - 1 })
const orderIn = (body: Body) => readMatch(body, 'order_id', /^[\w-]{1,64}$/, '1 to 64 letters, digits, _ or -')

function paymentOf(account: Account, body: Body): Payment {
  const payment = account.payments.get(account.references.get(orderIn(body)) ?? '')
  if (payment === undefined) throw new Refusal('not_found', 'No such order')
  return payment
}

function init({ account, turn, body, url }: ApiCall): CallResult {
  const reference = orderIn(body)
  if (account.references.has(reference)) throw new Refusal('invalid_request', 'This order_id is already in use')
  if (!isMissing(body.callback_url)) readUrl(body, 'callback_url')
  const effect = authorize(
    {
      reference,
      amount: amountOf(body),
      currency: readMatch(body, 'currency', /^[A-Z]{3}$/, 'a three-letter ISO 4217 code in capitals'),
      capture: 'automatic',
      ...(isMissing(body.card_number) ? onPage : { card: read(body) }),
      three_ds: 'request',
      return_url: isMissing(body.success_url) ? null : readUrl(body, 'success_url'),
      allow_partial: false,
    },
    turn,
  )
  const payment: Payment = { ...effect.payment, dialect: 'maguapay' }
  return { change: { ...effect, payment }, body: show(effect.operations[0], payment, url) }
}

function withdraw({ account, turn, body, url }: ApiCall): CallResult {
  const reference = orderIn(body)
  if (account.references.has(reference)) throw new Refusal('invalid_request', 'This order_id is already in use')
  const currency = readMatch(body, 'currency', /^[A-Z]{3}$/, 'a three-letter ISO 4217 code in capitals')
  const { name, masked } = read(body)
  const effect = payOut({ reference, amount: amountOf(body), currency, to: { type: 'card', name, masked } }, turn)
  const payment: Payment = { ...effect.payment, dialect: 'maguapay' }
  return { change: { ...effect, payment }, body: show(effect.operations[0], payment, url) }
}

function giveBack({ account, turn, body }: ApiCall): CallResult {
  const payment = paymentOf(account, body)
  const amount = amountOf(body)
  const effect = refund(payment, { reference: newId(turn.context, 'ref'), amount, reason: null }, turn)
  const [{ status, decline }] = effect.operations
  return {
    change: effect,
    body: { order_id: payment.reference, status: states[status], amount, ...(decline && { description: decline.message }) },
  }
}
