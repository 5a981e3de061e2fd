import { type CardTestingConfig, cardTestingOf } from '../accounts/card-testing-limits.ts'
import { type SealedAccount, type sealedMembers, typeOf } from '../accounts/connector-account.ts'
import { connectorAccountFields, type EnabledPaymentMethod, methodTypeMembers } from '../accounts/connector-account-fields.ts'
import { responseHashKey, reveal } from '../accounts/hidden-members.ts'
import type { ConnectorAccountRow, Details, Merchant, ProfileRow } from '../accounts/merchant.ts'
import { merchantFields } from '../accounts/merchant-fields.ts'
import type { MerchantRow } from '../accounts/merchant-row.ts'
import type { OrganizationRow } from '../accounts/organization.ts'
import { organizationFields } from '../accounts/organization-fields.ts'
import { profileFields } from '../accounts/profile-fields.ts'
import { objectOrNull } from '../base/shapes.ts'
import { connectors } from '../connectors/all.ts'
import type { Vault } from '../context.ts'
import { type Audience, type Members, membersOf, renderer } from './member.ts'

type Seen = { audience: Audience; vault: Pick<Vault, 'open'> }
/** `request`: the name of `details` in the tables of fields. */
type Opened<R> = R & { request: Details }
const opened = <R extends { details: Details }>(row: R): Opened<R> => ({ ...row, request: row.details })

export const organizationMembers: Members<Opened<OrganizationRow>, { audience: Audience }> = membersOf<
  Opened<OrganizationRow>,
  { audience: Audience },
  typeof organizationFields
>(organizationFields, {})
const renderOrganization = renderer(organizationMembers)

export const showOrganization = (organization: OrganizationRow): Record<string, unknown> =>
  renderOrganization(opened(organization), { audience: 'server' })

type ShownMerchant = Pick<MerchantRow, 'merchant_id' | 'organization_id' | 'publishable_key' | 'default_profile' | 'details'>

export const merchantMembers: Members<Opened<ShownMerchant>, Seen> = membersOf<Opened<ShownMerchant>, Seen, typeof merchantFields>(
  merchantFields,
  {
    payment_response_hash_key: { from: ({ merchant_id, details }, { vault }) => responseHashKey(vault, { merchant_id, details }) },
    network_tokenization_credentials: {
      from: ({ merchant_id, details }, { vault }) =>
        maskedDeep(reveal(vault, { merchant_id, details }, 'network_tokenization_credentials')),
    },
  },
)
const renderMerchant = renderer(merchantMembers)

export const showMerchant = (vault: Seen['vault'], merchant: ShownMerchant): Record<string, unknown> =>
  renderMerchant(opened(merchant), { audience: 'server', vault })

const revealed = (member: Parameters<typeof reveal>[2]) => ({
  shape: objectOrNull,
  from: (profile: Opened<ProfileRow>, { vault }: Seen) => maskedDeep(reveal(vault, profile, member)),
})

export const profileMembers: Members<Opened<ProfileRow>, Seen> = membersOf<Opened<ProfileRow>, Seen, typeof profileFields>(profileFields, {
  outgoing_webhook_custom_http_headers: revealed('outgoing_webhook_custom_http_headers'),
  network_tokenization_credentials: revealed('network_tokenization_credentials'),
  payment_response_hash_key: { from: (profile, { vault }) => responseHashKey(vault, profile) },
  // A member that is not set has its default value.
  card_testing_guard_config: {
    from: ({ details }) => cardTestingOf(details.card_testing_guard_config as Partial<CardTestingConfig> | undefined),
  },
})
const renderProfile = renderer(profileMembers)

export const showProfile = (vault: Seen['vault'], profile: ProfileRow): Record<string, unknown> =>
  renderProfile(opened(profile), { audience: 'server', vault })

/** Shows the first two and last two characters; of four or fewer characters, none. */
export function maskedCredential(text: string): string {
  const characters = [...text]
  const hidden = characters.length - 4
  if (hidden <= 0) return '*'.repeat(characters.length)
  return `${characters.slice(0, 2).join('')}${'*'.repeat(hidden)}${characters.slice(-2).join('')}`
}

/** Values other than texts are hidden completely. */
function maskedDeep(value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return value.map(maskedDeep)
  if (typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, maskedDeep(member)]))
  return typeof value === 'string' ? maskedCredential(value) : '****'
}

/** Every member of each type, null if it was not set. */
const showEnabled = (enabled: EnabledPaymentMethod[] | undefined) =>
  enabled?.map(({ payment_method, payment_method_types }) => ({
    payment_method,
    payment_method_types:
      payment_method_types?.map(type =>
        Object.fromEntries(methodTypeMembers.map(name => [name, (type as Record<string, unknown>)[name] ?? null])),
      ) ?? null,
  })) ?? null

type OpenedAccount = Opened<Omit<ConnectorAccountRow, 'sealed'>>
type Looked = { audience: Audience; sealed: SealedAccount | null }

const hidden =
  (name: (typeof sealedMembers)[number]) =>
  ({ details }: OpenedAccount, { sealed }: Looked): unknown =>
    maskedDeep(sealed?.members?.[name] ?? details[name])

export const connectorAccountMembers: Members<OpenedAccount, Looked> = membersOf<OpenedAccount, Looked, typeof connectorAccountFields>(
  connectorAccountFields,
  {
    connector_type: { from: typeOf },
    payment_methods_enabled: { from: ({ details }) => showEnabled(details.payment_methods_enabled as EnabledPaymentMethod[] | undefined) },
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

/** Lists contain neither credentials nor metadata. */
const onlyAlone =
  'connector_account_details connector_webhook_details metadata additional_merchant_data connector_wallets_details webhook_setup_capabilities'
export const listedAccountMembers: typeof connectorAccountMembers = Object.fromEntries(
  Object.entries(connectorAccountMembers).filter(([name]) => !onlyAlone.split(' ').includes(name)),
)

const renderListed = renderer(listedAccountMembers)
const renderAccount = renderer(connectorAccountMembers)

const listConnectorAccount = (row: Omit<ConnectorAccountRow, 'sealed'>): Record<string, unknown> =>
  renderListed(opened(row), { audience: 'server', sealed: null })

export const showConnectorAccount = (row: ConnectorAccountRow, sealed: SealedAccount): Record<string, unknown> =>
  renderAccount(opened(row), { audience: 'server', sealed })

export const showProfiles = (vault: Pick<Vault, 'open'>, { profiles }: Merchant, profile_id: string | null) =>
  profiles.filter(profile => profile_id === null || profile.profile_id === profile_id).map(profile => showProfile(vault, profile))

export const showConnectorAccounts = ({ connectorAccounts }: Merchant, profile_id: string | null) =>
  connectorAccounts.filter(account => profile_id === null || account.profile_id === profile_id).map(listConnectorAccount)
