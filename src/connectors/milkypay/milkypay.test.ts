import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { accountAt, cardAsk, payoutAsk } from '../../../test/card-ask.ts'
import { rehearse, replied, silence } from '../../../test/rehearse.ts'
import type { SyncRequest } from '../connector.ts'
import { milkypay } from './connector.ts'

const account = accountAt('https://pay.pay-gate.io', { api_key: 'account', key1: 'password' }, { test_mode: 'true' })
const money = { amount: 1250, currency: 'EUR' } as const
const ask = cardAsk({ money })
const invoice = (status: string, more: object = {}) => ({
  data: { id: 'cpi_1', type: 'payment-invoices', attributes: { reference_id: 'REQ1', status, amount: 12.5, currency: 'EUR', ...more } },
})
const created = replied(201, invoice('created', { flow_data: { metadata: { token: 'opens_it' } } }))
const syncAsk: SyncRequest = { verb: 'authorize', request_id: 'REQ1', reference: 'cpi_1', money, authorization: null }

test('an invoice is created and its id noted before the card is sent to the checkout', () => {
  const { requests, lines, outcome } = rehearse(milkypay.authorize(ask, account), [created, replied(200, invoice('processed'))])
  deepEqual(lines, ['POST https://pay.pay-gate.io/payment-invoices', { note: 'cpi_1' }, 'POST https://checkout.pay-gate.io/payment/sale'])
  deepEqual(JSON.parse(requests[0]!.body!).data.attributes, {
    reference_id: 'REQ1',
    amount: 12.5,
    currency: 'EUR',
    service: 'payment_card_eur_hpp',
    description: 'Chairs & Co',
    return_url: 'https://shop.example/return',
    test_mode: true,
  })
  equal(requests[1]!.headers.authorization, 'Bearer opens_it')
  deepEqual(JSON.parse(requests[1]!.body!), { card_number: '4242424242424242', cvv: '737', exp_month: '03', exp_year: '40' })
  deepEqual(outcome.is === 'done' && [outcome.reference, outcome.request_id, outcome.amount], ['cpi_1', 'REQ1', money])
})

test('an invoice id that contains the card number is not stored', () => {
  const named = JSON.stringify(invoice('created')).replace('cpi_1', ask.instrument.number.reveal())
  const { outcome } = rehearse(milkypay.authorize(ask, account), [replied(201, named)])
  deepEqual([outcome.is, JSON.stringify(outcome).includes(ask.instrument.number.reveal())], ['not_sent', false])
})

test('a failure before the card is sent means not sent; after it only the invoice decides the outcome', () => {
  const first = (reply: typeof silence | ReturnType<typeof replied>) => rehearse(milkypay.authorize(ask, account), [reply]).outcome.is
  for (const reply of [silence, replied(500, '<html>'), replied(201, invoice('created'))]) equal(first(reply), 'not_sent')
  equal(rehearse(milkypay.authorize(ask, account), [created, silence]).outcome.is, 'unknown')
  // The format of the checkout's own answer is not documented: the connector queries the invoice.
  const after = (status: string, more?: object) =>
    rehearse(milkypay.authorize(ask, account), [created, replied(200, { ok: true }), replied(200, invoice(status, more))]).outcome
  equal(after('processed').is, 'done')
  equal(after('created').is, 'unknown')
  const failed = after('process_failed', { original_data: { original_resolution_message: 'Too little.' } })
  deepEqual(failed.is === 'declined' && [failed.message, failed.reference], ['Too little.', 'cpi_1'])
})

const payout = payoutAsk({ money })

test('a payout is one request with the card number; a payout without an invoice id is unknown', () => {
  const payoutInvoice = (status: string, more: object = {}) => ({ data: { ...invoice(status, more).data, type: 'payout-invoices' } })
  const { lines, requests, outcome } = rehearse(milkypay.payout(payout, account), [replied(201, payoutInvoice('processed'))])
  deepEqual(lines, ['POST https://pay.pay-gate.io/payout-invoices'])
  const { service, fields, options, amount } = JSON.parse(requests[0]!.body!).data.attributes
  deepEqual([service, fields, options, amount], ['payment_card_eur', { card_number: '4242424242424242' }, { auto_process: true }, 12.5])
  deepEqual(outcome.is === 'done' && [outcome.reference, outcome.amount, outcome.captured], ['cpi_1', money, null])
  equal(
    rehearse(milkypay.payout(payout, account), [replied(201, payoutInvoice('created'))]).outcome.is,
    'waiting',
    'it may be processed any time',
  )
  equal(rehearse(milkypay.payout(payout, account), [replied(201, invoice('processed'))]).outcome.is, 'unknown', 'that is money coming in')
  equal(rehearse(milkypay.payout(payout, account), [silence]).outcome.is, 'unknown')
  const ask = (reference: string | null) => ({ ...syncAsk, verb: 'payout' as const, reference })
  deepEqual(rehearse(milkypay.sync(ask(null), account), []).outcome.is, 'unknown')
  const looked = rehearse(milkypay.sync(ask('cpi_1'), account), [replied(200, payoutInvoice('process_failed'))])
  deepEqual([looked.lines, looked.outcome.is], [['GET https://pay.pay-gate.io/payout-invoices/cpi_1'], 'declined'])
  equal(rehearse(milkypay.sync(ask('cpi_1'), account), [replied(404, { errors: [{ status: '404', title: 'No.' }] })]).outcome.is, 'unknown')
})

test('a payment without an invoice id or with an unpaid invoice is not found; any other status is unknown', () => {
  const of = (status: string, more?: object) => rehearse(milkypay.sync(syncAsk, account), [replied(200, invoice(status, more))]).outcome
  deepEqual(rehearse(milkypay.sync({ ...syncAsk, reference: null }, account), []).outcome, { is: 'not_found' })
  deepEqual(of('created'), { is: 'not_found', reference: 'cpi_1' })
  equal(of('processed').is, 'done')
  equal(of('partially_paid').is, 'unknown')
  const waiting = of('process_pending', { flow_data: { action: 'https://bank.example/a' } })
  deepEqual(waiting.is === 'waiting' && waiting.next_action, { type: 'redirect_to_url', url: 'https://bank.example/a' })
})

test('a callback is unsigned, and only triggers a poll', () => {
  const raw = Buffer.from(JSON.stringify(invoice('processed')))
  equal(milkypay.webhook.verify(), true)
  deepEqual(milkypay.webhook.read(raw), [{ is: 'outcome', of: [{ request_id: 'REQ1' }], outcome: 'ask' }])
  deepEqual(milkypay.webhook.read(Buffer.from('{}')), [])
})
