import { deepEqual, equal, fail } from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { memoryFlags, memorySettings } from '../../launch/memory.ts'
import { needDebian } from '../debian.ts'
import { eventually } from '../eventually.ts'
import { openProxy } from '../postgres-proxy.ts'
import { http, newDatabase } from '../shop.ts'

/**
 * Builds the image as `docker build` would and starts it as compose.yaml says, on a machine without Docker: by
 * buildah, on a base image of Debian with this Node. Both need root, and are installed if they are missing. The
 * transfer through an image registry is not tested.
 */

const root = join(import.meta.dirname, '..', '..')
const read = (name: string): string => readFileSync(join(root, name), 'utf8')
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'
/** The user id of `node` in the image, which must own the files of the secrets. */
const NODE_USER = 1000

const isRoot = process.getuid?.() === 0
const skip = !isRoot && 'images are built as root here: sudo npm run test:long -- test/long/image.test.ts'
if (isRoot) {
  needDebian('/usr/bin/buildah', 'buildah', 'BUILDAH')
  needDebian('/usr/sbin/debootstrap', 'debootstrap', 'DEBOOTSTRAP')
}

const folder = mkdtempSync(join(tmpdir(), 'switchyard-image-'))
after(() => {
  // Containers that are still mounted are removed first.
  if (isRoot) spawnSync('buildah', [...store, 'rm', '--all'])
  rmSync(folder, { recursive: true, force: true })
})

/** The options of buildah: a store of its own, without a daemon. */
const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs']

function buildah(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('buildah', [...store, ...args], { cwd: root, encoding: 'utf8', maxBuffer: 1e8 })
  equal(status, 0, `buildah ${args.join(' ')}\n${stdout.slice(-2000)}\n${stderr.slice(-4000)}`)
  return stdout.trim()
}

/** Gives the release and the mirror of this machine's Debian. */
function debianHere(): string[] {
  const targets = execFileSync('apt-get', ['indextargets', '--format', '$(CODENAME) $(REPO_URI)', 'Created-By: Packages'], {
    encoding: 'utf8',
  })
  const { VERSION_CODENAME: release = '' } = Object.fromEntries(
    [...readFileSync('/etc/os-release', 'utf8').matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]),
  )
  const [line = ''] = targets.split('\n').filter(line => line.startsWith(`${release} `))
  return line.split(' ')
}

/** Makes the base image of the Dockerfile: Debian, Node, npm, and a user for them. */
function makeBase(name: string): void {
  const base = join(folder, 'base')
  const [release, mirror] = debianHere()
  const made = spawnSync('debootstrap', ['--variant=minbase', release!, base, mirror!], { encoding: 'utf8' })
  equal(made.status, 0, made.stdout?.slice(-2000))
  const inside = (path: string) => join(base, path)
  copyFileSync(process.execPath, inside('usr/local/bin/node'))
  const npm = dirname(dirname(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())))
  cpSync(npm, inside('usr/local/lib/node_modules/npm'), { recursive: true })
  const start = '#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/npm-cli.js "$@"\n'
  writeFileSync(inside('usr/local/bin/npm'), start, { mode: 0o755 })
  // The image trusts the certificate of a proxy between this machine and npm's registry.
  if (existsSync(CERTIFICATES)) {
    mkdirSync(dirname(inside(CERTIFICATES)), { recursive: true })
    copyFileSync(CERTIFICATES, inside(CERTIFICATES))
  }
  execFileSync('chroot', [base, 'useradd', '--create-home', '--uid', String(NODE_USER), 'node'])
  const container = buildah('from', 'scratch')
  buildah('add', '--quiet', container, base, '/')
  buildah('config', '--env', `NODE_EXTRA_CA_CERTS=${CERTIFICATES}`, '--env', 'PATH=/usr/local/bin:/usr/bin:/bin', container)
  buildah('commit', '--quiet', '--rm', container, name)
  rmSync(base, { recursive: true })
}

type Configured = { User: string; Cmd: string[]; Env: string[]; Healthcheck?: { Test: string[] } }

test('the image is built from its Dockerfile, and starts in live mode as an unprivileged user that can read the secrets', {
  timeout: 900_000,
  skip,
}, async t => {
  const [, from] = /^FROM (\S+)/m.exec(read('Dockerfile'))!
  makeBase(`docker.io/library/${from}`)
  buildah('bud', '--isolation', 'chroot', '--network', 'host', '--pull-never', '--format', 'docker', '--tag', 'switchyard', '.')
  const about = JSON.parse(buildah('inspect', '--type', 'image', 'switchyard')) as { Docker: { config: Configured } }
  const { User, Cmd, Env, Healthcheck } = about.Docker.config
  equal(User, 'node')
  deepEqual(
    Cmd.slice(1, -1).sort(),
    memoryFlags.filter(flag => flag !== '--no-parallel-scavenge').toSorted(),
    'the flags of launch/memory.ts',
  )
  const env = Object.fromEntries(Env.map(line => line.split(/=(.*)/s) as [string, string]))
  for (const [name, value] of Object.entries(memorySettings)) equal(env[name], value, name)

  const database = await newDatabase('template0')
  const proxy = await openProxy(database.url)
  t.after(async () => {
    proxy.close()
    await database.drop()
  })
  const secrets = join(folder, 'secrets')
  mkdirSync(secrets, { mode: 0o755 })
  const key = () => randomBytes(32).toString('base64')
  const keys = { active: 'k1', sealing: { k1: key() }, lookup: key() }
  const ADMIN = randomBytes(24).toString('hex')
  for (const [name, text] of Object.entries({ admin_key: ADMIN, keys: JSON.stringify(keys) })) {
    writeFileSync(join(secrets, name), text, { mode: 0o400 })
    chownSync(join(secrets, name), NODE_USER, NODE_USER)
  }
  const given = {
    MODE: 'live',
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: proxy.url,
    PUBLIC_URL: 'https://pay.example',
    ADMIN_API_KEY_FILE: '/run/secrets/admin_key',
    KEY_FILE: '/run/secrets/keys',
    // These parts are loaded only if they are enabled: the image must contain them all the same.
    METRICS_PORT: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    REQUEST_LOG_DAYS: '1',
    DIES_WITH_STDIN: '1',
  }
  const container = buildah('from', 'localhost/switchyard')
  const inside = (command: readonly string[]) => [
    ...store,
    'run',
    '--isolation',
    'chroot',
    ...Object.entries(given).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    '--volume',
    `${secrets}:/run/secrets:ro`,
    container,
    '--',
    ...command,
  ]
  const run = (...command: string[]): string => execFileSync('buildah', inside(command), { encoding: 'utf8' })
  const service = spawn('buildah', inside(Cmd), { stdio: 'pipe' })
  let output = ''
  for (const stream of [service.stdout, service.stderr]) stream.on('data', part => (output += part))
  t.after(() => service.kill('SIGKILL'))
  const address = () => /"url":"(http:[^"]+)"/.exec(output)?.[1]
  await eventually(async () => address() !== undefined || service.exitCode !== null, 'the container tells its address')
  const url = address() ?? fail(output)
  equal((await http('GET', `${url}/health/ready`)).body.files, true)
  equal((await http('POST', `${url}/accounts`, { merchant_id: 'shop' }, { 'api-key': ADMIN })).status, 200)
  equal((await fetch(`${url}/docs`)).status, 200)
  const health = Healthcheck!.Test.slice(1)
  run('env', `PORT=${new URL(url).port}`, ...health)
  equal(run('id', '-u').trim(), String(NODE_USER))
  // Compose mounts the image read-only: the service writes to nothing but the volume.
  equal(run('find', '/app', '-newer', '/run/secrets/keys', '-type', 'f').trim(), '')
  const ended = once(service, 'close')
  service.stdin.end()
  deepEqual((await ended)[0], 0, output)
})
