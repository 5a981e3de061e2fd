import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { look } from '../launch/proc.mjs'
import { tempDir, until } from '../launch/rehearsal.ts'
import { homesSetting } from '../sandbox/homes.ts'
import { readConfig } from '../src/config.ts'
import { watch } from '../src/processes/watch.ts'
import { type Answer, type Body, http } from './call.ts'
import { cards } from './cards.ts'
import { eventually } from './eventually.ts'
import { openMerchant, payBody, succeed } from './merchant.ts'
import { openProcessor } from './processor.ts'
import { ADMIN_KEY, newDatabase } from './shop.ts'

/** Several processes of the service that share one port, as in production: a parent and its children. */

const admin = { 'api-key': ADMIN_KEY }
const sandbox = process.env.TEST_SANDBOX_URL!

type Line = { level: number; msg: string; process: string; pid?: number; [fact: string]: unknown }

/** Starts the parent with two processes, on a database of their own. */
async function openTwo(more: Record<string, string> = {}) {
  const database = await newDatabase()
  const folder = tempDir()
  const parent: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, '..', 'src', 'main.ts')], {
    env: {
      ...process.env,
      NODE_TEST_CONTEXT: undefined,
      DATABASE_URL: database.url,
      PORT: '0',
      ADMIN_API_KEY: ADMIN_KEY,
      KEY_FILE: join(folder, 'keys.json'),
      FILES_FOLDER: join(folder, 'files'),
      CONNECTOR_BASE_URLS: homesSetting(sandbox),
      SANDBOX_URL: sandbox,
      DATABASE_CONNECTIONS: '5',
      PROCESSES: '2',
      ...more,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const logged: Line[] = []
  let [rest, wrong] = ['', '']
  parent.stdout!.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    logged.push(...lines.map(line => JSON.parse(line) as Line))
  })
  parent.stderr!.setEncoding('utf8').on('data', (text: string) => (wrong += text))
  const ended = new Promise<string>(resolve => parent.once('exit', (code, signal) => resolve(signal ?? `code ${code}`)))
  after(async () => {
    parent.kill('SIGKILL')
    await ended
    await until('its children are gone', () => pids().every(pid => look(pid) === null))
    await database.drop()
  })
  const readies = () => logged.filter(({ msg }) => msg === 'ready')
  const pids = () => readies().map(({ pid }) => pid!)
  await until(`both run: ${wrong}`, () => logged.some(({ msg }) => msg === 'the processes are running') && readies().length === 2)
  return {
    database: database.url,
    url: String(readies()[0]!.url),
    parent,
    ended,
    logged,
    readies,
    wrong: () => wrong,
    pids,
    metrics: () => String(logged.find(({ msg }) => msg === 'the processes are running')!.metrics),
    alive: () => pids().filter(pid => look(pid) !== null),
  }
}

/**
 * Makes one call over a connection of its own, so that any process may answer it; the log line shows which one did.
 */
const alone = (method: string, url: string, body: unknown, headers: Record<string, string>): Promise<Answer> =>
  http(method, url, body, { ...headers, connection: 'close' })

const statuses = async (times: number, call: () => Promise<Answer>): Promise<number[]> =>
  (await Promise.all(Array.from({ length: times }, call))).map(({ status }) => status)

test('two processes share a port, and a revoked API key is refused by both at once', async () => {
  const two = await openTwo({ METRICS_PORT: '0' })
  deepEqual(new Set(two.readies().map(({ url }) => url)).size, 1)
  deepEqual(
    two
      .readies()
      .map(({ role }) => role)
      .sort(),
    ['all', 'api'],
  )
  const shop = await openMerchant(two.url, ADMIN_KEY, { merchant_id: 'two', sandboxKey: 'sandbox_two' })
  const key = { 'api-key': shop.api_key }
  const listed = () => alone('GET', `${two.url}/payments/list?limit=1`, undefined, key)
  /** Whether both processes have answered with this status, by the log lines from `from` on. */
  const byBoth = async (status: number, from: number): Promise<boolean> => {
    deepEqual(new Set(await statuses(20, listed)), new Set([status]))
    const who = () => two.logged.slice(from).filter(line => line.status === status && line.process !== undefined)
    await until('it is logged', () => who().length >= 20)
    return new Set(who().map(({ process }) => process)).size === 2
  }
  // The kernel chooses the process that accepts a connection: sooner or later both do.
  for (let both = false; !both; ) both = await byBoth(200, two.logged.length)
  const { key_id } = (await succeed(alone('GET', `${two.url}/api_keys/two/list`, undefined, admin)))[0] as Body
  await succeed(alone('DELETE', `${two.url}/api_keys/two/${key_id}`, undefined, admin))
  const revoked = two.logged.length
  for (let both = false; !both; ) both = await byBoth(401, revoked)

  // A scrape of the one metrics port shows both processes, and the figures of the database once.
  const { text } = await http('GET', two.metrics())
  const counted = [...text.matchAll(/^switchyard_http_request_seconds_count\{.*process="(\d)".*\} (\d+)$/gm)]
  deepEqual(new Set(counted.map(([, n]) => n)), new Set(['1', '2']))
  ok(counted.reduce((sum, [, , n]) => sum + Number(n), 0) >= 40)
  equal(text.match(/^switchyard_queue_due\{queue="outbox"\}/gm)?.length, 1)
  match(text, /^switchyard_processes 2$/m)
  match(text, /^switchyard_process_restarts_total 0$/m)
  equal(text.match(/^# TYPE switchyard_commit_seconds /gm)?.length, 1)

  two.parent.kill('SIGTERM')
  equal(await two.ended, 'code 0')
  deepEqual(two.alive(), [])
  equal(two.wrong(), '')
})

test('failed card attempts at either process count towards one limit of the merchant', async () => {
  const two = await openTwo({ TRUSTED_PROXIES: '127.0.0.1' })
  const shop = await openMerchant(two.url, ADMIN_KEY, { merchant_id: 'limited', sandboxKey: 'sandbox_limited' })
  const client = { 'api-key': shop.publishable_key, 'x-forwarded-for': '203.0.113.7' }
  const [profile] = (await succeed(alone('GET', `${two.url}/account/limited/business_profile`, undefined, admin))) as [Body]
  const most = 4
  const limits = { guest_ip_blocking_status: 'enabled', guest_ip_blocking_threshold: most, card_testing_guard_expiry: 3600 }
  const guard = {
    card_testing_guard_config: { ...limits, card_ip_blocking_status: 'disabled', guest_user_card_blocking_status: 'disabled' },
  }
  await succeed(alone('POST', `${two.url}/account/limited/business_profile/${profile.profile_id}`, guard, admin))
  const statuses: string[] = []
  for (let i = 0; i < most + 4; i++) {
    const body = { ...payBody(), confirm: false, payment_method: undefined, payment_method_data: undefined }
    const { payment_id, client_secret } = await succeed(alone('POST', `${two.url}/payments`, body, { 'api-key': shop.api_key }))
    const { payment_method, payment_method_data } = payBody({ card: cards.declines })
    const confirm = { client_secret, payment_method, payment_method_data }
    const { status, body: answer } = await alone('POST', `${two.url}/payments/${payment_id}/confirm`, confirm, client)
    statuses.push(status === 200 ? answer.status : answer.error.code)
  }
  deepEqual(statuses, [...Array(most).fill('failed'), ...Array(4).fill('IR_16')])
})

const connectionsOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

test('a process is killed under load: the other continues, it restarts, and every charge has its payment', async t => {
  const two = await openTwo()
  const shop = await openMerchant(two.url, ADMIN_KEY, { merchant_id: 'killed', sandboxKey: 'sandbox_killed' })
  const key = { 'api-key': shop.api_key }
  const answered: string[] = []
  let [begun, going] = [0, true]
  // The customers of a failed test end as well.
  t.after(() => {
    going = false
  })
  async function customer(n: number): Promise<void> {
    for (let i = 0; going; i++) {
      const ask = { ...key, 'idempotency-key': `order-${n}-${i}` }
      // A customer whose connection is cut repeats the request under the same key, as merchants do; while the first
      // request is still open, later.
      for (let done = false; !done && going; ) {
        begun++
        // Half of the payments take a second at the processor, so some are under way whenever a process dies.
        const body = payBody(n % 2 === 0 ? {} : { card: cards.approvesSlowly })
        const answer = await alone('POST', `${two.url}/payments`, body, ask).catch(() => null)
        done = answer?.status === 200
        if (done) answered.push(answer!.body.payment_id)
      }
    }
  }
  const customers = Promise.all(Array.from({ length: 16 }, (_, n) => customer(n)))
  await until('payments run', () => answered.length > 40)
  // The kernel chooses the process that accepts a connection: the process with more connections has some of the slow
  // payments.
  const [busier] = two.pids().sort((one, other) => connectionsOf(other) - connectionsOf(one))
  process.kill(busier!, 'SIGKILL')
  const at = answered.length
  await until('the other goes on', () => answered.length > at + 40)
  await until('the killed one is back', () => two.readies().length === 3)
  const back = answered.length
  await until('payments run on', () => answered.length > back + 40)
  going = false
  await customers
  const line = two.logged.find(({ msg }) => /^a process ended with SIGKILL; it restarts$/.test(msg))
  deepEqual([line?.level, line?.restarts_in_ms], [50, 1000])
  equal(new Set(answered).size, answered.length, 'a key makes one payment')
  // Payments under way at the killed process are polled: in the end each charge belongs to a payment.
  const database = new pg.Client({ connectionString: two.database })
  await database.connect()
  const paid = async () => Number((await database.query("select count(*) from payments where status = 'succeeded'")).rows[0].count)
  const charged = async () => (await openProcessor(sandbox, 'sandbox_killed').charges()).length
  let pulledAt = 0
  async function agrees(): Promise<boolean> {
    if ((await paid()) === (await charged())) return true
    // Polls are due at once, also those after one without a result: the test does not wait for their own times. Not
    // more often than every ten seconds, because the time of a poll that is being made would be brought forward, too.
    if (performance.now() - pulledAt > 10_000) {
      pulledAt = performance.now()
      await database.query("update processor_operations set poll_at = now() where poll_at > now() + interval '5 seconds'")
    }
    return false
  }
  await eventually(agrees, 'as many payments as charges', 180).finally(() => database.end())
  // Every payment that was answered exists and is paid in the end, also one whose result a busy machine delayed.
  for (const payment_id of answered)
    equal((await succeed(http('GET', `${two.url}/payments/${payment_id}`, undefined, key))).status, 'succeeded')
  ok(begun > answered.length, 'and some were cut off')
  two.parent.kill('SIGTERM')
  equal(await two.ended, 'code 0')
  deepEqual(two.alive(), [])
})

test('child processes end by themselves when their parent is killed', async () => {
  const two = await openTwo()
  equal((await http('GET', `${two.url}/health`)).status, 200)
  equal(two.alive().length, 2)
  two.parent.kill('SIGKILL')
  await until('they are gone', () => two.alive().length === 0)
})

test('a startup error is reported once, by the first process, and no other process starts', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'src', 'main.ts')], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: 'postgresql://127.0.0.1:1/none',
      KEY_FILE: join(tempDir(), 'keys.json'),
      ADMIN_API_KEY: ADMIN_KEY,
      PROCESSES: '3',
      FILES_FOLDER: tempDir(),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let wrong = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (wrong += text))
  const code = await new Promise(resolve => child.once('close', resolve))
  equal(code, 1)
  equal(wrong.match(/switchyard cannot start: /g)?.length, 1, wrong)
})

test('PROCESSES defaults to one, and accepts auto or a whole number from 1 to 64', () => {
  const env = { DATABASE_URL: 'postgresql://x', KEY_FILE: 'keys.json', ADMIN_API_KEY: 'x'.repeat(16) }
  equal(readConfig(env).processes, 1)
  equal(readConfig({ ...env, PROCESSES: '3' }).processes, 3)
  ok(readConfig({ ...env, PROCESSES: 'auto' }).processes >= 1)
  for (const wrong of ['0', '65', 'all', '1.5'])
    try {
      readConfig({ ...env, PROCESSES: wrong })
      ok(false, wrong)
    } catch (error) {
      match((error as Error).message, /PROCESSES must be auto or a whole number from 1 to 64/)
    }
})

test('a process that misses three checks in a row is considered hung; one that answers in between is not', async () => {
  const outcome = async (answers: (true | null)[]): Promise<string> => {
    const over = new AbortController()
    let is = 'runs'
    const ask = async () => {
      if (answers.length <= 1) over.abort()
      return answers.shift() ?? null
    }
    await watch(
      ask,
      async () => {},
      over.signal,
      () => {
        is = 'hung'
      },
    )
    return is
  }
  equal(await outcome([true, null, null, null, true]), 'hung')
  equal(await outcome([null, null, true, null, null, true]), 'runs')
})
