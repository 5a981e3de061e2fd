import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { Types } from '@adyen/api-library'
import { accountAt, usualAsk } from '../../../test/card-ask.ts'
import type { Plain, Strange } from '../../../test/exactly.ts'
import { rehearse, replied, silence } from '../../../test/rehearse.ts'
import { everyWay, paidBy } from '../../../test/ways.ts'
import { Secret } from '../../base/secret.ts'
import { families } from '../../instruments/families.ts'
import { paymentMethodTypes } from '../../instruments/methods.ts'
import type { AuthorizeRequest } from '../connector.ts'
import type { Other } from '../instrument.ts'
import { adyen } from './connector.ts'
import { offered } from './find-offer.ts'
import { adyenOffers, rowOf } from './offers.ts'
import type { AdyenTakes } from './requests.ts'

/** Adyen's requests for payment methods other than cards, row by row, and the outcomes of its answers. */

// --- checked against Adyen's own types: each row's `paymentMethod` against the type with its `type` value

type Vendor = Types.checkout.PaymentRequest['paymentMethod']
type VendorOf<Type extends string> = Vendor extends infer One
  ? One extends { type?: infer VendorType }
    ? Type extends `${NonNullable<VendorType> & string}`
      ? One
      : never
    : never
  : never
type Ways = { [Type in keyof typeof adyenOffers]: (typeof adyenOffers)[Type]['ways'] }[keyof typeof adyenOffers]
type Sent<One = Ways> =
  One extends Record<string, unknown>
    ? { [Way in keyof One]: One[Way] extends (...args: never[]) => infer Body ? Body : never }[keyof One]
    : never
/** The request by which a stored payment method is charged again, of all rows. */
type Rows = (typeof adyenOffers)[keyof typeof adyenOffers]
type SentAgain<One = Rows> = One extends { kept: (...args: never[]) => infer Body } ? Body : never
/**
 * The part of a request that differs from Adyen's type: a value that Adyen does not have, a member that is missing, or
 * one that is unknown.
 */
type Off<Body> = Body extends { type: infer Type extends string }
  ? [VendorOf<Type>] extends [never]
    ? Type
    : Body extends Plain<VendorOf<Type>>
      ? Strange<Body, Plain<VendorOf<Type>>>
      : Type
  : 'no type'
const everyRowIsWrittenAsAdyenDoes: [Off<Sent | SentAgain>] extends [never] ? true : Off<Sent | SentAgain> = true
/** The check finds a row with a member that Adyen does not know. */
const aBogusMemberIsCaught: Off<{ type: 'ideal'; bogusMember: true }> = 'bogusMember'

const account = accountAt('https://checkout-test.adyen.com/v71', { api_key: 'AQE_key', key1: 'ChairsCOM' })
const purchase = {
  billing: {
    ...{ first_name: 'Ada', last_name: 'Byron', line1: '1 Way', city: 'Here', zip: '12345', country: 'NL' as const },
    ...{ email: 'ada@example.com', phone: '+31 6 1234 5678' },
  },
}
const ask = (instrument: Other, more: Partial<AuthorizeRequest<AdyenTakes>> = {}): AuthorizeRequest<AdyenTakes> => ({
  request_id: 'REQ1',
  money: { amount: 1250, currency: 'EUR' },
  capture: 'automatic',
  instrument: instrument as AuthorizeRequest<AdyenTakes>['instrument'],
  ...usualAsk,
  three_ds: 'request',
  purchase,
  ...more,
})
const NOW = '2026-03-01T10:00:00.000Z'
const readWay = (family: keyof typeof families, way: string): Other => {
  const request = paidBy(family as 'wallet', way)
  return families[family].read(request.payment_method_data[family], NOW, request.payment_method_type) as unknown as Other
}
const bodyOf = (instrument: Other, more?: Partial<AuthorizeRequest<AdyenTakes>>) => {
  const { requests } = rehearse(adyen.authorize(ask(instrument, more), account), [replied(200, { ...yes, resultCode: 'Received' })])
  return JSON.parse(requests[0]!.body!)
}
const yes = { pspReference: '993617895204576J', resultCode: 'Authorised', merchantReference: 'REQ1' }

test('every payment method of the connector is a type of the API, and is sent in the format of Adyen', () => {
  ok(everyRowIsWrittenAsAdyenDoes)
  equal(aBogusMemberIsCaught, 'bogusMember')
  for (const [type, { family, ways, types }] of Object.entries(adyenOffers)) {
    ok(paymentMethodTypes.includes(type), `${type} is no payment method type yet: add it to src/instruments/methods.ts`)
    for (const way of Object.keys(ways)) {
      const instrument = readWay(family, way)
      equal(instrument.type, type, way)
      const { paymentMethod } = bodyOf(instrument)
      ok((types as readonly string[]).includes(paymentMethod.type), `${way}: ${paymentMethod.type}`)
      for (const [member, value] of Object.entries(paymentMethod)) ok(typeof value === 'string' && value !== '', `${way}.${member}`)
    }
  }
})

test('every bank that a checkout offers has an id at Adyen', () => {
  for (const type of ['poland', 'czech_republic', 'slovakia', 'thailand', 'fpx'].map(country => `online_banking_${country}`)) {
    for (const bank of families.bank_redirect.banks!(type)) {
      // The interface lists this bank for the country, and Adyen does not.
      if (type === 'online_banking_fpx' && bank === 'bank_of_china') continue
      const { way, details } = offered({ is: 'bank_redirect', type, way: type, open: { issuer: bank }, secrets: {} }, undefined)!
      match((way(details) as unknown as { issuer: string }).issuer, /^[a-z0-9_]+$/, `${type} ${bank}`)
    }
  }
})

test('a payment method that Adyen does not support is refused by name, and nothing is sent', () => {
  const taken = new Set(Object.values(adyenOffers).flatMap(({ ways }) => Object.keys(ways)))
  const others = everyWay.filter(([family, way]) => adyen.accepts.methods.includes(family as 'wallet') && !taken.has(way))
  ok(others.length > 10)
  for (const [family, way] of others) {
    const { requests, outcome } = rehearse(adyen.authorize(ask(readWay(family, way)), account), [])
    deepEqual([requests, outcome.is === 'declined' && outcome.code], [[], 'not_supported'])
    match(outcome.is === 'declined' ? outcome.message : '', new RegExp(way))
  }
})

test('the payer is taken from the payment, or else from the payment method data', () => {
  const sepa = readWay('bank_debit', 'sepa_bank_debit')
  deepEqual(bodyOf(sepa).paymentMethod, { type: 'sepadirectdebit', iban: 'DE89370400440532013000', ownerName: 'Ada Byron' })
  const { open, ...rest } = readWay('voucher', 'seven_eleven')
  const konbini = bodyOf({ ...rest, open }, { purchase: {}, money: { amount: 1250, currency: 'JPY' } })
  deepEqual(konbini.paymentMethod, {
    type: 'econtext_seven_eleven',
    firstName: 'HIDDEN',
    lastName: 'HIDDEN',
    shopperEmail: 'HIDDEN@example.com',
    telephoneNumber: '',
  })
  equal(konbini.shopperEmail, 'HIDDEN@example.com')
  const { paymentMethod, socialSecurityNumber, shopperName } = bodyOf(readWay('voucher', 'boleto'))
  deepEqual([paymentMethod, shopperName], [{ type: 'boletobancario' }, { firstName: 'Ada', lastName: 'Byron' }])
  match(socialSecurityNumber, /^\d{11,14}$/)
})

test('3-D Secure applies only to methods with a card; the request states manual or immediate capture', () => {
  const google = readWay('wallet', 'google_pay')
  deepEqual(bodyOf(google).authenticationData, { attemptAuthentication: 'always', threeDSRequestData: { nativeThreeDS: 'disabled' } })
  deepEqual(bodyOf(google, { three_ds: 'skip', exemption: 'low_value' }).additionalData, { scaExemption: 'lowValue' })
  equal(bodyOf(google, { three_ds: 'skip' }).authenticationData.attemptAuthentication, 'never')
  const bancontact = readWay('bank_redirect', 'bancontact_card')
  equal(bodyOf(bancontact, { three_ds: 'skip' }).authenticationData.attemptAuthentication, 'always')
  const byTelephone = rehearse(adyen.authorize(ask(google, { channel: 'telephone_order' }), account), [])
  deepEqual([byTelephone.requests, byTelephone.outcome.is === 'declined' && byTelephone.outcome.code], [[], 'not_supported'])
  const ideal = readWay('bank_redirect', 'ideal')
  deepEqual([bodyOf(ideal).authenticationData, bodyOf(ideal).captureDelayHours], [undefined, 0])
  const klarna = bodyOf(readWay('pay_later', 'klarna_redirect'), {
    capture: 'manual',
    purchase: { ...purchase, lines: [{ product_name: 'Chair', quantity: 2, amount: 625, tax_rate: 21 }] },
  })
  deepEqual(
    [klarna.additionalData, klarna.captureDelayHours, klarna.countryCode, klarna.lineItems],
    [{ manualCapture: 'true' }, undefined, 'NL', [{ description: 'Chair', quantity: 2, amountIncludingTax: 625, taxPercentage: 2100 }]],
  )
})

test('a network token is sent with its cryptogram, and is charged again without one', () => {
  const token = readWay('network_token', 'network_token')
  const { paymentMethod, mpiData } = bodyOf(token, { money: { amount: 1250, currency: 'USD' } })
  deepEqual(paymentMethod, { type: 'networkToken', number: '4895370012003478', expiryMonth: '12', expiryYear: '2040' })
  deepEqual(mpiData, {
    tokenAuthenticationVerificationValue: 'HIDDEN_CRYPTOGRAM',
    eci: '07',
    directoryResponse: 'Y',
    authenticationResponse: 'Y',
  })
  const { token_cryptogram: _used, ...secrets } = token.secrets
  equal(bodyOf({ ...token, secrets }).mpiData, undefined)
})

test('a decrypted wallet is sent as a card of its brand with its cryptogram, without 3-D Secure', () => {
  for (const [way, brand] of [
    ['apple_pay_decrypted', 'applepay'],
    ['google_pay_decrypted', 'googlepay'],
  ] as const) {
    const wallet = readWay('wallet', way)
    const { paymentMethod, mpiData, additionalData, authenticationData } = bodyOf(wallet)
    deepEqual(paymentMethod, { type: 'scheme', brand, number: '4895370012003478', expiryMonth: '12', expiryYear: '2040' })
    deepEqual(mpiData, { cavv: 'HIDDENCRYPTOGRAM', eci: '07', directoryResponse: 'Y', authenticationResponse: 'Y' })
    deepEqual(additionalData, { 'paymentdatasource.type': brand, 'paymentdatasource.tokenized': 'true' })
    equal(authenticationData, undefined)
    const three_ds_result = {
      ...{ status: 'Y' as const, eci: '05', version: '2.2.0', ds_transaction_id: 'c4e59ceb-a382-4d6a-bc87-385d591fa09d' },
      cavv: new Secret('AAABBEg0VhI0VniQEjRWAAAAAAA='),
    } as const
    const twice = rehearse(adyen.authorize(ask(wallet, { three_ds_result }), account), [])
    deepEqual([twice.requests, twice.outcome.is === 'declined' && twice.outcome.code], [[], 'not_supported'])
  }
})

test('a partial capture or refund of a pay-later payment has a line item; a full one, and other methods, have none', () => {
  const about = {
    request_id: 'REQ2',
    authorization: { reference: yes.pspReference, request_id: 'REQ1' },
    money: { amount: 500, currency: 'EUR' },
  } as const
  const received = replied(201, { ...yes, status: 'received', reference: 'REQ2' })
  const linesOf = (part_of: string | undefined) => {
    const part = part_of === undefined ? {} : { part_of }
    return [
      rehearse(adyen.capture({ ...about, rest: 'keep', ...part }, account), [received]),
      rehearse(adyen.refund({ ...about, reason: null, ...part }, account), [received]),
    ].map(({ requests }) =>
      JSON.parse(requests[0]!.body!).lineItems?.map((line: { amountIncludingTax: number }) => line.amountIncludingTax),
    )
  }
  deepEqual(
    [linesOf('klarna'), linesOf('twint'), linesOf(undefined)],
    [
      [[500], [500]],
      [undefined, undefined],
      [undefined, undefined],
    ],
  )
})

// --- Adyen's answers

const outcomeOf = (body: object, of: Other = readWay('bank_redirect', 'ideal')) =>
  rehearse(adyen.authorize(ask(of), account), [replied(200, { pspReference: yes.pspReference, ...body })]).outcome

test('every kind of Adyen action becomes a next action', () => {
  const action = (resultCode: string, body: object) => {
    const outcome = outcomeOf({ resultCode, action: body })
    ok(outcome.is === 'waiting' && outcome.next_action, JSON.stringify(body))
    return outcome.next_action
  }
  const code = action('Pending', { type: 'qrCode', qrCodeData: '00020126580014br.gov.bcb.pix', expiresAt: '2026-03-01T11:00:00' })
  ok(code.type === 'qr_code_information')
  deepEqual([code.data, code.until], ['00020126580014br.gov.bcb.pix', '2026-03-01T11:00:00.000Z'])
  match(code.image, /^data:image\/png;base64,iVBORw/)
  deepEqual(action('RedirectShopper', { type: 'qrCode', url: 'https://bank.example/code' }), {
    type: 'redirect_to_url',
    url: 'https://bank.example/code',
  })
  deepEqual(action('Pending', { type: 'await', paymentData: 'Ab02', paymentMethodType: 'blik' }), {
    type: 'wait_screen_information',
    until: null,
  })
  const voucher = { type: 'voucher', reference: '59168675976701', expiresAt: '2026-03-04T00:00:00' }
  deepEqual(
    action('PresentToShopper', { ...voucher, paymentMethodType: 'oxxo', downloadUrl: 'https://test.adyen.com/hpp/generationOxxoVoucher' }),
    {
      type: 'display_voucher_information',
      parts: { reference: '59168675976701', download_url: 'https://test.adyen.com/hpp/generationOxxoVoucher' },
      until: '2026-03-04T00:00:00.000Z',
    },
  )
  deepEqual(action('PresentToShopper', { ...voucher, paymentMethodType: 'multibanco', entity: '12101' }), {
    type: 'display_bank_transfer_information',
    to: { multibanco: { reference: '59168675976701', entity: '12101' } },
    remaining: null,
  })
  deepEqual(action('PresentToShopper', { ...voucher, paymentMethodType: 'doku_bca_va', instructionsUrl: 'https://doku.example/how' }), {
    type: 'display_bank_transfer_information',
    to: {
      doku_bank_transfer_instructions: {
        reference: '59168675976701',
        expires_at: '2026-03-04T00:00:00',
        instructions_url: 'https://doku.example/how',
      },
    },
    remaining: null,
  })
  const transfer = { type: 'bankTransfer', paymentMethodType: 'bankTransfer_IBAN', beneficiary: 'Chairs', bic: 'ADYBNL2A', reference: 'R1' }
  deepEqual(action('Received', { ...transfer, iban: 'NL13TEST0123456789' }), {
    type: 'display_bank_transfer_information',
    to: {
      sepa_bank_instructions: {
        account_holder_name: 'Chairs',
        bic: 'ADYBNL2A',
        iban: 'NL13TEST0123456789',
        reference: 'R1',
        country: 'NL',
      },
    },
    remaining: null,
  })
})

test('an invalid action gives an unknown outcome', () => {
  for (const action of [
    { type: 'sdk', paymentData: 'x' },
    { type: 'qrCode', qrCodeData: 'x'.repeat(1201) },
    { type: 'qrCode', qrCodeData: 5 },
    { type: 'voucher' },
    { type: 'voucher', reference: 'R', expiresAt: 'soon' },
    { type: 'voucher', reference: 'R', downloadUrl: 'javascript:alert(1)' },
    { type: 'bankTransfer', paymentMethodType: 'bankTransfer_IBAN' },
    { type: 'bankTransfer', paymentMethodType: 'bankTransfer_US', reference: 'R' },
  ]) {
    const reply = replied(200, { ...yes, resultCode: 'PresentToShopper', action })
    const { outcome } = rehearse(adyen.authorize(ask(readWay('voucher', 'oxxo')), account), [reply, reply])
    equal(outcome.is, 'unknown', JSON.stringify(action))
  }
  equal(outcomeOf({ resultCode: 'Received' }).is, 'waiting')
})

test('a declined payment without a card has the code payment_declined, not card_declined', () => {
  const no = { resultCode: 'Refused', refusalReason: 'Refused', refusalReasonCode: '2' }
  const codeOf = (type: string) => {
    const outcome = outcomeOf({ ...no, paymentMethod: { type } })
    return outcome.is === 'declined' && outcome.code
  }
  deepEqual(['ideal', 'klarna', 'sepadirectdebit', 'scheme', 'googlepay'].map(codeOf), [
    ...['payment_declined', 'payment_declined', 'payment_declined'],
    ...['card_declined', 'card_declined'],
  ])
})

test('a request without a response is sent once more, and account numbers are in no outcome', () => {
  const ach = readWay('bank_debit', 'ach_bank_debit')
  const { requests, outcome } = rehearse(adyen.authorize(ask(ach), account), [silence, silence])
  deepEqual(requests[0], requests[1])
  equal(outcome.is, 'unknown')
  const echo = { status: 422, errorCode: '702', message: 'Account 000123456789 is wrong', errorType: 'validation' }
  const refused = rehearse(adyen.authorize(ask(ach), account), [replied(422, echo)]).outcome
  ok(refused.is === 'declined' && !refused.message.includes('000123456789'))
  equal(rowOf('constructor'), undefined)
})

test('an amount with the digits of a sort code is read, and a short gift card PIN is removed from messages', () => {
  const debit = readWay('bank_debit', 'bacs_bank_debit')
  const bacs: Other = { ...debit, secrets: { ...debit.secrets, sort_code: new Secret('200000') } }
  const amount = { value: 200_000, currency: 'GBP' }
  const { outcome } = rehearse(adyen.authorize(ask(bacs, { money: { amount: 200_000, currency: 'GBP' } }), account), [
    replied(200, { ...yes, amount }),
  ])
  ok(outcome.is === 'done')
  equal(outcome.amount.amount, 200_000)
  const givex: Other = {
    ...{ is: 'gift_card', type: 'givex', way: 'givex', open: {} },
    secrets: { number: new Secret('6036280000000000000'), cvc: new Secret('122333') },
  }
  const echo = { ...yes, resultCode: 'Refused', refusalReason: 'PIN 122333 is wrong', refusalReasonCode: '2' }
  const refused = rehearse(adyen.authorize(ask(givex), account), [replied(200, echo)]).outcome
  ok(refused.is === 'declined' && refused.message.startsWith('PIN [secret]'))
})
