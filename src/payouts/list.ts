import Type from 'typebox'
import { boundedText, shortText } from '../base/shapes.ts'
import { entityTypes } from '../connectors/verbs.ts'
import { anyOf, type ListFilters } from '../lists/filters.ts'
import { resource } from '../lists/list.ts'
import type { ListedResource } from '../lists/stories.ts'
import { recipientNames } from '../means/recipients.ts'
import { currency } from '../payments/fields/sold.ts'
import { neverHere, statuses } from './lifecycle.ts'
import { payouts } from './payout.ts'

const filters = {
  payout_id: { shape: Type.String({ minLength: 30, maxLength: 30 }), by: 'own id' },
  profile_id: { shape: boundedText(64), by: { facet: 'profile_id' } },
  customer_id: { shape: boundedText(64), by: { id: 'customer_id' } },
  merchant_order_reference_id: { shape: shortText, by: { id: 'reference' } },
  connector: { shape: shortText, by: { facet: 'connector' }, many: true },
  merchant_connector_id: { shape: boundedText(64), by: { facet: 'merchant_connector_id' }, many: true },
  currency: { shape: currency, by: { facet: 'currency' }, many: 'or one' },
  status: { shape: anyOf([...Object.keys(statuses), ...neverHere]), by: { facet: 'status' }, many: true },
  payout_method: { shape: anyOf(recipientNames), by: { facet: 'payout_type' }, many: true },
  entity_type: { shape: anyOf(entityTypes), by: { facet: 'entity_type' }, many: 'or one' },
} as const satisfies ListFilters

/** How payouts are listed. */
export const listedPayouts: ListedResource<typeof payouts> = {
  ...resource(payouts, ['modified_at']),
  what: 'payout',
  filters,
  created: 'created',
  orders: { created: 'created', amount: 'amount', modified: 'modified_at' },
  most: 20,
  between: true,
  needs: ['start_time', 'currency', 'entity_type'],
}
