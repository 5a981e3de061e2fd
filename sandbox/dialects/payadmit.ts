// PayAdmit over the sandbox's ledger, under /payadmit: deposits by card, host to host or on a page, withdrawals to
// cards, refunds, look-ups, lists, and signed callbacks. Amounts are in major units.

import type { Account } from '../books.ts'
import { onPage } from '../methods.ts'
import { payOut } from '../payouts.ts'
import { authorize, type Effect, refund } from '../processor.ts'
import type { Operation, Payment } from '../records.ts'
import { Refusal } from '../refusals.ts'
import { type Body, isMissing, readCard, readMatch, readUrl, readWord } from '../requests.ts'
import { minorOf } from '../units.ts'
import { type ApiCall, bearer, type CallResult, cardFault, type Language } from './language.ts'
import { paymentTypes, result, show } from './payadmit-show.ts'

export const payadmit: Language = {
  prefix: '/payadmit',
  key: bearer,
  errorResponse: ({ status, message }) => ({ status, body: { timestamp: 0, status, message } }),
  calls: [
    {
      method: 'POST',
      path: '/payments',
      call: ({ paymentType }) => (paymentType === 'REFUND' ? 'refund' : paymentType === 'WITHDRAWAL' ? 'payout' : 'authorize'),
      sends: ({ body }) => ({
        reference: String(body.referenceId),
        fault: body.paymentType === 'DEPOSIT' && body.card !== undefined ? cardFault(() => read(body)) : undefined,
      }),
      act: make,
    },
    { method: 'GET', path: '/payments', call: 'lookup', act: list },
    {
      method: 'GET',
      path: '/payments/:id',
      call: 'lookup',
      act: ({ account, params, url }) => ({ body: answer(result(account, find(account, params.id!), url)) }),
    },
  ],
}

const answer = (result: unknown): object => ({ timestamp: 0, status: 200, result })

function read(body: Body) {
  const {
    cardNumber: number,
    expiryMonth: exp_month,
    expiryYear: exp_year,
    cardSecurityCode: cvc,
    cardholderName: holder,
  } = (body.card ?? {}) as Body
  return readCard({ number, exp_month, exp_year, cvc, holder })
}

function make({ account, turn, body, url }: ApiCall): CallResult {
  const paymentType = readWord(body, 'paymentType', ['DEPOSIT', 'REFUND', 'WITHDRAWAL'])
  const reference = readMatch(body, 'referenceId', /^[\w-]{1,64}$/, '1 to 64 letters, digits, _ or -')
  const currency = readMatch(body, 'currency', /^[A-Z]{3}$/, 'a three-letter ISO 4217 code in capitals')
  const amount = minorOf(body.amount, currency)
  if (!isMissing(body.webhookUrl)) readUrl(body, 'webhookUrl')
  if (paymentType === 'REFUND') {
    const parent = find(account, readMatch(body, 'parentPaymentId', /^\w{1,64}$/, 'the id of a payment'))
    const payment = account.payments.get(parent.payment)!
    if (payment.currency !== currency) throw new Refusal('invalid_request', `currency must be ${payment.currency}`)
    return made(refund(payment, { reference, amount, reason: null }, turn), url)
  }
  readWord(body, 'paymentMethod', ['BASIC_CARD'])
  if (paymentType === 'WITHDRAWAL') {
    const { name, masked } = read(body)
    return made(payOut({ reference, amount, currency, to: { type: 'card', name, masked } }, turn), url)
  }
  const effect = authorize(
    {
      reference,
      amount,
      currency,
      capture: 'automatic',
      ...(isMissing(body.card) ? onPage : { card: read(body) }),
      three_ds: 'request',
      return_url: isMissing(body.returnUrl) ? null : readUrl(body, 'returnUrl'),
      allow_partial: false,
    },
    turn,
  )
  return made(effect, url)
}

function made(effect: Effect, url: string): CallResult {
  const payment: Payment = { ...effect.payment, dialect: 'payadmit' }
  return { change: { ...effect, payment }, body: answer(show(effect.operations[0], payment, url)) }
}

function find(account: Account, id: string): Operation {
  const operation = account.operations.get(id)
  if (operation === undefined || !(operation.type in paymentTypes)) throw new Refusal('not_found', 'No such payment')
  return operation
}

/** Lists payments, the latest first. */
function list({ account, query, url }: ApiCall): CallResult {
  const { offset = '0', limit = '100', 'created.gte': from = '', 'created.lt': until = '9' } = query
  const all = [...account.operations.values()]
    .filter(({ type, created_at }) => type in paymentTypes && created_at >= from && created_at < until)
    .reverse()
  const some = all.slice(Number(offset), Number(offset) + Math.min(Number(limit), 1000))
  return { body: answer(some.map(operation => result(account, operation, url))) }
}
