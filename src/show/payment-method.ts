import Type from 'typebox'
import type { Merchant } from '../accounts/merchant.ts'
import { anyText, bool, orNull } from '../base/shapes.ts'
import { familyNamed } from '../instruments/families.ts'
import { expiryOf } from '../instruments/read-card.ts'
import { methodFields } from '../payment-methods/fields.ts'
import type { ListedPaymentMethod } from '../payment-methods/list.ts'
import { type Method, type MethodDetails, networkAccounts } from '../payment-methods/method.ts'
import { hasLink } from '../payments/checkout/payment-link.ts'
import type { Payment } from '../payments/payment.ts'
import { countryOf } from '../routing/keys.ts'
import { type Audience, type Members, membersOf, renderer, textsOrNull } from './member.ts'

function showCard({ masked }: Method): Record<string, unknown> | null {
  return (
    masked && {
      scheme: masked.card_network,
      issuer_country: masked.card_issuing_country,
      issuer_country_code:
        masked.card_issuing_country_code ?? (masked.card_issuing_country && countryOf(masked.card_issuing_country)) ?? null,
      last4_digits: masked.last4,
      ...expiryOf(masked),
      card_token: null,
      card_holder_name: masked.card_holder_name,
      card_fingerprint: masked.fingerprint,
      nick_name: masked.nick_name,
      card_network: masked.card_network,
      card_networks: masked.card_networks ?? null,
      card_isin: masked.card_isin,
      card_issuer: masked.card_issuer,
      card_type: masked.card_type,
      saved_to_locker: true,
    }
  )
}

export const savedCardShape = Type.Object(
  {
    ...textsOrNull(
      `scheme issuer_country issuer_country_code last4_digits expiry_month expiry_year card_token card_holder_name card_fingerprint
        nick_name card_network card_isin card_issuer card_type`,
    ),
    card_networks: orNull(Type.Array(anyText)),
    saved_to_locker: bool,
  },
  { title: 'SavedCard', description: 'A saved card, without its full number' },
)

type Opened = Method & { request: MethodDetails }
type Looked = { audience: Audience }

export const methodMembers: Members<Opened, Looked> = membersOf<Opened, Looked, typeof methodFields>(methodFields, {
  card: { shape: orNull(savedCardShape), from: showCard },
  recurring_enabled: { from: ({ recurring }) => recurring?.usage === 'off_session' },
  installment_payment_enabled: { from: () => false },
  payment_experience: { from: () => ['redirect_to_url'] },
  bank_transfer: { from: ({ recipient }) => (recipient?.is === 'bank' ? recipient.shown : null) },
  payout_method_data: { from: ({ recipient }) => recipient && { [recipient.is]: recipient.shown } },
  payment_method_data: {
    from: ({ payment_method, details: { paid_with } }) =>
      paid_with ? { [payment_method]: familyNamed(payment_method)!.show(paid_with, null) } : null,
  },
  card_network: { from: ({ masked, details }) => masked?.card_network ?? details.card_network ?? null },
})

const without = (names: readonly string[]): Members<Opened, Looked> =>
  Object.fromEntries(Object.entries(methodMembers).filter(([name]) => !names.includes(name)))

/** `commonMembers`: those that an entry of a checkout's list has as well. */
export const aloneMembers = without(['billing'])
export const commonMembers = without(['billing', 'merchant_id', 'card_network', 'client_secret'])

const renderAlone = renderer(aloneMembers)
const renderCommon = renderer(commonMembers)

/** A browser does not see the merchant's own metadata. */
export const showMethod = (method: Method, audience: Audience = 'server'): Record<string, unknown> =>
  renderAlone({ ...method, request: method.details }, { audience })

/** Not if the payment agrees on later charges, and an account of its profile can charge the card from stored data. */
const requiresCvv =
  (merchant: Merchant, payment: Payment | null) =>
  ({ payment_method, recurring }: Method): boolean => {
    if (payment_method !== 'card') return false
    const offSession = payment?.request.setup_future_usage === 'off_session' || payment?.request.off_session === true
    if (!payment || !offSession || recurring === null) return true
    return Object.keys(recurring.connectors).length === 0 && networkAccounts(merchant, payment.profile_id, recurring).length === 0
  }

const showListed = (
  { method, payment_token, isDefault }: ListedPaymentMethod,
  viewer: Audience,
  needsCvv: (method: Method) => boolean,
): Record<string, unknown> => ({
  payment_token,
  ...renderCommon({ ...method, request: method.details }, { audience: viewer }),
  bank: null,
  surcharge_details: null,
  requires_cvv: needsCvv(method),
  default_payment_method_set: isDefault,
  billing: method.details.billing ?? null,
})

export const showSaved = (
  listed: ListedPaymentMethod,
  viewer: Audience,
  merchant: Merchant,
  payment: Payment | null,
): Record<string, unknown> =>
  viewer === 'client' && payment && hasLink(payment) ? showLinked(listed) : showListed(listed, viewer, requiresCvv(merchant, payment))

/** Without names: a visitor with the link may not be the customer, and is asked for the security code as well. */
function showLinked(listed: ListedPaymentMethod): Record<string, unknown> {
  const { card, ...rest } = showListed(listed, 'client', () => true)
  const holder = { card_holder_name: null, nick_name: null, card_fingerprint: null, card_isin: null, card_issuer: null }
  return { ...rest, card: card && { ...card, ...holder }, billing: null, requires_cvv: rest.payment_method === 'card' }
}
