import { isOther, type PaymentInstrument } from '../../connectors/instrument.ts'
import { countryOf } from '../../routing/keys.ts'
import { readRequestRouting } from '../../routing/read.ts'
import type { RoutingContext } from '../../routing/routing-context.ts'
import { installmentsOf } from '../authorization/installments.ts'
import { familyOf } from '../authorization/payment-instrument.ts'
import { providedBy } from '../authorization/provided.ts'
import { channelOf } from '../authorization/purchase.ts'
import { splitNameOf } from '../authorization/split.ts'
import { billingOf } from '../billing.ts'
import { cardDiscovery, cardOf, type Payment, type PaymentParams } from '../payment.ts'
import { keepsAtProcessor } from '../stored-credentials/stored-credential.ts'
import { authenticationPreferences } from '../three-ds/external-three-ds.ts'

/** The columns of a payment that routing uses. */
export type Routable = Pick<
  Payment,
  'payment_id' | 'profile_id' | 'net_amount' | 'currency' | 'capture_method' | 'authentication_type' | 'customer_id' | 'card' | 'request'
>

/** Returns the properties that routing uses. `instrument`: without it, the masked one in the row is used. Pure. */
export function routingContextOf(
  payment: Routable,
  instrument?: PaymentInstrument,
  agreed: RoutingContext['agreed'] = null,
): RoutingContext {
  const { request } = payment
  const card = cardOf(payment)
  const mandate = request.mandate_data
  const family = instrument?.is ?? familyOf(payment)?.is ?? null
  const issuer_country = card?.card_issuing_country_code ?? card?.card_issuing_country ?? null
  return {
    transaction: 'payment',
    payment_id: payment.payment_id,
    profile_id: payment.profile_id,
    amount: payment.net_amount,
    currency: payment.currency,
    capture_method: payment.capture_method,
    authentication_type: payment.authentication_type,
    family,
    payment_method: request.payment_method ?? null,
    payment_method_type: request.payment_method_type ?? null,
    channel: channelOf(request) ?? null,
    split: splitNameOf(request),
    installments: installmentsOf(request) !== null,
    partly: request.enable_partial_authorization === true,
    tokenized: keepsAtProcessor(request),
    card_network: card?.card_network ?? null,
    card_networks: (!card?.network_chosen && card?.card_networks) || null,
    card_bin: card?.card_isin ?? null,
    extended_card_bin: card?.card_extended_bin ?? null,
    card_discovery: cardDiscovery(payment),
    issuer_name: card?.card_issuer ?? null,
    issuer_country: issuer_country === null ? null : (countryOf(issuer_country) ?? null),
    way: instrument && isOther(instrument) ? instrument.way : null,
    provided: request.payment_method === undefined || request.payment_method === 'card' ? null : providedBy(payment, instrument),
    billing_country: billingOf(request)?.address?.country ?? null,
    business_country: request.business_country ?? null,
    business_label: request.business_label ?? null,
    customer_id: payment.customer_id,
    setup_future_usage: request.setup_future_usage ?? null,
    payment_type:
      payment.net_amount === 0
        ? 'setup_mandate'
        : (request.payment_type ?? (mandate?.mandate_type ? 'new_mandate' : agreed ? 'recurring_mandate' : 'normal')),
    mandate_type: mandate?.mandate_type ? (Object.keys(mandate.mandate_type)[0] ?? null) : null,
    mandate_acceptance_type: mandate?.customer_acceptance?.acceptance_type ?? request.customer_acceptance?.acceptance_type ?? null,
    transaction_initiator: request.off_session === true ? 'merchant' : 'customer',
    metadata: request.metadata ?? null,
    connector: request.connector ?? walletConnectorsOf(request),
    routing: request.routing === undefined ? null : readRequestRouting(request.routing),
    inline_account: request.brought_account ?? null,
    ordered_at:
      request.ordered && request.ordered.payment_method_type === request.payment_method_type ? request.ordered.merchant_connector_id : null,
    agreed,
    authentication: authenticationPreferences(payment),
  }
}

const walletConnectorsOf = ({ wallet_connectors, payment_method_type }: PaymentParams) =>
  wallet_connectors && wallet_connectors.payment_method_type === payment_method_type ? wallet_connectors.connectors : null
