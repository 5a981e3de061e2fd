import { isIP } from 'node:net'
import type { Currency } from '../../base/currencies.ts'
import { type Counting, inProcessorUnits } from '../counting.ts'
import { looksLikeEmail, nameIn, shortened } from '../kit/text.ts'
import type { Browser, OrderLine, Place, Purchase } from '../purchase.ts'

/** Checkout API v71, `/payments`. A group of which Adyen requires all members is left out if it is incomplete. */

/** The house number may be before or after the street. */
function addressOf({ line1, line2, city, state, zip, country }: Place) {
  if (!line1 || !city || !zip || !country || zip.length > 10) return null
  const [, before, after_] = /^(\d[\w/-]*)\s+(\S.*)$/.exec(line1) ?? []
  const last = /(?<![\s,])[\s,]+(\d[\w/-]*)$/.exec(line1)
  const [ahead, behind] = last && last.index > 0 ? [line1.slice(0, last.index), last[1]] : []
  return {
    street: after_ ?? ahead ?? line1,
    houseNumberOrName: before ?? behind ?? line2 ?? 'N/A',
    city,
    postalCode: zip,
    country,
    // If Adyen requires a code, the state is sent only if it is a code.
    ...(state && (/^[A-Z]{2,3}$/.test(state) || !['US', 'CA'].includes(country)) && { stateOrProvince: shortened(state, 1000) }),
  }
}

function browserOf(browser: Browser) {
  const { accept_header, color_depth, java_enabled, java_script_enabled, language, screen_height, screen_width, time_zone, user_agent } =
    browser
  if (accept_header === undefined || color_depth === undefined || language === undefined || user_agent === undefined) return null
  if (screen_height === undefined || screen_width === undefined || time_zone === undefined || java_enabled === undefined) return null
  return {
    acceptHeader: accept_header,
    colorDepth: color_depth,
    javaEnabled: java_enabled,
    ...(java_script_enabled !== undefined && { javaScriptEnabled: java_script_enabled }),
    language,
    screenHeight: screen_height,
    screenWidth: screen_width,
    timeZoneOffset: time_zone,
    userAgent: user_agent,
  }
}

type Count = (amount: number | undefined) => number | undefined

const lineOf = (line: OrderLine, count: Count) => {
  const amountIncludingTax = count(line.amount)
  const taxAmount = count(line.total_tax_amount)
  return {
    description: shortened(line.product_name, 250),
    quantity: line.quantity,
    ...(amountIncludingTax !== undefined && { amountIncludingTax }),
    ...(taxAmount !== undefined && { taxAmount }),
    // In hundredths of a percent.
    ...(line.tax_rate !== undefined && { taxPercentage: Math.round(line.tax_rate * 100) }),
    ...(line.product_id && { id: line.product_id }),
    ...(line.sku && { sku: line.sku }),
    ...(line.upc && { upc: line.upc }),
    ...(line.brand && { brand: line.brand }),
    ...(line.category && { itemCategory: line.category }),
    ...(line.product_img_link && { imageUrl: line.product_img_link }),
  }
}

/** Level 2 and 3 data (docs.adyen.com, enhanced scheme data), only if the merchant sent the parts of the price. */
export function enhancedData({ costs, order_reference, ordered_at, shipping, lines }: Purchase, count: Count): Record<string, string> {
  if (!costs) return {}
  const [year, month, day] = (ordered_at ?? '').slice(0, 10).split('-')
  const values: Record<string, string | number | undefined> = {
    totalTaxAmount: count(costs.tax),
    freightAmount: count(costs.shipping),
    dutyAmount: count(costs.duty),
    customerReference: order_reference?.replace(/[^A-Za-z0-9]/g, '').slice(0, 25) || undefined,
    orderDate: day === undefined ? undefined : `${day}${month}${year!.slice(2)}`,
    destinationPostalCode: shipping?.zip?.slice(0, 10),
    shipFromPostalCode: shipping?.origin_zip?.slice(0, 10),
    ...Object.assign(
      {},
      ...(lines ?? []).slice(0, 9).map((line, i) => ({
        [`itemDetailLine${i + 1}.description`]: shortened(line.product_name, 26),
        [`itemDetailLine${i + 1}.quantity`]: line.quantity,
        [`itemDetailLine${i + 1}.unitPrice`]: count(line.amount),
        [`itemDetailLine${i + 1}.totalAmount`]: count(line.total_amount ?? line.amount * line.quantity),
        [`itemDetailLine${i + 1}.discountAmount`]: count(line.unit_discount_amount),
        [`itemDetailLine${i + 1}.productCode`]: (line.sku ?? line.product_id)?.slice(0, 12),
        [`itemDetailLine${i + 1}.commodityCode`]: line.commodity_code?.slice(0, 12),
        // A code: a word that is cut to a code's length would be another code, or none.
        [`itemDetailLine${i + 1}.unitOfMeasure`]: /^[A-Za-z0-9]{2,3}$/.test(line.unit_of_measure ?? '') ? line.unit_of_measure : undefined,
      })),
    ),
  }
  const present = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present.map(([name, value]) => [`enhancedSchemeData.${name}`, String(value)]))
}

/** Undefined if an amount is absent or cannot be expressed. */
export const countIn =
  (counting: Counting, currency: Currency): Count =>
  amount => {
    const value = amount === undefined ? undefined : inProcessorUnits(counting, { amount, currency })
    return typeof value === 'number' ? value : undefined
  }

export function payerOf({ buyer = {}, billing = {} }: Purchase) {
  return {
    email: [buyer.email, billing.email].find(looksLikeEmail),
    phone: (buyer.phone ?? billing.phone)?.replace(/[^\d+]/g, ''),
    firstName: billing.first_name ?? buyer.name?.split(' ')[0],
    lastName: billing.last_name ?? buyer.name?.split(' ').slice(1).join(' '),
  }
}

export function purchaseMembers(purchase: Purchase, count: Count) {
  const { billing = {}, shipping = {}, browser = {}, lines, partner, order_reference } = purchase
  const { email, phone, firstName, lastName } = payerOf(purchase)
  const [billingAddress, deliveryAddress, browserInfo] = [addressOf(billing), addressOf(shipping), browserOf(browser)]
  const page = browser.referer === undefined ? null : URL.parse(browser.referer)
  const origin = page && page.origin !== 'null' && page.origin.length <= 80 ? page.origin : null
  return {
    ...(email && email.length <= 300 && { shopperEmail: email }),
    ...(phone && phone.length <= 32 && { telephoneNumber: phone }),
    ...(firstName && lastName && { shopperName: { firstName: shortened(firstName, 80), lastName: shortened(lastName, 80) } }),
    ...(billingAddress && { billingAddress }),
    ...(deliveryAddress && { deliveryAddress: { ...deliveryAddress, ...deliveredTo(shipping) } }),
    ...(browserInfo && { browserInfo }),
    ...(browser.ip_address && isIP(browser.ip_address) !== 0 && { shopperIP: browser.ip_address }),
    ...(lines && lines.length > 0 && { lineItems: lines.map(line => lineOf(line, count)) }),
    ...(billing.country && { countryCode: billing.country }),
    ...(browser.language && /^[A-Za-z]{2,3}(?:[-_][A-Za-z]{2})?$/.test(browser.language) && { shopperLocale: browser.language }),
    ...(origin && { origin }),
    ...(order_reference && { merchantOrderReference: order_reference }),
    ...(partner && { applicationInfo: applicationOf(partner) }),
  }
}

const deliveredTo = (shipping: Place) =>
  nameIn(shipping) === undefined
    ? {}
    : { ...(shipping.first_name && { firstName: shipping.first_name }), ...(shipping.last_name && { lastName: shipping.last_name }) }

const applicationOf = ({ partner_details, merchant_details }: NonNullable<Purchase['partner']>) => ({
  ...(partner_details && Object.keys(partner_details).length > 0 && { externalPlatform: partner_details }),
  ...(merchant_details && Object.keys(merchant_details).length > 0 && { merchantApplication: merchant_details }),
})

/** Controls Adyen's test environment. */
export function testingHolder({ extra }: Purchase = {}): string | null {
  const { testing } = extra ?? {}
  const name = typeof testing === 'object' && testing !== null ? (testing as { holder_name?: unknown }).holder_name : undefined
  return typeof name === 'string' ? name.slice(0, 250) : null
}

/** At most 20 members, names of 20 characters and values of 80. */
export function notedBy(metadata: Readonly<Record<string, string>>): { metadata?: Record<string, string> } {
  const notes = Object.entries(metadata).filter(([name, value]) => /^.{1,20}$/.test(name) && name !== 'checkout.linkId' && value !== '')
  return notes.length === 0 ? {} : { metadata: Object.fromEntries(notes.slice(0, 20).map(([name, value]) => [name, shortened(value, 80)])) }
}
