import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../../test/refused.ts'
import { type Body, cards, http, openShop, type Shop } from '../../../test/shop.ts'

/** Confirms a payment from a tab of a checkout of ours that a customer still has open. */
const fromAnOldTab = (shop: Shop, { payment_id, client_secret }: Body) => {
  const card = { card_number: cards.approves, card_exp_month: '12', card_exp_year: '2040', card_cvc: '123' }
  const headers = { 'api-key': shop.publishable_key, 'x-next-actions': 'page' }
  return http(
    'POST',
    `${shop.url}/payments/${payment_id}/confirm`,
    { client_secret, payment_method: 'card', payment_method_data: { card } },
    headers,
  )
}

const expire = (shop: Shop, payment_id: string) => shop.post(`/payments/${payment_id}/expire_session`, {})

test('an order that moved on to another payment is not paid a second time from an old tab', async () => {
  const shop = await openShop()
  await shop.profile({ is_manual_retry_enabled: true })
  const failed = (await shop.tryToPay({ card: cards.declines })).body
  const ended = await expire(shop, failed.payment_id)
  deepEqual([ended.status, ended.body.status, ended.body.manual_retry_allowed], [200, 'failed', false])
  const { type, event_type } = (await shop.events(failed.payment_id)).at(-1)!
  deepEqual([type, event_type], ['session_expired', null])
  await shop.pay()
  isRefused(await fromAnOldTab(shop, failed), 400, 'IR_08')
  const { payment_method_data } = shop.payBody({})
  isRefused(await shop.confirm(failed.payment_id, { payment_method: 'card', payment_method_data }), 400, 'IR_16', /time/)
  equal((await shop.processor.charges()).length, 1)
  isRefused(await expire(shop, failed.payment_id), 400, 'IR_16', /already ended/)
})

test('of a confirm in an old tab and the end of its session, one happens, and the other is refused', async () => {
  const shop = await openShop()
  let paid = 0
  for (let i = 0; i < 8; i++) {
    const failed = (await shop.tryToPay({ card: cards.declines })).body
    const [tab, ended] = await Promise.all([fromAnOldTab(shop, failed), expire(shop, failed.payment_id)])
    const { status } = await shop.get(failed.payment_id)
    if (ended.status === 200) deepEqual([tab.status >= 400, status], [true, 'failed'])
    else {
      deepEqual([tab.body.status, status], ['succeeded', 'succeeded'])
      paid++
    }
    equal((await shop.processor.charges()).filter(charge => charge.captured > 0).length, paid)
  }
})

test('a payment that is paid or not yet paid has no session to end, and a payment of another merchant is not found', async () => {
  const shop = await openShop()
  for (const payment of [await shop.pay(), (await shop.tryToPay({ confirm: false })).body])
    isRefused(await expire(shop, payment.payment_id), 400, 'IR_16', /expire the session of/)
  const failed = (await shop.tryToPay({ card: cards.declines })).body
  isRefused(await expire(await openShop(), failed.payment_id), 404, 'HE_02')
  const browser = await http('POST', `${shop.url}/payments/${failed.payment_id}/expire_session`, {}, { 'api-key': shop.publishable_key })
  isRefused(browser, 403, 'IR_22')
})
