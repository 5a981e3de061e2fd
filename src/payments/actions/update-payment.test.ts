import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../../test/refused.ts'
import { type Body, card, cards, http, openShop, type Shop } from '../../../test/shop.ts'
import { allowedStatuses, lifecycle } from '../lifecycle.ts'

const update = (shop: Shop, { payment_id }: Body, body: Body = {}) => shop.post(`/payments/${payment_id}`, body)

const withCode = (card_cvc: string | undefined) => ({ card: { ...card().card, card_cvc } })

const fromBrowser = (shop: Shop, { payment_id, client_secret }: Body, body: Body = {}) =>
  http('POST', `${shop.url}/payments/${payment_id}`, { client_secret, ...body }, { 'api-key': shop.publishable_key })

test('an updated amount replaces the earlier one and is charged on confirm', async () => {
  const shop = await openShop()
  const payment = await shop.create({ amount: 1000 })
  const changed = await update(shop, payment, {
    amount: 3000,
    shipping_cost: 250,
    currency: 'EUR',
    description: 'two chairs',
    confirm: false,
  })
  const { status, amount, net_amount, currency, description } = changed.body
  deepEqual([status, amount, net_amount, currency, description], ['requires_confirmation', 3000, 3250, 'EUR', 'two chairs'])
  deepEqual(await shop.processor.charges(), [])
  const paid = await shop.confirm(payment.payment_id)
  deepEqual([paid.body.status, paid.body.amount_received], ['succeeded', 3250])
})

test('an update without a payment method requires one, but the stored card can still be confirmed', async () => {
  const shop = await openShop()
  const payment = await shop.create()
  const changed = await update(shop, payment, { amount: 2000 })
  deepEqual([changed.body.status, changed.body.payment_method_data.card.last4], ['requires_payment_method', '4242'])
  const { body } = await shop.confirm(payment.payment_id)
  deepEqual([body.status, body.amount_received], ['succeeded', 2000])
  const [operation] = await shop.processor.operations()
  equal(operation.cvc_result, 'M', 'its security code still waited')
})

test('a card in an update replaces the stored card and its security code', async () => {
  const shop = await openShop()
  const payment = await shop.create({ card: cards.declines })
  const changed = await update(shop, payment, { payment_method: 'card', payment_method_data: withCode('999') })
  deepEqual([changed.body.status, changed.body.payment_method_data.card.last4], ['requires_confirmation', '4242'])
  const codeless = await update(shop, payment, { payment_method: 'card', payment_method_data: withCode(undefined) })
  equal(codeless.body.status, 'requires_confirmation')
  equal((await shop.confirm(payment.payment_id)).body.status, 'succeeded')
  const [operation] = await shop.processor.operations()
  equal(operation.cvc_result, 'P', 'the code of the card before was not sent with this one')
})

test('a security code can be added after the card, and is refused without a card', async () => {
  const shop = await openShop()
  const payment = await shop.create({ payment_method_data: withCode(undefined) })
  equal((await update(shop, payment, { card_cvc: '123', confirm: false })).body.status, 'requires_confirmation')
  equal((await shop.confirm(payment.payment_id)).body.status, 'succeeded')
  equal((await shop.processor.operations())[0]!.cvc_result, 'M')
  const bare = await shop.create({ payment_method: undefined, payment_method_data: undefined })
  isRefused(await update(shop, bare, { card_cvc: '123' }), 422, 'IR_06', /card_cvc/)
})

test('a change to another payment method deletes the stored card', async () => {
  const shop = await openShop()
  const payment = await shop.create()
  const changed = await update(shop, payment, { payment_method: 'wallet', payment_method_type: 'paypal', confirm: false })
  deepEqual([changed.body.status, changed.body.payment_method_data], ['requires_payment_method', null])
  const kept = await shop.query('select * from vault_records where merchant_id = $1', [shop.merchant_id])
  const waits = await shop.query('select * from waiting_cvcs where merchant_id = $1', [shop.merchant_id])
  deepEqual([kept.length, waits.length], [0, 0])
  isRefused(await shop.confirm(payment.payment_id), 422, 'IR_06', /payment method data/)
})

test('an update with confirm: true is a confirm', async () => {
  const shop = await openShop()
  const payment = await shop.create({ payment_method: undefined, payment_method_data: undefined })
  const paid = await update(shop, payment, { amount: 4200, payment_method: 'card', payment_method_data: card(), confirm: true })
  deepEqual([paid.body.status, paid.body.amount_received], ['succeeded', 4200])
})

test('a payment can be updated only before it is confirmed', async () => {
  const shop = await openShop()
  const ended = [await shop.pay(), await shop.hold(), await shop.pay({ card: cards.declines })]
  for (const payment of ended) {
    isRefused(
      await update(shop, payment, { amount: 1 }),
      400,
      'IR_16',
      new RegExp(`${payment.status}; it must be one of requires_payment_method`),
    )
    deepEqual(await shop.get(payment.payment_id), payment)
  }
  deepEqual(
    allowedStatuses.update,
    Object.keys(lifecycle).filter(status => status === 'requires_payment_method' || status === 'requires_confirmation'),
  )
})

test('a browser can set card and address, but cannot change amount or customer', async () => {
  const shop = await openShop()
  const payment = await shop.create({ payment_method: undefined, payment_method_data: undefined, customer_id: 'ada' })
  const billing = { address: { country: 'NO', line1: 'Storgata 1' } }
  const changed = await fromBrowser(shop, payment, { payment_method: 'card', payment_method_data: card(), billing })
  deepEqual([changed.status, changed.body.status, changed.body.billing.address.country], [200, 'requires_confirmation', 'NO'])
  for (const [member, value] of Object.entries({ amount: 1, currency: 'JPY', capture_method: 'manual', metadata: { a: 'b' } }))
    isRefused(await fromBrowser(shop, payment, { [member]: value }), 403, 'IR_22', new RegExp(`^${member} `))
  isRefused(await fromBrowser(shop, payment, { customer_id: 'eve' }), 401, 'IR_18', /customer_id/)
  isRefused(await fromBrowser(shop, { ...payment, client_secret: `${payment.payment_id}_secret_x` }), 400, 'IR_09')
  const paid = await fromBrowser(shop, payment, { confirm: true })
  deepEqual([paid.body.status, paid.body.amount], ['succeeded', 1250])
  isRefused(await http('POST', `${shop.url}/payments/${payment.payment_id}`, {}, { 'api-key': 'unknown' }), 401, 'IR_01')
})

test('an invalid update is refused with the field name, and changes nothing', async () => {
  const shop = await openShop()
  const payment = await shop.create({ capture_method: 'manual', amount_to_capture: 1000 })
  isRefused(await update(shop, payment, { amount: 500 }), 422, 'IR_05', /amount_to_capture/)
  isRefused(await update(shop, payment, { amount: -1 }), 400, 'IR_06', /amount/)
  isRefused(await update(shop, payment, { payment_id: 'x' }), 422, 'IR_06', /payment_id/)
  isRefused(await update(shop, payment, { profile_id: 'pro_nobody' }), 404, 'HE_02')
  isRefused(await shop.post('/payments/pay_nobody', {}), 404, 'HE_02')
  deepEqual(await shop.get(payment.payment_id), payment)
})

test('an update is in the history of the payment, and sends no event to the merchant', async () => {
  const shop = await openShop()
  const payment = await shop.create()
  await update(shop, payment, { amount: 2000, confirm: false })
  const [, updated] = await shop.events(payment.payment_id)
  deepEqual([updated!.type, updated!.event_type, updated!.was.amount, updated!.sequence], ['method_given', null, 1250, null])
})

test('concurrent updates are all applied', async () => {
  const shop = await openShop()
  const payment = await shop.create()
  const updates = [{ description: 'a' }, { return_url: 'https://shop.example/b' }, { amount: 900 }]
  const answers = await Promise.all(updates.map(one => update(shop, payment, one)))
  deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  )
  const { description, return_url, amount } = await shop.get(payment.payment_id)
  deepEqual([description, return_url, amount], ['a', 'https://shop.example/b', 900])
})
