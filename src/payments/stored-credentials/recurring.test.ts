import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { addAccount } from '../../../test/merchant.ts'
import { openReceiver } from '../../../test/receiver.ts'
import { isRefused } from '../../../test/refused.ts'
import { type Body, card, cards, http, openShop, type Shop } from '../../../test/shop.ts'
import { countCharge, giveBackCharge } from '../../payment-methods/charge.ts'
import { needMandate } from '../../payment-methods/mandate.ts'

const MASTERCARD = '5555555555554444'
const CHALLENGED = '4000002760003184'
const CUSTOMER = 'cus_grace'
const accepted = { acceptance_type: 'offline', accepted_at: '2026-01-01T00:00:00.000Z' }
const onSession = { customer_id: CUSTOMER, setup_future_usage: 'on_session', customer_acceptance: accepted }
const offSession = { ...onSession, setup_future_usage: 'off_session' }
const limits = { amount: 3000, currency: 'USD' }
const mandateData = (mandate_type: Body): Body => ({ ...offSession, mandate_data: { customer_acceptance: accepted, mandate_type } })

/** Gives a charge without the customer: by the named consent, without card data. */
const repeated = (by: Body): Body => ({
  customer_id: CUSTOMER,
  off_session: true,
  payment_method: undefined,
  payment_method_data: undefined,
  ...by,
})
const byMethod = (data: string): Body => repeated({ recurring_details: { type: 'payment_method_id', data } })

const listed = async (shop: Shop): Promise<Body[]> =>
  (await shop.call('GET', `/customers/${CUSTOMER}/payment_methods`)).body.customer_payment_methods
const charges = (shop: Shop) => shop.processor.charges()
const promises = (shop: Shop) => shop.query('select * from payment_follow_ups where merchant_id = $1', [shop.merchant_id])

test('a card is saved by an on_session payment, and can then be charged by token, but not off-session', async () => {
  const shop = await openShop()
  const paid = await shop.pay(onSession)
  deepEqual(
    [paid.status, paid.payment_method_status, paid.setup_future_usage, paid.card_discovery],
    ['succeeded', 'active', 'on_session', 'manual'],
  )
  const [saved, ...none] = (await listed(shop)) as [Body]
  deepEqual([saved.payment_method_id, saved.card.last4_digits, saved.default_payment_method_set], [paid.payment_method_id, '4242', true])
  deepEqual([saved.recurring_enabled, none], [false, []])
  deepEqual(await promises(shop), [])
  const again = await shop.pay({ customer_id: CUSTOMER, payment_method_data: undefined, payment_token: saved.payment_token })
  deepEqual([again.status, again.payment_method_id, again.card_discovery], ['succeeded', paid.payment_method_id, 'saved_card'])
  isRefused(await shop.tryToPay(byMethod(paid.payment_method_id)), 400, 'IR_16', /off_session/)
})

test('a card is saved by a hold and by a payment after a challenge too; the same card is saved as one payment method', async () => {
  const shop = await openShop()
  const held = await shop.hold(offSession)
  const [saved] = (await listed(shop)) as [Body]
  deepEqual([held.status, held.payment_method_id, saved.recurring_enabled], ['requires_capture', saved.payment_method_id, true])
  const twice = await Promise.all([1, 2, 3].map(() => shop.pay({ ...offSession, payment_method_data: card(MASTERCARD) })))
  equal(new Set(twice.map(one => one.payment_method_id)).size, 1)
  equal((await shop.pay(offSession)).payment_method_id, saved.payment_method_id)
  deepEqual((await listed(shop)).map(one => one.card.last4_digits).sort(), ['4242', '4444'])

  const challenged = await shop.pay({ ...offSession, card: CHALLENGED, authentication_type: 'three_ds' })
  deepEqual([challenged.status, challenged.payment_method_status], ['requires_customer_action', 'processing'])
  equal((await listed(shop)).length, 2, 'nothing is saved before it is paid')
  const page = (await http('GET', challenged.next_action.redirect_to_url)).headers.location as string
  const back = (await http('POST', `${page}/accept`, '')).headers.location as string
  await http('GET', back)
  const paid = await shop.get(challenged.payment_id)
  deepEqual([paid.status, paid.payment_method_status], ['succeeded', 'active'])
  equal((await listed(shop)).length, 3)
})

test('no card is saved by a failed payment, or without customer_acceptance', async () => {
  const shop = await openShop()
  const failed = await shop.pay({ ...offSession, card: cards.declines })
  deepEqual([failed.status, failed.payment_method_status], ['failed', 'inactive'])
  isRefused(await shop.call('GET', `/payment_methods/${failed.payment_method_id}`), 404, 'HE_02')
  for (const setup_future_usage of ['on_session', 'off_session']) {
    const plain = await shop.pay({ customer_id: CUSTOMER, setup_future_usage, customer_acceptance: null })
    deepEqual([plain.status, plain.payment_method_id, plain.payment_method_status], ['succeeded', null, null])
  }
  isRefused(await shop.call('GET', `/customers/${CUSTOMER}/payment_methods`), 404, 'HE_02')
  deepEqual(await promises(shop), [])
})

test('invalid requests to save a card, create a mandate or charge off-session are refused, and nothing is charged', async () => {
  const shop = await openShop()
  const refused = async (ask: Body, status: number, code: string, names: RegExp) => isRefused(await shop.tryToPay(ask), status, code, names)
  await refused({ ...onSession, customer_id: undefined }, 400, 'IR_16', /guest/)
  const unaccepted = { mandate_data: { mandate_type: { single_use: limits } }, customer_acceptance: null }
  await refused({ ...offSession, ...unaccepted }, 400, 'IR_04', /customer_acceptance/)
  await refused({ ...mandateData({ single_use: limits }), setup_future_usage: 'on_session' }, 400, 'IR_16', /off_session/)
  await refused({ ...mandateData({ single_use: limits }), customer_id: undefined }, 400, 'IR_16', /mandate_data/)
  const fields = 'mandate_data\\.mandate_type'
  await refused(mandateData({}), 400, 'IR_04', new RegExp(`${fields}.single_use`))
  await refused(mandateData({ single_use: null }), 400, 'IR_04', new RegExp(`${fields}.single_use`))
  await refused(mandateData({ multi_use: { amount: 100 } }), 400, 'IR_04', new RegExp(`${fields}.multi_use.currency`))
  await refused(mandateData({ multi_use: { ...limits, end_date: '2031-01-01T23:59:60Z' } }), 422, 'IR_05', /end_date/)
  const half = { type: 'network_transaction_id_and_card_details', data: { card_number: MASTERCARD } }
  await refused(repeated({ recurring_details: half }), 400, 'IR_06', /recurring_details\.data\.card_exp_month/)
  await refused(mandateData({ single_use: limits, multi_use: limits }), 422, 'IR_06', /single_use or multi_use/)
  const backwards = { start_date: '2020-01-02T00:00:00Z', end_date: '2020-01-01T00:00:00Z' }
  await refused(mandateData({ single_use: { ...limits, ...backwards } }), 422, 'IR_06', /end_date/)
  await refused({ ...offSession, mandate_data: { update_mandate_id: 'man_1' } }, 400, 'IR_19', /update_mandate_id/)
  await refused(repeated({}), 400, 'IR_16', /mandate_id, recurring_details or card data/)
  await refused(repeated({ payment_token: 'token_1' }), 400, 'IR_16', /off_session requires mandate_id/)
  await refused(repeated({ customer_id: undefined, mandate_id: 'man_1' }), 400, 'IR_04', /customer_id/)
  await refused(repeated({ mandate_id: 'man_1', confirm: false }), 400, 'IR_16', /confirm: true/)
  await refused({ ...repeated({ mandate_id: 'man_1' }), off_session: undefined }, 400, 'IR_16', /off_session/)
  await refused({ ...byMethod('pm_1'), mandate_id: 'man_1' }, 400, 'IR_16', /recurring_details/)
  await refused({ ...byMethod('pm_1'), payment_method: 'card', payment_method_data: card() }, 422, 'IR_06', /recurring_details/)
  await refused(repeated({ recurring_details: { type: 'card_with_limited_data', data: 'x' } }), 400, 'IR_19', /card_with_limited_data/)
  await refused({ mit_category: 'recurring' }, 400, 'IR_16', /mit_category requires off_session/)
  await refused(repeated({ recurring_details: { type: 'network_transaction_id_and_card_details', data: 'x' } }), 400, 'IR_06', /data/)
  await refused(repeated({ mandate_id: 'man_nobody' }), 404, 'HE_02', /mandate/)
  await refused(byMethod('pm_nobody'), 404, 'HE_02', /payment method/)
  deepEqual(await charges(shop), [])
})

test('an off-session charge with a card from the vault of the merchant has no challenge, and saves nothing', async () => {
  const shop = await openShop()
  const own = { off_session: true, is_stored_credential: true, payment_method_data: card(CHALLENGED), authentication_type: undefined }
  const paid = await shop.pay(own)
  deepEqual(
    [paid.status, paid.authentication_type, paid.off_session, paid.is_stored_credential, paid.payment_method_id],
    ['succeeded', 'no_three_ds', true, true, null],
  )
  const [charge] = await charges(shop)
  deepEqual([charge!.captured, charge!.by], [1250, 'card'])
  const created = await shop.create({ card: CHALLENGED })
  equal((await shop.confirm(created.payment_id, { off_session: true })).body.status, 'succeeded')
  isRefused(
    await shop.confirm((await shop.create()).payment_id, { off_session: true, mandate_id: 'man_1', customer_id: CUSTOMER }),
    404,
    'HE_02',
  )
  deepEqual(await promises(shop), [])
})

test('amount 0 verifies a card without payment_type and despite account limits, and is refused if the processor cannot do it', async () => {
  const shop = await openShop()
  const enabled = [
    { payment_method: 'card', payment_method_types: [{ payment_method_type: 'credit', minimum_amount: 1, maximum_amount: 9 }] },
  ]
  const account = `/account/${shop.merchant_id}/connectors/${shop.merchant_connector_id}`
  await shop.call('POST', account, { connector_type: 'payment_processor', payment_methods_enabled: enabled })
  const unconfirmed = await shop.create({ ...offSession, amount: 0, payment_method_type: 'credit' })
  deepEqual([unconfirmed.status, unconfirmed.amount, unconfirmed.amount_capturable], ['requires_confirmation', 0, 0])
  const { body } = await shop.confirm(unconfirmed.payment_id)
  deepEqual([body.status, body.amount, body.payment_method_status], ['succeeded', 0, 'active'])
  equal((await shop.pay({ ...offSession, amount: 0, payment_method_type: 'credit', payment_type: 'setup_mandate' })).status, 'succeeded')
  isRefused(await shop.tryToPay({ ...offSession, payment_type: 'setup_mandate' }), 400, 'IR_19', /setup_mandate/)
  const without = await openShop({ connector: 'maguapay' })
  isRefused(await without.tryToPay({ ...offSession, amount: 0 }), 400, 'IR_19', /amount 0/)
  deepEqual(await without.processor.operations(), [])
})

test('a mandate with an end_date in the past can be created, but not charged', async () => {
  const shop = await openShop()
  const over = await shop.pay(mandateData({ multi_use: { ...limits, end_date: '2023-05-01T00:00:00Z' } }))
  deepEqual([over.status, over.mandate_id !== null], ['succeeded', true])
  isRefused(await shop.tryToPay(repeated({ mandate_id: over.mandate_id })), 400, 'HE_03')
})

test('an off-session charge of a saved card uses its mandate at the processor, and is refused for another customer', async () => {
  const shop = await openShop()
  const first = await shop.pay(offSession)
  match(first.connector_mandate_id, /^mdt_/)
  const paid = await shop.pay({ ...byMethod(first.payment_method_id), amount: 700, mit_category: 'recurring' })
  deepEqual(
    [paid.status, paid.amount_received, paid.payment_method_id, paid.off_session, paid.connector_mandate_id],
    ['succeeded', 700, first.payment_method_id, true, first.connector_mandate_id],
  )
  deepEqual(
    (await charges(shop)).map(charge => [charge.captured, charge.by]),
    [
      [1250, undefined],
      [700, 'mandate'],
    ],
  )
  await shop.post('/customers', { customer_id: 'cus_ada' })
  isRefused(
    await shop.tryToPay({ ...byMethod(first.payment_method_id), customer_id: 'cus_ada' }),
    400,
    'IR_16',
    /belongs to another customer/,
  )
  await shop.call('DELETE', `/payment_methods/${first.payment_method_id}`)
  isRefused(await shop.tryToPay(byMethod(first.payment_method_id)), 404, 'HE_02')
})

test('a saved card with a new number is never charged by the processor mandate of the old number', async () => {
  const shop = await openShop()
  const first = await shop.pay(offSession)
  const update = (card_number: string) => shop.post(`/payment_methods/${first.payment_method_id}/update`, { card: { card_number } })
  await update('4000056655665556')
  const renewed = await shop.pay({ ...byMethod(first.payment_method_id), amount: 700 })
  equal(renewed.status, 'succeeded', 'the agreement is known to the network of both numbers')
  await update(MASTERCARD)
  isRefused(await shop.tryToPay({ ...byMethod(first.payment_method_id), amount: 800 }), 400, 'IR_39', /off-session/)
  deepEqual(
    (await charges(shop)).map(charge => [charge.captured, charge.by]),
    [
      [1250, undefined],
      [700, 'network_transaction_id'],
    ],
  )
})

test('the tokenization parameter decides whether a saved card is stored at the processor, for any setup_future_usage', async () => {
  for (const connector of ['phonypay', 'adyen']) {
    const shop = await openShop({ connector })
    const skipped = await shop.pay({ ...offSession, tokenization: 'skip_psp' })
    deepEqual([skipped.status, skipped.tokenization, skipped.connector_mandate_id], ['succeeded', 'skip_psp', null])
    equal((await shop.pay(byMethod(skipped.payment_method_id))).status, 'succeeded')
    const other = { payment_method_data: card(MASTERCARD) }
    const kept = await shop.pay({ ...onSession, ...other, tokenization: 'tokenize_at_psp' })
    deepEqual([kept.status, kept.tokenization, typeof kept.connector_mandate_id], ['succeeded', 'tokenize_at_psp', 'string'])
    const agreed = await shop.pay({ ...offSession, ...other, tokenization: 'tokenize_at_psp' })
    equal((await shop.pay(byMethod(agreed.payment_method_id))).status, 'succeeded')
    deepEqual(
      (await charges(shop)).map(one => one.by),
      [undefined, 'network_transaction_id', undefined, undefined, 'mandate'],
    )
  }
  const stripe = await openShop({ connector: 'stripe' })
  const skipped = await stripe.pay({ ...offSession, tokenization: 'skip_psp' })
  deepEqual([skipped.status, skipped.connector_mandate_id], ['succeeded', null])
  isRefused(await stripe.tryToPay(byMethod(skipped.payment_method_id)), 400, 'IR_39', /off-session/)
  const kept = await stripe.pay({ ...offSession, tokenization: 'tokenize_at_psp' })
  equal((await stripe.pay(byMethod(kept.payment_method_id))).status, 'succeeded')
})

test('a payment shows who stores its saved card and if it can be charged off-session; a browser sees no network_transaction_id', async () => {
  const shop = await openShop()
  const details = (payment: Body) => payment.payment_method_tokenization_details
  const eligibility = (payment: Body) => {
    const { psp_tokenization, is_eligible_for_mit_payment } = details(payment)
    return [psp_tokenization, is_eligible_for_mit_payment]
  }
  const saved = await shop.pay(offSession)
  deepEqual(details(saved), {
    payment_method_id: saved.payment_method_id,
    payment_method_status: 'active',
    psp_tokenization: true,
    network_tokenization: false,
    network_transaction_id: saved.network_transaction_id,
    network_transaction_link_id: null,
    is_eligible_for_mit_payment: true,
  })
  ok(saved.network_transaction_id !== null)
  const path = `${shop.url}/payments/${saved.payment_id}?client_secret=${saved.client_secret}`
  const seen = (await http('GET', path, undefined, { 'api-key': shop.publishable_key })).body
  deepEqual(details(seen), { ...details(saved), network_transaction_id: null })
  deepEqual(eligibility(await shop.pay(byMethod(saved.payment_method_id))), [true, true])
  const other = { payment_method_data: card(MASTERCARD) }
  deepEqual(eligibility(await shop.pay({ ...onSession, ...other })), [true, false])
  deepEqual(eligibility(await shop.pay({ ...offSession, ...other, tokenization: 'skip_psp' })), [false, true])
  equal(details(await shop.pay()), null)
  equal(details(await shop.pay({ ...offSession, payment_method_data: card(cards.declines) })), null)
})

test('tokenize_at_psp is refused if no card is saved, and for a processor that stores no cards', async () => {
  const shop = await openShop({ connector: 'maguapay' })
  const tokenization = 'tokenize_at_psp'
  isRefused(await shop.tryToPay({ tokenization }), 400, 'IR_16', /setup_future_usage/)
  isRefused(await shop.tryToPay({ ...onSession, tokenization }), 400, 'IR_39', /tokenize_at_psp/)
  deepEqual(await shop.processor.operations(), [])
})

test('a saved card is charged at another account by network_transaction_id only if the profile is connector-agnostic', async () => {
  const shop = await openShop()
  const first = await shop.pay(offSession)
  const other = await addAccount(shop, 'phonypay', { connector_label: 'other' })
  const elsewhere = {
    ...byMethod(first.payment_method_id),
    routing: { type: 'single', data: { connector: 'phonypay', merchant_connector_id: other.merchant_connector_id } },
  }
  const stayed = await shop.pay(elsewhere)
  deepEqual([stayed.status, stayed.merchant_connector_id], ['succeeded', shop.merchant_connector_id])
  await shop.post(`/account/${shop.merchant_id}/connectors/${shop.merchant_connector_id}`, {
    connector_type: 'payment_processor',
    disabled: true,
  })
  isRefused(await shop.tryToPay(elsewhere), 400, 'IR_39', /is_connector_agnostic_mit_enabled/)
  deepEqual(
    (await charges(shop)).map(one => one.by),
    [undefined, 'mandate'],
    'nobody was asked',
  )
  const profiles = `/account/${shop.merchant_id}/business_profile`
  const [{ profile_id }] = (await shop.call('GET', profiles)).body
  equal((await shop.post(`${profiles}/${profile_id}/toggle_connector_agnostic_mit`, { enabled: true })).status, 200)
  const moved = await shop.pay(elsewhere)
  deepEqual([moved.status, moved.merchant_connector_id], ['succeeded', other.merchant_connector_id])
  equal((await charges(shop)).length, 2, 'the first processor was not asked')
  await shop.query(
    `update payment_methods set recurring = '{"usage":"off_session","network_transaction_id":null,"connectors":{}}' where merchant_id = $1`,
    [shop.merchant_id],
  )
  isRefused(await shop.tryToPay(byMethod(first.payment_method_id)), 400, 'IR_39', /off-session/)
})

test('a card that was saved elsewhere is charged by its number and the network_transaction_id', async () => {
  const shop = await openShop()
  const data = {
    card_number: MASTERCARD,
    card_exp_month: '12',
    card_exp_year: '2040',
    card_holder_name: 'Grace',
    network_transaction_id: 'MCC123456789012',
  }
  const by = repeated({ recurring_details: { type: 'network_transaction_id_and_card_details', data } })
  const paid = await shop.pay(by)
  deepEqual([paid.status, paid.payment_method_data.card.last4, paid.payment_method_id], ['succeeded', '4444', null])
  equal((await charges(shop))[0]!.by, 'network_transaction_id')
  const rows = await shop.query('select request::text from payments where merchant_id = $1', [shop.merchant_id])
  ok(!JSON.stringify(rows).includes(MASTERCARD))
  isRefused(
    await shop.tryToPay({
      ...by,
      recurring_details: { type: 'network_transaction_id_and_card_details', data: { ...data, card_number: '5555555555554440' } },
    }),
    400,
    'IR_06',
    /recurring_details/,
  )
})

test('a card is verified and saved without an amount, and charged later', async () => {
  const shop = await openShop()
  const set = await shop.pay({ ...mandateData({ multi_use: limits }), amount: 0, payment_type: 'setup_mandate' })
  deepEqual([set.status, set.amount, set.amount_received, set.payment_method_status], ['succeeded', 0, null, 'active'])
  match(set.mandate_id, /^man_\w{20}$/)
  const paid = await shop.pay(repeated({ mandate_id: set.mandate_id }))
  deepEqual([paid.status, paid.mandate_id, paid.payment_method_id], ['succeeded', set.mandate_id, set.payment_method_id])
  deepEqual([typeof paid.connector_mandate_id, paid.connector_mandate_id], ['string', set.connector_mandate_id])
  const refused = await shop.pay({ ...offSession, amount: 0, payment_type: 'setup_mandate', card: cards.declines })
  deepEqual([refused.status, refused.mandate_id], ['failed', null])
  isRefused(
    await shop.tryToPay({ ...offSession, amount: 0, payment_type: 'setup_mandate', capture_method: 'manual' }),
    400,
    'IR_16',
    /capture_method/,
  )
})

test('a mandate is charged up to its limit, also by concurrent charges, and a failed charge frees its amount', async () => {
  const shop = await openShop()
  const { mandate_id } = await shop.pay(mandateData({ multi_use: limits }))
  const ask = repeated({ mandate_id, amount: 2000 })
  const answers = await Promise.all([1, 2, 3].map(() => shop.tryToPay(ask)))
  deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400])
  for (const answer of answers) if (answer.status === 400) isRefused(answer, 400, 'HE_03', /would exceed/)
  isRefused(await shop.tryToPay(repeated({ mandate_id, amount: 1001 })), 400, 'HE_03', /would exceed/)
  isRefused(await shop.tryToPay(repeated({ mandate_id, amount: 100, currency: 'EUR' })), 400, 'HE_03', /USD/)
  await shop.processor.fault('authorize', 'decline')
  equal((await shop.pay(repeated({ mandate_id, amount: 1000 }))).status, 'failed')
  equal((await shop.pay(repeated({ mandate_id, amount: 1000 }))).status, 'succeeded')
  isRefused(await shop.tryToPay(repeated({ mandate_id, amount: 1 })), 400, 'HE_03', /would exceed/)
  deepEqual(await shop.query('select amount, charges from mandate_totals where merchant_id = $1', [shop.merchant_id]), [
    { amount: '3000', charges: 2 },
  ])
  deepEqual(await promises(shop), [])
})

test('a create sent twenty times at once counts once against its mandate, and a count without a charge is taken back', async () => {
  const shop = await openShop()
  const { mandate_id } = await shop.pay(mandateData({ multi_use: limits }))
  const totals = () => shop.query('select amount::int, charges from mandate_totals where merchant_id = $1', [shop.merchant_id])
  const ask = repeated({ mandate_id, amount: 2000, payment_id: `pay_${'6'.repeat(26)}` })
  const answers = await Promise.all(Array.from({ length: 20 }, () => shop.tryToPay(ask)))
  ok(answers.some(({ status }) => status === 200))
  equal((await shop.pay(ask)).status, 'succeeded')
  await shop.wait('2 minutes')
  deepEqual(await totals(), [{ amount: 2000, charges: 1 }])
  deepEqual(await promises(shop), [])
  equal((await charges(shop)).length, 2, 'the mandate, and one charge by it')

  // A process that died counted the charge a minute ago; the process that begins the charge now has taken it over
  // before the job takes the count back.
  const mandate = await needMandate(shop.service.context, shop.merchant_id, mandate_id)
  const payment = { merchant_id: shop.merchant_id, payment_id: 'late', net_amount: 500, attempt_count: 1 }
  const { context } = shop.service
  const died = await countCharge(context, mandate, payment, context.now())
  equal(await countCharge(context, mandate, payment, context.now()), null)
  await giveBackCharge(context, payment, died!)
  deepEqual(await totals(), [{ amount: 2500, charges: 2 }])
  await shop.wait('2 minutes')
  deepEqual(await totals(), [{ amount: 2000, charges: 1 }], 'and if nobody begins it, the alarm does')
})

test('a mandate count for another amount, another mandate or an attempt that never began is not used, and is taken back', async () => {
  const shop = await openShop()
  const [first, second] = [await shop.pay(mandateData({ multi_use: limits })), await shop.pay(mandateData({ multi_use: limits }))]
  const mandateOf = ({ mandate_id }: Body) => needMandate(shop.service.context, shop.merchant_id, mandate_id)
  const totals = async () =>
    (await shop.query('select amount::int from mandate_totals where merchant_id = $1 order by amount', [shop.merchant_id])).map(
      ({ amount }) => amount,
    )
  const { context } = shop.service
  const bare = { customer_id: CUSTOMER, payment_method: undefined, payment_method_data: undefined }
  const { payment_id } = await shop.create({ ...bare, amount: 2500 })
  const counted = (net_amount: number, attempt_count = 1) => ({ merchant_id: shop.merchant_id, payment_id, net_amount, attempt_count })
  // A process that died counted the charge, before the merchant raised the amount.
  await countCharge(context, await mandateOf(first), counted(500), context.now())
  const confirm = (mandate_id: string) => shop.confirm(payment_id, { off_session: true, mandate_id })
  isRefused(await confirm(first.mandate_id), 422, 'HE_00')
  isRefused(await confirm(second.mandate_id), 422, 'HE_00')
  deepEqual(await totals(), [0, 500])
  await shop.wait('2 minutes')
  deepEqual(await totals(), [0, 0])
  equal((await confirm(second.mandate_id)).body.status, 'succeeded')
  deepEqual(await totals(), [0, 2500])
  // The charge was counted for a second attempt, which was never begun.
  await countCharge(context, await mandateOf(first), counted(100, 2), context.now())
  await shop.wait('2 minutes')
  deepEqual([await totals(), await promises(shop)], [[0, 2500], []])
})

test('a single_use mandate is revoked after its first accepted charge', async () => {
  const shop = await openShop()
  const { mandate_id } = await shop.pay(mandateData({ single_use: limits }))
  isRefused(await shop.tryToPay(repeated({ mandate_id, amount: 3001 })), 400, 'HE_03', /single charge/)
  const answers = await Promise.all([1, 2].map(() => shop.tryToPay(repeated({ mandate_id, amount: 500 }))))
  deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
  equal((await shop.call('GET', `/mandates/${mandate_id}`)).body.status, 'revoked')
  isRefused(await shop.tryToPay(repeated({ mandate_id, amount: 500 })), 400, 'IR_16', /revoked/)
})

test('a mandate is retrieved, listed and revoked, and its customer can be deleted only after that', async () => {
  const shop = await openShop()
  const ada = { ip_address: '203.0.113.77', user_agent: 'Adas browser' }
  const acceptance = { acceptance_type: 'online', accepted_at: accepted.accepted_at, online: ada }
  const ask = mandateData({ multi_use: { ...limits, end_date: '2031-01-01T00:00:00.000Z' } })
  const made = await shop.pay({ ...ask, mandate_data: { ...(ask.mandate_data as Body), customer_acceptance: acceptance } })
  const { mandate_id } = made
  const { body } = await shop.call('GET', `/mandates/${mandate_id}`)
  deepEqual(
    [
      body.status,
      body.payment_method_id,
      body.card.last4_digits,
      body.mandate_type.multi_use.amount,
      body.customer_acceptance.acceptance_type,
    ],
    ['active', made.payment_method_id, '4242', 3000, 'online'],
  )
  deepEqual((await shop.call('GET', `/customers/${CUSTOMER}/mandates`)).body, [body])
  const list = async (query = '') => (await shop.call('GET', `/mandates/list${query}`)).body
  deepEqual(await list(), [body])
  for (const query of [
    '?mandate_status=active',
    '?connector=phonypay',
    '?created_time.gte=2020-01-01T00:00:00Z',
    '?limit=1',
    `?customer_id=${CUSTOMER}`,
  ])
    deepEqual(await list(query), [body], query)
  for (const query of [
    '?mandate_status=revoked',
    '?connector=stripe',
    '?created_time.lt=2020-01-01T00:00:00Z',
    '?offset=1',
    '?customer_id=nobody',
  ])
    deepEqual(await list(query), [], query)
  isRefused(await shop.call('GET', '/mandates/list?status=active'), 400, 'IR_06', /status/)
  isRefused(await shop.call('DELETE', `/customers/${CUSTOMER}`), 400, 'IR_10', /mandate/)
  deepEqual((await shop.post(`/mandates/revoke/${mandate_id}`, {})).body, {
    mandate_id,
    status: 'revoked',
    error_code: null,
    error_message: null,
  })
  isRefused(await shop.post(`/mandates/revoke/${mandate_id}`, {}), 400, 'HE_03', /revoked/)
  isRefused(await shop.tryToPay(repeated({ mandate_id })), 400, 'IR_16', /revoked/)
  equal((await shop.call('DELETE', `/customers/${CUSTOMER}`)).status, 200)
  const left = (await shop.call('GET', `/mandates/${mandate_id}`)).body
  deepEqual([left.status, left.card, left.customer_acceptance], ['revoked', null, { ...accepted, acceptance_type: 'online' }])
  const other = await openShop()
  isRefused(await other.call('GET', `/mandates/${mandate_id}`), 404, 'HE_02')
  deepEqual((await other.call('GET', '/mandates/list')).body, [])
  isRefused(await other.post(`/mandates/revoke/${mandate_id}`, {}), 404, 'HE_02')
  isRefused(await other.call('GET', `/customers/${CUSTOMER}/mandates`), 404, 'HE_02')
  await other.post('/customers', { customer_id: CUSTOMER })
  isRefused(await other.call('GET', `/customers/${CUSTOMER}/mandates`), 404, 'HE_02', /mandate/)
})

test('an off-session charge without a response is made once, and counts against its mandate until it is decided', async () => {
  const shop = await openShop()
  const { mandate_id } = await shop.pay(mandateData({ multi_use: limits }))
  await shop.processor.fault('authorize', 'reset_after')
  const unheard = await shop.pay(repeated({ mandate_id, amount: 2000 }))
  equal(unheard.status, 'processing')
  isRefused(await shop.tryToPay(repeated({ mandate_id, amount: 2000 })), 400, 'HE_03', /would exceed/)
  await shop.wait('2 minutes')
  equal((await shop.get(unheard.payment_id)).status, 'succeeded')
  equal((await charges(shop)).length, 2)
  await shop.processor.fault('authorize', 'reset_before')
  const lost = await shop.pay(repeated({ mandate_id, amount: 1000 }))
  await shop.wait('5 minutes')
  equal((await shop.get(lost.payment_id)).status, 'failed')
  equal((await shop.pay(repeated({ mandate_id, amount: 1000 }))).status, 'succeeded')
  deepEqual(await promises(shop), [])
})

test('a job finishes the work of a crashed process: the card is saved once, and the count of an unsent charge is taken back', async () => {
  const shop = await openShop()
  const { payment_id, payment_method_id, mandate_id } = await shop.pay(mandateData({ multi_use: limits }))
  const at = shop.service.context.now()
  // The state after a death: the payment was captured, and its card was not saved yet.
  await shop.query('delete from payment_methods where merchant_id = $1', [shop.merchant_id])
  await shop.query("delete from vault_records where merchant_id = $1 and record like 'method%'", [shop.merchant_id])
  const promise = 'insert into payment_follow_ups values ($1, $2, $3, $4, 1, $5, $5)'
  await shop.query(promise, [shop.merchant_id, payment_id, null, null, at])
  await shop.query(promise, [shop.merchant_id, 'pay_of_nobody', mandate_id, 1000, at])
  await shop.query('update mandate_totals set amount = 1000, charges = 1 where merchant_id = $1', [shop.merchant_id])
  await shop.wait('2 minutes')
  deepEqual(
    (await listed(shop)).map(one => one.payment_method_id),
    [payment_method_id],
  )
  deepEqual(await shop.query('select amount, charges from mandate_totals where merchant_id = $1', [shop.merchant_id]), [
    { amount: '0', charges: 0 },
  ])
  deepEqual(await promises(shop), [])
  equal((await shop.pay(repeated({ mandate_id }))).status, 'succeeded')
})

test('a repeated request for a charge that has used up its mandate returns the payment, and is not refused', async () => {
  const shop = await openShop()
  const { mandate_id } = await shop.pay(mandateData({ single_use: limits }))
  const ask = repeated({ mandate_id, payment_id: `pay_${'8'.repeat(26)}` })
  const paid = await shop.pay(ask)
  deepEqual([paid.status, (await shop.pay(ask)).status], ['succeeded', 'succeeded'])
  isRefused(await shop.tryToPay({ ...ask, amount: 1 }), 400, 'HE_01')
  const keyed = { 'idempotency-key': `once-${shop.merchant_id}` }
  const other = await shop.pay(mandateData({ single_use: limits }))
  const first = await shop.tryToPay(repeated({ mandate_id: other.mandate_id }), keyed)
  equal((await shop.tryToPay(repeated({ mandate_id: other.mandate_id }), keyed)).text, first.text)
  equal((await charges(shop)).length, 4)
})

test('the same charge sent twice under one payment_id counts once against its mandate', async () => {
  const shop = await openShop()
  const { mandate_id } = await shop.pay(mandateData({ multi_use: limits }))
  const payment_id = `pay_${'7'.repeat(26)}`
  const ask = repeated({ mandate_id, amount: 2000, payment_id })
  const answers = await Promise.all([1, 2].map(() => shop.tryToPay(ask)))
  ok(answers.some(({ status }) => status === 200))
  equal((await shop.pay(ask)).status, 'succeeded')
  deepEqual(await shop.query('select amount, charges from mandate_totals where merchant_id = $1', [shop.merchant_id]), [
    { amount: '2000', charges: 1 },
  ])
  equal((await charges(shop)).length, 2)
})

test('merchants receive webhooks when a mandate is created and when it is revoked', async () => {
  const receiver = await openReceiver()
  const shop = await openShop()
  await shop.profile({ webhook_details: { webhook_url: receiver.url } })
  const { mandate_id, payment_method_id } = await shop.pay(mandateData({ multi_use: limits }))
  await shop.post(`/mandates/revoke/${mandate_id}`, {})
  await shop.wait('0 seconds')
  const events = receiver.received.map(({ event }) => event)
  deepEqual(events.map(({ event_type, content }) => [event_type, (content as Body).type, content.object.status]).sort(), [
    ['mandate_active', 'mandate_details', 'active'],
    ['mandate_revoked', 'mandate_details', 'revoked'],
    ['payment_succeeded', 'payment_details', 'succeeded'],
  ])
  const { object } = events.find(({ event_type }) => event_type === 'payment_succeeded')!.content
  deepEqual([object.mandate_id, object.payment_method_id, object.payment_method_status], [mandate_id, payment_method_id, 'active'])
  const rows = await shop.query("select type, announces from changes where merchant_id = $1 and kind = 'mandate' order by version", [
    shop.merchant_id,
  ])
  deepEqual(rows, [
    { type: 'made', announces: 'mandate_active' },
    { type: 'revoked', announces: 'mandate_revoked' },
  ])
  const { body } = await shop.call('GET', '/events?event_classes=mandates')
  deepEqual(body.data?.length ?? body.events?.length, 2, JSON.stringify(body))
})

test('a browser can send customer_acceptance at the confirm, which saves the card', async () => {
  const shop = await openShop()
  const { payment_id, client_secret } = await shop.create({
    customer_id: CUSTOMER,
    setup_future_usage: 'off_session',
    payment_method_data: undefined,
    payment_method: undefined,
  })
  const confirm = { client_secret, payment_method: 'card', payment_method_data: card(), customer_acceptance: accepted }
  const { body } = await http('POST', `${shop.url}/payments/${payment_id}/confirm`, confirm, { 'api-key': shop.publishable_key })
  deepEqual([body.status, body.payment_method_status], ['succeeded', 'active'])
  const charge = { client_secret, recurring_details: { type: 'payment_method_id', data: body.payment_method_id } }
  isRefused(await http('POST', `${shop.url}/payments/${payment_id}/confirm`, charge, { 'api-key': shop.publishable_key }), 403, 'IR_22')
  equal((await shop.pay(byMethod(body.payment_method_id))).status, 'succeeded')
})

test('a saved card that is paid with again for off_session can be charged off-session, even after it has expired', async () => {
  const shop = await openShop()
  const { payment_method_id } = await shop.pay(onSession)
  const [{ payment_token }] = (await listed(shop)) as [Body]
  const again = await shop.pay({ ...offSession, payment_method_data: undefined, payment_token })
  deepEqual([again.status, again.payment_method_id, again.card_discovery], ['succeeded', payment_method_id, 'saved_card'])
  deepEqual(
    (await listed(shop)).map(one => one.recurring_enabled),
    [true],
  )
  await shop.query(`update payment_methods set masked = jsonb_set(masked::jsonb, '{card_exp_year}', '"2020"') where merchant_id = $1`, [
    shop.merchant_id,
  ])
  equal((await shop.pay(byMethod(payment_method_id))).status, 'succeeded')
})

test('a failed off-session charge can be confirmed again with the same mandate or card, and counts again', async () => {
  const shop = await openShop()
  await shop.profile({ is_manual_retry_enabled: true })
  const { mandate_id } = await shop.pay(mandateData({ multi_use: limits }))
  const data = { card_number: MASTERCARD, card_exp_month: '12', card_exp_year: '2040', network_transaction_id: 'MCC123456789012' }
  for (const by of [{ mandate_id }, { recurring_details: { type: 'network_transaction_id_and_card_details', data } }]) {
    await shop.processor.fault('authorize', 'decline')
    const failed = await shop.pay(repeated({ ...by, amount: 2000 }))
    equal(failed.status, 'failed')
    const { body } = await shop.confirm(failed.payment_id)
    deepEqual([body.status, body.attempt_count], ['succeeded', 2], JSON.stringify(body))
  }
  deepEqual(
    (await charges(shop)).map(({ by }) => by),
    [undefined, 'mandate', 'network_transaction_id'],
  )
  deepEqual(await shop.query('select amount, charges from mandate_totals where merchant_id = $1', [shop.merchant_id]), [
    { amount: '2000', charges: 1 },
  ])
  await shop.processor.fault('authorize', 'decline')
  const late = await shop.pay(repeated({ mandate_id, amount: 1000 }))
  equal((await shop.pay(repeated({ mandate_id, amount: 1000 }))).status, 'succeeded')
  isRefused(await shop.confirm(late.payment_id), 400, 'HE_03', /would exceed/)
})

test('an off-session charge whose first processor cannot be reached is retried at the next account', async () => {
  const shop = await openShop()
  await shop.profile({ is_auto_retries_enabled: true, is_connector_agnostic_mit_enabled: true })
  const first = await shop.pay(offSession)
  const other = await addAccount(shop, 'phonypay', { connector_label: 'other' })
  const moved = await shop.call('POST', `/account/${shop.merchant_id}/connectors/${shop.merchant_connector_id}`, {
    connector_type: 'payment_processor',
    connector_account_details: { auth_type: 'HeaderKey', api_key: `sandbox_${shop.merchant_id}` },
    metadata: { base_url: 'http://127.0.0.1:1' },
  })
  equal(moved.status, 200, moved.text)
  const paid = await shop.pay(byMethod(first.payment_method_id))
  deepEqual([paid.status, paid.merchant_connector_id, paid.attempt_count], ['succeeded', other.merchant_connector_id, 2])
})

test('a mandate can be charged only from its start_date to its end_date, and is revoked when its card is deleted', async () => {
  const shop = await openShop()
  const at = (days: number) => new Date(Date.now() + shop.clock.ahead + days * 86_400_000).toISOString()
  const east = (time: string) => time.replace('Z', '+00:00')
  const early = await shop.pay(mandateData({ multi_use: { ...limits, start_date: east(at(2)), end_date: at(4) } }))
  isRefused(await shop.tryToPay(repeated({ mandate_id: early.mandate_id })), 400, 'HE_03', /starts at/)
  await shop.wait('3 days')
  equal((await shop.pay(repeated({ mandate_id: early.mandate_id }))).status, 'succeeded')
  await shop.wait('2 days')
  isRefused(await shop.tryToPay(repeated({ mandate_id: early.mandate_id })), 400, 'HE_03', /ended at/)
  const backwards = mandateData({ multi_use: { ...limits, start_date: at(4), end_date: at(2) } })
  isRefused(await shop.tryToPay(backwards), 422, 'IR_06', /end_date/)
  await shop.call('DELETE', `/payment_methods/${early.payment_method_id}`)
  equal((await shop.call('GET', `/mandates/${early.mandate_id}`)).body.status, 'revoked')
  equal((await shop.call('DELETE', `/customers/${CUSTOMER}`)).status, 200)
})

test('a multi_use mandate may be without a limit, and is then charged in any currency', async () => {
  const shop = await openShop()
  for (const multi_use of [null, {}]) {
    const { mandate_id } = await shop.pay(mandateData({ multi_use }))
    deepEqual((await shop.call('GET', `/mandates/${mandate_id}`)).body.mandate_type, { multi_use: null })
    equal((await shop.pay(repeated({ mandate_id, amount: 900_000, currency: 'EUR' }))).status, 'succeeded')
  }
})

test('an off-session charge is refused with another payment method or type, and with unsupported recurring_details', async () => {
  const shop = await openShop()
  const { payment_method_id, mandate_id } = await shop.pay({
    ...offSession,
    payment_method_type: 'credit',
    mandate_data: { customer_acceptance: accepted, mandate_type: { multi_use: { amount: 9000, currency: 'USD' } } },
  })
  for (const by of [{ mandate_id }, { recurring_details: { type: 'payment_method_id', data: payment_method_id } }]) {
    for (const [more, fields] of [
      [{ payment_method_type: 'debit' }, 'payment_method_type'],
      [{ payment_method: 'wallet', payment_method_type: 'google_pay' }, 'payment_method, payment_method_type'],
    ] as const) {
      const refused = await shop.tryToPay(repeated({ ...by, ...more }))
      isRefused(refused, 400, 'IR_46', new RegExp(fields))
      equal(refused.body.error.fields, fields)
    }
    equal((await shop.pay(repeated({ ...by, payment_method: 'card', payment_method_type: 'credit' }))).status, 'succeeded')
  }
  const others: [string, unknown, string][] = [
    [
      'processor_payment_token',
      { processor_payment_token: 'tok_1', merchant_connector_id: shop.merchant_connector_id },
      'processor tokens',
    ],
    ['network_transaction_id_and_decrypted_wallet_token_details', {}, '.*decrypted wallet'],
    ['card_with_limited_data', { card_exp_month: '12' }, '.*number and expiry'],
  ]
  for (const [type, data, why] of others)
    isRefused(
      await shop.tryToPay(repeated({ recurring_details: { type, data } })),
      400,
      'IR_19',
      new RegExp(`${type} is not supported: ${why}`),
    )
  const mandate_data = { update_mandate_id: mandate_id }
  isRefused(await shop.tryToPay({ ...offSession, mandate_data }), 400, 'IR_19', /update_mandate_id/)
})

/** Accepts the challenge as the customer. */
async function accept(payment: Body): Promise<void> {
  const page = (await http('GET', payment.next_action.redirect_to_url)).headers.location as string
  await http('GET', (await http('POST', `${page}/accept`, '')).headers.location as string)
}

test('a card has one payment_method_id, whether a payment or the server saves it, also concurrently and during a challenge', async () => {
  const shop = await openShop()
  await shop.post('/customers', { customer_id: CUSTOMER })
  const save = { payment_method: 'card', customer_id: CUSTOMER, card: card(CHALLENGED).card }
  const waits = await shop.pay({ ...offSession, card: CHALLENGED, authentication_type: 'three_ds' })
  const [saved] = await Promise.all([shop.post('/payment_methods', save), accept(waits), shop.post('/payment_methods', save)])
  deepEqual([saved.status, saved.body.payment_method_id], [200, waits.payment_method_id])
  deepEqual(
    (await listed(shop)).map(one => one.payment_method_id),
    [waits.payment_method_id],
  )
  equal((await shop.pay(byMethod(waits.payment_method_id))).status, 'succeeded')

  const other = { ...save, card: card(MASTERCARD).card }
  const posts = Array.from({ length: 4 }, () => shop.post('/payment_methods', other))
  const pays = Array.from({ length: 4 }, () => shop.pay({ ...offSession, card: MASTERCARD }))
  const ids = [
    ...(await Promise.all(posts)).map(one => one.body.payment_method_id),
    ...(await Promise.all(pays)).map(one => one.payment_method_id),
  ]
  equal(new Set(ids).size, 1)
  equal((await listed(shop)).length, 2)
})

test('a payment whose card was saved under another id during its challenge shows that id, and its mandate charges that card', async () => {
  const shop = await openShop()
  await shop.post('/customers', { customer_id: CUSTOMER })
  const { body: awaiting } = await shop.post('/payment_methods', { payment_method: 'card', customer_id: CUSTOMER })
  const waits = await shop.pay({ ...mandateData({ multi_use: limits }), card: CHALLENGED, authentication_type: 'three_ds' })
  const path = `/payment_methods/${awaiting.payment_method_id}`
  equal((await shop.post(`${path}/save`, { payment_method_data: card(CHALLENGED) })).status, 200)
  await accept(waits)
  const paid = await shop.get(waits.payment_id)
  deepEqual([paid.status, paid.payment_method_id, paid.payment_method_status], ['succeeded', awaiting.payment_method_id, 'active'])
  deepEqual(
    (await listed(shop)).map(one => one.payment_method_id),
    [awaiting.payment_method_id],
  )
  equal((await shop.pay(repeated({ mandate_id: paid.mandate_id, amount: 1000 }))).status, 'succeeded')
  deepEqual(await promises(shop).then(all => all.filter(one => one.mandate_id === null)), [])
  const { body: second } = await shop.post('/payment_methods', {
    payment_method: 'card',
    customer_id: CUSTOMER,
    card: card(MASTERCARD).card,
  })
  const anew = { card: { card_number: CHALLENGED } }
  isRefused(
    await shop.post(`/payment_methods/${second.payment_method_id}/update`, anew),
    400,
    'IR_16',
    new RegExp(awaiting.payment_method_id),
  )
})
