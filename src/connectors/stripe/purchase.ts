import { isAddress } from '../kit/read.ts'
import { looksLikeEmail, nameIn, shortened } from '../kit/text.ts'
import type { OrderLine, Place, Purchase } from '../purchase.ts'

/** Data that Stripe would refuse is left out: a payment must not fail because of data that only describes it. */

const addressOf = ({ line1, line2, city, state, zip, country }: Place) => ({
  ...(line1 && { line1: shortened(line1, 500) }),
  ...(line2 && { line2: shortened(line2, 500) }),
  ...(city && { city }),
  ...(state && { state }),
  ...(zip && { postal_code: zip }),
  ...(country && { country }),
})

const phoneOf = (phone: string | undefined): string | undefined => (phone !== undefined && phone.length <= 20 ? phone : undefined)

/** It takes precedence over the purchase. */
export type Payer = { name?: string; email?: string; phone?: string; tax_id?: string; place?: Place; country?: string }

export function billingDetails(payer: Payer, purchase: Purchase | undefined) {
  const { billing = {}, buyer = {} } = purchase ?? {}
  const name = payer.name ?? nameIn(billing) ?? buyer.name
  const email = [payer.email, billing.email, buyer.email].find(looksLikeEmail)
  const phone = phoneOf(payer.phone ?? billing.phone ?? buyer.phone)
  const address = addressOf({ ...billing, ...payer.place, ...(payer.country && { country: payer.country }) })
  const details = {
    ...(name && { name }),
    ...(email && { email }),
    ...(phone && { phone }),
    ...(payer.tax_id && { tax_id: payer.tax_id }),
    ...(Object.keys(address).length > 0 && { address }),
  }
  return Object.keys(details).length > 0 ? { billing_details: details } : {}
}

/** The address only with a recipient's name, which Stripe requires. */
export function ofIntent(purchase: Purchase | undefined) {
  if (!purchase) return {}
  const { description, shipping = {}, buyer = {} } = purchase
  const name = nameIn(shipping) ?? buyer.name
  const address = addressOf(shipping)
  const phone = phoneOf(shipping.phone)
  return {
    ...(description && { description: shortened(description, 1000) }),
    ...(name && Object.keys(address).length > 0 && { shipping: { name, address, ...(phone && { phone }) } }),
  }
}

/** The payment can be found at Stripe by it. */
export const orderNote = ({ order_reference }: Purchase = {}) => (order_reference ? { order_reference } : {})

type Count = (amount: number | undefined) => number | undefined
const fits = (text: string | undefined, most: number): string | undefined => (text !== undefined && text.length <= most ? text : undefined)
const zipOf = (zip: string | undefined): string | undefined => (zip !== undefined && /^[A-Za-z0-9 -]{1,10}$/.test(zip) ? zip : undefined)

/** Null if Stripe cannot take it. */
function plainLine(line: OrderLine, count: Count) {
  const unit_cost = count(line.amount)
  if (unit_cost === undefined || line.quantity === 0) return null
  const [product_code, unit_of_measure] = [fits(line.sku ?? line.product_id, 12), fits(line.unit_of_measure, 12)]
  return {
    product_name: shortened(line.product_name, 1024),
    quantity: line.quantity,
    unit_cost,
    ...(product_code && { product_code }),
    ...(unit_of_measure && { unit_of_measure }),
  }
}

/** `total`: stated for the whole order, so that no line may state them. */
function costsOf(line: OrderLine, count: Count, total: { tax: boolean; discount: boolean }) {
  const tax = total.tax ? undefined : count(line.total_tax_amount)
  const discount = total.discount || !line.unit_discount_amount ? undefined : count(line.unit_discount_amount * line.quantity)
  return {
    ...(tax !== undefined && { tax: { total_tax_amount: tax } }),
    ...(discount !== undefined && { discount_amount: discount }),
  }
}

const cardLine = ({ commodity_code }: OrderLine) => (commodity_code ? { payment_method_options: { card: { commodity_code } } } : {})

/** A lender shows the customer what they buy. */
function klarnaLine({ product_img_link, product_id, sku }: OrderLine) {
  const reference = fits(product_id ?? sku, 255)
  const image_url = product_img_link !== undefined && isAddress(product_img_link) ? product_img_link : undefined
  if (!reference && !image_url) return {}
  return { payment_method_options: { klarna: { ...(reference && { reference }), ...(image_url && { image_url }) } } }
}

/** Returns all lines, or none: without a line that Stripe cannot take, the others would be a different purchase. */
function linesOf<More extends object>(lines: readonly OrderLine[], count: Count, more: (line: OrderLine) => More) {
  const line_items = lines.slice(0, 200).flatMap(line => {
    const plain = plainLine(line, count)
    return plain ? { ...plain, ...more(line) } : []
  })
  return line_items.length > 0 && line_items.length === Math.min(lines.length, 200) ? { line_items } : {}
}

export function klarnaLines({ lines = [] }: Purchase = {}, count: Count) {
  const items = linesOf(lines, count, line => ({ ...costsOf(line, count, { tax: false, discount: false }), ...klarnaLine(line) }))
  return 'line_items' in items ? { amount_details: { enforce_arithmetic_validation: false, ...items } } : {}
}

/** Level 2 and 3, only with the parts of the price. If the lines do not add up, Stripe sends none. */
export function levels(purchase: Purchase | undefined, count: Count) {
  const { costs, lines = [], shipping = {}, order_reference } = purchase ?? {}
  if (!costs) return {}
  const total = { tax: costs.tax !== undefined, discount: costs.discount !== undefined && costs.discount > 0 }
  const [tax, discount, freight] = [count(costs.tax), total.discount ? count(costs.discount) : undefined, count(costs.shipping)]
  const [from, to] = [zipOf(shipping.origin_zip), zipOf(shipping.zip)]
  return {
    amount_details: {
      enforce_arithmetic_validation: false,
      ...(tax !== undefined && { tax: { total_tax_amount: tax } }),
      ...(discount !== undefined && { discount_amount: discount }),
      ...(freight !== undefined && {
        shipping: { amount: freight, ...(from && { from_postal_code: from }), ...(to && { to_postal_code: to }) },
      }),
      ...linesOf(lines, count, line => ({ ...costsOf(line, count, total), ...cardLine(line) })),
    },
    ...(order_reference && { payment_details: { order_reference } }),
  }
}
