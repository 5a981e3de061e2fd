// The payment methods of Adyen other than cards, by Adyen's types: the members that each has and requires, and the
// shopper's action.

import { doneAs } from '../methods.ts'
import type { Course, Method } from '../records.ts'
import type { AuthorizeRequest, Body } from '../requests.ts'
import { need, only, part, text } from './adyen-read.ts'
import { AdyenRefusal } from './adyen-refusals.ts'

/**
 * A payment method. `structure`, `members`: Adyen's name of its object, and the members it may have besides `type`.
 * `needs`: the members that it must have. `wants`: the members that the payment must have. `posts`: a form sends the
 * shopper to the page. `held`: the payment can be captured later.
 */
export type AdyenMethod = {
  structure: string
  members: readonly string[]
  needs: readonly string[]
  wants: readonly string[]
  course: Course
  currencies: readonly string[] | null
  posts: boolean
  held: boolean
  /**
   * The way in which the id of the stored payment method is announced: in the answer, or in a separate notification.
   * Null if the method cannot be stored.
   */
  again: 'told at once' | 'told apart' | null
}

type More = Partial<Omit<AdyenMethod, 'structure' | 'course' | 'currencies'>>
const method = (structure: string, course: Course, currencies: string | null, more: More = {}): AdyenMethod => ({
  structure,
  course,
  currencies: currencies?.split(' ') ?? null,
  members: [],
  needs: [],
  wants: [],
  posts: false,
  held: false,
  again: null,
  ...more,
})
const issued = { members: ['issuer'], needs: ['issuer'] }
const holder = ['holderName', 'bankAccountNumber']
const parcel = ['lineItems', 'shopperName', 'shopperEmail', 'telephoneNumber', 'billingAddress', 'deliveryAddress']
const held = true
const atOnce = { again: 'told at once' } as const
const apart = { again: 'told apart' } as const

const doku = method('DokuDetails', 'slip', 'IDR', {
  members: ['firstName', 'lastName', 'shopperEmail'],
  needs: ['firstName', 'lastName', 'shopperEmail'],
})
const econtextMembers = ['firstName', 'lastName', 'shopperEmail', 'telephoneNumber']
const econtext = method('EcontextVoucherDetails', 'slip', 'JPY', { members: econtextMembers, needs: econtextMembers })
const plain = (course: Course, currencies: string | null, more: More = {}) => method('PaymentDetails', course, currencies, more)
const stored = (course: Course, currencies: string | null, more: More = {}) =>
  method('StoredPaymentMethodDetails', course, currencies, more)

const methods: Readonly<Record<string, AdyenMethod>> = {
  networkToken: method('CardDetails', 'at once', null, {
    members: ['number', 'expiryMonth', 'expiryYear', 'holderName', 'brand'],
    needs: ['number', 'expiryMonth', 'expiryYear'],
    held,
  }),
  applepay: method('ApplePayDetails', 'at once', null, {
    members: ['applePayToken', 'fundingSource'],
    needs: ['applePayToken'],
    held,
    ...atOnce,
  }),
  googlepay: method('GooglePayDetails', 'at once', null, {
    members: ['googlePayToken', 'fundingSource', 'googlePayCardNetwork'],
    needs: ['googlePayToken'],
    held,
    ...atOnce,
  }),
  samsungpay: method('SamsungPayDetails', 'at once', null, {
    members: ['samsungPayToken', 'fundingSource'],
    needs: ['samsungPayToken'],
    held,
    ...atOnce,
  }),
  paypal: method('PayPalDetails', 'redirect', null, { members: ['subtype', 'orderID', 'payerID'], held, ...apart }),
  twint: method('TwintDetails', 'redirect', 'CHF', { members: ['subtype'], held, ...apart }),
  mobilepay: method('MobilePayDetails', 'redirect', 'DKK EUR NOK SEK', { held }),
  vipps: method('VippsDetails', 'redirect', 'NOK', { members: ['telephoneNumber'], needs: ['telephoneNumber'], held }),
  swish: plain('code', 'SEK'),
  mbway: method('MbwayDetails', 'wait', 'EUR', {
    members: ['shopperEmail', 'telephoneNumber'],
    needs: ['shopperEmail', 'telephoneNumber'],
  }),
  alipay: plain('redirect', null),
  alipay_hk: plain('redirect', 'HKD'),
  wechatpayQR: plain('code', null),
  wechatpayWeb: plain('redirect', null),
  kakaopay: stored('redirect', 'KRW', apart),
  gcash: stored('redirect', 'PHP', apart),
  dana: stored('redirect', 'IDR', apart),
  momo_wallet: stored('redirect', 'VND', apart),
  paysafecard: stored('redirect', null),
  oxxo: method('StoredPaymentMethodDetails', 'slip', 'MXN', { wants: ['shopperName', 'shopperEmail'] }),
  gopay_wallet: plain('redirect', 'IDR'),
  touchngo: plain('redirect', 'MYR'),
  klarna: method('KlarnaDetails', 'redirect', 'AUD CAD CHF CZK DKK EUR GBP NOK NZD PLN RON SEK USD', {
    members: ['subtype', 'billingAddress', 'deliveryAddress', 'personalDetails'],
    wants: ['lineItems', 'countryCode'],
    held,
    ...apart,
  }),
  affirm: method('AffirmDetails', 'redirect', 'USD CAD', { wants: parcel, held }),
  afterpaytouch: method('AfterpayDetails', 'redirect', 'AUD CAD NZD USD', { wants: parcel, held }),
  clearpay: method('AfterpayDetails', 'redirect', 'GBP', { wants: parcel, held }),
  alma: method('AlmaDetails', 'redirect', 'EUR', { members: ['feeType'], wants: ['shopperName', 'shopperEmail', 'billingAddress'] }),
  atome: plain('redirect', 'SGD MYR HKD', { wants: ['lineItems', 'shopperName', 'telephoneNumber', 'billingAddress', 'deliveryAddress'] }),
  walley: plain('redirect', 'DKK EUR NOK SEK', { wants: ['lineItems', 'shopperName', 'shopperEmail', 'billingAddress'], held }),
  ideal: method('IdealDetails', 'redirect', 'EUR', { members: ['issuer'], ...apart }),
  bcmc: method('CardDetails', 'redirect', 'EUR', {
    members: ['number', 'expiryMonth', 'expiryYear', 'holderName', 'brand', 'cvc'],
    needs: ['number', 'expiryMonth', 'expiryYear'],
    ...atOnce,
  }),
  bcmc_mobile: stored('redirect', 'EUR'),
  bizum: plain('redirect', 'EUR'),
  blik: method('BlikDetails', 'wait', 'PLN', { members: ['blikCode'], needs: ['blikCode'] }),
  trustly: plain('redirect', 'CZK DKK EUR GBP NOK PLN SEK'),
  onlineBanking_PL: method('GenericIssuerPaymentMethodDetails', 'redirect', 'PLN', issued),
  onlineBanking_CZ: method('GenericIssuerPaymentMethodDetails', 'redirect', 'CZK', issued),
  onlineBanking_SK: method('GenericIssuerPaymentMethodDetails', 'redirect', 'EUR', issued),
  ebanking_FI: method('EBankingFinlandDetails', 'redirect', 'EUR', { members: ['issuer'] }),
  molpay_ebanking_TH: method('MolPayDetails', 'redirect', 'THB', issued),
  molpay_ebanking_fpx_MY: method('MolPayDetails', 'redirect', 'MYR', issued),
  sepadirectdebit: method('SepaDirectDebitDetails', 'later', 'EUR', {
    members: ['iban', 'ownerName'],
    needs: ['iban', 'ownerName'],
    held,
    ...atOnce,
  }),
  ach: method('AchDetails', 'at once', 'USD', {
    members: ['bankAccountNumber', 'bankLocationId', 'ownerName', 'bankAccountType', 'accountHolderType'],
    needs: ['bankAccountNumber', 'bankLocationId', 'ownerName'],
    wants: ['billingAddress'],
    held,
    ...atOnce,
  }),
  directdebit_GB: method('BacsDirectDebitDetails', 'later', 'GBP', {
    members: [...holder, 'bankLocationId'],
    needs: [...holder, 'bankLocationId'],
    wants: ['shopperEmail'],
    held,
    ...atOnce,
  }),
  directdebit_AU: method('DirectDebitAuDetails', 'later', 'AUD', {
    members: [...holder, 'bankBranchCode'],
    needs: [...holder, 'bankBranchCode'],
    held,
    ...atOnce,
  }),
  pix: method('PixDetails', 'code', 'BRL', { wants: ['shopperName', 'socialSecurityNumber'] }),
  bankTransfer_IBAN: plain('transfer', 'EUR'),
  multibanco: plain('slip', 'EUR'),
  boletobancario: plain('slip', 'BRL', { wants: ['shopperName', 'billingAddress', 'socialSecurityNumber'] }),
  duitnow: plain('code', 'MYR'),
  promptpay: plain('code', 'THB'),
  knet: plain('redirect', 'KWD', { posts: true }),
  benefit: plain('redirect', 'BHD', { posts: true }),
  giftcard: method('CardDetails', 'at once', null, { members: ['brand', 'number', 'cvc'], needs: ['brand', 'number'] }),
  ...Object.fromEntries(
    ['permata_lite_atm', 'bca_va', 'bni_va', 'bri_va', 'cimb_va', 'danamon_va', 'mandiri_va', 'alfamart', 'indomaret'].map(name => [
      `doku_${name}`,
      doku,
    ]),
  ),
  ...Object.fromEntries(['seven_eleven', 'stores', 'atm', 'online'].map(name => [`econtext_${name}`, econtext])),
}

/** A wallet's card that the merchant has decrypted. The payment contains the wallet's brand and the cryptogram. */
const decryptedCard = method('CardDetails', 'at once', null, {
  members: ['number', 'expiryMonth', 'expiryYear', 'holderName', 'brand'],
  needs: ['number', 'expiryMonth', 'expiryYear'],
  wants: ['mpiData'],
  held,
  ...atOnce,
})

/** Returns the wallet whose decrypted card pays; null for other payments. */
export function walletOfCard(body: Body): 'applepay' | 'googlepay' | null {
  const { type, brand } = part(body, 'paymentMethod')
  return type === 'scheme' && (brand === 'applepay' || brand === 'googlepay') ? brand : null
}

export const methodTypes: readonly string[] = Object.keys(methods)

/** Returns the payment method of a type; undefined for unknown types and for cards. */
export const methodNamed = (type: unknown): AdyenMethod | undefined =>
  typeof type === 'string' && Object.hasOwn(methods, type) ? methods[type] : undefined

/** Whether the payment can be captured later. Card payments can. */
export const isHeld = (paid: Method | undefined): boolean => paid === undefined || methodNamed(paid.way)?.held === true

/** Returns Adyen's type of a payment method other than a card. */
export const nameOfMethod = (paid: Method): string => paid.way

/**
 * Reads the payment method of a payment; null for cards. Refuses (422, or 400 for unknown members) as Adyen does when
 * a required member is missing or a member is unknown.
 */
export function methodOfPayment(body: Body, currency: string): (Pick<AuthorizeRequest, 'card' | 'method'> & { stored?: string }) | null {
  const paymentMethod = part(body, 'paymentMethod')
  const wallet = walletOfCard(body)
  const known = wallet === null ? methodNamed(paymentMethod.type) : decryptedCard
  if (!known) return null
  const type = wallet ?? (paymentMethod.type as string)
  const stored = text(paymentMethod, 'storedPaymentMethodId')
  if (stored !== null) return storedMethod(type, known, stored)
  only(paymentMethod, ['type', ...known.members], known.structure)
  for (const member of known.needs) need(paymentMethod, member, '702', `Required field 'paymentMethod.${member}' is not provided.`)
  const missing = known.wants.find(member => body[member] === undefined)
  if (missing) throw new AdyenRefusal(422, '702', `Required field '${missing}' is not provided.`)
  if (known.currencies && !known.currencies.includes(currency))
    throw new AdyenRefusal(422, '905', `Payment method ${type} does not support ${currency}`, 'configuration')
  const details = Object.fromEntries(
    Object.entries(paymentMethod).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
  // The issuer does not select the behavior, because the sandbox has no list of issuers; only accounts, tokens and
  // numbers do.
  const { type: _type, issuer: _issuer, brand: _brand, ...deciding } = details
  const name = linesAreOff(body, known) ? 'declined' : doneAs(deciding)
  return { method: { family: 'adyen', way: type, course: known.course }, card: { name, masked: type, cvc: 'missing', expires: '9999-12' } }
}

/**
 * Returns a stored payment method, which is charged without the shopper: the bank or wallet does not ask for approval
 * again.
 */
function storedMethod(
  type: string,
  { again, course }: AdyenMethod,
  stored: string,
): Pick<AuthorizeRequest, 'card' | 'method'> & { stored: string } {
  if (again === null) throw new AdyenRefusal(422, '702', `Payment method ${type} cannot be charged by a storedPaymentMethodId.`)
  const known = course === 'later' || type === 'ideal' ? 'later' : 'at once'
  return {
    method: { family: 'adyen', way: type, course: known },
    card: { name: 'approved', masked: type, cvc: 'missing', expires: '9999-12' },
    stored,
  }
}

/** Checks a partial capture or refund of a Klarna payment, which must contain line items that add up to the amount. */
export function checkPart(body: Body, paid: Method | undefined, { value, whole }: { value: number; whole: number }): void {
  if (paid?.way !== 'klarna' || value >= whole) return
  if (!Array.isArray(body.lineItems) || body.lineItems.length === 0)
    throw new AdyenRefusal(422, '702', "Required field 'lineItems' is not provided.")
  if (sumOf(body.lineItems) !== value) throw new AdyenRefusal(422, '702', "The sum of 'lineItems' does not match the amount")
}

type Line = { quantity?: number; amountIncludingTax?: number }
const sumOf = (lines: readonly Line[]): number =>
  lines.reduce((all, { quantity = 0, amountIncludingTax = 0 }) => all + quantity * amountIncludingTax, 0)

/** Whether the line items do not add up to the amount. A lender declines such a payment. */
function linesAreOff(body: Body, { wants }: AdyenMethod): boolean {
  if (!wants.includes('lineItems')) return false
  return sumOf(body.lineItems as Line[]) !== (body.amount as { value: number }).value
}
