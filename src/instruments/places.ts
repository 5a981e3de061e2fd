/** Types that are not listed are available everywhere; `pages/browser/offer.js` leaves out what no customer has. */
type Home = { currencies: readonly string[]; countries: readonly string[] }

const SEPA = 'AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MC MT NL NO PL PT RO SE SI SK SM VA'

const homes: readonly (readonly [currencies: string, countries: string, types: string])[] = [
  ['USD', 'US', 'ach breadpay venmo'],
  ['USD CAD', 'US CA', 'affirm'],
  [
    'IDR',
    'ID',
    'alfamart bca_bank_transfer bni_va bri_va cimb_va dana danamon_va go_pay indomaret indonesian_bank_transfer mandiri_va permata_bank_transfer qris',
  ],
  ['HKD', 'HK', 'ali_pay_hk fps'],
  ['SGD MYR HKD IDR THB PHP', 'SG MY HK ID TH PH', 'atome'],
  ['GBP', 'GB', 'bacs open_banking_uk'],
  ['EUR', 'BE', 'bancontact_card'],
  ['AUD', 'AU', 'becs'],
  ['BHD', 'BH', 'benefit'],
  ['EUR', 'ES', 'bizum'],
  ['PLN', 'PL', 'blik instant_bank_transfer_poland online_banking_poland'],
  ['EUR', 'AT DE', 'bluecode'],
  ['BRL', 'BR', 'boleto pix pix_automatico_push pix_automatico_qr pix_emv pix_key pix_qr'],
  ['USD GBP', 'US GB', 'cashapp'],
  ['MYR', 'MY', 'duit_now online_banking_fpx touch_n_go'],
  ['COP', 'CO', 'efecty pse'],
  ['ZAR', 'ZA', 'eft eft_debit_order payjustnow'],
  ['EUR', 'AT', 'eps'],
  ['JPY', 'JP', 'family_mart lawson mini_stop pay_easy seicomart seven_eleven'],
  ['CAD', 'CA', 'flexiti interac pay_bright'],
  ['PHP', 'PH', 'gcash'],
  ['EUR', 'DE', 'giropay'],
  ['EUR', 'NL', 'ideal'],
  ['EUR', 'FI', 'instant_bank_transfer_finland online_banking_finland'],
  ['KRW', 'KR', 'kakao_pay'],
  ['KWD', 'KW', 'knet'],
  ['EUR', 'PT', 'mb_way multibanco'],
  ['DKK EUR NOK SEK', 'DK FI', 'mobile_pay'],
  ['VND', 'VN', 'momo momo_atm viet_qr'],
  ['CZK EUR', 'CZ', 'online_banking_czech_republic'],
  ['EUR CZK', 'SK', 'online_banking_slovakia'],
  ['THB', 'TH', 'online_banking_thailand prompt_pay'],
  ['MXN', 'MX', 'oxxo'],
  ['PEN USD', 'PE', 'pago_efectivo'],
  ['PLN EUR', 'PL', 'przelewy24'],
  ['CLP', 'CL', 'red_compra'],
  ['UYU', 'UY', 'red_pagos'],
  ['EUR', SEPA, 'sepa sepa_bank_transfer sepa_guarenteed_debit'],
  ['EUR', 'AT BE DE ES IT NL', 'sofort'],
  ['SEK', 'SE', 'swish'],
  ['CHF', 'CH', 'twint'],
  ['INR', 'IN', 'upi_collect upi_intent upi_qr'],
  ['NOK', 'NO', 'vipps'],
]

export const homesOfWays: Readonly<Record<string, Home>> = Object.fromEntries(
  homes.flatMap(([currencies, countries, types]) => {
    const home = { currencies: currencies.split(' '), countries: countries.split(' ') }
    return types.split(' ').map(type => [type, home])
  }),
)
