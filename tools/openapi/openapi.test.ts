import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import Value from 'typebox/value'
import { eventCatalogue as events } from '../../src/base/event-types.ts'
import { type RefusalName, refusalCatalogue, templatesOf } from '../../src/base/refusal.ts'
import { disputeStatuses } from '../../src/connectors/dispute.ts'
import { endpoints } from '../../src/http/endpoints.ts'
import { lifecycle } from '../../src/payments/lifecycle.ts'
import { refundLifecycle } from '../../src/refunds/lifecycle.ts'
import { cards } from '../../test/cards.ts'
import { examples } from '../../test/examples.ts'
import { answers } from './answers.ts'
import { coverage, ecosystem } from './ecosystem.ts'
import { refusalsOf } from './errors.ts'
import { openapi } from './openapi.ts'
import { pathParts } from './path-parameters.ts'

const document = openapi()
const text = JSON.stringify(document)
const operations = Object.values(document.paths).flatMap(methods => Object.values(methods))

/** Gives every object of the document with its path. */
function* objects(value: unknown, path = ''): Generator<[string, Record<string, unknown>]> {
  if (value === null || typeof value !== 'object') return
  if (!Array.isArray(value)) yield [path, value as Record<string, unknown>]
  for (const [name, one] of Object.entries(value)) yield* objects(one, `${path}/${name}`)
}

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(JSON.parse(text))
  ok(valid, JSON.stringify(errors))
  equal(validator.version, '3.1')
})

test('every event type is documented as a webhook, with the headers of its signatures', () => {
  deepEqual(Object.keys(document.webhooks), Object.keys(events))
  const { parameters, schemas } = document.components
  for (const [name, { post }] of Object.entries(document.webhooks)) {
    const [, title] = post.requestBody.content['application/json'].schema.$ref!.match(/schemas\/(\w+)$/)!
    ok((schemas[title!]!.properties!.event_type!.enum as string[]).includes(name))
    ok(post.parameters.every(({ $ref }) => parameters[$ref.split('/').at(-1)!]))
  }
  match(parameters.WebhookSignature!.description!, /endpoint’s own `secret`/)
  match(parameters.WebhookSignature512!.description!, /payment_response_hash_key/)
})

test('every reference resolves, and every schema is referenced', () => {
  const referred = new Set<string>()
  for (const [path, { $ref }] of objects(document)) {
    if (typeof $ref !== 'string') continue
    match($ref, /^#\/components\/\w+\/\w+$/, path)
    const [kind, name] = $ref.split('/').slice(2) as [keyof typeof document.components, string]
    ok(Object.hasOwn(document.components[kind], name), `${path} refers to ${$ref}`)
    referred.add(name)
  }
  deepEqual(
    Object.keys(document.components.schemas).filter(name => !referred.has(name)),
    [],
  )
})

test('every operation is in the document, with a unique operation id', () => {
  const names = operations.map(operation => operation.operationId)
  deepEqual(names.toSorted(), endpoints.map(endpoint => endpoint.name).toSorted())
  equal(new Set(names).size, names.length)
})

test('every path parameter is declared and described, and no other is', () => {
  const used = new Set<string>()
  for (const [path, methods] of Object.entries(document.paths)) {
    const parts = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
    for (const operation of Object.values(methods)) {
      const declared = (operation.parameters ?? []).filter(one => 'in' in one && one.in === 'path')
      deepEqual(
        declared.map(one => 'name' in one && one.name),
        parts,
      )
      for (const one of declared) ok('description' in one && one.description, `${path}: a part is not explained in pathParts`)
    }
    for (const part of parts) used.add(part)
  }
  deepEqual(Object.keys(pathParts).toSorted(), [...used].toSorted())
})

test('exactly the POST operations with an API key that do not only read accept an Idempotency-Key', () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const takes = (operation.parameters ?? []).some(one => '$ref' in one && one.$ref.endsWith('/IdempotencyKey'))
      equal(takes, method === 'post' && !operation['x-reads'] && operation.security.some(one => !('session' in one)), `${method} ${path}`)
    }
  }
})

test('every example matches the request schema of its operation', () => {
  for (const [name, { value }] of Object.entries(examples)) {
    const endpoint = endpoints.find(one => one.name === name)
    ok(endpoint?.body, `${name} takes no body`)
    ok(Value.Check(endpoint.body, value), name)
  }
})

test('every error that the code uses is documented for an operation', () => {
  const documented = new Set(endpoints.flatMap(refusalsOf))
  const source = join(import.meta.dirname, '../../src')
  const used = new Set<string>()
  for (const file of globSync('**/*.ts', { cwd: source, exclude: ['**/*.test.ts'] })) {
    for (const [, name] of readFileSync(join(source, file), 'utf8').matchAll(/(?:refuse|new Refusal)\(\s*'(\w+)'/g)) used.add(name!)
  }
  ok(used.size > 20)
  const everywhere = ['unknown_url', 'wrong_method']
  deepEqual(
    [...used].filter(name => Object.hasOwn(refusalCatalogue, name) && !documented.has(name as RefusalName) && !everywhere.includes(name)),
    [],
    'name each among the `errors` of the operations that refuse with it',
  )
})

test('every operation has a title, a description and an example response', () => {
  const shown = answers()
  for (const { operationId, summary, description, responses } of operations) {
    match(summary, /^[A-Z][^.]*$/, operationId)
    ok(description !== summary, operationId)
    const [status, good] = Object.entries(responses)[0]!
    ok(Number(status) < 400 && !('$ref' in good), operationId)
    for (const type of ['application/json', 'text/plain'])
      ok(!good.content?.[type] || (good.content[type].example ?? good.content[type].examples) !== undefined, operationId)
    ok(shown[operationId], operationId)
  }
})

test('every operation of the ecosystem is listed once as available or missing, with any names of path parameters', () => {
  const areas = coverage([{ method: 'GET', path: '/payments/{id}' }])
  deepEqual(
    areas.flatMap(area => area.here),
    ['GET /payments/{payment_id}'],
  )
  const all = Object.values(ecosystem).flat()
  equal(new Set(all).size, all.length)
  equal(areas.flatMap(area => area.missing).length, all.length - 1)
})

test('the guide describes every error, every status and every test card', () => {
  const { description } = document.info
  for (const name of Object.keys(refusalCatalogue) as RefusalName[]) ok(description.includes(templatesOf(name).help), name)
  for (const status of [...Object.keys(lifecycle), ...Object.keys(refundLifecycle), ...disputeStatuses])
    ok(description.includes(`- \`${status}\`: `), status)
  for (const number of Object.values(cards)) ok(description.includes(number), number)
})
