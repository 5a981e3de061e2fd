// MilkyPay's engine over the sandbox's ledger, under /milkypay: an invoice is created, then its checkout receives the
// card. Amounts are in major units, callbacks unsigned. Payouts contain a card number. Refunds are not supported.

import type { Account } from '../books.ts'
import { draw } from '../context.ts'
import { payOut } from '../payouts.ts'
import { authorize } from '../processor.ts'
import type { Operation, Payment } from '../records.ts'
import { Refusal } from '../refusals.ts'
import { type Body, isMissing, readCard, readMatch, readUrl } from '../requests.ts'
import { minorOf } from '../units.ts'
import { type ApiCall, basic, bearer, type CallResult, cardFault, type Language } from './language.ts'
import { type Invoice, invoiceOf, isInvoice, showAs, showPayout } from './milkypay-show.ts'

export const milkypay: Language = {
  prefix: '/milkypay',
  // The invoice's token opens its checkout and begins with the account's name.
  key: headers => basic(headers)?.[0] ?? `sandbox_${/^([\w-]+)\./.exec(bearer(headers) ?? '')?.[1] ?? 'invalid'}`,
  errorResponse: ({ status, message }) => ({ status, body: { errors: [{ status: String(status), title: message }] } }),
  calls: [
    { method: 'POST', path: '/payment-invoices', call: null, act: create },
    {
      method: 'POST',
      path: '/payment/sale',
      call: 'authorize',
      sends: ({ body, account, headers }) => ({
        reference: opened(account, headers)?.reference ?? 'unknown',
        fault: cardFault(() => read(body)),
      }),
      act: sale,
    },
    {
      method: 'POST',
      path: '/payout-invoices',
      call: 'payout',
      sends: ({ body }) => ({ reference: String(attributesOf(body).reference_id) }),
      act: withdraw,
    },
    {
      method: 'GET',
      path: '/payout-invoices/:id',
      call: 'lookup',
      act: ({ account, params }) => ({ body: showPayout(payoutOf(account, params.id!)) }),
    },
    {
      method: 'GET',
      path: '/payment-invoices/:id',
      call: 'lookup',
      act: ({ account, params, url }) => ({ body: show(account, invoiceOf(account, params.id!), url) }),
    },
  ],
}

const read = ({ card_number: number, exp_month, exp_year, cvv: cvc, cardholder: holder }: Body) =>
  readCard({ number, exp_month, exp_year, cvc, holder })

function opened(account: Account, headers: ApiCall['headers']): Invoice | undefined {
  const document = account.documents.get(bearer(headers)?.split('.')[1] ?? '')
  return isInvoice(document) && document.token === bearer(headers) ? document : undefined
}

const attributesOf = (body: Body): Body => ((body.data ?? {}) as { attributes?: Body }).attributes ?? {}

function create({ account, turn, body, url }: ApiCall): CallResult {
  const asked = attributesOf(body)
  const currency = readMatch(asked, 'currency', /^[A-Z]{3}$/, 'a three-letter ISO 4217 code in capitals')
  const id = `cpi_${draw(turn.context, 20)}`
  readMatch(asked, 'service', /^\w{1,64}$/, 'the name of a service')
  const invoice: Invoice = {
    id,
    object: 'milkypay_invoice',
    reference: readMatch(asked, 'reference_id', /^[\w-]{1,64}$/, '1 to 64 letters, digits, _ or -'),
    amount: minorOf(asked.amount, currency),
    currency,
    return_url: isMissing(asked.return_url) ? null : readUrl(asked, 'return_url'),
    token: `${account.name}.${id}.${draw(turn.context, 20)}`,
  }
  return { change: { documents: [invoice] }, status: 201, body: show(account, invoice, url) }
}

/** Makes a payout to a card, which is identified by its number alone. */
function withdraw({ account, turn, body }: ApiCall): CallResult {
  const asked = attributesOf(body)
  const currency = readMatch(asked, 'currency', /^[A-Z]{3}$/, 'a three-letter ISO 4217 code in capitals')
  readMatch(asked, 'service', /^\w{1,64}$/, 'the name of a service')
  const reference = readMatch(asked, 'reference_id', /^[\w-]{1,64}$/, '1 to 64 letters, digits, _ or -')
  if (account.references.has(reference)) throw new Refusal('invalid_request', 'This reference_id is already in use')
  const { name, masked } = readCard({ number: (asked.fields as Body | undefined)?.card_number, exp_month: '12', exp_year: '2199' })
  const effect = payOut({ reference, amount: minorOf(asked.amount, currency), currency, to: { type: 'card', name, masked } }, turn)
  return {
    change: { ...effect, payment: { ...effect.payment, dialect: 'milkypay' } },
    status: 201,
    body: showPayout(effect.operations[0]),
  }
}

function payoutOf(account: Account, id: string): Operation {
  const operation = account.operations.get(id)
  if (operation?.type !== 'payout') throw new Refusal('not_found', 'No such invoice')
  return operation
}

function sale({ account, turn, body, headers, url }: ApiCall): CallResult {
  const invoice = opened(account, headers)
  if (!invoice) throw new Refusal('unauthorized', 'The checkout token is not valid')
  if (account.names.has(invoice.id)) throw new Refusal('not_allowed', 'The invoice has already been paid')
  const { reference, amount, currency, return_url } = invoice
  const effect = authorize(
    { reference, amount, currency, capture: 'automatic', card: read(body), three_ds: 'request', return_url, allow_partial: false },
    turn,
  )
  const payment: Payment = { ...effect.payment, dialect: 'milkypay', document: invoice.id }
  return { change: { ...effect, payment }, body: showAs(invoice, effect.operations[0], payment, url) }
}

function show(account: Account, invoice: Invoice, url: string): object {
  const id = account.names.get(invoice.id)
  return id === undefined ? showAs(invoice, null, null, url) : showAs(invoice, account.operations.get(id)!, account.payments.get(id)!, url)
}
