import type { NamesWhere } from '../../resources/read.ts'
import type { PaymentField } from './field.ts'
import { how } from './how.ts'
import { instrument } from './instrument.ts'
import { itself } from './itself.ts'
import { payer } from './payer.ts'
import { progress } from './progress.ts'
import { recurring } from './recurring.ts'
import { sold } from './sold.ts'

/**
 * Every member of what merchants may say of a payment, by chapters. A new one needs an entry, and, if it does
 * something, the code that does it; a column of its own is described in `payment.ts`.
 */
export const fields = { ...itself, ...sold, ...payer, ...instrument, ...recurring, ...how }

/** The same, and what no request says: by these payments are listed and exported. */
export const paymentFields = { ...fields, ...progress }

/** The same, by the titles of the chapters. */
export const chapters: Readonly<Record<string, Readonly<Record<string, PaymentField>>>> = {
  Itself: itself,
  'Description of the goods or services': sold,
  'The customer who pays': payer,
  'With what': instrument,
  'Paying again': recurring,
  'By which way': how,
}

type Fields = typeof fields
export type FieldName = keyof Fields

/** What a request may say, as a payment keeps it. */
export type ColumnName = NamesWhere<Fields, { kept: 'column' }>
export type AskedName = NamesWhere<Fields, { kept: 'request' }>
/** What answers have under the same name, and made of more. */
export type ShownOtherwise = NamesWhere<Fields, { shown: 'otherwise' }>

/** All entries, where it does not matter which. */
export const allFields = Object.entries(fields) as [FieldName, PaymentField][]

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
