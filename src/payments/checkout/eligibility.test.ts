import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../../test/refused.ts'
import { type Body, card, cards, http, openShop, type Shop } from '../../../test/shop.ts'

const path = ({ payment_id }: Body) => `/payments/${payment_id}/eligibility`
const byCard = { payment_method_type: 'card', payment_method_data: card() }
const ask = (shop: Shop, payment: Body, body: Body = byCard) => shop.post(path(payment), body)
const fromBrowser = (shop: Shop, payment: Body, body: Body = byCard) =>
  http('POST', shop.url + path(payment), { client_secret: payment.client_secret, ...body }, { 'api-key': shop.publishable_key })
const answerOf = ({ body }: { body: Body }) => body.sdk_next_action.next_action

test('the eligibility of a card is checked before the confirm, and nothing is stored or sent to the processor', async () => {
  const shop = await openShop()
  const payment = await shop.create({
    payment_method: undefined,
    payment_method_data: undefined,
    surcharge_details: { surcharge_amount: 50 },
  })
  const answer = await fromBrowser(shop, payment)
  deepEqual(answer.body, {
    payment_id: payment.payment_id,
    sdk_next_action: { next_action: 'confirm' },
    surcharge_details: { surcharge_amount: 50 },
    card_networks: null,
  })
  deepEqual([await shop.get(payment.payment_id), await shop.processor.operations()], [payment, []])
})

test('a blocked card, or one that no connector account accepts, is denied with the reason', async () => {
  const shop = await openShop()
  const payment = await shop.create()
  await shop.post('/blocklist/toggle?status=true', undefined)
  await shop.post('/blocklist', { type: 'card_bin', data: cards.approves.slice(0, 6) })
  match(
    answerOf(await fromBrowser(shop, payment)).deny.message,
    /^We're unable to accept this card, please try another card or a different payment method$/,
  )
  equal(answerOf(await ask(shop, payment, { ...byCard, payment_method_data: card('5555555555554444') })), 'confirm')
  const onlyThere = await shop.create({ connector: ['stripe'] })
  match(answerOf(await ask(shop, onlyThere, { ...byCard, payment_method_data: card('5555555555554444') })).deny.message, /connector/)
})

test('an eligibility check with invalid data, or after the payment, is refused with the reason', async () => {
  const shop = await openShop()
  const payment = await shop.create()
  isRefused(await ask(shop, payment, { payment_method_type: 'card' }), 400, 'IR_04', /payment_method_data/)
  isRefused(await ask(shop, payment, {}), 400, 'IR_04', /payment_method_type/)
  isRefused(await ask(shop, payment, { payment_method_type: 'card', payment_token: 'token_none' }), 422, 'IR_29')
  isRefused(await ask(shop, payment, { ...byCard, payment_method_data: card('4242424242424241') }), 400, 'IR_06', /card_number/)
  isRefused(await ask(shop, await shop.pay()), 400, 'IR_16', /succeeded/)
  isRefused(await fromBrowser(shop, { ...payment, client_secret: 'x' }), 400, 'IR_09')
  isRefused(await http('POST', shop.url + path(payment), byCard, { 'api-key': 'unknown' }), 401, 'IR_01')
})
