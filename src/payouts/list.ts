import { resource } from '../lists/list.ts'
import type { ListedResource } from '../lists/queries.ts'
import { filtersOf } from '../resources/read.ts'
import { payoutFields } from './fields.ts'
import { payouts } from './payout.ts'

export const listedPayouts: ListedResource<typeof payouts> = {
  ...resource(payouts, ['modified_at']),
  what: 'payout',
  filters: filtersOf(payoutFields),
  created: 'created',
  orders: { created: 'created', amount: 'amount', modified: 'modified_at' },
  most: 20,
  between: true,
  needs: ['start_time', 'currency', 'entity_type'],
}
