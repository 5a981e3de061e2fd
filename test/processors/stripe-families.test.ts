import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { typeOfRow } from '../../src/connectors/offer.ts'
import { type StripeRow, stripeOffers } from '../../src/connectors/stripe/offers.ts'
import { isRefused } from '../refused.ts'
import { type Body, http, openShop, type Shop } from '../shop.ts'
import { HIDDEN, paidBy } from '../ways.ts'

/**
 * A merchant with a Stripe account that accepts more than cards, at the sandbox's imitation of Stripe: each payment
 * method is paid, declined, refunded, and survives a lost answer, with Stripe's own test values.
 */

const openStripeShop = (more: Parameters<typeof openShop>[0] = {}) => openShop({ connector: 'stripe', webhooks: 'on', ...more })

const billing = {
  address: { first_name: 'Ada', last_name: 'Byron', line1: '1 Way', city: 'Here', zip: '12345' },
  email: 'ada@shop.example',
}
const customer_acceptance = { acceptance_type: 'online', online: { ip_address: '203.0.113.7', user_agent: 'Mozilla/5.0' } }

type Row = StripeRow & { type: string }
const rows: readonly Row[] = Object.entries(stripeOffers).map(([type, row]) => ({ type, ...(row as StripeRow) }))
const rowNamed = (type: string): Row => rows.find(row => row.type === type)!

/** Gives a payment of this payment method type, with an amount, a currency and a payer that Stripe accepts. */
function askOf(type: string, more: Body = {}, data: Body = {}): Body {
  const { family, ways, currencies = ['USD'], countries, least = {}, requires = [] } = rowNamed(type)
  const [currency] = currencies
  const country = countries?.[0]
  return {
    amount: Math.max(12_500, least[currency!] ?? 0),
    currency,
    return_url: 'https://shop.example/back',
    billing: {
      ...billing,
      address: {
        ...billing.address,
        ...(country && { country }),
        ...(requires.includes('billing.address') && !country && { country: 'GB' }),
      },
    },
    ...(requires.includes('acceptance') && { customer_acceptance }),
    ...paidBy(family, ways[0]!, { ...tokens[type], ...data }),
    ...more,
  }
}
/** The tokens that Stripe's own library makes of a wallet's answer. */
const tokens: Record<string, Body> = {
  apple_pay: { token: 'tok_visa' },
  google_pay: { tokenization_data: { type: 'PAYMENT_GATEWAY', token: '{"id":"tok_visa","object":"token"}' } },
}

/** Sends the customer through the challenge with this answer, and back. Gives the address of the return. */
async function visit(payment: Body, verdict: 'accept' | 'reject'): Promise<string> {
  const start = await fetch(payment.next_action.redirect_to_url, { redirect: 'manual' })
  const page = start.headers.get('location')!
  match(page, /\/challenge\/auth_/)
  const back = await fetch(`${page}/${verdict}`, { method: 'POST', redirect: 'manual' })
  const home = await fetch(back.headers.get('location')!, { redirect: 'manual' })
  return home.headers.get('location') ?? ''
}

/** Gives the processor's id of the payment's authorization. */
const authorizationOf = async (shop: Shop): Promise<string> =>
  (await shop.processor.operations()).filter(({ type }) => type === 'authorization').at(-1)!.id

/** Decides the next action as the customer, or declines it, by the sandbox's control call. Gives the payment. */
async function answer(shop: Shop, payment: Body, verdict: 'approved' | 'declined'): Promise<Body> {
  await shop.processor.decide(await authorizationOf(shop), verdict)
  return shop.sync(payment.payment_id)
}

/** Whether the payment was requested, and is neither approved nor declined yet. */
const isOpen = ({ status }: Body) => ['requires_customer_action', 'processing'].includes(status)

test('iDEAL: the customer is redirected to the bank and back, and the payment succeeds and can be refunded', async () => {
  const shop = await openStripeShop()
  const begun = await shop.pay(askOf('ideal'))
  deepEqual([begun.status, begun.next_action.type, begun.connector], ['requires_customer_action', 'redirect_to_url', 'stripe'])
  doesNotMatch(JSON.stringify(begun.payment_method_data), HIDDEN)
  match(await visit(begun, 'accept'), /^https:\/\/shop\.example\/back\?status=succeeded/)
  const paid = await shop.get(begun.payment_id)
  deepEqual([paid.status, paid.amount_received, paid.next_action], ['succeeded', 12_500, null])
  match(paid.connector_transaction_id, /^pi_/)
  const { body } = await shop.refund(begun.payment_id, 2500)
  deepEqual([body.status, body.amount], ['succeeded', 2500])
  deepEqual(
    (await shop.processor.charges()).map(({ captured, refunded, currency }) => [captured, refunded, currency]),
    [[12_500, 2500, 'EUR']],
  )
})

test('iDEAL: a payment that the customer rejects or abandons at the bank fails, and nothing is charged', async () => {
  const shop = await openStripeShop()
  const refused = await shop.pay(askOf('ideal'))
  match(await visit(refused, 'reject'), /status=failed/)
  const gone = await shop.pay(askOf('ideal'))
  await fetch(gone.next_action.redirect_to_url, { redirect: 'manual' })
  await shop.wait('11 hours')
  for (const [{ payment_id }, code] of [
    [refused, 'payment_intent_authentication_failure'],
    [gone, 'payment_intent_payment_attempt_expired'],
  ] as const) {
    const { status, error_code, next_action } = await shop.get(payment_id)
    deepEqual([status, error_code, next_action], ['failed', code, null])
  }
  deepEqual(await shop.processor.charges(), [])
})

test('a payment succeeds if the customer pays and closes the tab before the redirect back', async () => {
  for (const webhooks of ['on', 'off'] as const) {
    const shop = await openStripeShop({ webhooks })
    const begun = await shop.pay(askOf('ideal'))
    await shop.processor.decide(await authorizationOf(shop), 'approved')
    await shop.wait('1 hour')
    equal((await shop.get(begun.payment_id)).status, 'succeeded', webhooks)
  }
})

for (const { type, refunds, decided } of rows) {
  test(`${type}: one payment is created, succeeds, and is refunded where refunds are supported`, async () => {
    const shop = await openStripeShop()
    const begun = await shop.pay(askOf(type))
    doesNotMatch(JSON.stringify([begun.payment_method_data, begun.metadata]), HIDDEN)
    equal(isOpen(begun), decided !== 'at once', begun.status)
    let paid = begun.next_action ? await answer(shop, begun, 'approved') : begun
    if (isOpen(paid)) {
      equal(paid.status, 'processing')
      await shop.wait('15 days')
      paid = await shop.get(begun.payment_id)
    }
    deepEqual([paid.status, paid.amount_received, paid.error_code], ['succeeded', begun.amount, null], paid.error_message)
    const back = await shop.refund(begun.payment_id, 1000)
    if (refunds === false) isRefused(back, 400, 'IR_20')
    else {
      // Stripe asks a customer who paid in cash for the account to which the refund is to go.
      if (back.body.status === 'pending') await shop.wait('11 days')
      equal((await shop.getRefund(back.body.refund_id)).status, 'succeeded', back.text)
    }
    deepEqual(
      (await shop.processor.charges()).map(({ refunded }) => refunded),
      [refunds === false ? 0 : 1000],
    )
    equal((await shop.processor.operations()).filter(one => one.type === 'authorization').length, 1)
  })

  test(`${type}: a payment whose response is lost is found at Stripe, and is created only once`, async () => {
    const shop = await openStripeShop({ webhooks: 'off' })
    await shop.processor.fault('authorize', 'reset_after')
    const unheard = await shop.pay(askOf(type))
    deepEqual([unheard.status, unheard.next_action], ['processing', null])
    await shop.wait('2 minutes')
    const found = await shop.get(unheard.payment_id)
    // Within two minutes the customer's confirmation in the bank's app may have expired.
    if (found.status === 'failed') deepEqual([type, found.error_code], ['blik', 'payment_intent_payment_attempt_expired'])
    else ok(found.status === 'succeeded' || isOpen(found), found.status)
    equal((await shop.processor.operations()).length, 1, 'and it was asked for once')
  })
}

test('a payment that the customer rejects fails for each payment method, and nothing is charged', async () => {
  const shop = await openStripeShop()
  for (const { type, decided } of rows) {
    if (decided === 'at once') continue
    const begun = await shop.pay(askOf(type))
    const ended = await answer(shop, begun, 'declined')
    deepEqual([ended.status, ended.unified_code, ended.next_action], ['failed', 'UE_1000', null], `${type} ${ended.error_code}`)
  }
  deepEqual(await shop.processor.charges(), [])
})

/** The bank debits of Stripe's test mode, by their account numbers. */
const sepa = (iban: string) => askOf('sepa', {}, { iban })
const ach = (account_number: string) => askOf('ach', {}, { account_number })

test('a debit is processing for days until a webhook or a poll confirms it', async () => {
  for (const webhooks of ['on', 'off'] as const) {
    const shop = await openStripeShop({ webhooks })
    const { payment_id, status } = await shop.pay(sepa('AT611904300234573201'))
    equal(status, 'processing')
    for (let day = 1; day <= 13; day++) await shop.wait('1 day')
    equal((await shop.get(payment_id)).status, 'processing', `webhooks ${webhooks}`)
    for (let day = 1; day <= 3; day++) await shop.wait('1 day')
    equal((await shop.get(payment_id)).status, 'succeeded', `webhooks ${webhooks}`)
    equal((await shop.processor.operations()).length, 1)
  }
})

test('a refund that waits for the bank account of the customer is pending, and is polled until it succeeds', async () => {
  const shop = await openStripeShop({ webhooks: 'off' })
  const { payment_id } = await answer(shop, await shop.pay(askOf('lawson')), 'approved')
  const { body } = await shop.refund(payment_id, 1000)
  for (let day = 1; day <= 9; day++) await shop.wait('1 day')
  equal((await shop.getRefund(body.refund_id)).status, 'pending')
  for (let day = 1; day <= 2; day++) await shop.wait('1 day')
  equal((await shop.getRefund(body.refund_id)).status, 'succeeded')
})

// biome-ignore format: a table reads better in columns
const failing: [ask: Body, error_code: string][] = [
  [sepa('AT861904300235473202'), 'payment_intent_payment_attempt_failed'],
  [ach('000111111113'),          'account_closed'],
  [ach('000111111116'),          'no_account'],
  [ach('000222222227'),          'insufficient_funds'],
  [askOf('bacs', {}, { account_number: '33333335' }),  'debit_not_authorized'],
  [askOf('becs', {}, { account_number: '222222227' }), 'refer_to_customer'],
]

test('a debit that the bank refuses fails days later with its error code', async () => {
  const shop = await openStripeShop()
  for (const [ask, error_code] of failing) {
    const begun = await shop.pay(ask)
    if (begun.next_action) await answer(shop, begun, 'approved')
    await shop.wait('15 days')
    const failed = await shop.get(begun.payment_id)
    deepEqual([failed.status, failed.error_code, failed.unified_code], ['failed', error_code, 'UE_1000'])
  }
  deepEqual(await shop.processor.charges(), [])
})

test('a debit that is returned after its approval becomes a lost dispute, and cannot be refunded as well', async () => {
  const shop = await openStripeShop()
  for (const ask of [sepa('AT591904300235473203'), ach('000555555559')]) {
    const begun = await shop.pay(ask)
    if (begun.next_action) await answer(shop, begun, 'approved')
    await shop.wait('15 days')
    await shop.processor.flushWebhooks()
    await shop.wait('1 minute')
    const { status, disputes } = await shop.get(begun.payment_id)
    equal(status, 'succeeded')
    deepEqual(
      disputes.map((one: Body) => [one.dispute_status, one.amount, one.connector_reason]),
      [['dispute_lost', String(begun.amount), 'insufficient_funds']],
    )
    const events = await shop.events(disputes[0].dispute_id)
    equal(events.filter(event => event.event_type === 'dispute_lost').length, 1)
    const back = await shop.refund(begun.payment_id)
    ok(back.status >= 400 || back.body.status === 'failed', back.text)
  }
  deepEqual(
    (await shop.processor.charges()).map(({ captured, refunded, disputed }) => [captured, refunded, disputed]),
    [
      [12_500, 0, 12_500],
      [12_500, 0, 12_500],
    ],
  )
})

test('ACH: the customer confirms the account on a page of Stripe first; the payment is then processing for days', async () => {
  const shop = await openStripeShop()
  const begun = await shop.pay(ach('000123456789'))
  deepEqual([begun.status, begun.next_action.type], ['requires_customer_action', 'redirect_to_url'])
  await shop.wait('2 days')
  match(await visit(begun, 'accept'), /status=processing/)
  equal((await shop.get(begun.payment_id)).status, 'processing')
  await shop.wait('5 days')
  equal((await shop.get(begun.payment_id)).status, 'succeeded')
})

test('a debit without customer_acceptance or browser_info is refused, and nothing is sent', async () => {
  const shop = await openStripeShop()
  for (const type of ['sepa', 'ach', 'bacs', 'becs']) {
    isRefused(await shop.tryToPay(askOf(type, { customer_acceptance: undefined })), 400, 'IR_39', /customer_acceptance/)
    const by = await shop.pay(askOf(type, { customer_acceptance: undefined, browser_info: customer_acceptance.online }))
    ok(isOpen(by))
  }
  equal((await shop.processor.operations()).length, 4)
})

test('Klarna: an authorization is captured in part with the rest released, or cancelled', async () => {
  const shop = await openStripeShop()
  const order_details = [
    { product_name: 'Chair', quantity: 2, amount: 6000, product_id: 'CH-1' },
    { product_name: 'Post', quantity: 1, amount: 500 },
  ]
  const begun = await shop.pay(askOf('klarna', { capture_method: 'manual', order_details }))
  const held = await answer(shop, begun, 'approved')
  deepEqual([held.status, held.amount_capturable], ['requires_capture', 12_500])
  const { body } = await shop.capture(begun.payment_id, 6500)
  deepEqual([body.status, body.amount_received, body.amount_capturable], ['partially_captured', 6500, 0])
  equal((await shop.refund(begun.payment_id, 500)).body.status, 'succeeded')
  const [charge] = await shop.processor.charges()
  deepEqual([charge!.captured, charge!.refunded], [6500, 500])
  const whole = await answer(shop, await shop.pay(askOf('klarna', { capture_method: 'manual' })), 'approved')
  equal((await shop.cancel(whole.payment_id)).body.status, 'cancelled')
})

// biome-ignore format: a table reads better in columns
const notTaken: [ask: Body, says: RegExp][] = [
  [askOf('ideal', { currency: 'USD' }),                                  /payment_method_type ideal in USD/],
  [askOf('sepa', { currency: 'GBP' }),                                   /payment_method_type sepa in GBP/],
  [askOf('klarna', { billing: { ...billing, address: { ...billing.address, country: 'BR' } } }), /klarna for payers in BR/],
  [askOf('affirm', { amount: 3400, currency: 'USD' }),                   /affirm for an amount of 3400 USD/],
  [askOf('twint', { amount: 500_001 }),                                  /twint for an amount of 500001 CHF/],
  [askOf('ideal', { capture_method: 'manual' }),                         /capture_method manual/],
  [askOf('klarna', { capture_method: 'manual_multiple' }),               /capture_method manual_multiple/],
  [askOf('bancontact_card', { billing: undefined }, { card_holder_name: undefined }), /bancontact_card requires billing\.address\.first_name/],
  [{ ...askOf('ideal'), ...paidBy('bank_redirect', 'trustly') },         /payment_method_type trustly/],
  [{ ...askOf('ideal'), ...paidBy('crypto', 'crypto') },                 /payment_method crypto/],
]

test('a currency, payer country, amount, capture method or type that Stripe does not accept is refused, and nothing is sent', async () => {
  const shop = await openStripeShop()
  for (const [ask, message] of notTaken) isRefused(await shop.tryToPay(ask), 400, 'IR_39', message)
  deepEqual(await shop.processor.operations(), [])
})

test('a variant of a payment method type that Stripe does not accept is refused, and nothing is sent', async () => {
  const shop = await openStripeShop()
  for (const [family, way] of [
    ['wallet', 'apple_pay'],
    ['wallet', 'apple_pay_decrypted'],
    ['wallet', 'google_pay_decrypted'],
    ['wallet', 'ali_pay_qr'],
    ['pay_later', 'klarna_sdk'],
  ] as const) {
    const paid = paidBy(family, way)
    const { payment_method_type } = paid
    const answer = await shop.tryToPay({ ...askOf(payment_method_type), ...paid })
    isRefused(answer, 400, 'IR_39', new RegExp(`payment_method_type ${payment_method_type} as ${way}`))
  }
  deepEqual(await shop.processor.operations(), [])
})

test('a Google Pay payment with an encrypted token that is not from Stripe fails, and nothing is charged', async () => {
  const shop = await openStripeShop()
  const sealed = { tokenization_data: { type: 'DIRECT', token: '{"signature":"MEUC","protocolVersion":"ECv2"}' } }
  const failed = await shop.pay(askOf('google_pay', {}, sealed))
  deepEqual([failed.status, failed.unified_code], ['failed', 'UE_2000'])
  match(failed.error_message, /google_pay requires a token of Stripe/)
  deepEqual(await shop.processor.operations(), [])
})

const googlePay = (token: string, more: Body = {}) =>
  askOf('google_pay', more, { tokenization_data: { type: 'PAYMENT_GATEWAY', token: JSON.stringify({ id: token, object: 'token' }) } })

test('a wallet payment is authorized and captured, declined, or challenged, like a card payment', async () => {
  const shop = await openStripeShop()
  const held = await shop.pay(googlePay('tok_visa', { capture_method: 'manual' }))
  equal(held.status, 'requires_capture')
  equal((await shop.capture(held.payment_id, 5000)).body.amount_received, 5000)
  const declined = await shop.pay(googlePay('tok_chargeDeclinedInsufficientFunds'))
  deepEqual([declined.status, declined.error_code, declined.issuer_error_code], ['failed', 'card_declined', '51'])
  const challenged = await shop.pay(googlePay('tok_threeDSecure2Required', { authentication_type: 'three_ds' }))
  equal(challenged.status, 'requires_customer_action')
  match(await visit(challenged, 'accept'), /status=succeeded/)
  isRefused(await shop.tryToPay(googlePay('tok_visa', { amount: 0, payment_type: 'setup_mandate' })), 400, 'IR_19')
  deepEqual(
    (await shop.processor.charges()).map(({ captured }) => captured),
    [5000, 12_500],
  )
})

test('the payment methods offered in a checkout depend on currency and country, and list their required fields', async () => {
  const shop = await openStripeShop()
  const offered = async (currency: string, country: string) => {
    const { client_secret } = await shop.create({
      amount: 12_500,
      currency,
      payment_method: undefined,
      payment_method_data: undefined,
      billing: { address: { country } },
    })
    const { body, text } = await http('GET', `${shop.url}/account/payment_methods?client_secret=${client_secret}`, undefined, {
      'api-key': shop.publishable_key,
    })
    ok(body.payment_methods, text)
    const types: Body[] = body.payment_methods.flatMap(({ payment_method_types }: Body) => payment_method_types)
    return new Map(types.map(one => [one.payment_method_type, Object.keys(one.required_fields ?? {})]))
  }
  const swedish = await offered('SEK', 'SE')
  deepEqual(
    ['swish', 'klarna', 'mobile_pay', 'ideal', 'sepa', 'affirm', 'pix'].filter(type => swedish.has(type)),
    ['swish', 'klarna', 'mobile_pay'],
  )
  ok(
    swedish.get('klarna')!.some(name => name.includes('email')),
    String(swedish.get('klarna')),
  )
  const brazilian = await offered('BRL', 'BR')
  deepEqual(
    ['pix', 'boleto', 'oxxo', 'klarna', 'cashapp'].filter(type => brazilian.has(type)),
    ['pix', 'boleto'],
  )
})

test('a debit that is processing cannot be cancelled, and succeeds later', async () => {
  const shop = await openStripeShop()
  const { payment_id } = await shop.pay(sepa('AT611904300234573201'))
  const { body } = await shop.cancel(payment_id)
  ok(body.status !== 'cancelled', body.status)
  await shop.wait('15 days')
  equal((await shop.get(payment_id)).status, 'succeeded')
  equal((await shop.processor.charges())[0]!.captured, 12_500)
})

// biome-ignore format: a table reads better in columns
const actions: [type: string, action: string, shows: RegExp][] = [
  ['ali_pay',     'redirect_to_url',                   /payments\/redirect/],
  ['ach',         'redirect_to_url',                   /payments\/redirect/],
  ['cashapp',     'qr_code_information',               /"display_to_timestamp":\d+/],
  ['swish',       'qr_code_information',               /"raw_qr_data":"http/],
  ['we_chat_pay', 'qr_code_information',               /"image_data_url":"http/],
  ['pix',         'qr_code_information',               /"display_to_timestamp":\d+/],
  ['prompt_pay',  'qr_code_information',               /"raw_qr_data":"http/],
  ['blik',        'wait_screen_information',           /"display_to_timestamp":\d+/],
  ['multibanco',  'display_bank_transfer_information', /"entity":"12345"/],
  ['sepa_bank_transfer', 'display_bank_transfer_information', /"iban":"DE8.*"amount_remaining":12500/],
  ['bank_transfer.ach',  'display_bank_transfer_information', /"ach_credit_transfer".*"routing_number":"110000000"/],
  ['bank_transfer.bacs', 'display_bank_transfer_information', /"sort_code":"108800"/],
  ['boleto',      'display_voucher_information',       /"digitable_line":"\d{47}"/],
  ['oxxo',        'display_voucher_information',       /"expires_at":\d+/],
  ['lawson',      'display_voucher_information',       /"reference":"\d{6}"/],
]

test('the next action of each payment method has its own type, with the details that the customer needs', async () => {
  const shop = await openStripeShop()
  for (const [type, action, shows] of actions) {
    const { status, next_action } = await shop.pay(askOf(type))
    deepEqual([status, next_action.type], ['requires_customer_action', action], type)
    match(JSON.stringify(next_action), shows, type)
  }
})

test('bank transfers of a customer share one customer at Stripe; a bank country that Stripe does not offer fails', async () => {
  const shop = await openStripeShop()
  const made = async () => (await shop.processor.operations()).filter(({ type }) => type === 'authorization').length
  const transfer = (more: Body = {}, data: Body = {}) => askOf('sepa_bank_transfer', more, data)
  const ada = { customer: { id: 'cus_ada', name: 'Ada Byron', email: 'ada@shop.example' } }
  const first = await shop.pay(transfer({ ...ada, customer_id: 'cus_ada' }))
  const second = await shop.pay(transfer({ customer_id: 'cus_ada' }))
  const guest = await shop.pay(transfer({}, { country: undefined }))
  const customers = await shop.query('select reference from processor_customers where merchant_id = $1', [shop.merchant_id])
  equal(customers.length, 1)
  match((customers[0] as { reference: string }).reference, /^cus_/)
  for (const payment of [first, second, guest]) {
    const paid = await shop.processor.decide(payment.connector_transaction_id, 'approved').then(() => shop.sync(payment.payment_id))
    deepEqual([paid.status, paid.amount_received, paid.payment_method_id], ['succeeded', payment.amount, null], paid.error_message)
  }
  const abroad = await shop.pay(transfer({}, { country: 'AT' }))
  deepEqual([abroad.status, await made()], ['failed', 3])
  match(abroad.error_message, /sepa_bank_transfer\.country .* must be one of BE, DE, ES, FR, IE, NL/)
  const off = await shop.pay(transfer())
  equal((await shop.cancel(off.payment_id)).body.status, 'cancelled')
})

test('an unpaid voucher fails when it expires, and can be cancelled before', async () => {
  const shop = await openStripeShop()
  const { payment_id } = await shop.pay(askOf('oxxo'))
  const other = await shop.pay(askOf('boleto'))
  equal((await shop.cancel(other.payment_id)).body.status, 'cancelled')
  await shop.wait('4 days')
  const { status, error_code } = await shop.get(payment_id)
  deepEqual([status, error_code], ['failed', 'payment_intent_payment_attempt_expired'])
  deepEqual(await shop.processor.charges(), [])
})

test('duplicate and late webhooks change nothing more', async () => {
  const shop = await openStripeShop()
  await shop.processor.account({ webhooks: 'duplicate' })
  const begun = await shop.pay(sepa('AT611904300234573201'))
  await shop.wait('15 days')
  await shop.processor.account({ webhooks: 'hold' })
  const ideal = await shop.pay(askOf('ideal'))
  await visit(ideal, 'accept')
  equal((await shop.get(ideal.payment_id)).status, 'succeeded')
  await shop.wait('1 day')
  await shop.processor.flushWebhooks()
  for (const { payment_id } of [begun, ideal]) {
    const { status, amount_received } = await shop.get(payment_id)
    deepEqual([status, amount_received], ['succeeded', 12_500])
    const succeeded = (await shop.events(payment_id)).filter(event => event.event_type === 'payment_succeeded')
    equal(succeeded.length, 1)
  }
})

/** The members of a payment whose customer agrees to later charges. */
const agreeing = { customer_id: 'cus_ada', setup_future_usage: 'off_session', customer_acceptance }
const chargedBy = (payment_method_id: string, more: Body = {}): Body => ({
  payment_method: undefined,
  payment_method_type: undefined,
  payment_method_data: undefined,
  customer_id: 'cus_ada',
  off_session: true,
  recurring_details: { type: 'payment_method_id', data: payment_method_id },
  ...more,
})
const recurringRows = rows.filter(({ recurring }) => recurring !== undefined)

/** Gives the final payment: after the customer's approval, or after days. */
async function ended(shop: Shop, begun: Body): Promise<Body> {
  const answered = begun.next_action ? await answer(shop, begun, 'approved') : begun
  if (!isOpen(answered)) return answered
  await shop.wait('15 days')
  return shop.get(begun.payment_id)
}

for (const { type, recurring, family } of recurringRows)
  test(`${type}: a payment method saved with consent is charged later without the customer`, async () => {
    const shop = await openStripeShop()
    const first = await ended(shop, await shop.pay(askOf(type, agreeing)))
    deepEqual([first.status, first.payment_method_status], ['succeeded', 'active'], first.error_message)
    match(first.connector_mandate_id, /^pm_/)
    const { currency } = first
    const sent = await shop.pay(chargedBy(first.payment_method_id, { amount: 700, currency }))
    equal(sent.status, recurring === 'after days' || family === 'bank_debit' ? 'processing' : 'succeeded', sent.error_message)
    const later = await ended(shop, sent)
    deepEqual(
      [later.status, later.amount_received, later.payment_method_type, later.payment_method_id, later.next_action],
      ['succeeded', 700, type, first.payment_method_id, null],
    )
    doesNotMatch(
      JSON.stringify([later.payment_method_data, (await shop.call('GET', `/payment_methods/${first.payment_method_id}`)).body]),
      HIDDEN,
    )
    deepEqual(
      (await shop.processor.charges()).map(({ captured, by }) => [captured, by]),
      [
        [first.amount, undefined],
        [700, 'mandate'],
      ],
    )
  })

test('a payment method that cannot be charged again is refused for off-session payments, and nothing is sent', async () => {
  const shop = await openStripeShop()
  for (const { type } of rows.filter(({ recurring }) => recurring === undefined))
    isRefused(
      await shop.tryToPay(askOf(type, agreeing)),
      400,
      'IR_39',
      new RegExp(`payment_method_type ${typeOfRow(type)} for off-session payments`),
    )
  deepEqual(await shop.processor.operations(), [])
  const once = await shop.pay(askOf('ideal', { ...agreeing, setup_future_usage: 'on_session' }))
  deepEqual(
    [(await answer(shop, once, 'approved')).status, once.payment_method_id],
    ['succeeded', null],
    'a checkout always says on_session',
  )
})

test('an iDEAL mandate limits the charged amount, ends with its payment method, and can be set up with amount 0', async () => {
  const shop = await openStripeShop()
  const mandate_data = { customer_acceptance, mandate_type: { multi_use: { amount: 1000, currency: 'EUR' } } }
  const zero = await shop.pay(askOf('ideal', { ...agreeing, amount: 0, mandate_data }))
  deepEqual([zero.status, zero.next_action.type], ['requires_customer_action', 'redirect_to_url'], zero.error_message)
  await visit(zero, 'accept')
  const agreed = await shop.get(zero.payment_id)
  deepEqual([agreed.status, agreed.amount, agreed.payment_method_status], ['succeeded', 0, 'active'])
  const mandate = (await shop.call('GET', `/mandates/${agreed.mandate_id}`)).body
  deepEqual([mandate.payment_method, mandate.payment_method_type, mandate.card], ['bank_redirect', 'ideal', null])
  const by = (amount: number) => chargedBy('', { recurring_details: undefined, mandate_id: agreed.mandate_id, amount, currency: 'EUR' })
  equal((await ended(shop, await shop.pay(by(700)))).status, 'succeeded')
  isRefused(await shop.tryToPay(by(700)), 400, 'HE_03')
  equal((await shop.call('DELETE', `/payment_methods/${agreed.payment_method_id}`)).status, 200)
  isRefused(await shop.tryToPay(by(1)), 400, 'IR_16', /revoked/)
  deepEqual(
    (await shop.processor.charges()).flatMap(({ captured, by }) => (captured > 0 ? [[captured, by]] : [])),
    [[700, 'mandate']],
  )
})

test('each payment method can be set up with amount 0; if the customer rejects it, it is inactive', async () => {
  const shop = await openStripeShop()
  for (const { type } of recurringRows) {
    const begun = await shop.pay(askOf(type, { ...agreeing, amount: 0 }))
    const set = await ended(shop, begun)
    deepEqual([set.status, set.payment_method_status], ['succeeded', 'active'], `${type} ${set.error_message}`)
    if (!begun.next_action) continue
    const refused = await answer(shop, await shop.pay(askOf(type, { ...agreeing, customer_id: 'cus_grace', amount: 0 })), 'declined')
    deepEqual([refused.status, refused.payment_method_status], ['failed', 'inactive'], type)
  }
  isRefused(await shop.tryToPay(askOf('ideal', { amount: 0 })), 400, 'IR_19', /setup_future_usage off_session/)
  ok((await shop.processor.charges()).every(({ captured }) => captured === 0))
})

test('a later charge whose response is lost is found, and charged once', async () => {
  const shop = await openStripeShop({ webhooks: 'off' })
  const first = await ended(shop, await shop.pay(askOf('paypal', agreeing)))
  await shop.processor.fault('authorize', 'reset_after')
  const unheard = await shop.pay(chargedBy(first.payment_method_id, { amount: 700, currency: first.currency }))
  equal(unheard.status, 'processing')
  await shop.wait('2 minutes')
  equal((await shop.get(unheard.payment_id)).status, 'succeeded')
  equal((await shop.processor.charges()).length, 2)
})

test('a bank account is saved once, and deleted with its customer', async () => {
  const shop = await openStripeShop()
  const saved = async () => (await ended(shop, await shop.pay(askOf('sepa', agreeing)))).payment_method_id
  const [first, second] = [await saved(), await saved()]
  equal(second, first, 'the same account is the same payment method')
  const { body } = await shop.call('GET', '/customers/cus_ada/payment_methods')
  deepEqual(
    body.customer_payment_methods.map((one: Body) => [
      one.payment_method_id,
      one.payment_method_type,
      one.recurring_enabled,
      one.default_payment_method_set,
    ]),
    [[first, 'sepa', true, false]],
  )
  const sealed = async () =>
    (
      await shop.query("select count(*)::int as n from vault_records where merchant_id = $1 and record like 'method %'", [shop.merchant_id])
    )[0]!.n
  equal(await sealed(), 1)
  isRefused(
    await shop.tryToPay({
      ...askOf('sepa'),
      ...chargedBy(first, {
        off_session: undefined,
        recurring_details: undefined,
        payment_token: body.customer_payment_methods[0].payment_token,
      }),
    }),
    400,
    'IR_19',
  )
  equal((await shop.call('DELETE', '/customers/cus_ada')).status, 200)
  equal(await sealed(), 0)
  isRefused(await shop.tryToPay(chargedBy(first, { amount: 700, currency: 'EUR' })), 404, 'HE_02')
})
