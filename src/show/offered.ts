import type { Merchant } from '../accounts/merchant.ts'
import { profileSetting } from '../accounts/profile-settings.ts'
import { countries } from '../base/countries.ts'
import { currencies } from '../base/currencies.ts'
import { majorNumberOf } from '../connectors/kit/decimal.ts'
import type { Needed } from '../instruments/family.ts'
import type { ListedPaymentMethod } from '../payment-methods/list.ts'
import { offeredInstallments } from '../payments/authorization/installments.ts'
import { familyOf } from '../payments/authorization/payment-instrument.ts'
import { providedBy } from '../payments/authorization/provided.ts'
import type { Payment } from '../payments/payment.ts'
import { isAuthenticatedApart } from '../payments/three-ds/external-three-ds.ts'
import type { Merged } from '../routing/offers.ts'
import { showMandateData } from './mandate.ts'
import { type Audience, type Members, renderer } from './member.ts'
import { members } from './members.ts'
import { showSaved } from './payment-method.ts'
import { inputsFor, knownValue } from './required.ts'

export const showOffered = (merchant: Merchant, profile_id: string, payment: Payment | null, offered: readonly Merged[]) => {
  return {
    redirect_url: payment?.request.return_url ?? profileSetting(merchant, profile_id, 'return_url') ?? null,
    currency: payment?.currency ?? null,
    payment_methods: [...Map.groupBy(offered, one => one.payment_method)].map(([payment_method, types]) => ({
      payment_method,
      payment_method_types: types.map(one => showType(one, payment)),
    })),
    mandate_payment: payment && mandatePayment(payment),
    merchant_name: profileSetting(merchant, profile_id, 'merchant_name') ?? null,
    payment_type: payment && paymentType(payment),
    show_surcharge_breakup_screen: false,
    request_external_three_ds_authentication: payment !== null && isAuthenticatedApart(payment),
    collect_shipping_details_from_wallets:
      profileSetting(merchant, profile_id, 'always_collect_shipping_details_from_wallet_connector') ||
      profileSetting(merchant, profile_id, 'collect_shipping_details_from_wallet_connector'),
    collect_billing_details_from_wallets:
      profileSetting(merchant, profile_id, 'always_collect_billing_details_from_wallet_connector') ||
      profileSetting(merchant, profile_id, 'collect_billing_details_from_wallet_connector'),
    is_tax_calculation_enabled: profileSetting(merchant, profile_id, 'tax_rates').length > 0,
    sdk_next_action: { next_action: 'confirm', should_block_confirm: null },
    is_guest_customer: payment !== null && payment.customer_id === null,
    intent_data: payment && showIntent(payment),
    show_logo: null,
    logo_url: null,
  }
}

/** All that a checkout of the newer generation needs in one answer, as flat lists. */
export const showForCheckout = (
  merchant: Merchant,
  payment: Payment,
  offered: readonly Merged[],
  listed: readonly ListedPaymentMethod[],
) => ({
  payment_methods_enabled: offered.map(one => {
    const { payment_method_type, payment_experience, card_networks, bank_names, required_fields } = showType(one, payment)
    return {
      payment_method: one.payment_method,
      payment_method_type,
      payment_experience: payment_experience?.map(({ payment_experience_type }) => payment_experience_type) ?? [],
      card_networks: card_networks?.map(({ card_network }) => card_network) ?? [],
      bank_names: bank_names?.flatMap(({ bank_name }) => bank_name) ?? [],
      required_fields,
    }
  }),
  customer_payment_methods: listed.map(one => {
    const { card, payment_method_data: _ofRecords, ...saved } = showSaved(one, 'client', merchant, payment)
    return { ...saved, payment_method_data: card && { card } }
  }),
  sdk_next_action: { next_action: 'confirm', should_block_confirm: null },
  intent_data: {
    ...showIntent(payment),
    request_external_three_ds_authentication: isAuthenticatedApart(payment),
    payment_type: paymentType(payment),
    merchant_name: profileSetting(merchant, payment.profile_id, 'merchant_name') ?? null,
    is_guest_customer: payment.customer_id === null,
    mandate_payment: mandatePayment(payment),
    is_tax_calculation_enabled: profileSetting(merchant, payment.profile_id, 'tax_rates').length > 0,
    redirect_url: payment.request.return_url ?? profileSetting(merchant, payment.profile_id, 'return_url') ?? null,
  },
})

const mandatePayment = ({ request }: Payment) => showMandateData(request.mandate_data)?.mandate_type ?? null

/** If its request does not contain it (contract 3.13). */
function paymentType({ amount, request }: Payment): string {
  if (request.payment_type !== undefined) return request.payment_type
  if (amount === 0) return 'setup_mandate'
  return request.mandate_data !== undefined || request.setup_future_usage === 'off_session' ? 'new_mandate' : 'normal'
}

/** Without the data that the payment has already. */
export function requiredOf(one: Merged, payment: Payment | null): Needed[] {
  const provided = payment ? providedBy(payment) : []
  const stillRequired = one.requires.filter(name => !provided.includes(name))
  const isKept = payment !== null && familyOf(payment) === one.family
  const needs = isKept ? [] : one.family.needs(one.payment_method_type).flatMap(need => asBilling(need, provided))
  const asked = new Set(needs.map(need => need.required_field.replace(/^payment_method_data\./, '')))
  const inputs = inputsFor(stillRequired, one.accepted_countries).filter(need => !asked.has(need.required_field))
  return [...new Map([...needs, ...inputs].map(need => [need.required_field, need])).values()]
}

const BILLING = 'payment_method_data.billing'
/** Existing checkouts fill names and e-mail address in `billing_details` only by the paths of the billing address. */
function asBilling(need: Needed, provided: readonly string[]): Needed[] {
  const [, part] = /\.billing_details\.(\w+)$/.exec(need.required_field) ?? []
  const name = (one: string): Needed => ({ required_field: `${BILLING}.address.${one}`, display_name: one, field_type: 'user_full_name' })
  switch (part) {
    case 'name':
    case 'billing_name':
      return provided.includes('billing.name') ? [] : [name('first_name'), name('last_name')]
    case 'first_name':
    case 'last_name':
      return provided.includes('billing.name') ? [] : [name(part)]
    case 'email':
      return provided.includes('billing.email') ? [] : [{ ...need, required_field: `${BILLING}.email` }]
    default:
      return [need]
  }
}

function showType(one: Merged, payment: Payment | null) {
  const { payment_method, connectors: eligible_connectors } = one
  const isCard = payment_method === 'card'
  const banks = one.family.banks?.(one.payment_method_type) ?? []
  return {
    payment_method_type: one.payment_method_type,
    payment_experience: isCard
      ? null
      : one.experiences.map(({ payment_experience, connectors }) => ({
          payment_experience_type: payment_experience,
          eligible_connectors: connectors,
        })),
    card_networks: isCard
      ? one.networks.map(({ card_network, connectors }) => ({ card_network, surcharge_details: null, eligible_connectors: connectors }))
      : null,
    bank_names: banks.length === 0 ? null : [{ bank_name: banks, eligible_connectors }],
    bank_debits: payment_method === 'bank_debit' ? { eligible_connectors } : null,
    bank_transfers: payment_method === 'bank_transfer' ? { eligible_connectors } : null,
    required_fields: Object.fromEntries(
      requiredOf(one, payment).map(need => [need.required_field, { ...need, value: payment && knownValue(need, payment) }]),
    ),
    surcharge_details: null,
    pm_auth_connector: null,
    recurring_enabled: one.recurring_enabled,
    installment_payment_enabled: one.installment_payment_enabled,
    accepted_currencies: listOf(one.accepted_currencies, Object.keys(currencies).length),
    accepted_countries: listOf(one.accepted_countries, countries.length),
    minimum_amount: one.minimum_amount,
    maximum_amount: one.maximum_amount,
  }
}

const listOf = (list: readonly string[], all: number) =>
  list.length === all ? { type: 'all_accepted', list: null } : { type: 'enable_only', list }

/** In major units, rounded up, because the first installments contain the remainder in the lowest denomination. */
function showInstallments({ request, net_amount, currency }: Payment) {
  if (!request.installment_options) return null
  const major = (amount: number) => majorNumberOf({ amount, currency })
  const available_plans = offeredInstallments(request).map(number => ({
    number_of_installments: number,
    billing_frequency: 'month',
    interest_rate: 0,
    amount_details: { amount_per_installment: major(Math.ceil(net_amount / number)), total_amount: major(net_amount) },
  }))
  return [{ payment_method: 'card', available_plans }]
}

export const intentMembers = Object.fromEntries(
  `payment_id status amount currency client_secret description customer_id return_url setup_future_usage capture_method billing shipping
    metadata order_details merchant_order_reference_id created expires_on profile_id attempt_count`
    .split(/\s+/)
    .map(name => [name, members[name]!]),
) as Members<Payment, { audience: Audience }>
const renderIntent = renderer(intentMembers)

const showIntent = (payment: Payment) => ({
  ...renderIntent(payment, { audience: 'client' }),
  installment_options: showInstallments(payment),
})
