import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { connectors } from '../../src/connectors/all.ts'
import type { Request } from '../../src/context.ts'
import { addAccount } from '../merchant.ts'
import { openProcessor, type Processor } from '../processor.ts'
import { isRefused } from '../refused.ts'
import { ADMIN_KEY, type Body, cards, http, openPlace, openShop, type Shop } from '../shop.ts'

/**
 * A card that was saved and first charged at one processor is charged without its customer at another, by the
 * network's id of the first payment.
 */

/** The complete requests that were sent to processors. */
const sent: Request[] = []
await openPlace({}, context => ({
  ...context,
  send(request, sender) {
    sent.push(request)
    return context.send(request, sender)
  },
}))

/** The connectors at which cards are saved; and those that charge cards by the network's id. */
const connectorNames = ['phonypay', 'stripe', 'adyen', 'checkout', 'braintree', 'paypal'] as const
const takers = connectorNames.filter(name => connectors[name]!.accepts.methods.some(method => method === 'network_transaction_id'))

const accepted = { acceptance_type: 'offline' }
const saves = { customer_id: 'cus_grace', setup_future_usage: 'off_session', customer_acceptance: accepted }

/** Gives the renewal: a charge of the saved card without its customer. */
const renewal = (payment_method_id: string, more: Body = {}): Body => ({
  customer_id: 'cus_grace',
  off_session: true,
  mit_category: 'recurring',
  recurring_details: { type: 'payment_method_id', data: payment_method_id },
  payment_method: undefined,
  payment_method_data: undefined,
  ...more,
})

type Other = { merchant_connector_id: string; processor: Processor }

/** Opens a merchant whose first account is at `from`; saved cards may be charged at any account. */
async function openAt(from: string): Promise<Shop> {
  const shop = await openShop({ connector: from, webhooks: 'on' })
  await shop.profile({ is_connector_agnostic_mit_enabled: true, is_auto_retries_enabled: true })
  return shop
}

/** What an account needs in order to charge cards by the network's id: Stripe opens it on request. */
const opened: Readonly<Record<string, Body>> = { stripe: { metadata: { mit_exemption: 'true' } } }

/** Adds an account whose processor sends webhooks, and for which the processor has opened what it opens on request. */
async function accountAt(shop: Shop, connector: string, settings: Body = opened[connector] ?? {}): Promise<Other> {
  const merchant_secret = randomBytes(12).toString('hex')
  const { merchant_connector_id } = await addAccount(shop, connector, { connector_webhook_details: { merchant_secret }, ...settings })
  const processor = openProcessor(shop.processor.url, `sandbox_${shop.merchant_id}_${connector}`)
  const webhook_url = `${shop.url}/webhooks/${shop.merchant_id}/${merchant_connector_id}`
  await processor.account({ webhook_url, webhook_secret: merchant_secret })
  return { merchant_connector_id, processor }
}

/**
 * Gives the charges in a processor's books: the amounts captured and refunded, and the means by which each was charged
 * without its customer.
 */
const booked = async ({ processor }: Pick<Other, 'processor'>) =>
  (await processor.charges()).filter(one => one.captured > 0).map(one => [one.captured, one.refunded, one.by])

for (const from of connectorNames)
  test(`a card saved at ${from} is charged elsewhere by its network_transaction_id, once, and refunded there`, async () => {
    const shop = await openAt(from)
    const first = await shop.pay(saves)
    deepEqual([first.status, first.payment_method_status], ['succeeded', 'active'])
    match(first.network_transaction_id, /^\w{8,64}$/)
    const renewed: [string, Other][] = []
    for (const to of takers.filter(name => name !== from)) {
      const other = await accountAt(shop, to)
      sent.length = 0
      const moved = await shop.pay(renewal(first.payment_method_id, { amount: 700, connector: [to] }))
      const at = `${from} to ${to}`
      deepEqual([moved.status, moved.merchant_connector_id], ['succeeded', other.merchant_connector_id], `${at} ${moved.error_message}`)
      equal(moved.amount_received, 700, at)
      deepEqual(await booked(other), [[700, 0, 'network_transaction_id']], at)
      const naming = sent.filter(({ body }) => typeof body === 'string' && body.includes(first.network_transaction_id))
      ok(naming.length > 0, `${at}: the id of the first payment was said`)
      // The security code is not known without the customer.
      ok(!sent.some(({ body }) => typeof body === 'string' && /"(?:cvc|cvv|security_code)":"\d/i.test(body)), at)
      renewed.push([moved.payment_id, other])
    }
    deepEqual(await booked(shop), [[1250, 0, undefined]], 'the first processor was not asked again')
    // Charges of today are settled tomorrow; then a part is refunded where it was charged.
    const dayPasses = async () => {
      for (const [, other] of renewed) await other.processor.advance(86_400)
      await shop.wait('1 day')
    }
    await dayPasses()
    for (const [payment_id] of renewed) await shop.refund(payment_id, 300)
    await dayPasses()
    await dayPasses()
    for (const [payment_id, other] of renewed) {
      deepEqual(await booked(other), [[700, 300, 'network_transaction_id']], payment_id)
      equal((await shop.get(payment_id)).refunds[0].status, 'succeeded', payment_id)
    }
  })

/** Each processor that charges by the network's id, with the one after it. */
const next = takers.map((name, i) => [name, takers[(i + 1) % takers.length]!] as const)

/**
 * Makes a rule of the deployment: a decline by this processor with its usual code and message may be retried at
 * another.
 */
async function mayBeTriedAgain(shop: Shop, connector: string): Promise<void> {
  await shop.processor.fault('authorize', 'decline')
  const { error_code: code, error_message: message, status: end } = await shop.pay()
  // The default rules already cover the sandbox's own processor.
  if (end === 'succeeded') return
  const rule = { connector, flow: 'Payment', sub_flow: 'Authorize', code, message, status: 'Failure' }
  const decision = { decision: 'retry', step_up_possible: false, clear_pan_possible: false }
  const { status, text } = await http('POST', `${shop.url}/gsm`, { ...rule, ...decision }, { 'api-key': ADMIN_KEY })
  ok(status === 200 || text.includes('IR_38'), text)
}

for (const [first, second] of next)
  test(`a renewal that ${first} declines is charged at ${second} by the network transaction id, once`, async () => {
    const shop = await openAt(first)
    const saved = await shop.pay(saves)
    const other = await accountAt(shop, second)
    await mayBeTriedAgain(shop, first)
    await shop.processor.fault('authorize', 'decline')
    const paid = await shop.pay(renewal(saved.payment_method_id, { amount: 700 }))
    deepEqual(
      [paid.status, paid.attempt_count, paid.merchant_connector_id],
      ['succeeded', 2, other.merchant_connector_id],
      paid.error_message,
    )
    deepEqual(await booked(shop), [[1250, 0, undefined]])
    deepEqual((await booked(other)).at(-1), [700, 0, 'network_transaction_id'])
    equal((await booked(other)).filter(([amount]) => amount === 700).length, 1)
  })

/** Makes an account unreachable: no server listens at its address. */
async function isAway(shop: Shop): Promise<void> {
  const metadata = JSON.stringify({ base_url: 'http://127.0.0.1:9' })
  const text = `update connector_accounts set details = jsonb_set(details, '{metadata}', coalesce(nullif(details->'metadata', 'null'), '{}') || $2::jsonb)
    where merchant_connector_id = $1`
  await shop.query(text, [shop.merchant_connector_id, metadata])
  await shop.profile({})
}

for (const [first, second] of next)
  test(`a payment that cannot reach ${first} is charged at ${second}, once; a renewal by the network transaction id`, async () => {
    const shop = await openAt(first)
    const saved = await shop.pay(saves)
    const other = await accountAt(shop, second)
    await isAway(shop)
    const paid = await shop.pay(renewal(saved.payment_method_id, { amount: 700 }))
    deepEqual(
      [paid.status, paid.attempt_count, paid.merchant_connector_id],
      ['succeeded', 2, other.merchant_connector_id],
      paid.error_message,
    )
    const there = await shop.pay({ amount: 800 })
    deepEqual([there.status, there.attempt_count, there.merchant_connector_id], ['succeeded', 2, other.merchant_connector_id])
    deepEqual(await booked(shop), [[1250, 0, undefined]])
    deepEqual(await booked(other), [
      [700, 0, 'network_transaction_id'],
      [800, 0, undefined],
    ])
  })

for (const [first, second] of next)
  test(`a renewal without a response from ${first} is not retried at ${second}, and is charged once`, async () => {
    const shop = await openAt(first)
    const saved = await shop.pay(saves)
    const other = await accountAt(shop, second)
    if (first === 'adyen') await shop.processor.account({ webhooks: 'hold' })
    // Adyen cannot be queried, so the service sends the request twice there under one key: neither answer arrives.
    await shop.processor.fault('authorize', 'reset_after', { times: first === 'adyen' ? 2 : 1 })
    const unheard = await shop.pay(renewal(saved.payment_method_id, { amount: 700 }))
    deepEqual([unheard.status, unheard.attempt_count], ['processing', 1])
    if (first === 'adyen') await shop.processor.flushWebhooks()
    await shop.wait('2 hours')
    deepEqual([(await shop.get(unheard.payment_id)).status, (await shop.get(unheard.payment_id)).attempt_count], ['succeeded', 1])
    deepEqual(await booked(shop), [
      [1250, 0, undefined],
      [700, 0, 'mandate'],
    ])
    deepEqual(await other.processor.operations(), [])
  })

/**
 * The refusals of two accounts that cannot make such a charge: one at a connector that does not support cards, one for
 * which Stripe has not opened the network's id.
 */
const lacking = {
  mollie: ['mollie', /supports payment_method card/],
  'stripe without mit_exemption': [
    'stripe',
    /accepts its network_transaction_id .* at stripe only if the account has metadata\.mit_exemption/,
  ],
} as const

for (const [place, [name, pattern]] of Object.entries(lacking))
  test(`${place} charges no card by network transaction id: a renewal there is refused, and routing skips it`, async () => {
    const shop = await openAt('paypal')
    const saved = await shop.pay(saves)
    const never = await accountAt(shop, name, {})
    const refused = await shop.tryToPay(renewal(saved.payment_method_id, { connector: [name] }))
    isRefused(refused, 400, 'IR_39')
    match(refused.body.error.reason, pattern)
    const other = await accountAt(shop, 'checkout')
    const priority = [never, other].map(({ merchant_connector_id }, i) => ({ connector: [name, 'checkout'][i], merchant_connector_id }))
    const past = await shop.pay(renewal(saved.payment_method_id, { amount: 700, routing: { type: 'priority', data: priority } }))
    deepEqual([past.status, past.merchant_connector_id], ['succeeded', other.merchant_connector_id], past.error_message)
    deepEqual(await booked(other), [[700, 0, 'network_transaction_id']])
    deepEqual(await never.processor.operations(), [])
    deepEqual(await booked(shop), [[1250, 0, undefined]])
  })

test('a card that its issuer reports as lost is not retried at another processor', async () => {
  const shop = await openAt('checkout')
  await accountAt(shop, 'braintree')
  const other = await accountAt(shop, 'paypal')
  const lost = await shop.pay({ ...saves, card: cards.isLost })
  deepEqual([lost.status, lost.attempt_count], ['failed', 1])
  deepEqual(await other.processor.operations(), [])
})
