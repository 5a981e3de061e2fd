import { deepEqual, equal, match } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { type Body, http, openShop, type PayAsk, type Shop } from '../shop.ts'

/**
 * Bank debits by Checkout.com, at the sandbox's imitation of Checkout.com: decided after days, and returned later than
 * that.
 */

const open = (more: Parameters<typeof openShop>[0] = {}) => openShop({ connector: 'checkout', webhooks: 'on', ...more })
const address = {
  ...{ first_name: 'Ada', last_name: 'Byron', line1: '1 Way', line2: 'Top', city: 'Here', zip: '12345', country: 'DE' },
}
const customer_acceptance = {
  acceptance_type: 'online',
  accepted_at: '2026-03-01T09:00:00.000Z',
  online: { ip_address: '203.0.113.7', user_agent: 'a' },
}

/** The endings of account numbers, which behave as test cards with these endings. */
const ending = { well: '3000', refused: '0002', returned: '0259' } as const
const drawn = (ends: keyof typeof ending = 'well', more: Body = {}): PayAsk => ({
  ...{ amount: 12_500, currency: 'EUR', payment_method: 'bank_debit', payment_method_type: 'sepa', customer_acceptance },
  billing: { address, email: 'ada@shop.example' },
  payment_method_data: { bank_debit: { sepa_bank_debit: { iban: ibanOf(`37040044053201${ending[ends]}`) } } },
  ...more,
})

/** Gives a German IBAN with its check digits (ISO 13616). */
function ibanOf(account: string): string {
  const rest = [...`${account}131400`].reduce((sum, digit) => (sum * 10 + Number(digit)) % 97, 0)
  return `DE${String(98 - rest).padStart(2, '0')}${account}`
}

async function days(shop: Shop, count: number): Promise<void> {
  for (let day = 1; day <= count; day++) await shop.wait('1 day')
  await shop.processor.flushWebhooks()
  await shop.wait('1 minute')
}

test('a debit is processing for days until a webhook or a poll confirms it, and is refunded in part', async () => {
  for (const webhooks of ['on', 'off'] as const) {
    const shop = await open({ webhooks })
    const { payment_id, status } = await shop.pay(drawn())
    equal(status, 'processing')
    await days(shop, 4)
    equal((await shop.get(payment_id)).status, 'processing', webhooks)
    await days(shop, 3)
    const paid = await shop.get(payment_id)
    deepEqual([paid.status, paid.amount_received], ['succeeded', 12_500], webhooks)
    const { body } = await shop.refund(payment_id, 500)
    await days(shop, 1)
    equal((await shop.getRefund(body.refund_id)).status, 'succeeded', webhooks)
    deepEqual(
      (await shop.processor.charges()).map(({ captured, refunded }) => [captured, refunded]),
      [[12_500, 500]],
    )
  }
})

test('a debit that the bank refuses days later fails, and nothing is charged', async () => {
  const shop = await open()
  const { payment_id, status } = await shop.pay(drawn('refused'))
  equal(status, 'processing')
  await days(shop, 6)
  const failed = await shop.get(payment_id)
  deepEqual([failed.status, failed.error_code], ['failed', '20005'])
  deepEqual(await shop.processor.charges(), [])
})

test('a debit whose response is lost is found by its reference, and charged once', async () => {
  const shop = await open()
  await shop.processor.fault('authorize', 'reset_after')
  const { payment_id, status } = await shop.pay(drawn())
  equal(status, 'processing')
  await days(shop, 6)
  equal((await shop.get(payment_id)).status, 'succeeded')
  equal((await shop.processor.charges()).length, 1)
})

test('a debit that is returned after its approval becomes one lost dispute, also with duplicate or late webhooks', async () => {
  for (const webhooks of ['send', 'duplicate', 'hold'] as const) {
    const shop = await open()
    await shop.processor.account({ webhooks })
    const { payment_id } = await shop.pay(drawn('returned'))
    await days(shop, 7)
    const { status, disputes } = await shop.get(payment_id)
    deepEqual(
      [status, disputes.map((one: Body) => [one.dispute_status, one.amount, one.connector_reason_code])],
      ['succeeded', [['dispute_lost', '12500', '20051']]],
      webhooks,
    )
    match(disputes[0].connector_dispute_id, /^pay_\w+\/act_\w+$/)
    equal((await shop.events(disputes[0].dispute_id)).filter(event => event.event_type === 'dispute_lost').length, 1)
    const back = await shop.refund(payment_id)
    equal(back.status >= 400 || back.body.status === 'failed', true, back.text)
  }
})

test('a return received before the approval becomes a lost dispute, counted once', async () => {
  const shop = await open()
  await shop.processor.account({ webhooks: 'hold' })
  const { payment_id, connector_transaction_id: id } = await shop.pay(drawn())
  const [debit] = await shop.processor.operations()
  await shop.processor.decide(debit!.id, 'approved')
  const remote = await shop.processor.call('POST', `/control/payments/${id}/dispute`, {})
  const data = { id, action_id: `act_${remote.id.replace('_', '')}`, reference: debit!.reference, amount: 12_500, currency: 'EUR' }
  const body = JSON.stringify({ id: 'evt_1', type: 'payment_returned', data })
  const signature = createHmac('sha256', shop.webhook_secret).update(body).digest('hex')
  const address = `${shop.url}/webhooks/${shop.merchant_id}/${shop.merchant_connector_id}`
  equal((await http('POST', address, body, { 'content-type': 'application/json', 'cko-signature': signature })).status, 200)
  await shop.wait('1 day')
  await shop.wait('1 minute')
  const { status, amount_received, disputes } = await shop.get(payment_id)
  deepEqual(
    [status, amount_received, disputes.map((one: Body) => [one.dispute_status, one.amount])],
    ['succeeded', 12_500, [['dispute_lost', '12500']]],
  )
})

test('a debit without a full address or customer_acceptance, in USD, with manual capture, or for later charges is refused', async () => {
  const shop = await open()
  const { line2: _none, ...half } = address
  for (const [ask, why] of [
    [drawn('well', { billing: { address: half } }), /billing\.address\.line2/],
    [drawn('well', { customer_acceptance: undefined }), /customer_acceptance/],
    [drawn('well', { currency: 'USD' }), /sepa in USD/],
    [drawn('well', { capture_method: 'manual' }), /capture/],
    [drawn('well', { customer_id: 'ada', setup_future_usage: 'off_session' }), /setup_future_usage/],
  ] as const) {
    const { status, body, text } = await shop.tryToPay(ask)
    equal(status >= 400 && status < 500, true, text)
    match(body.error?.reason ?? body.error?.message, why, text)
  }
  equal((await shop.processor.operations()).length, 0)
})

test('Klarna is refused, and nothing is sent', async () => {
  const shop = await open()
  const { status, text } = await shop.tryToPay({
    ...{ amount: 1250, currency: 'EUR', billing: { address, email: 'ada@shop.example' }, payment_method: 'pay_later' },
    payment_method_type: 'klarna',
    payment_method_data: { pay_later: { klarna_redirect: {} } },
    order_details: [{ product_name: 'Chair', quantity: 1, amount: 1250 }],
  })
  equal(status, 400, text)
  match(text, /pay_later/)
  equal((await shop.processor.operations()).length, 0)
})
