// A stand-in for the sandbox that does no work: the sandbox's answer to the first request of a kind is returned to all
// requests of that kind, with their own references in it. A process of its own:
//
//   PORT=8082 UPSTREAM=http://127.0.0.1:8081 node bench/recorder.ts
import { createServer, type Server } from 'node:http'
import { request as ask } from 'undici'

/** The references by which a processor knows operations, and ids of payments (`base/id.ts`). */
const REFERENCES = /[0-9A-HJKMNP-TV-Z]{26}/g

type Kept = { status: number; type: string; text: string; references: string[] }

export function openRecorder(port: number, upstream: string): Promise<Server> {
  const kept = new Map<string, Promise<Kept>>()
  async function record(method: string, path: string, headers: Record<string, string>, body: string, references: string[]): Promise<Kept> {
    const { host: _host, connection: _connection, 'content-length': _length, ...rest } = headers
    const answer = await ask(upstream + path, { method: method as 'POST', headers: rest, body })
    return { status: answer.statusCode, type: String(answer.headers['content-type']), text: await answer.body.text(), references }
  }
  const server = createServer((request, reply) => {
    let body = ''
    request.setEncoding('utf8').on('data', chunk => (body += chunk))
    request.on('end', async () => {
      const { method = '', url = '' } = request
      const references = body.match(REFERENCES) ?? []
      const name = `${method} ${url}`
      if (!kept.has(name)) kept.set(name, record(method, url, request.headers as Record<string, string>, body, references))
      const first = await kept.get(name)!
      const text = first.references.reduce((result, reference, i) => result.replaceAll(reference, references[i] ?? ''), first.text)
      reply.writeHead(first.status, { 'content-type': first.type, 'content-length': Buffer.byteLength(text) }).end(text)
    })
  })
  server.keepAliveTimeout = 60_000
  return new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', () => resolve(server)))
}

if (import.meta.main) {
  await openRecorder(Number(process.env.PORT), process.env.UPSTREAM ?? '')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0))
}
