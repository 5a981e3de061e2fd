// Service and sandbox, the real ones, whose parent was killed: their output is not read any more, and they end all the
// same.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { ADMIN_KEY, newDatabase } from '../test/shop.ts'
import { ask } from './ask.ts'
import { projectDir } from './binaries.ts'
import { look } from './proc.mjs'
import { tempDir, until } from './rehearsal.ts'

let database: Awaited<ReturnType<typeof newDatabase>>
/** The keys of that database, for each service that is started on it. */
const keyFile = join(tempDir(), 'keys.json')
before(async () => {
  database = await newDatabase()
})
after(() => database.drop())

/** A process that starts the script with pipes, reads them, hands on what it hears, and does nothing else. */
const parent = `
  const child = require('node:child_process').spawn(process.execPath, process.argv.slice(1), { stdio: 'pipe' })
  process.stdout.write('pid ' + child.pid + '\\n')
  for (const pipe of [child.stdout, child.stderr]) pipe.pipe(process.stdout)`

async function child(script: string, env: Record<string, string>): Promise<{ url: string; pid: number; orphan(): void }> {
  const above = spawn(process.execPath, ['-e', parent, join(projectDir, script)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, ...env },
  })
  let output = ''
  above.stdout.on('data', chunk => (output += chunk))
  const url = () => /"url":"(\S+?)".*"ready"|listening on (\S+)/.exec(output)
  await until(`${script} is up`, () => url() !== null)
  const pid = Number(/^pid (\d+)/.exec(output)![1])
  after(() => look(pid) !== null && process.kill(pid, 'SIGKILL'))
  return { url: url()![1] ?? url()![2]!, pid, orphan: () => process.kill(above.pid!, 'SIGKILL') }
}

const service = (env: Record<string, string> = {}) =>
  child('src/main.ts', { DATABASE_URL: database.url, PORT: '0', ADMIN_API_KEY: ADMIN_KEY, KEY_FILE: keyFile, ...env })
const gone = (pid: number) => until('it has ended', () => look(pid) === null)
/**
 * Every call is a line of the log, which is written a moment later: when the service ends, it may not be written yet.
 */
const call = async (url: string) => assert.equal((await ask('GET', `${url}/accounts/nobody`, { 'api-key': ADMIN_KEY })).status, 404)
/** Calls a service whose log is not read any more: a line of the log may end the service before the answer is sent. */
const callOrEnd = (url: string) => call(url).catch(error => assert.equal(error.code, 'ECONNRESET'))

test('a service whose parent was killed exits when its standard input closes, even when its last log lines cannot be written', async () => {
  const { url, pid, orphan } = await service({ DIES_WITH_STDIN: '1' })
  await call(url)
  orphan()
  await gone(pid)
})

test('a service whose parent was killed exits on SIGTERM, even when its last log lines cannot be written', async () => {
  const { url, pid, orphan } = await service()
  orphan()
  await callOrEnd(url)
  if (look(pid) !== null) process.kill(pid, 'SIGTERM')
  await gone(pid)
})

test('a service whose parent was killed exits when it can no longer write its log', async () => {
  const { url, pid, orphan } = await service()
  orphan()
  await callOrEnd(url)
  await gone(pid)
})

test('a sandbox whose parent was killed exits when its standard input closes', async () => {
  const { pid, orphan } = await child('sandbox/main.ts', {
    SANDBOX_PORT: '0',
    SANDBOX_LEDGER: join(tempDir(), 'ledger'),
    SANDBOX_DIES_WITH_STDIN: '1',
  })
  orphan()
  await gone(pid)
})
