import Type, { type TObject } from 'typebox'
import { oneOf, shortText } from '../base/shapes.ts'
import type { FamilyName } from '../connectors/instrument.ts'
import { bankDebit } from './bank-debit.ts'
import { bankRedirect } from './bank-redirect.ts'
import { bankTransfer } from './bank-transfer.ts'
import { card } from './card.ts'
import type { Family } from './family.ts'
import { networkToken } from './network-token.ts'
import { familyOfWays } from './other.ts'
import { wallet } from './wallet.ts'
import {
  accountNumber,
  ask,
  asked,
  clear,
  country,
  date,
  digits,
  last4,
  masked,
  need,
  never,
  partsOf,
  token,
  virtualAddress,
  type Way,
  way,
} from './way.ts'

const voucherPayer: Way['parts'] = { first_name: asked.first_name, last_name: asked.last_name, email: asked.email }
const voucherPayerWithPhone: Way['parts'] = { ...voucherPayer, phone_number: asked.phone }

/** The customer pays cash at a shop, with a slip that the processor makes. */
const voucher = familyOfWays('voucher', {
  boleto: way('boleto', {
    social_security_number: ask(masked(undefined, { read: digits(11, 14) }), 'user_social_security_number'),
    bank_number: clear(),
    document_type: clear(Type.Enum(['cpf', 'cnpj', 'psn', 'other'])),
    fine_percentage: clear(),
    fine_quantity_days: clear(),
    interest_percentage: clear(),
    write_off_quantity_days: clear(),
    messages: clear(Type.Array(shortText)),
    due_date: clear(undefined, { read: date }),
  }),
  efecty: way('efecty'),
  pago_efectivo: way('pago_efectivo'),
  red_compra: way('red_compra'),
  red_pagos: way('red_pagos'),
  oxxo: way('oxxo'),
  alfamart: way('alfamart', voucherPayer),
  indomaret: way('indomaret', voucherPayer),
  seven_eleven: way('seven_eleven', voucherPayerWithPhone),
  lawson: way('lawson', voucherPayerWithPhone),
  mini_stop: way('mini_stop', voucherPayerWithPhone),
  family_mart: way('family_mart', voucherPayerWithPhone),
  seicomart: way('seicomart', voucherPayerWithPhone),
  pay_easy: way('pay_easy', voucherPayerWithPhone),
})

const noKlarnaToken = { shows: () => ({ klarna_sdk: null }) }

/** With the lender's token a payment is decided at once; without, the customer is redirected. */
const payLater = familyOfWays(
  'pay_later',
  {
    klarna_redirect: way('klarna', { billing_email: asked.email, billing_country: clear(country) }, noKlarnaToken),
    klarna_sdk: way(
      'klarna',
      { token: need(never(token)) },
      { experience: 'invoke_sdk_client', shows: () => ({ klarna_sdk: { payment_type: null } }) },
    ),
    affirm_redirect: way('affirm', {}, noKlarnaToken),
    afterpay_clearpay_redirect: way('afterpay_clearpay', { billing_email: asked.email, billing_name: asked.name }, noKlarnaToken),
    pay_bright_redirect: way('pay_bright', {}, noKlarnaToken),
    walley_redirect: way('walley', {}, noKlarnaToken),
    alma_redirect: way('alma', {}, noKlarnaToken),
    atome_redirect: way('atome', {}, noKlarnaToken),
    flexiti_redirect: way('flexiti', {}, noKlarnaToken),
    breadpay_redirect: way('breadpay', {}, noKlarnaToken),
    payjustnow_redirect: way('payjustnow', {}, noKlarnaToken),
  },
  Type.Object({ klarna_sdk: partsOf('payment_type') }, { title: 'PayLaterSeen' }),
)

const giftCardNumber = need(masked(undefined, { read: accountNumber }), 'user_gift_card_number')
const giftCardPin = need(never(), 'user_gift_card_pin')
const emptyObject = Type.Object({})

const giftCard = familyOfWays(
  'gift_card',
  {
    givex: way(
      'givex',
      { number: giftCardNumber, cvc: giftCardPin },
      { experience: 'one_click', shows: seen => ({ givex: { last4: last4(seen.number) } }) },
    ),
    bhn_card_network: way(
      'bhn_card_network',
      { account_number: giftCardNumber, pin: giftCardPin, cvv2: need(never(), 'text'), expiration_date: need(never(), 'text') },
      { experience: 'one_click', shows: () => ({ bhn_card_network: {} }) },
    ),
    pay_safe_card: way('pay_safe_card'),
  },
  oneOf('GiftCardSeen', [
    Type.Object({ givex: partsOf('last4') }),
    Type.Object({ bhn_card_network: emptyObject }),
    Type.Object({ pay_safe_card: emptyObject }),
  ]) as TObject,
)

const upi_source = clear(Type.Enum(['UPI_CC', 'UPI_CL', 'UPI_ACCOUNT', 'UPI_CC_CL', 'UPI_PPI', 'UPI_VOUCHER']))

/** India's payments between bank accounts, which the customer makes in an app. */
const upi = familyOfWays('upi', {
  upi_collect: way(
    'upi_collect',
    { vpa_id: ask(masked(undefined, { read: virtualAddress }), 'user_vpa_id'), upi_source },
    { experience: 'display_wait_screen' },
  ),
  upi_intent: way('upi_intent', { upi_source }, { experience: 'invoke_payment_app' }),
  upi_qr: way('upi_qr', { upi_source }, { experience: 'display_qr_code' }),
})

/** The number is entered on a page of the network or processor, or in the processor's fields that return a token. */
const cardRedirect = familyOfWays('card_redirect', {
  knet: way('knet'),
  benefit: way('benefit'),
  momo_atm: way('momo_atm'),
  card_redirect: way('card_redirect'),
  card_component: way('card_redirect', { token: need(never(token)) }, { experience: 'invoke_sdk_client' }),
})

const scanned = { experience: 'display_qr_code' }

/** The customer scans a QR code with their bank's app. */
const realTimePayment = familyOfWays('real_time_payment', {
  fps: way('fps', {}, scanned),
  duit_now: way('duit_now', {}, { ...scanned, also: 'duit_now_qr' }),
  prompt_pay: way('prompt_pay', {}, scanned),
  viet_qr: way('viet_qr', {}, scanned),
  qris: way('qris', {}, scanned),
})

/** Charged to the customer's phone bill. */
const mobilePayment = familyOfWays('mobile_payment', {
  direct_carrier_billing: way(
    'direct_carrier_billing',
    { msisdn: need(masked(undefined, { read: digits(6, 15) }), 'user_msisdn'), client_uid: never() },
    { experience: 'display_wait_screen' },
  ),
})

/** The customer starts the payment at their bank, in the window of a processor's SDK. */
const openBanking = familyOfWays('open_banking', {
  open_banking_pis: way(['open_banking_pis', 'open_banking'], {}, { experience: 'invoke_sdk_client', also: 'open_banking' }),
})

/** Cash at a shop against a code. A request may give only the family's name, and answers always do. */
const reward = familyOfWays('reward', { reward: way(['classic', 'evoucher']) })

const crypto = familyOfWays('crypto', { crypto: way('crypto_currency', { pay_currency: clear(), network: clear() }) })

/** A new family needs only an entry here and connectors that support it. */
export const families = {
  card,
  wallet,
  pay_later: payLater,
  bank_redirect: bankRedirect,
  bank_debit: bankDebit,
  bank_transfer: bankTransfer,
  card_redirect: cardRedirect,
  crypto,
  upi,
  voucher,
  gift_card: giftCard,
  reward,
  real_time_payment: realTimePayment,
  open_banking: openBanking,
  mobile_payment: mobilePayment,
  network_token: networkToken,
}

/** As stored in a payment's row. */
export type MaskedInstrument = ReturnType<(typeof families)[keyof typeof families]['mask']>

// biome-ignore lint/suspicious/noExplicitAny: what a family reads, it has made itself
export type AnyFamily = Family<any, any, any>

export const familyNamed = (name: string | undefined): AnyFamily | undefined =>
  (families as Partial<Record<FamilyName, AnyFamily>>)[name as FamilyName]
