import { boundedText } from '../../base/shapes.ts'
import { cardDiscoveries } from '../../instruments/card.ts'
import { networks } from '../../instruments/networks.ts'
import { anyOf } from '../../lists/filters.ts'
import type { Field } from '../../resources/field.ts'
import { statuses } from '../lifecycle.ts'

const made = { shown: 'computed' } as const

/**
 * The results of a payment, which no request sets, as far as lists and exports contain them. Answers derive them in
 * `show/members.ts`; their columns are described in `payment.ts`, in the order of SQL statements.
 */
export const progress = {
  status: { ...made, listed: { place: 8, by: { facet: 1 }, shape: anyOf(Object.keys(statuses)), many: true }, exported: 2 },
  net_amount: { ...made, exported: 5 },
  amount_received: { ...made, exported: 6 },
  amount_capturable: { ...made, exported: 7 },
  merchant_connector_id: {
    ...made,
    listed: { place: 12, by: { facet: 4 }, shape: boundedText(64), many: true },
    exported: 9,
    description: 'Id of the connector account',
  },
  connector_transaction_id: { ...made, exported: 10 },
  card_network: { listed: { place: 13, by: { facet: 9 }, shape: anyOf(networks), many: true } },
  card_discovery: { ...made, listed: { place: 14, by: { facet: 10 }, shape: anyOf(cardDiscoveries), many: true } },
  attempt_count: { ...made, exported: 17 },
  error_code: { ...made, exported: 18 },
  error_message: { ...made, exported: 19 },
  unified_code: { ...made, exported: 20 },
  created: { ...made, exported: 23 },
  modified_at: { ...made, exported: 24 },
} satisfies Record<string, Field>
