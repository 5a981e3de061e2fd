import Type, { type TObject, type TOptional } from 'typebox'
import { type Asking, type Field, takes } from './field.ts'
import { how } from './how.ts'
import { itself } from './itself.ts'
import { means } from './means.ts'
import { payer } from './payer.ts'
import { recurring } from './recurring.ts'
import { sold } from './sold.ts'

/**
 * Every member of what merchants may say of a payment, by chapters. Whoever adds one adds an entry, and, if it does
 * something, the code that does it; a column of its own is described in `payment.ts`.
 */
export const fields = { ...itself, ...sold, ...payer, ...means, ...recurring, ...how }

/** The same, by the titles of the chapters. */
export const chapters: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
  Itself: itself,
  'Description of the goods or services': sold,
  'The customer who pays': payer,
  'With what': means,
  'Paying again': recurring,
  'By which way': how,
}

type Fields = typeof fields
export type FieldName = keyof Fields

/** The names of those whose facts are these. */
type NamesWhere<Facts> = { [N in FieldName]: Fields[N] extends Facts ? N : never }[FieldName]

/** What a request may say, as a payment keeps it. */
export type ColumnName = NamesWhere<{ kept: 'column' }>
export type AskedName = NamesWhere<{ kept: 'asked' }>
/** What answers have under the same name, and made of more. */
export type ShownOtherwise = NamesWhere<{ shown: 'otherwise' }>

type TakenBy<A extends Asking> = {
  [N in FieldName]: Fields[N] extends { in: readonly (infer Some)[] } ? (A extends Some ? N : never) : N
}[FieldName]
type Needs<A extends Asking> = { [N in FieldName]: Fields[N] extends { needed: readonly A[] } ? N : never }[FieldName]

type Members<A extends Asking> = { [N in TakenBy<A>]: N extends Needs<A> ? Fields[N]['shape'] : TOptional<Fields[N]['shape']> }

/** All entries, where it does not matter which. */
export const allFields = Object.entries(fields) as [FieldName, Field][]

/** The shape of what an operation takes. */
export const shapeOf = <A extends Asking>(asking: A): TObject<Members<A>> =>
  Type.Object(
    Object.fromEntries(
      allFields
        .filter(([, field]) => takes(asking, field))
        .map(([name, field]) => [name, field.needed?.includes(asking) ? field.shape : Type.Optional(field.shape)]),
    ) as unknown as Members<A>,
    { additionalProperties: false },
  )

/** What is refused by name, with the values that are taken all the same, and why. */
export type RefusedField = { harmless: readonly unknown[]; why: string | undefined }
export const refusedByName: ReadonlyMap<string, RefusedField> = new Map(
  allFields.flatMap(([name, { does }]) =>
    typeof does === 'object' && does.only ? [[name, { harmless: does.only, why: does.why }] as const] : [],
  ),
)

/** What is said of it. */
export const wordsOfRefusal = (name: string, { harmless, why }: RefusedField): string =>
  [harmless.length === 0 ? `${name} is refused` : `${name} may only be ${harmless.join(' or ')}`, ...(why ? [why] : [])].join(': ')

/** What an operation only keeps, with the reasons. A member within another is written with dots. */
export const keptOnlyBy = (asking: Asking): Record<string, string> =>
  Object.fromEntries(
    allFields
      .filter(([, field]) => takes(asking, field))
      .flatMap(([name, { does, inside = {} }]) => {
        const kept = typeof does === 'object' ? does.keptOnly : undefined
        const itself = kept && (kept.in ?? asking) === asking ? [[name, kept.why]] : []
        return [...itself, ...Object.entries(inside).map(([path, why]) => [`${name}.${path}`, why])]
      }),
  )
