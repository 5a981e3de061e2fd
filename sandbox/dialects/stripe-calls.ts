// The handlers of Stripe's calls: each reads its form, applies the rules of money (`../processor.ts`), and returns the
// change and the answer. All of it is pure: no waiting, no writing, no network.

import type { Account } from '../books.ts'
import { behaviourOf, luhn } from '../cards.ts'
import { draw } from '../context.ts'
import { acceptDispute, answerDispute, changeOf, type Disputed, raisedBy } from '../disputes.ts'
import { authorize, capture, increment, mostOf, type Turn, voidPayment } from '../processor.ts'
import type { Change, Dispute, PurchaseDetails } from '../records.ts'
import type { ThreeDsResult } from '../requests.ts'
import { meetCard, testMethodNumber } from './stripe-cards.ts'
import { type Customer, chargeId, documentOf, type Intent, type PaymentMethod, type SetupIntent, seconds } from './stripe-documents.ts'
import { type Form, flag, integer, list, metadataOf, need, nested, only, text, word } from './stripe-form.ts'
import {
  checkAgreement,
  checkMethod,
  isMethodName,
  methodError,
  methodInLedger,
  readMandate,
  readOther,
  rowOf,
  tokenNumber,
} from './stripe-methods.ts'
import { cardError, invalid, missing, StripeRefusal } from './stripe-refusals.ts'
import {
  type Attempt,
  attemptOf,
  isIncremental,
  isMulticapture,
  leftToCapture,
  type Sight,
  setupAttempt,
  showDispute,
  showIntent,
  showMethod,
  showSetup,
  statusOf,
} from './stripe-show.ts'

/**
 * One call. `reference`: its Idempotency-Key, or a reference that the sandbox makes; the ledger's reference of the
 * operation.
 */
export type ApiCall = { account: Account; turn: Turn; form: Form; id: string; reference: string; url: string }

export type CallResult = { change: Omit<Change, 'account'>; status: number; body: object }
export type CallHandler = (asked: ApiCall) => CallResult

const fresh = ({ turn }: ApiCall, prefix: string): string => `${prefix}_${draw(turn.context, 24)}`
const sight = ({ account, url, form }: ApiCall): Sight => ({ account, url, expand: list(form, 'expand') })

export function createMethod(asked: ApiCall): CallResult {
  const { form } = asked
  const type = need(form, 'type')
  only(form, ['type', type, 'billing_details', 'metadata', 'expand', 'allow_redisplay'])
  const method = type === 'card' ? cardMethod(asked, form) : otherMethod(asked, form, 'payment_method')
  return { change: { documents: [method] }, status: 200, body: showMethod(method) }
}

function cardMethod(asked: ApiCall, form: Form): PaymentMethod {
  const card = nested(form, 'card')
  const common = { id: fresh(asked, 'pm'), object: 'payment_method' as const, ...billedTo(form), metadata: metadataOf(form) }
  const created = seconds(asked.turn.at)
  if (card.token !== undefined) {
    only(card, ['token'], 'card')
    const number = tokenNumber(need(card, 'token'))
    if (number === null) throw missing('token', need(card, 'token'))
    const exp_year = new Date(asked.turn.at).getUTCFullYear() + 2
    return { ...common, ...meetCard(number), exp_month: 12, exp_year, cvc: 'missing', created }
  }
  return { ...common, ...numberedCard(card, asked), created }
}

function numberedCard(card: Form, { turn }: ApiCall) {
  only(card, ['number', 'exp_month', 'exp_year', 'cvc'], 'card')
  const number = need(card, 'number')
  const bad = (code: string, message: string, param: string) => new StripeRefusal(402, { type: 'card_error', code, message, param })
  if (!/^\d{12,19}$/.test(number) || !luhn(number)) throw bad('incorrect_number', 'Your card number is incorrect.', 'number')
  const exp_month = integer(card, 'exp_month') ?? 0
  const exp_year = integer(card, 'exp_year') ?? 0
  if (exp_month < 1 || exp_month > 12) throw bad('invalid_expiry_month', "Your card's expiration month is invalid.", 'exp_month')
  const year = exp_year < 100 ? 2000 + exp_year : exp_year
  if (new Date(turn.at).getUTCFullYear() > year) throw bad('invalid_expiry_year', "Your card's expiration year is invalid.", 'exp_year')
  const cvc = text(card, 'cvc')
  if (cvc !== null && !/^\d{3,4}$/.test(cvc)) throw bad('invalid_cvc', "Your card's security code is invalid.", 'cvc')
  return { ...meetCard(number), exp_month, exp_year: year, cvc: cvc === null ? ('missing' as const) : ('sent' as const) }
}

function billedTo(form: Form): Pick<PaymentMethod, 'name' | 'billing'> {
  const billing = nested(form, 'billing_details')
  only(billing, ['name', 'email', 'phone', 'address', 'tax_id'], 'billing_details')
  readAddress(billing, 'billing_details')
  return { name: text(billing, 'name'), ...(Object.keys(billing).length > 0 && { billing }) }
}

/** Returns a payment method other than a card: it never expires and has no security code. */
const otherMethod = (asked: ApiCall, form: Form, place: string): PaymentMethod => ({
  id: fresh(asked, 'pm'),
  object: 'payment_method',
  ...readOther(form, place),
  brand: 'unknown',
  exp_month: 12,
  exp_year: 9999,
  cvc: 'missing',
  ...billedTo(form),
  metadata: metadataOf(form),
  created: seconds(asked.turn.at),
})

/** Reads the payment method that an intent contains in payment_method_data; null if there is none. */
function inlineMethod(asked: ApiCall): PaymentMethod | null {
  const form = nested(asked.form, 'payment_method_data')
  if (Object.keys(form).length === 0) return null
  if (asked.form.payment_method !== undefined)
    throw invalid('parameters_exclusive', 'You may only specify one of: payment_method, payment_method_data.', 'payment_method_data')
  const type = need(form, 'type')
  if (type === 'card') throw invalid('parameter_unknown', 'This sandbox takes cards as payment methods only', 'payment_method_data[type]')
  only(form, ['type', type, 'billing_details', 'metadata', 'allow_redisplay'], 'payment_method_data')
  return otherMethod(asked, form, 'payment_method_data')
}

/** Checks a postal address. Refuses members that Stripe does not know. */
function readAddress(within: Form, name: string): void {
  only(nested(within, 'address'), ['line1', 'line2', 'city', 'state', 'postal_code', 'country'], `${name}[address]`)
}

/** Reads the shipping address, with the recipient's name. */
function readShipping(form: Form): { shipping?: Form } {
  const shipping = nested(form, 'shipping')
  if (Object.keys(shipping).length === 0) return {}
  only(shipping, ['name', 'phone', 'address', 'carrier', 'tracking_number'], 'shipping')
  need(shipping, 'name')
  readAddress(shipping, 'shipping')
  return { shipping }
}

function purchaseDetailsOf({ description, shipping, moto, installments, levels }: Intent, { billing }: PaymentMethod): PurchaseDetails {
  const { postal_code: zip } = nested(billing ?? {}, 'address')
  const purchase = {
    ...(billing && { billing: { ...billing, ...(zip !== undefined && { zip }) } }),
    ...(shipping && { shipping }),
    ...(description !== null && { description }),
    ...(levels && { levels }),
  }
  return {
    ...(Object.keys(purchase).length > 0 && { purchase }),
    ...(moto && { channel: 'telephone_order' as const }),
    ...(installments !== undefined && { installments }),
  }
}

/**
 * Returns a payment method of the account, or one of the test payment methods that every account has, which is stored
 * when it is first used.
 */
function methodOf({ account, turn }: ApiCall, id: string): PaymentMethod {
  const known = documentOf<PaymentMethod>(account, id, 'payment_method')
  const number = known ? null : testMethodNumber(id)
  if (known) return known
  if (number === null) throw missing('PaymentMethod', id)
  const year = new Date(turn.at).getUTCFullYear() + 2
  return {
    id,
    object: 'payment_method',
    ...meetCard(number),
    exp_month: 12,
    exp_year: year,
    cvc: 'sent',
    name: null,
    metadata: {},
    created: seconds(turn.at),
  }
}

const expiryOf = ({ exp_year, exp_month }: PaymentMethod): string => `${exp_year}-${String(exp_month).padStart(2, '0')}`

/** The networks that can be requested for a co-branded card. */
const networks = ['visa', 'mastercard', 'amex', 'cartes_bancaires', 'diners', 'discover', 'interac', 'jcb', 'unionpay', 'unknown'] as const

const confirmMembers = [
  'payment_method',
  'payment_method_data',
  'mandate_data',
  'return_url',
  'off_session',
  'error_on_requires_action',
  'payment_method_options',
  'setup_future_usage',
  'use_stripe_sdk',
  'customer',
  'expand',
  'capture_method',
]
const createMembers = [
  ...confirmMembers,
  'amount',
  'currency',
  'confirm',
  'confirmation_method',
  'description',
  'metadata',
  'payment_method_types',
  'allowed_payment_method_types',
  'statement_descriptor',
  'statement_descriptor_suffix',
  'automatic_payment_methods',
  'shipping',
  'receipt_email',
  'transfer_data',
  'application_fee_amount',
  'on_behalf_of',
  'amount_details',
  'payment_details',
]

const customerMembers = ['name', 'email', 'phone', 'description', 'metadata', 'expand']

export function createCustomer(asked: ApiCall): CallResult {
  const { form, turn } = asked
  only(form, customerMembers)
  const [name, email, phone] = [text(form, 'name'), text(form, 'email'), text(form, 'phone')]
  const id = fresh(asked, 'cus')
  return kept({ id, object: 'customer', name, email, phone, metadata: metadataOf(form), created: seconds(turn.at) })
}

export function updateCustomer({ account, form, id }: ApiCall): CallResult {
  only(form, customerMembers)
  const before = documentOf<Customer>(account, id, 'customer')
  if (!before || before.deleted) throw missing('customer', id)
  const { name, email, phone } = before
  const contact = { name: text(form, 'name') ?? name, email: text(form, 'email') ?? email, phone: text(form, 'phone') ?? phone }
  return kept({ ...before, ...contact, metadata: metadataOf(form, before.metadata) })
}

/** Deletes a customer, as a person or a program does at Stripe. */
export function deleteCustomer({ account, id }: ApiCall): CallResult {
  const before = documentOf<Customer>(account, id, 'customer')
  if (!before || before.deleted) throw missing('customer', id)
  const gone: Customer = { ...before, name: null, email: null, phone: null, deleted: true }
  return { change: { documents: [gone] }, status: 200, body: { id, object: 'customer', deleted: true } }
}

const kept = (customer: Customer): CallResult => ({
  change: { documents: [customer] },
  status: 200,
  body: { ...customer, livemode: false },
})

function customerOf({ account, form }: ApiCall, before: string | null | undefined): string | null {
  const id = text(form, 'customer') ?? before ?? null
  const found = id === null ? null : documentOf<Customer>(account, id, 'customer')
  if (id !== null && (!found || found.deleted)) throw missing('customer', id)
  return id
}

function checkOwner({ customer = null, id }: PaymentMethod, payer: string | null): void {
  if (customer !== null && customer !== payer)
    throw invalid(
      'resource_missing',
      `The PaymentMethod ${id} belongs to a Customer. Include the customer in the request.`,
      'payment_method',
    )
}

/** The steps of amounts in currencies that Stripe counts in units of its own: without decimals, or in steps. */
const steps: Record<string, number> = { isk: 100, ugx: 100, bhd: 10, jod: 10, kwd: 10, omr: 10, tnd: 10 }

function readMoney(form: Form): { amount: number; currency: string } {
  const amount = integer(form, 'amount')
  if (amount === null) throw invalid('parameter_missing', 'Missing required param: amount.', 'amount')
  const currency = need(form, 'currency')
  if (!/^[a-z]{3}$/.test(currency)) throw invalid('invalid_currency', `Invalid currency: ${currency}`, 'currency')
  if (amount < 1) throw invalid('amount_too_small', 'Amount must be at least 1', 'amount')
  if (amount > 99_999_999) throw invalid('amount_too_large', 'Amount must be no more than 99999999', 'amount')
  if (amount % (steps[currency] ?? 1) !== 0)
    throw invalid('invalid_amount', `Amounts in ${currency} must be multiples of ${steps[currency]}`, 'amount')
  return { amount, currency }
}

export function createIntent(asked: ApiCall): CallResult {
  const { form, turn } = asked
  only(form, createMembers)
  const id = fresh(asked, 'pi')
  const intent: Intent = withConfirm(asked, {
    id,
    object: 'payment_intent',
    ...readMoney(form),
    capture_method: 'automatic_async',
    payment_method: null,
    metadata: metadataOf(form),
    allowed: [...list(form, 'allowed_payment_method_types'), ...list(form, 'payment_method_types')],
    return_url: null,
    description: text(form, 'description'),
    ...readShipping(form),
    ...readShares(form),
    ...readLevels(form),
    statement_descriptor: text(form, 'statement_descriptor'),
    statement_descriptor_suffix: text(form, 'statement_descriptor_suffix'),
    multicapture: 'never',
    three_ds: 'automatic',
    attempts: [],
    canceled: null,
    client_secret: `${id}_secret_${draw(turn.context, 24)}`,
    created: seconds(turn.at),
  })
  if (flag(form, 'confirm')) return attempt(asked, intent)
  if (text(form, 'return_url') !== null || text(form, 'off_session') !== null)
    throw invalid('parameter_invalid', 'return_url and off_session can only be used with confirm: true', 'confirm')
  const methods = intent.payment_method === null ? [] : [methodOf(asked, intent.payment_method)]
  return { change: { documents: [intent, ...methods] }, status: 200, body: showIntent(intent, null, sight(asked)) }
}

const lineMembers = [
  'product_name',
  'quantity',
  'unit_cost',
  'product_code',
  'unit_of_measure',
  'tax',
  'discount_amount',
  'payment_method_options',
]

/** Reads level 2 and 3 data. Tax and discount are refused on a line if the total is sent. */
function readLevels(form: Form): Pick<Intent, 'levels'> {
  const [amount, payment] = [nested(form, 'amount_details'), nested(form, 'payment_details')]
  only(amount, ['enforce_arithmetic_validation', 'discount_amount', 'shipping', 'tax', 'line_items'], 'amount_details')
  only(payment, ['customer_reference', 'order_reference'], 'payment_details')
  only(nested(amount, 'shipping'), ['amount', 'from_postal_code', 'to_postal_code'], 'amount_details[shipping]')
  only(nested(amount, 'tax'), ['total_tax_amount'], 'amount_details[tax]')
  for (const [n, line] of Object.entries(nested(amount, 'line_items'))) {
    const place = `amount_details[line_items][${n}]`
    only(line as Form, lineMembers, place)
    need(line as Form, 'product_name')
    only(nested(line as Form, 'tax'), ['total_tax_amount'], `${place}[tax]`)
    for (const name of ['tax', 'discount_amount'])
      if (amount[name] !== undefined && (line as Form)[name] !== undefined)
        throw invalid('parameter_invalid', `${place}[${name}] is mutually exclusive with amount_details[${name}]`, place)
  }
  return Object.keys(amount).length + Object.keys(payment).length > 0 ? { levels: { ...amount, ...payment } } : {}
}

/** Reads a destination charge. The platform keeps a fee of the amount transferred to the account. */
function readShares(form: Form): Pick<Intent, 'transfer_data' | 'application_fee_amount' | 'on_behalf_of'> {
  only(nested(form, 'transfer_data'), ['destination'], 'transfer_data')
  const destination = text(nested(form, 'transfer_data'), 'destination')
  const fee = integer(form, 'application_fee_amount')
  const on_behalf_of = text(form, 'on_behalf_of')
  if (destination === null && fee !== null)
    throw invalid('parameter_missing', 'Can only apply an application_fee_amount when transfer_data[destination] is set', 'transfer_data')
  if (destination !== null && !destination.startsWith('acct_'))
    throw invalid('resource_missing', `No such destination: '${destination}'`, 'transfer_data[destination]')
  if (fee !== null && fee > (integer(form, 'amount') ?? 0))
    throw invalid('parameter_invalid', 'application_fee_amount must not exceed the amount', 'application_fee_amount')
  return {
    ...(destination !== null && { transfer_data: { destination } }),
    ...(fee !== null && { application_fee_amount: fee }),
    ...(on_behalf_of !== null && { on_behalf_of }),
  }
}

/** Whether the charge follows an agreement that only the card's network knows. */
const isExempted = (form: Form): boolean =>
  text(nested(nested(nested(form, 'payment_method_options'), 'card'), 'mit_exemption'), 'network_transaction_id') !== null

/** Reads the members that creation and confirmation have in common. */
function withConfirm(asked: ApiCall, intent: Intent): Intent {
  const { form } = asked
  const allOptions = nested(form, 'payment_method_options')
  only(allOptions, ['card', ...Object.keys(allOptions).filter(isMethodName)], 'payment_method_options')
  const card = nested(allOptions, 'card')
  const asks = ['request_multicapture', 'request_overcapture', 'request_incremental_authorization', 'request_extended_authorization']
  const members = ['request_three_d_secure', 'three_d_secure', 'network', 'moto', 'installments', 'mit_exemption', ...asks]
  only(card, members, 'payment_method_options[card]')
  only(nested(card, 'mit_exemption'), ['network_transaction_id'], 'payment_method_options[card][mit_exemption]')
  return {
    ...intent,
    capture_method: word(form, 'capture_method', ['automatic', 'automatic_async', 'manual'], intent.capture_method),
    payment_method: text(form, 'payment_method') ?? intent.payment_method,
    customer: customerOf(asked, intent.customer),
    setup_future_usage:
      text(form, 'setup_future_usage') === null
        ? (intent.setup_future_usage ?? null)
        : word(form, 'setup_future_usage', ['on_session', 'off_session'], 'off_session'),
    return_url: text(form, 'return_url') ?? intent.return_url,
    three_ds: word(card, 'request_three_d_secure', ['any', 'automatic', 'challenge'], intent.three_ds),
    network: text(card, 'network') === null ? (intent.network ?? null) : word(card, 'network', networks, 'unknown'),
    ...(card.three_d_secure !== undefined && { threeDsResult: threeDsResultIn(nested(card, 'three_d_secure')) }),
    multicapture: word(card, 'request_multicapture', ['if_available', 'never'], intent.multicapture),
    incremental: word(card, 'request_incremental_authorization', ['if_available', 'never'], intent.incremental ?? 'never'),
    overcapture: word(card, 'request_overcapture', ['if_available', 'never'], intent.overcapture ?? 'never'),
    extended: word(card, 'request_extended_authorization', ['if_available', 'never'], intent.extended ?? 'never'),
    ...(flag(card, 'moto') && { moto: true as const }),
    ...installmentsIn(card),
  }
}

/** Reads the plan that the cardholder chose: a number of monthly installments. */
function installmentsIn(card: Form): { installments?: number } {
  const place = 'payment_method_options[card][installments]'
  const installments = nested(card, 'installments')
  only(installments, ['enabled', 'plan'], place)
  const plan = nested(installments, 'plan')
  only(plan, ['count', 'interval', 'type'], `${place}[plan]`)
  if (Object.keys(plan).length === 0) return {}
  if (!flag(installments, 'enabled')) throw invalid('parameter_invalid', 'A plan requires installments to be enabled', place)
  word(plan, 'interval', ['month'], 'month')
  if (need(plan, 'type') !== 'fixed_count')
    throw invalid('parameter_invalid', 'This sandbox only supports plans of type fixed_count', place)
  const count = integer(plan, 'count')
  if (count === null || count < 2) throw invalid('parameter_invalid', 'The count of a plan must be at least 2', `${place}[plan][count]`)
  return { installments: count }
}

/** Reads the result of a 3-D Secure authentication that another server ran. */
function threeDsResultIn(form: Form): ThreeDsResult {
  const members = ['version', 'cryptogram', 'transaction_id', 'electronic_commerce_indicator', 'ares_trans_status']
  only(form, members, 'payment_method_options[card][three_d_secure]')
  const cavv = need(form, 'cryptogram')
  if (!/^[A-Za-z0-9+/]{27}=$/.test(cavv))
    throw invalid(
      'parameter_invalid',
      'The cryptogram must be 20 bytes in base64',
      'payment_method_options[card][three_d_secure][cryptogram]',
    )
  return {
    cavv,
    version: word(form, 'version', ['2.1.0', '2.2.0', '2.3.0', '2.3.1'], need(form, 'version') as '2.1.0'),
    ds_transaction_id: need(form, 'transaction_id'),
    eci: word(form, 'electronic_commerce_indicator', ['01', '02', '05', '06', '07'], '07'),
    status: word(form, 'ares_trans_status', ['Y', 'A'], 'Y'),
  }
}

export function confirmIntent(asked: ApiCall): CallResult {
  only(asked.form, confirmMembers)
  const intent = intentOf(asked)
  const status = statusOf(intent, attemptOf(asked.account, intent))
  if (!['requires_payment_method', 'requires_confirmation'].includes(status))
    throw unexpected(asked, intent, `could not be confirmed: its status is ${status}`)
  const payment_method = status === 'requires_payment_method' ? null : intent.payment_method
  return attempt(asked, withConfirm(asked, { ...intent, payment_method }))
}

function attempt(asked: ApiCall, intended: Intent): CallResult {
  const { form, turn, reference } = asked
  const inline = inlineMethod(asked)
  const found = inline ?? (intended.payment_method === null ? null : methodOf(asked, intended.payment_method))
  if (found === null)
    throw invalid(
      'payment_intent_unexpected_state',
      'You cannot confirm this PaymentIntent because it is missing a payment method.',
      'payment_method',
    )
  const mandate_data = readMandate(form)
  const { allowed } = intended
  const type = found.type ?? 'card'
  if (allowed && allowed.length > 0 && !allowed.includes(type))
    throw invalid(
      'payment_intent_incompatible_payment_method',
      `The payment method type ${type} is not among the types of this PaymentIntent: ${allowed.join(', ')}`,
      'payment_method',
    )
  if (found.type)
    checkMethod(found.type, {
      ...intended,
      mandate_data,
      options: nested(nested(form, 'payment_method_options'), found.type),
      keeps: intended.setup_future_usage === 'off_session',
      known: found.customer != null,
    })
  const left = intended.setup_future_usage ? generatedBy(asked, found, intended.customer ?? null) : []
  const before: Intent = {
    ...intended,
    payment_method: found.id,
    ...(found.type && { mandate_data }),
    ...(left[0] && { generated: left[0].id }),
  }
  checkOwner(found, before.customer ?? null)
  // Stripe attaches the payment method to the customer after the payment succeeds; the sandbox attaches it at the
  // attempt.
  const method = before.setup_future_usage ? { ...found, customer: before.customer ?? null } : found
  // The customer is absent and cannot complete a challenge, or the merchant wants no challenge.
  const alone = flag(form, 'off_session') || flag(form, 'error_on_requires_action')
  const effect = authorize(
    {
      reference,
      amount: before.amount,
      currency: before.currency.toUpperCase(),
      capture: before.capture_method === 'manual' ? 'manual' : 'automatic',
      card: {
        name: method.card,
        masked: method.masked,
        cvc: method.cvc,
        expires: expiryOf(method),
        ...(before.network && { network: before.network }),
      },
      ...(method.type && { method: methodInLedger(method.type, flag(form, 'off_session') && found.customer != null) }),
      three_ds: alone ? 'skip' : before.three_ds === 'challenge' ? 'challenge' : 'request',
      ...(before.threeDsResult && { authentication: before.threeDsResult }),
      return_url: before.return_url && returnUrl(before.return_url, before),
      allow_partial: false,
      ...(before.overcapture === 'if_available' && { overcapture: true as const }),
      ...(before.statement_descriptor_suffix !== null && { statement_descriptor: before.statement_descriptor_suffix }),
      ...purchaseDetailsOf(before, method),
      // A card that was set up before is not challenged when the customer is absent.
      ...(flag(form, 'off_session') && found.customer != null && { by: 'mandate' as const }),
      ...(isExempted(form) && { by: 'network_transaction_id' as const }),
    },
    turn,
  )
  const payment = { ...effect.payment, dialect: 'stripe', document: before.id } as const
  const [authorization] = effect.operations
  const intent: Intent = { ...before, charged: before.metadata, attempts: [...before.attempts, payment.id] }
  const dispute = raisedBy(asked.account, payment, turn)
  const change = {
    payment,
    operations: effect.operations,
    ...(dispute && changeOf(dispute)),
    documents: [intent, method, ...left, ...(dispute?.documents ?? [])],
  }
  const error = authorization.decline && methodError(authorization.decline, method.fails_as)
  return answerWith(asked, intent, { payment, authorization }, change, error)
}

/** Returns the SEPA debit that a bank payment leaves behind once it is paid. */
function generatedBy(asked: ApiCall, { type, ...method }: PaymentMethod, customer: string | null): PaymentMethod[] {
  if (type === undefined || rowOf(type)?.again !== 'sepa_debit') return []
  return [{ ...method, id: fresh(asked, 'pm'), type: 'sepa_debit', masked: 'sepa_debit', last4: '3000', customer }]
}

/** Adds the intent's id and client secret to the return address, as Stripe does. */
function returnUrl(address: string, { id, client_secret }: Intent): string {
  const url = URL.parse(address)
  if (!url) throw invalid('url_invalid', `Not a valid URL: ${address}`, 'return_url')
  url.searchParams.set('payment_intent', id)
  url.searchParams.set('payment_intent_client_secret', client_secret)
  url.searchParams.set('source_type', 'card')
  return url.href
}

function answerWith(asked: ApiCall, intent: Intent, attempt: Attempt, change: CallResult['change'], error: object | null): CallResult {
  const documents = new Map(asked.account.documents)
  for (const document of change.documents ?? []) documents.set(document.id, document)
  const body = showIntent(intent, attempt, { ...sight(asked), account: { ...asked.account, documents } })
  if (error === null) return { change, status: 200, body }
  const charge = { charge: chargeId(attempt.payment.id) }
  return {
    change,
    status: 402,
    body: { error: { ...error, ...charge, doc_url: 'https://docs.stripe.com/error-codes', payment_intent: body } },
  }
}

function intentOf({ account, id }: ApiCall): Intent {
  const intent = documentOf<Intent>(account, id, 'payment_intent')
  if (!intent) throw missing('payment_intent', id)
  return intent
}

function unexpected(asked: ApiCall, intent: Intent, why: string): StripeRefusal {
  const payment_intent = showIntent(intent, attemptOf(asked.account, intent), sight(asked))
  return new StripeRefusal(400, {
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    message: `This PaymentIntent ${why}.`,
    payment_intent,
  })
}

export function captureIntent(asked: ApiCall): CallResult {
  const { form, account, turn, reference } = asked
  only(form, ['amount_to_capture', 'final_capture', 'metadata', 'expand', 'statement_descriptor', 'statement_descriptor_suffix'])
  const before = intentOf(asked)
  const now = attemptOf(account, before)
  const status = statusOf(before, now)
  if (status !== 'requires_capture' || !now) throw unexpected(asked, before, `could not be captured because it has a status of ${status}`)
  const left = leftToCapture(now.payment)
  const amount = integer(form, 'amount_to_capture') ?? left
  if (amount === 0 && flag(form, 'final_capture', false) && now.payment.captured > 0) return releaseRest(asked, before, now)
  if (amount < 1) throw invalid('parameter_invalid_integer', 'amount_to_capture must be at least 1', 'amount_to_capture')
  const most = left + mostOf(now.payment) - now.payment.authorized
  if (amount > most) throw invalid('amount_too_large', `The remaining amount that can be captured is ${most}`, 'amount_to_capture')
  const several = isMulticapture(before, documentOf<PaymentMethod>(account, before.payment_method, 'payment_method'))
  if (!several && text(form, 'final_capture') !== null)
    throw invalid('parameter_invalid', 'final_capture can only be set where multicapture is available', 'final_capture')
  const suffix = text(form, 'statement_descriptor_suffix')
  const descriptor = suffix === null ? {} : { statement_descriptor: suffix }
  const effect = capture(now.payment, { reference, amount, final: !several || flag(form, 'final_capture', true), ...descriptor }, turn)
  const [operation] = effect.operations
  const declined = operation.decline && cardError(operation.decline)
  const intent = declined ? before : { ...before, metadata: metadataOf(form, before.metadata) }
  const change = { payment: effect.payment, operations: effect.operations, documents: [intent] }
  return answerWith(asked, intent, { ...now, payment: effect.payment }, change, declined)
}

/** Ends a series of captures: nothing more is captured, and the rest is released. */
function releaseRest(asked: ApiCall, before: Intent, { payment, authorization }: NonNullable<ReturnType<typeof attemptOf>>): CallResult {
  const { form, reference, turn } = asked
  const effect = voidPayment(payment, authorization, { reference }, turn)
  const [operation] = effect.operations
  if (operation.decline) {
    const error = unexpected(asked, before, 'could not be captured')
    return { change: { payment: effect.payment, operations: effect.operations }, status: error.status, body: error.body }
  }
  const intent = { ...before, metadata: metadataOf(form, before.metadata) }
  const change = { payment: effect.payment, operations: effect.operations, documents: [intent] }
  return answerWith(asked, intent, { authorization, payment: effect.payment }, change, null)
}

/** Increases the authorized amount, if the intent requested incremental authorization. */
export function incrementIntent(asked: ApiCall): CallResult {
  const { form, account, turn, reference } = asked
  only(form, ['amount', 'metadata', 'description', 'statement_descriptor', 'expand'])
  const before = intentOf(asked)
  const now = attemptOf(account, before)
  const status = statusOf(before, now)
  if (status !== 'requires_capture' || !now)
    throw unexpected(asked, before, `could not be incremented because it has a status of ${status}`)
  if (!isIncremental(before)) throw unexpected(asked, before, 'is not eligible for incremental authorization')
  const amount = integer(form, 'amount') ?? 0
  if (amount <= now.payment.authorized) throw invalid('amount_too_small', 'amount must be greater than the authorized amount', 'amount')
  const effect = increment(now.payment, { reference, amount }, turn)
  const declined = effect.operations[0].decline && cardError(effect.operations[0].decline)
  const intent = declined ? before : { ...before, amount, metadata: metadataOf(form, before.metadata) }
  const change = { payment: effect.payment, operations: effect.operations, documents: [intent] }
  return answerWith(asked, intent, { ...now, payment: effect.payment }, change, declined)
}

export function cancelIntent(asked: ApiCall): CallResult {
  const { form, account, turn, reference } = asked
  only(form, ['cancellation_reason', 'expand'])
  const reason = text(form, 'cancellation_reason')
  if (reason !== null) word(form, 'cancellation_reason', ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'], 'abandoned')
  const before = intentOf(asked)
  const now = attemptOf(account, before)
  const status = statusOf(before, now)
  // A payment that the banks are processing cannot be canceled.
  const isOnItsWay = status === 'processing' && now?.payment.method !== undefined
  if (status === 'canceled' || status === 'succeeded' || isOnItsWay)
    throw unexpected(asked, before, `could not be canceled because it has a status of ${status}`)
  const intent: Intent = { ...before, canceled: { at: seconds(turn.at), reason } }
  if (!now || status === 'requires_payment_method')
    return { change: { documents: [intent] }, status: 200, body: showIntent(intent, now, sight(asked)) }
  const effect = voidPayment(now.payment, now.authorization, { reference }, turn)
  const [operation, authorization = now.authorization] = effect.operations
  const change = { payment: effect.payment, operations: effect.operations, documents: [intent] }
  if (operation.decline) {
    const error = unexpected(asked, before, 'could not be canceled')
    return { change: { ...change, documents: [] }, status: error.status, body: error.body }
  }
  return answerWith(asked, intent, { payment: effect.payment, authorization }, change, null)
}

const evidenceNames = [
  'access_activity_log',
  'billing_address',
  'cancellation_policy',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_communication',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'customer_signature',
  'duplicate_charge_documentation',
  'product_description',
  'receipt',
  'refund_policy',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'service_documentation',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_documentation',
  'shipping_tracking_number',
  'uncategorized_file',
  'uncategorized_text',
]
const evidenceFiles = [
  'cancellation_policy',
  'customer_communication',
  'customer_signature',
  'duplicate_charge_documentation',
  'receipt',
  'refund_policy',
  'service_documentation',
  'shipping_documentation',
  'uncategorized_file',
]

export function updateDispute(asked: ApiCall): CallResult {
  const { account, form, turn } = asked
  only(form, ['evidence', 'submit', 'metadata', 'expand'])
  const before = disputeOf(asked)
  const given = nested(form, 'evidence')
  only(given, evidenceNames, 'evidence')
  const evidence = given as Record<string, string>
  for (const name of evidenceFiles)
    if (evidence[name] !== undefined && account.documents.get(evidence[name])?.object !== 'file') throw missing('file', evidence[name])
  return disputed(asked, before, () =>
    answerDispute(account, before, { evidence, metadata: metadataOf(form, before.metadata), submit: flag(form, 'submit', true) }, turn),
  )
}

export function closeDispute(asked: ApiCall): CallResult {
  only(asked.form, ['expand'])
  const before = disputeOf(asked)
  return disputed(asked, before, () => acceptDispute(asked.account, before, asked.turn))
}

function disputed({ account }: ApiCall, before: Dispute, act: () => Disputed): CallResult {
  if (before.status !== 'needs_response') throw invalid('dispute_closed', `This dispute is already ${before.status}`)
  const after = act()
  return { change: changeOf(after), status: 200, body: showDispute(account, after.dispute) }
}

function disputeOf({ account, id }: ApiCall): Dispute {
  const dispute = documentOf<Dispute>(account, id, 'dispute')
  if (!dispute) throw missing('dispute', id)
  return dispute
}

/**
 * Creates a setup intent. A card that requires a challenge gets the challenge page of payments when it is confirmed.
 */
export function createSetup(asked: ApiCall): CallResult {
  const { form, turn } = asked
  only(form, [
    'payment_method',
    'payment_method_data',
    'mandate_data',
    'confirm',
    'usage',
    'metadata',
    'payment_method_types',
    'allowed_payment_method_types',
    'payment_method_options',
    'customer',
    'return_url',
    'expand',
  ])
  const place = 'payment_method_options'
  only(nested(form, place), ['card'], place)
  only(nested(nested(form, place), 'card'), ['request_three_d_secure', 'three_d_secure', 'network', 'moto'], `${place}[card]`)
  const id = fresh(asked, 'seti')
  const inline = inlineMethod(asked)
  const payment_method = inline?.id ?? text(form, 'payment_method')
  const setup: SetupIntent = {
    id,
    object: 'setup_intent',
    payment_method,
    customer: customerOf(asked, null),
    status: payment_method === null ? 'requires_payment_method' : 'requires_confirmation',
    usage: word(form, 'usage', ['off_session', 'on_session'], 'off_session'),
    metadata: metadataOf(form),
    cancellation_reason: null,
    client_secret: `${id}_secret_${draw(turn.context, 24)}`,
    created: seconds(turn.at),
  }
  if (flag(form, 'confirm')) return setUp(asked, setup)
  return { change: { documents: [setup, ...(inline ? [inline] : [])] }, status: 200, body: showSetup(setup, null, asked) }
}

export function confirmSetup(asked: ApiCall): CallResult {
  only(asked.form, ['payment_method', 'mandate_data', 'return_url', 'expand'])
  const setup = setupOf(asked)
  return setUp(asked, { ...setup, payment_method: text(asked.form, 'payment_method') ?? setup.payment_method })
}

export function cancelSetup(asked: ApiCall): CallResult {
  const { account, form, reference, turn } = asked
  only(form, ['cancellation_reason', 'expand'])
  const before = setupOf(asked)
  const attempt = setupAttempt(account, before)
  const setup: SetupIntent = { ...before, status: 'canceled', cancellation_reason: text(form, 'cancellation_reason') }
  const undone = attempt?.payment.phase === 'challenge' ? voidPayment(attempt.payment, attempt.authorization, { reference }, turn) : {}
  return { change: { ...undone, documents: [setup] }, status: 200, body: showSetup(setup, null, asked) }
}

/** Begins the challenge of a setup intent: an authorization of zero, which has a page. */
function challengedSetup(asked: ApiCall, setup: SetupIntent, method: PaymentMethod): CallResult {
  const effect = authorize(
    {
      reference: asked.reference,
      amount: 0,
      currency: 'USD',
      capture: 'manual',
      card: { name: method.card, masked: method.masked, cvc: method.cvc, expires: expiryOf(method) },
      ...(method.type && { method: methodInLedger(method.type, false, true) }),
      three_ds: 'request',
      return_url: text(asked.form, 'return_url'),
      allow_partial: false,
    },
    asked.turn,
  )
  const payment = { ...effect.payment, dialect: 'stripe', document: setup.id } as const
  const [authorization] = effect.operations
  const left = generatedBy(asked, method, setup.customer ?? null)
  const asks: SetupIntent = { ...setup, attempt: payment.id, ...(left[0] && { generated: left[0].id }) }
  const kept: PaymentMethod = { ...method, customer: setup.customer ?? null }
  const change = { payment, operations: effect.operations, documents: [asks, kept, ...left] }
  return { change, status: 200, body: showSetup(asks, { payment, authorization }, { ...sight(asked), type: method.type }) }
}

function setUp(asked: ApiCall, setup: SetupIntent): CallResult {
  if (setup.payment_method === null) throw invalid('setup_intent_unexpected_state', 'It is missing a payment method.', 'payment_method')
  const method = methodOf(asked, setup.payment_method)
  if (method.type !== undefined) {
    checkAgreement(method.type, { mandate_data: readMandate(asked.form), keeps: true, known: false })
    if (rowOf(method.type)!.course !== 'later') return challengedSetup(asked, setup, method)
  }
  if (behaviourOf(method.card).challenge !== undefined) return challengedSetup(asked, setup, method)
  const probe = authorize(
    {
      reference: setup.id,
      amount: 0,
      currency: 'USD',
      capture: 'manual',
      card: { name: method.card, masked: method.masked, cvc: method.cvc, expires: expiryOf(method) },
      three_ds: 'skip',
      return_url: null,
      allow_partial: false,
    },
    asked.turn,
  ).operations[0]
  if (probe.decline)
    return {
      change: { documents: [setup, method] },
      status: 402,
      body: { error: { ...cardError(probe.decline), setup_intent: showSetup(setup, null, asked) } },
    }
  const done: SetupIntent = { ...setup, status: 'succeeded' }
  const kept: PaymentMethod = { ...method, customer: setup.customer ?? null }
  return { change: { documents: [done, kept] }, status: 200, body: showSetup(done, null, asked) }
}

export function setupOf({ account, id }: Pick<ApiCall, 'account' | 'id'>): SetupIntent {
  const setup = documentOf<SetupIntent>(account, id, 'setup_intent')
  if (!setup) throw missing('setup_intent', id)
  return setup
}
