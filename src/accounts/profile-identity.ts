import { anyText, boundedText } from '../base/shapes.ts'
import { text } from '../database/table.ts'
import type { Field } from '../resources/field.ts'

/** What a business profile is called. All else that may be said of one is a setting (`profile-settings.ts`). */
export const profileIdentity = {
  merchant_id: { kept: 'nowhere', column: text(), shown: 'to all', seen: anyText },
  profile_id: { kept: 'nowhere', column: text(), shown: 'to all', seen: anyText },
  profile_name: {
    shape: boundedText(64),
    kept: 'nowhere',
    column: text(),
    shown: 'to all',
    seen: anyText,
    says: 'Name of the business profile; unique within a merchant account',
  },
} as const satisfies Record<string, Field<'create' | 'update'>>
