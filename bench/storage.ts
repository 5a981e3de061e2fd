// The bytes that a payment leaves on disk, table by table: `npm run bench -- --storage 20000`. Measures, and asserts
// nothing about time. docs/capacity.md contains these figures.
//
// Makes payments without an endpoint, and with one that receives each event; then reads the size of every table with
// its indexes, after dead rows were removed. WAL is counted from a checkpoint on, without checkpoints in between.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { checkpoint, readCounters, settleDown } from './counters.ts'
import { table, whole } from './figures.ts'
import { pay } from './pay.ts'
import { openStage, type Stage } from './stage.ts'

const FIRST = 1000
/** The bytes a payment below which a table is not listed. */
const LEAST_BYTES = 20
const A_MONTH = 10_000_000

/** Opens a merchant's server that accepts each event at once. */
async function openReceiver() {
  const server = createServer((asked, answer) => {
    asked.resume()
    asked.on('end', () => void answer.writeHead(204).end())
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}/hooks`, close }
}

async function addEndpoint({ url, key }: Stage, at: string): Promise<void> {
  const { statusCode, body } = await request(`${url}/webhook_endpoints`, {
    method: 'POST',
    headers: { 'api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ url: at }),
  })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`The webhook endpoint could not be created: ${text}`)
}

/** Waits until all webhooks are delivered. */
async function quiet({ database }: Stage): Promise<void> {
  const waiting = 'select exists (select from outbox) or exists (select from delivery_lines) as more'
  while ((await database.query(waiting)).rows[0].more) await wait(100)
}

async function sizes({ database }: Stage): Promise<Map<string, number>> {
  await settleDown(database)
  const { rows } = await database.query(
    "select relname as name, pg_total_relation_size(oid) as bytes from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  )
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
}

/** Returns the bytes that each of a number of payments leaves. */
async function measure(stage: Stage, many: number) {
  const before = await sizes(stage)
  await checkpoint(stage.database)
  const { walBytes } = await readCounters(stage.database)
  await pay(stage, many)
  await quiet(stage)
  const wal = ((await readCounters(stage.database)).walBytes - walBytes) / many
  const grown = new Map([...(await sizes(stage))].map(([name, bytes]) => [name, (bytes - (before.get(name) ?? 0)) / many]))
  return { grown, wal }
}

/**
 * Returns the bytes of an event in the archive, once all events are old enough, and the seconds that archiving a
 * million takes.
 */
async function archive({ database }: Stage, folder: string) {
  const { rows } = await database.query("update announcements set created = created - interval '92 days' returning 1")
  const begun = performance.now()
  const left = 'select count(*)::int as n from announcements'
  // The time until the service starts to archive is not counted.
  let first = begun
  for (let n = rows.length; n > 0; n = (await database.query(left)).rows[0].n) {
    if (n === rows.length) first = performance.now()
    await wait(20)
  }
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  return { bytes: bytes / rows.length, secondsAMillion: (performance.now() - first) / 1000 / (rows.length / 1e6) }
}

/** Measures and returns the report. */
export async function measureStorage(payments: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-archive-'))
  const stage = await openStage({ env: { WEBHOOK_LOOPBACK: '1', ARCHIVE_FOLDER: folder } })
  const receiver = await openReceiver()
  try {
    await pay(stage, FIRST)
    const plain = await measure(stage, payments)
    await addEndpoint(stage, receiver.url)
    // The service reads endpoints anew within a second.
    await pay(stage, FIRST)
    const announced = await measure(stage, payments)
    const archived = await archive(stage, folder)
    const names = [...announced.grown.keys()]
      .filter(name => Math.max(plain.grown.get(name) ?? 0, announced.grown.get(name)!) >= LEAST_BYTES)
      .toSorted((a, b) => announced.grown.get(b)! - announced.grown.get(a)!)
    const sum = ({ grown }: typeof plain) => [...grown.values()].reduce((all, one) => all + Math.max(0, one), 0)
    const gigabytes = (bytes: number) => whole((bytes * A_MONTH * 12) / 1e9)
    return [
      table([
        ['bytes a payment, with indexes', 'no webhook', 'one webhook'],
        ...names.map(name => [name, whole(plain.grown.get(name) ?? 0), whole(announced.grown.get(name)!)]),
        ['all tables', whole(sum(plain)), whole(sum(announced))],
        ['WAL', whole(plain.wal), whole(announced.wal)],
        [`GB a year, at ${whole(A_MONTH / 1e6)} million a month`, gigabytes(sum(plain)), gigabytes(sum(announced))],
      ]),
      '',
      `${whole(payments)} payments each. An event in the archive (ARCHIVE_FOLDER): ${whole(archived.bytes)} bytes; a million take ${whole(archived.secondsAMillion)} s.`,
    ].join('\n')
  } finally {
    receiver.close()
    await stage.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
