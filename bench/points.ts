// One point: a number of clients that do one thing for some seconds.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { superuser } from '../launch/cluster.ts'
import { port as socketPort } from '../launch/socket-dir.ts'
import { purchase } from './body.ts'
import { countSucceeded, readCounters, settleDown } from './counters.ts'
import { type Used, watch } from './cpu.ts'
import type { Options } from './options.ts'
import { runPgbench } from './pgbench.ts'
import type { Script } from './pgbench-script.ts'
import { savedPurchases } from './saved.ts'
import type { Stage } from './stage.ts'
import { type Load, load } from './wrk.ts'

/**
 * The figures of a point. Processor time and database counters are for each payment or request; latencies are of
 * single requests.
 */
export type Point = {
  what: What
  clients: number
  perSecond: number
  p50: number | null
  p99: number | null
  /** Processor time in microseconds. */
  cpu: { service: number; postgres: number; processor: number; load: number }
  /** In percent, 100 being one core. */
  idle: number
  others: number
  database: { walBytes: number; writes: number; flushes: number } | null
  /** The payments in the database beyond those that were answered: those under way when the load stopped. */
  beyond: number | null
  /** The reason for which the point does not count; null if it does. */
  void: string | null
}

export type What = Served | Bound['what']

/** A run of pgbench: a script with a number of payments for each round trip, in its own database. */
export type Bound = { what: 'one at a time' | 'batched' | 'yardstick'; database: 'limits' | 'yardstick'; script: Script; payments: number }

const scripts = {
  pay: { script: 'pay.lua', requests: 1, pays: true, body: { ...purchase, confirm: true } },
  'pay by saved card': { script: 'saved.lua', requests: 1, pays: true, body: null },
  'create, then confirm': { script: 'confirm.lua', requests: 2, pays: true, body: purchase },
  'retrieve one': { script: 'retrieve.lua', requests: 1, pays: false, body: null },
  'retrieve many': { script: 'retrieve.lua', requests: 1, pays: false, body: null },
} as const

export type Served = keyof typeof scripts

const MANY = 10_000

/** Writes the file that a script reads: the body to send, or the payments to retrieve. Returns its path. */
async function fileFor(stage: Stage, what: Served): Promise<string> {
  const file = join(stage.folder, `${what.replace(/\W+/g, '-')}.txt`)
  const { body } = scripts[what]
  if (body) writeFileSync(file, JSON.stringify(body))
  else if (what === 'pay by saved card') {
    writeFileSync(file, (await savedPurchases(stage.url, stage.key)).map(one => `${JSON.stringify(one)}\n`).join(''))
    await settleDown(stage.database)
  } else {
    const { rows } = await stage.database.query('select payment_id from payments order by random() limit $1', [
      what === 'retrieve one' ? 1 : MANY,
    ])
    writeFileSync(file, rows.map(row => `${row.payment_id}\n`).join(''))
  }
  return file
}

export async function planOf(stage: Stage, wrk: string, what: Served, clients: number): Promise<Omit<Load, 'seconds'>> {
  return { wrk, url: stage.url, script: scripts[what].script, args: [stage.key, await fileFor(stage, what)], clients }
}

/** Measures a point through the service's HTTP interface. */
export async function measureService(stage: Stage, wrk: string, what: Served, clients: number, options: Options): Promise<Point> {
  const { requests, pays } = scripts[what]
  const plan = await planOf(stage, wrk, what, clients)
  const countBefore = pays ? await countSucceeded(stage.database) : 0
  const warm = await load({ ...plan, seconds: options.warmUp })
  const before = await readCounters(stage.database)
  const end = watch({ service: stage.service.pid, postgres: stage.postgres.pid, processor: stage.processor.pid, load: null })
  const loaded = await load({ ...plan, seconds: options.seconds })
  const used = end()
  const after = await readCounters(stage.database)
  const done = loaded.requests / requests
  const beyond = pays ? (await countSucceeded(stage.database)) - countBefore - (warm.requests + loaded.requests) / requests : null
  return {
    what,
    clients,
    perSecond: done / loaded.seconds,
    p50: loaded.p50,
    p99: loaded.p99,
    cpu: perPayment(used, done),
    idle: used.idle,
    others: used.others,
    database: pays
      ? {
          walBytes: (after.walBytes - before.walBytes) / done,
          writes: (after.writes - before.writes) / done,
          flushes: (after.flushes - before.flushes) / done,
        }
      : null,
    beyond,
    void: whyVoid(warm.failures || loaded.failures, beyond, clients),
  }
}

/**
 * Returns why a point is void, or null. Each of the two loads may leave one request of every client under way, which
 * the database finishes and the bench does not count; not all creates and confirms pair up.
 */
function whyVoid(failures: string, beyond: number | null, clients: number): string | null {
  if (failures !== '') return `failed: ${failures}`
  if (beyond !== null && Math.abs(beyond) > 2 * clients) return `the database has ${beyond} payments more than were answered`
  return null
}

/** Measures a point directly in the database. `from`: ids of earlier runs are smaller. */
export async function measureLimit(
  stage: Stage,
  pgbench: string,
  bound: Bound,
  clients: number,
  from: number,
  options: Options,
): Promise<Point> {
  const { what, database, script, payments } = bound
  const file = join(stage.folder, `${what.replace(/\W+/g, '-')}.sql`)
  writeFileSync(file, script.text)
  const limits = new pg.Client({ connectionString: stage.urlOf(database) })
  await limits.connect()
  try {
    const countBefore = await countSucceeded(limits)
    const limit = await runPgbench({
      pgbench,
      socketDir: stage.postgres.socketDir,
      port: socketPort,
      user: superuser,
      database,
      file,
      script,
      clients,
      warmUp: options.warmUp,
      seconds: options.seconds,
      from,
      payments,
      postgresPid: stage.postgres.pid,
    })
    const beyond = (await countSucceeded(limits)) - countBefore - limit.all
    return {
      what,
      clients,
      perSecond: limit.perSecond,
      p50: null,
      p99: null,
      cpu: perPayment(limit.used, limit.payments),
      idle: limit.used.idle,
      others: limit.used.others,
      database: null,
      beyond,
      void: beyond === 0 ? null : `the database has ${beyond} payments more than pgbench made`,
    }
  } finally {
    await limits.end()
  }
}

const perPayment = (used: Used, done: number): Point['cpu'] => {
  const us = (seconds: number) => (done > 0 ? (seconds * 1e6) / done : 0)
  return { service: us(used.service), postgres: us(used.postgres), processor: us(used.processor), load: us(used.load) }
}
