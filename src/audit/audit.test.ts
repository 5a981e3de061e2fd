import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { areTheSame, isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, type Answer, type Body, http, openPlace, openShop, type Shop } from '../../test/shop.ts'
import type { Context, Statement } from '../context.ts'
import { connectionSettings } from '../database/connection-settings.ts'
import { allTables } from '../database/table.ts'
import { seal } from './seal.ts'
import { verify } from './verify.ts'

/** The audit log: its entries name the caller of each change, and cannot be changed afterwards. */

before(async () => {
  await openPlace({ trustedProxies: ['127.0.0.1'] })
})

const admin = { 'api-key': ADMIN_KEY, 'x-forwarded-for': '192.0.2.7' }
const asAdmin = (shop: Shop, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  http(method, shop.url + path, body, { ...admin, ...headers })
const list = (shop: Shop, query = ''): Promise<Answer> => shop.call('GET', `/audit?${query}`)
const entries = async (shop: Shop, query = ''): Promise<Body[]> => (await list(shop, query)).body.data
const what = ({ object_kind, type, by }: Body) => [object_kind, type, by]

test('changes of a merchant are in its audit log, with the caller, object, request id and address', async () => {
  const shop = await openShop()
  const headers = { 'x-request-id': 'ops-1', 'x-forwarded-for': '192.0.2.7' }
  const made = await asAdmin(shop, 'POST', `/api_keys/${shop.merchant_id}`, { name: 'second', expiration: 'never' }, headers)
  await asAdmin(shop, 'DELETE', `/api_keys/${shop.merchant_id}/${made.body.key_id}`, undefined, { 'x-request-id': 'ops-2' })
  await shop.post('/blocklist', { type: 'card_bin', data: '400000' }, { 'x-request-id': 'shop-1', 'x-forwarded-for': '203.0.113.5' })
  const [blocked, revoked, created, ...before] = (await asAdmin(shop, 'GET', `/audit?merchant_id=${shop.merchant_id}`)).body.data
  deepEqual(what(created), ['api_key', 'created', 'admin'])
  deepEqual([created.object_id, created.request_id, created.address, created.version], [made.body.key_id, 'ops-1', '192.0.2.7', 1])
  deepEqual([what(revoked), revoked.was.revoked_at, revoked.request_id], [['api_key', 'revoked', 'admin'], null, 'ops-2'])
  match(blocked.by, /^secret_key snd_/)
  deepEqual([blocked.object_id, blocked.request_id, blocked.address], ['card_bin_400000', 'shop-1', '203.0.113.5'])
  ok(before.length >= 3, 'merchant, key and connector account are there as well')
  ok(!JSON.stringify(before).includes(`sandbox_${shop.merchant_id}`), 'no credential is')
})

test('an entry shows the old and the new values, also after later changes, and never a secret', async () => {
  const shop = await openShop()
  const at = `/account/${shop.merchant_id}/connectors/${shop.merchant_connector_id}`
  const account = { connector_type: 'payment_processor', status: 'active' }
  for (const connector_label of ['cards in euro', 'cards']) equal((await shop.post(at, { ...account, connector_label })).status, 200)
  const account_details = { auth_type: 'HeaderKey', api_key: `other_${shop.merchant_id}` }
  await shop.post(at, { ...account, connector_account_details: account_details })
  const changed = (await entries(shop, 'object_kind=connector_account&type=updated')).filter(({ was }) => 'connector_label' in was)
  deepEqual(
    changed.map(({ was, set }) => [was.connector_label, set.connector_label]),
    [
      ['cards in euro', 'cards'],
      [changed[1].was.connector_label, 'cards in euro'],
    ],
  )
  const [created] = await entries(shop, 'object_kind=connector_account&type=created')
  equal(created.set, null, 'nothing was before')
  ok(!(await list(shop, 'object_kind=connector_account')).text.includes(`other_${shop.merchant_id}`), 'no credential is there')
})

test('a payment and its refund write no audit log entry', async () => {
  const shop = await openShop()
  const count = async () => (await shop.query('select 1 from audit_log where merchant_id = $1', [shop.merchant_id])).length
  const before = await count()
  const { payment_id } = await shop.pay()
  await shop.refund(payment_id)
  equal(await count(), before)
})

test('every versioned table is audited, except payments and payouts', () => {
  const heads = allTables().filter(table => table.kind !== null)
  deepEqual(
    heads.filter(table => !table.audited).map(table => table.name),
    ['payments', 'payouts'],
  )
  ok(heads.length > 6)
})

test('a merchant reads only its own entries, without the addresses of the operator', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  const mine = await entries(shop)
  equal(new Set(mine.map(entry => entry.merchant_id)).size, 1)
  deepEqual([mine.at(-1).by, mine.at(-1).address], ['admin', null])
  isRefused(await list(shop, `merchant_id=${other.merchant_id}`), 403, 'IR_22')
  areTheSame(await list(shop, 'merchant_id=nobody'), await list(shop, `merchant_id=${other.merchant_id}`))
  equal((await list(shop, `merchant_id=${shop.merchant_id}`)).status, 200)
  isRefused(await http('GET', `${shop.url}/audit`), 401, 'IR_01')
})

test('entries are filtered by object, type, caller, request and time, and are paginated', async () => {
  const shop = await openShop()
  const start = (await entries(shop, 'limit=1'))[0].created
  for (const data of ['400000', '400001', '400002'])
    await shop.post('/blocklist', { type: 'card_bin', data }, { 'x-request-id': `r-${data}` })
  await shop.call('DELETE', '/blocklist', { type: 'card_bin', data: '400001' })
  const found = async (query: string) => (await entries(shop, query)).map(({ object_id, type }) => `${type} ${object_id}`)
  deepEqual(await found('object_id=card_bin_400001'), ['deleted card_bin_400001', 'created card_bin_400001'])
  deepEqual(await found('object_kind=blocklist_entry&type=created&limit=2'), ['created card_bin_400002', 'created card_bin_400001'])
  deepEqual(await found('request_id=r-400000'), ['created card_bin_400000'])
  deepEqual(await found('object_kind=merchant&by=admin'), [`created ${shop.merchant_id}`])
  const [last] = await entries(shop, 'object_kind=blocklist_entry&limit=1')
  deepEqual(await found(`object_kind=blocklist_entry&before_entry=${last.entry}&limit=1`), ['created card_bin_400002'])
  deepEqual(await found(`object_kind=blocklist_entry&created_before=${start}`), [])
  equal((await found(`object_kind=blocklist_entry&created_after=${start}`)).length, 4)
  isRefused(await list(shop, 'created_after=yesterday'), 422, 'IR_05', /created_after/)
  isRefused(await list(shop, 'created_after=0000-01-01T00:00:00Z'), 422, 'IR_05', /created_after/)
  isRefused(await list(shop, 'limit=101'), 400, 'IR_16', /limit/)
  isRefused(await list(shop, 'who=me'), 400, 'IR_06', /who/)
})

test('reading the audit log is itself logged', async () => {
  const shop = await openShop()
  await list(shop, 'object_kind=api_key')
  const [looked] = await entries(shop, 'object_kind=disclosure')
  deepEqual([looked.type, looked.by.split(' ')[0]], ['audit_log_shown', 'secret_key'])
  const [row] = await shop.query('select what, request from disclosures where merchant_id = $1 and disclosure_id = $2', [
    shop.merchant_id,
    looked.object_id,
  ])
  deepEqual(row, { what: 'audit_log', request: { object_kind: 'api_key' } })
  await asAdmin(shop, 'GET', '/audit?limit=1')
  const [all] = (await asAdmin(shop, 'GET', '/audit?merchant_id=@deployment&object_kind=disclosure&limit=1')).body.data
  deepEqual(what(all), ['disclosure', 'audit_log_shown', 'admin'])
})

test('vault data is decrypted only in a fixed list of source files', () => {
  const root = join(import.meta.dirname, '..')
  const opening = globSync('**/*.ts', { cwd: root, exclude: ['**/*.test.ts', 'vault/**'] }).filter(file =>
    /\b(vault\.open|numbers\.read)\(/.test(readFileSync(join(root, file), 'utf8')),
  )
  deepEqual(
    opening.toSorted(),
    [
      'accounts/check-deployment.ts',
      'accounts/connector-account.ts',
      'accounts/hidden-members.ts',
      'accounts/webhook-endpoint.ts',
      'customers/customer.ts',
      'disputes/draft.ts',
      // The keys of the archive of events.
      'events/archive-lines.ts',
      'http/idempotency.ts',
      // The values are redacted before they are encrypted, and disclosed later.
      'operations/exchanges.ts',
      'operations/unmatched-disputes.ts',
      'payment-methods/number.ts',
      'payments/authorization/payment-instrument.ts',
      'payments/stored-credentials/saved-instrument.ts',
      'payouts/recipient.ts',
      // Reports and bank statements, until they are read; card numbers in them are not kept.
      'settlement/files.ts',
      'users/approvals.ts',
      'users/totp.ts',
    ],
    'whoever opens cards elsewhere, and shows them, must disclose() it (vault/disclosures.ts)',
  )
})

// --- the chain

test('each entry is sealed into the chain within one tick', async () => {
  const shop = await openShop()
  equal((await entries(shop, 'limit=1'))[0].place, null)
  await shop.service.tick()
  const { end, waiting, misfit } = await verify(shop.service.context)
  deepEqual([misfit, waiting], [null, 0])
  const [first] = (await asAdmin(shop, 'GET', '/audit?limit=1')).body.data
  deepEqual([first.place, first.seal], [end.place, end.seal])
  equal((await verify(shop.service.context)).waiting, 1, 'that look waits for its place')
})

test('several processes that seal at the same time build one chain', async () => {
  const shop = await openShop()
  for (let round = 0; round < 5; round++) {
    await Promise.all(Array.from({ length: 8 }, (_, i) => shop.post('/blocklist', { type: 'card_bin', data: `6000${round}${i}` })))
    await Promise.all(Array.from({ length: 4 }, () => seal(shop.service.context)))
  }
  await seal(shop.service.context)
  const { waiting, misfit } = await verify(shop.service.context)
  deepEqual([waiting, misfit], [0, null])
})

/**
 * An owner of the database who has found out how to remove the protection of the log; afterwards everything is as it
 * was.
 */
let thief: pg.Client
before(async () => {
  const { databaseUrl } = await openPlace()
  thief = new pg.Client(connectionSettings(databaseUrl, 'thief'))
  // The database of this connection is dropped first.
  thief.on('error', () => {})
  await thief.connect()
})
after(() => thief.end())

async function tampered(shop: Shop, ...statements: string[]) {
  const { vault } = shop.service.context
  const query = async ({ text }: Statement, values: unknown[]) => (await thief.query(text, values)).rows
  const context = { query: query as Context['query'], vault }
  await thief.query('begin')
  try {
    await thief.query('set local session_replication_role = replica')
    for (const statement of statements) equal((await thief.query(statement)).rowCount! > 0, true, statement)
    return (await verify(context)).misfit
  } finally {
    await thief.query('rollback')
  }
}

/**
 * Opens a log of some length with all entries sealed; gives the place of an entry in the middle and of the last one.
 */
async function openLog(): Promise<{ shop: Shop; middle: number; last: number }> {
  const shop = await openShop()
  await shop.post('/blocklist', { type: 'card_bin', data: '400000' })
  await shop.call('DELETE', '/blocklist', { type: 'card_bin', data: '400000' })
  await shop.post('/blocklist', { type: 'card_bin', data: '400001' })
  await seal(shop.service.context)
  const { end } = await verify(shop.service.context)
  return { shop, middle: end.place - 2, last: end.place }
}

test('a changed entry is detected, for every column that is changed in the audit log or the history', async () => {
  const { shop, middle } = await openLog()
  const change = 'merchant_id = l.merchant_id and c.object_id = l.object_id and c.kind = l.kind and c.version = l.version'
  const changes = [
    "request_id = 'another'",
    "address = '10.0.0.1'",
    'address = null',
    "merchant_id = 'another'",
    "object_id = 'another'",
    'version = version + 1',
    "created = created - interval '1 second'",
    'mac = seal',
  ].map(set => `update audit_log set ${set} where place = ${middle}`)
  const past = [
    "by = 'admin'",
    "by = ''",
    "type = 'deleted'",
    `was = '{"deleted":true}'`,
    "created = c.created + interval '1 day'",
    "event_id = 'evt_1'",
  ]
  for (const statement of [
    ...changes,
    ...past.map(set => `update changes c set ${set} from audit_log l where l.place = ${middle} and c.${change}`),
  ]) {
    const misfit = await tampered(shop, statement)
    equal(misfit?.place, middle, statement)
    match(misfit.why, /changed|missing from the history/, statement)
  }
  const seals = await tampered(shop, `update audit_log set seal = mac where place = ${middle}`)
  equal(seals?.place, middle)
  match(
    (await tampered(shop, `delete from changes c using audit_log l where l.place = ${middle} and c.${change}`))?.why ?? '',
    /missing from the history/,
  )
})

test('a deleted entry is detected, in the middle and at the end, also if the other entries close the gap', async () => {
  const { shop, middle, last } = await openLog()
  const gone = await tampered(shop, `delete from audit_log where place = ${middle}`)
  deepEqual([gone?.place, gone?.n], [middle, null])
  const closed = await tampered(
    shop,
    `delete from audit_log where place = ${middle}`,
    `update audit_log set place = -place where place > ${middle}`,
    'update audit_log set place = -place - 1 where place < 0',
  )
  equal(closed?.place, middle)
  match(closed?.why ?? '', /inserted or moved/)
  const cut = await tampered(shop, `delete from audit_log where place = ${last}`)
  equal(cut?.place, last)
  match(cut?.why ?? '', /is missing/)
  const back = await tampered(
    shop,
    `delete from audit_log where place = ${last}`,
    `update audit_chain set place = ${last - 1}, seal = (select seal from audit_log where place = ${last - 1})`,
  )
  equal(back, null, 'an end that was cut off with its note can be told only by whoever kept the end elsewhere:')
  const { end } = await verify(shop.service.context)
  const beyond = { place: end.place + 1, seal: end.seal }
  equal((await verify(shop.service.context, beyond)).misfit?.place, end.place + 1)
  equal((await verify(shop.service.context, end)).misfit, null)
  equal((await verify(shop.service.context, { ...end, place: end.place - 1 })).misfit?.place, end.place - 1)
})

test('an inserted entry is detected: in the chain, at its end, and before it is sealed', async () => {
  const { shop, middle, last } = await openLog()
  const copy = (place: string, sealed: string) =>
    `insert into audit_log (merchant_id, kind, object_id, version, request_id, address, created, mac, place, seal)
      select merchant_id, kind, object_id, version, request_id, '10.0.0.1', created, mac, ${place}, ${sealed} from audit_log where place = ${middle}`
  const moved = `update audit_log set place = -place where place > ${middle}`
  equal(
    (await tampered(shop, moved, 'update audit_log set place = 1 - place where place < 0', copy(`${middle + 1}`, 'seal')))?.place,
    middle + 1,
  )
  equal((await tampered(shop, copy(`${last + 1}`, 'seal')))?.place, last + 1)
  const waits = await tampered(shop, copy('null', 'null'))
  deepEqual([waits?.place, (waits?.n ?? 0) > 0], [null, true])
  match(waits?.why ?? '', /not written by the service/)
  const doubled = await tampered(
    shop,
    copy(`${last + 1}`, 'seal').replace("'10.0.0.1'", 'address'),
    `update audit_chain set place = ${last + 1}`,
  )
  equal(doubled?.place, last + 1, 'nor does one that is copied whole fit')
})

test('two entries that were swapped are detected, also if their seals stay in place', async () => {
  const { shop, middle } = await openLog()
  const swapped = [
    `update audit_log set place = 0 where place = ${middle}`,
    `update audit_log set place = ${middle} where place = ${middle + 1}`,
    `update audit_log set place = ${middle + 1} where place = 0`,
  ]
  equal((await tampered(shop, ...swapped))?.place, middle)
  const seals = `update audit_log l set seal = o.seal from audit_log o where l.place + o.place = ${2 * middle + 1} and l.place in (${middle}, ${middle + 1})`
  equal((await tampered(shop, ...swapped, seals))?.place, middle)
})

test('the database rejects every update, delete and truncate of the audit log', async () => {
  const { shop } = await openLog()
  for (const statement of [
    "update audit_log set address = '10.0.0.1'",
    'delete from audit_log',
    'truncate audit_log',
    'update audit_log set place = null, seal = null',
  ])
    await rejects(shop.query(statement), /only added to/, statement)
})

test('the verify command names the first invalid entry, and checks an end of the chain that was saved', async () => {
  const { shop, middle, last } = await openLog()
  const run = (...args: string[]) =>
    new Promise<{ code: number; output: string }>(resolve => {
      const env = { ...process.env, DATABASE_URL: shop.databaseUrl, KEY_FILE: shop.keyFile }
      execFile(process.execPath, [join(import.meta.dirname, '../../launch/audit-verify.ts'), ...args], { env }, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
      )
    })
  const good = await run()
  deepEqual([good.code, good.output.includes(`is intact: ${last} entries`)], [0, true], good.output)
  const end = good.output.trim().split('\n').at(-1)!
  equal((await run(end)).code, 0)
  const beyond = await run(`${last + 1}:${'0'.repeat(64)}`)
  deepEqual([beyond.code, beyond.output.includes(`at place ${last + 1}`)], [1, true], beyond.output)
  equal((await run('yesterday')).code, 2)
  await thief.query('set session_replication_role = replica')
  await thief.query(`update audit_log set address = '10.0.0.1' where place = ${middle}`)
  const bad = await run()
  deepEqual([bad.code, bad.output.includes(`at place ${middle}`)], [1, true], bad.output)
})
