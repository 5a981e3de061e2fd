import { refuse } from '../../base/refusal.ts'
import type { StoredCredential } from '../../connectors/verbs.ts'
import type { Time } from '../../context.ts'
import type { CustomerAcceptance } from '../../payment-methods/mandate.ts'
import type { Payment, PaymentParams } from '../payment.ts'

/** The customer's agreement to later payments (CIT), and the one by which an absent customer is charged (MIT). Pure. */

/** Returns the customer's acceptance that the card may be stored; undefined without one. */
export const acceptanceOf = ({ mandate_data, customer_acceptance }: PaymentParams): CustomerAcceptance | undefined =>
  mandate_data?.customer_acceptance ?? customer_acceptance

/** Whether the payment is merchant-initiated (MIT): charged without its customer. */
export const isMerchantInitiated = ({ off_session }: PaymentParams): boolean => off_session === true

/**
 * Whether the instrument is to be saved: a checkout always sends on_session, so only with the customer's acceptance. A
 * method other than a card is saved only for charges without its customer (off_session).
 */
export const keepsMethod = (request: PaymentParams): boolean =>
  request.setup_future_usage !== undefined &&
  acceptanceOf(request) !== undefined &&
  ((request.payment_method ?? 'card') === 'card' || request.setup_future_usage === 'off_session') &&
  !isMerchantInitiated(request)

/** Whether a paid payment was not kept for off-session charges because its customer left the box unticked. */
export const lacksAcceptance = ({ status, amount_authorized, customer_id, request }: Payment): boolean =>
  request.setup_future_usage === 'off_session' &&
  customer_id !== null &&
  (status === 'succeeded' || amount_authorized > 0) &&
  acceptanceOf(request) === undefined &&
  !isMerchantInitiated(request) &&
  request.payment_method_id === undefined

/** Whether the payment has no connection to other payments. Most payments have none, and need no further work. */
export const needsNoCredential = (request: PaymentParams): boolean =>
  request.setup_future_usage === undefined &&
  request.mandate_data === undefined &&
  request.tokenization !== 'tokenize_at_psp' &&
  !isMerchantInitiated(request)

/** Whether the processor must store the card that the payment saves. */
export const keepsAtProcessor = (request: PaymentParams): boolean => request.tokenization === 'tokenize_at_psp' && keepsMethod(request)

/** Returns the stored credential that a processor receives; null if the payment has none. */
export function storedCredentialOf({ merchant_id, customer_id, request }: Payment): StoredCredential | null {
  if (needsNoCredential(request)) return null
  const customer = customer_id === null ? null : `${merchant_id}_${customer_id}`
  if (isMerchantInitiated(request)) return { is: 'used', mit_category: request.mit_category ?? 'unscheduled', customer }
  if (customer === null || !keepsMethod(request)) return null
  return { is: 'made', usage: request.setup_future_usage!, customer, ...(request.tokenization === 'skip_psp' && { store: false as const }) }
}

/** Refuses contradictions in a payment to authorize (contract 3.4, 3.13). `sent`: by the confirming request. */
export function checkStoredCredential({ request, customer_id }: Pick<Payment, 'request' | 'customer_id'>, sent: PaymentParams): void {
  if (needsNoCredential(request)) return
  const { setup_future_usage, mandate_data, tokenization } = request
  if (tokenization === 'tokenize_at_psp' && (setup_future_usage === undefined || isMerchantInitiated(request)))
    refuse('precondition', { problem: 'tokenization tokenize_at_psp requires setup_future_usage: no payment method is saved without it' })
  if (tokenization === 'skip_psp' && keepsMethod(request) && (request.payment_method ?? 'card') !== 'card')
    refuse('precondition', { problem: `tokenization skip_psp is for cards: only its processor can keep a ${request.payment_method}` })
  if (isMerchantInitiated(request)) {
    if (customer_id === null && (request.mandate_id !== undefined || request.recurring)) refuse('missing', { field: 'customer_id' })
    if (mandate_data || setup_future_usage !== undefined)
      refuse('precondition', {
        problem: 'off_session cannot be used with setup_future_usage or mandate_data: the customer must be present to agree',
      })
    return
  }
  if (customer_id === null) {
    // A wish with which a shop creates all of its payments saves nothing for a guest, who can pay all the same.
    if (sent.setup_future_usage === undefined && sent.mandate_data === undefined && mandate_data?.mandate_type === undefined) return
    refuse('precondition', {
      problem: `${mandate_data ? 'mandate_data' : 'setup_future_usage'} requires a customer: payment methods cannot be saved for guests`,
    })
  }
  if (mandate_data && setup_future_usage !== 'off_session')
    refuse('precondition', {
      sentence: '`setup_future_usage` must be `off_session` for mandates',
      problem: 'mandate_data requires setup_future_usage off_session',
    })
  // A mandate consists of the terms that its customer has accepted; without an acceptance nothing else is saved.
  if (mandate_data?.mandate_type && acceptanceOf(request) === undefined) refuse('missing', { field: 'customer_acceptance' })
}

type Limits = { amount?: number; currency?: string; start_date?: Time; end_date?: Time; metadata?: Record<string, unknown> }

/** Returns the mandate that the payment requests; null if none. A multi-use mandate without an amount has no limit. */
export function mandateTypeOf({ mandate_data }: PaymentParams): { type: 'single_use' | 'multi_use'; limits: Limits | null } | null {
  const request = mandate_data?.mandate_type
  if (!request) return null
  const type = request.single_use ? 'single_use' : 'multi_use'
  const terms = request[type]
  if (!terms) return { type, limits: null }
  const { start_date, end_date, ...limits } = terms
  const dates = { ...(start_date && { start_date: inUtc(start_date) }), ...(end_date && { end_date: inUtc(end_date) }) }
  return { type, limits: { ...limits, ...dates } }
}

/** Returns the time in UTC, as all our times are written. */
const inUtc = (time: string): Time => new Date(time).toISOString()
