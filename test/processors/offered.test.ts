import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { OtherFamily } from '../../src/connectors/instrument.ts'
import { type Body, http, openShop } from '../shop.ts'
import { ways } from '../ways.ts'

/** Every payment method that a connector offers can be paid with the bodies of existing clients, written by hand. */

const none = {}
const person = { billing_details: { name: 'Ada Byron', email: 'ada@shop.example' } }
const atShop = { first_name: 'Ada', last_name: 'Byron', email: 'ada@shop.example', phone_number: '612345678' }
const inAsia = { billing_details: { first_name: 'Ada', last_name: 'Byron', email: 'ada@shop.example' } }
const account = { account_number: '000123456789', bank_account_holder_name: 'Ada Byron' }
const sepa = { iban: 'DE89370400440532013000', bank_account_holder_name: 'Ada Byron' }
const googlePay = {
  type: 'CARD',
  description: 'Visa 1111',
  info: { card_network: 'VISA', card_details: '1111' },
  tokenization_data: { type: 'PAYMENT_GATEWAY', token: 'token' },
}
const applePay = {
  payment_data: 'token',
  payment_method: { display_name: 'Visa 4242', network: 'Visa', type: 'debit' },
  transaction_identifier: 'id',
}
const card = { card_number: '4242424242424242', card_exp_month: '12', card_exp_year: '2040', card_cvc: '123', card_holder_name: 'Ada' }
const token = {
  network_token: '4895370012003478',
  token_exp_month: '12',
  token_exp_year: '2040',
  token_cryptogram: 'AgAAAAAAAIR8CQrXSohbQAAAAAA=',
}

/**
 * The members under `payment_method_data[payment_method]` for each payment_method_type, from the ecosystem's published
 * OpenAPI document. If a type has several variants, each connector takes at least one of them.
 */
const bodies: Record<string, Record<string, Body | string>> = {
  card: { credit: card, debit: card },
  network_token: { network_token: token },
  wallet: {
    ...{ ali_pay: { ali_pay_redirect: none, ali_pay_qr: none }, ali_pay_hk: { ali_pay_hk_redirect: none } },
    ...{ amazon_pay: { amazon_pay_redirect: none, amazon_pay: { checkout_session_id: 'id' } }, bluecode: { bluecode_redirect: none } },
    apple_pay: { apple_pay: applePay, apple_pay_redirect: none, apple_pay_third_party_sdk: { token: 'token' } },
    google_pay: { google_pay: googlePay, google_pay_redirect: none, google_pay_third_party_sdk: { token: 'token' } },
    samsung_pay: {
      samsung_pay: {
        payment_credential: {
          method: '3DS',
          card_brand: 'visa',
          card_last4digits: '1234',
          '3_d_s': { type: 'S', version: '100', data: 't' },
        },
      },
    },
    ...{ cashapp: { cashapp_qr: none }, dana: { dana_redirect: none }, gcash: { gcash_redirect: none }, go_pay: { go_pay_redirect: none } },
    ...{ kakao_pay: { kakao_pay_redirect: none }, mb_way: { mb_way_redirect: { telephone_number: '+351912345678' } } },
    ...{
      mifinity: { mifinity: { date_of_birth: '1815-12-10' } },
      mobile_pay: { mobile_pay_redirect: none },
      momo: { momo_redirect: none },
    },
    ...{
      paypal: { paypal_redirect: none, paypal_sdk: { token: 'token' } },
      paysera: { paysera: none },
      paze: { paze: { complete_response: 't' } },
    },
    ...{
      revolut_pay: { revolut_pay: none },
      skrill: { skrill: none },
      swish: { swish_qr: none },
      touch_n_go: { touch_n_go_redirect: none },
    },
    ...{ twint: { twint_redirect: none }, venmo: { venmo_sdk: { token: 'token' } }, vipps: { vipps_redirect: none } },
    we_chat_pay: { we_chat_pay_redirect: none, we_chat_pay_qr: none },
  },
  pay_later: {
    ...{ affirm: { affirm_redirect: none }, afterpay_clearpay: { afterpay_clearpay_redirect: none }, alma: { alma_redirect: none } },
    ...{ atome: { atome_redirect: none }, breadpay: { breadpay_redirect: none }, flexiti: { flexiti_redirect: none } },
    klarna: { klarna_redirect: { billing_email: 'ada@shop.example', billing_country: 'DE' }, klarna_sdk: { token: 'token' } },
    ...{ pay_bright: { pay_bright_redirect: none }, payjustnow: { payjustnow_redirect: none }, walley: { walley_redirect: none } },
  },
  bank_redirect: {
    bancontact_card: {
      bancontact_card: { card_number: '4929123456789015', card_exp_month: '03', card_exp_year: '2040', card_holder_name: 'Ada' },
    },
    ...{ bizum: { bizum: none }, blik: { blik: { blik_code: '777123' } }, eft: { eft: { provider: 'ozow' } } },
    ...{ eps: { eps: { bank_name: 'bank_austria', country: 'AT' } }, giropay: { giropay: { country: 'DE' } } },
    ...{ ideal: { ideal: { bank_name: 'ing', country: 'NL' } }, interac: { interac: { country: 'CA', email: 'ada@shop.example' } } },
    ...{
      local_bank_redirect: { local_bank_redirect: none },
      trustly: { trustly: { country: 'SE' } },
      sofort: { sofort: { country: 'DE' } },
    },
    online_banking_czech_republic: { online_banking_czech_republic: { issuer: 'ceska_sporitelna' } },
    online_banking_finland: { online_banking_finland: { email: 'ada@shop.example' } },
    online_banking_fpx: { online_banking_fpx: { issuer: 'maybank' } },
    online_banking_poland: { online_banking_poland: { issuer: 'm_bank' } },
    online_banking_slovakia: { online_banking_slovakia: { issuer: 'tatra_pay' } },
    online_banking_thailand: { online_banking_thailand: { issuer: 'bangkok_bank' } },
    ...{ open_banking: { open_banking: none }, open_banking_pis: { open_banking: none } },
    open_banking_uk: { open_banking_uk: { issuer: 'monzo', country: 'GB' } },
    przelewy24: { przelewy24: { bank_name: 'alior_bank', billing_details: { email: 'ada@shop.example' } } },
  },
  open_banking: { open_banking: { open_banking_pis: none }, open_banking_pis: { open_banking_pis: none } },
  bank_debit: {
    ach: {
      ach_bank_debit: { ...account, routing_number: '110000000', bank_name: 'chase', bank_type: 'checking', bank_holder_type: 'personal' },
    },
    ...{ sepa: { sepa_bank_debit: sepa }, sepa_guarenteed_debit: { sepa_guarenteed_bank_debit: sepa } },
    ...{
      becs: { becs_bank_debit: { ...account, bsb_number: '000-000' } },
      bacs: { bacs_bank_debit: { ...account, sort_code: '10-88-00' } },
    },
    eft_debit_order: { eft_debit_order: { ...account, branch_code: '198765', bank_name: 'absa', bank_type: 'savings' } },
  },
  bank_transfer: {
    ...{ ach: { ach_bank_transfer: person }, bacs: { bacs_bank_transfer: person }, multibanco: { multibanco_bank_transfer: person } },
    sepa_bank_transfer: { sepa_bank_transfer: { ...person, country: 'DE' } },
    ...{ permata_bank_transfer: { permata_bank_transfer: inAsia }, bca_bank_transfer: { bca_bank_transfer: inAsia } },
    ...{ bni_va: { bni_va_bank_transfer: inAsia }, bri_va: { bri_va_bank_transfer: inAsia }, cimb_va: { cimb_va_bank_transfer: inAsia } },
    ...{ danamon_va: { danamon_va_bank_transfer: inAsia }, mandiri_va: { mandiri_va_bank_transfer: inAsia } },
    ...{
      pix: { pix: { cpf: '12345678909' } },
      pix_emv: { pix_emv: none },
      pix_qr: { pix_qr: none },
      pix_automatico_qr: { pix_automatico_qr: none },
    },
    pix_automatico_push: { pix_automatico_push: { account_number: '000123456789', branch_code: '0001', bank_identifier: '12345678' } },
    ...{ pse: { pse: none }, local_bank_transfer: { local_bank_transfer: { bank_code: '0103' } } },
    ...{ instant_bank_transfer: { instant_bank_transfer: none }, instant_bank_transfer_finland: { instant_bank_transfer_finland: none } },
    instant_bank_transfer_poland: { instant_bank_transfer_poland: none },
    indonesian_bank_transfer: { indonesian_bank_transfer: { bank_name: 'maybank' } },
  },
  card_redirect: { knet: { knet: none }, benefit: { benefit: none }, momo_atm: { momo_atm: none }, card_redirect: { card_redirect: none } },
  crypto: { crypto_currency: { pay_currency: 'LTC', network: 'litecoin' } },
  upi: { upi_collect: { upi_collect: { vpa_id: 'ada.success@upi' } }, upi_intent: { upi_intent: none }, upi_qr: { upi_qr: none } },
  voucher: {
    boleto: { boleto: { social_security_number: '56176521102' } },
    ...{ efecty: 'efecty', pago_efectivo: 'pago_efectivo', red_compra: 'red_compra', red_pagos: 'red_pagos', oxxo: 'oxxo' },
    ...{ alfamart: { alfamart: atShop }, indomaret: { indomaret: atShop }, seven_eleven: { seven_eleven: atShop } },
    ...{ lawson: { lawson: atShop }, mini_stop: { mini_stop: atShop }, family_mart: { family_mart: atShop } },
    ...{ seicomart: { seicomart: atShop }, pay_easy: { pay_easy: atShop } },
  },
  gift_card: {
    ...{ givex: { givex: { number: '6036280000000000000', cvc: '122222' } }, pay_safe_card: { pay_safe_card: none } },
    bhn_card_network: { bhn_card_network: { account_number: '6039534000000014', pin: '1234', cvv2: '123', expiration_date: '1249' } },
  },
  reward: { classic: 'reward', evoucher: 'reward' },
  real_time_payment: {
    ...{
      fps: { fps: none },
      duit_now: { duit_now: none },
      prompt_pay: { prompt_pay: none },
      viet_qr: { viet_qr: none },
      qris: { qris: none },
    },
  },
  mobile_payment: { direct_carrier_billing: { direct_carrier_billing: { msisdn: '254700900123' } } },
}
/** The methods whose members are not within a variant. */
const flat = ['card', 'network_token', 'crypto']

/** Gives the variants of a type in `test/ways.ts` that have no members; undefined if there are none. */
function withoutMembers(method: string, type: string): Record<string, Body> | undefined {
  const variants = Object.entries(ways[method as OtherFamily] ?? {}).filter(([, [of, data]]) => of === type && data === undefined)
  return variants.length === 0 ? undefined : Object.fromEntries(variants.map(([way]) => [way, none]))
}

/** Gives every `payment_method_data` with which a method may be paid. */
function dataOf(connector: string, method: string, type: string): unknown[] {
  const its = (method === 'wallet' && tokens[connector]?.[type]) || bodies[method]?.[type] || withoutMembers(method, type)
  ok(its !== undefined, `no request is known that pays with ${method} ${type}: add it to \`bodies\` in test/processors/offered.test.ts`)
  if (typeof its === 'string') return [method === 'reward' ? 'reward' : { [method]: its }]
  return flat.includes(method) ? [{ [method]: its }] : Object.entries(its).map(([way, data]) => ({ [method]: { [way]: data } }))
}

const encoded = (token: object) => Buffer.from(JSON.stringify(token)).toString('base64')
/** The tokens of wallets in the form that a processor reads, from the processors' own documents on testing. */
const tokens: Record<string, Record<string, Body>> = {
  braintree: {
    paypal: { paypal_sdk: { token: 'fake-paypal-billing-agreement-nonce' } },
    venmo: { venmo_sdk: { token: 'fake-venmo-account-nonce' } },
    apple_pay: { apple_pay_third_party_sdk: { token: 'fake-apple-pay-visa-nonce' } },
    google_pay: { google_pay_third_party_sdk: { token: 'fake-android-pay-nonce' } },
  },
  stripe: {
    apple_pay: { apple_pay_third_party_sdk: { token: 'tok_visa' } },
    google_pay: { google_pay_third_party_sdk: { token: 'tok_visa' } },
  },
  checkout: {
    apple_pay: {
      apple_pay: { ...applePay, payment_data: encoded({ version: 'EC_v1', data: 'a', signature: 'b', header: { transactionId: 'c' } }) },
    },
    google_pay: {
      google_pay: {
        ...googlePay,
        tokenization_data: {
          type: 'PAYMENT_GATEWAY',
          token: JSON.stringify({ protocolVersion: 'ECv1', signature: 'b', signedMessage: 'c' }),
        },
      },
    },
  },
}

type Offer = {
  payment_method: string
  payment_method_type: string
  supported_countries: string[] | null
  supported_currencies: string[] | null
}

/** A payment that has what a payment method of this country may require. */
function asked({ payment_method, payment_method_type, supported_countries, supported_currencies }: Offer, data: unknown): Body {
  const preferred = ['EUR', 'USD'].find(one => supported_currencies?.includes(one))
  const there = { first_name: 'Ada', last_name: 'Byron', line1: '1 Way', line2: 'Floor 2', city: 'Here', zip: '12345', state: 'SP' }
  const address = { ...there, country: supported_countries?.[0] ?? 'NL' }
  const contact = { address, phone: { number: '612345678', country_code: '+31' }, email: 'ada@shop.example' }
  return {
    ...{ payment_method, payment_method_type, payment_method_data: data, amount: 12_000 },
    currency: preferred ?? supported_currencies?.[0] ?? 'EUR',
    return_url: 'https://shop.example/back',
    ...{ email: 'ada@shop.example', name: 'Ada Byron', billing: contact, shipping: contact },
    order_details: [{ product_name: 'Chair', quantity: 2, amount: 6000 }],
    customer_acceptance: { acceptance_type: 'online', online: { ip_address: '203.0.113.9', user_agent: 'Mozilla/5.0' } },
  }
}

const begun = ['succeeded', 'processing', 'requires_customer_action', 'requires_capture']

/** One connector for each kind of code: the others of the matrix are the same under other names. */
for (const connector of ['phonypay', 'adyen', 'stripe', 'mollie', 'checkout', 'braintree', 'paypal', 'honeycoin', 'fiftyfourpay', 'bridge'])
  test(`whatever ${connector} offers can be paid with the body of existing clients`, async () => {
    const shop = await openShop({ connector })
    const { body } = await http('GET', `${shop.url}/feature_matrix`)
    const { supported_payment_methods: offers } = body.connectors.find(({ name }: Body) => name === connector)
    const never: string[] = []
    for (const offer of offers as Offer[]) {
      const tries: string[] = []
      for (const data of dataOf(connector, offer.payment_method, offer.payment_method_type)) {
        const created = await shop.tryToPay({ ...asked(offer, data), confirm: false } as Body)
        const { body: paid } = created.status === 200 ? await shop.confirm(created.body.payment_id) : created
        tries.push(
          begun.includes(paid.status)
            ? 'paid'
            : (paid.error?.help ?? `${paid.status} ${paid.error_code} ${paid.error_message} ${paid.error?.message}`),
        )
        if (tries.at(-1) === 'paid') break
      }
      if (tries.at(-1) !== 'paid') never.push(`${offer.payment_method} ${offer.payment_method_type}: ${tries.join(' | ')}`)
    }
    deepEqual(never, [])
  })
