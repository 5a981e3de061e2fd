import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { memoryFlags, memorySettings } from '../../launch/memory.ts'
import { settings } from '../../src/config.ts'
import { type Body, http } from '../call.ts'
import { needDebian } from '../debian.ts'
import { isServerInstalled, startInstalledPostgres, toolsVersion } from '../installed-postgres.ts'
import { succeed } from '../merchant.ts'
import { newDatabase } from '../shop.ts'

/**
 * Tests of the deployment guide, the image and the compose file: everything that a machine without containers can run
 * is run.
 */

const root = join(import.meta.dirname, '..', '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const missing = ['openssl', 'curl', 'psql'].filter(name => spawnSync(name, ['--version']).error)

const freePort = (): Promise<number> =>
  new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

/** The environment of a process here, with none of this test process's settings. */
const plainly = { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: tmpdir(), LANG: 'C.UTF-8' }

type Step = string | (() => Promise<void>)

/**
 * Runs the steps of a script in one shell, and functions between them; gives the output. The processes that the shell
 * has started end with it.
 */
async function run(steps: readonly Step[], cwd: string, env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const child = spawn('bash', ['-eu', '-o', 'pipefail', '-s'], { cwd, env: { ...plainly, ...env } })
  let [output, ended, wake] = ['', false, () => {}]
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      output += part
      wake()
    })
  const closed = new Promise<number | null>(resolve => child.on('close', resolve))
  child.on('exit', () => {
    ended = true
    wake()
  })
  // A shell that has ended reads no more input.
  child.stdin.on('error', () => {})
  child.stdin.write("trap 'jobs -p | xargs -r kill 2>/dev/null' EXIT\n")
  try {
    for (const [i, step] of steps.entries()) {
      if (typeof step === 'string') {
        child.stdin.write(`{\n${step}\n} < /dev/null\necho step ${i} is done\n`)
        while (!ended && !output.includes(`step ${i} is done\n`)) await new Promise<void>(resolve => (wake = resolve))
      } else if (!ended) await step()
    }
  } finally {
    child.stdin.end()
    await closed
  }
  return { code: await closed, output }
}

test('each command of the deployment guide works in order, and a restored or additional process finds the payments', {
  timeout: 240_000,
  skip: missing.length > 0 && `not here: ${missing.join(', ')}`,
}, async t => {
  const guide = [...read('docs/deployment.md').matchAll(/```sh run\n([\s\S]*?)```/g)].map(([, block]) => block!)
  equal(guide.length, 8)
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-deployment-'))
  // Only tools that are not older than the server can make a dump.
  // Live mode refuses a server before 16.
  const own = toolsVersion >= 16 && toolsVersion < 18 && isServerInstalled ? await startInstalledPostgres(join(folder, 'postgres')) : null
  const dumps = own !== null || toolsVersion >= 18
  t.diagnostic(
    dumps
      ? `a backup by the tools of PostgreSQL ${toolsVersion}`
      : 'the backup is not tried: no server is installed of the version of pg_dump',
  )
  const database = own ? { url: own.url, drop: own.stop } : await newDatabase('template0')
  t.after(async () => {
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })
  const ports = [await freePort(), await freePort(), await freePort()]
  const env = { DATABASE_URL: database.url, SOURCE: root }
  const named = Object.fromEntries(['API_PORT', 'WORKER_PORT', 'OTHER_PORT'].map((name, i) => [name, String(ports[i])]))
  // The database has a name of its own, so that two runs on one server do not conflict.
  const restored = `restored_${ports[0]}`
  const at = (i: number) => `http://127.0.0.1:${ports[i]}`
  const admin = () => ({ 'api-key': readFileSync(join(folder, 'secrets', 'admin_key'), 'utf8').trim() })
  let key: Record<string, string>
  let made: Body
  const pay = async () => {
    await succeed(http('POST', `${at(0)}/accounts`, { merchant_id: 'shop' }, admin()))
    const { api_key } = await succeed(http('POST', `${at(0)}/api_keys/shop`, { name: 'shop', expiration: 'never' }, admin()))
    key = { 'api-key': api_key }
    made = await succeed(http('POST', `${at(0)}/payments`, { amount: 1250, currency: 'EUR', customer: { email: 'ada@example.com' } }, key))
  }
  /** Verifies that the process that runs in parallel finds the payment, and accepts the current admin key. */
  const find = async () => {
    deepEqual(await succeed(http('GET', `${at(2)}/payments/${made.payment_id}`, undefined, key)), made)
    await succeed(http('GET', `${at(2)}/accounts/shop`, undefined, admin()))
  }
  const steps = guide
    .filter(block => dumps || !/pg_dump|wait \$OTHER/.test(block))
    .flatMap(block => [
      block.replaceAll(/\brestored\b(?!\.log)/g, restored),
      ...(block.includes('> api.log') ? [pay] : block.includes('PORT=$OTHER_PORT') ? [find] : []),
    ])
  const { code, output } = await run(steps, folder, { ...env, ...named })
  const logs = ['api', 'worker', 'restored', 'next'].map(name =>
    existsSync(join(folder, `${name}.log`)) ? readFileSync(join(folder, `${name}.log`), 'utf8') : '',
  )
  equal(code, 0, `${output}\n${logs.join('\n')}`)
  match(output, /all records are encrypted with/)
  deepEqual(
    logs.flatMap(log => log.split('\n')).filter(line => /"level":[56]0/.test(line)),
    [],
  )
  if (dumps) await run([`psql --quiet "$DATABASE_URL" -c 'drop database ${restored} with (force)'`], folder, env)
})

test('the image contains all files that the service needs, and runs as an unprivileged user', { timeout: 240_000 }, async t => {
  const steps = read('Dockerfile')
    .split('\n')
    .filter(line => /^[A-Z]+ /.test(line))
  equal(steps.filter(line => line.startsWith('USER ')).at(-1), 'USER node')
  ok(steps.indexOf('USER node') < steps.findIndex(line => line.startsWith('CMD ')))
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-image-'))
  const database = await newDatabase()
  t.after(async () => {
    await database.drop()
    for (const one of [folder, `${folder}-files`]) rmSync(one, { recursive: true, force: true })
  })
  const ignored = read('.dockerignore').split('\n')
  const last = steps.slice(steps.findLastIndex(line => line.startsWith('FROM ')))
  for (const step of last.filter(line => line.startsWith('COPY ') && !line.includes('--from='))) {
    const [, ...parts] = step.split(' ')
    const to = parts.pop()!
    for (const from of parts) {
      ok(
        ignored.some(line => line.startsWith('!') && (line.slice(1) === from || from.startsWith(`${line.slice(1)}/`))),
        `${from} is let into the build`,
      )
      const target = join(folder, to, to.endsWith('/') && parts.length > 0 && to === './' ? from : '')
      mkdirSync(dirname(target), { recursive: true })
      cpSync(join(root, from), target, { recursive: true, filter: path => !path.endsWith('.test.ts') })
    }
  }
  // The packages as `npm ci --omit=dev --omit=optional` would leave them: those that the lock file marks neither as
  // development's nor as optional.
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }>
  }
  for (const [path, { dev, optional, devOptional }] of Object.entries(packages)) {
    if (path === '' || dev || optional || devOptional || path.split('node_modules/').length > 2) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    symlinkSync(join(root, path), join(folder, path))
  }
  const [command, ...args] = JSON.parse(last.findLast(line => line.startsWith('CMD '))!.slice(4)) as [string, ...string[]]
  equal(command, 'node')
  const env = Object.fromEntries([...last.join(' ').matchAll(/\b([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name!, value!]))
  const flags = memoryFlags.filter(flag => flag !== '--no-parallel-scavenge')
  deepEqual(args.slice(0, -1).sort(), flags.toSorted(), 'the flags of launch/memory.ts')
  for (const [name, value] of Object.entries(memorySettings)) equal(env[name], value, name)
  const port = await freePort()
  const given = {
    ...env,
    PORT: String(port),
    HOST: '127.0.0.1',
    FILES_FOLDER: `${folder}-files`,
    DATABASE_URL: database.url,
    PUBLIC_URL: 'https://pay.example',
    ADMIN_API_KEY: randomBytes(24).toString('hex'),
  }
  const key = () => execFileSync('openssl', ['rand', '-base64', '32']).toString().trim()
  const KEYS = JSON.stringify({ active: 'k1', sealing: { k1: key() }, lookup: key() })
  // These parts are loaded only if they are enabled: the image must contain them all the same.
  const more = { METRICS_PORT: '0', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', REQUEST_LOG_DAYS: '1' }
  const health = JSON.parse(/^HEALTHCHECK .*? CMD (.*)$/m.exec(read('Dockerfile'))![1]!) as string[]
  const quote = (parts: readonly string[]) => parts.map(word => `'${word}'`).join(' ')
  const script = `node ${quote(args)} > log 2>&1 & S=$!
until ${quote(health)}; do kill -0 $S || { cat log; exit 1; }; sleep 0.1; done
test -n "$(find . -newer log -not -name log -type f | head -n 1)" && { echo it writes into the image; exit 1; }
kill $S; wait $S`
  const { code, output } = await run([script], folder, { ...given, ...more, KEYS })
  equal(code, 0, output)
})

test('the compose file uses only known settings, and contains no secrets', () => {
  const text = read('compose.yaml')
  const known = settings.map(({ name }) => name as string)
  for (const [, name] of text.matchAll(/^ {2}([A-Z_]+): /gm))
    if (!name!.startsWith('POSTGRES_')) ok(known.includes(name!), `${name} is a setting`)
  for (const role of ['api', 'worker']) ok(text.includes(`ROLE: ${role}`))
  ok(!/ADMIN_API_KEY:|KEYS:/.test(text))
})

const COMPOSE = '/usr/bin/docker-compose'
const isRoot = process.getuid?.() === 0

test('the compose file is valid for Docker Compose, which rejects an unknown field or volume', {
  skip: !isRoot && !existsSync(COMPOSE) && 'apt-get install docker-compose (as root it is installed by this test)',
}, () => {
  needDebian(COMPOSE, 'docker-compose', 'COMPOSE')
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-compose-'))
  const config = (text: string) => {
    writeFileSync(join(folder, 'compose.yaml'), text)
    const env = { ...process.env, DOMAIN: 'pay.example', DATABASE_PASSWORD: 'secret' }
    return spawnSync(COMPOSE, ['-f', join(folder, 'compose.yaml'), 'config'], { env, encoding: 'utf8' })
  }
  try {
    const text = read('compose.yaml')
    const { status, stdout, stderr } = config(text)
    equal(status, 0, stderr)
    // The evidence files outlive the container, in both services.
    equal(stdout.match(/FILES_FOLDER: \/files/g)?.length, 2)
    equal(stdout.match(/files:\/files|target: \/files/g)?.length, 2)
    for (const wrong of ['restart: unless-stopped\n  reed_only: true', "volumes: ['file:/files']"])
      notEqual(
        config(text.replace(wrong.startsWith('v') ? "volumes: ['files:/files']" : 'restart: unless-stopped', wrong)).status,
        0,
        wrong,
      )
  } finally {
    rmSync(folder, { recursive: true })
  }
})
