import type { Merchant } from '../../accounts/merchant.ts'
import { profileSetting } from '../../accounts/profile-settings.ts'
import { type Channel, type Costs, channels, type OnTop, type Place, type Purchase } from '../../connectors/purchase.ts'
import type { Payment, PaymentParams } from '../payment.ts'

/** What of a payment's request processors are told beside what is paid with: who buys what. */

type Address = NonNullable<PaymentParams['billing']>

/** Those that are said; undefined if none is. */
function said<T extends object>(members: { [Name in keyof T]: T[Name] | undefined }): T | undefined {
  let some = false
  const out: Partial<T> = {}
  for (const name in members) {
    if (members[name] === undefined) continue
    out[name] = members[name]
    some = true
  }
  return some ? (out as T) : undefined
}

/** A number as networks dial it, if its country was said; else as it was written. */
function phoneOf(number: string | undefined, country_code: string | undefined): string | undefined {
  if (number === undefined || country_code === undefined || number.startsWith('+')) return number
  return `+${country_code.replace(/\D/g, '')}${number.replace(/\D/g, '')}`
}

const placeOf = (given: Address | undefined): Place | undefined =>
  given && said<Place>({ ...given.address, phone: phoneOf(given.phone?.number, given.phone?.country_code), email: given.email })

/** The customer, as the request names them: at its top, or in `customer`. */
const buyerOf = ({ customer, email, name, phone, phone_country_code }: PaymentParams): Purchase['buyer'] =>
  said({
    name: name ?? customer?.name,
    email: email ?? customer?.email,
    phone: phoneOf(phone ?? customer?.phone, phone_country_code ?? customer?.phone_country_code),
    tax_registration_id: customer?.tax_registration_id,
  })

/** Members that decide what is told: where none is said, nothing is. */
const telling = [
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

/**
 * What the level 2 and 3 data of card networks are made of beside the lines: told where the business profile has
 * `is_l2_l3_enabled`.
 */
function levelsOf(merchant: Merchant, { profile_id, request }: Payment): Pick<Purchase, 'costs' | 'tax_status' | 'ordered_at'> {
  if (!profileSetting(merchant, profile_id, 'is_l2_l3_enabled')) return {}
  const costs = said<Costs>({
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

/** What is charged besides the lines: lenders want to know of every part of what they lend. */
function onTopOf({ payment_method, order_details, shipping_cost, order_tax_amount, surcharge_details }: PaymentParams): OnTop | undefined {
  if (order_details === undefined || payment_method === undefined || payment_method === 'card') return undefined
  const surcharge = surcharge_details && surcharge_details.surcharge_amount + (surcharge_details.tax_amount ?? 0)
  return said<OnTop>({ shipping: shipping_cost, tax: order_tax_amount, surcharge })
}

/** Who buys what, for the processor `connector`; undefined if the request says nothing of it, as most do. Pure. */
export function purchaseOf(merchant: Merchant, payment: Payment, connector: string): Purchase | undefined {
  const { request } = payment
  if (!telling.some(name => request[name] !== undefined)) return undefined
  const extra = request.connector_metadata?.[connector]
  return said<Purchase>({
    description: request.description,
    order_reference: request.merchant_order_reference_id,
    buyer: buyerOf(request),
    billing: placeOf(request.payment_method_billing ?? request.billing),
    shipping: placeOf(request.shipping),
    browser: request.browser_info,
    lines: request.order_details,
    on_top: onTopOf(request),
    ...levelsOf(merchant, payment),
    partner: request.partner_merchant_identifier_details,
    extra: typeof extra === 'object' && extra !== null ? (extra as Record<string, unknown>) : undefined,
  })
}

/** By mail or telephone, if it was ordered so. */
export const channelOf = ({ payment_channel }: PaymentParams): Channel | undefined => channels.find(one => one === payment_channel)

/** What a merchant notes of something, as processors keep it: texts, numbers, yes and no; nothing else. */
export function notedIn(metadata: Readonly<Record<string, unknown>> | null | undefined): Record<string, string> | undefined {
  if (!metadata) return undefined
  const noted = Object.entries(metadata).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [[name, String(value)] as const] : [],
  )
  return noted.length > 0 ? Object.fromEntries(noted) : undefined
}
