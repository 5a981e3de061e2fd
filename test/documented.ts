import { fail } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Compile } from 'typebox/schema'
import { refusalCatalogue } from '../src/base/refusal.ts'
import { isForCustomer } from '../src/http/customer-page.ts'
import type { Document, OpenApiResponse as Documented } from '../tools/openapi/document.ts'
import { operationFinder } from './operation-calls.ts'

/**
 * Every answer of the service in a test is checked against the document that clients read
 * (`docs/generated/openapi.json`): its operation documents this status and this content type, each member of the
 * answer is documented, each documented member is present, and all values fit their documented types.
 */

type Json = Record<string, unknown>
type Operation = { name: string; responses: Record<string, Documented> }
type Checked = { Check(value: unknown): boolean; Errors(value: unknown): [boolean, { instancePath: string; message: string }[]] }

/** Closes a schema at every depth: no member beside those that it names, unless it allows others. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (schema === null || typeof schema !== 'object') return schema
  const { properties, ...rest } = schema as Json
  const members = Object.fromEntries(Object.entries(rest).map(([word, inner]) => [word, closed(inner)]))
  if (properties === undefined) return members
  const inside = Object.fromEntries(Object.entries(properties as Json).map(([name, inner]) => [name, closed(inner)]))
  return { additionalProperties: false, ...members, properties: inside }
}

/** `components`: the document's components by their `$ref`. */
type Book = { find(method: string, path: string): Operation | undefined; components: Record<string, unknown> }
let book: Book | undefined

/** Gives the document, which is read once in a process, at its first use. */
function opened(): Book {
  if (book) return book
  const document = JSON.parse(readFileSync(new URL('../docs/generated/openapi.json', import.meta.url), 'utf8')) as Document
  const whole = (response: Documented | { $ref: string }): Documented =>
    '$ref' in response ? document.components.responses[response.$ref.split('/').at(-1)!]! : response
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId: name, responses }]) => ({
      name,
      method: method.toUpperCase(),
      path,
      responses: Object.fromEntries(Object.entries(responses).map(([status, response]) => [status, whole(response)])),
    })),
  )
  const components = Object.entries(document.components.schemas).map(([name, schema]) => [`#/components/schemas/${name}`, closed(schema)])
  book = { find: operationFinder(operations), components: Object.fromEntries(components) }
  return book
}

const $schema = 'https://json-schema.org/draft/2020-12/schema'
const compiled = new Map<string, Checked>()

/**
 * Adds the components that a schema names, directly or through others, to `found`: the validator walks through all
 * that it is given for each schema that it compiles.
 */
function addNamed(schema: unknown, found: Record<string, unknown>): Record<string, unknown> {
  if (schema === null || typeof schema !== 'object') return found
  for (const [word, inner] of Object.entries(schema)) {
    if (word !== '$ref' || typeof inner !== 'string') addNamed(inner, found)
    else if (!(inner in found)) {
      found[inner] = opened().components[inner]
      addNamed(found[inner], found)
    }
  }
  return found
}

function checkOf(name: string, schema: unknown): Checked {
  let check = compiled.get(name)
  if (!check) {
    check = Compile(addNamed(schema, {}) as never, { $schema, ...(closed(schema) as Json) } as never) as unknown as Checked
    compiled.set(name, check)
  }
  return check
}

/** The origins of services of another release: the documentation of that release describes their answers. */
export const ofOtherReleases = new Set<string>()

/**
 * Gives a description of how an answer differs from the documentation; null if it is as documented, or did not come
 * from the service.
 */
function fault(method: string, url: string, status: number, headers: Record<string, unknown>, body: unknown): string | null {
  // The first answer to this request was checked already, or came from the release before.
  if (headers['x-request-id'] === undefined || headers['idempotent-replayed'] === 'true') return null
  const { pathname, origin } = new URL(url)
  if (ofOtherReleases.has(origin)) return null
  // A process may serve only a part of the interface: it answers 404 at the other addresses.
  const code = (body as { error?: { code?: string } } | null)?.error?.code
  // The same holds where a path has a fixed text in place of an id, and the method exists only for the path with the
  // id.
  const nothing = code === refusalCatalogue.unknown_url.code || code === refusalCatalogue.wrong_method.code
  const operation = nothing ? undefined : opened().find(method, pathname)
  const type = String(headers['content-type'] ?? '').split(';')[0]!
  // Pages of the documentation are not operations. An incomplete link is answered with a page for the customer as
  // well.
  if (!operation && status < 400) return null
  if (status >= 400 && type === 'text/html' && isForCustomer({ url: pathname, headers: { accept: type } })) return null
  // An unknown address or method is answered with the documented error, as every refusal is.
  const answer = operation?.responses[status] ?? null
  if (operation && !answer) return `${operation.name} does not say that it answers ${status}`
  const media = answer?.content?.[type]
  if (answer?.content && !media) return `${operation!.name} does not say that it answers ${status} as ${type}`
  if (type !== 'application/json') return null
  const error = { $ref: '#/components/schemas/Error' }
  const check = checkOf(answer ? `${operation!.name} ${status >= 400 ? 'error' : status}` : 'error', media?.schema ?? error)
  if (check.Check(body)) return null
  const [, errors] = check.Errors(body)
  return `${operation?.name ?? 'nothing'} ${status}: ${errors.map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ')}`
}

/** Fails the test if its answer is not as documented. */
export function isDocumented(...answer: Parameters<typeof fault>): void {
  const message = fault(...answer)
  if (message !== null) fail(`${message} (docs/generated/openapi.json; npm run docs writes it anew)`)
}
