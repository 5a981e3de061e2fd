import Type from 'typebox'
import { catalogue } from '../base/refusal.ts'
import { text } from './answer-shapes.ts'

const entries = Object.values(catalogue)
const all = <T>(values: readonly T[]): T[] => [...new Set(values)].sort()

/** Every error, whatever the operation: the catalogue of `base/refusal.ts` on the wire. */
export const errorAnswer = Type.Object(
  {
    error: Type.Object({
      type: Type.Enum(all(entries.map(entry => entry.type))),
      code: Type.Enum(all(entries.map(entry => entry.code))),
      message: text,
      error_type: Type.Optional(Type.String({ description: 'The same as type, on errors of the shape' })),
      reason: Type.Optional(Type.String({ description: 'Why it is not supported, or Blocked' })),
      payment_id: Type.Optional(Type.String({ description: 'The payment that was blocked' })),
      connector: Type.Optional(Type.String({ description: 'The connector that does not know the flow' })),
      fields: Type.Optional(Type.String({ description: 'What differs from what was agreed on' })),
      data: Type.Optional(Type.Array(text, { description: 'The names of the missing values' })),
    }),
  },
  { title: 'Error' },
)
