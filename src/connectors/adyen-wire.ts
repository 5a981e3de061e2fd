import { type Currency, isCurrency } from '../base/currencies.ts'
import type { Money } from '../base/money.ts'
import { countIn, enhancedData, purchaseMembers, testingHolder } from './adyen-purchase.ts'
import type { ThreeDsResult } from './authentication.ts'
import type {
  Account,
  AuthorizeRequest,
  CaptureRequest,
  DeclineCode,
  ExtendRequest,
  Facts,
  IncrementRequest,
  PostCaptureVoidRequest,
  RefundRequest,
  ReturnRequest,
  VoidRequest,
} from './connector.ts'
import { type Counting, inProcessorUnits, uncounted } from './counting.ts'
import type { SplitItem } from './split.ts'
import { isAmount, isRecord, tableOf } from './wire.ts'

/**
 * What Adyen is sent and what it writes, member by member (Checkout API v71, webhooks v1). A body that is not as its
 * contract says is null: it is never half believed. Members that are absent are left out.
 */

/** Integers in the smallest unit, as by ISO 4217 but for these (docs.adyen.com, currency codes). */
export const counting: Counting = { decimals: { CLP: 2, CVE: 0, IDR: 0, ISK: 2 }, steps: {} }

type Amount = { value: number; currency: Currency }

/** Null: it cannot be expressed there. */
export function amountOf(money: Money): Amount | null {
  const value = inProcessorUnits(counting, money)
  return typeof value === 'number' ? { value, currency: money.currency } : null
}

const merchantAccountOf = ({ credentials }: Account): string => credentials.key1?.reveal() ?? ''

/** What card statements take there: 22 of these characters. */
const statementOf = (descriptor: string): string =>
  descriptor
    .replace(/[^\w.,'?+*/ -]/g, '')
    .trim()
    .slice(0, 22)

/** What can be paid with at Adyen: a card, also one that it keeps, or that the network knows. */
export type AdyenTakes = 'card' | 'stored_card' | 'network_transaction_id'

/** Adyen's words for the networks of which a card may have several (docs.adyen.com, co-badged cards). */
const brands: Record<string, string> = {
  Visa: 'visa',
  Mastercard: 'mc',
  AmericanExpress: 'amex',
  CartesBancaires: 'cartebancaire',
  DinersClub: 'diners',
  Discover: 'discover',
  JCB: 'jcb',
  Maestro: 'maestro',
  UnionPay: 'cup',
  Accel: 'accel',
  Nyce: 'nyce',
  Pulse: 'pulse',
  Star: 'star',
}

function methodOf({ means, purchase }: AuthorizeRequest<AdyenTakes>) {
  if (means.is === 'stored_card')
    return { type: 'scheme' as const, storedPaymentMethodId: means.reference, ...(means.cvc && { cvc: means.cvc.reveal() }) }
  const { number, exp_month, exp_year } = means
  const brand = means.is === 'card' ? brands[means.network ?? ''] : undefined
  const holder = testingHolder(purchase) ?? means.holder
  return {
    type: 'scheme' as const,
    ...(brand && { brand }),
    number: number.reveal(),
    expiryMonth: String(exp_month).padStart(2, '0'),
    expiryYear: String(exp_year),
    ...(means.is === 'card' && means.cvc && { cvc: means.cvc.reveal() }),
    ...(holder && { holderName: holder }),
  }
}

/**
 * What the payment has to do with others (docs.adyen.com, tokenization): whose card it is, who asks for it, and why.
 */
function agreementOf({ agreement, means }: AuthorizeRequest<AdyenTakes>) {
  if (!agreement) return {}
  if (agreement.is === 'made')
    return {
      shopperReference: agreement.customer,
      shopperInteraction: 'Ecommerce' as const,
      storePaymentMethod: agreement.store !== false,
      recurringProcessingModel: agreement.usage === 'on_session' ? ('CardOnFile' as const) : ('UnscheduledCardOnFile' as const),
    }
  const isRegular = agreement.mit_category === 'recurring' || agreement.mit_category === 'installment'
  return {
    ...(means.is === 'stored_card' && { shopperReference: means.customer ?? agreement.customer ?? '' }),
    shopperInteraction: 'ContAuth' as const,
    recurringProcessingModel: isRegular ? ('Subscription' as const) : ('UnscheduledCardOnFile' as const),
  }
}

const exemptions = { low_value: 'lowValue', transaction_risk_analysis: 'transactionRiskAnalysis' } as const

/** That the shopper was authenticated elsewhere: what the directory and the issuer said (the proof says it of both). */
const mpiData = ({ status, eci, cavv, ds_transaction_id, version }: ThreeDsResult) => ({
  cavv: cavv.reveal(),
  eci,
  dsTransID: ds_transaction_id,
  threeDSVersion: version,
  directoryResponse: status,
  authenticationResponse: status,
})

/**
 * Shares, each in Adyen's unit. One that cannot be expressed there is nothing, and then they do not add up, which
 * Adyen refuses: nothing moves.
 */
const sharesOf = (items: readonly SplitItem[], { currency }: Amount) =>
  items.map(({ split_type, amount, account, reference, description }) => ({
    type: split_type === 'Vat' ? ('VAT' as const) : split_type,
    reference,
    ...(amount !== undefined && { amount: { value: amountOf({ amount, currency: currency as 'USD' })?.value ?? 0, currency } }),
    ...(account !== undefined && { account }),
    ...(description !== undefined && { description }),
  }))

export const adyenPaymentBody = (ask: AuthorizeRequest<AdyenTakes>, amount: Amount, account: Account) => {
  const count = countIn(counting, amount.currency)
  const more = {
    ...(ask.capture !== 'automatic' && { manualCapture: 'true' }),
    // Only a pre-authorization can be adjusted.
    ...(ask.later && ask.later.length > 0 && { authorisationType: 'PreAuth' }),
    ...(ask.partial_approval === 'accept' && { allowPartialAuth: 'true' }),
    ...(ask.exemption && { scaExemption: exemptions[ask.exemption] }),
    ...(ask.means.is === 'network_transaction_id' && { networkTxReference: ask.means.network_transaction_id }),
    ...(ask.purchase && enhancedData(ask.purchase, count)),
  }
  return {
    merchantAccount: merchantAccountOf(account),
    reference: ask.request_id,
    amount,
    paymentMethod: methodOf(ask),
    ...agreementOf(ask),
    ...(ask.channel && { shopperInteraction: 'Moto' as const }),
    ...(ask.installments !== undefined && { installments: { value: ask.installments } }),
    ...(ask.split?.is === 'adyen' && {
      splits: sharesOf(ask.split.items, amount),
      ...(ask.split.store !== null && { store: ask.split.store }),
    }),
    ...(ask.purchase && purchaseMembers(ask.purchase, count)),
    returnUrl: ask.return_url,
    // A product of a server cannot run the challenge in its own page: the customer is sent to it.
    authenticationData:
      ask.three_ds === 'skip'
        ? ({ attemptAuthentication: 'never' } as const)
        : ({ attemptAuthentication: 'always', threeDSRequestData: { nativeThreeDS: 'disabled' } } as const),
    // 04: a challenge is mandated (EMV 3-D Secure).
    ...(ask.three_ds === 'challenge' && { threeDS2RequestData: { threeDSRequestorChallengeInd: '04' } as const }),
    ...(ask.proof && { mpiData: mpiData(ask.proof) }),
    // Whatever the account's own setting is: this payment is captured at once, or when we say so.
    ...(ask.capture === 'automatic' && { captureDelayHours: 0 }),
    ...(Object.keys(more).length > 0 && { additionalData: more }),
    ...(ask.statement_descriptor && { shopperStatement: statementOf(ask.statement_descriptor) }),
  } as const
}

export const methodsBody = (account: Account) => ({ merchantAccount: merchantAccountOf(account) })

/** Does it list what a merchant account takes? */
export const isMethods = (body: unknown): boolean => isRecord(body) && Array.isArray(body.paymentMethods)

export const detailsBody = ({ brought }: ReturnRequest) => ({ details: { ...brought } })

export const captureBody = (ask: CaptureRequest, amount: Amount, account: Account) => ({
  merchantAccount: merchantAccountOf(account),
  reference: ask.request_id,
  amount,
})

/** Holds this much from now on; the same as before: for longer. */
export const adjustBody = (ask: IncrementRequest | ExtendRequest, amount: Amount, account: Account) => ({
  merchantAccount: merchantAccountOf(account),
  reference: ask.request_id,
  amount,
})

export const reverseBody = (ask: PostCaptureVoidRequest, account: Account) => ({
  merchantAccount: merchantAccountOf(account),
  reference: ask.request_id,
})

/** By our own name of the payment: that of theirs is another before a challenge than after it. */
export const cancelBody = (ask: VoidRequest, account: Account) => ({
  merchantAccount: merchantAccountOf(account),
  paymentReference: ask.authorization.request_id,
  reference: ask.request_id,
})

/** Its five reasons, by the interface's words; any other reason is OTHER. */
const refundReasons = tableOf<'FRAUD' | 'CUSTOMER REQUEST' | 'RETURN' | 'DUPLICATE'>({
  fraudulent: 'FRAUD',
  fraud: 'FRAUD',
  requested_by_customer: 'CUSTOMER REQUEST',
  customer_request: 'CUSTOMER REQUEST',
  return: 'RETURN',
  duplicate: 'DUPLICATE',
})

export const refundBody = (ask: RefundRequest, amount: Amount, account: Account) => ({
  merchantAccount: merchantAccountOf(account),
  reference: ask.request_id,
  amount,
  ...(ask.reason !== null && {
    merchantRefundReason: refundReasons[ask.reason.toLowerCase().replaceAll(/[ -]/g, '_')] ?? ('OTHER' as const),
  }),
  ...(ask.split?.is === 'adyen' && { splits: sharesOf(ask.split.items, amount) }),
})

/** refusalReasonCode → its words, and ours. What is not here is still a no. */
const refusals = tableOf<[reason: string, code: DeclineCode]>({
  2: ['Refused', 'card_declined'],
  3: ['Referral', 'card_declined'],
  4: ['Acquirer Error', 'processing_error'],
  5: ['Blocked Card', 'card_declined'],
  6: ['Expired Card', 'expired_card'],
  7: ['Invalid Amount', 'invalid_request'],
  8: ['Invalid Card Number', 'incorrect_number'],
  9: ['Issuer Unavailable', 'processing_error'],
  10: ['Not supported', 'not_supported'],
  11: ['3D Not Authenticated', 'authentication_failed'],
  12: ['Not enough balance', 'insufficient_funds'],
  14: ['Acquirer Fraud', 'card_declined'],
  15: ['Cancelled', 'authentication_failed'],
  16: ['Shopper Cancelled', 'authentication_failed'],
  20: ['FRAUD', 'card_declined'],
  21: ['Not Submitted', 'processing_error'],
  22: ['FRAUD-CANCELLED', 'card_declined'],
  23: ['Transaction Not Permitted', 'card_declined'],
  24: ['CVC Declined', 'incorrect_cvc'],
  25: ['Restricted Card', 'card_declined'],
  26: ['Revocation Of Auth', 'card_declined'],
  27: ['Declined Non Generic', 'card_declined'],
  28: ['Withdrawal amount exceeded', 'insufficient_funds'],
  29: ['Withdrawal count exceeded', 'insufficient_funds'],
  31: ['Issuer Suspected Fraud', 'card_declined'],
  32: ['AVS Declined', 'card_declined'],
  38: ['Authentication required', 'authentication_required'],
  42: ['3DS Authentication Error', 'authentication_failed'],
})
const codesByReason = new Map(Object.entries(refusals).map(([code, known]) => [known![0].toLowerCase(), code]))

/** A refusal: its code (a notification tells only the words), its words, and ours. */
export type AdyenRefusal = { code_said: string; said: string; code: DeclineCode; network_code?: string; network_advice?: string }

function refusalOf(code: string | null, reason: string, more: More): AdyenRefusal {
  const known = code ?? codesByReason.get(reason.toLowerCase()) ?? null
  const network_code = leadOf(more.refusalReasonRaw)
  const network_advice = leadOf(more.merchantAdviceCode)
  return {
    code_said: known ?? 'refused',
    said: reason,
    code: refusals[known ?? '']?.[1] ?? 'card_declined',
    ...(network_code !== null && { network_code }),
    ...(network_advice !== null && { network_advice }),
  }
}

/** `05 : Do not honor` begins with the network's code. */
const leadOf = (raw: string | undefined): string | null => /^([A-Z0-9]{1,8}) ?: /.exec(raw ?? '')?.[1] ?? null

/** Errors that say more than what kind they are. */
const errors = tableOf<DeclineCode>({
  101: 'incorrect_number',
  103: 'incorrect_cvc',
  129: 'expired_card',
  167: 'not_allowed',
  905: 'not_supported',
  907: 'not_supported',
})
const kinds = tableOf<DeclineCode>({ validation: 'invalid_request', security: 'configuration', configuration: 'configuration' })
/** The same request is under way, or was answered with something else: that says nothing of it. */
const IN_USE = '704'

/** An error of its contract: nothing happened. `later`: it asks to come back. */
export type AdyenError = { code: DeclineCode | 'later'; code_said: string; said: string }

export function readRefused(status: number, body: unknown): AdyenError | null {
  if (!isRecord(body) || body.status !== status || !isText(body.message) || !isCode(body.errorCode)) return null
  const { errorCode, message: said, errorType } = body
  if (status === 429) return { code: 'later', code_said: errorCode, said }
  const isOwn = status === 400 || status === 401 || status === 403 || status === 422
  const kind = isText(errorType) ? kinds[errorType] : undefined
  if (!isOwn || kind === undefined || errorCode === IN_USE) return null
  return { code: kind === 'configuration' ? kind : (errors[errorCode] ?? kind), code_said: errorCode, said }
}

const results = tableOf<'yes' | 'a part' | 'no' | 'later' | 'challenge'>({
  Authorised: 'yes',
  PartiallyAuthorised: 'a part',
  Refused: 'no',
  Error: 'no',
  Cancelled: 'no',
  Pending: 'later',
  Received: 'later',
  AuthenticationFinished: 'later',
  AuthenticationNotRequired: 'later',
  RedirectShopper: 'challenge',
})

export type AdyenPayment = {
  result: 'yes' | 'a part' | 'no' | 'later' | 'challenge'
  reference: string | null
  request_id: string | null
  amount: Money | null
  refusal: AdyenRefusal | null
  redirect: string | null
  facts: Facts
}

/** An answer to /payments or /payments/details. */
export function readPayment(body: unknown): AdyenPayment | null {
  if (!isRecord(body) || !isText(body.resultCode)) return null
  const result = results[body.resultCode]
  const reference = body.pspReference ?? null
  const request_id = body.merchantReference ?? null
  const more = readMore(body.additionalData)
  if (result === undefined) return null
  if ((reference !== null && !isReference(reference)) || (request_id !== null && !isReference(request_id)) || more === null) return null
  // Who approves, refuses or waits says under which name.
  if (reference === null && result !== 'challenge') return null
  const amount = body.amount === undefined ? undefined : readAmount(body.amount)
  const redirect = readRedirect(body.action)
  if (amount === null || redirect === undefined || (result === 'challenge') !== (redirect !== null)) return null
  const { refusalReason = body.resultCode, refusalReasonCode = null } = body
  if (!isText(refusalReason) || (refusalReasonCode !== null && !isCode(refusalReasonCode))) return null
  const refusal = result === 'no' ? refusalOf(refusalReasonCode, refusalReason, more) : null
  return { result, reference, request_id, amount: amount ?? null, refusal, redirect, facts: factsOf(more) }
}

/** Where the customer is to be sent; null: nowhere. undefined: not understood, or not by an address alone. */
function readRedirect(action: unknown): string | null | undefined {
  if (action === undefined || action === null) return null
  if (!isRecord(action) || action.type !== 'redirect' || (action.method ?? 'GET') !== 'GET') return undefined
  const url = typeof action.url === 'string' && action.url.length <= 4096 ? URL.parse(action.url) : null
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined
}

/** A modification that was received. */
export type Received = { reference: string; acts_on: string | null; request_id: string | null; amount: Money | null }

export function readReceived(body: unknown): Received | null {
  if (!isRecord(body) || body.status !== 'received' || !isReference(body.pspReference)) return null
  const { pspReference: reference, paymentPspReference: acts_on = null, reference: request_id = null } = body
  const amount = body.amount === undefined ? undefined : readAmount(body.amount)
  if ((acts_on !== null && !isReference(acts_on)) || (request_id !== null && !isReference(request_id)) || amount === null) return null
  return { reference, acts_on, request_id, amount: amount ?? null }
}

/** One item of a notification. */
export type AdyenNotificationItem = {
  eventCode: string
  success: boolean
  reference: string
  acts_on: string | null
  request_id: string | null
  amount: Money
  refusal: AdyenRefusal
  facts: Facts
}

/** The items of a notification, as they came: for their signatures. */
export function itemsOf(body: unknown): Record<string, unknown>[] {
  const items = isRecord(body) && Array.isArray(body.notificationItems) ? body.notificationItems : []
  const read = items.map(item => (isRecord(item) && isRecord(item.NotificationRequestItem) ? item.NotificationRequestItem : null))
  return read.includes(null) ? [] : (read as Record<string, unknown>[])
}

/** `success` is a text. */
export function readItem(item: Record<string, unknown>): AdyenNotificationItem | null {
  const { eventCode, success, pspReference, originalReference, merchantReference, reason } = item
  if (typeof eventCode !== 'string' || (success !== 'true' && success !== 'false') || !isReference(pspReference)) return null
  const amount = readAmount(item.amount)
  const more = readMore(item.additionalData)
  if (amount === null || more === null) return null
  return {
    eventCode,
    success: success === 'true',
    reference: pspReference,
    acts_on: isReference(originalReference) ? originalReference : null,
    request_id: isReference(merchantReference) ? merchantReference : null,
    amount,
    refusal: refusalOf(null, isText(reason) && reason !== '' ? reason : 'Refused', more),
    facts: factsOf(more),
  }
}

/** What Adyen signs of an item: these of its fields, joined without escaping. Null: it lacks what is signed. */
export function signedText(item: Record<string, unknown>): { text: string; signature: string } | null {
  const { pspReference, originalReference = '', merchantAccountCode, merchantReference = '', amount, eventCode, success } = item
  const signature = isRecord(item.additionalData) ? item.additionalData.hmacSignature : null
  if (typeof signature !== 'string' || signature.length > 256 || !isRecord(amount)) return null
  const { value, currency } = amount
  const parts = [pspReference, originalReference, merchantAccountCode, merchantReference, value, currency, eventCode, success]
  if (!parts.every(part => typeof part === 'string' || typeof part === 'number')) return null
  return { text: parts.join(':'), signature }
}

/** additionalData, as far as it is text: other members of it say nothing to us. */
type More = Record<string, string | undefined>
function readMore(more: unknown): More | null {
  if (more === undefined || more === null) return {}
  if (!isRecord(more)) return null
  return Object.fromEntries(Object.entries(more).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

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

/** `4 AVS not supported for this card type` begins with the result. */
function factsOf(more: More): Facts {
  const facts: Facts = {}
  for (const [fact, names] of Object.entries(factNames) as [keyof typeof factNames, readonly string[]][]) {
    const said = names.map(name => more[name]?.split(' ')[0]).find(word => word !== undefined && /^[\w.:/+-]{1,64}$/.test(word))
    if (said !== undefined) facts[fact] = said
  }
  return facts
}

function readAmount(amount: unknown): Money | null {
  if (!isRecord(amount) || typeof amount.currency !== 'string' || !isCurrency(amount.currency)) return null
  const { value, currency } = amount
  return isAmount(value) ? uncounted(counting, value, currency as Currency) : null
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isCode = (value: unknown): value is string => typeof value === 'string' && /^[\w.-]{1,64}$/.test(value)
const isReference = (value: unknown): value is string => typeof value === 'string' && /^[\x21-\x7e]{1,80}$/.test(value)
