import { boundedText, shortText } from '../base/shapes.ts'
import type { Context } from '../context.ts'
import { idsByEmail } from '../customers/list.ts'
import { anyOf, type ListFilters } from '../lists/filters.ts'
import { resource } from '../lists/list.ts'
import type { ListParams } from '../lists/read.ts'
import type { ListedResource } from '../lists/stories.ts'
import { cardDiscoveries } from '../means/card.ts'
import { paymentMethodNames, paymentMethodTypes } from '../means/methods.ts'
import { networks } from '../means/networks.ts'
import { fields } from './fields/all.ts'
import { currency } from './fields/sold.ts'
import { statuses } from './lifecycle.ts'
import { payments } from './payment.ts'

const filters = {
  payment_id: { shape: boundedText(64), by: 'own id' },
  profile_id: { shape: boundedText(64), by: { facet: 'profile_id' }, says: 'Business profile of the payment' },
  customer_id: { shape: boundedText(64), by: { id: 'customer_id' }, says: fields.customer_id.says },
  customer_email: {
    shape: shortText,
    by: { id: 'customer_id' },
    column: null,
    says: 'Payments of customers whose current email address is this one. Payments without a customer are not included',
  },
  merchant_order_reference_id: { shape: shortText, by: { id: 'reference' }, says: fields.merchant_order_reference_id.says },
  connector: { shape: shortText, by: { facet: 'connector' }, many: true, says: fields.connector.says },
  currency: { shape: currency, by: { facet: 'currency' }, many: true, says: fields.currency.says },
  status: { shape: anyOf(Object.keys(statuses)), by: { facet: 'status' }, many: true },
  payment_method: { shape: anyOf(paymentMethodNames), by: { facet: 'payment_method' }, many: true, says: fields.payment_method.says },
  payment_method_type: { shape: anyOf(paymentMethodTypes), by: { facet: 'payment_method_type' }, many: true },
  authentication_type: { shape: anyOf(['three_ds', 'no_three_ds']), by: { facet: 'authentication_type' }, many: true },
  merchant_connector_id: {
    shape: boundedText(64),
    by: { facet: 'merchant_connector_id' },
    many: true,
    says: 'Id of the connector account',
  },
  card_network: { shape: anyOf(networks), by: { facet: 'card_network' }, many: true },
  card_discovery: { shape: anyOf(cardDiscoveries), by: { facet: 'card_discovery' }, many: true },
} as const satisfies ListFilters

/** How payments are listed. */
export const listedPayments: ListedResource<typeof payments> = {
  ...resource(payments, ['modified_at', 'attempt_count']),
  what: 'payment',
  filters,
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
