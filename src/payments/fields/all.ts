import type { NamesWhere } from '../../resources/read.ts'
import type { PaymentField } from './field.ts'
import { identity } from './identity.ts'
import { instrument } from './instrument.ts'
import { orderDetails } from './order.ts'
import { payer } from './payer.ts'
import { processing } from './processing.ts'
import { progress } from './progress.ts'
import { recurring } from './recurring.ts'

/** Every member that merchants may set on a payment. A new one needs an entry here, and code for its effect. */
export const fields = { ...identity, ...orderDetails, ...payer, ...instrument, ...recurring, ...processing }

/** The fields that merchants set, and those that no request sets: lists and exports of payments use all of them. */
export const paymentFields = { ...fields, ...progress }

/** The fields that merchants set, by the titles of the chapters. */
export const chapters: Readonly<Record<string, Readonly<Record<string, PaymentField>>>> = {
  Itself: identity,
  'Description of the goods or services': orderDetails,
  'The customer who pays': payer,
  'With what': instrument,
  'Paying again': recurring,
  'By which way': processing,
}

type Fields = typeof fields
export type FieldName = keyof Fields

/** The members of a request that the payment stores in columns. */
export type ColumnName = NamesWhere<Fields, { storedIn: 'column' }>
export type AskedName = NamesWhere<Fields, { storedIn: 'request' }>
/** The members that answers show under the same name, but derived from more data. */
export type ShownOtherwise = NamesWhere<Fields, { visibility: 'computed' }>

/** All entries, for code that treats every entry alike. */
export const allFields = Object.entries(fields) as [FieldName, PaymentField][]

/** A member that is refused by name, except for harmless values, and why. */
export type RefusedField = { harmless: readonly unknown[]; why: string | undefined }
export const refusedByName: ReadonlyMap<string, RefusedField> = new Map(
  allFields.flatMap(([name, { effect }]) =>
    typeof effect === 'object' && effect.only ? [[name, { harmless: effect.only, why: effect.why }] as const] : [],
  ),
)

/** Returns the words of the refusal of a member. */
export const refusalMessage = (name: string, { harmless, why }: RefusedField): string =>
  [harmless.length === 0 ? `${name} is refused` : `${name} may only be ${harmless.join(' or ')}`, ...(why ? [why] : [])].join(': ')
