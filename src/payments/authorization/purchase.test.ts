import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../../test/refused.ts'
import { type Body, cards, http, openShop, type Shop } from '../../../test/shop.ts'

/**
 * Processors receive the customer and the purchase, where a payment contains them; and an order may come by mail or
 * phone.
 */

const oslo = { line1: 'Storgata 12', line2: 'Flat 3', city: 'Oslo', zip: '0155', country: 'NO', first_name: 'Kari', last_name: 'Nordmann' }

/** A payment with all members about the purchase that a merchant may send. */
const whole: Body = {
  description: 'Two chairs',
  merchant_order_reference_id: 'order-1047',
  customer: { id: 'kari', name: 'Kari Nordmann', email: 'kari@shop.example', phone: '555 01 00', phone_country_code: '+47' },
  billing: { address: oslo, phone: { number: '5550100', country_code: '47' }, email: 'bills@shop.example' },
  shipping: { address: { ...oslo, line1: '7 Harbour Street', city: 'Bergen', zip: '5003', origin_zip: '0155' } },
  browser_info: {
    ...{ ip_address: '192.0.2.7', user_agent: 'Mozilla/5.0', accept_header: 'text/html', language: 'nb', color_depth: 24 },
    ...{ screen_height: 900, screen_width: 1440, time_zone: -60, java_enabled: false, java_script_enabled: true },
  },
  order_details: [{ product_name: 'Chair', quantity: 2, amount: 600, sku: 'CH-1', tax_rate: 25, total_tax_amount: 240 }],
  shipping_cost: 40,
  order_tax_amount: 10,
  discount_amount: 5,
  shipping_amount_tax: 2,
  duty_amount: 1,
  tax_status: 'taxable',
  order_date: '2026-03-01T10:00:00.000Z',
  partner_merchant_identifier_details: { partner_details: { name: 'Cart', version: '2', integrator: 'Web & Sons' } },
}

/** Gives the processor's record of the shop's only authorization. */
async function authorizationAt(shop: Shop): Promise<Body> {
  const [authorization] = (await shop.processor.operations()) as Body[]
  return authorization
}

test('the sandbox receives all purchase details of a payment, and none if the payment has none', async () => {
  const shop = await openShop()
  await shop.pay({ metadata: { order: 1 }, statement_descriptor_name: 'CHAIRS' })
  const quiet = await authorizationAt(shop)
  deepEqual(
    ['purchase', 'channel'].filter(member => Object.hasOwn(quiet, member)),
    [],
  )

  const other = await openShop()
  await other.profile({ is_l2_l3_enabled: true })
  await other.pay({ ...whole, connector_metadata: { phonypay: { campaign: 'spring' }, adyen: { testing: { holder_name: 'DECLINED' } } } })
  const { purchase } = await authorizationAt(other)
  deepEqual(purchase, {
    description: 'Two chairs',
    order_reference: 'order-1047',
    buyer: { name: 'Kari Nordmann', email: 'kari@shop.example', phone: '+475550100' },
    billing: { ...oslo, phone: '+475550100', email: 'bills@shop.example' },
    shipping: { ...oslo, line1: '7 Harbour Street', city: 'Bergen', zip: '5003', origin_zip: '0155' },
    browser: whole.browser_info,
    lines: whole.order_details,
    costs: { shipping: 40, tax: 10, shipping_tax: 2, duty: 1, discount: 5 },
    tax_status: 'taxable',
    ordered_at: '2026-03-01T10:00:00.000Z',
    partner: { partner_details: { name: 'Cart', version: '2', integrator: 'Web & Sons' } },
    extra: { campaign: 'spring' },
  })
})

test('level 2 and 3 data is sent only if the profile enables it, and the billing address of the card takes precedence', async () => {
  const shop = await openShop()
  await shop.pay({
    shipping_cost: 40,
    tax_status: 'exempt',
    billing: { address: oslo },
    payment_method_data: { card: cardOf(), billing: { address: { ...oslo, zip: '9999' } } },
  })
  const { purchase } = await authorizationAt(shop)
  deepEqual(Object.keys(purchase), ['billing'])
  equal(purchase.billing.zip, '9999')
})

test('billing details sent with the payment method complete those of the payment, of which the processor receives all', async () => {
  const shop = await openShop()
  await shop.pay({ billing: { address: oslo }, payment_method_data: { card: cardOf(), billing: { email: 'kari@shop.example' } } })
  const { purchase } = await authorizationAt(shop)
  deepEqual(purchase.billing, { ...oslo, email: 'kari@shop.example' })
})

const cardOf = (card_number: string = cards.approves) => ({ card_number, card_exp_month: '12', card_exp_year: '2040', card_cvc: '737' })

test('AVS and security code results of the issuer are shown, and an address mismatch can be declined', async () => {
  const shop = await openShop()
  const from = (zip: string) => shop.pay({ billing: { address: { ...oslo, zip } } })
  const checks = ({ payment_method_data }: Body) => Object.values(payment_method_data.card.payment_checks)
  const results = (line: string | null, code = line, cvc = 'pass') => [line, code, cvc]
  deepEqual(checks(await from('0155')), results('pass'))
  deepEqual(checks(await from('00001')), results('fail'))
  deepEqual(checks(await from('00003')), results('unavailable'))
  for (const connector of ['phonypay', 'stripe']) {
    const at = await openShop({ connector })
    const asked = async (card: string, more: Body = {}) => checks(await at.pay({ card, ...more }))
    deepEqual(await asked(cards.approves), results(null), 'nobody looks at an address that was not sent')
    deepEqual(await asked(cards.hasWrongCode), results(null, null, 'fail'))
    deepEqual(await asked(cards.hasWrongPostcode, { billing: { address: { ...oslo } } }), results('pass', 'fail'))
  }
  const refused = await from('00002')
  deepEqual([refused.status, refused.error_code, refused.issuer_error_code], ['failed', 'avs_declined', '63'])
})

test('bridge connectors receive purchase details with the field names of the API', async () => {
  const shop = await openShop({ connector: 'bridge' })
  await shop.pay({ billing: { address: oslo }, description: 'Two chairs' })
  deepEqual((await authorizationAt(shop)).purchase, { description: 'Two chairs', billing: oslo })
})

test('Stripe receives billing details, shipping address and description', async () => {
  const shop = await openShop({ connector: 'stripe' })
  const { status } = await shop.pay(whole)
  equal(status, 'succeeded')
  const address = { line1: 'Storgata 12', line2: 'Flat 3', city: 'Oslo', postal_code: '0155', country: 'NO' }
  const { purchase } = await authorizationAt(shop)
  deepEqual(purchase, {
    billing: { name: 'Kari Nordmann', email: 'bills@shop.example', phone: '+475550100', address, zip: '0155' },
    shipping: { name: 'Kari Nordmann', address: { ...address, line1: '7 Harbour Street', city: 'Bergen', postal_code: '5003' } },
    description: 'Two chairs',
  })
})

test('Adyen receives shopper, browser, addresses and line items; an incomplete address is left out', async () => {
  const shop = await openShop({ connector: 'adyen', webhooks: 'on' })
  await shop.profile({ is_l2_l3_enabled: true })
  equal((await shop.pay(whole)).status, 'succeeded')
  const { purchase } = await authorizationAt(shop)
  deepEqual(purchase.billingAddress, { street: 'Storgata', houseNumberOrName: '12', city: 'Oslo', postalCode: '0155', country: 'NO' })
  deepEqual([purchase.deliveryAddress.houseNumberOrName, purchase.deliveryAddress.lastName], ['7', 'Nordmann'])
  deepEqual([purchase.shopperEmail, purchase.shopperIP, purchase.telephoneNumber], ['kari@shop.example', '192.0.2.7', '+475550100'])
  equal(purchase.browserInfo.timeZoneOffset, -60)
  deepEqual(purchase.lineItems, [
    { description: 'Chair', quantity: 2, amountIncludingTax: 600, taxAmount: 240, taxPercentage: 2500, sku: 'CH-1' },
  ])
  equal(purchase.merchantOrderReference, 'order-1047')
  deepEqual(purchase.applicationInfo, { externalPlatform: { name: 'Cart', version: '2', integrator: 'Web & Sons' } })
  deepEqual(
    [
      purchase['enhancedSchemeData.totalTaxAmount'],
      purchase['enhancedSchemeData.orderDate'],
      purchase['enhancedSchemeData.itemDetailLine1.totalAmount'],
    ],
    ['10', '010326', '1200'],
  )

  const other = await openShop({ connector: 'adyen', webhooks: 'on' })
  await other.pay({ billing: { address: { city: 'Oslo', country: 'NO' } }, browser_info: { language: 'nb' }, email: 'no address' })
  ok(!Object.hasOwn(await authorizationAt(other), 'purchase'))
})

test('connector metadata reaches its connector: a test holder name for Adyen causes the decline', async () => {
  const shop = await openShop({ connector: 'adyen', webhooks: 'on' })
  const { status, error_code } = await shop.pay({ connector_metadata: { adyen: { testing: { holder_name: 'NOT_ENOUGH_BALANCE' } } } })
  deepEqual([status, error_code], ['failed', '12'])
})

for (const connector of ['phonypay', 'stripe', 'adyen', 'bridge'])
  test(`${connector}: a telephone order is charged without a challenge`, async () => {
    const shop = await openShop({ connector, webhooks: 'on' })
    const payment = await shop.pay({
      payment_channel: 'telephone_order',
      payment_method_data: { card: cardOf(cards.challenges) },
      authentication_type: undefined,
    })
    deepEqual([payment.status, payment.payment_channel, payment.authentication_type], ['succeeded', 'telephone_order', 'no_three_ds'])
    equal((await authorizationAt(shop)).channel, 'telephone_order')
  })

test('a mail order goes only to connectors that accept it, and cannot request 3-D Secure', async () => {
  const shop = await openShop({ connector: 'payadmit' })
  isRefused(await shop.tryToPay({ payment_channel: 'mail_order' }), 400, 'IR_39', /payment_channel mail_order/)
  const other = await openShop()
  isRefused(await other.tryToPay({ payment_channel: 'mail_order', authentication_type: 'three_ds' }), 400, 'IR_16', /authentication_type/)
  isRefused(await other.tryToPay({ payment_channel: { other: 'by pigeon' } }), 400, 'IR_19', /payment_channel/)
  isRefused(await other.tryToPay({ payment_channel: 'by pigeon' }), 400, 'IR_06', /payment_channel/)
  const created = await other.create({ payment_channel: 'mail_order', authentication_type: undefined })
  isRefused(await other.confirm(created.payment_id, { authentication_type: 'three_ds' }), 400, 'IR_16', /authentication_type/)
  equal((await other.confirm(created.payment_id)).body.status, 'succeeded')
  equal((await authorizationAt(other)).channel, 'mail_order')
})

const months = (number_of_installments: number) => ({ number_of_installments, billing_frequency: 'month' })
const offer = [
  {
    payment_method: 'card',
    installments: [
      { ...months(3), interest_rate: 0 },
      { ...months(6), number_of_installments: [6, 12] },
    ],
  },
]
const inBrowser = (shop: Shop, payment: Body, more: Body) =>
  http(
    'POST',
    `${shop.url}/payments/${payment.payment_id}/confirm`,
    { client_secret: payment.client_secret, payment_method: 'card', payment_method_data: { card: cardOf() }, ...more },
    { 'api-key': shop.publishable_key },
  )

for (const connector of ['phonypay', 'stripe', 'adyen'])
  test(`${connector}: a card payment is charged in full, with the number of installments that the customer chose`, async () => {
    const shop = await openShop({ connector, webhooks: 'on' })
    const paid = await shop.pay({ installment_data: months(6) })
    deepEqual([paid.status, paid.amount_received, paid.installment_data], ['succeeded', paid.amount, months(6)])
    equal((await authorizationAt(shop)).installments, 6)
  })

test('a customer can choose only from the offered installment plans, and a browser cannot change them', async () => {
  const shop = await openShop()
  const unpaid = { payment_method: undefined, payment_method_data: undefined, amount: 1000, currency: 'USD' }
  const payment = await shop.create({ ...unpaid, payment_type: 'installment', installment_options: offer })
  deepEqual(payment.installment_options, offer)
  const list = `${shop.url}/account/payment_methods?client_secret=${payment.client_secret}`
  const { body } = await http('GET', list, undefined, { 'api-key': shop.publishable_key })
  const plan = (number: number, amount_per_installment: number) => ({
    ...months(number),
    interest_rate: 0,
    amount_details: { amount_per_installment, total_amount: 10 },
  })
  deepEqual(body.intent_data.installment_options, [
    { payment_method: 'card', available_plans: [plan(3, 3.34), plan(6, 1.67), plan(12, 0.84)] },
  ])
  isRefused(await inBrowser(shop, payment, {}), 400, 'IR_04', /installment_data/)
  isRefused(await inBrowser(shop, payment, { installment_data: months(4) }), 400, 'IR_16', /installment_options/)
  const own = { installment_data: months(4), installment_options: [{ ...offer[0], installments: [months(4)] }] }
  equal((await inBrowser(shop, payment, own)).status, 403)
  isRefused(await shop.confirm(payment.payment_id, { installment_data: months(4) }), 400, 'IR_16', /installment_options/)
  equal((await inBrowser(shop, payment, { installment_data: months(3) })).body.status, 'succeeded')
  equal((await authorizationAt(shop)).installments, 3)

  const plain = await shop.create(unpaid)
  isRefused(await inBrowser(shop, plain, { installment_data: months(3) }), 400, 'IR_16', /installment_options/)
  equal((await inBrowser(shop, plain, { installment_data: months(1) })).body.status, 'succeeded')
})

test('installments without a possible choice, and unsupported installment options, are refused with the field name', async () => {
  const shop = await openShop()
  isRefused(await shop.tryToPay({ installment_options: offer }), 422, 'IR_06', /installment_options/)
  isRefused(await shop.tryToPay({ payment_type: 'installment', installment_data: months(3) }), 422, 'IR_06', /installment/)
  isRefused(await shop.tryToPay({ installment_data: { ...months(3), billing_frequency: 'week' } }), 400, 'IR_06', /billing_frequency/)
  isRefused(await shop.tryToPay({ installment_data: months(0) }), 400, 'IR_06', /number_of_installments/)
  const offering = (more: Body) => shop.tryToPay({ confirm: false, installment_options: [{ ...offer[0], ...more }] })
  isRefused(await offering({ payment_method: 'wallet' }), 400, 'IR_19', /wallet/)
  isRefused(await offering({ installments: [{ ...months(3), interest_rate: 1.5 }] }), 400, 'IR_19', /interest_rate/)

  const other = await openShop({ connector: 'payadmit' })
  isRefused(await other.tryToPay({ installment_data: months(3) }), 400, 'IR_39', /installments/)
})
