import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { later } from '../src/base/time.ts'
import { isFenced } from '../src/database/merchant-moves.ts'
import { allTables, exampleOf } from '../src/database/table.ts'
import { payments } from '../src/payments/payment.ts'
import { findPayment } from '../src/payments/rows.ts'
import type { Keys } from '../src/vault/keys.ts'
import { disputed } from '../test/disputes.ts'
import { agree } from '../test/long/agree.ts'
import { addAccount, keysOf, succeed } from '../test/merchant.ts'
import { merchantMove } from '../test/operator-commands.ts'
import { payOutBody } from '../test/payout-shop.ts'
import { openReceiver } from '../test/receiver.ts'
import { type Deployment, openSecondDeployment } from '../test/second-deployment.ts'
import { type Body, cards, http, newDatabase, openShop, type Shop, type ShopOptions } from '../test/shop.ts'
import { moveMerchant, removeLeft, undo } from './moving.ts'
import { openSide, type Side } from './moving-database.ts'
import { besides, diaries, left, moved } from './moving-tables.ts'

/** Both deployments by one clock: time passes for the processor, and then for either. */
const openBoth = async (options: ShopOptions = {}) => {
  const shop = await openShop(options)
  const target = await openSecondDeployment(shop)
  const env = { DATABASE_URL: shop.databaseUrl, TARGET_DATABASE_URL: target.databaseUrl, KEY_FILE: shop.keyFile }
  const move = (...more: string[]) => merchantMove(env, shop.merchant_id, '--drain', '0', '--files', 'shared', ...more)
  return { shop, target, env, move, at: shopAt(shop, target) }
}

/** The shop, as it is at the target. */
function shopAt(shop: Shop, { url, service, query }: Deployment) {
  const call = (method: string, path: string, body?: unknown, headers = {}) =>
    http(method, url + path, body, { 'api-key': shop.api_key, ...headers })
  return {
    call,
    post: (path: string, body: unknown, headers = {}) => call('POST', path, body, headers),
    get: async (path: string): Promise<Body> => {
      const { status, body, text } = await call('GET', path)
      equal(status, 200, text)
      return body
    },
    async wait(): Promise<void> {
      while ((await service.tick()) > 0);
    },
    books: () => agree({ query: (text, values) => query(text, values), merchant_id: shop.merchant_id, processor: shop.processor }),
  }
}

/** What the settings of a service say is read anew twice a second. */
const refreshSettings = async (...all: { service: Deployment['service'] }[]) => {
  for (const { service } of all) await service.settings.refresh()
}

const keysIn = ({ keyFile }: Pick<Shop, 'keyFile'>) => JSON.parse(readFileSync(keyFile, 'utf8')) as Keys

type ByHand = { merchant_id?: string; to?: string; others?: Keys; does?: typeof moveMerchant; files?(): Promise<string>; output?: string[] }

/** As the command does it, in this process. `files`: is done when the source is fenced. */
async function byHand(shop: Shop, target: Deployment, ask: ByHand): Promise<void> {
  const { merchant_id = shop.merchant_id, to = target.databaseUrl, does = moveMerchant, files = async () => '', output = [] } = ask
  const sides: Side[] = []
  try {
    for (const url of [shop.databaseUrl, to]) sides.push(await openSide(`the database ${sides.length}`, url))
    const [source, there] = sides as [Side, Side]
    const keys = { source: keysIn(shop), target: ask.others ?? keysIn(shop) }
    await does({ merchant_id, source, target: there, keys, address: null, drain_ms: 0, files, say: line => void output.push(line) })
  } finally {
    for (const side of sides) await side.close()
  }
}

const saved = {
  customer_id: 'cus_ada',
  setup_future_usage: 'off_session',
  customer_acceptance: {
    acceptance_type: 'online',
    accepted_at: '2026-01-01T00:00:00Z',
    online: { ip_address: '192.0.2.1', user_agent: 'x' },
  },
}

test('a merchant moves to another deployment with its payments, refunds, disputes, payouts and jobs, and the source stops processing', async () => {
  const { shop, target, move, at } = await openBoth({ webhooks: 'on' })
  const receiver = await openReceiver()
  equal((await shop.post('/webhook_endpoints', { url: receiver.url })).status, 200)
  await addAccount(shop, 'phonypay', {
    connector_type: 'payout_processor',
    connector_label: 'payouts',
    connector_account_details: keysOf('phonypay', `sandbox_${shop.merchant_id}`),
  })
  const paid = await shop.pay(saved)
  const held = await shop.hold()
  const unknown = await shop.pay({ card: cards.chargesAndHangs })
  const declined = await shop.pay({ card: cards.declines })
  const created = await shop.create()
  const planned = await shop.pay({ capture_on: later(shop.service.context.now(), 2 * 3_600_000) })
  const refunded = await shop.pay()
  const refund = (await shop.refund(refunded.payment_id, 500)).body
  const contested = await disputed(shop)
  const payout = await succeed(shop.post('/payouts/create', payOutBody()))
  const key = { 'idempotency-key': 'order-7' }
  const once = (await shop.tryToPay({ amount: 777 }, key)).body
  receiver.answers({ status: 500 })
  const waiting = await shop.pay({ amount: 888 })
  await shop.service.tick()
  const ids = [paid, held, unknown, declined, created, planned, refunded, contested.payment, once, waiting].map(one => one.payment_id)
  const before = new Map<string, Body>()
  for (const id of ids) before.set(id, await shop.get(id))
  const neighbour = await openShop()

  const done = await move('--address', target.url)
  equal(done.code, 0, done.output)
  match(done.output, /\d+ rows were copied and compared in [\d.]+ s \(\d+ a second\)/)
  await refreshSettings(shop, target)

  for (const [id, payment] of before) deepEqual(await at.get(`/payments/${id}`), payment)
  const asked = (await shop.processor.operations()).length
  const refused = await shop.tryToPay()
  equal(refused.status, 503, refused.text)
  equal(refused.headers['retry-after'], '2')
  match(refused.text, new RegExp(`has moved to another deployment: ${target.url}`))
  equal((await shop.call('GET', `/payments/${paid.payment_id}`)).status, 503)
  const link = `/payment_link/${shop.merchant_id}/${created.payment_id}?from=mail`
  const page = await fetch(shop.url + link, { redirect: 'manual' })
  deepEqual([page.status, page.headers.get('location')], [302, target.url + link], 'a page is where the merchant is')
  equal((await http('POST', `${shop.url}/webhooks/${shop.merchant_id}/${shop.merchant_connector_id}`, {})).status, 503)
  shop.clock.ahead += 3 * 3_600_000
  await shop.processor.advance(3 * 3600)
  while ((await shop.service.tick()) > 0);
  equal((await shop.processor.operations()).length, asked, 'the source asks nothing more of the processor')
  equal((await neighbour.pay()).status, 'succeeded')

  receiver.answers({ status: 200 })
  const { webhook_secret, merchant_id, merchant_connector_id } = shop
  await shop.processor.account({ webhook_url: `${target.url}/webhooks/${merchant_id}/${merchant_connector_id}`, webhook_secret })
  await at.wait()
  equal((await at.get(`/payments/${planned.payment_id}`)).status, 'succeeded', 'what was to be captured later is')
  equal((await at.get(`/payments/${unknown.payment_id}`)).status, 'succeeded', 'what was unknown is asked about')
  equal((await at.post(`/payments/${held.payment_id}/capture`, {})).body.status, 'succeeded')
  equal((await at.get(`/refunds/${refund.refund_id}`)).amount, 500)
  equal((await at.get(`/disputes/${contested.dispute_id}`)).dispute_status, contested.dispute.dispute_status)
  equal((await at.get(`/payouts/${payout.payout_id}`)).status, payout.status)
  equal((await at.post('/payments', shop.payBody({ amount: 777 }), key)).body.payment_id, once.payment_id, 'a key is known there, too')
  const again = { amount: 300, currency: 'USD', confirm: true, customer_id: 'cus_ada', off_session: true }
  const recurring = { recurring_details: { type: 'payment_method_id', data: paid.payment_method_id } }
  equal((await at.post('/payments', { ...again, ...recurring })).body.status, 'succeeded', 'a saved card is charged')
  await at.wait()
  ok(receiver.types(waiting.payment_id).length > 0)
  equal(receiver.received.at(-1)!.event.content.object !== undefined, true)
  deepEqual(await target.query("select 1 from deliveries where status = 'pending'"), [], 'all that waited was told')
  await at.books()

  const removed = await move('--remove')
  equal(removed.code, 0, removed.output)
  const rest = await shop.query('select count(*)::int as n from payments where merchant_id = $1', [merchant_id])
  deepEqual(rest, [{ n: 0 }])
  match((await shop.tryToPay()).text, /has moved to another deployment/)
  equal((await move()).code, 0, 'a move that is done is done')
})

test('a merchant that was moved can be moved back, with the payments it made meanwhile', async () => {
  const { shop, target, env, move, at } = await openBoth()
  const first = await shop.pay()
  equal((await move()).code, 0)
  await refreshSettings(shop, target)
  const second = (await at.post('/payments', shop.payBody())).body
  equal(second.status, 'succeeded', JSON.stringify(second))
  const back = { ...env, DATABASE_URL: env.TARGET_DATABASE_URL, TARGET_DATABASE_URL: env.DATABASE_URL }
  const done = await merchantMove(back, shop.merchant_id, '--drain', '0', '--files', 'shared')
  equal(done.code, 0, done.output)
  await refreshSettings(shop, target)
  for (const one of [first, second]) equal((await shop.refund(one.payment_id)).status, 200)
  equal((await at.call('GET', `/payments/${first.payment_id}`)).status, 503)
  await agree(shop)
})

test('during a move the merchant is read-only and its jobs wait, other merchants are served, and an aborted move restores service', async () => {
  const { shop, target } = await openBoth()
  const neighbour = await openShop()
  const planned = await shop.pay({ capture_on: later(shop.service.context.now(), 3_600_000) })
  const hour = async () => {
    shop.clock.ahead += 3_600_000
    await shop.processor.advance(3600)
    while ((await shop.service.tick()) > 0);
    return (await shop.get(planned.payment_id)).status
  }
  const files = async () => {
    await refreshSettings(shop)
    const { status, headers, text } = await shop.tryToPay()
    deepEqual([status, headers['retry-after']], [503, '2'])
    match(text, /is being moved to another deployment and takes no changes for the moment/)
    equal((await shop.capture(planned.payment_id)).status, 503)
    equal(await hour(), 'requires_capture')
    equal((await neighbour.pay()).status, 'succeeded')
    throw new Error('cut off')
  }
  await rejects(byHand(shop, target, { files }), /cut off/)
  await refreshSettings(shop)
  equal((await shop.pay()).status, 'succeeded')
  equal(await hour(), 'succeeded')
  await agree(shop)
})

test('a move that is refused or fails names the reason, and the merchant is served as before', async () => {
  const { shop, target, env, move } = await openBoth()
  const { payment_id } = await shop.hold()
  const output: string[] = []
  const keys = keysIn(shop)
  const refused = (pattern: RegExp, ask: ByHand = {}) => rejects(byHand(shop, target, { ...ask, output }), pattern)
  match((await merchantMove(env, '--undo')).output, /the id of a merchant is required/)
  match((await merchantMove({ ...env, TARGET_DATABASE_URL: '' }, shop.merchant_id)).output, /TARGET_DATABASE_URL must be set/)
  await refused(/has no merchant nobody/, { merchant_id: 'nobody' })
  await refused(/or it is the other database/, { to: shop.databaseUrl })
  await refused(/is not being moved/, { does: undo })
  await refused(/has not left/, { does: removeLeft })
  await refused(/the keys are not the same/, { others: { ...keys, lookup: keys.sealing[keys.active]! } })
  const empty = await newDatabase('template0')
  after(empty.drop)
  await refused(/is empty: start its deployment first/, { to: empty.url })
  await target.query('update schema_version set md5 = $1 where version = (select max(version) from schema_version)', ['other'])
  await refused(/not the same migrations/)
  const [{ md5 }] = (await shop.query('select md5 from schema_version order by version desc limit 1')) as [{ md5: string }]
  await target.query('update schema_version set md5 = $1 where md5 = $2', [md5, 'other'])
  await target.query("insert into api_key_uses select $1, 'k', now()", [shop.merchant_id])
  await refused(/has rows of merchant .* already \(api_key_uses\)/)
  await target.query('delete from api_key_uses')
  await target.query('alter table payments add constraint full_here check (amount < 0)')
  await refused(/full_here/)
  match(output.at(-1)!, /The source serves the merchant as before/)
  await target.query('alter table payments drop constraint full_here')
  deepEqual(await target.query('select 1 from merchant_moves union all select 1 from merchants'), [])
  await refreshSettings(shop)
  equal((await shop.capture(payment_id)).status, 200)
  const fences = await shop.query("select pg_get_triggerdef(oid) as of from pg_trigger where tgname = 'merchant_moves_fence'")
  ok(!JSON.stringify(fences).includes(shop.merchant_id), 'its fence is gone')
  equal((await move()).code, 0)
})

test('the database refuses late writes for a merchant that has moved away, and accepts those for other merchants', async () => {
  const { shop, target, move } = await openBoth()
  const { context } = shop.service
  const other = await openShop()
  const { payment_id } = await shop.hold()
  equal((await move()).code, 0)
  // As a process does that was stopped in the middle of a request: it has read the payment, and asks nothing more.
  const before = (await findPayment(context, shop.merchant_id, payment_id))!
  const head = { head: 'payments', event: { type: 'moved', announces: null }, rows: [], by: 'a test' }
  const made = exampleOf(payments, { merchant_id: shop.merchant_id, payment_id: 'pay_late', version: 1 })
  const late = [
    { ...head, before, after: { ...before, description: 'late' } },
    { ...head, before: null, after: made },
  ]
  const [written, ...refused] = await Promise.allSettled([other.pay(), ...late.map(change => context.commit(change))])
  equal(written!.status === 'fulfilled' && written.value.status, 'succeeded')
  for (const one of refused) ok(one.status === 'rejected' && isFenced(one.reason), JSON.stringify(one))
  deepEqual(await shop.query('select count(*)::int as n from payments where merchant_id = $1', [shop.merchant_id]), [{ n: 1 }])
  deepEqual(await target.query('select count(*)::int as n from payments where merchant_id = $1', [shop.merchant_id]), [{ n: 1 }])
})

test('every table either moves with its merchant or is listed as staying, with a reason', () => {
  const listed = [...moved, ...diaries, ...Object.keys(left)]
  deepEqual(
    listed.sort(),
    allTables()
      .map(({ name }) => name)
      .sort(),
  )
  const named = (name: string) => allTables().find(table => table.name === name)!
  for (const name of [...moved, ...diaries]) ok(named(name).key[0] === 'merchant_id' || name === 'outbox', name)
  for (const name of Object.keys(besides)) ok(moved.includes(name as (typeof moved)[number]))
})
