import type Type from 'typebox'
import { anyText, strictObject } from '../base/shapes.ts'
import { shapeOf } from '../resources/read.ts'
import { payoutFields } from './fields.ts'

/** The shapes of payout requests. An absent member, `null` and `""` mean the same. */

export const createShape = shapeOf(payoutFields, 'create')
export type CreatePayoutBody = Type.Static<typeof createShape>

export const updateShape = shapeOf(payoutFields, 'update')
export type UpdatePayoutBody = Type.Static<typeof updateShape>

export const confirmShape = shapeOf(payoutFields, 'confirm')
export type ConfirmPayoutBody = Type.Static<typeof confirmShape>

/** The body of calls whose path already names the payout; another id in the body is refused. */
export const actShape = strictObject({ payout_id: anyText })
export type ActAsk = Type.Static<typeof actShape>
