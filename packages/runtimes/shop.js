import { createClient, money, webhooks } from '@switchyard/node'

// The server of a shop, as it is written for every runtime that has web requests: an endpoint for webhooks, an order
// that is held and captured, and what was heard of it.

const card = { card_number: '4242424242424242', card_exp_month: '12', card_exp_year: '2030', card_cvc: '123' }
const heard = []
let secret = ''

/** `env`: `SWITCHYARD` and `KEY`. */
export async function answer(request, env) {
  const { pathname, origin } = new URL(request.url)
  const switchyard = createClient({ baseUrl: env.SWITCHYARD, apiKey: env.KEY })
  if (pathname === '/begin') {
    const made = await switchyard.webhookEndpoints.create({ url: `${origin}/hooks`, event_types: ['payment.succeeded'] })
    secret = made.secret
    return Response.json({})
  }
  if (pathname === '/order') {
    const held = await switchyard.payments.create({
      ...money('12.50', 'EUR'),
      confirm: true,
      capture_method: 'manual',
      payment_method: 'card',
      payment_method_data: { card },
    })
    const { payment_id, status, amount_received } = await switchyard.payments.capture(held.payment_id, { amount_to_capture: 1250 })
    return Response.json({ payment_id, status, amount_received })
  }
  if (pathname === '/hooks') return webhooks.route(secret, event => void heard.push(event.content.object.payment_id))(request)
  return Response.json(heard)
}
