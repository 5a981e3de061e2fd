// Mollie's Payments API over the sandbox's ledger, under /mollie: payments on Mollie's page and by mandate, customers
// and mandates, captures, releases and refunds, lists, chargebacks, and both kinds of webhooks.

import type { Account } from '../books.ts'
import { draw, iso } from '../context.ts'
import { doneAs } from '../methods.ts'
import { authorize, capture, type Effect, refund, voidPayment } from '../processor.ts'
import type { Document, Method, Payment } from '../records.ts'
import { Refusal } from '../refusals.ts'
import { type Body, isMissing, isRecord } from '../requests.ts'
import { majorText, minorOf } from '../units.ts'
import { type ApiCall, bearer, type CallResult, type Language } from './language.ts'
import { listChargebacks, listPayments, listRefunds, withEmbedded } from './mollie-lists.ts'
import { fateOf, type MollieMethod, methodNamed } from './mollie-methods.ts'
import { keyOfToken, settlementCalls } from './mollie-settlements.ts'
import {
  changeIdOf,
  changesOf,
  chargebacksOf,
  isCancelable,
  listed,
  type MollieChangeNote,
  type MollieCustomer,
  type MollieMandate,
  type MollieNote,
  mandateIdOf,
  noteOf,
  paymentIdOf,
  showChange,
  showCustomer,
  showMandate,
  showPayment,
  statusOf,
} from './mollie-show.ts'

/** The time for which an idempotency key is kept: an hour. */
const KEY_LIFE_MS = 3_600_000
const DAY_MS = 24 * KEY_LIFE_MS
/** The time that banks take for a debit and for a refund, in milliseconds. */
const SETTLES_MS = 2 * DAY_MS
const REFUNDS_MS = 2 * DAY_MS

type Act = Language['calls'][number]['act']

/** Returns the reference by which a request is counted: the service's request id in the metadata, if present. */
const sends = ({ body, headers }: { body: Body; headers: ApiCall['headers'] }) => ({ reference: referenceOf(body, headers) })
const referenceOf = ({ metadata }: Body, headers: ApiCall['headers']): string =>
  isRecord(metadata) && typeof metadata.request_id === 'string' ? metadata.request_id : String(headers['idempotency-key'] ?? 'none')

export const mollie: Language = {
  prefix: '/mollie',
  key: headers => keyOfToken(headers.authorization) ?? bearer(headers),
  read: readJson,
  errorResponse,
  calls: [
    { method: 'POST', path: '/payments', call: 'authorize', sends, act: once(pay) },
    { method: 'GET', path: '/payments', call: 'lookup', act: listPayments },
    { method: 'GET', path: '/refunds', call: 'lookup', act: listRefunds },
    { method: 'GET', path: '/chargebacks', call: 'lookup', act: listChargebacks },
    { method: 'GET', path: '/payments/:id', call: 'lookup', act: asked => ({ body: withEmbedded(asked, paymentOf(asked)) }) },
    { method: 'DELETE', path: '/payments/:id', call: 'void', sends, act: once(cancelPayment) },
    { method: 'POST', path: '/payments/:id/release-authorization', call: 'void', sends, act: once(release) },
    { method: 'POST', path: '/payments/:id/captures', call: 'capture', sends, act: once(capturePayment) },
    {
      method: 'GET',
      path: '/payments/:id/captures',
      call: 'lookup',
      act: asked => ({ body: listed('captures', changesOf(asked, paymentOf(asked), 'capture')) }),
    },
    { method: 'GET', path: '/payments/:id/captures/:change', call: 'lookup', act: asked => ({ body: changeNamed(asked, 'capture') }) },
    { method: 'POST', path: '/payments/:id/refunds', call: 'refund', sends, act: once(refundPayment) },
    {
      method: 'GET',
      path: '/payments/:id/refunds',
      call: 'lookup',
      act: asked => ({ body: listed('refunds', changesOf(asked, paymentOf(asked), 'refund')) }),
    },
    { method: 'GET', path: '/payments/:id/refunds/:change', call: 'lookup', act: asked => ({ body: changeNamed(asked, 'refund') }) },
    {
      method: 'GET',
      path: '/payments/:id/chargebacks',
      call: 'lookup',
      act: asked => ({ body: listed('chargebacks', chargebacksOf(asked, paymentOf(asked))) }),
    },
    ...settlementCalls,
    { method: 'POST', path: '/customers', call: null, act: once(makeCustomer) },
    {
      method: 'GET',
      path: '/customers/:id',
      call: null,
      act: asked => ({ body: showCustomer(customerOf(asked.account, asked.params.id)) }),
    },
    { method: 'POST', path: '/customers/:id/mandates', call: null, act: once(makeMandate) },
  ],
}

/** Reads a JSON body. An empty body is an empty object. */
function readJson(raw: string | undefined): Body {
  try {
    const body: unknown = JSON.parse(raw || '{}')
    if (isRecord(body)) return body
  } catch {}
  throw new Refusal('invalid_request', 'The request body is not valid JSON')
}

const titles: Readonly<Record<number, string>> = {
  401: 'Unauthorized Request',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  422: 'Unprocessable Entity',
}

function errorResponse({ code, message, param }: Refusal): { status: number; body: object } {
  const isForbidden = code === 'not_allowed' && param === 'authorization'
  const status = isForbidden ? 403 : ({ unauthorized: 401, not_found: 404, duplicate_reference: 409 }[code as string] ?? 422)
  return {
    status,
    body: {
      status,
      title: titles[status],
      detail: message,
      ...(param !== null && { field: param }),
      _links: { documentation: { href: 'https://docs.mollie.com/overview/handling-errors', type: 'text/html' } },
    },
  }
}

const invalid = (field: string, detail: string) => new Refusal('invalid_request', detail, field)

/** Makes a call idempotent: the first answer is returned again while its key is kept. */
function once(act: Act): Act {
  return asked => {
    const { account, headers, turn, fault } = asked
    const given = headers['idempotency-key']
    if (given === undefined) return act(asked)
    const key = `mollie ${String(given)}`
    const known = fault === 'ignore_idempotency' ? undefined : account.keys.get(key)?.answer
    if (known && turn.at - known.at < KEY_LIFE_MS) return { status: known.status, body: known.body, replayed: true }
    const { change, status = 200, body } = act(asked)
    return { change: { ...change, key: { key, fingerprint: '', operation: '', answer: { status, body, at: turn.at } } }, status, body }
  }
}

/** Refuses (422) members that Mollie's contract does not have. */
function only(body: Body, members: string, at = ''): Body {
  const known = members.split(' ')
  const strange = Object.keys(body).find(name => !known.includes(name))
  if (strange !== undefined) throw invalid(`${at}${strange}`, `Non-existent body parameter "${at}${strange}" for this API call`)
  return body
}

const text = (body: Body, name: string, pattern = /^.{1,255}$/s): string | null => {
  const value = body[name]
  if (isMissing(value)) return null
  if (typeof value !== 'string' || !pattern.test(value)) throw invalid(name, `The ${name} is invalid`)
  return value
}
const need = (body: Body, name: string, pattern?: RegExp): string => {
  const value = text(body, name, pattern)
  if (value === null) throw invalid(name, `The '${name}' field is missing`)
  return value
}

/** Reads an amount: a string with all decimals of its currency. */
function amountIn(body: Body, name = 'amount'): { amount: number; currency: string } {
  const given = body[name]
  if (!isRecord(given)) throw invalid(name, `The '${name}' field is missing`)
  only(given, 'currency value', `${name}.`)
  const currency = need(given, 'currency', /^[A-Z]{3}$/)
  const value = need(given, 'value', /^\d{1,12}(?:\.\d{1,2})?$/)
  const amount = minorOf(value, currency)
  if (value !== majorText(amount, currency)) throw invalid(`${name}.value`, `The ${name} contains an invalid value`)
  return { amount, currency }
}

const ADDRESS = 'title givenName familyName organizationName streetAndNumber streetAdditional postalCode email phone city region country'
const LINE =
  'type description quantity quantityUnit unitPrice discountAmount totalAmount vatRate vatAmount sku categories imageUrl productUrl'
const PAYMENT =
  'description amount redirectUrl cancelUrl webhookUrl lines billingAddress shippingAddress locale method issuer ' +
  'restrictPaymentMethodsToCountry metadata captureMode captureDelay sequenceType mandateId customerId ' +
  'applePayPaymentToken googlePayPaymentToken dueDate cardToken'

function addressIn(body: Body, name: string): void {
  const given = body[name]
  if (isMissing(given)) return
  if (!isRecord(given)) throw invalid(name, `The ${name} is invalid`)
  only(given, ADDRESS, `${name}.`)
  const isWhole = given.streetAndNumber !== undefined && given.city !== undefined && given.country !== undefined
  if (!isWhole && given.email === undefined) throw invalid(name, `The ${name} should have an email or a valid postal address`)
  text(given, 'phone', /^\+\d{6,15}$/)
}

/** Checks the order lines: each must match its own total, and together they must add up to the amount. */
function linesIn(body: Body, money: { amount: number; currency: string }): void {
  if (isMissing(body.lines)) return
  if (!Array.isArray(body.lines) || body.lines.length === 0) throw invalid('lines', 'The lines are invalid')
  let sum = 0
  for (const line of body.lines as unknown[]) {
    if (!isRecord(line)) throw invalid('lines', 'The lines are invalid')
    only(line, LINE, 'lines.')
    need(line, 'description')
    const [price, total] = [amountIn(line, 'unitPrice').amount, amountIn(line, 'totalAmount').amount]
    const less = isMissing(line.discountAmount) ? 0 : amountIn(line, 'discountAmount').amount
    if (price * Number(line.quantity) - less !== total) throw invalid('lines.totalAmount', 'The totalAmount of the line is not correct')
    sum += total
  }
  if (sum !== money.amount) throw invalid('lines', 'The sum of all order lines should be equal to the full payment amount')
}

/** Reads the method of a payment; of several methods, the first. */
function methodIn(body: Body): [name: string, method: MollieMethod] {
  const given: unknown = Array.isArray(body.method) ? body.method[0] : body.method
  const name = typeof given === 'string' ? given : 'creditcard'
  const method = methodNamed(name)
  if (!method) throw invalid('method', 'The payment method is invalid')
  return [name, method]
}

const sequences = ['oneoff', 'first', 'recurring'] as const

function pay(asked: ApiCall): CallResult {
  const { body } = asked
  only(body, PAYMENT)
  need(body, 'description')
  const money = amountIn(body)
  addressIn(body, 'billingAddress')
  addressIn(body, 'shippingAddress')
  linesIn(body, money)
  const sequence = (text(body, 'sequenceType') ?? 'oneoff') as (typeof sequences)[number]
  if (!sequences.includes(sequence)) throw invalid('sequenceType', 'The sequenceType is invalid')
  return sequence === 'recurring' ? charge(asked, money) : begin(asked, money, sequence)
}

type Sum = { amount: number; currency: string }
type Ask = Parameters<typeof authorize>[0]
const usual = { three_ds: 'skip', allow_partial: false } as const
const instrument = (name: Ask['card']['name'], masked: string) => ({ name, masked, cvc: 'missing', expires: '9999-12' }) as const

/** The token of a card whose issuer requires a challenge, to which the shopper is redirected. */
const CHALLENGED = 'tkn_challenged'

/** Begins a payment with the shopper present. */
function begin(asked: ApiCall, money: Sum, sequence: 'oneoff' | 'first'): CallResult {
  const { body, account, turn } = asked
  const [name, method] = methodIn(body)
  if (name === 'directdebit') throw invalid('method', 'The payment method is not activated for one-off payments')
  if (method.currencies && !method.currencies.includes(money.currency))
    throw invalid('amount.currency', `The currency ${money.currency} is not supported by the payment method`)
  const wants = method.wants?.find(member => isMissing(body[member]))
  if (wants !== undefined) throw invalid(wants, `The '${wants}' field is missing`)
  const mode = text(body, 'captureMode') ?? 'automatic'
  if (mode !== 'automatic' && !(mode === 'manual' && method.manual))
    throw invalid('captureMode', 'The captureMode is not supported by the payment method')
  const token = method.token && text(body, method.token, method.token === 'cardToken' ? /^tkn_\w+$/ : /^\{.*\}$/s)
  const isDecided = Boolean(token) && token !== CHALLENGED
  const redirectUrl = token ? text(body, 'redirectUrl', /^https?:\/\//) : need(body, 'redirectUrl', /^https?:\/\//)
  const customerId = text(body, 'customerId')
  if (customerId !== null) customerOf(account, customerId)
  if (sequence === 'first' && (customerId === null || !method.first))
    throw invalid('sequenceType', 'A first payment needs a customer, and a method that supports it')
  if (money.amount === 0 && !(sequence === 'first' && (method.first === 'creditcard' || method.first === 'paypal')))
    throw invalid('amount', 'The amount is lower than the minimum')
  const { family, way, life_ms } = method
  const effect = authorize(
    {
      ...usual,
      reference: referenceOf(body, asked.headers),
      ...money,
      capture: mode,
      card: instrument(fateOf(method.card === true, money.amount, isDecided), name),
      method: { family, way, course: isDecided ? 'at once' : method.course, life_ms, refunds_ms: REFUNDS_MS },
      return_url: redirectUrl,
      ...(sequence === 'first' && { store: 'off_session' as const }),
    },
    turn,
  )
  return made(asked, effect, name, sequence, customerId, null)
}

/** Charges a mandate without the shopper. */
function charge(asked: ApiCall, money: Sum): CallResult {
  const { body, account, turn } = asked
  const customer = customerOf(account, need(body, 'customerId'))
  const mandate = need(body, 'mandateId', /^mdt_\w+$/)
  const [name, card] = mandateNamed(account, mandate, customer.id)
  const { family, way } = methodNamed(name)!
  const isDebit = name === 'directdebit'
  const fate = card === 'approved' ? fateOf(name === 'creditcard', money.amount, true) : card
  const method: Method = {
    family,
    way,
    course: isDebit ? 'later' : 'at once',
    refunds_ms: REFUNDS_MS,
    ...(isDebit && { settles_ms: SETTLES_MS }),
  }
  const reference = referenceOf(body, asked.headers)
  const by = { by: 'mandate', return_url: null } as const
  const effect = authorize({ ...usual, ...by, reference, ...money, capture: 'automatic', card: instrument(fate, name), method }, turn)
  return made(asked, effect, name, 'recurring', customer.id, mandate)
}

/** Returns the method and test card of a mandate. Refuses a mandate that this customer did not give. */
function mandateNamed(account: Account, id: string, customer: string): [method: string, card: Payment['card']] {
  const document = account.documents.get(id) as MollieMandate | undefined
  if (document?.object === 'mollie_mandate' && document.customer === customer) return ['directdebit', document.card]
  const payment = [...account.payments.values()].find(one => one.dialect === 'mollie' && one.store && mandateIdOf(one) === id)
  const note = payment && noteOf(account, payment)
  const isGiven = payment !== undefined && ['open', 'captured', 'voided', 'expired'].includes(payment.phase) && payment.phase !== 'declined'
  if (!note || !isGiven || note.customerId !== customer) throw invalid('mandateId', 'The mandate is invalid')
  return [methodNamed(note.method)!.first!, 'approved']
}

function made(
  asked: ApiCall,
  effect: Effect,
  method: string,
  sequenceType: MollieNote['sequenceType'],
  customerId: string | null,
  mandateId: string | null,
): CallResult {
  const { body, account, url } = asked
  const id = paymentIdOf(effect.payment.id)
  const note: MollieNote = {
    id,
    object: 'mollie_payment',
    method,
    description: body.description as string,
    metadata: body.metadata ?? null,
    redirectUrl: (body.redirectUrl as string | undefined) ?? null,
    webhookUrl: text(body, 'webhookUrl', /^https?:\/\//),
    sequenceType,
    customerId,
    mandateId,
  }
  const payment: Payment = { ...effect.payment, dialect: 'mollie', document: id }
  const change = { ...effect, payment, documents: [note] }
  return { change, status: 201, body: showPayment({ account: withEffect(account, change, [note]), url }, payment) }
}

const withEffect = (account: Account, { payment, operations }: Effect, documents: readonly Document[]): Account => ({
  ...account,
  payments: new Map([...account.payments, [payment.id, payment]]),
  operations: new Map([...account.operations, ...operations.map(one => [one.id, one] as const)]),
  documents: new Map([...account.documents, ...documents.map(one => [one.id, one] as const)]),
})

function paymentOf({ account, params }: Pick<ApiCall, 'account' | 'params'>): Payment {
  const payment = account.payments.get(account.names.get(params.id!) ?? '')
  if (payment?.dialect !== 'mollie') throw new Refusal('not_found', `No payment exists with token ${params.id}.`)
  return payment
}

function changeNamed(asked: ApiCall, type: 'capture' | 'refund'): object {
  const payment = paymentOf(asked)
  const found = changesOf(asked, payment, type).find(one => (one as { id: string }).id === asked.params.change)
  if (!found) throw new Refusal('not_found', `No ${type} exists with token ${asked.params.change}.`)
  return found
}

/** Answers a capture or refund, with its description and metadata. */
function changed(asked: ApiCall, effect: Effect): CallResult {
  const [operation] = effect.operations
  const { body, account, url } = asked
  const note: MollieChangeNote = {
    id: changeIdOf(operation),
    object: 'mollie_change',
    description: text(body, 'description') ?? '',
    metadata: body.metadata ?? null,
  }
  const change = { ...effect, documents: [note] }
  return { change, status: 201, body: showChange({ account: withEffect(account, effect, [note]), url }, operation) }
}

function capturePayment(asked: ApiCall): CallResult {
  const { body, turn } = asked
  only(body, 'amount description metadata')
  const payment = paymentOf(asked)
  const left = payment.authorized - payment.captured - payment.capturing
  const amount = isMissing(body.amount) ? left : sameCurrency(amountIn(body), payment)
  return changed(asked, capture(payment, { reference: referenceOf(body, asked.headers), amount, final: false }, turn))
}

function refundPayment(asked: ApiCall): CallResult {
  const { body, turn } = asked
  only(body, 'amount description metadata')
  const payment = paymentOf(asked)
  const amount = sameCurrency(amountIn(body), payment)
  if (amount > payment.captured - payment.refunded - payment.refunding - (payment.disputed ?? 0))
    throw invalid('amount.value', 'The specified amount cannot be refunded')
  if (isRefundedAgain(asked, payment, amount)) throw new Refusal('duplicate_reference', 'A duplicate refund has been detected')
  return changed(asked, refund(payment, { reference: referenceOf(body, asked.headers), amount, reason: null }, turn))
}

/** Mollie blocks a refund of the same amount as another of the payment within an hour. */
const isRefundedAgain = ({ account, turn }: ApiCall, { id }: Payment, amount: number): boolean =>
  [...account.operations.values()].some(
    one =>
      one.payment === id &&
      one.type === 'refund' &&
      one.status !== 'declined' &&
      one.amount === amount &&
      turn.at - Date.parse(one.created_at) < KEY_LIFE_MS,
  )

function sameCurrency({ amount, currency }: Sum, payment: Payment): number {
  if (currency !== payment.currency) throw invalid('amount.currency', `The currency should be ${payment.currency}`)
  return amount
}

const voided = (asked: ApiCall, payment: Payment): Effect =>
  voidPayment(payment, asked.account.operations.get(payment.id)!, { reference: referenceOf(asked.body, asked.headers) }, asked.turn)

/** Releases the authorization. The request is only received. */
function release(asked: ApiCall): CallResult {
  const payment = paymentOf(asked)
  if (payment.phase !== 'open')
    throw new Refusal('not_allowed', 'Authorization cannot be released because the payment is not in the authorized state.')
  return { change: voided(asked, payment), status: 202, body: Buffer.alloc(0) }
}

function cancelPayment(asked: ApiCall): CallResult {
  const { account, url } = asked
  const payment = paymentOf(asked)
  const status = statusOf(payment, account.operations.get(payment.id)!)
  if (!isCancelable(noteOf(account, payment), status)) throw new Refusal('not_allowed', 'The payment cannot be cancelled')
  const effect = voided(asked, payment)
  return { change: effect, body: showPayment({ account: withEffect(account, effect, []), url }, effect.payment) }
}

function makeCustomer({ body, turn }: ApiCall): CallResult {
  only(body, 'name email locale metadata')
  const customer: MollieCustomer = {
    id: `cst_${draw(turn.context, 10)}`,
    object: 'mollie_customer',
    name: text(body, 'name'),
    email: text(body, 'email', /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/),
    metadata: body.metadata ?? null,
    created_at: iso(turn.at),
  }
  return { change: { documents: [customer] }, status: 201, body: showCustomer(customer) }
}

function customerOf(account: Account, id: string | undefined): MollieCustomer {
  const found = account.documents.get(id ?? '') as MollieCustomer | undefined
  if (found?.object !== 'mollie_customer') throw new Refusal('not_found', `No customer exists with token ${id}.`)
  return found
}

function makeMandate(asked: ApiCall): CallResult {
  const { body, account, params, turn } = asked
  only(body, 'method consumerName consumerAccount consumerBic signatureDate mandateReference')
  const customer = customerOf(account, params.id)
  if (need(body, 'method') !== 'directdebit') throw invalid('method', 'Only mandates for SEPA direct debit can be created')
  const account_number = need(body, 'consumerAccount', /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/)
  text(body, 'signatureDate', /^\d{4}-\d\d-\d\d$/)
  const mandate: MollieMandate = {
    id: `mdt_${draw(turn.context, 10)}`,
    object: 'mollie_mandate',
    customer: customer.id,
    consumerName: need(body, 'consumerName'),
    card: doneAs({ account_number }),
    last4: account_number.slice(-4),
  }
  return { change: { documents: [mandate] }, status: 201, body: showMandate(mandate) }
}
