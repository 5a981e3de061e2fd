import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { currencies } from '../../src/base/currencies.ts'
import { eventCatalogue } from '../../src/base/event-types.ts'

/** The generated parts of the SDK: the operations with their names, and the tables that it shares with the service. */

type Schema = { type?: string; required?: string[]; $ref?: string }

type Parameter = { name?: string; in?: string; $ref?: string; required?: boolean }

type Operation = {
  operationId: string
  summary: string
  description?: string
  'x-sdk-method'?: string
  'x-reads'?: true
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema?: Schema }> }
  responses: Record<string, { content?: Record<string, unknown> }>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> }
  [part: string]: unknown
}

const read = (): Document => JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/generated/openapi.json'), 'utf8'))

/**
 * The member that contains the cursor, for lists that continue after an item. Other lists with an offset continue by
 * offset.
 */
const cursors: Readonly<Record<string, string>> = {
  payments: 'payment_id',
  refunds: 'refund_id',
  payouts: 'payout_id',
  disputes: 'dispute_id',
  customers: 'customer_id',
  webhookEndpoints: 'event_id',
  ledger: 'entry_id',
  approvals: 'approval_id',
}

export type Listed = {
  resource: string
  method: string
  verb: string
  path: string
  operation: Operation
  /** The names of the path's parameters, in its order. */
  params: string[]
  keyed: boolean
  /** Whether a POST only reads: it may be sent again without a key. */
  reads: boolean
  /** The further argument of a call: a body, a query, or none. `needed`: whether it is required. */
  takes: 'body' | 'form' | 'query' | null
  needed: boolean
  gives: 'json' | 'text' | 'bytes' | 'stream'
  pages: string | null
}

/** Returns every operation that a server calls. */
export function listOperations(): Listed[] {
  const { paths, components } = read()
  /** Whether a body has required members. */
  const needsMembers = ({ content }: NonNullable<Operation['requestBody']>): boolean => {
    const schema = content['application/json']?.schema
    const name = schema?.$ref?.split('/').at(-1)
    const { type, required = [] } = (name === undefined ? schema : components.schemas[name]) ?? {}
    return type !== 'object' || required.length > 0
  }
  return Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).flatMap(([verb, operation]) => {
      const [resource, method] = operation['x-sdk-method']?.split('.') ?? []
      if (resource === undefined || method === undefined) return []
      const parameters = (operation.parameters ?? []).map(one => components.parameters[one.$ref?.split('/').at(-1) ?? ''] ?? one)
      const body = operation.requestBody
      const query = parameters.filter(one => one.in === 'query')
      const good = Object.entries(operation.responses).flatMap(([status, { content }]) => (status < '3' ? Object.keys(content ?? {}) : []))
      return [
        {
          resource,
          method,
          verb: verb.toUpperCase(),
          path,
          operation,
          params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
          keyed: parameters.some(one => one.name === 'Idempotency-Key'),
          reads: operation['x-reads'] === true,
          takes: body ? (body.content['multipart/form-data'] ? 'form' : 'body') : query.length > 0 ? 'query' : null,
          needed: body ? body.required !== false && needsMembers(body) : query.some(one => one.required),
          pages:
            verb !== 'get' || !good.includes('application/json')
              ? null
              : query.some(({ name }) => name === 'starting_after')
                ? cursors[resource]!
                : query.some(({ name }) => name === 'offset')
                  ? operation.operationId === 'listEvents'
                    ? 'version'
                    : 'offset'
                  : null,
          gives: good.includes('text/event-stream')
            ? 'stream'
            : good.includes('application/json')
              ? 'json'
              : good.some(type => type.startsWith('text/') || type === 'application/jsonl')
                ? 'text'
                : 'bytes',
        } satisfies Listed,
      ]
    }),
  )
}

/**
 * Returns the document for the types: the operations of servers, without examples and refusals, which are ten times as
 * long.
 */
export function interfaceDocument(): unknown {
  const document = read()
  const wanted = new Set(listOperations().map(({ operation }) => operation.operationId))
  const withoutExamples = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(withoutExamples)
      : value !== null && typeof value === 'object'
        ? Object.fromEntries(
            Object.entries(value)
              .filter(
                ([name, inner]) =>
                  !(
                    (name === 'examples' || name === 'example') &&
                    (typeof inner !== 'object' || Array.isArray(inner) || !('type' in (inner as object)))
                  ),
              )
              .map(([name, inner]) => [name, withoutExamples(inner)]),
          )
        : value
  const paths = Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, verbs]) => {
      const kept = Object.entries(verbs)
        .filter(([, { operationId }]) => wanted.has(operationId))
        .map(([verb, operation]) => [
          verb,
          { ...operation, responses: Object.fromEntries(Object.entries(operation.responses).filter(([status]) => status < '3')) },
        ])
      return kept.length > 0 ? [[path, Object.fromEntries(kept)]] : []
    }),
  )
  return withoutExamples({ ...document, paths })
}

const HEAD = '// Written by `npm run packages` from the tables of the service. Changes here are lost.\n'

const oneLine = (text: string): string => text.replaceAll('*/', '*\\/').replace(/\s+/g, ' ').trim()

const WIDEST = 110

/** Returns a method's docstring, wrapped. */
function docstring(text: string): string {
  const lines: string[] = []
  for (const word of text.trim().split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < WIDEST) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return ['/**', ...lines.map(line => ` * ${line}`), ' */'].map(line => `    ${line}`).join('\n')
}

/** Returns a method's signature. */
function signature({ method, params, takes, needed, gives, pages, operation: { operationId: id } }: Listed): string {
  const given =
    takes === null || gives === 'stream'
      ? []
      : [
          `${takes === 'query' ? 'query' : 'body'}${needed ? '' : '?'}: ${{ body: `Body<'${id}'>`, form: 'FormData', query: `Query<'${id}'>` }[takes]}`,
        ]
  const answer = {
    json: pages === null ? `Promise<Answer<'${id}'>>` : `List<'${id}'>`,
    text: 'Promise<string>',
    bytes: 'Promise<Uint8Array>',
    stream: 'EventStream',
  }[gives]
  const options = gives === 'stream' ? 'options?: StreamOptions' : 'options?: CallOptions'
  return `${method}(${[...params.map(name => `${name}: string`), ...given, options].join(', ')}): ${answer}`
}

function operationsPage(): string {
  const all = listOperations()
  const resources = [...new Set(all.map(({ resource }) => resource))]
  const of = (resource: string) => all.filter(one => one.resource === resource)
  const entry = ({ method, verb, path, takes, keyed, reads, gives, pages }: Listed) =>
    `    ${method}: { verb: '${verb}', path: '${path}', takes: ${takes === null ? 'null' : `'${takes}'`}, keyed: ${keyed}${reads ? ', reads: true' : ''}, gives: '${gives}'${pages === null ? '' : `, pages: '${pages}'`} },`
  const typed = (one: Listed) =>
    `${docstring(`${oneLine(one.operation.summary)}: \`${one.verb} ${one.path}\`. ${oneLine(one.operation.description ?? '')}`)}\n    ${signature(one)}`
  return `${HEAD}import type { EventStream, StreamOptions } from '../stream.ts'
import type { Answer, Body, CallOptions, List, Operation, Query } from '../types.ts'

/** Every operation that a server calls, by its resource. */
export const operations = {
${resources.map(resource => `  ${resource}: {\n${of(resource).map(entry).join('\n')}\n  },`).join('\n')}
} as const satisfies Record<string, Record<string, Operation>>

/** The resources as they are called. */
export interface Resources {
${resources.map(resource => `  ${resource}: {\n${of(resource).map(typed).join('\n')}\n  }`).join('\n')}
}
`
}

const inRows = (all: readonly string[]): string =>
  Array.from({ length: Math.ceil(all.length / 10) }, (_, i) => `  ${all.slice(10 * i, 10 * i + 10).join(', ')},`).join('\n')

function tablesPage(): string {
  const types = Object.entries(eventCatalogue)
  return `${HEAD}
/** Every currency that the service takes, with its number of decimals (ISO 4217). */
export const decimals = {
${inRows(Object.entries(currencies).map(([code, count]) => `${code}: ${count}`))}
} as const

/** Every type of event, with its dotted name, its class, and what it means. */
export const eventTypes = {
${types.map(([name, { dotted, of, means }]) => `  ${name}: { dotted: '${dotted}', of: '${of}', means: ${JSON.stringify(means)} },`).join('\n')}
} as const
`
}

/** The generated modules of the SDK, by their file name in `packages/node/src/made`. */
export const generatedModules = (): Record<string, string> => ({ 'operations.ts': operationsPage(), 'tables.ts': tablesPage() })
