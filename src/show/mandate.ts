import type { Context } from '../context.ts'
import type { Mandate } from '../payment-methods/mandate.ts'
import { findMethod, type Method } from '../payment-methods/method.ts'

/** A mandate as the interface shows it, with the card by which it charges; null once that is deleted. */
export const showMandate = (mandate: Mandate, method: Method | undefined): Record<string, unknown> => ({
  mandate_id: mandate.mandate_id,
  status: mandate.status,
  customer_id: mandate.customer_id,
  payment_id: mandate.payment_id,
  payment_method_id: mandate.payment_method_id,
  payment_method: 'card',
  payment_method_type: method?.payment_method_type ?? null,
  card: method?.masked
    ? {
        last4_digits: method.masked.last4,
        card_exp_month: method.masked.card_exp_month,
        card_exp_year: method.masked.card_exp_year,
        card_holder_name: method.masked.card_holder_name,
        card_token: null,
        scheme: method.masked.card_network,
        issuer_country: method.masked.card_issuing_country,
        card_fingerprint: method.masked.fingerprint,
        card_isin: method.masked.card_isin,
        card_issuer: method.masked.card_issuer,
        card_network: method.masked.card_network,
        card_type: method.masked.card_type,
        nick_name: method.masked.nick_name,
      }
    : null,
  mandate_type: {
    [mandate.type]: showLimits(mandate),
  },
  customer_acceptance: mandate.customer_acceptance,
  created: mandate.created_at,
})

/** Null where it has none, as it was asked for. */
function showLimits({ amount, currency, start_date, end_date, metadata }: Mandate): Record<string, unknown> | null {
  const limits = { amount, currency, start_date, end_date, metadata }
  return Object.values(limits).some(limit => limit !== null) ? limits : null
}

export const showMandates = (context: Pick<Context, 'query'>, mandates: readonly Mandate[]): Promise<Record<string, unknown>[]> =>
  Promise.all(
    mandates.map(async mandate => showMandate(mandate, await findMethod(context, mandate.merchant_id, mandate.payment_method_id))),
  )
