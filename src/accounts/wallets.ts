import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import { boundedText, closed, country, shortText, strictObject } from '../base/shapes.ts'
import type { Time } from '../context.ts'
import { type AppleShop, appleShopOf, checkAppleShop } from './apple-shop.ts'

/** Settings are in `connector_wallets_details` (encrypted), or, without secrets, in the account's metadata. */

const option = Type.Optional
const name = Type.String({ minLength: 1, maxLength: 255 })
const list = (description: string) => Type.Array(shortText, { minItems: 1, maxItems: 50, description })

const google_pay = strictObject({
  merchant_info: strictObject({ merchant_name: name, merchant_id: option(shortText) }),
  allowed_payment_methods: Type.Array(
    strictObject({
      type: name,
      parameters: strictObject({
        allowed_auth_methods: list('PAN_ONLY, CRYPTOGRAM_3DS'),
        allowed_card_networks: list('VISA, MASTERCARD, …'),
        billing_address_required: option(Type.Boolean()),
        billing_address_parameters: option(strictObject({ phone_number_required: Type.Boolean(), format: Type.Enum(['MIN', 'FULL']) })),
        assurance_details_required: option(Type.Boolean()),
        allow_credit_cards: option(Type.Boolean()),
      }),
      tokenization_specification: Type.Object(
        { type: name, parameters: option(Type.Record(Type.String(), boundedText(2048))) },
        { additionalProperties: true, description: 'Provided by the processor; passed to the checkout' },
      ),
    }),
    { minItems: 1, maxItems: 10 },
  ),
})

const appleRequest = strictObject({
  label: shortText,
  supported_networks: list('visa, masterCard, …'),
  merchant_capabilities: list('supports3DS, …'),
})

/** `ios`: an app, which contacts Apple itself. `web`: pages, whose shop Apple identifies by a certificate. */
const apple_pay = strictObject({
  payment_request_data: appleRequest,
  session_token_data: strictObject({
    merchant_identifier: shortText,
    display_name: option(shortText),
    initiative: Type.Enum(['ios', 'web']),
    initiative_context: option(Type.String({ maxLength: 255, description: 'For web: domain of the pages, as verified by Apple' })),
    merchant_business_country: option(country),
    certificate: option(Type.String({ maxLength: 20_000, description: 'For web: merchant identity certificate, as PEM or Base64 of it' })),
    certificate_keys: option(
      Type.String({ maxLength: 20_000, description: 'For web: private key of the certificate, as PEM or Base64 of it' }),
    ),
    payment_processing_details_at: option(
      Type.Enum(['Connector'], { description: 'Party that decrypts the Apple Pay data: always the processor' }),
    ),
  }),
})

const samsung_pay = strictObject({
  merchant_credentials: strictObject({
    service_id: shortText,
    merchant_display_name: shortText,
    merchant_business_country: country,
    allowed_brands: Type.Array(Type.Enum(['visa', 'mastercard', 'amex', 'discover']), { minItems: 1 }),
  }),
})

const paze = strictObject({ data: strictObject({ client_id: name, client_name: shortText, client_profile_id: shortText }) })

const paypal_sdk = strictObject({ data: strictObject({ client_id: name }) })

const venmo_sdk = Type.Object({}, { ...closed, description: 'Nothing but that Venmo is offered' })

export const walletDetailsShape = Type.Object(
  {
    apple_pay: option(apple_pay),
    apple_pay_combined: option(Type.Object({ manual: apple_pay }, { ...closed, description: 'The same as apple_pay' })),
    google_pay: option(google_pay),
    samsung_pay: option(samsung_pay),
    paze: option(paze),
    paypal_sdk: option(paypal_sdk),
    venmo_sdk: option(venmo_sdk),
  },
  { ...closed, title: 'WalletDetails' },
)
type WalletDetails = Static<typeof walletDetailsShape>

/** Answers show the metadata. */
export const walletMetadata = { google_pay: option(google_pay), paypal_sdk: option(paypal_sdk), venmo_sdk: option(venmo_sdk) }

type ApplePay = NonNullable<WalletDetails['apple_pay']>

/** `shop`: the data of requests to Apple for web pages; null for an app. */
export type Wallets = Omit<WalletDetails, 'apple_pay' | 'apple_pay_combined'> & { apple_pay?: ApplePay & { shop: AppleShop | null } }
export type ConfiguredWallet = keyof Wallets

export function checkWallets(now: Time, details: WalletDetails | undefined): void {
  for (const [name, apple] of Object.entries({
    apple_pay: details?.apple_pay,
    'apple_pay_combined.manual': details?.apple_pay_combined?.manual,
  }))
    if (apple) checkAppleShop(now, `connector_wallets_details.${name}`, apple.payment_request_data.label, apple.session_token_data)
}

/** Settings that do not fit their schema are ignored: they may have been stored before it was enforced. */
export function walletsOf(details: unknown, metadata: Record<string, unknown>, gateway: string): Wallets {
  const { apple_pay_combined, apple_pay, ...others } = (Value.Check(walletDetailsShape, details) ? details : {}) as WalletDetails
  const apple = apple_pay ?? apple_pay_combined?.manual
  const open = Object.fromEntries(
    Object.entries({ google_pay, paypal_sdk, venmo_sdk }).flatMap(([name, shape]) =>
      Value.Check(shape, metadata[name]) ? [[name, metadata[name]]] : [],
    ),
  )
  if (!apple) return { ...open, ...others }
  const { certificate: _certificate, certificate_keys: _keys, ...session_token_data } = apple.session_token_data
  const shop = appleShopOf(gateway, apple.payment_request_data.label, apple.session_token_data)
  return { ...open, ...others, apple_pay: { ...apple, session_token_data, shop } }
}
