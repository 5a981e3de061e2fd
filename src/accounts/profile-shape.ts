import Type, { type Static } from 'typebox'
import { checkMetadata } from '../base/metadata.ts'
import { refuse } from '../base/refusal.ts'
import { boundedText, checkAddress, closed, country, kept, metadata, shortText } from '../base/shapes.ts'
import type { Context } from '../context.ts'
import { authenticationDetailsShape, checkAuthenticationDetails } from './authentication-details.ts'
import { cardTestingShape } from './card-testing.ts'
import { checkExtendedCardInfo, extendedCardInfoShape } from './extended-card-info.ts'
import { inheritedMembers, tokenizationCredentials } from './merchant-shape.ts'
import { businessLinkConfigShape, checkBusinessLinkConfig } from './payment-link-config.ts'
import { blockingShape } from './payment-method-blocking.ts'
import { businessPayoutLinkShape, checkBusinessPayoutLink } from './payout-link-config.ts'
import { checkTaxRates, taxRatesShape } from './tax-rates.ts'
import { checkWebhookUrl } from './webhook-url.ts'

/** What requests say of a business profile. */

const flag = Type.Optional(Type.Boolean())
const number = Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 }))
const any = Type.Optional(kept)

const members = {
  profile_name: Type.Optional(boundedText(64)),
  ...inheritedMembers,
  metadata: Type.Optional(metadata),
  routing_algorithm: any,
  intent_fulfillment_time: Type.Optional(Type.Integer({ description: 'Seconds, 60 to 1,800; default 900' })),
  session_expiry: Type.Optional(Type.Integer({ description: 'Seconds, 60 to 7,890,000; default 900' })),
  applepay_verified_domains: Type.Optional(Type.Array(shortText)),
  payment_link_config: Type.Optional(businessLinkConfigShape),
  payout_link_config: Type.Optional(businessPayoutLinkShape),
  authentication_connector_details: Type.Optional(authenticationDetailsShape),
  use_billing_as_payment_method_billing: flag,
  collect_shipping_details_from_wallet_connector: flag,
  collect_billing_details_from_wallet_connector: flag,
  always_collect_shipping_details_from_wallet_connector: flag,
  always_collect_billing_details_from_wallet_connector: flag,
  is_connector_agnostic_mit_enabled: flag,
  outgoing_webhook_custom_http_headers: Type.Optional(Type.Record(Type.String(), boundedText(4096))),
  tax_connector_id: Type.Optional(boundedText(64)),
  is_tax_connector_enabled: flag,
  tax_rates: Type.Optional(taxRatesShape),
  is_network_tokenization_enabled: flag,
  is_auto_retries_enabled: flag,
  max_auto_retries_enabled: Type.Optional(Type.Integer({ minimum: 0, maximum: 32_767 })),
  always_request_extended_authorization: flag,
  is_click_to_pay_enabled: flag,
  authentication_product_ids: any,
  card_testing_guard_config: Type.Optional(cardTestingShape),
  is_clear_pan_retries_enabled: flag,
  force_3ds_challenge: flag,
  is_debit_routing_enabled: flag,
  merchant_business_country: Type.Optional(country),
  is_iframe_redirection_enabled: flag,
  is_pre_network_tokenization_enabled: flag,
  merchant_category_code: Type.Optional(Type.String({ pattern: '^[0-9]{4}$' })),
  merchant_country_code: Type.Optional(Type.String({ pattern: '^[0-9]{3}$' })),
  dispute_polling_interval: number,
  is_manual_retry_enabled: flag,
  always_enable_overcapture: flag,
  is_external_vault_enabled: Type.Optional(Type.Enum(['enable', 'skip'])),
  external_vault_connector_details: any,
  billing_processor_id: Type.Optional(boundedText(64)),
  surcharge_connector_details: any,
  is_l2_l3_enabled: flag,
  network_tokenization_credentials: Type.Optional(tokenizationCredentials),
  payment_method_blocking: Type.Optional(blockingShape),
}

export const profileShape = Type.Object(members, closed)
export type ProfileAsk = Static<typeof profileShape>

export const profileUpdateShape = Type.Object(
  { ...members, extended_card_info_config: Type.Optional(extendedCardInfoShape), dynamic_routing_algorithm: any },
  closed,
)
export type ProfileUpdate = Static<typeof profileUpdateShape>

/** What holds of a profile that does not say, as it is shown. Whatever else it does not say is null. */
export const usual = {
  enable_payment_response_hash: true,
  redirect_to_merchant_with_http_post: false,
  session_expiry: 900,
  intent_fulfillment_time: 900,
  use_billing_as_payment_method_billing: true,
  collect_shipping_details_from_wallet_connector: false,
  collect_billing_details_from_wallet_connector: false,
  always_collect_shipping_details_from_wallet_connector: false,
  always_collect_billing_details_from_wallet_connector: false,
  is_tax_connector_enabled: false,
  is_network_tokenization_enabled: false,
  is_auto_retries_enabled: false,
  is_click_to_pay_enabled: false,
  is_clear_pan_retries_enabled: false,
  force_3ds_challenge: false,
  is_debit_routing_enabled: false,
  is_pre_network_tokenization_enabled: false,
  is_l2_l3_enabled: false,
} as const satisfies { [M in keyof ProfileAsk]?: unknown }

const seconds = { session_expiry: [60, 7_890_000], intent_fulfillment_time: [60, 1_800] } as const

/** Refuses what no profile may say, by name. */
export async function checkProfile(context: Pick<Context, 'unreachable'>, ask: ProfileUpdate): Promise<void> {
  checkExtendedCardInfo('extended_card_info_config', ask.extended_card_info_config)
  checkAddress('return_url', ask.return_url)
  await checkWebhookUrl(context, 'webhook_details.webhook_url', ask.webhook_details?.webhook_url)
  checkMetadata('metadata', ask.metadata)
  for (const [name, value] of Object.entries(ask.outgoing_webhook_custom_http_headers ?? {}))
    if (!/^[\w!#$%&'*+.^`|~-]{1,128}$/.test(name) || !/^[\t\x20-\x7e]*$/.test(value))
      refuse('malformed', { field: 'outgoing_webhook_custom_http_headers', expected: 'names and values of HTTP headers' })
  for (const [field, [least, most]] of Object.entries(seconds) as [keyof typeof seconds, readonly [number, number]][]) {
    const said = ask[field]
    if (said !== undefined && (said < least || said > most)) refuse('unacceptable', { field, words: `must be ${least} to ${most} seconds` })
  }
  if (ask.tax_rates) checkTaxRates('tax_rates', ask.tax_rates)
  checkAuthenticationDetails('authentication_connector_details', ask.authentication_connector_details)
  if (ask.dispute_polling_interval !== undefined)
    refuse('not_supported', {
      words:
        'dispute_polling_interval is not supported: processors tell of new disputes by webhook, and are asked about a dispute when its time is over or force_sync=true is sent',
    })
  if (ask.payment_link_config) checkBusinessLinkConfig('payment_link_config', ask.payment_link_config)
  if (ask.payout_link_config) checkBusinessPayoutLink('payout_link_config', ask.payout_link_config)
}
