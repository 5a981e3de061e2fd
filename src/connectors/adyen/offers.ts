import type { Currency } from '../../base/currencies.ts'
import type { OtherFamily } from '../instrument.ts'
import { isOneOf } from '../kit/read.ts'
import { familiesOf, type Offer, sepaCountries } from '../offer.ts'
import { issuers } from './issuers.ts'

/** docs.adyen.com, payment methods; the types of its Checkout API. Countries are the payer's. */

/** Texts are empty if neither the payment nor its method names the payer. */
export type AdyenPayer = { firstName: string; lastName: string; name: string; email: string; phone: string; country: string }

/** `parts`: the members of the payment method. */
export type AdyenDetails = { parts: Readonly<Record<string, string | undefined>>; payer: AdyenPayer }

/**
 * A payment method at Adyen. `types`: Adyen's names of it. `ways`: for each way of the API that Adyen takes, a
 * function that returns the `paymentMethod`. `beside`: members of the payment that only this row has; `notes`: members
 * of its additionalData. `authenticates`: the payment method contains a card whose issuer may require 3-D Secure, as
 * the payment requests it, or always. `itemized`: a partial capture or refund must contain lines too. `kept`: returns
 * the `paymentMethod` of a saved one.
 */
export type AdyenOffer = Omit<Offer, 'ways'> & {
  types: readonly string[]
  ways: Readonly<Record<string, (details: AdyenDetails) => { type: string }>>
  beside?(details: AdyenDetails): { socialSecurityNumber?: string; mpiData?: TokenProof | WalletProof }
  notes?(details: AdyenDetails): Readonly<Record<string, string>>
  authenticates?: 'as asked' | 'always'
  itemized?: true
  kept?(details: AdyenDetails, storedPaymentMethodId: string): { type: string; storedPaymentMethodId: string }
}

/** A cryptogram, which replaces the holder's authentication. */
type TokenProof = { tokenAuthenticationVerificationValue: string; eci?: string; directoryResponse: 'Y'; authenticationResponse: 'Y' }

/** Adyen calls the cryptogram of a wallet cavv. */
type WalletProof = Omit<TokenProof, 'tokenAuthenticationVerificationValue'> & { cavv: string }

const provenBy = (eci: string | undefined) =>
  ({ ...(eci !== undefined && { eci }), directoryResponse: 'Y', authenticationResponse: 'Y' }) as const

/** A wallet's card that the merchant has decrypted. `at`: where number, month, year, cryptogram and ECI are. */
const decrypted = <Brand extends string>(brand: Brand, at: Record<'number' | 'month' | 'year' | 'cryptogram' | 'eci', string>) => ({
  way: ({ parts }: AdyenDetails) =>
    ({ type: 'scheme', brand, number: parts[at.number] ?? '', ...expiryOf(parts[at.month], parts[at.year]) }) as const,
  beside: ({ parts }: AdyenDetails) => {
    const [cavv, eci] = [parts[at.cryptogram], parts[at.eci]]
    return cavv === undefined ? {} : { mpiData: { cavv, ...provenBy(eci) } }
  },
  notes: ({ parts }: AdyenDetails): Readonly<Record<string, string>> =>
    parts[at.number] === undefined ? {} : { 'paymentdatasource.type': brand, 'paymentdatasource.tokenized': 'true' },
})

const by =
  <Type extends string>(type: Type) =>
  () =>
    ({ type }) as { type: Type }

/** Can be charged again by Adyen's id of it, as this type. */
const again = <Type extends string>(type: Type) =>
  ({ recurring: true, kept: (_: AdyenDetails, storedPaymentMethodId: string) => ({ type, storedPaymentMethodId }) as const }) as const

const atOnce = ['automatic', 'manual', 'manual_multiple'] as const
const once = ['automatic', 'manual'] as const
/** Decided at once, and charged again as a card. */
const walletCard = { capture: atOnce, ...again('scheme'), decided: 'at once' } as const
const taxId = ({ parts: { social_security_number, cpf, cnpj } }: AdyenDetails) => {
  const socialSecurityNumber = social_security_number ?? cpf ?? cnpj
  return { ...(socialSecurityNumber !== undefined && { socialSecurityNumber }) }
}
const expiryOf = (month = '', year = '') => ({ expiryMonth: String(Number(month)).padStart(2, '0'), expiryYear: year.padStart(4, '20') })
const holderNamed = (holder: string | undefined) => (holder === undefined ? {} : { holderName: holder })
const holderIn = ({ parts, payer }: AdyenDetails): string => parts.bank_account_holder_name ?? payer.name

const accountTypes = ['checking', 'savings'] as const
const holderTypes = ['personal', 'business'] as const

/** Payers of one country, in its currency. */
const only = <C extends Currency>(country: string, currency: C) => ({ countries: [country], currencies: [currency] }) as const

const nameAndEmail = ['billing.name', 'billing.email'] as const
const payerAndAddress = [...nameAndEmail, 'billing.phone', 'billing.address'] as const
const byMail = { requires: nameAndEmail, refunds: false } as const
const doku =
  <Type extends string>(type: Type) =>
  ({ payer: { firstName, lastName, email } }: AdyenDetails) =>
    ({ type, firstName, lastName, shopperEmail: email }) as const
const indonesian = <Type extends string, F extends OtherFamily>(family: F, way: string, type: Type) => ({
  ...row(family, [type], { ...only('ID', 'IDR'), ...byMail }),
  ways: { [way]: doku(type) },
})
const konbini =
  <Type extends string>(type: Type) =>
  ({ payer: { firstName, lastName, email, phone } }: AdyenDetails) =>
    ({ type, firstName, lastName, shopperEmail: email, telephoneNumber: phone }) as const
const japanese = <Type extends string>(way: string, type: Type) => ({
  ...row('voucher', [type], { ...only('JP', 'JPY'), requires: [...nameAndEmail, 'billing.phone'], refunds: false }),
  ways: { [way]: konbini(type) },
})

const ofGoogle = decrypted('googlepay', {
  number: 'tokenization_data.application_primary_account_number',
  month: 'tokenization_data.card_exp_month',
  year: 'tokenization_data.card_exp_year',
  cryptogram: 'tokenization_data.cryptogram',
  eci: 'tokenization_data.eci_indicator',
})
const ofApple = decrypted('applepay', {
  number: 'payment_data.application_primary_account_number',
  month: 'payment_data.application_expiration_month',
  year: 'payment_data.application_expiration_year',
  cryptogram: 'payment_data.payment_data.online_payment_cryptogram',
  eci: 'payment_data.payment_data.eci_indicator',
})

// biome-ignore format: a list reads better in rows
const klarnaCountries = [
  'AT', 'AU', 'BE', 'CA', 'CH', 'CZ', 'DE', 'DK', 'ES', 'FI', 'FR', 'GB', 'GR', 'IE', 'IT', 'NL', 'NO', 'NZ', 'PL', 'PT', 'RO', 'SE', 'US',
]

/** Makes the members of a row, without its ways, that the customer decides. */
const row = <F extends OtherFamily, const Types extends readonly string[], const More extends Partial<AdyenOffer>>(
  family: F,
  types: Types,
  more: More,
) => ({ family, types, decided: 'by the customer', ...more }) as const

const byType = <F extends OtherFamily, Type extends string, const More extends Partial<AdyenOffer>>(
  family: F,
  way: string,
  type: Type,
  more: More,
) => ({ ...row(family, [type], more), ways: { [way]: by(type) } })

const debit = <Type extends string, const More extends Partial<AdyenOffer>>(type: Type, more: More) =>
  ({ family: 'bank_debit', types: [type], capture: once, decided: 'after days', ...more }) as const

const ibanOf = (details: AdyenDetails) =>
  ({ type: 'sepadirectdebit', iban: details.parts.iban ?? '', ownerName: holderIn(details) }) as const

/** A bank redirect of which the customer has chosen the bank. */
const byIssuer = <Type extends string, const More extends Partial<AdyenOffer>>(
  way: string,
  type: Type,
  banks: Readonly<Record<string, string | undefined>>,
  more: More,
) => ({
  ...row('bank_redirect', [type], more),
  ways: { [way]: ({ parts: { issuer = '' } }: AdyenDetails) => ({ type, issuer: banks[issuer] ?? '' }) as const },
})

export const adyenOffers = {
  // --- network tokens
  network_token: {
    family: 'network_token',
    types: ['networkToken'],
    ways: {
      network_token: ({ parts: { network_token: number = '', token_exp_month, token_exp_year, card_holder_name } }) =>
        ({ type: 'networkToken', number, ...expiryOf(token_exp_month, token_exp_year), ...holderNamed(card_holder_name) }) as const,
    },
    beside: ({ parts: { token_cryptogram, eci } }) =>
      token_cryptogram === undefined ? {} : { mpiData: { tokenAuthenticationVerificationValue: token_cryptogram, ...provenBy(eci) } },
    capture: atOnce,
    decided: 'at once',
  },

  // --- wallets
  google_pay: {
    family: 'wallet',
    types: ['googlepay', 'scheme'],
    ways: {
      google_pay: ({ parts }) => ({ type: 'googlepay', googlePayToken: parts['tokenization_data.token'] ?? '' }) as const,
      google_pay_decrypted: ofGoogle.way,
    },
    ...{ beside: ofGoogle.beside, notes: ofGoogle.notes, authenticates: 'as asked', setUp: true },
    ...walletCard,
  },
  apple_pay: {
    family: 'wallet',
    types: ['applepay', 'scheme'],
    ways: {
      apple_pay: ({ parts }) => ({ type: 'applepay', applePayToken: parts.payment_data ?? '' }) as const,
      apple_pay_decrypted: ofApple.way,
    },
    ...{ beside: ofApple.beside, notes: ofApple.notes, setUp: true },
    ...walletCard,
  },
  samsung_pay: {
    family: 'wallet',
    types: ['samsungpay'],
    ways: { samsung_pay: ({ parts }) => ({ type: 'samsungpay', samsungPayToken: parts['payment_credential.3_d_s.data'] ?? '' }) as const },
    ...walletCard,
  },
  paypal: {
    ...row('wallet', ['paypal'], { capture: once, ...again('paypal'), setUp: true }),
    ways: { paypal_redirect: () => ({ type: 'paypal', subtype: 'redirect' }) as const },
  },
  twint: byType('wallet', 'twint_redirect', 'twint', { ...only('CH', 'CHF'), capture: once, ...again('twint') }),
  mobile_pay: byType('wallet', 'mobile_pay_redirect', 'mobilepay', {
    countries: ['DK', 'FI'],
    currencies: ['DKK', 'EUR', 'NOK', 'SEK'],
    capture: once,
  }),
  vipps: {
    ...row('wallet', ['vipps'], { ...only('NO', 'NOK'), capture: once, requires: ['billing.phone'] }),
    ways: { vipps_redirect: ({ payer }) => ({ type: 'vipps', telephoneNumber: payer.phone }) as const },
  },
  swish: byType('wallet', 'swish_qr', 'swish', only('SE', 'SEK')),
  mb_way: {
    ...row('wallet', ['mbway'], { ...only('PT', 'EUR'), requires: ['billing.email', 'billing.phone'] }),
    ways: {
      mb_way_redirect: ({ parts, payer }) =>
        ({ type: 'mbway', shopperEmail: payer.email, telephoneNumber: parts.telephone_number ?? payer.phone }) as const,
    },
  },
  ali_pay: byType('wallet', 'ali_pay_redirect', 'alipay', {}),
  ali_pay_hk: byType('wallet', 'ali_pay_hk_redirect', 'alipay_hk', only('HK', 'HKD')),
  we_chat_pay: {
    ...row('wallet', ['wechatpayQR', 'wechatpayWeb'], {}),
    ways: { we_chat_pay_qr: by('wechatpayQR'), we_chat_pay_redirect: by('wechatpayWeb') },
  },
  kakao_pay: byType('wallet', 'kakao_pay_redirect', 'kakaopay', { ...only('KR', 'KRW'), ...again('kakaopay') }),
  gcash: byType('wallet', 'gcash_redirect', 'gcash', { ...only('PH', 'PHP'), ...again('gcash') }),
  dana: byType('wallet', 'dana_redirect', 'dana', { ...only('ID', 'IDR'), ...again('dana') }),
  go_pay: byType('wallet', 'go_pay_redirect', 'gopay_wallet', only('ID', 'IDR')),
  momo: byType('wallet', 'momo_redirect', 'momo_wallet', { ...only('VN', 'VND'), ...again('momo_wallet') }),
  touch_n_go: byType('wallet', 'touch_n_go_redirect', 'touchngo', only('MY', 'MYR')),

  // --- pay later
  klarna: {
    ...row('pay_later', ['klarna', 'klarna_account', 'klarna_paynow'], {
      countries: klarnaCountries,
      currencies: ['AUD', 'CAD', 'CHF', 'CZK', 'DKK', 'EUR', 'GBP', 'NOK', 'NZD', 'PLN', 'RON', 'SEK', 'USD'],
      capture: atOnce,
      requires: ['lines', 'billing.country', ...nameAndEmail],
      ...again('klarna'),
      setUp: true,
      itemized: true,
    }),
    ways: { klarna_redirect: by('klarna') },
  },
  affirm: byType('pay_later', 'affirm_redirect', 'affirm', {
    countries: ['US', 'CA'],
    currencies: ['USD', 'CAD'],
    capture: once,
    requires: ['lines', ...payerAndAddress, 'shipping'],
  }),
  afterpay_clearpay: {
    ...row('pay_later', ['afterpaytouch', 'clearpay'], {
      countries: ['AU', 'CA', 'GB', 'NZ', 'US'],
      currencies: ['AUD', 'CAD', 'GBP', 'NZD', 'USD'],
      capture: once,
      requires: ['lines', ...payerAndAddress, 'shipping'],
    }),
    ways: { afterpay_clearpay_redirect: ({ payer }) => ({ type: payer.country === 'GB' ? 'clearpay' : 'afterpaytouch' }) as const },
  },
  alma: byType('pay_later', 'alma_redirect', 'alma', {
    countries: ['AT', 'BE', 'DE', 'ES', 'FR', 'IE', 'IT', 'LU', 'NL', 'PT'],
    currencies: ['EUR'],
    requires: payerAndAddress,
  }),
  atome: byType('pay_later', 'atome_redirect', 'atome', {
    countries: ['SG', 'MY', 'HK'],
    currencies: ['SGD', 'MYR', 'HKD'],
    requires: ['lines', 'billing.name', 'billing.phone', 'billing.address', 'shipping'],
  }),
  walley: byType('pay_later', 'walley_redirect', 'walley', {
    countries: ['DK', 'FI', 'NO', 'SE'],
    currencies: ['DKK', 'EUR', 'NOK', 'SEK'],
    capture: once,
    requires: ['lines', ...payerAndAddress],
  }),

  // --- bank redirects
  // The customer chooses the bank on iDEAL's own page; the payment leaves a mandate for debits.
  ideal: byType('bank_redirect', 'ideal', 'ideal', { ...only('NL', 'EUR'), ...again('ideal'), recurring: 'after days' }),
  bancontact_card: {
    ...row('bank_redirect', ['bcmc', 'bcmc_mobile'], { ...only('BE', 'EUR'), ...again('bcmc'), authenticates: 'always' }),
    ways: {
      bancontact_card: ({ parts: { card_number: number, card_exp_month, card_exp_year, card_holder_name } }) =>
        number === undefined
          ? ({ type: 'bcmc_mobile' } as const)
          : ({ type: 'bcmc', number, ...expiryOf(card_exp_month, card_exp_year), ...holderNamed(card_holder_name) } as const),
    },
  },
  bizum: byType('bank_redirect', 'bizum', 'bizum', only('ES', 'EUR')),
  blik: {
    ...row('bank_redirect', ['blik'], only('PL', 'PLN')),
    ways: { blik: ({ parts: { blik_code } }) => ({ type: 'blik', ...(blik_code !== undefined && { blikCode: blik_code }) }) as const },
  },
  trustly: byType('bank_redirect', 'trustly', 'trustly', {
    countries: ['AT', 'BE', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'GB', 'IE', 'IT', 'LT', 'LV', 'NL', 'NO', 'PL', 'PT', 'SE', 'SK'],
    currencies: ['CZK', 'DKK', 'EUR', 'GBP', 'NOK', 'PLN', 'SEK'],
  }),
  online_banking_poland: byIssuer('online_banking_poland', 'onlineBanking_PL', issuers.PL, only('PL', 'PLN')),
  online_banking_czech_republic: byIssuer('online_banking_czech_republic', 'onlineBanking_CZ', issuers.CZ, only('CZ', 'CZK')),
  online_banking_slovakia: byIssuer('online_banking_slovakia', 'onlineBanking_SK', issuers.SK, only('SK', 'EUR')),
  online_banking_finland: byType('bank_redirect', 'online_banking_finland', 'ebanking_FI', only('FI', 'EUR')),
  online_banking_thailand: byIssuer('online_banking_thailand', 'molpay_ebanking_TH', issuers.TH, only('TH', 'THB')),
  online_banking_fpx: byIssuer('online_banking_fpx', 'molpay_ebanking_fpx_MY', issuers.MY, only('MY', 'MYR')),

  // --- bank debits
  sepa: {
    ...debit('sepadirectdebit', {
      countries: sepaCountries,
      currencies: ['EUR'],
      requires: ['billing.name'],
      recurring: true,
      setUp: true,
    }),
    ways: { sepa_bank_debit: ibanOf },
    kept: (details, storedPaymentMethodId) => ({ ...ibanOf(details), storedPaymentMethodId }) as const,
  },
  ach: {
    ...row('bank_debit', ['ach'], {
      countries: ['US', 'PR'],
      currencies: ['USD'],
      capture: once,
      requires: ['billing.name', 'billing.address'],
      ...again('ach'),
      setUp: true,
    }),
    ways: {
      ach_bank_debit: details => {
        const { account_number = '', routing_number = '', bank_type, bank_holder_type } = details.parts
        return {
          type: 'ach',
          bankAccountNumber: account_number,
          bankLocationId: routing_number,
          ownerName: holderIn(details),
          ...(isOneOf(accountTypes, bank_type) && { bankAccountType: bank_type }),
          ...(isOneOf(holderTypes, bank_holder_type) && { accountHolderType: bank_holder_type }),
        } as const
      },
    },
    decided: 'at once',
  },
  bacs: {
    ...debit('directdebit_GB', { ...only('GB', 'GBP'), requires: nameAndEmail, ...again('directdebit_GB') }),
    ways: {
      bacs_bank_debit: details => {
        const { account_number: bankAccountNumber = '', sort_code: bankLocationId = '' } = details.parts
        return { type: 'directdebit_GB', holderName: holderIn(details), bankAccountNumber, bankLocationId } as const
      },
    },
  },
  becs: {
    ...debit('directdebit_AU', { ...only('AU', 'AUD'), requires: nameAndEmail, recurring: true }),
    ways: {
      becs_bank_debit: details => {
        const { account_number: bankAccountNumber = '', bsb_number: bankBranchCode = '' } = details.parts
        return { type: 'directdebit_AU', holderName: holderIn(details), bankAccountNumber, bankBranchCode } as const
      },
    },
    kept: (details, storedPaymentMethodId) => ({ type: 'directdebit_AU', holderName: holderIn(details), storedPaymentMethodId }) as const,
  },

  // --- bank transfers and vouchers
  pix: byType('bank_transfer', 'pix', 'pix', { beside: taxId, ...only('BR', 'BRL'), requires: ['billing.name', 'tax_id'] }),
  sepa_bank_transfer: byType('bank_transfer', 'sepa_bank_transfer', 'bankTransfer_IBAN', { countries: sepaCountries, currencies: ['EUR'] }),
  multibanco: byType('bank_transfer', 'multibanco_bank_transfer', 'multibanco', only('PT', 'EUR')),
  permata_bank_transfer: indonesian('bank_transfer', 'permata_bank_transfer', 'doku_permata_lite_atm'),
  bca_bank_transfer: indonesian('bank_transfer', 'bca_bank_transfer', 'doku_bca_va'),
  bni_va: indonesian('bank_transfer', 'bni_va_bank_transfer', 'doku_bni_va'),
  bri_va: indonesian('bank_transfer', 'bri_va_bank_transfer', 'doku_bri_va'),
  cimb_va: indonesian('bank_transfer', 'cimb_va_bank_transfer', 'doku_cimb_va'),
  danamon_va: indonesian('bank_transfer', 'danamon_va_bank_transfer', 'doku_danamon_va'),
  mandiri_va: indonesian('bank_transfer', 'mandiri_va_bank_transfer', 'doku_mandiri_va'),
  boleto: byType('voucher', 'boleto', 'boletobancario', {
    beside: taxId,
    ...only('BR', 'BRL'),
    requires: ['billing.name', 'billing.address'],
    refunds: false,
  }),
  oxxo: byType('voucher', 'oxxo', 'oxxo', { ...only('MX', 'MXN'), ...byMail }),
  alfamart: indonesian('voucher', 'alfamart', 'doku_alfamart'),
  indomaret: indonesian('voucher', 'indomaret', 'doku_indomaret'),
  seven_eleven: japanese('seven_eleven', 'econtext_seven_eleven'),
  lawson: japanese('lawson', 'econtext_stores'),
  mini_stop: japanese('mini_stop', 'econtext_stores'),
  family_mart: japanese('family_mart', 'econtext_stores'),
  seicomart: japanese('seicomart', 'econtext_stores'),
  pay_easy: japanese('pay_easy', 'econtext_atm'),

  // --- real-time payments, by an app
  duit_now: byType('real_time_payment', 'duit_now', 'duitnow', only('MY', 'MYR')),
  prompt_pay: byType('real_time_payment', 'prompt_pay', 'promptpay', only('TH', 'THB')),

  // --- card redirects and gift cards
  knet: byType('card_redirect', 'knet', 'knet', only('KW', 'KWD')),
  benefit: byType('card_redirect', 'benefit', 'benefit', only('BH', 'BHD')),
  givex: {
    family: 'gift_card',
    types: ['giftcard', 'givex'],
    ways: { givex: ({ parts }) => ({ type: 'giftcard', brand: 'givex', number: parts.number ?? '', cvc: parts.cvc ?? '' }) as const },
    decided: 'at once',
  },
  pay_safe_card: byType('gift_card', 'pay_safe_card', 'paysafecard', {}),
} as const satisfies Readonly<Record<string, AdyenOffer>>

const rows: readonly AdyenOffer[] = Object.values(adyenOffers)

export const offeredFamilies = familiesOf(adyenOffers)

export const rowOf = (type: string): AdyenOffer | undefined =>
  Object.hasOwn(adyenOffers, type) ? adyenOffers[type as keyof typeof adyenOffers] : undefined

const cardsBehind = ['scheme', 'applepay', 'googlepay', 'samsungpay', 'bcmc', 'networkToken']
const familyByType = new Map(
  rows.flatMap(({ types, family }) => types.flatMap(name => (cardsBehind.includes(name) ? [] : [[name, family] as const]))),
)

/** Undefined for cards and unknown methods. */
export const familyAtAdyen = (type: string) => familyByType.get(type)
