import { HOUR_MS, later } from '../base/time.ts'
import type { RowChange } from '../context.ts'
import { type RowOf, table, text, time } from '../database/table.ts'
import type { ConnectorAccountRow } from './merchant.ts'

/**
 * The connector accounts at whose processor changes are looked for of which no webhook told us (`outside/watch.ts`).
 * `listed_until`: the processor's list of changes is read until then; `page`: to read next, of changes until
 * `page_until`. `swept_to`: the payment after which single payments are asked about next; null: from the latest.
 * `payouts_swept_to`: the same of payouts.
 */
export const accountWatches = table('account_watches', {
  pointer: true,
  key: ['merchant_id', 'merchant_connector_id'],
  columns: {
    merchant_id: text(),
    merchant_connector_id: text(),
    connector: text(),
    look_at: time(),
    listed_until: time(),
    page: text().orNull(),
    page_until: time().orNull(),
    swept_to: text().orNull(),
    payouts_swept_to: text().orNull(),
  },
})
export type AccountWatch = RowOf<typeof accountWatches>

const FIRST_LOOK_MS = HOUR_MS

/** The row of a new account. */
export function newWatch({ merchant_id, merchant_connector_id, connector_name, created }: ConnectorAccountRow): RowChange {
  const after: AccountWatch = {
    merchant_id,
    merchant_connector_id,
    connector: connector_name,
    look_at: later(created, FIRST_LOOK_MS),
    listed_until: created,
    page: null,
    page_until: null,
    swept_to: null,
    payouts_swept_to: null,
  }
  return { table: accountWatches.name, before: null, after }
}
