import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { hmacValidator, type Types } from '@adyen/api-library'
import type * as disputes from '@adyen/api-library/lib/src/typings/disputes/models.js'
import { accountAt, usualAsk } from '../../../test/card-ask.ts'
import { exactly, type Plain } from '../../../test/exactly.ts'
import { notSent, rehearse, replied, silence } from '../../../test/rehearse.ts'
import { Secret } from '../../base/secret.ts'
import type { Reply } from '../../context.ts'
import type { Account, AuthorizeRequest, ContestRequest, CredentialsVerdict, Outcome, ReturnRequest, WebhookUpdate } from '../connector.ts'
import type { Movement } from '../payment-report.ts'
import { adyen } from './connector.ts'
import { keptAt, offered } from './find-offer.ts'
import * as requests from './requests.ts'
import { adyenPaymentBody, amountOf, refundBody } from './requests.ts'

const HMAC_KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056'
const account = accountAt('https://checkout-test.adyen.com/v71', { api_key: 'AQE_key', key1: 'ChairsCOM' }, {}, HMAC_KEY)

const ask: AuthorizeRequest<'card'> = {
  request_id: 'REQ1',
  money: { amount: 1250, currency: 'USD' },
  capture: 'automatic',
  instrument: {
    is: 'card',
    number: new Secret('4111111111111111'),
    exp_month: 3,
    exp_year: 2030,
    cvc: new Secret('737'),
    holder: 'Ada Byron',
  },
  ...usualAsk,
}
const authorization = { reference: '993617895204576J', request_id: 'REQ1' }
const money = { amount: 500, currency: 'USD' } as const
const captureAsk = { request_id: 'REQ2', authorization, money, rest: 'release' } as const
const voidAsk = { request_id: 'REQ3', authorization, money } as const
const refundAsk = { request_id: 'REQ4', authorization, money, reason: 'duplicate' } as const
const returnAsk: ReturnRequest = {
  verb: 'authorize',
  request_id: 'REQ1',
  reference: null,
  money: ask.money,
  authorization: null,
  parameters: { redirectResult: 'X6XtfGC3!Y' },
}
const amount = amountOf(money)!

/** The request of a payment by card: connectors write only this payment method. */
type CardPayment = Omit<Types.checkout.PaymentRequest, 'paymentMethod'> & { paymentMethod: Types.checkout.CardDetails }
/** The request of any other payment: `offers.test.ts` checks its payment method. */
type OtherPayment = Omit<Types.checkout.PaymentRequest, 'paymentMethod'> & {
  paymentMethod: { type: string; storedPaymentMethodId?: string }
}
const paidByIdeal = { is: 'bank_redirect', type: 'ideal', way: 'ideal', open: {}, secrets: {} } as const
const ideal = offered(paidByIdeal, undefined)!
const kept = keptAt(paidByIdeal, undefined)!
const keptAsk: AuthorizeRequest<'stored_card'> = {
  ...ask,
  instrument: { is: 'stored_card', reference: '8415718415172204', customer: 'shop_ada', cvc: null, of: paidByIdeal },
  stored_credential: { is: 'used', mit_category: 'recurring', customer: 'shop_ada' },
}

const contestAsk: ContestRequest = {
  request_id: 'REQ5',
  reference: 'DSP1',
  authorization,
  money,
  evidence: {
    texts: {},
    uploaded: {},
    files: [{ type: 'receipt', name: 'r.pdf', content_type: 'application/pdf', bytes: Buffer.from('%PDF') }],
  },
}

const paidCard = {
  is: 'card',
  type: null,
  number: new Secret('4111111111111111'),
  exp_month: 3,
  exp_year: 2030,
  holder: 'Ada Byron',
} as const
const payoutAsk = {
  request_id: 'REQ6',
  money,
  recipient: paidCard,
  entity_type: 'Individual',
  priority: null,
  merchant_name: 'Chairs & Co',
  description: null,
} as const
/** The details in which Adyen's library writes two names with a dot (their `baseName`). */
type Details = Plain<Types.checkout.PaymentCompletionDetails>
type DetailsRequest = Omit<Plain<Types.checkout.PaymentDetailsRequest>, 'details'> & {
  details: Omit<Details, 'threeds2_fingerprint' | 'threeds2_challengeResult'> & {
    'threeds2.fingerprint'?: Exclude<Details['threeds2_fingerprint'], undefined>
    'threeds2.challengeResult'?: Exclude<Details['threeds2_challengeResult'], undefined>
  }
}
/**
 * Every request of the connector, checked against Adyen's own types: a request that is missing here does not compile.
 */
const bodies = {
  adyenPaymentBody: exactly<Plain<CardPayment>>()(adyenPaymentBody(ask, amount, account)),
  offerBody: exactly<Plain<OtherPayment>>()(requests.offerBody(ask, ideal, amount, account)),
  keptBody: exactly<Plain<OtherPayment>>()(requests.keptBody(keptAsk, kept, amount, account)),
  detailsBody: exactly<DetailsRequest>()(requests.detailsBody(returnAsk)),
  captureBody: exactly<Plain<Types.checkout.PaymentCaptureRequest>>()(requests.captureBody(captureAsk, amount, account)),
  adjustBody: exactly<Plain<Types.checkout.PaymentAmountUpdateRequest>>()(requests.adjustBody(captureAsk, amount, account)),
  reverseBody: exactly<Plain<Types.checkout.PaymentReversalRequest>>()(requests.reverseBody(voidAsk, account)),
  cancelBody: exactly<Plain<Types.checkout.StandalonePaymentCancelRequest>>()(requests.cancelBody(voidAsk, account)),
  refundBody: exactly<Plain<Types.checkout.PaymentRefundRequest>>()(refundBody(refundAsk, amount, account)),
  methodsBody: exactly<Plain<Types.checkout.PaymentMethodsRequest>>()(requests.methodsBody(account)),
  payoutBody: exactly<Plain<Types.payout.PayoutRequest>>()(requests.payoutBody(payoutAsk, paidCard, amount, account)),
  acceptBody: exactly<disputes.AcceptDisputeRequest>()(requests.acceptBody(contestAsk, account)),
  reasonsBody: exactly<disputes.DefenseReasonsRequest>()(requests.reasonsBody(contestAsk, account)),
  documentsBody: exactly<disputes.SupplyDefenseDocumentRequest>()(requests.documentsBody(contestAsk, ['TIDorInvoice'], account)),
  defendBody: exactly<disputes.DefendDisputeRequest>()(requests.defendBody(contestAsk, 'SupplyDefenseMaterial', account)),
} satisfies Record<Extract<keyof typeof requests, `${string}Body`>, object>

test('splits are sent in Adyen’s minor units and with its type names, for payments and refunds', () => {
  const items = [
    { split_type: 'BalanceAccount', account: 'BA1', amount: 40_000, reference: 'chairs' },
    { split_type: 'Vat', amount: 10_000, reference: 'tax' },
    { split_type: 'PaymentFee', reference: 'fee' },
  ] as const
  const split = { is: 'adyen', store: 'S1', items } as const
  // ISO 4217 gives the currency no decimals, and Adyen two.
  const clp = { value: 5_000_000, currency: 'CLP' } as const
  const shares = [
    { type: 'BalanceAccount', reference: 'chairs', amount: { value: 4_000_000, currency: 'CLP' }, account: 'BA1' },
    { type: 'VAT', reference: 'tax', amount: { value: 1_000_000, currency: 'CLP' } },
    { type: 'PaymentFee', reference: 'fee' },
  ]
  const { splits, store } = adyenPaymentBody({ ...ask, split }, clp, account)
  deepEqual([splits, store], [shares, 'S1'])
  deepEqual(refundBody({ ...refundAsk, split: { is: 'adyen', items } }, clp, account).splits, shares)
})

test('every request body matches the types of the Adyen library', () => {
  const about = { merchantAccountCode: 'ChairsCOM', disputePspReference: 'DSP1' }
  const document = { content: 'JVBERg==', contentType: 'application/pdf', defenseDocumentTypeCode: 'TIDorInvoice' }
  deepEqual(bodies, {
    adyenPaymentBody: {
      merchantAccount: 'ChairsCOM',
      reference: 'REQ1',
      amount: { value: 500, currency: 'USD' },
      paymentMethod: {
        type: 'scheme',
        number: '4111111111111111',
        expiryMonth: '03',
        expiryYear: '2030',
        cvc: '737',
        holderName: 'Ada Byron',
      },
      returnUrl: 'https://shop.example/return',
      authenticationData: { attemptAuthentication: 'never' },
      captureDelayHours: 0,
    },
    offerBody: {
      merchantAccount: 'ChairsCOM',
      reference: 'REQ1',
      amount: { value: 500, currency: 'USD' },
      paymentMethod: { type: 'ideal' },
      returnUrl: 'https://shop.example/return',
      captureDelayHours: 0,
    },
    keptBody: {
      merchantAccount: 'ChairsCOM',
      reference: 'REQ1',
      amount: { value: 500, currency: 'USD' },
      paymentMethod: { type: 'ideal', storedPaymentMethodId: '8415718415172204' },
      shopperReference: 'shop_ada',
      shopperInteraction: 'ContAuth',
      recurringProcessingModel: 'Subscription',
      returnUrl: 'https://shop.example/return',
      captureDelayHours: 0,
    },
    detailsBody: { details: { redirectResult: 'X6XtfGC3!Y' } },
    payoutBody: {
      merchantAccount: 'ChairsCOM',
      reference: 'REQ6',
      amount: { value: 500, currency: 'USD' },
      card: { number: '4111111111111111', expiryMonth: '03', expiryYear: '2030', holderName: 'Ada Byron' },
      shopperName: { firstName: 'Ada', lastName: 'Byron' },
    },
    captureBody: { merchantAccount: 'ChairsCOM', reference: 'REQ2', amount: { value: 500, currency: 'USD' } },
    adjustBody: { merchantAccount: 'ChairsCOM', reference: 'REQ2', amount: { value: 500, currency: 'USD' } },
    reverseBody: { merchantAccount: 'ChairsCOM', reference: 'REQ3' },
    cancelBody: { merchantAccount: 'ChairsCOM', paymentReference: 'REQ1', reference: 'REQ3' },
    refundBody: {
      merchantAccount: 'ChairsCOM',
      reference: 'REQ4',
      amount: { value: 500, currency: 'USD' },
      merchantRefundReason: 'DUPLICATE',
    },
    methodsBody: { merchantAccount: 'ChairsCOM' },
    acceptBody: about,
    reasonsBody: about,
    documentsBody: { ...about, defenseDocuments: [document] },
    defendBody: { ...about, defenseReasonCode: 'SupplyDefenseMaterial' },
  })
  const stored = { ...ask, instrument: { is: 'stored_card', reference: 'S1', customer: null, cvc: null } as const }
  const used = { is: 'used', mit_category: 'recurring', customer: 'shop_ada' } as const
  const known = { ...ask.instrument, is: 'network_transaction_id', network_transaction_id: 'MCC123456789012' } as const
  const sent = (one: Parameters<typeof adyenPaymentBody>[0]) => {
    const { paymentMethod, additionalData = null, ...rest } = adyenPaymentBody(one, amount, account)
    const { shopperReference, shopperInteraction, recurringProcessingModel, storePaymentMethod } = rest as Record<string, unknown>
    return [Object.keys(paymentMethod), additionalData, shopperReference, shopperInteraction, recurringProcessingModel, storePaymentMethod]
  }
  const number = ['type', 'number', 'expiryMonth', 'expiryYear', 'cvc', 'holderName']
  const made = { is: 'made', usage: 'off_session', customer: 'shop_ada' } as const
  deepEqual(sent({ ...ask, stored_credential: made }), [number, null, 'shop_ada', 'Ecommerce', 'UnscheduledCardOnFile', true])
  deepEqual(sent({ ...ask, stored_credential: { ...made, usage: 'on_session' } })[4], 'CardOnFile')
  deepEqual(sent({ ...stored, stored_credential: used }), [
    ['type', 'storedPaymentMethodId'],
    null,
    'shop_ada',
    'ContAuth',
    'Subscription',
    undefined,
  ])
  deepEqual(sent({ ...ask, instrument: known, stored_credential: { ...used, mit_category: 'unscheduled' } }), [
    number.filter(name => name !== 'cvc'),
    { networkTxReference: 'MCC123456789012' },
    undefined,
    'ContAuth',
    'UnscheduledCardOnFile',
    undefined,
  ])
  const more = { ...ask, capture: 'manual', three_ds: 'request', partial_approval: 'accept', statement_descriptor: 'CHAIRS' } as const
  const { additionalData, authenticationData, shopperStatement, captureDelayHours } = adyenPaymentBody(more, amount, account)
  deepEqual(
    [additionalData, authenticationData, shopperStatement, captureDelayHours],
    [
      { manualCapture: 'true', allowPartialAuth: 'true' },
      { attemptAuthentication: 'always', threeDSRequestData: { nativeThreeDS: 'disabled' } },
      'CHAIRS',
      undefined,
    ],
  )
  // Adyen refuses members that it does not know (702), deviceChannel among them.
  deepEqual(adyenPaymentBody({ ...ask, three_ds: 'challenge' }, amount, account).threeDS2RequestData, {
    threeDSRequestorChallengeInd: '04',
  })
})

const native: Account = { ...account, metadata: { native_3ds: 'true' } }
const browser = {
  accept_header: '*/*',
  color_depth: 24,
  java_enabled: false,
  language: 'en',
  screen_height: 900,
  screen_width: 1440,
  time_zone: 0,
  user_agent: 'Mozilla/5.0',
}
const nativeAsk = {
  ...ask,
  three_ds: 'request',
  purchase: { browser },
  notification_url: 'https://pay.example/authorize/adyen/REQ1',
} as const

test('native 3-D Secure is requested only if the account enables it and the browser data is known', () => {
  const body = exactly<Plain<CardPayment>>()(adyenPaymentBody(nativeAsk, amount, native))
  const { authenticationData, threeDS2RequestData, channel, origin } = body
  deepEqual(
    [authenticationData, threeDS2RequestData, channel, origin],
    [
      { attemptAuthentication: 'always', threeDSRequestData: { nativeThreeDS: 'preferred', challengeWindowSize: '05' } },
      { notificationURL: nativeAsk.notification_url },
      'Web',
      'https://pay.example',
    ],
  )
  const sent = (more: Partial<typeof ask>, at = native) => {
    const { authenticationData: one, threeDS2RequestData: two } = adyenPaymentBody({ ...nativeAsk, ...more }, amount, at)
    return [one, two]
  }
  const redirected = { attemptAuthentication: 'always', threeDSRequestData: { nativeThreeDS: 'disabled' } }
  deepEqual(sent({}, account), [redirected, undefined])
  deepEqual(sent({ purchase: { browser: { language: 'en' } } }), [redirected, undefined])
  deepEqual(sent({ three_ds: 'skip' }), [{ attemptAuthentication: 'never' }, undefined])
  deepEqual(sent({ three_ds: 'challenge' })[1], { notificationURL: nativeAsk.notification_url, threeDSRequestorChallengeInd: '04' })
})

const inBase64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
const inUrl = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString())
const shopperActs = (resultCode: string, action: object): Outcome => {
  const body = { pspReference: 'PSP1', resultCode, action: { type: 'threeDS2', ...action } }
  return rehearse(adyen.returned.ask(returnAsk, account), [replied(200, body)]).outcome
}
const looks = {
  threeDSMethodNotificationURL: 'https://adyen.example/seen',
  threeDSMethodURL: 'https://bank.example/look',
  threeDSServerTransID: 'b5e5-1',
}
const asks = {
  ...{ acsReferenceNumber: 'ADYEN-ACS-1', acsTransID: 'acs-1', acsURL: 'https://bank.example/challenge', messageVersion: '2.1.0' },
  ...{ threeDSNotificationURL: 'https://pay.example', threeDSServerTransID: 'b5e5-1' },
}

test('a 3-D Secure fingerprint and challenge become next actions; an invalid token gives an unknown outcome', () => {
  const fingerprint = (token: unknown, more = {}) => shopperActs('IdentifyShopper', { subtype: 'fingerprint', token, ...more })
  const challenge = (token: unknown) => shopperActs('ChallengeShopper', { subtype: 'challenge', token, paymentData: 'Ab02' })
  const seen = fingerprint(inBase64(looks), { paymentData: 'Ab01' })
  ok(seen.is === 'waiting' && seen.next_action?.type === 'three_ds_invoke')
  deepEqual(seen.next_action.native, { server_transaction_id: 'b5e5-1', session: 'Ab01', challenge: null })
  equal(seen.next_action.method!.url, 'https://bank.example/look')
  deepEqual(inUrl(seen.next_action.method!.data), {
    threeDSServerTransID: 'b5e5-1',
    threeDSMethodNotificationURL: 'https://adyen.example/seen',
  })
  for (const threeDSMethodURL of ['', null, undefined]) {
    const { next_action } = fingerprint(inBase64({ ...looks, threeDSMethodURL })) as typeof seen
    ok(next_action?.type === 'three_ds_invoke' && next_action.method === null && next_action.native?.session === null)
  }
  const asked = challenge(inBase64(asks))
  ok(asked.is === 'waiting' && asked.next_action?.type === 'three_ds_invoke' && asked.next_action.native?.challenge)
  const { request, ...rest } = asked.next_action.native.challenge
  deepEqual(rest, { acs_url: 'https://bank.example/challenge', reference_number: 'ADYEN-ACS-1', transaction_id: 'acs-1' })
  deepEqual(inUrl(request), {
    ...{ threeDSServerTransID: 'b5e5-1', acsTransID: 'acs-1', messageVersion: '2.1.0', messageType: 'CReq', challengeWindowSize: '05' },
  })
  equal(asked.next_action.version, '2.1.0')
  const notTokens = [undefined, 7, '', 'e30=', 'x'.repeat(20_001), inBase64([looks]), inBase64({ ...looks, threeDSServerTransID: '<b>' })]
  const notLooks = [inBase64({ ...looks, threeDSMethodURL: 'javascript:1' }), inBase64({ ...looks, threeDSMethodNotificationURL: 7 })]
  const notAsks = ['acsURL', 'acsTransID', 'messageVersion'].map(name => inBase64({ ...asks, [name]: undefined }))
  for (const token of [...notTokens, ...notLooks]) equal(fingerprint(token).is, 'unknown', String(token))
  for (const token of [...notTokens, ...notAsks]) equal(challenge(token).is, 'unknown', String(token))
  equal(fingerprint(inBase64(looks), { paymentData: 7 }).is, 'unknown')
  equal(shopperActs('ChallengeShopper', { subtype: 'else', token: inBase64(asks) }).is, 'unknown')
})

test('each 3-D Secure result is sent to Adyen with its payment data, and the same result under the same idempotency key', () => {
  const step = (parameters: Record<string, string>, reply: Reply = replied(200, yes)) => {
    const {
      requests: [request],
      outcome,
    } = rehearse(adyen.returned.ask({ ...returnAsk, parameters }, native), [reply])
    const { url, headers, body } = request!
    return { url, key: headers['idempotency-key'], body: JSON.parse(body!), outcome }
  }
  const seen = step({ threeds_method_comp_ind: 'Y', session: 'Ab01' })
  equal(seen.url, 'https://checkout-test.adyen.com/v71/payments/details')
  deepEqual(seen.body, { details: { 'threeds2.fingerprint': inBase64({ threeDSCompInd: 'Y' }) }, paymentData: 'Ab01' })
  const ended = step({ trans_status: 'N', session: 'Ab02' })
  deepEqual(ended.body, { details: { 'threeds2.challengeResult': inBase64({ transStatus: 'N' }) }, paymentData: 'Ab02' })
  deepEqual([seen.outcome.is, ended.outcome.is], ['done', 'done'])
  equal(step({ trans_status: 'N', session: 'Ab02' }).key, ended.key)
  equal(new Set([seen.key, ended.key, step({ trans_status: 'Y', session: 'Ab02' }).key, 'REQ1']).size, 4)
  for (const reply of [
    silence,
    notSent,
    replied(500, ''),
    replied(422, { status: 422, errorCode: '101', message: 'No', errorType: 'validation' }),
  ])
    equal(step({ trans_status: 'Y' }, reply).outcome.is, 'unknown')
})

test('country, locale and metadata are sent to Adyen; a US state that is no code and an invalid unit of measure are left out', () => {
  const sent = (country: string, state: string) =>
    adyenPaymentBody(
      {
        ...ask,
        metadata: { order: '1047', 'a name of more than twenty characters': 'x', note: 'x'.repeat(100) },
        purchase: {
          billing: { line1: '1 Way', city: 'Here', zip: '12345', country: country as 'US', state },
          browser: { language: 'nb-NO', referer: 'https://shop.example/checkout?cart=7' },
          lines: [
            { product_name: 'Chair', quantity: 1, amount: 500, unit_of_measure: 'piece' },
            { product_name: 'Wood', quantity: 1, amount: 500, unit_of_measure: 'KGM' },
          ],
          costs: { tax: 10 },
        },
      },
      amount,
      account,
    )
  const { countryCode, shopperLocale, channel, origin, metadata, additionalData, billingAddress } = sent('NO', 'Vestland')
  deepEqual(
    [countryCode, shopperLocale, channel, origin, metadata, billingAddress!.stateOrProvince],
    ['NO', 'nb-NO', 'Web', 'https://shop.example', { order: '1047', note: 'x'.repeat(80) }, 'Vestland'],
  )
  const units = ['1', '2'].map(n => (additionalData as Record<string, string>)[`enhancedSchemeData.itemDetailLine${n}.unitOfMeasure`])
  deepEqual(units, [undefined, 'KGM'])
  deepEqual(
    [sent('US', 'California'), sent('US', 'CA')].map(({ billingAddress }) => billingAddress!.stateOrProvince),
    [undefined, 'CA'],
  )
})

test('a request carries the API key and the idempotency key, and goes to the address with the endpoint prefix in live mode', () => {
  const address = (at: Account) => rehearse(adyen.authorize(ask, at), [notSent]).requests.map(({ url, headers }) => [url, headers])
  const headers = { 'x-api-key': 'AQE_key', 'content-type': 'application/json', 'idempotency-key': 'REQ1' }
  deepEqual(address(account), [['https://checkout-test.adyen.com/v71/payments', headers]])
  const live = { ...account, base_url: '', metadata: { endpoint_prefix: '1797a841fbb37ca7-Chairs' } }
  deepEqual(address(live), [['https://1797a841fbb37ca7-Chairs-checkout-live.adyenpayments.com/checkout/v71/payments', headers]])
  const { requests, outcome } = rehearse(adyen.authorize(ask, { ...live, metadata: {} }), [])
  deepEqual([requests, outcome.is === 'declined' && outcome.code], [[], 'configuration'])
})

const yes = { pspReference: '993617895204576J', resultCode: 'Authorised', merchantReference: 'REQ1' }
const authorized = (...replies: Reply[]): Outcome => rehearse(adyen.authorize(ask, account), replies).outcome
const outcomeOf = (body: object) => authorized(replied(200, body))

test('approvals and declines are read from Adyen responses; without an amount the requested amount applies', () => {
  const additionalData = {
    authCode: '044925',
    avsResult: '4 AVS not supported for this card type',
    cvcResult: '1 Matches',
    cvcResultRaw: 'M',
    networkTxReference: 'MCC123456789012',
  }
  deepEqual(outcomeOf({ ...yes, additionalData }), {
    is: 'done',
    reference: '993617895204576J',
    request_id: 'REQ1',
    amount: { amount: 1250, currency: 'USD' },
    captured: 'as asked',
    facts: { network_transaction_id: 'MCC123456789012', authorization_code: '044925', avs_result: '4', cvc_result: 'M' },
  })
  const no = { resultCode: 'Refused', refusalReason: 'Not enough balance', refusalReasonCode: '12' }
  deepEqual(
    outcomeOf({ ...yes, ...no, additionalData: { refusalReasonRaw: '51 : Insufficient funds', merchantAdviceCode: '02 : Try later' } }),
    {
      is: 'declined',
      reference: '993617895204576J',
      code: 'insufficient_funds',
      processor_code: '12',
      message: 'Not enough balance',
      network_code: '51',
      network_advice: '02',
      facts: {},
    },
  )
  equal(outcomeOf({ ...yes, resultCode: 'Pending' }).is, 'waiting')
  equal(outcomeOf({ ...yes, resultCode: 'Received' }).is, 'waiting')
})

test('a redirect becomes a next action; an invalid or unsupported action gives an unknown outcome', () => {
  const action = {
    type: 'redirect',
    method: 'GET',
    url: 'https://checkoutshopper-test.adyen.com/threeDS/redirect',
    paymentMethodType: 'scheme',
  }
  deepEqual(outcomeOf({ resultCode: 'RedirectShopper', action }), {
    is: 'waiting',
    reference: null,
    next_action: { type: 'redirect_to_url', url: action.url },
  })
  deepEqual(outcomeOf({ resultCode: 'RedirectShopper', action: { ...action, method: 'POST', data: { MD: 'm', PaReq: 'p' } } }), {
    is: 'waiting',
    reference: null,
    next_action: { type: 'redirect_to_url', url: action.url, form: { MD: 'm', PaReq: 'p' } },
  })
  for (const body of [
    { resultCode: 'RedirectShopper' },
    { resultCode: 'RedirectShopper', action: { ...action, method: 'PUT' } },
    { resultCode: 'RedirectShopper', action: { ...action, url: 'javascript:alert(1)' } },
    { resultCode: 'IdentifyShopper', action: { type: 'threeDS2' } },
    { ...yes, action },
    { resultCode: 'Authorised' },
    { ...yes, amount: null },
    { ...yes, amount: { value: 1, currency: 'XXX' } },
    { ...yes, resultCode: 'Splendid' },
  ])
    equal(authorized(replied(200, body), replied(200, body)).is, 'unknown', JSON.stringify(body))
})

test('a request without a response is sent once more, unchanged, and the second response can decide the outcome', () => {
  const { requests, outcome } = rehearse(adyen.authorize(ask, account), [silence, replied(200, yes)])
  deepEqual(requests[0], requests[1])
  equal(outcome.is, 'done')
  const error = (status: number, errorCode: string, errorType: string) =>
    replied(status, { status, errorCode, message: 'No.', errorType, pspReference: '8516091485743033' })
  equal(authorized(silence, silence).is, 'unknown')
  equal(authorized(silence, notSent).is, 'unknown')
  equal(authorized(silence, error(401, '000', 'security')).is, 'unknown', 'that it is not let in now says nothing')
  equal(authorized(silence, error(422, '704', 'validation')).is, 'unknown')
  equal(authorized(silence, error(422, '101', 'validation')).is, 'declined')
  equal(authorized(error(422, '103', 'validation')).is, 'declined')
  equal(authorized(error(500, '905', 'configuration'), replied(200, yes)).is, 'done')
})

test('each redirect result has its own idempotency key, and a forged one does not decline the payment', () => {
  const keyOf = (parameters: ReturnRequest['parameters']) =>
    rehearse(adyen.returned.ask({ ...returnAsk, parameters }, account), [silence]).requests[0]!.headers['idempotency-key']!
  const [truth, lie, again] = ['a', 'b', 'a'].map(redirectResult => keyOf({ redirectResult }))
  ok(truth !== lie && truth === again && truth!.length <= 64)
  const answer = (status: number, body: object) => rehearse(adyen.returned.ask(returnAsk, account), [replied(status, body)]).outcome
  equal(answer(200, yes).is, 'done')
  equal(answer(200, { ...yes, resultCode: 'Refused' }).is, 'declined')
  equal(answer(200, { ...yes, resultCode: 'Refused', merchantReference: 'of_another_payment' }).is, 'unknown', 'it declines nothing here')
  equal(answer(422, { status: 422, errorCode: '101', message: 'Invalid redirectResult', errorType: 'validation' }).is, 'unknown')
})

test('a capture is pending once Adyen has received it, and unknown if the response does not match the request', () => {
  const received = {
    merchantAccount: 'ChairsCOM',
    paymentPspReference: '993617895204576J',
    pspReference: 'QFQTPCQ8HXSKGK82',
    status: 'received',
    reference: 'REQ2',
    amount,
  }
  const captured = (status: number, body: object) => rehearse(adyen.capture(captureAsk, account), [replied(status, body)])
  const { requests, outcome } = captured(201, received)
  equal(requests[0]!.url, 'https://checkout-test.adyen.com/v71/payments/993617895204576J/captures')
  deepEqual(outcome, { is: 'waiting', reference: 'QFQTPCQ8HXSKGK82' })
  equal(captured(201, { ...received, amount: { value: 501, currency: 'USD' } }).outcome.is, 'unknown')
  equal(captured(201, { ...received, reference: 'REQ9' }).outcome.is, 'unknown')
  equal(captured(201, { ...received, amount: null }).outcome.is, 'unknown')
  equal(captured(201, { ...received, status: 'done' }).outcome.is, 'unknown')
  const nameless = rehearse(adyen.capture({ ...captureAsk, authorization: { reference: null, request_id: 'REQ1' } }, account), [])
  equal(nameless.outcome.is, 'not_sent')
})

// --- notifications

type Fields = Record<string, unknown>
const item = (eventCode: string, more: Fields = {}): Fields => ({
  eventCode,
  success: 'true',
  pspReference: 'QFQTPCQ8HXSKGK82',
  originalReference: '993617895204576J',
  merchantAccountCode: 'ChairsCOM',
  merchantReference: 'REQ2',
  amount: { value: 500, currency: 'USD' },
  reason: '',
  eventDate: '2026-03-01T10:00:00+00:00',
  paymentMethod: 'visa',
  ...more,
})
/** Gives the notification signed by Adyen's own library. */
const signed = (fields: Fields): Fields => ({
  ...fields,
  additionalData: {
    ...(fields.additionalData as object),
    hmacSignature: new hmacValidator().calculateHmac(fields as unknown as Types.notification.NotificationRequestItem, HMAC_KEY),
  },
})
const letter = (...items: Fields[]) =>
  Buffer.from(JSON.stringify({ live: 'false', notificationItems: items.map(NotificationRequestItem => ({ NotificationRequestItem })) }))
const isBelieved = (raw: Buffer, at: Account = account) => adyen.webhook.verify(raw, {}, at)

test('credentials are valid if they can list the payment methods of the merchant account', () => {
  const ask = (reply: Reply) => rehearse<CredentialsVerdict>(adyen.verify(account, 'REQ1'), [reply])
  const { requests, outcome } = ask(replied(200, { paymentMethods: [{ name: 'Cards', type: 'scheme' }] }))
  deepEqual([outcome, requests.map(one => one.url)], [{ is: 'good' }, ['https://checkout-test.adyen.com/v71/paymentMethods']])
  const no = (status: number, errorCode: string, message: string) =>
    ask(replied(status, { status, errorCode, message, errorType: 'security', pspReference: 'X' })).outcome
  deepEqual(no(401, '000', 'HTTP Status Response - Unauthorized'), {
    is: 'refused',
    code: '000',
    message: 'HTTP Status Response - Unauthorized',
  })
  deepEqual(no(403, '901', 'Invalid Merchant Account'), { is: 'refused', code: '901', message: 'Invalid Merchant Account' })
  equal(ask(silence).outcome.is, 'unknown')
})

test('a webhook signed by the Adyen library is accepted, and an altered or unsigned one is rejected', () => {
  const capture = signed(item('CAPTURE'))
  const odd = signed(item('AUTHORISATION', { merchantReference: 'order:with\\odd chars', originalReference: undefined }))
  equal(isBelieved(letter(capture)), true)
  equal(isBelieved(letter(odd, capture, capture)), true)
  for (const spoilt of [
    { ...capture, success: 'false' },
    { ...capture, amount: { value: 501, currency: 'USD' } },
    { ...capture, eventCode: 'REFUND' },
    { ...capture, pspReference: 'QFQTPCQ8HXSKGK83' },
    { ...capture, additionalData: {} },
    { ...capture, additionalData: { hmacSignature: 'AAAA' } },
  ]) {
    equal(isBelieved(letter(spoilt)), false)
    equal(isBelieved(letter(capture, spoilt)), false)
  }
  equal(isBelieved(letter()), false)
  for (const webhook_secret of [null, new Secret('no hex'), new Secret(''), new Secret(`${HMAC_KEY.slice(2)}00`)])
    equal(isBelieved(letter(capture), { ...account, webhook_secret }), false)
})

test('each webhook event gives the outcome of its operation, identified by all its references', () => {
  const read = (...items: Fields[]) =>
    adyen.webhook
      .read(letter(...items))
      .flatMap(update => ('outcome' in update ? [[update.of.map(name => Object.values(name).join(' ')), update.outcome]] : []))
  const summary = (fields: Fields) => {
    const [update] = read(fields)
    if (!update) return 'nothing'
    const [names, outcome] = update as [string[], Outcome]
    return `${names.join(', ')}: ${outcome.is}${'after_yes' in outcome ? ' after its yes' : ''}`
  }
  const payment = { pspReference: '993617895204576J', originalReference: undefined, merchantReference: 'REQ1' }
  // biome-ignore format: a table reads better in columns
  const events: [fields: Fields, news: string][] = [
    [item('AUTHORISATION', payment),                           'REQ1 authorize: done'],
    [item('AUTHORISATION', { ...payment, success: 'false', reason: 'Not enough balance' }), 'REQ1 authorize: declined'],
    [item('CAPTURE'),                                          'QFQTPCQ8HXSKGK82 capture, REQ2 capture: done'],
    [item('CAPTURE', { success: 'false' }),                    'QFQTPCQ8HXSKGK82 capture, REQ2 capture: declined'],
    [item('CAPTURE_FAILED'),                                   'QFQTPCQ8HXSKGK82 capture, REQ2 capture: declined after its yes'],
    [item('CANCELLATION'),                                     'QFQTPCQ8HXSKGK82 void, REQ2 void: done'],
    [item('TECHNICAL_CANCEL', { success: 'false' }),           'QFQTPCQ8HXSKGK82 void, REQ2 void: declined'],
    [item('REFUND'),                                           'QFQTPCQ8HXSKGK82 refund, REQ2 refund: done'],
    [item('REFUND_FAILED'),                                    'QFQTPCQ8HXSKGK82 refund, REQ2 refund, QFQTPCQ8HXSKGK82 post_capture_void, REQ2 post_capture_void: declined after its yes'],
    [item('REFUNDED_REVERSED'),                                'QFQTPCQ8HXSKGK82 refund, REQ2 refund, QFQTPCQ8HXSKGK82 post_capture_void, REQ2 post_capture_void: declined after its yes'],
    [item('AUTHORISATION_ADJUSTMENT'),                         'QFQTPCQ8HXSKGK82 increment, REQ2 increment, QFQTPCQ8HXSKGK82 extend, REQ2 extend: done'],
    [item('CANCEL_OR_REFUND', { success: 'false' }),           'QFQTPCQ8HXSKGK82 post_capture_void, REQ2 post_capture_void: declined'],
    [item('EXPIRE', payment),                                  'REQ1 authorize: lapsed'],
    [item('OFFER_CLOSED', payment),                            'REQ1 authorize: declined'],
    [item('CHARGEBACK'),                                       'nothing'],
    [item('REPORT_AVAILABLE'),                                 'nothing'],
    [item('CAPTURE', { success: true }),                       'nothing'],
    [item('CAPTURE', { amount: { value: 5.5, currency: 'USD' } }), 'nothing'],
  ]
  for (const [fields, expected] of events) equal(summary(fields), expected, JSON.stringify(fields))
  equal(read(...events.map(([fields]) => fields)).length, 14)
  const [[, refused]] = read(item('AUTHORISATION', { ...payment, success: 'false', reason: 'Not enough balance' })) as [[string[], Outcome]]
  deepEqual(
    refused.is === 'declined' && [refused.code, refused.processor_code],
    ['insufficient_funds', '12'],
    'as the direct answer would say it',
  )
})

test('a modification that is none of ours is a movement of the payment that its originalReference names', () => {
  const said = (fields: Fields) => {
    const [update] = adyen.webhook.read(letter(fields)) as WebhookUpdate[]
    const news = update?.is === 'outcome' ? update.otherwise : undefined
    return news?.is === 'payment' && news.report !== 'ask' ? news : null
  }
  const refund = said(item('REFUND', { merchantReference: 'REQ1', reason: '' }))!
  deepEqual(refund, {
    is: 'payment',
    of: [
      { reference: '993617895204576J', verb: 'authorize' },
      { request_id: 'REQ1', verb: 'authorize' },
    ],
    report: {
      ...{ reference: '993617895204576J', currency: 'USD', authorized: null, captured: null, refunded: null, held: null, released: null },
      movements: [
        {
          ...{ verb: 'refund', reference: 'QFQTPCQ8HXSKGK82', request_id: 'REQ1', state: 'done', reason: null },
          ...{ amount: { amount: 500, currency: 'USD' }, at: '2026-03-01T10:00:00.000Z' },
        },
      ],
      disputes: [],
    },
  })
  const short = (fields: Fields) => {
    const { report } = said(fields) ?? {}
    if (!report || report === 'ask') return 'nothing'
    const [{ verb, state, reason }] = report.movements as [Movement]
    return [verb, state, reason ?? '-', report.released ?? '-'].join(' ')
  }
  const did = (action: string) => ({ additionalData: { 'modification.action': action } })
  // biome-ignore format: a table reads better in columns
  const events: [fields: Fields, news: string][] = [
    [item('CAPTURE'),                                        'capture done - -'],
    [item('CAPTURE', { success: 'false', reason: 'Insufficient balance on payment' }), 'capture declined Insufficient balance on payment -'],
    [item('CANCELLATION'),                                   'void done - voided'],
    [item('CANCELLATION', { success: 'false' }),             'void declined - -'],
    [item('TECHNICAL_CANCEL'),                               'void done - voided'],
    [item('AUTHORISATION_ADJUSTMENT'),                       'increment done - -'],
    [item('CANCEL_OR_REFUND', did('cancel')),                'void done - voided'],
    [item('CANCEL_OR_REFUND', did('refund')),                'refund done - -'],
    [item('CANCEL_OR_REFUND'),                               'nothing'],
    [item('REFUND_FAILED'),                                  'refund declined - -'],
    [item('REFUNDED_REVERSED'),                              'refund declined - -'],
    [item('REFUND_FAILED', { success: 'false' }),            'nothing'],
    [item('REFUND', { originalReference: '' }),              'nothing'],
    [item('REFUND_WITH_DATA'),                               'nothing'],
    [item('AUTHORISATION'),                                  'nothing'],
  ]
  for (const [fields, expected] of events) equal(short(fields), expected, JSON.stringify(fields))
})

test('a capture that failed and is none of ours is told of its payment, by the reference of the payment', () => {
  const [update] = adyen.webhook.read(letter(item('CAPTURE_FAILED'))) as WebhookUpdate[]
  const payment = update?.is === 'outcome' ? update.otherwise : undefined
  ok(payment?.is === 'outcome' && payment.outcome !== 'ask' && payment.outcome.is === 'declined')
  deepEqual(
    [payment.of, payment.outcome.reference, payment.outcome.after_yes],
    [[{ request_id: 'REQ2', verb: 'authorize' }], '993617895204576J', true],
  )
})
