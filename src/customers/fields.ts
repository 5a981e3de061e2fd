import Type from 'typebox'
import { checkMetadata } from '../base/metadata.ts'
import { refuse } from '../base/refusal.ts'
import { addressDetails, customerId, EMAIL, kept, metadata, objectOrNull, orNull, shortText, textOrNull } from '../base/shapes.ts'
import { text, time } from '../database/table.ts'
import { type Field, keptOnly } from '../resources/field.ts'

/** Segments of API paths, which cannot be customer ids. */
export const apart = ['list', 'list_with_count', 'export', 'payment_methods']

export function checkCustomerId(customer_id: string | undefined): void {
  if (customer_id !== undefined && apart.includes(customer_id))
    refuse('invalid_value', { field: 'customer_id', problem: `must not be ${apart.join(' or ')}` })
}

function checkEmail(field: string, email: string): void {
  if (!EMAIL.test(email)) refuse('unreadable', { field, problem: 'is not a valid email address' })
}

const ofPerson = { shape: shortText, storedIn: 'sealed', visibility: 'to all', responseShape: textOrNull, personal: true } as const
const addressSeen = Type.Object(Object.fromEntries(Object.keys(addressDetails.properties).map(part => [part, textOrNull])), {
  title: 'AddressDetails',
})

export const customerFields = {
  customer_id: {
    shape: customerId,
    acceptedIn: ['create'],
    storedIn: 'column',
    column: text(),
    visibility: 'to all',
    check: (_field: string, id: string) => checkCustomerId(id),
    description: "The merchant's id of the customer",
  },
  name: ofPerson,
  email: { ...ofPerson, check: checkEmail },
  phone: ofPerson,
  phone_country_code: { ...ofPerson, description: 'Calling code (+65) or country (SG)' },
  description: { ...ofPerson, visibility: 'to the server', description: 'Note about the customer, as free text' },
  address: { shape: addressDetails, storedIn: 'sealed', visibility: 'computed', responseShape: orNull(addressSeen), personal: true },
  created_at: { column: time().fixed(), visibility: 'to all', description: 'Time of creation' },
  metadata: {
    shape: metadata,
    storedIn: 'sealed',
    visibility: 'to the server',
    effect: 'describes',
    check: checkMetadata,
    description: 'Up to 50 keys of up to 40 characters with values of up to 500; returned as sent',
  },
  default_payment_method_id: { column: text().orNull(), visibility: 'to all' },
  tax_registration_id: ofPerson,
  document_details: {
    shape: kept,
    storedIn: 'sealed',
    visibility: 'to the server',
    responseShape: objectOrNull,
    effect: keptOnly('Not sent to processors'),
    personal: true,
    description: 'Identity document of the customer: document_type and document_number',
  },
} as const satisfies Record<string, Field<'create' | 'update'>>
