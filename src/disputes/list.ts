import { resource } from '../lists/list.ts'
import type { ListedResource } from '../lists/stories.ts'
import { filtersOf } from '../resources/read.ts'
import { disputes } from './dispute.ts'
import { disputeFields } from './fields.ts'

/** How disputes are listed. */
export const listedDisputes: ListedResource<typeof disputes> = {
  ...resource(disputes, ['updated_at']),
  what: 'dispute',
  filters: filtersOf(disputeFields),
  created: 'received_time',
  orders: { created: 'created', amount: 'amount', modified: 'updated_at' },
  most: 100,
  needs: ['start_time'],
}
