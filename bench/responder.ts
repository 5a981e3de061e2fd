// A processor that approves every request: the interface of the sandbox (`sandbox/README.md`) without a ledger or
// rules, so that it costs next to nothing. A process of its own:
//
//   PORT=8081 node bench/responder.ts
import { createServer, type Server } from 'node:http'

type Asked = { reference: string; amount: number; currency: string; capture: 'automatic' | 'manual' }

/** Returns an approved authorization of exactly the requested amount. */
export function approve(asked: Asked, n: number): string {
  const id = `auth_${String(n).padStart(24, '0')}`
  const captured = asked.capture === 'automatic'
  const now = new Date().toISOString()
  return JSON.stringify({
    id,
    object: 'operation',
    type: 'authorization',
    payment: id,
    reference: asked.reference,
    status: 'approved',
    amount: asked.amount,
    currency: asked.currency,
    decline: null,
    redirect_url: null,
    payment_state: {
      status: captured ? 'captured' : 'authorized',
      authorized: asked.amount,
      captured: captured ? asked.amount : 0,
      refunded: 0,
    },
    network_transaction_id: '481920573641208',
    authorization_code: 'A1B2C3',
    eci: '07',
    avs_result: 'Y',
    cvc_result: 'M',
    arn: null,
    hold_expires_at: captured ? null : new Date(Date.now() + 7 * 86_400_000).toISOString(),
    created_at: now,
    updated_at: now,
  })
}

export function openResponder(port: number): Promise<Server> {
  let n = 0
  const server = createServer((request, reply) => {
    if (request.method !== 'POST' || request.url !== '/v1/payments') {
      reply.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"code":"not_found","message":"only POST /v1/payments"}}')
      return
    }
    let text = ''
    request.setEncoding('utf8').on('data', chunk => (text += chunk))
    request.on('end', () => {
      const body = approve(JSON.parse(text), ++n)
      reply.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
    })
  })
  server.keepAliveTimeout = 60_000
  return new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', () => resolve(server)))
}

if (import.meta.main) {
  await openResponder(Number(process.env.PORT ?? 0))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0))
}
