// The reads of Stripe's objects.

import type { Account } from '../books.ts'
import type { Dispute } from '../records.ts'
import { setupOf } from './stripe-calls.ts'
import { type Customer, documentOf, type Intent, ledgerId, type PaymentMethod, type StripeDocument, seconds } from './stripe-documents.ts'
import { showEvent, typeOf } from './stripe-events.ts'
import { type Form, flag, integer, list, nested, only, text } from './stripe-form.ts'
import { refundsShown } from './stripe-refunds.ts'
import { invalid, missing } from './stripe-refusals.ts'
import { attemptOf, setupAttempt, showCharge, showDispute, showIntent, showMethod, showSetup, within } from './stripe-show.ts'
import { readStripeTransferOf, transfersOf } from './stripe-transfers.ts'

type Reading = { account: Account; id: string; form: Form; url: string; now: number }
export type Read = (reading: Reading) => object

/** The time until a new object is found by searches, in milliseconds, because Stripe's search index lags behind. */
const searchLag = 20_000

const found = (data: object[]): object => ({
  object: 'search_result',
  data,
  has_more: false,
  next_page: null,
  url: '/v1/payment_intents/search',
})

const all = <D extends StripeDocument>({ account }: Reading, object: D['object']): D[] =>
  [...account.documents.values()].filter((one): one is D => (one as StripeDocument).object === object).reverse()

/** The paths to expand. Those of a list's objects begin with `data`. */
const expandIn = ({ form }: Pick<Reading, 'form'>, place?: 'data'): string[] => {
  const paths = list(form, 'expand')
  return place === undefined ? paths : (within('data', paths) ?? [])
}

const show = (reading: Reading, intent: Intent, place?: 'data'): object =>
  showIntent(intent, attemptOf(reading.account, intent), { ...reading, expand: expandIn(reading, place) })

/** One page of a list, the latest first: `limit` objects after the one that `starting_after` names. */
function page<T extends { id: string }>({ form }: Reading, url: string, all: readonly T[], shown: (one: T) => object): object {
  const limit = integer(form, 'limit') ?? 10
  if (limit < 1 || limit > 100) throw invalid('parameter_invalid_integer', 'limit must be between 1 and 100', 'limit')
  const after = text(form, 'starting_after')
  const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1
  if (after !== null && start === 0) throw invalid('resource_missing', `No such object: '${after}'`, 'starting_after')
  return { object: 'list', data: all.slice(start, start + limit).map(shown), has_more: all.length > start + limit, url }
}

const need = <T>(found: T | undefined, what: string, id: string): T => {
  if (found === undefined) throw missing(what, id)
  return found
}

const intentOf = ({ account, id }: Reading): Intent => need(documentOf<Intent>(account, id, 'payment_intent'), 'payment_intent', id)

const ofCustomer = (customer: Customer) =>
  customer.deleted ? { id: customer.id, object: 'customer', deleted: true } : { ...customer, livemode: false }

export const readCustomer: Read = ({ account, id }) => ofCustomer(need(documentOf<Customer>(account, id, 'customer'), 'customer', id))
export const listCustomers: Read = reading => {
  const customers = all<Customer>(reading, 'customer').filter(one => !one.deleted)
  return page(reading, '/v1/customers', customers, ofCustomer)
}

export const readTransfer: Read = readStripeTransferOf
export const listTransfers: Read = reading => {
  const { account, form } = reading
  const of = { transfer_group: text(form, 'transfer_group'), destination: text(form, 'destination') }
  return page(reading, '/v1/transfers', transfersOf(account, of) as { id: string }[], one => one)
}

export const readIntent: Read = reading => show(reading, intentOf(reading))
export const listIntents: Read = reading =>
  page(reading, '/v1/payment_intents', all<Intent>(reading, 'payment_intent'), intent => show(reading, intent, 'data'))

export function searchIntents(reading: Reading): object {
  const { form, now } = reading
  const query = text(form, 'query') ?? ''
  const [, name, value] = /^metadata\[['"](\w+)['"]\]:\s*['"]([^'"]*)['"]$/.exec(query) ?? []
  if (name === undefined) throw invalid('parameter_invalid', 'This sandbox only supports searches for metadata["name"]:"value"', 'query')
  const matches = all<Intent>(reading, 'payment_intent').filter(
    ({ metadata, created }) => metadata[name] === value && now - created * 1000 >= searchLag,
  )
  return found(matches.map(intent => show(reading, intent, 'data')))
}

export function readCharge(reading: Reading): object {
  const { account, id } = reading
  const payment = need(account.payments.get(ledgerId(id)), 'charge', id)
  const intent = need(documentOf<Intent>(account, payment.document ?? null, 'payment_intent'), 'charge', id)
  const attempt = { payment, authorization: account.operations.get(payment.id)! }
  return showCharge(intent, attempt, { ...reading, expand: expandIn(reading) })
}

export const readRefund: Read = reading => {
  const { account, id } = reading
  const refund = account.operations.get(ledgerId(id))
  const payment = account.payments.get(refund?.payment ?? id.replace(/^re_/, 'auth_'))
  const shown = payment && refundsShown(account, payment, expandIn(reading)).find(one => one.id === id)
  return need(shown, 'refund', id)
}

export function listRefunds(reading: Reading): object {
  const { account, form } = reading
  const intent = text(form, 'payment_intent')
  const charge = text(form, 'charge')
  const payments = [...account.payments.values()].filter(
    one => one.dialect === 'stripe' && (intent === null || one.document === intent) && (charge === null || one.id === ledgerId(charge)),
  )
  const refunds = payments.reverse().flatMap(one => refundsShown(account, one, expandIn(reading, 'data')))
  return page(reading, '/v1/refunds', refunds, one => one)
}

export const readMethod: Read = ({ account, id }) =>
  showMethod(need(documentOf<PaymentMethod>(account, id, 'payment_method'), 'PaymentMethod', id))
export const readSetup: Read = ({ account, id, url, form }) => {
  const setup = setupOf({ account, id })
  const type = documentOf<PaymentMethod>(account, setup.payment_method, 'payment_method')?.type
  return showSetup(setup, setupAttempt(account, setup), { url, expand: list(form, 'expand'), type })
}
export const readDispute: Read = ({ account, id, form }) =>
  showDispute(account, need(documentOf<Dispute>(account, id, 'dispute'), 'dispute', id), expandIn({ form }))
const intentDisputed = ({ account }: Reading, { payment }: Dispute): string | undefined => account.payments.get(payment)?.document
const isOfStripe = ({ account }: Reading, { payment }: Dispute): boolean => account.payments.get(payment)?.dialect === 'stripe'
export const listDisputes: Read = reading => {
  const intent = text(reading.form, 'payment_intent')
  const disputes = all<Dispute>(reading, 'dispute').filter(
    one => isOfStripe(reading, one) && (intent === null || intentDisputed(reading, one) === intent),
  )
  return page(reading, '/v1/disputes', disputes, one => showDispute(reading.account, one))
}

export const readEvent: Read = ({ account, id, url }) => showEvent(account, need(account.events.get(id), 'event', id), url)

/** Stripe lists the events of 30 days. */
const keptFor = 30 * 24 * 3_600_000

/** The most types by which events are listed. */
const MOST_TYPES = 20

export const listEvents: Read = reading => {
  const { account, form, now, url } = reading
  only(form, ['type', 'types', 'created', 'delivery_success', 'limit', 'starting_after', 'ending_before', 'expand'])
  const types = [...(text(form, 'type') === null ? [] : [text(form, 'type')!]), ...list(form, 'types')]
  if (types.length > MOST_TYPES) throw invalid('parameter_invalid', `types must have at most ${MOST_TYPES} members`, 'types')
  const isWanted = typesLike(types)
  const isIn = createdWithin(nested(form, 'created'))
  const arrived = form.delivery_success === undefined ? null : flag(form, 'delivery_success')
  const events = [...account.events.values()].filter(
    event =>
      account.payments.get(event.operation.payment)?.dialect === 'stripe' &&
      now - Date.parse(event.created_at) <= keptFor &&
      isIn(seconds(event.created_at)) &&
      (arrived === null || arrived === event.delivered) &&
      isWanted(typeOf(account, event)),
  )
  return page(reading, '/v1/events', events.reverse(), event => showEvent(account, event, url))
}

const typesLike = (types: string[]) => (type: string) =>
  types.length === 0 || types.some(one => one === type || (one.endsWith('*') && type.startsWith(one.slice(0, -1))))

/** The bounds of a time, in seconds. */
function createdWithin(created: Form): (at: number) => boolean {
  only(created, ['gt', 'gte', 'lt', 'lte'], 'created')
  const [gt, gte, lt, lte] = ['gt', 'gte', 'lt', 'lte'].map(name => integer(created, name))
  return at => at > (gt ?? -1) && at >= (gte ?? 0) && at < (lt ?? Infinity) && at <= (lte ?? Infinity)
}
