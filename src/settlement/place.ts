import type { Cause } from './causes.ts'
import { isPaidOut } from './entries.ts'
import { movedAmount, movementIdentity, type Ordinals } from './identity.ts'
import type { SettlementLine } from './line.ts'

/** A line that was stored before, of the same identity. */
export type KnownLine = {
  identity: string
  n: number
  currency: string
  gross: number
  fee: number
  net: number
  batch: string | null
  file_id: string
}

/** A line with the key under which it is stored. */
export type Placed = { line: SettlementLine; identity: string; n: number }

/** A line that says something else than before. `ours`: what was stored. */
export type Changed = Placed & { cause: Cause; ours: number }

/**
 * Tells new lines from known ones, and from those that say something else of a known movement than the report that had
 * it first. The n-th line of a report with the same identity and amount is the n-th that is stored: two true movements
 * that are identical are two, and stay two in every other report that has them. Amounts of one reference that differ
 * within a report are movements of their own; those of another report have changed. `paid`: known lines of which only
 * this report says with which payout they are paid.
 */
export function place(
  lines: readonly SettlementLine[],
  identities: readonly string[],
  stored: readonly KnownLine[],
  file_id: string,
  seen: Ordinals,
) {
  const known = Map.groupBy(stored, ({ identity }) => identity)
  const fresh: Placed[] = []
  const changed: Changed[] = []
  const paid: Placed[] = []
  lines.forEach((line, i) => {
    const identity = identities[i]!
    const amount = movedAmount(line)
    const its = known.get(identity) ?? []
    const nth = seen.next(`${identity} ${line.currency} ${amount}`)
    const same = its.filter(one => one.currency === line.currency && movedAmount(one) === amount)[nth - 1]
    if (same) {
      if (same.fee !== line.fee) changed.push({ line, identity, n: same.n, cause: 'fee_differs', ours: same.fee })
      if (same.batch === null && line.batch !== null && !isPaidOut(line)) {
        paid.push({ line, identity, n: same.n })
        same.batch = line.batch
      }
      return
    }
    const n = 1 + its.reduce((most, one) => Math.max(most, one.n), 0)
    const before = line.reference === null ? undefined : its.find(one => one.file_id !== file_id)
    if (before) {
      changed.push({ line, identity, n, cause: 'changed', ours: movedAmount(before) })
      return
    }
    fresh.push({ line, identity, n })
    const { currency, gross, fee, net, batch } = line
    known.set(identity, [...its, { identity, n, currency, gross, fee, net, batch, file_id }])
  })
  return { fresh, changed, paid, known: lines.length - fresh.length - changed.length }
}

export const identitiesOf = (lines: readonly SettlementLine[]): string[] => lines.map(movementIdentity)
