import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { readForm } from '../sandbox/dialects/stripe-form.ts'
import type { Exchange } from '../sandbox/server.ts'

/**
 * Compares the requests and answers between connectors and the sandbox's dialects with the OpenAPI documents of the
 * processors, in both directions: `npm test -- test/processors/adyen.test.ts … --contracts FOLDER`. The documents
 * are the vendors' own and not part of this project; each is `FOLDER/NAME.openapi.json`.
 */

/**
 * The documents by name, each with the path of the sandbox below which it applies. The longest path that fits is tried
 * first.
 */
const places: readonly [name: string, below: string][] = [
  ['adyen-dispute', '/adyen/ca/services/DisputeService/v30'],
  ['adyen-payout', '/adyen/pal/servlet/Payout/v68'],
  ['adyen-transfers', '/adyenplatform'],
  ['adyen-checkout', '/adyen'],
  ['stripe', '/stripe'],
  ['paypal-orders', '/paypal'],
  ['paypal-payments', '/paypal'],
  ['paypal-disputes', '/paypal'],
  ['paypal-payouts', '/paypal'],
  ['paypal-transactions', '/paypal'],
]

type Json = { [name: string]: unknown }
type Operation = { parameters?: Json[]; requestBody?: Json; responses?: Json }
type Found = { name: string; pointer: string; operation: Operation; path: string }

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const escaped = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))

/**
 * The words of a schema whose value contains schemas: as a map by property name, as a list, and as a single schema.
 */
const inMap = new Set(['properties', 'patternProperties', 'schemas'])
const inList = new Set(['allOf', 'anyOf', 'oneOf'])
const alone = new Set(['items', 'additionalProperties', 'not', 'schema'])

const fileIn = (folder: string, name: string): string => join(folder, `${name}.openapi.json`)

/**
 * A vendor's document, converted to JSON Schema 2020-12. Its objects are closed: a member that the document does not
 * name is an error.
 */
class Document {
  readonly #root: Json
  readonly name: string

  constructor(name: string, folder: string) {
    this.name = name
    this.#root = JSON.parse(readFileSync(fileIn(folder, name), 'utf8')) as Json
  }

  /** Gives the whole document as a schema to which others refer. */
  schema(): Json {
    return { $id: this.name, ...(this.#convert(this.#root, 'part') as Json) }
  }

  operation(path: string, method: string): Omit<Found, 'name'> | null {
    const parts = path.split('/')
    for (const [template, item] of Object.entries(this.#root.paths as Record<string, Json>)) {
      const names = template.split('/')
      const fits =
        names.length === parts.length && names.every((name, i) => name === parts[i] || (/^\{.*\}$/.test(name) && /[\d_]/.test(parts[i]!)))
      const operation = item[method.toLowerCase()]
      if (!fits || !isObject(operation)) continue
      return { path: template, operation: this.#follow(operation), pointer: `paths/${escaped(template)}/${method.toLowerCase()}` }
    }
    return null
  }

  #follow(value: Json): Json {
    if (typeof value.$ref !== 'string') return value
    return value.$ref
      .slice(2)
      .split('/')
      .reduce<Json>((at, part) => at[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')] as Json, this.#root)
  }

  /**
   * Converts a schema. `value`: the schema of a complete value in a request or an answer; `part`: one of several
   * schemas that together describe the same value.
   */
  #convert(node: unknown, at: 'value' | 'part'): unknown {
    if (Array.isArray(node)) return node.map(one => this.#convert(one, 'part'))
    if (!isObject(node)) return node
    if (isExpandable(node)) return {}
    const { nullable, discriminator, exclusiveMinimum, exclusiveMaximum, example, examples, default: usual, format, ...rest } = node
    const made: Json = {}
    for (const [word, inner] of Object.entries(rest)) {
      if (inMap.has(word) && isObject(inner))
        made[word] = Object.fromEntries(
          Object.entries(inner).map(([name, one]) => [name, this.#convert(one, word === 'schemas' ? 'part' : 'value')]),
        )
      // `oneOf` becomes `anyOf`: the branches are told apart by a member that the documents do not always restrict.
      else if (inList.has(word)) made[word === 'oneOf' ? 'anyOf' : word] = this.#convert(inner, 'part')
      else if (alone.has(word)) made[word] = this.#convert(inner, word === 'not' ? 'part' : 'value')
      else if (word === 'enum' || word === 'required' || word === 'type' || word === 'const') made[word] = inner
      else made[word] = this.#convert(inner, 'part')
    }
    if (at === 'value' && this.#names(node, new Set())) made.unevaluatedProperties = false
    return nullable === true ? { anyOf: [made, { type: 'null' }] } : made
  }

  /** Whether this schema names any members. */
  #names(schema: Json, seen: Set<unknown>): boolean {
    if (seen.has(schema)) return false
    seen.add(schema)
    const followed = this.#follow(schema)
    if (followed !== schema) return this.#names(followed, seen)
    if (isObject(schema.properties) && Object.keys(schema.properties).length > 0) return true
    return [...inList].some(word => ((schema[word] ?? []) as Json[]).some(one => this.#names(one, seen)))
  }
}

/** Whether a schema is an expandable object. The document at hand has kept only the id of such an object. */
const isExpandable = ({ anyOf }: Json): boolean =>
  Array.isArray(anyOf) && anyOf.length === 1 && (anyOf[0] as Json).type === 'string' && (anyOf[0] as Json).maxLength === 5000

const methodsSince2023 =
  'alma amazon_pay bizum blik_authorize kakao_pay mb_way mobilepay multibanco multibanco_display_details naver_pay revolut_pay satispay swish swish_handle_redirect_or_display_qr_code twint upi upi_handle_redirect_or_display_qr_code'
const membersSince2023 =
  'advice_code allow_redisplay allowed_payment_method_types amount_details destination_details final_capture network_advice_code network_decline_code payment_details request_extended_authorization request_incremental_authorization request_multicapture tax_id'

/** Members and values that are newer than the documents at hand. The vendors' types of today have them. */
const newer: Readonly<Record<string, ReadonlySet<string>>> = {
  stripe: new Set(`${methodsSince2023} ${membersSince2023} ach`.split(' ')),
  // Members of a wallet that is charged again, and of a card whose holder is verified.
  'paypal-orders': new Set(['stored_credential', 'verification']),
}

/** PayPal's patterns escape more than a Unicode pattern may. */
const lenient = { strict: false, allErrors: true, verbose: true, validateFormats: false, unicodeRegExp: false, logger: false } as const

export class Contracts {
  readonly #documents: readonly { document: Document; below: string }[]
  readonly #ajv = new Ajv2020({ ...lenient, coerceTypes: false })
  /** The validator of form bodies. A form contains every value as text. */
  readonly #forms = new Ajv2020({ ...lenient, coerceTypes: 'array' })
  readonly #checks = new Map<string, ValidateFunction | null>()
  readonly #complaints = new Map<string, number>()
  readonly #judged = new Map<string, number>()
  readonly #unnamed = new Map<string, number>()

  constructor(folder: string) {
    const here = places.filter(([name]) => existsSync(fileIn(folder, name)))
    this.#documents = here.map(([name, below]) => ({ document: new Document(name, folder), below }))
    for (const { document } of this.#documents) for (const ajv of [this.#ajv, this.#forms]) ajv.addSchema(document.schema())
  }

  /** Judges a request and its answer. */
  judge = ({ method, url, type, body, status, answer }: Exchange): void => {
    const at = new URL(url, 'http://sandbox')
    const near = this.#documents.filter(({ below }) => at.pathname.startsWith(`${below}/`))
    if (near.length === 0) return
    const found = this.#find(near, at.pathname, method)
    const call = `${method} ${found === null ? at.pathname.replaceAll(/[^/]*\d[^/]{5,}/g, '…') : found.name + found.path}`
    if (found === null) {
      add(this.#unnamed, call)
      return
    }
    add(this.#judged, found.name)
    const isForm = type.startsWith('application/x-www-form-urlencoded')
    const asked = isForm ? lists(readForm(body)) : parsed(body)
    if (asked !== null && body !== '') this.#hold(found, `${call}, request`, this.#check(found, 'requestBody', isForm), asked)
    for (const name of at.searchParams.keys())
      if (!(found.operation.parameters ?? []).some(one => one.name === name.replace(/\[.*/, '') || one.$ref !== undefined))
        add(this.#complaints, `${call}, request: query parameter ${name} is not in the document`)
    // An answer that a fault of the sandbox spoiled is not judged.
    const answered = parsed(answer)
    if (status < 300 && answered !== null && answer !== '{}')
      this.#hold(found, `${call}, answer`, this.#check(found, `responses/${status}`, false), answered)
  }

  /**
   * Gives the lines of the report (the calls that were judged, and each complaint once), and the number of different
   * complaints.
   */
  report(): { lines: string[]; complaints: number } {
    const listed = (map: Map<string, number>) => [...map].sort().map(([text, times]) => `  ${text} (${times})`)
    return {
      lines: [
        'Held to the documents of the processors:',
        ...listed(this.#judged),
        'Calls that these documents do not have:',
        ...listed(this.#unnamed),
        'Complaints:',
        ...listed(this.#complaints),
      ],
      complaints: this.#complaints.size,
    }
  }

  #find(near: readonly { document: Document; below: string }[], path: string, method: string): Found | null {
    const { below } = near[0]!
    for (const { document, below: its } of near) {
      const found = its === below ? document.operation(path.slice(its.length), method) : null
      if (found !== null) return { name: document.name, ...found }
    }
    return null
  }

  /** Gives the validator of a request body or an answer; null if the document does not describe this body. */
  #check({ name, pointer, operation }: Found, place: string, isForm: boolean): ValidateFunction | null {
    const key = `${name} ${pointer} ${place} ${isForm}`
    if (!this.#checks.has(key)) {
      const media = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
      const [kind, status] = place.split('/')
      const holder = kind === 'responses' ? (operation.responses as Json | undefined)?.[status!] : operation.requestBody
      const has = isObject(holder) && isObject(holder.content) && isObject(holder.content[media])
      const $ref = `${name}#/${pointer}/${place}/content/${escaped(media)}/schema`
      this.#checks.set(key, has ? (isForm ? this.#forms : this.#ajv).compile({ $ref }) : null)
    }
    return this.#checks.get(key) ?? null
  }

  #hold({ name }: Found, call: string, check: ValidateFunction | null, value: unknown): void {
    if (check === null || check(value)) return
    for (const complaint of deepest(check.errors ?? [], newer[name] ?? none)) add(this.#complaints, `${call}: ${complaint}`)
  }
}

const none: ReadonlySet<string> = new Set()

const add = (map: Map<string, number>, text: string): void => void map.set(text, (map.get(text) ?? 0) + 1)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Turns objects whose names are numbers into lists: a form encodes a list as such an object. */
function lists(form: unknown): unknown {
  if (!isObject(form)) return form
  const entries = Object.entries(form).map(([name, value]) => [name, lists(value)] as const)
  if (entries.length > 0 && entries.every(([name], i) => name === String(i))) return entries.map(([, value]) => value)
  return Object.fromEntries(entries)
}

/**
 * Picks the relevant errors of a value that fits no branch of a schema: those at the deepest place that validation
 * reached.
 */
function deepest(errors: readonly ErrorObject[], known: ReadonlySet<string>): string[] {
  const own = errors.filter(({ keyword, params }) => keyword !== 'anyOf' && params.type !== 'null')
  const depth = ({ instancePath }: ErrorObject) => instancePath.split('/').length
  const most = Math.max(...own.map(depth))
  const messages = own
    .filter(error => depth(error) === most && !known.has(wordOf(error)))
    .map(error => `${error.instancePath.replaceAll(/\d+/g, 'n') || '/'} ${error.message} ${wordOf(error)}`)
  return [...new Set(messages)].slice(0, 4)
}

/** Gives the member or the value that an error is about. */
const wordOf = ({ params, data }: ErrorObject): string =>
  String(params.unevaluatedProperty ?? params.additionalProperty ?? params.missingProperty ?? data)
