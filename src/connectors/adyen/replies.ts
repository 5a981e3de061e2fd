import type { Money } from '../../base/money.ts'
import type { Time } from '../../context.ts'
import type { DeclineCode, Facts } from '../connector.ts'
import { uncounted } from '../counting.ts'
import type { Refused } from '../kit/parse-reply.ts'
import { isRecord, optional, parseTime, readMoney, readTexts, tableOf } from '../kit/read.ts'
import { plainText } from '../kit/text.ts'
import type { ProcessorAction } from '../next-action.ts'
import { readShopperAction } from './action.ts'
import { familyAtAdyen } from './offers.ts'
import { counting } from './requests.ts'

/** Checkout API v71, webhooks v1. A body that differs from Adyen's contract is null: never accepted in part. */

/** By refusalReasonCode. A code that is not listed is still a decline. */
// biome-ignore format: a table reads better in rows
const refusals = tableOf<[reason: string, code: DeclineCode]>({
  2: ['Refused', 'card_declined'], 3: ['Referral', 'card_declined'], 4: ['Acquirer Error', 'processing_error'],
  5: ['Blocked Card', 'restricted_card'], 6: ['Expired Card', 'expired_card'],
  7: ['Invalid Amount', 'invalid_request'], 8: ['Invalid Card Number', 'incorrect_number'],
  9: ['Issuer Unavailable', 'processing_error'], 10: ['Not supported', 'not_supported'],
  11: ['3D Not Authenticated', 'authentication_failed'], 12: ['Not enough balance', 'insufficient_funds'],
  14: ['Acquirer Fraud', 'fraudulent'], 15: ['Cancelled', 'authentication_failed'],
  16: ['Shopper Cancelled', 'authentication_failed'], 17: ['Invalid Pin', 'incorrect_pin'],
  18: ['Pin tries exceeded', 'pin_try_exceeded'], 19: ['Pin validation not possible', 'incorrect_pin'],
  20: ['FRAUD', 'fraudulent'], 21: ['Not Submitted', 'processing_error'], 22: ['FRAUD-CANCELLED', 'fraudulent'],
  23: ['Transaction Not Permitted', 'transaction_not_permitted'], 24: ['CVC Declined', 'incorrect_cvc'],
  25: ['Restricted Card', 'restricted_card'], 26: ['Revocation Of Auth', 'revoked'],
  27: ['Declined Non Generic', 'do_not_honor'], 28: ['Withdrawal amount exceeded', 'insufficient_funds'],
  29: ['Withdrawal count exceeded', 'velocity_exceeded'], 31: ['Issuer Suspected Fraud', 'fraudulent'],
  32: ['AVS Declined', 'incorrect_address'], 33: ['Card requires online pin', 'incorrect_pin'],
  34: ['No checking account available on Card', 'not_supported'],
  35: ['No savings account available on Card', 'not_supported'], 36: ['Mobile pin required', 'incorrect_pin'],
  37: ['Contactless fallback', 'processing_error'], 38: ['Authentication required', 'authentication_required'],
  39: ['RReq not received from DS', 'authentication_failed'],
  40: ['Current AID is in Penalty Box', 'processing_error'], 41: ['CVM Required Restart Payment', 'processing_error'],
  42: ['3DS Authentication Error', 'authentication_failed'], 43: ['Online PIN required', 'incorrect_pin'],
  44: ['Try another interface', 'processing_error'], 45: ['Chip downgrade mode', 'processing_error'],
  46: ['Transaction blocked by Adyen to prevent excessive retry fees', 'velocity_exceeded'],
})
const codesByReason = new Map(Object.entries(refusals).map(([code, known]) => [known![0].toLowerCase(), code]))

/** A notification contains only the message, no code. */
export type AdyenRefusal = { processor_code: string; message: string; code: DeclineCode; network_code?: string; network_advice?: string }

/** `method`: Adyen's name of the payment method: only a card payment is `card_declined`. */
function refusalOf(code: string | null, reason: string, more: More, method: unknown): AdyenRefusal {
  const known = code ?? codesByReason.get(reason.toLowerCase()) ?? null
  const network_code = leadOf(more.refusalReasonRaw)
  const network_advice = leadOf(more.merchantAdviceCode)
  const ours = refusals[known ?? '']?.[1] ?? 'card_declined'
  return {
    processor_code: known ?? 'refused',
    message: reason,
    code: ours === 'card_declined' && typeof method === 'string' && familyAtAdyen(method) ? 'payment_declined' : ours,
    ...(network_code !== null && { network_code }),
    ...(network_advice !== null && { network_advice }),
  }
}

export const refusalIn = (code: string | null, reason: string): AdyenRefusal => refusalOf(code, reason, {}, undefined)

/** Reads the network's code at the beginning of a text such as `05 : Do not honor`. */
const leadOf = (raw: string | undefined): string | null => /^([A-Z0-9]{1,8}) ?: /.exec(raw ?? '')?.[1] ?? null

/** The error codes that state more than the kind of error. */
const errors = tableOf<DeclineCode>({
  101: 'incorrect_number',
  103: 'incorrect_cvc',
  129: 'expired_card',
  167: 'not_allowed',
  905: 'not_supported',
  907: 'not_supported',
})
const kinds = tableOf<DeclineCode>({ validation: 'invalid_request', security: 'configuration', configuration: 'configuration' })
/** The same request is in progress, or was answered differently: it says nothing about that request. */
export const IN_USE = '704'

/** Nothing happened. */
export function readRefused(status: number, body: unknown): Refused | null {
  if (!isRecord(body) || body.status !== status || !isText(body.message) || !isCode(body.errorCode)) return null
  const { errorCode: code, message, errorType } = body
  if (status === 429) return { is: 'refused', as: 'later', code, message }
  const isOwn = status === 400 || status === 401 || status === 403 || status === 422
  const kind = isText(errorType) ? kinds[errorType] : undefined
  if (!isOwn || kind === undefined || code === IN_USE) return null
  return { is: 'refused', as: kind === 'configuration' ? kind : (errors[code] ?? kind), code, message }
}

/** `act`: the customer must act first. */
const results = tableOf<'yes' | 'a part' | 'no' | 'later' | 'act'>({
  Authorised: 'yes',
  PartiallyAuthorised: 'a part',
  Refused: 'no',
  Error: 'no',
  Cancelled: 'no',
  Pending: 'later',
  Received: 'later',
  AuthenticationFinished: 'later',
  AuthenticationNotRequired: 'later',
  RedirectShopper: 'act',
  IdentifyShopper: 'act',
  ChallengeShopper: 'act',
  PresentToShopper: 'act',
})

export type AdyenPayment = {
  result: 'yes' | 'a part' | 'no' | 'later' | 'act'
  reference: string | null
  request_id: string | null
  amount: Money | null
  refusal: AdyenRefusal | null
  action: ProcessorAction | null
  facts: Facts
}

export function readPayment(body: unknown): AdyenPayment | null {
  if (!isRecord(body) || !isText(body.resultCode)) return null
  const result = results[body.resultCode]
  const reference = body.pspReference ?? null
  const request_id = body.merchantReference ?? null
  const more = readTexts(body.additionalData)
  if (result === undefined) return null
  if ((reference !== null && !isReference(reference)) || (request_id !== null && !isReference(request_id)) || more === null) return null
  // An answer that approves, refuses or waits must contain a reference.
  if (reference === null && result !== 'act') return null
  const amount = amountIn(body)
  const action = optional(body.action, readShopperAction)
  if (amount === undefined || action === undefined) return null
  // A decided payment requires no action of the customer; a waiting one may.
  if (result === 'act' ? action === null : result !== 'later' && action !== null) return null
  const { refusalReason = body.resultCode, refusalReasonCode = null } = body
  if (!isText(refusalReason) || (refusalReasonCode !== null && !isCode(refusalReasonCode))) return null
  const method = isRecord(body.paymentMethod) ? body.paymentMethod.type : undefined
  const refusal = result === 'no' ? refusalOf(refusalReasonCode, refusalReason, more, method) : null
  return { result, reference, request_id, amount, refusal, action, facts: factsOf(more) }
}

export const readMethods = (body: unknown): true | null => (isRecord(body) && Array.isArray(body.paymentMethods) ? true : null)

type Received = { reference: string; acts_on: string | null; request_id: string | null; amount: Money | null }

export function readReceived(body: unknown): Received | null {
  if (!isRecord(body) || body.status !== 'received' || !isReference(body.pspReference)) return null
  const { pspReference: reference, paymentPspReference: acts_on = null, reference: request_id = null } = body
  const amount = amountIn(body)
  if ((acts_on !== null && !isReference(acts_on)) || (request_id !== null && !isReference(request_id)) || amount === undefined) return null
  return { reference, acts_on, request_id, amount }
}

export type AdyenNotificationItem = {
  eventCode: string
  success: boolean
  reference: string
  acts_on: string | null
  request_id: string | null
  amount: Money
  refusal: AdyenRefusal
  /** Adyen's name of the payment method. */
  method: string
  facts: Facts
  /** Of a cancel or refund: which of both was done. */
  action: string | null
  reason: string | null
  at: Time | null
}

/** Unchanged, so that their signatures can be verified. */
export function itemsOf(body: unknown): Record<string, unknown>[] {
  const items = isRecord(body) && Array.isArray(body.notificationItems) ? body.notificationItems : []
  const read = items.map(item => (isRecord(item) && isRecord(item.NotificationRequestItem) ? item.NotificationRequestItem : null))
  return read.includes(null) ? [] : (read as Record<string, unknown>[])
}

/** `success` is a text. */
export function readItem(item: Record<string, unknown>): AdyenNotificationItem | null {
  const { eventCode, success, pspReference, originalReference, merchantReference, reason } = item
  if (typeof eventCode !== 'string' || (success !== 'true' && success !== 'false') || !isReference(pspReference)) return null
  const amount = readAdyenAmount(item.amount)
  const more = readTexts(item.additionalData)
  if (amount === null || more === null) return null
  return {
    eventCode,
    success: success === 'true',
    reference: pspReference,
    acts_on: isReference(originalReference) ? originalReference : null,
    request_id: isReference(merchantReference) ? merchantReference : null,
    amount,
    refusal: refusalOf(null, isText(reason) && reason !== '' ? reason : 'Refused', more, item.paymentMethod),
    method: isText(item.paymentMethod) ? item.paymentMethod : '',
    facts: factsOf(more),
    action: more['modification.action'] ?? null,
    reason: isText(reason) && reason !== '' ? plainText(reason) : null,
    at: parseTime(item.eventDate),
  }
}

/** These fields, joined without escaping. Null: a signed field is missing. */
export function signedText(item: Record<string, unknown>): { text: string; signature: string } | null {
  const { pspReference, originalReference = '', merchantAccountCode, merchantReference = '', amount, eventCode, success } = item
  const signature = isRecord(item.additionalData) ? item.additionalData.hmacSignature : null
  if (typeof signature !== 'string' || signature.length > 256 || !isRecord(amount)) return null
  const { value, currency } = amount
  const parts = [pspReference, originalReference, merchantAccountCode, merchantReference, value, currency, eventCode, success]
  if (!parts.every(part => typeof part === 'string' || typeof part === 'number')) return null
  return { text: parts.join(':'), signature }
}

type More = Record<string, string | undefined>

const factNames = {
  network_transaction_id: ['networkTxReference'],
  authorization_code: ['authCode'],
  eci: ['eci'],
  avs_result: ['avsResultRaw', 'avsResult'],
  cvc_result: ['cvcResultRaw', 'cvcResult'],
  arn: ['arn'],
  connector_mandate_id: ['tokenization.storedPaymentMethodId', 'recurring.recurringDetailReference'],
  connector_customer_id: ['tokenization.shopperReference', 'recurring.shopperReference'],
} as const

/** Reads the facts of a payment. A value such as `4 AVS not supported for this card type` begins with the result. */
function factsOf(more: More): Facts {
  const facts: Facts = {}
  for (const [fact, names] of Object.entries(factNames) as [keyof typeof factNames, readonly string[]][]) {
    const value = names.map(name => more[name]?.split(' ')[0]).find(word => word !== undefined && /^[\w.:/+-]{1,64}$/.test(word))
    if (value !== undefined) facts[fact] = value
  }
  return facts
}

/** Reads the amount of an answer. Null: absent. Undefined: invalid; `null` is invalid too. */
const amountIn = ({ amount }: Record<string, unknown>): Money | null | undefined =>
  amount === null ? undefined : optional(amount, readAdyenAmount)

export function readAdyenAmount(amount: unknown): Money | null {
  const money = isRecord(amount) ? readMoney(amount.value, amount.currency) : null
  return money && uncounted(counting, money.amount, money.currency)
}

export const isText = (value: unknown): value is string => typeof value === 'string'
export const isCode = (value: unknown): value is string => typeof value === 'string' && /^[\w.-]{1,64}$/.test(value)
export const isReference = (value: unknown): value is string => typeof value === 'string' && /^[\x21-\x7e]{1,80}$/.test(value)
