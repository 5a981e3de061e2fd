import { deepEqual, equal, ok } from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { socketOf } from '../../src/database/pipeline.ts'
import { newDatabase } from '../shop.ts'
import { runOne } from '../simulation/runs.ts'

/**
 * Compares the database of simulations (`test/simulation/database.ts`) with the one that the service runs on: the
 * messages that a simulation sent to the first are sent to the second, session by session and in the same order, and
 * both answer the same.
 */

type Line = { session: number; messages?: string; answer?: string }

/** Statements whose answers depend on the session, the clock or the server, and not on rows. */
const ITS_OWN =
  /pg_try_advisory_lock|'server_version|clock_timestamp|statement_timestamp|\bnow\(\)|pg_stat|txid|pg_current|pg_is_in_recovery|random\(/i

test('the simulated database answers every statement of a simulation as PostgreSQL does', { timeout: 300_000 }, async t => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-said-'))
  const file = join(folder, 'said.jsonl')
  const database = await newDatabase()
  await keepPlans(database.url)
  const sessions = new Map<number, Session>()
  t.after(async () => {
    for (const session of sessions.values()) session.end()
    await database.drop()
    rmSync(folder, { recursive: true })
  })
  const { found } = await runOne([
    '--seed',
    '1',
    '--seconds',
    '10',
    '--clients',
    '4',
    '--troubles',
    'services,network,processors',
    '--no-concentrated',
    '--no-everywhere',
    '--crew',
    'two',
    '--vault',
    'within',
    '--said',
    file,
  ])
  deepEqual(found, [])
  const lines: Line[] = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  let compared = 0
  for (const { session: id, messages, answer } of lines) {
    if (messages === undefined || answer === undefined) {
      sessions.get(id)?.end()
      sessions.delete(id)
      continue
    }
    const session = sessions.get(id) ?? (await openSession(database.url))
    sessions.set(id, session)
    const request = Buffer.from(messages, 'base64')
    const expected = outlineOf(Buffer.from(answer, 'base64'))
    const real = outlineOf(await session.say(request))
    if (session.isItsOwn(request)) equal(real.at(-1), expected.at(-1))
    else deepEqual(real, expected, request.toString('latin1').slice(0, 400))
    compared++
  }
  ok(compared > 500, `${compared} transactions`)
  t.diagnostic(`${compared} transactions of ${lines.length} lines`)
})

/**
 * Prevents statistics from being gathered in between, as a simulation gathers none: rows without an `order by` would
 * come in another order.
 */
async function keepPlans(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    "select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  )
  for (const { name } of rows) await client.query(`alter table ${name} set (autovacuum_enabled = off)`)
  await client.end()
}

type Session = Awaited<ReturnType<typeof openSession>>

/** Opens a session over which this test sends the bytes itself. */
async function openSession(url: string) {
  const client = new pg.Client({ connectionString: url, options: '-c timezone=UTC -c datestyle=ISO' })
  client.on('error', () => {})
  await client.connect()
  const socket = socketOf(client)
  socket.removeAllListeners('data')
  /** The texts of prepared statements by name: a later use contains only the name. */
  const own = new Set<string>()
  return {
    say: (messages: Buffer): Promise<Buffer> =>
      new Promise(resolve => {
        let received = Buffer.alloc(0)
        const receive = (bytes: Buffer) => {
          received = Buffer.concat([received, bytes])
          if (!isWhole(received)) return
          socket.off('data', receive)
          resolve(received)
        }
        socket.on('data', receive)
        socket.write(messages)
      }),
    /** Whether these messages, or a statement that they use, query the clock or the session. */
    isItsOwn(messages: Buffer): boolean {
      let is = false
      for (const { type, body } of messagesOf(messages)) {
        const text = body.toString('latin1')
        const [name = ''] = text.split('\0')
        if (type === 'P' && ITS_OWN.test(text)) own.add(name)
        if ((type === 'P' || type === 'Q') && ITS_OWN.test(text)) is = true
        if (type === 'B' && own.has(text.split('\0')[1] ?? '')) is = true
      }
      return is
    },
    end: () => void socket.destroy(),
  }
}

function messagesOf(bytes: Buffer): { type: string; body: Buffer }[] {
  const messages = []
  for (let at = 0; at + 5 <= bytes.length; ) {
    const end = at + 1 + bytes.readInt32BE(at + 1)
    messages.push({ type: String.fromCharCode(bytes[at]!), body: bytes.subarray(at + 5, end) })
    at = end
  }
  return messages
}

/** Whether an answer is complete: it ends with a whole message that says that the server is ready. */
function isWhole(bytes: Buffer): boolean {
  let at = 0
  let last = ''
  while (at + 5 <= bytes.length) {
    last = String.fromCharCode(bytes[at]!)
    at += 1 + bytes.readInt32BE(at + 1)
  }
  return at === bytes.length && last === 'Z'
}

/** Gives the outline of an answer: its rows in any order, the command that was done, and the code of an error. */
function outlineOf(answer: Buffer): string[] {
  const outline: string[] = []
  let rows: string[] = []
  for (const { type, body } of messagesOf(answer)) {
    if (type === 'D') rows.push(body.toString('base64'))
    else {
      outline.push(...rows.sort())
      rows = []
      if (type === 'E') outline.push(`error ${/C([0-9A-Z]{5})\0/.exec(body.toString('latin1'))?.[1]}`)
      else if (type === 'C' || type === 'Z') outline.push(type + body.toString('latin1'))
    }
  }
  return outline
}
