import { notListening } from '../base/misconfigured.ts'
import type { Config } from '../config.ts'
import type { Context, Log, Time } from '../context.ts'
import type { Reader } from '../database/connection.ts'
import type { Siblings } from '../processes/siblings.ts'
import { countFailing, countIsolated, readQueues } from '../scheduler/jobs.ts'
import { openAccountCounts } from '../telemetry/account-counts.ts'
import type { AttemptObserver } from '../telemetry/attempts.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { openRequestLog, type RequestLogWriter } from '../telemetry/request-log.ts'
import { depths } from './jobs.ts'

/**
 * Metrics and traces (null unless enabled), the counts of calls to accounts, and the receiver of attempts' results.
 * `now`: calls count when made, also those of sample data, whose rows are dated in the past.
 */
export async function openTelemetry(config: Config, log: Log, now: () => Time) {
  // Disabled telemetry is not loaded.
  const metrics = config.metrics && (await import('../telemetry/metrics.ts')).openMetrics()
  const traces = config.otel && (await import('../telemetry/traces.ts')).openTraces(config.otel, log)
  const accounts = openAccountCounts()
  const reportAttempt: AttemptObserver = (attempt, was, is) => {
    log.info(attempt, 'attempt')
    metrics?.attempt(attempt)
    accounts.moved(was, is, now())
  }
  return { metrics, traces, accounts, reportAttempt }
}

export type Telemetry = Awaited<ReturnType<typeof openTelemetry>>

/** Null if no log is kept or no requests come. `random`: its own, so tests' sources are not drawn from. */
export const openRequests = (config: Config, context: Context, random: Context['random']): RequestLogWriter | null =>
  config.requestLogDays > 0 && config.role !== 'worker' ? openRequestLog({ ...context, random }, config.requestLogDays) : null

type MetricsParts = { context: Context; reader: Reader; requestLog: RequestLogWriter | null; siblings: Siblings | undefined }

/** Null if metrics are disabled, or if a parent collects those of several processes. */
export async function openMetricsPort(config: Config, metrics: Metrics | null, { context, reader, requestLog, siblings }: MetricsParts) {
  const gauges = {
    queues: () => readQueues(context, depths),
    isolated: () => countIsolated(context),
    endpoints: () => countFailing(context),
    connections: reader.connections,
    lines: () => requestLog?.waiting() ?? 0,
  }
  if (metrics && siblings) {
    const { numbered } = await import('../processes/metrics.ts')
    siblings.answer({ metrics: async ({ whole }) => numbered(await metrics.figures(gauges, whole), siblings.n, whole) })
    return null
  }
  return (
    metrics &&
    (await metrics.listen(config.metrics!, gauges).catch(error => Promise.reject(notListening(error, config.metrics!, 'METRICS_PORT'))))
  )
}
