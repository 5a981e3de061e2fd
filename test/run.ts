import { spawn } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
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
import { untried } from './doors.ts'

/**
 * Runs tests on a real PostgreSQL (a throw-away cluster) and a real sandbox process over HTTP:
 *
 *   npm test                    the fast suite
 *   npm test -- long            the long suites: deaths of the service and of its database, races, bad input
 *   npm test -- browser         the pages in a real browser
 *   npm test -- FILE …          these files
 *   npm test -- … -t PATTERN    only tests whose name matches
 */

const suites: Record<string, string[]> = {
  fast: ['src/**/*.test.ts', 'test/*.test.ts', 'sandbox/**/*.test.ts', 'launch/*.test.ts', 'tools/*.test.ts', 'bench/*.test.ts'],
  long: ['test/long/**/*.test.ts'],
  browser: ['test/browser/*.test.ts'],
}

export const TEMPLATE = 'switchyard_template'

async function main(): Promise<number> {
  const args = process.argv.slice(2)
  const at = args.indexOf('-t')
  const pattern = at >= 0 ? args.splice(at, 2)[1] : undefined
  const words = args.length > 0 ? args : ['fast']
  const files = words.flatMap(word => globSync(suites[word] ?? word).sort())
  if (files.length === 0) throw new Error(`there is no test file at ${words.join(', ')}`)
  if (files.some(file => file.includes('browser'))) needChromium()

  const folder = mkdtempSync(join(tmpdir(), 'switchyard-test-'))
  // A test run may lose its database with the machine: nothing of it is worth waiting for the disk.
  const postgres = await startPostgres({
    dataDir: join(folder, 'pg'),
    // And plans must not depend on whether statistics were gathered in between; a long run needs its dead rows taken
    // away.
    settings: { fsync: 'off', full_page_writes: 'off', max_connections: '300', ...(!words.includes('long') && { autovacuum: 'off' }) },
  })
  const sandbox = await openSandbox({ port: 0, host: '127.0.0.1', ledgerFile: join(folder, 'sandbox.jsonl') })
  try {
    await makeTemplate(postgres.url)
    const doors = join(folder, 'doors')
    mkdirSync(doors)
    const whole = words.includes('fast') && pattern === undefined
    const env = { TEST_DATABASE_URL: postgres.url, TEST_SANDBOX_URL: sandbox.url, TEST_DOORS: doors }
    return await runNode(
      grouped(files, folder, pattern === undefined),
      pattern,
      folder,
      env,
      whole ? () => untried(doors, endpoints, refusesMore) : null,
    )
  } finally {
    await sandbox.close()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function makeTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  await migrate(withDatabase(url, TEMPLATE))
}

/** The same server, another database. */
export function withDatabase(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}

/** What any operation may answer, to every request: ours, the network's and the parser's. */
const mishaps = new Set(['internal', 'unavailable', 'headers_too_large', 'too_slow'])

/** Is there anything but a mishap that this operation refuses? */
const refusesMore = (endpoint: Endpoint): boolean => refusalsOf(endpoint).some(name => !mishaps.has(name))

/**
 * So many files are told by one process. More would balance worse over two cores, and leave more to look through when
 * a process dies.
 */
const FILES_OF_A_GROUP = 16
/**
 * A file has a process of its own if it says that it must be alone, or changes the environment; so have the long
 * ones, and those that start programs of ours by the clock.
 */
const alone = (file: string): boolean =>
  /(test\/(long|browser)|launch)\//.test(file) || /^\/\/ Alone: |^process\.env\.\w+ = /m.test(readFileSync(file, 'utf8'))

/**
 * What processes there are to be: files, and groups of files (`test/group.ts`). A pattern looks for names of tests,
 * and a group would have another.
 */
function grouped(files: string[], folder: string, mayGroup: boolean): string[] {
  const together = files.filter(file => mayGroup && !alone(file))
  const size = Math.min(FILES_OF_A_GROUP, Math.ceil(together.length / 2))
  const group = pathToFileURL(resolve('test/group.ts')).href
  const entries = Array.from({ length: Math.ceil(together.length / (size || 1)) }, (_, i) => {
    const its = together.slice(i * size, (i + 1) * size).map(name => ({ name, url: pathToFileURL(resolve(name)).href }))
    const entry = join(folder, `group-${i + 1}.test.mjs`)
    writeFileSync(entry, `import { tell } from ${JSON.stringify(group)}\nawait tell(${JSON.stringify(its)})\n`)
    return entry
  })
  return [...files.filter(file => !together.includes(file)), ...entries]
}

/** `forgotten`: what no test did, known when all have run; null if not all do. */
function runNode(
  files: string[],
  pattern: string | undefined,
  folder: string,
  env: Record<string, string>,
  forgotten: (() => string[]) | null,
): Promise<number> {
  const tap = join(folder, 'results.tap')
  const reporters = [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=tap',
    `--test-reporter-destination=${tap}`,
  ]
  // What hangs is ended and named, long before its caller would end all.
  const minutes = files.some(file => file.includes('test/long/')) ? 45 : 15
  const only = pattern === undefined ? [] : [`--test-name-pattern=${pattern}`]
  const child = spawn(
    process.execPath,
    ['--test', '--test-concurrency=2', `--test-timeout=${minutes * 60_000}`, ...reporters, ...only, ...files],
    {
      stdio: 'inherit',
      env: { ...process.env, ...env },
    },
  )
  const forward = (signal: NodeJS.Signals) => child.kill(signal)
  process.on('SIGINT', forward).on('SIGTERM', forward)
  return new Promise(resolve => {
    child.on('exit', code => {
      const results = readFileSync(tap, 'utf8')
      const count = (word: string) => Number(results.match(new RegExp(`^# ${word} (\\d+)$`, 'm'))?.[1] ?? 0)
      const missing = forgotten?.() ?? []
      for (const words of missing) process.stdout.write(`✖ ${words}\n`)
      // The file of a group is a test to Node, around those that stand in it.
      const files = results.match(/^ok \d+ - \S+\.test\.ts$/gm)?.length ?? 0
      const failing = results.match(/^not ok \d+ - \S+\.test\.ts\n {2}---\n( {2}.*\n)*? {2}failureType: 'subtestsFailed'/gm)?.length ?? 0
      const failed = count('fail') - failing + count('cancelled') + missing.length
      process.stdout.write(`${count('pass') - files} passed, ${failed} failed\n`)
      resolve(code || (missing.length > 0 ? 1 : 0))
    })
  })
}

if (import.meta.main) process.exitCode = await main()
