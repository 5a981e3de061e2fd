import { type CardTestingConfig, cardTestingOf } from '../accounts/card-testing.ts'
import { type SealedAccount, type sealedMembers, typeOf } from '../accounts/connector-account.ts'
import { connectorAccountFields, type EnabledPaymentMethod, methodTypeMembers } from '../accounts/connector-account-fields.ts'
import { responseHashKey, reveal } from '../accounts/hidden-members.ts'
import type { ConnectorAccountRow, Details, Merchant, MerchantRow, ProfileRow } from '../accounts/merchant.ts'
import type { OrganizationRow } from '../accounts/organization.ts'
import { accountTypeOf, isPlatform } from '../accounts/platform.ts'
import { shownSettings } from '../accounts/profile-shape.ts'
import { connectors } from '../connectors/all.ts'
import type { Vault } from '../context.ts'
import { type Audience, type Members, membersOf, renderer } from './member.ts'

/** What was said under this name, or null. */
const teller = (details: Details) => (name: string) => details[name] ?? null

/** An organization as the interface shows it. */
export function showOrganization(organization: OrganizationRow): Record<string, unknown> {
  const said = teller(organization.details)
  return {
    organization_id: organization.organization_id,
    organization_name: organization.organization_name,
    organization_details: said('organization_details'),
    metadata: said('metadata'),
    modified_at: organization.modified_at,
    created_at: organization.created_at,
    organization_type: isPlatform(organization) ? 'platform' : 'standard',
  }
}

/** A merchant account as the interface shows it. */
export function showMerchant(
  vault: Pick<Vault, 'open'>,
  merchant: Pick<MerchantRow, 'merchant_id' | 'organization_id' | 'publishable_key' | 'default_profile' | 'details'>,
): Record<string, unknown> {
  const { details } = merchant
  const said = teller(details)
  return {
    merchant_id: merchant.merchant_id,
    merchant_name: said('merchant_name'),
    return_url: said('return_url'),
    enable_payment_response_hash: details.enable_payment_response_hash === true,
    payment_response_hash_key: responseHashKey(vault, { merchant_id: merchant.merchant_id, details }),
    redirect_to_merchant_with_http_post: details.redirect_to_merchant_with_http_post === true,
    merchant_details: said('merchant_details'),
    webhook_details: said('webhook_details'),
    routing_algorithm: said('routing_algorithm'),
    payout_routing_algorithm: said('payout_routing_algorithm'),
    sub_merchants_enabled: details.sub_merchants_enabled === true,
    parent_merchant_id: said('parent_merchant_id'),
    publishable_key: merchant.publishable_key,
    metadata: said('metadata'),
    locker_id: said('locker_id'),
    primary_business_details: details.primary_business_details ?? [],
    frm_routing_algorithm: said('frm_routing_algorithm'),
    organization_id: merchant.organization_id,
    is_recon_enabled: false,
    default_profile: merchant.default_profile,
    recon_status: 'not_requested',
    pm_collect_link_config: said('pm_collect_link_config'),
    product_type: details.product_type ?? 'orchestration',
    merchant_account_type: accountTypeOf(details),
    network_tokenization_credentials: maskedDeep(
      reveal(vault, { merchant_id: merchant.merchant_id, details }, 'network_tokenization_credentials'),
    ),
  }
}

/** A business profile as the interface shows it. */
export function showProfile(vault: Pick<Vault, 'open'>, profile: ProfileRow): Record<string, unknown> {
  const { merchant_id, profile_id, profile_name, details } = profile
  const hidden = (member: Parameters<typeof reveal>[2]) => maskedDeep(reveal(vault, profile, member))
  return {
    merchant_id,
    profile_name,
    ...Object.fromEntries(shownSettings.map(([name, unsaid]) => [name, details[name] ?? unsaid])),
    profile_id,
    outgoing_webhook_custom_http_headers: hidden('outgoing_webhook_custom_http_headers'),
    network_tokenization_credentials: hidden('network_tokenization_credentials'),
    payment_response_hash_key: responseHashKey(vault, profile),
    // What it does not say holds as usual.
    card_testing_guard_config: cardTestingOf(details.card_testing_guard_config as Partial<CardTestingConfig> | undefined),
    acquirer_configs: null,
  }
}

/** The first two and last two characters of a credential; four or fewer are hidden whole. */
export function maskedCredential(text: string): string {
  const characters = [...text]
  const hidden = characters.length - 4
  if (hidden <= 0) return '*'.repeat(characters.length)
  return `${characters.slice(0, 2).join('')}${'*'.repeat(hidden)}${characters.slice(-2).join('')}`
}

/** The same, with every text in it masked; what is no text is hidden whole. */
function maskedDeep(value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return value.map(maskedDeep)
  if (typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, maskedDeep(member)]))
  return typeof value === 'string' ? maskedCredential(value) : '****'
}

/** What an account takes, with every member of each type: null where nothing was said. */
const showEnabled = (enabled: EnabledPaymentMethod[] | undefined) =>
  enabled?.map(({ payment_method, payment_method_types }) => ({
    payment_method,
    payment_method_types:
      payment_method_types?.map(type =>
        Object.fromEntries(methodTypeMembers.map(name => [name, (type as Record<string, unknown>)[name] ?? null])),
      ) ?? null,
  })) ?? null

/** A connector account, with what was asked of it. */
type OpenedAccount = Omit<ConnectorAccountRow, 'sealed'> & { asked: Details }
type Looked = { eyes: Audience; sealed: SealedAccount | null }

const hidden =
  (name: (typeof sealedMembers)[number]) =>
  ({ details }: OpenedAccount, { sealed }: Looked): unknown =>
    maskedDeep(sealed?.members?.[name] ?? details[name])

/** Every member of a connector account's answers: of its list, and of what is shown of it alone. */
export const connectorAccountMembers: Members<OpenedAccount, Looked> = membersOf<OpenedAccount, Looked, typeof connectorAccountFields>(
  connectorAccountFields,
  {
    connector_type: { from: typeOf },
    payment_methods_enabled: {
      from: ({ details }) => showEnabled(details.payment_methods_enabled as EnabledPaymentMethod[] | undefined),
    },
    status: { from: ({ details }) => (details.status === 'inactive' ? 'inactive' : 'active') },
    connector_account_details: {
      from: ({ connector_name }, { sealed }) => ({
        auth_type: sealed?.auth_type ?? connectors[connector_name]?.credentials.auth_type ?? null,
        ...(maskedDeep(sealed?.credentials) as object),
      }),
    },
    connector_webhook_details: { from: (_row, { sealed }) => showWebhookSecrets(sealed) },
    additional_merchant_data: { from: hidden('additional_merchant_data') },
    connector_wallets_details: { from: hidden('connector_wallets_details') },
    webhook_setup_capabilities: {
      from: ({ connector_name }) => ({
        is_webhook_auto_configuration_supported: connectors[connector_name]?.webhook?.register !== undefined,
        requires_webhook_secret: connectors[connector_name]?.webhook !== undefined,
        config_type: null,
      }),
    },
  },
)

function showWebhookSecrets(sealed: SealedAccount | null): Record<string, unknown> | null {
  if (!sealed || sealed.webhook_secret === null) return null
  const { webhook_secret, additional_secret = null } = sealed
  return {
    merchant_secret: maskedCredential(webhook_secret),
    additional_secret: additional_secret === null ? null : maskedCredential(additional_secret),
  }
}

/** Neither credentials nor metadata stand in the list. */
const onlyAlone =
  'connector_account_details connector_webhook_details metadata additional_merchant_data connector_wallets_details webhook_setup_capabilities'
export const listedAccountMembers: typeof connectorAccountMembers = Object.fromEntries(
  Object.entries(connectorAccountMembers).filter(([name]) => !onlyAlone.split(' ').includes(name)),
)

const renderListed = renderer(listedAccountMembers)
const renderAccount = renderer(connectorAccountMembers)

/** A connector account as the list shows it: no credentials, no metadata. */
export const listConnectorAccount = (row: Omit<ConnectorAccountRow, 'sealed'>): Record<string, unknown> =>
  renderListed({ ...row, asked: row.details }, { eyes: 'server', sealed: null })

/** A connector account as its creation shows it, and whoever asks for it alone: credentials masked. */
export const showConnectorAccount = (row: ConnectorAccountRow, sealed: SealedAccount): Record<string, unknown> =>
  renderAccount({ ...row, asked: row.details }, { eyes: 'server', sealed })

/** The merchant's own profiles and accounts, as lists show them. */
export const showProfiles = (vault: Pick<Vault, 'open'>, { profiles }: Merchant, profile_id: string | null) =>
  profiles.filter(profile => profile_id === null || profile.profile_id === profile_id).map(profile => showProfile(vault, profile))

export const showConnectorAccounts = ({ connectorAccounts }: Merchant, profile_id: string | null) =>
  connectorAccounts.filter(account => profile_id === null || account.profile_id === profile_id).map(listConnectorAccount)
