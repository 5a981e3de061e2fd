import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { openProcessor } from '../../../test/processor.ts'
import { isRefused } from '../../../test/refused.ts'
import { ADMIN_KEY, type Body, cards, http, openShop, type Shop } from '../../../test/shop.ts'

/**
 * Opens a shop, with credentials of another sandbox account that payments may contain, and the books of this account.
 */
async function openPlatform() {
  const shop = await openShop()
  const key = `sandbox_brought_${randomBytes(6).toString('hex')}`
  const seller = openProcessor(shop.processor.url, key)
  return { ...shop, key, seller, brought: bringing(key) }
}

const bringing = (api_key: string, creds_identifier = 'seller_1', more: Body = {}): Body => ({
  connector: ['phonypay'],
  merchant_connector_details: {
    creds_identifier,
    encoded_data: { connector_account_details: { auth_type: 'HeaderKey', api_key }, ...more },
  },
})
const naming = (creds_identifier = 'seller_1'): Body => ({ merchant_connector_details: { creds_identifier } })
const rows = (shop: Pick<Shop, 'query' | 'merchant_id'>): Promise<Body[]> =>
  shop.query("select * from connector_accounts where merchant_id = $1 and connector_type = 'brought_processor'", [shop.merchant_id])

test('credentials sent with a payment are used for its authorization, capture and refund, and not for other payments', async () => {
  const shop = await openPlatform()
  const held = await shop.hold({ ...shop.brought, amount: 2000 })
  equal(held.status, 'requires_capture')
  ok(held.merchant_connector_id !== shop.merchant_connector_id)
  const captured = await shop.post(`/payments/${held.payment_id}/capture`, { ...naming(), amount_to_capture: 2000 })
  equal(captured.body.amount_received, 2000)
  const refunded = await shop.refund(
    held.payment_id,
    500,
    shop.brought.merchant_connector_details && { merchant_connector_details: shop.brought.merchant_connector_details },
  )
  equal(refunded.body.status, 'succeeded', refunded.text)
  const [charge] = await shop.seller.charges()
  deepEqual([charge!.captured, charge!.refunded], [2000, 500])
  // The credentials are only named, by a profile with one connector: the payment uses the same account, and there is
  // one row.
  const again = await shop.pay({ ...naming(), amount: 300 })
  equal(again.merchant_connector_id, held.merchant_connector_id)
  equal((await rows(shop)).length, 1)
  equal((await shop.pay({ amount: 900 })).merchant_connector_id, shop.merchant_connector_id)
  deepEqual(
    [(await shop.seller.charges()).map(one => one.amount), (await shop.processor.charges()).map(one => one.amount)],
    [[2000, 300], [900]],
  )
  const listed = (await shop.call('GET', `/account/${shop.merchant_id}/connectors`)).body
  deepEqual(
    listed.map((one: Body) => one.merchant_connector_id),
    [shop.merchant_connector_id],
  )
  const alone = (await shop.call('GET', `/account/${shop.merchant_id}/connectors/${held.merchant_connector_id}`)).body
  deepEqual([alone.connector_type, alone.connector_label], ['payment_processor', 'creds_identifier seller_1 of phonypay'])
  match(alone.connector_account_details.api_key, /^sa\*+/)
})

test('a lost response with credentials from the request is polled at their account, and a decline is not retried elsewhere', async () => {
  const shop = await openPlatform()
  await shop.profile({ is_auto_retries_enabled: true, max_auto_retries_enabled: 3 })
  await shop.seller.fault('authorize', 'reset_after')
  const silent = await shop.pay({ ...shop.brought, card: cards.approves })
  equal(silent.status, 'processing')
  await shop.seller.advance(120)
  await shop.wait('2 minutes')
  equal((await shop.get(silent.payment_id)).status, 'succeeded')
  equal((await shop.seller.charges()).length, 1)
  const declined = await shop.pay({ ...shop.brought, card: cards.declines })
  deepEqual([declined.status, declined.attempt_count], ['failed', 1])
  deepEqual(await shop.processor.operations(), [])
})

test('a payment created with credentials is confirmed at their account, and a browser cannot send other credentials', async () => {
  const shop = await openPlatform()
  const created = await shop.create({ ...shop.brought })
  const mine = (body: Body) => ({ client_secret: created.client_secret, ...body })
  const ask = (body: Body) =>
    http('POST', `${shop.url}/payments/${created.payment_id}/confirm`, mine(body), { 'api-key': shop.publishable_key })
  isRefused(await ask({ merchant_connector_details: shop.brought.merchant_connector_details }), 403, 'IR_22', /merchant_connector_details/)
  const tokens = mine({ payment_id: created.payment_id, wallets: [], ...naming() })
  isRefused(
    await http('POST', `${shop.url}/payments/session_tokens`, tokens, { 'api-key': shop.publishable_key }),
    403,
    'IR_22',
    /merchant_connector_details/,
  )
  equal((await shop.post('/payments/session_tokens', { payment_id: created.payment_id, wallets: [], ...naming() })).status, 200)
  equal((await ask({})).body.status, 'succeeded')
  deepEqual([(await shop.seller.charges()).length, (await shop.processor.operations()).length], [1, 0])
  const second = await shop.create()
  const confirmed = await shop.confirm(second.payment_id, shop.brought)
  equal(confirmed.body.status, 'succeeded')
  deepEqual(confirmed.body, await shop.get(second.payment_id), 'its account is named at once')
  const third = await shop.create()
  equal((await shop.post(`/payments/${third.payment_id}`, { ...shop.brought, confirm: false })).status, 200)
  equal((await shop.confirm(third.payment_id)).body.status, 'succeeded')
  deepEqual([(await shop.seller.charges()).length, (await shop.processor.operations()).length], [3, 0])
})

test('the account of credentials from a request can get a webhook secret by an update, and then receives webhooks', async () => {
  const shop = await openPlatform()
  const { merchant_connector_id: id } = await shop.pay(shop.brought)
  const merchant_secret = 'secret of the seller'
  const update = { connector_type: 'payment_processor', connector_webhook_details: { merchant_secret } }
  equal((await shop.post(`/account/${shop.merchant_id}/connectors/${id}`, update)).status, 200)
  await shop.seller.account({ webhook_url: `${shop.url}/webhooks/${shop.merchant_id}/${id}`, webhook_secret: merchant_secret })
  const later = await shop.pay({ ...naming(), card: cards.approvesLater })
  equal(later.status, 'processing')
  await shop.seller.advance(61)
  equal((await shop.get(later.payment_id)).status, 'succeeded')
  const created = await shop.create(shop.brought)
  isRefused(await shop.confirm(created.payment_id, { connector: ['stripe'] }), 400, 'IR_39', /connector/)
  equal((await shop.confirm(created.payment_id)).body.merchant_connector_id, id)
  deepEqual([(await shop.seller.charges()).length, await shop.processor.operations()], [3, []])
})

test('new credentials under the same identifier replace the old ones, and a repeated older request does not restore them', async () => {
  const shop = await openPlatform()
  const payment_id = `pay_${randomBytes(13).toString('hex')}`
  const first = { ...shop.brought, payment_id, amount: 1000 }
  equal((await shop.pay(first)).status, 'succeeded')
  const other = `${shop.key}_2`
  const paid = await shop.pay({ ...bringing(other), amount: 1100 })
  equal((await rows(shop)).length, 1)
  equal((await shop.pay(first)).payment_id, payment_id)
  equal((await shop.pay({ ...naming(), amount: 1200 })).merchant_connector_id, paid.merchant_connector_id)
  const amounts = async (key: string) => (await openProcessor(shop.processor.url, key).charges()).map(one => one.amount)
  deepEqual([await amounts(shop.key), await amounts(other)], [[1000], [1100, 1200]])
  const late = await shop.refund(paid.payment_id, 500, { merchant_connector_details: shop.brought.merchant_connector_details })
  isRefused(late, 422, 'IR_06', /merchant_connector_details\.encoded_data/)
  isRefused(await shop.refund(paid.payment_id, 500, naming('seller_2')), 422, 'IR_06', /creds_identifier/)
  const ordinary = await shop.hold()
  isRefused(await shop.post(`/payments/${ordinary.payment_id}/cancel`, naming()), 422, 'IR_06', /creds_identifier/)
})

test('invalid credentials in a payment are refused with the field name, and nothing is sent', async () => {
  const shop = await openPlatform()
  const refused = async (ask: Body, status: number, code: string, names: RegExp) => isRefused(await shop.tryToPay(ask), status, code, names)
  await refused(naming('nobody'), 404, 'HE_02', /creds_identifier/)
  const waiting = await shop.create()
  isRefused(await shop.confirm(waiting.payment_id, naming('nobody')), 404, 'HE_02', /none are kept under this creds_identifier/)
  await refused({ ...shop.brought, connector: ['phonypay', 'stripe'] }, 422, 'IR_06', /requires the connector/)
  const split = { type: 'priority', data: [{ connector: 'phonypay' }] }
  await refused({ ...shop.brought, connector: undefined, routing: split }, 422, 'IR_06', /requires the connector/)
  await refused({ ...shop.brought, merchant_connector_details: { encoded_data: {} } }, 400, 'IR_06', /creds_identifier/)
  const details = (encoded_data: Body) => ({ ...shop.brought, merchant_connector_details: { creds_identifier: 'seller_1', encoded_data } })
  await refused(details({}), 400, 'IR_04', /merchant_connector_details\.encoded_data\.connector_account_details/)
  await refused(details({ connector_account_details: { auth_type: 'BodyKey', api_key: 'a', key1: 'b' } }), 422, 'IR_06', /auth_type/)
  await refused(details({ connector_account_details: { auth_type: 'TemporaryAuth' } }), 422, 'IR_06', /auth_type/)
  await refused(bringing(shop.key, 'seller_1', { metadata: { base_url: 'no address' } }), 422, 'IR_05', /base_url/)
  const wallet = { google_pay: { merchant_info: {} } }
  await refused(bringing(shop.key, 'seller_1', { metadata: wallet }), 400, 'IR_06', /metadata\.google_pay/)
  deepEqual([await rows(shop), (await shop.seller.operations()).length, (await shop.processor.operations()).length], [[], 0, 0])
  const single = { ...shop.brought, connector: undefined, routing: { type: 'single', data: { connector: 'phonypay' } } }
  equal((await shop.pay(single)).status, 'succeeded')
  equal((await shop.seller.charges()).length, 1)
  // An account that was stored for a payment that was never made, as when a process dies in between.
  await refused({ ...bringing(shop.key, 'seller_2'), amount_to_capture: 1 }, 400, 'IR_16', /amount_to_capture/)
  equal((await rows(shop)).length, 2)
  equal((await shop.pay()).merchant_connector_id, shop.merchant_connector_id)
  await refused({ ...naming(), connector: ['phonypay'], routing: split }, 422, 'IR_06', /requires the connector/)
})

test('twenty concurrent payments with the same credentials create one account', async () => {
  const shop = await openPlatform()
  const all = await Promise.all(Array.from({ length: 20 }, () => shop.pay(shop.brought)))
  equal(new Set(all.map(one => one.merchant_connector_id)).size, 1)
  deepEqual([(await rows(shop)).length, (await shop.seller.charges()).length], [1, 20])
  const key = { 'idempotency-key': randomBytes(8).toString('hex') }
  const next = bringing(shop.key, 'seller_2')
  const [one, two] = [await shop.tryToPay(next, key), await shop.tryToPay(next, key)]
  deepEqual([one.status, two.body], [200, one.body])
  equal((await shop.seller.charges()).length, 21)
})

test('credentials from a request are encrypted, appear in no response, event or log, and restore a deleted account when sent again', async () => {
  const shop = await openPlatform()
  const paid = await shop.tryToPay({ ...shop.brought, all_keys_required: true })
  const { merchant_connector_id, payment_id } = paid.body
  const events = await shop.call('GET', `/events?object_id=${payment_id}`)
  const history = await shop.query('select * from changes where merchant_id = $1', [shop.merchant_id])
  const stored = await shop.query(
    "select encode(sealed, 'escape') as sealed, details::text from connector_accounts where merchant_id = $1",
    [shop.merchant_id],
  )
  for (const text of [paid.text, events.text, JSON.stringify(history), JSON.stringify(stored), shop.logs.join('\n')])
    ok(!text.includes(shop.key))
  const path = `${shop.url}/account/${shop.merchant_id}/connectors/${merchant_connector_id}`
  equal((await http('DELETE', path, undefined, { 'api-key': ADMIN_KEY })).status, 200)
  isRefused(await shop.tryToPay(naming()), 404, 'HE_02', /creds_identifier/)
  equal((await shop.refund(payment_id, 500)).body.status, 'succeeded')
  equal((await shop.pay(shop.brought)).merchant_connector_id, merchant_connector_id)
  const [charge] = await shop.seller.charges()
  equal(charge!.refunded, 500)
})

test('sixteen concurrent payments with different metadata under one identifier all succeed at one account', async () => {
  const shop = await openPlatform()
  const asks = Array.from({ length: 16 }, (_, i) => shop.tryToPay(bringing(shop.key, 'seller_1', { metadata: { till: `${i}` } })))
  for (const paid of await Promise.all(asks)) equal(paid.body.status, 'succeeded', paid.text)
  equal((await rows(shop)).length, 1)
  equal((await shop.seller.charges()).length, 16)
  const none = await shop.pay({ ...bringing(shop.key, 'seller_2', { metadata: {} }) })
  equal(
    (await shop.refund(none.payment_id, 100, { merchant_connector_details: bringing(shop.key, 'seller_2').merchant_connector_details }))
      .status,
    200,
  )
})
