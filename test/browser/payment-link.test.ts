import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openAuthenticatingShop } from '../authentication.ts'
import { eventually } from '../eventually.ts'
import { begin, CHALLENGED, FRICTIONLESS, openNativeShop } from '../native.ts'
import { type Body, cards, http, openShop, type Shop } from '../shop.ts'
import { barriers, heading, isNotWider, see } from './look.ts'
import { desktop, phone, visit } from './visit.ts'

// Every test ends with a check of the problems that the browser logged: no error, no violation of the page's policy,
// no request to any server but this service and the sandbox's bank.

const sandbox = process.env.TEST_SANDBOX_URL!

const chairs = () => openShop({ account: { merchant_name: 'Chairs & Co', return_url: 'https://shop.example/thanks' } })

/** Creates a payment with a link; gives its id and the link's path. */
async function linked(shop: Pick<Shop, 'create' | 'url'>, more: Body = {}): Promise<{ payment_id: string; path: string }> {
  const unpaid = {
    payment_method: undefined,
    payment_method_data: undefined,
    description: 'Two oak chairs',
    amount: 24_900,
    currency: 'EUR',
  }
  const { payment_id, payment_link } = await shop.create({ ...unpaid, payment_link: true, ...more })
  return { payment_id, path: payment_link.link.slice(shop.url.length) }
}

type Prefers = Parameters<typeof visit>[3]
const open = (shop: Pick<Shop, 'url'>, path: string, size = desktop, prefers: Prefers = {}) =>
  visit(shop.url, path, size, { mayAsk: [sandbox], ...prefers })

const button = (page: Page) => page.locator('#submit')

async function type(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').pressSequentially(number)
  await page.getByLabel('Expiry date').pressSequentially('1240')
  await page.getByLabel('Security code').pressSequentially('737')
}

test('a card is paid on the payment link page, which shows the result and redirects to the merchant', async () => {
  const shop = await chairs()
  const { payment_id, path } = await linked(shop)
  const { page, problems, went } = await open(shop, path)
  await heading(page, 'Pay Chairs & Co')
  await type(page, cards.approves)
  equal(await page.getByLabel('Card number').inputValue(), '4242 4242 4242 4242')
  equal(await page.getByLabel('Expiry date').inputValue(), '12 / 40')
  equal(await page.locator('.marks-beside use').getAttribute('href'), '#mark-Visa')
  equal(await button(page).innerText(), 'Pay €249.00')
  await button(page).click()
  await heading(page, 'Payment complete')
  equal((await shop.get(payment_id)).status, 'succeeded')
  match((await page.locator('#back').getAttribute('href'))!, /^https:\/\/shop\.example\/thanks\?status=succeeded&payment_id=/)
  // The page then redirects by itself, after a visible countdown.
  await page
    .locator('#returning')
    .getByText(/You will be redirected in \d seconds/)
    .waitFor()
  deepEqual(await barriers(page), [])
  await eventually(async () => went.length > 0, 'the customer is back at the shop', 120)
  equal(went[0], await page.locator('#back').getAttribute('href'))
  await page.reload()
  await heading(page, 'Payment complete')
  equal((await shop.processor.charges()).length, 1)
  deepEqual(problems, [])
})

test('a customer with a co-badged card chooses the card network', async () => {
  const shop = await chairs()
  const { payment_id, path } = await linked(shop)
  const { page, problems } = await open(shop, path, phone)
  await type(page, '4000002500001001')
  await page.getByLabel('Network').selectOption('Visa')
  deepEqual(await barriers(page), [])
  await isNotWider(page, phone.width)
  await button(page).click()
  await heading(page, 'Payment complete')
  equal((await shop.get(payment_id)).payment_method_data.card.card_network, 'Visa')
  // Another card has one network only, so the page offers no choice.
  const other = await linked(shop)
  const plain = await open(shop, other.path, phone)
  await type(plain.page, cards.approves)
  await button(plain.page).click()
  await heading(plain.page, 'Payment complete')
  equal(await plain.page.getByLabel('Network').count(), 0)
  deepEqual([...problems, ...plain.problems], [])
})

test('a decline is shown at once, also to screen readers, and another card succeeds', async () => {
  const shop = await chairs()
  const { payment_id, path } = await linked(shop)
  const { page, problems } = await open(shop, path)
  await type(page, cards.declines)
  await button(page).click()
  await page.getByRole('alert').getByText('The payment was declined').waitFor()
  equal(await page.evaluate('document.activeElement.id'), 'alert')
  await page.getByLabel('Card number').fill('')
  await page.getByLabel('Card number').pressSequentially(cards.approves)
  await button(page).click()
  await heading(page, 'Payment complete')
  const { attempt_count, status } = await shop.get(payment_id)
  deepEqual([status, attempt_count], ['succeeded', 2])
  deepEqual(problems, [])
})

test('a payment whose attempt failed elsewhere is paid on its link', async () => {
  const shop = await chairs()
  const { payment_id, path } = await linked(shop)
  const card = { card_number: cards.declines, card_exp_month: '12', card_exp_year: '2040', card_cvc: '123' }
  equal((await shop.confirm(payment_id, { payment_method: 'card', payment_method_data: { card } })).body.status, 'failed')
  const { page, problems } = await open(shop, path)
  await page.getByText('The payment was declined').waitFor()
  await type(page, cards.approves)
  await button(page).click()
  await heading(page, 'Payment complete')
  equal((await shop.get(payment_id)).attempt_count, 2)
  deepEqual(problems, [])
})

test('an input error is shown beside its field, and nothing is sent', async () => {
  const shop = await chairs()
  const { payment_id, path } = await linked(shop)
  const { page, problems } = await open(shop, path)
  await button(page).click()
  await page.getByText('Enter the card number').waitFor()
  equal(await page.evaluate('document.activeElement.name'), 'cardnumber')
  await type(page, '4242424242424241')
  await button(page).click()
  await page.getByText('This is not a valid card number').waitFor()
  equal(await page.getByLabel('Card number').getAttribute('aria-invalid'), 'true')
  await page.getByLabel('Expiry date').fill('01/20')
  await page.getByLabel('Security code').fill('1')
  await page.getByLabel('Name on card').focus()
  await page.getByText('This card has expired').waitFor()
  await page.getByText('The security code is not complete').waitFor()
  equal((await shop.get(payment_id)).attempt_count, 1)
  equal((await shop.processor.operations()).length, 0)
  // American Express: its security code has four digits and is on the front.
  await page.getByLabel('Card number').fill('378282246310005')
  equal(await page.getByLabel('Card number').inputValue(), '3782 822463 10005')
  equal(await page.getByLabel('Security code').getAttribute('maxlength'), '4')
  deepEqual(problems, [])
})

for (const [size, name] of [
  [desktop, 'desktop'],
  [phone, 'phone'],
] as const)
  test(`a redirect to the bank on a ${name}: rejected, retried and accepted`, async () => {
    const shop = await chairs()
    const { payment_id, path } = await linked(shop, { authentication_type: 'three_ds' })
    const { page, problems } = await open(shop, path, size)
    await type(page, cards.challenges)
    await button(page).click()
    await page.waitForURL(`${sandbox}/**`)
    await page.locator('form[action$="/reject"] button, button[formaction$="/reject"]').click()
    await page.getByRole('alert').getByText('Your bank could not confirm that it is you').waitFor()
    await type(page, cards.challenges)
    await button(page).click()
    await page.waitForURL(`${sandbox}/**`)
    await page.locator('form[action$="/accept"] button, button[formaction$="/accept"]').click()
    await heading(page, 'Payment complete')
    equal((await shop.get(payment_id)).status, 'succeeded')
    deepEqual(problems, [])
  })

test('after the back button from the bank, and in a second tab, the page shows the status of the payment', async () => {
  const shop = await chairs()
  const { path } = await linked(shop, { authentication_type: 'three_ds' })
  const { page, problems } = await open(shop, path)
  await type(page, cards.challenges)
  await button(page).click()
  await page.waitForURL(`${sandbox}/**`)
  await page.goBack()
  await heading(page, 'Confirmation needed')
  const second = await open(shop, path)
  await heading(second.page, 'Confirmation needed')
  await page.getByRole('link', { name: 'Continue to your bank' }).click()
  await page.waitForURL(`${sandbox}/**`)
  await page.locator('form[action$="/accept"] button, button[formaction$="/accept"]').click()
  await heading(page, 'Payment complete')
  // The second tab has refreshed by itself.
  await heading(second.page, 'Payment complete')
  deepEqual([...problems, ...second.problems], [])
})

const account = { merchant_name: 'Chairs & Co', return_url: 'https://shop.example/thanks' }
for (const [size, name, by] of [
  [desktop, 'desktop', 'apart from the processor'],
  [phone, 'phone', 'apart from the processor'],
  [desktop, 'desktop', 'by the processor'],
  [phone, 'phone', 'by the processor'],
] as const)
  test(`authentication ${by}, on a ${name}: frictionless, and by a challenge that is rejected, retried and accepted`, async () => {
    const isNative = by === 'by the processor'
    const shop = isNative ? await openNativeShop({ account }) : await openAuthenticatingShop({ account })
    const asked = { authentication_type: 'three_ds', ...(!isNative && { request_external_three_ds_authentication: true }) }
    const [approves, challenges] = isNative ? [FRICTIONLESS, CHALLENGED] : [cards.approves, cards.challenges]
    const easy = await linked(shop, asked)
    const first = await open(shop, easy.path, size)
    await type(first.page, approves)
    await button(first.page).click()
    await heading(first.page, 'Payment complete')
    const { payment_id, path } = await linked(shop, asked)
    const { page, problems } = await open(shop, path, size)
    await type(page, challenges)
    await button(page).click()
    await page.waitForURL(`${sandbox}/3ds/challenge`)
    await page.getByRole('button', { name: 'Reject' }).click()
    await page.getByRole('alert').getByText('Your bank could not confirm that it is you').waitFor()
    await type(page, challenges)
    await button(page).click()
    await page.waitForURL(`${sandbox}/3ds/challenge`)
    // The customer goes back and continues again: the page does not redirect to the bank by itself a second time.
    await page.goBack()
    await page.getByRole('button', { name: 'Continue to your bank' }).click()
    await page.waitForURL(`${sandbox}/3ds/challenge`)
    await page.getByRole('button', { name: 'Accept' }).click()
    await heading(page, 'Payment complete')
    equal((await shop.get(payment_id)).status, 'succeeded')
    equal((await shop.processor.charges()).length, 2)
    deepEqual([...first.problems, ...problems], [])
  })

for (const [name, type_, title, currency, country, others] of [
  ['a code', 'Pix', 'Scan to pay', 'BRL', 'BR', ['Boleto']],
  ['a slip', 'Boleto', 'Pay with this slip', 'BRL', 'BR', ['Pix']],
  ['a transfer', 'Multibanco', 'Transfer the amount', 'EUR', 'PT', []],
] as const)
  test(`a customer who pays by ${name} sees instructions on the page, which updates once it is paid`, async () => {
    const shop = await chairs()
    const { payment_id, path } = await linked(shop, {
      billing: { address: { first_name: 'Ada', last_name: 'Byron', country }, email: 'ada@example.com' },
      currency,
      allowed_payment_method_types: ['pix', 'boleto', 'multibanco', 'credit'],
    })
    const { page, problems } = await open(shop, path, phone)
    await page.getByRole('radio', { name: type_, exact: true }).check()
    // Payment methods of another currency or country are not offered.
    for (const other of ['Pix', 'Boleto', 'Multibanco'])
      equal(await page.getByRole('radio', { name: other, exact: true }).count(), [type_, ...others].includes(other as never) ? 1 : 0, other)
    for (const field of await page.locator('.chosen .panel input').all())
      await field.fill((await field.getAttribute('type')) === 'email' ? 'ada@example.com' : '52998224725')
    await button(page).click()
    await heading(page, title)
    deepEqual(await barriers(page), [])
    await isNotWider(page, phone.width)
    const [operation] = await shop.processor.operations()
    await shop.processor.decide(operation!.id, 'approved')
    await shop.sync(payment_id)
    await heading(page, 'Payment complete')
    deepEqual(problems, [])
  })

for (const [name, size, prefers] of [
  ['wide and light', desktop, {}],
  ['narrow and dark', phone, { colorScheme: 'dark' }],
] as const)
  test(`a customer of an existing checkout waits on a hosted page, ${name}, and returns to the merchant once the payment is decided`, async () => {
    const shop = await chairs()
    const return_url = `${shop.url}/health`
    const unpaid = await shop.create({ payment_method: undefined, payment_method_data: undefined, currency: 'PLN', return_url })
    const { payment_id, client_secret } = unpaid
    const way = {
      payment_method: 'bank_redirect',
      payment_method_type: 'blik',
      payment_method_data: { bank_redirect: { blik: { blik_code: '777987' } } },
    }
    const confirmed = await http(
      'POST',
      `${shop.url}/payments/${payment_id}/confirm`,
      { client_secret, ...way },
      { 'api-key': shop.publishable_key },
    )
    const { redirect_to_url } = confirmed.body.next_action
    const { page, problems } = await open(shop, redirect_to_url.slice(shop.url.length), size, prefers)
    await heading(page, 'Confirm in your app')
    deepEqual(await barriers(page), [])
    await isNotWider(page, size.width)
    const [operation] = await shop.processor.operations()
    await shop.processor.decide(operation!.id, 'approved')
    await shop.sync(payment_id)
    await page.waitForURL(/\/health\?.*status=succeeded/)
    deepEqual(problems, [])
  })

test('a customer whose client only redirects is authenticated on a hosted page, and returns to the merchant', async () => {
  const shop = await openNativeShop({ account })
  const payment = await begin(shop, CHALLENGED, { return_url: `${shop.url}/health` })
  const { page, problems } = await open(shop, payment.next_action.three_ds_data.three_ds_authorize_url.slice(shop.url.length), phone)
  await page.waitForURL(`${sandbox}/3ds/challenge`)
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.waitForURL(/\/health\?.*status=succeeded/)
  equal((await shop.processor.charges()).length, 1)
  deepEqual(problems, [])
})

test('a one-time code is entered on the page: a malformed or wrong code shows an error, the right one pays', async () => {
  const shop = await chairs()
  const { payment_id, path } = await linked(shop, {})
  const mobile_payment = { direct_carrier_billing: { msisdn: '4915112345678', client_uid: 'c-1047' } }
  const way = { payment_method: 'mobile_payment', payment_method_type: 'direct_carrier_billing', payment_method_data: { mobile_payment } }
  equal((await shop.confirm(payment_id, way)).body.next_action.type, 'collect_otp')
  const { page, problems } = await open(shop, path, phone)
  await heading(page, 'Enter your code')
  deepEqual(await barriers(page), [])
  await isNotWider(page, phone.width)
  const say = async (code: string) => {
    await page.getByLabel('Code', { exact: true }).fill(code)
    await page.getByRole('button', { name: 'Confirm the payment' }).click()
  }
  await say('12')
  await page.getByRole('alert').getByText('4 to 8 digits').waitFor()
  await say('0000')
  await page.getByRole('alert').getByText('This code was not accepted').waitFor()
  await say('123456')
  await heading(page, 'Payment complete')
  deepEqual(problems, [])
})

for (const [name, card] of [
  ['a page that is only loaded', cards.collectsDevice],
  ['the hidden page of 3-D Secure', cards.collectsInFrame],
] as const)
  test(`a payment completes after the bank collects browser data by ${name}`, async () => {
    const shop = await chairs()
    const { path } = await linked(shop, { authentication_type: 'three_ds' })
    const { page, problems } = await open(shop, path)
    await type(page, card)
    await button(page).click()
    await heading(page, 'Payment complete')
    deepEqual(problems, [])
  })

test('with the card form closed by default the customer must choose a payment method first', async () => {
  const shop = await chairs()
  const { path } = await linked(shop, {
    payment_link_config: { show_card_form_by_default: false },
    allowed_payment_method_types: ['credit', 'debit', 'ideal'],
  })
  const { page, problems } = await open(shop, path)
  await page.getByRole('radio', { name: 'iDEAL' }).waitFor()
  equal(await page.getByLabel('Card number').filter({ visible: true }).count(), 0)
  await button(page).click()
  equal(await page.evaluate('document.activeElement.type'), 'radio')
  await page.getByRole('radio', { name: 'Card' }).check()
  await page.getByLabel('Card number').waitFor()
  deepEqual(problems, [])
})

test('a payment link open in two tabs is charged once', async () => {
  const shop = await chairs()
  const { path } = await linked(shop)
  const [first, second] = [await open(shop, path), await open(shop, path)]
  for (const { page } of [first, second]) await type(page, cards.approves)
  await button(first.page).click()
  await heading(first.page, 'Payment complete')
  await button(second.page).click()
  await heading(second.page, 'Payment complete')
  equal((await shop.processor.charges()).length, 1)
})

test('a customer pays with a saved card; saved cards are hidden if the merchant disables them', async () => {
  const shop = await chairs()
  const saving = { customer_id: 'grace', setup_future_usage: 'on_session', customer_acceptance: { acceptance_type: 'offline' } }
  await shop.pay({ ...saving, card: cards.approves })
  await shop.pay({ ...saving, card: '5555555555554444' })
  const { payment_id, path } = await linked(shop, { customer_id: 'grace' })
  const { page, problems } = await open(shop, path)
  await page.getByRole('radio', { name: /Visa ending in 4242/ }).check()
  await page.getByLabel('Security code').filter({ visible: true }).fill('737')
  await button(page).click()
  await heading(page, 'Payment complete')
  const { payment_method_data, card_discovery } = await shop.get(payment_id)
  deepEqual([payment_method_data.card.last4, card_discovery], ['4242', 'saved_card'])
  deepEqual(await barriers(page), [])
  const hidden = await linked(shop, { customer_id: 'grace', payment_link_config: { enabled_saved_payment_method: false } })
  const plain = await open(shop, hidden.path)
  await plain.page.getByLabel('Card number').waitFor()
  equal(await plain.page.getByText('4242').count(), 0)
  deepEqual(problems, [])
})

test('a customer saves a card under a nickname', async () => {
  const shop = await chairs()
  const { path } = await linked(shop, { customer_id: 'ada' })
  const { page, problems } = await open(shop, path)
  await type(page, cards.approves)
  await page.getByLabel('Save this card for next time').check()
  await page.getByText('You can have it deleted at any time').waitFor()
  await page.getByLabel('Name for this card').fill('Blue one')
  await button(page).click()
  await heading(page, 'Payment complete')
  const { customer_payment_methods } = (await shop.call('GET', '/customers/ada/payment_methods')).body
  deepEqual(
    customer_payment_methods.map((one: Body) => one.card.nick_name),
    ['Blue one'],
  )
  deepEqual(problems, [])
})

test('a customer can pay by keyboard alone', async () => {
  const shop = await chairs()
  const { path } = await linked(shop)
  const { page, problems } = await open(shop, path)
  await page.getByLabel('Card number').waitFor()
  // The tab key goes past the payment methods.
  for (let tabs = 0; tabs < 20 && (await page.evaluate('document.activeElement.autocomplete')) !== 'cc-number'; tabs++)
    await page.keyboard.press('Tab')
  await page.keyboard.type(cards.approves)
  await page.keyboard.press('Tab')
  await page.keyboard.type('1240')
  await page.keyboard.press('Tab')
  await page.keyboard.type('737')
  await page.keyboard.press('Enter')
  await heading(page, 'Payment complete')
  await page.keyboard.press('Tab')
  equal(await page.evaluate('document.activeElement.id'), 'back')
  deepEqual(problems, [])
})

test('an expired link is shown as expired, also in a page opened before', async () => {
  const shop = await chairs()
  const { payment_id, path } = await linked(shop)
  const early = await open(shop, path)
  await type(early.page, cards.approves)
  await shop.wait('16 minutes')
  await button(early.page).click()
  await heading(early.page, 'This link has expired')
  equal((await shop.get(payment_id)).status, 'requires_payment_method')
  const { page, problems } = await open(shop, path, phone)
  await heading(page, 'This link has expired')
  ok(!(await page.content()).includes('_secret_'))
  deepEqual(await barriers(page), [])
  deepEqual(problems, [])
})

test('a payment whose response is lost is looked up, and not charged again', async () => {
  const shop = await chairs()
  const { payment_id, path } = await linked(shop)
  const { page } = await open(shop, path)
  // The confirm reaches the service, and the connection breaks before its answer arrives.
  await page.route('**/confirm', async route => {
    await route.fetch()
    await route.abort()
  })
  await type(page, cards.approves)
  await button(page).click()
  await heading(page, 'Payment complete')
  equal((await shop.get(payment_id)).attempt_count, 1)
  equal((await shop.processor.charges()).length, 1)
})

test('a bank must be chosen from a list, in which none is preselected', async () => {
  const shop = await chairs()
  const { payment_id, path } = await linked(shop, { currency: 'EUR' })
  const { page, problems } = await open(shop, path)
  await page.locator('.more').click()
  await page.locator('details.fold > summary').filter({ hasText: 'Online banking' }).click()
  await page.getByRole('radio', { name: 'Slovak online banking' }).check()
  await button(page).click()
  await page.getByText('Please fill this in').waitFor()
  await page.getByLabel('Bank', { exact: true }).filter({ visible: true }).selectOption('tatra_pay')
  await button(page).click()
  await page.waitForURL(/\/challenge\//)
  equal((await shop.get(payment_id)).status, 'requires_customer_action')
  deepEqual(problems, [])
})

/**
 * The looks of pages. All must pass the same checks: no serious finding of axe-core, and no content wider than the
 * screen.
 */
const looks: [name: string, config: Body, prefers: NonNullable<Prefers>][] = [
  ['as it comes', {}, {}],
  ['dark', {}, { colorScheme: 'dark' }],
  ['in German, dark, with a theme', { theme: '#0b7a4b' }, { colorScheme: 'dark', locale: 'de-DE' }],
  ['in French, on a colour of the shop', { background_colour: '#fff4e6', theme: '#e8590c' }, { locale: 'fr-FR' }],
  ['in Arabic, from right to left', { theme: '#0b7a4b' }, { locale: 'ar-EG' }],
  ['on a dark colour of the shop', { background_colour: '#14213d', theme: '#fca311' }, {}],
  ['labels within', { payment_form_label_type: 'floating' }, {}],
  ['labels for ears alone', { payment_form_label_type: 'never' }, {}],
  ['tabs', { sdk_layout: 'tabs' }, {}],
  ['the form alone', { display_sdk_only: true }, {}],
  ['one above the other', { details_layout: 'layout2', sdk_layout: 'spaced_accordion' }, {}],
]

for (const [name, config, prefers] of looks)
  test(`the page is accessible on desktop and phone: ${name}`, async () => {
    const shop = await chairs()
    const saving = { customer_id: 'grace', setup_future_usage: 'on_session', customer_acceptance: { acceptance_type: 'offline' } }
    await shop.pay({ ...saving, card: cards.approves })
    const { path } = await linked(shop, {
      customer_id: 'grace',
      shipping_cost: 490,
      order_details: [{ product_name: 'Oak chair', quantity: 2, amount: 12_450 }],
      payment_link_config: { enabled_saved_payment_method: true, transaction_details: [{ key: 'Order', value: '1047' }], ...config },
    })
    for (const size of [desktop, phone]) {
      const { page, problems } = await open(shop, path, size, prefers)
      await button(page).click()
      await page.locator('.error:not(:empty)').first().waitFor()
      await page.getByRole('radio', { name: /Another card|Andere Karte|Une autre carte|بطاقة أخرى/ }).check()
      deepEqual(await barriers(page), [])
      await isNotWider(page, size.width)
      if (size === desktop) await see(page, `link ${name}`)
      deepEqual(problems, [])
      await page.context().close()
    }
  })

test('the page of a payment that waits for an app gives the deadline in the time zone of the customer, and a way back to the shop', async () => {
  const shop = await chairs()
  const payment = await shop.create({
    payment_method: undefined,
    payment_method_data: undefined,
    currency: 'PLN',
    return_url: 'https://shop.example/back',
  })
  const confirm = {
    client_secret: payment.client_secret,
    payment_method: 'bank_redirect',
    payment_method_type: 'blik',
    payment_method_data: { bank_redirect: { blik: { blik_code: '777987' } } },
  }
  const { body } = await http('POST', `${shop.url}/payments/${payment.payment_id}/confirm`, confirm, { 'api-key': shop.publishable_key })
  const { page, problems } = await open(shop, body.next_action.redirect_to_url.slice(shop.url.length), phone, {
    timezoneId: 'Asia/Tokyo',
  })
  await heading(page, 'Confirm in your app')
  const until = page.locator('#until')
  const at = await until.getAttribute('data-until')
  ok(Date.parse(at!) - Date.parse(payment.created) <= 180_000, 'an app asks for minutes, not for hours')
  const local = (await page.evaluate(
    `new Intl.DateTimeFormat(document.getElementById('until').dataset.locale, { dateStyle: 'long', timeStyle: 'short' }).format(new Date('${at}'))`,
  )) as string
  await until.getByText(local).waitFor()
  ok(!(await until.innerText()).includes('UTC'))
  match((await page.locator('#back').getAttribute('href'))!, /^https:\/\/shop\.example\/back\?/)
  await see(page, 'waiting-for-an-app')
  deepEqual(await barriers(page), [])
  deepEqual(problems, [])
})

test('a link offers what its payer can use, the best known first, and folds the rest by kind', async () => {
  const shop = await chairs()
  const { path } = await linked(shop, { currency: 'USD', billing: { address: { country: 'US' } } })
  const { page, problems } = await open(shop, path, phone)
  await page.getByRole('button', { name: 'More payment methods' }).waitFor()
  const seen = await page.locator('.way:visible .way-name').allInnerTexts()
  ok(seen.length <= 6, seen.join())
  ok(!seen.join().includes('Apple Pay'))
  await page.getByRole('button', { name: 'More payment methods' }).click()
  const folds = page.locator('details.fold > summary')
  ok((await folds.count()) >= 2)
  const all = await page.locator('.way .way-name').allTextContents()
  ok(!/Guarenteed|Classic$|Evoucher|Bni Va|Card Redirect/m.test(all.join('\n')), all.join('\n'))
  equal(new Set(all).size, all.length, 'no name stands twice')
  for (const abroad of ['iDEAL', 'BLIK', 'Boleto', 'Alfamart', 'PromptPay', 'KNET', 'Swish']) ok(!all.includes(abroad), abroad)
  await see(page, 'link-folded')
  deepEqual(await barriers(page), [])
  await isNotWider(page, phone.width)
  await folds.first().click()
  const inside = page.locator('details.fold[open] .way-name').first()
  await inside.click()
  equal(await page.locator('details.fold[open] input:checked').count(), 1)
  deepEqual(problems, [])
})
