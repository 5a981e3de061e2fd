import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { ends, ibanEnding, openPayoutShop, payOutBody, recipients } from '../../test/payout-shop.ts'
import { isRefused } from '../../test/refused.ts'
import { type Body, card, http, openShop } from '../../test/shop.ts'

test('a payout is made to a card, bank account, wallet or bank redirect, and responses show no full account number', async () => {
  const shop = await openPayoutShop()
  for (const [type, to] of Object.entries(recipients)) {
    const payout = await shop.payOut({ to: to() })
    deepEqual([payout.status, payout.payout_type, payout.amount, payout.connector], ['success', type, 9_900, 'phonypay'], type)
    match(payout.payout_id, /^pyt_[0-9A-HJKMNP-TV-Z]{26}$/)
    const sent = JSON.stringify(to())
    for (const secret of ['4242424242424242', ibanEnding(ends.approves), 'ada4242'])
      if (sent.includes(secret)) equal(JSON.stringify(payout).includes(secret), false, secret)
    deepEqual(await shop.getPayout(payout.payout_id), payout)
  }
  deepEqual(
    (await shop.paidOut()).map(one => [one.to, one.amount, one.currency, one.status]),
    ['card', 'bank', 'wallet', 'bank_redirect'].map(to => [to, 9_900, 'EUR', 'paid']),
  )
})

test('responses show the payout method masked', async () => {
  const shop = await openPayoutShop()
  const shown = async (to: object) => (await shop.payOut({ to, confirm: false })).payout_method_data
  const iban = ibanEnding('4242')
  deepEqual(await shown({ bank: { iban, bic: 'COBADEFFXXX' } }), {
    bank: {
      iban: `${'*'.repeat(18)}4242`,
      bic: 'COBADEFFXXX',
      bank_name: null,
      bank_country_code: null,
      bank_city: null,
      account_holder_name: null,
    },
  })
  deepEqual(await shown({ wallet: { paypal: { email: 'ada@example.com' } } }), {
    wallet: { paypal: { field_type: 'email', email: 'a**@example.com' } },
  })
  deepEqual(await shown({ bank_redirect: { interac: { email: 'ada@example.com' } } }), {
    bank_redirect: { interac: { email: 'a**@example.com' } },
  })
  const { card } = await shown(recipients.card())
  deepEqual(
    [card.last4, card.card_network, card.card_exp_month, card.card_exp_year, card.fingerprint],
    ['4242', 'Visa', '12', '2040', undefined],
  )
})

test('a payout without a payout method waits for one, and without auto_fulfill for the fulfill request of the merchant', async () => {
  const shop = await openPayoutShop()
  const created = await shop.payOut({ confirm: false, auto_fulfill: false, payout_type: undefined, payout_method_data: undefined })
  deepEqual([created.status, created.payout_type, created.connector], ['requires_payout_method_data', null, null])
  const given = (await shop.call('PUT', `/payouts/${created.payout_id}`, { payout_method_data: recipients.bank(), description: 'March' }))
    .body
  deepEqual([given.status, given.payout_type, given.description], ['requires_confirmation', 'bank', 'March'])
  const confirmed = (await shop.confirmPayout(created.payout_id)).body
  deepEqual([confirmed.status, confirmed.connector], ['requires_fulfillment', 'phonypay'])
  deepEqual(await shop.paidOut(), [])
  const fulfilled = (await shop.fulfill(created.payout_id)).body
  deepEqual([fulfilled.status, fulfilled.error_code], ['success', null])
  deepEqual((await shop.paidOut()).length, 1)
  isRefused(await shop.fulfill(created.payout_id), 422, 'IR_06', /status is success/)
})

test('the same payout_id with the same body is one payout; with another body it is refused', async () => {
  const shop = await openPayoutShop()
  const payout_id = `salary_${'0'.repeat(23)}`
  const [one, two] = await Promise.all([shop.tryToPayOut({ payout_id }), shop.tryToPayOut({ payout_id })])
  const three = await shop.tryToPayOut({ payout_id })
  for (const answer of [one, two, three]) deepEqual([answer.status, answer.body.payout_id], [200, payout_id], answer.text)
  isRefused(await shop.tryToPayOut({ payout_id, amount: 9_901 }), 400, 'HE_01')
  isRefused(await shop.tryToPayOut({ payout_id: 'short' }), 422, 'IR_05', /payout_id/)
  equal((await shop.paidOut()).length, 1)
})

test('a payout_id sent again is answered with its payout after the account or the saved recipient has gone', async () => {
  const shop = await openPayoutShop()
  const { customer_id } = (await shop.post('/customers', { name: 'Ada' })).body
  const { payout_id } = await shop.payOut({ to: recipients.card(), customer_id, recurring: true })
  const { payout_method_id } = await shop.getPayout(payout_id)
  const bodies = [
    payOutBody({ payout_id: `again_${'5'.repeat(24)}` }),
    payOutBody({ payout_id: `again_${'6'.repeat(24)}`, customer_id, payout_method_id, payout_type: 'card', payout_method_data: undefined }),
  ]
  for (const body of bodies) equal((await shop.post('/payouts/create', body)).status, 200)
  const paidOut = (await shop.paidOut()).length
  equal((await shop.call('DELETE', `/payment_methods/${payout_method_id}`)).status, 200)
  const accounts = (await shop.call('GET', `/account/${shop.merchant_id}/connectors`)).body as Body[]
  for (const { merchant_connector_id, connector_type } of accounts)
    equal(
      (await shop.post(`/account/${shop.merchant_id}/connectors/${merchant_connector_id}`, { connector_type, disabled: true })).status,
      200,
    )
  for (const body of bodies) {
    const answer = await shop.post('/payouts/create', body)
    deepEqual([answer.status, answer.body.payout_id], [200, body.payout_id], answer.text)
    isRefused(await shop.post('/payouts/create', { ...body, amount: 9_901 }), 400, 'HE_01')
  }
  equal((await shop.paidOut()).length, paidOut, 'nothing is paid out again')
})

test('an invalid payout is refused with the name of the field, and nothing is sent', async () => {
  const shop = await openPayoutShop()
  const bank = (data: object) => shop.tryToPayOut({ to: { bank: data } })
  const wallet = (data: object) => shop.tryToPayOut({ to: { wallet: data } })
  isRefused(await bank({ iban: 'DE89370400440532013001' }), 422, 'IR_06', /bank\.iban/)
  isRefused(await bank({ iban: ibanEnding('1'), bic: 'X' }), 422, 'IR_06', /bank\.bic/)
  isRefused(await bank({ bank_routing_number: '110000001', bank_account_number: '000123456789' }), 422, 'IR_06', /bank_routing_number/)
  isRefused(await bank({ bank_routing_number: '110000000' }), 400, 'IR_04', /bank_account_number/)
  isRefused(await bank({ bank_sort_code: '10-88', bank_account_number: '00012345' }), 422, 'IR_06', /bank_sort_code/)
  isRefused(await bank({ bank_name: 'a bank' }), 400, 'IR_04', /iban/)
  isRefused(await bank({ iban: ibanEnding('1'), bank_sort_code: '108800', bank_account_number: '00012345' }), 422, 'IR_06', /iban/)
  isRefused(await wallet({}), 400, 'IR_04', /wallet/)
  isRefused(await wallet({ paypal: { email: 'ada' } }), 422, 'IR_06', /paypal\.email/)
  isRefused(await wallet({ venmo: {} }), 400, 'IR_04', /venmo\.telephone_number/)
  isRefused(await wallet({ paypal: { email: 'a@b.example' }, venmo: { telephone_number: '5551234567' } }), 422, 'IR_06', /only one/)
  const old = { card: { ...recipients.card().card, expiry_year: '2020' } }
  isRefused(await shop.tryToPayOut({ to: old }), 422, 'IR_06', /payout_method_data\.card\.expiry_year/)
  const thirteenth = { card: { ...recipients.card().card, expiry_month: '13' } }
  isRefused(await shop.tryToPayOut({ to: thirteenth }), 422, 'IR_06', /payout_method_data\.card\.expiry_month must be 1 to 12/)
  isRefused(
    await shop.tryToPayOut({ to: { passthrough: { psp_token: 'x', token_type: 'paypal' } }, payout_type: undefined }),
    400,
    'IR_39',
    /passthrough/,
  )
  isRefused(await shop.tryToPayOut({ payout_type: 'card' }), 422, 'IR_06', /payout_type card/)
  isRefused(await shop.tryToPayOut({ amount: 0 }), 400, 'IR_16', /amount must be greater than 0/)
  isRefused(await shop.tryToPayOut({ payout_type: undefined, payout_method_data: undefined }), 400, 'IR_04', /payout_type/)
  isRefused(await shop.tryToPayOut({ payout_method_data: undefined }), 400, 'IR_04', /payout_method_data\.bank/)
  isRefused(await shop.tryToPayOut({ session_expiry: -1 }), 400, 'IR_06', /session_expiry/)
  isRefused(await shop.tryToPayOut({ source_bank_data: { iban: 'x' } }), 400, 'IR_19', /source_bank_data/)
  isRefused(await shop.tryToPayOut({ connector: ['stripe'] }), 400, 'IR_39')
  isRefused(await shop.tryToPayOut({ metadata: { a: '4242424242424242' } }), 400, 'IR_06', /card number/)
  isRefused(
    await shop.tryToPayOut({ to: { bank: { iban: ibanEnding('1'), account_holder_name: '4242424242424242' } } }),
    400,
    'IR_06',
    /card number/,
  )
  isRefused(await shop.post('/payouts/create', { amount: 1 }), 400, 'IR_04', /currency/)
  deepEqual(await shop.paidOut(), [])
})

test('the type of a bank payout is derived from its account fields, or given by payout_method_type', async () => {
  const shop = await openPayoutShop()
  const type = async (data: object, name = 'bank') => {
    const { payout_id } = await shop.payOut({ to: { [name]: data }, payout_type: 'bank' })
    const { attempts } = await shop.getPayout(payout_id, '?expand_attempts=true')
    return attempts[0].payout_method_type
  }
  equal(await type({ bank_routing_number: '110000000', bank_account_number: '000123456789' }), 'ach')
  equal(await type({ bank_sort_code: '10-88-00', bank_account_number: '00012345' }), 'bacs')
  equal(await type({ iban: ibanEnding('4242') }), 'sepa_bank_transfer')
  equal(await type({ pix_key: 'ada@example.com' }), 'pix_key')
  equal(await type({ payout_method_type: 'sepa', iban: ibanEnding('4242') }, 'bank_transfer'), 'sepa_bank_transfer')
  equal(
    await type({ payout_method_type: 'open_banking', iban: ibanEnding('4242'), account_holder_name: 'Ada' }, 'bank_transfer'),
    'open_banking',
  )
})

test('a payout is refused with the reason if no account pays out', async () => {
  const shop = await openShop()
  isRefused(await shop.post('/payouts/create', payOutBody()), 400, 'IR_39', /payout_processor/)
})

test('a saved card receives a payout by token or by id, and only for its own customer', async () => {
  const shop = await openPayoutShop()
  const { payment_method_id } = (
    await shop.post('/payment_methods', {
      customer_id: (await shop.post('/customers', {})).body.customer_id,
      payment_method: 'card',
      card: card('4242424242424242').card,
    })
  ).body
  const { customer_id } = (await shop.call('GET', `/payment_methods/${payment_method_id}`)).body
  const saved = { payout_type: 'card', payout_method_data: undefined, customer_id }
  const byId = await shop.payOut({ ...saved, payout_method_id: payment_method_id })
  deepEqual([byId.status, byId.payout_method_id, byId.payout_method_data.card.last4], ['success', payment_method_id, '4242'])
  const [{ payment_token }] = (await shop.call('GET', `/customers/${customer_id}/payment_methods`)).body.customer_payment_methods
  const byToken = await shop.payOut({ ...saved, payout_token: payment_token, confirm: false })
  deepEqual([byToken.status, byToken.payout_type], ['requires_confirmation', 'card'])
  equal((await shop.confirmPayout(byToken.payout_id)).body.status, 'success')
  isRefused(await shop.tryToPayOut({ ...saved, payout_method_id: payment_method_id, confirm: false }), 422, 'IR_06', /payout_method_id/)
  isRefused(
    await shop.tryToPayOut({ ...saved, payout_token: payment_token, payout_method_id: payment_method_id }),
    422,
    'IR_06',
    /payout_token/,
  )
  // The payout goes to the payout method in the request, even if the request names a saved one as well.
  const { payout_id: brought } = await shop.payOut({ payout_token: payment_token, payout_method_id: payment_method_id, customer_id })
  deepEqual([(await shop.getPayout(brought)).payout_type, (await shop.getPayout(brought)).payout_method_id], ['bank', null])
  isRefused(await shop.tryToPayOut({ ...saved, payout_token: payment_token, customer_id: undefined }), 400, 'IR_04', /customer_id/)
  isRefused(await shop.tryToPayOut({ ...saved, payout_token: 'token_none' }), 422, 'IR_29')
  isRefused(await shop.tryToPayOut({ ...saved, payout_method_id: payment_method_id, customer_id: 'another' }), 404, 'HE_02')
  equal((await shop.paidOut()).length, 3)
})

test('a confirm with the token of a saved card pays out to that card, and not to the one that the payout had before', async () => {
  const shop = await openPayoutShop()
  const none = { payout_method_data: undefined, payout_type: 'card', customer_id: 'ada', confirm: false }
  await shop.payOut({ to: recipients.card(), customer_id: 'ada', recurring: true })
  const [{ payment_token }] = (await shop.call('GET', '/customers/ada/payment_methods')).body.customer_payment_methods
  const another = await shop.payOut({ ...none, payout_method_data: recipients.card(ends.declines) })
  for (const { payout_id } of [another, await shop.payOut(none)]) {
    const { body } = await shop.confirmPayout(payout_id, { payout_token: payment_token })
    deepEqual([body.status, body.payout_method_data?.card.last4], ['success', '4242'])
  }
})

test('a card of a successful payout is saved for later payouts if recurring is requested', async () => {
  const shop = await openPayoutShop()
  const first = await shop.payOut({ to: recipients.card(), customer_id: 'ada', recurring: true })
  const { payout_method_id } = await shop.getPayout(first.payout_id)
  match(payout_method_id, /^pm_/)
  const again = await shop.payOut({ payout_method_data: undefined, payout_type: 'card', customer_id: 'ada', payout_method_id })
  deepEqual([again.status, again.payout_method_data.card.last4], ['success', '4242'])
  const never = await shop.payOut({ to: recipients.card(ends.declines), customer_id: 'ada', recurring: true })
  deepEqual([never.status, (await shop.getPayout(never.payout_id)).payout_method_id], ['failed', null])
  isRefused(await shop.tryToPayOut({ to: recipients.card(), recurring: true }), 400, 'IR_04', /customer_id/)
})

for (const name of ['bank', 'wallet', 'bank_redirect'] as const)
  test(`a ${name} of a payout is saved once for later payouts if recurring is requested, and cannot be used for payments`, async () => {
    const shop = await openPayoutShop()
    const customer_id = 'ada'
    const nothing = { payout_method_data: undefined, payout_type: name, customer_id }
    const first = await shop.payOut({ to: recipients[name](), customer_id, recurring: true })
    const { payout_method_id, payout_method_data } = await shop.getPayout(first.payout_id)
    match(payout_method_id, /^pm_/)
    const again = await shop.payOut({ ...nothing, payout_method_id })
    deepEqual([again.status, again.payout_method_data, again.payout_method_id], ['success', payout_method_data, payout_method_id])
    const same = await shop.payOut({ to: recipients[name](), customer_id, recurring: true })
    equal((await shop.getPayout(same.payout_id)).payout_method_id, payout_method_id)
    const path = `/customers/${customer_id}/payment_methods`
    const [listed, ...others] = (await shop.call('GET', path)).body.customer_payment_methods
    deepEqual([others.length, listed.payment_method_id, listed.payout_method_data], [0, payout_method_id, payout_method_data])
    deepEqual([listed.card, listed.default_payment_method_set, listed.requires_cvv], [null, false, false])
    deepEqual((await shop.call('GET', `/payment_methods/${payout_method_id}`)).body.payout_method_data, payout_method_data)
    const byToken = await shop.payOut({ ...nothing, payout_token: listed.payment_token, confirm: false })
    equal((await shop.confirmPayout(byToken.payout_id)).body.status, 'success')
    equal((await shop.paidOut()).length, 4)
    // A payout method that was saved for payouts cannot be charged, and no checkout offers it.
    const tried = { payment_method: 'card', payment_method_data: undefined, payment_token: listed.payment_token, customer_id }
    isRefused(await shop.tryToPay(tried), 422, 'IR_29')
    isRefused(await shop.post(`${path}/${payout_method_id}/default`, {}), 400, 'IR_16', /for payouts/)
    const { client_secret } = await shop.create({ customer_id })
    const inCheckout = await http('GET', `${shop.url}/customers/payment_methods?client_secret=${client_secret}`, undefined, {
      'api-key': shop.publishable_key,
    })
    deepEqual(inCheckout.body.customer_payment_methods, [])
    isRefused(
      await shop.tryToPayOut({ ...nothing, payout_type: name === 'bank' ? 'wallet' : 'bank', payout_method_id }),
      422,
      'IR_06',
      /payout_type/,
    )
    isRefused(await shop.tryToPayOut({ ...nothing, customer_id: 'eve', payout_method_id }), 404, 'HE_02')
    isRefused(await shop.tryToPayOut({ ...nothing, customer_id: 'eve', payout_token: listed.payment_token }), 422, 'IR_29')
    equal((await shop.call('DELETE', `/payment_methods/${payout_method_id}`)).body.deleted, true)
    isRefused(await shop.tryToPayOut({ ...nothing, payout_method_id }), 404, 'HE_02')
    deepEqual(
      await shop.query('select record from vault_records where merchant_id = $1 and record = $2', [
        shop.merchant_id,
        `method ${payout_method_id}`,
      ]),
      [],
    )
  })

test('a browser of the recipient can set the payout method, but not the amount', async () => {
  const shop = await openPayoutShop()
  const created = await shop.payOut({ confirm: false, payout_method_data: undefined })
  const browser = (body: object, secret = created.client_secret) =>
    http(
      'POST',
      `${shop.url}/payouts/${created.payout_id}/confirm`,
      { ...body, client_secret: secret },
      { 'api-key': shop.publishable_key },
    )
  isRefused(await browser({ payout_method_data: recipients.bank() }, `${created.client_secret}x`), 400, 'IR_09')
  isRefused(await browser({ amount: 1 }), 403, 'IR_22', /amount/)
  const done = await browser({ payout_method_data: recipients.bank() })
  deepEqual([done.status, done.body.status], [200, 'success'])
})
