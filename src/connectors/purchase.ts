import type { Time } from '../context.ts'

/**
 * Who buys what, as far as the merchant has said it: processors weigh fraud by it, print it, and take less for it
 * (level 2 and 3 data). None of it decides what is charged. What was not said is absent.
 */
export type Purchase = {
  description?: string
  /** The merchant's own number of the order. */
  order_reference?: string
  buyer?: Buyer
  /** Where who pays lives, and where the goods go. */
  billing?: Place
  shipping?: Place
  browser?: Browser
  lines?: readonly OrderLine[]
  /** What the price is made of, and what it is less; in the lowest denomination. */
  costs?: Costs
  tax_status?: 'taxable' | 'exempt'
  ordered_at?: Time
  /** Whose software it came by. */
  partner?: Partner
  /** What is said to this connector and no other. */
  extra?: Readonly<Record<string, unknown>>
}

/** `phone` begins with its country's code, where that was said. */
export type Buyer = { name?: string; email?: string; phone?: string; tax_registration_id?: string }

export type Place = {
  first_name?: string
  last_name?: string
  line1?: string
  line2?: string
  line3?: string
  city?: string
  zip?: string
  state?: string
  country?: string
  /** From where the goods are sent. */
  origin_zip?: string
  phone?: string
  email?: string
}

/** The customer's browser: the members are those of the interface. */
export type Browser = {
  color_depth?: number
  java_enabled?: boolean
  java_script_enabled?: boolean
  language?: string
  screen_height?: number
  screen_width?: number
  time_zone?: number
  ip_address?: string
  accept_header?: string
  user_agent?: string
  os_type?: string
  os_version?: string
  device_model?: string
  accept_language?: string
  referer?: string
}

/** Something of which there are `quantity`, at `amount` each. */
export type OrderLine = {
  product_name: string
  quantity: number
  amount: number
  total_amount?: number
  unit_discount_amount?: number
  tax_rate?: number
  total_tax_amount?: number
  product_id?: string
  sku?: string
  upc?: string
  commodity_code?: string
  unit_of_measure?: string
  description?: string
  category?: string
  sub_category?: string
  brand?: string
  product_type?: string
  product_tax_code?: string
  product_img_link?: string
  requires_shipping?: boolean
}

export type Costs = { shipping?: number; tax?: number; shipping_tax?: number; duty?: number; discount?: number }

type Software = { name?: string; version?: string }
export type Partner = { partner_details?: Software & { integrator?: string }; merchant_details?: Software }

/** Orders that were taken without a browser: the customer is not there to authenticate. */
export const channels = ['mail_order', 'telephone_order'] as const
export type Channel = (typeof channels)[number]
