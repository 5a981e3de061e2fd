import { shortText } from '../base/shapes.ts'
import type { Context } from '../context.ts'
import { idsByEmail } from '../customers/list.ts'
import { resource } from '../lists/list.ts'
import type { ListParams } from '../lists/read.ts'
import type { ListedResource } from '../lists/stories.ts'
import type { Fields } from '../resources/field.ts'
import { filtersOf } from '../resources/read.ts'
import { paymentFields } from './fields/all.ts'
import { payments } from './payment.ts'

/** No member of a payment: its customers are looked for by it. */
const byEmail = {
  customer_email: {
    listed: { place: 4, by: { id: 'customer_id' }, shape: shortText, column: null },
    says: 'Payments of customers whose current email address is this one. Payments without a customer are not included',
  },
} as const satisfies Fields

/** How payments are listed. */
export const listedPayments: ListedResource<typeof payments> = {
  ...resource(payments, ['modified_at', 'attempt_count']),
  what: 'payment',
  filters: filtersOf({ ...paymentFields, ...byEmail }),
  created: 'created',
  orders: { created: 'created', amount: 'amount', modified: 'modified_at', attempt_count: 'attempt_count' },
  most: 20,
  instead: { metadata: 'Payments cannot be filtered by metadata: set a merchant_order_reference_id, and filter by that' },
}

/** What is asked for, with the customers whose e-mail address it says in its place. */
export const paymentListParams = async (
  context: Pick<Context, 'query' | 'now' | 'vault'>,
  merchant_id: string,
  ask: ListParams,
): Promise<ListParams> =>
  ask.customer_email === undefined
    ? ask
    : { ...ask, customer_email: await idsByEmail(context, merchant_id, 'customer_email', ask.customer_email as string) }
