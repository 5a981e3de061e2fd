import { deepEqual, equal, ok } from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { isRefused } from '../../test/refused.ts'
import { http, openPlace, openShop, type Shop } from '../../test/shop.ts'
import { openClock } from '../base/clock.ts'
import type { Row, Statement } from '../world.ts'
import { openSettings } from './settings.ts'

/** Strangers bring keys that nobody has, as many as they like. They must not fill the memory, push out those who are known, or have the database asked more than once. */

/** What the database was asked while settings were looked up, by the name of the statement. */
let asked: Record<string, number> = {}
const { service } = await openPlace({}, world => ({
  ...world,
  query<T extends Row>(statement: Statement, values: unknown[]) {
    asked[statement.name] = (asked[statement.name] ?? 0) + 1
    return world.query<T>(statement, values)
  },
}))
const lookups = (): number => (asked.api_key_by_digest ?? 0) + (asked.merchant_by_publishable_key ?? 0) + (asked.merchant_by_id ?? 0)

/** Settings of their own, on the database of this file. */
const open = () => openSettings(service.world, { mode: 'test', publicUrl: '', baseUrls: {} }, openClock(service.world.log))
const strange = (i: number): string => createHash('sha512').update(String(i)).digest('hex')
const secret = (i: number): string => `snd_${strange(i).slice(0, 64)}`
const publishable = (i: number): string => `pk_snd_${strange(i).slice(0, 32)}`

async function inBatches(count: number, work: (i: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < count; from += 500)
    await Promise.all(Array.from({ length: Math.min(500, count - from) }, (_, i) => work(from + i)))
}

test('thousands of strangers take a bounded place, and push nobody out', async () => {
  const shop = await openShop()
  const settings = open()
  const known = async () => [
    (await settings.holder(shop.api_key))?.merchant.merchant_id,
    (await settings.publishableHolder(shop.publishable_key))?.merchant_id,
  ]
  deepEqual(await known(), [shop.merchant_id, shop.merchant_id])
  const before = settings.size()
  await inBatches(6_000, async i => {
    const found = i % 2 === 0 ? await settings.holder(secret(i)) : await settings.publishableHolder(publishable(i))
    equal(found, undefined)
  })
  await inBatches(2_000, i => settings.merchant(`merchant_${i}`))
  ok(settings.size() - before <= 3_000, `${settings.size() - before} strangers are remembered`)
  asked = {}
  deepEqual(await known(), [shop.merchant_id, shop.merchant_id])
  equal(lookups(), 0, 'a known key never needs the database')
  await settings.holder(secret(0))
  equal(lookups(), 1, 'the first strangers are forgotten')
})

test('who insists on one wrong key has the database asked once', async () => {
  const settings = open()
  asked = {}
  await inBatches(1_000, () => settings.holder(secret(-1)))
  for (let i = 0; i < 100; i++) equal(await settings.holder(secret(-1)), undefined)
  equal(lookups(), 1)
})

test('what was unknown is found once it is there', async () => {
  const shop = await openShop()
  const settings = open()
  const merchant_id = `${shop.merchant_id}_later`
  await settings.refresh()
  equal(await settings.merchant(merchant_id), undefined)
  await http('POST', `${shop.url}/accounts`, { merchant_id }, { 'api-key': 'admin_key_of_the_tests' })
  await settings.refresh()
  equal((await settings.merchant(merchant_id))?.merchant_id, merchant_id)
})

const knock = (shop: Shop, headers: Record<string, string>, body?: unknown) => http('POST', `${shop.url}/payments/x/confirm`, body, headers)

test('what cannot be a key is refused without looking for it, whatever its length', async () => {
  const shop = await openShop()
  asked = {}
  const long = randomBytes(4000).toString('hex')
  const keys = [
    'snd_short',
    `snd_${long}`,
    `pk_snd_${long}`,
    'pk_snd_',
    `pk_live_${'0'.repeat(32)}`,
    `snd_${'-'.repeat(64)}`,
    `pk_snd_${'g'.repeat(32)}`,
    long,
    'api key',
  ]
  for (const key of keys) isRefused(await knock(shop, { 'api-key': key }, {}), 401, 'IR_01')
  const token = (key: string) => Buffer.from(`publishable_key=${key},client_secret=x`).toString('base64')
  for (const key of [`pk_snd_${long.slice(0, 2000)}`, 'pk_snd_0'])
    isRefused(await knock(shop, { authorization: token(key) }, {}), 401, 'IR_01')
  equal(lookups(), 0)
})

test("a stranger's body is not read: whose key it is is settled first, also where a browser may come", async () => {
  const shop = await openShop()
  const large = `{"client_secret": "x", "metadata": ${'['.repeat(250_000)}`
  for (const key of [publishable(1), secret(1), 'nothing']) isRefused(await knock(shop, { 'api-key': key }, large), 401, 'IR_01')
  isRefused(await knock(shop, { 'api-key': shop.publishable_key }, large), 400, 'IR_06', /ends too early/)
  isRefused(await knock(shop, { 'api-key': shop.publishable_key }, {}), 400, 'IR_04', /client_secret/)
  isRefused(await knock(shop, { 'api-key': shop.api_key }, { client_secret: 'x' }), 422, 'IR_06', /client_secret/)
})
