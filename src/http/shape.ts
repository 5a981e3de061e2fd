import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { refuse } from '../base/refusal.ts'
import { lengthOf } from '../base/shapes.ts'

type Fault = { keyword: string; instancePath: string; params: Record<string, unknown>; message: string }

const validators = new WeakMap<object, Validator>()

/** The compiled check of a schema. */
function validatorOf(schema: TSchema): Validator {
  let validator = validators.get(schema)
  if (!validator) {
    validator = Compile(schema) as Validator
    validators.set(schema, validator)
  }
  return validator
}

/** Compiles ahead, so that no request waits for it. */
export const prepare = (schema: TSchema): void => void validatorOf(schema)

/** Holds a value to a schema; refuses the first fault with the name of the field. */
export function checkShape(schema: TSchema, value: unknown): void {
  const validator = validatorOf(schema)
  if (validator.Check(value)) {
    checkLengths(schema, value, '')
    return
  }
  const faults = validator.Errors(value) as unknown as Fault[]
  // A closed object reports an unknown member twice; the second says it better.
  complain(faults.find(fault => fault.keyword !== 'boolean') ?? faults[0]!, value)
}

type Inside = { maxLength?: number; properties?: Record<string, TSchema>; items?: TSchema }

/** TypeBox counts what a reader sees as one character, however many marks are heaped on it: a text of length 1 may hold 200 kB. Here characters are counted. */
function checkLengths(schema: TSchema, value: unknown, field: string): void {
  const { maxLength: limit, properties, items } = schema as Inside
  if (typeof value === 'string') {
    if (limit === undefined || value.length <= limit) return
    const received = lengthOf(value)
    if (received > limit) refuse('too_long', { field, limit, received })
  } else if (Array.isArray(value)) {
    if (items) for (let i = 0; i < value.length; i++) checkLengths(items, value[i], `${field}[${i}]`)
  } else if (properties && value !== null && typeof value === 'object') {
    for (const [name, member] of Object.entries(value))
      if (Object.hasOwn(properties, name)) checkLengths(properties[name]!, member, field === '' ? name : `${field}.${name}`)
  }
}

/** `/payment_method_data/card/0` as `payment_method_data.card[0]`. */
const fieldOf = (path: string): string =>
  path
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((name, part) => (/^\d+$/.test(part) ? `${name}[${part}]` : name === '' ? part : `${name}.${part}`), '')

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
    case 'additionalProperties':
      return refuse('unreadable', { field: inside((params.additionalProperties as string[])[0]!), words: 'is not a known member' })
    case 'maxLength':
      return refuse('too_long', { field, limit: params.limit as number, received: lengthAt(value, fault.instancePath) })
    case 'enum': {
      const allowed = params.allowedValues as unknown[]
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

function lengthAt(value: unknown, path: string): number {
  let at: unknown = value
  for (const part of path.split('/').slice(1)) at = (at as Record<string, unknown>)?.[part]
  return typeof at === 'string' ? lengthOf(at) : 0
}
