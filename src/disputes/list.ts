import { shortText, text } from '../base/shapes.ts'
import { disputeStages, disputeStatuses } from '../connectors/dispute.ts'
import { anyOf, type Filters } from '../lists/filters.ts'
import { resource } from '../lists/list.ts'
import type { Listed } from '../lists/stories.ts'
import { currency } from '../payments/fields/sold.ts'
import { disputes } from './dispute.ts'

const filters = {
  dispute_id: { shape: text(64), by: 'own id' },
  payment_id: { shape: text(64), by: { id: 'payment_id' } },
  profile_id: { shape: text(64), by: { facet: 'profile_id' } },
  merchant_connector_id: { shape: text(64), by: { facet: 'merchant_connector_id' } },
  dispute_status: { shape: anyOf(disputeStatuses), by: { facet: 'dispute_status' }, many: true },
  dispute_stage: { shape: anyOf(disputeStages), by: { facet: 'dispute_stage' }, many: true },
  reason: { shape: shortText, by: { facet: 'connector_reason' }, says: 'The value of `connector_reason`' },
  connector: { shape: shortText, by: { facet: 'connector' }, many: true },
  currency: { shape: currency, by: { facet: 'currency' }, many: true },
} as const satisfies Filters

/** How disputes are listed. */
export const listedDisputes: Listed<typeof disputes> = {
  ...resource(disputes, ['updated_at']),
  what: 'dispute',
  filters,
  created: 'received_time',
  orders: { created: 'created', amount: 'amount', modified: 'updated_at' },
  most: 100,
  needs: ['start_time'],
}
