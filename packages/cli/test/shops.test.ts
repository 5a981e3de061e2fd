import { equal, match } from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { cards, openShop } from '../../../test/shop.ts'
import { openTerminal } from './run.ts'

/** Shops as `switchyard init` writes them, installed from the registry of npm and started as their README says. */

const packages = join(import.meta.dirname, '../..')

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}

for (const framework of ['express', 'fastify', 'next'])
  test(`a new shop for ${framework} takes a payment, hears of it by a verified webhook, and its own test is green`, {
    timeout: 600_000,
  }, async () => {
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
      for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', chunk => (said += chunk))
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
    const read = (path: string, body?: object) =>
      fetch(`${address}${path}`, {
        ...(body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      })
    const answers = () =>
      read('/').then(
        ({ ok }) => ok,
        () => false,
      )
    await eventually(answers, 'the shop answers', 60)
    const home = await read('/')
    equal(home.status, 200)
    match(await home.text(), /Your order/)
    const listener = terminal.begin('listen', '--forward-to', `127.0.0.1:${port}/webhooks`)
    await eventually(async () => listener.said.err.includes('Connected'), 'the listener is connected')

    const order = (await (await read('/orders', { items: { lamp: 1 }, amount: 1 })).json()) as Record<string, string>
    const { body: paid } = await merchant.call(
      'POST',
      `/payments/${order.payment_id}/confirm`,
      {
        client_secret: order.client_secret,
        payment_method: 'card',
        payment_method_data: { card: { card_number: cards.approves, card_exp_month: '12', card_exp_year: '2040', card_cvc: '123' } },
      },
      { 'api-key': merchant.publishable_key },
    )
    equal(paid.status, 'succeeded')
    const found = async () => (await (await read(`/orders/${order.payment_id}`)).json()) as Record<string, unknown>
    await eventually(async () => (await found()).paid === true, 'the webhook arrives')
    equal((await found()).amount, 8900)
    equal((await read('/orders/pay_unknown')).status, 404)
    equal((await read('/orders', { items: { lamp: 21 } })).status, 400)
    equal((await read('/webhooks', { event_id: 'evt_1' })).status, 400)
    await listener.stop()
    close()
    match(await npm('test'), /pass 3/)
    // Nothing that is secret is among what its owner would commit.
    spawnSync('git', ['init', '-q'], { cwd: folder })
    const { stdout } = spawnSync('git', ['ls-files', '--others', '--exclude-standard'], { cwd: folder, encoding: 'utf8' })
    match(stdout, /^\.env\.example$/m)
    equal(/^\.env$/m.test(stdout), false)
  })
