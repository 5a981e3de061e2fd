import { deepEqual, doesNotMatch, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { adyenOffers } from '../../src/connectors/adyen/offers.ts'
import type { OtherFamily } from '../../src/connectors/instrument.ts'
import type { Offer } from '../../src/connectors/offer.ts'
import { isRefused } from '../refused.ts'
import { type Body, openShop, type Shop } from '../shop.ts'
import { walk } from '../walk.ts'
import { HIDDEN, paidBy } from '../ways.ts'

/**
 * A merchant with an Adyen account, whose customers pay by all payment methods but cards: the next actions, the
 * results, and the refusals before anything is sent.
 */

const openAdyenShop = (more: Parameters<typeof openShop>[0] = {}) => openShop({ connector: 'adyen', webhooks: 'on', ...more })
/** Lets the webhooks that are due arrive. */
const delivered = (shop: Shop) => shop.processor.advance(0)

/** 12.00 of a currency with two decimals; for a currency with fewer decimals at Adyen, whole units. */
const AMOUNT = 1200

const address = { first_name: 'Ada', last_name: 'Byron', line1: '1 Way', city: 'Here', zip: '12345' }

/**
 * Gives a payment with everything that an offer of a payment method may require, in a currency and a country that it
 * allows.
 */
function asked(type: keyof typeof adyenOffers, way: string, more: Body = {}, data: Body = {}): Body {
  const row: Offer = adyenOffers[type]
  const there = { ...address, country: row.countries?.[0] ?? 'NL' }
  return {
    ...paidBy(row.family as OtherFamily, way, data),
    amount: AMOUNT,
    currency: row.currencies?.[0] ?? 'EUR',
    return_url: 'https://shop.example/back',
    email: 'ada@example.com',
    billing: { address: there, phone: { number: '612345678', country_code: '+31' }, email: 'ada@example.com' },
    shipping: { address: there, phone: { number: '612345678', country_code: '+31' } },
    order_details: [{ product_name: 'Chair', quantity: 2, amount: AMOUNT / 2 }],
    ...more,
  }
}

const everyRow = Object.entries(adyenOffers).flatMap(([type, { ways }]) =>
  Object.keys(ways).map(way => [type as keyof typeof adyenOffers, way] as const),
)

/** The next action of each payment method; `nothing` for one that is decided without the customer. */
const doing: Partial<Record<string, string>> = {
  qr_code_information: 'we_chat_pay_qr swish_qr pix duit_now prompt_pay',
  wait_screen_information: 'mb_way_redirect blik',
  display_voucher_information: 'boleto oxxo alfamart indomaret seven_eleven lawson mini_stop family_mart seicomart pay_easy',
  display_bank_transfer_information: `sepa_bank_transfer multibanco_bank_transfer permata_bank_transfer bca_bank_transfer bni_va_bank_transfer
    bri_va_bank_transfer cimb_va_bank_transfer danamon_va_bank_transfer mandiri_va_bank_transfer`,
  nothing: `network_token google_pay apple_pay google_pay_decrypted apple_pay_decrypted samsung_pay givex ach_bank_debit sepa_bank_debit
    bacs_bank_debit becs_bank_debit`,
}
const actionOf = (way: string): string =>
  Object.entries(doing).find(([, ways]) => ways!.split(/\s+/).includes(way))?.[0] ?? 'redirect_to_url'

/** Carries out the next action as the customer, and lets Adyen's webhooks arrive. Gives the payment. */
async function ending(shop: Shop, payment: Body, how: 'approved' | 'declined'): Promise<Body> {
  const action = payment.next_action
  if (action?.type === 'redirect_to_url') await walk(shop, payment, how === 'approved' ? 'accept' : 'reject')
  else if (action) await shop.processor.decide(payment.connector_transaction_id, how)
  else await shop.processor.advance(61)
  await delivered(shop)
  return shop.get(payment.payment_id)
}

test('every payment method is accepted, shown and paid, and refunded where it can be refunded', async () => {
  const shop = await openAdyenShop()
  for (const [type, way] of everyRow) {
    const begun = await shop.pay(asked(type, way) as Body)
    const expected = actionOf(way)
    deepEqual([begun.payment_method_type, begun.connector], [type, 'adyen'], way)
    equal(
      begun.next_action?.type ?? 'nothing',
      expected,
      `${way}: ${begun.error_message} (the sandbox knows what sandbox/dialects/adyen-methods.ts lists)`,
    )
    doesNotMatch(JSON.stringify([begun.payment_method_data, begun.next_action]), HIDDEN)
    const paid = await ending(shop, begun, 'approved')
    deepEqual([paid.status, paid.amount_received, paid.next_action, paid.error_code], ['succeeded', AMOUNT, null, null], way)
    const refund = await shop.refund(begun.payment_id, 400)
    if ((adyenOffers[type] as Offer).refunds === false) isRefused(refund, 400, 'IR_20', /refund/)
    else {
      equal(refund.status, 200, `${way}: ${refund.text}`)
      await delivered(shop)
      equal((await shop.getRefund(refund.body.refund_id)).status, 'succeeded', way)
    }
  }
  equal((await shop.processor.charges()).length, everyRow.length)
})

test('a payment that the customer or their bank declines fails, and nothing is charged', async () => {
  const shop = await openAdyenShop()
  for (const [type, way] of [
    ['ideal', 'ideal'],
    ['klarna', 'klarna_redirect'],
    ['blik', 'blik'],
    ['pix', 'pix'],
    ['oxxo', 'oxxo'],
    ['multibanco', 'multibanco_bank_transfer'],
    ['knet', 'knet'],
  ] as const) {
    const failed = await ending(shop, await shop.pay(asked(type, way)), 'declined')
    deepEqual([failed.status, failed.error_message, failed.next_action], ['failed', 'Shopper Cancelled', null], way)
  }
  // Accounts and tokens behave as the card with the same ending.
  for (const [type, way, data] of [
    ['google_pay', 'google_pay', { tokenization_data: { type: 'PAYMENT_GATEWAY', token: 'TOKEN_OF_0002' } }],
    ['sepa', 'sepa_bank_debit', { iban: ibanOf('500105175400000002') }],
    ['ach', 'ach_bank_debit', { account_number: '000123450002' }],
    ['givex', 'givex', { number: '6036280000000000002' }],
  ] as const) {
    const failed = await ending(shop, await shop.pay(asked(type, way, {}, data)), 'approved')
    deepEqual([failed.status, failed.error_code, failed.error_message], ['failed', '2', 'Refused'], way)
  }
  deepEqual(await shop.processor.charges(), [])
})

/** Gives a German IBAN with its check digits (ISO 13616). */
function ibanOf(account: string): string {
  const rest = [...`${account}131400`].reduce((sum, digit) => (sum * 10 + Number(digit)) % 97, 0)
  return `DE${String(98 - rest).padStart(2, '0')}${account}`
}

test('a customer who pays at the bank and does not return has paid; one who returns late is charged once', async () => {
  const shop = await openAdyenShop()
  const begun = await shop.pay(asked('ideal', 'ideal'))
  const start = await fetch(begun.next_action.redirect_to_url, { redirect: 'manual' })
  const answer = await fetch(`${start.headers.get('location')}/accept`, { method: 'POST', redirect: 'manual' })
  equal((await shop.get(begun.payment_id)).status, 'requires_customer_action')
  await delivered(shop)
  equal((await shop.get(begun.payment_id)).status, 'succeeded')
  const home = await fetch(answer.headers.get('location')!, { redirect: 'manual' })
  equal(new URL(home.headers.get('location')!).searchParams.get('status'), 'succeeded')
  deepEqual(
    (await shop.processor.charges()).map(({ captured }) => captured),
    [AMOUNT],
  )
})

test('an abandoned payment fails when Adyen reports that it has expired', async () => {
  const shop = await openAdyenShop()
  const begun = await Promise.all(
    (
      [
        ['ideal', 'ideal'],
        ['swish', 'swish_qr'],
        ['mb_way', 'mb_way_redirect'],
      ] as const
    ).map(([type, way]) => shop.pay(asked(type, way))),
  )
  const slips = await Promise.all(
    (
      [
        ['oxxo', 'oxxo'],
        ['sepa_bank_transfer', 'sepa_bank_transfer'],
      ] as const
    ).map(([type, way]) => shop.pay(asked(type, way))),
  )
  await shop.wait('11 hours')
  for (const { payment_id } of begun) {
    const { status, error_code } = await shop.get(payment_id)
    deepEqual([status, error_code], ['failed', 'OFFER_CLOSED'])
  }
  for (const { payment_id } of slips) equal((await shop.get(payment_id)).status, 'requires_customer_action')
  await shop.wait('4 days')
  for (const { payment_id } of slips) equal((await shop.get(payment_id)).status, 'failed')
  deepEqual(await shop.processor.charges(), [])
})

test('a payment that is cancelled before it is paid or captured is not charged', async () => {
  const shop = await openAdyenShop()
  for (const [type, way] of [
    ['oxxo', 'oxxo'],
    ['ideal', 'ideal'],
    ['swish', 'swish_qr'],
  ] as const) {
    const { payment_id } = await shop.pay(asked(type, way))
    equal((await shop.cancel(payment_id)).status, 200, way)
    await delivered(shop)
    equal((await shop.get(payment_id)).status, 'cancelled', way)
  }
  const held = await ending(shop, await shop.pay(asked('twint', 'twint_redirect', { capture_method: 'manual' })), 'approved')
  equal(held.status, 'requires_capture')
  equal((await shop.cancel(held.payment_id)).status, 200)
  await delivered(shop)
  equal((await shop.get(held.payment_id)).status, 'cancelled')
  deepEqual(
    (await shop.processor.charges()).map(({ captured, status }) => [captured, status]),
    [[0, 'voided']],
  )
})

test('an approval whose response is lost arrives by webhook, sent twice, and nothing is charged twice', async () => {
  const shop = await openAdyenShop()
  for (const [type, way] of [
    ['google_pay', 'google_pay'],
    ['sepa', 'sepa_bank_debit'],
    ['ach', 'ach_bank_debit'],
  ] as const) {
    await shop.processor.account({ webhooks: 'hold' })
    await shop.processor.fault('authorize', 'reset_after', { times: 2 })
    const silent = await shop.pay(asked(type, way))
    deepEqual([silent.status, silent.error_code], ['processing', null], way)
    await shop.processor.account({ webhooks: 'duplicate' })
    await shop.processor.flushWebhooks()
    await shop.processor.advance(61)
    equal((await shop.get(silent.payment_id)).status, 'succeeded', way)
  }
  equal((await shop.processor.charges()).length, 3)
})

test('a redirect URL whose response is lost is requested again under the same key; lost twice, the payment fails', async () => {
  const shop = await openAdyenShop()
  await shop.processor.fault('authorize', 'reset_after')
  const found = await shop.pay(asked('ideal', 'ideal'))
  equal(found.next_action.type, 'redirect_to_url')
  equal((await ending(shop, found, 'approved')).status, 'succeeded')
  await shop.processor.fault('authorize', 'reset_after', { times: 2 })
  const lost = await shop.pay(asked('ideal', 'ideal'))
  deepEqual([lost.status, lost.next_action], ['processing', null])
  await shop.wait('11 hours')
  equal((await shop.get(lost.payment_id)).status, 'failed')
  equal((await shop.processor.charges()).length, 1)
})

test('a direct debit is processing until it is approved; a later return by the bank is a lost dispute', async () => {
  const shop = await openAdyenShop()
  const begun = await shop.pay(asked('sepa', 'sepa_bank_debit'))
  deepEqual([begun.status, begun.next_action, begun.amount_received], ['processing', null, null])
  const paid = await ending(shop, begun, 'approved')
  equal(paid.status, 'succeeded')
  await shop.processor.call('POST', `/control/payments/${paid.connector_transaction_id}/dispute`, { stage: 'chargeback' })
  await delivered(shop)
  const returned = await shop.get(begun.payment_id)
  deepEqual(
    returned.disputes.map((dispute: Body) => [dispute.dispute_stage, dispute.dispute_status]),
    [['dispute', 'dispute_lost']],
  )
  equal(returned.state_metadata.total_disputed_amount, AMOUNT)
})

test('a direct debit whose collection fails after its approval requires review', async () => {
  const shop = await openAdyenShop()
  const paid = await ending(shop, await shop.pay(asked('bacs', 'bacs_bank_debit')), 'approved')
  equal(paid.status, 'succeeded')
  const notification = { payment: paid.connector_transaction_id, eventCode: 'CAPTURE_FAILED' }
  await shop.processor.call('POST', '/control/adyen/notifications', notification)
  const failed = await shop.get(paid.payment_id)
  deepEqual([failed.status, failed.error_code], ['review', 'CAPTURE_FAILED'])
})

test('a refund whose response is lost is resent and made once, also after a further capture', async () => {
  const shop = await openAdyenShop({ sandboxKey: `sandbox_multi_again_${process.pid}` })
  const { payment_id } = await shop.pay(asked('klarna', 'klarna_redirect', { capture_method: 'manual_multiple' }))
  await ending(shop, await shop.get(payment_id), 'approved')
  await shop.capture(payment_id, 500)
  await delivered(shop)
  await shop.processor.account({ webhooks: 'off' })
  await shop.processor.fault('refund', 'reset_after')
  await shop.refund(payment_id, 500)
  await shop.processor.account({ webhooks: 'send' })
  await shop.capture(payment_id, 700)
  await delivered(shop)
  equal((await shop.get(payment_id)).amount_received, AMOUNT)
  await shop.wait('1 minute')
  const { data } = (await shop.call('GET', `/payments/${payment_id}/operations`)).body
  const refund = data.find(({ verb }: Body) => verb === 'refund')
  deepEqual([refund.state, refund.reference !== null], ['waiting', true])
  deepEqual(
    (await shop.processor.charges()).map(({ captured, refunded }) => [captured, refunded]),
    [[AMOUNT, 500]],
  )
})

test('Klarna authorizes, and is captured and refunded in parts; order lines that do not match are declined', async () => {
  const shop = await openAdyenShop({ sandboxKey: `sandbox_multi_klarna_${process.pid}` })
  const held = await shop.pay(asked('klarna', 'klarna_redirect', { capture_method: 'manual_multiple' }))
  const open = await ending(shop, held, 'approved')
  deepEqual([open.status, open.amount_capturable], ['requires_capture', AMOUNT])
  for (const part of [700, 500]) {
    equal((await shop.capture(held.payment_id, part)).status, 200)
    await delivered(shop)
  }
  const taken = await shop.get(held.payment_id)
  deepEqual([taken.status, taken.amount_received], ['succeeded', AMOUNT])
  for (const part of [400, 800]) {
    const { body } = await shop.refund(held.payment_id, part)
    await delivered(shop)
    equal((await shop.getRefund(body.refund_id)).status, 'succeeded')
  }
  const sent = asked('klarna', 'klarna_redirect', { shipping_cost: 100, order_tax_amount: 50, surcharge_details: { surcharge_amount: 20 } })
  const withShipping = await ending(shop, await shop.pay(sent), 'approved')
  deepEqual([withShipping.status, withShipping.amount_received], ['succeeded', AMOUNT + 170])
  const off = asked('klarna', 'klarna_redirect', { order_details: [{ product_name: 'Chair', quantity: 1, amount: 1 }] })
  const refused = await shop.pay(off)
  deepEqual([refused.status, refused.error_message], ['failed', 'Refused'])
})

test('a payment that Adyen would reject is refused with an error that names the problem, and nothing is sent', async () => {
  const shop = await openAdyenShop()
  const refused: [ask: Body, says: RegExp][] = [
    [asked('ideal', 'ideal', { currency: 'USD' }), /ideal.* in USD/],
    [asked('ideal', 'ideal', { billing: { address: { ...address, country: 'DE' } } }), /ideal for payers in DE/],
    [asked('ideal', 'ideal', { capture_method: 'manual' }), /capture_method manual/],
    [asked('klarna', 'klarna_redirect', { order_details: undefined }), /order_details/],
    [asked('vipps', 'vipps_redirect', { billing: { address: { ...address, country: 'NO' } } }), /billing\.phone/],
    [asked('affirm', 'affirm_redirect', { shipping: undefined }), /shipping\.address/],
    [{ ...asked('ideal', 'ideal'), ...paidBy('bank_redirect', 'giropay') }, /giropay/],
    [{ ...asked('paypal', 'paypal_redirect'), ...paidBy('wallet', 'mifinity') }, /mifinity/],
  ]
  for (const [ask, message] of refused) isRefused(await shop.tryToPay(ask), 400, 'IR_39', message)
  deepEqual(await shop.processor.operations(), [])
})

test('a checkout is offered only the payment methods of its account, country and currency', async () => {
  const shop = await openAdyenShop()
  const { client_secret } = await shop.create({ currency: 'EUR', billing: { address: { ...address, country: 'NL' } } })
  const answer = await shop.call('GET', `/account/payment_methods?client_secret=${client_secret}`)
  equal(answer.status, 200, answer.text)
  const types = answer.body.payment_methods.flatMap((one: Body) => one.payment_method_types.map((type: Body) => type.payment_method_type))
  for (const type of ['ideal', 'klarna', 'sepa', 'google_pay', 'paypal']) ok(types.includes(type), type)
  for (const type of ['blik', 'vipps', 'pix', 'knet', 'giropay']) ok(!types.includes(type), type)
})

/** The members of a payment whose customer agrees to later charges. */
const agreeing = {
  customer_id: 'cus_ada',
  setup_future_usage: 'off_session',
  customer_acceptance: { acceptance_type: 'online', online: { ip_address: '203.0.113.7', user_agent: 'Mozilla/5.0' } },
}
const chargedBy = (payment_method_id: string, more: Body = {}): Body => ({
  payment_method: undefined,
  payment_method_type: undefined,
  payment_method_data: undefined,
  customer_id: 'cus_ada',
  off_session: true,
  recurring_details: { type: 'payment_method_id', data: payment_method_id },
  amount: 700,
  ...more,
})
const recurringRows = everyRow.filter(([type]) => (adyenOffers[type] as Offer).recurring !== undefined)
/** Gives the order lines, which a lender requires for each charge. */
const linesOf = (type: string, amount: number): Body =>
  type === 'klarna' ? { order_details: [{ product_name: 'Chair', quantity: 1, amount }] } : {}

test('a saved payment method is charged later off-session, for every payment method that Adyen can charge again', async () => {
  for (const [type, way] of recurringRows) {
    const shop = await openAdyenShop()
    const begun = await shop.pay(asked(type, way, agreeing))
    const first = await ending(shop, begun, 'approved')
    deepEqual([first.status, first.payment_method_status], ['succeeded', 'active'], `${way} ${first.error_message}`)
    ok(first.connector_mandate_id, way)
    const charge = chargedBy(first.payment_method_id, { currency: first.currency, ...linesOf(type, 700) })
    const later = await ending(shop, await shop.pay(charge), 'approved')
    deepEqual(
      [later.status, later.amount_received, later.payment_method_type, later.next_action],
      ['succeeded', 700, type, null],
      `${way} ${later.error_message}`,
    )
    doesNotMatch(
      JSON.stringify([later.payment_method_data, (await shop.call('GET', `/payment_methods/${first.payment_method_id}`)).body]),
      HIDDEN,
    )
    deepEqual(
      (await shop.processor.charges()).map(({ by }) => by),
      [undefined, 'mandate'],
      way,
    )
  }
})

test('a mandate reference that arrives later by webhook is stored; until then off-session charges are refused', async () => {
  const shop = await openAdyenShop()
  await shop.processor.account({ webhooks: 'hold' })
  const begun = await shop.pay(asked('paypal', 'paypal_redirect', agreeing))
  await walk(shop, begun, 'accept')
  const paid = await shop.get(begun.payment_id)
  deepEqual([paid.status, paid.connector_mandate_id], ['succeeded', null])
  const charge = chargedBy(paid.payment_method_id, { currency: paid.currency })
  isRefused(await shop.tryToPay(charge), 400, 'IR_39', /off-session/)
  await shop.processor.account({ webhooks: 'duplicate' })
  await shop.processor.flushWebhooks()
  await delivered(shop)
  ok((await shop.get(begun.payment_id)).connector_mandate_id)
  equal((await shop.pay(charge)).status, 'succeeded')
  equal((await shop.processor.charges()).length, 2)
})

test('a payment method that cannot be charged again is refused for off-session use, and nothing is sent', async () => {
  const shop = await openAdyenShop()
  const others = everyRow.filter(([type]) => (adyenOffers[type] as Offer).recurring === undefined)
  for (const [type, way] of others)
    isRefused(
      await shop.tryToPay(asked(type, way, agreeing)),
      400,
      'IR_39',
      new RegExp(`payment_method_type ${type} for off-session payments`),
    )
  isRefused(await shop.tryToPay(asked('ideal', 'ideal', { ...agreeing, amount: 0 })), 400, 'IR_19', /ideal without a charge/)
  isRefused(await shop.tryToPay(asked('sepa', 'sepa_bank_debit', { ...agreeing, tokenization: 'skip_psp' })), 400, 'IR_16', /skip_psp/)
  deepEqual(await shop.processor.operations(), [])
})

test('a payment of 0 sets up a payment method, which is charged later', async () => {
  for (const [type, way] of recurringRows.filter(([type]) => (adyenOffers[type] as Offer).setUp)) {
    const shop = await openAdyenShop()
    const set = await ending(
      shop,
      await shop.pay(asked(type, way, { ...agreeing, amount: 0, order_details: undefined, ...linesOf(type, 0) })),
      'approved',
    )
    deepEqual([set.status, set.amount, set.payment_method_status], ['succeeded', 0, 'active'], `${way} ${set.error_message}`)
    const later = await shop.pay(chargedBy(set.payment_method_id, { currency: set.currency, ...linesOf(type, 700) }))
    equal((await ending(shop, later, 'approved')).status, 'succeeded', way)
  }
})
