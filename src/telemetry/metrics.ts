import { timingSafeEqual } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { limitNames } from '../accounts/card-testing.ts'
import type { Context, Reply, Sender } from '../context.ts'
import type { AttemptRecord } from './attempts.ts'

/** What a scrape asks for at that moment. */
export type Gauges = {
  queues(): Promise<readonly { name: string; due: number; oldest_age_seconds: number }[]>
  isolated(): Promise<number>
  endpoints(): Promise<{ failing: number; disabled: number }>
  connections(): { total: number; idle: number; waiting: number }
  /** Lines of the API request log that wait to be written. */
  lines(): number
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30]

type Place = { host: string; port: number; token: string | null }

/** Counters, histograms and gauges of our own names. */
const instruments = (registers: Registry[]) => ({
  counter: <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name: `switchyard_${name}`, help, labelNames: [...labelNames], registers }),
  histogram: <L extends string>(name: string, help: string, labelNames: readonly L[], buckets = SECONDS) =>
    new Histogram({ name: `switchyard_${name}`, help, labelNames: [...labelNames], buckets, registers }),
  gauge: <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name: `switchyard_${name}`, help, labelNames: [...labelNames], registers }),
})

/** How it stands with what waits: gives what reads that anew. */
function standing(gauge: ReturnType<typeof instruments>['gauge']) {
  const due = gauge('queue_due', 'Number of due jobs of a queue', ['queue'])
  const age = gauge('queue_oldest_age_seconds', 'Age of the oldest due job of a queue', ['queue'])
  const isolated = gauge('jobs_isolated', 'Quarantined jobs, which are retried once an hour')
  const endpoints = gauge('webhook_endpoints', 'Webhook endpoints of merchants whose deliveries fail, and disabled ones', ['state'])
  const connections = gauge('database_connections', 'Database connections for reads, and requests waiting for one', ['state'])
  const lines = gauge('request_log_waiting', 'API request log lines waiting to be written')
  const read = gauge('metrics_database_read', 'Whether the database responded for this scrape: 1 or 0')

  return async (gauges: Gauges): Promise<void> => {
    const { total, idle, waiting } = gauges.connections()
    connections.set({ state: 'busy' }, total - idle)
    connections.set({ state: 'idle' }, idle)
    connections.set({ state: 'waiting' }, waiting)
    lines.set(gauges.lines())
    try {
      const [queues, poisoned, ill] = await Promise.all([gauges.queues(), gauges.isolated(), gauges.endpoints()])
      for (const queue of queues) {
        due.set({ queue: queue.name }, queue.due)
        age.set({ queue: queue.name }, queue.oldest_age_seconds)
      }
      isolated.set(poisoned)
      endpoints.set({ state: 'failing' }, ill.failing)
      endpoints.set({ state: 'disabled' }, ill.disabled)
      read.set(1)
    } catch {
      // What the process knows of itself is worth most just then.
      for (const one of [due, age, isolated, endpoints]) one.reset()
      read.set(0)
    }
  }
}

/** Serves what a scrape gives, at `/metrics` of this place alone. */
async function serve(at: Place, scrape: () => Promise<{ type: string; text: string }>): Promise<{ url: string; close(): Promise<void> }> {
  const wanted = at.token === null ? null : Buffer.from(`Bearer ${at.token}`)
  const isWelcome = (given: string) => {
    const brought = Buffer.from(given)
    return wanted === null || (brought.length === wanted.length && timingSafeEqual(brought, wanted))
  }
  const server: Server = createServer(async (request, response) => {
    const say = (status: number, text: string) => response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
    if (request.url?.split('?')[0] !== '/metrics') return say(404, 'Only /metrics is available here\n')
    if (!isWelcome(request.headers.authorization ?? '')) return say(401, 'The bearer token is missing or wrong\n')
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

/**
 * Prometheus metrics of one process. Labels are names of tables of ours (connectors, verbs, states, routes), never
 * anything that callers write: so there are only so many.
 */
export function openMetrics() {
  const registers = [new Registry()]
  const [register] = registers as [Registry]
  // Memory, processor time, and how late the event loop is.
  collectDefaultMetrics({ register })
  const { counter, histogram, gauge } = instruments(registers)
  const payments = counter('payment_attempts_total', 'Results of payment attempts', ['connector', 'method', 'outcome'] as const)
  const operations = counter('operations_total', 'Results of processor operations', ['connector', 'verb', 'outcome'] as const)
  const calls = histogram('connector_call_seconds', 'Duration of processor requests, from the request to the last byte of the response', [
    'connector',
    'purpose',
    'outcome',
  ] as const)
  const batches = histogram('commit_batch_size', 'Number of changes per commit', [], [1, 2, 4, 8, 16, 32, 64])
  const commits = histogram('commit_seconds', 'Duration of a commit, from handing over the change until it is durable', [] as const)
  const requests = histogram('http_request_seconds', 'Duration of requests, from their head to the last byte of the response', [
    'method',
    'route',
    'status',
  ] as const)
  const deliveries = histogram('webhook_delivery_seconds', 'Requests to merchants’ webhook endpoints', ['outcome'] as const)
  const stops = counter('card_testing_stops_total', 'Confirmations from browsers that a card testing limit blocked', ['limit'] as const)
  for (const limit of limitNames) stops.inc({ limit }, 0)
  const read = standing(gauge)
  const since = (begun: number) => (performance.now() - begun) / 1000
  const outcomeOf = (reply: Reply) => (reply.is === 'reply' ? `${Math.floor(reply.status / 100)}xx` : reply.is)

  return {
    attempt({ connector, verb, state, method }: AttemptRecord): void {
      operations.inc({ connector, verb, outcome: state })
      if (verb === 'authorize') payments.inc({ connector, method: method ?? 'none', outcome: state })
    },
    stopped: (limit: string): void => stops.inc({ limit }),
    request: (method: string, route: string, status: number, ms: number): void => requests.observe({ method, route, status }, ms / 1000),
    batch: (size: number): void => batches.observe(size),
    commit: (begun: number): void => commits.observe(since(begun)),

    /** Sends as before. `connectorOf`: the connector of an account, as far as it is in memory. */
    sends:
      (send: Context['send'], connectorOf: (sender: Sender) => Promise<string>): Context['send'] =>
      async (request, sender) => {
        const begun = performance.now()
        const reply = await send(request, sender)
        const took = since(begun)
        void connectorOf(sender).then(connector => calls.observe({ connector, purpose: sender.purpose, outcome: outcomeOf(reply) }, took))
        return reply
      },
    delivers:
      (deliver: Context['deliver']): Context['deliver'] =>
      async (request, sender) => {
        const begun = performance.now()
        const reply = await deliver(request, sender)
        deliveries.observe({ outcome: outcomeOf(reply) }, since(begun))
        return reply
      },

    /**
     * Serves them at `/metrics` of a port of their own: to every caller, or, with a token, to callers that send it.
     */
    listen(at: Place, gauges: Gauges): Promise<{ url: string; close(): Promise<void> }> {
      return serve(at, async () => {
        await read(gauges)
        return { type: register.contentType, text: await register.metrics() }
      })
    },
  }
}
export type Metrics = ReturnType<typeof openMetrics>
