// PayPal's REST APIs over the sandbox's ledger, under /paypal: access tokens, orders, authorizations, captures,
// refunds, payouts by batch, disputes, and the verification of webhooks. An order moves no money before it is captured
// or authorized.

import type { Account } from '../books.ts'
import { behaviourOf, type CardName, cardOf, luhn, mask } from '../cards.ts'
import { draw } from '../context.ts'
import { cancelPayout, payOut, readPayout } from '../payouts.ts'
import { authorize, capture, decideOperation, type Effect, extend, refund, voidPayment } from '../processor.ts'
import type { Document, Operation, Payment } from '../records.ts'
import { Refusal } from '../refusals.ts'
import { type AuthorizeRequest, type Body, isMissing, isRecord } from '../requests.ts'
import { decimalsOf, minorOf } from '../units.ts'
import { accessTokenOf, accountIn } from '../who.ts'
import { type ApiCall, basic, bearer, type CallResult, type Language } from './language.ts'
import { disputeActs } from './paypal-disputes.ts'
import { signatureOf } from './paypal-events.ts'
import { listDisputes, listEvents } from './paypal-lists.ts'
import {
  type ApprovalNote,
  idOf,
  isClaimed,
  listTokens,
  noteOf,
  ORDER_LIFE_MS,
  type OrderNote,
  orderOf,
  paymentOf,
  type RefundNote,
  type Source,
  showBatch,
  showCapture,
  showHold,
  showItem,
  showOrder,
  showRefund,
  showSetup,
  showToken,
  type VaultNote,
} from './paypal-show.ts'
import { grantedTo, listTransactions, TRANSACTIONS } from './paypal-transactions.ts'

const TOKEN_LIFE_S = 32_400
const DAY_MS = 24 * 3_600_000

type Act = (asked: ApiCall) => CallResult

const ORDERS = '/v2/checkout/orders'
const SETUPS = '/v3/vault/setup-tokens'
const KEPT = '/v3/vault/payment-tokens'
const requestId = ({ headers }: Pick<ApiCall, 'headers'>) => String(headers['paypal-request-id'] ?? 'none')

export const paypal: Language = {
  prefix: '/paypal',
  key(headers, desk) {
    const client = basic(headers)
    if (client) return client[1]
    const [, issued = '', name] = /^A21A[AB]\.(\d{10})\.(\S+)$/.exec(bearer(headers) ?? '') ?? []
    if (name === undefined || desk.now(desk.account(accountIn(name))) / 1000 - Number(issued) > TOKEN_LIFE_S)
      throw new Refusal('unauthorized', 'invalid_token')
    return name
  },
  read(raw, headers) {
    const type = String(headers['content-type'] ?? '')
    if (type.startsWith('multipart/form-data')) return { form: raw }
    if (type.startsWith('application/x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(raw))
    if ((raw ?? '') === '') return {}
    try {
      const body: unknown = JSON.parse(raw)
      if (isRecord(body)) return body
    } catch {}
    throw new Refusal('invalid_request', 'MALFORMED_REQUEST_JSON')
  },
  errorResponse,
  calls: [
    { method: 'POST', path: '/v1/oauth2/token', call: null, act: grant },
    { method: 'POST', path: ORDERS, call: 'order', act: once(6 * 3_600_000, createOrder) },
    { method: 'GET', path: `${ORDERS}/:id`, call: 'lookup', act: asked => ({ body: showOrder(asked, orderIn(asked)) }) },
    { method: 'POST', path: `${ORDERS}/:id/confirm-payment-source`, call: null, act: confirm },
    ...(['capture', 'authorize'] as const).map(how => ({
      method: 'POST' as const,
      path: `${ORDERS}/:id/${how}`,
      call: 'authorize' as const,
      sends: ({ headers, params, body, account }: Pick<ApiCall, 'headers' | 'params' | 'body' | 'account'>) => ({
        reference: requestId({ headers }),
        fault: faultIn(account, params.id!, body),
      }),
      act: once(6 * 3_600_000, pay(how)),
    })),
    {
      method: 'POST',
      path: '/v2/payments/authorizations/:id/capture',
      call: 'capture',
      sends: asked => ({ reference: requestId(asked) }),
      act: once(45 * DAY_MS, captureHold),
    },
    {
      method: 'POST',
      path: '/v2/payments/authorizations/:id/void',
      call: 'void',
      sends: asked => ({ reference: requestId(asked) }),
      act: once(45 * DAY_MS, voidHold),
    },
    {
      method: 'POST',
      path: '/v2/payments/authorizations/:id/reauthorize',
      call: 'extend',
      sends: asked => ({ reference: requestId(asked) }),
      act: once(45 * DAY_MS, reauthorize),
    },
    { method: 'POST', path: SETUPS, call: 'order', act: once(3 * 3_600_000, createSetup) },
    { method: 'GET', path: `${SETUPS}/:id`, call: 'lookup', act: asked => ({ body: showSetup(asked, orderIn(asked, 'setup')) }) },
    {
      method: 'POST',
      path: KEPT,
      call: 'authorize',
      act: once(3 * 3_600_000, keep),
    },
    {
      method: 'GET',
      path: KEPT,
      call: 'lookup',
      act: ({ account, query }) => ({ body: listTokens(account, String(query.customer_id ?? '')) }),
    },
    { method: 'GET', path: '/v2/payments/authorizations/:id', call: 'lookup', act: readAuthorization },
    { method: 'GET', path: '/v2/payments/captures/:id', call: 'lookup', act: readCapture },
    {
      method: 'POST',
      path: '/v2/payments/captures/:id/refund',
      call: 'refund',
      sends: asked => ({ reference: requestId(asked) }),
      act: once(45 * DAY_MS, refundCapture),
    },
    { method: 'GET', path: '/v2/payments/refunds/:id', call: 'lookup', act: readRefund },
    {
      method: 'POST',
      path: '/v1/payments/payouts',
      call: 'payout',
      sends: asked => ({ reference: requestId(asked) }),
      act: once(30 * DAY_MS, createPayout),
    },
    {
      method: 'GET',
      path: '/v1/payments/payouts/:id',
      call: 'lookup',
      act: asked => ({ body: showBatch(asked.account, payoutIn(asked, asked.params.id!), 'now') }),
    },
    { method: 'POST', path: '/v1/payments/payouts-item/:id/cancel', call: 'cancel_payout', act: cancelItem },
    { method: 'GET', path: '/v1/customer/disputes', call: 'lookup', act: listDisputes },
    { method: 'GET', path: '/v1/notifications/webhooks-events', call: 'lookup', act: listEvents },
    { method: 'GET', path: TRANSACTIONS, call: 'lookup', act: listTransactions },
    { method: 'GET', path: '/v1/customer/disputes/:id', call: 'lookup', act: disputeActs.read },
    { method: 'POST', path: '/v1/customer/disputes/:id/accept-claim', call: 'dispute', act: disputeActs.accept },
    { method: 'POST', path: '/v1/customer/disputes/:id/provide-evidence', call: 'dispute', act: disputeActs.evidence },
    { method: 'POST', path: '/v1/customer/disputes/:id/appeal', call: 'dispute', act: disputeActs.appeal },
    { method: 'POST', path: '/v1/notifications/verify-webhook-signature', call: null, act: verifySignature },
  ],
}

const names = { invalid_request: 'INVALID_REQUEST', not_found: 'RESOURCE_NOT_FOUND', not_allowed: 'UNPROCESSABLE_ENTITY' } as const

function errorResponse({ code, status, message }: Refusal): { status: number; body: object } {
  if (code === 'unauthorized') {
    const error = message === 'invalid_token' ? message : 'invalid_client'
    return {
      status: 401,
      body: {
        error,
        error_description: error === 'invalid_token' ? 'The token passed in was not found in the system' : 'Client Authentication failed',
      },
    }
  }
  const issue = /^[A-Z0-9_]+$/.test(message) ? message : issueOf(message)
  const name = names[code as keyof typeof names] ?? 'UNPROCESSABLE_ENTITY'
  return { status, body: { name, message: 'The request was refused.', debug_id: 'sandbox', details: [{ issue, description: message }] } }
}

/** Returns PayPal's issue for a refusal that the ledger words as a sentence. */
const issueOf = (sentence: string): string =>
  sentence.includes('left to refund')
    ? 'REFUND_AMOUNT_EXCEEDED'
    : sentence.includes('left to capture')
      ? 'MAX_CAPTURE_AMOUNT_EXCEEDED'
      : sentence.includes('pending payout')
        ? 'ITEM_NOT_CANCELLABLE'
        : 'ACTION_NOT_ALLOWED'

const invalid = (issue: string) => new Refusal('invalid_request', issue)
const refused = (issue: string) => new Refusal('not_allowed', issue)

/** Makes a call idempotent: the first answer is returned again while its PayPal-Request-Id is kept. */
function once(life_ms: number, act: Act): Act {
  return asked => {
    const { account, headers, turn, fault, params } = asked
    const given = headers['paypal-request-id']
    if (given === undefined) return act(asked)
    const key = `paypal ${act.name} ${params.id ?? ''} ${String(given)}`
    const known = fault === 'ignore_idempotency' ? undefined : account.keys.get(key)?.answer
    if (known && turn.at - known.at < life_ms) return { status: 200, body: known.body, replayed: true }
    const { change, status = 200, body } = act(asked)
    if (status === 204 || status >= 300) return { ...(change && { change }), status, body }
    return { change: { ...change, key: { key, fingerprint: '', operation: '', answer: { status, body, at: turn.at } } }, status, body }
  }
}

/** Refuses (400) members that PayPal's contract does not have. */
function only(body: Body, members: string): Body {
  const strange = Object.keys(body).find(name => !members.split(' ').includes(name))
  if (strange !== undefined) throw invalid('UNKNOWN_MEMBER')
  return body
}
function part(body: Body, name: string, members: string): Body {
  const value = body[name]
  if (isMissing(value)) return {}
  if (!isRecord(value) || Object.keys(value).length === 0) throw invalid('INVALID_PARAMETER_SYNTAX')
  return only(value, members)
}
function text(body: Body, name: string, most = 127): string | null {
  const value = body[name]
  if (isMissing(value)) return null
  if (typeof value !== 'string' || value === '' || value.length > most) throw invalid('INVALID_STRING_LENGTH')
  return value
}
function need(body: Body, name: string, most?: number): string {
  const value = text(body, name, most)
  if (value === null) throw invalid('MISSING_REQUIRED_PARAMETER')
  return value
}

const CURRENCIES = 'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD'.split(' ')

function amountIn(
  given: unknown,
  code: 'currency_code' | 'currency' = 'currency_code',
  least: 'above zero' | 'may be zero' = 'above zero',
): { amount: number; currency: string } {
  if (!isRecord(given)) throw invalid('MISSING_REQUIRED_PARAMETER')
  only(given, `${code} value breakdown`)
  const currency = need(given, code, 3)
  const value = need(given, 'value', 32)
  if (!CURRENCIES.includes(currency)) throw refused('CURRENCY_NOT_SUPPORTED')
  const places = currency === 'HUF' || currency === 'TWD' ? 0 : decimalsOf(currency)
  if (!/^\d+(\.\d+)?$/.test(value) || (value.split('.')[1] ?? '').length > places) throw refused('DECIMAL_PRECISION')
  const amount = minorOf(value, currency)
  if (amount === 0 && least === 'above zero') throw refused('CANNOT_BE_ZERO_OR_NEGATIVE')
  return { amount, currency }
}

function grant({ account, turn, body, headers }: ApiCall): CallResult {
  if (body.grant_type !== 'client_credentials') throw invalid('unsupported_grant_type')
  const issued = Math.floor(turn.at / 1000)
  const { begins, scopes } = grantedTo(headers)
  const access_token = `${begins}.${issued}.${accessTokenOf(account.name)}`
  return {
    body: {
      scope: ['https://uri.paypal.com/services/payments', ...scopes].join(' '),
      access_token,
      token_type: 'Bearer',
      app_id: 'APP-80W284485P519543T',
      expires_in: TOKEN_LIFE_S,
    },
  }
}

function orderIn({ account, params, turn }: ApiCall, kind: 'order' | 'setup' = 'order'): OrderNote {
  const order = orderOf(account, params.id!, turn.at)
  if ((order.isSetup === true) !== (kind === 'setup')) throw new Refusal('not_found', 'INVALID_RESOURCE_ID')
  return order
}

const UNIT = 'reference_id description custom_id invoice_id soft_descriptor amount items shipping'
const ADDRESS = 'address_line_1 address_line_2 admin_area_1 admin_area_2 postal_code country_code'

function createOrder(asked: ApiCall): CallResult {
  const { account, turn, body } = asked
  only(body, 'intent purchase_units payment_source')
  const intent = need(body, 'intent')
  if (intent !== 'CAPTURE' && intent !== 'AUTHORIZE') throw invalid('INVALID_PARAMETER_VALUE')
  const units = body.purchase_units
  if (!Array.isArray(units) || units.length !== 1 || !isRecord(units[0])) throw invalid('MISSING_REQUIRED_PARAMETER')
  const unit = only(units[0], UNIT)
  part(part(unit, 'shipping', 'name address'), 'address', ADDRESS)
  text(unit, 'soft_descriptor', 22)
  const invoice_id = text(unit, 'invoice_id')
  // PayPal refuses a second payment with the same invoice_id.
  if (
    invoice_id !== null &&
    [...account.documents.values()].some(one => (one as OrderNote).invoice_id === invoice_id && paymentOf(account, one as OrderNote))
  )
    throw refused('DUPLICATE_INVOICE_ID')
  const order: OrderNote = {
    id: draw(turn.context, 17),
    object: 'paypal_order',
    intent,
    ...amountIn(unit.amount),
    custom_id: text(unit, 'custom_id'),
    invoice_id,
    created: turn.at,
    source: null,
    cancel_url: null,
    ...linesIn(unit),
  }
  if (!isMissing(body.payment_source)) return confirmed({ ...asked, account: withDocuments(account, order) }, order, 201)
  return { change: { documents: [order] }, status: 201, body: showOrder({ ...asked, account: withDocuments(account, order) }, order) }
}

const BREAKDOWN = 'item_total shipping handling tax_total insurance shipping_discount discount'
const ITEM = 'name unit_amount tax quantity description sku url category image_url upc'

/** Reads the items of an order and the breakdown of its amount, which must add up to the amount. */
function linesIn(unit: Body): Pick<OrderNote, 'items' | 'breakdown'> {
  const whole = amountIn(unit.amount)
  const breakdown = isRecord(unit.amount) && !isMissing(unit.amount.breakdown) ? part(unit.amount, 'breakdown', BREAKDOWN) : null
  const partOf = (name: string): number => {
    if (!breakdown || isMissing(breakdown[name])) return 0
    const { amount, currency } = amountIn(breakdown[name], 'currency_code', 'may be zero')
    if (currency !== whole.currency) throw refused('CURRENCY_MISMATCH')
    return amount
  }
  if (!isMissing(unit.items)) {
    if (!Array.isArray(unit.items) || unit.items.length === 0) throw invalid('INVALID_PARAMETER_VALUE')
    const sum = unit.items.reduce<number>((all, item: unknown) => {
      if (!isRecord(item)) throw invalid('INVALID_PARAMETER_VALUE')
      only(item, ITEM)
      need(item, 'name', 127)
      text(item, 'sku', 127)
      if (!isMissing(item.category) && !['DIGITAL_GOODS', 'PHYSICAL_GOODS', 'DONATION'].includes(need(item, 'category')))
        throw invalid('INVALID_PARAMETER_VALUE')
      const quantity = need(item, 'quantity', 10)
      if (!/^[1-9]\d*$/.test(quantity)) throw invalid('INVALID_PARAMETER_SYNTAX')
      const { amount, currency } = amountIn(item.unit_amount, 'currency_code', 'may be zero')
      if (currency !== whole.currency) throw refused('CURRENCY_MISMATCH')
      return all + amount * Number(quantity)
    }, 0)
    if (!breakdown || isMissing(breakdown.item_total)) throw refused('ITEM_TOTAL_REQUIRED')
    if (sum !== partOf('item_total')) throw refused('ITEM_TOTAL_MISMATCH')
  }
  const added = ['item_total', 'shipping', 'handling', 'tax_total', 'insurance'].reduce((all, name) => all + partOf(name), 0)
  if (breakdown && added - partOf('shipping_discount') - partOf('discount') !== whole.amount) throw refused('AMOUNT_MISMATCH')
  return { items: isMissing(unit.items) ? null : (unit.items as unknown[]), breakdown }
}

const withDocuments = (account: Account, ...documents: Document[]): Account => ({
  ...account,
  documents: new Map([...account.documents, ...documents.map(one => [one.id, one] as const)]),
})
const withEffect = (account: Account, { payment, operations }: Effect): Account => ({
  ...account,
  payments: new Map([...account.payments, [payment.id, payment]]),
  operations: new Map([...account.operations, ...operations.map(one => [one.id, one] as const)]),
  names: payment.document === undefined ? account.names : new Map([...account.names, [payment.document, payment.id]]),
})

/** The cardholder names that PayPal's sandbox declines, with the response code of each. */
const triggers: Record<string, [card: CardName, response: string]> = {
  'CCREJECT-REFUSED': ['declined', '0500'],
  'CCREJECT-SF': ['declined', '9500'],
  'CCREJECT-EC': ['expired', '5400'],
  'CCREJECT-IRC': ['declined', '5180'],
  'CCREJECT-IF': ['insufficient_funds', '5120'],
  'CCREJECT-LS': ['lost', '9520'],
  'CCREJECT-IA': ['declined', '1330'],
  'CCREJECT-BANK_ERROR': ['declined', '5100'],
  'CCREJECT-CVV_F': ['incorrect_cvc', '00N7'],
}

const CARD = 'number expiry security_code name billing_address attributes stored_credential vault_id experience_context'
const AGREED = 'payment_initiator payment_type usage previous_network_transaction_reference'
const EXPERIENCE = 'brand_name return_url cancel_url user_action shipping_preference locale landing_page'

/** Reads the payment source of an order. `back` contains the URLs to which the payer returns. */
function sourceIn(body: Body, account: Account): { source: Source; back: Body } {
  const sources = part(body, 'payment_source', 'card paypal')
  const wallet = part(sources, 'paypal', 'email_address experience_context attributes vault_id stored_credential')
  if (!isMissing(sources.paypal)) {
    const back = part(wallet, 'experience_context', EXPERIENCE)
    const vault_id = text(wallet, 'vault_id')
    part(wallet, 'stored_credential', 'payment_initiator charge_pattern usage_pattern usage')
    const vault = part(part(wallet, 'attributes', 'vault customer'), 'vault', 'store_in_vault usage_type description')
    if (vault_id !== null) return { source: { ...keptIn(account, vault_id, 'paypal'), by: 'mandate', three_ds: 'skip' }, back }
    return {
      source: {
        kind: 'paypal',
        card: { name: 'approved', masked: 'paypal', cvc: 'missing', expires: '9999-12' },
        response: null,
        vault: vault.store_in_vault === 'ON_SUCCESS',
        by: null,
        three_ds: 'challenge',
      },
      back,
    }
  }
  if (isMissing(sources.card)) throw refused('NO_PAYMENT_SOURCE_PROVIDED')
  const card = only(sources.card as Body, CARD)
  part(card, 'billing_address', ADDRESS)
  const agreed = part(card, 'stored_credential', AGREED)
  const attributes = part(card, 'attributes', 'vault verification customer')
  const three_ds = part(attributes, 'verification', 'method').method === undefined ? ('skip' as const) : ('challenge' as const)
  const vault = part(attributes, 'vault', 'store_in_vault').store_in_vault === 'ON_SUCCESS'
  const back = part(card, 'experience_context', 'return_url cancel_url')
  const merchant = agreed.payment_initiator === 'MERCHANT'
  if (merchant && !isMissing(card.security_code)) throw refused('MERCHANT_INITIATED_WITH_SECURITY_CODE')
  const vault_id = text(card, 'vault_id')
  if (vault_id !== null) return { source: { ...keptIn(account, vault_id, 'card'), by: merchant ? 'mandate' : null, three_ds }, back }
  const number = need(card, 'number', 19)
  if (!/^\d{13,19}$/.test(number) || !luhn(number)) throw refused('CARD_NUMBER_INVALID')
  const expires = need(card, 'expiry', 7)
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(expires)) throw invalid('INVALID_PARAMETER_SYNTAX')
  const cvc = text(card, 'security_code', 4) === null ? 'missing' : 'sent'
  const trigger = triggers[text(card, 'name', 300) ?? '']
  const name = trigger?.[0] ?? cardOf(number)
  const previous = part(agreed, 'previous_network_transaction_reference', 'id date network').id
  const by = merchant ? (previous === undefined ? 'mandate' : 'network_transaction_id') : null
  if (by === 'mandate') throw refused('MISSING_PREVIOUS_REFERENCE')
  return {
    source: { kind: 'card', card: { name, masked: mask(number), cvc, expires }, response: trigger?.[1] ?? null, vault, by, three_ds },
    back,
  }
}

function keptIn(account: Account, id: string, kind: Source['kind']): Pick<Source, 'kind' | 'card' | 'response' | 'vault'> {
  const vault = noteOf<VaultNote>(account, id, 'paypal_vault')
  if (vault?.kind !== kind) throw refused('TOKEN_ID_NOT_FOUND')
  return { kind, card: vault.card, response: null, vault: false }
}

/** Returns the fault of an order's card. */
function faultIn(account: Account, id: string, body: Body) {
  try {
    const source = isMissing(body.payment_source) ? noteOf<OrderNote>(account, id, 'paypal_order')?.source : sourceIn(body, account).source
    return source ? behaviourOf(source.card.name).fault : undefined
  } catch {
    return undefined
  }
}

function confirm(asked: ApiCall): CallResult {
  const order = orderIn(asked)
  if (paymentOf(asked.account, order)) throw refused('ORDER_CANNOT_BE_CONFIRMED')
  only(asked.body, 'payment_source processing_instruction')
  return confirmed(asked, order, 200)
}

/** Whether the payer has no action to take at PayPal. */
const paysAtOnce = ({ kind, by, three_ds, card }: Source): boolean =>
  kind === 'paypal' ? by !== null : three_ds !== 'challenge' || behaviourOf(card.name).challenge === undefined

/**
 * Confirms the payment source of an order. If the payer must act at PayPal, the order has a page for the payer. No
 * money moves.
 */
function confirmed(asked: ApiCall, order: OrderNote, status: number): CallResult {
  const { account, turn, body } = asked
  const { source, back } = sourceIn(body, account)
  const with_: OrderNote = { ...order, source, cancel_url: text(back, 'cancel_url', 4000) }
  if (paysAtOnce(source)) {
    const after = withDocuments(account, with_)
    return { change: { documents: [with_] }, status, body: showOrder({ ...asked, account: after }, with_) }
  }
  const effect = authorizeBy(with_, turn, need(back, 'return_url', 4000), 'request')
  const after = withEffect(withDocuments(account, with_), effect)
  return { change: { ...effect, documents: [with_] }, status, body: showOrder({ ...asked, account: after }, with_) }
}

function authorizeBy(order: OrderNote, turn: ApiCall['turn'], return_url: string | null, three_ds: AuthorizeRequest['three_ds']): Effect {
  const source = order.source!
  const course = three_ds === 'request' ? ('redirect' as const) : ('at once' as const)
  const effect = authorize(
    {
      reference: order.custom_id ?? order.id,
      amount: order.amount,
      currency: order.currency,
      capture: order.intent === 'CAPTURE' ? 'automatic' : 'manual',
      card: source.card,
      ...(source.kind === 'paypal' && { method: { family: 'wallet', way: 'paypal_redirect', course, life_ms: ORDER_LIFE_MS } }),
      three_ds,
      return_url,
      allow_partial: false,
      ...(source.by !== null && { by: source.by }),
    },
    turn,
  )
  return { ...effect, payment: { ...effect.payment, dialect: 'paypal', document: order.id } }
}

const WALLET = 'description usage_pattern usage_type customer_type permit_multiple_payment_tokens shipping experience_context'

/** Creates a setup token, without a charge: the payer approves at PayPal, or the issuer is asked about the card. */
function createSetup(asked: ApiCall): CallResult {
  const { account, turn, body } = asked
  only(body, 'customer payment_source')
  const sources = part(body, 'payment_source', 'card paypal')
  const wallet = part(sources, 'paypal', WALLET)
  const card = part(sources, 'card', 'number expiry security_code name billing_address verification_method experience_context')
  const { verification_method, ...number } = card
  if (!['SCA_ALWAYS', 'SCA_WHEN_REQUIRED', undefined].includes(verification_method as string)) throw invalid('INVALID_PARAMETER_VALUE')
  const attributes = verification_method !== undefined && { attributes: { verification: { method: verification_method } } }
  const source = isMissing(sources.paypal)
    ? { card: { ...number, ...attributes } }
    : { paypal: { experience_context: wallet.experience_context } }
  const setup: OrderNote = {
    ...{ id: draw(turn.context, 17), object: 'paypal_order', isSetup: true, intent: 'CAPTURE', amount: 0, currency: 'USD' },
    ...{ custom_id: requestId(asked), invoice_id: null, created: turn.at, source: null, cancel_url: null, items: null, breakdown: null },
  }
  const { source: of, back } = sourceIn({ payment_source: source }, account)
  const with_: OrderNote = { ...setup, source: of, cancel_url: text(back, 'cancel_url', 4000) }
  const effect = paysAtOnce(of)
    ? authorizeBy(with_, turn, null, 'skip')
    : authorizeBy(with_, turn, need(back, 'return_url', 4000), 'request')
  if (effect.operations[0].status === 'declined')
    return { change: { ...effect, documents: [with_] }, ...errorResponse(refused('PAYMENT_SOURCE_DECLINED_BY_PROCESSOR')) }
  const after = withEffect(withDocuments(account, with_), effect)
  return { change: { ...effect, documents: [with_] }, status: 201, body: showSetup({ ...asked, account: after }, with_) }
}

/** Exchanges an approved setup token for a payment token, once. */
function keep(asked: ApiCall): CallResult {
  const { account, turn, body } = asked
  only(body, 'customer payment_source')
  const token = part(part(body, 'payment_source', 'token'), 'token', 'id type')
  if (token.type !== 'SETUP_TOKEN') throw invalid('INVALID_PARAMETER_VALUE')
  const setup = orderIn({ ...asked, params: { id: need(token, 'id') } }, 'setup')
  const payment = paymentOf(account, setup)!
  if ([...account.documents.values()].some(one => (one as VaultNote).object === 'paypal_vault' && (one as VaultNote).order === setup.id))
    throw refused('TOKEN_ALREADY_TOKENIZED')
  const effect = payment.phase === 'challenge' ? approvedBy(account, payment, turn) : null
  if (effect?.operations[0].status === 'declined') return { change: effect, ...errorResponse(refused('INSTRUMENT_DECLINED')) }
  const vault = vaultOf(setup, turn)
  const after = withDocuments(effect ? withEffect(account, effect) : account, vault)
  return { change: { ...effect, documents: [vault] }, status: 201, body: showToken({ account: after }, setup, vault) }
}

/** Returns the call that captures or authorizes an order, which is the request that moves money. */
function pay(how: 'capture' | 'authorize'): Act {
  const act: Act = asked => {
    const { account, turn, body } = asked
    only(body, 'payment_source')
    const before = orderIn(asked)
    if (before.intent !== (how === 'capture' ? 'CAPTURE' : 'AUTHORIZE')) throw refused('ACTION_DOES_NOT_MATCH_INTENT')
    const payment = paymentOf(account, before)
    if (payment && payment.phase !== 'challenge') throw refused(how === 'capture' ? 'ORDER_ALREADY_CAPTURED' : 'ORDER_ALREADY_AUTHORIZED')
    const order: OrderNote = isMissing(body.payment_source) ? before : { ...before, source: sourceIn(body, account).source }
    if (!order.source) throw refused('ORDER_NOT_APPROVED')
    const effect = payment ? approvedBy(account, payment, turn) : paidAtOnce(order, turn)
    const [operation] = effect.operations
    const vault = order.source.vault && operation.status === 'approved' ? [vaultOf(order, turn)] : []
    const documents: Document[] = [order, ...vault]
    const after = withEffect(withDocuments(account, ...documents), effect)
    // A declined wallet is an error, after which the payer may choose another funding source. A declined card
    // completes the order, with a declined payment.
    const isRefused = operation.status === 'declined' && order.source.kind === 'paypal'
    const reply = isRefused
      ? errorResponse(refused('INSTRUMENT_DECLINED'))
      : { status: 201, body: showOrder({ ...asked, account: after }, order) }
    return { change: { ...effect, documents }, ...reply }
  }
  Object.defineProperty(act, 'name', { value: how })
  return act
}

function paidAtOnce(order: OrderNote, turn: ApiCall['turn']): Effect {
  const { kind, by, card, three_ds } = order.source!
  if (kind === 'paypal' && by === null) throw refused('ORDER_NOT_APPROVED')
  if (three_ds === 'challenge' && by === null && behaviourOf(card.name).challenge !== undefined) throw refused('PAYER_ACTION_REQUIRED')
  return authorizeBy(order, turn, null, 'skip')
}

/** Pays an order that the payer has approved. */
function approvedBy(account: Account, payment: Payment, turn: ApiCall['turn']): Effect {
  const note = noteOf<ApprovalNote>(account, `approval ${payment.id}`, 'paypal_approval')
  if (note?.answer !== 'accept') throw refused(payment.method ? 'ORDER_NOT_APPROVED' : 'PAYER_ACTION_REQUIRED')
  const does = behaviourOf(payment.card)
  const verdict = turn.ordered === 'decline' ? 'card_declined' : (does.challenge ?? does.authorize ?? 'approved')
  return decideOperation(payment, account.operations.get(payment.id)!, verdict, turn)
}

const vaultOf = ({ id, source }: OrderNote, turn: ApiCall['turn']): VaultNote => ({
  id: draw(turn.context, 10).toLowerCase(),
  object: 'paypal_vault',
  kind: source!.kind,
  card: source!.card,
  order: id,
})

const operationOf = (account: Account, id: string, ...types: Operation['type'][]): Operation => {
  const found = [...account.operations.values()].find(one => types.includes(one.type) && idOf(one.id) === id)
  if (!found || account.payments.get(found.payment)?.dialect !== 'paypal') throw new Refusal('not_found', 'INVALID_RESOURCE_ID')
  return found
}

type Held = { order: OrderNote; payment: Payment; authorization: Operation }
function heldIn({ account, params }: ApiCall): Held {
  const found = operationOf(account, params.id!, 'authorization', 'extension')
  const payment = account.payments.get(found.payment)!
  const order = noteOf<OrderNote>(account, payment.document!, 'paypal_order')!
  if (order.intent !== 'AUTHORIZE' || payment.phase === 'challenge') throw new Refusal('not_found', 'INVALID_RESOURCE_ID')
  return { order, payment, authorization: account.operations.get(payment.id)! }
}

function readAuthorization(asked: ApiCall): CallResult {
  const { order, payment, authorization } = heldIn(asked)
  return { body: showHold(asked, order, payment, authorization) }
}

function captureHold(asked: ApiCall): CallResult {
  const { account, body, turn } = asked
  const { order, payment } = heldIn(asked)
  only(body, 'amount invoice_id final_capture note_to_payer soft_descriptor')
  if (payment.phase === 'voided' || payment.phase === 'expired') throw refused('AUTHORIZATION_VOIDED')
  if (payment.phase !== 'open') throw refused('AUTHORIZATION_ALREADY_CAPTURED')
  const amount = isMissing(body.amount) ? payment.authorized - payment.captured : amountIn(body.amount).amount
  if (!isMissing(body.amount) && amountIn(body.amount).currency !== payment.currency) throw refused('AUTH_CAPTURE_CURRENCY_MISMATCH')
  const reference = text(body, 'invoice_id') ?? requestId(asked)
  const effect = capture(payment, { reference, amount, final: body.final_capture === true }, turn)
  const after = withEffect(account, effect)
  return { change: effect, status: 201, body: showCapture({ ...asked, account: after }, order, effect.payment, effect.operations[0]) }
}

function voidHold(asked: ApiCall): CallResult {
  const { account, turn } = asked
  const { order, payment, authorization } = heldIn(asked)
  if (payment.phase === 'voided' || payment.phase === 'expired') throw refused('PREVIOUSLY_VOIDED')
  if (payment.phase === 'captured') throw refused('PREVIOUSLY_CAPTURED')
  const effect = voidPayment(payment, authorization, { reference: requestId(asked) }, turn)
  if (effect.operations[0].status === 'declined') return { change: effect, ...errorResponse(refused('VOID_DECLINED')) }
  const hold = showHold({ ...asked, account: withEffect(account, effect) }, order, effect.payment, authorization)
  // By default PayPal answers without a body.
  if (asked.headers.prefer !== 'return=representation') return { change: effect, status: 204, body: Buffer.alloc(0) }
  return { change: effect, body: { ...hold, id: asked.params.id } }
}

function reauthorize(asked: ApiCall): CallResult {
  const { account, turn, body } = asked
  const { order, payment, authorization } = heldIn(asked)
  only(body, 'amount')
  if (payment.method === undefined) throw refused('REAUTHORIZATION_NOT_SUPPORTED')
  if ([...account.operations.values()].some(one => one.payment === payment.id && one.type === 'extension' && one.status === 'approved'))
    throw refused('MAX_AUTHORIZATION_COUNT_EXCEEDED')
  const effect = extend(payment, { reference: requestId(asked) }, turn)
  const [operation] = effect.operations
  if (operation.status === 'declined') return { change: effect, ...errorResponse(refused('AUTHORIZATION_DENIED')) }
  const renewed = { ...authorization, id: operation.id }
  return { change: effect, status: 201, body: showHold({ ...asked, account: withEffect(account, effect) }, order, effect.payment, renewed) }
}

function capturedIn({ account, params }: ApiCall) {
  const operation = operationOf(account, params.id!, 'capture', 'authorization')
  const payment = account.payments.get(operation.payment)!
  const order = noteOf<OrderNote>(account, payment.document!, 'paypal_order')!
  if (operation.status !== 'approved' || (operation.type === 'authorization' && order.intent !== 'CAPTURE'))
    throw new Refusal('not_found', 'INVALID_RESOURCE_ID')
  return { operation, payment, order }
}

function readCapture(asked: ApiCall): CallResult {
  const { order, payment, operation } = capturedIn(asked)
  return { body: showCapture(asked, order, payment, operation) }
}

function refundCapture(asked: ApiCall): CallResult {
  const { account, body, turn, params } = asked
  only(body, 'amount custom_id invoice_id note_to_payer')
  const { payment, operation } = capturedIn(asked)
  const before = [...account.operations.values()].filter(
    one =>
      one.type === 'refund' &&
      (one.status === 'approved' || one.status === 'pending') &&
      noteOf<RefundNote>(account, `refund ${one.id}`, 'paypal_refund')?.capture === params.id,
  )
  const left = operation.amount - before.reduce((sum, one) => sum + one.amount, 0)
  const amount = isMissing(body.amount) ? left : amountIn(body.amount).amount
  if (left === 0) throw refused('CAPTURE_FULLY_REFUNDED')
  if (amount > left) throw refused('REFUND_AMOUNT_EXCEEDED')
  const [custom_id, invoice_id, payer] = [text(body, 'custom_id'), text(body, 'invoice_id'), text(body, 'note_to_payer', 255)]
  if (!isMissing(body.amount) && amountIn(body.amount).currency !== payment.currency) throw refused('REFUND_CAPTURE_CURRENCY_MISMATCH')
  // A case that is open admits a refund of the whole only; the chargeback of a card admits none.
  if (payment.disputed) throw refused(payment.method && amount < left ? 'TRANSACTION_DISPUTED' : 'REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK')
  const effect = refund(payment, { reference: custom_id ?? requestId(asked), amount, reason: null }, turn)
  const [made] = effect.operations
  const names = { ...(custom_id !== null && { custom_id }), ...(invoice_id !== null && { invoice_id }) }
  const note: RefundNote = {
    ...{ id: `refund ${made.id}`, object: 'paypal_refund', capture: params.id!, names },
    ...(payer !== null && { note: payer }),
  }
  const after = withDocuments(withEffect(account, effect), note)
  return { change: { ...effect, documents: [note] }, status: 201, body: showRefund({ ...asked, account: after }, made) }
}

function readRefund(asked: ApiCall): CallResult {
  return { body: showRefund(asked, operationOf(asked.account, asked.params.id!, 'refund')) }
}

function createPayout(asked: ApiCall): CallResult {
  const { account, body, turn } = asked
  only(body, 'sender_batch_header items')
  const header = part(body, 'sender_batch_header', 'sender_batch_id email_subject email_message note recipient_type')
  const [item] = Array.isArray(body.items) ? body.items : []
  if (!isRecord(item) || (body.items as unknown[]).length !== 1) throw invalid('VALIDATION_ERROR')
  only(item, 'recipient_type recipient_wallet amount receiver sender_item_id note')
  if (!['EMAIL', 'PHONE', 'PAYPAL_ID'].includes(need(item, 'recipient_type'))) throw invalid('VALIDATION_ERROR')
  const reference = need(header, 'sender_batch_id', 256)
  if ([...account.operations.values()].some(one => one.type === 'payout' && one.reference === reference))
    throw invalid('USER_BUSINESS_ERROR')
  const { amount, currency } = amountIn(item.amount, 'currency')
  const effect = payOut(readPayout({ reference, amount, currency, to: { type: 'wallet', account: need(item, 'receiver') } }), turn)
  const payment: Payment = { ...effect.payment, dialect: 'paypal' }
  const after = withEffect(account, { ...effect, payment })
  return { change: { ...effect, payment }, status: 201, body: showBatch(after, effect.operations[0], 'at first') }
}

const payoutIn = ({ account }: ApiCall, id: string): Operation => operationOf(account, id, 'payout')

function cancelItem(asked: ApiCall): CallResult {
  const { account, turn } = asked
  const payout = payoutIn(asked, asked.params.id!.slice(1))
  if (payout.status !== 'pending' || isClaimed(payout)) throw invalid('ITEM_NOT_CANCELLABLE')
  const effect = cancelPayout(account.payments.get(payout.payment)!, payout, { reference: `cancel ${payout.reference}` }, turn)
  if (effect.operations[0].status === 'declined') return { change: effect, ...errorResponse(invalid('ITEM_NOT_CANCELLABLE')) }
  const after = withEffect(account, effect)
  return { change: effect, body: showItem(after, after.operations.get(payout.id)!, false) }
}

/** Verifies the signature of a webhook for the webhook id that the merchant sends. */
function verifySignature({ account, body }: ApiCall): CallResult {
  only(body, 'auth_algo cert_url transmission_id transmission_sig transmission_time webhook_id webhook_event')
  const { webhook_secret } = account.settings
  const expected = signatureOf(
    need(body, 'transmission_id'),
    need(body, 'transmission_time'),
    webhook_secret ?? '',
    JSON.stringify(body.webhook_event),
  )
  const good = webhook_secret !== null && body.webhook_id === webhook_secret && body.transmission_sig === expected
  return { body: { verification_status: good ? 'SUCCESS' : 'FAILURE' } }
}

/**
 * Returns the data that a payer brings back from PayPal's page. The order is paid only when the merchant requests it.
 */
export function returned(account: Account, operation: Operation, answer: 'accept' | 'reject') {
  const payment = account.payments.get(operation.payment)!
  const order = noteOf<OrderNote>(account, payment.document!, 'paypal_order')!
  const known = noteOf<ApprovalNote>(account, `approval ${payment.id}`, 'paypal_approval')
  const note: ApprovalNote = known ?? { id: `approval ${payment.id}`, object: 'paypal_approval', answer }
  const accepted = note.answer === 'accept'
  // The decision of a payer who cancels at a wallet is not recorded, because the payer may come back.
  const kept = known || (!accepted && payment.method)
  return {
    documents: kept ? [] : [note],
    parameters: { token: order.id, ...(accepted && payment.method && { PayerID: 'QYR5Z8XDVJNXQ' }) },
    waits: true as const,
    ...(!accepted && order.cancel_url !== null && { address: order.cancel_url }),
    ...(accepted &&
      !known &&
      !order.isSetup && { events: [{ operation: payment.id, type: 'CHECKOUT.ORDER.APPROVED', document: order.id }] }),
  }
}
