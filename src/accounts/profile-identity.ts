import { boundedText } from '../base/shapes.ts'
import { text } from '../database/table.ts'
import type { Field } from '../resources/field.ts'

/** All other members of a profile are settings (`profile-settings.ts`). */
export const profileIdentity = {
  merchant_id: { column: text(), visibility: 'to all' },
  profile_id: { column: text(), visibility: 'to all' },
  profile_name: {
    shape: boundedText(64),
    column: text(),
    visibility: 'to all',
    description: 'Name of the business profile; unique within a merchant account',
  },
} as const satisfies Record<string, Field<'create' | 'update'>>
