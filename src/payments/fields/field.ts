import { amount, bool, minor, orNull } from '../../base/shapes.ts'
import type { Field } from '../../resources/field.ts'

/** The operations that set a payment's members. */
type Asking = 'create' | 'update' | 'confirm'

/** A member that merchants may set on a payment. */
export type PaymentField = Field<Asking> & Required<Pick<Field, 'shape'>>

/** A member that answers show to every credential, as it was sent. */
export const returned = { storedIn: 'request', visibility: 'to all' } as const

/** A member that is stored as sent, and that a browser may send too. */
export const fromBrowser = { settableBy: 'browser', storedIn: 'request' } as const

/** An option that answers show as `false` where it was not requested. */
export const falseByDefault = { shape: bool, responseShape: bool, default: false }

/** Returns the shapes of an amount beside the price: in requests, and in answers, where it may be null. */
export const amountOrNull = (description: string) => ({ shape: amount(description), responseShape: orNull(minor) })
