import { Secret } from '../../base/secret.ts'
import type { Reply, Request } from '../../context.ts'
import type { Account, AuthorizeRequest, Conversation, OrderRequest, RequestOf } from '../connector.ts'
import { type FetchToken, withToken } from '../conversation.ts'
import { type Counting, whyNotCounted } from '../counting.ts'
import type { Other, Recipient } from '../instrument.ts'
import { credentialOf, credentialsOf } from '../kit/credentials.ts'
import { majorOf } from '../kit/decimal.ts'
import { type ParsedReply, parseReply, type ReplyReader } from '../kit/parse-reply.ts'
import { isRecord, readJson } from '../kit/read.ts'
import { baseOf, basicOf, bearerOf } from '../kit/request.ts'
import { looksLikeEmail, nameIn, shortened } from '../kit/text.ts'
import type { Place, Purchase } from '../purchase.ts'

/** Absent members are left out. */

export type PaypalTakes = 'wallet' | 'card' | 'stored_card' | 'network_transaction_id'
export type Ask = AuthorizeRequest<PaypalTakes>

/** developer.paypal.com, currency codes. PayPal refuses decimals for HUF and TWD. */
export const counting = {
  currencies: [
    ...(['AUD', 'BRL', 'CAD', 'CHF', 'CNY', 'CZK', 'DKK', 'EUR', 'GBP', 'HKD', 'HUF', 'ILS'] as const),
    ...(['JPY', 'MXN', 'MYR', 'NOK', 'NZD', 'PHP', 'PLN', 'SEK', 'SGD', 'THB', 'TWD', 'USD'] as const),
  ],
  decimals: { HUF: 0, TWD: 0 },
  steps: {},
} satisfies Counting

type Money = AuthorizeRequest['money']
const decimalOf = (money: Money): string => (money.currency in counting.decimals ? majorOf(money).split('.')[0]! : majorOf(money))
export const amountOf = (money: Money) => ({ currency_code: money.currency, value: decimalOf(money) })
type Amount = ReturnType<typeof amountOf>

const fetchToken = (account: Account): FetchToken =>
  function* () {
    const reply = yield {
      method: 'POST',
      url: `${baseOf(account)}/v1/oauth2/token`,
      headers: {
        authorization: basicOf(credentialOf(account, 'key1'), credentialOf(account)),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    }
    if (reply.is !== 'reply') return { is: 'unavailable', why: reply.why }
    const body = readJson(reply.body)
    if (reply.status === 401 && isRecord(body) && body.error === 'invalid_client')
      return { is: 'refused', message: 'the client ID or its secret is not valid' }
    if (reply.status !== 200 || !isRecord(body) || typeof body.access_token !== 'string' || typeof body.expires_in !== 'number')
      return { is: 'unavailable', why: `no access token (HTTP ${reply.status})` }
    return { is: 'granted', token: new Secret(body.access_token), expires_in_s: body.expires_in }
  }

/** `key`: the idempotency key. `text`: sent unchanged. `bytes`: a form of the content type `type`. */
type Payload = { body?: object; text?: string; bytes?: Buffer; type?: string; key?: string }

export function* sayToPaypal<Answer>(
  account: Account,
  path: string,
  read: ReplyReader<Answer>,
  payload?: Payload,
  secrets: readonly Secret[] = [],
): Conversation<ParsedReply<Answer>> {
  const request = (token: Secret): Request => ({
    method: payload ? 'POST' : 'GET',
    url: baseOf(account) + path,
    headers: {
      authorization: bearerOf(token),
      ...(payload && { 'content-type': payload.type ?? 'application/json', prefer: 'return=representation' }),
      ...(payload?.key !== undefined && { 'paypal-request-id': payload.key }),
    },
    ...(payload && (payload.bytes ? { bytes: payload.bytes } : { body: payload.text ?? JSON.stringify(payload.body ?? {}) })),
  })
  const reply: Reply | { is: 'refused'; message: string } | { is: 'unavailable'; why: string } = yield* withToken(
    fetchToken(account),
    request,
  )
  if (reply.is === 'refused') return { is: 'refused', as: 'configuration', code: 'invalid_client', message: reply.message }
  // Without a token nothing was sent.
  if (reply.is === 'unavailable') return { is: 'not_sent', why: reply.why }
  return parseReply(reply, [...credentialsOf(account), ...secrets], read)
}

const intentOf = (capture: Ask['capture']) => (capture === 'automatic' ? 'CAPTURE' : 'AUTHORIZE')

export const paypalAddress = ({ line1, line2, city, state, zip, country }: Place) => ({
  ...(line1 && { address_line_1: shortened(line1, 300) }),
  ...(line2 && { address_line_2: shortened(line2, 300) }),
  ...(city && { admin_area_2: shortened(city, 120) }),
  ...(state && { admin_area_1: shortened(state, 300) }),
  ...(zip && { postal_code: shortened(zip, 60) }),
  country_code: country!,
})

/** Only if it is complete. */
function shippingOf({ purchase }: Ask) {
  const place = purchase?.shipping
  const full_name = place && nameIn(place)
  if (!place?.line1 || !place.city || !place.country) return null
  return { ...(full_name && { name: { full_name: shortened(full_name, 300) } }), address: paypalAddress(place) }
}

/** Line items only if they add up: PayPal refuses others. */
function linedAmount(money: Money, purchase: Purchase = {}) {
  const { lines = [], costs = {}, on_top = {} } = purchase
  const of = (amount: number) => amountOf({ amount, currency: money.currency })
  const whole = { ...costs, ...on_top }
  const items = lines.filter(({ quantity }) => quantity > 0)
  const sum = items.reduce((all, { quantity, amount }) => all + quantity * amount, 0)
  const parts = [
    { shipping: whole.shipping ?? 0, tax_total: whole.tax ?? 0, handling: whole.surcharge ?? 0, discount: whole.discount ?? 0 },
    { shipping: 0, tax_total: 0, handling: 0, discount: 0 },
  ].find(({ shipping, tax_total, handling, discount }) => sum + shipping + tax_total + handling - discount === money.amount)
  const amounts = [...items.map(({ amount }) => amount), ...Object.values(parts ?? {})]
  const isCountable = amounts.every(amount => whyNotCounted(counting, { amount, currency: money.currency }) === null)
  if (!parts || !isCountable || items.length === 0 || items.some(({ product_name }) => product_name.trim() === ''))
    return { amount: of(money.amount) }
  const besides = Object.fromEntries(Object.entries(parts).flatMap(([name, amount]) => (amount > 0 ? [[name, of(amount)]] : [])))
  return {
    amount: { ...of(money.amount), breakdown: { item_total: of(sum), ...(besides as Partial<Record<keyof typeof parts, Amount>>) } },
    items: items.map(({ product_name, quantity, amount, sku, product_type }) => ({
      name: shortened(product_name, 127),
      quantity: String(quantity),
      unit_amount: of(amount),
      ...(sku && { sku: shortened(sku, 127) }),
      ...(product_type === 'physical' && { category: 'PHYSICAL_GOODS' as const }),
      ...(product_type === 'digital' && { category: 'DIGITAL_GOODS' as const }),
    })),
  }
}

export function orderBody(ask: Ask) {
  const { request_id, money, capture, statement_descriptor, purchase } = ask
  const shipping = shippingOf(ask)
  return {
    intent: intentOf(capture),
    purchase_units: [
      {
        // PayPal returns `custom_id` everywhere, also in disputes; it accepts each `invoice_id` only once.
        custom_id: request_id,
        invoice_id: request_id,
        ...linedAmount(money, purchase),
        ...(purchase?.description && { description: shortened(purchase.description, 127) }),
        ...(statement_descriptor && { soft_descriptor: shortened(statement_descriptor, 22) }),
        ...(shipping && { shipping }),
      },
    ],
  } as const
}

/** PayPal does not learn which payment the order belongs to. */
export const buttonOrderBody = ({ money, capture }: OrderRequest) =>
  ({ intent: intentOf(capture), purchase_units: [{ amount: amountOf(money) }] }) as const

const categories = { recurring: 'RECURRING', installment: 'RECURRING', unscheduled: 'UNSCHEDULED', resubmission: 'UNSCHEDULED' } as const

function agreementOf({ instrument, stored_credential }: Ask) {
  if (stored_credential?.is === 'used')
    return {
      payment_initiator: 'MERCHANT',
      payment_type: categories[stored_credential.mit_category],
      usage: 'SUBSEQUENT',
      ...(instrument.is === 'network_transaction_id' && {
        previous_network_transaction_reference: { id: instrument.network_transaction_id },
      }),
    } as const
  if (instrument.is === 'stored_card') return { payment_initiator: 'CUSTOMER', payment_type: 'ONE_TIME', usage: 'SUBSEQUENT' } as const
  if (stored_credential === null) return null
  const payment_type = stored_credential.usage === 'off_session' ? 'UNSCHEDULED' : 'ONE_TIME'
  return { payment_initiator: 'CUSTOMER', payment_type, usage: 'FIRST' } as const
}

export const keepsForLater = ({ stored_credential }: Ask): boolean => stored_credential?.is === 'made' && stored_credential.store !== false

function cancelUrlOf({ return_url }: Ask): string {
  const url = new URL(return_url)
  url.searchParams.set('cancelled', 'true')
  return url.href
}
export const waysBack = (ask: Ask) => ({ return_url: ask.return_url, cancel_url: cancelUrlOf(ask) })

export function numberedCard(instrument: Ask['instrument']) {
  const { number, exp_month, exp_year, holder } = instrument as Extract<typeof instrument, { exp_year: number }>
  return {
    number: number.reveal(),
    expiry: `${exp_year}-${String(exp_month).padStart(2, '0')}`,
    ...(instrument.is === 'card' && instrument.cvc && { security_code: instrument.cvc.reveal() }),
    ...(holder && { name: shortened(holder, 300) }),
  }
}

/** `challenged`: the cardholder is authenticated at PayPal first. */
function cardOf(ask: Ask, challenged: boolean) {
  const { instrument, purchase } = ask
  const stored_credential = agreementOf(ask)
  const attributes = {
    ...(challenged && { verification: { method: 'SCA_ALWAYS' } as const }),
    ...(keepsForLater(ask) && { vault: { store_in_vault: 'ON_SUCCESS' } as const }),
  }
  const billing = purchase?.billing
  const common = {
    ...(Object.keys(attributes).length > 0 && { attributes }),
    ...(stored_credential && { stored_credential }),
    ...(challenged && { experience_context: waysBack(ask) }),
  }
  if (instrument.is === 'stored_card') {
    const { reference: vault_id, cvc } = instrument
    return { vault_id, ...(cvc && ask.stored_credential?.is !== 'used' && { security_code: cvc.reveal() }), ...common }
  }
  return { ...numberedCard(instrument), ...(billing?.country && { billing_address: paypalAddress(billing) }), ...common }
}

const patterns = {
  recurring: 'RECURRING_POSTPAID',
  installment: 'INSTALLMENT_POSTPAID',
  unscheduled: 'UNSCHEDULED_POSTPAID',
  resubmission: 'UNSCHEDULED_POSTPAID',
} as const

const keptWallet = (vault_id: string, { stored_credential }: Ask) =>
  ({
    vault_id,
    stored_credential: {
      payment_initiator: 'MERCHANT',
      usage: 'SUBSEQUENT',
      usage_pattern: patterns[stored_credential?.is === 'used' ? stored_credential.mit_category : 'unscheduled'],
    },
  }) as const

function walletOf(ask: Ask, { secrets }: Other) {
  const email = [secrets.email?.reveal(), ask.purchase?.buyer?.email, ask.purchase?.billing?.email].find(looksLikeEmail)
  return {
    ...(email && { email_address: email }),
    ...(keepsForLater(ask) && { attributes: { vault: { store_in_vault: 'ON_SUCCESS', usage_type: 'MERCHANT' } as const } }),
    experience_context: {
      brand_name: shortened(ask.merchant_name, 127),
      user_action: 'PAY_NOW' as const,
      shipping_preference: shippingOf(ask) ? ('SET_PROVIDED_ADDRESS' as const) : ('NO_SHIPPING' as const),
      ...waysBack(ask),
    },
  }
}

export function sourceBody(ask: Ask, challenged: boolean) {
  const { instrument } = ask
  if (instrument.is === 'wallet') return { payment_source: { paypal: walletOf(ask, instrument) } }
  if (instrument.is === 'stored_card' && instrument.of) return { payment_source: { paypal: keptWallet(instrument.reference, ask) } }
  return { payment_source: { card: cardOf(ask, challenged) } }
}

export const paypalCaptureBody = ({ request_id, money, rest, statement_descriptor }: RequestOf<'capture'>) => ({
  amount: amountOf(money),
  invoice_id: request_id,
  final_capture: rest === 'release',
  ...(statement_descriptor && { soft_descriptor: shortened(statement_descriptor, 22) }),
})

export const paypalRefundBody = ({ request_id, money }: RequestOf<'refund'>) => ({
  amount: amountOf(money),
  custom_id: request_id,
  invoice_id: request_id,
})

const receivers = { email: 'EMAIL', telephone_number: 'PHONE', paypal_id: 'PAYPAL_ID' } as const
type WalletRecipient = Extract<Recipient, { is: 'wallet' }>

/** Null: PayPal does not support this recipient. */
export function paypalPayoutBody(
  { request_id, money, merchant_name, description }: RequestOf<'payout'>,
  { type, by, account }: WalletRecipient,
) {
  if (by === 'card' || (type !== 'paypal' && type !== 'venmo')) return null
  return {
    sender_batch_header: {
      sender_batch_id: request_id,
      email_subject: shortened(`You have a payout from ${merchant_name}`, 255),
    },
    items: [
      {
        recipient_type: receivers[by],
        recipient_wallet: type === 'venmo' ? ('VENMO' as const) : ('PAYPAL' as const),
        amount: { currency: money.currency, value: decimalOf(money) },
        receiver: account.reveal(),
        sender_item_id: request_id,
        ...(description && { note: shortened(description, 4000) }),
      },
    ],
  }
}
