import { text } from '../base/shapes.ts'
import { anyOf, type Filters } from '../lists/filters.ts'
import { resource } from '../lists/list.ts'
import type { Listed } from '../lists/stories.ts'
import { currency } from '../payments/fields/sold.ts'
import { refundStatuses, refunds } from './refund.ts'

/** Existing clients have the ecosystem's inner words for a refund's status (contract 5.1). */
const inner: Readonly<Record<string, string>> = {
  success: 'succeeded',
  failure: 'failed',
  transaction_failure: 'failed',
  manual_review: 'review',
}

const filters = {
  refund_id: { shape: text(64), by: 'own id' },
  payment_id: { shape: text(64), by: { id: 'payment_id' } },
  payment_id_in: { shape: text(64), by: { id: 'payment_id' }, many: true, column: null, says: 'Refunds of any of these payments' },
  profile_id: { shape: text(64), by: { facet: 'profile_id' } },
  connector: { shape: text(255), by: { facet: 'connector' }, many: true },
  merchant_connector_id: { shape: text(64), by: { facet: 'merchant_connector_id' }, many: true },
  currency: { shape: currency, by: { facet: 'currency' }, many: true },
  refund_status: {
    shape: anyOf([...Object.keys(refundStatuses), ...Object.keys(inner)]),
    by: { facet: 'status' },
    many: true,
    column: 'status',
    means: (word: string) => inner[word] ?? word,
  },
  refund_type: { shape: anyOf(['instant', 'scheduled']), by: { facet: 'refund_type' }, many: true },
} as const satisfies Filters

/** How refunds are listed. */
export const listedRefunds: Listed<typeof refunds> = {
  ...resource(refunds, ['updated_at']),
  what: 'refund',
  filters,
  created: 'created_at',
  orders: { created: 'created', amount: 'amount', modified: 'updated_at' },
  most: 100,
}
