import type { Currency } from '../base/currencies.ts'
import type { OtherFamily } from './instrument.ts'
import type { CaptureMode } from './verbs.ts'

/** What a payment may have to bring besides what its way to pay needs anyway, each with the members of a request. */
export const requiredMembers = {
  'billing.name': 'billing.address.first_name',
  'billing.email': 'billing.email',
  'billing.phone': 'billing.phone.number',
  'billing.country': 'billing.address.country',
  'billing.address': 'billing.address (line1, city, zip, country)',
  'billing.line2': 'billing.address.line2',
  shipping: 'shipping.address',
  lines: 'order_details',
  acceptance: 'customer_acceptance (or browser_info with ip_address and user_agent)',
} as const
export type Requirement = keyof typeof requiredMembers

/**
 * What a connector says of one way to pay: a row for each payment_method_type besides cards, in `accepts.offers`. The
 * second row of a type that two families have is named with its family (`bank_transfer.ach`).
 * Routing, eligibility, offers and the generated pages are read off it, so that what a processor would refuse is
 * refused by name before anything is sent.
 */
export type Offer = {
  family: OtherFamily
  /**
   * In which ways of the interface it is taken (`paypal_redirect`), where not in all of the type: their names, or what
   * the connector says of each.
   */
  ways?: readonly string[] | Readonly<Record<string, unknown>>
  /** Payers' countries (ISO 3166 alpha-2, of the billing address); absent: all. */
  countries?: readonly string[]
  /** ISO 4217; absent: all that the connector counts. */
  currencies?: readonly Currency[]
  /** The least and the most of a payment, in the lowest denomination of the currency as ISO 4217 counts it. */
  least?: Partial<Record<Currency, number>>
  most?: Partial<Record<Currency, number>>
  /** Absent: automatic only. */
  capture?: readonly CaptureMode[]
  requires?: readonly Requirement[]
  /**
   * Whether what was paid with can be charged again without its customer. Absent: it cannot. `after days`: it can, and
   * such a charge is decided after days, as where a bank redirect leaves a mandate for debits.
   */
  recurring?: true | 'after days'
  /** Whether its customer can agree to that without a charge (an amount of 0). */
  setUp?: true
  /** false: it cannot be refunded. */
  refunds?: false
  /** When it is decided: at once, when the customer has come back or has answered, or after days. */
  decided: 'at once' | 'by the customer' | 'after days'
}

/** The type that a row is of, by its name. */
export const typeOfRow = (name: string): string => name.slice(name.indexOf('.') + 1)

/** The row of a type in this family; undefined: there is none. */
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

/** Is it taken in this way of the interface? */
export const takesWay = ({ ways }: Pick<Offer, 'ways'>, way: string): boolean =>
  ways === undefined || (Array.isArray(ways) ? ways.includes(way) : Object.hasOwn(ways, way))

/** What is looked at here of `accepts` of a connector. */
type Accepts = {
  offers?: Readonly<Record<string, Offer>>
  capture: readonly CaptureMode[]
  captured_at_once?: readonly string[]
}

/**
 * The row of a type. Undefined: the connector has no rows of its family, and takes all types of it. Null: it has, and
 * none of this type.
 */
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

/** How a type can be captured at a connector that takes it. */
export function capturesOf(accepts: Accepts, family: string | null, type: string | null): readonly CaptureMode[] {
  const offer = offerOf(accepts, family, type)
  if (offer) return offer.capture ?? AT_ONCE
  return accepts.captured_at_once?.includes(family ?? '') ? AT_ONCE : accepts.capture
}
