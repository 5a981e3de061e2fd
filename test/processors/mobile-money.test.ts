import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { openShop, type Shop } from '../shop.ts'
import { walk } from '../walk.ts'

/**
 * The processors of mobile money and bank transfers in the specification, each with its own API in the sandbox. A
 * phone number behaves as the card with the same ending.
 */

const names = ['honeycoin', 'fiftyfourpay'] as const

const byTelephone = (ending: string) => ({
  payment_method: 'mobile_payment',
  payment_method_type: 'direct_carrier_billing',
  payment_method_data: { mobile_payment: { direct_carrier_billing: { msisdn: `25470000${ending}` } } },
})
const byTransfer = {
  payment_method: 'bank_transfer',
  payment_method_type: 'local_bank_transfer',
  payment_method_data: { bank_transfer: { local_bank_transfer: {} } },
}

const captured = async (shop: Shop) => (await shop.processor.charges()).map(charge => charge.captured)
/** Decides a payment as the customer does on the phone. Gives the payment's status. */
async function answer(shop: Shop, payment_id: string, status: 'approved' | 'declined'): Promise<string> {
  const { reference_id } = await shop.get(payment_id)
  const operation = (await shop.processor.operations()).find(({ reference, id }) => reference === reference_id || id === reference_id)
  await shop.processor.decide(operation!.id, status)
  await shop.processor.advance(0)
  await shop.service.tick()
  return (await shop.get(payment_id)).status
}

for (const connector of names) {
  const open = (webhooks: 'on' | 'off' = 'on') => openShop({ connector, webhooks, metadata: { operator: 'mpesa' } })

  test(`${connector}: a mobile money payment is approved or declined on the phone, or refused at once`, async () => {
    const shop = await open()
    const [yes, no, refused] = [
      await shop.pay(byTelephone('4242')),
      await shop.pay(byTelephone('4243')),
      await shop.pay(byTelephone('0002')),
    ]
    deepEqual([yes.status, no.status, refused.status], ['processing', 'processing', 'failed'])
    equal(await answer(shop, yes.payment_id, 'approved'), 'succeeded')
    equal(await answer(shop, no.payment_id, 'declined'), 'failed')
    deepEqual(await captured(shop), [1250])
    // These processors have no refunds, and the service refuses one.
    equal((await shop.refund(yes.payment_id, 500)).status, 400)
  })

  test(`${connector}: a late mobile money result is received by webhook or found by polling`, async () => {
    for (const webhooks of ['on', 'off'] as const) {
      const shop = await open(webhooks)
      const [later, never] = [await shop.pay(byTelephone('1976')), await shop.pay(byTelephone('1984'))]
      deepEqual([later.status, never.status], ['processing', 'processing'])
      await shop.wait('2 minutes')
      await shop.wait('10 minutes')
      deepEqual([(await shop.get(later.payment_id)).status, (await shop.get(never.payment_id)).status], ['succeeded', 'failed'])
    }
  })

  test(`${connector}: a mobile money payment whose response is lost is found; one that never arrived requires manual review`, async () => {
    const shop = await open('off')
    await shop.processor.fault('authorize', 'reset_after')
    const lost = await shop.pay(byTelephone('1976'))
    const never = await shop.pay(byTelephone('0424'))
    deepEqual([lost.status, never.status], ['processing', 'processing'])
    await shop.wait('10 minutes')
    await shop.wait('30 minutes')
    equal((await shop.get(lost.payment_id)).status, 'succeeded')
    equal((await shop.get(never.payment_id)).status, 'processing')
    await shop.wait('8 days')
    equal((await shop.get(never.payment_id)).status, 'requires_merchant_action')
    deepEqual(await captured(shop), [1250])
  })

  test(`${connector}: a bank transfer redirects the customer to the bank and back, and succeeds or fails`, async () => {
    const shop = await open()
    for (const [verdict, status] of [
      ['accept', 'succeeded'],
      ['reject', 'failed'],
    ] as const) {
      const payment = await shop.pay(byTransfer)
      equal(payment.status, 'requires_customer_action')
      equal((await walk(shop, payment, verdict)).status, status)
    }
  })
}

test('fiftyfourpay: the metadata of the account chooses the variant of its headers', async () => {
  const shop = await openShop({ connector: 'fiftyfourpay', metadata: { headers: 'x-module' } })
  equal((await shop.pay(byTelephone('4242'))).status, 'processing')
  equal((await shop.processor.operations()).length, 1)
})
