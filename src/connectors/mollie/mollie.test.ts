import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import type { MollieClient, PaymentCreateParams } from '@mollie/api-client'
import { holds, type Row, usualAsk } from '../../../test/card-ask.ts'
import { exactly, type Plain } from '../../../test/exactly.ts'
import { notSent, rehearse, replied, silence } from '../../../test/rehearse.ts'
import { paidBy } from '../../../test/ways.ts'
import { Secret } from '../../base/secret.ts'
import { families } from '../../instruments/families.ts'
import type { Account, RequestOf, SyncRequest } from '../connector.ts'
import { uuidOf } from '../kit/request.ts'
import { mollie } from './connector.ts'
import { type MollieRow, mollieOffers, rowNamed } from './offers.ts'
import * as wire from './requests.ts'

/** Mollie's requests, checked against the types of its own client, and the outcomes of its answers. */

const account: Account = {
  base_url: 'https://api.mollie.com/v2',
  credentials: { api_key: new Secret('live_unspeakable') },
  webhook_secret: new Secret('signing'),
  webhook_url: 'https://pay.example/webhooks/m/mca_1',
  metadata: {},
}
const money = { amount: 1250, currency: 'EUR' } as const
const billing = {
  ...{ first_name: 'Ada', last_name: 'Byron', line1: '1 St', city: 'Ghent', zip: '9000', country: 'BE' as const },
  ...{ email: 'ada@shop.example', phone: '+32470000000' },
}

const instrumentOf = (type: string, more: object = {}): wire.MollieAsk['instrument'] => {
  const { family, ways } = rowNamed(type)!
  const { payment_method_type, payment_method_data } = paidBy(family, Object.keys(ways)[0]!, more)
  return families[family].read(payment_method_data[family], '2026-03-01T10:00:00.000Z', payment_method_type) as wire.MollieAsk['instrument']
}
const asked = (type: string, more: Partial<wire.MollieAsk> = {}): wire.MollieAsk => ({
  request_id: 'REQ1',
  money,
  capture: 'automatic',
  instrument: instrumentOf(type),
  ...usualAsk,
  purchase: {
    billing,
    description: 'Two chairs',
    lines: [{ product_name: 'Chair', quantity: 2, amount: 625, tax_rate: 21, total_tax_amount: 217 }],
  },
  ...more,
})

const amount = { currency: 'EUR', value: '12.50' }
const payment = {
  ...{ resource: 'payment', id: 'tr_1', status: 'open', amount, metadata: { request_id: 'REQ1' }, createdAt: '2026-03-01T10:00:00+00:00' },
  _links: { checkout: { href: 'https://www.mollie.com/checkout/1', type: 'text/html' } },
}
const begin = (type: string, more: Partial<wire.MollieAsk> = {}, replies = [replied(201, payment)]) =>
  rehearse(mollie.authorize(asked(type, more), account), replies)
const bodyOf = ({ requests }: Pick<ReturnType<typeof begin>, 'requests'>) => JSON.parse(requests.at(-1)!.body!)

/**
 * Mollie's types with the string values of their enums. The types lack metadata, and their address requires a street
 * and has no phone, unlike Mollie's OpenAPI document.
 */
type Vendor<T, Path extends string = never> = Omit<Plain<T>, 'billingAddress' | 'shippingAddress' | 'metadata' | 'method' | Path> & {
  billingAddress?: Address
  shippingAddress?: Address
  metadata?: Record<string, string>
  method?: unknown
}
type Address = Partial<NonNullable<Plain<PaymentCreateParams>['billingAddress']>> & { phone?: string }
type Made<Of extends 'paymentCaptures' | 'paymentRefunds' | 'customers' | 'customerMandates'> = Parameters<MollieClient[Of]['create']>[0]
const captureAsk: RequestOf<'capture'> = {
  request_id: 'REQ2',
  authorization: { reference: 'tr_1', request_id: 'REQ1' },
  money,
  rest: 'keep',
}

test('each request matches the types of the Mollie client', () => {
  for (const [type, row] of Object.entries(mollieOffers) as [string, MollieRow][]) {
    const ask = asked(type)
    for (const way of Object.values(row.ways)) {
      const paying = way({ payment_data: '{"version":"EC_v1"}', token: 'tkn_1' })
      ok(paying, type)
      exactly<Vendor<PaymentCreateParams>>()(wire.molliePaymentBody(ask, row, paying, ask.purchase, 'cst_1', account))
    }
  }
  exactly<Vendor<PaymentCreateParams>>()(wire.chargeBody(asked('ideal'), 'cst_1', 'mdt_1', account))
  exactly<Vendor<Made<'paymentCaptures'>, 'paymentId'>>()(wire.mollieCaptureBody(captureAsk))
  exactly<Vendor<Made<'paymentRefunds'>, 'paymentId'>>()(wire.mollieRefundBody({ ...captureAsk, reason: 'damaged' }))
  exactly<Vendor<Made<'customers'>>>()(wire.customerBody('shop_ada', { name: 'Ada Byron', email: 'ada@shop.example' }))
  exactly<Vendor<Made<'customerMandates'>, 'customerId'>>()(wire.mandateBody(asked('sepa'), { iban: 'NL55INGB0000000000' }, 'Ada Byron'))
})

test('a payment is one request under a UUID derived from our request id, which is in its metadata', () => {
  const { requests, outcome } = begin('ideal', { metadata: { cart: '7' } })
  const [{ url, headers }] = requests as [(typeof requests)[number]]
  deepEqual(
    [url, headers.authorization, headers['idempotency-key']],
    ['https://api.mollie.com/v2/payments', 'Bearer live_unspeakable', uuidOf('REQ1')],
  )
  match(uuidOf('REQ1'), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  deepEqual(bodyOf({ requests }), {
    amount,
    description: 'Two chairs',
    metadata: { cart: '7', request_id: 'REQ1' },
    webhookUrl: 'https://pay.example/webhooks/m/mca_1',
    method: 'ideal',
    redirectUrl: 'https://shop.example/return',
    billingAddress: {
      ...{ givenName: 'Ada', familyName: 'Byron', streetAndNumber: '1 St', city: 'Ghent', country: 'BE', postalCode: '9000' },
      ...{ email: 'ada@shop.example', phone: '+32470000000' },
    },
  })
  deepEqual(outcome, {
    is: 'waiting',
    reference: 'tr_1',
    next_action: { type: 'redirect_to_url', url: 'https://www.mollie.com/checkout/1' },
  })
})

test('a pay-later payment has its order lines and other charges; other payments have none', () => {
  const { purchase } = asked('klarna')
  const { lines } = bodyOf(begin('klarna', { purchase: { ...purchase, on_top: { shipping: 500 } } }))
  const [chair, shipping] = lines
  deepEqual(
    [chair.unitPrice, chair.totalAmount, chair.vatRate, chair.vatAmount],
    [{ currency: 'EUR', value: '6.25' }, amount, '21.00', { currency: 'EUR', value: '2.17' }],
  )
  deepEqual([shipping.type, shipping.totalAmount.value], ['shipping_fee', '5.00'])
  equal(bodyOf(begin('ideal')).lines, undefined)
})

test('an Apple Pay token is assembled from the payment data; one that cannot be read is not sent', () => {
  const paymentData = { version: 'EC_v1', data: 'sealed' }
  const instrument = instrumentOf('apple_pay', { payment_data: Buffer.from(JSON.stringify(paymentData)).toString('base64') })
  const { method, applePayPaymentToken } = bodyOf(begin('apple_pay', { instrument }))
  equal(method, 'applepay')
  deepEqual(JSON.parse(applePayPaymentToken), {
    paymentData,
    paymentMethod: { displayName: 'Visa 4242', network: 'Visa', type: 'debit' },
    transactionIdentifier: 'TRANSACTION',
  })
  deepEqual(begin('apple_pay', {}, []).requests, [])
})

test('a webhook URL that Mollie cannot reach is left out, and so is metadata that is too long, but not our request id', () => {
  const here = { ...account, webhook_url: 'http://localhost:8080/webhooks/m/mca_1' }
  const { requests } = rehearse(mollie.authorize(asked('ideal', { metadata: { long: 'x'.repeat(1000) } }), here), [replied(201, payment)])
  const { webhookUrl, metadata } = bodyOf({ requests })
  deepEqual([webhookUrl, metadata], [undefined, { request_id: 'REQ1' }])
})

const agrees = { stored_credential: { is: 'made', usage: 'off_session', customer: 'shop_ada' } } as const
const customer = replied(201, { resource: 'customer', id: 'cst_1' })
const gone = replied(410, { status: 410, title: 'Gone', detail: 'The customer is no longer available' })
const known = { reference: 'cst_0', name: 'Ada' }
const keeping = (replies: Parameters<typeof rehearse>[1], who: Parameters<typeof rehearse>[3] = null) =>
  rehearse(mollie.authorize(asked('ideal', agrees), account), replies, undefined, who)

test('a saved payment method belongs to a customer at Mollie: created once, reused, and created again if deleted', () => {
  const first = keeping([customer, replied(201, payment)])
  deepEqual(first.lines, [
    { customer: 'known' },
    'POST https://api.mollie.com/v2/customers',
    { customer: 'called', reference: 'cst_1' },
    'POST https://api.mollie.com/v2/payments',
  ])
  const { sequenceType, customerId } = bodyOf(first)
  deepEqual([sequenceType, customerId], ['first', 'cst_1'])
  const second = keeping([replied(200, { resource: 'customer', id: 'cst_0' }), replied(201, payment)], known)
  equal(bodyOf(second).customerId, 'cst_0')
  equal(bodyOf(keeping([gone, customer, replied(201, payment)], known)).customerId, 'cst_1')
  for (const reply of [silence, notSent]) equal(keeping([reply]).outcome.is, 'not_sent', 'no money can have moved')
})

test('a direct debit creates a mandate before it is charged; a mandate is charged without a redirect', () => {
  const mandate = replied(201, { resource: 'mandate', id: 'mdt_1', status: 'valid' })
  const pending = { ...payment, status: 'pending', _links: {} }
  const { requests, outcome } = begin('sepa', { acceptance: { acceptance_type: 'online', accepted_at: '2026-03-01T09:00:00.000Z' } }, [
    customer,
    mandate,
    replied(201, pending),
  ])
  deepEqual(JSON.parse(requests[1]!.body!), {
    method: 'directdebit',
    consumerName: 'Ada Byron',
    consumerAccount: 'DE89370400440532013000',
    signatureDate: '2026-03-01',
  })
  const { sequenceType, customerId, mandateId, redirectUrl } = bodyOf({ requests })
  deepEqual([sequenceType, customerId, mandateId, redirectUrl], ['recurring', 'cst_1', 'mdt_1', undefined])
  equal(outcome.is, 'waiting')
  const later = { instrument: { is: 'stored_card', reference: 'mdt_1', customer: 'cst_1', cvc: null, of: instrumentOf('ideal') } } as const
  const charged = begin('ideal', later as Partial<wire.MollieAsk>)
  deepEqual([charged.requests.length, bodyOf(charged).mandateId], [1, 'mdt_1'])
})

const sync: SyncRequest = {
  verb: 'authorize',
  request_id: 'REQ1',
  reference: 'tr_1',
  money,
  authorization: null,
  began: '2026-03-01T10:00:00.000Z',
}
const authorizedAt = '2026-03-01T10:00:00+00:00'
const notListed = { is: 'not_found', lags_ms: 3_600_000 }
const half = { currency: 'EUR', value: '5.00' }

test('each payment status gives its outcome when it is polled', () => {
  const rows: Row[] = [
    [{ status: 'paid' }, 'done', { captured: money }],
    [
      { status: 'paid', mandateId: 'mdt_1', customerId: 'cst_1' },
      'done',
      { facts: { connector_mandate_id: 'mdt_1', connector_customer_id: 'cst_1' } },
    ],
    [{ status: 'authorized', authorizedAt }, 'done', { captured: null, capturable: money }],
    [{ status: 'authorized', authorizedAt, amountCaptured: half }, 'done', { capturable: { amount: 750, currency: 'EUR' } }],
    [{ status: 'paid', authorizedAt, amountCaptured: half }, 'done', { captured: { amount: 500, currency: 'EUR' } }],
    [{ status: 'authorized', amountCaptured: { ...half, value: '13.00' } }, 'unknown', {}],
    [{ status: 'paid', amountCaptured: { currency: 'USD', value: '5.00' } }, 'unknown', {}],
    [{ status: 'canceled' }, 'declined', { code: 'cancelled' }],
    [{ status: 'canceled', authorizedAt }, 'lapsed', {}],
    [{ status: 'expired' }, 'declined', { code: 'authentication_failed' }],
    [{ status: 'expired', authorizedAt }, 'lapsed', {}],
    [
      { status: 'failed', details: { failureReason: 'possible_fraud', failureMessage: 'No.' } },
      'declined',
      { code: 'fraudulent', message: 'No.' },
    ],
    [{ status: 'failed', details: { bankReasonCode: 'AM04' } }, 'declined', { code: 'insufficient_funds', processor_code: 'AM04' }],
    [{ status: 'failed' }, 'declined', { code: 'payment_declined' }],
    [{ status: 'pending', _links: {} }, 'waiting', {}],
    [{ status: 'something new' }, 'unknown', {}],
    [{ metadata: { request_id: 'REQ2' } }, 'unknown', {}],
  ]
  holds(rows, more => rehearse(mollie.sync(sync, account), [replied(200, { ...payment, ...more })]).outcome)
})

test('a payment without a reference is looked up in the payment list, back to the time of its creation', () => {
  const listed = (items: object[], next: object | null = null) => replied(200, { _embedded: { payments: items }, _links: { next } })
  const look = (...replies: ReturnType<typeof listed>[]) => rehearse(mollie.sync({ ...sync, reference: null }, account), replies)
  const another = { ...payment, id: 'tr_9', metadata: null }
  const older = { ...another, id: 'tr_8', createdAt: '2026-03-01T09:00:00+00:00' }
  const more = { href: 'https://api.mollie.com/v2/payments?from=tr_7', type: 'application/hal+json' }
  equal(look(listed([another, payment])).outcome.is, 'waiting')
  const paged = look(listed([another], more), listed([payment]))
  equal(paged.requests[1]!.url, 'https://api.mollie.com/v2/payments?limit=250&sort=desc&from=tr_9')
  deepEqual(look(listed([another, older], more)).outcome, notListed)
  deepEqual(look(listed([another])).outcome, notListed)
  equal(look(...Array(4).fill(listed([another], more))).outcome.is, 'unknown', 'it may be further down')
  equal(look(listed([{ ...payment, amount: null }])).outcome.is, 'unknown')
})

const capture = { resource: 'capture', id: 'cpt_1', status: 'succeeded', amount, metadata: { request_id: 'REQ2' } }
const capturing = (more: Partial<RequestOf<'capture'>>, ...replies: Parameters<typeof rehearse>[1]) =>
  rehearse(mollie.capture({ ...captureAsk, ...more }, account), replies)

test('a capture is known by its payment until Mollie returns its id; only a final partial capture releases the rest', () => {
  const { lines, outcome } = capturing({}, replied(201, capture))
  deepEqual(lines, [{ note: 'tr_1' }, 'POST https://api.mollie.com/v2/payments/tr_1/captures'])
  deepEqual(outcome, { is: 'done', reference: 'cpt_1', request_id: 'REQ2', amount: money, captured: null, facts: {} })
  const part = { rest: 'release', part_of: 'card_redirect' } as const
  const released = capturing(part, replied(201, capture), replied(422, {}))
  match(released.requests[1]!.url, /\/release-authorization$/)
  equal(released.outcome.is, 'done', 'what is not let go lapses')
  equal(capturing(part, replied(201, { ...capture, status: 'pending' })).requests.length, 1)
  equal(capturing({ rest: 'release' }, replied(201, capture)).requests.length, 1, 'nothing is left')
  deepEqual(capturing({}, silence).outcome, { is: 'unknown', why: 'response timeout', reference: 'tr_1' })
  equal(capturing({}, replied(201, { ...capture, metadata: { request_id: 'REQ3' } })).outcome.is, 'unknown')
})

test('the outcome of a refund is read from the refunds of its payment', () => {
  const refund = { ...capture, resource: 'refund', id: 're_1' }
  const became = (reference: string | null, ...refunds: object[]) =>
    rehearse(mollie.sync({ ...sync, verb: 'refund', request_id: 'REQ2', reference, authorization: captureAsk.authorization }, account), [
      replied(200, { _embedded: { refunds }, _links: { next: null } }),
    ]).outcome
  for (const status of ['queued', 'pending', 'processing']) equal(became('re_1', { ...refund, status }).is, 'waiting', status)
  for (const status of ['failed', 'canceled']) equal(became('re_1', { ...refund, status }).is, 'declined', status)
  equal(became(null, { ...refund, status: 'refunded' }).is, 'done', 'its answer was lost')
  deepEqual(became('tr_1'), { ...notListed, reference: 'tr_1' })
  equal(became('re_1', { ...refund, status: 'something new' }).is, 'unknown')
})

test('a void cancels a cancelable payment or releases an authorization, and is declined for any other payment', () => {
  const voiding = (more: object, ...replies: Parameters<typeof rehearse>[1]) =>
    rehearse(mollie.void({ request_id: 'REQ2', authorization: captureAsk.authorization, money }, account), [
      replied(200, { ...payment, ...more }),
      ...replies,
    ])
  const cancelled = voiding({ isCancelable: true }, replied(200, { ...payment, status: 'canceled' }))
  deepEqual([cancelled.requests[1]!.method, cancelled.outcome.is], ['DELETE', 'done'])
  const held = { status: 'authorized', authorizedAt, isCancelable: false }
  const released = voiding(held, replied(202, ''))
  match(released.requests[1]!.url, /\/release-authorization$/)
  deepEqual(released.outcome, { is: 'waiting', reference: 'tr_1' })
  equal(voiding(held, silence).outcome.is, 'unknown')
  equal(voiding(held, replied(422, { status: 422, title: 'x', detail: 'No.' })).outcome.is, 'declined')
  equal(voiding({ isCancelable: false }).outcome.is, 'declined')
  const after_ = (more: object) =>
    rehearse(mollie.sync({ ...sync, verb: 'void', reference: 'tr_1', authorization: captureAsk.authorization }, account), [
      replied(200, { ...payment, ...more }),
    ]).outcome.is
  deepEqual(
    [after_({ status: 'canceled' }), after_(held), after_({ status: 'paid', amountCaptured: half }), after_({ status: 'paid' })],
    ['done', 'not_found', 'done', 'declined'],
  )
})

const hmac = (raw: Buffer) => createHmac('sha256', 'signing').update(raw).digest('hex')
const event = (entity: object) => Buffer.from(JSON.stringify({ resource: 'event', id: 'event_1', type: 'x', _embedded: { entity } }))

test('an unsigned webhook with an id only has the payment asked about; an event must be signed', () => {
  const name = Buffer.from('id=tr_1')
  ok(mollie.webhook.verify(name, {}, account))
  deepEqual(mollie.webhook.read(name), [{ is: 'payment', of: [{ reference: 'tr_1' }], report: 'ask' }])
  for (const text of ['id=re_1', 'id=', 'xid=tr_1', '', 'id=tr_1/captures']) deepEqual(mollie.webhook.read(Buffer.from(text)), [])
  const raw = event({ ...payment, status: 'paid' })
  ok(mollie.webhook.verify(raw, { 'x-mollie-signature': `sha256=${hmac(raw)}` }, account))
  ok(
    mollie.webhook.verify(raw, { 'x-mollie-signature': `sha256=${'0'.repeat(64)},sha256=${hmac(raw)}` }, account),
    'while a secret is changed',
  )
  for (const signature of [undefined, 'sha256=', `sha256=${hmac(Buffer.concat([raw, Buffer.from(' ')]))}`])
    ok(!mollie.webhook.verify(raw, { 'x-mollie-signature': signature }, account))
  ok(!mollie.webhook.verify(raw, { 'x-mollie-signature': `sha256=${hmac(raw)}` }, { ...account, webhook_secret: null }))
  deepEqual(mollie.webhook.read(raw), [
    {
      is: 'outcome',
      of: [
        { request_id: 'REQ1', verb: 'authorize' },
        { reference: 'tr_1', verb: 'authorize' },
      ],
      outcome: 'ask',
    },
  ])
})

test('a failed refund event is applied directly; any other refund event triggers a poll', () => {
  const refund = { ...capture, resource: 'refund', id: 're_1' }
  const updateOf = (status: string) => mollie.webhook.read(event({ ...refund, status }))[0] as { outcome: unknown }
  equal(updateOf('refunded').outcome, 'ask')
  const failed = updateOf('failed').outcome as { is: string; after_yes?: true }
  deepEqual([failed.is, failed.after_yes], ['declined', true])
})

test('a chargeback is a dispute: lost for a direct debit, otherwise open until it is reversed', () => {
  const chargeback = {
    resource: 'chargeback',
    id: 'chb_1',
    amount,
    paymentId: 'tr_1',
    createdAt: '2026-03-05T10:00:00+00:00',
    reason: null,
    reversedAt: null,
  }
  const disputeOf = (more: object) => {
    const [update] = mollie.webhook.read(event({ ...chargeback, ...more })) as {
      dispute: { status: string; reference: string; reason_code: string | null }
    }[]
    return [update!.dispute.status, update!.dispute.reference, update!.dispute.reason_code]
  }
  deepEqual(disputeOf({}), ['dispute_opened', 'tr_1/chb_1', null])
  deepEqual(disputeOf({ reason: { code: 'AC01', description: 'x' } }), ['dispute_lost', 'tr_1/chb_1', 'AC01'])
  deepEqual(disputeOf({ reversedAt: '2026-03-09T10:00:00+00:00' }), ['dispute_won', 'tr_1/chb_1', null])
  const look = (reference: string, ...chargebacks: object[]) =>
    rehearse(mollie.read_dispute(reference, account), [replied(200, { _embedded: { chargebacks }, _links: {} })]).outcome.is
  const earlier = { ...chargeback, id: 'chb_0' }
  deepEqual(
    [look('tr_1', chargeback), look('tr_1/chb_0', chargeback, earlier), look('tr_1'), look('tr_1/chb_2', earlier)],
    ['dispute', 'dispute', 'not_found', 'not_found'],
  )
  equal(look('tr_1', { ...chargeback, paymentId: 'tr_2' }), 'unknown')
})

test('a 401, 403 or 422 error declines the payment; a server error leaves it unknown', () => {
  const error = (status: number) => replied(status, { status, title: 'x', detail: 'No.', field: 'amount' })
  const rows = [
    [401, 'declined'],
    [403, 'declined'],
    [422, 'declined'],
    [429, 'later'],
    [500, 'unknown'],
    [503, 'unknown'],
    [409, 'unknown'],
  ] as const
  for (const [status, is] of rows) equal(begin('ideal', {}, [error(status)]).outcome.is, is, String(status))
  equal(begin('ideal', {}, [replied(422, { status: 400, detail: 'No.' })]).outcome.is, 'unknown', 'its body says another status')
})
