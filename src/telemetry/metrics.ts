import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { limitNames } from '../accounts/card-testing-limits.ts'
import type { Context, Reply, Sender } from '../context.ts'
import type { AttemptRecord } from './attempts.ts'
import { type MetricsPlace, serveMetrics } from './metrics-port.ts'

export type Gauges = {
  queues(): Promise<readonly { name: string; due: number; oldest_age_seconds: number }[]>
  isolated(): Promise<number>
  endpoints(): Promise<{ failing: number; disabled: number }>
  connections(): { total: number; idle: number; waiting: number }
  lines(): number
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30]

export const metricName = (name: string): string => `switchyard_${name}`

/** The metrics that are read from the database, and so are the same for all processes. */
export const ofDatabase: ReadonlySet<string> = new Set(
  ['queue_due', 'queue_oldest_age_seconds', 'jobs_isolated', 'webhook_endpoints', 'metrics_database_read'].map(metricName),
)

const instruments = (registers: Registry[]) => ({
  counter: <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name: metricName(name), help, labelNames: [...labelNames], registers }),
  histogram: <L extends string>(name: string, help: string, labelNames: readonly L[], buckets = SECONDS) =>
    new Histogram({ name: metricName(name), help, labelNames: [...labelNames], buckets, registers }),
  gauge: <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name: metricName(name), help, labelNames: [...labelNames], registers }),
})

/** Returns the function that reads the gauges anew, with those of the database if `whole`. */
function standing(gauge: ReturnType<typeof instruments>['gauge']) {
  const due = gauge('queue_due', 'Number of due jobs of a queue', ['queue'])
  const age = gauge('queue_oldest_age_seconds', 'Age of the oldest due job of a queue', ['queue'])
  const isolated = gauge('jobs_isolated', 'Isolated jobs, which are retried once an hour')
  const endpoints = gauge('webhook_endpoints', 'Webhook endpoints of merchants whose deliveries fail, and disabled ones', ['state'])
  const connections = gauge('database_connections', 'Database connections for reads, and requests waiting for one', ['state'])
  const lines = gauge('request_log_waiting', 'API request log lines waiting to be written')
  const read = gauge('metrics_database_read', 'Whether the database responded for this scrape: 1 or 0')

  return async (gauges: Gauges, whole: boolean): Promise<void> => {
    const { total, idle, waiting } = gauges.connections()
    connections.set({ state: 'busy' }, total - idle)
    connections.set({ state: 'idle' }, idle)
    connections.set({ state: 'waiting' }, waiting)
    lines.set(gauges.lines())
    if (!whole) return
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
      // The process's own figures are most valuable when the database is unavailable.
      for (const one of [due, age, isolated, endpoints]) one.reset()
      read.set(0)
    }
  }
}

/** Labels are names from our tables (connectors, verbs, states, routes), never callers' texts: so they are few. */
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

    /** `connectorOf`: the connector of an account, as far as it is in memory. */
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

    /** `whole`: with those that are read from the database. */
    async figures(gauges: Gauges, whole: boolean) {
      await read(gauges, whole)
      return register.getMetricsAsJSON()
    },

    listen(at: MetricsPlace, gauges: Gauges): Promise<{ url: string; close(): Promise<void> }> {
      return serveMetrics(at, async () => {
        await read(gauges, true)
        return { type: register.contentType, text: await register.metrics() }
      })
    },
  }
}
export type Metrics = ReturnType<typeof openMetrics>
