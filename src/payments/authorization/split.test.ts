import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { addAccount, keysOf, succeed } from '../../../test/merchant.ts'
import { isRefused } from '../../../test/refused.ts'
import { ADMIN_KEY, type Body, http, openShop, type Shop } from '../../../test/shop.ts'

/** A payment that is split between accounts of a platform, at the processors that support splits. */

const stripe = (more: Body = {}) => ({
  stripe_split_payment: { charge_type: 'destination', application_fees: 200, transfer_account_id: 'acct_chairs', ...more },
})
const adyen = (...amounts: number[]) => ({
  adyen_split_payment: {
    split_items: [
      { split_type: 'BalanceAccount', account: 'BA1', amount: amounts[0], reference: 'chairs' },
      { split_type: 'Commission', amount: amounts[1], reference: 'ours' },
      { split_type: 'PaymentFee', reference: 'fee' },
    ],
  },
})

/** Adds an account of this connector with the same key at the sandbox: both share one ledger. */
const addProcessor = (shop: Shop, connector: string): Promise<Body> =>
  addAccount(shop, connector, { connector_account_details: keysOf(connector, `sandbox_${shop.merchant_id}`) })

test('at Stripe a split payment goes to the account except the fee, and a refund reverses the transfer on request', async () => {
  const shop = await openShop()
  await addProcessor(shop, 'stripe')
  const paid = await shop.pay({ amount: 1000, split_payments: stripe({ on_behalf_of: 'acct_chairs' }) })
  const { charge_id } = paid.split_payments.stripe_split_payment
  match(charge_id, /^ch_/)
  deepEqual([paid.status, paid.connector, paid.split_payments], ['succeeded', 'stripe', stripe({ on_behalf_of: 'acct_chairs', charge_id })])
  const there = (id: string) => shop.processor.call('GET', `/stripe/v1/${id}`)
  const intent = await there(`payment_intents/${paid.connector_transaction_id}`)
  deepEqual(
    [intent.application_fee_amount, intent.transfer_data, intent.on_behalf_of, intent.latest_charge],
    [200, { destination: 'acct_chairs' }, 'acct_chairs', charge_id],
  )
  const reverted = async (split_refunds?: Body) => {
    const { body } = await shop.refund(paid.payment_id, 100, { split_refunds })
    deepEqual([body.status, body.split_refunds], ['succeeded', split_refunds ?? null])
    return (await there(`refunds/${body.connector_refund_id}`)).source_transfer_reversal !== null
  }
  equal(await reverted({ stripe_split_refund: { revert_transfer: true, revert_platform_fee: true } }), true)
  equal(await reverted({ stripe_split_refund: { revert_platform_fee: true } }), false)
  equal(await reverted(), false)
  isRefused(
    await shop.refund(paid.payment_id, 100, {
      split_refunds: { adyen_split_refund: { split_items: [{ split_type: 'Commission', amount: 100, reference: 'x' }] } },
    }),
    400,
    'IR_07',
    /split_refunds/,
  )
  const plain = await shop.pay()
  equal(plain.connector, 'phonypay')
  isRefused(
    await shop.refund(plain.payment_id, 100, { split_refunds: { stripe_split_refund: { revert_transfer: true } } }),
    400,
    'IR_07',
    /not split/,
  )
})

test('at Adyen split items must add up to the full amount of the payment or refund', async () => {
  const shop = await openShop({ webhooks: 'on' })
  await addProcessor(shop, 'adyen')
  const paid = await shop.pay({ amount: 1000, split_payments: adyen(900, 100) })
  deepEqual([paid.status, paid.connector], ['succeeded', 'adyen'])
  const back = (amount: number) => ({
    adyen_split_refund: { split_items: [{ split_type: 'BalanceAccount', account: 'BA1', amount, reference: 'chairs' }] },
  })
  isRefused(await shop.refund(paid.payment_id, 300, { split_refunds: back(200) }), 400, 'IR_16', /300/)
  equal((await shop.refund(paid.payment_id, 300, { split_refunds: back(300) })).status, 200)
  isRefused(await shop.tryToPay({ amount: 1000, split_payments: adyen(800, 100) }), 400, 'IR_16', /1000/)
  isRefused(
    await shop.tryToPay({ amount: 1000, split_payments: adyen(900, 100), capture_method: 'manual' }),
    400,
    'IR_19',
    /capture_method/,
  )
  isRefused(
    await shop.tryToPay({ amount: 1000, split_payments: adyen(900, 100), enable_partial_authorization: true }),
    400,
    'IR_19',
    /enable_partial_authorization/,
  )
})

test('a split payment found at the processor after it was set to failed is refunded, and its transfer is reversed', async () => {
  const shop = await openShop()
  await addProcessor(shop, 'stripe')
  await shop.processor.fault('authorize', 'reset_after')
  await shop.processor.fault('lookup', '500_before', { times: 1000 })
  const { payment_id, status } = await shop.pay({ amount: 1000, split_payments: stripe() })
  equal(status, 'processing')
  await shop.wait('2 days')
  const failure = { merchant_id: shop.merchant_id, attempt_status: 'failure' }
  const ruled = await http('PUT', `${shop.url}/payments/${payment_id}/manual-update`, failure, { 'api-key': ADMIN_KEY })
  equal(ruled.status, 200, ruled.text)
  await shop.processor.soundAgain()
  equal((await shop.sync(payment_id)).status, 'failed')
  deepEqual(
    (await shop.processor.charges()).map(({ captured, refunded }) => [captured, refunded]),
    [[1000, 1000]],
  )
  const [back] = await shop.query("select reference from processor_operations where object_id = $1 and purpose = 'reversal'", [payment_id])
  const refund = await shop.processor.call('GET', `/stripe/v1/refunds/${back!.reference}`)
  equal(refund.source_transfer_reversal !== null, true)
})

test('an invalid or unsupported split is refused with the field name, and nothing is charged', async () => {
  const shop = await openShop()
  isRefused(await shop.tryToPay({ split_payments: stripe() }), 400, 'IR_39', /split/)
  for (const [split_payments, status, code, names] of [
    [stripe({ charge_type: 'direct' }), 400, 'IR_19', /direct/],
    [stripe({ application_fees: 5000 }), 400, 'IR_16', /application_fees/],
    [{}, 422, 'IR_06', /split_payments/],
    [{ ...stripe(), ...adyen(900, 100) }, 422, 'IR_06', /split_payments/],
    [{ xendit_split_payment: { single_split: { for_user_id: 'x' } } }, 400, 'IR_19', /xendit/],
    [{ adyen_split_payment: { split_items: [{ split_type: 'BalanceAccount', amount: 1250, reference: 'x' }] } }, 400, 'IR_04', /account/],
    [{ paypal_split: {} }, 400, 'IR_06', /paypal_split/],
  ] as const)
    isRefused(await shop.tryToPay({ split_payments }), status, code, names)
  const created = await succeed(shop.post('/payments', { amount: 1000, currency: 'USD', split_payments: stripe() }))
  isRefused(await shop.post(`/payments/${created.payment_id}`, { amount: 100 }), 400, 'IR_16', /application_fees/)
  deepEqual(await shop.processor.charges(), [])
  match(created.status, /^requires_/)
})
