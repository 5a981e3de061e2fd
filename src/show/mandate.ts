import type { Context } from '../context.ts'
import type { MaskedCard } from '../instruments/card.ts'
import type { Mandate } from '../payment-methods/mandate.ts'
import { findMethod, type Method } from '../payment-methods/method.ts'
import type { MandateData } from '../payments/fields/recurring.ts'

/** `card`: null once the card is deleted. */
export function showMandate(mandate: Mandate, method: Method | undefined): Record<string, unknown> {
  const { mandate_id, status, customer_id, payment_id, payment_method_id, customer_acceptance } = mandate
  return {
    ...{ mandate_id, status, customer_id, payment_id, payment_method_id },
    payment_method: method?.payment_method ?? 'card',
    payment_method_type: method?.payment_method_type ?? null,
    card: method?.masked ? showCharged(method.masked) : null,
    mandate_type: { [mandate.type]: showLimits(mandate) },
    customer_acceptance,
    created: mandate.created_at,
  }
}

function showCharged(card: MaskedCard): Record<string, unknown> {
  const { card_exp_month, card_exp_year, card_holder_name, card_isin, card_issuer, card_network, card_type, nick_name } = card
  return {
    ...{ last4_digits: card.last4, card_exp_month, card_exp_year, card_holder_name, card_token: null, scheme: card_network },
    ...{ issuer_country: card.card_issuing_country, card_fingerprint: card.fingerprint },
    ...{ card_isin, card_issuer, card_network, card_type, nick_name },
  }
}

export function showMandateData(data: MandateData | undefined): MandateData | null {
  const { multi_use } = data?.mandate_type ?? {}
  if (!data || !multi_use || Object.keys(multi_use).length > 0) return data ?? null
  return { ...data, mandate_type: { multi_use: null } } as unknown as MandateData
}

/** Null if it has none, as in the request. */
function showLimits({ amount, currency, start_date, end_date, metadata }: Mandate): Record<string, unknown> | null {
  const limits = { amount, currency, start_date, end_date, metadata }
  return Object.values(limits).some(limit => limit !== null) ? limits : null
}

export const showMandates = (context: Pick<Context, 'query'>, mandates: readonly Mandate[]): Promise<Record<string, unknown>[]> =>
  Promise.all(
    mandates.map(async mandate => showMandate(mandate, await findMethod(context, mandate.merchant_id, mandate.payment_method_id))),
  )
