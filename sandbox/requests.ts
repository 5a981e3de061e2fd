// The requests of the sandbox's own language. Every body is read here, field by field, before any other code uses it.

import { type CardName, cardOf, luhn, mask } from './cards.ts'
import { doneAs, families } from './methods.ts'
import { channels, type Method, type PurchaseDetails } from './records.ts'
import { Refusal } from './refusals.ts'

/** The result of a 3-D Secure authentication, in the directory's terms. */
export type ThreeDsResult = { status: 'Y' | 'A'; eci: string; cavv: string; version: string; ds_transaction_id: string }
const exemptions = ['low_value', 'transaction_risk_analysis'] as const

export type AuthorizeRequest = PurchaseDetails & {
  reference: string
  amount: number
  currency: string
  capture: 'automatic' | 'manual'
  /** The card. `expires` is the last valid month, YYYY-MM. The card number itself never leaves this file. */
  card: { name: CardName; masked: string; cvc: 'sent' | 'missing'; expires: string; network?: string }
  /** The payment method, if it is not a card. `card` is then the test card as which the method behaves. */
  method?: Method
  /** The id of the order that a wallet was opened for. */
  order?: string
  /** The 3-D Secure request. `challenge`: always, also where the issuer would not require one. */
  three_ds: 'request' | 'challenge' | 'skip'
  authentication?: ThreeDsResult
  /** The exemption by which the merchant asks for no challenge. */
  exemption?: (typeof exemptions)[number]
  return_url: string | null
  /** The merchant's name as the shopper knows it. */
  merchant?: string
  allow_partial: boolean
  /** Whether a fifth more than the authorized amount may be captured. */
  overcapture?: true
  statement_descriptor?: string
  /** The usage for which the shopper agrees to the storage of the card. */
  store?: 'on_session' | 'off_session'
  /** The credential of a merchant-initiated payment: the customer is absent, so no challenge is requested. */
  by?: 'mandate' | 'network_transaction_id' | 'card'
}
export type NamedRequest = Omit<AuthorizeRequest, 'card'> & {
  card: AuthorizeRequest['card'] | { mandate: string; cvc: 'sent' | 'missing' }
}
export type CaptureRequest = { reference: string; amount: number; final: boolean; statement_descriptor?: string }
export type VoidRequest = { reference: string }
/** A request to increase an authorization. `amount` is the new total. */
export type IncrementRequest = { reference: string; amount: number }
export type RefundRequest = { reference: string; amount: number; reason: string | null }

export type Body = Record<string, unknown>

export function readBody(raw: unknown): Body {
  if (raw === undefined || raw === '') return {}
  try {
    const body: unknown = JSON.parse(raw as string)
    if (isRecord(body)) return body
  } catch {}
  throw invalid('The request body must be a JSON object', null)
}

export function readAuthorize(body: Body): NamedRequest {
  const known = isMissing(body.mandate) ? null : readMatch(body, 'mandate', /^mdt_\w{1,60}$/, 'the id of a mandate')
  const network = isMissing(body.network_transaction_id)
    ? null
    : readMatch(body, 'network_transaction_id', /^\w{8,64}$/, '8 to 64 letters or digits')
  const merchant = !isMissing(body.initiator) && readWord(body, 'initiator', ['merchant', 'customer']) === 'merchant'
  if (merchant && known === null && network === null && isMissing(body.card))
    throw invalid('initiator merchant requires a mandate, a network_transaction_id or a card', 'initiator')
  const paid = isMissing(body.method) ? null : readMethod(body.method)
  return {
    reference: readReference(body),
    amount: readInteger(body, 'amount', { from: 0, to: Number.MAX_SAFE_INTEGER - 1 }),
    currency: readMatch(body, 'currency', /^[A-Z]{3}$/, 'a three-letter ISO 4217 code in capitals'),
    capture: readWord(body, 'capture', ['automatic', 'manual']),
    ...(paid ?? { card: known === null ? readCard(body.card) : { mandate: known, cvc: readCvc(body.cvc, 'cvc') } }),
    three_ds: readWord(body, 'three_ds', ['request', 'challenge', 'skip']),
    ...(!isMissing(body.authentication) && { authentication: readThreeDsResult(body.authentication) }),
    ...(!isMissing(body.exemption) && { exemption: readWord(body, 'exemption', exemptions) }),
    return_url: isMissing(body.return_url) ? null : readUrl(body, 'return_url'),
    ...(isMissing(body.merchant) ? {} : { merchant: readMatch(body, 'merchant', /^.{1,255}$/su, '1 to 255 characters') }),
    allow_partial: readFlag(body, 'allow_partial'),
    ...(readFlag(body, 'overcapture') && { overcapture: true }),
    ...readStatement(body),
    ...(!isMissing(body.store) && { store: readWord(body, 'store', ['on_session', 'off_session']) }),
    ...readPurchaseDetails(body),
    ...(merchant && { by: known !== null ? 'mandate' : network !== null ? 'network_transaction_id' : 'card' }),
  }
}

/** The largest purchase data that is accepted, in characters of JSON. */
const LONGEST_PURCHASE = 200_000

function readPurchaseDetails(body: Body): PurchaseDetails {
  const { purchase } = body
  if (!isMissing(purchase)) {
    if (!isRecord(purchase)) throw invalid('purchase must be an object', 'purchase')
    if (JSON.stringify(purchase).length > LONGEST_PURCHASE) throw invalid('purchase is too long', 'purchase')
  }
  return {
    ...(isRecord(purchase) && { purchase }),
    ...(!isMissing(body.channel) && { channel: readWord(body, 'channel', channels) }),
    ...(!isMissing(body.installments) && { installments: readInstallments(body) }),
  }
}

/** Reads the number of installments. Refuses (400) installments for methods other than cards. */
function readInstallments({ installments, card, method }: Body): number {
  if (typeof installments !== 'number' || !Number.isInteger(installments) || installments < 2 || installments > 99)
    throw invalid('installments must be a whole number from 2 to 99', 'installments')
  if (!isMissing(method) && isMissing(card)) throw invalid('installments are only supported for cards', 'installments')
  return installments
}

export type CompleteRequest = { otp?: string; device_data?: 'Y' | 'N' | 'U' }

/** Reads the shopper's input: a one-time code, or whether device data was collected. */
export const readComplete = (body: Body): CompleteRequest => ({
  ...(!isMissing(body.otp) && { otp: readMatch(body, 'otp', /^\d{4,8}$/, '4 to 8 digits') }),
  ...(!isMissing(body.device_data) && { device_data: readWord(body, 'device_data', ['Y', 'N', 'U']) }),
})

export const readOrder = (body: Body) => ({
  reference: readReference(body),
  amount: readAmount(body),
  currency: readMatch(body, 'currency', /^[A-Z]{3}$/, 'a three-letter ISO 4217 code in capitals'),
})

function readThreeDsResult(given: unknown): ThreeDsResult {
  if (!isRecord(given)) throw invalid('authentication must be an object', 'authentication')
  return {
    status: readWord(given, 'status', ['Y', 'A']),
    eci: readMatch(given, 'eci', /^0[0-7]$/, 'two digits'),
    cavv: readMatch(given, 'cavv', /^[A-Za-z0-9+/]{27}=$/, '20 bytes in base64'),
    version: readMatch(given, 'version', /^2\.[0-3]\.[0-9]$/, 'a version of EMV 3-D Secure'),
    ds_transaction_id: readMatch(given, 'ds_transaction_id', /^[0-9A-Fa-f-]{36}$/, 'a UUID'),
  }
}

export function readCapture(body: Body): CaptureRequest {
  return { reference: readReference(body), amount: readAmount(body), final: readFlag(body, 'final'), ...readStatement(body) }
}

export function readVoid(body: Body): VoidRequest {
  return { reference: readReference(body) }
}

export function readIncrement(body: Body): IncrementRequest {
  return { reference: readReference(body), amount: readAmount(body) }
}

export function readRefund(body: Body): RefundRequest {
  return {
    reference: readReference(body),
    amount: readAmount(body),
    reason: isMissing(body.reason) ? null : readMatch(body, 'reason', /^.{0,255}$/s, 'at most 255 characters'),
  }
}

export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header
  throw invalid('idempotency-key must be 1 to 255 visible characters', 'idempotency-key')
}

export function readWord<Word extends string>(body: Body, param: string, allowed: readonly Word[]): Word {
  const word = allowed.find(word => word === body[param])
  if (word === undefined) throw invalid(`${param} must be one of ${allowed.join(', ')}`, param)
  return word
}

export function readInteger(body: Body, param: string, { from, to }: { from: number; to: number }): number {
  const value = body[param]
  if (typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to) return value
  throw invalid(`${param} must be an integer from ${from} to ${to}`, param)
}

export function readUrl(body: Body, param: string): string {
  const value = body[param]
  const url = typeof value === 'string' && value.length <= 2048 ? URL.parse(value) : null
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href
  throw invalid(`${param} must be an http or https URL`, param)
}

export function readMatch(body: Body, param: string, pattern: RegExp, expected: string): string {
  const value = body[param]
  if (typeof value === 'string' && pattern.test(value)) return value
  throw invalid(`${param} must be ${expected}`, param)
}

export function isMissing(value: unknown): value is undefined | null {
  return value === undefined || value === null
}

function readStatement(body: Body): { statement_descriptor?: string } {
  if (isMissing(body.statement_descriptor)) return {}
  return { statement_descriptor: readMatch(body, 'statement_descriptor', /^.{1,511}$/su, '1 to 511 characters') }
}

export function readReference(body: Body): string {
  return readMatch(body, 'reference', /^[A-Za-z0-9_-]{1,64}$/, '1 to 64 letters, digits, _ or -')
}

export function readAmount(body: Body): number {
  return readInteger(body, 'amount', { from: 1, to: Number.MAX_SAFE_INTEGER })
}

function readFlag(body: Body, param: string): boolean {
  const value = body[param] ?? false
  if (typeof value !== 'boolean') throw invalid(`${param} must be true or false`, param)
  return value
}

export function readCard(card: unknown): AuthorizeRequest['card'] {
  if (!isRecord(card)) throw invalid('card must be an object', 'card')
  const number = card.number
  if (typeof number !== 'string' || !/^\d{12,19}$/.test(number) || !luhn(number)) {
    throw invalid('card.number is not a valid card number', 'card.number')
  }
  const month = readPart(card.exp_month, 'card.exp_month', /^(0?[1-9]|1[0-2])$/)
  const year = readPart(card.exp_year, 'card.exp_year', /^(\d{2}|\d{4})$/)
  const cvc = readCvc(card.cvc, 'card.cvc')
  if (!isMissing(card.holder) && typeof card.holder !== 'string') throw invalid('card.holder must be a string', 'card.holder')
  const { network } = card
  if (!isMissing(network) && typeof network !== 'string') throw invalid('card.network must be a string', 'card.network')
  return {
    name: cardOf(number),
    masked: mask(number),
    cvc,
    expires: `${year.padStart(4, '20')}-${month.padStart(2, '0')}`,
    ...(!isMissing(network) && { network }),
  }
}

/** Reads a payment method. Its details select the behavior and are not stored. */
function readMethod(method: unknown): Pick<AuthorizeRequest, 'method' | 'card' | 'order'> {
  if (!isRecord(method)) throw invalid('method must be an object', 'method')
  const { family, way, details = {} } = method
  if (typeof family !== 'string' || !families.includes(family))
    throw invalid(`method.family must be one of ${families.join(', ')}`, 'method.family')
  if (typeof way !== 'string' || !/^[a-z0-9_]{1,64}$/.test(way)) throw invalid('method.way is not valid', 'method.way')
  if (!isRecord(details) || Object.values(details).some(value => typeof value !== 'string'))
    throw invalid('method.details must contain only strings', 'method.details')
  const name = doneAs(details as Record<string, string>)
  const { token } = details as Record<string, string | undefined>
  const otp = (details as Record<string, string>).client_uid === undefined ? {} : { otp: true as const }
  const order = token !== undefined && /^order_\w{1,60}$/.test(token) ? { order: token } : {}
  return { method: { family, way, ...otp }, ...order, card: { name, masked: way, cvc: 'missing', expires: '9999-12' } }
}

function readCvc(cvc: unknown, param: string): 'sent' | 'missing' {
  if (isMissing(cvc)) return 'missing'
  readPart(cvc, param, /^\d{3,4}$/)
  return 'sent'
}

/** Reads a part of a card. Some callers send numbers and others strings: 3, "03" and "3" are the same month. */
function readPart(value: unknown, param: string, pattern: RegExp): string {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text === 'string' && pattern.test(text)) return text
  throw invalid(`${param} is not valid`, param)
}

export function isRecord(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function invalid(message: string, param: string | null): Refusal {
  return new Refusal('invalid_request', message, param)
}
