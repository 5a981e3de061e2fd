import { deepEqual, equal } from 'node:assert/strict'
import { before, test } from 'node:test'
import { ADMIN_KEY, cards, http, openPlace, openShop, type Shop } from '../../test/shop.ts'
import type { Merchant } from '../accounts/merchant.ts'
import type { Outcome } from '../connectors/connector.ts'
import { Unscreened } from '../connectors/redaction/card-numbers.ts'
import { findOperations } from './operation.ts'
import { receiveOutcome } from './sync.ts'

/** The time since which the process has used a steady clock, where a test sets it. */
let steady: string | null = null

before(async () => {
  await openPlace({}, context => ({ ...context, steadySince: () => steady ?? context.steadySince() }))
})

/**
 * Reads an operation as one process did a moment before another applied its outcome. The late answer to the first must
 * not be booked a second time.
 */
async function readEarly(shop: Shop, payment_id: string) {
  const operations = await findOperations(shop.service.context, { merchant_id: shop.merchant_id, kind: 'payment', object_id: payment_id })
  const operation = operations.at(-1)!
  const yes = (reference: string): Outcome => {
    const amount = { amount: operation.amount, currency: 'USD' as const }
    return {
      is: 'done',
      reference,
      request_id: operation.request_id,
      amount,
      captured: operation.verb === 'authorize' ? amount : null,
      facts: {},
    }
  }
  const merchant = { merchant_id: shop.merchant_id } as Merchant
  return {
    sayYes: (reference: string) =>
      receiveOutcome(
        { context: shop.service.context, services: shop.service.services, merchant },
        operation,
        new Unscreened(yes(reference)),
      ),
  }
}

test('a late approval of a payment that is already settled is not taken as a second charge, and nothing is refunded', async () => {
  const shop = await openShop()
  const payment = await shop.pay({ card: cards.approvesLater })
  const slow = await readEarly(shop, payment.payment_id)
  await shop.processor.advance(61)
  const paid = await shop.sync(payment.payment_id)
  equal(paid.status, 'succeeded')
  await slow.sayYes(payment.connector_transaction_id)
  deepEqual(await shop.get(payment.payment_id), paid)
  deepEqual((await shop.processor.operations()).length, 1)
})

test('a late approval of a refund is not counted twice while another refund is reserved', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ card: cards.refundsLater, amount: 1000 })
  const first = (await shop.refund(payment_id, 300)).body
  const slow = await readEarly(shop, payment_id)
  await shop.processor.advance(30)
  await shop.refund(payment_id, 300)
  await shop.processor.advance(31)
  equal((await shop.getRefund(first.refund_id, '?force_sync=true')).status, 'succeeded')
  await slow.sayYes(first.connector_refund_id)
  const totals = () =>
    shop.query('select amount_refunding::int as reserved, amount_refunded::int as given from payments where payment_id = $1', [payment_id])
  deepEqual(await totals(), [{ reserved: 300, given: 300 }])
  await shop.wait('2 minutes')
  deepEqual(await totals(), [{ reserved: 0, given: 600 }])
})

test('a late approval of a capture is not counted twice while another capture is reserved', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.hold({ card: cards.capturesLater, amount: 1000, capture_method: 'manual_multiple' })
  await shop.capture(payment_id, 300)
  const slow = await readEarly(shop, payment_id)
  await shop.processor.advance(30)
  await shop.capture(payment_id, 300)
  await shop.processor.advance(31)
  const one = await shop.sync(payment_id)
  deepEqual([one.status, one.amount_received], ['partially_captured_and_processing', 300])
  await slow.sayYes('cap_1')
  deepEqual(await shop.get(payment_id), one)
})

test('after the credentials or the URL of an account change, a charge that is not found there stays processing', async () => {
  const key = (api_key: string) => ({ connector_account_details: { auth_type: 'HeaderKey', api_key } })
  for (const changed of ['credentials', 'address']) {
    const shop = await openShop()
    const same = { ...key(`sandbox_${shop.merchant_id}`), metadata: { base_url: 'http://127.0.0.1:9' } }
    const change = changed === 'credentials' ? key('sandbox_another_account') : same
    const { payment_id } = await shop.pay({ card: cards.chargesAndResets })
    const account = `${shop.url}/account/${shop.merchant_id}/connectors/${shop.merchant_connector_id}`
    const { status, text } = await http(
      'POST',
      account,
      { connector_type: 'payment_processor', status: 'active', ...change },
      { 'api-key': ADMIN_KEY },
    )
    equal(status, 200, text)
    await shop.wait('5 minutes')
    await shop.sync(payment_id)
    equal((await shop.get(payment_id)).status, 'processing')
    equal((await shop.processor.charges()).length, 1)
    await shop.wait('8 days')
    equal((await shop.get(payment_id)).status, 'requires_merchant_action')
  }
})

test('a process that started shortly before a poll polls again when the in-flight window ends, not at the next interval', async t => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ card: cards.hangs })
  const status = async () => (await shop.get(payment_id)).status
  await shop.wait('70 seconds')
  t.after(() => {
    steady = null
  })
  steady = shop.service.context.now()
  await shop.wait('55 seconds')
  equal(await status(), 'processing', 'the rung of two minutes: too early for it to judge')
  await shop.wait('30 seconds')
  equal(await status(), 'failed')
  equal((await shop.get(payment_id)).error_code, 'not_received')
})
