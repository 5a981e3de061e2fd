// @ts-check
// Starts the shop as `npm start` does, and pays in it with a test card: settings of a test merchant are in .env.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { createClient, webhooks } from '@switchyard/node'
import { setting } from './shop.js'

const STARTS_WITHIN_MS = 60_000
let address = ''
/** @type {import('node:child_process').ChildProcess} */
let shop

before(async () => {
  const port = await new Promise(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = /** @type {import('node:net').AddressInfo} */ (probe.address())
      probe.close(() => resolve(free))
    })
  })
  address = `http://127.0.0.1:${port}`
  // A group of its own, so that npm and what it starts end together.
  shop = spawn('npm', ['start'], { env: { ...process.env, PORT: String(port), SHOP_URL: address }, stdio: 'inherit', detached: true })
  for (const end = Date.now() + STARTS_WITHIN_MS; Date.now() < end; await wait(200))
    if (
      await fetch(address)
        .then(answer => answer.ok)
        .catch(() => false)
    )
      return
  throw new Error('the shop does not answer')
})
after(() => shop.pid && process.kill(-shop.pid, 'SIGTERM'))

/** @param {string} path @param {unknown} [body] */
async function ask(path, body) {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${address}${path}`, body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: answer.status, body: await answer.json() }
}

/** A webhook about this payment, signed with this secret. @param {string} payment_id @param {string} secret */
async function deliver(payment_id, secret) {
  const event = { event_id: `evt_${payment_id}`, event_type: 'payment_succeeded', content: { object: { payment_id } } }
  const body = JSON.stringify(event)
  const headers = { 'content-type': 'application/json', ...(await webhooks.sign(body, secret, { id: event.event_id })) }
  return (await fetch(`${address}/webhooks`, { method: 'POST', headers, body })).status
}

test('the server sets the price, whatever a page says', async () => {
  const { body } = await ask('/orders', { items: { lamp: 2 }, amount: 1 })
  assert.equal(body.amount, 17_800)
  assert.equal((await ask('/orders', { items: { lamp: -1 } })).status, 400)
  assert.equal((await ask('/orders', { items: {} })).status, 400)
})

test('an order that is sent again is one payment', async () => {
  const order = { items: { lamp: 1 }, key: crypto.randomUUID() }
  const [first, second] = [await ask('/orders', order), await ask('/orders', order)]
  assert.equal(first.body.payment_id, second.body.payment_id)
})

test('an order is paid when a signed webhook says so, and not before', async () => {
  const { body: order } = await ask('/orders', { items: { chair: 1 } })
  // As the element in the page does it: with the publishable key.
  const browser = createClient({ baseUrl: setting('SWITCHYARD'), apiKey: setting('PUBLISHABLE_KEY') })
  const payment = await browser.payments.confirm(order.payment_id, {
    client_secret: order.client_secret,
    payment_method: 'card',
    payment_method_data: { card: { card_number: '4242424242424242', card_exp_month: '12', card_exp_year: '2040', card_cvc: '123' } },
  })
  assert.equal(payment.status, 'succeeded')
  const wrong = `whsec_${btoa('another secret of 24 bytes')}`
  assert.equal(await deliver(order.payment_id, wrong), 400)
  assert.equal(await deliver(order.payment_id, setting('WEBHOOK_SECRET')), 200)
  assert.equal((await ask(`/orders/${order.payment_id}`)).body.paid, true)
})
