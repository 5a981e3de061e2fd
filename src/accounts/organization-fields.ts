import Type from 'typebox'
import { boundedText, kept, metadata, objectOrNull, orNull } from '../base/shapes.ts'
import { text, time } from '../database/table.ts'
import type { Field } from '../resources/field.ts'

export const organizationId = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' })

const organizationTypes = ['standard', 'platform'] as const

/** Every member, in the order of answers. Members kept as `request` are stored in the column `details`. */
export const organizationFields = {
  organization_id: { column: text(), shown: 'to all' },
  organization_name: {
    shape: boundedText(255),
    needed: ['create'],
    kept: 'column',
    column: text().orNull(),
    shown: 'to all',
    description: 'Name of the organization',
  },
  organization_details: { shape: kept, kept: 'request', shown: 'to all', seen: objectOrNull, description: 'Details of the organization' },
  metadata: { shape: metadata, kept: 'request', shown: 'to all', seen: objectOrNull },
  modified_at: { column: time(), shown: 'to all' },
  created_at: { column: time().fixed(), shown: 'to all' },
  organization_type: {
    shape: Type.Enum([...organizationTypes], { description: 'platform: one account acts for the others, which are connected to it' }),
    in: ['create'],
    kept: 'request',
    shown: 'to all',
    seen: Type.Enum([...organizationTypes]),
    unsaid: 'standard',
  },
  platform_merchant_id: {
    shape: orNull(boundedText(64)),
    in: ['update'],
    description: 'The platform account of the organization, which cannot be changed',
  },
} as const satisfies Record<string, Field<'create' | 'update'>>
