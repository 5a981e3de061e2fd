import type { Requirement } from '../connectors/offer.ts'
import type { FieldType, Needed } from '../instruments/family.ts'
import { billingOf } from '../payments/billing.ts'
import type { Payment } from '../payments/payment.ts'

const field = (required_field: string, field_type: FieldType): Needed => ({
  required_field,
  display_name: required_field.split('.').at(-1)!,
  field_type,
})

/** The goods, shipping address and words of agreement to a debit come from the merchant. `options`: countries. */
const inputsIn = (options: readonly string[]): Readonly<Record<Requirement, readonly Needed[]>> => ({
  'billing.name': [field('billing.address.first_name', 'user_full_name'), field('billing.address.last_name', 'user_full_name')],
  'billing.email': [field('billing.email', 'user_email_address')],
  'billing.phone': [
    field('billing.phone.number', 'user_phone_number'),
    field('billing.phone.country_code', 'user_phone_number_country_code'),
  ],
  'billing.country': [field('billing.address.country', { user_address_country: { options } })],
  'billing.address': [
    field('billing.address.line1', 'user_address_line1'),
    field('billing.address.city', 'user_address_city'),
    field('billing.address.zip', 'user_address_pincode'),
    field('billing.address.country', { user_address_country: { options } }),
  ],
  'billing.line2': [field('billing.address.line2', 'user_address_line2')],
  shipping: [],
  lines: [],
  acceptance: [],
  tax_id: [field('payment_method_data.bank_transfer.pix.cpf', 'user_cpf')],
})

type Payer = Pick<Payment['request'], 'billing' | 'payment_method_billing' | 'customer' | 'email' | 'name' | 'phone' | 'phone_country_code'>

/** By the kind of the input. */
const values: Readonly<Record<string, (payer: Payer, name: string) => string | null | undefined>> = {
  user_email_address: payer => billingOf(payer)?.email ?? payer.email ?? payer.customer?.email,
  user_full_name: (payer, name) => {
    const { first_name, last_name } = billingOf(payer)?.address ?? {}
    return name === 'first_name' ? first_name : name === 'last_name' ? last_name : fullName(payer)
  },
  user_billing_name: payer => fullName(payer),
  user_phone_number: payer => billingOf(payer)?.phone?.number ?? payer.phone ?? payer.customer?.phone,
  user_phone_number_country_code: payer =>
    billingOf(payer)?.phone?.country_code ?? payer.phone_country_code ?? payer.customer?.phone_country_code,
  user_address_line1: payer => billingOf(payer)?.address?.line1,
  user_address_line2: payer => billingOf(payer)?.address?.line2,
  user_address_city: payer => billingOf(payer)?.address?.city,
  user_address_pincode: payer => billingOf(payer)?.address?.zip,
  user_address_country: payer => billingOf(payer)?.address?.country,
}

function fullName(payer: Payer): string | undefined {
  const { first_name, last_name } = billingOf(payer)?.address ?? {}
  return [first_name, last_name].filter(Boolean).join(' ') || payer.name || payer.customer?.name || undefined
}

export function knownValue({ field_type, display_name }: Needed, { request }: Pick<Payment, 'request'>): string | null {
  const kind = typeof field_type === 'string' ? field_type : Object.keys(field_type)[0]!
  return (Object.hasOwn(values, kind) && values[kind]!(request, display_name)) || null
}

/** Each once. `countries`: those from which a customer can pay. */
export const inputsFor = (requires: readonly Requirement[], countries: readonly string[]): Needed[] => {
  const inputs = inputsIn(countries)
  return [...new Map(requires.flatMap(one => inputs[one]).map(need => [need.required_field, need])).values()]
}
