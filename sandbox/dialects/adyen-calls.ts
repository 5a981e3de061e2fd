// The handlers of Adyen's calls: each reads its body, applies the rules of money (`../processor.ts`), and returns the
// change and the answer. All of it is pure: no waiting, no writing, no network.

import type { Account } from '../books.ts'
import { behaviourOf, type CardName, cardOf, type DeclineCode, luhn, mask } from '../cards.ts'
import { draw } from '../context.ts'
import {
  authorize,
  capture,
  cardKept,
  decideOperation,
  type Effect,
  extend,
  increment,
  refund,
  refused,
  type Turn,
  voidPayment,
} from '../processor.ts'
import type { Change, Document, Method, Operation, Payment, PurchaseDetails } from '../records.ts'
import { Refusal } from '../refusals.ts'
import { type Body, isMissing, type ThreeDsResult } from '../requests.ts'
import type { AdjustmentNote, ModificationNote, PaymentNote } from './adyen-documents.ts'
import { keepsTheRest, paymentNote, pspOf, redeemed, storedBy } from './adyen-documents.ts'
import { checkMembers } from './adyen-members.ts'
import { checkPart, isHeld, methodOfPayment, methodTypes, walletOfCard } from './adyen-methods.ts'
import { authenticationIn, beginNative, notificationOf, paymentIn, stepped, steps } from './adyen-native.ts'
import { amountOf, merchantAccountOf, need, only, part, text, word } from './adyen-read.ts'
import { AdyenRefusal, cardOfRefusal, requestedRefusal } from './adyen-refusals.ts'
import { showPayment } from './adyen-show.ts'

/** One call. `reference`: the ledger's reference of the operation. `psp`: the payment that the address names. */
export type ApiCall = { account: Account; turn: Turn; body: Body; psp: string; reference: string; url: string }

export type CallResult = { change: Omit<Change, 'account'>; status: number; body: object }
export type CallHandler = (asked: ApiCall) => CallResult

/**
 * Adyen's public test cards whose issuer requires a challenge. The other test cards are those of the sandbox's own
 * table.
 */
const challenging = ['4212345678901237', '4212345678910006', '4917610000000000', '5000550000000029']

export type Card = { name: CardName; masked: string; cvc: 'sent' | 'missing'; expires: string; network?: string; refusal: string | null }

/**
 * Reads the card of a payment. Test triggers of Adyen's test environment (a holder name or a response code) select its
 * behavior.
 */
export function cardOfPayment(body: Body, account: Account): Card {
  const method = part(body, 'paymentMethod')
  const stored = text(method, 'storedPaymentMethodId')
  if (stored !== null) return { ...cardStored(account, stored, body), refusal: null }
  if (text(method, 'type') !== 'scheme') throw new AdyenRefusal(422, '905', 'Payment details are not supported', 'configuration')
  const number = need(method, 'number', '101', 'Invalid card number')
  if (!/^\d{12,19}$/.test(number) || !luhn(number)) throw new AdyenRefusal(422, '101', 'Invalid card number')
  const month = need(method, 'expiryMonth', '140', 'Expiry month should be between 1 and 12 inclusive')
  if (!/^(0?[1-9]|1[0-2])$/.test(month)) throw new AdyenRefusal(422, '140', 'Expiry month should be between 1 and 12 inclusive')
  const year = need(method, 'expiryYear', '141', 'Expiry year should be a 4 digit number greater than 2000')
  if (!/^20\d\d$/.test(year)) throw new AdyenRefusal(422, '141', 'Expiry year should be a 4 digit number greater than 2000')
  const cvc = text(method, 'cvc')
  if (cvc !== null && !/^\d{3,4}$/.test(cvc)) throw new AdyenRefusal(422, '103', 'CVC is not the right length')
  const brand = text(method, 'brand')
  const refusal = requestedRefusal(text(part(body, 'additionalData'), 'RequestedTestAcquirerResponseCode'), text(method, 'holderName'))
  const own = challenging.includes(number) ? 'challenge' : cardOf(number)
  return {
    name: refusal === null ? own : cardOfRefusal(refusal),
    masked: mask(number),
    cvc: cvc === null ? 'missing' : 'sent',
    expires: `${year}-${month.padStart(2, '0')}`,
    ...(brand !== null && { network: brand }),
    refusal,
  }
}

/** Returns a card that is stored for this shopper. Refuses (422, 800) a card that is not. */
function cardStored(account: Account, id: string, body: Body): Omit<Card, 'refusal'> {
  const payment = storedBy(account, id)
  const cvc = text(part(body, 'paymentMethod'), 'cvc') === null ? 'missing' : 'sent'
  const card = payment === null ? null : cardKept(account.payments, payment.replace('auth_', 'mdt_'), cvc)
  const shopper = text(body, 'shopperReference')
  if (payment === null || card === null || shopper === null || paymentNote(account, payment).shopper !== shopper)
    throw new AdyenRefusal(422, '800', 'Contract not found')
  return card
}

/** Reads the shopper's agreement: whether the card is stored, or charged without the shopper. */
function agreedIn(body: Body): { store?: 'on_session' | 'off_session'; by?: 'mandate' | 'network_transaction_id' } {
  const model = word(body, 'recurringProcessingModel', ['CardOnFile', 'Subscription', 'UnscheduledCardOnFile'])
  const interaction = word(body, 'shopperInteraction', ['Ecommerce', 'ContAuth', 'Moto', 'POS'])
  const { storePaymentMethod = false } = body
  if (typeof storePaymentMethod !== 'boolean') throw new AdyenRefusal(422, '702', "Field 'storePaymentMethod' is not valid.")
  const invalid = (message: string) => new AdyenRefusal(422, '702', message)
  if (storePaymentMethod) {
    if ((text(body, 'shopperReference')?.length ?? 0) < 3) throw invalid("Required field 'shopperReference' is not provided.")
    if (model === null) throw invalid("Required field 'recurringProcessingModel' is not provided.")
    return { store: model === 'CardOnFile' ? 'on_session' : 'off_session' }
  }
  if (interaction !== 'ContAuth') return {}
  const known = text(part(body, 'paymentMethod'), 'storedPaymentMethodId') !== null
  if (model === null) throw invalid("Required field 'recurringProcessingModel' is not provided.")
  if (!known && text(part(body, 'additionalData'), 'networkTxReference') === null)
    throw invalid("ContAuth requires a storedPaymentMethodId or 'networkTxReference'.")
  return { by: known ? 'mandate' : 'network_transaction_id' }
}

const describing = [
  ...['shopperEmail', 'shopperName', 'telephoneNumber', 'billingAddress', 'deliveryAddress', 'browserInfo', 'shopperIP', 'lineItems'],
  ...['merchantOrderReference', 'applicationInfo'],
]
const addressMembers = ['city', 'country', 'houseNumberOrName', 'postalCode', 'street'] as const

/** Reads an address. Refuses (422, 702) an address without all its members, as Adyen does. */
function addressIn(body: Body, name: string): Body | null {
  if (body[name] === undefined) return null
  const address = part(body, name)
  for (const member of addressMembers) need(address, member, '702', `Required field '${name}.${member}' is not provided.`)
  return address
}

function purchaseDetailsOf(body: Body): PurchaseDetails {
  const billing = addressIn(body, 'billingAddress')
  addressIn(body, 'deliveryAddress')
  const levels = Object.entries(part(body, 'additionalData')).filter(([name]) => name.startsWith('enhancedSchemeData.'))
  const fields = Object.fromEntries([...Object.entries(body).filter(([name]) => describing.includes(name)), ...levels])
  const purchase = { ...fields, ...(billing && { billing: { zip: billing.postalCode } }) }
  return {
    ...(Object.keys(purchase).length > 0 && { purchase }),
    ...(body.shopperInteraction === 'Moto' && { channel: 'telephone_order' as const }),
    ...(body.installments !== undefined && { installments: installmentsIn(body) }),
  }
}

function installmentsIn(body: Body): number {
  const installments = part(body, 'installments')
  const { value } = installments
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > 99)
    throw new AdyenRefusal(422, '702', "Field 'installments.value' is not valid.")
  return value
}

/** Lists the payment methods of a merchant account. Nothing changes. */
export function listMethods({ body }: ApiCall): CallResult {
  only(body, ['merchantAccount', 'amount', 'countryCode', 'channel', 'shopperLocale', 'shopperReference'], 'PaymentMethodsRequest')
  merchantAccountOf(body)
  const others = methodTypes.map(type => ({ name: type, type }))
  return {
    change: {},
    status: 200,
    body: { paymentMethods: [{ name: 'Cards', type: 'scheme', brands: ['visa', 'mc', 'amex'] }, ...others] },
  }
}

const exemptions = { lowValue: 'low_value', transactionRiskAnalysis: 'transaction_risk_analysis' } as const

/** Reads whether the shopper is to be authenticated. 04: a challenge in any case. */
function threeDsIn(body: Body, authentication: Body): 'request' | 'challenge' | 'skip' {
  const more = part(body, 'threeDS2RequestData')
  if (word(authentication, 'attemptAuthentication', ['always', 'never']) === 'never') return 'skip'
  return word(more, 'threeDSRequestorChallengeInd', ['01', '02', '03', '04', '05', '06']) === '04' ? 'challenge' : 'request'
}

/** Reads the result of a 3-D Secure authentication that another server ran. */
function threeDsResultIn(body: Body): { authentication?: ThreeDsResult } {
  if (isMissing(body.mpiData)) return {}
  const mpi = part(body, 'mpiData')
  // The cryptogram of a network token replaces the authentication of the cardholder.
  if (text(mpi, 'tokenAuthenticationVerificationValue') !== null) return {}
  const cavv = text(mpi, 'cavv') ?? ''
  if (walletOfCard(body) !== null) {
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(cavv)) throw new AdyenRefusal(422, '181', 'Invalid CAVV')
    return {}
  }
  if (!/^[A-Za-z0-9+/]{27}=$/.test(cavv)) throw new AdyenRefusal(422, '181', 'Invalid CAVV')
  const status = word(mpi, 'authenticationResponse', ['Y', 'A'])
  const [eci, version, ds_transaction_id] = [text(mpi, 'eci'), text(mpi, 'threeDSVersion'), text(mpi, 'dsTransID')]
  if (status === null || eci === null || version === null || ds_transaction_id === null)
    throw new AdyenRefusal(422, '702', 'Structure of ThreeDSecureData is incomplete')
  return { authentication: { status, eci, cavv, version, ds_transaction_id } }
}

/** Checks the splits of a payment or a refund: the splits with an amount must add up to the whole amount. */
function checkSplits(body: Body, whole: number): void {
  const splits = body.splits
  if (splits === undefined) return
  if (!Array.isArray(splits)) throw new AdyenRefusal(422, '702', 'Invalid splits')
  let sum = 0
  for (const split of splits as Body[]) {
    const { value = null } = part(split, 'amount') as { value?: number | null }
    if (split.amount !== undefined && value === null) throw new AdyenRefusal(422, '702', 'Invalid amount of a split')
    if (split.type === 'BalanceAccount' && typeof split.account !== 'string')
      throw new AdyenRefusal(422, '702', 'A split requires an account')
    sum += value ?? 0
  }
  if (sum !== whole) throw new AdyenRefusal(422, '702', 'The splits do not add up to the amount')
}

/** Reads the payment method of a request: a card, or another of Adyen's types. */
function paidWith(body: Body, currency: string, account: Account): Card & { method?: Method } {
  const paid = methodOfPayment(body, currency)
  if (paid?.stored !== undefined) cardStored(account, paid.stored, body)
  return paid?.method ? { ...paid.card, method: paid.method, refusal: null } : cardOfPayment(body, account)
}

export function pay(asked: ApiCall): CallResult {
  const { body, turn } = asked
  checkMembers(body)
  const merchantAccount = merchantAccountOf(body)
  const { value, currency } = amountOf(body)
  checkSplits(body, value)
  const reference = need(body, 'reference', '130', 'Reference Missing')
  const returnUrl = need(body, 'returnUrl', '14_030', 'Return URL is missing.')
  if (!URL.canParse(returnUrl)) throw new AdyenRefusal(422, '14_030', 'Return URL is invalid.')
  const statement = text(body, 'shopperStatement', 22)
  const more = part(body, 'additionalData')
  word(more, 'authorisationType', ['PreAuth', 'FinalAuth'])
  const authentication = part(body, 'authenticationData')
  const exemption = word(more, 'scaExemption', ['lowValue', 'transactionRiskAnalysis'])
  const { refusal, method, ...card } = paidWith(body, currency, asked.account)
  const three_ds = threeDsIn(body, authentication)
  const notification_url = three_ds === 'skip' ? null : notificationOf(body)
  const effect = authorize(
    {
      reference,
      amount: value,
      currency,
      // Payment methods that cannot be held are captured at once.
      capture: word(more, 'manualCapture', ['true', 'false']) === 'true' && isHeld(method) ? 'manual' : 'automatic',
      card,
      ...(method && { method }),
      // With native 3-D Secure, the decision about a challenge follows once the browser has been inspected.
      three_ds: notification_url === null ? three_ds : 'challenge',
      ...threeDsResultIn(body),
      ...(exemption !== null && { exemption: exemptions[exemption] }),
      return_url: returnUrl,
      allow_partial: word(more, 'allowPartialAuth', ['true', 'false']) === 'true',
      ...(statement !== null && { statement_descriptor: statement }),
      ...agreedIn(body),
      ...purchaseDetailsOf(body),
    },
    turn,
  )
  const psp = pspOf(effect.payment.id)
  const payment: Payment = { ...effect.payment, dialect: 'adyen', document: psp }
  const note: PaymentNote = { id: psp, object: 'adyen_payment', merchantAccount, refusal, shopper: text(body, 'shopperReference') }
  const [operation] = effect.operations
  const isNative = notification_url !== null && operation.status === 'challenge'
  const native = isNative ? [beginNative(asked.account, { operation, payment }, body, notification_url, turn.at)] : []
  return answered(asked, { ...effect, payment }, [note, ...native])
}

/** Decides a challenge with the result that the shopper brought back. A repeated call returns the same answer. */
export function redeem(asked: ApiCall): CallResult {
  const { body, account, turn } = asked
  only(body, ['details', 'paymentData'], 'PaymentDetailsRequest')
  const details = part(body, 'details')
  only(details, ['redirectResult', 'payload', ...steps], 'PaymentCompletionDetails')
  if (steps.some(step => text(details, step) !== null)) return goOn(asked, details)
  const brought = text(details, 'redirectResult') ?? text(details, 'payload')
  if (brought === null) throw new AdyenRefusal(422, '14_005', "Required object 'details' is not provided.")
  const found = redeemed(account, brought)
  if (!found) throw new AdyenRefusal(422, '101', 'Invalid redirectResult')
  const payment = account.payments.get(found.payment)!
  const authorization = account.operations.get(found.payment)!
  if (authorization.status !== 'challenge') return answered(asked, { payment, operations: [authorization] }, [], 'unchanged')
  const verdict = found.answer === 'accept' ? (behaviourOf(payment.card).challenge ?? 'approved') : 'authentication_failed'
  return answered(asked, decideOperation(payment, authorization, verdict, turn))
}

/** Continues native authentication after a step of the shopper's page. A repeated step returns the current state. */
function goOn(asked: ApiCall, details: Body): CallResult {
  const { body, account, turn } = asked
  const found = paymentIn(account, need(body, 'paymentData', '14_005', "Required field 'paymentData' is not provided."))
  if (found === null) throw new AdyenRefusal(422, '101', 'Invalid paymentData')
  const payment = account.payments.get(found)!
  const authorization = account.operations.get(found)!
  const native = authenticationIn(account, authorization)
  if (native === null) throw new AdyenRefusal(422, '101', 'Invalid paymentData')
  if (authorization.status !== 'challenge') return answered(asked, { payment, operations: [authorization] }, [], 'unchanged')
  const step = stepped(native, details, turn.at)
  if (step.verdict !== null) return answered(asked, decideOperation(payment, authorization, step.verdict, turn), [step.native])
  return answered(asked, { payment, operations: [authorization] }, [step.native], 'unchanged')
}

function answered(asked: ApiCall, effect: Effect, documents: Document[] = [], as: 'changed' | 'unchanged' = 'changed'): CallResult {
  const { account, url } = asked
  const seen = new Map(account.documents)
  for (const document of documents) seen.set(document.id, document)
  const body = showPayment(effect.operations[0], effect.payment, { account: { ...account, documents: seen }, url })
  return { change: { ...(as === 'changed' && effect), documents }, status: 200, body }
}

function paymentOf({ account, psp }: ApiCall): Payment {
  const payment = account.payments.get(account.names.get(psp) ?? '')
  if (payment === undefined) throw new AdyenRefusal(422, '167', 'Original pspReference required for this operation')
  return payment
}

/** Returns the merchant account of a request. Refuses (403) another merchant account than the payment's. */
function checkAccount(asked: ApiCall, payment: Payment): string {
  const name = merchantAccountOf(asked.body)
  if (paymentNote(asked.account, payment.id).merchantAccount !== name)
    throw new AdyenRefusal(403, '901', 'Invalid Merchant Account', 'security')
  return name
}

type Modification = {
  payment: Payment
  eventCode: ModificationNote['eventCode']
  action?: ModificationNote['action']
  answer: object
  deny: { type: Operation['type']; amount: number; code: DeclineCode }
  effect(): Effect
}

/**
 * Answers a modification, which Adyen only receives. Its result follows by notification, including a refusal by the
 * rules, which moves no money.
 */
function received(asked: ApiCall, { payment, eventCode, action = null, answer, deny, effect: act }: Modification): CallResult {
  const { body, reference, turn } = asked
  const own = text(body, 'reference', 80)
  const merchantAccount = checkAccount(asked, payment)
  let effect: Effect
  try {
    effect = act()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    effect = refused(payment, { type: deny.type, reference, amount: deny.amount }, deny.code, turn)
  }
  const [operation] = effect.operations
  const id = pspOf(operation.id)
  const note: ModificationNote = { id, object: 'adyen_modification', reference: own, eventCode, action }
  const status = { ...answer, merchantAccount, pspReference: id, status: 'received', ...(own !== null && { reference: own }) }
  // A capture or refund that will fail later is first announced as successful.
  const early = operation.status === 'pending' && ['capture_failed', 'refund_failed'].includes(laterOf(payment, operation) ?? '')
  const events = early ? { news: [{ operation: operation.id, type: eventCode, document: id }] } : {}
  return { change: { ...effect, documents: [note], ...events }, status: 201, body: status }
}

const laterOf = (payment: Payment, { type }: Operation): string | undefined =>
  type === 'capture' || type === 'refund' ? behaviourOf(payment.card).later?.[type] : undefined

const modificationMembers = ['merchantAccount', 'reference', 'applicationInfo']

export function capturePayment(asked: ApiCall): CallResult {
  const { body, turn, reference } = asked
  only(body, [...modificationMembers, 'amount', 'lineItems'], 'PaymentCaptureRequest')
  const payment = paymentOf(asked)
  const amount = amountOf(body)
  checkPart(body, payment.method, { value: amount.value, whole: payment.authorized })
  const final = !keepsTheRest(paymentNote(asked.account, payment.id).merchantAccount)
  const ofItsCurrency = needCurrency(payment, amount)
  return received(asked, {
    payment,
    eventCode: 'CAPTURE',
    answer: { paymentPspReference: asked.psp, amount },
    deny: { type: 'capture', amount: amount.value, code: 'capture_declined' },
    effect: () => capture(payment, { reference, amount: ofItsCurrency, final }, turn),
  })
}

export function refundPayment(asked: ApiCall): CallResult {
  const { body, turn, reference } = asked
  only(body, [...modificationMembers, 'amount', 'merchantRefundReason', 'splits', 'lineItems'], 'PaymentRefundRequest')
  word(body, 'merchantRefundReason', ['FRAUD', 'CUSTOMER REQUEST', 'RETURN', 'DUPLICATE', 'OTHER'])
  const payment = paymentOf(asked)
  const amount = amountOf(body)
  checkSplits(body, amount.value)
  checkPart(body, payment.method, { value: amount.value, whole: payment.captured })
  const ofItsCurrency = needCurrency(payment, amount)
  return received(asked, {
    payment,
    eventCode: 'REFUND',
    answer: { paymentPspReference: asked.psp, amount },
    deny: { type: 'refund', amount: amount.value, code: 'refund_declined' },
    effect: () => refund(payment, { reference, amount: ofItsCurrency, reason: null }, turn),
  })
}

function needCurrency(payment: Payment, { value, currency }: { value: number; currency: string }): number {
  if (currency !== payment.currency) throw new AdyenRefusal(422, '138', 'Currency Code invalid')
  if (value === 0) throw new AdyenRefusal(422, '137', 'Invalid amount specified')
  return value
}

const undo = (asked: ApiCall, payment: Payment): Modification['effect'] => {
  const authorization = asked.account.operations.get(payment.id)!
  return () => voidPayment(payment, authorization, { reference: asked.reference }, asked.turn)
}
const notUndone = (payment: Payment): Modification['deny'] => ({ type: 'void', amount: payment.authorized, code: 'void_declined' })

export function cancelPayment(asked: ApiCall): CallResult {
  only(asked.body, modificationMembers, 'PaymentCancelRequest')
  const payment = paymentOf(asked)
  const answer = { paymentPspReference: asked.psp }
  return received(asked, { payment, eventCode: 'CANCELLATION', answer, deny: notUndone(payment), effect: undo(asked, payment) })
}

/**
 * Cancels a payment by the merchant's own reference. A reference without a payment is received too, and no
 * notification follows.
 */
export function cancelByReference(asked: ApiCall): CallResult {
  const { body, account, turn } = asked
  only(body, [...modificationMembers, 'paymentReference'], 'StandalonePaymentCancelRequest')
  const paymentReference = need(body, 'paymentReference', '167', 'Original payment reference required for this operation')
  const merchantAccount = merchantAccountOf(body)
  const payment = account.payments.get(account.references.get(paymentReference) ?? '')
  const answer = { paymentReference }
  if (payment?.dialect !== 'adyen')
    return { change: {}, status: 201, body: { ...answer, merchantAccount, pspReference: draw(turn.context, 16), status: 'received' } }
  return received(asked, { payment, eventCode: 'TECHNICAL_CANCEL', answer, deny: notUndone(payment), effect: undo(asked, payment) })
}

/** Reverses a payment: cancels it if nothing was captured, refunds it otherwise. */
export function reversePayment(asked: ApiCall): CallResult {
  const { turn, reference } = asked
  only(asked.body, modificationMembers, 'PaymentReversalRequest')
  const payment = paymentOf(asked)
  const answer = { paymentPspReference: asked.psp }
  const left = payment.captured - payment.refunded - payment.refunding
  if (payment.captured === 0)
    return received(asked, {
      payment,
      eventCode: 'CANCEL_OR_REFUND',
      action: 'cancel',
      answer,
      deny: notUndone(payment),
      effect: undo(asked, payment),
    })
  return received(asked, {
    payment,
    eventCode: 'CANCEL_OR_REFUND',
    action: 'refund',
    answer,
    deny: { type: 'refund', amount: left, code: 'refund_declined' },
    effect: () => refund(payment, { reference, amount: left, reason: null }, turn),
  })
}

/**
 * Changes the authorized amount, or (with the same amount) only extends the hold. A lower amount is written to the
 * payment directly, because the ledger has no operation for it.
 */
export function updateAmount(asked: ApiCall): CallResult {
  const { body, turn, reference: ours } = asked
  only(body, [...modificationMembers, 'amount', 'industryUsage'], 'PaymentAmountUpdateRequest')
  word(body, 'industryUsage', ['delayedCharge', 'installment', 'noShow'])
  const payment = paymentOf(asked)
  const amount = amountOf(body)
  const value = needCurrency(payment, amount)
  if (value >= payment.authorized) {
    const type = value === payment.authorized ? 'extension' : 'increment'
    return received(asked, {
      payment,
      eventCode: 'AUTHORISATION_ADJUSTMENT',
      answer: { paymentPspReference: asked.psp, amount },
      deny: { type, amount: value, code: `${type}_declined` },
      effect: () =>
        type === 'extension' ? extend(payment, { reference: ours }, turn) : increment(payment, { reference: ours, amount: value }, turn),
    })
  }
  const merchantAccount = checkAccount(asked, payment)
  const reference = text(body, 'reference', 80)
  const success = turn.ordered !== 'decline' && payment.phase === 'open' && value >= payment.captured + payment.capturing
  const id = draw(turn.context, 16)
  const note: AdjustmentNote = { id, object: 'adyen_adjustment', reference, value, success }
  const held = success ? { payment: { ...payment, authorized: value, asked: Math.max(payment.asked, value) } } : {}
  return {
    change: { ...held, documents: [note], news: [{ operation: payment.id, type: 'AUTHORISATION_ADJUSTMENT', document: id }] },
    status: 201,
    body: {
      paymentPspReference: asked.psp,
      amount,
      merchantAccount,
      pspReference: id,
      status: 'received',
      ...(reference !== null && { reference }),
    },
  }
}
