import type { TSchema } from 'typebox'
import { Build } from 'typebox/schema'
import { Errors } from 'typebox/value'
import { refuse } from '../base/refusal.ts'
import { fieldName, lengthOf } from '../base/shapes.ts'

type Fault = { keyword: string; instancePath: string; params: Record<string, unknown>; message: string }

type Check = (value: unknown) => boolean
type Checks = { check: Check; lengths: Lengths | null; names: readonly ByName[] }

const compiled = new WeakMap<object, Checks>()

/** The function alone: beside it TypeBox keeps the text that it was made of, in pieces, which is 10 MB for all of ours. */
const compile = (schema: TSchema): Check => (Build(schema).Evaluate() as unknown as { check: Check }).check

/** The compiled checks of a schema. */
function checksOf(schema: TSchema): Checks {
  let checks = compiled.get(schema)
  if (!checks) {
    checks = { check: compile(schema), lengths: lengthsOf(schema), names: namesIn(schema, []) }
    compiled.set(schema, checks)
  }
  return checks
}

/** Compiles ahead, so that no request waits for it. */
export const prepare = (schema: TSchema): void => void checksOf(schema)

/** Holds a value to a schema; refuses the first fault with the name of the field. What is said by its name alone is written out (`byName`). */
export function checkShape(schema: TSchema, value: unknown): void {
  const { check, lengths, names } = checksOf(schema)
  for (let i = 0; i < names.length; i++) writeOut(names[i]!, value)
  if (check(value)) {
    if (lengths) checkLengths(lengths, value, [])
    return
  }
  // A misspelt member explains why another is missing, and is named first.
  const stranger = strangerIn(schema, value, [])
  if (stranger) refuse('unreadable', { field: fieldName(stranger), words: 'is not a known member' })
  const [fault] = Errors(schema, value) as unknown as Fault[]
  complain(fault!, value)
}

/** Where something may be said by its name alone. */
type ByName = { above: readonly string[]; member: string; names: readonly string[] }

const namesIn = (schema: TSchema, path: readonly string[]): ByName[] =>
  Object.entries((schema as Inside).properties ?? {}).flatMap(([member, inner]) => {
    const { 'x-by-name': names } = inner as { 'x-by-name'?: readonly string[] }
    return [...(names ? [{ above: path, member, names }] : []), ...namesIn(inner, [...path, member])]
  })

function writeOut({ above, member, names }: ByName, value: unknown): void {
  let at = value as Record<string, unknown> | undefined
  for (const name of above) at = at?.[name] as Record<string, unknown> | undefined
  const said = at?.[member]
  if (typeof said === 'string' && names.includes(said)) at![member] = { [said]: {} }
}

type Inside = { properties?: Record<string, TSchema>; additionalProperties?: unknown; items?: TSchema }
type Path = (string | number)[]

/** The first member that a closed object does not know. */
function strangerIn(schema: TSchema, value: unknown, path: Path): Path | null {
  if (value === null || typeof value !== 'object') return null
  const { properties, additionalProperties, items } = schema as Inside
  for (const [name, member] of Object.entries(value)) {
    const here = [...path, Array.isArray(value) ? Number(name) : name]
    const inside = Array.isArray(value) ? items : properties && Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!inside && additionalProperties === false) return here
    const found = inside ? strangerIn(inside, member, here) : null
    if (found) return found
  }
  return null
}

/** The lengths that a schema limits, with nothing else of it; null where it limits none. */
type Lengths = { limit: number; members: Map<string, Lengths> | null; items: Lengths | null }

function lengthsOf(schema: TSchema): Lengths | null {
  const { maxLength, properties, items } = schema as { maxLength?: number; properties?: Record<string, TSchema>; items?: TSchema }
  const members = Object.entries(properties ?? {}).flatMap(([name, member]) => {
    const lengths = lengthsOf(member)
    return lengths ? [[name, lengths] as const] : []
  })
  const inside = items ? lengthsOf(items) : null
  if (maxLength === undefined && members.length === 0 && !inside) return null
  return { limit: maxLength ?? Number.POSITIVE_INFINITY, members: members.length > 0 ? new Map(members) : null, items: inside }
}

/** TypeBox counts what a reader sees as one character, however many marks are heaped on it: a text of length 1 may hold 200 kB. Here characters are counted. */
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

/** `/payment_method_data/card/0` as `payment_method_data.card[0]`. */
const fieldOf = (pointer: string): string =>
  fieldName(
    pointer
      .split('/')
      .slice(1)
      .map(part => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~'))),
  )

const MOST_NAMED = 12

function complain(fault: Fault, value: unknown): never {
  const field = fieldOf(fault.instancePath)
  const inside = (name: string) => (field === '' ? name : `${field}.${name}`)
  const { params } = fault
  switch (fault.keyword) {
    case 'required': {
      const names = (params.requiredProperties as string[]).map(inside)
      return names.length === 1 ? refuse('missing', { field: names[0]! }) : refuse('several_missing', { fields: names })
    }
    case 'maxLength':
      return refuse('too_long', { field, limit: params.limit as number, received: lengthAt(value, fault.instancePath) })
    case 'enum': {
      const allowed = params.allowedValues as unknown[]
      const given = at(value, fault.instancePath)
      const meant = allowed.find(one => typeof given === 'string' && String(one).toLowerCase() === given.toLowerCase())
      if (meant !== undefined) return refuse('unreadable', { field, words: `must be written in ${lettersOf(String(meant))}: ${meant}` })
      const more = allowed.length > MOST_NAMED ? ` and ${allowed.length - MOST_NAMED} more` : ''
      return refuse('unreadable', { field, words: `must be one of ${allowed.slice(0, MOST_NAMED).join(', ')}${more}` })
    }
    case 'maximum':
      return refuse('precondition', { words: `${field} ${fault.message}` })
    case 'pattern':
      return refuse('malformed', { field, expected: `text that matches ${String(params.pattern)}` })
    case 'format':
      return refuse('malformed', {
        field,
        expected:
          params.format === 'uri' ? 'an absolute address' : params.format === 'date-time' ? 'a time as in RFC 3339' : String(params.format),
      })
    case 'anyOf':
      return refuse('unreadable', { field, words: 'has a value that is not welcome here' })
    default:
      return refuse('unreadable', { field: field === '' ? null : field, words: fault.message })
  }
}

const lettersOf = (word: string): string =>
  word === word.toUpperCase() ? 'upper case' : word === word.toLowerCase() ? 'lower case' : 'upper and lower case'

/** What stands at a JSON pointer. */
const at = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((inner, part) => (inner as Record<string, unknown> | null | undefined)?.[part], value)

function lengthAt(value: unknown, pointer: string): number {
  const found = at(value, pointer)
  return typeof found === 'string' ? lengthOf(found) : 0
}
