import { deepEqual, equal, ok } from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { start } from '../../src/service.ts'
import { ends, openPayoutShop, type PayoutShop, payOutBody, recipients } from '../payout-shop.ts'
import { type Answer, type Body, http, openPlace, testConfig } from '../shop.ts'
import { agree } from './agree.ts'
import { crossings, dyingService } from './dying.ts'
import { eachRound, ROUNDS } from './rounds.ts'
import { openVariations } from './variations.ts'

/**
 * Payouts that are killed at each crossing, and that race through two services on one database: the sandbox's ledger
 * decides.
 */

const { add, run } = openVariations()

const truths = { pays: ends.approves, declines: ends.declines, 'is silent': ends.paysAndResets } as const

const as =
  (shop: PayoutShop, url: string) =>
  (path: string, body: unknown): Promise<Answer> =>
    http('POST', url + path, body, { 'api-key': shop.api_key })

/**
 * Verifies that the status of each payout is what the processor did, once for each, and that the ledger agrees. Gives
 * the payouts.
 */
async function agreed(shop: PayoutShop): Promise<Body[]> {
  await agree(shop)
  return shop.query('select * from payouts where merchant_id = $1', [shop.merchant_id])
}

for (const [truth, end] of Object.entries(truths)) {
  for (const at of crossings) {
    add(`create at ${at}`, `create, confirm and fulfil in one: killed at ${at} while the processor ${truth}`, async () => {
      const shop = await openPayoutShop()
      const payout_id = `pyt_${shop.merchant_id.slice(-12).toUpperCase().padEnd(26, '0')}`
      const body = payOutBody({ payout_id, to: recipients.bank(end) })
      equal(await dyingService(shop, at, url => as(shop, url)('/payouts/create', body)), 'died')
      await shop.wait('5 minutes')
      await agreed(shop)
      // A client that received no answer repeats its request: one payout, paid once.
      equal((await shop.post('/payouts/create', body)).status, 200)
      await shop.wait('5 minutes')
      const [row] = await agreed(shop)
      const sent = at === 'commit.1.before' || !at.startsWith('commit.1')
      equal(row!.status, truth === 'declines' || !sent ? 'failed' : 'success')
      ok((await shop.paidOut()).length <= 1)
    })

    add(`fulfil at ${at}`, `fulfil: killed at ${at} while the processor ${truth}`, async () => {
      const shop = await openPayoutShop()
      const { payout_id } = await shop.payOut({ to: recipients.bank(end), auto_fulfill: false })
      equal(await dyingService(shop, at, url => as(shop, url)(`/payouts/${payout_id}/fulfill`, { payout_id })), 'died')
      await shop.wait('5 minutes')
      const [row] = await agreed(shop)
      if (at === 'commit.1.before') equal(row!.status, 'requires_fulfillment')
      else equal(row!.status, truth === 'declines' || at === 'commit.1.after' ? 'failed' : 'success')
    })
  }
}

for (const at of crossings)
  add('cancel in progress', `cancel of a payout in progress, service killed at ${at}: its status agrees with the processor`, async () => {
    const shop = await openPayoutShop()
    const { payout_id } = await shop.payOut({ to: recipients.bank(ends.waits) })
    equal(await dyingService(shop, at, url => as(shop, url)(`/payouts/${payout_id}/cancel`, { payout_id })), 'died')
    await shop.wait('5 minutes')
    const [row] = await agreed(shop)
    equal(row!.status, at.startsWith('commit.1') ? 'initiated' : 'cancelled')
  })

const silent = { info() {}, warn() {}, error() {} }
/** A second service on the same database. */
const second = (async () => {
  const place = await openPlace()
  return start(
    testConfig(place.databaseUrl, mkdtempSync(join(tmpdir(), 'switchyard-second-')), {
      keys: { mode: 'test', keys: null, command: null, file: place.keyFile },
    }),
    {
      log: silent,
      scheduler: 'by hand',
      wrap: context => ({ ...context, now: () => new Date(Date.now() + place.clock.ahead).toISOString() }),
    },
  )
})()
after(async () => (await second).close())

run()

test(`two fulfils at once, ${ROUNDS} times: each payout is paid once`, async () => {
  const shop = await openPayoutShop()
  const other = await second
  await eachRound(async () => {
    const { payout_id } = await shop.payOut({ auto_fulfill: false })
    const answers = await Promise.all([shop.url, other.url].map(url => as(shop, url)(`/payouts/${payout_id}/fulfill`, { payout_id })))
    deepEqual(answers.map(({ status }) => status).sort(), [200, 422], answers.map(({ text }) => text).join())
  })
  const rows = await agreed(shop)
  deepEqual(
    [rows.length, rows.filter(({ status }) => status === 'success').length, (await shop.paidOut()).length],
    [ROUNDS, ROUNDS, ROUNDS],
  )
})

test(`a cancel races a fulfil, ${ROUNDS} times: exactly one succeeds, and the processor agrees`, async () => {
  const shop = await openPayoutShop()
  const other = await second
  await eachRound(async () => {
    const { payout_id } = await shop.payOut({ auto_fulfill: false })
    const [fulfilled, cancelled] = await Promise.all([
      as(shop, shop.url)(`/payouts/${payout_id}/fulfill`, { payout_id }),
      as(shop, other.url)(`/payouts/${payout_id}/cancel`, { payout_id }),
    ])
    equal(Number(fulfilled.status === 200) + Number(cancelled.status === 200), 1, `${fulfilled.text} ${cancelled.text}`)
    equal((await shop.getPayout(payout_id)).status, fulfilled.status === 200 ? 'success' : 'cancelled')
  })
  const rows = await agreed(shop)
  equal(rows.filter(({ status }) => status === 'success').length, (await shop.paidOut()).length)
})
