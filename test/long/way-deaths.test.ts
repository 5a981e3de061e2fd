import { deepEqual, equal, match, ok } from 'node:assert/strict'
import type { OtherFamily } from '../../src/connectors/instrument.ts'
import { type Body, http, openShop, type Shop } from '../shop.ts'
import { paidBy } from '../ways.ts'
import { agree } from './agree.ts'
import { type Crossing, crossings, dyingService } from './dying.ts'
import { openVariations } from './variations.ts'

/**
 * The service is killed while a customer pays by another payment method than a card, at a processor that can be
 * queried (Stripe) and at one that cannot (Adyen): by redirect, by a QR code, by a debit that takes days, or decided
 * at once. Another process takes over: a payment that the customer has paid is paid once, and no other is.
 */

/** A payment method. `decided`: the party that decides the payment, and so what must happen after its request. */
type Kind = { decided: 'at once' | 'by the customer' | 'days later'; currency: string; country: string; ask: Body }
const kind = (decided: Kind['decided'], [family, way, data]: [OtherFamily, string, Body?], currency = 'EUR', country = 'NL'): Kind => ({
  ...{ decided, currency, country },
  ask: paidBy(family, way, data),
})
const kinds = {
  stripe: {
    iDEAL: kind('by the customer', ['bank_redirect', 'ideal']),
    'Google Pay': kind('at once', [
      'wallet',
      'google_pay',
      { tokenization_data: { type: 'PAYMENT_GATEWAY', token: '{"id":"tok_visa","object":"token"}' } },
    ]),
    'a SEPA debit': kind('days later', ['bank_debit', 'sepa_bank_debit']),
    'WeChat Pay': kind('by the customer', ['wallet', 'we_chat_pay_qr'], 'CNY', 'CN'),
  },
  adyen: {
    iDEAL: kind('by the customer', ['bank_redirect', 'ideal']),
    'Google Pay': kind('at once', ['wallet', 'google_pay']),
    'a SEPA debit': kind('days later', ['bank_debit', 'sepa_bank_debit']),
    Pix: kind('by the customer', ['bank_transfer', 'pix'], 'BRL', 'BR'),
  },
} satisfies Record<string, Record<string, Kind>>

const { add, run } = openVariations()

const AMOUNT = 12_500

function bodyOf(shop: Shop, { currency, country, ask }: Kind): Body {
  const address = { first_name: 'Ada', last_name: 'Byron', line1: '1 Way', city: 'Here', zip: '12345', country }
  const customer_acceptance = { acceptance_type: 'online', online: { ip_address: '203.0.113.7', user_agent: 'Mozilla/5.0' } }
  return shop.payBody({
    payment_id: `pay_${shop.merchant_id.slice(-12).toUpperCase().padEnd(26, '0')}`,
    ...{ amount: AMOUNT, currency, return_url: 'https://shop.example/back', email: 'ada@shop.example', customer_acceptance },
    billing: { address, email: 'ada@shop.example' },
    ...ask,
  })
}

const openAt = (connector: string) => openShop({ connector, webhooks: 'on' })

/** Decides all open payments, by the customer, by the bank or by time, as often as needed. */
async function decided(shop: Shop, verdict: 'approved' | 'declined'): Promise<void> {
  await shop.wait('5 minutes')
  for (const { id, type, status } of await shop.processor.operations())
    if (type === 'authorization' && status === 'challenge') await shop.processor.decide(id, verdict)
  await shop.wait('2 hours')
  await shop.wait('15 days')
  await shop.processor.flushWebhooks()
  await shop.wait('5 minutes')
}

/** Verifies that the books agree, and that the money is charged or not as the payment says. */
async function isSettled(shop: Shop, payment_id: string, charged: boolean): Promise<void> {
  await agree(shop)
  const charges = await shop.processor.charges()
  deepEqual(
    charges.map(({ captured }) => captured),
    charged ? [AMOUNT] : [],
  )
  const { status, amount_received } = await shop.get(payment_id)
  deepEqual([status, amount_received ?? 0], charged ? ['succeeded', AMOUNT] : ['failed', 0])
}

/** Crossings at which the processor may or may not have received the request. */
const inFlight: readonly Crossing[] = ['commit.1.after', 'send.1.after', 'commit.2.before']

/**
 * Verifies that the payment requires manual review: Adyen cannot be queried, so a request that was never sent is not
 * known to have failed.
 */
async function needsLook(shop: Shop, payment_id: string): Promise<void> {
  await shop.wait('40 days')
  equal((await shop.get(payment_id)).status, 'requires_merchant_action')
  deepEqual(await shop.processor.charges(), [])
}

for (const [connector, ways] of Object.entries(kinds))
  for (const [name, kind] of Object.entries<Kind>(ways))
    for (const at of name === 'iDEAL' ? crossings : inFlight)
      add(
        `asked for at ${at}`,
        `${name} at ${connector}: killed at ${at} as it is asked for: paid once by who was asked, and else not`,
        async () => {
          const shop = await openAt(connector)
          const body = bodyOf(shop, kind)
          const ask = (url: string) => http('POST', `${url}/payments`, body, { 'api-key': shop.api_key })
          equal(await dyingService(shop, at, ask), 'died')
          if (at === 'commit.1.before') return equal((await shop.call('GET', `/payments/${body.payment_id}`)).status, 404)
          await decided(shop, 'approved')
          const sent = (await shop.processor.operations()).length > 0
          equal(sent, at !== 'commit.1.after')
          if (!sent && connector === 'adyen') return needsLook(shop, body.payment_id)
          await isSettled(shop, body.payment_id, sent)
          // A client that received no answer repeats its request, with the same payment_id: the answer is the same
          // payment.
          equal((await ask(shop.url)).status, 200)
          await decided(shop, 'approved')
          await isSettled(shop, body.payment_id, sent)
        },
      )

/** Answers at the customer's bank. Gives the address to which the customer is sent back. */
async function decideAtBank(shop: Shop, payment: Body, verdict: 'accept' | 'reject'): Promise<string> {
  const page = (await http('GET', payment.next_action.redirect_to_url)).headers.location as string
  match(page, /\/challenge\//)
  const back = (await http('POST', `${page}/${verdict}`, '')).headers.location as string
  ok(back.startsWith(shop.url), back)
  return back
}

/**
 * The crossings of a return, which is settled in one commit. Stripe is only queried for the payment's status; at Adyen
 * the payment is continued.
 */
const ofReturn = {
  stripe: ['commit.1.before', 'commit.1.after'],
  adyen: ['send.1.during', 'send.1.after', 'commit.1.before', 'commit.1.after'],
} as const

for (const connector of ['stripe', 'adyen'] as const)
  for (const verdict of ['accept', 'reject'] as const)
    for (const at of ofReturn[connector])
      add(
        `come back at ${at}`,
        `iDEAL at ${connector}: killed at ${at} as a customer who ${verdict}s it comes back: it ends as they said`,
        async () => {
          const shop = await openAt(connector)
          const begun = await shop.pay(bodyOf(shop, kinds[connector].iDEAL))
          await shop.processor.account({ webhooks: 'hold' })
          const back = await decideAtBank(shop, begun, verdict)
          equal(await dyingService(shop, at, url => http('GET', back.replace(shop.url, url))), 'died')
          // A customer who reloads the page sees the result, even before any webhook has arrived.
          await http('GET', back)
          await shop.processor.account({ webhooks: 'send' })
          await decided(shop, 'approved')
          await isSettled(shop, begun.payment_id, verdict === 'accept')
          await http('GET', back)
          await isSettled(shop, begun.payment_id, verdict === 'accept')
        },
      )

for (const [connector, ways] of Object.entries(kinds))
  for (const at of ['commit.1.after', 'send.1.during', 'send.1.after', 'commit.2.before'] as const)
    add(`refund at ${at}`, `a SEPA debit at ${connector} is given back: killed at ${at}: once, or never`, async () => {
      const shop = await openAt(connector)
      const { payment_id } = await shop.pay(bodyOf(shop, ways['a SEPA debit']))
      await decided(shop, 'approved')
      await isSettled(shop, payment_id, true)
      const refund = { payment_id, refund_id: `ref_${'0'.repeat(26)}`, amount: 700 }
      const ask = (url: string) => http('POST', `${url}/refunds`, refund, { 'api-key': shop.api_key })
      equal(await dyingService(shop, at, ask), 'died')
      await decided(shop, 'approved')
      await agree(shop)
      const [charge] = await shop.processor.charges()
      equal((await shop.getRefund(refund.refund_id)).status, charge!.refunded === 700 ? 'succeeded' : 'failed')
      equal((await ask(shop.url)).status, 200)
      await decided(shop, 'approved')
      await agree(shop)
      ok((await shop.processor.charges())[0]!.refunded <= 700)
    })

run()
