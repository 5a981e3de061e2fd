import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, cards, http, openShop, type Shop } from '../../test/shop.ts'

const admin = { 'api-key': ADMIN_KEY }
const accountPath = (shop: Shop): string => `/account/${shop.merchant_id}/connectors/${shop.merchant_connector_id}`
const deleteAccount = (shop: Shop) => http('DELETE', shop.url + accountPath(shop), undefined, admin)
const deleteMerchant = (shop: Shop) => http('DELETE', `${shop.url}/accounts/${shop.merchant_id}`, undefined, admin)

test('captures, refunds, voids and polls still use their connector account after it is disabled or deleted', async () => {
  for (const end of ['disabled', 'deleted'] as const) {
    const shop = await openShop()
    const [hold, paid, letGo] = [await shop.hold(), await shop.pay(), await shop.hold()]
    const pendingRefund = await shop.pay({ card: cards.refundsLater })
    if (end === 'disabled') await shop.post(accountPath(shop), { connector_type: 'payment_processor', disabled: true })
    else
      deepEqual((await deleteAccount(shop)).body, {
        merchant_id: shop.merchant_id,
        merchant_connector_id: shop.merchant_connector_id,
        deleted: true,
      })
    isRefused(await shop.tryToPay(), 400, 'IR_39', end === 'disabled' ? /disabled/ : /has no connector account/)
    equal((await shop.capture(hold.payment_id)).body.status, 'succeeded')
    equal((await shop.refund(paid.payment_id)).body.status, 'succeeded')
    equal((await shop.cancel(letGo.payment_id)).body.status, 'cancelled')
    const { refund_id, status } = (await shop.refund(pendingRefund.payment_id)).body
    equal(status, 'pending')
    await shop.wait('2 minutes')
    equal((await shop.getRefund(refund_id)).status, 'succeeded', 'asked about by its alarm')
    equal((await shop.sync(paid.payment_id)).connector_label, 'phonypay_default', 'it is still called what it was')
  }
})

test('webhooks of a deleted connector account are still processed', async () => {
  const shop = await openShop({ webhooks: 'on' })
  const payment = await shop.pay({ card: cards.refundsLater })
  equal((await deleteAccount(shop)).status, 200)
  const { refund_id } = (await shop.refund(payment.payment_id)).body
  await shop.processor.advance(120)
  equal((await shop.getRefund(refund_id)).status, 'succeeded')
})

test('a connector account or merchant with an operation in progress cannot be deleted', async () => {
  const shop = await openShop()
  const payment = await shop.pay({ card: cards.approvesLater })
  isRefused(await deleteAccount(shop), 400, 'IR_16', /in progress/)
  isRefused(await deleteMerchant(shop), 400, 'IR_16', /in progress/)
  await shop.wait('2 minutes')
  equal((await shop.get(payment.payment_id)).status, 'succeeded')
  equal((await deleteAccount(shop)).status, 200)
  isRefused(await deleteAccount(shop), 404, 'HE_02')
  isRefused(await shop.call('GET', accountPath(shop)), 404, 'HE_02')
  isRefused(await shop.post(accountPath(shop), { connector_type: 'payment_processor' }), 404, 'HE_02')
})

test('the label of a deleted connector account can be reused, its id cannot', async () => {
  const shop = await openShop()
  const ask = {
    connector_type: 'payment_processor',
    connector_name: 'phonypay',
    connector_account_details: { auth_type: 'HeaderKey', api_key: 'sandbox_x' },
  }
  const add = (more: object = {}) => shop.post(`/account/${shop.merchant_id}/connectors`, { ...ask, ...more })
  isRefused(await add(), 400, 'HE_01', /phonypay_default/)
  await deleteAccount(shop)
  equal((await add()).status, 200)
  isRefused(await add({ connector_label: 'x', merchant_connector_id: shop.merchant_connector_id }), 400, 'HE_01', /mca_/)
})

test('the keys of a deleted merchant are refused, and its id cannot be reused', async () => {
  const shop = await openShop()
  const keys = `${shop.url}/api_keys/${shop.merchant_id}`
  const { key_id } = (await http('POST', keys, { name: 'k', expiration: 'never' }, admin)).body
  deepEqual((await deleteMerchant(shop)).body, { merchant_id: shop.merchant_id, deleted: true })
  const revoked = { merchant_id: shop.merchant_id, key_id, revoked: true }
  deepEqual((await http('DELETE', `${keys}/${key_id}`, undefined, admin)).body, revoked)
  isRefused(await shop.tryToPay(), 401, 'IR_01')
  isRefused(await http('GET', `${shop.url}/payments/x?client_secret=x`, undefined, { 'api-key': shop.publishable_key }), 401, 'IR_01')
  isRefused(await deleteMerchant(shop), 404, 'HE_02')
  isRefused(await http('GET', `${shop.url}/accounts/${shop.merchant_id}`, undefined, admin), 404, 'HE_02')
  isRefused(await http('POST', `${shop.url}/accounts/${shop.merchant_id}`, {}, admin), 404, 'HE_02')
  isRefused(await http('POST', `${shop.url}/accounts`, { merchant_id: shop.merchant_id }, admin), 400, 'HE_01')
  isRefused(await http('POST', `${shop.url}/api_keys/${shop.merchant_id}`, { name: 'k', expiration: 'never' }, admin), 404, 'HE_02')
})
