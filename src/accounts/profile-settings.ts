import Type, { type Static, type TSchema } from 'typebox'
import { checkMetadata } from '../base/metadata.ts'
import { refuse } from '../base/refusal.ts'
import { boundedText, checkAddress, country, kept, metadata, nonNegative, shortText, strictObject } from '../base/shapes.ts'
import type { Context } from '../context.ts'
import { authenticationDetailsShape, checkAuthenticationDetails } from './authentication-details.ts'
import { cardTestingSetting } from './card-testing-limits.ts'
import { checkExtendedCardInfo, extendedCardInfoShape } from './extended-card-info.ts'
import { findProfileOnce, type Merchant } from './merchant.ts'
import { businessLinkConfigShape, checkBusinessLinkConfig } from './payment-link-config.ts'
import { blockingShape } from './payment-method-blocking.ts'
import { businessPayoutLinkShape, checkBusinessPayoutLink } from './payout-link-config.ts'
import { checkAlgorithm, sentAlgorithm } from './sent-algorithm.ts'
import { checkTaxRates, taxRatesShape } from './tax-rates.ts'
import { checkWebhookUrl, type WebhookDetails, webhookDetails } from './webhook-details.ts'

type Reaches = Pick<Context, 'unreachable'>

/** Schemas, types, checks, answers, inheritance and documentation are derived from the table below. */
export type ProfileSetting = {
  shape: TSchema
  default?: unknown
  /** The value in answers, if not the value in effect: `as sent` (or null), built by `show/account.ts`, or none. */
  visibility?: 'as sent' | 'computed' | 'never'
  /** In order of precedence; absent: the profile only. */
  levels?: readonly ('profile' | 'merchant')[]
  inherited?: true
  /** Absent: creation and update of a profile. */
  acceptedIn?: 'update' | 'an operation of its own'
  settableBy?: 'admin'
  /** Refuses values that the schema accepts but that are not allowed. */
  check?(field: string, value: unknown, context: Reaches): void | Promise<void>
  /** Why the setting is only stored; absent: it has an effect. */
  storedOnly?: string
  /** Members that are only stored, by name, each with the reason. */
  storedOnlyMembers?: Readonly<Record<string, string>>
  description?: string
}

const seconds = <const D extends number>(least: number, most: number, usual: D) => ({
  shape: Type.Integer({ description: `Seconds, ${least.toLocaleString('en')} to ${most.toLocaleString('en')}; default ${usual}` }),
  default: usual,
  check(field: string, value: number) {
    if (value < least || value > most) refuse('unacceptable', { field, problem: `must be ${least} to ${most} seconds` })
  },
})

function checkHeaders(field: string, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers))
    if (!/^[\w!#$%&'*+.^`|~-]{1,128}$/.test(name) || !/^[\t\x20-\x7e]*$/.test(value))
      refuse('malformed', { field, expected: 'names and values of HTTP headers' })
}

const noPolling = (field: string) =>
  refuse('not_supported', {
    problem: `${field} is not supported: processors tell of new disputes by webhook, and are asked about a dispute when its time is over or force_sync=true is sent`,
  })

const hidden = boundedText(4096)
const tokenizationCredentials = strictObject({
  internal_network_token_service: strictObject({ token_service_api_key: hidden, public_key: hidden, private_key: hidden, key_id: hidden }),
})

const flag = Type.Boolean()
const off = { shape: flag, default: false } as const
const whether = (what: string) => ({ ...off, description: `Whether ${what}` })
const noTokens = 'Cards are not tokenized at their networks'
const ownVault = 'Cards are stored in this service’s vault'
const byTaxRates = 'Tax is calculated by tax_rates'
const notSent = 'Webhooks are signed; this is not sent with them'
const byStatus = 'payment_statuses_enabled decides'
const toNoProcessor = 'Told to no processor'

/** All members of a profile other than its name. */
export const profileSettings = {
  merchant_name: { shape: shortText, levels: ['merchant'], description: 'What customers call the merchant' },
  return_url: {
    shape: Type.String({ maxLength: 255, format: 'uri' }),
    levels: ['profile', 'merchant'],
    inherited: true,
    check: checkAddress,
    description: 'Where customers return to after a payment, unless the payment sets its own',
  },
  webhook_details: {
    shape: webhookDetails,
    inherited: true,
    check: (field: string, value: WebhookDetails, context) => checkWebhookUrl(context, `${field}.webhook_url`, value.webhook_url),
    storedOnlyMembers: {
      webhook_version: 'Webhooks have a single format',
      webhook_username: notSent,
      webhook_password: notSent,
      payment_created_enabled: byStatus,
      payment_succeeded_enabled: byStatus,
      payment_failed_enabled: byStatus,
    },
    description: 'Where webhooks are sent, and of which statuses',
  },
  enable_payment_response_hash: {
    shape: flag,
    default: true,
    inherited: true,
    description: 'Whether the return URL is signed with payment_response_hash_key',
  },
  payment_response_hash_key: {
    shape: Type.String({ minLength: 16, maxLength: 255 }),
    inherited: true,
    visibility: 'computed',
    description: 'Key that signs return URLs and webhooks',
  },
  redirect_to_merchant_with_http_post: { ...whether('customers return by a form (POST) instead of a link'), inherited: true },
  frm_routing_algorithm: { shape: kept, inherited: true, storedOnly: 'No fraud check is performed' },
  payout_routing_algorithm: { shape: kept, inherited: true, storedOnly: 'Algorithms are created and activated under /routing/payouts' },
  metadata: { shape: metadata, check: checkMetadata },
  routing_algorithm: { shape: sentAlgorithm, check: checkAlgorithm, storedOnly: 'Algorithms are created and activated under /routing' },
  intent_fulfillment_time: { ...seconds(60, 1_800, 900), storedOnly: 'Payment tokens are valid for 15 minutes' },
  session_expiry: { ...seconds(60, 7_890_000, 900), description: 'How long customers have to pay, unless the payment sets its own' },
  applepay_verified_domains: { shape: Type.Array(shortText), storedOnly: 'Domains are verified at Apple' },
  payment_link_config: { shape: businessLinkConfigShape, check: checkBusinessLinkConfig, description: 'How pages of payment links look' },
  payout_link_config: {
    shape: businessPayoutLinkShape,
    check: checkBusinessPayoutLink,
    storedOnlyMembers: { payout_test_mode: 'The page of a payout link can always be opened outside a frame' },
    description: 'How pages of payout links look',
  },
  authentication_connector_details: {
    shape: authenticationDetailsShape,
    check: checkAuthenticationDetails,
    description: 'Connectors that authenticate customers (3-D Secure) apart from the processor',
  },
  use_billing_as_payment_method_billing: { shape: flag, default: true, storedOnly: 'The card’s billing address is that of the payment' },
  collect_shipping_details_from_wallet_connector: whether('checkouts ask wallets for a shipping address if the payment has none'),
  collect_billing_details_from_wallet_connector: whether('checkouts ask wallets for a billing address if the payment has none'),
  always_collect_shipping_details_from_wallet_connector: whether('checkouts always ask wallets for a shipping address'),
  always_collect_billing_details_from_wallet_connector: whether('checkouts always ask wallets for a billing address'),
  is_connector_agnostic_mit_enabled: {
    ...whether(
      'a saved card can be charged off-session at another connector account than the one that stores it, with its network_transaction_id',
    ),
    visibility: 'as sent',
  },
  outgoing_webhook_custom_http_headers: {
    shape: Type.Record(Type.String(), boundedText(4096)),
    visibility: 'computed',
    check: checkHeaders,
    description: 'HTTP headers that are sent with webhooks; stored encrypted, returned masked',
  },
  tax_connector_id: { shape: boundedText(64), storedOnly: byTaxRates },
  is_tax_connector_enabled: { ...off, storedOnly: byTaxRates },
  tax_rates: { shape: taxRatesShape, default: [], visibility: 'as sent', check: checkTaxRates },
  is_network_tokenization_enabled: { ...off, storedOnly: noTokens },
  is_auto_retries_enabled: whether('a declined payment is tried at another connector account within the same confirm'),
  max_auto_retries_enabled: {
    shape: Type.Integer({ minimum: 0, maximum: 32_767 }),
    default: 1,
    visibility: 'as sent',
    description: 'How often a declined payment is retried at most; default 1',
  },
  always_request_extended_authorization: {
    ...whether('an extended authorization is requested, unless the payment says otherwise'),
    visibility: 'as sent',
  },
  is_click_to_pay_enabled: { ...off, storedOnly: 'Click to Pay is not supported yet' },
  authentication_product_ids: { shape: kept, storedOnly: 'The challenge is the processor’s own' },
  card_testing_guard_config: cardTestingSetting,
  is_clear_pan_retries_enabled: { ...off, storedOnly: noTokens },
  force_3ds_challenge: whether('every customer is challenged in 3-D Secure, unless the payment says otherwise'),
  is_debit_routing_enabled: {
    ...off,
    storedOnly: 'A co-badged card uses the network that the cardholder chose; networks are not ranked by cost',
  },
  merchant_business_country: { shape: country, storedOnly: 'Returned as sent; not used for routing yet' },
  is_iframe_redirection_enabled: {
    ...whether('challenges are shown in an iframe of the checkout, unless the payment says otherwise'),
    visibility: 'as sent',
  },
  is_pre_network_tokenization_enabled: { ...off, storedOnly: noTokens },
  merchant_category_code: { shape: Type.String({ pattern: '^[0-9]{4}$' }), storedOnly: toNoProcessor },
  merchant_country_code: { shape: Type.String({ pattern: '^[0-9]{3}$' }), storedOnly: toNoProcessor },
  dispute_polling_interval: { shape: nonNegative, check: noPolling, description: 'Refused: processors are not polled for disputes' },
  is_manual_retry_enabled: {
    ...whether('a failed payment can be confirmed again. In payment links and elements its customer can try again unless this is false'),
    visibility: 'as sent',
  },
  always_enable_overcapture: {
    ...whether('captures may exceed the authorization, unless the payment says otherwise'),
    visibility: 'as sent',
  },
  is_external_vault_enabled: { shape: Type.Enum(['enable', 'skip']), storedOnly: ownVault },
  external_vault_connector_details: { shape: kept, storedOnly: ownVault },
  billing_processor_id: {
    shape: boundedText(64),
    storedOnly: 'Billing processors are not supported: the merchant starts each recurring charge',
  },
  surcharge_connector_details: { shape: kept, storedOnly: 'Surcharges are not calculated' },
  is_l2_l3_enabled: whether('processors are sent level 2 and 3 data'),
  network_tokenization_credentials: { shape: tokenizationCredentials, visibility: 'computed', storedOnly: noTokens },
  payment_method_blocking: { shape: blockingShape },
  extended_card_info_config: {
    shape: extendedCardInfoShape,
    acceptedIn: 'update',
    settableBy: 'admin',
    check: checkExtendedCardInfo,
    description: 'Public key that cards are encrypted for, and how long they are available',
  },
  is_extended_card_info_enabled: {
    ...whether('answers show eight digits of a card instead of six, and cards are returned, encrypted for extended_card_info_config'),
    visibility: 'as sent',
    acceptedIn: 'an operation of its own',
  },
  dynamic_routing_algorithm: {
    shape: kept,
    acceptedIn: 'update',
    visibility: 'never',
    storedOnly: 'Dynamic routing is configured by its own operations',
  },
} as const satisfies Record<string, ProfileSetting>

type Settings = typeof profileSettings
export type ProfileSettingName = keyof Settings
type Value<N extends ProfileSettingName> = Static<Settings[N]['shape']> | (Settings[N] extends { default: unknown } ? never : undefined)

/** Checks the JSON type only. The rest was checked when the value was sent. */
function isOfType(shape: TSchema): (value: unknown) => boolean {
  const { type = 'string' } = shape as { type?: string }
  if (type === 'array') return Array.isArray
  if (type === 'object') return value => typeof value === 'object' && value !== null
  const is = type === 'integer' ? 'number' : type
  return value => typeof value === is
}

const read = Object.fromEntries(
  Object.entries<ProfileSetting>(profileSettings).map(([name, { shape, levels = ['profile'], default: value }]) => [
    name,
    { isValid: isOfType(shape), levels, default: value },
  ]),
)

/** A stored value of another type is ignored. */
export function profileSetting<N extends ProfileSettingName>(merchant: Merchant, profile_id: string | null, name: N): Value<N> {
  const setting = read[name]!
  for (const level of setting.levels) {
    const owner = level === 'merchant' ? merchant : findProfileOnce(merchant, profile_id)
    const value = owner?.details[name]
    if (setting.isValid(value)) return value as Value<N>
  }
  return setting.default as Value<N>
}

/** A profile that says nothing about the setting does not turn it off. */
export const isTurnedOff = (merchant: Merchant, profile_id: string | null, name: ProfileSettingName): boolean =>
  findProfileOnce(merchant, profile_id)?.details[name] === false

export const merchantDisplayName = (merchant: Merchant): string => profileSetting(merchant, null, 'merchant_name') ?? merchant.merchant_id
