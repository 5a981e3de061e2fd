import { boundedText } from '../base/shapes.ts'
import { anyOf, type ListFilters } from '../lists/filters.ts'
import { resource } from '../lists/list.ts'
import type { ListedResource } from '../lists/stories.ts'
import { currency } from '../payments/fields/sold.ts'
import { refundStatuses, refunds } from './refund.ts'

/** Existing clients have the ecosystem's inner words for a refund's status (contract 5.1). */
const inner: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(refundStatuses).flatMap(([status, { called }]) => (called ? [[called, status]] : []))),
  transaction_failure: 'failed',
  manual_review: 'review',
}

const filters = {
  refund_id: { shape: boundedText(64), by: 'own id' },
  payment_id: { shape: boundedText(64), by: { id: 'payment_id' } },
  payment_id_in: { shape: boundedText(64), by: { id: 'payment_id' }, many: true, column: null, says: 'Refunds of any of these payments' },
  profile_id: { shape: boundedText(64), by: { facet: 'profile_id' } },
  connector: { shape: boundedText(255), by: { facet: 'connector' }, many: true },
  merchant_connector_id: { shape: boundedText(64), by: { facet: 'merchant_connector_id' }, many: true },
  currency: { shape: currency, by: { facet: 'currency' }, many: true },
  refund_status: {
    shape: anyOf([...Object.keys(refundStatuses), ...Object.keys(inner)]),
    by: { facet: 'status' },
    many: true,
    column: 'status',
    means: (word: string) => inner[word] ?? word,
  },
  refund_type: { shape: anyOf(['instant', 'scheduled']), by: { facet: 'refund_type' }, many: true },
} as const satisfies ListFilters

/** How refunds are listed. */
export const listedRefunds: ListedResource<typeof refunds> = {
  ...resource(refunds, ['updated_at']),
  what: 'refund',
  filters,
  created: 'created_at',
  orders: { created: 'created', amount: 'amount', modified: 'updated_at' },
  most: 100,
}
