import Type, { type TSchema } from 'typebox'
import { countries } from '../../src/base/countries.ts'
import { metadata } from '../../src/base/shapes.ts'
import { statusesWithEvents } from '../../src/events/status-filters.ts'
import { paymentMethodNames, paymentMethodTypes } from '../../src/instruments/methods.ts'
import { cardShape } from '../../src/instruments/read-card.ts'
import { currency } from '../../src/payments/fields/order.ts'
import { address } from '../../src/payments/fields/payer.ts'

/** A JSON schema as it stands in the document. */
export type Schema = {
  $ref?: string
  title?: string
  description?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  patternProperties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  /** The meaning of the member (`withDescription`). */
  'x-words'?: string
  'x-kept-only'?: true | string[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
}

/** Shapes that are used in many places: the document contains each once, under these names. */
const shared: Record<string, TSchema> = {
  Address: address,
  Card: cardShape,
  Country: Type.Enum(countries),
  Currency: currency,
  Metadata: metadata,
  PaymentMethod: Type.Enum(paymentMethodNames),
  PaymentMethodType: Type.Enum(paymentMethodTypes),
}

/** Returns a schema without its descriptions: two schemas with the same core are the same shape. */
const core = (schema: Schema): string => {
  const { description: _description, title: _name, 'x-words': _meaning, ...rest } = schema
  return JSON.stringify(rest)
}
const sharedNames = new Map(Object.entries(shared).map(([name, schema]) => [core(schema as Schema), name]))

/**
 * The statuses that members of `webhook_details` may name. Modules to the left of events cannot describe them
 * themselves.
 */
const statusDescriptions: Readonly<Record<string, string>> = Object.fromEntries(
  statusesWithEvents.map(({ member, names }) => [member, `Of these: ${names.join(', ')}`]),
)

/** The largest number that a 32-bit integer can hold. */
const LARGEST_INT32 = 2_147_483_647

/**
 * Returns a reader that turns the service's schemas into those of the document: shared and titled schemas move to
 * `components` and are referenced, nullable schemas are written in the short form, and members have their descriptions
 * (`withDescription`).
 */
export function openSchemas(): { components: Record<string, Schema>; read(schema: TSchema, name?: string): Schema } {
  const components: Record<string, Schema> = {}
  const cores = new Map<string, string>()

  function refer(name: string, schema: Schema): Schema {
    const its = core(schema)
    if ((cores.get(name) ?? its) !== its) throw new Error(`two shapes of the interface are called ${name}`)
    cores.set(name, its)
    if (!Object.hasOwn(components, name)) {
      components[name] = {}
      const { title: _title, ...bare } = schema
      components[name] = inside(bare)
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  function read(schema: Schema, field?: string): Schema {
    const meaning = schema['x-words'] ?? statusDescriptions[field ?? '']
    const description = schema.description ?? meaning
    const name = schema.title ?? sharedNames.get(core(schema))
    if (name === undefined) return { ...inside(schema), ...(description !== undefined && { description }) }
    return { ...refer(name, schema), ...(meaning !== undefined && { description: meaning }) }
  }

  function inside(schema: Schema): Schema {
    // JSON Schema has no name for the addresses that browsers accept.
    const { format, ...nameless } = schema
    const { anyOf, properties, items, patternProperties, 'x-words': _meaning, ...rest } = format === 'url' ? nameless : schema
    if (anyOf) return { ...rest, ...union(anyOf) }
    const values = patternProperties && Object.values(patternProperties)[0]
    return {
      ...rest,
      ...((schema.enum || format === 'binary') && { type: 'string' }),
      ...(schema.type === 'integer' && (schema.maximum ?? Number.POSITIVE_INFINITY) > LARGEST_INT32 && { format: 'int64' }),
      ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, read(one, name)])) }),
      ...(items && { items: read(items) }),
      ...(values && { additionalProperties: Object.keys(values).length === 0 ? true : read(values) }),
    }
  }

  /** Writes `anyOf: [x, null]` as `x` with `null` added to its type. */
  function union(options: Schema[]): Schema {
    const real = options.filter(one => one.type !== 'null')
    const nullable = real.length < options.length
    const [only] = real
    if (real.length !== 1 || !only || !nullable) return { anyOf: options.map(one => read(one)) }
    const one = read(only)
    if (typeof one.type !== 'string') return { anyOf: [one, { type: 'null' }] }
    return { ...one, type: [one.type, 'null'], ...(one.enum && { enum: [...one.enum, null] }) }
  }

  return { components, read: (schema, name) => read(schema as Schema, name) }
}
