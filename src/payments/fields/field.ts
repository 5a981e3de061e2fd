import { amount, bool, minor, orNull } from '../../base/shapes.ts'
import type { Field } from '../../resources/field.ts'

/** The operations that say what a payment is. */
export type Asking = 'create' | 'update' | 'confirm'

/** A member of what merchants may say of a payment. */
export type PaymentField = Field<Asking> & Required<Pick<Field, 'shape'>>

/** A wish of which answers say `false` where it was not made. */
export const noUnlessSaid = { shape: bool, seen: bool, unsaid: false }

/** An amount beside the price, in requests and in answers. */
export const amountOrNull = (description: string) => ({ shape: amount(description), seen: orNull(minor) })
