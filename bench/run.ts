// The speed of the service on this machine, beside what the machine could reach. Measures, and asserts nothing about
// time: `npm run bench -- --help`.
//
// The service runs as it ships (authentication, validation, encryption, operations, jobs, events, log to a file) on
// a PostgreSQL with every durability setting on; the processor is `responder.ts`; wrk makes the load. The limit is
// pgbench with the service's own two statements as they are now. The yardstick is pgbench with the two statements of a
// past day, which never change (`yardstick/README.md`).
import { readFileSync, writeFileSync } from 'node:fs'
import pg from 'pg'
import { capacityOf } from './capacity.ts'
import { checkpoint, countSucceeded, empty, settleDown } from './counters.ts'
import { residentMb } from './cpu.ts'
import { measureDashboard } from './dashboard.ts'
import { measureDeliveries } from './deliveries.ts'
import type { Round } from './figures.ts'
import { measureFirstField } from './first-field.ts'
import { measureListen } from './listen.ts'
import { measureLists } from './lists.ts'
import { help, type Options, type Part, readOptions } from './options.ts'
import { batched, oneAtATime } from './pgbench-script.ts'
import { type Bound, measureLimit, measureService, type Point, planOf, type Served } from './points.ts'
import { profileService } from './profiling.ts'
import { undisturbed } from './quiet.ts'
import { report } from './report.ts'
import { measureRouting } from './routing.ts'
import { openStage, type Stage } from './stage.ts'
import { sampleStatements } from './statements.ts'
import { measureStorage } from './storage.ts'
import { findTool } from './tools.ts'
import { measureVault } from './vault.ts'
import { load } from './wrk.ts'
import { readYardstick } from './yardstick.ts'

const BATCH = 16
const BATCH_CLIENTS = 2
const FIRST_PAYMENTS = 10_000
const FIRST_CLIENTS = 64
/** The number of ids reserved for one run of pgbench. */
const IDS_OF_A_RUN = 10_000_000

/** The path of pgbench, and the runs it makes. */
type Limits = { pgbench: string; bounds: Bound[] }

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  if (options === 'help') return void process.stdout.write(`${help}\n`)
  if (options.routing) return void process.stdout.write(`${measureRouting(options.rounds)}\n`)
  if (options.listen !== null) return void process.stdout.write(`${await measureListen(options.listen)}\n`)
  if (options.capacity !== null) return void process.stdout.write(`${capacityOf(options.capacity)}\n`)
  if (options.storage !== null) return void process.stdout.write(`${await measureStorage(options.storage)}\n`)
  if (options.lists !== null) return void process.stdout.write(`${await measureLists(options.lists, options.kept)}\n`)
  if (options.dashboard !== null) return void process.stdout.write(`${await measureDashboard(options.dashboard, options.kept)}\n`)
  if (options.firstField) return void process.stdout.write(`${await measureFirstField()}\n`)
  const wrk = findTool('wrk')
  if (!wrk) say('wrk is not installed, so the service cannot be measured. On Debian: apt install wrk')
  if (options.deliveries !== null) {
    if (wrk) process.stdout.write(`${await measureDeliveries(wrk, options.deliveries)}\n`)
    return
  }
  if (options.profile !== null) {
    const what = options.only.includes('vault') ? 'pay by saved card' : 'pay'
    if (wrk) process.stdout.write(`${await profileService(options.profile, wrk, what, options.clients[0]!)}\n`)
    return
  }
  const begin = loadAverage()
  const stage = await openStage()
  const interrupted = () => void stage.close().finally(() => process.exit(130))
  process.on('SIGINT', interrupted).on('SIGTERM', interrupted)
  try {
    const limits = options.only.some(isBeside) ? await openLimits(stage, options) : null
    const rounds: Round[] = []
    let after10k: number | null = null
    for (let i = 0; i < options.rounds; i++) {
      await prepare(stage, wrk, limits, options)
      if (i === 0 && wrk && !options.only.every(isBeside)) after10k = residentMb(stage.service.pid)
      rounds.push(await round(stage, wrk, limits, options, i))
    }
    if (options.only.includes('vault')) process.stdout.write(`\n${await measureVault()}\n`)
    const notes = wrk ? [] : ['wrk is not installed: the service was not measured.']
    if (options.only.some(isBeside) && !limits) notes.push('pgbench is not installed: limits, yardstick and ratios are missing.')
    const memory = { after10k, end: residentMb(stage.service.pid) }
    const end = loadAverage()
    process.stdout.write(
      `\n${report({ rounds, seconds: options.seconds, load: { begin, end }, memory, batchClients: BATCH_CLIENTS, notes })}\n`,
    )
    if (options.json !== null)
      writeFileSync(
        options.json,
        `${JSON.stringify({ options, processes: Number(process.env.PROCESSES ?? 1), load: { begin, end }, memory, rounds }, null, 1)}\n`,
      )
  } finally {
    await stage.close()
  }
}

/** Whether pgbench measures the part, rather than the service. */
const isBeside = (part: Part) => part === 'limits' || part === 'yardstick'

async function openLimits(stage: Stage, { only }: Options): Promise<Limits | null> {
  const pgbench = findTool('pgbench')
  if (!pgbench) {
    say('pgbench is not installed, so limits, yardstick and ratios are missing. On Debian: apt install postgresql-contrib')
    return null
  }
  const bounds: Bound[] = []
  if (only.includes('limits')) {
    const { begin, settle } = await sampleStatements(stage.limits)
    bounds.push({ what: 'one at a time', database: 'limits', script: oneAtATime(begin, settle), payments: 1 })
    bounds.push({ what: 'batched', database: 'limits', script: batched(begin, settle, BATCH), payments: BATCH })
  }
  if (only.includes('yardstick')) bounds.push({ what: 'yardstick', database: 'yardstick', script: readYardstick().payment, payments: 1 })
  return { pgbench, bounds }
}

/** Prepares a round: every round begins with 10,000 payments on either side. */
async function prepare(stage: Stage, wrk: string | null, limits: Limits | null, options: Options): Promise<void> {
  await empty(stage.database)
  if (wrk && !options.only.every(isBeside)) await firstPayments(stage, wrk)
  await settleDown(stage.database)
  if (limits) for (const bound of limits.bounds) if (bound.payments === 1) await fill(stage, limits, bound, options)
}

/**
 * Empties the database that pgbench writes to, and fills it by the same script that is measured, so that limit and
 * yardstick begin alike.
 */
async function fill(stage: Stage, limits: Limits, bound: Bound, options: Options): Promise<void> {
  const database = new pg.Client({ connectionString: stage.urlOf(bound.database) })
  await database.connect()
  try {
    await (bound.what === 'yardstick' ? layYardstick(database) : empty(database))
    while ((await countSucceeded(database)) < FIRST_PAYMENTS)
      await limit(stage, limits, bound, FIRST_CLIENTS, { ...options, warmUp: 1, seconds: 1 })
    await settleDown(database)
  } finally {
    await database.end()
  }
}

/** Creates the yardstick's tables anew. Only the yardstick knows its tables. */
async function layYardstick(database: pg.Client): Promise<void> {
  await database.query(`drop schema public cascade; create schema public; ${readYardstick().schema}`)
}

async function firstPayments(stage: Stage, wrk: string): Promise<void> {
  const plan = await planOf(stage, wrk, 'pay', FIRST_CLIENTS)
  while ((await countSucceeded(stage.database)) < FIRST_PAYMENTS) {
    const { failures } = await load({ ...plan, seconds: 1 })
    if (failures !== '') throw new Error(`The service did not accept payments: ${failures}; the end of its log: ${stage.service.output()}`)
  }
}

let runs = 0

function limit(stage: Stage, limits: Limits, bound: Bound, clients: number, options: Options): Promise<Point> {
  return measureLimit(stage, limits.pgbench, bound, clients, ++runs * IDS_OF_A_RUN, options)
}

/** Measures one round. Service and limit take turns, so that other work of the machine affects both. */
async function round(stage: Stage, wrk: string | null, limits: Limits | null, options: Options, i: number): Promise<Round> {
  const points: Point[] = []
  const keep = (point: Point) => {
    points.push(point)
    const { what, clients, perSecond, p99 } = point
    const more = `${p99 === null ? '' : `, p99 ${p99.toFixed(1)} ms`}${point.void === null ? '' : ` VOID: ${point.void}`}`
    say(`round ${i + 1} of ${options.rounds}: ${what}, ${clients} clients: ${Math.round(perSecond)}/s${more}`)
  }
  // A checkpoint during a point (after which every page is written in full) would slow down only that point, so each
  // point begins with one.
  const serve = async (what: Served, clients: number) => {
    await checkpoint(stage.database)
    if (wrk) keep(await undisturbed(options.patience, () => measureService(stage, wrk, what, clients, options)))
    stage.forgetLog()
  }
  const bound = async (what: Bound['what'], clients: number) => {
    const one = limits?.bounds.find(bound => bound.what === what)
    if (!limits || !one) return
    await checkpoint(stage.database)
    keep(await undisturbed(options.patience, () => limit(stage, limits, one, clients, options)))
  }
  for (const clients of options.clients) {
    if (options.only.includes('payments')) await serve('pay', clients)
    await bound('one at a time', clients)
    await bound('yardstick', clients)
  }
  await bound('batched', BATCH_CLIENTS)
  if (options.only.includes('confirm')) for (const clients of options.clients) await serve('create, then confirm', clients)
  if (options.only.includes('vault')) {
    for (const clients of options.clients) {
      if (!options.only.includes('payments')) await serve('pay', clients)
      await serve('pay by saved card', clients)
    }
  }
  if (options.only.includes('retrieve')) {
    for (const clients of options.clients) {
      await serve('retrieve one', clients)
      await serve('retrieve many', clients)
    }
  }
  return points
}

const loadAverage = () => readFileSync('/proc/loadavg', 'utf8').split(' ').slice(0, 3).join(' ')
const say = (line: string) => process.stderr.write(`bench: ${line}\n`)

await main()
