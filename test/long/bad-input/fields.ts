import type { TSchema } from 'typebox'
import type { OtherFamily } from '../../../src/connectors/instrument.ts'
import { ways } from '../../ways.ts'

/** A walk over a schema that finds the fields of a body, the values that each accepts, and the place for a value. */

type Facts = {
  type?: string
  properties?: Record<string, TSchema>
  patternProperties?: Record<string, TSchema>
  additionalProperties?: unknown
  required?: string[]
  items?: TSchema
  anyOf?: TSchema[]
  enum?: unknown[]
  const?: unknown
  maxLength?: number
  minLength?: number
  minimum?: number
  maximum?: number
  format?: string
  pattern?: string
}

export const factsOf = (schema: TSchema): Facts => schema as Facts

/** A place in a body: the path of members to it, its schema, and the schema of the object that contains it. */
export type Field = { path: readonly string[]; schema: TSchema; holder: TSchema | null }

export const nameOf = (path: readonly string[]): string => path.join('.')

/**
 * Whether a member is a further payment method of a family. One payment method of each family is attacked, because the
 * same code reads the others.
 */
function isOneMoreWay(path: readonly string[], name: string): boolean {
  const family = path.length === 2 && path[0] === 'payment_method_data' ? ways[path[1] as OtherFamily] : undefined
  return family !== undefined && name in family && name !== Object.keys(family)[0]
}

/** Gives every field of a schema, those inside objects and arrays too. An element of an array is `0`. */
export function fieldsOf(schema: TSchema, path: readonly string[] = []): Field[] {
  const { properties, items } = factsOf(schema)
  const below = (name: string, inner: TSchema): Field[] =>
    isOneMoreWay(path, name) ? [] : [{ path: [...path, name], schema: inner, holder: schema }, ...fieldsOf(inner, [...path, name])]
  if (properties) return Object.entries(properties).flatMap(([name, inner]) => below(name, inner))
  if (items) return below('0', items)
  return []
}

/** Gives every object of a schema that has members of its own, the schema itself first. */
export const objectsOf = (schema: TSchema): Field[] => [
  { path: [], schema, holder: null },
  ...fieldsOf(schema).filter(field => factsOf(field.schema).properties),
]

export const isClosed = (schema: TSchema): boolean => factsOf(schema).additionalProperties === false
export const isRecord = (schema: TSchema): boolean => factsOf(schema).patternProperties !== undefined
const isArray = (schema: TSchema): boolean => factsOf(schema).items !== undefined
export const isRequired = ({ holder, path }: Field): boolean =>
  holder !== null && (factsOf(holder).required ?? []).includes(path[path.length - 1]!)

/** Gives the smallest value that a schema accepts. */
export function sample(schema: TSchema): unknown {
  const facts = factsOf(schema)
  if (facts.const !== undefined) return facts.const
  if (facts.enum) return facts.enum[facts.enum.length - 1]
  if (facts.anyOf) return sample(facts.anyOf[0]!)
  if (facts.properties) return Object.fromEntries((facts.required ?? []).map(name => [name, sample(facts.properties![name]!)]))
  if (facts.items) return [sample(facts.items)]
  if (facts.type === 'object') return { a: 'b' }
  if (facts.type === 'boolean') return false
  if (facts.type === 'integer') return Math.max(facts.minimum ?? 1, 1)
  if (facts.format === 'date-time') return '2031-02-03T04:05:06Z'
  if (facts.format === 'uri' || facts.format === 'url') return 'https://shop.example/thanks'
  return 'a'.repeat(Math.max(facts.minLength ?? 1, 1))
}

/**
 * Whether a schema accepts a value: a second opinion, written plainly here, which counts characters (code points) and
 * not the units of a library.
 */
export function fits(schema: TSchema, what: unknown): boolean {
  const facts = factsOf(schema)
  if (facts.anyOf) return facts.anyOf.some(one => fits(one, what))
  if (facts.const !== undefined) return what === facts.const
  if (facts.enum) return facts.enum.includes(what)
  if (facts.type === 'string') {
    if (typeof what !== 'string') return false
    const length = Array.from(what).length
    return length <= (facts.maxLength ?? Number.POSITIVE_INFINITY) && length >= (facts.minLength ?? 0)
  }
  if (facts.type === 'integer') {
    if (!Number.isSafeInteger(what)) return false
    return (what as number) >= (facts.minimum ?? Number.MIN_SAFE_INTEGER) && (what as number) <= (facts.maximum ?? Number.MAX_SAFE_INTEGER)
  }
  if (facts.type === 'boolean') return typeof what === 'boolean'
  if (facts.items) return Array.isArray(what) && what.every(one => fits(facts.items!, one))
  if (facts.type === 'object') {
    if (what === null || typeof what !== 'object' || Array.isArray(what)) return false
    return Object.entries(facts.properties ?? {}).every(([name, inner]) => {
      const member = (what as Record<string, unknown>)[name]
      if (member === undefined || member === null || member === '') return !(facts.required ?? []).includes(name)
      return Object.hasOwn(what, name) ? fits(inner, member) : true
    })
  }
  return true
}

const HERE = '@@here@@'

/**
 * Gives a body with this value at this place, as bytes. Missing objects on the path are made as small as their schema
 * allows.
 */
export function bodyWith(schema: TSchema, host: unknown, path: readonly string[], raw: string | Buffer): Buffer {
  const body = structuredClone(host)
  let at = body as Record<string, unknown>
  let here = schema
  path.forEach((name, i) => {
    const facts = factsOf(here)
    here = (facts.items ?? facts.properties?.[name] ?? {}) as TSchema
    if (i === path.length - 1) at[name] = HERE
    else {
      at[name] ??= isArray(here) ? [] : sample(here)
      at = at[name] as Record<string, unknown>
    }
  })
  const [before, after] = JSON.stringify(body).split(`"${HERE}"`) as [string, string]
  return Buffer.concat([Buffer.from(before), Buffer.isBuffer(raw) ? raw : Buffer.from(raw), Buffer.from(after)])
}

export const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name], value)
