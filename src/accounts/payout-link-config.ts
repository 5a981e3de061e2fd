import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import { refuse } from '../base/refusal.ts'
import { bool, boundedText, closed, shortText, strictObject } from '../base/shapes.ts'
import { recipientWays, typesOf } from '../instruments/recipient-ways.ts'
import { recipientFamilies } from '../instruments/recipients.ts'
import { findProfileOnce, type Merchant } from './merchant.ts'
import { checkColour, checkHosts, checkImage, colour, hosts, webAddress } from './payment-link-config.ts'

const option = Type.Optional
const brand = { theme: option(colour), logo: option(webAddress('https address of an image')), merchant_name: option(shortText) }
const looks = {
  ...brand,
  form_layout: option(
    Type.Enum(['tabs', 'journey'], { description: 'Payout methods side by side (tabs) or one below the other (journey)' }),
  ),
}
const methods = [...new Set(recipientWays.map(({ is }) => recipientFamilies[is].payment_method))]
const types = [...new Set(recipientWays.flatMap(typesOf))]

export const payoutLinkShape = Type.Object(
  {
    ...looks,
    payout_link_id: option(boundedText(64)),
    enabled_payment_methods: option(
      Type.Array(
        strictObject({ payment_method: Type.Enum(methods), payment_method_types: Type.Array(Type.Enum(types), { maxItems: 50 }) }),
        {
          minItems: 1,
          maxItems: 20,
          description: 'Payout methods that the recipient can choose from; without types, all types of the method',
        },
      ),
    ),
    test_mode: option(bool),
  },
  { ...closed, title: 'PayoutLinkConfig' },
)
export type PayoutLinkConfig = Static<typeof payoutLinkShape>

export const businessPayoutLinkShape = Type.Object(
  {
    ...looks,
    ...hosts,
    ui_config: option(
      Type.Object(brand, {
        ...closed,
        description: 'The same members in the form of existing clients; members outside this object take precedence',
      }),
    ),
    payout_test_mode: option(bool),
  },
  { ...closed, title: 'BusinessPayoutLinkConfig' },
)
type BusinessConfig = Static<typeof businessPayoutLinkShape>
export type BusinessPayoutLink = Omit<BusinessConfig, 'ui_config'>

export function checkPayoutLink(field: string, { theme, logo, payout_link_id }: PayoutLinkConfig): void {
  checkColour(`${field}.theme`, theme)
  checkImage(`${field}.logo`, logo)
  if (payout_link_id !== undefined && !/^[\w-]+$/.test(payout_link_id))
    refuse('malformed', { field: `${field}.payout_link_id`, expected: 'letters, digits, - and _' })
}

export function checkBusinessPayoutLink(field: string, config: BusinessConfig): void {
  checkPayoutLink(field, config)
  checkPayoutLink(`${field}.ui_config`, config.ui_config ?? {})
  checkHosts(field, config)
}

/** Settings that were stored before this service used them are ignored if they would be refused today. */
export function businessPayoutLink(merchant: Merchant, profile_id: string): BusinessPayoutLink {
  const config = findProfileOnce(merchant, profile_id)?.details.payout_link_config
  if (typeof config !== 'object' || config === null || !isSound(config)) return {}
  const { ui_config, ...beside } = config
  return { ...ui_config, ...beside }
}

function isSound(config: object): config is BusinessConfig {
  if (!Check(businessPayoutLinkShape, config)) return false
  try {
    checkBusinessPayoutLink('payout_link_config', config)
    return true
  } catch {
    return false
  }
}
