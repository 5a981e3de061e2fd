import { ok } from 'node:assert/strict'
import { after, test } from 'node:test'
import { outsideTraits } from '../processors/outside-traits.ts'
import { sampleOf } from '../sample.ts'
import { type Body, http, openShop, type Shop } from '../shop.ts'
import { agree } from './agree.ts'
import { ROUNDS, rounds } from './rounds.ts'
import { openSecond } from './second.ts'

/**
 * A person moves money at a processor's dashboard while the merchant moves the same money through two services. Which
 * is first is never the same. In the end rows, ledger, events and the processor's books agree: no operation is booked
 * twice, and no more is refunded than was captured.
 */

const second = openSecond()
after(async () => (await second).close())

/** Processors with all rounds, and those with a tenth of them. */
const often = ['stripe', 'adyen', 'phonypay'] as const
const seldom = ['checkout', 'paypal', 'mollie', 'braintree', 'bridge'] as const

const fates = ['send', 'hold', 'lose'] as const
type Fate = (typeof fates)[number]

/** Money that we and the person at the dashboard move at once. `n`: the number of the round, by which they differ. */
type Race = {
  title: string
  begins: 'pay' | 'hold'
  ours(shop: Shop, url: string, payment: Body, n: number): Promise<unknown>
  theirs(shop: Shop, payment: Body, n: number, webhooks: Fate): Promise<unknown>
}

const post = (shop: Shop, url: string, path: string, body: Body) => http('POST', url + path, body, { 'api-key': shop.api_key })

/** What was done first may leave nothing to move. */
const move = (
  shop: Shop,
  { connector_transaction_id }: Body,
  ...[name, more]: Parameters<Shop['processor']['move']> extends [string, ...infer R] ? R : never
) => shop.processor.move(connector_transaction_id, name, more).catch(() => {})

/** Amounts of 1250 that fit beside the same amount, that leave no room for it, and the whole. */
const parts = [400, 625, 700, 1250] as const
const partOf = (n: number): number => parts[n % parts.length]!

const races: readonly Race[] = [
  {
    title: 'a refund of ours and one there',
    begins: 'pay',
    ours: (shop, url, { payment_id }, n) => post(shop, url, '/refunds', { payment_id, amount: partOf(n) }),
    theirs: (shop, payment, n, webhooks) => move(shop, payment, 'refund', { amount: partOf(n + (n >> 2)), webhooks }),
  },
  {
    title: 'a capture of ours and one there',
    begins: 'hold',
    ours: (shop, url, { payment_id }, n) => post(shop, url, `/payments/${payment_id}/capture`, { amount_to_capture: partOf(n) }),
    theirs: (shop, payment, n, webhooks) => move(shop, payment, 'capture', { amount: partOf(n + (n >> 2)), webhooks }),
  },
  {
    title: 'a capture of ours and a void there',
    begins: 'hold',
    ours: (shop, url, { payment_id }, n) => post(shop, url, `/payments/${payment_id}/capture`, { amount_to_capture: partOf(n) }),
    theirs: (shop, payment, _n, webhooks) => move(shop, payment, 'void', { webhooks }),
  },
  {
    title: 'a cancel of ours and a capture there',
    begins: 'hold',
    ours: (shop, url, { payment_id }) => post(shop, url, `/payments/${payment_id}/cancel`, {}),
    theirs: (shop, payment, n, webhooks) => move(shop, payment, 'capture', { amount: partOf(n), webhooks }),
  },
  {
    title: 'three webhooks of one refund there, and two polls',
    begins: 'pay',
    ours: async (shop, url, { payment_id }) => {
      const sync = (at: string) => http('GET', `${at}/payments/${payment_id}?force_sync=true`, undefined, { 'api-key': shop.api_key })
      await Promise.all([sync(url), sync(shop.url)])
    },
    theirs: (shop, payment, n) => move(shop, payment, 'refund', { amount: partOf(n) }),
  },
]

for (const [all, connectors, divisor] of [
  [ROUNDS, often, 3],
  [Math.ceil(ROUNDS / 10), seldom, 5],
] as const)
  for (const connector of sampleOf(connectors, divisor))
    for (const { title, begins, ours, theirs } of races)
      test(`${connector}: ${title}, at once: our books are the processor's, ${all} times`, { timeout: 3_600_000 }, async () => {
        const { asks = true, pay = {}, paid, shop: more } = outsideTraits[connector]!
        const shop = await openShop({ connector, webhooks: 'on', ...more?.() })
        const other = await second
        if (title.startsWith('three')) await shop.processor.account({ webhooks: 'duplicate' })
        const payments: Body[] = []
        await rounds(async together => {
          const begun = await Promise.all(
            together.map(async n => ({ n, payment: await (begins === 'pay' ? shop.pay(pay) : shop.hold(pay)) })),
          )
          for (const one of begun) if (paid) one.payment = await paid(shop, one.payment)
          payments.push(...begun.map(({ payment }) => payment))
          await Promise.all(
            begun.map(({ n, payment }) => {
              const fate = fates[n % (asks ? 3 : 2)]!
              const both = [() => ours(shop, n % 2 === 0 ? shop.url : other.url, payment, n), () => theirs(shop, payment, n, fate)]
              return Promise.all((n % 3 === 0 ? both.toReversed() : both).map(begin => begin()))
            }),
          )
          await shop.processor.advance(0)
        }, all)
        await shop.processor.account({ webhooks: 'send' })
        await shop.processor.flushWebhooks()
        for (const time of ['1 minute', '10 minutes', '1 hour', '1 day', '3 days']) await shop.wait(time)
        if (asks) for (const { payment_id } of payments) await shop.sync(payment_id)
        await agree(shop)
        for (const { captured, refunded } of await shop.processor.charges()) ok(refunded <= captured, `${refunded} of ${captured}`)
      })
