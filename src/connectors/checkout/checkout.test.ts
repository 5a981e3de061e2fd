import { deepEqual, equal, ok } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { cardAsk, holds, type Row } from '../../../test/card-ask.ts'
import { rehearse, replied, silence } from '../../../test/rehearse.ts'
import { Secret } from '../../base/secret.ts'
import type { Account, AuthorizeRequest, SyncRequest } from '../connector.ts'
import { checkout } from './connector.ts'
import type { CheckoutTakes } from './requests.ts'

const account: Account = {
  base_url: 'https://api.checkout.com',
  credentials: { api_key: new Secret('pk_abc_public'), key1: new Secret('pc_channel'), api_secret: new Secret('sk_abc_secret') },
  webhook_secret: new Secret('signing'),
  metadata: {},
}
const money = { amount: 1250, currency: 'USD' } as const
const payment = {
  ...{ id: 'pay_1', action_id: 'act_1', amount: 1250, currency: 'USD', approved: true, status: 'Authorized', reference: 'REQ1' },
  ...{ response_code: '10000', response_summary: 'Approved', scheme_id: '638284745624527', auth_code: '643381', eci: '05' },
  source: { id: 'src_1', type: 'card', avs_check: 'Y', cvv_check: 'Y' },
}
const ask = (more: Partial<AuthorizeRequest<CheckoutTakes>> = {}): AuthorizeRequest<CheckoutTakes> => ({ ...cardAsk(), ...more })
const bodyOf = (more: Partial<AuthorizeRequest<CheckoutTakes>> = {}) =>
  JSON.parse(rehearse(checkout.authorize(ask(more), account), [replied(201, payment)]).requests[0]!.body!)

test('a payment is one request under our key, with the secret key; its prefix is in the address', () => {
  const { requests, outcome } = rehearse(checkout.authorize(ask(), { ...account, metadata: { endpoint_prefix: 'abcd1234' } }), [
    replied(201, payment),
  ])
  equal(requests[0]!.url, 'https://abcd1234.api.checkout.com/payments')
  deepEqual(requests[0]!.headers, {
    authorization: 'Bearer sk_abc_secret',
    'content-type': 'application/json',
    'cko-idempotency-key': 'REQ1',
  })
  deepEqual(JSON.parse(requests[0]!.body!), {
    source: { type: 'card', number: '4242424242424242', expiry_month: 3, expiry_year: 2040, cvv: '737' },
    amount: 1250,
    currency: 'USD',
    reference: 'REQ1',
    processing_channel_id: 'pc_channel',
    capture: true,
    '3ds': { enabled: false },
    success_url: 'https://shop.example/return',
    failure_url: 'https://shop.example/return',
  })
  deepEqual(outcome, {
    is: 'done',
    reference: 'pay_1',
    request_id: 'REQ1',
    amount: money,
    captured: 'as asked',
    facts: {
      network_transaction_id: '638284745624527',
      authorization_code: '643381',
      eci: '05',
      avs_result: 'Y',
      cvc_result: 'Y',
      connector_mandate_id: 'src_1/pay_1',
    },
  })
})

test('a statement descriptor goes with the city that the account says, or not at all', () => {
  equal(bodyOf({ statement_descriptor: 'CHAIRS' }).billing_descriptor, undefined)
  const of = { ...account, metadata: { descriptor_city: 'London' } }
  const { requests } = rehearse(checkout.authorize(ask({ statement_descriptor: 'CHAIRS' }), of), [replied(201, payment)])
  deepEqual(JSON.parse(requests[0]!.body!).billing_descriptor, { name: 'CHAIRS', city: 'London' })
})

test('3-D Secure is asked for, insisted on, brought along, or an exemption from it is', () => {
  const cavv = 'AgAAAAAAAIR8CQrXcIhbQAAAAAA='
  const rows: [Partial<AuthorizeRequest<CheckoutTakes>>, object][] = [
    [{ three_ds: 'request' }, { enabled: true, attempt_n3d: true }],
    [{ three_ds: 'challenge' }, { enabled: true, challenge_indicator: 'challenge_requested_mandate' }],
    [{ exemption: 'transaction_risk_analysis' }, { enabled: false, exemption: 'transaction_risk_assessment' }],
    [
      { three_ds_result: { status: 'Y', eci: '05', cavv: new Secret(cavv), ds_transaction_id: 'ds-1', version: '2.2.0' } },
      { enabled: true, eci: '05', cryptogram: cavv, xid: 'ds-1', version: '2.2.0' },
    ],
  ]
  for (const [more, said] of rows) deepEqual(bodyOf(more)['3ds'], said)
})

test('later charges name what they are made by: the kept card and its first payment, or the network', () => {
  const used = { stored_credential: { is: 'used', mit_category: 'recurring', customer: null } } as const
  const stored = bodyOf({ ...used, instrument: { is: 'stored_card', reference: 'src_1/pay_1', customer: null, cvc: null } })
  deepEqual(
    [stored.source, stored.payment_type, stored.merchant_initiated, stored.previous_payment_id],
    [{ type: 'id', id: 'src_1' }, 'Recurring', true, 'pay_1'],
  )
  const agreed = {
    is: 'network_transaction_id',
    number: new Secret('4242424242424242'),
    exp_month: 3,
    exp_year: 2040,
    holder: null,
  } as const
  const { source, previous_payment_id } = bodyOf({ ...used, instrument: { ...agreed, network_transaction_id: '638284745624527' } })
  deepEqual([source.stored, source.cvv, previous_payment_id], [true, undefined, '638284745624527'])
  const made = bodyOf({ stored_credential: { is: 'made', usage: 'off_session', customer: 'ada' } })
  deepEqual([made.source.store_for_future_use, made.payment_type, made.merchant_initiated], [true, 'Unscheduled', false])
})

const other = (is: string, way: string, type: string, secrets: Record<string, string> = {}) =>
  ({
    is,
    way,
    type,
    open: {},
    secrets: Object.fromEntries(Object.entries(secrets).map(([name, text]) => [name, new Secret(text)])),
  }) as never

test('what Apple Pay gave is exchanged for a token with the public key, and the token is paid with under our key', () => {
  const data = { version: 'EC_v1', data: 'sealed-by-apple', signature: 'abcdef', header: { transactionId: 't' } }
  const instrument = other('wallet', 'apple_pay', 'apple_pay', { payment_data: Buffer.from(JSON.stringify(data)).toString('base64') })
  const begin = () => checkout.authorize(ask({ instrument }), account)
  const { requests, outcome } = rehearse(begin(), [replied(201, { type: 'applepay', token: 'tok_1' }), replied(201, payment)])
  const [exchange, pays] = requests
  deepEqual([exchange!.url, exchange!.headers.authorization], ['https://api.checkout.com/tokens', 'Bearer pk_abc_public'])
  deepEqual(JSON.parse(exchange!.body!), { type: 'applepay', token_data: data })
  deepEqual([pays!.headers.authorization, pays!.headers['cko-idempotency-key']], ['Bearer sk_abc_secret', 'REQ1'])
  deepEqual(JSON.parse(pays!.body!).source, { type: 'token', token: 'tok_1' })
  equal(outcome.is, 'done')
  equal(rehearse(begin(), [silence]).outcome.is, 'not_sent', 'a token moves nothing')
  equal(rehearse(begin(), [replied(201, { token: 'tok_1' }), silence]).outcome.is, 'unknown')
  const unread = other('wallet', 'apple_pay', 'apple_pay', { payment_data: 'none' })
  deepEqual(rehearse(checkout.authorize(ask({ instrument: unread }), account), []).requests, [])
})

test('a bank or a wallet with a page of its own is the source itself; its customer is sent there', () => {
  const page = { _links: { redirect: { href: 'https://bank.example/1' } } }
  const instrument = other('bank_redirect', 'ideal', 'ideal')
  const { requests, outcome } = rehearse(checkout.authorize(ask({ instrument }), account), [
    replied(202, { id: 'pay_1', status: 'Pending', reference: 'REQ1', ...page }),
  ])
  const { source, '3ds': threeDs } = JSON.parse(requests[0]!.body!)
  deepEqual([source, threeDs], [{ type: 'ideal', description: 'REQ1' }, undefined])
  deepEqual(outcome, { is: 'waiting', reference: 'pay_1', next_action: { type: 'redirect_to_url', url: 'https://bank.example/1' } })
})

const asked: SyncRequest = { verb: 'authorize', request_id: 'REQ1', reference: 'pay_1', money, authorization: null }
const balances = { total_authorized: 1250, total_captured: 500, available_to_capture: 750 }

test('what a payment says when it is asked about', () => {
  const rows: Row[] = [
    [{ status: 'Captured', balances: { ...balances, total_captured: 1250, available_to_capture: 0 } }, 'done', { captured: money }],
    [{ status: 'Partially Captured', balances }, 'done', { captured: { amount: 500, currency: 'USD' } }],
    [{ status: 'Partially Captured' }, 'unknown', {}],
    [{ status: 'Voided' }, 'lapsed', {}],
    [{ status: 'Expired', balances }, 'lapsed', {}],
    [{ status: 'Expired' }, 'declined', { code: 'authentication_failed' }],
    [{ status: 'Canceled' }, 'declined', { code: 'authentication_failed' }],
    [{ status: 'Declined', response_code: '20051' }, 'declined', { code: 'insufficient_funds', code_said: '20051' }],
    [{ status: 'Pending' }, 'waiting', {}],
    [{ status: 'Something new' }, 'unknown', {}],
  ]
  holds(rows, more => rehearse(checkout.sync(asked, account), [replied(200, { ...payment, ...more })]).outcome)
})

test('by our reference: one payment is it, none is not found until the list has caught up, two are for a person', () => {
  const found = (...data: object[]) =>
    rehearse(checkout.sync({ ...asked, reference: null }, account), [replied(200, { total_count: data.length, data })])
  equal(found(payment).outcome.is, 'done')
  equal(found(payment).requests[0]!.url, 'https://api.checkout.com/payments?limit=10&reference=REQ1')
  deepEqual(found({ ...payment, reference: 'REQ10' }).outcome, { is: 'not_found', lags_ms: 3_600_000 })
  equal(found(payment, { ...payment, id: 'pay_2' }).outcome.is, 'unknown')
})

test('a capture, a void and a refund are received; an action says what became of them', () => {
  const about = { request_id: 'REQ2', authorization: { reference: 'pay_1', request_id: 'REQ1' }, money }
  const received = replied(202, { action_id: 'act_2', reference: 'REQ2' })
  const { requests, outcome } = rehearse(checkout.capture({ ...about, rest: 'keep' }, account), [received])
  deepEqual(JSON.parse(requests[0]!.body!), { amount: 1250, capture_type: 'NonFinal', reference: 'REQ2' })
  deepEqual(outcome, { is: 'waiting', reference: 'act_2' })
  equal(rehearse(checkout.void(about, account), [silence]).outcome.is, 'unknown')
  equal(rehearse(checkout.refund({ ...about, reason: null }, account), [replied(403, '')]).outcome.is, 'declined')
  const action = { id: 'act_2', type: 'Capture', amount: 1250, approved: true, response_code: '10000', reference: 'REQ2' }
  const first = { id: 'act_1', type: 'Authorization', amount: 1250, approved: true, response_code: '10000', reference: 'REQ1' }
  const became = (reference: string | null, ...actions: object[]) =>
    rehearse(checkout.sync({ verb: 'capture', request_id: 'REQ2', reference, money, authorization: about.authorization }, account), [
      replied(200, [...actions, first]),
    ]).outcome.is
  equal(became('act_2', action), 'done')
  equal(became(null, action), 'done', 'its answer was lost')
  equal(became('act_2', { ...action, approved: false }), 'declined')
  equal(became('act_2'), 'waiting')
  equal(became(null), 'not_found')
  equal(became('act_2', { ...action, type: 'Refund' }), 'waiting', 'that is another')
})

test('webhooks are signed over their raw bytes, and only say where to look', () => {
  const raw = Buffer.from(
    JSON.stringify({ id: 'evt_1', type: 'payment_captured', data: { id: 'pay_1', action_id: 'act_2', reference: 'REQ2' } }),
  )
  const signature = createHmac('sha256', 'signing').update(raw).digest('hex')
  ok(checkout.webhook.verify(raw, { 'cko-signature': signature }, account))
  ok(!checkout.webhook.verify(Buffer.concat([raw, Buffer.from(' ')]), { 'cko-signature': signature }, account))
  deepEqual(checkout.webhook.read(raw), [
    {
      of: [
        { reference: 'act_2', verb: 'capture' },
        { request_id: 'REQ2', verb: 'capture' },
        { request_id: 'REQ2', verb: 'authorize' },
      ],
      outcome: 'ask',
    },
  ])
  deepEqual(checkout.webhook.read(Buffer.from('{"type":"dispute_received","data":{"id":"dsp_1"}}')), [])
})
