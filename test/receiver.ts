import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

/** A webhook as received: `body` is its exact text. */
export type Received = {
  path: string
  headers: IncomingHttpHeaders
  body: string
  event: Record<string, unknown> & { content: { object: Record<string, unknown> } }
}

/** The answer of a merchant's endpoint: a status, with headers and a body. */
export type ReceiverAnswer = { status: number; headers?: Record<string, string>; body?: string }

/**
 * Opens a merchant's endpoint, a real server over HTTP: it keeps the webhooks that it receives, and gives the answers
 * that the test sets. It is closed when the file's last test is over.
 */
export async function openReceiver(path = '/hooks') {
  const received: Received[] = []
  let answer: (one: Received) => ReceiverAnswer | Promise<ReceiverAnswer> = () => ({ status: 200 })
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', async () => {
      const body = Buffer.concat(chunks).toString()
      const one = { path: request.url ?? '', headers: request.headers, body, event: JSON.parse(body) }
      received.push(one)
      const { status, headers, body: text } = await answer(one)
      response.writeHead(status, headers).end(text)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${path}`,
    received,
    /** Gives the types of the received webhooks in their order; only those of one object, if it is named. */
    types: (object_id?: string) =>
      received
        .filter(({ event: { content } }) => object_id === undefined || content.object.payment_id === object_id)
        .map(({ event }) => event.event_type),
    answers(how: typeof answer | ReceiverAnswer): void {
      answer = typeof how === 'function' ? how : () => how
    },
  }
}
