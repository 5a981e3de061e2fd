import { deepEqual, equal, rejects } from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { openDeadlines } from '../../test/database-deadlines.ts'
import { eventually } from '../../test/eventually.ts'
import { openProxy } from '../../test/postgres-proxy.ts'
import { newDatabase } from '../../test/shop.ts'
import { DatabaseAway, openReader, type Reader, STATEMENT_TIMEOUT } from './connection.ts'
import type { Deadlines } from './connection-settings.ts'

const database = await newDatabase()
const { deadlines, pass, close } = openDeadlines()
after(async () => {
  close()
  await database.drop()
})

const one = { name: 'one', text: 'select 1 as n' }
const sleep = { name: 'sleep', text: 'select pg_sleep(30)' }

/** Waits until the reader answers. */
const answers = (query: Reader['query']) =>
  eventually(
    () =>
      query(one, []).then(
        ([row]) => row?.n === 1,
        () => false,
      ),
    'an answer',
  )

/** Opens a reader behind a proxy; gives it with the errors of connections that it has lost. */
async function open(t: TestContext, connections: number, more: Partial<Deadlines> = {}) {
  const proxy = await openProxy(database.url, 0, pass)
  const lost: Error[] = []
  const reader = openReader(proxy.url, connections, error => lost.push(error), { ...deadlines, ...more })
  t.after(async () => {
    await reader.close()
    await proxy.close()
  })
  return { proxy, lost, ...reader }
}

test('a statement that takes too long is cancelled by PostgreSQL', async t => {
  const { query } = await open(t, 1, { statement_ms: 50 })
  await rejects(query(sleep, []), error => error instanceof DatabaseAway && (error.cause as { code?: string }).code === STATEMENT_TIMEOUT)
  await answers(query)
})

test('a connection that stops responding fails one query, and closes all idle connections', async t => {
  const { proxy, query, lost } = await open(t, 4)
  await Promise.all([1, 2, 3, 4].map(() => query(one, [])))
  proxy.fallSilent()
  await rejects(query(one, []), DatabaseAway)
  deepEqual(await query(one, []), [{ n: 1 }])
  equal(lost.length, 3)
})

test('a query that waits too long for a connection is refused', async t => {
  const [{ query, connections }, other] = [await open(t, 1), await open(t, 1)]
  const long = rejects(query(sleep, []), DatabaseAway)
  const running = "from pg_stat_activity where query like '%pg_sleep(30)' and pid <> pg_backend_pid()"
  const look = { name: 'look', text: `select 1 ${running}` }
  await eventually(async () => (await other.query(look, [])).length === 1, 'the long query runs')
  const late = rejects(query(one, []), DatabaseAway)
  equal(connections().waiting, 1)
  pass(null)
  await late
  await other.query({ name: 'cancel', text: `select pg_cancel_backend(pid) ${running}` }, [])
  await long
})

test('a connection that is accepted but gets no response times out, and a later query succeeds', async t => {
  const { proxy, query } = await open(t, 1)
  proxy.networkGone()
  await rejects(query(one, []), DatabaseAway)
  proxy.networkBack()
  await answers(query)
})

test('a statement that fails on a lock is tried up to eight times, and then the database counts as unavailable', async t => {
  const { query } = await open(t, 1)
  let count = 0
  const say = (text: string) => query({ name: `held_${count++}`, text }, [])
  await say('create sequence tries')
  await say(`create function held(times int) returns bigint language plpgsql as $$
    begin
      if nextval('tries') <= times then raise 'held' using errcode = '55P03'; end if;
      return currval('tries');
    end $$`)
  deepEqual(await say('select held(3) as n'), [{ n: 4 }])
  await rejects(say('select held(99)'), DatabaseAway)
  equal(Number((await say("select nextval('tries') as n"))[0]!.n), 13, 'eight times, and no more')
})
