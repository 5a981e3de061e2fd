import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Opens the processor of the connector `orderpay.ts`, as an HTTP server with books of its own. */
export async function openOrderpay() {
  const orders = new Map<string, { id: string; status: string; amount: number; currency: string }>()
  const tokens = new Set<string>()
  /** The requests that the server has received, as `POST /orders`. */
  const requests: string[] = []
  /** The webhook events that the server has sent. */
  const events = new Set<string>()
  /** Paths at which the server drops the connection: before or after it has done the work. */
  const hangsUp = new Map<string, 'before' | 'after'>()
  let tokenLife_s = 3600
  let fetched = 0

  function answer(method: string, path: string, token: string, body: Record<string, unknown>): [status: number, body: object] {
    if (path === '/token') {
      if (body.secret !== 'good') return [401, {}]
      const fresh = `orderpay_token_${++fetched}`
      tokens.add(fresh)
      return [200, { token: fresh, expires_in: tokenLife_s }]
    }
    if (!tokens.has(token)) return [401, {}]
    if (path === '/verify') return [events.has(body.event as string) ? 200 : 400, {}]
    if (method === 'POST' && path === '/orders') {
      const order = { id: `ord_${orders.size + 1}`, status: 'created', amount: body.amount as number, currency: body.currency as string }
      orders.set(order.id, order)
      return [200, order]
    }
    const order = orders.get(path.split('/')[2] ?? '')
    if (!order) return [404, {}]
    if (path.endsWith('/confirm')) order.status = 'completed'
    return [200, order]
  }

  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request
    const path = url.replace(/ord_\d+/, ':id')
    requests.push(`${method} ${path}`)
    const body = await bodyOf(request)
    if (hangsUp.get(path) === 'before') return request.socket.destroy()
    const [status, reply] = answer(method, url, request.headers.authorization?.slice(7) ?? '', body)
    if (hangsUp.get(path) === 'after') return request.socket.destroy()
    return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    orders: () => [...orders.values()],
    /** Gives the requests received since the last call of this function. */
    requests: () => requests.splice(0),
    hangUp: (path: string, when: 'before' | 'after') => hangsUp.set(path, when),
    soundAgain: () => hangsUp.clear(),
    revokeTokens: () => tokens.clear(),
    tokensLive(seconds: number) {
      tokenLife_s = seconds
    },
    announces(order: string): string {
      const event = JSON.stringify({ order })
      events.add(event)
      return event
    },
    close: () =>
      new Promise<void>(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text === '' ? {} : JSON.parse(text)
}
