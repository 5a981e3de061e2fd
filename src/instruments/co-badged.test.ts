import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../test/refused.ts'
import { type Body, card, openShop, type Shop } from '../../test/shop.ts'
import { importBins } from './bins.ts'
import { readBins } from './read-bins.ts'

/** Cards of several networks: the cardholder chooses one, and routing, answers and processors use the choice. */

const CO_BADGED = '4000002500001001'
const on = (card_network?: string, number = CO_BADGED) => ({ card: { ...card(number).card, ...(card_network && { card_network }) } })
const pay = (shop: Shop, card_network?: string, more: Body = {}) => shop.pay({ payment_method_data: on(card_network), ...more })
const networkOf = (payment: Body): string => payment.payment_method_data.card.card_network
const sentNetworks = async (shop: Shop) => (await shop.processor.charges()).map(({ network }) => network)

/** Each processor's word for a network; nothing is sent where no network was chosen. */
const networkNames: Record<string, Record<string, string>> = {
  phonypay: { CartesBancaires: 'CartesBancaires', Visa: 'Visa' },
  stripe: { CartesBancaires: 'cartes_bancaires', Visa: 'visa' },
  adyen: { CartesBancaires: 'cartebancaire', Visa: 'visa' },
}

for (const [connector, names] of Object.entries(networkNames))
  test(`${connector} receives the network chosen for a co-badged card, in one call or at creation, and none if none was chosen`, async () => {
    const shop = await openShop({ connector })
    for (const network of ['CartesBancaires', 'Visa']) equal(networkOf(await pay(shop, network)), network)
    equal(networkOf(await pay(shop)), 'CartesBancaires')
    const waiting = await shop.create({ payment_method_data: on('Visa') })
    deepEqual([networkOf(waiting), (await shop.confirm(waiting.payment_id)).body.status], ['Visa', 'succeeded'])
    await shop.pay({ payment_method_data: on('Visa', '4242424242424242') })
    deepEqual((await sentNetworks(shop)).sort(), [names.CartesBancaires, names.Visa, names.Visa, undefined, undefined].sort())
  })

test('a network that the card does not have is refused with the field name, on payments, eligibility and saved cards', async () => {
  const shop = await openShop()
  const refused = async (answer: Promise<{ status: number; body: Body; text: string }>, field: string) =>
    isRefused(
      (await answer) as never,
      422,
      'IR_06',
      new RegExp(`^.*${field}.*Mastercard is not a network of this card; it has CartesBancaires, Visa`),
    )
  await refused(shop.tryToPay({ payment_method_data: on('Mastercard') }), 'payment_method_data.card.card_network')
  const waiting = await shop.create({ payment_method: undefined, payment_method_data: undefined })
  const input = { payment_method: 'card', payment_method_data: on('Mastercard') }
  await refused(shop.confirm(waiting.payment_id, input), 'payment_method_data.card.card_network')
  await refused(shop.post(`/payments/${waiting.payment_id}`, input), 'payment_method_data.card.card_network')
  await refused(
    shop.post(`/payments/${waiting.payment_id}/eligibility`, { payment_method_type: 'card', payment_method_data: on('Mastercard') }),
    'payment_method_data.card.card_network',
  )
  const { card_cvc: _, ...card_ } = on('Mastercard').card as Body
  await refused(
    shop.tryToPay({
      payment_method_data: undefined,
      customer_id: 'cus_grace',
      off_session: true,
      recurring_details: { type: 'network_transaction_id_and_card_details', data: { ...card_, network_transaction_id: 'MCC0001234' } },
    }),
    'recurring_details.data.card_network',
  )
  await shop.post('/customers', { customer_id: 'cus_grace' })
  const ask = { payment_method: 'card', customer_id: 'cus_grace' }
  await refused(shop.post('/payment_methods', { ...ask, ...on('Mastercard') }), 'card.card_network')
  await refused(shop.post('/payment_methods', { ...ask, ...on(), card_network: 'Mastercard' }), 'card_network')
  const { payment_method_id } = (await shop.post('/payment_methods', { ...ask, ...on() })).body
  await refused(shop.post(`/payment_methods/${payment_method_id}/update`, { card: { card_network: 'Mastercard' } }), 'card.card_network')
  deepEqual(await shop.processor.operations(), [])
})

test('the eligibility response lists all networks of a co-badged card', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.create({ payment_method: undefined, payment_method_data: undefined })
  const ask = async (path: string, number: string) =>
    (await shop.post(`/payments/${payment_id}/${path}`, { payment_method_type: 'card', payment_method_data: on(undefined, number) })).body
      .card_networks
  for (const path of ['eligibility', 'eligibility_check'])
    deepEqual([await ask(path, CO_BADGED), await ask(path, '4242424242424242')], [['CartesBancaires', 'Visa'], null])
})

test('a saved co-badged card keeps the chosen network until another one is chosen', async () => {
  const shop = await openShop()
  await shop.post('/customers', { customer_id: 'cus_grace' })
  const paid = async (...bodies: Body[]) => {
    for (const one of bodies) await shop.post('/payment_methods', { payment_method: 'card', customer_id: 'cus_grace', ...one })
    const [saved] = (await shop.call('GET', '/customers/cus_grace/payment_methods')).body.customer_payment_methods
    const { payment_token } = saved
    const payment = await shop.pay({ customer_id: 'cus_grace', payment_method_data: undefined, payment_token })
    return [saved.payment_method_id, networkOf(payment), (await sentNetworks(shop)).at(-1)]
  }
  const [id, ...first] = await paid(on())
  deepEqual(first, ['CartesBancaires', undefined])
  deepEqual(await paid(on('Visa')), [id, 'Visa', 'Visa'])
  await shop.post(`/payment_methods/${id}/update`, { card: { card_network: 'CartesBancaires' } })
  deepEqual(await paid(), [id, 'CartesBancaires', 'CartesBancaires'])
  await shop.post(`/payment_methods/${id}/update`, { card: { nick_name: 'the blue one' } })
  deepEqual(await paid(), [id, 'CartesBancaires', 'CartesBancaires'])
})

test('a saved card whose networks have changed in the BIN data can still be used for payments', async () => {
  const shop = await openShop()
  await shop.post('/customers', { customer_id: 'cus_grace' })
  await shop.post('/payment_methods', { payment_method: 'card', customer_id: 'cus_grace', ...on('CartesBancaires') })
  await importBins(shop.service.context, (await readBins('bin,network\n40000025,Visa')).rows, () => {})
  await shop.service.settings.refresh()
  const [{ payment_token }] = (await shop.call('GET', '/customers/cus_grace/payment_methods')).body.customer_payment_methods
  equal((await shop.pay({ customer_id: 'cus_grace', payment_method_data: undefined, payment_token })).status, 'succeeded')
  await shop.query('delete from card_bins')
})
