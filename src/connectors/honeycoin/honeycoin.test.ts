import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { accountAt, holds, type Row, usualAsk } from '../../../test/card-ask.ts'
import { rehearse, replied, silence } from '../../../test/rehearse.ts'
import { Secret } from '../../base/secret.ts'
import type { SyncRequest } from '../connector.ts'
import type { Other } from '../instrument.ts'
import { honeycoin } from './connector.ts'

const account = accountAt(
  'https://honeycoin.example/api/b2b',
  { api_key: 'key', key1: 'public' },
  { amount_unit: 'major', operator: 'mpesa', lookup_path: '/b2b/transactions' },
  'shared',
)
const money = { amount: 1250, currency: 'KES' } as const
const transaction = { transactionId: 'their_1', externalReference: 'REQ1', status: 'PENDING', amount: 12.5, currency: 'KES' }
const reply = (more: object = {}) => replied(200, { success: true, data: { ...transaction, ...more } })
const syncAsk: SyncRequest = { verb: 'authorize', request_id: 'REQ1', reference: null, money, authorization: null }

test('a mobile money charge uses an access token, the configured unit of amounts and the phone number', () => {
  const instrument: Other<'mobile_payment'> = {
    is: 'mobile_payment',
    type: 'direct_carrier_billing',
    way: 'direct_carrier_billing',
    open: {},
    secrets: { msisdn: new Secret('254700000123') },
  }
  const ask = {
    request_id: 'REQ1',
    money,
    capture: 'automatic',
    instrument,
    ...usualAsk,
  } as const
  const { lines, requests, outcome } = rehearse(honeycoin.authorize(ask, account), [reply()])
  deepEqual(lines, ['a token', 'POST https://honeycoin.example/api/b2b/fiat/charge/momo'])
  deepEqual(JSON.parse(requests[0]!.body!), {
    amount: 12.5,
    currency: 'KES',
    externalReference: 'REQ1',
    phone: '254700000123',
    operatorCode: 'mpesa',
    successRedirectUrl: 'https://shop.example/return',
    failureRedirectUrl: 'https://shop.example/return',
  })
  equal(outcome.is, 'waiting')
  const counting = (amount_unit?: string) => ({ ...account, metadata: { ...account.metadata, amount_unit } })
  const inMinor = rehearse(honeycoin.authorize(ask, counting('minor')), [reply({ amount: 1250 })])
  equal(JSON.parse(inMinor.requests[0]!.body!).amount, 1250)
  // The contract does not document the unit of amounts: where the account does not set it, nothing is sent.
  const unsaid = rehearse(honeycoin.authorize(ask, counting()), [])
  deepEqual([unsaid.requests.length, unsaid.outcome.is], [0, 'declined'])
  // Without a token nothing is sent; a token that is no longer valid is fetched again, once.
  equal(rehearse(honeycoin.authorize(ask, account), [], [{ is: 'unavailable', why: 'nobody' }]).outcome.is, 'not_sent')
  equal(rehearse(honeycoin.authorize(ask, account), [replied(401, {}), reply({ status: 'SUCCESS' })]).outcome.is, 'done')
})

const states: Row[] = [
  [{ status: 'Successful' }, 'done', { amount: money, captured: money }],
  [{ status: 'PROCESSING' }, 'waiting', {}],
  [{ redirectUrl: 'https://bank.example/a' }, 'waiting', { next_action: { type: 'redirect_to_url', url: 'https://bank.example/a' } }],
  [{ status: 'FAILED', message: 'Too little.' }, 'declined', { message: 'Too little.', processor_code: 'FAILED' }],
  [{ status: 'REVERSED' }, 'unknown', {}],
  [{ amount: 12.505 }, 'unknown', {}],
  [{ externalReference: 'REQ9' }, 'unknown', {}],
]

test('each known status gives its outcome; an unknown status or a 404 gives an unknown one', () => {
  holds(states, more => rehearse(honeycoin.sync(syncAsk, account), [reply(more)]).outcome)
  const { lines } = rehearse(honeycoin.sync(syncAsk, account), [silence])
  equal(lines[1], 'GET https://honeycoin.example/api/b2b/b2b/transactions/REQ1')
  equal(rehearse(honeycoin.sync(syncAsk, account), [replied(404, { success: false, message: 'no' })]).outcome.is, 'unknown')
})

test('a payout goes to a phone number, and is declined for an email address', () => {
  const ask = {
    request_id: 'REQ1',
    money,
    entity_type: 'Individual',
    priority: null,
    merchant_name: 'Chairs & Co',
    description: null,
  } as const
  const wallet = {
    is: 'wallet',
    type: 'venmo',
    account: new Secret('254700000123'),
    by: 'telephone_number',
    exp_month: null,
    exp_year: null,
    holder: null,
  } as const
  const { requests, outcome } = rehearse(honeycoin.payout({ ...ask, recipient: wallet }, account), [reply({ status: 'SUCCESSFUL' })])
  const { destination, payoutMethod } = JSON.parse(requests[0]!.body!)
  deepEqual([destination, payoutMethod], ['MoMo', { accountNumber: '254700000123', code: 'mpesa' }])
  deepEqual(outcome.is === 'done' && outcome.captured, null)
  const mail = { ...wallet, by: 'email' } as const
  equal(rehearse(honeycoin.payout({ ...ask, recipient: mail }, account), []).outcome.is, 'declined')
})

test('a webhook needs the exact shared secret, and only triggers a poll', () => {
  const raw = Buffer.from(JSON.stringify({ event: 'transaction', data: transaction }))
  const verify = (given: string | undefined) => honeycoin.webhook.verify(raw, { 'x-webhook-signature': given }, account)
  deepEqual([verify('shared'), verify('share'), verify(''), verify(undefined)], [true, false, false, false])
  equal(honeycoin.webhook.verify(raw, { 'x-webhook-signature': 'shared' }, { ...account, webhook_secret: null }), false)
  deepEqual(honeycoin.webhook.read(raw), [{ is: 'outcome', of: [{ request_id: 'REQ1' }], outcome: 'ask' }])
})
