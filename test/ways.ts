import { type OtherFamily, otherFamilies } from '../src/connectors/instrument.ts'
import { families } from '../src/instruments/families.ts'
import type { Body } from './call.ts'

/**
 * A request for every payment method that is not a card: its type, and its members. Texts in capital letters, and all
 * account numbers, must appear nowhere.
 */

const people = { billing_details: { first_name: 'HIDDEN', last_name: 'HIDDEN', email: 'HIDDEN@example.com' } }
const holder = { billing_details: { name: 'HIDDEN', email: 'HIDDEN@example.com' } }
const shop = { first_name: 'HIDDEN', last_name: 'HIDDEN', email: 'HIDDEN@example.com', phone_number: 'HIDDEN' }
const account = { account_number: '000123456789', bank_account_holder_name: 'Ada Byron' }
const sepa = {
  iban: 'DE89 3704 0044 0532 0130 00',
  bank_account_holder_name: 'Ada Byron',
  billing_details: { name: 'HIDDEN', address: { line1: 'HIDDEN' } },
}

type Way = readonly [type: string, said?: Body]

export const ways: { readonly [F in OtherFamily]: Readonly<Record<string, Way>> } = {
  wallet: {
    google_pay: [
      'google_pay',
      {
        type: 'CARD',
        description: 'Visa 1111',
        info: {
          card_network: 'VISA',
          card_details: '1111',
          assurance_details: { card_holder_authenticated: true, account_verified: true },
        },
        tokenization_data: { type: 'PAYMENT_GATEWAY', token: 'TOKEN_OF_GOOGLE' },
      },
    ],
    apple_pay: [
      'apple_pay',
      {
        payment_data: 'TOKEN_OF_APPLE',
        payment_method: { display_name: 'Visa 4242', network: 'Visa', type: 'debit' },
        transaction_identifier: 'TRANSACTION',
      },
    ],
    google_pay_decrypted: [
      'google_pay',
      {
        ...{ type: 'CARD', description: 'Visa 1111', info: { card_network: 'VISA', card_details: '1111' } },
        tokenization_data: {
          ...{ application_primary_account_number: '4895370012003478', card_exp_month: '12', card_exp_year: '2040' },
          ...{ cryptogram: 'HIDDENCRYPTOGRAM', eci_indicator: '07' },
        },
      },
    ],
    apple_pay_decrypted: [
      'apple_pay',
      {
        payment_data: {
          application_primary_account_number: '4895370012003478',
          application_expiration_month: '12',
          application_expiration_year: '2040',
          payment_data: { online_payment_cryptogram: 'HIDDENCRYPTOGRAM', eci_indicator: '07' },
        },
        payment_method: { display_name: 'Visa 4242', network: 'Visa', type: 'debit' },
        transaction_identifier: 'TRANSACTION',
      },
    ],
    samsung_pay: [
      'samsung_pay',
      {
        payment_credential: {
          method: '3DS',
          card_brand: 'visa',
          card_last4digits: '1234',
          '3_d_s': { type: 'S', version: '100', data: 'TOKEN_OF_SAMSUNG' },
        },
      },
    ],
    paypal_sdk: ['paypal', { token: 'TOKEN_OF_PAYPAL' }],
    venmo_sdk: ['venmo', { token: 'TOKEN_OF_VENMO' }],
    paze: ['paze', { complete_response: 'TOKEN_OF_PAZE' }],
    amazon_pay: ['amazon_pay', { checkout_session_id: 'SESSION_OF_AMAZON' }],
    apple_pay_third_party_sdk: ['apple_pay', { token: 'TOKEN_OF_APPLE' }],
    google_pay_third_party_sdk: ['google_pay', { token: 'TOKEN_OF_GOOGLE' }],
    ali_pay_qr: ['ali_pay'],
    cashapp_qr: ['cashapp'],
    swish_qr: ['swish'],
    we_chat_pay_qr: ['we_chat_pay'],
    ali_pay_redirect: ['ali_pay'],
    ali_pay_hk_redirect: ['ali_pay_hk'],
    amazon_pay_redirect: ['amazon_pay'],
    apple_pay_redirect: ['apple_pay'],
    bluecode_redirect: ['bluecode'],
    dana_redirect: ['dana'],
    gcash_redirect: ['gcash'],
    go_pay_redirect: ['go_pay'],
    google_pay_redirect: ['google_pay'],
    kakao_pay_redirect: ['kakao_pay'],
    mb_way_redirect: ['mb_way', { telephone_number: 'HIDDEN' }],
    mifinity: ['mifinity', { date_of_birth: '1815-12-10', language_preference: 'en-GB' }],
    mobile_pay_redirect: ['mobile_pay'],
    momo_redirect: ['momo'],
    paypal_redirect: ['paypal', { email: 'HIDDEN@example.com' }],
    paysera: ['paysera'],
    revolut_pay: ['revolut_pay'],
    skrill: ['skrill'],
    touch_n_go_redirect: ['touch_n_go'],
    twint_redirect: ['twint'],
    vipps_redirect: ['vipps'],
    we_chat_pay_redirect: ['we_chat_pay'],
  },
  pay_later: {
    klarna_sdk: ['klarna', { token: 'TOKEN_OF_KLARNA' }],
    klarna_redirect: ['klarna', { billing_email: 'HIDDEN@example.com', billing_country: 'SE' }],
    affirm_redirect: ['affirm'],
    afterpay_clearpay_redirect: ['afterpay_clearpay', { billing_name: 'HIDDEN' }],
    pay_bright_redirect: ['pay_bright'],
    walley_redirect: ['walley'],
    alma_redirect: ['alma'],
    atome_redirect: ['atome'],
    flexiti_redirect: ['flexiti'],
    breadpay_redirect: ['breadpay'],
    payjustnow_redirect: ['payjustnow'],
  },
  bank_redirect: {
    ideal: ['ideal', { bank_name: 'ing', country: 'NL', billing_details: { billing_name: 'HIDDEN' } }],
    bancontact_card: [
      'bancontact_card',
      { card_number: '4929 1234-5678 9015', card_exp_month: '03', card_exp_year: '2040', card_holder_name: 'Ada Byron' },
    ],
    bizum: ['bizum'],
    blik: ['blik', { blik_code: '777 123' }],
    eps: ['eps', { bank_name: 'bank_austria', country: 'AT' }],
    giropay: ['giropay', { bank_account_bic: 'HIDDENFFXXX', bank_account_iban: 'DE89370400440532013000', country: 'DE' }],
    interac: ['interac', { country: 'CA', email: 'HIDDEN@example.com' }],
    online_banking_czech_republic: ['online_banking_czech_republic', { issuer: 'ceska_sporitelna' }],
    online_banking_finland: ['online_banking_finland', { email: 'HIDDEN@example.com' }],
    online_banking_fpx: ['online_banking_fpx', { issuer: 'maybank' }],
    online_banking_poland: ['online_banking_poland', { issuer: 'm_bank' }],
    online_banking_slovakia: ['online_banking_slovakia', { issuer: 'tatra_pay' }],
    online_banking_thailand: ['online_banking_thailand', { issuer: 'bangkok_bank' }],
    open_banking: ['open_banking_pis'],
    open_banking_uk: ['open_banking_uk', { issuer: 'monzo', country: 'GB' }],
    przelewy24: ['przelewy24', { bank_name: 'alior_bank' }],
    sofort: ['sofort', { country: 'DE', preferred_language: 'de' }],
    trustly: ['trustly', { country: 'SE' }],
    local_bank_redirect: ['local_bank_redirect'],
    eft: ['eft', { provider: 'ozow' }],
  },
  bank_debit: {
    sepa_bank_debit: ['sepa', sepa],
    sepa_guarenteed_bank_debit: ['sepa_guarenteed_debit', sepa],
    ach_bank_debit: [
      'ach',
      { ...account, routing_number: '110000000', bank_name: 'chase', bank_type: 'checking', bank_holder_type: 'personal' },
    ],
    becs_bank_debit: ['becs', { ...account, bsb_number: '000-000' }],
    bacs_bank_debit: ['bacs', { ...account, sort_code: '10-88-00' }],
    eft_debit_order: ['eft_debit_order', { ...account, branch_code: '198765', bank_name: 'absa', bank_type: 'savings' }],
  },
  bank_transfer: {
    sepa_bank_transfer: ['sepa_bank_transfer', { ...holder, country: 'DE' }],
    ach_bank_transfer: ['ach', { billing_details: { email: 'HIDDEN@example.com' } }],
    bacs_bank_transfer: ['bacs', holder],
    multibanco_bank_transfer: ['multibanco', { billing_details: { email: 'HIDDEN@example.com' } }],
    permata_bank_transfer: ['permata_bank_transfer', people],
    bca_bank_transfer: ['bca_bank_transfer', people],
    bni_va_bank_transfer: ['bni_va', people],
    bri_va_bank_transfer: ['bri_va', people],
    cimb_va_bank_transfer: ['cimb_va', people],
    danamon_va_bank_transfer: ['danamon_va', people],
    mandiri_va_bank_transfer: ['mandiri_va', people],
    pix: ['pix', { pix_key: 'HIDDEN_KEY_0011', cpf: '123.456.789-09'.replaceAll('.', ''), expiry_date: '2090-01-01' }],
    pix_emv: ['pix_emv'],
    pix_qr: ['pix_qr'],
    pix_automatico_qr: ['pix_automatico_qr'],
    pix_automatico_push: ['pix_automatico_push', { account_number: '000123456789', branch_code: '0001' }],
    pse: ['pse'],
    local_bank_transfer: ['local_bank_transfer', { bank_code: '0103' }],
    instant_bank_transfer: ['instant_bank_transfer'],
    instant_bank_transfer_finland: ['instant_bank_transfer_finland'],
    instant_bank_transfer_poland: ['instant_bank_transfer_poland'],
    indonesian_bank_transfer: ['indonesian_bank_transfer', { bank_name: 'maybank' }],
  },
  card_redirect: {
    ...{ knet: ['knet'], benefit: ['benefit'], momo_atm: ['momo_atm'], card_redirect: ['card_redirect'] },
    card_component: ['card_redirect', { token: 'TOKEN_OF_COMPONENTS' }],
  },
  crypto: { crypto: ['crypto_currency', { pay_currency: 'LTC', network: 'litecoin' }] },
  upi: {
    upi_collect: ['upi_collect', { vpa_id: 'HIDDEN.success@upi', upi_source: 'UPI_CC' }],
    upi_intent: ['upi_intent'],
    upi_qr: ['upi_qr', { upi_source: 'UPI_ACCOUNT' }],
  },
  voucher: {
    boleto: [
      'boleto',
      { social_security_number: '56176521102', document_type: 'cpf', due_date: '2090-01-01', messages: ['pay at any bank'] },
    ],
    efecty: ['efecty'],
    pago_efectivo: ['pago_efectivo'],
    red_compra: ['red_compra'],
    red_pagos: ['red_pagos'],
    oxxo: ['oxxo'],
    alfamart: ['alfamart', { first_name: 'HIDDEN', last_name: 'HIDDEN', email: 'HIDDEN@example.com' }],
    indomaret: ['indomaret', { first_name: 'HIDDEN' }],
    seven_eleven: ['seven_eleven', shop],
    lawson: ['lawson', shop],
    mini_stop: ['mini_stop', shop],
    family_mart: ['family_mart', shop],
    seicomart: ['seicomart', shop],
    pay_easy: ['pay_easy', shop],
  },
  gift_card: {
    givex: ['givex', { number: '6036280000000000000', cvc: '122222' }],
    bhn_card_network: ['bhn_card_network', { account_number: '6039534000000014', pin: '122222', cvv2: '122222', expiration_date: '1249' }],
    pay_safe_card: ['pay_safe_card'],
  },
  reward: { reward: ['classic'] },
  real_time_payment: { fps: ['fps'], duit_now: ['duit_now'], prompt_pay: ['prompt_pay'], viet_qr: ['viet_qr'], qris: ['qris'] },
  open_banking: { open_banking_pis: ['open_banking_pis'] },
  mobile_payment: { direct_carrier_billing: ['direct_carrier_billing', { msisdn: '447700900123', client_uid: 'HIDDEN' }] },
  network_token: {
    network_token: [
      'network_token',
      {
        network_token: '4895370012003478',
        token_exp_month: '12',
        token_exp_year: '2040',
        token_cryptogram: 'HIDDEN_CRYPTOGRAM',
        eci: '07',
        card_network: 'Visa',
      },
    ],
  },
}

/** A pattern that must fit no answer for these payments, and no row in clear text. */
export const HIDDEN =
  /HIDDEN|TOKEN_OF|SESSION_OF|TRANSACTION|00012345|12345678|3704 ?0044|777 ?123|60362800|60395340|5617652110|44770090012|4895370012|1815-12/

/** The families whose members stand directly in the family, not in a payment method of it. */
export const flat: readonly string[] = ['crypto', 'reward', 'network_token']

/** Payment methods that a request contains under the name of another. */
const formOf: Readonly<Record<string, string>> = { google_pay_decrypted: 'google_pay', apple_pay_decrypted: 'apple_pay' }

/**
 * Gives the members of a request that is paid by this payment method; `more`: further members of the payment method.
 */
export function paidBy(family: OtherFamily, way: string, more: Body = {}): Body {
  const example = ways[family][way]
  if (!example) throw new Error(`no request with ${family} ${way} is known: add a line for it to test/ways.ts`)
  const [payment_method_type, data = {}] = example
  if (!families[family].types.includes(payment_method_type))
    throw new Error(`no entry of ${family} is of type ${payment_method_type}: add ${way} to the family's file in src/instruments`)
  const inside = { ...data, ...more }
  return {
    payment_method: family,
    payment_method_type,
    payment_method_data: { [family]: flat.includes(family) ? inside : { [formOf[way] ?? way]: inside } },
  }
}

/** Every payment method of every family. */
export const everyWay: readonly (readonly [OtherFamily, string])[] = otherFamilies.flatMap(family =>
  Object.keys(ways[family]).map(way => [family, way] as const),
)
