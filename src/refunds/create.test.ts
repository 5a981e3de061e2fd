import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { areTheSame, isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, type Body, cards, http, openShop, type Shop } from '../../test/shop.ts'

const givenBack = async (shop: Shop): Promise<number> => (await shop.processor.charges()).reduce((sum, charge) => sum + charge.refunded, 0)

test('a refund without an amount refunds the full amount', async () => {
  const shop = await openShop()
  const payment = await shop.pay({ amount: 1250 })
  const { status, body } = await shop.refund(payment.payment_id, undefined, { reason: 'did not fit', metadata: { parcel: '7' } })
  deepEqual(
    [status, body.status, body.amount, body.currency, body.reason, body.metadata],
    [200, 'succeeded', 1250, 'USD', 'did not fit', { parcel: '7' }],
  )
  match(body.refund_id, /^ref_[0-9A-HJKMNP-TV-Z]{26}$/)
  equal(await givenBack(shop), 1250)
  deepEqual(await shop.getRefund(body.refund_id), body)
  const after = await shop.get(payment.payment_id)
  deepEqual([after.status, after.amount_received, after.state_metadata.total_refunded_amount], ['succeeded', 1250, 1250])
})

test('a refund shows its fee if the processor reported one', async () => {
  for (const [connector, fee] of [
    ['phonypay', { amount: 15, currency: 'USD' }],
    ['stripe', { amount: 15, currency: 'USD' }],
    ['adyen', null],
  ] as const) {
    const shop = await openShop({ connector, webhooks: 'on' })
    const { body } = await shop.refund((await shop.pay()).payment_id)
    await shop.wait('1 minute')
    const refund = await shop.getRefund(body.refund_id)
    deepEqual([refund.status, refund.fee_snapshot], ['succeeded', fee], connector)
  }
  const shop = await openShop()
  const refused = await shop.pay({ card: cards.refundsFailLater })
  equal((await shop.refund(refused.payment_id)).body.fee_snapshot, null)
})

test('a refund_id sent again is answered with its refund after the account was disabled or deleted, the money is all given back, or a year has passed', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ amount: 1250 })
  const ids = { part: `again_${'7'.repeat(24)}`, rest: `again_${'8'.repeat(24)}` }
  const asks = { part: [300, { refund_id: ids.part, reason: 'did not fit' }], rest: [950, { refund_id: ids.rest }] } as const
  for (const [amount, more] of Object.values(asks)) equal((await shop.refund(payment_id, amount, more)).body.status, 'succeeded')
  const sameAsBefore = async (when: string) => {
    for (const [amount, more] of Object.values(asks)) {
      const { status, body, text } = await shop.refund(payment_id, amount, more)
      deepEqual([status, body.refund_id, body.amount, body.status], [200, more.refund_id, amount, 'succeeded'], `${when}: ${text}`)
      isRefused(await shop.refund(payment_id, amount + 1, more), 400, 'HE_01')
    }
    equal(await givenBack(shop), 1250, `${when}: nothing is given back again`)
  }
  const account = `/account/${shop.merchant_id}/connectors/${shop.merchant_connector_id}`
  equal((await shop.post(account, { connector_type: 'payment_processor', disabled: true })).status, 200)
  await sameAsBefore('disabled')
  equal((await http('DELETE', shop.url + account, undefined, { 'api-key': ADMIN_KEY })).status, 200)
  await sameAsBefore('deleted')
  await shop.wait('400 days')
  await sameAsBefore('a year later')
  isRefused(await shop.refund(payment_id, 300, { refund_id: `again_${'9'.repeat(24)}` }), 422, 'IR_05', /365 days/)
})

test('partial refunds add up to the captured amount, and not to more', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ amount: 1000 })
  for (const amount of [250, 350, 300]) equal((await shop.refund(payment_id, amount)).body.status, 'succeeded')
  isRefused(await shop.refund(payment_id, 101), 400, 'IR_13', /101 exceeds the amount left to refund: 100/)
  equal((await shop.refund(payment_id, 100)).body.status, 'succeeded')
  isRefused(await shop.refund(payment_id, 100), 400, 'IR_13')
  isRefused(await shop.refund(payment_id), 400, 'IR_13')
  equal(await givenBack(shop), 1000)
})

test('concurrent refunds never exceed the captured amount', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ amount: 1000 })
  const answers = await Promise.all([400, 400, 400, 400, 400].map(amount => shop.refund(payment_id, amount)))
  const given = answers.filter(answer => answer.status === 200)
  for (const answer of answers) if (answer.status !== 200) equal(['IR_13', 'HE_00'].includes(answer.body.error.code), true, answer.text)
  equal(given.length <= 2, true)
  equal(await givenBack(shop), given.length * 400)
})

test('a refund of less than 100 is refused, and a smaller rest is named in the error', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ amount: 1000 })
  for (const amount of [99, 1, 0, -100]) isRefused(await shop.refund(payment_id, amount), 422, 'IR_05', /at least 100/)
  await shop.refund(payment_id, 950)
  isRefused(await shop.refund(payment_id, 50), 422, 'IR_05', /the 50 that are left/)
  isRefused(await shop.post('/refunds', { payment_id, amount: 200.5 }), 400, 'IR_06', /amount/)
  isRefused(await shop.post('/refunds', { payment_id, amount: '200' }), 400, 'IR_06', /amount/)
  isRefused(await shop.post('/refunds', { payment_id, amount: 2 ** 53 }), 400, 'IR_16', /amount/)
  equal(await givenBack(shop), 950)
})

test('the captured amount can be refunded, not the authorized amount', async () => {
  const shop = await openShop()
  const part = await shop.hold({ amount: 1000 })
  await shop.capture(part.payment_id, 600)
  isRefused(await shop.refund(part.payment_id, 601), 400, 'IR_13')
  equal((await shop.refund(part.payment_id)).body.amount, 600)
  const rest = await shop.hold({ amount: 1000, capture_method: 'manual_multiple' })
  await shop.capture(rest.payment_id, 400)
  equal((await shop.refund(rest.payment_id, 400)).body.status, 'succeeded', 'while the rest is still held')
  await shop.capture(rest.payment_id, 600)
  isRefused(await shop.refund(rest.payment_id, 601), 400, 'IR_13')
  equal((await shop.refund(rest.payment_id, 600)).body.status, 'succeeded')
  equal(await givenBack(shop), 1600)
})

test('the same refund_id with the same body is one refund; with another body it is refused', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ amount: 1000 })
  const other = await shop.pay({ amount: 1000 })
  const refund_id = `back_${'0'.repeat(25)}`
  const [one, two] = await Promise.all([shop.refund(payment_id, 300, { refund_id }), shop.refund(payment_id, 300, { refund_id })])
  const three = await shop.refund(payment_id, 300, { refund_id })
  for (const answer of [one, two, three]) deepEqual([answer.status, answer.body.refund_id], [200, refund_id], answer.text)
  equal(three.body.status, 'succeeded')
  isRefused(await shop.refund(payment_id, 301, { refund_id }), 400, 'HE_01')
  isRefused(await shop.refund(payment_id, 300, { refund_id, reason: 'x' }), 400, 'HE_01')
  isRefused(await shop.refund(other.payment_id, 300, { refund_id }), 400, 'HE_01')
  isRefused(await shop.refund(payment_id, 300, { refund_id: 'short' }), 422, 'IR_05', /refund_id/)
  equal(await givenBack(shop), 300)
  const otherShop = await openShop()
  const payment = await otherShop.pay({ amount: 1000 })
  equal((await otherShop.refund(payment.payment_id, 300, { refund_id })).body.status, 'succeeded', 'ids belong to one merchant')
})

test('a repeated refund_id returns the same refund, even if nothing is left to refund', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ amount: 1000 })
  const refund_id = `back_${'1'.repeat(25)}`
  const first = await shop.refund(payment_id, 1000, { refund_id })
  deepEqual((await shop.refund(payment_id, 1000, { refund_id })).body, first.body)
})

test('a refund that the processor decides later stays pending, with its amount reserved', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ card: cards.refundsLater, amount: 1000 })
  const { body } = await shop.refund(payment_id, 600)
  equal(body.status, 'pending')
  isRefused(await shop.refund(payment_id, 401), 400, 'IR_13')
  equal((await shop.getRefund(body.refund_id, '?force_sync=true')).status, 'pending')
  await shop.wait('30 seconds')
  equal((await shop.getRefund(body.refund_id)).status, 'pending')
  await shop.wait('1 minute')
  const done = await shop.getRefund(body.refund_id)
  deepEqual([done.status, done.connector_refund_id === null], ['succeeded', false])
  equal(await givenBack(shop), 600)
  const types = (await shop.events(payment_id)).map((event: Body) => event.event_type)
  equal(types.at(-1), 'refund_succeeded')
})

test('force_sync of a refund polls the processor', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ card: cards.refundsLater, amount: 1000 })
  const { body } = await shop.refund(payment_id, 600)
  await shop.processor.advance(61)
  equal((await shop.getRefund(body.refund_id)).status, 'pending')
  equal((await shop.getRefund(body.refund_id, '?force_sync=true')).status, 'succeeded')
})

test('a refund that fails later, or is declined at once, frees its amount for another refund', async () => {
  const shop = await openShop()
  const later = await shop.pay({ card: cards.refundsFailLater, amount: 1000 })
  const pending = (await shop.refund(later.payment_id, 1000)).body
  equal(pending.status, 'pending')
  await shop.wait('2 minutes')
  const failed = await shop.getRefund(pending.refund_id)
  deepEqual([failed.status, failed.error_code], ['failed', 'refund_failed'])
  equal((await shop.refund(later.payment_id, 1000)).body.status, 'pending')
  const never = await shop.pay({ card: cards.refusesRefunds, amount: 1000 })
  const refused = await shop.refund(never.payment_id, 1000)
  deepEqual([refused.status, refused.body.status, refused.body.error_code], [200, 'failed', 'refund_declined'])
  equal((await shop.refund(never.payment_id, 1000)).body.status, 'failed', 'not IR_13')
  const payment = await shop.get(never.payment_id)
  deepEqual([payment.status, payment.error_code, payment.state_metadata], ['succeeded', null, null])
  equal((await shop.events(never.payment_id)).at(-1).event_type, 'refund_failed')
  equal(await givenBack(shop), 0)
})

test('a payment accepts at most eleven refunds', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ amount: 5000 })
  for (let i = 0; i < 11; i++) equal((await shop.refund(payment_id, 100)).status, 200)
  isRefused(await shop.refund(payment_id, 100), 400, 'IR_12')
})

test('a refund of a payment without captured money is refused with the status of the payment', async () => {
  const shop = await openShop()
  const created = await shop.create()
  const hold = await shop.hold()
  const failed = await shop.pay({ card: cards.declines })
  const cancelled = await shop.create()
  await shop.cancel(cancelled.payment_id)
  const silent = await shop.pay({ card: cards.chargesAndResets })
  const challenged = await shop.pay({ card: cards.challenges, authentication_type: 'three_ds' })
  for (const { payment_id } of [created, hold, failed, cancelled, silent, challenged])
    isRefused(await shop.refund(payment_id), 400, 'IR_14', new RegExp(`status of ${(await shop.get(payment_id)).status}`))
  equal((await shop.processor.operations()).filter((operation: Body) => operation.type === 'refund').length, 0)
})

test('an invalid refund, or a refund of an unknown payment, is refused', async () => {
  const shop = await openShop()
  const otherShop = await openShop()
  const { payment_id } = await shop.pay()
  const missing = await shop.refund(`pay_${'0'.repeat(26)}`)
  isRefused(missing, 404, 'HE_02')
  areTheSame(await otherShop.refund(payment_id), missing)
  isRefused(await shop.post('/refunds', {}), 400, 'IR_06', /payment_id/)
  isRefused(await shop.refund(payment_id, 100, { merchant_id: 'somebody' }), 422, 'IR_05', /merchant_id/)
  isRefused(await shop.refund(payment_id, 100, { split_refunds: { a: 1 } }), 400, 'IR_06', /split_refunds/)
  isRefused(await shop.refund(payment_id, 100, { amout: 100 }), 400, 'IR_06', /amout/)
  isRefused(await shop.refund(payment_id, 100, { metadata: { ['k'.repeat(41)]: 1 } }), 422, 'IR_06', /metadata/)
  const refund = (await shop.refund(payment_id, 100)).body
  const noRefund = await shop.call('GET', `/refunds/ref_${'0'.repeat(26)}`)
  isRefused(noRefund, 404, 'HE_02')
  areTheSame(await otherShop.call('GET', `/refunds/${refund.refund_id}`), noRefund)
  areTheSame(await otherShop.call('GET', `/refunds/${refund.refund_id}?force_sync=true`), noRefund)
})

test('a refund fails if its processor cannot be reached, and can be made again', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ amount: 1000 })
  const aside = "update connector_accounts set details = jsonb_set(details, '{metadata}', $2::jsonb) where merchant_id = $1"
  const settle = async (metadata: object) => {
    await shop.query(aside, [shop.merchant_id, JSON.stringify(metadata)])
    await shop.query('update settings_version set version = version + 1')
    await openShop() // every administrative call makes the service read the settings again
  }
  await settle({ base_url: 'http://127.0.0.1:1' })
  const refund = (await shop.refund(payment_id, 1000)).body
  deepEqual([refund.status, refund.error_code], ['failed', 'not_sent'])
  await settle({})
  equal((await shop.refund(payment_id, 1000)).body.status, 'succeeded')
  equal(await givenBack(shop), 1000)
})

test('a refund more than 365 days after the payment is refused', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay()
  await shop.wait('366 days')
  isRefused(await shop.refund(payment_id), 422, 'IR_05', /365 days/)
})
