import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer, request } from 'node:http'
import { after, test } from 'node:test'
import { CheckoutAPI, Client, DisputesAPI, EnvironmentEnum, HttpURLConnectionClient, hmacValidator, type Types } from '@adyen/api-library'
import { openShop, openTestSandbox } from '../test-shop.ts'

/**
 * Adyen's dialect as Adyen's own client library finds it: it pays, captures, cancels and refunds, and believes what
 * it is sent.
 */

const { url } = await openTestSandbox()
const merchantAccount = 'ChairsMulti'
const HMAC_KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056'

/** All notifications, in the order in which they come. */
const letters: Types.notification.Notification[] = []
const postbox = createServer(async (asked, answer) => {
  let text = ''
  for await (const chunk of asked) text += chunk
  letters.push(JSON.parse(text))
  answer.writeHead(202).end()
})
await new Promise<void>(resolve => postbox.listen(0, '127.0.0.1', resolve))
after(() => postbox.close())

/** The library speaks only https, and to Adyen: its connection is another here, all else is its own. */
function openClient(key = `sandbox_${randomUUID()}`) {
  const connection = new HttpURLConnectionClient()
  Object.assign(connection, {
    createRequest(endpoint: string, { headers, idempotencyKey }: { headers: Record<string, string>; idempotencyKey?: string }) {
      const address = `${url}/adyen${new URL(endpoint).pathname.replace(/^\/v\d+/, '')}`
      return request(address, { method: 'POST', headers: { ...headers, ...(idempotencyKey && { 'idempotency-key': idempotencyKey }) } })
    },
  })
  const client = new Client({ apiKey: key, environment: EnvironmentEnum.TEST }, connection)
  const { PaymentsApi, ModificationsApi } = new CheckoutAPI(client)
  return {
    disputes: new DisputesAPI(client).DisputesApi,
    payments: PaymentsApi,
    modifications: ModificationsApi,
    sandbox: openShop(url, { key }),
  }
}

test('the payment methods of a merchant account are listed, and a wrong key is refused', async () => {
  const { payments } = openClient()
  const { paymentMethods } = await payments.paymentMethods({ merchantAccount })
  const types = paymentMethods!.map(({ type }) => type)
  for (const type of ['scheme', 'ideal', 'klarna', 'sepadirectdebit', 'pix', 'oxxo']) ok(types.includes(type), type)
  await rejects(openClient('sk_invalid').payments.paymentMethods({ merchantAccount }), { statusCode: 401 })
})

type Payments = ReturnType<typeof openClient>['payments']

/** A payment as a shop would make it: the enums of the library are their own words. */
const pay = (payments: Payments, more: object = {}, card: object = {}, idempotencyKey?: string) =>
  payments.payments(
    {
      merchantAccount,
      amount: { value: 1250, currency: 'USD' },
      reference: `order ${randomUUID()}`,
      returnUrl: 'https://shop.example/back?cart=7',
      paymentMethod: {
        type: 'scheme',
        number: '4111111111111111',
        expiryMonth: '03',
        expiryYear: '2090',
        cvc: '737',
        holderName: 'Ada',
        ...card,
      },
      ...more,
    } as Types.checkout.PaymentRequest,
    idempotencyKey === undefined ? undefined : { idempotencyKey },
  )

test('a field that Adyen does not know is refused at any depth, and nothing is paid', async () => {
  // Its library leaves out what it does not know itself.
  const headers = { 'x-api-key': `sandbox_${randomUUID()}`, 'content-type': 'application/json' }
  const payment = {
    ...{ merchantAccount, amount: { value: 1250, currency: 'USD' }, reference: 'order', returnUrl: 'https://shop.example' },
    paymentMethod: { type: 'scheme', number: '4111111111111111', expiryMonth: '03', expiryYear: '2090' },
  }
  const paid = (more: object) => fetch(`${url}/adyen/payments`, { method: 'POST', headers, body: JSON.stringify({ ...payment, ...more }) })
  equal((await paid({})).status, 200)
  const browserInfo = { acceptHeader: '*/*', colorDepth: 24, javaEnabled: false, language: 'en', screenHeight: 1, screenWidth: 1 }
  for (const [name, more] of Object.entries({
    PaymentRequest: { bogusMember: true },
    ThreeDS2RequestFields: { threeDS2RequestData: { threeDSRequestorChallengeInd: '04', deviceChannel: 'browser' } },
    ThreeDSRequestData: { authenticationData: { attemptAuthentication: 'always', threeDSRequestData: { bogusMember: '1' } } },
    BrowserInfo: { browserInfo: { ...browserInfo, timeZoneOffset: 0, userAgent: 'x', bogusMember: 1 } },
    LineItem: { lineItems: [{ quantity: 1 }, { quantity: 1, unitOfMeasure: 'EA' }] },
    ShopperName: { shopperName: { firstName: 'Ada', lastName: 'Byron', gender: 'UNKNOWN' } },
    SplitAmount: { splits: [{ type: 'Commission', reference: 'a', amount: { value: 1250, currency: 'USD', bogusMember: 1 } }] },
    CommonField: { applicationInfo: { merchantApplication: { name: 'Shop', bogusMember: 1 } } },
    additionalData: { additionalData: { bogusMember: '1' } },
  })) {
    const reply = await paid(more)
    equal(reply.status, 400, name)
    const { errorCode, message } = (await reply.json()) as { errorCode: string; message: string }
    equal(errorCode, '702')
    ok(message.startsWith(`Structure of ${name} contains the following unknown fields`), message)
  }
})

test('the Adyen client library does native 3-D Secure 2: fingerprint, then challenge, and the result of the issuer decides', async () => {
  const { payments, sandbox } = await announcing()
  const browserInfo = {
    ...{ acceptHeader: '*/*', colorDepth: 24, javaEnabled: false, language: 'en', screenHeight: 1, screenWidth: 1 },
    ...{ timeZoneOffset: 0, userAgent: 'x' },
  }
  const native = {
    ...{ browserInfo, channel: 'Web', origin: 'https://shop.example' },
    authenticationData: { attemptAuthentication: 'always', threeDSRequestData: { nativeThreeDS: 'preferred' } },
    threeDS2RequestData: { notificationURL: 'https://shop.example/ended' },
  }
  const inBase64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64')
  const tokenOf = ({ action }: { action?: unknown }) =>
    JSON.parse(Buffer.from((action as { token: string }).token, 'base64').toString()) as Record<string, string>
  const dataOf = ({ action }: { action?: unknown }) => (action as { paymentData: string }).paymentData
  const seen = (one: { action?: unknown }, threeDSCompInd = 'Y') =>
    payments.paymentsDetails({ details: { threeds2_fingerprint: inBase64({ threeDSCompInd }) }, paymentData: dataOf(one) })
  const ended = (one: { action?: unknown }, transStatus = 'Y') =>
    payments.paymentsDetails({ details: { threeds2_challengeResult: inBase64({ transStatus }) }, paymentData: dataOf(one) })

  const frictionless = await pay(payments, native, { number: '5201281505129736' })
  deepEqual([frictionless.resultCode, (frictionless.action as { subtype: string }).subtype], ['IdentifyShopper', 'fingerprint'])
  ok(tokenOf(frictionless).threeDSMethodURL && tokenOf(frictionless).threeDSMethodNotificationURL)
  await rejects(ended(frictionless), { statusCode: 422 })
  equal((await seen(frictionless)).resultCode, 'Authorised')
  equal((await seen(frictionless, 'N')).resultCode, 'Authorised', 'done again')

  const looked = await pay(payments, native, { number: '4917610000000000' })
  equal(tokenOf(looked).threeDSMethodURL, undefined)
  const challenged = await seen(looked, 'U')
  deepEqual([challenged.resultCode, tokenOf(challenged).threeDSNotificationURL], ['ChallengeShopper', 'https://shop.example/ended'])
  equal((await seen(looked, 'Y')).resultCode, 'ChallengeShopper')
  const lie = await ended(challenged)
  deepEqual([lie.resultCode, lie.refusalReasonCode], ['Refused', '11'])

  const atOnce = await pay(payments, native, { number: '4212345678910006' })
  equal(atOnce.resultCode, 'ChallengeShopper')
  const { acsURL, acsTransID, threeDSServerTransID } = tokenOf(atOnce)
  equal((await fetch(`${acsURL}/${threeDSServerTransID}/${acsTransID}/accept`, { method: 'POST' })).status, 200)
  equal((await ended(atOnce, 'N')).resultCode, 'Authorised', 'the issuer has told Adyen')

  for (const more of [{ browserInfo: undefined }, { channel: undefined }, { threeDS2RequestData: undefined }])
    equal((await pay(payments, { ...native, ...more }, { number: '4212345678910006' })).resultCode, 'RedirectShopper')
  await rejects(pay(payments, { ...native, threeDS2RequestData: { notificationURL: 'x' } }), { statusCode: 422 })
  await rejects(payments.paymentsDetails({ details: { threeds2_fingerprint: 'e30=' }, paymentData: 'made up' }), { statusCode: 422 })
  equal((await sandbox.charges()).length, 2)
})

test('the Adyen client library pays by iDEAL, voucher, QR code and direct debit, with the result code and action of each', async () => {
  const { payments, sandbox } = await announcing()
  const EUR = { amount: { value: 1250, currency: 'EUR' } }
  const by = (paymentMethod: object, more: object = EUR) => pay(payments, { ...more, paymentMethod })
  const ideal = await by({ type: 'ideal' })
  deepEqual([ideal.resultCode, ideal.action!.type, ideal.action!.paymentMethodType], ['RedirectShopper', 'redirect', 'ideal'])
  const accepted = await fetch(`${(ideal.action as { url: string }).url}/accept`, { method: 'POST', redirect: 'manual' })
  const redirectResult = new URL(accepted.headers.get('location')!).searchParams.get('redirectResult')!
  const { resultCode, merchantReference } = await payments.paymentsDetails({ details: { redirectResult } })
  deepEqual([resultCode, merchantReference], ['Authorised', ideal.merchantReference])
  const voucher = await by({ type: 'multibanco' })
  deepEqual([voucher.resultCode, voucher.action!.type], ['PresentToShopper', 'voucher'])
  const code = await by({ type: 'swish' }, { amount: { value: 1250, currency: 'SEK' } })
  deepEqual([code.resultCode, code.action!.type], ['Pending', 'qrCode'])
  const debit = await by({ type: 'sepadirectdebit', iban: 'DE89370400440532013000', ownerName: 'Ada Byron' })
  deepEqual([debit.resultCode, debit.action], ['Received', undefined])
  await sandbox.advance(61)
  deepEqual(
    (await announced(sandbox)).map(({ eventCode, success, paymentMethod }) => `${eventCode} ${success} ${paymentMethod}`),
    ['AUTHORISATION true ideal', 'AUTHORISATION true sepadirectdebit'],
  )
})

test('a payment method with missing or unknown fields or an unsupported currency is refused with the error of Adyen', async () => {
  // Its library leaves out what it does not know itself.
  const headers = { 'x-api-key': `sandbox_${randomUUID()}`, 'content-type': 'application/json' }
  const refused = async (paymentMethod: object, currency: string, status: number, pattern: RegExp) => {
    const payment = {
      merchantAccount,
      amount: { value: 1250, currency },
      reference: 'order',
      returnUrl: 'https://shop.example',
      paymentMethod,
    }
    const reply = await fetch(`${url}/adyen/payments`, { method: 'POST', headers, body: JSON.stringify(payment) })
    equal(reply.status, status)
    const { message } = (await reply.json()) as { message: string }
    ok(pattern.test(message), message)
  }
  await refused({ type: 'ideal' }, 'USD', 422, /ideal does not support USD/)
  await refused({ type: 'sepadirectdebit', ownerName: 'Ada' }, 'EUR', 422, /paymentMethod\.iban/)
  await refused({ type: 'ideal', iban: 'DE89370400440532013000' }, 'EUR', 400, /Structure of IdealDetails .*\[iban\]/)
  await refused({ type: 'klarna' }, 'EUR', 422, /'lineItems'/)
  await refused({ type: 'knet', number: '4111111111111111' }, 'KWD', 400, /Structure of PaymentDetails/)
  await refused({ type: 'giropay' }, 'EUR', 422, /not supported/)
})

const hold = { additionalData: { manualCapture: 'true' } }
const amount = (value: number) => ({ value, currency: 'USD' })

async function announcing() {
  const client = openClient()
  const address = `http://127.0.0.1:${(postbox.address() as { port: number }).port}`
  await client.sandbox.settings({ webhook_url: address, webhook_secret: HMAC_KEY })
  letters.length = 0
  return client
}

/** What was announced so far, each item verified by the library itself: code, success and reason. */
async function announced(sandbox: ReturnType<typeof openClient>['sandbox']) {
  await sandbox.advance(0)
  return letters.flatMap(({ notificationItems }) =>
    notificationItems!.map(({ NotificationRequestItem: item }) => {
      ok(hmacValidator.prototype.validateHMAC.call(new hmacValidator(), item, HMAC_KEY))
      return item
    }),
  )
}
const notified = async (sandbox: ReturnType<typeof openClient>['sandbox']) =>
  (await announced(sandbox)).map(({ eventCode, success }) => `${eventCode} ${success}`)

test('the Adyen client library pays by card, and the response has the result and the authorization data', async () => {
  const { payments, sandbox } = openClient()
  const paid = await pay(payments)
  deepEqual([paid.resultCode, paid.amount?.value, paid.refusalReason], ['Authorised', 1250, undefined])
  equal(paid.pspReference!.length, 16)
  ok(paid.additionalData!.authCode && paid.additionalData!.networkTxReference)
  deepEqual(
    (await sandbox.charges()).map(({ payment, captured, status }: Record<string, unknown>) => [payment, captured, status]),
    [[paid.pspReference, 1250, 'captured']],
  )
})

test('an authorization is captured in part, cancelled for the rest and refunded in part; each is received, then confirmed by webhook', async () => {
  const { payments, modifications, sandbox } = await announcing()
  const { pspReference: psp } = await pay(payments, hold)
  const captured = await modifications.captureAuthorisedPayment(psp!, { merchantAccount, amount: amount(700), reference: 'cap 1' })
  deepEqual([captured.status, captured.paymentPspReference, captured.reference], ['received', psp, 'cap 1'])
  await modifications.cancelAuthorisedPaymentByPspReference(psp!, { merchantAccount })
  const refunded = await modifications.refundCapturedPayment(psp!, { merchantAccount, amount: amount(300), reference: 'ref 1' })
  equal(refunded.status, 'received')
  deepEqual(await notified(sandbox), ['AUTHORISATION true', 'CAPTURE true', 'CANCELLATION true', 'REFUND true'])
  const [, capture] = await announced(sandbox)
  deepEqual(
    [capture!.pspReference, capture!.originalReference, capture!.merchantReference, capture!.amount],
    [captured.pspReference, psp, 'cap 1', amount(700)],
  )
  const [charge] = await sandbox.charges()
  deepEqual([charge.captured, charge.refunded, charge.status], [700, 300, 'captured'])
})

test('an impossible refund or cancellation is received, and its failure is sent by webhook', async () => {
  const { payments, modifications, sandbox } = await announcing()
  const { pspReference: psp } = await pay(payments)
  for (const value of [1250, 1])
    equal((await modifications.refundCapturedPayment(psp!, { merchantAccount, amount: amount(value) })).status, 'received')
  equal((await modifications.cancelAuthorisedPaymentByPspReference(psp!, { merchantAccount })).status, 'received')
  deepEqual(await notified(sandbox), ['AUTHORISATION true', 'REFUND true', 'REFUND false', 'CANCELLATION false'])
  deepEqual((await announced(sandbox)).at(2)!.reason, 'Insufficient balance on payment')
})

test('a partial capture releases the rest, except for accounts with multiple captures', async () => {
  const { payments, modifications, sandbox } = openClient()
  const once = await pay(payments, { ...hold, merchantAccount: 'Chairs' })
  await modifications.captureAuthorisedPayment(once.pspReference!, { merchantAccount: 'Chairs', amount: amount(700) })
  const several = await pay(payments, hold)
  await modifications.captureAuthorisedPayment(several.pspReference!, { merchantAccount, amount: amount(700) })
  deepEqual(
    (await sandbox.charges()).map(({ status }: { status: string }) => status),
    ['captured', 'partially_captured'],
  )
})

test('a payment is cancelled by its merchant reference; a reversal cancels or refunds it according to its status', async () => {
  const { payments, modifications, sandbox } = await announcing()
  await pay(payments, { ...hold, reference: 'order A' })
  await modifications.cancelAuthorisedPayment({ merchantAccount, paymentReference: 'order A' })
  const held = await pay(payments, hold)
  const paid = await pay(payments)
  for (const { pspReference } of [held, paid]) await modifications.refundOrCancelPayment(pspReference!, { merchantAccount })
  equal((await modifications.cancelAuthorisedPayment({ merchantAccount, paymentReference: 'nobody' })).status, 'received')
  const items = (await announced(sandbox)).filter(({ eventCode }) => String(eventCode) !== 'AUTHORISATION')
  deepEqual(
    items.map(({ eventCode, additionalData }) => [eventCode, additionalData?.['modification.action']]),
    [
      ['TECHNICAL_CANCEL', undefined],
      ['CANCEL_OR_REFUND', 'cancel'],
      ['CANCEL_OR_REFUND', 'refund'],
    ],
  )
  deepEqual(
    (await sandbox.charges()).map(({ status, refunded }: Record<string, unknown>) => [status, refunded]),
    [
      ['voided', 0],
      ['voided', 0],
      ['captured', 1250],
    ],
  )
})

test('an authorized amount can be raised, and cannot be lowered below the captured amount', async () => {
  const { payments, modifications, sandbox } = await announcing()
  const { pspReference: psp } = await pay(payments, hold)
  await modifications.updateAuthorisedAmount(psp!, { merchantAccount, amount: amount(2000), reference: 'more' })
  await modifications.captureAuthorisedPayment(psp!, { merchantAccount, amount: amount(1500) })
  await modifications.updateAuthorisedAmount(psp!, { merchantAccount, amount: amount(1000) })
  const expected = ['AUTHORISATION true', 'AUTHORISATION_ADJUSTMENT true', 'CAPTURE true', 'AUTHORISATION_ADJUSTMENT false']
  deepEqual(await notified(sandbox), expected)
  equal((await sandbox.charges())[0].amount, 2000)
})

test('the cardholder name or a test response code selects the refusal', async () => {
  const { payments } = openClient()
  // biome-ignore format: a table reads better in columns
  const refusals: [card: object, more: object, resultCode: string, code: string | undefined, reason: string | undefined][] = [
    [{ holderName: 'APPROVED' },           {}, 'Authorised', undefined, undefined],
    [{ holderName: 'DECLINED' },           {}, 'Refused',    '2',  'Refused'],
    [{ holderName: 'CARD_EXPIRED' },       {}, 'Refused',    '6',  'Expired Card'],
    [{ holderName: 'NOT_ENOUGH_BALANCE' }, {}, 'Refused',    '12', 'Not enough balance'],
    [{ holderName: 'CVC_DECLINED' },       {}, 'Refused',    '24', 'CVC Declined'],
    [{ holderName: 'BLOCK_CARD' },         {}, 'Refused',    '5',  'Blocked Card'],
    [{ holderName: 'ERROR' },              {}, 'Error',      '4',  'Acquirer Error'],
    [{},  { additionalData: { RequestedTestAcquirerResponseCode: '3' } }, 'Refused', '3', 'Referral'],
    [{},  { additionalData: { RequestedTestAcquirerResponseCode: '1' } }, 'Authorised', undefined, undefined],
    [{ number: '4000000000009987' },       {}, 'Refused',    '5',  'Blocked Card'],
  ]
  for (const [card, more, ...expected] of refusals) {
    const { resultCode, refusalReasonCode, refusalReason } = await pay(payments, more, card)
    deepEqual([resultCode, refusalReasonCode, refusalReason], expected, JSON.stringify([card, more]))
  }
})

test('invalid requests are refused with the status and error code of Adyen', async () => {
  const { payments, modifications } = openClient()
  const refused = async (asked: Promise<unknown>, statusCode: number, errorCode: string) =>
    rejects(asked, (error: { statusCode: number; errorCode: string }) => {
      deepEqual([error.statusCode, error.errorCode], [statusCode, errorCode])
      return true
    })
  await refused(pay(payments, {}, { number: '4111111111111112' }), 422, '101')
  await refused(pay(payments, {}, { cvc: '12' }), 422, '103')
  await refused(pay(payments, { returnUrl: undefined }), 422, '14_030')
  await refused(pay(payments, { reference: undefined }), 422, '130')
  await refused(pay(payments, { merchantAccount: 'Invalid' }), 403, '901')
  // The library itself leaves out what Adyen does not know.
  for (const body of [{ oder: 'A1' }, { browserInfo: {} }, { reference: null }, []]) {
    const headers = { 'x-api-key': 'sandbox_somebody' }
    const answer = await fetch(`${url}/adyen/payments`, { method: 'POST', headers, body: JSON.stringify(body) })
    equal(answer.status, 400, JSON.stringify(body))
    const { status, errorCode, errorType } = (await answer.json()) as Record<string, unknown>
    deepEqual([status, errorCode, errorType], [400, '702', 'validation'])
  }
  await refused(modifications.captureAuthorisedPayment('QFQTPCQ8HXSKGK82', { merchantAccount, amount: amount(1) }), 422, '167')
  const paid = await pay(payments)
  const other = { merchantAccount: 'Tables', amount: amount(1) }
  await refused(modifications.refundCapturedPayment(paid.pspReference!, other), 403, '901')
  const euros = { merchantAccount, amount: { value: 1, currency: 'EUR' } }
  await refused(modifications.refundCapturedPayment(paid.pspReference!, euros), 422, '138')
  await refused(pay(openClient('sk_invalid').payments), 401, '000')
})

test('an idempotency key returns the first response again, and is refused with another body', async () => {
  const { payments, modifications, sandbox } = openClient()
  const more = { ...hold, reference: 'order A' }
  const first = await pay(payments, more, {}, 'key-1')
  await modifications.captureAuthorisedPayment(first.pspReference!, { merchantAccount, amount: amount(1250) }, { idempotencyKey: 'key-2' })
  deepEqual(await pay(payments, more, {}, 'key-1'), first)
  await modifications.captureAuthorisedPayment(first.pspReference!, { merchantAccount, amount: amount(1250) }, { idempotencyKey: 'key-2' })
  await rejects(pay(payments, { ...more, reference: 'order B' }, {}, 'key-1'), { errorCode: '704' })
  deepEqual(
    (await sandbox.ledger()).operations.map(({ type }: Record<string, unknown>) => type),
    ['authorization', 'capture'],
  )
})

/** The shopper at their bank; gives what they bring back. */
async function shopper(action: { url?: string }, answer: 'accept' | 'reject') {
  const gone = await fetch(`${action.url}/${answer}`, { method: 'POST', redirect: 'manual' })
  const back = new URL(gone.headers.get('location')!)
  equal(back.searchParams.get('cart'), '7')
  return back.searchParams.get('redirectResult')!
}

test('a 3-D Secure redirect is decided only by the redirectResult that the shop submits', async () => {
  const { payments, sandbox } = await announcing()
  const challenge = { number: '4212345678901237' }
  const asked = await pay(payments, { authenticationData: { attemptAuthentication: 'always' } }, challenge)
  deepEqual([asked.resultCode, (asked.action as { type: string }).type], ['RedirectShopper', 'redirect'])
  await rejects(payments.paymentsDetails({ details: { redirectResult: 'X6XtfGC3!made up' } }), { statusCode: 422 })
  const brought = await shopper(asked.action as { url: string }, 'accept')
  deepEqual(await sandbox.charges(), [], 'only the shop can have it decided')
  equal(await shopper(asked.action as { url: string }, 'reject'), brought, 'the first answer counts')
  const done = await payments.paymentsDetails({ details: { redirectResult: brought } })
  deepEqual([done.resultCode, done.amount?.value], ['Authorised', 1250])
  ok(done.pspReference !== asked.pspReference)
  equal((await payments.paymentsDetails({ details: { redirectResult: brought } })).resultCode, 'Authorised')
  deepEqual(await notified(sandbox), ['AUTHORISATION true'])

  const other = await pay(payments, {}, challenge)
  const no = await payments.paymentsDetails({ details: { redirectResult: await shopper(other.action as { url: string }, 'reject') } })
  deepEqual([no.resultCode, no.refusalReasonCode, no.refusalReason], ['Refused', '11', '3D Not Authenticated'])
  const never = await pay(payments, { authenticationData: { attemptAuthentication: 'never' } }, challenge)
  deepEqual([never.resultCode, never.refusalReasonCode], ['Refused', '38'])
})

test('an abandoned challenge and an expired authorization are reported by webhook', async () => {
  const { payments, sandbox } = await announcing()
  await pay(payments, {}, { number: '4212345678901237' })
  await pay(payments, hold)
  await sandbox.advance(10 * 3600)
  await sandbox.advance(7 * 24 * 3600)
  deepEqual(await notified(sandbox), ['AUTHORISATION true', 'OFFER_CLOSED true', 'EXPIRE true'])
})

test('a capture and a refund that fail later are reported as successful first', async () => {
  const { payments, modifications, sandbox } = await announcing()
  const held = await pay(payments, hold, { number: '4000000000000382' })
  await modifications.captureAuthorisedPayment(held.pspReference!, { merchantAccount, amount: amount(1250) })
  const paid = await pay(payments, {}, { number: '4000000000005126' })
  await modifications.refundCapturedPayment(paid.pspReference!, { merchantAccount, amount: amount(1250) })
  const before = ['AUTHORISATION true', 'CAPTURE true', 'AUTHORISATION true', 'REFUND true']
  deepEqual(await notified(sandbox), before)
  await sandbox.advance(61)
  deepEqual(await notified(sandbox), [...before, 'CAPTURE_FAILED true', 'REFUND_FAILED true'])
})

test('a test can order any notification for a payment, such as a chargeback', async () => {
  const { payments, sandbox } = await announcing()
  const { pspReference: payment } = await pay(payments)
  const { json } = await sandbox.call('POST', '/control/adyen/notifications', { payment, eventCode: 'CHARGEBACK' })
  const item = (await announced(sandbox)).at(-1)!
  deepEqual(
    [item.eventCode, item.pspReference, item.originalReference, item.amount],
    ['CHARGEBACK', json.pspReference, payment, amount(1250)],
  )
  equal((await sandbox.call('POST', '/control/adyen/notifications', { payment, eventCode: 'no code' })).status, 400)
})

test('a card is stored for a shopper and charged off-session; so is a card by its network transaction reference', async () => {
  const { payments, sandbox } = openClient()
  const shopper = { shopperReference: 'shop_ada', recurringProcessingModel: 'UnscheduledCardOnFile' }
  const { additionalData } = await pay(payments, { ...shopper, storePaymentMethod: true })
  const stored = additionalData!['tokenization.storedPaymentMethodId']!
  equal(additionalData!['tokenization.shopperReference'], 'shop_ada')
  const bare = { number: undefined, expiryMonth: undefined, expiryYear: undefined, cvc: undefined, holderName: undefined }
  const again = { ...shopper, shopperInteraction: 'ContAuth' }
  equal((await pay(payments, again, { ...bare, storedPaymentMethodId: stored })).resultCode, 'Authorised')
  const known = { ...again, additionalData: { networkTxReference: 'MCC123456789012' } }
  equal((await pay(payments, known, { cvc: undefined })).resultCode, 'Authorised')
  deepEqual(
    (await sandbox.charges()).map((one: { by?: string }) => one.by),
    [undefined, 'mandate', 'network_transaction_id'],
  )
  for (const [more, card] of [
    [
      { ...again, shopperReference: 'shop_bob' },
      { ...bare, storedPaymentMethodId: stored },
    ],
    [again, { ...bare, storedPaymentMethodId: 'S0000000000000000' }],
    [again, {}],
    [{ shopperReference: 'shop_ada', storePaymentMethod: true }, {}],
  ] as const)
    await rejects(pay(payments, more, card))
})

test('a chargeback is defended with documents or accepted with the Adyen client library', async () => {
  const { payments, disputes, sandbox } = openClient()
  const dispute = async () => {
    const { pspReference } = await pay(payments)
    const { json } = await sandbox.call('POST', `/control/payments/${pspReference}/dispute`, {})
    return { merchantAccountCode: merchantAccount, disputePspReference: json.id as string }
  }
  const first = await dispute()
  const { defenseReasons } = await disputes.retrieveApplicableDefenseReasons(first)
  const [reason] = defenseReasons!
  const [type] = reason!.defenseDocumentTypes!
  const about = { ...first, defenseReasonCode: reason!.defenseReasonCode }
  equal((await disputes.defendDispute(about)).disputeServiceResult.success, false, 'without a document')
  const document = { content: Buffer.from('%PDF-1.7').toString('base64'), contentType: 'application/pdf' }
  const defenseDocuments = [{ ...document, defenseDocumentTypeCode: type!.defenseDocumentTypeCode }]
  const foreign = [{ ...document, defenseDocumentTypeCode: 'GoodsRepairedOrReplaced' }]
  for (const refused of [foreign, [...defenseDocuments, ...defenseDocuments]]) {
    const answer = await disputes.supplyDefenseDocument({ ...first, defenseDocuments: refused })
    equal(answer.disputeServiceResult.success, false, 'a document of no defence, or two of one type')
  }
  equal((await disputes.supplyDefenseDocument({ ...first, defenseDocuments })).disputeServiceResult.success, true)
  equal((await disputes.defendDispute(about)).disputeServiceResult.success, true)
  equal((await disputes.acceptDispute(first)).disputeServiceResult.success, false, 'it is defended')
  const second = await dispute()
  equal((await disputes.acceptDispute(second)).disputeServiceResult.success, true)
  equal((await disputes.acceptDispute({ ...second, disputePspReference: 'NONE' })).disputeServiceResult.success, false)
})
