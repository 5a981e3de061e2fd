import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../../test/refused.ts'
import { type Body, http, openShop, type Shop } from '../../../test/shop.ts'

/** The tax of the shipping address, by the rates of the business profile. */

const rates = [
  { country: 'NO', rate: 25 },
  { country: 'US', rate: 0 },
  { country: 'US', state: 'NY', rate: 8.875, shipping: true },
]

async function openTaxed(): Promise<Shop> {
  const shop = await openShop()
  await shop.profile({ tax_rates: rates })
  return shop
}

const to = (country: string, state?: string) => ({ shipping: { address: { country, ...(state && { state }) } } })
const taxed = (shop: Shop, id: string, body: Body) => shop.post(`/payments/${id}/calculate_tax`, body)

test('tax by country or state, and on shipping where configured, is added to the charged amount', async () => {
  const shop = await openTaxed()
  const { payment_id } = await shop.create({ amount: 1999, shipping_cost: 500 })
  const { body } = await taxed(shop, payment_id, to('NO'))
  deepEqual(body, {
    payment_id,
    net_amount: 2999,
    order_tax_amount: 500,
    shipping_cost: 500,
    display_amount: { net_amount: '29.99', order_tax_amount: '5.00', shipping_cost: '5.00' },
  })
  const due = async (country: string, state?: string) => (await taxed(shop, payment_id, to(country, state))).body.order_tax_amount
  // 8.875 % of 24.99 is 221.79 cents; half a cent or more is rounded up.
  deepEqual([await due('US', 'ny '), await due('US', 'NJ'), await due('US'), await due('DE')], [222, 0, 0, 0])
  await due('NO')
  equal((await shop.confirm(payment_id)).body.net_amount, 2999)
  equal((await shop.processor.charges())[0]!.amount, 2999)
})

test('calculated tax follows changes of address and amount until the merchant sets its own tax', async () => {
  const shop = await openTaxed()
  const { payment_id, client_secret } = await shop.create({ amount: 1000 })
  await taxed(shop, payment_id, to('US'))
  const browser = { 'api-key': shop.publishable_key }
  const answer = await http('POST', `${shop.url}/payments/${payment_id}`, { client_secret, ...to('NO') }, browser)
  deepEqual([answer.body.order_tax_amount, answer.body.net_amount], [250, 1250])
  const dearer = (await shop.post(`/payments/${payment_id}`, { amount: 2000 })).body
  deepEqual([dearer.order_tax_amount, dearer.net_amount], [500, 2500])
  const own = (await shop.post(`/payments/${payment_id}`, { order_tax_amount: 1 })).body
  equal(own.net_amount, 2001)
  equal((await shop.post(`/payments/${payment_id}`, to('NO'))).body.net_amount, 2001)
})

test('a browser calculates tax with its client_secret; an exempt payment, or one that skips tax calculation, has none', async () => {
  const shop = await openTaxed()
  const ask = async (more: Body) => {
    const { payment_id, client_secret } = await shop.create({ amount: 1000, ...more })
    const url = `${shop.url}/payments/${payment_id}/calculate_tax`
    return (await http('POST', url, { client_secret, ...to('NO') }, { 'api-key': shop.publishable_key })).body.order_tax_amount
  }
  deepEqual([await ask({}), await ask({ tax_status: 'exempt' }), await ask({ skip_external_tax_calculation: true })], [250, 0, 0])
})

test('the payment method list shows whether tax calculation is enabled', async () => {
  const shop = await openShop()
  const { client_secret } = await shop.create()
  const isEnabled = async () =>
    (
      await http('GET', `${shop.url}/account/payment_methods?client_secret=${client_secret}`, undefined, {
        'api-key': shop.publishable_key,
      })
    ).body.is_tax_calculation_enabled
  equal(await isEnabled(), false)
  await shop.profile({ tax_rates: rates })
  equal(await isEnabled(), true)
})

test('tax calculation without a rate, without an address or after payment is refused, and so are invalid rates', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.create()
  isRefused(await taxed(shop, payment_id, to('NO')), 400, 'IR_16', /tax_rates/)
  const other = await openTaxed()
  const created = await other.create()
  isRefused(await taxed(other, created.payment_id, {}), 400, 'IR_04', /shipping\.address\.country/)
  isRefused(await taxed(other, created.payment_id, { ...to('NO'), amount: 1 }), 400, 'IR_06', /amount/)
  await other.confirm(created.payment_id)
  isRefused(await taxed(other, created.payment_id, to('NO')), 400, 'IR_16', /calculate the tax .* succeeded/)
  const path = `/account/${shop.merchant_id}/business_profile`
  const [{ profile_id }] = (await shop.call('GET', path)).body
  const say = (tax_rates: Body[]) => shop.post(`${path}/${profile_id}`, { tax_rates })
  isRefused(
    await say([
      { country: 'NO', rate: 25 },
      { country: 'NO', rate: 12 },
    ]),
    422,
    'IR_06',
    /tax_rates\[1\]/,
  )
  isRefused(await say([{ country: 'NO', rate: 0.00001 }]), 422, 'IR_06', /tax_rates\[0\]\.rate/)
  isRefused(await say([{ country: 'NO', rate: 101 }]), 400, 'IR_16', /tax_rates\[0\]\.rate/)
})
