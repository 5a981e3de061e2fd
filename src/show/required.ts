import { countries } from '../base/countries.ts'
import type { Requirement } from '../connectors/offer.ts'
import type { FieldType, Needed } from '../instruments/family.ts'

const field = (required_field: string, field_type: FieldType): Needed => ({
  required_field,
  display_name: required_field.split('.').at(-1)!,
  field_type,
})

/**
 * The inputs with which a checkout asks its customer for each requirement. The goods, the shipping address and the
 * text with which the customer agrees to a debit come from the merchant.
 */
const inputs: Readonly<Record<Requirement, readonly Needed[]>> = {
  'billing.name': [field('billing.address.first_name', 'user_full_name'), field('billing.address.last_name', 'user_full_name')],
  'billing.email': [field('billing.email', 'user_email_address')],
  'billing.phone': [
    field('billing.phone.number', 'user_phone_number'),
    field('billing.phone.country_code', 'user_phone_number_country_code'),
  ],
  'billing.country': [field('billing.address.country', { user_address_country: { options: [...countries] } })],
  'billing.address': [
    field('billing.address.line1', 'user_address_line1'),
    field('billing.address.city', 'user_address_city'),
    field('billing.address.zip', 'user_address_pincode'),
    field('billing.address.country', { user_address_country: { options: [...countries] } }),
  ],
  'billing.line2': [field('billing.address.line2', 'user_address_line2')],
  shipping: [],
  lines: [],
  acceptance: [],
}

/** Returns the inputs for these requirements, each once. */
export const inputsFor = (requires: readonly Requirement[]): Needed[] => [
  ...new Map(requires.flatMap(one => inputs[one]).map(need => [need.required_field, need])).values(),
]
