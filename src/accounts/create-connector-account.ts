import { isIP } from 'node:net'
import Type from 'typebox'
import { countries } from '../base/countries.ts'
import { newId } from '../base/id.ts'
import { checkMetadata } from '../base/metadata.ts'
import { refuse } from '../base/refusal.ts'
import { metadata, shortText } from '../base/shapes.ts'
import { connectors } from '../connectors/all.ts'
import type { World } from '../world.ts'
import { type SealedAccount, sealedName } from './connector-account.ts'
import { type ConnectorAccountRow, findProfile, type Merchant } from './merchant.ts'

const kept = Type.Record(Type.String(), Type.Unknown())
const flag = Type.Boolean()
const country = Type.Enum(countries)

const accepted = Type.Object({
  type: Type.Enum(['enable_only', 'disable_only', 'all_accepted']),
  list: Type.Optional(Type.Array(Type.String())),
})
const methodType = Type.Object({
  payment_method_type: shortText,
  payment_experience: Type.Optional(shortText),
  card_networks: Type.Optional(Type.Array(shortText)),
  accepted_currencies: Type.Optional(accepted),
  accepted_countries: Type.Optional(accepted),
  minimum_amount: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  maximum_amount: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  recurring_enabled: Type.Optional(flag),
  installment_payment_enabled: Type.Optional(flag),
})

export const connectorAccountShape = Type.Object(
  {
    connector_type: Type.Enum(['payment_processor'], { description: 'Other kinds of connector come with later versions' }),
    connector_name: Type.Enum(Object.keys(connectors)),
    connector_label: Type.Optional(shortText),
    profile_id: Type.Optional(shortText),
    connector_account_details: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'auth_type and the keys that the connector needs' }),
    ),
    payment_methods_enabled: Type.Optional(
      Type.Array(Type.Object({ payment_method: shortText, payment_method_types: Type.Optional(Type.Array(methodType)) })),
    ),
    connector_webhook_details: Type.Optional(
      Type.Object({ merchant_secret: shortText, additional_secret: Type.Optional(shortText) }, { additionalProperties: false }),
    ),
    metadata: Type.Optional(metadata),
    test_mode: Type.Optional(flag),
    disabled: Type.Optional(flag),
    frm_configs: Type.Optional(Type.Array(kept)),
    business_country: Type.Optional(country),
    business_label: Type.Optional(shortText),
    business_sub_label: Type.Optional(shortText),
    merchant_connector_id: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' })),
    pm_auth_config: Type.Optional(kept),
    status: Type.Optional(Type.Enum(['active', 'inactive'])),
    additional_merchant_data: Type.Optional(kept),
    connector_wallets_details: Type.Optional(kept),
  },
  { additionalProperties: false },
)
export type ConnectorAccountAsk = Type.Static<typeof connectorAccountShape>

/** Adds a connector account to a profile of the merchant. Credentials are sealed; answers (`show`) have them masked. Refuses (HE_01) a label that the profile has already. */
export async function createConnectorAccount<T>(
  world: World,
  mode: 'test' | 'live',
  merchant: Merchant,
  ask: ConnectorAccountAsk,
  show: (row: ConnectorAccountRow, sealed: SealedAccount) => T,
): Promise<T> {
  const profile_id = ask.profile_id ?? merchant.default_profile ?? refuse('missing', { field: 'profile_id' })
  const profile = findProfile(merchant, profile_id) ?? refuse('not_found', { what: 'business profile' })
  checkMetadata('metadata', ask.metadata)
  const sealed: SealedAccount = {
    credentials: readCredentials(ask),
    webhook_secret: ask.connector_webhook_details?.merchant_secret ?? null,
  }
  if (ask.connector_webhook_details?.additional_secret !== undefined)
    refuse('not_supported', { words: 'connector_webhook_details.additional_secret is not supported by this version' })
  checkBaseUrl(mode, ask.metadata?.base_url)
  const disabled = ask.disabled ?? ask.status === 'inactive'
  if (!disabled && ask.status === 'inactive')
    refuse('unacceptable', { field: 'disabled', words: 'must not be false when status is inactive' })
  const { connector_type, connector_name, connector_account_details: _clear, connector_webhook_details: _secret, ...details } = ask
  const merchant_connector_id = ask.merchant_connector_id ?? newId(world, 'mca_')
  const now = world.now()
  const row: ConnectorAccountRow = {
    merchant_id: merchant.merchant_id,
    merchant_connector_id,
    version: 1,
    profile_id,
    connector_type,
    connector_name,
    connector_label: ask.connector_label ?? `${connector_name}_${profile.profile_name}`,
    disabled,
    sealed: world.vault.seal(merchant.merchant_id, sealedName(merchant_connector_id), JSON.stringify(sealed)),
    details,
    created: now,
    modified_at: now,
  }
  const answer = show(row, sealed)
  const written = await world.commit({
    head: 'connector_accounts',
    before: null,
    after: row,
    rows: [],
    event: { type: 'created', announces: null },
    by: world.by,
    answer,
  })
  return written.is === 'written' ? answer : refuse('duplicate', { what: 'connector account', id: row.connector_label })
}

/** The credentials that the connector needs, each a text that is not empty. */
function readCredentials(ask: ConnectorAccountAsk): Record<string, string> {
  const field = 'connector_account_details'
  const given = ask.connector_account_details ?? refuse('missing', { field })
  const { auth_type, members } = connectors[ask.connector_name]!.credentials
  if (given.auth_type !== auth_type)
    refuse('unacceptable', { field: `${field}.auth_type`, words: `${ask.connector_name} takes ${auth_type}` })
  // A misspelt credential must not be dropped in silence.
  for (const name of Object.keys(given))
    if (name !== 'auth_type' && !members.includes(name))
      refuse('unreadable', { field: `${field}.${name}`, words: `${ask.connector_name} takes ${members.join(', ')}` })
  return Object.fromEntries(
    members.map(name => {
      const value = given[name]
      if (typeof value !== 'string' || value === '' || value.length > 4096)
        refuse('malformed', { field: `${field}.${name}`, expected: 'a text that is not empty' })
      return [name, value]
    }),
  )
}

/** Where an account lives may be overridden. In live mode only by an https address that is a name: an address of the inside must not be reached through a setting. */
function checkBaseUrl(mode: 'test' | 'live', base_url: unknown): void {
  if (base_url === undefined) return
  const field = 'metadata.base_url'
  // Paths are appended to it as it stands: no question, no fragment, no blanks.
  const plain = typeof base_url === 'string' && /^https?:\/\/[^/?#\\\s][^?#\\\s]*$/i.test(base_url)
  const url = (plain ? URL.parse(base_url) : null) ?? refuse('malformed', { field, expected: 'an http or https address without ? and #' })
  const inside = isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0 || url.hostname === 'localhost' || !url.hostname.includes('.')
  if (mode === 'live' && (url.protocol !== 'https:' || inside || url.username !== ''))
    refuse('malformed', { field, expected: 'an https address with a public host name' })
}
