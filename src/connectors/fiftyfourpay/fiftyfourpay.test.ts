import { deepEqual, equal } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { accountAt, holds, type Row, usualAsk } from '../../../test/card-ask.ts'
import { rehearse, replied, silence } from '../../../test/rehearse.ts'
import { Secret } from '../../base/secret.ts'
import type { RequestOf, SyncRequest } from '../connector.ts'
import { fiftyfourpay } from './connector.ts'

const account = accountAt(
  'https://54pay.example',
  { api_key: 'public', key1: 'client' },
  { amount_unit: 'major', country: 'KE', operator: 'mpesa' },
)
const now = '2026-03-01T10:00:00.000Z'
const money = { amount: 1250, currency: 'KES' } as const
const msisdn = new Secret('254700000123')
const ask = {
  request_id: 'REQ1',
  money,
  capture: 'automatic',
  instrument: { is: 'mobile_payment', type: 'direct_carrier_billing', way: 'direct_carrier_billing', open: {}, secrets: { msisdn } },
  ...usualAsk,
} as const
const base64 = (text: string) => Buffer.from(text).toString('base64')
const syncAsk: SyncRequest = { verb: 'authorize', request_id: 'REQ1', reference: null, money, authorization: null }

test('a collection is requested with either variant of the headers, as the account configures', () => {
  const headers = (metadata: object) =>
    rehearse(fiftyfourpay.authorize(ask, { ...account, metadata: { ...account.metadata, ...metadata } }), [silence]).requests[0]!.headers
  deepEqual(headers({}), {
    'x-app': 'api',
    'x-business': base64('public'),
    'x-api-key': base64('public'),
    'content-type': 'application/json',
  })
  equal(headers({ headers: 'x-module' })['x-module'], base64('12.50REQ1254700000123'))
  const { url, body } = rehearse(fiftyfourpay.authorize(ask, account), [silence]).requests[0]!
  equal(url, 'https://54pay.example/collection/v1/payin')
  const { requestHeader, customerNumber, transactionAmount, transactionCountry, operatorCode } = JSON.parse(body!)
  deepEqual(
    [requestHeader, customerNumber, transactionAmount, transactionCountry, operatorCode],
    [{ clientId: 'client', requestType: 'Collections' }, '254700000123', '12.50', 'KE', 'mpesa'],
  )
})

const collection = (responseCode: string, more: object = {}) => ({
  responseDetails: { responseCode, responseMessage: 'Said.' },
  transactionReference: 'REQ1',
  transactionAmount: '12.50',
  transactionCurrency: 'KES',
  ...more,
})
const states: Row[] = [
  [collection('09'), 'waiting', {}],
  [
    collection('09', { redirectionRequired: true, redirectionUrl: 'https://bank.example/a' }),
    'waiting',
    { next_action: { type: 'redirect_to_url', url: 'https://bank.example/a' } },
  ],
  [collection('09', { redirectionRequired: true }), 'unknown', {}],
  [collection('00'), 'done', { amount: money, captured: money }],
  [collection('00', { transactionAmount: undefined }), 'unknown', {}],
  [collection('51'), 'declined', { code: 'insufficient_funds', processor_code: '51' }],
  [collection('77'), 'unknown', {}],
  [collection('00', { transactionReference: 'REQ9' }), 'unknown', {}],
]

test('known response codes give their outcome; any other code, and any error, gives an unknown one', () => {
  holds(states, body => rehearse(fiftyfourpay.sync(syncAsk, account), [replied(200, body)]).outcome)
  // The contract defines no errors: none is a decline.
  for (const status of [400, 401, 404, 500])
    equal(rehearse(fiftyfourpay.authorize(ask, account), [replied(status, { error: 'no' })]).outcome.is, 'unknown')
})

test('amounts are in the unit that the account configures; without it nothing is sent', () => {
  const counting = (amount_unit?: string) => ({ ...account, metadata: { ...account.metadata, amount_unit } })
  const { requests } = rehearse(fiftyfourpay.authorize(ask, counting('minor')), [silence])
  equal(JSON.parse(requests[0]!.body!).transactionAmount, '1250')
  const sync = (transactionAmount: string) =>
    rehearse(fiftyfourpay.sync(syncAsk, counting('minor')), [replied(200, collection('00', { transactionAmount }))]).outcome
  const outcome = sync('1250')
  deepEqual(outcome.is === 'done' && outcome.amount, money)
  equal(sync('12.50').is, 'unknown')
  const unsaid = rehearse(fiftyfourpay.authorize(ask, counting()), [])
  deepEqual([unsaid.requests.length, unsaid.outcome.is], [0, 'declined'])
})

test('payouts go to the adapter that the account names; without an adapter nothing is sent', () => {
  const adapter = { ...account, metadata: { payout_url: 'https://adapter.example/54/' } }
  const recipient = { is: 'bank_redirect', type: 'interac', account: new Secret('ada@example.com'), holder: null } as const
  const paid: RequestOf<'payout'> = {
    request_id: 'REQ1',
    money,
    recipient,
    entity_type: 'Individual',
    priority: null,
    merchant_name: 'Chairs & Co',
    description: null,
  }
  const [request] = rehearse(fiftyfourpay.payout(paid, adapter), [silence]).requests
  equal(request!.url, 'https://adapter.example/54/v1/operations/REQ1')
  equal(request!.headers.authorization, 'Bearer public')
  const { type, amount, currency } = JSON.parse(request!.body!)
  deepEqual([type, amount, currency], ['payout', 1250, 'KES'])
  const nowhere = rehearse(fiftyfourpay.payout(paid, account), [])
  deepEqual([nowhere.requests.length, nowhere.outcome.is], [0, 'declined'])
  const of = (verb: 'payout' | 'authorize') =>
    rehearse(fiftyfourpay.sync({ ...syncAsk, verb }, adapter), verb === 'payout' ? [silence] : [])
  equal(of('payout').requests[0]!.url, 'https://adapter.example/54/v1/operations/REQ1')
  equal(of('authorize').requests.length, 0, 'an adapter knows no collections')
})

test('a payout webhook of the adapter needs a valid signature; its other webhooks are rejected', () => {
  const webhookOf = (type: string) => {
    const operation = { request_id: 'REQ1', type, status: 'approved', reference: 'their_1', ...money, captured: 1250, held: 0 }
    return Buffer.from(JSON.stringify({ version: 1, operation }))
  }
  const raw = webhookOf('payout')
  const t = Date.parse(now) / 1000
  const signed = (secret: string) => ({
    'bridge-signature': `t=${t},v1=${createHmac('sha256', secret).update(`${t}.`).update(raw).digest('hex')}`,
  })
  const believed = (headers: Record<string, string>, webhook_secret: Secret | null = new Secret('whsec')) =>
    fiftyfourpay.webhook.verify(raw, headers, { ...account, webhook_secret }, now)
  deepEqual([believed(signed('whsec')), believed(signed('other')), believed({}), believed({}, null)], [true, false, false, false])
  const [update] = fiftyfourpay.webhook.read(raw)
  equal(update && 'outcome' in update && update.outcome !== 'ask' && update.outcome.is, 'done')
  equal(fiftyfourpay.webhook.verify(webhookOf('authorize'), {}, account, now), false)
  deepEqual(fiftyfourpay.webhook.read(webhookOf('authorize')), [])
})

test('a callback is unsigned, and only triggers a poll', () => {
  const raw = Buffer.from(JSON.stringify(collection('00')))
  equal(fiftyfourpay.webhook.verify(raw, {}, account, now), true)
  deepEqual(fiftyfourpay.webhook.read(raw), [{ is: 'outcome', of: [{ request_id: 'REQ1' }], outcome: 'ask' }])
})
