import Type, { type Static } from 'typebox'
import { boundedText, closed } from '../base/shapes.ts'
import { shapeOf } from '../resources/read.ts'
import { merchantFields } from './merchant-fields.ts'

export const merchantShape = shapeOf(merchantFields, 'create')
export type MerchantAsk = Static<typeof merchantShape>

/** The body may repeat the id of the path. */
export const merchantUpdateShape = Type.Object(
  { merchant_id: Type.Optional(boundedText(64)), ...shapeOf(merchantFields, 'update').properties },
  closed,
)
export type MerchantUpdate = Static<typeof merchantUpdateShape>
