import type { Currency } from '../../base/currencies.ts'
import { uncounted } from '../counting.ts'
import { isAmount, isId, isRecord, readId, readTexts } from '../kit/read.ts'
import type { Movement, PaymentReport } from '../payment-report.ts'
import { capturesIn, counting, REQUEST_ID } from './common.ts'
import { type Intent, readCurrency, readIntent, readList, readRefund, type StripeRefund } from './replies.ts'

/**
 * Stripe's objects about a payment as a whole: docs.stripe.com/api/charges/object,
 * docs.stripe.com/api/refunds/object.
 */

export type StripeCharge = {
  payment_intent: string
  currency: Currency
  metadata: Record<string, string>
  amount: number
  authorized: number
  captured: number
  /** With what was let go of a hold. */
  refunded: number
  disputed: boolean
  /** The latest, if they were expanded. */
  refunds: StripeRefund[] | null
  hasMoreRefunds: boolean
}

export function readChargeTotals(body: unknown): StripeCharge | null {
  if (!isRecord(body) || body.object !== 'charge' || typeof body.disputed !== 'boolean') return null
  const { payment_intent, amount, amount_captured, amount_refunded, disputed, refunds, payment_method_details } = body
  const [currency, metadata] = [readCurrency(body.currency), readTexts(body.metadata)]
  const card = isRecord(payment_method_details) && isRecord(payment_method_details.card) ? payment_method_details.card : {}
  const listed = isRecord(refunds) ? readList(refunds, readRefund) : null
  if (!isId(payment_intent) || currency === null || metadata === null) return null
  if (!isAmount(amount) || !isAmount(amount_captured) || !isAmount(amount_refunded) || (isRecord(refunds) && listed === null)) return null
  const totals = { amount, captured: amount_captured, refunded: amount_refunded, disputed }
  const authorized = isAmount(card.amount_authorized) ? card.amount_authorized : amount
  const hasMoreRefunds = isRecord(refunds) && refunds.has_more === true
  return { payment_intent, currency, metadata, ...totals, authorized, refunds: listed, hasMoreRefunds }
}

/** An intent with its charge, and the charge's latest refunds (`expand`). `charge`: null if no bank has been asked. */
export type WholePayment = { intent: Intent; charge: StripeCharge | null }

export function readWhole(body: unknown): WholePayment | null {
  const intent = readIntent(body)
  if (!isRecord(body) || intent === null) return null
  if (body.latest_charge === null || body.latest_charge === undefined) return { intent, charge: null }
  const charge = readChargeTotals(body.latest_charge)
  return charge && { intent, charge }
}

/**
 * Stripe writes a release of a hold, all of it or the rest after a capture, as a refund too, in the list and in
 * `amount_refunded`; it changes no balance.
 */
const isRelease = ({ status, amount, booked, reason }: StripeRefund, charge: StripeCharge): boolean =>
  reason === EXPIRED || charge.captured === 0 || (status === 'succeeded' && !booked && amount === charge.amount - charge.captured)

const EXPIRED = 'expired_uncaptured_charge'

const states = {
  succeeded: 'done',
  pending: 'waiting',
  requires_action: 'waiting',
  failed: 'declined',
  canceled: 'declined',
} as const satisfies Record<StripeRefund['status'], Movement['state']>

/** A refund of ours has our request id. One without has `otherwise`: the authorization's, which is none of a refund. */
function movementOf(refund: StripeRefund, otherwise: string | null = null): Movement | null {
  const { id, metadata, currency, created, reason, failure_reason, status } = refund
  const request_id = metadata[REQUEST_ID] ?? otherwise
  const amount = uncounted(counting, refund.amount, currency)
  const state = states[status]
  const said = state === 'declined' ? (failure_reason ?? status) : reason
  return amount && { verb: 'refund', reference: id, request_id, amount, state, reason: said, at: created }
}

type Totals = Pick<PaymentReport, 'authorized' | 'captured' | 'refunded' | 'held'>

/** In our units. Null if one of them has no such amount. */
function counted(currency: Currency, totals: Totals): Totals | null {
  const entries = Object.entries(totals).map(([name, units]) => {
    const money = units === null ? null : uncounted(counting, units, currency)
    return [name, units === null ? null : money?.amount] as const
  })
  return entries.some(([, amount]) => amount === undefined) ? null : (Object.fromEntries(entries) as Totals)
}

/** Null: no bank has approved it, or not yet. */
const authorizedIn = ({ status, error, charge, authorized, amount }: Intent): number | null =>
  status === 'requires_capture' || status === 'succeeded' || (status === 'canceled' && charge !== null && !error)
    ? (authorized ?? amount)
    : null

function releasedOf({ intent, charge }: WholePayment, refunds: readonly StripeRefund[] = []): PaymentReport['released'] {
  const authorized = authorizedIn(intent)
  if (authorized === null || intent.status === 'requires_capture' || intent.amount_received >= authorized) return null
  const ranOut = intent.ranOut || (charge !== null && refunds.some(one => isRelease(one, charge) && one.reason === EXPIRED))
  return ranOut ? 'expired' : 'voided'
}

/** Null if an amount has no meaning in its currency. */
export function reportOf(whole: WholePayment, refunds: readonly StripeRefund[], disputes: readonly string[]): PaymentReport | null {
  const { intent, charge } = whole
  const { currency, amount_received, amount_capturable, metadata } = intent
  const given = charge ? refunds.filter(one => !isRelease(one, charge)) : []
  const movements = given.map(one => movementOf(one, metadata[REQUEST_ID]))
  const refunded = given.reduce((sum, { status, amount }) => (status === 'succeeded' ? sum + amount : sum), 0)
  const held = intent.status === 'requires_capture' ? amount_capturable : 0
  const totals = counted(currency, { authorized: authorizedIn(intent), captured: amount_received, refunded, held })
  if (totals === null || !movements.every(one => one !== null)) return null
  const requests = capturesIn(metadata)
  return { reference: intent.id, currency, ...totals, released: releasedOf(whole, refunds), movements, requests, disputes }
}

const noMore = { movements: [], disputes: [] } as const

/** An event has its intent without the charge: nothing is said of refunds. Null: nothing was approved. */
export function intentNews(intent: Intent): PaymentReport | null {
  const { id, currency, status, amount_received, amount_capturable, metadata } = intent
  const authorized = authorizedIn(intent)
  const held = status === 'requires_capture' ? amount_capturable : 0
  const totals = authorized === null ? null : counted(currency, { authorized, captured: amount_received, refunded: null, held })
  const released = releasedOf({ intent, charge: null })
  return totals && { reference: id, currency, ...totals, released, requests: capturesIn(metadata), ...noMore }
}

/**
 * Of several captures, the later ones may still come: what was not captured is then not let go, and counts as if it
 * were.
 */
export function chargeNews(charge: StripeCharge, type: string): PaymentReport | null {
  const { payment_intent, currency, amount, authorized, captured, refunded } = charge
  const givenBack = captured === 0 ? 0 : Math.max(0, refunded - Math.max(0, amount - captured))
  const isReleased = captured === 0 && refunded >= amount
  const released = type === 'charge.expired' ? 'expired' : isReleased ? 'voided' : null
  const totals = counted(currency, { authorized, captured, refunded: givenBack, held: null })
  return totals && { reference: payment_intent, currency, ...totals, released, ...noMore }
}

/** An event has a refund without its payment's totals. */
export function refundNews(refund: StripeRefund): PaymentReport | null {
  const movement = movementOf(refund)
  if (movement === null || refund.payment_intent === null) return null
  const unsaid = { authorized: null, captured: null, refunded: null, held: null, released: null }
  return { reference: refund.payment_intent, currency: refund.currency, ...unsaid, movements: [movement], disputes: [] }
}

export const readDisputeId = (body: unknown): string | null => (isRecord(body) && body.object === 'dispute' ? readId(body.id) : null)
