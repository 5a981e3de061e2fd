import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { addAccount, keysOf } from '../merchant.ts'
import { ends, payOutBody, recipients } from '../payout-shop.ts'
import { type Body, cards, http, openShop, type Shop } from '../shop.ts'
import { agree } from './agree.ts'
import { type Crossing, crossings, dyingService } from './dying.ts'
import { openVariations } from './variations.ts'

/**
 * The service is killed while it talks to processors of other kinds than those of `deaths.test.ts`: one that stores
 * operations under our request id (bridge), one whose list is searched (payadmit), one at which an object is created
 * and noted before the card is sent (milkypay), one at which a card becomes a token first, and money settles before a
 * part of it can be refunded (braintree), one that only acknowledges the receipt of captures, voids and refunds
 * (checkout), and one whose customers approve an order that is then captured (PayPal's wallet). The service is killed
 * at every crossing of a payment, and at some crossings of the operations after it.
 */

const long: readonly Crossing[] = [...crossings, 'send.2.during', 'send.2.after', 'commit.3.before', 'commit.3.after']

/**
 * A kind of processor. `doubt`: how long "not found" does not prove that the request was never received. `settles`:
 * the time within which money settles, before and after a refund. `paid`: the payment method, if it is not a card.
 */
type Shape = {
  paid?: Body
  crossings: readonly Crossing[]
  afterwards: readonly ('refund' | 'capture' | 'cancel')[]
  doubt?: string
  settles?: string
}
const shapes: Record<string, Shape> = {
  bridge: { crossings, afterwards: ['refund', 'capture', 'cancel'] },
  payadmit: { crossings, afterwards: ['refund'] },
  milkypay: { crossings: long, afterwards: [] },
  braintree: { crossings, afterwards: ['refund', 'capture', 'cancel'], doubt: '70 minutes', settles: '2 days' },
  'braintree by PayPal': {
    ...{ crossings, afterwards: ['refund', 'capture', 'cancel'], doubt: '70 minutes', settles: '2 days' },
    paid: {
      ...{ payment_method: 'wallet', payment_method_type: 'paypal' },
      payment_method_data: { wallet: { paypal_sdk: { token: 'fake-paypal-one-time-nonce' } } },
    },
  },
  checkout: { crossings, afterwards: ['refund', 'capture', 'cancel'], doubt: '70 minutes' },
}
const cardsTried = { approves: cards.approves, 'is silent': cards.chargesAndResets }

const { add, run } = openVariations()

const post = (shop: Shop, url: string, path: string, body: unknown) => http('POST', url + path, body, { 'api-key': shop.api_key })
const idOf = (shop: Shop, prefix: 'pay' | 'ref') => `${prefix}_${shop.merchant_id.slice(-12).toUpperCase().padEnd(26, '0')}`

for (const [shape, { crossings, afterwards, doubt = '5 minutes', settles, paid: ask = {} }] of Object.entries(shapes)) {
  const [connector] = shape.split(' ') as [string]
  for (const [truth, card] of Object.entries(cardsTried))
    for (const at of crossings) {
      if (ask.payment_method && card !== cards.approves) continue
      add(`create and confirm at ${at}`, `${shape}: create and confirm: killed at ${at} while the processor ${truth}`, async () => {
        const shop = await openShop({ connector })
        const payment_id = idOf(shop, 'pay')
        const body = shop.payBody({ payment_id, card, ...ask })
        equal(await dyingService(shop, at, url => post(shop, url, '/payments', body)), 'died')
        if (at === 'commit.1.before') return equal((await shop.call('GET', `/payments/${payment_id}`)).status, 404)
        await shop.wait(doubt)
        const charges = await shop.processor.charges()
        equal((await shop.get(payment_id)).status, charges.length === 1 ? 'succeeded' : 'failed')
        await agree(shop)
        // A client that received no answer repeats its request, with the same payment_id: this charges nothing.
        equal((await shop.post('/payments', body)).status, 200)
        await shop.wait('5 minutes')
        await agree(shop)
        deepEqual(await shop.processor.charges(), charges)
        ok(charges.length <= 1)
      })
    }

  for (const verb of afterwards)
    for (const at of ['commit.1.after', 'send.1.during', 'commit.2.before'] as const)
      add(`${verb} at ${at}`, `${shape}: ${verb}: killed at ${at}`, async () => {
        const shop = await openShop({ connector })
        const paid = verb === 'refund' ? await shop.pay(ask) : await shop.hold(ask)
        if (settles) await shop.wait(verb === 'refund' ? settles : '1 minute')
        const refund: Body = { payment_id: paid.payment_id, refund_id: idOf(shop, 'ref'), amount: 700 }
        const path = verb === 'refund' ? '/refunds' : `/payments/${paid.payment_id}/${verb}`
        equal(await dyingService(shop, at, url => post(shop, url, path, verb === 'refund' ? refund : {})), 'died')
        await shop.wait(settles ?? doubt)
        await agree(shop)
        const [charge] = await shop.processor.charges()
        if (verb === 'refund') {
          equal((await shop.getRefund(refund.refund_id)).status, charge!.refunded === 700 ? 'succeeded' : 'failed')
          equal((await shop.post('/refunds', refund)).status, 200)
        } else {
          const status = { captured: 'succeeded', voided: 'cancelled', authorized: 'requires_capture' }[charge!.status]
          equal((await shop.get(paid.payment_id)).status, status)
        }
        await shop.wait('5 minutes')
        await agree(shop)
        ok((await shop.processor.charges())[0]!.refunded <= 700)
      })
}

/**
 * Payments that the customer makes elsewhere: on a page of the processor, or on a phone. `unreceived`: the status of a
 * payment whose request never left: it requires manual review where the processor does not prove that it received
 * nothing.
 */
const elsewhere: Record<string, { connector: string; metadata?: Body; ask: Body; unreceived: string }> = {
  'hosted page': {
    connector: 'payadmit',
    ask: {
      payment_method: 'card_redirect',
      payment_method_type: 'card_redirect',
      payment_method_data: { card_redirect: { card_redirect: {} } },
    },
    unreceived: 'failed',
  },
  'mobile money': {
    connector: 'honeycoin',
    metadata: { operator: 'mpesa' },
    ask: {
      payment_method: 'mobile_payment',
      payment_method_type: 'direct_carrier_billing',
      payment_method_data: { mobile_payment: { direct_carrier_billing: { msisdn: '254700004242' } } },
    },
    unreceived: 'requires_merchant_action',
  },
}

for (const [shape, { connector, metadata, ask, unreceived }] of Object.entries(elsewhere))
  for (const answer of ['approved', 'declined'] as const)
    for (const at of crossings)
      add(`paid elsewhere at ${at}`, `${shape}: killed at ${at}; then its customer has ${answer} it`, async () => {
        const shop = await openShop({ connector, ...(metadata && { metadata }) })
        const payment_id = idOf(shop, 'pay')
        const body = shop.payBody({ payment_id, ...ask })
        equal(await dyingService(shop, at, url => post(shop, url, '/payments', body)), 'died')
        const once = async () => {
          await shop.wait('5 minutes')
          const [asked, ...others] = await shop.processor.operations()
          deepEqual(others, [])
          if (asked?.status === 'challenge') await shop.processor.decide(asked.id, answer)
          await shop.wait('2 hours')
          return asked !== undefined
        }
        const sent = await once()
        equal(sent, !at.startsWith('commit.1'))
        if (at !== 'commit.1.before') {
          if (!sent) await shop.wait('8 days')
          equal((await shop.get(payment_id)).status, !sent ? unreceived : answer === 'approved' ? 'succeeded' : 'failed')
        }
        // A client that received no answer repeats its request, with the same payment_id: the answer is the same
        // payment.
        equal((await shop.post('/payments', body)).status, 200)
        equal(await once(), at !== 'commit.1.after')
        // The payment requires manual review: the two ledgers do not agree yet.
        if ((await shop.get(payment_id)).status !== 'requires_merchant_action') await agree(shop)
        equal((await shop.processor.charges()).length, at !== 'commit.1.after' && answer === 'approved' ? 1 : 0)
      })

for (const at of ['commit.1.after', 'send.1.during', 'send.1.after', 'commit.2.before'] as const)
  test(`checkout: incremental authorization, service killed at ${at}: the amount is raised once or never`, async () => {
    const shop = await openShop({ connector: 'checkout' })
    const hold = await shop.hold({ request_incremental_authorization: true })
    const raise = (url: string) => post(shop, url, `/payments/${hold.payment_id}/incremental_authorization`, { amount: 2000 })
    equal(await dyingService(shop, at, raise), 'died')
    await shop.wait('70 minutes')
    await agree(shop)
    const asked = at !== 'commit.1.after'
    equal((await shop.get(hold.payment_id)).amount_capturable, asked ? 2000 : 1250)
    // A client that received no answer repeats its request: the amount is held once.
    equal((await raise(shop.url)).status === 200, !asked)
    await agree(shop)
    equal((await shop.capture(hold.payment_id)).body.status, 'processing')
    await shop.wait('1 minute')
    equal((await shop.processor.charges())[0]!.captured, 2000)
  })

/**
 * Processors that pay out. `unreceived`: the status of a payout whose request never left: it stays unknown for a week
 * where no list is sure to contain payouts. `to`: the recipient, if it is not a bank account; `beside`: the connector
 * of the payment account, if this one only pays out.
 */
const payers: Record<string, { unreceived: 'failed' | 'pending'; to?(end: string): Body; beside?: string }> = {
  fiftyfourpay: { unreceived: 'failed' },
  checkout: { unreceived: 'pending' },
  adyenplatform: { unreceived: 'pending', beside: 'adyen' },
  stripe: { unreceived: 'failed', to: end => ({ passthrough: { psp_token: `acct_1Nnlp9GPxmnH${end}`, token_type: 'ach' } }) },
}

for (const [connector, { unreceived, to = recipients.bank, beside = connector }] of Object.entries(payers))
  for (const [truth, end] of Object.entries({ pays: ends.approves, 'is silent': ends.paysAndResets }))
    for (const at of crossings)
      add(`pay out at ${at}`, `${connector} pays out: killed at ${at} while it ${truth}: once, or never`, async () => {
        const shop = await openShop({ connector: beside })
        await addAccount(shop, connector, {
          connector_type: 'payout_processor',
          connector_label: 'payouts',
          connector_account_details: keysOf(connector, `sandbox_${shop.merchant_id}`),
        })
        const body = payOutBody({ payout_id: `pyt_${shop.merchant_id.slice(-12).toUpperCase().padEnd(26, '0')}`, to: to(end) })
        equal(await dyingService(shop, at, url => post(shop, url, '/payouts/create', body)), 'died')
        await shop.wait('5 minutes')
        // A client that received no answer repeats its request: one payout, paid once.
        equal((await shop.post('/payouts/create', body)).status, 200)
        await shop.wait('5 minutes')
        const paid = ((await shop.processor.ledger()) as Body).payouts.length
        equal(paid, at === 'commit.1.after' ? 0 : 1)
        const { status } = (await shop.call('GET', `/payouts/${body.payout_id}`)).body
        equal(status, paid === 1 ? 'success' : unreceived)
        // A payout whose result is unknown is not in both books yet.
        if (status !== 'pending') await agree(shop)
      })

for (const at of ['commit.1.after', 'send.1.during', 'send.1.after', 'commit.2.before'] as const)
  test(`braintree: full refund before settlement, service killed at ${at}: it is refunded once or never`, async () => {
    const shop = await openShop({ connector: 'braintree' })
    const paid = await shop.pay()
    const refund: Body = { payment_id: paid.payment_id, refund_id: idOf(shop, 'ref') }
    equal(await dyingService(shop, at, url => post(shop, url, '/refunds', refund)), 'died')
    await shop.wait('5 minutes')
    await agree(shop)
    const [charge] = await shop.processor.charges()
    equal((await shop.getRefund(refund.refund_id)).status, charge!.refunded === 1250 ? 'succeeded' : 'failed')
    equal((await shop.post('/refunds', refund)).status, 200)
    await shop.wait('2 days')
    await agree(shop)
    ok((await shop.processor.charges())[0]!.refunded <= 1250)
    equal((await shop.get(paid.payment_id)).status, 'succeeded')
  })

const wallet = { payment_method: 'wallet', payment_method_type: 'paypal', payment_method_data: { wallet: { paypal_redirect: {} } } }

/**
 * Approves the payment on its page as the customer; gives the address to which the customer is sent back. The process
 * that began the payment is dead: both addresses are changed to another process.
 */
async function approved({ url }: Shop, payment: Body): Promise<string> {
  const now = (address: string) => address.replace(new URL(address).origin, url)
  const page = (await http('GET', now(payment.next_action.redirect_to_url))).headers.location as string
  return now((await http('POST', `${page}/accept`, '')).headers.location as string)
}

/** Lets the webhooks that PayPal held back arrive, and lets the jobs poll. */
async function deliverWebhooks(shop: Shop): Promise<void> {
  await shop.processor.flushWebhooks()
  await shop.wait('5 minutes')
  await shop.processor.flushWebhooks()
  await shop.wait('5 minutes')
}

for (const at of long)
  test(`a PayPal wallet payment, service killed at ${at} as it is created: the customer pays once, or it fails`, async () => {
    const shop = await openShop({ connector: 'paypal', webhooks: 'on' })
    const payment_id = idOf(shop, 'pay')
    const body = shop.payBody({ payment_id, ...wallet })
    equal(await dyingService(shop, at, url => post(shop, url, '/payments', body)), 'died')
    if (at === 'commit.1.before') return equal((await shop.call('GET', `/payments/${payment_id}`)).status, 404)
    await shop.wait('5 minutes')
    // The customer can approve an order whose id was stored together with the next action.
    const begun = await shop.get(payment_id)
    const isWaiting = ['send.2.during', 'send.2.after', 'commit.3.before', 'commit.3.after'].includes(at)
    deepEqual([begun.status, begun.error_code], isWaiting ? ['requires_customer_action', null] : ['failed', 'not_received'])
    if (isWaiting) await http('GET', await approved(shop, begun))
    await shop.wait('5 minutes')
    equal((await shop.post('/payments', body)).status, 200)
    await deliverWebhooks(shop)
    await agree(shop)
    deepEqual(
      (await shop.processor.charges()).map(({ captured }) => captured),
      isWaiting ? [1250] : [],
    )
    equal((await shop.get(payment_id)).status, isWaiting ? 'succeeded' : 'failed')
  })

/** The crossings of a customer's return, which is settled in one commit. */
const ofReturn = ['send.1.during', 'send.1.after', 'commit.1.before', 'commit.1.after'] as const

for (const capture_method of ['automatic', 'manual'] as const)
  for (const at of ofReturn)
    add(
      `come back at ${at}`,
      `a wallet at PayPal (${capture_method}): killed at ${at} as its customer comes back: it is taken once`,
      async () => {
        const shop = await openShop({ connector: 'paypal', webhooks: 'on' })
        const begun = await shop.pay({ ...wallet, capture_method })
        await shop.processor.account({ webhooks: 'hold' })
        const back = await approved(shop, begun)
        const how = await dyingService(shop, at, url => http('GET', back.replace(shop.url, url)))
        equal(how, 'died')
        await shop.processor.account({ webhooks: 'send' })
        await deliverWebhooks(shop)
        await agree(shop)
        equal((await shop.get(begun.payment_id)).status, capture_method === 'automatic' ? 'succeeded' : 'requires_capture')
        equal((await shop.processor.charges()).length, 1)
        // A customer who reloads the page has paid already.
        await http('GET', back)
        await deliverWebhooks(shop)
        await agree(shop)
      },
    )

for (const at of ofReturn)
  add(
    `come back at ${at}`,
    `a wallet at PayPal that is kept without a charge: killed at ${at} as its customer comes back: it is kept once, and pays later`,
    async () => {
      const shop = await openShop({ connector: 'paypal', webhooks: 'on' })
      const customer_acceptance = { acceptance_type: 'online', online: { ip_address: '203.0.113.7', user_agent: 'x' } }
      const begun = await shop.pay({ ...wallet, amount: 0, customer_id: 'ada', setup_future_usage: 'off_session', customer_acceptance })
      const back = await approved(shop, begun)
      equal(await dyingService(shop, at, url => http('GET', back.replace(shop.url, url))), 'died')
      await http('GET', back)
      await deliverWebhooks(shop)
      await shop.wait('4 hours')
      const kept = await shop.get(begun.payment_id)
      deepEqual([kept.status, typeof kept.connector_mandate_id], ['succeeded', 'string'])
      const recurring_details = { type: 'payment_method_id', data: kept.payment_method_id }
      const later = await shop.post('/payments', {
        ...{ amount: 700, currency: 'USD', confirm: true, customer_id: 'ada', off_session: true, recurring_details },
      })
      equal(later.body.status, 'succeeded', later.text)
      await agree(shop)
    },
  )

for (const at of crossings)
  test(`a PayPal payout to a wallet, service killed at ${at}: it is paid once or never, and its batch webhook sets the status`, async () => {
    const shop = await openShop({ connector: 'paypal' })
    const { merchant_connector_id } = await addAccount(shop, 'paypal', {
      connector_type: 'payout_processor',
      connector_label: 'payouts',
      connector_account_details: keysOf('paypal', `sandbox_${shop.merchant_id}`),
      connector_webhook_details: { merchant_secret: shop.webhook_secret },
    })
    const webhook_url = `${shop.url}/webhooks/${shop.merchant_id}/${merchant_connector_id}`
    await shop.processor.account({ webhook_url, webhook_secret: shop.webhook_secret, webhooks: 'hold' })
    const body = payOutBody({ payout_id: `pyt_${shop.merchant_id.slice(-12).toUpperCase().padEnd(26, '0')}`, to: recipients.wallet() })
    equal(await dyingService(shop, at, url => post(shop, url, '/payouts/create', body)), 'died')
    await shop.processor.account({ webhooks: 'send' })
    await deliverWebhooks(shop)
    // A client that received no answer repeats its request: one payout.
    equal((await shop.post('/payouts/create', body)).status, 200)
    await deliverWebhooks(shop)
    const paid = ((await shop.processor.ledger()) as Body).payouts.length
    equal(paid, at === 'commit.1.after' ? 0 : 1)
    const { status } = (await shop.call('GET', `/payouts/${body.payout_id}`)).body
    // A payout that was never sent cannot be queried at PayPal: it does not fail.
    equal(status, paid === 1 ? 'success' : 'pending')
    if (paid === 1) await agree(shop)
  })

run()
