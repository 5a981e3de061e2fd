import type { Other } from '../instrument.ts'
import { dataOf } from '../kit/secrets.ts'
import { looksLikeEmail } from '../kit/text.ts'
import type { Purchase } from '../purchase.ts'
import { type AdyenDetails, type AdyenOffer, type AdyenPayer, rowOf } from './offers.ts'
import { payerOf } from './purchase.ts'

export type Offered = { row: AdyenOffer; way: AdyenOffer['ways'][string]; details: AdyenDetails }

/** Null if Adyen does not offer the payment method. */
export function offered(instrument: Other, purchase: Purchase | undefined): Offered | null {
  const { type, way: name } = instrument
  const row = rowOf(type)
  const way = row && Object.hasOwn(row.ways, name) ? row.ways[name] : undefined
  if (!row || !way) return null
  const parts = dataOf(instrument)
  return { row, way, details: { parts, payer: payerWith(parts, purchase ?? {}) } }
}

/** A payment method that is saved at Adyen, with the data that the first payment contained. */
export type KeptOffer = { row: AdyenOffer & Required<Pick<AdyenOffer, 'kept'>>; details: AdyenDetails }

/** Null if Adyen does not save payment methods of this type. */
export function keptAt(of: Other, purchase: Purchase | undefined): KeptOffer | null {
  const known = offered(of, purchase)
  return known && hasKept(known.row) ? { row: known.row, details: known.details } : null
}
const hasKept = (row: AdyenOffer): row is KeptOffer['row'] => row.kept !== undefined

/** Members that contain data about the payer. The same data in the payment itself takes precedence. */
const places = {
  email: ['billing_details.email', 'billing_email', 'email'],
  phone: ['telephone_number', 'phone_number'],
  firstName: ['billing_details.first_name', 'first_name'],
  lastName: ['billing_details.last_name', 'last_name'],
  name: ['billing_details.name', 'billing_details.billing_name', 'billing_name', 'bank_account_holder_name'],
} as const

function payerWith(parts: AdyenDetails['parts'], purchase: Purchase): AdyenPayer {
  const part = (of: keyof typeof places) => places[of].map(place => parts[place]).find(text => text !== undefined)
  const payer = payerOf(purchase)
  const name = part('name')
  const firstName = payer.firstName ?? part('firstName') ?? name?.split(' ')[0] ?? ''
  const lastName = payer.lastName ?? part('lastName') ?? name?.split(' ').slice(1).join(' ') ?? ''
  return {
    firstName,
    lastName,
    name: name ?? [firstName, lastName].filter(word => word !== '').join(' '),
    email: payer.email ?? [part('email')].find(looksLikeEmail) ?? '',
    phone: payer.phone ?? part('phone')?.replace(/[^\d+]/g, '') ?? '',
    country: purchase.billing?.country ?? '',
  }
}

const onTopOfLines = { shipping: 'Shipping', tax: 'Tax', surcharge: 'Surcharge' } as const

/** Returns the lines of an order, with the charges besides them as lines: a lender lends exactly their sum. */
function linesOf({ lines, on_top = {} }: Purchase): Pick<Purchase, 'lines'> {
  if (!lines || lines.length === 0) return {}
  const others = (Object.keys(onTopOfLines) as (keyof typeof onTopOfLines)[]).flatMap(name => {
    const amount = on_top[name] ?? 0
    return amount > 0 ? [{ product_name: onTopOfLines[name], quantity: 1, amount }] : []
  })
  return { lines: [...lines, ...others] }
}

/** The buyer that the payment method names counts if the purchase names none. */
export function wholePurchase(purchase: Purchase = {}, { payer: { name, email, phone } }: AdyenDetails): Purchase {
  const { buyer = {} } = purchase
  const fallback = { ...(name !== '' && { name }), ...(email !== '' && { email }), ...(phone !== '' && { phone }) }
  return { ...purchase, ...linesOf(purchase), buyer: { ...fallback, ...buyer } }
}
