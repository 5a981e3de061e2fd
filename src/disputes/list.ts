import { dateTime } from '../base/shapes.ts'
import { readTime } from '../base/time.ts'
import type { Filter } from '../lists/filters.ts'
import { resource } from '../lists/list.ts'
import type { ListedResource } from '../lists/queries.ts'
import { filtersOf } from '../resources/read.ts'
import { type Dispute, disputes } from './dispute.ts'
import { disputeFields } from './fields.ts'

const due = (bound: 'lte' | 'gte'): [string, Filter] => {
  const name = `challenge_required_by.${bound}`
  const holds = ({ challenge_required_by: at }: Dispute, value: string) => at !== null && (bound === 'lte' ? at <= value : at >= value)
  return [
    name,
    {
      shape: dateTime,
      by: { onRows: { holds: holds as never } },
      means: value => readTime(name, value),
      description: `Evidence is due at or ${bound === 'lte' ? 'before' : 'after'} this time`,
    },
  ]
}

export const listedDisputes: ListedResource<typeof disputes> = {
  ...resource(disputes, ['updated_at', 'challenge_required_by']),
  what: 'dispute',
  filters: { ...filtersOf(disputeFields), ...Object.fromEntries([due('lte'), due('gte')]) },
  created: 'received_time',
  orders: { created: 'created', amount: 'amount', modified: 'updated_at', challenge_required_by: 'challenge_required_by' },
  ordersInGet: ['challenge_required_by'],
  most: 100,
  needs: ['start_time'],
}
