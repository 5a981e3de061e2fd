// A shop in one file: what it sells, its orders, and what it hears of them. It has no dependency, and talks to
// Switchyard by fetch alone. Card data is typed in a frame of Switchyard's and never reaches this server.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

/** Prices are the server's own: a page can be changed by the person who looks at it. In cents. */
export const products = {
  lamp: { name: 'Desk lamp', says: 'Brass, with a linen shade', price: 8900 },
  chair: { name: 'Oak chair', says: 'Oiled, seat of paper cord', price: 24900 },
  coffee: { name: 'Coffee', says: '500 g of beans, roasted this week', price: 1650 },
}
const CURRENCY = 'EUR'

const files = {
  '/': ['page.html', 'text/html; charset=utf-8'],
  '/shop.js': ['shop.js', 'text/javascript; charset=utf-8'],
  '/shop.css': ['shop.css', 'text/css; charset=utf-8'],
}

/**
 * Opens the shop. `switchyard`: address of the service; `key`, `publishableKey`: of a merchant there; `port`: 0 for
 * one that is free. Gives its address, and `close`.
 * @param {{ switchyard: string, key: string, publishableKey: string, port?: number }} settings
 */
export async function openShop({ switchyard, key, publishableKey, port = 0 }) {
  /** Open pages, by the customer who looks at them. @type {Map<string, Set<import('node:http').ServerResponse>>} */
  const pages = new Map()
  /** Ids of events that were heard: each may be delivered more than once. */
  const heard = new Set()

  /** One call to Switchyard. The key of a POST makes it safe to send again. */
  async function ask(method, path, body, idempotencyKey = randomBytes(16).toString('hex')) {
    const answer = await fetch(`${switchyard}${path}`, {
      method,
      headers: { 'api-key': key, 'content-type': 'application/json', ...(method === 'POST' && { 'idempotency-key': idempotencyKey }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    })
    const said = await answer.json()
    if (answer.ok) return said
    // What the service says is for the developer of the shop, never for its customer.
    console.error(`${method} ${path}: ${answer.status} ${said.error?.code}: ${said.error?.message}`)
    throw new Refused(answer.status, 'This could not be done right now. Please try again, or choose something else.')
  }

  /** Creates a payment for what is in the basket. */
  async function order(customer_id, { items, how }) {
    const lines = Object.entries(items ?? {}).filter(([id, quantity]) => Object.hasOwn(products, id) && quantity > 0)
    if (lines.length === 0) throw new Refused(400, 'The basket is empty')
    if (lines.some(([, quantity]) => !Number.isInteger(quantity) || quantity > 20)) throw new Refused(400, 'At most 20 of each')
    const amount = lines.reduce((sum, [id, quantity]) => sum + products[id].price * quantity, 0)
    const payment = await ask('POST', '/payments', {
      amount,
      currency: CURRENCY,
      customer_id,
      description: lines.map(([id, quantity]) => `${quantity} × ${products[id].name}`).join(', '),
      order_details: lines.map(([id, quantity]) => ({ product_name: products[id].name, quantity, amount: products[id].price })),
      return_url: `${address}/`,
      metadata: { shop: 'examples/shop' },
      // A subscription is charged again without its customer, who agrees to that when they pay.
      ...(how === 'subscription' && { setup_future_usage: 'off_session' }),
      ...(how === 'link' && { payment_link: true }),
    })
    return { ...shown(payment), client_secret: payment.client_secret, link: payment.payment_link?.link ?? null }
  }

  /** With this key the customer's own browser looks after what they have saved, for an hour. */
  async function keyOf(customer_id) {
    const { secret } = await ask('POST', '/ephemeral_keys', { customer_id })
    return { customer_id, ephemeral_key: secret }
  }

  /** Creates a payment by which a card is added: their bank is asked, and nothing is charged. */
  async function addCard(customer_id) {
    const adding = { amount: 0, currency: CURRENCY, customer_id, setup_future_usage: 'on_session', return_url: `${address}/` }
    const { client_secret } = await ask('POST', '/payments', { ...adding, metadata: { shop: 'examples/shop' } })
    return { client_secret }
  }

  /** The order of this customer; another one's is not there. */
  async function find(customer_id, payment_id) {
    const payment = await ask('GET', `/payments/${encodeURIComponent(payment_id)}`)
    if (payment.customer_id !== customer_id) throw new Refused(404, 'There is no such order')
    return payment
  }

  /**
   * Charges a subscription for another month: its customer is not there, so the saved payment method is named. `key`:
   * of this charge, so that a request that is sent again charges once.
   */
  async function renew(customer_id, payment_id, { key }) {
    if (typeof key !== 'string' || !/^[\w-]{8,64}$/.test(key)) throw new Refused(400, 'key: of this renewal is needed')
    const { amount, currency, payment_method_id, description } = await find(customer_id, payment_id)
    if (!payment_method_id) throw new Refused(409, 'This order is no subscription')
    const charge = {
      amount,
      currency,
      customer_id,
      description,
      confirm: true,
      off_session: true,
      recurring_details: { type: 'payment_method_id', data: payment_method_id },
      metadata: { shop: 'examples/shop' },
    }
    return shown(await ask('POST', '/payments', charge, `renewal-${payment_id}-${key}`))
  }

  /** An event: signed, or not believed; heard once, however often it is delivered. */
  function hear(headers, body) {
    if (!isSigned(headers, body, endpoint.secret)) throw new Refused(401, 'The signature is wrong')
    const id = headers['webhook-id']
    if (heard.has(id)) return
    heard.add(id)
    const { event_type, timestamp, content } = JSON.parse(body)
    const { payment_id, customer_id, status, amount, currency } = content?.object ?? {}
    const told = `data: ${JSON.stringify({ event_type, timestamp, payment_id, status, amount, currency })}\n\n`
    for (const page of pages.get(customer_id) ?? []) page.write(told)
  }

  /** Tells a page, as they come, of the events of its customer. */
  function listen(customer_id, request, response) {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).write(':\n\n')
    const open = pages.get(customer_id) ?? new Set()
    pages.set(customer_id, open.add(response))
    request.on('close', () => open.delete(response))
  }

  async function answer(request, response) {
    const { pathname } = new URL(request.url ?? '/', 'http://shop')
    const send = (status, body) =>
      response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(body))
    if (request.method === 'POST' && pathname === '/webhooks') {
      hear(request.headers, await read(request))
      return response.writeHead(204).end()
    }
    const customer_id = shopperOf(request, response)
    if (request.method === 'GET' && Object.hasOwn(files, pathname)) {
      const [name, type] = files[pathname]
      return response
        .writeHead(200, { 'content-type': type, 'content-security-policy': policy(switchyard) })
        .end(readFileSync(new URL(name, import.meta.url), 'utf8').replaceAll('{switchyard}', switchyard))
    }
    if (request.method === 'GET' && pathname === '/shop.json')
      return send(200, { products, currency: CURRENCY, publishable_key: publishableKey })
    if (request.method === 'GET' && pathname === '/live') return listen(customer_id, request, response)
    // A page of another site cannot order in somebody's name: its browser would ask before it sends JSON.
    if (request.method === 'POST' && request.headers['content-type'] !== 'application/json') return send(415, { error: 'JSON is needed' })
    if (request.method === 'POST' && pathname === '/orders') return send(200, await order(customer_id, await readJson(request)))
    if (request.method === 'POST' && pathname === '/cards/key') return send(200, await keyOf(customer_id))
    if (request.method === 'POST' && pathname === '/cards') return send(200, await addCard(customer_id))
    const [, payment_id, renewal] = /^\/orders\/(\w+)(\/renewal)?$/.exec(pathname) ?? []
    if (request.method === 'GET' && payment_id && !renewal) return send(200, shown(await find(customer_id, payment_id)))
    if (request.method === 'POST' && renewal) return send(200, await renew(customer_id, payment_id, await readJson(request)))
    return send(404, { error: 'There is no such page' })
  }

  const server = createServer((request, response) =>
    answer(request, response).catch(error => {
      const [status, words] = error instanceof Refused ? [error.status, error.message] : [500, 'Something went wrong in the shop']
      if (status === 500) console.error(error)
      if (!response.headersSent) response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: words }))
    }),
  )
  await new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', () => resolve(undefined)))
  const address = `http://127.0.0.1:${server.address().port}`
  // Switchyard tells this server what happens; the secret that signs it is shown once.
  const endpoint = await ask('POST', '/webhook_endpoints', { url: `${address}/webhooks`, description: 'examples/shop' })

  return {
    address,
    async close() {
      server.close()
      server.closeAllConnections()
      await ask('DELETE', `/webhook_endpoints/${endpoint.endpoint_id}`)
    },
  }
}

/** A request that the shop refuses, with its status and its words. */
class Refused extends Error {
  constructor(status, words) {
    super(words)
    this.status = status
  }
}

/** What the page is told of a payment. */
const shown = ({ payment_id, status, amount, currency, description, payment_method_id, error_message }) => ({
  payment_id,
  status,
  amount,
  currency,
  description,
  is_saved: payment_method_id !== null,
  error_message,
})

/** The customer of a request, known again by a cookie: customers do not sign in here. */
function shopperOf(request, response) {
  const known = /(?:^|;\s*)shopper=(cus_[0-9a-f]{24})(?:;|$)/.exec(request.headers.cookie ?? '')?.[1]
  const shopper = known ?? `cus_${randomBytes(12).toString('hex')}`
  if (!known) response.setHeader('set-cookie', `shopper=${shopper}; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000`)
  return shopper
}

/** The page may run its own script and Switchyard's, show Switchyard's frames, and nothing else. */
const policy = switchyard =>
  [
    "default-src 'none'",
    `script-src 'self' ${switchyard}`,
    `frame-src ${switchyard}`,
    "style-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

const LARGEST_BODY = 1_000_000

async function read(request) {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > LARGEST_BODY) throw new Refused(413, 'The request is too large')
  }
  return text
}

/** The body of a request: an object, or it is refused. */
async function readJson(request) {
  const text = await read(request)
  try {
    const body = JSON.parse(text)
    if (body !== null && typeof body === 'object') return body
  } catch {}
  throw new Refused(400, 'The body must be a JSON object')
}

/** Is it signed by this secret, and of the last five minutes? By Standard Webhooks. */
export function isSigned(headers, body, secret, now = Date.now()) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (!id || !signatures || !(Math.abs(now / 1000 - Number(timestamp)) < 300)) return false
  const bytes = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const right = createHmac('sha256', bytes).update(`${id}.${timestamp}.${body}`).digest()
  return signatures.split(' ').some(one => {
    const [version, text = ''] = one.split(',')
    const given = Buffer.from(text, 'base64')
    return version === 'v1' && given.length === right.length && timingSafeEqual(given, right)
  })
}

// Run by itself: SWITCHYARD, KEY and PUBLISHABLE_KEY as `npm start` prints them.
if (import.meta.filename === process.argv[1]) {
  const { SWITCHYARD: switchyard, KEY: key, PUBLISHABLE_KEY: publishableKey, SHOP_PORT: port = '8090' } = process.env
  if (!switchyard || !key || !publishableKey) throw new Error('SWITCHYARD, KEY and PUBLISHABLE_KEY must be set: npm start prints them')
  const shop = await openShop({ switchyard, key, publishableKey, port: Number(port) })
  console.log(`The shop is open at ${shop.address}`)
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => shop.close().finally(() => process.exit(0)))
}
