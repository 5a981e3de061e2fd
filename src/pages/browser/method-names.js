// The names of ways to pay as a shopper knows them, and the kinds under which they are folded.

/** Ways that have the same type in two families. @type {Record<string, string>} */
const ofFamily = {
  'bank_debit.ach': 'ACH Direct Debit',
  'bank_debit.sepa': 'SEPA Direct Debit',
  'bank_debit.bacs': 'Bacs Direct Debit',
  'bank_debit.becs': 'BECS Direct Debit',
  'bank_transfer.ach': 'ACH transfer',
  'bank_transfer.bacs': 'UK bank transfer',
}

/** @type {Record<string, string>} */
const names = {
  ach: 'ACH',
  affirm: 'Affirm',
  afterpay_clearpay: 'Afterpay',
  alfamart: 'Alfamart',
  ali_pay: 'Alipay',
  ali_pay_hk: 'AlipayHK',
  alma: 'Alma',
  amazon_pay: 'Amazon Pay',
  apple_pay: 'Apple Pay',
  atome: 'Atome',
  bacs: 'Bacs',
  bancontact_card: 'Bancontact',
  bca_bank_transfer: 'BCA',
  becs: 'BECS',
  benefit: 'Benefit',
  bhn_card_network: 'Blackhawk gift card',
  bizum: 'Bizum',
  blik: 'BLIK',
  bluecode: 'Bluecode',
  bni_va: 'BNI Virtual Account',
  boleto: 'Boleto',
  breadpay: 'Bread Pay',
  bri_va: 'BRI Virtual Account',
  card_redirect: 'Card on the bank’s page',
  cashapp: 'Cash App Pay',
  cimb_va: 'CIMB Virtual Account',
  classic: 'CashtoCode',
  crypto_currency: 'Crypto',
  dana: 'DANA',
  danamon_va: 'Danamon Virtual Account',
  direct_carrier_billing: 'Phone bill',
  duit_now: 'DuitNow QR',
  efecty: 'Efecty',
  eft: 'EFT',
  eft_debit_order: 'EFT Debit Order',
  eps: 'EPS',
  evoucher: 'CashtoCode eVoucher',
  family_mart: 'FamilyMart',
  flexiti: 'Flexiti',
  fps: 'FPS',
  gcash: 'GCash',
  giropay: 'giropay',
  givex: 'Givex gift card',
  go_pay: 'GoPay',
  google_pay: 'Google Pay',
  ideal: 'iDEAL',
  indomaret: 'Indomaret',
  indonesian_bank_transfer: 'Indonesian bank transfer',
  instant_bank_transfer: 'Instant bank transfer',
  instant_bank_transfer_finland: 'Finnish online banking',
  instant_bank_transfer_poland: 'Polish online banking',
  interac: 'Interac',
  kakao_pay: 'KakaoPay',
  klarna: 'Klarna',
  knet: 'KNET',
  lawson: 'Lawson',
  local_bank_redirect: 'Online banking',
  local_bank_transfer: 'Bank transfer',
  mandiri_va: 'Mandiri Virtual Account',
  mb_way: 'MB WAY',
  mifinity: 'MiFinity',
  mini_stop: 'Ministop',
  mobile_pay: 'MobilePay',
  momo: 'MoMo',
  momo_atm: 'MoMo ATM',
  multibanco: 'Multibanco',
  online_banking_czech_republic: 'Czech online banking',
  online_banking_finland: 'Finnish online banking',
  online_banking_fpx: 'FPX',
  online_banking_poland: 'Polish online banking',
  online_banking_slovakia: 'Slovak online banking',
  online_banking_thailand: 'Thai online banking',
  open_banking: 'Open Banking',
  open_banking_pis: 'Open Banking',
  open_banking_uk: 'Open Banking',
  oxxo: 'OXXO',
  pago_efectivo: 'PagoEfectivo',
  pay_bright: 'PayBright',
  pay_easy: 'Pay-easy',
  pay_safe_card: 'paysafecard',
  payjustnow: 'PayJustNow',
  paypal: 'PayPal',
  paysera: 'Paysera',
  paze: 'Paze',
  permata_bank_transfer: 'Permata',
  pix: 'Pix',
  pix_automatico_push: 'Pix Automático',
  pix_automatico_qr: 'Pix Automático QR',
  pix_emv: 'Pix',
  pix_key: 'Pix',
  pix_qr: 'Pix QR',
  prompt_pay: 'PromptPay',
  przelewy24: 'Przelewy24',
  pse: 'PSE',
  qris: 'QRIS',
  red_compra: 'Redcompra',
  red_pagos: 'RedPagos',
  revolut_pay: 'Revolut Pay',
  samsung_pay: 'Samsung Pay',
  seicomart: 'Seicomart',
  sepa: 'SEPA',
  sepa_bank_transfer: 'SEPA transfer',
  sepa_guarenteed_debit: 'SEPA Direct Debit, guaranteed',
  seven_eleven: '7-Eleven',
  skrill: 'Skrill',
  sofort: 'Sofort',
  swish: 'Swish',
  touch_n_go: 'Touch ’n Go',
  trustly: 'Trustly',
  twint: 'TWINT',
  upi_collect: 'UPI',
  upi_intent: 'UPI app',
  upi_qr: 'UPI QR',
  venmo: 'Venmo',
  viet_qr: 'VietQR',
  vipps: 'Vipps',
  walley: 'Walley',
  we_chat_pay: 'WeChat Pay',
}

/** Returns a word of the interface as text, for names that no table has: of banks, of fields. @param {string} word */
export const plainName = word =>
  names[word] ??
  word
    .split('_')
    .map(part => (part[0] ?? '').toUpperCase() + part.slice(1))
    .join(' ')

/** Returns the name of a way to pay. @param {string} method @param {string} type */
export const nameOf = (method, type) => ofFamily[`${method}.${type}`] ?? plainName(type)

/** The kinds under which a long list is folded. @type {Record<string, string>} */
const kinds = {
  wallet: 'kindWallet',
  mobile_payment: 'kindWallet',
  bank_redirect: 'kindBank',
  open_banking: 'kindBank',
  upi: 'kindBank',
  real_time_payment: 'kindBank',
  bank_debit: 'kindDebit',
  bank_transfer: 'kindTransfer',
  pay_later: 'kindLater',
  voucher: 'kindCash',
  reward: 'kindCash',
}
/** @param {string} method */
export const kindOf = method => kinds[method] ?? 'kindOther'

/** The ways that shoppers of many countries know, in the order in which they are offered. */
const wellKnown = [
  'paypal',
  'klarna',
  'amazon_pay',
  'revolut_pay',
  'cashapp',
  'venmo',
  'afterpay_clearpay',
  'affirm',
  'ali_pay',
  'we_chat_pay',
]

/**
 * Returns the place of a way in the list: first those of the payment's own currency or country, then well-known ones,
 * then all others. `isHome`: whether the way belongs to certain currencies and countries, which this payment has.
 * @param {string} type @param {boolean} isHome
 */
export const rankOf = (type, isHome) => (isHome ? 0 : wellKnown.includes(type) ? 1 + wellKnown.indexOf(type) : 100)
