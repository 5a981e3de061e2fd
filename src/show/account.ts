import type { SealedAccount } from '../accounts/connector-account.ts'
import type { ConnectorAccountRow, MerchantRow } from '../accounts/merchant.ts'
import { connectors } from '../connectors/all.ts'

/** A merchant account as the interface shows it. */
export function showMerchant(
  merchant: Pick<MerchantRow, 'merchant_id' | 'organization_id' | 'publishable_key' | 'default_profile' | 'details'>,
): Record<string, unknown> {
  const { details } = merchant
  const said = (name: string) => details[name] ?? null
  return {
    merchant_id: merchant.merchant_id,
    merchant_name: said('merchant_name'),
    return_url: said('return_url'),
    enable_payment_response_hash: details.enable_payment_response_hash === true,
    payment_response_hash_key: said('payment_response_hash_key'),
    redirect_to_merchant_with_http_post: false,
    merchant_details: said('merchant_details'),
    webhook_details: said('webhook_details'),
    payout_routing_algorithm: said('payout_routing_algorithm'),
    sub_merchants_enabled: false,
    parent_merchant_id: said('parent_merchant_id'),
    publishable_key: merchant.publishable_key,
    metadata: said('metadata'),
    locker_id: said('locker_id'),
    primary_business_details: [],
    frm_routing_algorithm: said('frm_routing_algorithm'),
    organization_id: merchant.organization_id,
    is_recon_enabled: false,
    default_profile: merchant.default_profile,
    recon_status: 'not_requested',
    pm_collect_link_config: said('pm_collect_link_config'),
    product_type: said('product_type'),
    merchant_account_type: 'standard',
    network_tokenization_credentials: null,
  }
}

/** The first two and last two characters of a credential; four or fewer are hidden whole. */
export const masked = (text: string): string =>
  text.length <= 4 ? '*'.repeat(text.length) : `${text.slice(0, 2)}${'*'.repeat(text.length - 4)}${text.slice(-2)}`

/** A connector account as the list shows it: no credentials, no metadata. */
export function listConnectorAccount(row: Omit<ConnectorAccountRow, 'sealed'>): Record<string, unknown> {
  const said = (name: string) => row.details[name] ?? null
  return {
    connector_type: row.connector_type,
    connector_name: row.connector_name,
    connector_label: row.connector_label,
    merchant_connector_id: row.merchant_connector_id,
    profile_id: row.profile_id,
    payment_methods_enabled: said('payment_methods_enabled'),
    test_mode: said('test_mode'),
    disabled: row.disabled,
    frm_configs: said('frm_configs'),
    business_country: said('business_country'),
    business_label: said('business_label'),
    business_sub_label: said('business_sub_label'),
    applepay_verified_domains: null,
    pm_auth_config: said('pm_auth_config'),
    status: row.disabled && row.details.status === 'inactive' ? 'inactive' : 'active',
  }
}

/** A connector account as its creation shows it: credentials masked. */
export function showConnectorAccount(row: ConnectorAccountRow, sealed: SealedAccount): Record<string, unknown> {
  const said = (name: string) => row.details[name] ?? null
  const credentials = Object.fromEntries(Object.entries(sealed.credentials).map(([name, value]) => [name, masked(value)]))
  return {
    ...listConnectorAccount(row),
    connector_account_details: { auth_type: connectors[row.connector_name]?.credentials.auth_type ?? null, ...credentials },
    connector_webhook_details:
      sealed.webhook_secret === null ? null : { merchant_secret: masked(sealed.webhook_secret), additional_secret: null },
    metadata: said('metadata'),
    additional_merchant_data: said('additional_merchant_data'),
    connector_wallets_details: said('connector_wallets_details'),
    webhook_setup_capabilities: null,
  }
}
