import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openReceiver } from '../../test/receiver.ts'
import { isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, type Body, cards, http, openShop, type Shop } from '../../test/shop.ts'
import type { Context, Row } from '../context.ts'
import { DatabaseAway } from '../database/connection.ts'
import { claimed } from '../database/due.ts'
import { leftJobs } from '../database/jobs.ts'
import { table, text, time } from '../database/table.ts'
import { job, openScheduler, timetable } from './scheduler.ts'

/**
 * Jobs that do not end: they throw, they hang, or they kill the process that runs them. The jobs are letters, a table
 * that only this file has.
 */
const letters = table('letters', {
  key: ['merchant_id', 'letter_id'],
  columns: { merchant_id: text(), letter_id: text(), send_at: time().orNull() },
})
const sending = claimed(letters, { when: 'send_at', lease_ms: 20_000, gives: ['merchant_id', 'letter_id'] })
const withLetters = timetable('due_with_letters', [sending], [leftJobs('jobs of letters', [sending])])

/** The patience of a scheduler in the tests: without limit, unless the test sets one. */
const never = () => () => () => {}

async function openPost(t: { after(done: () => unknown): void }, many: number) {
  const shop = await openShop()
  await shop.query('create table letters (merchant_id text, letter_id text, send_at timestamptz(3), primary key (merchant_id, letter_id))')
  t.after(async () => {
    await shop.query('drop table letters')
    await shop.query("delete from jobs where kind = 'letters.send_at'")
  })
  const merchant_id = shop.merchant_id
  await shop.query("insert into letters select $1, 'l' || n, $2 from generate_series(1, $3) n", [
    merchant_id,
    shop.service.context.now(),
    many,
  ])
  const sent: string[] = []
  /** Opens a process that sends letters by this function. */
  const open = (
    deliver: (letter: string) => Promise<void>,
    context: Context = shop.service.context,
    patience: Parameters<typeof openScheduler>[5] = never,
  ) =>
    openScheduler(
      context,
      withLetters,
      [
        job(sending, async ({ letter_id }) => {
          await deliver(letter_id)
          sent.push(letter_id)
          await shop.query('update letters set send_at = null where merchant_id = $1 and letter_id = $2', [merchant_id, letter_id])
        }),
      ],
      () => performance.now(),
      [],
      patience,
    )
  const jobs = async (more = ''): Promise<Body> =>
    (await http('GET', `${shop.url}/jobs?kind=letters.send_at${more}`, undefined, { 'api-key': ADMIN_KEY })).body
  return { shop, sent, open, jobs }
}

const lease = (shop: Shop, seconds = 21) => {
  shop.clock.ahead += seconds * 1000
}

test('a job that keeps throwing is isolated after ten tries with the reason, delays no other job, and an operator can retry it', async t => {
  const { shop, sent, open, jobs } = await openPost(t, 50)
  let broken = true
  const tried: string[] = []
  const scheduler = open(async letter => {
    tried.push(letter)
    if (letter === 'l7' && broken) throw new Error('the envelope is too small for card 4111 1111 1111 1111')
  })
  equal(await scheduler.tick(), 50)
  equal(sent.length, 49)
  for (let i = 0; i < 12; i++) {
    lease(shop)
    await scheduler.tick()
  }
  const [job, ...none] = (await jobs()).data
  equal(none.length, 0)
  deepEqual([job.object, job.merchant_id, job.tries, job.begun_at], ['l7', shop.merchant_id, 11, null])
  match(job.reason, /^Error: the envelope is too small for card (?!.*4111 1111 1111 1111)/)
  ok(job.isolated_at)
  equal(shop.logs.filter(line => line.includes('was isolated') && line.includes(shop.merchant_id)).length, 1)
  const before = tried.length
  for (let i = 0; i < 5; i++) {
    lease(shop)
    await scheduler.tick()
  }
  equal(tried.length, before, 'once an hour')
  lease(shop, 3600)
  await scheduler.tick()
  equal(tried.length, before + 1)
  broken = false
  const retry = (id: string) => http('POST', `${shop.url}/jobs/${id}/retry`, {}, { 'api-key': ADMIN_KEY })
  const { status, body } = await retry(job.job_id)
  deepEqual([status, body.tries, body.isolated_at], [200, 0, null])
  lease(shop, 3600)
  await scheduler.tick()
  equal(sent.length, 50)
  deepEqual((await jobs()).data, [])
  isRefused(await retry(job.job_id), 404, 'HE_02')
})

test('a job that an operator retries runs at the next tick', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ card: cards.chargesAndResets })
  const row = [shop.merchant_id, `payment ${payment_id} 1`, shop.service.context.now()]
  await shop.query(
    "insert into jobs values ($1, 'processor_operations.poll_at', $2, 'job_' || $1, 10, 0, 'it would not', $3, null, $3)",
    row,
  )
  await shop.query("update processor_operations set poll_at = poll_at + interval '1 hour' where merchant_id = $1", [shop.merchant_id])
  await shop.wait('10 seconds')
  equal((await shop.get(payment_id)).status, 'processing')
  equal((await http('POST', `${shop.url}/jobs/job_${shop.merchant_id}/retry`, {}, { 'api-key': ADMIN_KEY })).status, 200)
  await shop.service.tick()
  equal((await shop.get(payment_id)).status, 'succeeded')
})

test('a job that crashes its worker is run alone, so that other jobs complete, and is then isolated', async t => {
  const { shop, sent, open, jobs } = await openPost(t, 20)
  const tries: string[] = []
  for (let life = 0; life < 16 && (sent.length < 19 || life < 14); life++) {
    // A dead process does not continue: none of its work ends.
    let dead = false
    const never = new Promise<void>(() => {})
    const scheduler = open(
      async letter => {
        tries.push(letter)
        if (letter === 'l3') dead = true
        await (dead ? never : new Promise(setImmediate))
        if (dead) await never
      },
      {
        ...shop.service.context,
        query: (statement, values) => (dead ? new Promise<never>(() => {}) : shop.service.context.query(statement, values)),
      },
    )
    const over = scheduler.tick()
    const isDead = (async () => {
      while (!dead) await new Promise(setImmediate)
    })()
    await Promise.race([over, isDead])
    dead = true
    lease(shop)
  }
  equal(sent.length, 19)
  const { data } = await jobs('&isolated=true')
  deepEqual(
    data.map((job: Body) => [job.object, job.reason]),
    [['l3', 'the worker that ran the job stopped responding']],
  )
  const before = tries.length
  lease(shop)
  equal(await open(async () => {}).tick(), 0)
  equal(tries.length, before)
})

test('a job that hangs is given up after its lease, and frees its slot', async t => {
  const { shop, sent, open, jobs } = await openPost(t, 3)
  const timeouts: (() => void)[] = []
  const patience = () => (onTimeout: () => void) => {
    timeouts.push(onTimeout)
    return () => {}
  }
  const scheduler = open(letter => (letter === 'l2' ? new Promise(() => {}) : Promise.resolve()), shop.service.context, patience)
  const over = scheduler.tick()
  while (sent.length < 2 || timeouts.length < 3) await new Promise(setImmediate)
  for (const onTimeout of timeouts) onTimeout()
  equal(await over, 3)
  const [job] = (await jobs()).data
  match(job.reason, /did not complete within 20 s/)
  await scheduler.close()
})

test('a job that failed because the database was unavailable does not count as a try', async t => {
  const { shop, sent, open, jobs } = await openPost(t, 1)
  let away = true
  const scheduler = open(async () => {
    if (away) throw new DatabaseAway('it went')
  })
  for (let i = 0; i < 15; i++) {
    await scheduler.tick()
    lease(shop)
  }
  deepEqual((await jobs('&isolated=true')).data, [])
  away = false
  await scheduler.tick()
  equal(sent.length, 1)
  deepEqual((await jobs()).data, [])
})

test('a failing task for all rows of a kind is retried with growing delays, and is listed with the error', async () => {
  const shop = await openShop()
  const kind = { name: 'always', first: "(select '2020-01-01'::timestamptz)", after_ms: 0 }
  let time = 0
  let tries = 0
  const fails = { of: kind, run: async () => void (await shop.query(`select ${++tries < 6 ? '1 / 0' : '1'}`)) }
  const scheduler = openScheduler(shop.service.context, timetable('due_always', [], [], [kind]), [], () => time, [fails])
  for (; time < 10_000; time += 100) await scheduler.tick()
  equal(tries, 5, '0, 0.5, 1.5, 3.5 and 7.5 s')
  const asked = () => http('GET', `${shop.url}/jobs?kind=always&merchant_id=@deployment&limit=1`, undefined, { 'api-key': ADMIN_KEY })
  match((await asked()).body.data[0].reason, /division by zero/)
  for (; time < 30_000; time += 1000) await scheduler.tick()
  deepEqual((await asked()).body.data, [])
})

test('the job queues report how many jobs are due and for how long; only the admin key can read them', async () => {
  const shop = await openShop()
  const queue = async (name: string): Promise<Body> =>
    (await http('GET', `${shop.url}/jobs`, undefined, { 'api-key': ADMIN_KEY })).body.queues.find((one: Body) => one.name === name)
  const before = await queue('outbox')
  await shop.pay()
  shop.clock.ahead += 90_000
  const after = await queue('outbox')
  equal(after.due, before.due + 1)
  ok(after.oldest_age_seconds >= 90)
  while ((await shop.service.tick()) > 0);
  deepEqual(await queue('outbox'), { name: 'outbox', due: 0, oldest_due_at: null, oldest_age_seconds: 0 })
  ok(await queue('processor_operations.poll_at'))
  ok(await queue('delivery_lines.due_at'))
  isRefused(await shop.call('GET', '/jobs'), 403, 'IR_22')
  isRefused(await shop.post('/jobs/job_x/retry', {}), 403, 'IR_22')
  isRefused(await http('GET', `${shop.url}/jobs?limit=0`, undefined, { 'api-key': ADMIN_KEY }), 400, 'IR_06', /limit/)
  const row: Row = (await shop.query('select count(*)::int as n from jobs where begun_at is not null'))[0]!
  equal(row.n, 0, 'what has come to its end leaves nothing')
})

test('a webhook endpoint that fails is listed as a job and logged; an operator can enable a disabled one again', async () => {
  const shop = await openShop()
  const receiver = await openReceiver()
  receiver.answers({ status: 500 })
  const { endpoint_id } = (await shop.post('/webhook_endpoints', { url: receiver.url })).body
  const listed = async (more = '') =>
    (
      await http('GET', `${shop.url}/jobs?kind=webhook_endpoint&merchant_id=${shop.merchant_id}${more}`, undefined, {
        'api-key': ADMIN_KEY,
      })
    ).body.data
  const logged = () =>
    shop.logs.flatMap(line => {
      const { level, endpoint_id: id, status_code, words } = JSON.parse(line)
      return id === endpoint_id && words.startsWith('a webhook endpoint') ? [[level, status_code, words]] : []
    })
  deepEqual(await listed(), [])
  await shop.pay()
  await shop.wait('0 seconds')
  const [one] = await listed()
  deepEqual([one.job_id, one.object, one.tries, one.isolated_at, one.merchant_id], [endpoint_id, endpoint_id, 1, null, shop.merchant_id])
  match(one.reason, /deliveries to this webhook endpoint failed/)
  deepEqual(logged(), [['warn', 500, 'a webhook endpoint does not accept events']])
  receiver.answers({ status: 410 })
  await shop.pay()
  await shop.wait('0 seconds')
  const [given] = await listed('&isolated=true')
  match(given.reason, /410/)
  equal(logged().at(-1)![2], 'a webhook endpoint was disabled after failed deliveries')
  receiver.answers({ status: 200 })
  const retry = () => http('POST', `${shop.url}/jobs/${endpoint_id}/retry`, {}, { 'api-key': ADMIN_KEY })
  equal((await retry()).body.isolated_at, null)
  deepEqual(await listed(), [])
  isRefused(await retry(), 404, 'HE_02', /job/)
  const { payment_id } = await shop.pay()
  await shop.wait('0 seconds')
  deepEqual(receiver.types(payment_id), ['payment_succeeded'])
})

test('the job row left by a crashed worker is deleted if the work was done elsewhere, and kept if it is still to be done', async t => {
  const { shop, open } = await openPost(t, 2)
  const killed = open(() => new Promise(() => {}))
  void killed.tick()
  const rows = () => shop.query("select job, begun_at is not null as begun from jobs where kind = 'letters.send_at' order by job")
  while ((await rows()).length < 2) await new Promise(setImmediate)
  await shop.query("update letters set send_at = null where letter_id = 'l1'")
  await shop.query("update letters set send_at = $1 where letter_id = 'l2'", ['2040-01-01T00:00:00Z'])
  const other = open(async () => {})
  await other.tick()
  equal((await rows()).length, 2, 'somebody may be at it')
  lease(shop, 3700)
  await other.tick()
  deepEqual(await rows(), [{ job: 'l2', begun: true }])
})
