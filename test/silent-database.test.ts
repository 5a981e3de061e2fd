import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { openDeadlines } from './database-deadlines.ts'
import { eventually } from './eventually.ts'
import { openProxy } from './postgres-proxy.ts'
import { isRefused } from './refused.ts'
import { type Answer, cards, http, newDatabase, openPlace, openShop, type Shop } from './shop.ts'

/**
 * Connections to the database that die without a signal: nothing is refused, reset or closed, and no byte arrives any
 * more. The deadline of such a connection passes as soon as it is used, and the scheduler runs by itself.
 */

const database = await newDatabase()
const { deadlines, pass, close } = openDeadlines()
const proxy = await openProxy(database.url, 0, pass)
/** A connection for the statements of another process. */
const elsewhere = new pg.Client({ connectionString: database.url })
await elsewhere.connect()

const LATE_MS = 2400
let monotonicAhead = 0
const { service } = await openPlace(
  {},
  context => ({ ...context, wait: (ms, signal) => context.wait(Math.min(ms, 20), signal) }),
  async () => ({
    url: proxy.url,
    async drop() {
      close()
      await elsewhere.end()
      await proxy.close()
      await database.drop()
    },
  }),
  {
    scheduler: 'runs',
    clocks: { host: Date.now, monotonic: () => performance.now() + monotonicAhead },
    database: deadlines,
    late_ms: LATE_MS,
  },
)

const ready = () => http('GET', `${service.url}/health/ready`)
const isReady = () => eventually(async () => (await ready()).status === 200, 'ready', 20)

/** Repeats a payment while the answer says "try again", as a client does who must know the result. */
async function insist(shop: Shop, payment_id: string): Promise<Answer> {
  let answer!: Answer
  const isAnswered = async () => {
    answer = await shop.tryToPay({ payment_id })
    return answer.status !== 503
  }
  await eventually(isAnswered, 'an answer')
  return answer
}

const revoke = (shop: Shop) =>
  elsewhere.query(
    "with bump as (update settings_version set version = version + 1) update api_keys set revoked_at = '2026-01-01' where merchant_id = $1",
    [shop.merchant_id],
  )

test('a payment is made once after every database connection has stopped responding', async () => {
  const shop = await openShop()
  proxy.fallSilent()
  const answer = await insist(shop, 'pay_00000000000000000000000001')
  equal(answer.status, 200, answer.text)
  equal(answer.body.status, 'succeeded')
  equal((await shop.processor.charges()).length, 1)
})

test('a due job runs after every database connection has stopped responding', async () => {
  const shop = await openShop()
  const { payment_id, status } = await shop.pay({ card: cards.chargesAndResets })
  equal(status, 'processing')
  proxy.fallSilent()
  shop.clock.ahead += 6000
  const look = () => elsewhere.query('select status from payments where payment_id = $1', [payment_id])
  await eventually(async () => (await look()).rows[0].status === 'succeeded', 'the money is found')
  await isReady()
})

test('a revoked API key is refused after every read connection has stopped responding', async () => {
  const shop = await openShop()
  equal((await shop.tryToPay()).status, 200)
  proxy.fallSilent(/switchyard reads/)
  await revoke(shop)
  await eventually(async () => (await shop.tryToPay()).status === 401, 'the key is dead')
})

test('a cached API key is refused once its revocation cannot be checked for a second', async () => {
  const shop = await openShop()
  equal((await shop.tryToPay()).status, 200)
  proxy.networkGone(/switchyard reads/)
  await revoke(shop)
  monotonicAhead += 1001
  const before = (await shop.processor.charges()).length
  isRefused(await shop.tryToPay(), 503, 'HE_00', /database/)
  proxy.networkBack()
  isRefused(await insist(shop, 'pay_00000000000000000000000002'), 401, 'IR_01')
  equal((await shop.processor.charges()).length, before)
})

test('the service is not ready while the database is unreachable, names the reasons, and recovers afterwards', async () => {
  const shop = await openShop()
  await isReady()
  proxy.networkGone()
  monotonicAhead += LATE_MS
  const named = new Set<string>()
  await eventually(
    async () => {
      const answer = await ready()
      if (answer.status === 200) return false
      isRefused(answer, 503, 'HE_00', /^Not ready: /)
      for (const name of answer.body.error.message.slice('Not ready: '.length).split(', ')) named.add(name)
      return named.size === 3
    },
    'not ready',
    20,
  )
  deepEqual([...named].sort(), ['alarms', 'database', 'settings'])
  const refused = await shop.tryToPay()
  equal(refused.status, 503, refused.text)
  match(refused.body.error.message, /database/)
  ok(refused.headers['retry-after'])
  proxy.networkBack()
  await isReady()
  const answer = await insist(shop, 'pay_00000000000000000000000003')
  equal(answer.body.status, 'succeeded', answer.text)
  equal((await shop.processor.charges()).length, 1)
})
