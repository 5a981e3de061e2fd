import type { OtherFamily } from '../instrument.ts'
import { isOneOf } from '../kit/read.ts'
import { sepaCountries } from '../kit/sepa.ts'
import { familiesOf, type Offer } from '../offer.ts'
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

/** A wallet's card that the merchant has decrypted. `at`: where number, month, year, cryptogram and ECI are. */
const decrypted = <Brand extends string>(brand: Brand, at: Record<'number' | 'month' | 'year' | 'cryptogram' | 'eci', string>) => ({
  way: ({ parts }: AdyenDetails) =>
    ({ type: 'scheme', brand, number: parts[at.number] ?? '', ...expiryOf(parts[at.month], parts[at.year]) }) as const,
  beside: ({ parts }: AdyenDetails) => {
    const [cavv, eci] = [parts[at.cryptogram], parts[at.eci]]
    const proof = { ...(eci !== undefined && { eci }), directoryResponse: 'Y', authenticationResponse: 'Y' } as const
    return cavv === undefined ? {} : { mpiData: { cavv, ...proof } }
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
const taxId = ({ parts: { social_security_number, cpf, cnpj } }: AdyenDetails) => {
  const socialSecurityNumber = social_security_number ?? cpf ?? cnpj
  return { ...(socialSecurityNumber !== undefined && { socialSecurityNumber }) }
}
const expiryOf = (month = '', year = '') => ({ expiryMonth: String(Number(month)).padStart(2, '0'), expiryYear: year.padStart(4, '20') })
const holderIn = ({ parts, payer }: AdyenDetails): string => parts.bank_account_holder_name ?? payer.name

const accountTypes = ['checking', 'savings'] as const
const holderTypes = ['personal', 'business'] as const

const doku =
  <Type extends string>(type: Type) =>
  ({ payer: { firstName, lastName, email } }: AdyenDetails) =>
    ({ type, firstName, lastName, shopperEmail: email }) as const
const indonesian = <Type extends string>(way: string, type: Type) =>
  ({
    family: 'bank_transfer',
    types: [type],
    ways: { [way]: doku(type) },
    countries: ['ID'],
    currencies: ['IDR'],
    requires: ['billing.name', 'billing.email'],
    refunds: false,
    decided: 'by the customer',
  }) as const
const konbini =
  <Type extends string>(type: Type) =>
  ({ payer: { firstName, lastName, email, phone } }: AdyenDetails) =>
    ({ type, firstName, lastName, shopperEmail: email, telephoneNumber: phone }) as const
const japanese = <Type extends string>(way: string, type: Type) =>
  ({
    family: 'voucher',
    types: [type],
    ways: { [way]: konbini(type) },
    countries: ['JP'],
    currencies: ['JPY'],
    requires: ['billing.name', 'billing.email', 'billing.phone'],
    refunds: false,
    decided: 'by the customer',
  }) as const

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

const byType = <F extends OtherFamily, Type extends string, const More extends Partial<AdyenOffer>>(
  family: F,
  way: string,
  type: Type,
  more: More,
) => ({ family, types: [type], ways: { [way]: by(type) }, decided: 'by the customer', ...more }) as const

/** A bank redirect of which the customer has chosen the bank. */
const byIssuer = <Type extends string, const More extends Partial<AdyenOffer>>(
  way: string,
  type: Type,
  banks: Readonly<Record<string, string | undefined>>,
  more: More,
) =>
  ({
    family: 'bank_redirect',
    types: [type],
    ways: { [way]: ({ parts: { issuer = '' } }: AdyenDetails) => ({ type, issuer: banks[issuer] ?? '' }) as const },
    decided: 'by the customer',
    ...more,
  }) as const

export const adyenOffers = {
  // --- network tokens
  network_token: {
    family: 'network_token',
    types: ['networkToken'],
    ways: {
      network_token: ({ parts: { network_token = '', token_exp_month, token_exp_year, card_holder_name } }) =>
        ({
          type: 'networkToken',
          number: network_token,
          ...expiryOf(token_exp_month, token_exp_year),
          ...(card_holder_name !== undefined && { holderName: card_holder_name }),
        }) as const,
    },
    beside: ({ parts: { token_cryptogram, eci } }) =>
      token_cryptogram === undefined
        ? {}
        : {
            mpiData: {
              tokenAuthenticationVerificationValue: token_cryptogram,
              ...(eci !== undefined && { eci }),
              directoryResponse: 'Y',
              authenticationResponse: 'Y',
            },
          },
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
    beside: ofGoogle.beside,
    notes: ofGoogle.notes,
    capture: atOnce,
    ...again('scheme'),
    setUp: true,
    decided: 'at once',
    authenticates: 'as asked',
  },
  apple_pay: {
    family: 'wallet',
    types: ['applepay', 'scheme'],
    ways: {
      apple_pay: ({ parts }) => ({ type: 'applepay', applePayToken: parts.payment_data ?? '' }) as const,
      apple_pay_decrypted: ofApple.way,
    },
    beside: ofApple.beside,
    notes: ofApple.notes,
    capture: atOnce,
    ...again('scheme'),
    setUp: true,
    decided: 'at once',
  },
  samsung_pay: {
    family: 'wallet',
    types: ['samsungpay'],
    ways: {
      samsung_pay: ({ parts }) => ({ type: 'samsungpay', samsungPayToken: parts['payment_credential.3_d_s.data'] ?? '' }) as const,
    },
    capture: atOnce,
    ...again('scheme'),
    decided: 'at once',
  },
  paypal: {
    family: 'wallet',
    types: ['paypal'],
    ways: { paypal_redirect: () => ({ type: 'paypal', subtype: 'redirect' }) as const },
    capture: once,
    ...again('paypal'),
    setUp: true,
    decided: 'by the customer',
  },
  twint: byType('wallet', 'twint_redirect', 'twint', { countries: ['CH'], currencies: ['CHF'], capture: once, ...again('twint') }),
  mobile_pay: byType('wallet', 'mobile_pay_redirect', 'mobilepay', {
    countries: ['DK', 'FI'],
    currencies: ['DKK', 'EUR', 'NOK', 'SEK'],
    capture: once,
  }),
  vipps: {
    family: 'wallet',
    types: ['vipps'],
    ways: { vipps_redirect: ({ payer }) => ({ type: 'vipps', telephoneNumber: payer.phone }) as const },
    countries: ['NO'],
    currencies: ['NOK'],
    capture: once,
    requires: ['billing.phone'],
    decided: 'by the customer',
  },
  swish: byType('wallet', 'swish_qr', 'swish', { countries: ['SE'], currencies: ['SEK'] }),
  mb_way: {
    family: 'wallet',
    types: ['mbway'],
    ways: {
      mb_way_redirect: ({ parts, payer }) =>
        ({ type: 'mbway', shopperEmail: payer.email, telephoneNumber: parts.telephone_number ?? payer.phone }) as const,
    },
    countries: ['PT'],
    currencies: ['EUR'],
    requires: ['billing.email', 'billing.phone'],
    decided: 'by the customer',
  },
  ali_pay: byType('wallet', 'ali_pay_redirect', 'alipay', {}),
  ali_pay_hk: byType('wallet', 'ali_pay_hk_redirect', 'alipay_hk', { countries: ['HK'], currencies: ['HKD'] }),
  we_chat_pay: {
    family: 'wallet',
    types: ['wechatpayQR', 'wechatpayWeb'],
    ways: { we_chat_pay_qr: by('wechatpayQR'), we_chat_pay_redirect: by('wechatpayWeb') },
    decided: 'by the customer',
  },
  kakao_pay: byType('wallet', 'kakao_pay_redirect', 'kakaopay', { countries: ['KR'], currencies: ['KRW'], ...again('kakaopay') }),
  gcash: byType('wallet', 'gcash_redirect', 'gcash', { countries: ['PH'], currencies: ['PHP'], ...again('gcash') }),
  dana: byType('wallet', 'dana_redirect', 'dana', { countries: ['ID'], currencies: ['IDR'], ...again('dana') }),
  go_pay: byType('wallet', 'go_pay_redirect', 'gopay_wallet', { countries: ['ID'], currencies: ['IDR'] }),
  momo: byType('wallet', 'momo_redirect', 'momo_wallet', { countries: ['VN'], currencies: ['VND'], ...again('momo_wallet') }),
  touch_n_go: byType('wallet', 'touch_n_go_redirect', 'touchngo', { countries: ['MY'], currencies: ['MYR'] }),

  // --- pay later
  klarna: {
    family: 'pay_later',
    types: ['klarna', 'klarna_account', 'klarna_paynow'],
    ways: { klarna_redirect: by('klarna') },
    countries: [
      ...['AT', 'AU', 'BE', 'CA', 'CH', 'CZ', 'DE', 'DK', 'ES', 'FI', 'FR', 'GB', 'GR', 'IE', 'IT', 'NL', 'NO', 'NZ', 'PL', 'PT', 'RO'],
      ...['SE', 'US'],
    ],
    currencies: ['AUD', 'CAD', 'CHF', 'CZK', 'DKK', 'EUR', 'GBP', 'NOK', 'NZD', 'PLN', 'RON', 'SEK', 'USD'],
    capture: atOnce,
    requires: ['lines', 'billing.country', 'billing.name', 'billing.email'],
    ...again('klarna'),
    setUp: true,
    decided: 'by the customer',
    itemized: true,
  },
  affirm: byType('pay_later', 'affirm_redirect', 'affirm', {
    countries: ['US', 'CA'],
    currencies: ['USD', 'CAD'],
    capture: once,
    requires: ['lines', 'billing.name', 'billing.email', 'billing.phone', 'billing.address', 'shipping'],
  }),
  afterpay_clearpay: {
    family: 'pay_later',
    types: ['afterpaytouch', 'clearpay'],
    ways: {
      afterpay_clearpay_redirect: ({ payer }) => ({ type: payer.country === 'GB' ? 'clearpay' : 'afterpaytouch' }) as const,
    },
    countries: ['AU', 'CA', 'GB', 'NZ', 'US'],
    currencies: ['AUD', 'CAD', 'GBP', 'NZD', 'USD'],
    capture: once,
    requires: ['lines', 'billing.name', 'billing.email', 'billing.phone', 'billing.address', 'shipping'],
    decided: 'by the customer',
  },
  alma: byType('pay_later', 'alma_redirect', 'alma', {
    countries: ['AT', 'BE', 'DE', 'ES', 'FR', 'IE', 'IT', 'LU', 'NL', 'PT'],
    currencies: ['EUR'],
    requires: ['billing.name', 'billing.email', 'billing.phone', 'billing.address'],
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
    requires: ['lines', 'billing.name', 'billing.email', 'billing.phone', 'billing.address'],
  }),

  // --- bank redirects
  ideal: {
    family: 'bank_redirect',
    types: ['ideal'],
    // The customer chooses the bank on iDEAL's own page.
    ways: { ideal: by('ideal') },
    countries: ['NL'],
    currencies: ['EUR'],
    ...again('ideal'),
    // An iDEAL payment leaves a mandate for debits.
    recurring: 'after days',
    decided: 'by the customer',
  },
  bancontact_card: {
    family: 'bank_redirect',
    types: ['bcmc', 'bcmc_mobile'],
    ways: {
      bancontact_card: ({ parts: { card_number, card_exp_month, card_exp_year, card_holder_name } }) =>
        card_number === undefined
          ? ({ type: 'bcmc_mobile' } as const)
          : ({
              type: 'bcmc',
              number: card_number,
              ...expiryOf(card_exp_month, card_exp_year),
              ...(card_holder_name !== undefined && { holderName: card_holder_name }),
            } as const),
    },
    countries: ['BE'],
    currencies: ['EUR'],
    ...again('bcmc'),
    decided: 'by the customer',
    authenticates: 'always',
  },
  bizum: byType('bank_redirect', 'bizum', 'bizum', { countries: ['ES'], currencies: ['EUR'] }),
  blik: {
    family: 'bank_redirect',
    types: ['blik'],
    ways: {
      blik: ({ parts: { blik_code } }) => ({ type: 'blik', ...(blik_code !== undefined && { blikCode: blik_code }) }) as const,
    },
    countries: ['PL'],
    currencies: ['PLN'],
    decided: 'by the customer',
  },
  trustly: byType('bank_redirect', 'trustly', 'trustly', {
    countries: ['AT', 'BE', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'GB', 'IE', 'IT', 'LT', 'LV', 'NL', 'NO', 'PL', 'PT', 'SE', 'SK'],
    currencies: ['CZK', 'DKK', 'EUR', 'GBP', 'NOK', 'PLN', 'SEK'],
  }),
  online_banking_poland: byIssuer('online_banking_poland', 'onlineBanking_PL', issuers.PL, { countries: ['PL'], currencies: ['PLN'] }),
  online_banking_czech_republic: byIssuer('online_banking_czech_republic', 'onlineBanking_CZ', issuers.CZ, {
    countries: ['CZ'],
    currencies: ['CZK'],
  }),
  online_banking_slovakia: byIssuer('online_banking_slovakia', 'onlineBanking_SK', issuers.SK, { countries: ['SK'], currencies: ['EUR'] }),
  online_banking_finland: byType('bank_redirect', 'online_banking_finland', 'ebanking_FI', { countries: ['FI'], currencies: ['EUR'] }),
  online_banking_thailand: byIssuer('online_banking_thailand', 'molpay_ebanking_TH', issuers.TH, {
    countries: ['TH'],
    currencies: ['THB'],
  }),
  online_banking_fpx: byIssuer('online_banking_fpx', 'molpay_ebanking_fpx_MY', issuers.MY, { countries: ['MY'], currencies: ['MYR'] }),

  // --- bank debits
  sepa: {
    family: 'bank_debit',
    types: ['sepadirectdebit'],
    ways: {
      sepa_bank_debit: details => ({ type: 'sepadirectdebit', iban: details.parts.iban ?? '', ownerName: holderIn(details) }) as const,
    },
    countries: sepaCountries,
    currencies: ['EUR'],
    capture: once,
    requires: ['billing.name'],
    recurring: true,
    setUp: true,
    kept: (details, storedPaymentMethodId) =>
      ({ type: 'sepadirectdebit', iban: details.parts.iban ?? '', ownerName: holderIn(details), storedPaymentMethodId }) as const,
    decided: 'after days',
  },
  ach: {
    family: 'bank_debit',
    types: ['ach'],
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
    countries: ['US', 'PR'],
    currencies: ['USD'],
    capture: once,
    requires: ['billing.name', 'billing.address'],
    ...again('ach'),
    setUp: true,
    decided: 'at once',
  },
  bacs: {
    family: 'bank_debit',
    types: ['directdebit_GB'],
    ways: {
      bacs_bank_debit: details =>
        ({
          type: 'directdebit_GB',
          holderName: holderIn(details),
          bankAccountNumber: details.parts.account_number ?? '',
          bankLocationId: details.parts.sort_code ?? '',
        }) as const,
    },
    countries: ['GB'],
    currencies: ['GBP'],
    capture: once,
    requires: ['billing.name', 'billing.email'],
    ...again('directdebit_GB'),
    decided: 'after days',
  },
  becs: {
    family: 'bank_debit',
    types: ['directdebit_AU'],
    ways: {
      becs_bank_debit: details =>
        ({
          type: 'directdebit_AU',
          holderName: holderIn(details),
          bankAccountNumber: details.parts.account_number ?? '',
          bankBranchCode: details.parts.bsb_number ?? '',
        }) as const,
    },
    countries: ['AU'],
    currencies: ['AUD'],
    capture: once,
    requires: ['billing.name', 'billing.email'],
    recurring: true,
    kept: (details, storedPaymentMethodId) => ({ type: 'directdebit_AU', holderName: holderIn(details), storedPaymentMethodId }) as const,
    decided: 'after days',
  },

  // --- bank transfers and vouchers
  pix: byType('bank_transfer', 'pix', 'pix', {
    beside: taxId,
    countries: ['BR'],
    currencies: ['BRL'],
    requires: ['billing.name', 'tax_id'],
  }),
  sepa_bank_transfer: byType('bank_transfer', 'sepa_bank_transfer', 'bankTransfer_IBAN', { countries: sepaCountries, currencies: ['EUR'] }),
  multibanco: byType('bank_transfer', 'multibanco_bank_transfer', 'multibanco', { countries: ['PT'], currencies: ['EUR'] }),
  permata_bank_transfer: indonesian('permata_bank_transfer', 'doku_permata_lite_atm'),
  bca_bank_transfer: indonesian('bca_bank_transfer', 'doku_bca_va'),
  bni_va: indonesian('bni_va_bank_transfer', 'doku_bni_va'),
  bri_va: indonesian('bri_va_bank_transfer', 'doku_bri_va'),
  cimb_va: indonesian('cimb_va_bank_transfer', 'doku_cimb_va'),
  danamon_va: indonesian('danamon_va_bank_transfer', 'doku_danamon_va'),
  mandiri_va: indonesian('mandiri_va_bank_transfer', 'doku_mandiri_va'),
  boleto: byType('voucher', 'boleto', 'boletobancario', {
    beside: taxId,
    countries: ['BR'],
    currencies: ['BRL'],
    requires: ['billing.name', 'billing.address'],
    refunds: false,
  }),
  oxxo: byType('voucher', 'oxxo', 'oxxo', {
    countries: ['MX'],
    currencies: ['MXN'],
    requires: ['billing.name', 'billing.email'],
    refunds: false,
  }),
  alfamart: { ...indonesian('alfamart', 'doku_alfamart'), family: 'voucher' },
  indomaret: { ...indonesian('indomaret', 'doku_indomaret'), family: 'voucher' },
  seven_eleven: japanese('seven_eleven', 'econtext_seven_eleven'),
  lawson: japanese('lawson', 'econtext_stores'),
  mini_stop: japanese('mini_stop', 'econtext_stores'),
  family_mart: japanese('family_mart', 'econtext_stores'),
  seicomart: japanese('seicomart', 'econtext_stores'),
  pay_easy: japanese('pay_easy', 'econtext_atm'),

  // --- real-time payments, by an app
  duit_now: byType('real_time_payment', 'duit_now', 'duitnow', { countries: ['MY'], currencies: ['MYR'] }),
  prompt_pay: byType('real_time_payment', 'prompt_pay', 'promptpay', { countries: ['TH'], currencies: ['THB'] }),

  // --- card redirects and gift cards
  knet: byType('card_redirect', 'knet', 'knet', { countries: ['KW'], currencies: ['KWD'] }),
  benefit: byType('card_redirect', 'benefit', 'benefit', { countries: ['BH'], currencies: ['BHD'] }),
  givex: {
    family: 'gift_card',
    types: ['giftcard', 'givex'],
    ways: {
      givex: ({ parts }) => ({ type: 'giftcard', brand: 'givex', number: parts.number ?? '', cvc: parts.cvc ?? '' }) as const,
    },
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
