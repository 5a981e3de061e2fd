import type { Context } from '../context.ts'
import { type CustomerRow, personalOf } from '../customers/customer.ts'
import type { Audience } from './member.ts'

/**
 * A customer as the interface shows them; what the merchant noted of them (`metadata`, `description`) only its server
 * sees.
 */
export function showCustomer(context: Pick<Context, 'vault'>, customer: CustomerRow, eyes: Audience = 'server'): Record<string, unknown> {
  const { name, email, phone, phone_country_code, description, address, metadata, tax_registration_id } = personalOf(context, customer)
  return {
    customer_id: customer.customer_id,
    name: name ?? null,
    email: email ?? null,
    phone: phone ?? null,
    phone_country_code: phone_country_code ?? null,
    description: eyes === 'server' ? (description ?? null) : null,
    address: address
      ? Object.fromEntries(
          ['city', 'country', 'line1', 'line2', 'line3', 'zip', 'state', 'first_name', 'last_name', 'origin_zip'].map(part => [
            part,
            address[part as keyof typeof address] ?? null,
          ]),
        )
      : null,
    created_at: customer.created_at,
    metadata: eyes === 'server' ? (metadata ?? null) : null,
    default_payment_method_id: customer.default_payment_method_id,
    tax_registration_id: tax_registration_id ?? null,
  }
}
