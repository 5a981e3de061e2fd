import Type from 'typebox'
import { anyText, bool } from '../base/shapes.ts'
import { familyOfWays } from './other.ts'
import { readNumber } from './read-card.ts'
import { asked, base64, clear, date, digits, expiry, last4, need, never, partsOf, token, type Way, way } from './way.ts'

const nothing = { shows: () => ({}) }
const sdk = { experience: 'invoke_sdk_client', ...nothing }
const scanned = { experience: 'display_qr_code', ...nothing }

const ofCards = ['card_network', 'type', 'card_exp_month', 'card_exp_year', 'auth_code', 'email'] as const

type Places = string | readonly string[]

/** Shows the card behind a wallet. `number`: the part with its last digits. `parts`: with its other attributes. */
function cardBehind(
  name: string,
  number: Places,
  parts: Partial<Record<(typeof ofCards)[number], Places>>,
): Pick<Way, 'experience' | 'shows'> {
  const first = (seen: Readonly<Record<string, string>>, places: Places = []) => [places].flat().flatMap(place => seen[place] ?? [])[0]
  return {
    experience: 'invoke_sdk_client',
    shows: seen => ({
      [name]: { last4: last4(first(seen, number)), ...Object.fromEntries(ofCards.map(part => [part, first(seen, parts[part]) ?? null])) },
    }),
  }
}

const ofApple = {
  'payment_method.display_name': need(clear()),
  'payment_method.network': need(clear()),
  'payment_method.type': need(clear()),
  'payment_method.card_exp_month': clear(),
  'payment_method.card_exp_year': clear(),
  'payment_method.auth_code': clear(),
  transaction_identifier: need(never()),
}
const behindApple = cardBehind('apple_pay', 'payment_method.display_name', {
  card_network: 'payment_method.network',
  type: 'payment_method.type',
  card_exp_month: 'payment_method.card_exp_month',
  card_exp_year: 'payment_method.card_exp_year',
  auth_code: 'payment_method.auth_code',
})
const ofGoogle = {
  type: need(clear()),
  description: need(clear()),
  'info.card_network': need(clear()),
  'info.card_details': need(clear()),
  'info.assurance_details.card_holder_authenticated': clear(bool),
  'info.assurance_details.account_verified': clear(bool),
  'info.card_funding_source': clear(),
}
const behindGoogle = cardBehind('google_pay', 'info.card_details', { card_network: 'info.card_network', type: 'type' })

/** A wallet token that the merchant has decrypted: the device's number, its expiry and the cryptogram. */
const opened = {
  number: need(never(anyText, { read: readNumber })),
  month: need(expiry.month),
  year: need(expiry.year),
  cryptogram: need(never(anyText, { read: base64 })),
  eci: clear(anyText, { read: digits(1, 2) }),
}

/** With the wallet's data a payment is decided at once; without, the customer is redirected or scans a QR code. */
export const wallet = familyOfWays(
  'wallet',
  {
    apple_pay: way('apple_pay', { payment_data: need(never(token)), ...ofApple }, behindApple),
    apple_pay_decrypted: way(
      'apple_pay',
      {
        'payment_data.application_primary_account_number': opened.number,
        'payment_data.application_expiration_month': opened.month,
        'payment_data.application_expiration_year': opened.year,
        'payment_data.payment_data.online_payment_cryptogram': opened.cryptogram,
        'payment_data.payment_data.eci_indicator': opened.eci,
        ...ofApple,
      },
      {
        formOf: 'apple_pay',
        ends: ['payment_data.application_expiration_month', 'payment_data.application_expiration_year'],
        ...behindApple,
      },
    ),
    google_pay: way(
      'google_pay',
      { ...ofGoogle, 'tokenization_data.type': need(clear()), 'tokenization_data.token': need(never(token)) },
      behindGoogle,
    ),
    google_pay_decrypted: way(
      'google_pay',
      {
        ...ofGoogle,
        'tokenization_data.application_primary_account_number': opened.number,
        'tokenization_data.card_exp_month': opened.month,
        'tokenization_data.card_exp_year': opened.year,
        'tokenization_data.cryptogram': opened.cryptogram,
        'tokenization_data.eci_indicator': opened.eci,
      },
      { formOf: 'google_pay', ends: ['tokenization_data.card_exp_month', 'tokenization_data.card_exp_year'], ...behindGoogle },
    ),
    samsung_pay: way(
      'samsung_pay',
      {
        'payment_credential.method': clear(),
        'payment_credential.recurring_payment': clear(bool),
        'payment_credential.card_brand': clear(),
        'payment_credential.card_last4digits': clear(),
        'payment_credential.payment_card_brand': clear(),
        'payment_credential.payment_last4_fpan': clear(),
        'payment_credential.payment_last4_dpan': clear(),
        'payment_credential.payment_currency_type': clear(),
        'payment_credential.merchant_ref': clear(),
        'payment_credential.3_d_s.type': clear(),
        'payment_credential.3_d_s.version': need(clear()),
        'payment_credential.3_d_s.data': need(never(token)),
      },
      cardBehind('samsung_pay', ['payment_credential.card_last4digits', 'payment_credential.payment_last4_fpan'], {
        card_network: ['payment_credential.card_brand', 'payment_credential.payment_card_brand'],
      }),
    ),
    paypal_sdk: way('paypal', { token: need(never(token)) }, sdk),
    venmo_sdk: way('venmo', { token: need(never(token)) }, sdk),
    paze: way('paze', { complete_response: need(never(token)) }, sdk),
    amazon_pay: way('amazon_pay', { checkout_session_id: need(never()) }, sdk),
    apple_pay_third_party_sdk: way('apple_pay', { token: never(token) }, sdk),
    google_pay_third_party_sdk: way('google_pay', { token: never(token) }, sdk),
    ali_pay_qr: way('ali_pay', {}, scanned),
    cashapp_qr: way('cashapp', {}, scanned),
    swish_qr: way('swish', {}, scanned),
    we_chat_pay_qr: way('we_chat_pay', {}, scanned),
    ali_pay_redirect: way('ali_pay', {}, nothing),
    ali_pay_hk_redirect: way('ali_pay_hk', {}, nothing),
    amazon_pay_redirect: way('amazon_pay', {}, nothing),
    apple_pay_redirect: way('apple_pay', {}, nothing),
    bluecode_redirect: way('bluecode', {}, nothing),
    dana_redirect: way('dana', {}, nothing),
    gcash_redirect: way('gcash', {}, nothing),
    go_pay_redirect: way('go_pay', {}, nothing),
    google_pay_redirect: way('google_pay', {}, nothing),
    kakao_pay_redirect: way('kakao_pay', {}, nothing),
    mb_way_redirect: way('mb_way', { telephone_number: asked.phone }, nothing),
    mifinity: way(
      'mifinity',
      { date_of_birth: need(never(undefined, { read: date }), 'user_date_of_birth'), language_preference: clear() },
      nothing,
    ),
    mobile_pay_redirect: way('mobile_pay', {}, nothing),
    momo_redirect: way('momo', {}, nothing),
    paypal_redirect: way('paypal', { email: never() }, nothing),
    paysera: way('paysera', {}, nothing),
    revolut_pay: way('revolut_pay', {}, nothing),
    skrill: way('skrill', {}, nothing),
    touch_n_go_redirect: way('touch_n_go', {}, nothing),
    twint_redirect: way('twint', {}, nothing),
    vipps_redirect: way('vipps', {}, nothing),
    we_chat_pay_redirect: way('we_chat_pay', {}, nothing),
  },
  Type.Object(
    Object.fromEntries(['apple_pay', 'google_pay', 'samsung_pay'].map(name => [name, Type.Optional(partsOf('last4', ...ofCards))])),
    { title: 'WalletSeen', description: 'For wallets that report the card behind them: that card' },
  ),
)
