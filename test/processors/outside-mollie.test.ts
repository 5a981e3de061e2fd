import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, http, openShop } from '../shop.ts'
import { chargeOf, during, equalsBooks, moveOutside, moveUnheard } from './outside.ts'
import { definesOutside } from './outside-tests.ts'
import { mollieCard, outsideTraits, paidAtMollie } from './outside-traits.ts'

definesOutside('mollie', outsideTraits.mollie!)

const open = () => openShop({ connector: 'mollie', webhooks: 'on' })

test('mollie: a refund of ours of the same amount as one there within an hour is not made, and what is there is a refund', async () => {
  const shop = await open()
  const payment = await paidAtMollie(shop, await shop.pay(mollieCard))
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
  const payment = await paidAtMollie(shop, await shop.pay(mollieCard))
  await moveUnheard(shop, payment, 'refund', { amount: 500 })
  await moveUnheard(shop, payment, 'dispute', { amount: 300 })
  const id = `id=${payment.connector_transaction_id}`
  equal((await http('POST', `${shop.url}/webhooks/${shop.merchant_id}/${shop.merchant_connector_id}`, id)).status, 200)
  await shop.wait('2 days')
  const { refunds, disputes } = await equalsBooks(shop, payment)
  equal(refunds.length, 1)
  equal(disputes.length, 1)
})
