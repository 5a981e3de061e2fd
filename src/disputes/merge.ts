import type { DisputeSaid } from '../connectors/dispute.ts'
import type { Dispute } from './dispute.ts'
import { mayGo, rankOf, type Standing } from './lifecycle.ts'

/**
 * What all that was ever said of a dispute makes of it. News comes in any order, and more than once: who went furthest
 * is right, and what that leaves open the others say. So the order in which it was heard makes no difference. Pure.
 */

const standingOf = ({ stage, status }: DisputeSaid): Standing => ({ dispute_stage: stage, dispute_status: status })

/** Of two that went equally far the later one comes after; if they are of one time, it is all the same which does. */
const order = (a: DisputeSaid, b: DisputeSaid): number =>
  rankOf(standingOf(a)) - rankOf(standingOf(b)) ||
  compare(a.updated ?? '', b.updated ?? '') ||
  compare(JSON.stringify(a), JSON.stringify(b))
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The columns of a dispute that are told. */
export type MergedDispute = Pick<
  Dispute,
  | 'dispute_stage'
  | 'dispute_status'
  | 'amount'
  | 'currency'
  | 'connector_status'
  | 'connector_reason'
  | 'connector_reason_code'
  | 'challenge_required_by'
  | 'connector_created_at'
  | 'connector_updated_at'
>

/** What these say together; at least one must. */
function together(news: readonly DisputeSaid[]): MergedDispute {
  const sorted = [...news].sort(order)
  const last = sorted.at(-1)!
  const known = <N extends 'reason' | 'reason_code' | 'respond_by'>(name: N) => sorted.findLast(said => said[name] !== null)?.[name] ?? null
  const times = (name: 'created' | 'updated') => sorted.flatMap(said => said[name] ?? []).sort()
  return {
    ...standingOf(last),
    amount: last.amount.amount,
    currency: last.amount.currency,
    connector_status: last.said,
    connector_reason: known('reason'),
    connector_reason_code: known('reason_code'),
    challenge_required_by: known('respond_by'),
    connector_created_at: times('created')[0] ?? null,
    connector_updated_at: times('updated').at(-1) ?? null,
  }
}

/**
 * So much is kept of what was said. After that only what goes further is heard: a dispute that is told of again and
 * again still comes to its end, and it cannot go further for ever.
 */
const MOST = 40

/**
 * How a dispute stands after this, and what is kept of the news; null: nothing new. What contradicts the end that it
 * has come to changes nothing.
 */
export function mergeNews(dispute: Dispute | undefined, said: DisputeSaid): (MergedDispute & { news: readonly DisputeSaid[] }) | null {
  const before = dispute?.news ?? []
  if (before.some(one => JSON.stringify(one) === JSON.stringify(said))) return null
  if (dispute && before.length >= MOST && rankOf(standingOf(said)) <= rankOf(dispute)) return null
  const news = [...before, said]
  const told = together(news)
  if (!dispute) return { ...told, news }
  if (!mayGo(dispute, told)) return null
  const isNew = (Object.keys(told) as (keyof MergedDispute)[]).some(name => told[name] !== dispute[name])
  return isNew ? { ...told, news } : null
}
