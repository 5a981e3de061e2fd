import Type from 'typebox'
import { refusalCatalogue } from '../base/refusal.ts'
import { text } from './answer-shapes.ts'

const entries = Object.values(refusalCatalogue)
const all = <T>(values: readonly T[]): T[] => [...new Set(values)].sort()

/** The error response of every operation: the catalogue of `base/refusal.ts` on the wire. */
export const errorAnswer = Type.Object(
  {
    error: Type.Object({
      type: Type.Enum(all(entries.map(entry => entry.type))),
      code: Type.Enum(all(entries.map(entry => entry.code))),
      message: Type.String({ description: 'The message that clients of this ecosystem expect' }),
      error_type: Type.Enum(all(entries.map(entry => entry.type)), { description: 'The same as type: some clients read this name' }),
      help: Type.String({
        description: 'What is wrong and how to fix it, in plain English. For people only: compare code and message in programs, never this',
      }),
      reason: Type.Optional(
        Type.String({
          description: 'Reason: the unsupported feature, the violated mandate rule, why no connector account is eligible, or Blocked',
        }),
      ),
      payment_id: Type.Optional(Type.String({ description: 'The payment that was blocked' })),
      connector: Type.Optional(Type.String({ description: 'The connector that does not support the flow' })),
      fields: Type.Optional(Type.String({ description: 'Parameters that differ from the mandate' })),
      errors: Type.Optional(
        Type.Array(Type.Object({ field: Type.Union([text, Type.Null()]), code: text, message: text, help: text }), {
          description: 'All errors in the request, if there is more than one; the first is the error itself',
        }),
      ),
      data: Type.Optional(Type.Array(text, { description: 'The names of the missing values' })),
    }),
  },
  { title: 'Error' },
)
