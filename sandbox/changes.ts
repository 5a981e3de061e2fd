// What changed in an account since a time, page by page: for dialects that list it.

import type { Account } from './books.ts'
import type { Dispute, Operation, Payment } from './records.ts'
import { Refusal } from './refusals.ts'

const MOST = 100

type Changed = { at: string; id: string; show: () => object }
type Showing = { operation(operation: Operation, payment: Payment): object; dispute(dispute: Dispute): object }

/**
 * Returns the changes from `since` until before `until`, by the time of the last change, each as it is now. `cursor`:
 * `next` of the page before.
 */
export function changesPage(account: Account, query: Record<string, unknown>, show: Showing): { page: object[]; next: string | null } {
  const [since, until] = [timeIn(query, 'since'), timeIn(query, 'until')]
  const limit = query.limit === undefined ? MOST : Number(query.limit)
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST) throw new Refusal('invalid_request', `limit must be 1 to ${MOST}`, 'limit')
  const after = query.cursor === undefined ? '' : String(query.cursor)
  const left = changed(account, show)
    .filter(one => one.at >= since && one.at < until && placeOf(one) > after)
    .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  const page = left.slice(0, limit)
  return { page: page.map(one => one.show()), next: left.length > limit ? placeOf(page.at(-1)!) : null }
}

function changed({ operations, payments, documents }: Account, show: Showing): Changed[] {
  const disputes = [...documents.values()].filter((one): one is Dispute => one.object === 'dispute')
  return [
    ...[...operations.values()].map(operation => ({
      at: operation.updated_at,
      id: operation.id,
      show: () => show.operation(operation, payments.get(operation.payment)!),
    })),
    ...disputes.map(dispute => ({ at: new Date(dispute.updated).toISOString(), id: dispute.id, show: () => show.dispute(dispute) })),
  ]
}

const placeOf = ({ at, id }: Pick<Changed, 'at' | 'id'>): string => `${at}.${id}`

function timeIn(query: Record<string, unknown>, name: string): string {
  const at = Date.parse(String(query[name]))
  if (Number.isNaN(at)) throw new Refusal('invalid_request', `${name} must be a time`, name)
  return new Date(at).toISOString()
}
