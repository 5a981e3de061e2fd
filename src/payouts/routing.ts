import type { ConnectorAccount, Merchant } from '../accounts/merchant.ts'
import { refuse } from '../base/refusal.ts'
import { recipientFamilies } from '../instruments/recipients.ts'
import { type Decision, decide } from '../routing/decide.ts'
import { whyNone } from '../routing/eligible.ts'
import { readRequestRouting } from '../routing/read.ts'
import { plainRoutingContext, type RoutingContext } from '../routing/routing-context.ts'
import type { Payout } from './payout.ts'

type Found = Decision & { order: readonly [ConnectorAccount, ...ConnectorAccount[]] }

/** The connector accounts that can pay this payout, in order. Refuses (IR_39) with the reason if there is none. */
export function route(merchant: Merchant, payout: Payout): Found {
  const routingContext = payoutRoutingContextOf(payout)
  const decision = decide(merchant, routingContext, null)
  return decision.order.length > 0
    ? (decision as Found)
    : refuse('no_connector', { why: whyNone(merchant.connectorAccounts, routingContext) })
}

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
