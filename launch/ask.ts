// Sends one HTTP request to a process of this project. (Loading the global fetch alone would take a tenth of the whole
// start.)
import { request } from 'node:http'

export type Answer = { status: number; body: unknown }

export function ask(method: string, url: string, headers: Record<string, string> = {}, body?: unknown): Promise<Answer> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const all = { connection: 'close', ...(text === undefined ? {} : { 'content-type': 'application/json' }), ...headers }
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers: all, timeout: 15_000 }, reply => {
      let content = ''
      reply.setEncoding('utf8').on('data', chunk => (content += chunk))
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body: parse(content) })).on('error', reject)
    })
    call.on('timeout', () => call.destroy(new Error(`${method} ${url}: no answer within 15 s`)))
    call.on('error', reject)
    call.end(text)
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
