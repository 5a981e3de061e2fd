import Type, { type Static } from 'typebox'
import { isHostName } from '../base/host-name.ts'
import { refuse } from '../base/refusal.ts'
import { bool, boundedText, checkAddress, closed, shortText, strictObject } from '../base/shapes.ts'
import { paymentMethodNames, paymentMethodTypes } from '../instruments/methods.ts'
import { findProfileOnce, type Merchant } from './merchant.ts'

/** A payment link's page: the payment's settings, a named configuration of its profile, or the profile's own. */

const option = Type.Optional
export const colour = Type.String({ maxLength: 9, description: 'As #1457d9' })
export const webAddress = (description: string) => Type.String({ maxLength: 255, description })

const linkLanguages = ['en', 'de', 'fr'] as const

const members = {
  theme: option(colour),
  logo: option(webAddress('https address of an image')),
  seller_name: option(shortText),
  sdk_layout: option(Type.Enum(['accordion', 'spaced_accordion', 'tabs'])),
  display_sdk_only: option(bool),
  enabled_saved_payment_method: option(bool),
  hide_card_nickname_field: option(bool),
  show_card_form_by_default: option(bool),
  transaction_details: option(
    Type.Array(
      strictObject({
        key: shortText,
        value: shortText,
        ui_configuration: option(
          strictObject({
            position: option(Type.Integer({ minimum: 0, maximum: 1000 })),
            is_key_bold: option(bool),
            is_value_bold: option(bool),
          }),
        ),
      }),
      { maxItems: 50 },
    ),
  ),
  background_image: option(
    strictObject({
      url: webAddress('https address of an image'),
      position: option(Type.Enum(['left', 'top left', 'top', 'top right', 'right', 'bottom right', 'bottom', 'bottom left', 'center'])),
      size: option(
        strictObject({
          Variants: option(Type.Enum(['cover', 'contain'])),
          Percentage: option(Type.Integer({ minimum: 1, maximum: 1000 })),
          Pixels: option(Type.Integer({ minimum: 1, maximum: 10_000 })),
        }),
      ),
    }),
  ),
  details_layout: option(Type.Enum(['layout1', 'layout2'])),
  payment_button_text: option(boundedText(64)),
  custom_message_for_card_terms: option(boundedText(2000)),
  custom_message_for_payment_method_types: option(
    Type.Array(
      strictObject({
        payment_method: Type.Enum(paymentMethodNames),
        payment_method_types: Type.Array(
          strictObject({
            payment_method_type: Type.Enum(paymentMethodTypes),
            message: strictObject({
              value: boundedText(2000),
              display_mode: option(Type.Enum(['default_sdk_message', 'custom_message', 'hidden'])),
            }),
          }),
        ),
      }),
      { maxItems: 50 },
    ),
  ),
  payment_button_colour: option(colour),
  payment_button_text_colour: option(colour),
  background_colour: option(colour),
  color_icon_card_cvc_error: option(colour),
  skip_status_screen: option(bool),
  enable_button_only_on_form_ready: option(bool),
  payment_form_header_text: option(shortText),
  payment_form_label_type: option(Type.Enum(['above', 'floating', 'never'])),
  show_card_terms: option(Type.Enum(['always', 'auto', 'never'])),
  is_setup_mandate_flow: option(bool),
  show_merchant_name: option(bool),
  locale: option(Type.Enum([...linkLanguages], { description: 'Language of the page; overrides the browser’s preference' })),
  sdk_ui_rules: option(Type.Unknown({ description: 'Refused: use theme and the other colours instead' })),
  payment_link_ui_rules: option(Type.Unknown({ description: 'Refused, as sdk_ui_rules' })),
}

export const hosts = {
  domain_name: option(Type.String({ maxLength: 253, description: 'Host of the links; must point to this service' })),
  allowed_domains: option(
    Type.Array(Type.String({ maxLength: 253 }), {
      maxItems: 50,
      uniqueItems: true,
      description: 'Domains that can embed the page in a frame',
    }),
  ),
}

export const linkConfigShape = Type.Object(members, { ...closed, title: 'PaymentLinkConfig' })
export type LinkConfig = Static<typeof linkConfigShape>

export const businessLinkConfigShape = Type.Object(
  {
    ...members,
    domain_name: hosts.domain_name,
    business_specific_configs: option(
      Type.Record(Type.String(), linkConfigShape, { description: 'Configurations by the id that payments send as payment_link_config_id' }),
    ),
    allowed_domains: hosts.allowed_domains,
    branding_visibility: option(bool),
  },
  { ...closed, title: 'BusinessPaymentLinkConfig' },
)
export type BusinessLinkConfig = Static<typeof businessLinkConfigShape>

const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i
const isHost = (text: string): boolean => isHostName(text.replace(/:\d{1,5}$/, ''))

const colours = ['theme', 'payment_button_colour', 'payment_button_text_colour', 'background_colour', 'color_icon_card_cvc_error'] as const

/** The values become part of the page's styles and security policy, so they must not contain anything else. */
export function checkLinkConfig(field: string, config: LinkConfig): void {
  for (const name of ['sdk_ui_rules', 'payment_link_ui_rules'] as const)
    if (config[name] !== undefined)
      refuse('not_supported', { problem: `${field}.${name} is not supported: set theme and the other colours instead` })
  for (const name of colours) checkColour(`${field}.${name}`, config[name])
  checkImage(`${field}.logo`, config.logo)
  checkImage(`${field}.background_image.url`, config.background_image?.url)
}

export function checkColour(field: string, value: string | undefined): void {
  if (value !== undefined && !HEX.test(value)) refuse('malformed', { field, expected: 'a colour like #1457d9' })
}

/** Third parties could change an image without https on its way to the page. */
export function checkImage(field: string, url: string | undefined): void {
  if (url === undefined) return
  checkAddress(field, url)
  if (!/^https:\/\/[\x21-\x7e]+$/i.test(url) || /[;,"'<>\\()]/.test(url))
    refuse('malformed', { field, expected: 'an https address without quotes, brackets, commas and semicolons' })
}

export function checkBusinessLinkConfig(field: string, config: BusinessLinkConfig): void {
  checkLinkConfig(field, config)
  checkHosts(field, config)
  for (const [id, one] of Object.entries(config.business_specific_configs ?? {}))
    checkLinkConfig(`${field}.business_specific_configs.${id}`, one)
}

export function checkHosts(field: string, { domain_name, allowed_domains }: { domain_name?: string; allowed_domains?: string[] }): void {
  if (domain_name !== undefined && !isHost(domain_name)) refuse('malformed', { field: `${field}.domain_name`, expected: 'a host' })
  if (domain_name !== undefined && !allowed_domains?.length)
    refuse('unacceptable', { field: `${field}.allowed_domains`, problem: 'is required when domain_name is set' })
  for (const [i, domain] of (allowed_domains ?? []).entries())
    if (!isHost(domain.replace(/^\*\./, '')))
      refuse('malformed', { field: `${field}.allowed_domains[${i}]`, expected: 'a host, optionally starting with *.' })
}

export function businessLinkConfig(merchant: Merchant, profile_id: string): BusinessLinkConfig {
  const config = findProfileOnce(merchant, profile_id)?.details.payment_link_config
  return typeof config === 'object' && config !== null ? (config as BusinessLinkConfig) : {}
}
