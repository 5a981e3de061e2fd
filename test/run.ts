import { spawn } from 'node:child_process'
import {
  accessSync,
  constants,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { startPostgres } from '../launch/postgres.ts'
import { openSandbox } from '../sandbox/server.ts'
import { migrate } from '../src/database/migrate.ts'
import type { Endpoint } from '../src/http/endpoint.ts'
import { endpoints } from '../src/http/endpoints.ts'
import { refusalsOf } from '../src/http/openapi-refusals.ts'
import { needChromium } from './browser/chromium.ts'
import { needFirefox } from './browser/firefox.ts'
import { needWebKit } from './browser/webkit.ts'
import { untried } from './operation-calls.ts'
import { makePrograms } from './programs.ts'
import type { Failure, Tally } from './tally.ts'

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
 *   npm test -- … -t PATTERN    only tests whose name matches
 *
 * `CONTRACTS=FOLDER` compares the messages between connectors and the sandbox with the processors' OpenAPI documents
 * (`test/contracts.ts`). `TEST_AGAIN=1` runs files that failed once more, alone (decision 0123): a test that passes
 * then is reported as unsteady. Tests of deaths and races must pass the first time.
 */

const suites: Record<string, string[]> = {
  // The examples of the documentation call every operation.
  fast: ['src/**/*.test.ts', 'packages/*/test/*.test.ts', 'test/*.test.ts', 'tools/answers.test.ts'],
  processors: ['src/connectors/**/*.test.ts', 'sandbox/**/*.test.ts', 'test/processors/*.test.ts'],
  project: ['tools/*.test.ts', 'tools/*/*.test.ts'],
  programs: [
    'launch/*.test.ts',
    'packages/cli/test/*.test.ts',
    'packages/node/test/readme.test.ts',
    'test/processes.test.ts',
    'tools/{browser-packages,examples,guides,new-connector,packages}.test.ts',
    'tools/bridge/check.test.ts',
    'bench/*.test.ts',
  ],
  long: ['test/long/**/*.test.ts'],
  browser: ['test/browser/*.test.ts'],
}

/** Suites whose files belong to no other suite, though the patterns of others match them. */
const apart: Record<string, string[]> = { fast: ['processors', 'programs'], project: ['fast', 'programs'] }

/** Gives the files of a suite, a path or a pattern. */
const filesOf = (word: string): string[] =>
  globSync(suites[word] ?? word, { exclude: (apart[word] ?? []).flatMap(other => suites[other]!) }).sort()

export const TEMPLATE = 'switchyard_template'

async function main(): Promise<number> {
  const args = process.argv.slice(2)
  const at = args.indexOf('-t')
  const pattern = at >= 0 ? args.splice(at, 2)[1] : undefined
  const named = args.filter(arg => suites[arg] === undefined)
  const targets = named.length > 0 ? named : args.length > 0 ? args : ['fast']
  const files = targets.flatMap(filesOf)
  if (files.length === 0) throw new Error(`there is no test file at ${targets.join(', ')}`)
  if (files.some(file => file.includes('browser'))) needChromium()
  if (files.some(file => file.includes('firefox'))) needFirefox()
  if (files.some(file => file.includes('webkit'))) needWebKit()

  const folder = mkdtempSync(join(parentFolder(), 'switchyard-test-'))
  // A test run may lose its database with the machine: no test needs to wait for the disk.
  const postgres = await startPostgres({
    dataDir: join(folder, 'pg'),
    // Query plans must not depend on whether statistics were gathered in between; a long run needs its dead rows
    // removed.
    settings: {
      fsync: 'off',
      full_page_writes: 'off',
      max_connections: '300',
      // The folder may be in memory.
      max_wal_size: '256MB',
      // A test that reads the write-ahead log must find its own writes.
      wal_keep_size: '128MB',
      ...(!args.includes('long') && { autovacuum: 'off' }),
    },
  })
  const contracts = process.env.CONTRACTS === undefined ? null : new (await import('./contracts.ts')).Contracts(process.env.CONTRACTS)
  const ledgerFile = join(folder, 'sandbox.jsonl')
  const sandbox = await openSandbox({ port: 0, host: '127.0.0.1', ledgerFile, ...(contracts && { heard: contracts.judge }) })
  try {
    await makeTemplate(postgres.url)
    const calls = join(folder, 'calls')
    mkdirSync(calls)
    const whole = targets.includes('fast') && pattern === undefined
    const made = files.some(file => file.startsWith('test/long/')) ? await makePrograms() : {}
    const env = { ...made, TEST_DATABASE_URL: postgres.url, TEST_SANDBOX_URL: sandbox.url, TEST_CALLS: calls }
    const first = await runNode(grouped(files, folder, pattern === undefined), { pattern, folder, env })
    const again = process.env.TEST_AGAIN === '1' ? mayRunAgain(first) : []
    const second = again.length === 0 ? null : await runNode(again, { pattern, folder, env })
    const judged = contracts?.report()
    if (judged) process.stdout.write(`${judged.lines.join('\n')}\n`)
    return conclude(first, second, whole ? untried(calls, endpoints, refusesMore) : []) || (judged?.complaints ? 1 : 0)
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

async function makeTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  await migrate(withDatabase(url, TEMPLATE))
}

/** Gives the URL of another database on the same server. */
export function withDatabase(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
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
 * Whether a file has a process of its own: if it says that it must be alone, or changes the environment, or is a long
 * test, or starts programs of the service by the clock.
 */
const alone = (file: string): boolean =>
  /(test\/(long|browser)|launch)\//.test(file) || /^\/\/ Alone: |^process\.env\.\w+ = /m.test(readFileSync(file, 'utf8'))

/**
 * Gives the files that processes are started for: single test files, and files that run a group (`test/group.ts`).
 * With a pattern nothing is grouped, because it selects tests by name, and a group adds a name.
 */
function grouped(files: string[], folder: string, mayGroup: boolean): string[] {
  const together = files.filter(file => mayGroup && !alone(file))
  const count = Math.min(PROCESSES, Math.ceil(together.length / FEWEST_FILES))
  const group = pathToFileURL(resolve('test/group.ts')).href
  const entries = Array.from({ length: count }, (_, i) => {
    const its = together.filter((_, at) => at % count === i).map(name => ({ name, url: pathToFileURL(resolve(name)).href }))
    const entry = join(folder, `group-${i + 1}.test.mjs`)
    writeFileSync(entry, `import { runFiles } from ${JSON.stringify(group)}\nawait runFiles(${JSON.stringify(its)})\n`)
    return entry
  })
  return [...entries, ...files.filter(file => !together.includes(file))]
}

/** The number of tests up to which a run does not show its slowest tests. */
const FEW_TESTS = 100

type Setting = { pattern: string | undefined; folder: string; env: Record<string, string> }
type Outcome = Tally & { code: number }

const EMPTY_TALLY: Tally = { passed: 0, failures: [], slowest: [], files: {} }

/** Runs files, or files that import others, in parallel. */
function runNode(files: string[], { pattern, folder, env }: Setting): Promise<Outcome> {
  const tally = join(folder, 'tally.json')
  const reporters = [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${pathToFileURL(resolve('test/tally.ts')).href}`,
    `--test-reporter-destination=${tally}`,
  ]
  // A test that hangs is ended and named, long before the caller of the run would end all.
  const minutes = files.some(file => file.includes('test/long/')) ? 25 : 15
  const only = pattern === undefined ? [] : [`--test-name-pattern=${pattern}`]
  const child = spawn(
    process.execPath,
    ['--test', `--test-concurrency=${PROCESSES}`, `--test-timeout=${minutes * 60_000}`, ...reporters, ...only, ...files],
    {
      stdio: 'inherit',
      env: { ...process.env, ...env },
    },
  )
  const forward = (signal: NodeJS.Signals) => child.kill(signal)
  process.on('SIGINT', forward).on('SIGTERM', forward)
  return new Promise(resolve => {
    child.on('exit', code => {
      process.off('SIGINT', forward).off('SIGTERM', forward)
      // A run that was interrupted has written no result.
      const text = existsSync(tally) ? readFileSync(tally, 'utf8') : ''
      const result = text === '' ? EMPTY_TALLY : (JSON.parse(text) as Tally)
      resolve({ ...result, code: code ?? 1 })
    })
  })
}

/** The number of failed files up to which a failure may be an accident of the machine. */
const MOST_FILES_AGAIN = 5

/**
 * Gives the files whose failure may have been the machine's fault: none if a failure may be a matter of chance in our
 * own code.
 */
function mayRunAgain({ failures }: Outcome): string[] {
  const files = [...new Set(failures.map(({ file }) => file))]
  const must = (file: string) => file.startsWith('test/long/') || !file.endsWith('.test.ts')
  return files.length > MOST_FILES_AGAIN || files.some(must) ? [] : files
}

/**
 * Prints the result, the failures last, because readers look there; gives the exit code. `second`: the outcome of the
 * files that ran again, null if none did.
 */
function conclude(first: Outcome, second: Outcome | null, missing: string[]): number {
  const failures = (second ?? first).failures
  const unsteady =
    second === null ? [] : first.failures.filter(one => !failures.some(({ name, file }) => name === one.name && file === one.file))
  const passed = first.passed + unsteady.length
  if (passed > FEW_TESTS) {
    const line = (ms: number, text: string) => process.stdout.write(`${(ms / 1000).toFixed(1).padStart(6)} s  ${text}\n`)
    process.stdout.write('The slowest tests:\n')
    for (const { ms, name, file } of first.slowest) line(ms, `${name} (${file})`)
    process.stdout.write('The slowest files:\n')
    const files = Object.entries(first.files).toSorted(([, a], [, b]) => b - a)
    for (const [file, ms] of files.slice(0, first.slowest.length)) line(ms, file)
  }
  for (const one of unsteady) report('Unsteady, failed and then passed', one)
  for (const one of failures) report('Failed', one)
  for (const text of missing) process.stdout.write(`✖ ${text}\n`)
  process.stdout.write(`${passed} passed, ${failures.length + missing.length} failed\n`)
  return (second ?? first).code || (missing.length > 0 ? 1 : 0)
}

const report = (word: string, { name, file, why }: Failure) =>
  process.stdout.write(`✖ ${word}: ${name} (${file})\n${why.replaceAll(/^/gm, '    ')}\n`)

if (import.meta.main) process.exitCode = await main()
