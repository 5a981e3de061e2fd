import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../test/refused.ts'
import { type Body, card, openShop, type Shop } from '../../test/shop.ts'
import { everyWay, HIDDEN, paidBy, ways } from '../../test/ways.ts'
import type { OtherFamily } from '../connectors/instrument.ts'

/** Every payment method other than a card, through the HTTP interface: the customer's next action, and the result. */

/**
 * One payment method of each family, and the data with which it is declined; `life`: the time that its customer may
 * take.
 */
const families: { [F in OtherFamily]: { way: string; declined: Body | 'by the customer'; life: string } } = {
  wallet: { way: 'paypal_sdk', declined: { token: 'TOKEN_OF_0002' }, life: '11 hours' },
  pay_later: { way: 'klarna_redirect', declined: 'by the customer', life: '11 hours' },
  bank_redirect: { way: 'ideal', declined: 'by the customer', life: '11 hours' },
  bank_debit: { way: 'ach_bank_debit', declined: { account_number: '000123450002' }, life: '2 minutes' },
  bank_transfer: { way: 'sepa_bank_transfer', declined: 'by the customer', life: '4 days' },
  card_redirect: { way: 'knet', declined: 'by the customer', life: '11 hours' },
  crypto: { way: 'crypto', declined: 'by the customer', life: '11 hours' },
  upi: { way: 'upi_collect', declined: { vpa_id: 'failure@upi' }, life: '11 hours' },
  voucher: { way: 'boleto', declined: 'by the customer', life: '4 days' },
  gift_card: { way: 'givex', declined: { number: '6036280000000000002' }, life: '11 hours' },
  reward: { way: 'reward', declined: 'by the customer', life: '11 hours' },
  real_time_payment: { way: 'fps', declined: 'by the customer', life: '11 hours' },
  open_banking: { way: 'open_banking_pis', declined: 'by the customer', life: '11 hours' },
  network_token: { way: 'network_token', declined: { network_token: '4000000000000002' }, life: '11 hours' },
  mobile_payment: { way: 'direct_carrier_billing', declined: { msisdn: '447700900002' }, life: '11 hours' },
}
const all = Object.entries(families) as [OtherFamily, (typeof families)[OtherFamily]][]

const answer = async (shop: Shop, payment: Body, verdict: 'approved' | 'declined'): Promise<Body> => {
  await shop.processor.decide(payment.connector_transaction_id, verdict)
  return shop.sync(payment.payment_id)
}

for (const [family, { way, declined, life }] of all) {
  test(`a ${family} payment succeeds, and can be partially refunded`, async () => {
    const shop = await openShop()
    const begun = await shop.pay(paidBy(family, way))
    deepEqual([begun.payment_method, begun.payment_method_type, begun.connector], [family, ways[family][way]![0], 'phonypay'])
    doesNotMatch(JSON.stringify([begun.payment_method_data, begun.customer, begun.metadata]), HIDDEN)
    if (begun.status === 'processing') await shop.wait('2 minutes')
    const ended = begun.next_action ? await answer(shop, begun, 'approved') : await shop.get(begun.payment_id)
    deepEqual([ended.status, ended.amount_received, ended.next_action, ended.error_code], ['succeeded', 1250, null, null])
    deepEqual([ended.fingerprint, ended.card_discovery, ended.network_transaction_id], [null, null, null])
    const back = await shop.refund(begun.payment_id, 500)
    equal(back.body.status, 'succeeded', back.text)
    deepEqual(
      (await shop.processor.charges()).map(({ captured, refunded }) => [captured, refunded]),
      [[1250, 500]],
    )
  })

  test(`a declined ${family} payment fails, and nothing is charged`, async () => {
    const shop = await openShop()
    const answered = declined === 'by the customer' ? {} : declined
    const begun = await shop.pay(paidBy(family, way, answered))
    if (begun.status === 'processing') await shop.wait('2 minutes')
    const ended = declined === 'by the customer' ? await answer(shop, begun, 'declined') : await shop.get(begun.payment_id)
    const code = declined === 'by the customer' ? 'rejected' : 'payment_declined'
    deepEqual([ended.status, ended.error_code, ended.unified_code, ended.next_action], ['failed', code, 'UE_1000', null])
    deepEqual(await shop.processor.charges(), [])
  })

  test(`a ${family} payment with a lost response is found by a poll, not sent again, and fails if the customer does not pay`, async () => {
    const shop = await openShop()
    await shop.processor.fault('authorize', 'reset_after')
    const unheard = await shop.pay(paidBy(family, way))
    deepEqual([unheard.status, unheard.next_action, unheard.error_code], ['processing', null, null])
    isRefused(await shop.confirm(unheard.payment_id, paidBy(family, way)), 400, 'IR_16')
    await shop.wait('2 minutes')
    const found = await shop.get(unheard.payment_id)
    if (found.status === 'succeeded') equal((await shop.processor.charges()).length, 1)
    else {
      equal(found.status, 'requires_customer_action')
      ok(found.next_action)
      await shop.wait(life)
      const { status, error_code } = await shop.get(unheard.payment_id)
      deepEqual([status, error_code], ['failed', 'not_paid'])
      deepEqual(await shop.processor.charges(), [])
    }
    equal((await shop.processor.operations()).length, 1, 'and it was asked for once')
  })
}

/**
 * The next action of each payment method, in the words of the interface; a payment method that is missing here has
 * none.
 */
const actions: Record<string, readonly string[]> = {
  redirect_to_url: [
    'skrill',
    'paypal_redirect',
    'klarna_redirect',
    'ideal',
    'bancontact_card',
    'pse',
    'crypto',
    'pay_safe_card',
    'reward',
    'momo_atm',
  ],
  redirect_inside_popup: ['breadpay_redirect'],
  qr_code_information: ['ali_pay_qr', 'swish_qr', 'pix', 'pix_qr', 'fps', 'qris'],
  fetch_qr_code_information: ['viet_qr'],
  display_bank_transfer_information: [
    'ach_bank_transfer',
    'sepa_bank_transfer',
    'bacs_bank_transfer',
    'multibanco_bank_transfer',
    'bni_va_bank_transfer',
  ],
  display_voucher_information: ['boleto', 'oxxo', 'lawson'],
  wait_screen_information: ['blik', 'upi_collect', 'pix_automatico_push'],
  collect_otp: ['direct_carrier_billing'],
  invoke_upi_intent_sdk: ['upi_intent'],
  invoke_upi_qr_flow: ['upi_qr'],
  third_party_sdk_session_token: ['open_banking', 'open_banking_pis'],
}

test('every payment method is accepted, and next_action has the type that belongs to the payment method', async () => {
  const shop = await openShop()
  for (const [family, way] of everyWay) {
    const { status, next_action, payment_method_data } = await shop.pay(paidBy(family, way))
    const [kind] = Object.entries(actions).find(([, some]) => some.includes(way)) ?? []
    if (kind) deepEqual([status, next_action?.type], ['requires_customer_action', kind], way)
    else ok(['succeeded', 'processing', 'requires_customer_action'].includes(status), way)
    doesNotMatch(JSON.stringify(payment_method_data), HIDDEN, way)
  }
})

test('each type of next_action contains its details: popup, QR code, bank transfer, voucher, wait screen, UPI, open banking', async () => {
  const shop = await openShop()
  const actionOf = async (family: OtherFamily, way: string) => {
    const payment = await shop.pay({ ...paidBy(family, way), return_url: 'https://shop.example/back' })
    const { type, ...rest } = payment.next_action
    return { payment, type, ...rest }
  }
  const popup = await actionOf('pay_later', 'breadpay_redirect')
  match(popup.popup_url, new RegExp(`^${shop.url}/payments/redirect/${popup.payment.payment_id}/`))
  match(popup.redirect_response_url, /\/redirect\/response\/phonypay\//)
  const page = await fetch(popup.popup_url, { redirect: 'manual' })
  match(page.headers.get('location') ?? '', /\/challenge\//)

  const code = await actionOf('real_time_payment', 'fps')
  match(code.image_data_url, /^data:image\/png;base64,/)
  match(code.raw_qr_data, /\/challenge\/auth_/)
  ok(code.display_to_timestamp > Date.now())
  const start = `${shop.url}/payments/redirect/${code.payment.payment_id}/${shop.merchant_id}/${code.payment.payment_id}_1`
  const nowhere = await fetch(start, { redirect: 'manual' })
  match(nowhere.headers.get('location') ?? '', /^https:\/\/shop\.example\/back/)

  const image = await fetch((await actionOf('real_time_payment', 'viet_qr')).qr_code_fetch_url)
  equal(image.headers.get('content-type'), 'image/png')

  const sepa = (await actionOf('bank_transfer', 'sepa_bank_transfer')).bank_transfer_steps_and_charges_details
  deepEqual(Object.keys(sepa.sepa_bank_instructions), ['account_holder_name', 'bic', 'country', 'iban', 'reference'])
  deepEqual(sepa.receiver, { amount_received: 0, amount_charged: null, amount_remaining: 1250 })
  const slip = (await actionOf('voucher', 'boleto')).voucher_details
  deepEqual([slip.digitable_line.length, slip.barcode.length, slip.download_url], [47, 44, null])
  ok(slip.expires_at > Date.now() && slip.instructions_url && slip.reference)
  const wait = await actionOf('bank_redirect', 'blik')
  deepEqual([wait.display_to_timestamp - wait.display_from_timestamp, wait.poll_config], [120e9, { delay_in_secs: 5, frequency: 60 }])
  match((await actionOf('upi', 'upi_intent')).sdk_uri, /^upi:\/\/pay\?/)
  match((await actionOf('upi', 'upi_qr')).qr_code_url, /^upi:\/\/pay\?/)
  const { session_token } = await actionOf('bank_redirect', 'open_banking')
  equal(session_token.wallet_name, 'open_banking')
  ok(session_token.open_banking_session_token)
})

test('a customer who returns from the bank is redirected to the shop with the status that the processor reports', async () => {
  const shop = await openShop()
  const payment = await shop.pay({ ...paidBy('bank_redirect', 'ideal'), return_url: 'https://shop.example/back' })
  const bank = (await fetch(payment.next_action.redirect_to_url, { redirect: 'manual' })).headers.get('location')!
  const accepted = await fetch(`${bank}/accept`, { method: 'POST', redirect: 'manual' })
  const back = await fetch(accepted.headers.get('location')!, { redirect: 'manual' })
  match(back.headers.get('location') ?? '', /^https:\/\/shop\.example\/back\?status=succeeded/)
  equal((await shop.get(payment.payment_id)).status, 'succeeded')
})

test('a webhook settles a voucher payment that was paid elsewhere', async () => {
  const shop = await openShop({ webhooks: 'on' })
  const { payment_id, connector_transaction_id } = await shop.pay(paidBy('voucher', 'oxxo'))
  await shop.processor.decide(connector_transaction_id, 'approved')
  await shop.processor.flushWebhooks()
  await shop.wait('1 second')
  equal((await shop.get(payment_id)).status, 'succeeded')
})

test('a wallet payment can be captured manually; manual capture of a bank transfer and a mandate set-up by Skrill are refused', async () => {
  const shop = await openShop()
  const held = await shop.pay({ ...paidBy('wallet', 'google_pay'), capture_method: 'manual' })
  equal(held.status, 'requires_capture')
  equal((await shop.capture(held.payment_id)).body.status, 'succeeded')
  isRefused(
    await shop.tryToPay({ ...paidBy('bank_transfer', 'pix'), capture_method: 'manual' }),
    400,
    'IR_39',
    /capture_method manual for payment_method bank_transfer/,
  )
  isRefused(
    await shop.tryToPay({ ...paidBy('wallet', 'skrill'), amount: 0, payment_type: 'setup_mandate' }),
    400,
    'IR_19',
    /set up payment_method_type skrill/,
  )
})

test('a payment that waits for a transfer is cancelled at the processor', async () => {
  const shop = await openShop()
  const { payment_id, connector_transaction_id } = await shop.pay(paidBy('bank_transfer', 'sepa_bank_transfer'))
  equal((await shop.cancel(payment_id)).body.status, 'cancelled')
  const [authorization] = await shop.processor.operations()
  deepEqual([authorization.id, authorization.status, authorization.decline.code], [connector_transaction_id, 'declined', 'voided'])
})

test('payment method data is stored encrypted until the confirm, which may replace it', async () => {
  const shop = await openShop()
  const { payment_id, status, payment_method_data } = await shop.create(paidBy('bank_debit', 'sepa_bank_debit'))
  equal(status, 'requires_confirmation')
  deepEqual(payment_method_data, { bank_debit: { sepa: { iban: '****3000', bank_account_holder_name: 'Ada Byron' } }, billing: null })
  for (const table of ['payments', 'changes', 'processor_operations']) {
    const rows = await shop.query(`select * from ${table} where merchant_id = $1`, [shop.merchant_id])
    doesNotMatch(JSON.stringify(rows), /3704|HIDDEN/)
  }
  equal((await shop.confirm(payment_id)).body.status, 'processing')
  const other = await shop.create(paidBy('bank_debit', 'sepa_bank_debit'))
  const paid = (await shop.confirm(other.payment_id, paidBy('wallet', 'google_pay'))).body
  deepEqual([paid.status, paid.payment_method], ['succeeded', 'wallet'])
  deepEqual(
    await shop.query('select record from vault_records where merchant_id = $1 and record like $2', [
      shop.merchant_id,
      `%${other.payment_id}`,
    ]),
    [],
    'the account that was not used is gone, and nothing needs the wallet again',
  )
})

test('responses show only masked details of each payment method', async () => {
  const shop = await openShop()
  const shown = async (family: OtherFamily, way: string) => (await shop.pay(paidBy(family, way))).payment_method_data
  const of = (family: string, data: object) => ({ [family]: data, billing: null })
  const nothing = { card_exp_month: null, card_exp_year: null, auth_code: null, email: null }
  deepEqual(
    await shown('wallet', 'google_pay'),
    of('wallet', { google_pay: { last4: '1111', card_network: 'VISA', type: 'CARD', ...nothing } }),
  )
  deepEqual(
    await shown('wallet', 'apple_pay'),
    of('wallet', { apple_pay: { last4: '4242', card_network: 'Visa', type: 'debit', ...nothing } }),
  )
  deepEqual(
    await shown('wallet', 'samsung_pay'),
    of('wallet', { samsung_pay: { last4: '1234', card_network: 'visa', type: null, ...nothing } }),
  )
  deepEqual(await shown('wallet', 'skrill'), of('wallet', {}))
  deepEqual(await shown('pay_later', 'klarna_sdk'), of('pay_later', { klarna_sdk: { payment_type: null } }))
  deepEqual(await shown('pay_later', 'affirm_redirect'), of('pay_later', { klarna_sdk: null }))
  deepEqual(await shown('bank_redirect', 'ideal'), of('bank_redirect', { type: 'BankRedirectResponse', bank_name: 'ing', interac: null }))
  deepEqual(
    await shown('bank_redirect', 'bancontact_card'),
    of('bank_redirect', {
      type: 'BankRedirectResponse',
      bank_name: null,
      interac: null,
      BancontactCard: { last4: '9015', card_exp_month: '03', card_exp_year: '2040', card_holder_name: 'Ada Byron' },
    }),
  )
  deepEqual(await shown('crypto', 'crypto'), of('crypto', { pay_currency: 'LTC', network: 'litecoin' }))
  deepEqual(await shown('upi', 'upi_collect'), of('upi', { upi_collect: { vpa_id: '****@upi', upi_source: 'UPI_CC' } }))
  deepEqual(await shown('gift_card', 'givex'), of('gift_card', { givex: { last4: '0000' } }))
  deepEqual(await shown('voucher', 'oxxo'), of('voucher', { oxxo: {} }))
  equal(await shown('reward', 'reward'), 'reward')
})

test('a payment method outside allowed_payment_method_types is refused at create and at confirm', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.create({
    payment_method: undefined,
    payment_method_data: undefined,
    allowed_payment_method_types: ['ideal', 'debit'],
  })
  isRefused(await shop.confirm(payment_id, paidBy('wallet', 'skrill')), 422, 'IR_06', /skrill is not among allowed_payment_method_types/)
  const card = (await shop.confirm(payment_id, shop.payBody({ payment_method_type: 'credit', confirm: undefined }))) as Body
  isRefused(card as never, 422, 'IR_06', /credit is not among/)
  equal((await shop.confirm(payment_id, paidBy('bank_redirect', 'ideal'))).body.status, 'requires_customer_action')
  isRefused(await shop.tryToPay({ allowed_payment_method_types: ['ideal'] }), 422, 'IR_06', /card is not among/)
  equal((await shop.pay({ allowed_payment_method_types: ['debit'] })).status, 'succeeded')
})

test('a payment whose allowed_payment_method_types no account accepts is refused at create', async () => {
  const shop = await openShop({ connector: 'stripe' })
  const create = (...allowed_payment_method_types: string[]) =>
    shop.post('/payments', { amount: 1250, currency: 'EUR', allowed_payment_method_types })
  isRefused(await create('knet', 'benefit'), 400, 'IR_39', /allowed_payment_method_types/)
  equal((await create('knet', 'ideal')).body.status, 'requires_payment_method')
})

test('a payment method without details may be given by its name alone', async () => {
  const shop = await openShop()
  const say = (payment_method: string, payment_method_type: string, payment_method_data: unknown) =>
    shop.pay({ payment_method, payment_method_type, payment_method_data })
  equal((await say('reward', 'evoucher', 'reward')).payment_method_data, 'reward')
  deepEqual((await say('voucher', 'efecty', { voucher: 'efecty' })).payment_method_data, { voucher: { efecty: {} }, billing: null })
  for (const data of ['card', { voucher: 'boleto' }, { wallet: 'skrill_' }])
    isRefused(await shop.tryToPay({ payment_method: 'voucher', payment_method_type: 'boleto', payment_method_data: data }), 400, 'IR_06')
})

test('invalid payment method data is refused with the name of the field, and nothing is sent to the processor', async () => {
  const shop = await openShop()
  const data = (family: OtherFamily, type: string, inside: unknown): Body => ({
    payment_method: family,
    payment_method_type: type,
    payment_method_data: { [family]: inside },
  })
  const account = { account_number: '000123456789' }
  const wrong: [ask: Body, status: number, code: string, says: RegExp][] = [
    [
      data('bank_debit', 'sepa', { sepa_bank_debit: { iban: 'DE00370400440532013000' } }),
      400,
      'IR_16',
      /sepa_bank_debit\.iban is not a valid IBAN/,
    ],
    [data('bank_debit', 'sepa', { sepa_bank_debit: {} }), 400, 'IR_06', /sepa_bank_debit\.iban/],
    [
      data('bank_debit', 'ach', { ach_bank_debit: { ...account, routing_number: '12' } }),
      400,
      'IR_16',
      /routing_number must have 9 digits/,
    ],
    [
      data('bank_debit', 'ach', { sepa_bank_debit: { iban: 'DE89370400440532013000' } }),
      422,
      'IR_06',
      /does not belong to payment_method_type ach/,
    ],
    // A method that clients give under another name is refused by that name.
    [data('real_time_payment', 'fps', { duit_now_qr: {} }), 422, 'IR_06', /: duit_now_qr does not belong to payment_method_type fps/],
    [
      data('bank_redirect', 'ideal', { open_banking_pis: {} }),
      422,
      'IR_06',
      /: open_banking_pis does not belong to payment_method_type ideal/,
    ],
    [data('bank_redirect', 'ideal', {}), 400, 'IR_04', /payment_method_data\.bank_redirect/],
    [data('bank_redirect', 'ideal', { ideal: {}, eps: {} }), 422, 'IR_06', /ideal and eps/],
    [data('bank_redirect', 'ideal', { ideal: { bank_name: 'piggy_bank' } }), 400, 'IR_06', /bank_redirect\.ideal\.bank_name/],
    [data('bank_redirect', 'blik', { blik: { blik_code: '12' } }), 400, 'IR_16', /blik_code must have 6 digits/],
    [
      data('bank_redirect', 'bancontact_card', { bancontact_card: { card_number: '4929123456789016' } }),
      400,
      'IR_06',
      /bancontact_card\.card_number/,
    ],
    [data('upi', 'upi_collect', { upi_collect: { vpa_id: 'nobody' } }), 400, 'IR_16', /vpa_id must look like name@bank/],
    [data('wallet', 'mifinity', { mifinity: { date_of_birth: '1990-02-30' } }), 400, 'IR_16', /date_of_birth must be a date/],
    [data('wallet', 'google_pay', { google_pay: { type: 'CARD' } }), 400, 'IR_06', /google_pay\.description/],
    [paidBy('wallet', 'google_pay', { tokenization_data: { type: 'DIRECT' } }), 400, 'IR_06', /tokenization_data\.token/],
    [
      paidBy('wallet', 'google_pay_decrypted', { tokenization_data: { cryptogram: 'AAAA' } }),
      400,
      'IR_06',
      /application_primary_account_number/,
    ],
    [paidBy('wallet', 'apple_pay', { payment_data: {} }), 400, 'IR_06', /apple_pay\.payment_data/],
    [paidBy('wallet', 'apple_pay', { payment_data: 'x'.repeat(20_001) }), 422, 'IR_06', /apple_pay\.payment_data/],
    [{ ...paidBy('wallet', 'skrill'), payment_method_type: 'ideal' }, 422, 'IR_06', /payment_method_type/],
    [{ ...paidBy('wallet', 'skrill'), payment_method_type: undefined }, 400, 'IR_04', /payment_method_type/],
    [{ ...paidBy('wallet', 'skrill'), payment_method: 'card' }, 422, 'IR_06', /wallet does not belong to payment_method card/],
    [{ ...paidBy('wallet', 'skrill'), payment_experience: 'display_qr_code' }, 422, 'IR_06', /payment_experience/],
    [
      { ...paidBy('crypto', 'crypto', { pay_currency: '4242424242424242' }) },
      400,
      'IR_06',
      /crypto\.pay_currency looks like a card number/,
    ],
  ]
  for (const [ask, status, code, names] of wrong) isRefused(await shop.tryToPay(ask), status, code, names)
  deepEqual(await shop.processor.operations(), [])
  equal(
    (await shop.pay({ ...paidBy('wallet', 'paypal_redirect'), payment_experience: 'redirect_to_url' })).status,
    'requires_customer_action',
  )
})

test('unknown members of payment method data are accepted, a method that cannot be saved is not, and its type may come later', async () => {
  const shop = await openShop()
  const accepted = { acceptance_type: 'offline' }
  const wished = {
    customer_id: 'cus_1',
    setup_future_usage: 'off_session',
    mandate_data: { customer_acceptance: accepted, mandate_type: { multi_use: { amount: 5000, currency: 'EUR' } } },
  }
  const ideal = { ideal: { bank_name: 'ing', preferred_language: 'en', country: 'NL', some_day: { more: 1 } } }
  const asked = { ...paidBy('bank_redirect', 'ideal'), payment_method_data: { bank_redirect: ideal }, currency: 'EUR' }
  // A mandate that no account could charge is refused; without an acceptance none is requested.
  isRefused(await shop.tryToPay({ ...asked, ...wished }), 400, 'IR_39', /ideal for off-session payments/)
  const paid = await shop.pay({ ...asked, ...wished, mandate_data: undefined })
  deepEqual([paid.status, paid.payment_method_id, paid.mandate_id], ['requires_customer_action', null, null])
  const number = { payment_method_data: { bank_redirect: { ideal: { bank_name: 'ing', more: '4242424242424242' } } } }
  isRefused(await shop.tryToPay({ ...asked, ...number }), 400, 'IR_06', /looks like a card number/)
  equal((await shop.pay({ payment_method_data: { card: { ...card().card, token_of_mine: 'x' } } })).status, 'succeeded')
  const later = await shop.create({ payment_method: 'bank_redirect', payment_method_data: undefined, currency: 'EUR' })
  deepEqual([later.status, later.payment_method, later.payment_method_type], ['requires_payment_method', 'bank_redirect', null])
  isRefused(
    await shop.confirm(later.payment_id, { payment_method: 'bank_redirect', payment_method_data: { bank_redirect: ideal } }),
    400,
    'IR_04',
  )
  equal((await shop.confirm(later.payment_id, asked)).body.status, 'requires_customer_action')
})
