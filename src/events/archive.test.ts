// Alone: services with an archive, one after the other.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import S3rver from '@20minutes/s3rver'
import { Webhook } from 'standardwebhooks'
import { endFile } from '../../test/endings.ts'
import { openReceiver } from '../../test/receiver.ts'
import { isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, type Body, http, openPlace, openShop, type Shop } from '../../test/shop.ts'
import { firstEventId } from '../base/id.ts'
import { Secret } from '../base/secret.ts'
import type { Context } from '../context.ts'
import type { FilesConfig } from '../files/files.ts'
import { loadKeys, withNewKey, withoutOldKeys, writeKeys } from '../vault/keys.ts'
import { countOld, sealAnew } from '../vault/rotate.ts'
import { openVault } from '../vault/vault.ts'
import { AT_ONCE } from './archive.ts'
import { type ArchivePart, archiveFile } from './archive-lines.ts'

const folder = mkdtempSync(join(tmpdir(), 'switchyard-archive-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** A store for archives. `files`: the files in it; `away`, `back`: the store cannot be reached, and can again. */
type Store = { config: FilesConfig; files(): Buffer[]; away(): Promise<void>; back(): Promise<void> }

const filesBelow = (path: string, ending: RegExp): Buffer[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && ending.test(entry.name))
    .map(entry => readFileSync(join(entry.parentPath, entry.name)))

function openFolderStore(): Store {
  const path = join(mkdtempSync(join(folder, 'disk-')), 'archive')
  return {
    config: { folder: path },
    files: () => (existsSync(path) ? filesBelow(path, /\.jsonl\.gz$/) : []),
    async away() {
      renameSync(path, `${path}-away`)
      writeFileSync(path, '')
    },
    async back() {
      rmSync(path)
      renameSync(`${path}-away`, path)
    },
  }
}

async function openBucketStore(): Promise<Store> {
  const directory = mkdtempSync(join(folder, 'bucket-'))
  const open = (port: number) =>
    new S3rver({ port, address: '127.0.0.1', silent: true, directory, configureBuckets: [{ name: 'archive', configs: [] }] })
  let store = open(0)
  const { port } = await store.run()
  after(() => store.close())
  return {
    config: {
      ...{ address: `http://127.0.0.1:${port}/archive`, region: 'us-east-1' },
      ...{ keyId: 'S3RVER', secret: new Secret('S3RVER') },
    },
    files: () => filesBelow(directory, /\.jsonl\.gz\._S3rver_object$/),
    away: () => store.close(),
    async back() {
      store = open(port)
      await store.run()
    },
  }
}

const stores: Record<string, () => Store | Promise<Store>> = { 'a folder': openFolderStore, 'a bucket': openBucketStore }

/** Opens a shop whose service archives to this store, with a webhook endpoint. `wrap`: wraps the service's context. */
async function openArchivedShop(t: TestContext, store: Store, wrap?: (context: Context) => Context) {
  await openPlace({ archive: store.config }, wrap)
  t.after(endFile)
  const [receiver, shop] = [await openReceiver(), await openShop()]
  const { body: endpoint } = await shop.post('/webhook_endpoints', { url: receiver.url })
  const since = shop.service.context.now()
  return {
    ...{ receiver, shop, endpoint },
    replay: (more: Body = {}) => shop.post(`/webhook_endpoints/${endpoint.endpoint_id}/replay`, { created_after: since, ...more }),
    parts: () => shop.query('select * from archive_parts order by day, part') as Promise<ArchivePart[]>,
  }
}

const kept = async (shop: Shop): Promise<string[]> =>
  (await shop.query('select event_id from announcements where merchant_id = $1 order by 1', [shop.merchant_id])).map(row => row.event_id)

const bodies = (received: readonly { body: string }[]) => new Set(received.map(one => one.body))

const linesIn = (file: Buffer): Body[] =>
  gunzipSync(file)
    .toString()
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))

const grace = { customer_id: 'cus_grace', name: 'Grace Hopper', email: 'grace@example.com' }

for (const [name, open] of Object.entries(stores)) {
  test(`events are archived in ${name} day by day before they are deleted, and replayed from there unchanged, with a new signature`, async t => {
    const store = await open()
    const { receiver, shop, endpoint, replay, parts } = await openArchivedShop(t, store)
    await shop.pay(grace)
    await shop.wait('1 day')
    const { payment_id } = await shop.pay()
    await shop.refund(payment_id)
    await shop.wait('1 second')
    // The stored body is one that no release would write: the events that are sent again must be those sent then.
    await shop.query("update announcements set body = body || ' ' where merchant_id = $1", [shop.merchant_id])
    const sent = receiver.received.splice(0)
    equal(sent.length, 3)
    await shop.wait('88 days')
    deepEqual([(await kept(shop)).length, await parts(), store.files()], [3, [], []])
    await shop.wait('4 days')
    deepEqual(await kept(shop), [])
    const files = await parts()
    deepEqual(
      files.map(({ day, events }) => [day, events]),
      [
        [sent[0]!.event.timestamp, 1],
        [sent[1]!.event.timestamp, 2],
      ].map(([at, events]) => [String(at).slice(0, 10), events]),
    )
    ok(files.every(part => archiveFile(part).startsWith(`events/${shop.merchant_id}/2`)))
    const lines = store.files().flatMap(linesIn)
    deepEqual(lines.map(line => line.event_id).sort(), sent.map(one => one.event.event_id).sort())
    deepEqual(lines.map(line => line.customer_id).sort(), ['', '', 'cus_grace'])
    ok(!/Hopper|grace@|4242/.test(JSON.stringify(lines)))

    await shop.pay()
    await shop.wait('1 second')
    const [young] = receiver.received.splice(0)
    equal((await replay({ dry_run: true })).body.queued, 4)
    equal((await replay()).body.queued, 4)
    await shop.wait('1 second')
    deepEqual(bodies(receiver.received), new Set([...sent.map(one => `${one.body} `), young!.body]))
    deepEqual(receiver.types(payment_id), ['payment_succeeded', 'refund_succeeded'], 'in the order of their payment')
    for (const { headers, body } of receiver.received) {
      const at = new Date(Number(headers['webhook-timestamp']) * 1000)
      equal(headers['webhook-signature'], new Webhook(endpoint.secret).sign(String(headers['webhook-id']), at, body))
      ok(at > new Date(young!.event.timestamp as string))
    }
    await shop.wait('95 days')
    deepEqual([await kept(shop), receiver.received.length], [[], 4], 'what was sent again is forgotten again')
    equal((await replay()).body.queued, 4)
    await shop.wait('1 second')
    equal(receiver.received.length, 8)
  })

  test(`while ${name} is unavailable nothing is deleted, operators are alerted, and archived events cannot be replayed`, async t => {
    const store = await open()
    const { receiver, shop, replay, parts } = await openArchivedShop(t, store)
    const queue = async () => {
      const { body } = await http('GET', `${shop.url}/jobs`, undefined, { 'api-key': ADMIN_KEY })
      return body.queues.find((one: Body) => one.name === 'archive')
    }
    await shop.pay(grace)
    await shop.wait('50 days')
    await shop.pay(grace)
    await shop.wait('45 days')
    equal((await parts()).length, 1)
    const [young] = await kept(shop)
    equal((await queue()).due, 0)
    await store.away()
    receiver.received.splice(0)
    isRefused(await replay(), 503, 'HE_00', /archive of events cannot be read/)
    await shop.wait('60 days')
    deepEqual([await kept(shop), (await parts()).length, receiver.received.length], [[young], 1, 0])
    ok((await queue()).oldest_age_seconds > 86_400)
    equal(shop.logs.filter(line => line.includes('the archive of events cannot be written; events are kept')).length, 1)
    equal((await shop.pay()).status, 'succeeded')
    await store.back()
    await shop.wait('2 minutes')
    deepEqual([(await parts()).length, (await kept(shop)).includes(young!), (await queue()).due], [2, false, 0])
    equal(shop.logs.filter(line => line.includes('the archive of events is written again')).length, 1)
    receiver.received.splice(0)
    equal((await replay()).body.queued, 3)
    await shop.wait('1 second')
    equal(receiver.received.length, 3)
  })
}

test('after a crash between the archive upload and the database write, the same file is written again', async t => {
  const store = openFolderStore()
  let dies = true
  const { receiver, shop, replay, parts } = await openArchivedShop(t, store, context => ({
    ...context,
    query: async (statement, values) => {
      if (dies && statement.name === 'forget_archived') throw new Error('it died')
      return context.query(statement, values)
    },
  }))
  await shop.pay()
  const { payment_id } = await shop.pay()
  await shop.refund(payment_id)
  await shop.wait('95 days')
  const [file] = store.files()
  deepEqual([(await kept(shop)).length, await parts(), store.files().length], [3, [], 1])
  dies = false
  await shop.wait('2 minutes')
  deepEqual([(await kept(shop)).length, (await parts()).length, store.files().length], [0, 1, 1])
  const idsIn = (bytes: Buffer) => linesIn(bytes).map(line => line.event_id)
  deepEqual(idsIn(store.files()[0]!), idsIn(file!))
  receiver.received.splice(0)
  equal((await replay()).body.queued, 3)
  await shop.wait('1 second')
  equal(receiver.received.length, 3)
})

test('a deleted customer is removed from every archive, and their events are replayed without personal data', async t => {
  const store = openFolderStore()
  const { receiver, shop, replay } = await openArchivedShop(t, store)
  const { payment_id } = await shop.pay(grace)
  await shop.pay({ customer_id: 'cus_ada', name: 'Ada Lovelace', email: 'ada@example.com' })
  await shop.wait('92 days')
  const replayedBodies = async (many = 2) => {
    receiver.received.splice(0)
    equal((await replay()).body.queued, many)
    await shop.wait('1 second')
    return receiver.received.map(one => one.body).join('\n')
  }
  const before = await replayedBodies()
  for (const email of [grace.email, 'ada@example.com']) match(before, new RegExp(email))
  // The events that were sent again are deleted again: only the archive has them.
  await shop.wait('92 days')
  equal((await shop.call('DELETE', '/customers/cus_grace')).status, 200)
  await shop.wait('5 minutes')
  deepEqual(
    (await shop.query('select customer_id from archive_keys where merchant_id = $1', [shop.merchant_id])).map(row => row.customer_id),
    ['cus_ada'],
  )
  // Later events of the customer's payment are archived too, under a key that decrypts nothing of before.
  await shop.refund(payment_id)
  await shop.wait('92 days')
  const again = await replayedBodies(3)
  ok(!/Hopper|grace@/.test(again))
  for (const there of [payment_id, 'Redacted', 'ada@example.com']) match(again, new RegExp(there))
})

test('a customer who is deleted while their events are being archived is not in the archive, and no other event is lost', async t => {
  const store = openFolderStore()
  let meanwhile: (() => Promise<unknown>) | null = null
  const { receiver, shop, replay } = await openArchivedShop(t, store, context => ({
    ...context,
    query: async (statement, values) => {
      const rows = await context.query(statement, values)
      const now = statement.name === 'bodies_to_archive' ? meanwhile : null
      if (now) meanwhile = null
      await now?.()
      return rows as never
    },
  }))
  await shop.pay(grace)
  await shop.pay({ customer_id: 'cus_ada', name: 'Ada Lovelace', email: 'ada@example.com' })
  meanwhile = async () => {
    equal((await shop.call('DELETE', '/customers/cus_grace')).status, 200)
    await shop.wait('5 minutes')
  }
  await shop.wait('92 days')
  deepEqual([meanwhile, await kept(shop)], [null, []])
  receiver.received.splice(0)
  equal((await replay()).body.queued, 2)
  await shop.wait('1 second')
  const replayed = receiver.received.map(one => one.body).join()
  deepEqual(
    [grace.email, 'Redacted', 'ada@example.com'].map(text => replayed.includes(text)),
    [false, true, true],
  )
})

test("a merchant's archive cannot be replayed by another merchant, without the permission, or after it was changed", async t => {
  const store = openFolderStore()
  const { receiver, shop, endpoint, replay, parts } = await openArchivedShop(t, store)
  const other = await openShop()
  await shop.pay()
  await shop.wait('92 days')
  receiver.received.splice(0)
  const created_after = '2020-01-01T00:00:00Z'
  isRefused(await other.post(`/webhook_endpoints/${endpoint.endpoint_id}/replay`, { created_after }), 404, 'HE_02')
  const { body: key } = await http(
    'POST',
    `${shop.url}/api_keys/${shop.merchant_id}`,
    { name: 'reads', expiration: 'never', scopes: ['payments:read'] },
    { 'api-key': ADMIN_KEY },
  )
  const path = `${shop.url}/webhook_endpoints/${endpoint.endpoint_id}/replay`
  isRefused(await http('POST', path, { created_after }, { 'api-key': key.api_key }), 403, 'IR_22')
  const [part] = await parts()
  const archive = shop.service.context.archive!
  const [line] = linesIn((await archive.get(archiveFile(part!)))!)
  const forged = { ...line, sealed: Buffer.from('{"event_type":"payment_succeeded"}').toString('base64') }
  await archive.put(archiveFile(part!), gzipSync(JSON.stringify(forged)), 'application/gzip')
  equal((await replay()).status, 500)
  await shop.wait('1 second')
  equal(receiver.received.length, 0)
  await archive.delete(archiveFile(part!))
  equal((await replay()).body.queued, 1, 'without its file it is said as it would be now')
})

test('an archive can be read after the encryption keys were rotated, and no file is rewritten', async t => {
  const store = openFolderStore()
  const { receiver, shop, replay } = await openArchivedShop(t, store)
  await shop.pay(grace)
  await shop.wait('92 days')
  receiver.received.splice(0)
  const files = store.files()
  const keys = withNewKey(loadKeys({ mode: 'live', keys: null, command: null, file: shop.keyFile }))
  writeKeys(shop.keyFile, keys)
  const edges = { query: shop.service.context.query, vault: openVault(keys), wait: async () => {} }
  await sealAnew(edges, keys, () => {})
  equal(await countOld(edges, keys), 0)
  writeKeys(shop.keyFile, withoutOldKeys(keys))
  equal((await replay()).body.queued, 1)
  await shop.wait('1 second')
  match(receiver.received[0]!.body, /grace@example\.com/)
  deepEqual(store.files(), files)
})

test('a day with many events is archived in several files of limited size, and no event is lost', async t => {
  const store = openFolderStore()
  const { shop, parts } = await openArchivedShop(t, store)
  const many = 2 * AT_ONCE + 7
  await shop.query(`insert into announcements select $1, $2 || lpad(to_hex(n), 20, '0'), '{}', $3 from generate_series(1, $4) n`, [
    shop.merchant_id,
    firstEventId(shop.service.context.now()),
    shop.service.context.now(),
    many,
  ])
  await shop.wait('92 days')
  deepEqual(
    (await parts()).map(({ events }) => events),
    [AT_ONCE, AT_ONCE, 7],
  )
  deepEqual(
    [
      (await kept(shop)).length,
      new Set(
        store
          .files()
          .flatMap(linesIn)
          .map(line => line.event_id),
      ).size,
    ],
    [0, many],
  )
})
