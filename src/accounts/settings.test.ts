import { deepEqual, equal, ok } from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { isRefused } from '../../test/refused.ts'
import { http, openPlace, openShop, type Shop } from '../../test/shop.ts'
import { openClock } from '../base/clock.ts'
import type { Row, Statement } from '../context.ts'
import { DatabaseAway } from '../database/connection.ts'
import { openStatements } from '../database/statements.ts'
import { findMerchantRow } from './rows.ts'
import { openSettings, type Settings } from './settings.ts'

/**
 * Strangers send any number of keys that do not exist. They must not fill the memory, push out known keys, or cause
 * more than one query each.
 */

/** The number of queries of the caches under test, by statement. */
let asked: Record<string, number> = {}
/** The number of times that the service itself looked up a key. */
let keyLookups = 0
/** Whether the counter row of the settings can be read. */
let counter: 'there' | 'away' = 'there'
const { service } = await openPlace({}, context => ({
  ...context,
  query<T extends Row>(statement: Statement, values: unknown[]) {
    if (statement.name === 'settings_version' && counter === 'away') return Promise.reject(new DatabaseAway('gone'))
    if (['api_key_by_digest', 'merchant_by_publishable_key'].includes(statement.name)) keyLookups++
    return context.query<T>(statement, values)
  },
}))
/** The context of the caches under test. The service reads its own settings beside them, at its own times. */
const watched: typeof service.context = {
  ...service.context,
  query<T extends Row>(statement: Statement, values: unknown[]) {
    asked[statement.name] = (asked[statement.name] ?? 0) + 1
    return service.context.query<T>(statement, values)
  },
}
const lookups = (): number => (asked.api_key_by_digest ?? 0) + (asked.merchant_by_publishable_key ?? 0) + (asked.merchant_by_id ?? 0)

/** Opens a separate settings cache, on the database of this file. */
const open = () => openSettings(watched, { mode: 'test', publicUrl: '', baseUrls: {} }, openClock(service.context.log))
const strange = (i: number): string => createHash('sha512').update(String(i)).digest('hex')
const secret = (i: number): string => `snd_${strange(i).slice(0, 64)}`
const publishable = (i: number): string => `pk_snd_${strange(i).slice(0, 32)}`

async function inBatches(count: number, work: (i: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < count; from += 500)
    await Promise.all(Array.from({ length: Math.min(500, count - from) }, (_, i) => work(from + i)))
}

test('thousands of unknown keys take bounded space in the cache, and evict no known key', async () => {
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

test('an unknown key that is sent repeatedly causes one database query', async () => {
  const settings = open()
  asked = {}
  await inBatches(1_000, () => settings.holder(secret(-1)))
  for (let i = 0; i < 100; i++) equal(await settings.holder(secret(-1)), undefined)
  equal(lookups(), 1)
})

test('a merchant that was unknown is found after it is created', async () => {
  const shop = await openShop()
  const settings = open()
  const merchant_id = `${shop.merchant_id}_later`
  await settings.refresh()
  equal(await settings.merchant(merchant_id), undefined)
  await http('POST', `${shop.url}/accounts`, { merchant_id }, { 'api-key': 'admin_key_of_the_tests' })
  await settings.refresh()
  equal((await settings.merchant(merchant_id))?.merchant_id, merchant_id)
})

/** Opens `many` shops; gives them with a function that looks each of them up in every way. */
async function openShops(many: number) {
  const shops = await Promise.all(Array.from({ length: many }, () => openShop()))
  const lookUp = (settings: Settings, shop: Shop) =>
    Promise.all([settings.holder(shop.api_key), settings.publishableHolder(shop.publishable_key), settings.merchant(shop.merchant_id)])
  /** Gives the number of queries while these shops are looked up. */
  const costOf = async (settings: Settings, some: Shop[]): Promise<number> => {
    asked = {}
    for (const shop of some) for (const found of await lookUp(settings, shop)) ok(found)
    return lookups()
  }
  return { shops, costOf }
}

const admin = { 'api-key': 'admin_key_of_the_tests' }
const keysOf = (shop: Shop): string => `${shop.url}/api_keys/${shop.merchant_id}`
const anotherKey = (shop: Shop) => http('POST', keysOf(shop), { name: 'another', expiration: 'never' }, admin)

test('a change of one merchant reloads only that merchant, in every process, also after several missed refreshes', async () => {
  const { shops, costOf } = await openShops(12)
  const processes = [open(), open()]
  for (const settings of processes) {
    await settings.refresh()
    equal(await costOf(settings, shops), 36)
    equal(await costOf(settings, shops), 0)
  }
  const [one, two, ...others] = shops as [Shop, Shop, ...Shop[]]
  for (let i = 0; i < 3; i++) equal((await anotherKey(one)).status, 200)
  await anotherKey(two)
  for (const settings of processes) {
    asked = {}
    await settings.refresh()
    deepEqual(asked, { settings_version: 1 }, 'one look tells all of it')
    equal(await costOf(settings, others), 0, 'the others are known')
    equal(await costOf(settings, [one, two]), 6, 'who changed is read again')
    await settings.refresh()
    equal(await costOf(settings, shops), 0)
  }
})

test('many simultaneous changes reload every changed merchant, and no other', async () => {
  const { shops, costOf } = await openShops(12)
  const settings = open()
  await settings.refresh()
  await costOf(settings, shops)
  const [changed, others] = [shops.slice(0, 9), shops.slice(9)]
  await Promise.all([...changed, ...changed, ...changed].map(anotherKey))
  await settings.refresh()
  equal(await costOf(settings, others), 0)
  equal(await costOf(settings, changed), 27)
})

test('changes of two concurrent transactions are both seen, each after its commit', async t => {
  const { shops, costOf } = await openShops(3)
  const [one, two, other] = shops as [Shop, Shop, Shop]
  const settings = open()
  await settings.refresh()
  await costOf(settings, shops)
  const statements = openStatements(() => '')
  const writers = await Promise.all(
    [one, two].map(async shop => {
      const before = (await findMerchantRow(service.context, shop.merchant_id))!
      const after = { ...before, details: { ...before.details, merchant_name: 'Renamed' } }
      const event = { type: 'updated', announces: null }
      const change = { head: 'merchants', before, after, rows: [], event, by: 'somebody' }
      const { statement, values } = statements.of(change, shop.merchant_id, service.context.now())
      const client = new pg.Client({ connectionString: (await openPlace()).databaseUrl })
      await client.connect()
      t.after(() => client.end())
      await client.query('begin')
      return { write: () => client.query(statement.text, values), commit: () => client.query('commit') }
    }),
  )
  const [first, second] = writers as [(typeof writers)[0], (typeof writers)[0]]
  await second.write()
  const waiting = first.write()
  await settings.refresh()
  equal(await costOf(settings, shops), 0, 'nothing is written yet')
  await second.commit()
  await waiting
  await settings.refresh()
  equal(await costOf(settings, [one, other]), 0)
  equal(await costOf(settings, [two]), 3)
  await first.commit()
  await settings.refresh()
  equal(await costOf(settings, [two, other]), 0)
  equal(await costOf(settings, [one]), 3)
  equal((await settings.merchant(one.merchant_id))!.details.merchant_name, 'Renamed')
})

test('a process that missed too many changes, or a change without a merchant, reloads all merchants', async () => {
  const { shops, costOf } = await openShops(3)
  const [one, ...others] = shops as [Shop, ...Shop[]]
  const settings = open()
  await settings.refresh()
  await costOf(settings, shops)
  // Leaves the rows that a thousand changes of one merchant leave.
  await one.query(
    `with s as (update settings_version set version = version + 1000 returning version)
     insert into settings_changes (version, merchant_id) select generate_series(version - 999, version), $1 from s`,
    [one.merchant_id],
  )
  const late = open()
  await late.refresh()
  await costOf(late, shops)
  await anotherKey(one)
  equal((await one.query('select 1 from settings_changes')).length, 1000, 'no more are remembered')
  await Promise.all([settings.refresh(), late.refresh()])
  equal(await costOf(settings, others), 6)
  equal(await costOf(late, others), 0)
  // The release before increments the counter without naming the merchant.
  await one.query('update settings_version set version = version + 1')
  await late.refresh()
  equal(await costOf(late, others), 6)
})

test('a new key is returned while the settings counter cannot be read, and other requests get 503 until it can', async () => {
  const shop = await openShop()
  const make = () => http('POST', `${shop.url}/api_keys/${shop.merchant_id}`, { name: 'k', expiration: 'never' }, admin)
  counter = 'away'
  const { status, body } = await make()
  equal(status, 200, 'it is shown only once')
  equal((await shop.tryToPay()).status, 503)
  counter = 'there'
  equal((await http('POST', `${shop.url}/payments`, shop.payBody({}), { 'api-key': body.api_key })).body.status, 'succeeded')
})

test('a key that is revoked during its lookup is unknown at the next lookup', async () => {
  const shop = await openShop()
  const { key_id, api_key } = (await anotherKey(shop)).body
  const letGo = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<void>()
  const slow = {
    ...service.context,
    async query<T extends Row>(statement: Statement, values: unknown[]) {
      const rows = await service.context.query<T>(statement, values)
      if (statement.name !== 'api_key_by_digest') return rows
      arrived.resolve()
      await letGo.promise
      return rows
    },
  }
  const settings = openSettings(slow, { mode: 'test', publicUrl: '', baseUrls: {} }, openClock(service.context.log))
  await settings.refresh()
  const found = settings.holder(api_key)
  await arrived.promise
  equal((await http('DELETE', `${keysOf(shop)}/${key_id}`, undefined, admin)).status, 200)
  await settings.refresh()
  letGo.resolve()
  ok(await found, 'it was no mistake when it was read')
  equal(await settings.holder(api_key), undefined)
})

const knock = (shop: Shop, headers: Record<string, string>, body?: unknown) => http('POST', `${shop.url}/payments/x/confirm`, body, headers)

test('a malformed key of any length is refused without a database query', async () => {
  const shop = await openShop()
  keyLookups = 0
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
  equal(keyLookups, 0)
  isRefused(await knock(shop, { 'api-key': secret(-2) }, {}), 401, 'IR_01')
  equal(keyLookups, 1, 'a key of the right form is looked up')
})

test('the API key is verified before the request body is read, also for publishable keys', async () => {
  const shop = await openShop()
  const large = `{"client_secret": "x", "metadata": ${'['.repeat(250_000)}`
  for (const key of [publishable(1), secret(1), 'nothing']) isRefused(await knock(shop, { 'api-key': key }, large), 401, 'IR_01')
  isRefused(await knock(shop, { 'api-key': shop.publishable_key }, large), 400, 'IR_06', /ends too early/)
  isRefused(await knock(shop, { 'api-key': shop.publishable_key }, {}), 400, 'IR_04', /client_secret/)
  isRefused(await knock(shop, { 'api-key': shop.api_key }, { client_secret: 'x' }), 404, 'HE_02')
})
