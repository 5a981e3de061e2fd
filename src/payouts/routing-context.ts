import { recipientFamilies } from '../means/recipients.ts'
import { readRequestRouting } from '../routing/read.ts'
import { plainWish, type RoutingContext } from '../routing/routing-context.ts'
import type { Payout } from './payout.ts'

/** What routing may look at of a payout. Pure. */
export function payoutRoutingContextOf(payout: Payout): RoutingContext {
  const { asked, recipient } = payout
  const shown = (recipient?.shown ?? {}) as Readonly<Record<string, string | null | undefined>>
  return {
    ...plainWish,
    transaction: 'payout',
    payment_id: payout.payout_id,
    profile_id: payout.profile_id,
    amount: payout.amount,
    currency: payout.currency,
    means: recipient?.is ?? null,
    payment_method: recipient && recipientFamilies[recipient.is].payment_method,
    payment_method_type: recipient?.type ?? null,
    card_network: shown.card_network ?? null,
    card_bin: shown.card_isin ?? null,
    extended_card_bin: shown.card_extended_bin ?? null,
    issuer_name: shown.card_issuer ?? null,
    billing_country: asked.billing?.address?.country ?? null,
    business_country: asked.business_country ?? null,
    business_label: asked.business_label ?? null,
    customer_id: payout.customer_id,
    metadata: asked.metadata ?? null,
    connector: asked.connector ?? null,
    routing: asked.routing === undefined ? null : readRequestRouting(asked.routing),
  }
}
