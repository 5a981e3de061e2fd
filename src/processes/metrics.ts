import { AggregatorRegistry, Counter, Gauge, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client'
import { metricName, ofDatabase } from '../telemetry/metrics.ts'

/**
 * Metrics of several processes, as one scrape shows them: each figure with the number of its process, so that the
 * restart of one, which counts from zero again, affects no other. Figures that are read from the database are the same
 * for all, and shown once, without a number.
 */

export type Figures = MetricObjectWithValues<MetricValue<string>>[]

export const numbered = (figures: Figures, process: number, whole: boolean): Figures =>
  figures
    .filter(({ name }) => whole || !ofDatabase.has(name))
    .map(one => ({
      ...one,
      // Figures with different labels need no aggregation.
      aggregator: 'sum',
      values: ofDatabase.has(one.name)
        ? one.values
        : one.values.map(value => ({ ...value, labels: { ...value.labels, process: String(process) } })),
    }))

export function openParentMetrics(now: () => { running: number; restarts: number }) {
  const own = new Registry()
  const registers = [own]
  new Gauge({
    name: metricName('processes'),
    help: 'Number of processes that take payments',
    registers,
    collect() {
      this.set(now().running)
    },
  })
  new Counter({
    name: metricName('process_restarts_total'),
    help: 'Processes that ended and were restarted',
    registers,
    collect() {
      this.reset()
      this.inc(now().restarts)
    },
  })

  return {
    async show(ofProcesses: readonly Figures[]): Promise<{ type: string; text: string }> {
      const all = AggregatorRegistry.aggregate([(await own.getMetricsAsJSON()) as Figures, ...ofProcesses] as never)
      return { type: all.contentType, text: await all.metrics() }
    },
  }
}
