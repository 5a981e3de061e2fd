import { boundedText } from '../../base/shapes.ts'
import { cardDiscoveries } from '../../instruments/card.ts'
import { networks } from '../../instruments/networks.ts'
import { anyOf } from '../../lists/filters.ts'
import type { Field } from '../../resources/field.ts'
import { statuses } from '../lifecycle.ts'

const made = { visibility: 'computed' } as const

/** The results of a payment, which no request sets, as lists and exports have them. Answers: `show/members.ts`. */
export const progress = {
  status: { ...made, filter: { place: 8, by: { facet: 1 }, shape: anyOf(Object.keys(statuses)), many: true }, exportPosition: 2 },
  net_amount: { ...made, exportPosition: 5 },
  amount_received: { ...made, exportPosition: 6 },
  amount_capturable: { ...made, exportPosition: 7 },
  merchant_connector_id: {
    ...made,
    filter: { place: 12, by: { facet: 4 }, shape: boundedText(64), many: true },
    exportPosition: 9,
    description: 'Id of the connector account',
  },
  connector_transaction_id: { ...made, exportPosition: 10 },
  card_network: { filter: { place: 13, by: { facet: 9 }, shape: anyOf(networks), many: true } },
  card_discovery: { ...made, filter: { place: 14, by: { facet: 10 }, shape: anyOf(cardDiscoveries), many: true } },
  attempt_count: { ...made, exportPosition: 17 },
  error_code: { ...made, exportPosition: 18 },
  error_message: { ...made, exportPosition: 19 },
  unified_code: { ...made, exportPosition: 20 },
  created: { ...made, exportPosition: 23 },
  modified_at: { ...made, exportPosition: 24 },
} satisfies Record<string, Field>
