import { boundedText, shortText } from '../base/shapes.ts'
import { disputeStages, disputeStatuses } from '../connectors/dispute.ts'
import { anyOf, type ListFilters } from '../lists/filters.ts'
import { resource } from '../lists/list.ts'
import type { ListedResource } from '../lists/stories.ts'
import { currency } from '../payments/fields/sold.ts'
import { disputes } from './dispute.ts'

const filters = {
  dispute_id: { shape: boundedText(64), by: 'own id' },
  payment_id: { shape: boundedText(64), by: { id: 'payment_id' } },
  profile_id: { shape: boundedText(64), by: { facet: 'profile_id' } },
  merchant_connector_id: { shape: boundedText(64), by: { facet: 'merchant_connector_id' } },
  dispute_status: { shape: anyOf(disputeStatuses), by: { facet: 'dispute_status' }, many: true },
  dispute_stage: { shape: anyOf(disputeStages), by: { facet: 'dispute_stage' }, many: true },
  reason: { shape: shortText, by: { facet: 'connector_reason' }, says: 'The value of `connector_reason`' },
  connector: { shape: shortText, by: { facet: 'connector' }, many: true },
  currency: { shape: currency, by: { facet: 'currency' }, many: true },
} as const satisfies ListFilters

/** How disputes are listed. */
export const listedDisputes: ListedResource<typeof disputes> = {
  ...resource(disputes, ['updated_at']),
  what: 'dispute',
  filters,
  created: 'received_time',
  orders: { created: 'created', amount: 'amount', modified: 'updated_at' },
  most: 100,
  needs: ['start_time'],
}
