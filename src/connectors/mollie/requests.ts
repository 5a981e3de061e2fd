import type { Money } from '../../base/money.ts'
import type { Request } from '../../context.ts'
import type { Account, AuthorizeRequest, RequestOf } from '../connector.ts'
import type { Counting } from '../counting.ts'
import { credentialOf } from '../kit/credentials.ts'
import { majorOf } from '../kit/decimal.ts'
import { isAddress } from '../kit/read.ts'
import { baseOf, bearerOf, getRequest, jsonRequest, uuidOf } from '../kit/request.ts'
import { looksLikeEmail, nameIn, shortened } from '../kit/text.ts'
import type { OrderLine, Place, Purchase } from '../purchase.ts'
import { type MollieDetails, type MollieFamily, type MollieRow, mollieCurrencies } from './offers.ts'

/** Absent members are left out. */

export const counting: Counting = { currencies: mollieCurrencies, decimals: {}, steps: {} }

export type MollieTakes = 'stored_card' | MollieFamily
export type MollieAsk = AuthorizeRequest<MollieTakes>

/** Mollie cannot search by it, but shows it in its lists. */
export const OUR_NAME = 'request_id'

const authorizationOf = (account: Account): string => bearerOf(credentialOf(account))
export const get = (account: Account, path: string): Request => getRequest(baseOf(account) + path, authorizationOf(account))

/** `of`: makes the idempotency key of a preparatory request differ from that of the main request. */
export const post = (account: Account, path: string, body: object, request_id: string, of = ''): Request =>
  jsonRequest('POST', baseOf(account) + path, authorizationOf(account), body, uuidOf(request_id + of))

export const deleteRequest = (account: Account, path: string, request_id: string): Request => ({
  method: 'DELETE',
  url: baseOf(account) + path,
  headers: { authorization: authorizationOf(account), 'idempotency-key': uuidOf(request_id) },
})

const amountOf = (money: Money) => ({ currency: money.currency, value: majorOf(money) })

/** Mollie stores about 1 kB. */
const MOST_METADATA = 1000

function metadataOf(request_id: string, metadata: Readonly<Record<string, string>> = {}): Record<string, string> {
  const all = { ...metadata, [OUR_NAME]: request_id }
  return JSON.stringify(all).length <= MOST_METADATA ? all : { [OUR_NAME]: request_id }
}

export const isToBeKept = ({ stored_credential }: Pick<MollieAsk, 'stored_credential'>): boolean =>
  stored_credential?.is === 'made' && stored_credential.usage === 'off_session' && stored_credential.store !== false

/** Mollie refuses other URLs, and the payment with them. */
const isReachable = (url: string): boolean =>
  !/^https?:\/\/(?:localhost|127\.|\[::1\]|10\.|172\.(?:1[6-9]|2\d|3[01])\.|192\.168\.)/.test(url)

/** Complete, or with an e-mail address: Mollie refuses others. */
function addressOf(place: Place, buyer: Purchase['buyer']) {
  const [givenName, ...others] = (nameIn(place) ?? buyer?.name ?? '').split(' ')
  const familyName = place.last_name ?? others.join(' ')
  const email = [place.email, buyer?.email].find(looksLikeEmail)
  const { line1, line2, city, state, zip, country } = place
  const phone = [place.phone, buyer?.phone].find(number => number !== undefined && /^\+\d{6,15}$/.test(number))
  const street = line1 && city && country ? { streetAndNumber: shortened(line1, 100), city: shortened(city, 100), country } : null
  if (!street && !email) return null
  return {
    ...(place.first_name || givenName ? { givenName: place.first_name ?? givenName } : {}),
    ...(familyName && { familyName }),
    ...street,
    ...(street && line2 && { streetAdditional: shortened(line2, 100) }),
    ...(street && zip && { postalCode: zip }),
    ...(street && state && { region: shortened(state, 100) }),
    ...(email && { email }),
    ...(phone && { phone }),
  }
}

const lineOf = (line: OrderLine, currency: Money['currency']) => {
  const price = (amount: number) => amountOf({ amount, currency })
  const less = (line.unit_discount_amount ?? 0) * line.quantity
  const { tax_rate, total_tax_amount, product_type, sku, product_img_link } = line
  return {
    ...(product_type && { type: product_type === 'physical' ? ('physical' as const) : ('digital' as const) }),
    description: shortened(line.product_name, 255),
    quantity: line.quantity,
    unitPrice: price(line.amount),
    ...(less > 0 && { discountAmount: price(less) }),
    totalAmount: price(line.amount * line.quantity - less),
    ...(tax_rate !== undefined && total_tax_amount !== undefined && { vatRate: tax_rate.toFixed(2), vatAmount: price(total_tax_amount) }),
    ...(sku && sku.length <= 64 && { sku }),
    ...(isAddress(product_img_link) && { imageUrl: product_img_link }),
  }
}

const onTopOfLines = { shipping: ['shipping_fee', 'Shipping'], tax: ['surcharge', 'Tax'], surcharge: ['surcharge', 'Surcharge'] } as const

/** The payment must equal their total, because a lender lends exactly that. */
function linesOf({ lines = [], on_top = {} }: Purchase, currency: Money['currency']) {
  const more = (Object.keys(onTopOfLines) as (keyof typeof onTopOfLines)[]).flatMap(part => {
    const amount = on_top[part] ?? 0
    const [type, description] = onTopOfLines[part]
    const price = amountOf({ amount, currency })
    return amount > 0 ? [{ type, description, quantity: 1, unitPrice: price, totalAmount: price }] : []
  })
  return lines.length > 0 ? { lines: [...lines.map(line => lineOf(line, currency)), ...more] } : {}
}

/** Customers may read `description` on their statement. */
const payment = (
  { request_id, money, statement_descriptor, merchant_name, metadata }: MollieAsk,
  purchase: Purchase,
  account: Account,
) => ({
  amount: amountOf(money),
  description: shortened(statement_descriptor ?? purchase.description ?? purchase.order_reference ?? merchant_name, 255),
  metadata: metadataOf(request_id, metadata),
  ...(account.webhook_url !== undefined && isReachable(account.webhook_url) && { webhookUrl: account.webhook_url }),
})

/** `customer`: for whom the payment method is saved; null if it is not. */
export const molliePaymentBody = (
  ask: MollieAsk,
  row: MollieRow,
  paying: NonNullable<ReturnType<MollieRow['ways'][string]>>,
  purchase: Purchase = {},
  customer: string | null,
  account: Account,
) => {
  const { billing = {}, shipping, buyer } = purchase
  const [to, from] = [addressOf(billing, buyer), shipping && addressOf(shipping, undefined)]
  return {
    ...payment(ask, purchase, account),
    ...paying,
    redirectUrl: ask.return_url,
    ...(ask.capture !== 'automatic' && { captureMode: 'manual' as const }),
    ...(customer !== null && { sequenceType: 'first' as const, customerId: customer }),
    ...(to && { billingAddress: to }),
    ...(from && 'streetAndNumber' in from && { shippingAddress: from }),
    ...(row.requires?.includes('lines') && linesOf(purchase, ask.money.currency)),
  }
}

export const chargeBody = (ask: MollieAsk, customerId: string, mandateId: string, account: Account) => ({
  ...payment(ask, ask.purchase ?? {}, account),
  sequenceType: 'recurring' as const,
  customerId,
  mandateId,
})

export const customerBody = (customer: string | null, buyer: Purchase['buyer'] = {}) => ({
  ...(buyer.name && { name: buyer.name }),
  ...(looksLikeEmail(buyer.email) && { email: buyer.email }),
  ...(customer !== null && { metadata: { customer } }),
})

export const mandateBody = ({ acceptance }: MollieAsk, details: MollieDetails, payer: string) => ({
  method: 'directdebit' as const,
  consumerName: details.bank_account_holder_name ?? details['billing_details.name'] ?? payer,
  consumerAccount: details.iban ?? '',
  ...(acceptance?.accepted_at && { signatureDate: acceptance.accepted_at.slice(0, 10) }),
})

export const mollieCaptureBody = ({ request_id, money, statement_descriptor }: RequestOf<'capture'>) => ({
  amount: amountOf(money),
  ...(statement_descriptor !== undefined && { description: shortened(statement_descriptor, 255) }),
  metadata: metadataOf(request_id),
})

export const mollieRefundBody = ({ request_id, money, reason, metadata }: RequestOf<'refund'>) => ({
  amount: amountOf(money),
  ...(reason !== null && { description: shortened(reason, 255) }),
  metadata: metadataOf(request_id, metadata),
})
