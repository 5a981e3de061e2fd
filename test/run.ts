import './options.ts'
import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildPages } from '../launch/pages.ts'
import { startPostgres } from '../launch/postgres.ts'
import { openSandbox } from '../sandbox/server.ts'
import { migrate } from '../src/database/migrate.ts'
import type { Endpoint } from '../src/http/endpoint.ts'
import { endpoints } from '../src/http/endpoints.ts'
import { refusalsOf } from '../tools/openapi/errors.ts'
import { writeModules } from '../tools/packages.ts'
import { needChromium } from './browser/chromium.ts'
import { needFirefox } from './browser/firefox.ts'
import { needWebKit } from './browser/webkit.ts'
import { runStatement, TEMPLATE, withDatabase } from './databases.ts'
import { untried } from './operation-calls.ts'
import { pattern, targets } from './options.ts'
import { makePrograms } from './programs.ts'
import type { Queue } from './queue.ts'
import { conclude, mayRunAgain, sum } from './report.ts'
import { isBrowser, isLong, type Manner, mannerOf, ordered, takesMinutes } from './suites.ts'
import type { Tally } from './tally.ts'

/**
 * Runs tests on a real PostgreSQL (a throw-away cluster) and a real sandbox process over HTTP:
 *
 *   npm test                    the fast suite
 *   npm test -- processors      connectors and the sandbox: each processor's API, and its payment methods
 *   npm test -- project         the project itself: names, sizes, structure, freshness of documentation, tools
 *   npm test -- programs        programs that people start: npm start, commands, scaffolds; examples of the docs
 *   npm test -- long            the long suites: deaths of the service and of its database, races, bad input
 *   npm test -- browser         the pages in a real browser
 *   npm test -- FILE …          these files (also behind a suite: npm run test:browser -- FILE)
 *
 * Options (`test/options.ts`) are listed by `npm test -- --help`. `--again` runs files that failed once more, alone
 * (docs/design/tests-and-releases.md): a test that passes then is reported as unsteady. Tests of deaths and races must
 * pass the first time.
 */
async function main(): Promise<number> {
  const begun = performance.now()
  const { files, isFast } = ordered(targets)
  writeModules()
  await buildPages(process.cwd(), 'page-scripts', line => process.stderr.write(`${line}\n`)).done
  if (files.some(isBrowser)) needChromium()
  if (files.some(file => file.includes('firefox'))) needFirefox()
  if (files.some(file => file.includes('webkit'))) needWebKit()

  const folder = mkdtempSync(join(parentFolder(), 'switchyard-test-'))
  // A test run may lose its database with the machine: no test needs to wait for the disk.
  const postgres = await startPostgres({
    dataDir: join(folder, 'pg'),
    // Query plans must not depend on whether statistics were gathered in between; the long suite alone, as a whole,
    // needs its dead rows removed.
    settings: {
      fsync: 'off',
      full_page_writes: 'off',
      max_connections: '300',
      // The folder may be in memory.
      max_wal_size: '256MB',
      // A test that reads the write-ahead log must find its own writes.
      wal_keep_size: '128MB',
      ...(!files.every(isLong) && { autovacuum: 'off' }),
    },
  })
  const contracts = process.env.CONTRACTS === undefined ? null : new (await import('./contracts.ts')).Contracts(process.env.CONTRACTS)
  const ledgerFile = join(folder, 'sandbox.jsonl')
  const sandbox = await openSandbox({ port: 0, host: '127.0.0.1', ledgerFile, ...(contracts && { heard: contracts.judge }) })
  try {
    await runStatement(postgres.url, `create database ${TEMPLATE}`)
    await migrate(withDatabase(postgres.url, TEMPLATE))
    const calls = join(folder, 'calls')
    mkdirSync(calls)
    const made = files.some(isLong) ? await makePrograms() : {}
    const env = { ...made, TEST_DATABASE_URL: postgres.url, TEST_SANDBOX_URL: sandbox.url, TEST_CALLS: calls }
    const setting = { pattern, folder, env }
    const of = (manner: Manner) => files.filter(file => mannerOf(file) === manner)
    const [longest, rest] = [of('alone').filter(takesMinutes), of('alone').filter(file => !takesMinutes(file))]
    // A pattern selects tests by name, and a group adds a name.
    const together = pattern === null ? grouped(of('together'), folder) : of('together')
    const beside = await runQueue([...longest, ...together, ...rest], PROCESSES, setting)
    const first = sum([beside, await runQueue(of('quiet'), 1, setting)])
    const again = process.env.TEST_AGAIN === '1' ? mayRunAgain(first) : []
    const second = again.length === 0 ? null : await runQueue(again, 1, setting)
    const judged = contracts?.report()
    if (judged) process.stdout.write(`${judged.lines.join('\n')}\n`)
    const missing = isFast && pattern === null ? untried(calls, endpoints, refusesMore) : []
    return conclude(first, second, missing, performance.now() - begun) || (judged?.complaints ? 1 : 0)
  } finally {
    await sandbox.close()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const MEMORY_FOLDER = '/dev/shm'
const ENOUGH_BYTES = 3e9

/**
 * Gives a folder in memory, where there is enough of it: a disk takes ten times as long to create the six hundred
 * files of a database, of which a run makes hundreds.
 */
function parentFolder(): string {
  try {
    accessSync(MEMORY_FOLDER, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
    return bavail * bsize > ENOUGH_BYTES ? MEMORY_FOLDER : tmpdir()
  } catch {
    return tmpdir()
  }
}

/** The refusals that every operation may give to every request: those of the service, the network and the parser. */
const mishaps = new Set(['internal', 'unavailable', 'headers_too_large', 'too_slow'])

/** Whether this operation has any refusal besides these. */
const refusesMore = (endpoint: Endpoint): boolean => refusalsOf(endpoint).some(name => !mishaps.has(name))

/**
 * The number of test processes at once. Each waits at times for the database or the sandbox, so three keep two cores
 * busy. Beyond eight they would wait for the one sandbox.
 */
const PROCESSES = Math.min(8, Math.max(3, availableParallelism()))
/** The number of files for which a further process is worth its start. */
const FEWEST_FILES = 8

/**
 * Gives files that run other files as groups (`test/group.ts`), those with a browser apart, because they take longest
 * and share it.
 */
function grouped(files: readonly string[], folder: string): string[] {
  const group = pathToFileURL(resolve('test/group.ts')).href
  return [files.filter(isBrowser), files.filter(file => !isBrowser(file))].flatMap((all, kind) => {
    const count = Math.min(PROCESSES, Math.ceil(all.length / FEWEST_FILES))
    return Array.from({ length: count }, (_, i) => {
      const its = all.filter((_, at) => at % count === i).map(name => ({ name, url: pathToFileURL(resolve(name)).href }))
      const entry = join(folder, `group-${kind + 1}-${i + 1}.test.mjs`)
      writeFileSync(entry, `import { runFiles } from ${JSON.stringify(group)}\nawait runFiles(${JSON.stringify(its)})\n`)
      return entry
    })
  })
}

type Setting = { pattern: string | null; folder: string; env: Record<string, string> }

const EMPTY: Tally = { passed: 0, failures: [], slowest: [], files: {} }

/** Runs files, or files that import others, so many at once. */
async function runQueue(files: readonly string[], lanes: number, { pattern, folder, env }: Setting): Promise<Tally> {
  if (files.length === 0) return EMPTY
  const tally = join(folder, 'tally.json')
  rmSync(tally, { force: true })
  // A test that hangs is ended and named, long before the caller of the run would end all.
  const timeout = (files.some(isLong) ? 25 : 15) * 60_000
  const queue: Queue = { files: files.map(file => resolve(file)), lanes, timeout, pattern, tally }
  const child = spawn(process.execPath, [resolve('test/queue.ts'), JSON.stringify(queue)], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  const forward = (signal: NodeJS.Signals) => child.kill(signal)
  process.on('SIGINT', forward).on('SIGTERM', forward)
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>(done => child.on('exit', (...how) => done(how)))
  process.off('SIGINT', forward).off('SIGTERM', forward)
  const text = existsSync(tally) ? readFileSync(tally, 'utf8') : ''
  const result = text === '' ? EMPTY : (JSON.parse(text) as Tally)
  if (code === 0 && text !== '') return result
  const why = `the run ended with ${signal ?? `code ${code}`} before all its tests`
  return { ...result, failures: [...result.failures, { name: why, file: 'test/queue.ts', why }] }
}

if (import.meta.main) process.exitCode = await main()
