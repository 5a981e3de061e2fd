import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from './refused.ts'
import { type Answer, type Body, cards, http, openShop, type Shop } from './shop.ts'

/**
 * An existing browser checkout (Hyperswitch's web widget) by its requests: every call is preflighted as a browser
 * would, comes from the widget's own origin, and has the widget's headers and bodies.
 */

const origin = 'https://widget.example'
const usual = {
  'x-client-version': '0.132.0',
  'x-payment-confirm-source': 'sdk',
  'x-browser-name': 'Chrome',
  'x-browser-version': '140',
  'x-client-platform': 'web',
  'x-feature': 'customPodUri',
}

/** The headers that need no preflight (the Fetch standard); a content type needs none only if it is one of a form. */
const simple = ['accept', 'accept-language', 'content-language']

/**
 * Makes a call as a page of another origin: a preflight comes first, and the answer must allow the page to read it.
 */
async function byBrowser(shop: Shop, method: string, path: string, body?: unknown, more: Record<string, string> = {}): Promise<Answer> {
  const sent: Record<string, string> = { 'content-type': 'application/json', ...usual, ...more }
  const asked = Object.keys(sent).filter(name => !simple.includes(name))
  const leave = await http('OPTIONS', shop.url + path, undefined, {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': asked.sort().join(','),
  })
  ok([200, 204].includes(leave.status), leave.text)
  allows(leave)
  const list = (name: string) =>
    String(leave.headers[name])
      .toLowerCase()
      .split(/\s*,\s*/)
  ok(list('access-control-allow-methods').includes(method.toLowerCase()))
  for (const name of asked) ok(list('access-control-allow-headers').includes(name), name)
  ok(Number(leave.headers['access-control-max-age']) >= 600)
  const answer = await http(method, shop.url + path, body, { ...sent, origin })
  allows(answer)
  return answer
}

const allows = ({ headers }: Answer): void => ok(['*', origin].includes(String(headers['access-control-allow-origin'])))

/**
 * The two ways in which the widget authenticates: by the publishable key together with the client secret, or by the
 * single token.
 */
type Mode = 'publishable key' | 'token'
const modes: Mode[] = ['publishable key', 'token']

/** Gives the calls of the widget for one payment. */
function widget(shop: Shop, payment: Body, mode: Mode) {
  const { payment_id, client_secret } = payment
  const bearer: Record<string, string> =
    mode === 'token' ? { authorization: payment.sdk_authorization } : { 'api-key': shop.publishable_key }
  const asked = mode === 'token' ? '' : `?client_secret=${client_secret}`
  const credentials = mode === 'token' ? {} : { client_secret }
  const get = (path: string, more = '') =>
    byBrowser(shop, 'GET', path + asked + (asked || !more ? more : more.replace('&', '?')), undefined, bearer)
  const post = (path: string, body: Body, headers: Record<string, string> = {}) =>
    byBrowser(shop, 'POST', path, { ...body, ...credentials }, { ...bearer, ...headers })
  return {
    methods: () => get('/account/payment_methods'),
    saved: () => get('/customers/payment_methods'),
    client: () => get(`/payments/${payment_id}/client`),
    config: () => get('/v1/sdk/configs/web/sdk_config.json'),
    confirm: (body: Body) => post(`/payments/${payment_id}/confirm`, { ...paid, ...body }, { 'x-client-source': 'Payment' }),
    retrieve: (more = '') => get(`/payments/${payment_id}`, more),
    eligibility: (body: Body) => post(`/payments/${payment_id}/eligibility`, body),
  }
}

const paid = {
  return_url: 'https://shop.example/thanks',
  payment_method: 'card',
  browser_info: {
    user_agent: 'Mozilla/5.0',
    accept_header: 'text/html,application/xhtml+xml',
    language: 'en-GB',
    color_depth: 24,
    screen_height: 900,
    screen_width: 1440,
    time_zone: -60,
    java_enabled: true,
    java_script_enabled: true,
    device_model: 'Macintosh',
    os_type: 'macOS',
    os_version: '10.15.7',
  },
  payment_type: 'normal',
}
const newCard = (card_number: string = cards.approves) => ({
  payment_method_data: {
    card: { card_number, card_exp_month: '12', card_exp_year: '2033', card_cvc: '737', card_issuer: '', card_network: 'Visa' },
  },
})
const acceptance = { acceptance_type: 'online', accepted_at: '2026-01-01T00:00:00.000Z', online: { user_agent: 'Mozilla/5.0' } }

const order = (shop: Shop, more: Body = {}): Promise<Body> =>
  shop.create({ payment_method: undefined, payment_method_data: undefined, ...more })

for (const mode of modes) {
  test(`the web widget pays by card, by ${mode}: mount, confirm, retrieve`, async () => {
    const shop = await openShop()
    const payment = await order(shop)
    match(payment.client_secret, new RegExp(`^${payment.payment_id}_secret_[A-Za-z0-9]+$`))
    const on = widget(shop, payment, mode)
    const [methods, saved] = await Promise.all([on.methods(), on.saved()])
    const { payment_methods, payment_type, mandate_payment, sdk_next_action, is_guest_customer, currency, redirect_url } = methods.body
    deepEqual(
      [payment_type, mandate_payment, sdk_next_action.next_action, is_guest_customer, currency],
      ['normal', null, 'confirm', true, 'USD'],
    )
    equal(redirect_url, 'https://shop.example/thanks')
    const card = payment_methods.find((one: Body) => one.payment_method === 'card')
    for (const type of card.payment_method_types) ok(type.card_networks.some(({ card_network }: Body) => card_network === 'Visa'))
    equal(card.payment_method_types[0].required_fields['payment_method_data.card.card_number'].field_type, 'user_card_number')
    deepEqual(saved.body, { customer_payment_methods: [], is_guest_customer: true })

    const answer = await on.confirm(newCard())
    equal(answer.body.status, 'succeeded', answer.text)
    const { status, return_url } = (await on.retrieve('&force_sync=true')).body
    deepEqual([status, return_url], ['succeeded', 'https://shop.example/thanks'])
  })

  test(`a saved card is charged again, by ${mode}, with the security code as older or newer widgets send it`, async () => {
    const shop = await openShop()
    const customer_id = 'grace'
    const first = await order(shop, { customer_id, setup_future_usage: 'on_session' })
    equal((await widget(shop, first, mode).confirm({ ...newCard(), customer_acceptance: acceptance })).body.status, 'succeeded')
    for (const code of [
      { card_cvc: '737' },
      { payment_method_data: { card_token: { card_cvc: '737', card_holder_name: 'Grace Hopper' } } },
    ]) {
      const payment = await order(shop, { customer_id })
      const on = widget(shop, payment, mode)
      const [saved] = (await on.saved()).body.customer_payment_methods
      deepEqual([saved.payment_method, saved.requires_cvv, saved.card.last4_digits, saved.card.scheme], ['card', true, '4242', 'Visa'])
      const answer = await on.confirm({ payment_token: saved.payment_token, customer_id: '', ...code })
      equal(answer.body.status, 'succeeded', answer.text)
    }
    const [, , third] = await shop.processor.charges()
    equal(third?.captured, 1250)
  })

  test(`"Save card details" saves the card of a customer who accepts, by ${mode}, and not that of a guest`, async () => {
    const shop = await openShop()
    const ticked = { ...newCard(), customer_acceptance: acceptance }
    const { body } = await widget(shop, await order(shop, { customer_id: 'grace' }), mode).confirm(ticked)
    deepEqual([body.status, body.setup_future_usage, body.payment_method_status], ['succeeded', 'on_session', 'active'])
    const later = widget(shop, await order(shop, { customer_id: 'grace' }), mode)
    const [saved, ...others] = (await later.saved()).body.customer_payment_methods
    deepEqual([saved.card.last4_digits, saved.recurring_enabled, others], ['4242', false, []])
    equal((await widget(shop, await order(shop), mode).confirm(ticked)).body.status, 'succeeded')
    const bare = await widget(shop, await order(shop, { customer_id: 'kari' }), mode).confirm(newCard())
    deepEqual([bare.body.status, bare.body.setup_future_usage], ['succeeded', null])
  })

  test(`a saved card needs no security code if the payment sets setup_future_usage to off_session, by ${mode}`, async () => {
    const shop = await openShop()
    const customer_id = 'grace'
    const first = await order(shop, { customer_id, setup_future_usage: 'off_session' })
    equal((await widget(shop, first, mode).confirm({ ...newCard(), customer_acceptance: acceptance })).body.status, 'succeeded')
    const asksFor = async (more: Body) =>
      (await widget(shop, await order(shop, { customer_id, ...more }), mode).saved()).body.customer_payment_methods[0].requires_cvv
    deepEqual([await asksFor({}), await asksFor({ setup_future_usage: 'off_session' })], [true, false])
  })

  test(`the newer widget mounts with one request, by ${mode}`, async () => {
    const shop = await openShop()
    const saving = await order(shop, { customer_id: 'grace', setup_future_usage: 'on_session' })
    await widget(shop, saving, mode).confirm({ ...newCard(), customer_acceptance: acceptance })
    const payment = await order(shop, { customer_id: 'grace', metadata: { margin: '40' } })
    const { body } = await widget(shop, payment, mode).client()
    const [credit] = body.payment_methods_enabled
    deepEqual([credit.payment_method, credit.payment_method_type, credit.card_networks.includes('Visa')], ['card', 'credit', true])
    equal(body.customer_payment_methods[0].payment_method_data.card.last4_digits, '4242')
    equal(body.sdk_next_action.next_action, 'confirm')
    const { payment_id, amount, currency, is_guest_customer, mandate_payment } = body.intent_data
    deepEqual([payment_id, amount, currency, is_guest_customer, mandate_payment], [payment.payment_id, 1250, 'USD', false, null])
    ok(!JSON.stringify(body).includes('margin'))
  })
}

test('the newest widget receives as rules the same required fields that older widgets receive as lists', async () => {
  const shop = await openShop()
  const payment = await order(shop)
  for (const mode of modes) {
    const on = widget(shop, payment, mode)
    const { raw_configs, payment_methods, account_config, context_used } = (await on.config()).body
    const types = (await on.client()).body.payment_methods_enabled as Body[]
    const pascal = (name: string) => name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
    for (const { payment_method, payment_method_type, required_fields } of types) {
      const { override_with_keys } = raw_configs.contexts.find(
        ({ condition }: Body) =>
          condition.payment_method === pascal(payment_method) && condition.payment_method_type === pascal(payment_method_type),
      )
      const required = Object.keys(raw_configs.overrides[override_with_keys[0]]).map(key => key.replace('._is_required', ''))
      const paths = required.map(key => raw_configs.default_configs[`${key}._confirm_request_write_path`])
      deepEqual(paths.toSorted(), Object.keys(required_fields).toSorted(), payment_method_type)
    }
    const [card] = payment_methods.find((one: Body) => one.payment_method === 'card').payment_method_types
    deepEqual([card.payment_method_criteria, card.criteria_rules[0].eligible_connectors], ['card_network', ['phonypay']])
    deepEqual([account_config.profile.vaulting_action, context_used.processor_merchant_id], ['skip', shop.merchant_id])
  }
  equal((await http('GET', `${shop.url}/v1/sdk/configs/web/sdk_config.json`)).status, 401)
})

test('a decline is returned as a failed payment, so that the widget does not wait forever', async () => {
  const shop = await openShop()
  const answer = await widget(shop, await order(shop), 'publishable key').confirm(newCard(cards.declines))
  deepEqual([answer.status, answer.body.status, answer.body.next_action], [200, 'failed', null])
  ok(answer.body.error_message)
})

test('a challenge is returned as a redirect, and the widget then retrieves the result', async () => {
  const shop = await openShop()
  const payment = await order(shop, { authentication_type: 'three_ds' })
  const on = widget(shop, payment, 'publishable key')
  const answer = await on.confirm(newCard(cards.challenges))
  equal(answer.body.status, 'requires_customer_action')
  equal(answer.body.next_action.type, 'redirect_to_url')
  const bank = await http('GET', answer.body.next_action.redirect_to_url)
  await http('POST', `${bank.headers.location}/accept`, '', { 'content-type': 'application/x-www-form-urlencoded' })
  equal((await on.retrieve('&force_sync=true')).body.status, 'succeeded')
})

test('an app confirmation is shown on a hosted waiting page, which sends the customer back to the merchant', async () => {
  const shop = await openShop()
  for (const [payment_method, payment_method_type, data, currency] of [
    ['bank_redirect', 'blik', { blik: { blik_code: '777987' } }, 'PLN'],
    ['upi', 'upi_collect', { upi_collect: { vpa_id: 'grace@bank' } }, 'INR'],
  ] as const) {
    const payment = await order(shop, { currency })
    const on = widget(shop, payment, 'publishable key')
    const { body } = await on.confirm({ payment_method, payment_method_type, payment_method_data: { [payment_method]: data } })
    deepEqual([body.status, body.next_action.type], ['requires_customer_action', 'redirect_to_url'])
    equal((await shop.get(payment.payment_id)).next_action.type, 'wait_screen_information', 'its server is told what it is')
    const page = body.next_action.redirect_to_url
    const visit = () => http('GET', page, undefined, { accept: 'text/html' })
    const shown = await visit()
    deepEqual([shown.status, shown.headers['content-type']], [200, 'text/html; charset=utf-8'])
    match(shown.text, /watch\.js[\s\S]*Confirm in your app/)
    match(shown.text, /src="\.\.\/\.\.\/\.\.\/\.\.\/pages\//)
    isRefused(await http('GET', `${page}x`), 404, 'HE_02')
    await shop.processor.decide((await shop.get(payment.payment_id)).connector_transaction_id, 'approved')
    equal((await on.retrieve('&force_sync=true')).body.status, 'succeeded')
    const gone = await visit()
    equal(gone.status, 302)
    match(String(gone.headers.location), /^https:\/\/shop\.example\/thanks\?.*status=succeeded/)
  }
})

test('card eligibility is checked with the card number alone, before the expiry is entered', async () => {
  const shop = await openShop()
  const on = widget(shop, await order(shop), 'publishable key')
  const asked = (card: Body) => on.eligibility({ payment_method_type: 'card', payment_method_data: { card } })
  equal((await asked({ card_number: cards.approves })).body.sdk_next_action.next_action, 'confirm')
  isRefused(await asked({ card_number: '4242424242424241' }), 400, 'IR_06', /card_number/)
  await shop.post('/blocklist/toggle?status=true', undefined)
  await shop.post('/blocklist', { type: 'card_bin', data: cards.approves.slice(0, 6) })
  match((await asked({ card_number: cards.approves })).body.sdk_next_action.next_action.deny.message, /unable to accept this card/)
})

test('errors have the shape that the widget reads, and are readable by a page of any origin', async () => {
  const shop = await openShop()
  const payment = await order(shop)
  const wrong = await widget(shop, { ...payment, client_secret: `${payment.payment_id}_secret_guess` }, 'publishable key').retrieve()
  isRefused(wrong, 400, 'IR_09')
  ok(wrong.body.error.type && wrong.body.error.message)
  const on = widget(shop, payment, 'publishable key')
  for (const token of [{ card_cvc: 'abc' }, { card_cvc: '12' }])
    match((await on.confirm({ payment_token: 'token_x', payment_method_data: { card_token: token } })).text, /card_token\.card_cvc/)
  const twice = { payment_token: 'token_x', card_cvc: '123', payment_method_data: { card_token: { card_cvc: '124' } } }
  isRefused(await on.confirm(twice), 400, 'IR_16', /both sent but differ/)
  await shop.wait('16 minutes')
  for (const call of [on.methods, on.saved, on.client, on.config, on.retrieve]) isRefused(await call(), 400, 'IR_08')
})

/** Writes a value at a path of a request, as the widget does with `required_field`. */
function put(body: Body, path: string, value: string): void {
  const steps = path.split('.')
  const last = steps.pop()!
  let place = body
  for (const step of steps) place = place[step] ??= {}
  place[last] = value
}

test('a transfer, a debit, a slip and each spelling of a method are paid with what the widget is able to send and to show', async () => {
  const known = { billing: { address: { first_name: 'Ada', last_name: 'Byron', country: 'GB', line1: '1 Way', city: 'X', zip: 'W1' } } }
  for (const [connector, currency, method, type, way, more, shows] of [
    ['stripe', 'GBP', 'bank_transfer', 'bacs', 'bacs_bank_transfer', {}, null],
    ['stripe', 'EUR', 'bank_transfer', 'sepa_bank_transfer', 'sepa_bank_transfer', { country: 'DE' }, /iban|IBAN/],
    ['stripe', 'EUR', 'bank_transfer', 'multibanco', 'multibanco_bank_transfer', {}, /12345/],
    ['phonypay', 'BRL', 'voucher', 'boleto', 'boleto', { social_security_number: '12345678909' }, /<dl class="facts copied">/],
    ['phonypay', 'MYR', 'real_time_payment', 'duit_now', 'duit_now_qr', {}, null],
    ['phonypay', 'MYR', 'real_time_payment', 'duit_now', 'duit_now', {}, null],
    ['phonypay', 'EUR', 'bank_redirect', 'open_banking_pis', 'open_banking_pis', {}, null],
    ['phonypay', 'EUR', 'open_banking', 'open_banking_pis', 'open_banking_pis', {}, null],
    ['phonypay', 'EUR', 'open_banking', 'open_banking_pis', 'open_banking', {}, null],
  ] as const) {
    const shop = await openShop({ connector })
    const billing = type === 'boleto' ? { address: { ...known.billing.address, country: 'BR', state: 'SP' } } : known.billing
    const payment = await order(shop, { currency, amount: 12_500, billing })
    const on = widget(shop, payment, 'publishable key')
    const { payment_methods } = (await on.methods()).body
    const its = payment_methods
      .find((one: Body) => one.payment_method === method)
      .payment_method_types.find((one: Body) => one.payment_method_type === type)
    const body: Body = { payment_method: method, payment_method_type: type, payment_method_data: { [method]: { [way]: { ...more } } } }
    const asked = Object.values(its.required_fields as Record<string, Body>).filter(({ value }) => value === null)
    for (const { required_field, field_type } of asked) {
      // What the billing address has is never asked for again.
      ok(!/first_name|last_name|billing_details/.test(required_field), `${type}: ${required_field}`)
      if (field_type === 'user_email_address') put(body, required_field, 'ada@shop.example')
    }
    const answer = await on.confirm(body)
    equal(answer.body.status, 'requires_customer_action', `${type} ${way}: ${answer.text.slice(0, 400)}`)
    if (shows === null) continue
    equal(answer.body.next_action.type, 'redirect_to_url', type)
    const page = await http('GET', answer.body.next_action.redirect_to_url, undefined, { accept: 'text/html' })
    equal(page.status, 200)
    match(page.text, shows)
    match(page.text, /id="back"/, 'a way back to the shop')
    ok((await shop.get(payment.payment_id)).next_action.type.startsWith('display_'), 'its server is told what it is')
  }
})

test('a debit agreed to in a browser, which does not know its address, has the address of the call', async () => {
  const shop = await openShop({ connector: 'stripe' })
  const payment = await order(shop, {
    currency: 'USD',
    amount: 12_500,
    billing: { address: { first_name: 'Ada', last_name: 'Byron' }, email: 'a@b.example' },
  })
  const on = widget(shop, payment, 'publishable key')
  const { body, text } = await on.confirm({
    payment_method: 'bank_debit',
    payment_method_type: 'ach',
    payment_method_data: {
      bank_debit: {
        ach_bank_debit: { account_number: '000123456789', routing_number: '110000000', bank_account_holder_name: 'Ada Byron' },
      },
    },
    customer_acceptance: { acceptance_type: 'online', online: { user_agent: 'Mozilla/5.0' } },
  })
  ok(['processing', 'requires_customer_action', 'succeeded'].includes(body.status), text)
  const [row] = await shop.query(
    "select request #>> '{customer_acceptance,online,ip_address}' as address from payments where payment_id = $1",
    [payment.payment_id],
  )
  match(row!.address, /^(::1|127\.0\.0\.1|::ffff:127\.0\.0\.1)$/)
})

test('the newest widget reads what the payment knows where intent_data has it', async () => {
  const shop = await openShop()
  const billing = {
    address: {
      first_name: 'Ada',
      last_name: 'Byron',
      country: 'GB',
      line1: '1 Way',
      line2: 'Flat 2',
      city: 'London',
      zip: 'W1',
      state: 'LND',
    },
    email: 'ada@shop.example',
    phone: { number: '7700900123', country_code: '+44' },
  }
  const configOf = async (payment: Body) => (await widget(shop, payment, 'publishable key').config()).body.raw_configs.default_configs
  const intent = (await widget(shop, await order(shop, { billing }), 'publishable key').methods()).body.intent_data
  const paths = Object.entries(await configOf(await order(shop)))
    .filter(([name]) => name.endsWith('_intent_data_read_path') && /name|email|phone|line|city|zip|country$/.test(name))
    .map(([, path]) => path as string)
  for (const path of paths.filter(path => path.startsWith('billing.')))
    ok(
      path.split('.').reduce((inner: Body | undefined, step) => inner?.[step], intent),
      `${path} is not in intent_data`,
    )
  for (const path of ['billing.email', 'billing.address.first_name', 'billing.address.last_name']) ok(paths.includes(path), path)
})

test('a decline is told in the language of the browser; a processor’s own words stay as they are', async () => {
  const shop = await openShop()
  for (const [language, words] of [
    ['de-AT', /^Die Zahlungsart wurde abgelehnt/],
    ['pt-BR', /^O método de pagamento foi recusado/],
    ['xx', /^The payment method was refused/],
  ] as const) {
    const on = widget(shop, await order(shop), 'publishable key')
    const { body } = await on.confirm({
      payment_method: 'card',
      payment_method_data: { card: { card_number: cards.declines, card_exp_month: '12', card_exp_year: '2040', card_cvc: '123' } },
      browser_info: { language },
    })
    equal(body.status, 'failed')
    match(body.unified_message, words)
    match(body.error_message, /declined/)
  }
})

test('a decline is told in the language of the request, so that a merchant does not read that of the shopper', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ card: cards.declines, browser_info: { language: 'de' } })
  const told = async (language: string) => {
    const headers = { 'api-key': shop.api_key, 'accept-language': language }
    const one = (await http('GET', `${shop.url}/payments/${payment_id}?expand_attempts=true`, undefined, headers)).body
    const [listed] = (await http('GET', `${shop.url}/payments/list?payment_id=${payment_id}`, undefined, headers)).body.data
    deepEqual([one.attempts[0].unified_message, listed.unified_message], [one.unified_message, one.unified_message], language)
    return one.unified_message as string
  }
  for (const [language, words] of [
    ['sv-SE, de;q=0.5', /^Betalningssättet/],
    ['en-GB, de;q=0.5', /^The payment method was refused/],
    ['nb, de;q=0', /^The payment method was refused/],
    ['zh-CN', /^付款方式/],
    ['zh-TW, zh;q=0.9, en;q=0.8', /^The payment method was refused/],
    ['zh-Hant-HK', /^The payment method was refused/],
    ['*', /^Die Zahlungsart wurde abgelehnt/],
  ] as const)
    match(await told(language), words, language)
})

test('a box that was not ticked is told: the payment is made, nothing is saved, and the answer says what was missing', async () => {
  const shop = await openShop()
  await shop.post('/customers', { customer_id: 'kari' })
  const pay = async (more: Body) => {
    const payment = await order(shop, { customer_id: 'kari', setup_future_usage: 'off_session' })
    const card = { card_number: cards.approves, card_exp_month: '12', card_exp_year: '2040', card_cvc: '123' }
    const { body } = await widget(shop, payment, 'publishable key').confirm({
      payment_method: 'card',
      payment_method_data: { card },
      ...more,
    })
    equal(body.status, 'succeeded')
    return shop.get(payment.payment_id)
  }
  const unticked = await pay({})
  deepEqual(unticked.state_metadata.not_saved, { missing: 'customer_acceptance' })
  equal((await shop.call('GET', '/customers/kari/payment_methods')).body.customer_payment_methods.length, 0)
  const ticked = await pay({ customer_acceptance: { acceptance_type: 'online', online: { ip_address: '203.0.113.7', user_agent: 'x' } } })
  equal(ticked.state_metadata?.not_saved, undefined)
  equal((await shop.call('GET', '/customers/kari/payment_methods')).body.customer_payment_methods.length, 1)
})
