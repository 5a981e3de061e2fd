import { addressDetails } from '../base/shapes.ts'
import type { Context } from '../context.ts'
import { type CustomerRow, type Personal, personalOf } from '../customers/customer.ts'
import { customerFields } from '../customers/fields.ts'
import { type Audience, type Members, membersOf, renderer } from './member.ts'

type Opened = Omit<CustomerRow, 'personal'> & { personal: Personal }

const parts = Object.keys(addressDetails.properties) as (keyof NonNullable<Personal['address']>)[]

export const customerMembers: Members<Opened, { audience: Audience }> = membersOf<Opened, { audience: Audience }, typeof customerFields>(
  customerFields,
  {
    address: {
      from: ({ personal: { address } }) => (address ? Object.fromEntries(parts.map(part => [part, address[part] ?? null])) : null),
    },
  },
)

const render = renderer(customerMembers)

/** Only the merchant's server sees the merchant's own notes (`metadata`, `description`). */
export const showCustomer = (
  context: Pick<Context, 'vault'>,
  customer: CustomerRow,
  viewer: Audience = 'server',
): Record<string, unknown> => render({ ...customer, personal: personalOf(context, customer) }, { audience: viewer })
