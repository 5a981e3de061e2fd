import { boundedText } from '../base/shapes.ts'
import { resource } from '../lists/list.ts'
import type { ListedResource } from '../lists/queries.ts'
import { filtersOf } from '../resources/read.ts'
import { refundFields } from './fields.ts'
import { refunds } from './refund.ts'

export const listedRefunds: ListedResource<typeof refunds> = {
  ...resource(refunds, ['updated_at']),
  what: 'refund',
  filters: {
    ...filtersOf(refundFields),
    payment_id_in: {
      shape: boundedText(64),
      by: { id: 'payment_id' },
      many: true,
      column: null,
      description: 'Refunds of any of these payments',
    },
  },
  created: 'created_at',
  orders: { created: 'created', amount: 'amount', modified: 'updated_at' },
  most: 100,
}
