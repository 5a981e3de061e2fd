import type { DisputeReport } from '../connectors/dispute.ts'
import type { Dispute } from './dispute.ts'
import { mayGo, rankOf, type Standing } from './lifecycle.ts'

/**
 * Merges all news of a dispute, in any order and however often it arrives: the news that is furthest in the
 * lifecycle decides, and the other news fills in what it leaves open. Pure.
 */

const standingOf = ({ stage, status }: DisputeReport): Standing => ({ dispute_stage: stage, dispute_status: status })

/** Orders news by progress, then by time, then in an arbitrary but fixed order. */
const order = (a: DisputeReport, b: DisputeReport): number =>
  rankOf(standingOf(a)) - rankOf(standingOf(b)) ||
  compare(a.updated ?? '', b.updated ?? '') ||
  compare(JSON.stringify(a), JSON.stringify(b))
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The columns of a dispute that come from news. */
function together(reports: readonly DisputeReport[]) {
  const sorted = [...reports].sort(order)
  const last = sorted.at(-1)!
  const known = <N extends 'reason' | 'reason_code' | 'respond_by'>(name: N) => sorted.findLast(one => one[name] !== null)?.[name] ?? null
  const times = (name: 'created' | 'updated') => sorted.flatMap(one => one[name] ?? []).sort()
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

/** Beyond it, only news that moves the dispute forward is applied, so that it still reaches its end. */
const MOST = 40

/** The dispute after this news, and the news to store; null if nothing is new, or it contradicts a decided status. */
export function mergeReport(
  dispute: Dispute | undefined,
  next: DisputeReport,
): (ReturnType<typeof together> & { news: readonly DisputeReport[] }) | null {
  const before = dispute?.news ?? []
  if (before.some(one => JSON.stringify(one) === JSON.stringify(next))) return null
  if (dispute && before.length >= MOST && rankOf(standingOf(next)) <= rankOf(dispute)) return null
  const reports = [...before, next]
  const merged = together(reports)
  if (!dispute) return { ...merged, news: reports }
  if (!mayGo(dispute, merged)) return null
  const isNew = (Object.keys(merged) as (keyof typeof merged)[]).some(name => merged[name] !== dispute[name])
  return isNew ? { ...merged, news: reports } : null
}
