import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { settings } from '../../src/config.ts'

/**
 * What the values of the Helm chart may be (`values.schema.json`): read off `values.yaml`, with the names of the
 * settings from their table. So a value that is misspelt is refused by Helm, and a new one is declared once.
 */

export const chartFolder = join(import.meta.dirname, '../../deploy/helm/switchyard')

/** Maps whose contents are Kubernetes' own, or the operator's. */
const open = new Set(['resources', 'podDisruptionBudget'])
/** What the chart sets itself, each from a value of its own. */
const ofChart = new Set([
  ...['ROLE', 'MODE', 'HOST', 'PORT', 'PUBLIC_URL', 'PROCESSES', 'METRICS_HOST', 'METRICS_PORT', 'METRICS_TOKEN', 'DATABASE_URL'],
  ...['ADMIN_API_KEY', 'ADMIN_API_KEY_FILE', 'KEY_FILE', 'KEYS', 'KEY_COMMAND', 'VAULT_URL', 'VAULT_IDENTITY', 'FILES_FOLDER'],
  ...['DIES_WITH_STDIN', 'SANDBOX_URL', 'CONNECTOR_BASE_URLS', 'WEBHOOK_LOOPBACK'],
])

const secret = {
  type: 'object',
  properties: { name: { type: 'string' }, key: { type: 'string' } },
  required: ['name', 'key'],
  additionalProperties: false,
}
const named = (of: object) => ({
  type: 'object',
  properties: Object.fromEntries(
    settings.filter(({ name }) => !ofChart.has(name)).map(({ name, description }) => [name, { ...of, description }]),
  ),
  // What OpenTelemetry specifies is read as well.
  patternProperties: { '^OTEL_': of },
  additionalProperties: false,
})

/** Values that are one of several words. */
const words: Readonly<Record<string, readonly string[]>> = {
  mode: ['live', 'test'],
  pullPolicy: ['Always', 'IfNotPresent', 'Never'],
}

function shapeOf(name: string, value: unknown): object {
  if (name === 'settings') return named({ type: ['string', 'number', 'boolean'] })
  if (name === 'secretSettings') return named(secret)
  if (words[name]) return { enum: words[name] }
  if (name === 'processes') return { type: ['integer', 'string'] }
  if (Array.isArray(value)) return { type: 'array' }
  if (value === null || typeof value !== 'object') return { type: Number.isInteger(value) ? 'integer' : typeof value }
  const entries = Object.entries(value)
  if (entries.length === 0 || open.has(name)) return { type: 'object' }
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([one, inner]) => [one, shapeOf(one, inner)])),
    additionalProperties: false,
  }
}

/** The schema as text. The same values, the same bytes. */
export function valuesSchema(): string {
  const values = parse(readFileSync(join(chartFolder, 'values.yaml'), 'utf8')) as Record<string, unknown>
  const shape = shapeOf('', values) as { properties: object }
  const properties = { ...shape.properties, global: { type: 'object' } }
  return `${JSON.stringify({ $schema: 'https://json-schema.org/draft-07/schema#', ...shape, properties }, null, 2)}\n`
}
