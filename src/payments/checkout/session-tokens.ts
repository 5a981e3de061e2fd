import Type, { type Static } from 'typebox'
import { converseAbout, noAnswer } from '../../accounts/converse-about.ts'
import { connectorDetailsShape } from '../../accounts/inline-account.ts'
import { type ConnectorAccount, findProfileOnce, type Merchant } from '../../accounts/merchant.ts'
import { profileSetting } from '../../accounts/profile-settings.ts'
import type { ConfiguredWallet, Wallets } from '../../accounts/wallets.ts'
import { decimalOf } from '../../base/money.ts'
import { refuse } from '../../base/refusal.ts'
import { shortText, strictObject } from '../../base/shapes.ts'
import { connectors } from '../../connectors/all.ts'
import type { ClientToken } from '../../connectors/connector.ts'
import { takesWay } from '../../connectors/offer.ts'
import type { Context } from '../../context.ts'
import { paymentMethodTypes } from '../../instruments/methods.ts'
import { offers } from '../../routing/offers.ts'
import { checkCredentials } from '../authorization/payment-credentials.ts'
import { needStatus } from '../check.ts'
import type { Payment } from '../payment.ts'
import { clientSecret } from '../request-shapes.ts'
import { routingContextOf } from '../routing/routing-context.ts'
import { appleSession } from './apple-session.ts'

/**
 * Session tokens, with which a checkout opens its customer's wallets, as the connector account configures them. Only
 * Apple, and a processor whose own script opens the wallet, are called; nothing is stored.
 */

export const sessionTokensShape = strictObject({
  payment_id: shortText,
  wallets: Type.Array(Type.Enum(paymentMethodTypes), { description: 'Wallets to return; if empty, all' }),
  client_secret: Type.Optional(clientSecret),
  delayed_session_token: Type.Optional(Type.Boolean()),
  merchant_connector_details: Type.Optional(connectorDetailsShape),
})
export type SessionTokensAsk = Static<typeof sessionTokensShape>

type Details = { payment: Payment; merchant: Merchant; account: ConnectorAccount; total: string; country: string | null }
export type SessionToken = { wallet_name: string } & Record<string, unknown>
type Wallet<W extends ConfiguredWallet> = {
  type: string
  token(settings: NonNullable<Wallets[W]>, details: Details): SessionToken | null
  /** Adds data that the wallet's provider supplies; null if it did not, so the wallet cannot be opened now. */
  completed?(context: Context, settings: NonNullable<Wallets[W]>, details: Details, token: SessionToken): Promise<SessionToken | null>
}

const confirms = { next_action: 'confirm', should_block_confirm: null }

/** The token of each wallet (contract 4.7). Null: required data is missing. */
const tokens: { [W in ConfiguredWallet]: Wallet<W> } = {
  apple_pay: {
    type: 'apple_pay',
    token({ payment_request_data, session_token_data }, { payment, merchant, account, total, country }) {
      const country_code = session_token_data.merchant_business_country ?? country
      if (country_code === null) return null
      const { label, supported_networks, merchant_capabilities } = payment_request_data
      const asks = asksFor(merchant, payment)
      return {
        wallet_name: 'apple_pay',
        payment_request_data: {
          country_code,
          currency_code: payment.currency,
          total: { label, type: 'final', amount: total },
          merchant_capabilities,
          supported_networks,
          merchant_identifier: session_token_data.merchant_identifier,
          required_billing_contact_fields: asks.billing ? ['postalAddress'] : null,
          required_shipping_contact_fields: asks.shipping ? ['postalAddress', 'phone', 'email'] : null,
          recurring_payment_request: null,
        },
        connector: account.connector_name,
        delayed_session_token: false,
        sdk_next_action: confirms,
        connector_reference_id: null,
        connector_sdk_public_key: null,
        connector_merchant_id: null,
      }
    },
    async completed(context, { shop }, { account: { merchant_id, merchant_connector_id } }, token) {
      if (shop === null) return token
      const session_token_data = await appleSession(context, { merchant_id, merchant_connector_id }, shop)
      return session_token_data && { ...token, session_token_data }
    },
  },
  google_pay: {
    type: 'google_pay',
    token({ merchant_info, allowed_payment_methods }, { payment, merchant, account, total, country }) {
      const asks = asksFor(merchant, payment)
      return {
        wallet_name: 'google_pay',
        merchant_info,
        shipping_address_required: asks.shipping,
        email_required: asks.shipping,
        shipping_address_parameters: { phone_number_required: asks.shipping },
        allowed_payment_methods: allowed_payment_methods.map(({ parameters, ...one }) => ({
          ...one,
          parameters: { ...parameters, ...(asks.billing && { billing_address_required: true }) },
        })),
        transaction_info: {
          ...(country !== null && { country_code: country }),
          ...{ currency_code: payment.currency, total_price_status: 'FINAL', total_price: total },
        },
        delayed_session_token: false,
        connector: account.connector_name,
        sdk_next_action: confirms,
      }
    },
  },
  samsung_pay: {
    type: 'samsung_pay',
    token: ({ merchant_credentials }, { payment, merchant, total }) => {
      const returnUrl = profileSetting(merchant, payment.profile_id, 'return_url')
      return {
        wallet_name: 'samsung_pay',
        version: '2',
        service_id: merchant_credentials.service_id,
        order_number: payment.payment_id,
        merchant: {
          name: merchant_credentials.merchant_display_name,
          ...(returnUrl !== undefined && { url: returnUrl }),
          country_code: merchant_credentials.merchant_business_country,
        },
        amount: { option: 'FORMAT_TOTAL_PRICE_ONLY', currency_code: payment.currency, total },
        protocol: 'PROTOCOL3DS',
        allowed_brands: merchant_credentials.allowed_brands,
        billing_address_required: asksFor(merchant, payment).billing,
        shipping_address_required: asksFor(merchant, payment).shipping,
      }
    },
  },
  paze: {
    type: 'paze',
    token: ({ data }, { payment, total }) => ({
      wallet_name: 'paze',
      ...data,
      transaction_currency_code: payment.currency,
      transaction_amount: total,
      email_address: payment.request.email ?? payment.request.customer?.email ?? null,
    }),
  },
  paypal_sdk: {
    type: 'paypal',
    token: ({ data }, { payment, account, total }) => ({
      wallet_name: 'paypal',
      connector: account.connector_name,
      session_token: data.client_id,
      sdk_next_action: { next_action: 'confirm', should_block_confirm: null },
      client_token: null,
      transaction_info: { flow: 'checkout', currency_code: payment.currency, total_price: total },
      data_user_id_token: null,
      currency: payment.currency,
      intent: payment.capture_method === 'automatic' ? 'capture' : 'authorize',
    }),
    completed: withClientToken,
  },
  venmo_sdk: {
    type: 'venmo',
    token: (_settings, { payment, account, total }) => ({
      wallet_name: 'venmo',
      connector: account.connector_name,
      sdk_next_action: confirms,
      client_token: null,
      transaction_info: { flow: 'checkout', currency_code: payment.currency, total_price: total },
    }),
    completed: withClientToken,
  },
}

/** Adds the client token to a wallet that the processor's own script opens; null if the processor returned none. */
async function withClientToken(context: Context, _settings: unknown, { payment, account }: Details, token: SessionToken) {
  const { merchant_id, merchant_connector_id, connector_name } = account
  const ask = connectors[connector_name]?.client_token
  if (!ask) return token
  const money = { amount: payment.net_amount, currency: payment.currency }
  const owner = { merchant_id, merchant_connector_id }
  const made = await converseAbout<ClientToken>(context, owner, account.account, ask({ money }, account.account), noAnswer)
  if (made.is === 'done') return { ...token, client_token: made.token }
  context.log.warn({ ...owner, why: made.is === 'refused' ? made.message : made.why }, 'The processor returned no client token')
  return null
}

/** Returns which contact details a wallet requests from its customer, as the profile configures. */
const asksFor = (merchant: Merchant, { profile_id, request }: Payment) => {
  const isOn = (name: Parameters<typeof profileSetting>[2]) => profileSetting(merchant, profile_id, name) === true
  return {
    shipping:
      isOn('always_collect_shipping_details_from_wallet_connector') ||
      (isOn('collect_shipping_details_from_wallet_connector') && request.shipping === undefined),
    billing:
      isOn('always_collect_billing_details_from_wallet_connector') ||
      (isOn('collect_billing_details_from_wallet_connector') && request.billing === undefined),
  }
}

/** Returns a token for each wallet that an account configures. Refuses (IR_16) a payment that cannot be paid. */
export async function sessionTokens(
  context: Context,
  merchant: Merchant,
  payment: Payment,
  { wallets, merchant_connector_details, delayed_session_token }: SessionTokensAsk,
): Promise<SessionToken[]> {
  checkCredentials(merchant, payment, merchant_connector_details)
  if (delayed_session_token)
    refuse('not_supported', { problem: 'delayed_session_token must be false: delayed session tokens are not supported' })
  needStatus(payment, 'session_tokens', 'create session tokens for')
  const { profile_id, request } = payment
  const types = request.allowed_payment_method_types ?? null
  const offered = offers(merchant, {
    profile_id,
    routingContext: routingContextOf(payment),
    off_session: request.setup_future_usage === 'off_session' || request.mandate_data !== undefined,
    types,
    filters: {},
  }).filter(({ config: enabled }) => (enabled?.payment_experience ?? OPENED) === OPENED)
  const total = decimalOf(payment.net_amount, payment.currency)
  const found = Object.entries(tokens).flatMap(([name, wallet]) => {
    if (wallets.length > 0 && !wallets.includes(wallet.type)) return []
    for (const { account, payment_method_type, row } of offered) {
      const settings = account.wallets[name as ConfiguredWallet]
      // The payment method in the wallet's answer is paid in the way named like the wallet.
      if (payment_method_type !== wallet.type || !settings || (row && !takesWay(row, name))) continue
      const details = { payment, merchant, account, total, country: countryOf(merchant, payment, account) }
      // An account's settings under a wallet's name have the type of that wallet.
      const token = wallet.token(settings as never, details)
      if (token) return [wallet.completed?.(context, settings as never, details, token) ?? token]
    }
    return []
  })
  return (await Promise.all(found)).filter(token => token !== null)
}

/** The payment experience in which the checkout opens the wallet itself. */
const OPENED = 'invoke_sdk_client'

/** Returns the country of the shop, from the account, the payment or the profile. */
function countryOf(merchant: Merchant, { profile_id, request }: Payment, { details }: ConnectorAccount): string | null {
  const country =
    details.business_country ?? request.business_country ?? findProfileOnce(merchant, profile_id)?.details.merchant_business_country
  return typeof country === 'string' ? country : null
}
