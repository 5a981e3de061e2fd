import { deepEqual, equal } from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { install } from '../../launch/install.mjs'
import { buildPackages } from '../../tools/packages.ts'
import { eventually } from '../eventually.ts'
import { openShop } from '../shop.ts'

/**
 * The published SDK in each runtime that it supports: the server of a shop (`packages/runtimes/shop.js`) takes an
 * order, receives a webhook about it, and refuses a forged one.
 */

const root = join(import.meta.dirname, '../..')
const packages = join(root, 'packages')
const runtimes = join(packages, 'runtimes')
const installed = join(packages, 'node_modules')
const place = mkdtempSync(join(tmpdir(), 'switchyard-runtimes-'))
const sdk = join(place, 'node_modules/@switchyard/node')
const running = new Set<ChildProcess>()
after(() => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(place, { recursive: true, force: true })
})

before(async () => {
  await buildPackages()
  await install(packages, { withTools: false, members: ['runtimes'], say: () => {}, lock: join(packages, '.made/installing') })
  for (const name of globSync('*.js', { cwd: runtimes })) cpSync(join(runtimes, name), join(place, name))
  writeFileSync(join(place, 'package.json'), '{ "type": "module", "dependencies": { "@switchyard/node": "*" } }')
  // The package contains only the files that npm would publish.
  const { stdout } = spawnSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', place], {
    cwd: join(root, 'packages/node'),
    encoding: 'utf8',
  })
  mkdirSync(sdk, { recursive: true })
  const { filename } = Object.values(JSON.parse(stdout) as Record<string, { filename: string }>)[0]!
  equal(spawnSync('tar', ['-xzf', filename, '-C', sdk, '--strip-components=1'], { cwd: place }).status, 0)
})

const intel = process.arch === 'x64'

/** Gives the settings of a worker, which name its modules; the name of a module is the name that others import. */
function workerSettings(env: Record<string, string>): string {
  const own = ['worker.js', 'shop.js'].map(name => [name, name])
  const dist = globSync('**/*.js', { cwd: join(sdk, 'dist') }).map(name => [
    name === 'index.js' ? '@switchyard/node' : `@switchyard/${name}`,
    `node_modules/@switchyard/node/dist/${name}`,
  ])
  const modules = [...own, ...dist].map(([name, file]) => `(name = "${name}", esModule = embed "${file}")`)
  const bindings = Object.entries(env).map(([name, text]) => `(name = "${name}", text = "${text}")`)
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "shop", worker = .shop), (name = "internet", network = (allow = ["private", "public"]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "shop")],
);
const shop :Workerd.Worker = (modules = [${modules.join(', ')}], bindings = [${bindings.join(', ')}], compatibilityDate = "2025-01-01");
`
}

/** The command that starts the shop in each runtime; the first number in its output is its port. */
const commands: Record<string, (env: Record<string, string>) => [string, ...string[]]> = {
  Node: () => [process.execPath, 'node.js'],
  Deno: () => [
    join(installed, `@deno/linux-${intel ? 'x64' : 'arm64'}-glibc/deno`),
    ...['run', '--no-prompt', '--node-modules-dir=manual', '--allow-net=127.0.0.1', '--allow-env=SWITCHYARD,KEY', 'deno.js'],
  ],
  Bun: () => [join(installed, `@oven/bun-linux-${intel ? 'x64' : 'aarch64'}/bin/bun`), 'run', 'bun.js'],
  'a worker': env => {
    writeFileSync(join(place, 'worker.capnp'), workerSettings(env))
    return [join(installed, `@cloudflare/workerd-linux-${intel ? '64' : 'arm64'}/bin/workerd`), 'serve', '--control-fd=1', 'worker.capnp']
  },
}

/** Starts the shop in a runtime; gives its address. */
function begin(name: string, env: Record<string, string>): Promise<string> {
  const [command, ...args] = commands[name]!(env)
  const child = spawn(command, args, { cwd: place, env: { HOME: place, DENO_DIR: join(place, 'deno'), ...env } })
  running.add(child)
  let output = ''
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', chunk => {
        output += chunk
        const port = /"port":\s*(\d+)|^(\d+)\s*$/m.exec(output)
        if (port) resolve(`http://127.0.0.1:${port[1] ?? port[2]}`)
      })
    child.once('error', reject)
    child.once('exit', code => reject(new Error(`${name} ended with ${code}: ${output}`)))
  })
}

for (const name of Object.keys(commands))
  test(`in ${name}, the SDK takes a payment once, and verifies its webhook`, async () => {
    const shop = await openShop()
    const home = await begin(name, { SWITCHYARD: shop.url, KEY: shop.api_key })
    const ask = async (path: string, body?: string) => (await fetch(home + path, body === undefined ? {} : { method: 'POST', body })).json()
    await ask('/begin')
    const { payment_id, ...payment } = (await ask('/order')) as Record<string, unknown>
    deepEqual(payment, { status: 'succeeded', amount_received: 1250 })
    deepEqual(
      (await shop.processor.charges()).map(({ captured }) => captured),
      [1250],
    )
    await shop.wait('1 second')
    await eventually(async () => ((await ask('/heard')) as string[]).length > 0, `${name} hears of the payment`)
    deepEqual(await ask('/heard'), [payment_id])
    const forged = { 'webhook-id': 'evt_1', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)), 'webhook-signature': 'v1,AAAA' }
    equal((await fetch(`${home}/hooks`, { method: 'POST', headers: forged, body: '{}' })).status, 400)
    deepEqual(await ask('/heard'), [payment_id])
  })
