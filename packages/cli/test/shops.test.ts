import { equal, match } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { cards } from '../../../test/shop.ts'
import { openNewShop } from './new-shop.ts'

/** What `switchyard init` writes works. In a browser: `test/browser/new-shop.test.ts`. */

const timeout = 600_000
const packages = join(import.meta.dirname, '../..')

/** What the type checker says of a shop in JavaScript, whose comments have types. */
function typeErrors(folder: string): string {
  const compiler = join(packages, 'node_modules/typescript/bin/tsc')
  const types = ['--types', 'node', '--typeRoots', join(packages, 'node_modules/@types')]
  const options = ['--noEmit', '--checkJs', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2023', ...types]
  return spawnSync(process.execPath, [compiler, ...options, 'server.js', 'shop.test.js'], { cwd: folder, encoding: 'utf8' }).stdout
}

for (const framework of ['express', 'fastify', 'next'])
  test(`a new ${framework} shop takes a payment, receives the verified webhook, and passes its own tests`, {
    timeout,
  }, async () => {
    const { merchant, folder, npm, ask, listener, close } = await openNewShop(framework)
    const home = await ask('/')
    match(await home.text(), /Your order/)
    const order = (await (await ask('/orders', { items: { lamp: 1 }, amount: 1 })).json()) as Record<string, string>
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
    const found = async () => (await (await ask(`/orders/${order.payment_id}`)).json()) as Record<string, unknown>
    await eventually(async () => (await found()).paid === true, 'the webhook arrives')
    equal((await found()).amount, 8900)
    equal((await ask('/orders/pay_unknown')).status, 404)
    equal((await ask('/orders', { items: { lamp: 21 } })).status, 400)
    equal((await ask('/webhooks', { event_id: 'evt_1' })).status, 400)
    await listener.stop()
    close()
    match(await npm('test'), /pass 3/)
    // `next build` checks types by itself.
    if (framework === 'express') await npm('install', '--no-save', '--no-audit', '--no-fund', '@types/express@5.0.6')
    if (framework !== 'next') equal(typeErrors(folder), '')
    // Nothing that is secret is among what its owner would commit.
    spawnSync('git', ['init', '-q'], { cwd: folder })
    const { stdout } = spawnSync('git', ['ls-files', '--others', '--exclude-standard'], { cwd: folder, encoding: 'utf8' })
    match(stdout, /^\.env\.example$/m)
    equal(/^\.env$/m.test(stdout), false)
  })
