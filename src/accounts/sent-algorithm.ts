import Type, { type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { refuse } from '../base/refusal.ts'

/** Only stored: it may name any connector, and its rules are not read. What could not be an algorithm is refused. */

const choice = Type.Union([Type.String({ minLength: 1 }), Type.Object({ connector: Type.String({ minLength: 1 }) })])
const share = Type.Object({ connector: choice, split: Type.Integer({ minimum: 0, maximum: 100 }) })

const shapes: Readonly<Record<string, TSchema>> = {
  single: choice,
  priority: Type.Array(choice, { minItems: 1 }),
  volume_split: Type.Array(share, { minItems: 1 }),
  advanced: Type.Object({ rules: Type.Array(Type.Object({ name: Type.String() })) }),
}

export const sentAlgorithm = Type.Record(Type.String(), Type.Unknown(), { examples: [{ type: 'single', data: 'stripe' }] })

export function checkAlgorithm(field: string, value: unknown): void {
  const { type, data } = (value ?? {}) as { type?: unknown; data?: unknown }
  const shape = Object.hasOwn(shapes, String(type)) ? shapes[String(type)] : undefined
  if (!shape) refuse('invalid_value', { field, problem: `must have a type: ${Object.keys(shapes).join(', ')}` })
  if (!Check(shape, data)) refuse('invalid_value', { field, problem: `must have data that fit its type, ${type}` })
}
