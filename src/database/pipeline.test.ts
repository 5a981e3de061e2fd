import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, test } from 'node:test'
import pg from 'pg'
import { newDatabase } from '../../test/shop.ts'
import { openPipeline, type Pipeline, socketOf } from './pipeline.ts'

const database = await newDatabase()
const pool = new pg.Pool({ connectionString: database.url, max: 1 })
// A connection that was released may still exist when its database is dropped.
pool.on('error', () => {})
await pool.query(
  'create table kept (id int primary key, words text, bytes bytea, number bigint, yes boolean, unique (number) deferrable initially deferred)',
)
const opened: Pipeline[] = []
after(async () => {
  for (const pipeline of opened) await pipeline.close()
  await pool.end()
  await database.drop()
})

async function open(): Promise<Pipeline> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const pipeline = openPipeline(client, 30_000)
  opened.push(pipeline)
  return pipeline
}

const keep = {
  name: 'keep',
  text: 'insert into kept (id, words, bytes, number, yes) values ($1::int, $2::text, $3::bytea, $4::bigint, $5::boolean)',
}
let ids = 0
const row = (text: string | null, more: { bytes?: Buffer | null; number?: number | null; yes?: boolean | null } = {}) => ({
  statement: keep,
  values: [++ids, text, more.bytes ?? null, more.number ?? null, more.yes ?? null],
})
const stored = async (id: number) => (await pool.query('select * from kept where id = $1', [id])).rows[0]

test('values of every kind are stored unchanged: null, empty, short, long and non-ASCII text, bytes, integers, booleans', async () => {
  const pipeline = await open()
  const texts = [
    null,
    '',
    'a',
    'x'.repeat(24),
    'x'.repeat(25),
    'é',
    `${'x'.repeat(23)}é`,
    '日本語 👩‍🚀',
    'ab\n\\"\'\u007f\u0080',
    'é'.repeat(300_000),
  ]
  const calls = texts.map(text => row(text, { bytes: text === null ? null : Buffer.from(text), yes: text === '' }))
  calls.push(row('n', { number: Number.MAX_SAFE_INTEGER }), row('n', { number: -1 }), row('n', { bytes: Buffer.from([0, 255, 39, 92]) }))
  deepEqual(await pipeline.transaction(calls), { is: 'committed', rows: calls.map(() => 1) })
  for (const { values } of calls) {
    const { id, words, bytes, number, yes } = await stored(values[0] as number)
    deepEqual([id, words, bytes, number === null ? null : Number(number), yes], values)
  }
})

test('each statement reports how many rows it returned', async () => {
  const pipeline = await open()
  const several = { name: 'several', text: 'select n from generate_series(1, $1::int) n' }
  const ended = await pipeline.transaction([0, 1, 12, 1034].map(n => ({ statement: several, values: [n] })))
  deepEqual(ended, { is: 'committed', rows: [0, 1, 12, 1034] })
})

test('pipelined transactions succeed or fail independently, and the failed statement is identified', async () => {
  const pipeline = await open()
  const [a, b, c, d] = [row('a'), row('b'), row('c'), row('d')]
  const twice = { ...a, values: [...a.values] }
  const ended = await Promise.all([
    pipeline.transaction([a]),
    pipeline.transaction([b, twice, c]),
    pipeline.transaction([d]),
    pipeline.transaction([b]),
  ])
  deepEqual(
    ended.map(one => one.is),
    ['committed', 'refused', 'committed', 'committed'],
  )
  const refused = ended[1]!
  ok(refused.is === 'refused')
  equal(refused.at, 1)
  equal((refused.error as { code?: string }).code, '23505')
  equal(await stored(c.values[0] as number), undefined)
})

test('a transaction is one write to the socket, and its response is one piece, after the commit', async t => {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const pipeline = openPipeline(client, 30_000)
  opened.push(pipeline)
  const socket = socketOf(client)
  const write = t.mock.method(socket, 'write')
  let answers = 0
  socket.on('data', () => answers++)
  for (let i = 0; i < 10; i++) {
    const calls = [row('a'), row('b'), row('c')]
    deepEqual(await pipeline.transaction(calls), { is: 'committed', rows: [1, 1, 1] })
    const ids = calls.map(({ values }) => values[0])
    equal((await pool.query('select count(distinct xmin::text)::int as n from kept where id = any($1)', [ids])).rows[0].n, 1)
  }
  deepEqual([write.mock.callCount(), answers], [10, 10])
  const [before, twice] = [row('before'), row('twice')]
  const refused = await pipeline.transaction([before, twice, twice, row('behind')])
  ok(refused.is === 'refused')
  equal(refused.at, 2)
  // PostgreSQL sends an error at once, before the end of the transaction: the answer is one piece or two.
  equal(write.mock.callCount(), 11)
  equal(await stored(before.values[0] as number), undefined)
})

test('a transaction that violates a deferred constraint at COMMIT is not committed', async () => {
  const pipeline = await open()
  const ended = await pipeline.transaction([row('a', { number: 77 }), row('b', { number: 77 })])
  ok(ended.is === 'refused')
  equal(ended.at, 2)
  equal((await pool.query('select from kept where number = 77')).rowCount, 0)
})

test('a statement that was skipped after an error is parsed when it is next sent', async () => {
  const pipeline = await open()
  const wrong = { statement: { name: 'wrong', text: 'select 1 / $1::int' }, values: [0] }
  const later = { statement: { name: 'later', text: 'select $1::int' }, values: [1] }
  equal((await pipeline.transaction([wrong, later])).is, 'refused')
  deepEqual(await pipeline.transaction([later, { ...wrong, values: [1] }]), { is: 'committed', rows: [1, 1] })
  const nonsense = { statement: { name: 'nonsense', text: 'selekt' }, values: [] }
  equal((await pipeline.transaction([nonsense])).is, 'refused')
  equal((await pipeline.transaction([nonsense])).is, 'refused')
  deepEqual(await pipeline.transaction([later]), { is: 'committed', rows: [1] })
})

test('PostgreSQL keeps the statements for many changes that were used last, and parses others again', async () => {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const pipeline = openPipeline(client, 30_000)
  opened.push(pipeline)
  const many = (i: number) => ({
    statement: { name: `many_${i}`, text: `select n from (values (0, $1::int), (1, $2)) v (n, x) where x <> ${i}` },
    values: [i % 2 === 0 ? i : -1],
    and: [{ values: [-1] }],
  })
  for (let round = 0; round < 2; round++)
    for (let i = 0; i < 60; i++)
      deepEqual(await pipeline.transaction([many(i), many((i + 1) % 60)]), {
        is: 'committed',
        rows: [i % 2 === 0 ? 0 : 1, 1, (i + 1) % 2 === 0 ? 0 : 1, 1],
      })
  const wrong = { statement: { name: 'wrong_too', text: 'select 1 / $1::int' }, values: [0] }
  for (let i = 0; i < 60; i += 7) equal((await pipeline.transaction([wrong, many(i)])).is, 'refused')
  for (let i = 0; i < 60; i += 7) equal((await pipeline.transaction([many(i)])).is, 'committed')
  // A statement that was to be closed before a transaction that was never sent still exists.
  for (let i = 0; i < 45; i++) equal((await pipeline.transaction([many(i)])).is, 'committed')
  equal((await pipeline.transaction([many(50), many(51), { ...many(52), values: [{}] }])).is, 'refused')
  equal((await pipeline.transaction([{ ...many(53), values: [{}] }])).is, 'refused')
  for (let i = 59; i >= 0; i--) equal((await pipeline.transaction([many(i)])).is, 'committed')
  const kept = { statement: { name: 'kept', text: "select from pg_prepared_statements where name like 'many\\_%'" }, values: [] }
  const ended = await pipeline.transaction([kept])
  ok(ended.is === 'committed')
  // The statements of the last transaction are added to the limit.
  ok(ended.rows[0]! <= 42 && ended.rows[0]! >= 30, `${ended.rows[0]}`)
})

test('a value that cannot be sent fails only its own transaction', async () => {
  const pipeline = await open()
  const [good, bad, late] = [row('good'), row('bad'), row('late')]
  ;(bad.values as unknown[])[1] = { an: 'object' }
  const ended = await Promise.all([pipeline.transaction([good]), pipeline.transaction([row('first'), bad]), pipeline.transaction([late])])
  deepEqual(
    ended.map(one => (one.is === 'refused' ? one.at : one.is)),
    ['committed', 1, 'committed'],
  )
})

test('when the server ends the connection, everything in flight is interrupted, and later statements are not sent', async () => {
  const pipeline = await open()
  const slow = { statement: { name: 'slow', text: 'select pg_sleep(10)' }, values: [] }
  const under = [pipeline.transaction([slow]), pipeline.transaction([row('behind')])]
  for (let ended = 0; ended === 0; )
    ended =
      (
        await pool.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(10)' and pid <> pg_backend_pid() and state = 'active'",
        )
      ).rowCount ?? 0
  deepEqual(
    (await Promise.all(under)).map(one => one.is),
    ['cut off', 'cut off'],
  )
  equal((await pipeline.transaction([row('later')])).is, 'not sent')
})

test('a connection without a response in time is closed, and an idle connection is not', async () => {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const pipeline = openPipeline(client, 1_000_000)
  opened.push(pipeline)
  const { stream: socket } = (client as unknown as { connection: { stream: Socket } }).connection
  equal(socket.timeout, 1_000_000)
  /** Makes the socket report that nothing has arrived for the timeout. */
  const timeIsUp = () => socket.emit('timeout')
  equal((await pipeline.transaction([row('first')])).is, 'committed')
  timeIsUp()
  equal((await pipeline.transaction([row('after a pause')])).is, 'committed')
  const hanging = { statement: { name: 'hanging', text: 'select pg_sleep(10)' }, values: [] }
  const under = pipeline.transaction([hanging])
  timeIsUp()
  equal((await under).is, 'cut off')
})

test('closing waits for the transactions in flight', async () => {
  const pipeline = await open()
  const under = pipeline.transaction([row('last')])
  await pipeline.close()
  equal((await under).is, 'committed')
})
