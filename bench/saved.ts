// The saved cards of many customers, and the requests that pay with them.
import { randomBytes } from 'node:crypto'
import { request } from 'undici'
import { purchase } from './body.ts'

const CUSTOMERS = 300

/**
 * Returns a request for each of many customers: the ordinary purchase, paid with the customer's saved card. Tokens
 * last a quarter of an hour.
 */
export async function savedPurchases(url: string, key: string): Promise<object[]> {
  const call = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const answer = await request(url + path, {
      method,
      headers: { 'api-key': key, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`)
    return JSON.parse(text)
  }
  const { payment_method_data, name, email, phone, phone_country_code, ...rest } = purchase
  const { card_cvc } = payment_method_data.card
  const bodies: object[] = []
  const run = randomBytes(4).toString('hex')
  for (let n = 0; n < CUSTOMERS; n++) {
    const customer_id = `cus_saved_${run}_${n}`
    await call('POST', '/customers', { customer_id, name, email, phone, phone_country_code })
    await call('POST', '/payment_methods', { payment_method: 'card', customer_id, card: payment_method_data.card })
    const { customer_payment_methods } = await call('GET', `/customers/${customer_id}/payment_methods`)
    const { payment_token } = customer_payment_methods[0]
    bodies.push({ ...rest, name, email, phone, phone_country_code, customer_id, payment_token, card_cvc, confirm: true })
  }
  return bodies
}
