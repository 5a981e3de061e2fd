import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../test/refused.ts'
import { cards, openShop, type Shop } from '../../test/shop.ts'

const givenBack = async (shop: Shop) => (await shop.processor.charges()).reduce((sum, { refunded }) => sum + refunded, 0)
const jobs = async (shop: Shop) => (await shop.query('select * from scheduled_refunds where merchant_id = $1', [shop.merchant_id])).length

test('a scheduled refund is pending at first, with its amount reserved, and is sent to the processor by a job', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ amount: 1000 })
  const refund_id = `back_${'2'.repeat(25)}`
  const asked = { refund_id, refund_type: 'scheduled', reason: 'came back' }
  const made = await shop.refund(payment_id, 700, asked)
  deepEqual([made.status, made.body.status, await givenBack(shop), await jobs(shop)], [200, 'pending', 0, 1])
  deepEqual((await shop.refund(payment_id, 700, asked)).body, made.body)
  isRefused(await shop.refund(payment_id, 301), 400, 'IR_13')
  equal((await shop.getRefund(refund_id, '?force_sync=true')).status, 'pending')
  equal((await shop.refund(payment_id, 100)).body.status, 'succeeded')
  await shop.wait('1 second')
  const done = await shop.getRefund(refund_id)
  deepEqual([done.status, await givenBack(shop), await jobs(shop)], ['succeeded', 800, 0])
  await shop.wait('1 day')
  equal(await givenBack(shop), 800)
  const events = await shop.events(payment_id)
  deepEqual(
    events.filter(({ type }) => type.startsWith('refund_s')).map(({ type, by }) => [type, by.split(' ')[0]]),
    [
      ['refund_scheduled', 'secret_key'],
      ['refund_sent', 'secret_key'],
      ['refund_sent', 'alarm'],
    ],
  )
})

test('concurrent scheduled refunds never exceed the captured amount', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ amount: 1000 })
  const answers = await Promise.all([400, 400, 400, 400].map(amount => shop.refund(payment_id, amount, { refund_type: 'scheduled' })))
  const taken = answers.filter(({ status }) => status === 200).length
  equal(taken <= 2, true)
  await shop.wait('5 seconds')
  equal(await givenBack(shop), taken * 400)
})

test('a scheduled refund that the processor declines fails with the error, and frees its amount', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ amount: 1000, card: cards.refusesRefunds })
  const { refund_id } = (await shop.refund(payment_id, 1000, { refund_type: 'scheduled' })).body
  await shop.wait('1 second')
  const failed = await shop.getRefund(refund_id)
  deepEqual([failed.status, failed.error_code === null, failed.unified_code === null], ['failed', false, false])
  equal((await shop.refund(payment_id, 1000)).status, 200)
})

test('a pending scheduled refund blocks a cancel after the capture, and is made once by concurrent jobs', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ amount: 1000 })
  await shop.refund(payment_id, 400, { refund_type: 'scheduled' })
  isRefused(await shop.post(`/payments/${payment_id}/cancel_post_capture`, {}), 400, 'IR_16')
  shop.clock.ahead += 1000
  await Promise.all([shop.service.tick(), shop.service.tick(), shop.service.tick()])
  await shop.wait('2 minutes')
  equal(await givenBack(shop), 400)
})
