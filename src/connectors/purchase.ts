import Type, { type Static } from 'typebox'
import { type addressDetails, amount, bool, boundedText, shortText, strictObject } from '../base/shapes.ts'
import type { Time } from '../context.ts'

/**
 * The order, its buyer and its addresses, as far as the merchant sent them. Processors use them to assess fraud, print
 * them, and charge less for payments that have them (level 2 and 3 data). None of them decides the amount to charge.
 * Members that the merchant did not send are absent.
 */
export type Purchase = {
  description?: string
  order_reference?: string
  buyer?: Buyer
  billing?: Place
  shipping?: Place
  browser?: Browser
  lines?: readonly OrderLine[]
  /** The amounts charged besides the lines; only for payments that are not by card. */
  on_top?: OnTop
  /** In the lowest denomination. */
  costs?: Costs
  tax_status?: 'taxable' | 'exempt'
  ordered_at?: Time
  partner?: Partner
  extra?: Readonly<Record<string, unknown>>
}

/** `phone` begins with the country code, if the merchant sent it. */
export type Buyer = { name?: string; email?: string; phone?: string; tax_registration_id?: string }

export type Place = Static<typeof addressDetails> & { phone?: string; email?: string }

export const browserInfo = Type.Object({
  color_depth: Type.Optional(Type.Integer()),
  java_enabled: Type.Optional(bool),
  java_script_enabled: Type.Optional(bool),
  language: Type.Optional(shortText),
  screen_height: Type.Optional(Type.Integer()),
  screen_width: Type.Optional(Type.Integer()),
  time_zone: Type.Optional(Type.Integer()),
  ip_address: Type.Optional(shortText),
  accept_header: Type.Optional(boundedText(2048)),
  user_agent: Type.Optional(boundedText(2048)),
  os_type: Type.Optional(shortText),
  os_version: Type.Optional(shortText),
  device_model: Type.Optional(shortText),
  accept_language: Type.Optional(shortText),
  referer: Type.Optional(boundedText(2048)),
})
export type Browser = Static<typeof browserInfo>

/** A line of an order: `quantity` items at `amount` each. */
export const orderLine = Type.Object({
  product_name: shortText,
  quantity: Type.Integer({ minimum: 0, maximum: 65535 }),
  amount: amount('Price per unit'),
  total_amount: Type.Optional(amount('Total of the line')),
  unit_discount_amount: Type.Optional(amount('Discount per unit')),
  tax_rate: Type.Optional(Type.Number({ minimum: 0, maximum: 100, description: 'Percent' })),
  total_tax_amount: Type.Optional(amount('Total of the line')),
  product_id: Type.Optional(shortText),
  sku: Type.Optional(shortText),
  upc: Type.Optional(shortText),
  commodity_code: Type.Optional(shortText),
  unit_of_measure: Type.Optional(shortText),
  description: Type.Optional(shortText),
  category: Type.Optional(shortText),
  sub_category: Type.Optional(shortText),
  brand: Type.Optional(shortText),
  product_type: Type.Optional(Type.Enum(['physical', 'digital', 'travel', 'ride', 'event', 'accommodation'])),
  product_tax_code: Type.Optional(shortText),
  product_img_link: Type.Optional(boundedText(2048)),
  requires_shipping: Type.Optional(bool),
})
export type OrderLine = Static<typeof orderLine>

/** In the lowest denomination. */
export type OnTop = { shipping?: number; tax?: number; surcharge?: number }

export type Costs = { shipping?: number; tax?: number; shipping_tax?: number; duty?: number; discount?: number }

const software = { name: Type.Optional(shortText), version: Type.Optional(shortText) }
export const partner = strictObject({
  partner_details: Type.Optional(strictObject({ ...software, integrator: Type.Optional(shortText) })),
  merchant_details: Type.Optional(strictObject(software)),
})
type Partner = Static<typeof partner>

/** The customer is not present to authenticate. */
export const channels = ['mail_order', 'telephone_order'] as const
export type Channel = (typeof channels)[number]
