import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type * as sdk from '@paypal/paypal-server-sdk'
import { accountAt, cardAsk } from '../../../test/card-ask.ts'
import { exactly, type Plain } from '../../../test/exactly.ts'
import { notSent, rehearse, replied, silence } from '../../../test/rehearse.ts'
import { Secret } from '../../base/secret.ts'
import type { SyncRequest } from '../connector.ts'
import type { Other } from '../instrument.ts'
import { paypal } from './connector.ts'
import { type Ask, buttonOrderBody, orderBody, paypalCaptureBody, paypalRefundBody, sourceBody } from './requests.ts'
import { setupBody, tokenBody } from './vault.ts'

/**
 * The wire names of a type: PayPal's client library writes members as `customId`; over the wire they are `custom_id`.
 */
type Snake<S extends string> = S extends `${infer Head}${infer Tail}`
  ? Head extends Exclude<Lowercase<Head>, `${number}`>
    ? `${Head}${Snake<Tail>}`
    : `_${Lowercase<Head>}${Snake<Tail>}`
  : S
type Wire<T> = T extends string | number | boolean | undefined | null
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Wire<Item>[]
    : { [Name in keyof T as Name extends string ? Snake<Name> : never]: Wire<T[Name]> }
type On<T> = Wire<Plain<T>>

const account = accountAt('https://api-m.paypal.com', { api_key: 'client_secret_1', key1: 'client_id_1' }, {}, '8PT597110X687430LKGECATA')
const money = { amount: 1250, currency: 'USD' } as const
const amount = { currency_code: 'USD', value: '12.50' }
const wallet = (way: 'paypal_redirect' | 'paypal_sdk', secrets: Record<string, string> = {}): Other<'wallet'> => ({
  ...{ is: 'wallet', type: 'paypal', way, open: {} },
  secrets: Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, new Secret(value)])),
})
const ask = (more: Partial<Ask> = {}): Ask => ({ ...cardAsk(), ...more })
const redirect = ask({ instrument: wallet('paypal_redirect') })
const made = { is: 'made', usage: 'off_session', customer: 'ada' } as const

const order = (status: string, more: object = {}, payments?: object) => ({
  ...{ id: '5O190127TN364715T', intent: 'CAPTURE', status },
  purchase_units: [{ reference_id: 'default', custom_id: 'REQ1', amount, ...(payments && { payments }) }],
  ...more,
})
const action = { href: 'https://www.paypal.com/checkoutnow?token=5O190127TN364715T', rel: 'payer-action', method: 'GET' }
const capture = { id: '3C679366HH908993F', status: 'COMPLETED', amount, custom_id: 'REQ1', invoice_id: 'REQ1', final_capture: true }
const paid = (more: object = {}) => order('COMPLETED', {}, { captures: [{ ...capture, ...more }] })
const hold = { id: '0AW2184448108334S', status: 'CREATED', amount, custom_id: 'REQ1', expiration_time: '2026-03-30T10:00:00Z' }
const held = (...captures: object[]) => order('COMPLETED', { intent: 'AUTHORIZE' }, { authorizations: [hold], captures })
const ORDERS = 'https://api-m.paypal.com/v2/checkout/orders'

const lines = [{ product_name: 'Chair', quantity: 2, amount: 500, sku: 'C-1', product_type: 'physical' }] as const

test('line items are sent if they add up to the amount, alone or with other charges; otherwise none are sent', () => {
  const unitOf = (purchase: NonNullable<Ask['purchase']>, of: Ask['money'] = money) =>
    orderBody(ask({ purchase, money: of })).purchase_units[0]!
  const dollars = (value: string) => ({ currency_code: 'USD', value })
  const item = { name: 'Chair', quantity: '2', unit_amount: dollars('5.00'), sku: 'C-1', category: 'PHYSICAL_GOODS' }
  const whole = unitOf({ lines, costs: { shipping: 300, discount: 50 } })
  deepEqual(whole.amount, {
    ...dollars('12.50'),
    breakdown: { item_total: dollars('10.00'), shipping: dollars('3.00'), discount: dollars('0.50') },
  })
  deepEqual((whole as { items?: object }).items, [item])
  const onTop = unitOf({ lines, on_top: { shipping: 100, tax: 100, surcharge: 50 } }).amount
  deepEqual((onTop as { breakdown?: object }).breakdown, {
    ...{ item_total: dollars('10.00'), shipping: dollars('1.00') },
    ...{ tax_total: dollars('1.00'), handling: dollars('0.50') },
  })
  // Prices that include the tax add up to the amount by themselves.
  const alone = unitOf({ lines, costs: { tax: 160 } }, { amount: 1000, currency: 'USD' })
  deepEqual(alone.amount, { ...dollars('10.00'), breakdown: { item_total: dollars('10.00') } })
  for (const [purchase, of] of [
    [{ lines }, money],
    [{ lines: [{ product_name: ' ', quantity: 1, amount: 1250 }] }, money],
    [{ lines: [{ product_name: 'Szék', quantity: 2, amount: 62_550 }] }, { amount: 125_100, currency: 'HUF' }],
  ] as const) {
    const unit = unitOf(purchase, of)
    deepEqual([Object.keys(unit.amount), 'items' in unit], [['currency_code', 'value'], false])
  }
})

test('each request matches the types of the PayPal SDK', () => {
  exactly<On<sdk.OrderRequest>>()(orderBody(redirect))
  exactly<On<sdk.OrderRequest>>()(orderBody(ask({ purchase: { lines } })))
  exactly<On<sdk.OrderRequest>>()(buttonOrderBody({ request_id: 'REQ1', money, type: 'paypal', capture: 'manual' }))
  exactly<On<sdk.ConfirmOrderRequest>>()(sourceBody(ask(), true))
  exactly<On<sdk.OrderCaptureRequest>>()(sourceBody(ask(), false))
  exactly<On<sdk.OrderAuthorizeRequest>>()(sourceBody(ask(), false))
  const about = { request_id: 'REQ2', authorization: { reference: '5O190127TN364715T', request_id: 'REQ1' }, money }
  const challenged = { stored_credential: made, three_ds: 'challenge' } as const
  exactly<On<sdk.SetupTokenRequest>>()(setupBody(ask(challenged)))
  exactly<On<sdk.SetupTokenRequest>>()(setupBody(ask({ ...redirect, stored_credential: made })))
  exactly<On<sdk.PaymentTokenRequest>>()(tokenBody('5C991763VB2781612'))
  exactly<On<sdk.CaptureRequest>>()(paypalCaptureBody({ ...about, rest: 'keep' }))
  exactly<On<sdk.RefundRequest>>()(paypalRefundBody({ ...about, reason: null }))
})

test('a wallet payment creates an order, notes its id, and then sends the return URL to PayPal', () => {
  const { lines, requests, outcome } = rehearse(paypal.authorize(redirect, account), [
    replied(201, order('CREATED')),
    replied(200, order('PAYER_ACTION_REQUIRED', { links: [action] })),
  ])
  deepEqual(
    lines.filter(line => typeof line !== 'object' || 'note' in line),
    ['a token', `POST ${ORDERS}`, { note: '5O190127TN364715T' }, 'a token', `POST ${ORDERS}/5O190127TN364715T/confirm-payment-source`],
  )
  deepEqual(JSON.parse(requests[0]!.body!), {
    intent: 'CAPTURE',
    purchase_units: [{ custom_id: 'REQ1', invoice_id: 'REQ1', amount }],
  })
  deepEqual(JSON.parse(requests[1]!.body!).payment_source.paypal.experience_context, {
    brand_name: redirect.merchant_name,
    user_action: 'PAY_NOW',
    shipping_preference: 'NO_SHIPPING',
    return_url: 'https://shop.example/return',
    cancel_url: 'https://shop.example/return?cancelled=true',
  })
  deepEqual(outcome, { is: 'waiting', reference: '5O190127TN364715T', next_action: { type: 'redirect_to_url', url: action.href } })
})

const asked: SyncRequest = { verb: 'authorize', request_id: 'REQ1', reference: '5O190127TN364715T', money, authorization: null }
const back = (parameters: Record<string, string>, ...replies: Parameters<typeof replied>[]) =>
  rehearse(
    paypal.returned.ask({ ...asked, parameters }, account),
    replies.map(one => replied(...one)),
  )

test('a customer who returns after approval is charged under our request id; one who cancelled is declined', () => {
  const { requests, outcome } = back({ token: 't' }, [200, order('APPROVED')], [201, paid()])
  deepEqual([requests[1]!.url, requests[1]!.headers['paypal-request-id']], [`${ORDERS}/5O190127TN364715T/capture`, 'REQ1'])
  deepEqual(outcome, {
    ...{ is: 'done', reference: '5O190127TN364715T', request_id: 'REQ1', amount: money, captured: money },
    facts: {},
  })
  equal(
    back({ token: 't' }, [200, order('APPROVED', { intent: 'AUTHORIZE' })], [201, held()])
      .requests[1]!.url.split('/')
      .at(-1),
    'authorize',
  )
  equal(back({ token: 't' }, [200, order('PAYER_ACTION_REQUIRED', { links: [action] })]).outcome.is, 'waiting')
  const gaveUp = back({ cancelled: 'true' }, [200, order('PAYER_ACTION_REQUIRED', { links: [action] })]).outcome
  ok(gaveUp.is === 'declined' && gaveUp.code === 'cancelled')
  // A claim to have cancelled does not undo an approval.
  equal(back({ cancelled: 'true' }, [200, order('APPROVED')], [201, paid()]).outcome.is, 'done')
  equal(back({ token: 't' }, [200, paid()]).outcome.is, 'done', 'it was captured before, and is not again')
})

test('a card is sent with the request that moves money; with 3-D Secure its result is checked before that', () => {
  const plain = rehearse(paypal.authorize(ask({ three_ds: 'skip' }), account), [replied(201, order('CREATED')), replied(201, paid())])
  deepEqual(JSON.parse(plain.requests[1]!.body!), {
    payment_source: { card: { number: '4242424242424242', expiry: '2040-03', security_code: '737' } },
  })
  equal(plain.outcome.is, 'done')
  const challenged = rehearse(paypal.authorize(ask({ three_ds: 'request' }), account), [
    replied(201, order('CREATED')),
    replied(200, order('PAYER_ACTION_REQUIRED', { links: [action] })),
  ])
  const { card } = JSON.parse(challenged.requests[1]!.body!).payment_source
  deepEqual(
    [card.attributes, card.experience_context.return_url],
    [{ verification: { method: 'SCA_ALWAYS' } }, 'https://shop.example/return'],
  )
  equal(challenged.outcome.is, 'waiting')
  const after = (liability_shift: string, enrollment_status: string) => ({
    payment_source: { card: { authentication_result: { liability_shift, three_d_secure: { enrollment_status } } } },
  })
  const passed = back({ token: 't' }, [200, order('CREATED', after('POSSIBLE', 'Y'))], [201, paid()])
  equal(passed.outcome.is, 'done')
  const failed = back({ token: 't' }, [200, order('APPROVED', after('NO', 'Y'))]).outcome
  ok(failed.is === 'declined' && failed.code === 'authentication_failed')
  equal(back({ token: 't' }, [200, order('APPROVED', after('NO', 'U'))], [201, paid()]).outcome.is, 'done')
})

test('a declined card has the code and advice of its processor', () => {
  const processor_response = { response_code: '5120', avs_code: 'Y', payment_advice_code: '02' }
  const { outcome } = rehearse(paypal.authorize(ask({ three_ds: 'skip' }), account), [
    replied(201, order('CREATED')),
    replied(201, paid({ status: 'DECLINED', processor_response })),
  ])
  ok(outcome.is === 'declined')
  deepEqual(
    [outcome.code, outcome.processor_code, outcome.network_advice, outcome.facts],
    ['insufficient_funds', '5120', '02', { avs_result: 'Y' }],
  )
})

test('a payment is read although its amount and ids contain the digits of the security code', () => {
  const of = { amount: { currency_code: 'USD', value: '737.00' } }
  const { outcome } = rehearse(paypal.authorize(ask({ three_ds: 'skip', money: { amount: 73_700, currency: 'USD' } }), account), [
    replied(201, order('CREATED')),
    replied(201, order('COMPLETED', {}, { captures: [{ ...capture, ...of, id: '3C67373796HH90899' }] })),
  ])
  ok(outcome.is === 'done')
  equal(outcome.amount.amount, 73_700)
})

test('a saved payment method is charged off-session by its vault id, or a card with its network transaction id', () => {
  const used = { stored_credential: { is: 'used', mit_category: 'recurring', customer: null } } as const
  const sourceOf = (more: Partial<Ask>) => sourceBody(ask({ ...used, ...more }), false).payment_source
  deepEqual(
    sourceOf({ instrument: { is: 'stored_card', reference: 'vault_1', customer: 'c', cvc: null, of: wallet('paypal_redirect') } }),
    {
      paypal: {
        vault_id: 'vault_1',
        stored_credential: { payment_initiator: 'MERCHANT', usage: 'SUBSEQUENT', usage_pattern: 'RECURRING_POSTPAID' },
      },
    },
  )
  deepEqual(sourceOf({ instrument: { is: 'stored_card', reference: 'vault_2', customer: null, cvc: new Secret('737') } }), {
    card: { vault_id: 'vault_2', stored_credential: { payment_initiator: 'MERCHANT', payment_type: 'RECURRING', usage: 'SUBSEQUENT' } },
  })
  const agreed = sourceOf({
    instrument: {
      ...{ is: 'network_transaction_id', number: new Secret('4242424242424242'), exp_month: 3, exp_year: 2040, holder: null },
      network_transaction_id: '638284745624527',
    },
  })
  ok('card' in agreed && agreed.card)
  deepEqual(agreed.card.stored_credential, {
    ...{ payment_initiator: 'MERCHANT', payment_type: 'RECURRING', usage: 'SUBSEQUENT' },
    previous_network_transaction_reference: { id: '638284745624527' },
  })
  const made = { stored_credential: { is: 'made', usage: 'off_session', customer: 'ada' } } as const
  const kept = sourceBody(ask({ ...made, instrument: wallet('paypal_redirect') }), true).payment_source
  ok('paypal' in kept && kept.paypal && 'attributes' in kept.paypal)
  deepEqual(kept.paypal.attributes, { vault: { store_in_vault: 'ON_SUCCESS', usage_type: 'MERCHANT' } })
  const vault = { id: '8kk8451t', status: 'VAULTED', customer: { id: 'JDHUdh8v' } }
  const { outcome } = back(
    { token: 't' },
    [200, order('APPROVED')],
    [201, { ...paid(), payment_source: { paypal: { attributes: { vault } } } }],
  )
  ok(outcome.is === 'done')
  deepEqual(outcome.facts, { connector_mandate_id: '8kk8451t', connector_customer_id: 'JDHUdh8v' })
})

test('a button order has no reference of ours, and is paid only if it was approved and has the same amount', () => {
  const made = rehearse(paypal.order({ request_id: 'REQ9', money, type: 'paypal', capture: 'automatic' }, account), [
    replied(201, order('CREATED')),
  ])
  deepEqual(made.outcome, { is: 'done', id: '5O190127TN364715T' })
  deepEqual(JSON.parse(made.requests[0]!.body!), { intent: 'CAPTURE', purchase_units: [{ amount }] })
  const nameless = (status: string, more: object = {}) => ({ ...order(status, more), purchase_units: [{ amount }] })
  const payWith = (order_id: string | undefined, ...replies: Parameters<typeof replied>[]) =>
    rehearse(
      paypal.authorize(
        ask({ instrument: wallet('paypal_sdk', { token: '5O190127TN364715T' }), ...(order_id !== undefined && { order_id }) }),
        account,
      ),
      replies.map(one => replied(...one)),
    ).outcome
  const pay = (...replies: Parameters<typeof replied>[]) => payWith('5O190127TN364715T', ...replies)
  for (const another of [undefined, '8XH51904LB279434K']) {
    const refused = payWith(another)
    ok(refused.is === 'declined' && refused.processor_code === 'ORDER_MISMATCH', 'nothing is sent for the order of another payment')
  }
  const done = pay([200, nameless('APPROVED')], [201, { ...paid(), purchase_units: [{ payments: { captures: [capture] } }] }])
  ok(done.is === 'done' && done.request_id === null)
  for (const [found, code] of [
    [nameless('CREATED'), 'CREATED'],
    [{ ...nameless('APPROVED'), purchase_units: [{ amount: { ...amount, value: '12.51' } }] }, 'AMOUNT_MISMATCH'],
    [nameless('APPROVED', { intent: 'AUTHORIZE' }), 'ACTION_DOES_NOT_MATCH_INTENT'],
  ] as const) {
    const refused = pay([200, found])
    ok(refused.is === 'declined' && refused.processor_code === code, JSON.stringify(refused))
  }
})

const about = { request_id: 'REQ2', authorization: { reference: '5O190127TN364715T', request_id: 'REQ1' }, money }
const mine = { ...capture, invoice_id: 'REQ2' }

test('captures, voids and extensions first look up the order', () => {
  const taken = rehearse(paypal.capture({ ...about, rest: 'keep' }, account), [replied(200, held()), replied(201, mine)])
  deepEqual(
    taken.requests.map(({ url }) => url.replace('https://api-m.paypal.com', '')),
    ['/v2/checkout/orders/5O190127TN364715T', '/v2/payments/authorizations/0AW2184448108334S/capture'],
  )
  deepEqual(JSON.parse(taken.requests[1]!.body!), { amount, invoice_id: 'REQ2', final_capture: false })
  ok(taken.outcome.is === 'done' && taken.outcome.request_id === 'REQ2')
  equal(rehearse(paypal.capture({ ...about, rest: 'keep' }, account), [replied(200, paid())]).outcome.is, 'not_sent')
  const voided = rehearse(paypal.void(about, account), [replied(200, held()), replied(200, { ...hold, status: 'VOIDED' })])
  equal(voided.requests[1]!.headers['paypal-request-id'], 'REQ2')
  equal(voided.outcome.is, 'done')
  equal(
    rehearse(paypal.void(about, account), [replied(200, order('APPROVED'))]).outcome.is,
    'done',
    'an order that nobody paid holds nothing',
  )
  equal(rehearse(paypal.void(about, account), [replied(200, paid())]).outcome.is, 'declined')
  const renewed = rehearse(paypal.extend(about, account), [replied(200, held()), replied(201, { ...hold, id: 'NEW' })]).outcome
  ok(renewed.is === 'done')
  equal(renewed.facts.capture_before, '2026-03-30T10:00:00.000Z')
})

test('a refund uses a capture with enough left, and is not made twice', () => {
  const small = { ...capture, id: 'SMALL', amount: { ...amount, value: '5.00' } }
  const big = { ...capture, id: 'BIG', amount: { ...amount, value: '20.00' } }
  const back = { ...{ id: 'R1', status: 'COMPLETED', amount, custom_id: 'REQ2' }, acquirer_reference_number: '74537603006045512345678' }
  const up = (id: string) => [{ rel: 'up', href: `https://api-m.paypal.com/v2/payments/captures/${id}` }]
  const other = { ...back, id: 'R0', custom_id: 'REQ0', amount: { ...amount, value: '8.00' }, links: up('BIG') }
  const with_ = (...refunds: object[]) => order('COMPLETED', {}, { authorizations: [hold], captures: [small, big], refunds })
  const refund = { ...about, reason: null }
  const first = rehearse(paypal.refund(refund, account), [replied(200, with_()), replied(201, back)])
  ok(first.requests[1]!.url.endsWith('/captures/BIG/refund'))
  deepEqual(JSON.parse(first.requests[1]!.body!), { amount, custom_id: 'REQ2', invoice_id: 'REQ2' })
  ok(first.outcome.is === 'done' && first.outcome.facts.arn === '74537603006045512345678')
  const fits = { ...refund, money: { amount: 450, currency: 'USD' } } as const
  const last = rehearse(paypal.refund({ ...fits, money: { amount: 1200, currency: 'USD' } }, account), [
    replied(200, with_(other)),
    silence,
  ])
  equal(last.outcome.is, 'unknown')
  ok(last.requests[1]!.url.endsWith('/captures/BIG/refund'))
  equal(rehearse(paypal.refund(refund, account), [replied(200, with_(other, back))]).outcome.is, 'done', 'it was made before')
  equal(
    rehearse(paypal.refund(refund, account), [replied(200, with_()), replied(201, { ...back, status: 'PENDING' })]).outcome.is,
    'waiting',
  )
})

test('each order status gives its outcome when it is polled', () => {
  const outcomeOf = (body: unknown, more: Partial<SyncRequest> = {}, status = 200) =>
    rehearse(paypal.sync({ ...asked, ...more }, account), [replied(status, body)]).outcome
  const notFound = { name: 'RESOURCE_NOT_FOUND', message: 'No.', details: [{ issue: 'INVALID_RESOURCE_ID' }] }
  equal(outcomeOf(paid()).is, 'done')
  deepEqual(outcomeOf(order('APPROVED')), { is: 'not_found', reference: '5O190127TN364715T' })
  deepEqual(outcomeOf(notFound, {}, 404), { is: 'not_found', gone: true })
  equal(outcomeOf(paid({ status: 'PENDING' })).is, 'waiting')
  equal(outcomeOf(order('COMPLETED', {}, { authorizations: [{ ...hold, status: 'VOIDED' }] })).is, 'lapsed')
  const part = outcomeOf(held({ ...mine, amount: { ...amount, value: '5.00' } }))
  ok(part.is === 'done' && part.captured !== 'as asked')
  equal(part.captured?.amount, 500)
  const of = { ...asked, request_id: 'REQ2', reference: null, authorization: about.authorization }
  equal(outcomeOf(held(mine), { ...of, verb: 'capture' }).is, 'done')
  deepEqual(outcomeOf(held(), { ...of, verb: 'capture' }), { is: 'not_found', lags_ms: 3_600_000 })
  equal(outcomeOf(held(), { ...of, verb: 'capture', reference: 'CAP' }).is, 'waiting')
  deepEqual(rehearse(paypal.sync({ ...asked, reference: null }, account), []).outcome, { is: 'not_found' })
  equal(outcomeOf(notFound, { ...of, verb: 'refund' }, 404).is, 'unknown')
})

test('a refused access token is a configuration error; an unavailable one means that nothing was sent', () => {
  const refused = rehearse(paypal.authorize(ask(), account), [], [{ is: 'refused', message: 'No.' }]).outcome
  ok(refused.is === 'declined' && refused.code === 'configuration')
  equal(rehearse(paypal.authorize(ask(), account), [], [{ is: 'unavailable', why: 'silence' }]).outcome.is, 'not_sent')
  equal(rehearse(paypal.authorize(ask(), account), [notSent]).outcome.is, 'not_sent')
  equal(rehearse(paypal.authorize(ask(), account), [silence]).outcome.is, 'not_sent', 'no order, no money')
})

test('a payout is a batch of one item; an unclaimed payout can be cancelled, and a returned one has lapsed', () => {
  const recipient = {
    ...({ is: 'wallet', type: 'paypal', account: new Secret('ada@example.com'), by: 'email' } as const),
    ...{ exp_month: null, exp_year: null, holder: null },
  } as const
  const payout = {
    ...({ request_id: 'REQ1', money, recipient, entity_type: 'Individual', priority: null } as const),
    ...{ merchant_name: 'Chairs & Co', description: null },
  } as const
  const header = { payout_batch_id: 'B1', batch_status: 'PENDING', sender_batch_header: { sender_batch_id: 'REQ1' } }
  const { requests, outcome } = rehearse(paypal.payout(payout, account), [replied(201, { batch_header: header })])
  deepEqual(JSON.parse(requests[0]!.body!).items, [
    {
      ...{ recipient_type: 'EMAIL', recipient_wallet: 'PAYPAL', amount: { currency: 'USD', value: '12.50' } },
      ...{ receiver: 'ada@example.com', sender_item_id: 'REQ1' },
    },
  ])
  deepEqual(outcome, { is: 'waiting', reference: 'B1' })
  const item = (transaction_status: string, more: object = {}) => ({
    ...{ payout_item_id: 'I1', payout_batch_id: 'B1', transaction_status },
    payout_item: { amount: { currency: 'USD', value: '12.50' }, receiver: 'ada@example.com', sender_item_id: 'REQ1' },
    ...more,
  })
  const batch = (...items: object[]) => ({ batch_header: { ...header, batch_status: 'SUCCESS' }, items })
  const became = (body: object) =>
    rehearse(paypal.sync({ ...asked, verb: 'payout', reference: 'B1' }, account), [replied(200, body)]).outcome
  for (const [status, is] of [
    ['SUCCESS', 'done'],
    ['UNCLAIMED', 'waiting'],
    ['ONHOLD', 'waiting'],
    ['RETURNED', 'lapsed'],
    ['FAILED', 'declined'],
  ] as const)
    equal(became(batch(item(status))).is, is, status)
  const ineligible = became(batch(item('FAILED', { errors: { name: 'RECEIVER_UNREGISTERED', message: 'Unregistered.' } })))
  ok(ineligible.is === 'declined' && ineligible.code === 'recipient_ineligible')
  const reversed = became(batch(item('REVERSED')))
  ok(reversed.is === 'declined' && reversed.after_yes)
  const cancel = { request_id: 'REQ2', authorization: { reference: 'B1', request_id: 'REQ1' }, money }
  const called = rehearse(paypal.cancel_payout(cancel, account), [replied(200, batch(item('UNCLAIMED'))), replied(200, item('RETURNED'))])
  ok(called.requests[1]!.url.endsWith('/v1/payments/payouts-item/I1/cancel'))
  equal(called.outcome.is, 'done')
})

test('a webhook is verified by a request to PayPal, and names the operation to poll', () => {
  const raw = Buffer.from('{ "event_type":"PAYMENT.CAPTURE.COMPLETED","resource":{"id":"C1","invoice_id":"REQ2","custom_id":"REQ1"} }')
  const headers = {
    ...{ 'paypal-auth-algo': 'SHA256withRSA', 'paypal-cert-url': 'https://api.paypal.com/cert', 'paypal-transmission-id': 't1' },
    ...{ 'paypal-transmission-sig': 'c2ln', 'paypal-transmission-time': '2026-03-01T10:00:00Z' },
  }
  const verify = (body: object) => {
    const verdict = paypal.webhook.verify(raw, headers, account)
    ok(typeof verdict !== 'boolean')
    return rehearse(verdict, [replied(200, body)])
  }
  const good = verify({ verification_status: 'SUCCESS' })
  equal(good.outcome, true)
  ok(good.requests[0]!.body!.includes(raw.toString()), 'the event goes back as its bytes came')
  equal(JSON.parse(good.requests[0]!.body!).webhook_id, '8PT597110X687430LKGECATA')
  equal(verify({ verification_status: 'FAILURE' }).outcome, false)
  equal(paypal.webhook.verify(raw, { ...headers, 'paypal-transmission-sig': undefined }, account), false)
  equal(paypal.webhook.verify(raw, headers, { ...account, webhook_secret: null }), false)
  const read = (event_type: string, resource: object) => paypal.webhook.read(Buffer.from(JSON.stringify({ event_type, resource })))
  deepEqual(paypal.webhook.read(raw), [
    {
      is: 'outcome',
      of: [
        { request_id: 'REQ2', verb: 'capture' },
        { reference: 'C1', verb: 'capture' },
      ],
      outcome: 'ask',
      otherwise: { is: 'outcome', of: [{ request_id: 'REQ1', verb: 'authorize' }], outcome: 'ask' },
    },
  ])
  deepEqual(read('CHECKOUT.ORDER.APPROVED', { id: 'O1' }), [
    { is: 'return', of: [{ reference: 'O1', verb: 'authorize' }], parameters: { token: 'O1' } },
  ])
  deepEqual(read('VAULT.PAYMENT-TOKEN.CREATED', { id: 'V1', customer: { id: 'U1' }, metadata: { order_id: 'O1' } }), [
    {
      is: 'references',
      of: [{ reference: 'O1', verb: 'authorize' }],
      references: { connector_mandate_id: 'V1', connector_customer_id: 'U1' },
    },
  ])
  deepEqual(read('CUSTOMER.DISPUTE.CREATED', { dispute_id: 'PP-D-1' }), [{ is: 'dispute', dispute: 'ask', reference: 'PP-D-1' }])
  deepEqual(read('PAYMENT.PAYOUTS-ITEM.SUCCEEDED', { payout_batch_id: 'B1', payout_item: { sender_item_id: 'REQ1' } }), [
    { is: 'outcome', of: [{ request_id: 'REQ1', verb: 'payout' }], outcome: { is: 'waiting', reference: 'B1' } },
    {
      is: 'outcome',
      of: [
        { reference: 'B1', verb: 'payout' },
        { request_id: 'REQ1', verb: 'payout' },
      ],
      outcome: 'ask',
    },
  ])
  deepEqual(read('BILLING.PLAN.CREATED', { id: 'P1' }), [])
})

const dispute = {
  ...{ dispute_id: 'PP-D-4012', create_time: '2026-03-01T10:00:00.000Z', reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED' },
  ...{ status: 'WAITING_FOR_SELLER_RESPONSE', dispute_life_cycle_stage: 'CHARGEBACK', dispute_amount: amount },
  seller_response_due_date: '2026-03-11T10:00:00.000Z',
  disputed_transactions: [{ seller_transaction_id: '3C679366HH908993F', custom: 'REQ1' }],
  links: [{ href: 'https://api-m.paypal.com/v1/customer/disputes/PP-D-4012/provide-evidence', rel: 'provide_evidence', method: 'POST' }],
}
const contest = {
  ...{ request_id: 'REQ3', reference: 'PP-D-4012', authorization: about.authorization, money },
  evidence: {
    texts: { shipping_tracking_number: '1Z999', shipping_carrier: 'Courier', uncategorized_text: 'It was sent.' },
    uploaded: {},
    files: [{ type: 'receipt', name: 'my receipt.PDF', content_type: 'application/pdf', bytes: Buffer.from('%PDF \u00ff', 'latin1') }],
  },
} as const

test('a dispute is read, accepted, or contested with evidence or by an appeal', () => {
  const read = rehearse(paypal.read_dispute('PP-D-4012', account), [replied(200, dispute)]).outcome
  ok(read.is === 'dispute')
  deepEqual([read.dispute.stage, read.dispute.status, read.dispute.respond_by], ['dispute', 'dispute_opened', '2026-03-11T10:00:00.000Z'])
  deepEqual(read.of, [
    { request_id: 'REQ1', verb: 'authorize' },
    { reference: '3C679366HH908993F', verb: 'capture' },
  ])
  const done = replied(200, { links: [] })
  const { requests, outcome } = rehearse(paypal.contest_dispute(contest, account), [replied(200, dispute), done])
  equal(outcome.is, 'done')
  ok(requests[1]!.url.endsWith('/PP-D-4012/provide-evidence'))
  const form = requests[1]!.bytes!.toString('latin1')
  ok(form.includes('"tracking_info":[{"carrier_name":"OTHER","carrier_name_other":"Courier","tracking_number":"1Z999"}]'))
  ok(form.includes('filename="receipt-1.pdf"') && form.includes('"name":"receipt-1.pdf"') && form.includes('%PDF \u00ff'))
  const lost = { ...dispute, status: 'RESOLVED', dispute_outcome: { outcome_code: 'RESOLVED_BUYER_FAVOUR' } }
  const appealed = rehearse(paypal.contest_dispute(contest, account), [
    replied(200, { ...lost, adjudications: [{ type: 'PAYOUT_TO_BUYER' }], links: [{ rel: 'appeal', href: 'https://x/appeal' }] }),
    done,
  ])
  ok(appealed.requests[1]!.url.endsWith('/PP-D-4012/appeal'))
  const late = rehearse(paypal.contest_dispute(contest, account), [replied(200, { ...dispute, links: [] })]).outcome
  ok(late.is === 'declined' && late.code === 'not_allowed')
  equal(rehearse(paypal.contest_dispute(contest, account), [silence]).outcome.is, 'not_sent')
  equal(rehearse(paypal.contest_dispute(contest, account), [replied(200, dispute), silence]).outcome.is, 'unknown')
  equal(rehearse(paypal.accept_dispute(contest, account), [done]).outcome.is, 'done')
  equal(rehearse(paypal.accept_dispute(contest, account), [silence]).outcome.is, 'unknown')
  equal(
    rehearse(paypal.sync({ ...asked, verb: 'contest_dispute', reference: 'PP-D-4012' }, account), [
      replied(200, { ...dispute, status: 'UNDER_REVIEW' }),
    ]).outcome.is,
    'done',
  )
})
