import { deepEqual, equal } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { accountAt, cardAsk, holds, onTheirPage, payoutAsk, type Row } from '../../../test/card-ask.ts'
import { rehearse, replied, silence } from '../../../test/rehearse.ts'
import type { SyncRequest } from '../connector.ts'
import { maguapay } from './connector.ts'

const account = accountAt('https://api-gateway.smartcore.pro', { api_key: 'merchant', key1: 'secret' }, { account: 'EUR-sandbox' })
const money = { amount: 1250, currency: 'EUR' } as const
const ask = cardAsk({ money })
const order = { order_id: 'REQ1', status: 2 }
const syncAsk: SyncRequest = { verb: 'authorize', request_id: 'REQ1', reference: null, money, authorization: null }

test('a card is sent to the card host, in minor units; an approval without an amount is polled', () => {
  const { requests, lines, outcome } = rehearse(maguapay.authorize(ask, account), [
    replied(200, order),
    replied(200, { ...order, amount: 1250, finalAmount: 1200 }),
  ])
  deepEqual(lines, ['POST https://chd-api.smartcore.pro/initPaymentHost2Host', 'POST https://api-gateway.smartcore.pro/check'])
  equal(requests[0]!.headers.authorization, `Basic ${Buffer.from('merchant:secret').toString('base64')}`)
  const { account: at, order_id, amount, currency, card_number, card_exp_month, card_exp_year, card_cvv } = JSON.parse(requests[0]!.body!)
  deepEqual(
    [at, order_id, amount, currency, card_number, card_exp_month, card_exp_year, card_cvv],
    ['EUR-sandbox', 'REQ1', 1250, 'EUR', '4242424242424242', '03', '2040', '737'],
  )
  deepEqual(outcome.is === 'done' && [outcome.request_id, outcome.amount], ['REQ1', money])
  // Without an answer to the query, the result is unknown.
  equal(rehearse(maguapay.authorize(ask, account), [replied(200, order), silence]).outcome.is, 'unknown')
  const elsewhere = { ...account, base_url: 'https://magua.example' }
  equal(rehearse(maguapay.authorize(ask, elsewhere), [silence]).lines[0], 'POST https://magua.example/initPaymentHost2Host')
})

const payout = payoutAsk({ money })

test('without a card the customer is redirected to a form; a payout is sent to a card, and polled like a payment', () => {
  const hosted = rehearse(maguapay.authorize({ ...ask, instrument: onTheirPage }, account), [
    replied(200, { ...order, status: 0, form_url: 'https://form.example/f' }),
  ])
  deepEqual(hosted.lines, ['POST https://api-gateway.smartcore.pro/initPayment'])
  equal('card_number' in JSON.parse(hosted.requests[0]!.body!), false)
  deepEqual(hosted.outcome, { is: 'waiting', reference: 'REQ1', next_action: { type: 'redirect_to_url', url: 'https://form.example/f' } })

  const paid = rehearse(maguapay.payout(payout, account), [replied(200, order), replied(200, { ...order, amount: 1250 })])
  deepEqual(paid.lines, ['POST https://chd-api.smartcore.pro/withdrawal/init', 'POST https://api-gateway.smartcore.pro/check'])
  const { order_id, amount, card_number, card_cvv } = JSON.parse(paid.requests[0]!.body!)
  deepEqual([order_id, amount, card_number, card_cvv], ['REQ1', 1250, '4242424242424242', undefined])
  deepEqual(paid.outcome.is === 'done' && [paid.outcome.amount, paid.outcome.captured], [money, null])
  const of = (more: object) =>
    rehearse(maguapay.sync({ ...syncAsk, verb: 'payout' }, account), [replied(200, { ...order, ...more })]).outcome
  deepEqual(of({ status: 1 }), { is: 'waiting', reference: 'REQ1' })
  const refused = of({ status: -1, errorMessage: 'No.' })
  deepEqual(refused.is === 'declined' && [refused.code, refused.message], ['operation_declined', 'No.'])
  equal(rehearse(maguapay.payout(payout, account), [silence]).outcome.is, 'unknown')
})

// biome-ignore format: a table reads better in columns
const states: Row[] = [
  [{ status: 2, amount: 1250 },                                'done',     { amount: money, captured: money }],
  [{ status: 1 },                                              'waiting',  { reference: 'REQ1' }],
  [{ status: 0, form_url: 'https://bank.example/a' },          'waiting',  { next_action: { type: 'redirect_to_url', url: 'https://bank.example/a' } }],
  [{ status: 0, ACSUrl: 'https://acs.example/a', MD: 'm', TermUrl: 'https://t.example', PaReq: 'p', other: 'x' }, 'waiting', { next_action: { type: 'redirect_to_url', url: 'https://acs.example/a', form: { PaReq: 'p', MD: 'm', TermUrl: 'https://t.example' } } }],
  [{ status: 0, ACSUrl: 'javascript:alert(1)' },               'unknown',  {}],
  [{ status: 0 },                                              'unknown',  {}],
  [{ status: -1, errorMessage: 'Too little.' },                'declined', { code: 'card_declined', message: 'Too little.' }],
  [{ status: 3 },                                              'unknown',  {}],
  [{ status: '2', amount: 1250 },                              'unknown',  {}],
  [{ status: 2, amount: 12.5 },                                'unknown',  {}],
  [{ status: 2, amount: 1250, order_id: 'REQ9' },              'unknown',  {}],
  [{ status: 2 },                                              'unknown',  {}],
]

test('each known status gives its outcome, and any other an unknown one', () => {
  holds(states, body => rehearse(maguapay.sync(syncAsk, account), [replied(200, { order_id: 'REQ1', ...body })]).outcome)
  // The processor's "no such order" is not certain.
  equal(rehearse(maguapay.sync(syncAsk, account), [replied(404, { error: 'no such order' })]).outcome.is, 'unknown')
})

test('a callback is signed over its parameters, as a form or as JSON, and only triggers a poll', () => {
  const text = 'REQ1|2'
  const sign = createHmac('sha256', 'secret').update(text).digest('hex')
  const form = Buffer.from(new URLSearchParams({ sign, status: '2', orderId: 'REQ1' }).toString())
  const json = Buffer.from(JSON.stringify({ sign, status: 2, orderId: 'REQ1' }))
  for (const raw of [form, json]) {
    equal(maguapay.webhook.verify(raw, {}, account), true)
    deepEqual(maguapay.webhook.read(raw), [{ is: 'outcome', of: [{ request_id: 'REQ1' }], outcome: 'ask' }])
  }
  for (const wrong of [{ status: 1 }, { sign: 'x' }, { sign: undefined }, { more: 'x' }, { orderId: { is: 'REQ1' } }])
    equal(maguapay.webhook.verify(Buffer.from(JSON.stringify({ sign, status: 2, orderId: 'REQ1', ...wrong })), {}, account), false)
})
