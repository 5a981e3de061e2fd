import type { Merchant } from '../../accounts/merchant.ts'
import { profileSetting } from '../../accounts/profile-settings.ts'
import { type Channel, type Costs, channels, type OnTop, type Place, type Purchase } from '../../connectors/purchase.ts'
import { billingOf } from '../billing.ts'
import type { Payment, PaymentParams } from '../payment.ts'

/** The purchase as processors receive it beside the instrument: the customer, the addresses and the order. */

type Address = NonNullable<PaymentParams['billing']>

/** Returns the members that are present; undefined if none is. */
function compact<T extends object>(members: { [Name in keyof T]: T[Name] | undefined }): T | undefined {
  let some = false
  const out: Partial<T> = {}
  for (const name in members) {
    if (members[name] === undefined) continue
    out[name] = members[name]
    some = true
  }
  return some ? (out as T) : undefined
}

/** Returns a phone number in international format if its country code is known; otherwise the number as written. */
function phoneOf(number: string | undefined, country_code: string | undefined): string | undefined {
  if (number === undefined || country_code === undefined || number.startsWith('+')) return number
  return `+${country_code.replace(/\D/g, '')}${number.replace(/\D/g, '')}`
}

const placeOf = (given: Address | undefined): Place | undefined =>
  given && compact<Place>({ ...given.address, phone: phoneOf(given.phone?.number, given.phone?.country_code), email: given.email })

/** Returns the customer, from the request's own members or from its `customer`. */
const buyerOf = ({ customer, email, name, phone, phone_country_code }: PaymentParams): Purchase['buyer'] =>
  compact({
    name: name ?? customer?.name,
    email: email ?? customer?.email,
    phone: phoneOf(phone ?? customer?.phone, phone_country_code ?? customer?.phone_country_code),
    tax_registration_id: customer?.tax_registration_id,
  })

/** The members that make a purchase: if the request has none of them, no purchase is sent. */
const purchaseMembers = [
  'description',
  'merchant_order_reference_id',
  'customer',
  'email',
  'name',
  'phone',
  'billing',
  'payment_method_billing',
  'shipping',
  'browser_info',
  'order_details',
  'shipping_cost',
  'order_tax_amount',
  'shipping_amount_tax',
  'duty_amount',
  'discount_amount',
  'tax_status',
  'order_date',
  'partner_merchant_identifier_details',
  'connector_metadata',
] as const satisfies readonly (keyof PaymentParams)[]

/** Returns level 2 and 3 data of the card networks beside the order lines, if the profile has `is_l2_l3_enabled`. */
function levelsOf(merchant: Merchant, { profile_id, request }: Payment): Pick<Purchase, 'costs' | 'tax_status' | 'ordered_at'> {
  if (!profileSetting(merchant, profile_id, 'is_l2_l3_enabled')) return {}
  const costs = compact<Costs>({
    shipping: request.shipping_cost,
    tax: request.order_tax_amount,
    shipping_tax: request.shipping_amount_tax,
    duty: request.duty_amount,
    discount: request.discount_amount,
  })
  return {
    ...(costs && { costs }),
    ...(request.tax_status && { tax_status: request.tax_status }),
    ...(request.order_date && { ordered_at: request.order_date }),
  }
}

/** Returns the amounts charged beside the order lines: lenders require every part of the amount that they lend. */
function onTopOf({ payment_method, order_details, shipping_cost, order_tax_amount, surcharge_details }: PaymentParams): OnTop | undefined {
  if (order_details === undefined || payment_method === undefined || payment_method === 'card') return undefined
  const surcharge = surcharge_details && surcharge_details.surcharge_amount + (surcharge_details.tax_amount ?? 0)
  return compact<OnTop>({ shipping: shipping_cost, tax: order_tax_amount, surcharge })
}

/** Returns the purchase for the processor `connector`; undefined if the request has no data about it, as most. */
export function purchaseOf(merchant: Merchant, payment: Payment, connector: string): Purchase | undefined {
  const { request } = payment
  if (!purchaseMembers.some(name => request[name] !== undefined)) return undefined
  const extra = request.connector_metadata?.[connector]
  return compact<Purchase>({
    description: request.description,
    order_reference: request.merchant_order_reference_id,
    buyer: buyerOf(request),
    billing: placeOf(billingOf(request)),
    shipping: placeOf(request.shipping),
    browser: request.browser_info,
    lines: request.order_details,
    on_top: onTopOf(request),
    ...levelsOf(merchant, payment),
    partner: request.partner_merchant_identifier_details,
    extra: typeof extra === 'object' && extra !== null ? (extra as Record<string, unknown>) : undefined,
  })
}

/** Returns the channel of an order by mail or telephone; undefined for other orders. */
export const channelOf = ({ payment_channel }: PaymentParams): Channel | undefined => channels.find(one => one === payment_channel)

/** Returns a merchant's metadata in the form that processors store: only texts, numbers and booleans, each as text. */
export function notedIn(metadata: Readonly<Record<string, unknown>> | null | undefined): Record<string, string> | undefined {
  if (!metadata) return undefined
  const noted = Object.entries(metadata).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [[name, String(value)] as const] : [],
  )
  return noted.length > 0 ? Object.fromEntries(noted) : undefined
}
