/** In the ecosystem's order, because the error for an unknown method lists all of them. */
// biome-ignore format: a list reads better in rows
export const paymentMethodNames = [
  'card', 'card_redirect', 'pay_later', 'wallet', 'bank_redirect', 'bank_transfer', 'crypto', 'bank_debit', 'reward',
  'real_time_payment', 'upi', 'voucher', 'gift_card', 'open_banking', 'mobile_payment', 'network_token',
] as const
export type PaymentMethod = (typeof paymentMethodNames)[number]

export const paymentMethodTypes = `
  ach affirm afterpay_clearpay alfamart ali_pay ali_pay_hk alma amazon_pay apple_pay atome bacs bancontact_card bca_bank_transfer becs benefit
  bhn_card_network bizum blik bluecode bni_va boleto breadpay bri_va card_redirect cashapp cimb_va classic credit crypto_currency dana
  danamon_va debit direct_carrier_billing duit_now efecty eft eft_debit_order eps evoucher family_mart flexiti fps gcash giropay givex go_pay
  google_pay ideal indomaret indonesian_bank_transfer instant_bank_transfer instant_bank_transfer_finland instant_bank_transfer_poland interac
  kakao_pay klarna knet lawson local_bank_redirect local_bank_transfer mandiri_va mb_way mifinity mini_stop mobile_pay momo momo_atm
  multibanco network_token online_banking_czech_republic online_banking_finland online_banking_fpx online_banking_poland
  online_banking_slovakia online_banking_thailand open_banking open_banking_pis open_banking_uk oxxo pago_efectivo pay_bright pay_easy
  pay_safe_card payjustnow paypal paysera paze permata_bank_transfer pix pix_automatico_push pix_automatico_qr pix_emv pix_key pix_qr
  prompt_pay przelewy24 pse qris red_compra red_pagos revolut_pay samsung_pay seicomart sepa sepa_bank_transfer sepa_guarenteed_debit
  seven_eleven skrill sofort swish touch_n_go trustly twint upi_collect upi_intent upi_qr venmo viet_qr vipps walley we_chat_pay
`
  .trim()
  .split(/\s+/)
