import type { Merchant } from '../accounts/merchant.ts'
import { familyNamed } from '../means/families.ts'
import { expiryOf } from '../means/read-card.ts'
import type { ListedPaymentMethod } from '../payment-methods/list.ts'
import { type Method, networkAccounts } from '../payment-methods/method.ts'
import { hasLink } from '../payments/link.ts'
import type { Payment } from '../payments/payment.ts'
import { countryOf } from '../routing/keys.ts'
import type { Audience } from './member.ts'

/** A saved card as the interface shows it. */
function showCard({ seen }: Method): Record<string, unknown> | null {
  return (
    seen && {
      scheme: seen.card_network,
      issuer_country: seen.card_issuing_country,
      issuer_country_code: seen.card_issuing_country_code ?? (seen.card_issuing_country && countryOf(seen.card_issuing_country)) ?? null,
      last4_digits: seen.last4,
      ...expiryOf(seen),
      card_token: null,
      card_holder_name: seen.card_holder_name,
      card_fingerprint: seen.fingerprint,
      nick_name: seen.nick_name,
      card_network: seen.card_network,
      card_networks: seen.card_networks ?? null,
      card_isin: seen.card_isin,
      card_issuer: seen.card_issuer,
      card_type: seen.card_type,
      saved_to_locker: true,
    }
  )
}

/** What both the payment method and its entry in a list have. */
const common = (method: Method) => ({
  payment_method_id: method.payment_method_id,
  customer_id: method.customer_id,
  payment_method: method.payment_method,
  payment_method_type: method.payment_method_type,
  payment_method_issuer: method.details.payment_method_issuer ?? null,
  payment_method_issuer_code: method.details.payment_method_issuer_code ?? null,
  card: showCard(method),
  recurring_enabled: method.recurring?.usage === 'off_session',
  installment_payment_enabled: false,
  payment_experience: ['redirect_to_url'],
  metadata: method.details.metadata ?? null,
  created: method.created,
  last_used_at: method.last_used_at,
  bank_transfer: method.recipient?.is === 'bank' ? method.recipient.shown : null,
  payout_method_data: method.recipient && { [method.recipient.is]: method.recipient.shown },
  payment_method_data: method.details.paid_with
    ? { [method.payment_method]: familyNamed(method.payment_method)!.show(method.details.paid_with, null) }
    : null,
})

/** A payment method as the interface shows it. */
export const showMethod = (method: Method): Record<string, unknown> => ({
  merchant_id: method.merchant_id,
  ...common(method),
  card_network: method.seen?.card_network ?? method.details.card_network ?? null,
  client_secret: method.client_secret,
})

/**
 * Must a checkout ask for the security code of a saved card? Not where the payment agrees on later ones, and an
 * account of its profile can charge the card as it keeps it already.
 */
const requiresCvv =
  (merchant: Merchant, payment: Payment | null) =>
  ({ payment_method, recurring }: Method): boolean => {
    if (payment_method !== 'card') return false
    const offSession = payment?.asked.setup_future_usage === 'off_session' || payment?.asked.off_session === true
    if (!payment || !offSession || recurring === null) return true
    return Object.keys(recurring.connectors).length === 0 && networkAccounts(merchant, payment.profile_id, recurring).length === 0
  }

/** And in a checkout's list; what the merchant noted of it only its server sees. */
const showListed = (
  { method, payment_token, isDefault }: ListedPaymentMethod,
  eyes: Audience,
  needsCvv: (method: Method) => boolean,
): Record<string, unknown> => ({
  payment_token,
  ...common(method),
  ...(eyes === 'client' && { metadata: null }),
  bank: null,
  surcharge_details: null,
  requires_cvv: needsCvv(method),
  default_payment_method_set: isDefault,
  billing: method.details.billing ?? null,
})

/** The same for whoever asks for it; `payment`: the one that is paid. */
export const showSaved = (
  listed: ListedPaymentMethod,
  eyes: Audience,
  merchant: Merchant,
  payment: Payment | null,
): Record<string, unknown> =>
  eyes === 'client' && payment && hasLink(payment) ? showLinked(listed) : showListed(listed, eyes, requiresCvv(merchant, payment))

/**
 * What a page that is opened by a link is told of saved cards: their brands, last digits and expiry. Whoever has the
 * link need not be the customer, so the page asks for the security code as well.
 */
function showLinked(listed: ListedPaymentMethod): Record<string, unknown> {
  const { card, ...rest } = showListed(listed, 'client', () => true)
  const holder = { card_holder_name: null, nick_name: null, card_fingerprint: null, card_isin: null, card_issuer: null }
  return { ...rest, card: card && { ...card, ...holder }, billing: null, requires_cvv: rest.payment_method === 'card' }
}
