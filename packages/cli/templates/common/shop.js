// @ts-check
// What this shop sells, its orders, and what it hears of them. Card data is typed in a frame of Switchyard's and never
// reaches this server.
import { randomUUID } from 'node:crypto'
import { createClient } from '@switchyard/node'

/** Prices are the server's own: a page can be changed by the person who looks at it. In cents. */
export const products = {
  lamp: { name: 'Desk lamp', price: 8900 },
  chair: { name: 'Oak chair', price: 24900 },
}
export const CURRENCY = 'EUR'
const MOST_OF_EACH = 20

/**
 * A setting of `.env`.
 * @param {'SWITCHYARD' | 'SWITCHYARD_KEY' | 'PUBLISHABLE_KEY' | 'WEBHOOK_SECRET' | 'SHOP_URL'} name
 * @returns {string}
 */
export function setting(name) {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: fill it in, in .env`)
  return value
}

/** What the page needs to know. Both may be seen by browsers. */
export const browserSettings = () => ({ switchyard: new URL(setting('SWITCHYARD')).origin, publishableKey: setting('PUBLISHABLE_KEY') })

const client = () => createClient({ baseUrl: setting('SWITCHYARD'), apiKey: setting('SWITCHYARD_KEY') })

/** What the customer may be told. */
export class Refused extends Error {}

/**
 * What is kept of orders, by payment. Replace it with your database: it is gone when this process ends. It is global
 * because a framework may load this file more than once.
 * @type {{ paid: Set<string>, heard: Set<string> }}
 */
const kept = /** @type {any} */ (globalThis).shop ?? { paid: new Set(), heard: new Set() }
Object.assign(globalThis, { shop: kept })

/**
 * Creates the payment of an order. `key`: of this order, made by the page, so that an order that is sent again is one.
 * @param {unknown} ask `{ items: { lamp: 2 }, key: '…' }`
 */
export async function createOrder(ask) {
  const { items, key = randomUUID() } = /** @type {{ items?: Record<string, unknown>, key?: unknown }} */ (ask ?? {})
  if (typeof key !== 'string' || !/^[\w-]{8,64}$/.test(key)) throw new Refused('key must be 8 to 64 letters, digits, _ or -')
  let amount = 0
  for (const [id, quantity] of Object.entries(items ?? {})) {
    if (!Object.hasOwn(products, id)) throw new Refused(`There is no ${id}`)
    if (typeof quantity !== 'number' || !Number.isInteger(quantity) || quantity < 0 || quantity > MOST_OF_EACH)
      throw new Refused(`At most ${MOST_OF_EACH} of each`)
    amount += products[/** @type {keyof typeof products} */ (id)].price * quantity
  }
  if (amount === 0) throw new Refused('The basket is empty')
  const payment = await client().payments.create(
    { amount, currency: CURRENCY, return_url: setting('SHOP_URL') },
    { idempotencyKey: `order-${key}` },
  )
  return { payment_id: payment.payment_id, client_secret: payment.client_secret, amount, currency: CURRENCY }
}

/**
 * How an order stands. `paid`: a webhook has said so, so it can be sent.
 * @param {string} paymentId
 */
export async function findOrder(paymentId) {
  const { payment_id, status, amount, currency } = await client().payments.retrieve(paymentId)
  return { payment_id, status, amount, currency, paid: kept.paid.has(payment_id) }
}

/**
 * An event whose signature was verified. It may come more than once, and is heard once.
 * @param {import('@switchyard/node').SwitchyardEvent} event
 */
export function hear(event) {
  if (kept.heard.has(event.event_id)) return
  if (event.event_type === 'payment_succeeded') {
    kept.paid.add(event.content.object.payment_id)
    console.log(`paid: ${event.content.object.payment_id}`)
  }
  kept.heard.add(event.event_id)
}
