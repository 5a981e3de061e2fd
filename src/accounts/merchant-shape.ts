import Type, { type Static } from 'typebox'
import { addressDetails, boundedText, closed, country, kept, metadata, shortText } from '../base/shapes.ts'
import { organizationId } from './organization.ts'
import { profileSettings } from './profile-settings.ts'
import { inheritedMembers } from './profile-shape.ts'

/** What merchants and profiles have in common, as requests say it. */

const flag = Type.Boolean()
const option = Type.Optional

const merchantDetails = Type.Object(
  {
    primary_contact_person: option(shortText),
    primary_phone: option(shortText),
    primary_email: option(shortText),
    secondary_contact_person: option(shortText),
    secondary_phone: option(shortText),
    secondary_email: option(shortText),
    website: option(shortText),
    about_business: option(shortText),
    address: option(addressDetails),
    merchant_tax_registration_id: option(shortText),
  },
  closed,
)

export const businessDetails = Type.Object({ country, business: boundedText(48) }, closed)
export type BusinessDetails = Static<typeof businessDetails>

const members = {
  merchant_name: option(shortText),
  merchant_details: option(merchantDetails),
  ...inheritedMembers,
  routing_algorithm: option(kept),
  sub_merchants_enabled: option(flag),
  parent_merchant_id: option(shortText),
  metadata: option(metadata),
  publishable_key: option(shortText),
  locker_id: option(shortText),
  primary_business_details: option(
    Type.Union([Type.Array(businessDetails), businessDetails], { description: 'Each entry is a separate business profile' }),
  ),
  pm_collect_link_config: option(kept),
  network_tokenization_credentials: option(profileSettings.network_tokenization_credentials.is),
}

export const merchantShape = Type.Object(
  {
    merchant_id: Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' }),
    ...members,
    organization_id: option(organizationId),
    product_type: option(Type.Enum(['orchestration', 'vault', 'recon', 'recovery', 'cost_observability', 'dynamic_routing'])),
    merchant_account_type: option(
      Type.Enum(['standard', 'platform', 'connected'], {
        description: 'Role of the account in its organization; in an organization with a platform, connected by default',
      }),
    ),
  },
  closed,
)
export type MerchantAsk = Static<typeof merchantShape>

export const merchantUpdateShape = Type.Object(
  { merchant_id: option(boundedText(64)), ...members, default_profile: option(boundedText(64)) },
  closed,
)
export type MerchantUpdate = Static<typeof merchantUpdateShape>
