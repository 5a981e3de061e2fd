// What the service does on this machine, and beside it what the machine could do. Measures, and asserts nothing about time: `npm run bench -- --help`.
//
// The service runs as it ships (authentication, validation, encryption, operations, alarms, events, log to a file) on a PostgreSQL with every durability setting
// on; the processor is `responder.ts`; the load is wrk's. The limit is pgbench with the service's own two statements.
import { readFileSync, writeFileSync } from 'node:fs'
import pg from 'pg'
import { checkpoint, countSucceeded, empty, settleDown } from './counters.ts'
import { residentMb } from './cpu.ts'
import { help, type Options, readOptions } from './options.ts'
import { batched, oneAtATime, type Script } from './pgbench-script.ts'
import { measureLimit, measureService, type Point, planOf, type Served } from './points.ts'
import { profileService } from './profiling.ts'
import { undisturbed } from './quiet.ts'
import { type Round, report } from './report.ts'
import { openStage, type Stage } from './stage.ts'
import { sampleStatements } from './statements.ts'
import { findTool } from './tools.ts'
import { load } from './wrk.ts'

const BATCH = 16
const BATCH_CLIENTS = 2
const FIRST_PAYMENTS = 10_000
/** Room for the ids of one run of pgbench. */
const IDS_OF_A_RUN = 10_000_000

type Limits = { pgbench: string; single: Script; batch: Script }

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  if (options === 'help') return void process.stdout.write(`${help}\n`)
  const wrk = findTool('wrk')
  if (!wrk) say('wrk is not installed here (Debian: apt install wrk): the service cannot be measured')
  if (options.profile !== null) {
    if (wrk) process.stdout.write(`${await profileService(options.profile, wrk, options.clients[0]!)}\n`)
    return
  }
  const begin = loadAverage()
  const stage = await openStage()
  const interrupted = () => void stage.close().finally(() => process.exit(130))
  process.on('SIGINT', interrupted).on('SIGTERM', interrupted)
  try {
    const limits = options.only.includes('limits') ? await openLimits(stage) : null
    const rounds: Round[] = []
    let after10k: number | null = null
    for (let i = 0; i < options.rounds; i++) {
      await prepare(stage, wrk, limits, options)
      if (i === 0 && wrk) after10k = residentMb(stage.service.pid)
      rounds.push(await round(stage, wrk, limits, options, i))
    }
    const notes = wrk ? [] : ['wrk is not installed: nothing was measured through the service.']
    if (options.only.includes('limits') && !limits) notes.push('pgbench is not installed: there are no limits and no ratios.')
    const memory = { after10k, end: residentMb(stage.service.pid) }
    const end = loadAverage()
    process.stdout.write(
      `\n${report({ rounds, seconds: options.seconds, load: { begin, end }, memory, batchClients: BATCH_CLIENTS, notes })}\n`,
    )
    if (options.json !== null)
      writeFileSync(options.json, `${JSON.stringify({ options, load: { begin, end }, memory, rounds }, null, 1)}\n`)
  } finally {
    await stage.close()
  }
}

async function openLimits(stage: Stage): Promise<Limits | null> {
  const pgbench = findTool('pgbench')
  const { begin, settle } = await sampleStatements(stage.limits.config)
  if (pgbench) return { pgbench, single: oneAtATime(begin, settle), batch: batched(begin, settle, BATCH) }
  say('pgbench is not installed here (Debian: apt install postgresql-contrib): no limits, no ratios')
  return null
}

/** Every round begins with 10,000 payments on either side. */
async function prepare(stage: Stage, wrk: string | null, limits: Limits | null, options: Options): Promise<void> {
  await empty(stage.database)
  if (wrk && options.only.some(part => part !== 'limits')) await firstPayments(stage, wrk)
  await settleDown(stage.database)
  if (!limits) return
  const other = new pg.Client({ connectionString: stage.limits.config.databaseUrl })
  await other.connect()
  try {
    await empty(other)
    while ((await countSucceeded(other)) < FIRST_PAYMENTS)
      await limit(stage, limits, 'batched', BATCH_CLIENTS, { ...options, warmUp: 1, seconds: 1 })
    await settleDown(other)
  } finally {
    await other.end()
  }
}

async function firstPayments(stage: Stage, wrk: string): Promise<void> {
  const plan = await planOf(stage, wrk, 'pay', 64)
  while ((await countSucceeded(stage.database)) < FIRST_PAYMENTS) {
    const { failures } = await load({ ...plan, seconds: 1 })
    if (failures !== '') throw new Error(`the service does not take payments: ${failures}; its last words: ${stage.service.words()}`)
  }
}

let runs = 0

function limit(stage: Stage, limits: Limits, what: 'one at a time' | 'batched', clients: number, options: Options): Promise<Point> {
  const [script, payments] = what === 'batched' ? [limits.batch, BATCH] : [limits.single, 1]
  return measureLimit(stage, limits.pgbench, what, script, payments, clients, ++runs * IDS_OF_A_RUN, options)
}

/** Service and limit take turns, so that whatever else the machine does befalls both. */
async function round(stage: Stage, wrk: string | null, limits: Limits | null, options: Options, i: number): Promise<Round> {
  const points: Point[] = []
  const keep = (point: Point) => {
    points.push(point)
    const { what, clients, perSecond, p99 } = point
    const more = `${p99 === null ? '' : `, p99 ${p99.toFixed(1)} ms`}${point.void === null ? '' : ` VOID: ${point.void}`}`
    say(`round ${i + 1} of ${options.rounds}: ${what}, ${clients} clients: ${Math.round(perSecond)}/s${more}`)
  }
  // A checkpoint in the middle of a point (after each every page is written whole) would fall on whoever's turn it is.
  const serve = async (what: Served, clients: number) => {
    await checkpoint(stage.database)
    if (wrk) keep(await undisturbed(options.patience, () => measureService(stage, wrk, what, clients, options)))
    stage.forgetLog()
  }
  const bound = async (what: 'one at a time' | 'batched', clients: number) => {
    await checkpoint(stage.database)
    if (limits) keep(await undisturbed(options.patience, () => limit(stage, limits, what, clients, options)))
  }
  for (const clients of options.clients) {
    if (options.only.includes('payments')) await serve('pay', clients)
    await bound('one at a time', clients)
  }
  await bound('batched', BATCH_CLIENTS)
  if (options.only.includes('confirm')) for (const clients of options.clients) await serve('create, then confirm', clients)
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
