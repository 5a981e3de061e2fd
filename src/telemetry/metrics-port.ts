import { timingSafeEqual } from 'node:crypto'
import { createServer, type Server } from 'node:http'

/** The address of the metrics. `token`: the bearer token that a scrape must send; null: none. */
export type MetricsPlace = { host: string; port: number; token: string | null }

/** Only at `/metrics`: to every caller, or, with a token, to callers that send it. */
export async function serveMetrics(
  at: MetricsPlace,
  scrape: () => Promise<{ type: string; text: string }>,
): Promise<{ url: string; close(): Promise<void> }> {
  const wanted = at.token === null ? null : Buffer.from(`Bearer ${at.token}`)
  const isAuthorized = (given: string) => {
    const sent = Buffer.from(given)
    return wanted === null || (sent.length === wanted.length && timingSafeEqual(sent, wanted))
  }
  const server: Server = createServer(async (request, response) => {
    const say = (status: number, text: string) => response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
    if (request.url?.split('?')[0] !== '/metrics') return say(404, 'Only /metrics is available here\n')
    if (!isAuthorized(request.headers.authorization ?? '')) return say(401, 'The bearer token is missing or wrong\n')
    const { type, text } = await scrape()
    response.writeHead(200, { 'content-type': type }).end(text)
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(at.port, at.host, resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `http://${at.host.includes(':') ? `[${at.host}]` : at.host}:${port}/metrics`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
