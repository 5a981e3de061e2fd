import { deepEqual, equal } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { cardAsk, holds, onTheirPage, payoutAsk, type Row } from '../../../test/card-ask.ts'
import { rehearse, replied, silence } from '../../../test/rehearse.ts'
import { Secret } from '../../base/secret.ts'
import type { Account, SyncRequest } from '../connector.ts'
import { payadmit } from './connector.ts'

const account: Account = {
  base_url: 'https://payadmit.example/api/v1',
  credentials: { api_key: new Secret('key') },
  webhook_secret: new Secret('signing'),
  webhook_url: 'https://pay.example/webhooks/m/mca_1',
  metadata: {},
}
const money = { amount: 1250, currency: 'USD' } as const
const ask = cardAsk()
const payment = { id: 'their_1', referenceId: 'REQ1', paymentType: 'DEPOSIT', state: 'COMPLETED', amount: 12.5, currency: 'USD' }
const reply = (result: unknown) => replied(200, { timestamp: '2026-03-01', status: 200, result })
const syncAsk: SyncRequest = {
  verb: 'authorize',
  request_id: 'REQ1',
  reference: null,
  money,
  authorization: null,
  began: '2026-03-01T10:00:00.000Z',
}

test('a deposit is one request, in major units; a refund names its parent payment', () => {
  const { requests } = rehearse(payadmit.authorize(ask, account), [reply(payment)])
  deepEqual(JSON.parse(requests[0]!.body!), {
    referenceId: 'REQ1',
    paymentType: 'DEPOSIT',
    paymentMethod: 'BASIC_CARD',
    amount: 12.5,
    currency: 'USD',
    description: 'Chairs & Co',
    card: { cardNumber: '4242424242424242', cardSecurityCode: '737', expiryMonth: '03', expiryYear: '2040' },
    returnUrl: 'https://shop.example/return',
    webhookUrl: 'https://pay.example/webhooks/m/mca_1',
  })
  const refund = payadmit.refund(
    { request_id: 'REQ2', authorization: { reference: 'their_1', request_id: 'REQ1' }, money, reason: null },
    account,
  )
  const { referenceId, parentPaymentId, paymentType } = JSON.parse(rehearse(refund, [silence]).requests[0]!.body!)
  deepEqual([referenceId, parentPaymentId, paymentType], ['REQ2', 'their_1', 'REFUND'])
})

test('without a card the customer is redirected to a page; a payout is sent to a card, without its security code', () => {
  const at = { ...payment, state: 'PENDING', redirectUrl: 'https://page.example/p' }
  const hosted = rehearse(payadmit.authorize({ ...ask, instrument: onTheirPage }, account), [reply(at)])
  const { card, paymentType } = JSON.parse(hosted.requests[0]!.body!)
  deepEqual([card, paymentType], [undefined, 'DEPOSIT'])
  deepEqual(hosted.outcome, {
    is: 'waiting',
    reference: 'their_1',
    next_action: { type: 'redirect_to_url', url: 'https://page.example/p' },
  })
  const payout = payoutAsk()
  const paid = rehearse(payadmit.payout(payout, account), [reply({ ...payment, paymentType: 'WITHDRAWAL' })])
  const asked = JSON.parse(paid.requests[0]!.body!)
  deepEqual(
    [asked.paymentType, asked.amount, asked.card],
    ['WITHDRAWAL', 12.5, { cardNumber: '4242424242424242', cardholderName: 'Ada Byron', expiryMonth: '03', expiryYear: '2040' }],
  )
  equal(paid.outcome.is, 'done')
  equal(rehearse(payadmit.payout(payout, account), [reply(payment)]).outcome.is, 'unknown', 'that is a deposit')
  equal(
    rehearse(payadmit.payout(payout, account), [reply({ ...payment, paymentType: 'WITHDRAWAL', state: 'DECLINED' })]).outcome.is,
    'declined',
  )
})

// biome-ignore format: a table reads better in columns
const states: Row[] = [
  [{},                                                             'done',     { reference: 'their_1', request_id: 'REQ1', amount: money, captured: money }],
  [{ state: 'PENDING' },                                           'waiting',  { reference: 'their_1' }],
  [{ state: 'PENDING', redirectUrl: 'https://bank.example/a' },    'waiting',  { next_action: { type: 'redirect_to_url', url: 'https://bank.example/a' } }],
  [{ state: 'DECLINED', errorCode: '1.01', externalResultCode: '05' }, 'declined', { code: 'card_declined', processor_code: '1.01', network_code: '05' }],
  [{ state: 'ERROR' },                                             'declined', { code: 'processing_error', processor_code: 'ERROR' }],
  [{ state: 'CANCELLED' },                                         'declined', { code: 'authentication_failed' }],
  [{ state: 'CHECKOUT' },                                          'unknown',  {}],
  [{ amount: 12.505 },                                             'unknown',  {}],
  [{ paymentType: 'REFUND' },                                      'unknown',  {}],
  [{ redirectUrl: 'javascript:alert(1)' },                         'unknown',  {}],
]

test('each known status gives its outcome, and any other an unknown one', () => {
  holds(states, more => rehearse(payadmit.authorize(ask, account), [reply({ ...payment, ...more })]).outcome)
})

test('a payment without a reference is looked up by its creation time, and is not found only if the whole list was read', () => {
  const found = rehearse(payadmit.sync(syncAsk, account), [reply([{ odd: true }, payment])])
  equal(found.outcome.is, 'done')
  equal(
    found.requests[0]!.url,
    'https://payadmit.example/api/v1/payments?limit=1000&offset=0&created.gte=2026-03-01T09:55:00.000Z&created.lt=2026-03-01T10:10:00.000Z',
  )
  const missed = rehearse(payadmit.sync(syncAsk, account), [reply([]), reply([])])
  equal(missed.outcome.is, 'not_found')
  equal(
    missed.requests[1]!.url,
    'https://payadmit.example/api/v1/payments?limit=1000&offset=0&created.gte=2026-02-28T08:00:00.000Z&created.lt=2026-03-02T12:00:00.000Z',
    'a day before and after: their clock may be wrong',
  )
  equal(rehearse(payadmit.sync(syncAsk, account), [reply([]), reply([payment])]).outcome.is, 'done', 'made hours ago, by their clock')
  equal(rehearse(payadmit.sync(syncAsk, account), [reply([]), silence]).outcome.is, 'unknown')
  const full = reply(Array(1000).fill({ ...payment, referenceId: 'OTHER' }))
  equal(rehearse(payadmit.sync(syncAsk, account), [full, reply([payment])]).outcome.is, 'done')
  equal(rehearse(payadmit.sync(syncAsk, account), Array(3).fill(full)).outcome.is, 'unknown')
  equal(rehearse(payadmit.sync(syncAsk, account), [reply([]), full, full, full]).outcome.is, 'unknown')
  const { began: _began, ...timeless } = syncAsk
  equal(rehearse(payadmit.sync(timeless, account), [reply([])]).outcome.is, 'unknown')
  equal(rehearse(payadmit.sync(syncAsk, account), [reply([{ referenceId: 'REQ1' }])]).outcome.is, 'unknown')
})

test('a callback needs a valid signature, and only triggers a poll', () => {
  const raw = Buffer.from(JSON.stringify(payment))
  const signature = createHmac('sha256', 'signing').update(raw).digest('hex')
  equal(payadmit.webhook.verify(raw, { signature }, account, ''), true)
  for (const wrong of [undefined, '', 'x', signature.replace(/^./, c => (c === '0' ? '1' : '0')), signature.toUpperCase().slice(1)])
    equal(payadmit.webhook.verify(raw, { signature: wrong }, account, ''), false)
  equal(payadmit.webhook.verify(raw, { signature }, { ...account, webhook_secret: null }, ''), false)
  deepEqual(payadmit.webhook.read(raw), [{ is: 'outcome', of: [{ request_id: 'REQ1' }], outcome: 'ask' }])
})
