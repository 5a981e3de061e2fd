import { findAlgorithms, findProfileRouting, type TransactionType } from '../accounts/routing.ts'
import type { Time } from '../context.ts'
import { changes } from '../database/changes.ts'
import { statement } from '../database/statement.ts'
import { type RowOf, select } from '../database/table.ts'
import { needProfile, withNumbers } from './algorithms.ts'
import type { NumberedAlgorithm, RoutingCall } from './change.ts'
import { routingColumns } from './known.ts'

/** `active_until`: null while the algorithm is active. */
export type Activation = {
  algorithm: NumberedAlgorithm
  active_from: Time
  active_until: Time | null
  by: string
  reason: string | null
}

const ofProfile = statement(
  'changes_of_profile_routing',
  select(changes, "where merchant_id = $1 and object_id = $2 and kind = 'profile_routing' order by version desc"),
)

type Spell = Omit<Activation, 'algorithm'> & { algorithm_id: string }

/** Newest first. */
export async function historyOfRouting(call: RoutingCall, of: TransactionType, profile_id: string): Promise<Activation[]> {
  const { context, merchant } = call
  const { merchant_id } = merchant
  needProfile(merchant, profile_id)
  // The row is read before its history, so that a change in between is also undone.
  const now = await findProfileRouting(context, merchant_id, profile_id)
  if (!now) return []
  const spells = spellsOf(
    now,
    await context.query<RowOf<typeof changes>>(ofProfile, [merchant_id, profile_id]),
    routingColumns[of].algorithm,
  )
  const rows = await withNumbers(call, await findAlgorithms(context, merchant_id, [...new Set(spells.map(one => one.algorithm_id))]))
  const byId = new Map(rows.map((row): [string, NumberedAlgorithm] => [row.algorithm_id, row]))
  return spells.map(({ algorithm_id, ...spell }) => ({ algorithm: byId.get(algorithm_id)!, ...spell }))
}

type Past = Pick<RowOf<typeof changes>, 'was' | 'by' | 'created'>
type Column = 'payment_algorithm' | 'payout_algorithm'

/** `history`: the changes, newest first. The row after a change is the current row with all later changes undone. */
function spellsOf(now: { [N in Column | 'reason']: string | null }, history: readonly Past[], column: Column): Spell[] {
  const spells: Spell[] = []
  let row: typeof now = now
  let active_until: Time | null = null
  for (const [i, { was, by, created }] of history.entries()) {
    const { rows: _others, ...own } = was
    const before: typeof now = { ...row, ...own }
    // The first change created the row, so no algorithm was active before it.
    const previous = i === history.length - 1 ? null : before[column]
    if (previous !== row[column]) {
      if (row[column] !== null) spells.push({ algorithm_id: row[column], active_from: created, active_until, by, reason: row.reason })
      active_until = created
    }
    row = before
  }
  return spells
}
