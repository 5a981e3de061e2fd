import { recipientFamilies } from '../instruments/recipients.ts'
import { readRequestRouting } from '../routing/read.ts'
import { plainRoutingContext, type RoutingContext } from '../routing/routing-context.ts'
import type { Payout } from './payout.ts'

export function payoutRoutingContextOf(payout: Payout): RoutingContext {
  const { request, recipient } = payout
  const shown = (recipient?.shown ?? {}) as Readonly<Record<string, string | null | undefined>>
  return {
    ...plainRoutingContext,
    transaction: 'payout',
    payment_id: payout.payout_id,
    profile_id: payout.profile_id,
    amount: payout.amount,
    currency: payout.currency,
    family: recipient?.is ?? null,
    payment_method: recipient && recipientFamilies[recipient.is].payment_method,
    payment_method_type: recipient?.type ?? null,
    card_network: shown.card_network ?? null,
    card_bin: shown.card_isin ?? null,
    extended_card_bin: shown.card_extended_bin ?? null,
    issuer_name: shown.card_issuer ?? null,
    billing_country: request.billing?.address?.country ?? null,
    business_country: request.business_country ?? null,
    business_label: request.business_label ?? null,
    customer_id: payout.customer_id,
    metadata: request.metadata ?? null,
    connector: request.connector ?? null,
    routing: request.routing === undefined ? null : readRequestRouting(request.routing),
  }
}
