import { deepEqual, equal } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { accountAt, cardAsk, holds, type Row } from '../../../test/card-ask.ts'
import { notSent, rehearse, replied, silence } from '../../../test/rehearse.ts'
import type { Outcome, SyncRequest } from '../connector.ts'
import { bridge } from './connector.ts'

const account = accountAt('https://adapter.example', { api_key: 'key' }, {}, 'whsec')
const money = { amount: 1250, currency: 'USD' } as const
const authorization = { reference: 'their_1', request_id: 'REQ1' }
const ask = cardAsk({ capture: 'manual_multiple' })
const held = {
  request_id: 'REQ1',
  type: 'authorize',
  status: 'approved',
  reference: 'their_1',
  ...money,
  captured: 0,
  held: 1250,
  hold_until: '2026-03-08T10:00:00Z',
}
const decline = { code: 'insufficient_funds', message: 'Too little.', network_code: '51' }
const syncAsk: SyncRequest = { verb: 'authorize', request_id: 'REQ1', reference: null, money, authorization: null }

test('each operation is one request to the address of our request id', () => {
  const sent = [
    bridge.authorize(ask, account),
    bridge.capture({ request_id: 'REQ2', authorization, money, rest: 'keep' }, account),
    bridge.void({ request_id: 'REQ3', authorization, money }, account),
    bridge.refund({ request_id: 'REQ4', authorization, money, reason: 'damaged' }, account),
  ].map(conversation => {
    const { requests } = rehearse(conversation, [silence])
    const { method, url, headers, body } = requests[0]!
    equal(headers.authorization, 'Bearer key')
    equal(headers['idempotency-key'], url.split('/').at(-1))
    return [`${method} ${url}`, JSON.parse(body!)]
  })
  const card = { type: 'card', number: '4242424242424242', exp_month: 3, exp_year: 2040, cvc: '737' }
  const common = { return_url: 'https://shop.example/return', merchant_name: 'Chairs & Co', three_ds: 'skip', allow_partial: false }
  deepEqual(sent, [
    ['PUT https://adapter.example/v1/operations/REQ1', { type: 'authorize', ...money, capture: 'manual', method: card, ...common }],
    ['PUT https://adapter.example/v1/operations/REQ2', { type: 'capture', authorization: 'REQ1', ...money, final: false }],
    ['PUT https://adapter.example/v1/operations/REQ3', { type: 'void', authorization: 'REQ1', ...money }],
    ['PUT https://adapter.example/v1/operations/REQ4', { type: 'refund', authorization: 'REQ1', ...money, reason: 'damaged' }],
  ])
})

const outcomeOf = (body: object): Outcome => rehearse(bridge.authorize(ask, account), [replied(200, body)]).outcome

// biome-ignore format: a table reads better in columns
const answers: Row[] = [
  [{},                                                           'done',     { captured: null, capturable: money }],
  [{ captured: 1250, held: 0 },                                  'done',     { captured: money }],
  [{ status: 'declined', decline },                              'declined', { code: 'insufficient_funds', network_code: '51', reference: 'their_1' }],
  [{ status: 'declined', decline: { code: 'odd', message: '' } }, 'declined', { code: 'card_declined', processor_code: 'odd' }],
  [{ status: 'pending' },                                        'waiting',  { reference: 'their_1' }],
  [{ status: 'action_required', action: { type: 'redirect', url: 'https://bank.example/a' } }, 'waiting', { next_action: { type: 'redirect_to_url', url: 'https://bank.example/a' } }],
  // Answers that are not valid: their result is unknown.
  [{ status: 'declined' },                                       'unknown',  {}],
  [{ decline },                                                  'unknown',  {}],
  [{ status: 'action_required' },                                'unknown',  {}],
  [{ status: 'released' },                                       'unknown',  {}],
  [{ status: 'returned', decline },                              'unknown',  {}],
  [{ captured: null },                                           'unknown',  {}],
  [{ amount: 12.5 },                                             'unknown',  {}],
  [{ currency: 'usd' },                                          'unknown',  {}],
  [{ type: 'capture' },                                          'unknown',  {}],
  [{ hold_until: '2026-13-45T10:00:00Z' },                       'unknown',  {}],
]

test('each response gives its outcome, and an invalid response an unknown one', () => {
  holds(answers, more => outcomeOf({ ...held, ...more }))
})

test('an error means that nothing happened; after an id conflict the operation is looked up, and the lookup decides', () => {
  const error = (code: string) => ({ error: { code, message: 'No.' } })
  const of = (status: number, code: string) => rehearse(bridge.authorize(ask, account), [replied(status, error(code))]).outcome
  equal(of(429, 'slow_down').is, 'later')
  for (const [status, code, as] of [
    [400, 'invalid_request', 'invalid_request'],
    [401, 'unauthorized', 'configuration'],
    [422, 'not_allowed', 'not_allowed'],
    [422, 'not_supported', 'not_supported'],
  ] as const) {
    const outcome = of(status, code)
    equal(outcome.is === 'declined' && outcome.code, as)
  }
  // An error under an HTTP status that does not belong to it is not an error of the protocol.
  equal(of(500, 'not_allowed').is, 'unknown')
  equal(rehearse(bridge.authorize(ask, account), [replied(409, error('conflict')), replied(200, held)]).outcome.is, 'done')
  equal(rehearse(bridge.authorize(ask, account), [replied(409, error('conflict')), silence]).outcome.is, 'unknown')
})

test('a lookup uses our request id, and reports not found only after the not_found error of the protocol', () => {
  const of = (...replies: Parameters<typeof rehearse>[1]) => rehearse(bridge.sync(syncAsk, account), replies)
  equal(of(replied(200, held)).lines[0], 'GET https://adapter.example/v1/operations/REQ1')
  equal(of(replied(404, { error: { code: 'not_found', message: '' } })).outcome.is, 'not_found')
  equal(of(replied(200, { ...held, status: 'released' })).outcome.is, 'lapsed')
  for (const reply of [silence, notSent, replied(404, '<html>'), replied(200, { ...held, request_id: 'REQ9' })])
    equal(of(reply).outcome.is, 'unknown')
})

test('a webhook needs a recent, valid signature; a returned refund is declined after its approval', () => {
  const now = '2026-03-01T10:00:00.000Z'
  const refund = { ...held, type: 'refund', request_id: 'REQ4', status: 'returned', decline }
  const raw = Buffer.from(JSON.stringify({ version: 1, operation: refund }))
  const signed = (secret: string, at: string) => {
    const t = Date.parse(at) / 1000
    return { 'bridge-signature': `t=${t},v1=${createHmac('sha256', secret).update(`${t}.`).update(raw).digest('hex')}` }
  }
  equal(bridge.webhook.verify(raw, signed('whsec', now), account, now), true)
  equal(bridge.webhook.verify(raw, signed('other', now), account, now), false)
  equal(bridge.webhook.verify(raw, signed('whsec', '2026-03-01T09:54:00.000Z'), account, now), false)
  const [update] = bridge.webhook.read(raw)
  if (!update || !('outcome' in update)) throw new Error('no news of an operation')
  deepEqual(update.of, [{ request_id: 'REQ4' }])
  deepEqual(typeof update.outcome === 'object' && update.outcome.is === 'declined' && update.outcome.after_yes, true)
})

test('credentials are verified by the description of the adapter, and the webhook address is registered with it', () => {
  const about = { protocol: 'bridge', version: 1, name: 'Bank', offers: ['authorize'] }
  const verdict = (status: number, body: object) => rehearse(bridge.verify(account), [replied(status, body)]).outcome.is
  equal(verdict(200, about), 'good')
  equal(verdict(401, { error: { code: 'unauthorized', message: 'Who?' } }), 'refused')
  equal(verdict(200, { ...about, version: 2 }), 'unknown')
  const url = 'https://pay.example/webhooks/m/mca_1'
  const { requests, outcome } = rehearse(bridge.webhook.register(url, account), [replied(200, { url })])
  deepEqual([outcome.is, JSON.parse(requests[0]!.body!)], ['done', { url, secret: 'whsec' }])
})
