import { equal } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { openShop } from '../../../test/shop.ts'
import { openTerminal } from './run.ts'

const packages = join(import.meta.dirname, '../..')

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}

/** Opens a shop that `switchyard init` has written, installed from the npm registry and started as its README says. */
export async function openNewShop(framework: string) {
  const merchant = await openShop({ webhooks: 'on' })
  const terminal = await openTerminal({
    SWITCHYARD: merchant.url,
    SWITCHYARD_KEY: merchant.api_key,
    PUBLISHABLE_KEY: merchant.publishable_key,
  })
  const folder = join(terminal.folder, 'shop')
  const made = await terminal.run('init', folder, '--framework', framework, '--packages', packages)
  equal(made.code, 0, made.err)
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const { NODE_TEST_CONTEXT: _ours, ...around } = process.env
  const env = { ...around, PORT: String(port), SHOP_URL: address, CI: '1', NEXT_TELEMETRY_DISABLED: '1' }
  const npm = async (...args: string[]) => {
    const child = spawn('npm', args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', chunk => {
        said += chunk
      })
    equal(await new Promise(resolve => child.on('close', resolve)), 0, said)
    return said
  }
  await npm('install', '--no-audit', '--no-fund')
  if (framework === 'next') await npm('run', 'build')

  const shop = spawn('npm', ['start'], { cwd: folder, env, stdio: ['ignore', 'inherit', 'inherit'], detached: true })
  const close = () => {
    if (shop.exitCode === null && shop.signalCode === null) process.kill(-shop.pid!, 'SIGTERM')
  }
  after(close)
  const ask = (path: string, body?: object) =>
    fetch(`${address}${path}`, {
      ...(body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
  const answers = () =>
    ask('/').then(
      ({ ok }) => ok,
      () => false,
    )
  await eventually(answers, 'the shop answers')
  const listener = terminal.begin('listen', '--forward-to', `127.0.0.1:${port}/webhooks`)
  await eventually(async () => listener.said.err.includes('Connected'), 'the listener is connected')
  return { merchant, folder, address, npm, ask, listener, close }
}
