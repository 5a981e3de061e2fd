import { catalogue, type RefusalName } from '../base/refusal.ts'
import { lifecycle } from '../payments/lifecycle.ts'
import { refundLifecycle } from '../refunds/refund.ts'
import { type Document, type Operation, type Parameter, wording } from './openapi.ts'
import type { Schema } from './openapi-schemas.ts'

/**
 * The interface as one page: HTML and a style sheet, no script, nothing from elsewhere. Everything on it is read off the OpenAPI document and the tables, so that it cannot
 * say anything else than they do.
 */

class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
type Part = string | number | Html | readonly Html[] | false | null | undefined

const escaped = (text: string): string => text.replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)

function render(part: Part): string {
  if (part === false || part === null || part === undefined) return ''
  if (part instanceof Html) return part.text
  return typeof part === 'object' ? part.map(one => one.text).join('') : escaped(String(part))
}

/** Everything put into it is escaped, unless it is HTML already. */
const html = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(strings.map((string, i) => (i === 0 ? string : render(parts[i - 1]) + string)).join(''))

const code = (text: string): Html => html`<code>${text}</code>`
const list = (items: readonly Html[], between: string): Html => new Html(items.map(item => item.text).join(between))

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)
const link = (name: string): Html => html`<a href="#schema-${name}">${name}</a>`

/** A type in words: `string or null`, `array of Refund`. */
function typeOf(schema: Schema): Html {
  if (schema.$ref) return link(nameOf(schema.$ref))
  if (schema.anyOf) return list(schema.anyOf.map(typeOf), ' or ')
  const types = [schema.type ?? 'anything'].flat()
  return list(
    types.map(type => {
      if (type === 'array' && schema.items && Object.keys(schema.items).length > 0) return html`array of ${typeOf(schema.items)}`
      return html`${schema.enum && type === 'string' ? 'enum' : type}`
    }),
    ' or ',
  )
}

/** Bounds in words. */
function bounds(schema: Schema): string {
  const { minLength, maxLength, minimum, maximum, format, pattern } = schema
  const said: string[] = []
  if (format !== undefined && format !== 'int64') said.push(format)
  if (minLength !== undefined && maxLength !== undefined) said.push(`${minLength} to ${maxLength} characters`)
  else if (maxLength !== undefined) said.push(`at most ${maxLength} characters`)
  if (minimum !== undefined) said.push(`at least ${minimum}`)
  if (maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER) said.push(`at most ${maximum}`)
  if (pattern !== undefined) said.push(`matches ${pattern}`)
  return said.join(', ')
}

const FEW = 12

function values({ enum: all, const: only }: Schema): Html | null {
  const words = (all ?? (only === undefined ? [] : [only])).filter(word => word !== null).map(word => code(String(word)))
  if (words.length === 0) return null
  if (words.length <= FEW) return html`<p class="values">${list(words, ' ')}</p>`
  return html`<details class="values"><summary>${words.length} values</summary>${list(words, ' ')}</details>`
}

/** The object inside, if a field holds one that has no page of its own. */
const insideOf = (schema: Schema): Schema | undefined =>
  schema.properties ? schema : (schema.anyOf?.find(one => one.properties) ?? (schema.items?.properties && schema.items))

function field(name: string, schema: Schema, required: boolean): Html {
  const inner = insideOf(schema)
  const said = bounds(schema)
  return html`<li><div class="name"><code>${name}</code> <span class="type">${typeOf(schema)}</span>${required && html` <span class="required">required</span>`}</div>
<div class="what">${schema.description && html`<p>${schema.description}</p>`}${said !== '' && html`<p class="bounds">${said}</p>`}${values(schema)}${inner && html`<details><summary>its fields</summary>${fields(inner)}</details>`}</div></li>`
}

const fields = (schema: Schema, which: (name: string) => boolean = () => true, mark = true): Html =>
  html`<ul class="fields">${Object.entries(schema.properties ?? {})
    .filter(([name]) => which(name))
    .map(([name, one]) => field(name, one, mark && (schema.required?.includes(name) ?? false)))}</ul>`

/** A request body: what must be sent in sight, what may be sent one click away. */
function body(document: Document, { requestBody }: Operation): Html | null {
  const schema = requestBody?.content['application/json']?.schema
  if (!schema?.$ref) return null
  const shape = document.components.schemas[nameOf(schema.$ref)]!
  const names = Object.keys(shape.properties ?? {})
  const must = (name: string) => shape.required?.includes(name) ?? false
  const optional = names.filter(name => !must(name)).length
  const wording = names.length === optional ? `${optional} fields, all optional` : `${optional} optional fields`
  return html`<h4>Body</h4>${names.length > optional && fields(shape, must)}
<details class="more"><summary>${wording}</summary>${fields(shape, name => !must(name))}</details>`
}

const parametersOf = (document: Document, operation: Operation): Parameter[] =>
  (operation.parameters ?? []).map(one => ('$ref' in one ? document.components.parameters[nameOf(one.$ref)]! : one))

function parameters(document: Document, operation: Operation): Html | null {
  const all = parametersOf(document, operation)
  if (all.length === 0) return null
  const titles = { path: '· in the path', query: '· in the query', header: '· header' }
  return html`<h4>Parameters</h4><ul class="fields">${all.map(one => {
    const where = html`<span class="where">${titles[one.in]}</span>`
    return html`<li><div class="name"><code>${one.name}</code> <span class="type">${typeOf(one.schema)}</span> ${where}${one.required && html` <span class="required">required</span>`}</div>
<div class="what">${one.description && html`<p>${one.description}</p>`}${one.in === 'query' && html`<p class="bounds">${bounds(one.schema)}</p>`}${values(one.schema)}</div></li>`
  })}</ul>`
}

/** A line of the error table of one operation: the codes of a status. */
function errors({ responses }: Operation): Html {
  const failed = Object.entries(responses).filter(([status]) => Number(status) >= 400)
  return html`<details class="more"><summary>Errors: ${failed.map(([status]) => status).join(', ')}</summary><table>${failed.flatMap(
    ([status, { description }]) =>
      description.split('\n').map(line => {
        const at = line.indexOf(': ')
        return html`<tr><td>${status}</td><td>${code(line.slice(0, at))}</td><td>${line.slice(at + 2)}</td></tr>`
      }),
  )}</table></details>`
}

const keys = { secretKey: '$KEY', adminKey: '$ADMIN_KEY', publishableKey: '$PUBLISHABLE_KEY' } as const
const credentials: Record<string, string> = {
  secretKey: 'secret key',
  publishableKey: 'publishable key with client_secret',
  sdkToken: 'SDK token',
  adminKey: 'admin key',
}

const SHORT = 60

/** JSON for readers: what fits on a line stands on one. */
function laidOut(value: unknown, indent = '  '): string {
  const line = JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ')
  if (line.length <= SHORT || value === null || typeof value !== 'object' || Array.isArray(value)) return line
  const members = Object.entries(value).map(([name, one]) => `${indent}  ${JSON.stringify(name)}: ${laidOut(one, `${indent}  `)}`)
  return `{\n${members.join(',\n')}\n${indent}}`
}

/** A call that can be pasted into a shell in which the variables are set. */
function curl(document: Document, method: string, path: string, operation: Operation): string {
  const query = parametersOf(document, operation)
    .filter(one => one.in === 'query' && one.required)
    .map(one => `${one.name}=$${one.name.toUpperCase()}`)
    .join('&')
  const url = `$SWITCHYARD${path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)}${query && `?${query}`}`
  const first = Object.keys(operation.security[0] ?? {})[0] as keyof typeof keys | undefined
  const example = Object.values(operation.requestBody?.content['application/json']?.examples ?? {})[0]
  const lines = [`curl ${method === 'get' || (method === 'post' && example) ? '' : `-X ${method.toUpperCase()} `}"${url}"`]
  if (first) lines.push(`-H "api-key: ${keys[first]}"`)
  if (example) lines.push("-H 'content-type: application/json'", `-d '${laidOut(example.value)}'`)
  return lines.join(' \\\n  ')
}

function operationSection(document: Document, method: string, path: string, operation: Operation): Html {
  const { operationId, summary, security, responses } = operation
  const [status, good] = Object.entries(responses)[0]!
  const schema = good.content?.['application/json']?.schema
  const who =
    security.length === 0 ? 'no credential' : security.flatMap(one => Object.keys(one).map(name => credentials[name])).join(', or ')
  const example = Object.values(operation.requestBody?.content['application/json']?.examples ?? {})[0]
  return html`<section class="operation" id="${operationId}"><div class="said">
<h3><a href="#${operationId}">${operationId}</a></h3>
<p class="line"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></p>
<p>${summary}</p><p class="takes">Takes: ${who}</p>
${parameters(document, operation)}${body(document, operation)}
<h4>Answer</h4><p><b>${status}</b> ${schema ? answerOf(schema) : good.description}</p>${errors(operation)}
</div><div class="sample">${example && html`<p>${example.summary}</p>`}<pre tabindex="0"><code>${curl(document, method, path, operation)}</code></pre></div></section>`
}

const answerOf = (schema: Schema): Html => html`${typeOf(schema)}${schema.properties && fields(schema, () => true, false)}`

const slug = (name: string): string => name.toLowerCase()

function sidebar(document: Document, operations: readonly Listed[]): Html {
  return html`<nav aria-label="Contents"><p class="brand"><a href="#top">${document.info.title}</a> <small>${document.info.version}</small></p>
<details open><summary>Start</summary><ul>
<li><a href="#keys">Keys</a></li><li><a href="#first">The first payment</a></li><li><a href="#again">Sending again</a></li>
<li><a href="#statuses">Statuses</a></li><li><a href="#errors">Errors</a></li></ul></details>
${document.tags.map(
  ({ name }) =>
    html`<details open><summary>${name}</summary><ul>${operations
      .filter(one => one.operation.tags[0] === name)
      .map(
        one =>
          html`<li><a href="#${one.operation.operationId}"><span class="method ${one.method}">${one.method.toUpperCase()}</span>${one.operation.operationId}</a></li>`,
      )}</ul></details>`,
)}
<details><summary>Shapes</summary><ul>${Object.keys(document.components.schemas)
    .filter(name => !name.endsWith('Request'))
    .map(name => html`<li>${link(name)}</li>`)}</ul></details>
<p><a href="/openapi.json">openapi.json</a></p></nav>`
}

type Grid = Record<string, Record<string, string>>

const statusTable = (
  title: string,
  grid: Grid,
): Html => html`<details class="more"><summary>${title}: ${Object.keys(grid).length} statuses</summary>
<table><tr><th>Status</th><th>What may happen, and what follows</th></tr>${Object.entries(grid).map(
  ([status, moves]) =>
    html`<tr><td>${code(status)}</td><td>${
      Object.keys(moves).length === 0
        ? 'nothing: it is final'
        : list(
            Object.entries(moves).map(([move, next]) => html`${move.replaceAll('_', ' ')} → ${code(next)}`),
            '<br>',
          )
    }</td></tr>`,
)}</table></details>`

const errorTable = (): Html =>
  html`<table><tr><th>Status</th><th>Code</th><th>Message</th></tr>${Object.entries(catalogue)
    .sort(([, a], [, b]) => a.status - b.status || (a.code < b.code ? -1 : a.code > b.code ? 1 : 0))
    .map(
      ([name, { status, code: word }]) =>
        html`<tr><td>${status}</td><td>${code(word)}</td><td>${wording(name as RefusalName).message}</td></tr>`,
    )}</table>`

/** Stands where the page says the service's own address; replaced when it is served. */
export const ADDRESS = 'http://switchyard.invalid'

function start(document: Document, operations: readonly Listed[]): Html {
  const first = operations.find(one => one.operation.operationId === 'createPayment')!
  return html`<section class="prose" id="top"><h1>${document.info.title}</h1><p class="lead">${document.info.description}</p></section>
<section class="prose" id="keys"><h2>Keys</h2><p>A key travels in the <code>api-key</code> header, and the merchant is inferred from it. The examples on this page run in a shell in which these are set:</p>
<pre tabindex="0"><code>SWITCHYARD=${ADDRESS}
KEY=snd_…             # secret key: payments, refunds, events
ADMIN_KEY=…           # admin key: accounts and keys
PUBLISHABLE_KEY=pk_…  # publishable key: browsers, with a client_secret</code></pre>
<table>${Object.entries(document.components.securitySchemes).map(
    ([name, { name: header, description }]) => html`<tr><td>${credentials[name]}</td><td>${code(header)}</td><td>${description}</td></tr>`,
  )}</table></section>
<section class="prose" id="first"><h2>The first payment</h2><p>One call takes the money. The answer is a ${link('Payment')}; its <code>status</code> is <code>succeeded</code>.</p>
<pre tabindex="0"><code>${curl(document, 'post', '/payments', first.operation)}</code></pre></section>
<section class="prose" id="again"><h2>Sending again</h2><p>${document.components.parameters.IdempotencyKey!.description} Every POST with a key takes an <code>Idempotency-Key</code> header; a <code>payment_id</code> or <code>refund_id</code> of your own does the same for the resource it names.</p>
<p>A timeout is not a no: a payment whose processor has not answered is <code>processing</code> until it has. Retrieve it, with <code>force_sync=true</code> to have the processor asked at once.</p></section>
<section class="prose" id="statuses"><h2>Statuses</h2>${statusTable('Payments', lifecycle)}${statusTable('Refunds', refundLifecycle)}</section>
<section class="prose" id="errors"><h2>Errors</h2><p>A request that is refused is answered with an ${link('Error')}. A processor's no is not an error: it is data on the payment, in <code>error_code</code>, <code>error_message</code> and <code>unified_code</code>.</p>
<details class="more"><summary>All codes</summary>${errorTable()}</details></section>`
}

type Listed = { method: string; path: string; operation: Operation }

/** The whole page. */
export function docsPage(document: Document): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Listed => ({ method, path, operation })),
  )
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${document.info.title} interface</title><link rel="stylesheet" href="/docs/style.css"><link rel="icon" href="data:,"></head><body>
${sidebar(document, operations)}<main>${start(document, operations)}
${document.tags.map(
  ({ name, description }) => html`<h2 class="room" id="room-${slug(name)}">${name} <small>${description}</small></h2>
${operations.filter(one => one.operation.tags[0] === name).map(one => operationSection(document, one.method, one.path, one.operation))}`,
)}
<h2 class="room" id="shapes">Shapes <small>What requests and answers are made of.</small></h2>
${Object.entries(document.components.schemas)
  .filter(([name]) => !name.endsWith('Request'))
  .map(
    ([name, schema]) => html`<section class="prose shape" id="schema-${name}"><h3><a href="#schema-${name}">${name}</a></h3>
${schema.description && html`<p>${schema.description}</p>`}${schema.properties ? fields(schema, () => true, false) : html`<p class="type">${typeOf(schema)}</p>`}${values(schema)}</section>`,
  )}
</main></body></html>
`.text
}
