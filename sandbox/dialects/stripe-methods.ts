// The payment methods of Stripe other than cards, one row for each type: the data that it requires, the shopper's
// action, and the result. The test values are Stripe's own (docs.stripe.com/testing).

import type { CardName } from '../cards.ts'
import { codeUrl } from '../qr.ts'
import type { Course, Decline, Method, Operation } from '../records.ts'
import { type Form, need, nested, only, text } from './stripe-form.ts'
import { cardError, invalid, type StripeError } from './stripe-refusals.ts'

const day = 24 * 3_600_000

/** The data from which a next action is made: its page, amount and operation. */
type Place = { page: string; amount: number; operation: Operation }

type MethodRow = {
  /** The payment method's names in the sandbox's ledger. */
  family: string
  way: string
  course: Course
  life_ms?: number
  settles_ms?: number
  refunds_ms?: number
  currencies: readonly string[]
  manual?: true
  mandate?: true
  /**
   * The type as which the method is charged again once the customer has agreed; absent if it cannot be charged again.
   */
  again?: 'itself' | 'sepa_debit'
  refunds?: false
  /** The members of its hash, of which those with `!` are required; and those of its options. */
  takes?: readonly string[]
  options?: readonly string[]
  /** The members of `billing_details` that are required. */
  billing?: readonly string[]
  /** Returns the next action, where it is not a redirect. */
  action?(place: Place): { type: string; [more: string]: unknown }
}

const seconds = ({ due_at }: Operation): number => Math.floor((due_at ?? 0) / 1000)
const digits = (id: string, count: number): string =>
  [...id]
    .map(letter => letter.charCodeAt(0) % 10)
    .join('')
    .padEnd(count, '7')
    .slice(0, count)
const action = (type: string, data: object) => ({ type, [type]: data })
const qr = (page: string) => ({ image_url_png: `${page}/code`, image_url_svg: `${page}/code` })

const redirect = { course: 'redirect' } as const
const scanned = { course: 'code' } as const
const konbini = ({ page, operation }: Place) => {
  const codes = (name: string) => ({ payment_code: digits(operation.id + name, 6), confirmation_number: '09012345678' })
  const stores = Object.fromEntries(['familymart', 'lawson', 'ministop', 'seicomart'].map(name => [name, codes(name)]))
  return action('konbini_display_details', { expires_at: seconds(operation), hosted_voucher_url: page, stores })
}

/** The bank transfers of each currency: Stripe's type, and the account to which the shopper transfers money. */
const holder = { account_holder_name: 'Sandbox Bank' }
const transfers: Readonly<
  Record<string, { type: string; address: { type: string; supported_networks: string[]; [kind: string]: unknown } }>
> = {
  eur: {
    type: 'eu_bank_transfer',
    address: {
      type: 'iban',
      supported_networks: ['sepa'],
      iban: { ...holder, bic: 'SANDDEFF', country: 'DE', iban: 'DE89370400440532013000' },
    },
  },
  gbp: {
    type: 'gb_bank_transfer',
    address: {
      type: 'sort_code',
      supported_networks: ['bacs', 'fps'],
      sort_code: { ...holder, account_number: '00012345', sort_code: '108800' },
    },
  },
  usd: {
    type: 'us_bank_transfer',
    address: {
      type: 'aba',
      supported_networks: ['ach'],
      aba: { account_number: '000123456789', bank_name: 'Sandbox Bank', routing_number: '110000000' },
    },
  },
}
const transfer = ({ page, amount, operation: { id, currency } }: Place) => {
  const { type, address } = transfers[currency.toLowerCase()]!
  const about = {
    amount_remaining: amount,
    currency: currency.toLowerCase(),
    hosted_instructions_url: page,
    reference: id.slice(-8).toUpperCase(),
  }
  return action('display_bank_transfer_instructions', { ...about, type, financial_addresses: [address] })
}

/** Checks a bank transfer: its type must match the currency, and it requires a customer. */
function checkTransfer(options: Form, currency: string, customer: string | null): void {
  const place = 'payment_method_options[customer_balance][bank_transfer]'
  if (customer === null) throw invalid('parameter_missing', 'The payment method type customer_balance requires a customer.', 'customer')
  const transfer = nested(options, 'bank_transfer')
  only(transfer, ['type', 'eu_bank_transfer', 'requested_address_types'], place)
  if (need(options, 'funding_type') !== 'bank_transfer' || need(transfer, 'type') !== transfers[currency]!.type)
    throw invalid('parameter_invalid', `Invalid ${place}[type] for ${currency}`, `${place}[type]`)
  if (currency !== 'eur') return
  const country = need(nested(transfer, 'eu_bank_transfer'), 'country')
  if (!['BE', 'DE', 'ES', 'FR', 'IE', 'NL'].includes(country))
    throw invalid('parameter_invalid', `Invalid ${place}[eu_bank_transfer][country]: ${country}`, place)
}

// biome-ignore format: a table reads better in columns
export const stripeMethods = {
  alipay: { family: 'wallet', way: 'ali_pay_redirect', ...redirect, currencies: ['aud', 'cad', 'cny', 'eur', 'gbp', 'hkd', 'jpy', 'myr', 'nzd', 'sgd', 'usd'], action: ({ page }) => action('alipay_handle_redirect', { url: page, native_data: null, native_url: null, return_url: null }) },
  amazon_pay: { again: 'itself', family: 'wallet', way: 'amazon_pay_redirect', ...redirect, currencies: ['aud', 'chf', 'dkk', 'eur', 'gbp', 'hkd', 'jpy', 'nok', 'nzd', 'sek', 'usd', 'zar'], manual: true },
  cashapp: { again: 'itself', family: 'wallet', way: 'cashapp_qr', ...scanned, currencies: ['usd'], manual: true, action: ({ page, operation }) => action('cashapp_handle_redirect_or_display_qr_code', { hosted_instructions_url: page, mobile_auth_url: page, qr_code: { ...qr(page), expires_at: seconds(operation) } }) },
  kakao_pay: { again: 'itself', family: 'wallet', way: 'kakao_pay_redirect', ...redirect, currencies: ['krw'], manual: true },
  mb_way: { family: 'wallet', way: 'mb_way_redirect', ...redirect, currencies: ['eur'], billing: ['phone'] },
  mobilepay: { family: 'wallet', way: 'mobile_pay_redirect', ...redirect, currencies: ['dkk', 'eur', 'nok', 'sek'], manual: true },
  paypal: { again: 'itself', family: 'wallet', way: 'paypal_redirect', ...redirect, currencies: ['aud', 'cad', 'chf', 'czk', 'dkk', 'eur', 'gbp', 'hkd', 'nok', 'nzd', 'pln', 'sek', 'sgd', 'usd'], manual: true },
  revolut_pay: { again: 'itself', family: 'wallet', way: 'revolut_pay', ...redirect, currencies: ['dkk', 'eur', 'gbp', 'huf', 'pln', 'ron'], manual: true },
  swish: { family: 'wallet', way: 'swish_qr', ...scanned, currencies: ['sek'], action: ({ page }) => action('swish_handle_redirect_or_display_qr_code', { hosted_instructions_url: page, mobile_auth_url: page, qr_code: { data: page, ...qr(page) } }) },
  twint: { family: 'wallet', way: 'twint_redirect', ...redirect, currencies: ['chf'] },
  wechat_pay: { family: 'wallet', way: 'we_chat_pay_qr', ...scanned, currencies: ['aud', 'cad', 'chf', 'cny', 'dkk', 'eur', 'gbp', 'hkd', 'jpy', 'nok', 'sek', 'sgd', 'usd'], options: ['client!', 'app_id'], action: ({ page }) => action('wechat_pay_display_qr_code', { data: page, hosted_instructions_url: page, image_data_url: codeUrl(page), ...qr(page) }) },
  affirm: { family: 'pay_later', way: 'affirm_redirect', ...redirect, currencies: ['cad', 'usd'], manual: true },
  afterpay_clearpay: { family: 'pay_later', way: 'afterpay_clearpay_redirect', ...redirect, currencies: ['aud', 'cad', 'gbp', 'nzd', 'usd'], manual: true, billing: ['name', 'email', 'address'] },
  alma: { family: 'pay_later', way: 'alma_redirect', ...redirect, currencies: ['eur'], manual: true },
  klarna: { again: 'itself', family: 'pay_later', way: 'klarna_redirect', ...redirect, currencies: ['aud', 'cad', 'chf', 'czk', 'dkk', 'eur', 'gbp', 'nok', 'nzd', 'pln', 'ron', 'sek', 'usd'], manual: true, takes: ['dob'], billing: ['email', 'address'] },
  bancontact: { again: 'sepa_debit', family: 'bank_redirect', way: 'bancontact_card', ...redirect, currencies: ['eur'], billing: ['name'] },
  bizum: { family: 'bank_redirect', way: 'bizum', ...redirect, currencies: ['eur'] },
  blik: { family: 'bank_redirect', way: 'blik', course: 'wait', life_ms: 60_000, currencies: ['pln'], options: ['code!'], action: () => action('blik_authorize', {}) },
  eps: { family: 'bank_redirect', way: 'eps', ...redirect, currencies: ['eur'], takes: ['bank'], billing: ['name'] },
  fpx: { family: 'bank_redirect', way: 'online_banking_fpx', ...redirect, currencies: ['myr'], takes: ['bank!', 'account_holder_type'] },
  ideal: { again: 'sepa_debit', family: 'bank_redirect', way: 'ideal', ...redirect, currencies: ['eur'], takes: ['bank'] },
  p24: { family: 'bank_redirect', way: 'przelewy24', ...redirect, currencies: ['eur', 'pln'], takes: ['bank'], billing: ['email'] },
  us_bank_account: { again: 'itself', family: 'bank_debit', way: 'ach_bank_debit', ...redirect, life_ms: 10 * day, settles_ms: 4 * day, currencies: ['usd'], mandate: true, takes: ['account_number!', 'routing_number!', 'account_holder_type!', 'account_type'], billing: ['name'], action: ({ page }) => action('verify_with_microdeposits', { arrival_date: 1, hosted_verification_url: page, microdeposit_type: 'descriptor_code' }) },
  bacs_debit: { again: 'itself', family: 'bank_debit', way: 'bacs_bank_debit', course: 'later', settles_ms: 6 * day, currencies: ['gbp'], mandate: true, takes: ['account_number!', 'sort_code!'], billing: ['name', 'email', 'address'] },
  au_becs_debit: { again: 'itself', family: 'bank_debit', way: 'becs_bank_debit', course: 'later', settles_ms: 3 * day, currencies: ['aud'], mandate: true, takes: ['account_number!', 'bsb_number!'], billing: ['name', 'email'] },
  sepa_debit: { again: 'itself', family: 'bank_debit', way: 'sepa_bank_debit', course: 'later', settles_ms: 14 * day, currencies: ['eur'], mandate: true, takes: ['iban!'], billing: ['name', 'email'] },
  customer_balance: { family: 'bank_transfer', way: 'sepa_bank_transfer', course: 'transfer', life_ms: 90 * day, refunds_ms: 10 * day, currencies: ['eur', 'gbp', 'usd'], options: ['funding_type!', 'bank_transfer!'], action: transfer },
  multibanco: { family: 'bank_transfer', way: 'multibanco_bank_transfer', course: 'transfer', life_ms: 7 * day, refunds_ms: 10 * day, currencies: ['eur'], billing: ['email'], action: ({ page, operation }) => action('multibanco_display_details', { entity: '12345', reference: digits(operation.id, 9), expires_at: seconds(operation), hosted_voucher_url: page }) },
  pix: { family: 'bank_transfer', way: 'pix', ...scanned, life_ms: day, currencies: ['brl'], options: ['expires_after_seconds', 'expires_at'], action: ({ page, operation }) => action('pix_display_qr_code', { data: page, hosted_instructions_url: page, ...qr(page), expires_at: seconds(operation) }) },
  boleto: { family: 'voucher', way: 'boleto', course: 'slip', life_ms: 3 * day, currencies: ['brl'], refunds: false, takes: ['tax_id!'], billing: ['name', 'email', 'address'], action: ({ page, operation }) => action('boleto_display_details', { number: digits(operation.id, 47), pdf: page, hosted_voucher_url: page, expires_at: seconds(operation) }) },
  oxxo: { family: 'voucher', way: 'oxxo', course: 'slip', life_ms: 3 * day, currencies: ['mxn'], refunds: false, billing: ['name', 'email'], action: ({ page, operation }) => action('oxxo_display_details', { number: digits(operation.id, 32), hosted_voucher_url: page, expires_after: seconds(operation) }) },
  konbini: { family: 'voucher', way: 'lawson', course: 'slip', life_ms: 3 * day, refunds_ms: 10 * day, currencies: ['jpy'], options: ['confirmation_number', 'expires_after_days', 'product_description'], billing: ['name', 'email'], action: konbini },
  upi: { family: 'upi', way: 'upi_qr', ...redirect, currencies: ['inr'], options: ['mandate_options'], takes: ['mandate_options'], action: ({ page, operation }) => action('upi_handle_redirect_or_display_qr_code', { hosted_instructions_url: page, qr_code: { ...qr(page), expires_at: seconds(operation) } }) },
  promptpay: { family: 'real_time_payment', way: 'prompt_pay', ...scanned, currencies: ['thb'], billing: ['email'], action: ({ page }) => action('promptpay_display_qr_code', { data: page, hosted_instructions_url: page, ...qr(page) }) },
} as const satisfies Readonly<Record<string, MethodRow>>

export type MethodName = keyof typeof stripeMethods
export const isMethodName = (type: string): type is MethodName => Object.hasOwn(stripeMethods, type)
export const rowOf = (type: string): MethodRow | null => (isMethodName(type) ? stripeMethods[type] : null)

/**
 * The test account numbers with a fixed result: the failure code of the debit, or that the debit is taken back after
 * it succeeded.
 */
const accounts: Readonly<Record<string, string | 'taken back'>> = {
  AT861904300235473202: 'payment_intent_payment_attempt_failed',
  AT051904300235473205: 'payment_intent_payment_attempt_failed',
  AT591904300235473203: 'taken back',
  '000111111113': 'account_closed',
  '000111111116': 'no_account',
  '000222222227': 'insufficient_funds',
  '000333333335': 'debit_not_authorized',
  '000555555559': 'taken back',
  '111111113': 'account_closed',
  '111111116': 'no_account',
  '222222227': 'refer_to_customer',
  '333333335': 'debit_not_authorized',
  '22222227': 'insufficient_funds',
  '33333335': 'debit_not_authorized',
  '55555559': 'taken back',
}

/** The record of a payment method. The account number is not stored. */
export type OtherMethod = { type: MethodName; card: CardName; masked: string; last4: string; fails_as?: string }

/**
 * Reads a payment method, at `place` of a request. Refuses (400) members that Stripe does not know, and requests
 * without a required member.
 */
export function readOther(form: Form, place: string): OtherMethod {
  const type = need(form, 'type')
  if (!isMethodName(type)) throw invalid('parameter_unknown', `This sandbox does not support payment methods of type ${type}`, place)
  const { takes = [], billing = [] }: MethodRow = stripeMethods[type]
  const details = nested(form, type)
  members(details, takes, `${place}[${type}]`)
  const billingDetails = nested(form, 'billing_details')
  for (const name of billing)
    if (billingDetails[name] === undefined)
      throw invalid('parameter_missing', `Missing required param: ${place}[billing_details][${name}].`, `billing_details[${name}]`)
  const number = text(details, 'iban') ?? text(details, 'account_number') ?? ''
  const fate = Object.hasOwn(accounts, number) ? accounts[number]! : undefined
  return {
    type,
    card: fate === undefined ? 'approved' : fate === 'taken back' ? 'disputed' : 'declined',
    masked: type,
    last4: number.slice(-4),
    ...(fate !== undefined && fate !== 'taken back' && { fails_as: fate }),
  }
}

function members(form: Form, names: readonly string[], place: string): void {
  only(
    form,
    names.map(name => name.replace('!', '')),
    place,
  )
  for (const name of names.filter(one => one.endsWith('!'))) {
    const plain = name.slice(0, -1)
    if (form[plain] === undefined) throw invalid('parameter_missing', `Missing required param: ${place}[${plain}].`, `${place}[${plain}]`)
  }
}

/**
 * An intent at its confirmation. `keeps`: the method is to be charged again. `known`: the method is already attached
 * and is being charged again.
 */
type Confirmed = {
  currency: string
  customer?: string | null
  capture_method: string
  mandate_data: Form
  options: Form
  keeps: boolean
  known: boolean
}

/** Checks that an intent can be paid with a payment method. Refuses (400) otherwise. */
export function checkMethod(
  type: MethodName,
  { currency, customer = null, capture_method, mandate_data, options, keeps, known }: Confirmed,
): void {
  const row: MethodRow = stripeMethods[type]
  if (!row.currencies.includes(currency))
    throw invalid(
      'payment_intent_invalid_parameter',
      `The currency provided (${currency}) is invalid for one or more payment method types on this PaymentIntent: ${type} supports ${row.currencies.join(', ')}.`,
      'currency',
    )
  if (capture_method === 'manual' && !row.manual)
    throw invalid('payment_intent_invalid_parameter', `The payment method type ${type} does not support manual capture`, 'capture_method')
  if (!known) members(options, row.options ?? [], `payment_method_options[${type}]`)
  if (type === 'customer_balance') checkTransfer(options, currency, customer)
  checkAgreement(type, { mandate_data, keeps, known })
}

/** Checks that the customer's agreement was sent where it is required. Refuses (400) otherwise. */
export function checkAgreement(
  type: MethodName,
  { mandate_data, keeps, known }: Pick<Confirmed, 'mandate_data' | 'keeps' | 'known'>,
): void {
  const row: MethodRow = stripeMethods[type]
  if (keeps && row.again === undefined)
    throw invalid('parameter_invalid', `The payment method type ${type} does not support setup_future_usage`, 'setup_future_usage')
  if ((row.mandate || keeps) && !known && Object.keys(mandate_data).length === 0)
    throw invalid(
      'payment_intent_mandate_invalid',
      'This PaymentIntent requires a mandate, but no existing mandate was found. Collect mandate acceptance from the customer and try again, providing acceptance data in the mandate_data parameter.',
      'mandate_data',
    )
}

/** Reads the customer's acceptance of a mandate. */
export function readMandate(form: Form): Form {
  const mandate = nested(form, 'mandate_data')
  if (Object.keys(mandate).length === 0) return mandate
  const place = 'mandate_data[customer_acceptance]'
  only(mandate, ['customer_acceptance'], 'mandate_data')
  const acceptance = nested(mandate, 'customer_acceptance')
  only(acceptance, ['type', 'online', 'offline', 'accepted_at'], place)
  const type = need(acceptance, 'type')
  if (type !== 'online' && type !== 'offline') throw invalid('parameter_unknown', `Invalid ${place}[type]`, `${place}[type]`)
  if (type === 'online') members(nested(acceptance, 'online'), ['ip_address!', 'user_agent!'], `${place}[online]`)
  return mandate
}

/**
 * Returns the payment method for the ledger. `alone`: the customer is absent. `setUp`: nothing is charged yet, so
 * nothing settles.
 */
export function methodInLedger(type: MethodName, alone = false, setUp = false): Method {
  const { family, way, course: usual, life_ms, settles_ms: settles, refunds_ms }: MethodRow = stripeMethods[type]
  const course: Course = alone ? (settles === undefined ? 'at once' : 'later') : usual
  const settles_ms = setUp ? undefined : settles
  const times = Object.fromEntries(Object.entries({ life_ms, settles_ms, refunds_ms }).filter(([, ms]) => ms !== undefined))
  return { family, way, course, ...times }
}

/** Returns the shopper's next action. */
export function actionOf(type: MethodName, operation: Operation, page: string, return_url: string | null): object {
  const { action: own }: MethodRow = stripeMethods[type]
  if (own) return own({ page, amount: operation.amount, operation })
  return { type: 'redirect_to_url', redirect_to_url: { url: page, return_url } }
}

export function methodError(decline: Decline, fails_as: string | undefined): StripeError {
  const error = cardError(decline)
  if (decline.code !== 'payment_declined' || fails_as === undefined) return error
  return { type: 'invalid_request_error', code: fails_as, message: `The payment failed: ${fails_as}.` }
}

/** The tokens that exist in every Stripe test account, with their card numbers. */
const tokens: Readonly<Record<string, string>> = {
  tok_visa: '4242424242424242',
  tok_mastercard: '5555555555554444',
  tok_amex: '378282246310005',
  tok_chargeDeclined: '4000000000000002',
  tok_chargeDeclinedInsufficientFunds: '4000000000009995',
  tok_chargeDeclinedExpiredCard: '4000000000000069',
  tok_threeDSecure2Required: '4000000000003220',
}
export const tokenNumber = (token: string): string | null => (Object.hasOwn(tokens, token) ? tokens[token]! : null)
