import type { TSchema } from 'typebox'
import { Build } from 'typebox/schema'
import { Errors } from 'typebox/value'
import { nearest } from '../base/edit-distance.ts'
import { combinedRefusal, Refusal, refuse } from '../base/refusal.ts'
import { fieldName, lengthOf } from '../base/shapes.ts'
import { type ByName, namesIn, renameNetworks, writeOut } from './value-aliases.ts'

type Fault = { keyword: string; instancePath: string; params: Record<string, unknown>; message: string }

type Check = (value: unknown) => boolean
type Checks = { check: Check; lengths: Lengths | null; names: readonly ByName[] }

const compiled = new WeakMap<object, Checks>()

/** Returns only the check function of a schema: TypeBox also keeps its source text, 10 MB for all schemas. */
const compile = (schema: TSchema): Check => (Build(schema).Evaluate() as unknown as { check: Check }).check

/** Returns the compiled checks of a schema. */
function checksOf(schema: TSchema): Checks {
  let checks = compiled.get(schema)
  if (!checks) {
    checks = { check: compile(schema), lengths: lengthsOf(schema), names: namesIn(schema, []) }
    compiled.set(schema, checks)
  }
  return checks
}

/** Compiles the checks of a schema ahead, so that no request waits for the compilation. */
export const prepare = (schema: TSchema): void => void checksOf(schema)

/**
 * Refuses with the first fault's field, others beside it. Expands what is given by its name alone (`byName`). `raw`:
 * the body's text, for a mistake's position.
 */
export function checkShape(schema: TSchema, value: unknown, raw?: Buffer): void {
  const { check, lengths, names } = checksOf(schema)
  for (let i = 0; i < names.length; i++) writeOut(names[i]!, value)
  if (check(value) || (renameNetworks(schema, value) && check(value))) {
    if (lengths) checkLengths(lengths, value, [])
    return
  }
  throw combinedRefusal(faultsOf(schema, value, raw))
}

/** The largest number of faults that one refusal lists. */
const MOST_FAULTS = 20

function faultsOf(schema: TSchema, value: unknown, raw: Buffer | undefined): Refusal[] {
  const found = new Map<string, Refusal>()
  const add = (field: string, refusal: Refusal) => {
    if (!found.has(field) && found.size < MOST_FAULTS) found.set(field, refusal)
  }
  // A misspelt member explains why another member is missing, and is listed first.
  for (const path of unknownPaths(schema, value, [])) add(fieldName(path), unknownMember(schema, path))
  const faults = Errors(schema, value) as unknown as (Fault & { schemaPath: string })[]
  const [first] = faults
  // A union's first fault says that no variant fits; the faults of each variant are no faults by themselves.
  const plain = faults.filter(({ schemaPath }) => !schemaPath.includes('/anyOf') && !schemaPath.includes('/oneOf'))
  for (const fault of [first!, ...plain]) {
    if (found.size > 0 && closed.has(fault.keyword)) continue
    for (const refusal of complaints(schema, fault, value, raw)) add(refusal.field ?? fault.instancePath, refusal)
  }
  return [...found.values()]
}

/** The keywords with which a closed object reports an unknown member, which is listed already. */
const closed = new Set(['additionalProperties', 'unevaluatedProperties', 'boolean'])

type Inside = {
  properties?: Record<string, TSchema>
  additionalProperties?: unknown
  items?: TSchema
  /** Members that clients try here, each with the words on which member or operation to use instead. */
  'x-instead'?: Readonly<Record<string, string>>
}
type Path = (string | number)[]

/** Returns the paths of members that closed objects do not define. */
function unknownPaths(schema: TSchema, value: unknown, path: Path): Path[] {
  if (value === null || typeof value !== 'object') return []
  const { properties, additionalProperties, items } = schema as Inside
  return Object.entries(value).flatMap(([name, member]) => {
    const here = [...path, Array.isArray(value) ? Number(name) : name]
    const inside = Array.isArray(value) ? items : properties && Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!inside && additionalProperties === false) return [here]
    return inside ? unknownPaths(inside, member, here) : []
  })
}

/** Returns the schema of the object that contains an unknown member. */
const around = (schema: TSchema, path: Path): Inside | undefined =>
  path
    .slice(0, -1)
    .reduce<Inside | undefined>((at, part) => (typeof part === 'number' ? at?.items : at?.properties?.[part]) as Inside, schema as Inside)

/** Returns the refusal of an unknown member, with its replacement, or the defined member with the nearest name. */
function unknownMember(schema: TSchema, path: Path): Refusal {
  const name = String(path.at(-1))
  const { properties = {}, 'x-instead': instead = {} } = around(schema, path) ?? {}
  const meant = nearest(name, Object.keys(properties))
  // In a query, each member of an object is a parameter with the member's full name.
  const tried = name.split(/[.[]/)[0]!
  return new Refusal('unreadable', {
    field: fieldName(path),
    sentence: `${NOT_JSON}unknown field \`${name}\``,
    problem: 'is not a known parameter',
    help: Object.hasOwn(instead, tried) ? instead[tried]! : meant === undefined ? 'Remove it' : `Did you mean \`${meant}\`?`,
  })
}

/** The length limits of a schema; null if it has none. */
type Lengths = { limit: number; members: Map<string, Lengths> | null; items: Lengths | null }

function lengthsOf(schema: TSchema): Lengths | null {
  const {
    maxLength,
    properties,
    items,
    anyOf = [],
  } = schema as { maxLength?: number; properties?: Record<string, TSchema>; items?: TSchema; anyOf?: readonly TSchema[] }
  const forms = anyOf.map(lengthsOf)
  if (forms.some(form => form !== null)) return widest(forms)
  const members = Object.entries(properties ?? {}).flatMap(([name, member]) => {
    const lengths = lengthsOf(member)
    return lengths ? [[name, lengths] as const] : []
  })
  const inside = items ? lengthsOf(items) : null
  if (maxLength === undefined && members.length === 0 && !inside) return null
  return { limit: maxLength ?? Number.POSITIVE_INFINITY, members: members.length > 0 ? new Map(members) : null, items: inside }
}

/** Returns the limits of a union: those of the variant that allows most. */
const widest = (forms: readonly (Lengths | null)[]): Lengths => {
  const known = forms.filter(form => form !== null)
  const limits = known.map(({ limit }) => limit).filter(Number.isFinite)
  return {
    limit: limits.length > 0 ? Math.max(...limits) : Number.POSITIVE_INFINITY,
    members: new Map(known.flatMap(({ members }) => [...(members ?? [])])),
    items: known.find(({ items }) => items)?.items ?? null,
  }
}

/** In characters. TypeBox counts graphemes: a text of length 1 may hold 200 kB of combining marks. */
function checkLengths({ limit, members, items }: Lengths, value: unknown, path: (string | number)[]): void {
  if (typeof value === 'string') {
    if (value.length <= limit) return
    const received = lengthOf(value)
    if (received > limit) refuse('too_long', { field: fieldName(path), limit, received })
  } else if (Array.isArray(value)) {
    if (items) for (let i = 0; i < value.length; i++) checkInside(items, value[i], path, i)
  } else if (members && value !== null && typeof value === 'object') {
    for (const name in value) {
      const inside = members.get(name)
      if (inside) checkInside(inside, (value as Record<string, unknown>)[name], path, name)
    }
  }
}

function checkInside(lengths: Lengths, value: unknown, path: (string | number)[], part: string | number): void {
  path.push(part)
  checkLengths(lengths, value, path)
  path.pop()
}

/** Returns a JSON pointer as a field name: `/payment_method_data/card/0` as `payment_method_data.card[0]`. */
const fieldOf = (pointer: string): string =>
  fieldName(
    pointer
      .split('/')
      .slice(1)
      .map(part => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~'))),
  )

/** The prefix of all messages of the ecosystem's body parser. */
const NOT_JSON = 'Json deserialize error: '

/** Returns the refusals for one fault: for an object, one for each missing member. */
function complaints(schema: TSchema, fault: Fault, value: unknown, raw: Buffer | undefined): Refusal[] {
  const field = fieldOf(fault.instancePath)
  const { params } = fault
  switch (fault.keyword) {
    case 'required':
      return missing(field, params.requiredProperties as string[], 'x-parsed' in schema)
    case 'maxLength':
      return [new Refusal('too_long', { field, limit: params.limit as number, received: lengthAt(value, fault.instancePath) })]
    case 'enum':
      return [unknownWord(field, params.allowedValues as unknown[], at(value, fault.instancePath))]
    case 'maximum':
      return [new Refusal('precondition', { field, problem: `${field} ${fault.message}` })]
    case 'pattern':
      return [new Refusal('malformed', { field, expected: `text that matches ${String(params.pattern)}` })]
    case 'format':
      return [ofFormat(field, String(params.format), String(at(value, fault.instancePath)), raw)]
    case 'anyOf':
      return [new Refusal('unreadable', { field, problem: 'has a value that is not accepted here' })]
    default:
      return [new Refusal('unreadable', { field: field === '' ? null : field, problem: fault.message })]
  }
}

function missing(field: string, names: readonly string[], isParsed: boolean): Refusal[] {
  if (field === '' && !isParsed)
    return [names.length === 1 ? new Refusal('missing', { field: names[0]! }) : new Refusal('several_missing', { fields: names })]
  const inside = (name: string) => (field === '' ? name : `${field}.${name}`)
  return names.map(
    name =>
      new Refusal('unreadable', {
        field: inside(name),
        sentence: `${NOT_JSON}missing field \`${name}\``,
        problem: 'is missing',
        help: 'Send it',
      }),
  )
}

/** The length up to which a caller's value is quoted. */
const LONGEST_WORD = 100

function unknownWord(field: string, allowed: readonly unknown[], given: unknown): Refusal {
  const meant = typeof given === 'string' ? allowed.find(one => String(one).toLowerCase() === given.toLowerCase()) : undefined
  const names = allowed.map(one => `\`${one}\``)
  const one = names.length === 1 ? names[0] : names.length === 2 ? names.join(' or ') : `one of ${names.join(', ')}`
  return new Refusal('unreadable', {
    field,
    sentence: typeof given === 'string' ? `${NOT_JSON}unknown variant \`${given.slice(0, LONGEST_WORD)}\`, expected ${one}` : undefined,
    problem: meant === undefined ? `must be one of ${allowed.join(', ')}` : `must be written in ${lettersOf(String(meant))}: ${meant}`,
    help: typeof given === 'string' ? 'Send one of the listed values' : undefined,
  })
}

/** The ecosystem has a message of its own only for an address without its scheme. */
function ofFormat(field: string, format: string, given: string, raw: Buffer | undefined): Refusal {
  if ((format === 'uri' || format === 'url') && !/^[a-z][a-z0-9+.-]*:/i.test(given)) return noAddress(field, given, raw)
  return new Refusal('malformed', { field, expected: format === 'date-time' ? 'a time as in RFC 3339' : format })
}

function noAddress(field: string, given: string, raw: Buffer | undefined): Refusal {
  const quoted = JSON.stringify(given.length > LONGEST_WORD ? `${given.slice(0, LONGEST_WORD)}…` : given)
  return new Refusal('unreadable', {
    field,
    sentence: `${NOT_JSON}relative URL without a base: ${quoted}${placeAfter(JSON.stringify(given), raw)}`,
    problem: 'is not an absolute URL',
    help: 'Send a complete URL that starts with https://',
  })
}

/** Returns the position after a text in the body as the ecosystem's parser counts: lines from 1, bytes of the line. */
function placeAfter(quoted: string, raw: Buffer | undefined): string {
  const found = raw?.indexOf(quoted) ?? -1
  if (found < 0) return ''
  const before = raw!.subarray(0, found + Buffer.byteLength(quoted))
  const lines = before.toString('latin1').split('\n')
  return ` at line ${lines.length} column ${lines.at(-1)!.length}`
}

const lettersOf = (word: string): string =>
  word === word.toUpperCase() ? 'upper case' : word === word.toLowerCase() ? 'lower case' : 'upper and lower case'

/** Returns the value at a JSON pointer. */
const at = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((inner, part) => (inner as Record<string, unknown> | null | undefined)?.[part], value)

function lengthAt(value: unknown, pointer: string): number {
  const found = at(value, pointer)
  return typeof found === 'string' ? lengthOf(found) : 0
}
