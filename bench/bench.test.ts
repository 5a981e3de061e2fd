import { deepEqual, equal, match, ok, throws } from 'node:assert/strict'
import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { request } from 'undici'
import { Secret } from '../src/base/secret.ts'
import type { AuthorizeRequest } from '../src/connectors/connector.ts'
import { phonypay } from '../src/connectors/phonypay/connector.ts'
import { migrate } from '../src/database/migrate.ts'
import { rehearse, replied } from '../test/rehearse.ts'
import { newDatabase, testConfig } from '../test/shop.ts'
import { median, ratio } from './figures.ts'
import type { Floors } from './floors.ts'
import { readOptions } from './options.ts'
import { readPgbench, readProgress } from './pgbench.ts'
import { batched, oneAtATime, type Script } from './pgbench-script.ts'
import type { Point } from './points.ts'
import { sumUp } from './profile.ts'
import { ratchet, verdict } from './ratchet.ts'
import { approve, openResponder } from './responder.ts'
import { sampleStatements } from './statements.ts'
import { readWrk } from './wrk.ts'
import { readYardstick } from './yardstick.ts'

const ask = (capture: 'automatic' | 'manual'): AuthorizeRequest<'card'> => ({
  request_id: 'REQUEST0000000000000000000',
  money: { amount: 12_950, currency: 'USD' },
  instrument: {
    is: 'card',
    number: new Secret('4242424242424242'),
    exp_month: 12,
    exp_year: 2040,
    cvc: new Secret('737'),
    holder: 'Joan Doe',
  },
  capture,
  three_ds: 'skip',
  return_url: 'http://127.0.0.1/back',
  merchant_name: 'bench',
  partial_approval: 'refuse',
  statement_descriptor: null,
  stored_credential: null,
})

const account = {
  base_url: 'http://127.0.0.1:1',
  credentials: { api_key: new Secret('sandbox_bench') },
  webhook_secret: null,
  metadata: {},
}

for (const capture of ['automatic', 'manual'] as const) {
  test(`an approval by the bench responder is read by the connector as approved for the exact amount, with ${capture} capture`, () => {
    const conversation = () => phonypay.authorize(ask(capture), account)
    const asked = conversation().next().value as { body: string }
    const { outcome } = rehearse(conversation(), [replied(200, approve(JSON.parse(asked.body), 7))])
    ok(outcome.is === 'done')
    equal(outcome.request_id, 'REQUEST0000000000000000000')
    deepEqual(outcome.amount, { amount: 12_950, currency: 'USD' })
    deepEqual(outcome.captured, capture === 'automatic' ? { amount: 12_950, currency: 'USD' } : null)
  })
}

/** The script as pgbench sends it: meta commands done by hand, every use of a variable a parameter of its own. */
function statementsOf(script: Script, n: number): { text: string; values: string[] }[] {
  const variables: Record<string, string> = { ...script.variables, n: String(n), client_id: '3' }
  const statements: { text: string; values: string[] }[] = []
  // Meta commands are lines; a statement ends with a semicolon.
  for (const [piece] of script.text.matchAll(/^\\.*$|^\w[^;]*;$/gm)) {
    const set = /^\\set (\w+) (.*)$/.exec(piece)
    if (set) {
      const count = BigInt(variables.n!)
      if (set[1] === 'n') variables.n = String(count + 1n)
      else if (set[1]!.startsWith('id')) variables[set[1]!] = String(1_000_000_000_000_000n + count * 1000n + 3n)
      else variables[set[1]!] = String(1_000_000_000_000_000_000n + count)
    } else if (!piece.startsWith('\\')) {
      const values: string[] = []
      const text = piece.replace(/(?<!:):(\w+)/g, (_all, name: string) => {
        ok(variables[name] !== undefined, `nobody sets :${name}`)
        return `$${values.push(variables[name])}`
      })
      statements.push({ text, values })
    }
  }
  return statements
}

/**
 * The script, done once on an empty database, leaves so many succeeded payments and all that belongs to them. `cards`:
 * how many numbers of each are stored.
 */
async function writes(client: pg.Client, script: Script, payments: number, cards = 0): Promise<void> {
  for (const [i, { text, values }] of statementsOf(script, payments * 10).entries()) {
    const result = await client.query({ name: values.length > 0 ? `p${payments}_${i}` : '', text, values })
    if (values.length > 0) equal(result.rowCount, 1)
  }
  const { rows } = await client.query(
    `select p.status, p.version, length(p.payment_id) as id, length(p.authorization_request_id) as request,
      (select count(*) from processor_operations o where o.object_id = p.payment_id and o.state = 'done' and o.request_id = p.authorization_request_id)::int as operations,
      (select count(*) from changes e where e.object_id = p.payment_id and length(e.event_id) = 36)::int as events,
      (select count(*) from outbox o where o.object_id = p.payment_id and o.version = 2)::int as told,
      (select count(*) from vault_records v where v.record = 'card ' || p.payment_id)::int as cards from payments p`,
  )
  equal(rows.length, payments)
  for (const row of rows) deepEqual(row, { status: 'succeeded', version: 2, id: 30, request: 26, operations: 1, events: 2, told: 1, cards })
}

test('pgbench runs the two prepared statements of the service, alone or batched, and they write succeeded payments with all their rows', async () => {
  const database = await newDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-bench-test-'))
  const responder = await openResponder(0)
  const client = new pg.Client({ connectionString: database.url })
  try {
    await migrate(database.url)
    const sandboxUrl = `http://127.0.0.1:${(responder.address() as AddressInfo).port}`
    const { begin, settle } = await sampleStatements(testConfig(database.url, folder, { baseUrls: { phonypay: sandboxUrl } }))
    await client.connect()
    for (const [script, payments] of [
      [oneAtATime(begin, settle), 1],
      [batched(begin, settle, 3), 3],
    ] as const) {
      await client.query('truncate payments, processor_operations, changes, outbox, vault_records, listings')
      await writes(client, script, payments)
      equal((await client.query('select from listings')).rowCount, payments)
    }
  } finally {
    await client.end()
    responder.closeAllConnections()
    responder.close()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the frozen yardstick writes one succeeded payment with all its rows in an empty database', async () => {
  const { schema, payment } = readYardstick()
  const database = await newDatabase('template0')
  const client = new pg.Client({ connectionString: database.url })
  try {
    await client.connect()
    await client.query(schema)
    await writes(client, payment, 1, 1)
  } finally {
    await client.end()
    await database.drop()
  }
})

test('a yardstick file that has been changed is refused', () => {
  for (const file of ['schema.sql', 'payment.sql', 'values.json']) {
    const folder = mkdtempSync(join(tmpdir(), 'switchyard-yardstick-'))
    try {
      cpSync(join(import.meta.dirname, 'yardstick'), folder, { recursive: true })
      readYardstick(folder)
      appendFileSync(join(folder, file), '\n')
      throws(() => readYardstick(folder), new RegExp(`${file} has been changed`))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
})

test('the responder approves a payment over HTTP with the reference, amount and currency of the request', async () => {
  const responder = await openResponder(0)
  try {
    const url = `http://127.0.0.1:${(responder.address() as AddressInfo).port}/v1/payments`
    const body = JSON.stringify({ reference: 'R1', amount: 5, currency: 'EUR', capture: 'manual' })
    const answer = await request(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const reply = (await answer.body.json()) as Record<string, unknown>
    equal(answer.statusCode, 200)
    deepEqual([reply.reference, reply.amount, reply.currency, reply.status], ['R1', 5, 'EUR', 'approved'])
  } finally {
    responder.closeAllConnections()
    responder.close()
  }
})

test('the output of wrk is parsed exactly, and responses other than 2xx are not counted', () => {
  const text = `Running 4s test @ http://127.0.0.1:18080
  1 threads and 16 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     4.01ms    1.20ms  21.00ms   88.00%
  4010 requests in 4.01s, 12.00MB read
  Non-2xx or 3xx responses: 10
bench {"requests":4010,"us":4009123,"p50_us":3900,"p99_us":9100,"max_us":21000,"connect":0,"read":0,"write":0,"timeout":0,"status":10}
`
  deepEqual(readWrk(text), { requests: 4000, seconds: 4.009123, p50: 3.9, p99: 9.1, max: 21, failed: 10, failures: '10 status' })
})

test('the progress lines and the totals of pgbench are parsed', () => {
  const text = `pgbench (15.18, server 18.4)
progress: 1.0 s, 4000.0 tps, lat 3.900 ms stddev 1.200, 0 failed
progress: 2.0 s, 5000.0 tps, lat 3.100 ms stddev 1.000, 0 failed
progress: 3.5 s, 6000.0 tps, lat 2.600 ms stddev 0.900, 0 failed
number of transactions actually processed: 18010
number of failed transactions: 2 (0.011%)
latency average = 3.100 ms
tps = 5145.000000 (without initial connection time)
`
  deepEqual(readProgress(text), [
    { seconds: 1, transactions: 4000 },
    { seconds: 1, transactions: 5000 },
    { seconds: 1.5, transactions: 9000 },
  ])
  deepEqual(readPgbench(text), { transactions: 18_010, failed: 2 })
})

const point = (what: Point['what'], clients: number, perSecond: number, why: string | null = null): Point => ({
  what,
  clients,
  perSecond,
  p50: 1,
  p99: 2,
  cpu: { service: 1, postgres: 1, processor: 1, load: 1 },
  idle: 0,
  others: 0,
  database: null,
  beyond: 0,
  void: why,
})

test('throughput ratios are computed within a round, and void points are ignored', () => {
  const rounds = [
    [point('pay', 16, 500), point('one at a time', 16, 1000)],
    [point('pay', 16, 100), point('one at a time', 16, 1000)],
    [point('pay', 16, 999, 'failed'), point('one at a time', 16, 1000)],
    [point('pay', 16, 300), point('one at a time', 16, 500)],
  ]
  equal(ratio(rounds, 'pay', 16, 'one at a time'), 0.5)
  equal(ratio(rounds, 'pay', 64, 'one at a time'), null)
  equal(median([3, 1, 2, 10]), 2.5)
})

const floors: Floors = { ofYardstick: { 16: 0.64, 64: 0.89, 256: 1.29 }, tolerance: 0.03, memory: { reached: 225, under: 240 } }

/** A round in which pgbench does 1000 payments/s of the yardstick and 800 of today's, and the service does these. */
const beside = (served: Record<number, number>) =>
  Object.entries(served).flatMap(([clients, perSecond]) => [
    point('pay', Number(clients), perSecond),
    point('one at a time', Number(clients), 800),
    point('yardstick', Number(clients), 1000),
  ])

test('the ratchet compares the service with the frozen yardstick, and names each client count and memory figure that misses its limit', () => {
  const held = beside({ 16: 650, 64: 870, 256: 1300 })
  equal(verdict([held, held, held], 225, floors), 'Verdict: held')
  const dearer = beside({ 16: 650, 64: 801, 256: 1300 })
  equal(
    verdict([held, dearer, dearer], 240, floors),
    'Verdict: NOT HELD (64 clients: 0.80x of the yardstick, 10% under its floor of 0.89x; memory: 240 MB, not under 240 MB)',
  )
  match(ratchet([dearer], 225, floors)!, /^ +64 +801 +800 +1000 +0\.80x +0\.89x +0\.80x$/m)
})

test('the verdict of the ratchet names missing measurements, too few rounds and noise from other programs', () => {
  const some = beside({ 1: 500, 16: 650 })
  equal(
    verdict([some], null, floors),
    'Verdict: held as far as it was measured; not measured: 64 clients, 256 clients, memory; one round is too few to rely on',
  )
  const noisy = some.map(one => ({ ...one, others: 80 }))
  match(verdict([noisy, noisy, noisy], 200, floors), /other programs used 80% of a core: measure again when they are quiet$/)
  equal(ratchet([[point('pay', 16, 500)]], 200, floors), null)
  match(
    verdict([[point('yardstick', 16, 1000), point('pay', 16, 10, 'failed')]], null, floors),
    /^Verdict: none; not measured: 16 clients, /,
  )
})

test('a CPU profile is summed up by function over its time window, without idle time', () => {
  const frame = (functionName: string, url: string) => ({ functionName, url, lineNumber: 9 })
  const profile = {
    nodes: [
      { id: 1, callFrame: frame('(root)', ''), children: [2, 3] },
      { id: 2, callFrame: frame('seal', 'file:///p/src/vault/vault.ts'), children: [4] },
      { id: 3, callFrame: frame('(idle)', '') },
      { id: 4, callFrame: frame('update', 'node:internal/crypto/cipher') },
    ],
    startTime: 1000,
    samples: [2, 3, 4, 2],
    timeDeltas: [10, 10, 30, 10],
  }
  const { functions, ours } = sumUp(profile, 1015, 1060)
  deepEqual(
    functions.map(({ name, percent }) => [name, percent]),
    [
      ['update node:internal/crypto/cipher:10', 75],
      ['seal src/vault/vault.ts:10', 25],
    ],
  )
  deepEqual(ours, [{ name: 'src/vault/vault.ts seal', percent: 100 }])
})

test('valid command-line options are read, and invalid ones are refused', () => {
  const options = readOptions(['--quick', '--clients', '1,16', '--only', 'limits'])
  ok(options !== 'help')
  deepEqual([options.rounds, options.seconds, options.clients, options.only], [1, 2, [1, 16], ['limits']])
  for (const wrong of [['--clients', 'many'], ['--rounds', '0'], ['--only', 'sleep'], ['--fast']]) {
    let refused = false
    try {
      readOptions(wrong)
    } catch {
      refused = true
    }
    ok(refused, wrong.join(' '))
  }
})
