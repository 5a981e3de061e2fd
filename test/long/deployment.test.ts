import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { settings } from '../../src/config.ts'
import { newDatabase } from '../shop.ts'

/** The deployment guide, the image and the compose file: what of them a machine without containers can run, it runs. */

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

/** What a process is given here, and nothing of ours. */
const plainly = { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: tmpdir(), LANG: 'C.UTF-8' }

/** Runs a script and gives what it says; whatever it has started ends with it. */
function run(script: string, cwd: string, env: Record<string, string>): Promise<{ code: number | null; said: string }> {
  const child = spawn('bash', ['-eu', '-o', 'pipefail', '-c', `trap 'jobs -p | xargs -r kill 2>/dev/null' EXIT\n${script}`], {
    cwd,
    env: { ...plainly, ...env },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part))
  return new Promise(resolve => child.on('close', code => resolve({ code, said })))
}

test('each command of the deployment guide does what it says, in its order', {
  timeout: 240_000,
  skip: missing.length > 0 && `not here: ${missing.join(', ')}`,
}, async t => {
  const blocks = [...read('docs/deployment.md').matchAll(/```sh run\n([\s\S]*?)```/g)].map(([, block]) => block!)
  ok(blocks.length >= 5)
  // A dump is made by tools that are no older than the server.
  const dumps = Number(/ (\d+)/.exec(spawnSync('pg_dump', ['--version']).stdout?.toString() ?? '')?.[1] ?? 0) >= 18
  if (!dumps) t.diagnostic('the backup is not tried: there is no pg_dump 18 here')
  const script = blocks.filter(block => dumps || !block.includes('pg_dump')).join('\n')
  const database = await newDatabase('template0')
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-deployment-'))
  t.after(async () => {
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })
  const ports = [await freePort(), await freePort(), await freePort()]
  const env = { DATABASE_URL: database.url, SOURCE: root, MODE: 'live', PUBLIC_URL: 'https://pay.example' }
  const named = Object.fromEntries(['API_PORT', 'WORKER_PORT', 'OTHER_PORT'].map((name, i) => [name, String(ports[i])]))
  // A name of its own, so that two runs on one server are not in each other's way.
  const restored = `restored_${ports[0]}`
  const { code, said } = await run(script.replaceAll(/\brestored\b(?!\.log)/g, restored), folder, { ...env, ...named })
  const logs = ['api', 'worker', 'restored', 'next'].map(name =>
    existsSync(join(folder, `${name}.log`)) ? readFileSync(join(folder, `${name}.log`), 'utf8') : '',
  )
  equal(code, 0, `${said}\n${logs.join('\n')}`)
  match(said, /everything is sealed with/)
  deepEqual(
    logs.flatMap(log => log.split('\n')).filter(line => /"level":[56]0/.test(line)),
    [],
  )
  if (dumps) await run(`psql --quiet "$DATABASE_URL" -c 'drop database ${restored} with (force)'`, folder, env)
})

test('what the image copies is all that the service needs, and it runs as a user that may do little', { timeout: 240_000 }, async t => {
  const steps = read('Dockerfile')
    .split('\n')
    .filter(line => /^[A-Z]+ /.test(line))
  equal(steps.filter(line => line.startsWith('USER ')).at(-1), 'USER node')
  ok(steps.indexOf('USER node') < steps.findIndex(line => line.startsWith('CMD ')))
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-image-'))
  const database = await newDatabase()
  t.after(async () => {
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
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
  // As `npm ci --omit=dev --omit=optional` would leave it: the packages that the lock file does not call development's or optional.
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
  const port = await freePort()
  const given = {
    ...env,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATABASE_URL: database.url,
    PUBLIC_URL: 'https://pay.example',
    ADMIN_API_KEY: 'x'.repeat(24),
  }
  const key = execFileSync('openssl', ['rand', '-base64', '32']).toString().trim()
  const KEYS = JSON.stringify({ active: 'k1', sealing: { k1: key }, lookup: key, envelope: true })
  // Loaded only if they are asked for: they must be in the image all the same.
  const more = { METRICS_PORT: '0', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', REQUEST_LOG_DAYS: '1' }
  const health = JSON.parse(/^HEALTHCHECK .*? CMD (.*)$/m.exec(read('Dockerfile'))![1]!) as string[]
  const quote = (words: readonly string[]) => words.map(word => `'${word}'`).join(' ')
  const script = `node ${quote(args)} > log 2>&1 & S=$!
until ${quote(health)}; do kill -0 $S || { cat log; exit 1; }; sleep 0.1; done
test -n "$(find . -newer log -not -name log -type f | head -n 1)" && { echo it writes into the image; exit 1; }
kill $S; wait $S`
  const { code, said } = await run(script, folder, { ...given, ...more, KEYS })
  equal(code, 0, said)
})

test('the compose file says what the service knows, and hides what is secret', () => {
  const text = read('compose.yaml')
  const known = settings.map(({ name }) => name as string)
  for (const [, name] of text.matchAll(/^ {2}([A-Z_]+): /gm))
    if (!name!.startsWith('POSTGRES_')) ok(known.includes(name!), `${name} is a setting`)
  for (const role of ['api', 'worker']) ok(text.includes(`ROLE: ${role}`))
  ok(!/ADMIN_API_KEY:|KEYS:/.test(text))
})
