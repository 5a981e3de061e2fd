import { addressDetails } from '../base/shapes.ts'
import type { Context } from '../context.ts'
import { type CustomerRow, type Personal, personalOf } from '../customers/customer.ts'
import { customerFields } from '../customers/fields.ts'
import { type Audience, type Members, membersOf, renderer } from './member.ts'

/** A customer with what is said of them, out of the vault. */
type Opened = Omit<CustomerRow, 'personal'> & { personal: Personal }

const parts = Object.keys(addressDetails.properties) as (keyof NonNullable<Personal['address']>)[]

/** Every member of a customer's answer. */
export const customerMembers: Members<Opened, { eyes: Audience }> = membersOf<Opened, { eyes: Audience }, typeof customerFields>(
  customerFields,
  {
    address: {
      from: ({ personal: { address } }) => (address ? Object.fromEntries(parts.map(part => [part, address[part] ?? null])) : null),
    },
  },
)

const render = renderer(customerMembers)

/**
 * A customer as the interface shows them; what the merchant noted of them (`metadata`, `description`) only its server
 * sees.
 */
export const showCustomer = (context: Pick<Context, 'vault'>, customer: CustomerRow, eyes: Audience = 'server'): Record<string, unknown> =>
  render({ ...customer, personal: personalOf(context, customer) }, { eyes })
