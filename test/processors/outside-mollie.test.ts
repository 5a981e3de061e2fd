import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, http, openShop, type Shop } from '../shop.ts'
import { chargeOf, during, equalsBooks, moveOutside, moveUnheard } from './outside.ts'
import { definesOutside } from './outside-tests.ts'

const card = {
  payment_method: 'card_redirect',
  payment_method_type: 'card_redirect',
  payment_method_data: { card_redirect: { card_redirect: {} } },
}

/** The customer pays at Mollie's page, and returns. */
async function paid(shop: Shop, begun: Body): Promise<Body> {
  const page = (await http('GET', begun.next_action.redirect_to_url)).headers.location as string
  const back = (await http('POST', `${page}/accept`, '')).headers.location as string
  await http('GET', back)
  await shop.wait('1 second')
  return shop.get(begun.payment_id)
}

definesOutside('mollie', {
  pay: card,
  paid,
  slow: '2 days',
  without: {
    'a raised hold': 'Mollie raises no holds',
    'a refund of ours and one there are both made if there is room for both': 'Mollie refuses the second of the same amount (below)',
  },
})

const open = () => openShop({ connector: 'mollie', webhooks: 'on' })

test('mollie: a refund of ours of the same amount as one there within an hour is not made, and what is there is a refund', async () => {
  const shop = await open()
  const payment = await paid(shop, await shop.pay(card))
  await during(
    shop,
    'refund',
    () => shop.refund(payment.payment_id, 600),
    () => moveOutside(shop, payment, 'refund', { amount: 600 }),
  )
  await shop.wait('3 days')
  equal((await chargeOf(shop, payment)).refunded, 600)
  const { refunds } = await equalsBooks(shop, payment)
  equal(refunds.find(({ origin }: Body) => origin === 'merchant').status, 'failed')
})

test('mollie: a webhook that names only the payment brings its refunds and chargebacks, in one call', async () => {
  const shop = await open()
  const payment = await paid(shop, await shop.pay(card))
  await moveUnheard(shop, payment, 'refund', { amount: 500 })
  await moveUnheard(shop, payment, 'dispute', { amount: 300 })
  const id = `id=${payment.connector_transaction_id}`
  equal((await http('POST', `${shop.url}/webhooks/${shop.merchant_id}/${shop.merchant_connector_id}`, id)).status, 200)
  await shop.wait('2 days')
  const { refunds, disputes } = await equalsBooks(shop, payment)
  equal(refunds.length, 1)
  equal(disputes.length, 1)
})
