import { deepEqual, equal, ok } from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { chartFolder, valuesSchema } from './schema.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(chartFolder, file), 'utf8')

test('values.schema.json is up to date with values.yaml and the settings (if not: npm run docs)', () => {
  equal(read('values.schema.json'), valuesSchema())
})

test('the chart has the version of the release that it deploys', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const chart = parse(read('Chart.yaml'))
  deepEqual([chart.version, chart.appVersion], [version, version])
})

test('the alarms of the chart use existing metrics, and each has a summary', () => {
  const sources = globSync('src/telemetry/*.ts', { cwd: root })
    .map(file => readFileSync(join(root, file), 'utf8'))
    .join('\n')
  // Those of Node are made by prom-client.
  const known = (name: string) => name === 'nodejs_eventloop_lag_p99_seconds' || sources.includes(`'${name.replace('switchyard_', '')}'`)
  const alarms = parse(read('alarms.yaml')) as { alert: string; expr: string; annotations: { summary: string } }[]
  ok(alarms.length >= 10)
  for (const { alert, expr, annotations } of alarms) {
    for (const [name] of expr.matchAll(/\b(?:switchyard|nodejs)_\w+/g)) ok(known(name), `${alert}: ${name}`)
    ok(annotations.summary.length > 20, alert)
  }
})

test('the worker is scaled by a metric that the alarms use as well', () => {
  const { worker } = parse(read('values.yaml'))
  ok(read('alarms.yaml').includes(worker.autoscaling.metric))
})
