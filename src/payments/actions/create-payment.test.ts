import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../../test/refused.ts'
import { ADMIN_KEY, type Body, card, cards, http, openPlace, openShop } from '../../../test/shop.ts'

test('an approved card pays in one call, with one charge at the processor', async () => {
  const shop = await openShop()
  const payment = await shop.pay({ amount: 1250, currency: 'USD' })
  equal(payment.status, 'succeeded')
  equal(payment.amount_received, 1250)
  const charges = await shop.processor.charges()
  equal(charges.length, 1)
  equal(charges[0]!.captured, 1250)
})

test('a payment is processing after a timeout, and a later poll finds the charge', async () => {
  const shop = await openShop()
  const payment = await shop.pay({ card: cards.chargesAndHangs })
  equal(payment.status, 'processing')
  await shop.wait('2 minutes')
  equal((await shop.get(payment.payment_id)).status, 'succeeded')
  equal((await shop.processor.charges()).length, 1)
})

test('a payment that the processor never received fails only after its request can no longer be in flight', async () => {
  const shop = await openShop()
  const payment = await shop.pay({ card: cards.hangs })
  equal(payment.status, 'processing')
  await shop.wait('30 seconds')
  equal((await shop.get(payment.payment_id)).status, 'processing')
  await shop.wait('2 minutes')
  const failed = await shop.get(payment.payment_id)
  equal(failed.status, 'failed')
  equal(failed.error_code, 'not_received')
  equal((await shop.processor.charges()).length, 0)
})

test('a payment without a confirm takes no money, and waits for a payment method or its confirmation', async () => {
  const shop = await openShop()
  const bare = await shop.post('/payments', { amount: 1250, currency: 'USD' })
  equal(bare.body.status, 'requires_payment_method')
  const withCard = await shop.create()
  equal(withCard.status, 'requires_confirmation')
  for (const payment of [bare.body, withCard]) {
    equal(payment.amount, 1250)
    equal(payment.net_amount, 1250)
    equal(payment.amount_capturable, 1250, 'before its authorization, all of it')
    equal(payment.amount_received, null)
    equal(payment.connector, null)
    equal(payment.connector_transaction_id, null)
    equal(payment.attempt_count, 1)
    equal(payment.capture_method, 'automatic')
    equal(Date.parse(payment.expires_on) - Date.parse(payment.created), 15 * 60_000)
    match(payment.payment_id, /^pay_[0-9A-HJKMNP-TV-Z]{26}$/)
    match(payment.client_secret, new RegExp(`^${payment.payment_id}_secret_[0-9A-Za-z]{20}$`))
  }
  equal((await shop.processor.operations()).length, 0)
})

// biome-ignore format: a table reads better in columns
const declines: [card: string, error_code: string, unified: string, issuer: string][] = [
  ['4000000000000002', 'card_declined',      'UE_1000', '05'],
  ['4000000000009995', 'insufficient_funds', 'UE_1000', '51'],
  ['4000000000009987', 'lost_card',          'UE_1000', '41'],
  ['4000000000009979', 'stolen_card',        'UE_1000', '43'],
  ['4000000000000069', 'expired_card',       'UE_1000', '54'],
  ['4000000000000127', 'incorrect_cvc',      'UE_1000', 'N7'],
  ['4000000000000119', 'processing_error',   'UE_3000', '96'],
]

test('a declined card fails the payment with processor, unified and issuer codes, and nothing is charged', async () => {
  const shop = await openShop()
  for (const [number, error_code, unified_code, issuer_error_code] of declines) {
    const payment = await shop.pay({ card: number })
    equal(payment.status, 'failed', number)
    deepEqual([payment.error_code, payment.unified_code, payment.issuer_error_code], [error_code, unified_code, issuer_error_code])
    ok(payment.error_message.length > 0 && payment.unified_message.length > 0)
    deepEqual([payment.amount_received, payment.amount_capturable, payment.next_action], [null, 0, null])
  }
  deepEqual(await shop.processor.charges(), [])
})

test('the charged amount includes shipping, tax and surcharge; discounts and duties are informational', async () => {
  const shop = await openShop()
  const payment = await shop.pay({
    amount: 1000,
    shipping_cost: 200,
    order_tax_amount: 30,
    surcharge_details: { surcharge_amount: 4, tax_amount: 1 },
    discount_amount: 500,
    duty_amount: 77,
    shipping_amount_tax: 9,
  })
  deepEqual([payment.amount, payment.net_amount, payment.amount_received], [1000, 1235, 1235])
  equal((await shop.processor.charges())[0]!.captured, 1235)
})

test('every currency is charged in its minor unit, exactly', async () => {
  const shop = await openShop()
  for (const currency of ['JPY', 'USD', 'KWD', 'CLF'])
    equal((await shop.pay({ amount: 98_765_432_101, currency })).amount_received, 98_765_432_101)
  deepEqual(
    (await shop.processor.charges()).map(charge => [charge.currency, charge.captured]),
    ['JPY', 'USD', 'KWD', 'CLF'].map(currency => [currency, 98_765_432_101]),
  )
})

/** The members of a card that existing clients know; they know no others. */
const clientsKnow =
  'auth_code authentication_data card_exp_month card_exp_year card_extended_bin card_holder_name card_isin card_issuer card_issuing_country card_network card_type last4 payment_checks'.split(
    ' ',
  )

test('the expiry of a card is returned as sent, with the eight-digit BIN if the profile enables it', async () => {
  const shop = await openShop()
  const sent = { card_number: cards.approves, card_exp_month: '5', card_exp_year: '50', card_cvc: '123' }
  const customer = { customer_id: 'cus_grace', setup_future_usage: 'on_session', customer_acceptance: { acceptance_type: 'offline' } }
  const profiles = `/account/${shop.merchant_id}/business_profile`
  const [{ profile_id }] = (await shop.call('GET', profiles)).body
  await shop.post(`${profiles}/${profile_id}/toggle_extended_card_info`, { enabled: true })
  const paid = await shop.pay({ payment_method_data: { card: sent }, ...customer })
  const { card_exp_month, card_exp_year, card_extended_bin } = paid.payment_method_data.card
  deepEqual([card_exp_month, card_exp_year, card_extended_bin], ['5', '50', '42424242'])
  const saved = async () => (await shop.call('GET', '/customers/cus_grace/payment_methods')).body.customer_payment_methods[0]
  const { card, payment_token } = await saved()
  deepEqual([card.expiry_month, card.expiry_year], ['05', '2050'])
  const again = await shop.pay({ customer_id: 'cus_grace', payment_token, payment_method_data: undefined })
  equal(again.status, 'succeeded')
})

test('a card is shown by BIN, last digits and fingerprint, never by its number', async () => {
  const shop = await openShop()
  const answer = await shop.tryToPay()
  const shown = answer.body.payment_method_data.card
  deepEqual([shown.last4, shown.card_isin, shown.card_extended_bin, shown.card_network], ['4242', '424242', null, 'Visa'])
  deepEqual(Object.keys(shown).sort(), clientsKnow)
  deepEqual([shown.card_exp_month, shown.card_exp_year, shown.card_cvc, shown.card_number], ['12', '2040', undefined, undefined])
  ok(!answer.text.includes(cards.approves))
  const again = await shop.pay()
  equal(again.fingerprint, answer.body.fingerprint)
  equal((await (await openShop()).pay()).fingerprint === again.fingerprint, false, 'another merchant must not recognise the card')
})

test('order data from the merchant is returned as it was sent', async () => {
  const shop = await openShop()
  const sent = {
    description: 'Two teapots ☕',
    metadata: { order: '17', empty: '', nothing: null, deep: { a: [1, 2, { b: 'c' }] } },
    order_details: [{ product_name: 'teapot', quantity: 2, amount: 625 }],
    billing: { address: { city: 'Ghent', country: 'BE', zip: '9000' }, email: 'a@shop.example' },
    email: 'a@shop.example',
    merchant_order_reference_id: 'order-17',
    return_url: 'https://shop.example/back',
  }
  const created = await shop.create(sent)
  const got = await shop.get(created.payment_id)
  for (const payment of [created, got]) for (const [name, value] of Object.entries(sent)) deepEqual(payment[name], value, name)
})

test('the same payment_id with the same body is one payment and one charge; with another body it is refused', async () => {
  const shop = await openShop()
  const payment_id = `order_${'0'.repeat(24)}`
  const body = shop.payBody({ payment_id })
  const [one, two] = await Promise.all([shop.post('/payments', body), shop.post('/payments', body)])
  const three = await shop.post('/payments', body)
  const newCvc = structuredClone(body)
  newCvc.payment_method_data.card.card_cvc = '999'
  const four = await shop.post('/payments', newCvc)
  for (const answer of [one, two, three, four]) {
    equal(answer.status, 200, answer.text)
    equal(answer.body.payment_id, payment_id)
  }
  deepEqual([three.body.status, four.body.status], ['succeeded', 'succeeded'])
  isRefused(await shop.post('/payments', { ...body, amount: 1251 }), 400, 'HE_01')
  isRefused(await shop.post('/payments', { ...body, payment_method_data: card('4111111111111111') }), 400, 'HE_01')
  equal((await shop.processor.charges()).length, 1)
  const other = await openShop()
  equal((await other.post('/payments', body)).body.status, 'succeeded', 'ids belong to one merchant')
})

test('a payment_id sent again is answered with its payment after the account, the card or the time of the first request has gone', async () => {
  const shop = await openShop()
  const ids = { plain: `again_${'1'.repeat(24)}`, timed: `again_${'2'.repeat(24)}`, saved: `again_${'3'.repeat(24)}` }
  const { customer_id } = (await shop.post('/customers', { name: 'Ada' })).body
  const kept = await shop.pay({ customer_id, setup_future_usage: 'on_session', customer_acceptance: { acceptance_type: 'offline' } })
  await shop.service.tick()
  const [saved] = (await shop.call('GET', `/customers/${customer_id}/payment_methods`)).body.customer_payment_methods
  const bodies: Record<keyof typeof ids, Body> = {
    plain: shop.payBody({ payment_id: ids.plain }),
    timed: shop.payBody({ payment_id: ids.timed, capture_on: new Date(Date.now() + shop.clock.ahead + 3_600_000).toISOString() }),
    saved: {
      ...shop.payBody({ payment_id: ids.saved, customer_id, payment_token: saved.payment_token }),
      payment_method_data: undefined,
    },
  }
  const first: Record<string, Body> = {}
  for (const [name, body] of Object.entries(bodies)) {
    const answer = await shop.post('/payments', body)
    equal(answer.status, 200, `${name}: ${answer.text}`)
    first[name] = answer.body
  }
  equal(kept.status, 'succeeded')
  const charged = (await shop.processor.charges()).length
  await shop.wait('2 hours')
  equal((await shop.call('DELETE', `/payment_methods/${saved.payment_method_id}`)).status, 200)
  const account = `/account/${shop.merchant_id}/connectors/${shop.merchant_connector_id}`
  equal((await shop.post(account, { connector_type: 'payment_processor', disabled: true })).status, 200)
  for (const [name, body] of Object.entries(bodies)) {
    const answer = await shop.post('/payments', body)
    deepEqual([answer.status, answer.body.payment_id], [200, first[name]!.payment_id], `${name}: ${answer.text}`)
    isRefused(await shop.post('/payments', { ...body, amount: 1251 }), 400, 'HE_01')
  }
  equal((await shop.processor.charges()).length, charged, 'nothing is charged again')
  equal((await shop.tryToPay({ payment_id: `again_${'4'.repeat(24)}` })).body.error?.code, 'IR_39', 'a new payment finds no account')
})

const without = (body: Body, ...names: string[]): Body => Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
const withCard = (change: object): Body => ({ payment_method_data: { card: { ...card().card, ...change } } })

type Change = Record<string, unknown> | ((body: Body) => Body)
// biome-ignore format: a table reads better in columns
const refusals: [what: string, change: Change, status: number, code: string, names?: RegExp][] = [
  ['no amount',                          b => without(b, 'amount'),                        400, 'IR_04', /amount/],
  ['no currency',                        b => without(b, 'currency'),                      400, 'IR_04', /currency/],
  ['neither',                            b => without(b, 'amount', 'currency'),            400, 'IR_21', /amount, currency/],
  ['a negative amount',                  { amount: -1 },                                   400, 'IR_06', /amount/],
  ['half a cent',                        { amount: 12.5 },                                 400, 'IR_06', /amount/],
  ['an amount in words',                 { amount: '1250' },                               400, 'IR_06', /amount/],
  ['an amount beyond 2^53',              { amount: 2 ** 53 },                              400, 'IR_16', /amount/],
  ['a net amount beyond 2^53',           { amount: 2 ** 53 - 1, shipping_cost: 1 },        400, 'IR_16', /net_amount/],
  ['a currency that does not exist',     { currency: 'XXQ' },                              400, 'IR_06', /currency/],
  ['a currency in small letters',        { currency: 'usd' },                              400, 'IR_06', /currency must be written in upper case: USD/],
  ['a member that does not exist',       { ammount: 3 },                                   400, 'IR_06', /ammount/],
  ['one that is misspelt',               b => ({ ...without(b, 'amount'), ammount: 3 }),   400, 'IR_06', /ammount/],
  ['one that is misspelt, inside',       withCard({ card_nmber: '1', card_number: undefined }), 400, 'IR_06', /payment_method_data\.card\.card_number/],
  ['a short payment_id',                 { payment_id: 'pay_1' },                          422, 'IR_05', /payment_id/],
  ['a payment_id with a slash',          { payment_id: `pay_${'/'.repeat(26)}` },          422, 'IR_05', /payment_id/],
  ['a number that fails Luhn',           withCard({ card_number: '4242424242424241' }),    400, 'IR_06', /card_number/],
  ['a number that is too short',         withCard({ card_number: '4242420' }),             400, 'IR_06', /card_number/],
  ['letters for a number',               withCard({ card_number: 'four' }),                400, 'IR_06', /card_number/],
  ['a 13th month',                       withCard({ card_exp_month: '13' }),               400, 'IR_16', /card_exp_month/],
  ['a month in words',                   withCard({ card_exp_month: 'May' }),              400, 'IR_07', /card_exp_month/],
  ['a card past its expiry',             withCard({ card_exp_year: '2020' }),              400, 'IR_16', /expired/],
  ['a year of three digits',             withCard({ card_exp_year: '204' }),               400, 'IR_16', /card_exp_year/],
  ['a CVC of two digits',                withCard({ card_cvc: '12' }),                     400, 'IR_16', /card_cvc/],
  ['a CVC of letters',                   withCard({ card_cvc: 'abc' }),                    400, 'IR_07', /card_cvc/],
  ['a code of five letters',             withCard({ card_cvc: 'abcde' }),                  400, 'IR_16', /card_cvc/],
  ['card data without a method',         b => without(b, 'payment_method'),                400, 'IR_04', /payment_method/],
  ['a method without data',              b => without(b, 'payment_method_data'),           422, 'IR_06', /payment method data/],
  ['nothing to pay with',                b => without(b, 'payment_method_data', 'payment_method'), 422, 'IR_06', /payment token/],
  ['a security code that is nothing',    withCard({ card_cvc: '' }),                       400, 'IR_16', /card_cvc/],
  ['card data for a wallet',             { payment_method: 'wallet', payment_method_type: 'paypal' }, 422, 'IR_06', /payment_method_data/],
  ['a type of another method',           { payment_method_type: 'paypal' },                422, 'IR_06', /payment_method_type/],
  ['a method that no connector takes',   { capture_method: 'manual', payment_method: 'bank_transfer', payment_method_type: 'pix', payment_method_data: { bank_transfer: { pix: {} } } }, 400, 'IR_39'],
  ['a connector that is not there',      { connector: ['elsewhere'] },                     422, 'IR_06', /connector/],
  ['somebody else as merchant',          { merchant_id: 'somebody_else' },                 404, 'HE_02'],
  ['a profile that does not exist',      { profile_id: 'pro_nobody' },                     404, 'HE_02'],
  ['two customers',                      { customer_id: 'a', customer: { id: 'b' } },      400, 'IR_16', /customer/],
  ['two e-mail addresses',               { email: 'a@a.example', customer: { email: 'b@b.example' } }, 400, 'IR_16', /email/],
  ['a session of less than nothing',    { session_expiry: -1 },                           400, 'IR_06', /session_expiry/],
  ['a capture above the amount',         { capture_method: 'manual', amount_to_capture: 1251 }, 422, 'IR_05', /amount_to_capture/],
  ['a part, captured at once',           { amount_to_capture: 1000 },                      400, 'IR_16', /amount_to_capture/],
  ['a scheduled capture',                { capture_method: 'scheduled' },                  501, 'IR_00'],
  ['a hold that can grow',               { request_incremental_authorization: true },              400, 'IR_19', /request_incremental_authorization/],
  ['a challenge that must be',           { force_3ds_challenge: true },                    400, 'IR_16', /force_3ds_challenge/],
  ['a mandate',                          { mandate_id: 'man_1' },                          400, 'IR_16', /mandate_id/],
  ['a customer who is not there',        b => ({ ...without(b, 'payment_method_data', 'payment_method'), off_session: true }), 400, 'IR_16', /off_session/],
  ['a long description of metadata',     { metadata: { a: 'x'.repeat(501) } },             422, 'IR_06', /metadata\.a/],
  ['too much metadata',                  { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i])) }, 422, 'IR_06', /metadata/],
  ['a return_url that is none',          { return_url: 'shop.example' },                   400, 'IR_06', /return_url/],
  ['U+0000 in a description',            { description: 'a\u0000b' },                      400, 'IR_06', /description/],
]

test('a card network may be written in capitals, as clients of the ecosystem do', async () => {
  const shop = await openShop()
  const { card } = shop.payBody({}).payment_method_data
  const ask = (card_network: string) =>
    shop.tryToPay({ payment_method_data: { card: { ...card, card_network } }, metadata: { card_network } })
  const paid = (await ask('VISA')).body
  deepEqual([paid.status, paid.payment_method_data.card.card_network, paid.metadata.card_network], ['succeeded', 'Visa', 'VISA'])
  isRefused(await ask('SOLO'), 400, 'IR_06', /card_network/)
})

test('an invalid payment is refused with the reason, and is neither stored nor sent to a processor', async () => {
  const shop = await openShop()
  for (const [what, change, status, code, names] of refusals) {
    const body = typeof change === 'function' ? change(shop.payBody({})) : { ...shop.payBody({}), ...change }
    const answer = await shop.post('/payments', body)
    equal(answer.body?.error?.code, code, `${what}: ${answer.text}`)
    isRefused(answer, status, code, names)
  }
  deepEqual(await shop.processor.operations(), [])
  for (const table of [
    'payments',
    'processor_operations',
    "changes where kind = 'payment'",
    'vault_records',
    'waiting_cvcs',
    'idempotency_keys',
  ])
    equal(
      (
        await shop.query(`select count(*)::int as n from ${table} ${table.includes('where') ? 'and' : 'where'} merchant_id = $1`, [
          shop.merchant_id,
        ])
      )[0].n,
      0,
      table,
    )
})

test('a card_network that does not match the card is ignored, and the card number decides', async () => {
  const shop = await openShop()
  const { status, payment_method_data } = await shop.pay({
    payment_method_data: { card: { ...card('378282246310005').card, card_cvc: '1234', card_network: 'Visa' } },
  })
  deepEqual([status, payment_method_data.card.card_network], ['succeeded', 'AmericanExpress'])
})

test('a payment of a merchant without a processor is refused, and nothing is stored', async () => {
  const { service, query } = await openPlace()
  const admin = { 'api-key': ADMIN_KEY }
  await http('POST', `${service.url}/accounts`, { merchant_id: 'no_processor' }, admin)
  const { body } = await http('POST', `${service.url}/api_keys/no_processor`, { name: 'k', expiration: 'never' }, admin)
  const ask = { amount: 100, currency: 'USD', confirm: true, payment_method: 'card', payment_method_data: card() }
  isRefused(await http('POST', `${service.url}/payments`, ask, { 'api-key': body.api_key }), 400, 'IR_39')
  deepEqual(await query("select * from payments where merchant_id = 'no_processor'"), [])
})

test('a payment whose processor cannot be reached fails at once, with nothing sent', async () => {
  const { service } = await openPlace()
  const admin = { 'api-key': ADMIN_KEY }
  await http('POST', `${service.url}/accounts`, { merchant_id: 'far_away' }, admin)
  const account = {
    connector_type: 'payment_processor',
    connector_name: 'phonypay',
    connector_account_details: { auth_type: 'HeaderKey', api_key: 'sandbox_far_away' },
    metadata: { base_url: 'http://127.0.0.1:1' },
  }
  await http('POST', `${service.url}/account/far_away/connectors`, account, admin)
  const { body } = await http('POST', `${service.url}/api_keys/far_away`, { name: 'k', expiration: 'never' }, admin)
  const ask = { amount: 100, currency: 'USD', confirm: true, payment_method: 'card', payment_method_data: card() }
  const answer = await http('POST', `${service.url}/payments`, ask, { 'api-key': body.api_key })
  deepEqual([answer.body.status, answer.body.error_code, answer.body.unified_code], ['failed', 'not_sent', 'UE_3000'])
})
