import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer as createHttp } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { inTheDemo, payersInTheDemo } from '../sandbox/homes.ts'
import type { Demo } from './demo.ts'
import { Everything } from './everything.ts'
import { readKept } from './keep.ts'
import { choosePort } from './ports.ts'
import { processesAbout, tempDir, until } from './rehearsal.ts'
import { startService } from './service.ts'
import { listen, trouble } from './service-log.ts'

/** Accounts that the demo shop has besides the sandbox's own. */
const besides = inTheDemo.length + payersInTheDemo.length

const scripts = { service: join(import.meta.dirname, 'fake-service.ts'), sandbox: join(import.meta.dirname, 'fake-sandbox.ts') }

/** A launcher without a database of its own: these tests are about all the rest. */
function launcher(dataDir: string, env: Record<string, string> = {}) {
  const lines: string[] = []
  const raw: string[] = []
  const all = new Everything({
    dataDir,
    scripts,
    env: { DATABASE_URL: 'postgresql://nowhere', PORT: '0', SANDBOX_PORT: '0', FAKE_STATE: join(dataDir, 'state.json'), ...env },
    say: line => lines.push(line),
    raw: chunk => raw.push(chunk.toString()),
    pauses: [10, 20, 30],
  })
  return { all, lines, raw }
}

type State = { accounts: string[]; keys: string[]; connectors: { merchant_connector_id: string; secret: string }[] }
const stateOf = (dataDir: string) => JSON.parse(readFileSync(join(dataDir, 'state.json'), 'utf8')) as State
const demoOf = (dataDir: string) => readKept<Demo>(join(dataDir, 'demo.json'))

async function once<T>(all: Everything, look: (running: Awaited<ReturnType<Everything['start']>>) => T): Promise<T> {
  try {
    return look(await all.start())
  } finally {
    await all.stop()
  }
}

const start = (dir: string, env: Record<string, string> = {}) => once(launcher(dir, env).all, () => {})

test('the first start creates the demo shop, and later starts reuse it', async () => {
  const dir = join(tempDir(), 'data')
  const first = await once(launcher(dir).all, ({ demo }) => demo)
  assert.equal(statSync(dir).mode & 0o777, 0o700)
  assert.equal(statSync(join(dir, 'demo.json')).mode & 0o777, 0o600)
  assert.match(first!.api_key, /^snd_/)
  const second = await once(launcher(dir).all, ({ demo }) => demo)
  // Where the service and the sandbox are is of the last start: each chooses free ports.
  assert.deepEqual(second, { ...first, base: second!.base, sandbox: second!.sandbox })
  assert.deepEqual(demoOf(dir), second)
  // Each processor signs with a secret of its own; Adyen's must be hex.
  const [own, ...others] = stateOf(dir).connectors.map(one => one.secret)
  assert.equal(own, first!.webhook_secret)
  assert.deepEqual([others.length, new Set(others).size, others.every(one => /^[0-9a-f]{64}$/.test(one))], [besides, besides, true])
})

test('the demo shop is created again in a database that has lost it', async () => {
  const dir = tempDir()
  await once(launcher(dir).all, () => {})
  rmSync(join(dir, 'state.json'))
  await once(launcher(dir).all, () => {})
  assert.deepEqual([stateOf(dir).accounts, stateOf(dir).keys, stateOf(dir).connectors.length], [['demo'], ['snd_1'], 1 + besides])
})

test('a first start that failed at any step is completed by the next start', async () => {
  const connectors = '/account/demo/connectors'
  const steps = ['GET /accounts/demo', 'POST /accounts', 'POST /api_keys/demo', `GET ${connectors}`, `POST ${connectors}`]
  await Promise.all(
    steps.map(async step => {
      const dir = tempDir()
      await assert.rejects(start(dir, { FAKE_FAILS_ONCE: step }), /the demo merchant could not be created/)
      await start(dir)
      const { accounts, connectors } = stateOf(dir)
      const demo = demoOf(dir)
      assert.deepEqual([step, accounts, connectors.length], [step, ['demo'], 1 + besides])
      assert.equal(connectors[0]!.secret, demo.webhook_secret)
      assert.equal(connectors[0]!.merchant_connector_id, demo.merchant_connector_id)
    }),
  )
})

test('a second start on the same data folder is refused with the process id of the first', async () => {
  const dir = tempDir()
  const first = launcher(dir)
  await first.all.start()
  await assert.rejects(start(dir), new RegExp(`in use by process ${process.pid} `))
  await first.all.stop()
  await start(dir)
})

test('when the service crashes during the start, its last log lines are shown and no process is left', async () => {
  const dir = tempDir()
  const { all, lines } = launcher(dir, { FAKE_DIES: 'at start' })
  await assert.rejects(all.start(), /the service \(pid \d+\) ended with code 3/)
  await all.stop()
  assert.match(lines.join('\n'), /fatal: no database today/)
  assert.deepEqual(processesAbout(dir), [])
})

test('a service that crashes is reported and restarted', async () => {
  const dir = tempDir()
  const { all, lines } = launcher(dir)
  const { base } = await all.start()
  await fetch(`${base}/die`).catch(() => {})
  await until('it is back', () => lines.includes('the service is running again'))
  assert.match(lines.join('\n'), /the service \(pid \d+\) ended with code 9\nit restarts in 0.01 s/)
  assert.equal((await fetch(`${base}/health/ready`)).status, 200)
  await all.stop()
  assert.deepEqual(processesAbout(dir), [])
})

test('a service that keeps crashing is restarted after growing pauses, and can be stopped in between', async () => {
  const dir = tempDir()
  const { all, lines } = launcher(dir, { FAKE_DIES: 'ever after' })
  const { base } = await all.start()
  await fetch(`${base}/die`).catch(() => {})
  await until('it has been tried a while', () => lines.filter(line => /restarts in/.test(line)).length >= 4)
  const pauses = lines.flatMap(line => /restarts in ([\d.]+) s/.exec(line)?.[1] ?? [])
  assert.deepEqual(pauses.slice(0, 4), ['0.01', '0.02', '0.03', '0.03'])
  await all.stop()
  assert.deepEqual(processesAbout(dir), [])
})

test('a service that stops slowly is given time, until the stop is forced', { timeout: 180_000 }, async t => {
  const dir = tempDir()
  const { all, lines } = launcher(dir, { FAKE_SLOW_STOP: join(dir, 'never') })
  await all.start()
  // The time that the service is given does not pass.
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const hurry = new AbortController()
  const stopping = all.stop(hurry.signal)
  while (!lines.join('').includes('asked to stop')) await new Promise(setImmediate)
  assert.equal(processesAbout(scripts.service).length, 1)
  hurry.abort()
  await stopping
  assert.deepEqual(processesAbout(scripts.service), [])
})

test('the log goes to a file and its warnings to the terminal; with LOG=stdout all of it goes to stdout', async () => {
  const dir = tempDir()
  const quiet = launcher(dir)
  await once(quiet.all, () => {})
  assert.match(readFileSync(join(dir, 'service.log'), 'utf8'), /"level":40/)
  assert.match(quiet.lines.join('\n'), /warning: a warning of the service/)
  const loud = launcher(dir, { LOG: 'stdout' })
  await once(loud.all, () => {})
  assert.match(loud.raw.join(''), /"level":40/)
})

test('live mode starts no sandbox, creates no demo shop and generates no admin key', async () => {
  const dir = tempDir()
  const given = { ADMIN_API_KEY: 'a key that was given', KEY_FILE: 'keys.json', PUBLIC_URL: 'https://pay.example' }
  const { all } = launcher(dir, { MODE: 'live', ...given })
  const running = await once(all, running => ({ ...running, processes: processesAbout(scripts.sandbox).length }))
  assert.deepEqual([running.demo, running.adminKey, running.processes], [null, null, 0])
  assert.deepEqual(demoOf(dir), {})
})

test('a port in use is refused if it was set explicitly, and otherwise another free port is chosen', async () => {
  const server: Server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => void server.close())
  const taken = (server.address() as { port: number }).port
  await assert.rejects(start(tempDir(), { PORT: String(taken) }), new RegExp(`PORT=${taken} is in use`))
  const next = await choosePort({ setting: 'PORT', given: undefined, usual: taken, host: '127.0.0.1', besides: [taken + 1] })
  assert.ok(next > taken + 1 && next < taken + 100)
  await assert.rejects(choosePort({ setting: 'PORT', given: '80a', usual: 1, host: '127.0.0.1' }), /PORT must be a port/)
})

test('warnings and errors in the JSON log are shown as readable lines', () => {
  const line = (level: number, more = {}) => JSON.stringify({ level, time: 0, msg: 'it failed', ...more })
  assert.equal(trouble(line(30)), null)
  assert.equal(trouble(line(40)), '00:00:00 warning: it failed')
  assert.equal(trouble(line(50, { err: { message: 'no route' } })), '00:00:00 error: it failed: no route')
  assert.equal(trouble('{"level":50, torn'), null)
  const shown: string[] = []
  const listener = listen(null, message => shown.push(message))
  listener.receive(Buffer.from(`${line(30)}\n${line(60).slice(0, 9)}`), 'stdout')
  assert.deepEqual(shown, [])
  listener.receive(Buffer.from(`${line(60).slice(9)}\n`), 'stdout')
  assert.deepEqual(shown, ['00:00:00 fatal: it failed'])
})

test('--help lists the settings', () => {
  const help = execFileSync(process.execPath, [join(import.meta.dirname, 'start.ts'), '--help'], { encoding: 'utf8' })
  for (const name of ['DATABASE_URL', 'SWITCHYARD_DATA', 'SANDBOX_PORT', 'LOG', 'PUBLIC_URL'])
    assert.match(help, new RegExp(`^  ${name} `, 'm'))
})

test('the service is not reported ready when another server answers at its address', async () => {
  const thrice = Promise.withResolvers<void>()
  let asked = 0
  const other = createHttp((_request, response) => {
    response.end('{}')
    if (++asked === 3) thrice.resolve()
  })
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
  after(() => other.close())
  const script = join(tempDir(), 'deaf.mjs')
  writeFileSync(script, "process.stdin.on('end', () => process.exit(5)).resume(); process.on('SIGTERM', () => process.exit(5))")
  const base = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  const listener = listen(null, () => {})
  const ours = await startService({ script, env: { PATH: process.env.PATH! }, base, listener, say: () => {} })
  await thrice.promise
  await ours.stop(60_000)
  await assert.rejects(ours.ready, /ended with code 5|SIGTERM/)
})

test('a free port is never handed out twice, so the service and the sandbox never get the same one', async () => {
  const any = { setting: 'PORT', given: '0', usual: 0, host: '127.0.0.1' }
  const ports: number[] = []
  // The system itself would offer dozens of them again.
  for (let i = 0; i < 2000; i++) ports.push(await choosePort(any))
  assert.equal(new Set(ports).size, ports.length)
})
