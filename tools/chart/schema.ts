import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { settings } from '../../src/config.ts'
import { jsonLines } from '../lines.ts'

/**
 * The schema of the Helm chart's values (`values.schema.json`), generated from `values.yaml`, with the names of the
 * settings from their table. Helm refuses a misspelled value, and a new value is declared once.
 */

export const chartFolder = join(import.meta.dirname, '../../deploy/helm/switchyard')

/** The maps whose contents are defined by Kubernetes or by the operator. */
const open = new Set(['resources', 'podDisruptionBudget'])
/** The settings that the chart sets itself, each from its own value. */
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
  // Variables specified by OpenTelemetry are allowed too.
  patternProperties: { '^OTEL_': of },
  additionalProperties: false,
})

/** The values that must be one of several words. */
const choices: Readonly<Record<string, readonly string[]>> = {
  mode: ['live', 'test'],
  pullPolicy: ['Always', 'IfNotPresent', 'Never'],
}

function shapeOf(name: string, value: unknown): object {
  if (name === 'settings') return named({ type: ['string', 'number', 'boolean'] })
  if (name === 'secretSettings') return named(secret)
  if (choices[name]) return { enum: choices[name] }
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

/** Returns the schema as text. The same values give the same bytes. */
export function valuesSchema(): string {
  const values = parse(readFileSync(join(chartFolder, 'values.yaml'), 'utf8')) as Record<string, unknown>
  const shape = shapeOf('', values) as { properties: object }
  const properties = { ...shape.properties, global: { type: 'object' } }
  return `${jsonLines({ $schema: 'https://json-schema.org/draft-07/schema#', ...shape, properties }, 4)}\n`
}
