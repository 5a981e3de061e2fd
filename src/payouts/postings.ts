import type { Posting } from '../context.ts'
import type { Operation } from '../operations/operation.ts'
import { statuses } from './lifecycle.ts'
import type { Payout } from './payout.ts'

type Moved<T> = { was: T; is: T }

/** Money that left by an attempt other than the payout's current one goes to `suspense`, for manual review. */
export function postingsOf({ was, is }: Moved<Payout>, operation: Moved<Operation>): Posting | undefined {
  const paid = left(is) - left(was)
  const strayed = operation.is.verb === 'payout' && isStray(operation.is) && !isStray(operation.was) ? operation.is.amount : 0
  if (paid === 0 && strayed === 0) return undefined
  const { profile_id, currency } = is
  const { merchant_connector_id, request_id } = operation.is
  const entries = { processor: -paid - strayed, ...(paid !== 0 && { payouts: paid }), ...(strayed !== 0 && { suspense: strayed }) }
  return { request_id, profile_id, merchant_connector_id, currency, entries }
}

const left = ({ status, amount }: Payout): number => (statuses[status].traits.includes('paid') ? amount : 0)

/** Whether a payout was paid that no payout expected (`lateApproval` of `operations/operation-patch.ts`). */
const isStray = ({ state, response }: Operation): boolean => state === 'conflicted' && response?.stray === true
