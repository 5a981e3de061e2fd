// The reads of Stripe's objects.

import type { Account } from '../books.ts'
import type { Dispute } from '../records.ts'
import { setupOf } from './stripe-calls.ts'
import type { Customer, Intent, PaymentMethod, RefundNote, StripeDocument } from './stripe-documents.ts'
import { showEvent } from './stripe-events.ts'
import { type Form, list, text } from './stripe-form.ts'
import { invalid, missing } from './stripe-refusals.ts'
import {
  attemptOf,
  documentOf,
  ledgerId,
  refundId,
  setupAttempt,
  showCharge,
  showDispute,
  showIntent,
  showMethod,
  showRefund,
  showSetup,
} from './stripe-show.ts'
import { readStripeTransferOf, transfersOf } from './stripe-transfers.ts'

type Reading = { account: Account; id: string; form: Form; url: string; now: number }
export type Read = (reading: Reading) => object

/** The time until a new object is found by searches, in milliseconds, because Stripe's search index lags behind. */
const searchLag = 20_000

const page = (url: string, data: object[]): object => ({ object: 'list', data, has_more: false, url })
const found = (data: object[]): object => ({
  object: 'search_result',
  data,
  has_more: false,
  next_page: null,
  url: '/v1/payment_intents/search',
})

const all = <D extends StripeDocument>({ account }: Reading, object: D['object']): D[] =>
  [...account.documents.values()].filter((one): one is D => (one as StripeDocument).object === object).reverse()

const show = (reading: Reading, intent: Intent): object =>
  showIntent(intent, attemptOf(reading.account, intent), { ...reading, expand: list(reading.form, 'expand') })

const need = <T>(found: T | undefined, what: string, id: string): T => {
  if (found === undefined) throw missing(what, id)
  return found
}

const intentOf = ({ account, id }: Reading): Intent => need(documentOf<Intent>(account, id, 'payment_intent'), 'payment_intent', id)

const ofCustomer = (customer: Customer) =>
  customer.deleted ? { id: customer.id, object: 'customer', deleted: true } : { ...customer, livemode: false }

export const readCustomer: Read = ({ account, id }) => ofCustomer(need(documentOf<Customer>(account, id, 'customer'), 'customer', id))
export const listCustomers: Read = reading =>
  page(
    '/v1/customers',
    limited(
      reading,
      all<Customer>(reading, 'customer').filter(one => !one.deleted),
    ).map(ofCustomer),
  )

export const readTransfer: Read = readStripeTransferOf
export const listTransfers: Read = reading => {
  const { account, form } = reading
  const of = { transfer_group: text(form, 'transfer_group'), destination: text(form, 'destination') }
  return page('/v1/transfers', limited(reading, transfersOf(account, of)))
}

export const readIntent: Read = reading => show(reading, intentOf(reading))
export const listIntents: Read = reading =>
  page(
    '/v1/payment_intents',
    limited(reading, all<Intent>(reading, 'payment_intent')).map(intent => show(reading, intent)),
  )

export function searchIntents(reading: Reading): object {
  const { form, now } = reading
  const query = text(form, 'query') ?? ''
  const [, name, value] = /^metadata\[['"](\w+)['"]\]:\s*['"]([^'"]*)['"]$/.exec(query) ?? []
  if (name === undefined) throw invalid('parameter_invalid', 'This sandbox only supports searches for metadata["name"]:"value"', 'query')
  const matches = all<Intent>(reading, 'payment_intent').filter(
    ({ metadata, created }) => metadata[name] === value && now - created * 1000 >= searchLag,
  )
  return found(matches.map(intent => show(reading, intent)))
}

export function readCharge({ account, id, url }: Reading): object {
  const payment = need(account.payments.get(ledgerId(id)), 'charge', id)
  const intent = need(documentOf<Intent>(account, payment.document ?? null, 'payment_intent'), 'charge', id)
  return showCharge(intent, { payment, authorization: account.operations.get(payment.id)! }, { account, url })
}

const showOne = ({ account, form }: Pick<Reading, 'account' | 'form'>, id: string): object => {
  const refund = need(account.operations.get(ledgerId(id)), 'refund', id)
  return showRefund(
    refund,
    account.payments.get(refund.payment)!,
    documentOf<RefundNote>(account, refundId(refund.id), 'refund_note'),
    list(form, 'expand'),
  )
}

export const readRefund: Read = reading => showOne(reading, reading.id)

export function listRefunds(reading: Reading): object {
  const { account, form } = reading
  const intent = text(form, 'payment_intent')
  const charge = text(form, 'charge')
  const refunds = [...account.operations.values()].filter(({ type, payment }) => {
    const of = account.payments.get(payment)!
    if (type !== 'refund' || of.dialect !== 'stripe') return false
    return (intent === null || of.document === intent) && (charge === null || payment === ledgerId(charge))
  })
  return page(
    '/v1/refunds',
    limited(reading, refunds.reverse()).map(({ id }) => showOne(reading, id)),
  )
}

export const readMethod: Read = ({ account, id }) =>
  showMethod(need(documentOf<PaymentMethod>(account, id, 'payment_method'), 'PaymentMethod', id))
export const readSetup: Read = ({ account, id, url, form }) => {
  const setup = setupOf({ account, id })
  const type = documentOf<PaymentMethod>(account, setup.payment_method, 'payment_method')?.type
  return showSetup(setup, setupAttempt(account, setup), { url, expand: list(form, 'expand'), type })
}
export const readDispute: Read = ({ account, id, form }) =>
  showDispute(account, need(documentOf<Dispute>(account, id, 'dispute'), 'dispute', id), list(form, 'expand'))
const intentDisputed = ({ account }: Reading, { payment }: Dispute): string | undefined => account.payments.get(payment)?.document
const isOfStripe = ({ account }: Reading, { payment }: Dispute): boolean => account.payments.get(payment)?.dialect === 'stripe'
export const listDisputes: Read = reading => {
  const intent = text(reading.form, 'payment_intent')
  return page(
    '/v1/disputes',
    limited(
      reading,
      all<Dispute>(reading, 'dispute').filter(
        one => isOfStripe(reading, one) && (intent === null || intentDisputed(reading, one) === intent),
      ),
    ).map(one => showDispute(reading.account, one)),
  )
}

export const readEvent: Read = ({ account, id, url }) => showEvent(account, need(account.events.get(id), 'event', id), url)
export const listEvents: Read = reading => {
  const events = [...reading.account.events.values()].filter(
    event => reading.account.payments.get(event.operation.payment)?.dialect === 'stripe',
  )
  return page(
    '/v1/events',
    limited(reading, events.reverse()).map(event => showEvent(reading.account, event, reading.url)),
  )
}

const limited = <T>({ form }: Reading, all: T[]): T[] => all.slice(0, Number(text(form, 'limit') ?? 10))
