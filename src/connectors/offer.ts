import type { Currency } from '../base/currencies.ts'
import type { OtherFamily } from './instrument.ts'
import type { CaptureMode } from './verbs.ts'

/** Besides the data of its payment method: each with its member of the request. */
export const requiredMembers = {
  'billing.name': 'billing.address.first_name',
  'billing.email': 'billing.email',
  'billing.phone': 'billing.phone.number',
  'billing.country': 'billing.address.country',
  'billing.address': 'billing.address (line1, city, zip, country)',
  'billing.line2': 'billing.address.line2',
  shipping: 'shipping.address (line1, city, zip, country)',
  lines: 'order_details',
  acceptance: 'customer_acceptance (or browser_info with ip_address and user_agent)',
  tax_id: 'payment_method_data.bank_transfer.pix.cpf (or cnpj)',
} as const
export type Requirement = keyof typeof requiredMembers

/**
 * A payment method that a connector offers: one row for each payment_method_type besides cards, in `accepts.offers`.
 * If two families have a type of the same name, the second row's name contains its family (`bank_transfer.ach`).
 * Routing, eligibility, offers and the generated pages read these rows, so that a payment which the processor would
 * refuse is refused by us, by name, before anything is sent.
 */
export type Offer = {
  family: OtherFamily
  /** Members of the request (`paypal_redirect`), if not all: names, or the connector's data for each. */
  ways?: readonly string[] | Readonly<Record<string, unknown>>
  /** ISO 3166 alpha-2, from the billing address; absent: all. */
  countries?: readonly string[]
  /** Absent: all that the connector counts. */
  currencies?: readonly Currency[]
  /** The minimum and maximum amount of a payment, in the currency's lowest denomination by ISO 4217. */
  least?: Partial<Record<Currency, number>>
  most?: Partial<Record<Currency, number>>
  /** Absent: automatic only. */
  capture?: readonly CaptureMode[]
  requires?: readonly Requirement[]
  /** Charged again without its customer. `after days`: such a charge is decided after days (a mandate for debits). */
  recurring?: true | 'after days'
  /** Whether the customer can agree to later charges without a charge now (an amount of 0). */
  setUp?: true
  refunds?: false
  /** When a payment is decided: at once, when the customer has returned or answered, or after days. */
  decided: 'at once' | 'by the customer' | 'after days'
}

/** The families of a connector's rows. */
export const familiesOf = <Rows extends Readonly<Record<string, Pick<Offer, 'family'>>>>(
  rows: Rows,
): readonly Rows[keyof Rows]['family'][] => [...new Set(Object.values(rows).map(({ family }) => family))]

/** ISO 3166 alpha-2. */
export const sepaCountries = [
  ...['AD', 'AT', 'BE', 'BG', 'CH', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GB', 'GR', 'HR', 'HU', 'IE', 'IS', 'IT', 'LI', 'LT'],
  ...['LU', 'LV', 'MC', 'MT', 'NL', 'NO', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK', 'SM', 'VA'],
]

export const typeOfRow = (name: string): string => name.slice(name.indexOf('.') + 1)

export function rowIn<Row extends Pick<Offer, 'family'>>(
  rows: Readonly<Record<string, Row>>,
  family: string | null,
  type: string,
): Row | undefined {
  const row = Object.hasOwn(rows, type) ? rows[type] : undefined
  if (row?.family === family) return row
  const other = `${family}.${type}`
  return Object.hasOwn(rows, other) ? rows[other] : undefined
}

export const takesWay = ({ ways }: Pick<Offer, 'ways'>, way: string): boolean =>
  ways === undefined || (Array.isArray(ways) ? ways.includes(way) : Object.hasOwn(ways, way))

type Accepts = { offers?: Readonly<Record<string, Offer>>; capture: readonly CaptureMode[]; captured_at_once?: readonly string[] }

/** Undefined: no rows for the family, so all types are taken. Null: rows for the family, but none for this type. */
export function offerOf(
  accepts: Pick<Accepts, 'offers'> | undefined,
  family: string | null,
  type: string | null,
): Offer | null | undefined {
  const offers = accepts?.offers
  if (!offers || type === null) return undefined
  const offer = rowIn(offers, family, type)
  if (offer) return offer
  return Object.values(offers).some(one => one.family === family) ? null : undefined
}

const AT_ONCE: readonly CaptureMode[] = ['automatic']

export function capturesOf(accepts: Accepts, family: string | null, type: string | null): readonly CaptureMode[] {
  const offer = offerOf(accepts, family, type)
  if (offer) return offer.capture ?? AT_ONCE
  return accepts.captured_at_once?.includes(family ?? '') ? AT_ONCE : accepts.capture
}
