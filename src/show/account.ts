import { type CardTestingConfig, cardTestingOf } from '../accounts/card-testing.ts'
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

type Seen = { eyes: Audience; vault: Pick<Vault, 'open'> }
/** A row of these with what was asked of it, as the tables of fields call its column `details`. */
type Opened<R> = R & { request: Details }
const opened = <R extends { details: Details }>(row: R): Opened<R> => ({ ...row, request: row.details })

/** Every member of an organization's answer. */
export const organizationMembers: Members<Opened<OrganizationRow>, { eyes: Audience }> = membersOf<
  Opened<OrganizationRow>,
  { eyes: Audience },
  typeof organizationFields
>(organizationFields, {})
const renderOrganization = renderer(organizationMembers)

/** An organization as the interface shows it. */
export const showOrganization = (organization: OrganizationRow): Record<string, unknown> =>
  renderOrganization(opened(organization), { eyes: 'server' })

type ShownMerchant = Pick<MerchantRow, 'merchant_id' | 'organization_id' | 'publishable_key' | 'default_profile' | 'details'>

/** Every member of a merchant account's answer. */
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

/** A merchant account as the interface shows it. */
export const showMerchant = (vault: Seen['vault'], merchant: ShownMerchant): Record<string, unknown> =>
  renderMerchant(opened(merchant), { eyes: 'server', vault })

const revealed = (member: Parameters<typeof reveal>[2]) => ({
  shape: objectOrNull,
  from: (profile: Opened<ProfileRow>, { vault }: Seen) => maskedDeep(reveal(vault, profile, member)),
})

/** Every member of a business profile's answer. */
export const profileMembers: Members<Opened<ProfileRow>, Seen> = membersOf<Opened<ProfileRow>, Seen, typeof profileFields>(profileFields, {
  outgoing_webhook_custom_http_headers: revealed('outgoing_webhook_custom_http_headers'),
  network_tokenization_credentials: revealed('network_tokenization_credentials'),
  payment_response_hash_key: { from: (profile, { vault }) => responseHashKey(vault, profile) },
  // What it does not say holds as usual.
  card_testing_guard_config: {
    from: ({ details }) => cardTestingOf(details.card_testing_guard_config as Partial<CardTestingConfig> | undefined),
  },
})
const renderProfile = renderer(profileMembers)

/** A business profile as the interface shows it. */
export const showProfile = (vault: Seen['vault'], profile: ProfileRow): Record<string, unknown> =>
  renderProfile(opened(profile), { eyes: 'server', vault })

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

type OpenedAccount = Opened<Omit<ConnectorAccountRow, 'sealed'>>
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
  renderListed(opened(row), { eyes: 'server', sealed: null })

/** A connector account as its creation and its retrieval show it: credentials masked. */
export const showConnectorAccount = (row: ConnectorAccountRow, sealed: SealedAccount): Record<string, unknown> =>
  renderAccount(opened(row), { eyes: 'server', sealed })

/** The merchant's own profiles and accounts, as lists show them. */
export const showProfiles = (vault: Pick<Vault, 'open'>, { profiles }: Merchant, profile_id: string | null) =>
  profiles.filter(profile => profile_id === null || profile.profile_id === profile_id).map(profile => showProfile(vault, profile))

export const showConnectorAccounts = ({ connectorAccounts }: Merchant, profile_id: string | null) =>
  connectorAccounts.filter(account => profile_id === null || account.profile_id === profile_id).map(listConnectorAccount)
