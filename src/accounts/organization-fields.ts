import Type from 'typebox'
import { boundedText, kept, metadata, objectOrNull, orNull } from '../base/shapes.ts'
import { text, time } from '../database/table.ts'
import type { Field } from '../resources/field.ts'

export const organizationId = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' })

const organizationTypes = ['standard', 'platform'] as const

/** Every member, in the order of answers. Members kept as `request` are stored in the column `details`. */
export const organizationFields = {
  organization_id: { column: text(), visibility: 'to all' },
  organization_name: {
    shape: boundedText(255),
    requiredIn: ['create'],
    storedIn: 'column',
    column: text().orNull(),
    visibility: 'to all',
    description: 'Name of the organization',
  },
  organization_details: {
    shape: kept,
    storedIn: 'request',
    visibility: 'to all',
    responseShape: objectOrNull,
    description: 'Details of the organization',
  },
  metadata: { shape: metadata, storedIn: 'request', visibility: 'to all', responseShape: objectOrNull },
  modified_at: { column: time(), visibility: 'to all' },
  created_at: { column: time().fixed(), visibility: 'to all' },
  organization_type: {
    shape: Type.Enum([...organizationTypes], { description: 'platform: one account acts for the others, which are connected to it' }),
    acceptedIn: ['create'],
    storedIn: 'request',
    visibility: 'to all',
    responseShape: Type.Enum([...organizationTypes]),
    default: 'standard',
  },
  platform_merchant_id: {
    shape: orNull(boundedText(64)),
    acceptedIn: ['update'],
    description: 'The platform account of the organization, which cannot be changed',
  },
} as const satisfies Record<string, Field<'create' | 'update'>>
