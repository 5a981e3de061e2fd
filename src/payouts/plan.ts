import { refuse } from '../base/refusal.ts'
import { beginOn } from '../operations/begin.ts'
import type { Call } from '../operations/verb.ts'
import type { Change, RowChange, World } from '../world.ts'
import { findPayout, type Payout, payouts } from './payout.ts'

/** The payout, or 404: a foreign one is as absent as a missing one. */
export const needPayout = async (world: Pick<World, 'query'>, merchant_id: string, payout_id: string): Promise<Payout> =>
  (await findPayout(world, merchant_id, payout_id)) ?? refuse('not_found', { what: 'payout' })

/** The *begin* of a call on an existing payout (`operations/begin.ts`). */
export const begin = <P extends { change: (Change & { after: Payout }) | null }>(
  { world, merchant: { merchant_id } }: Call,
  payout_id: string,
  plan: (payout: Payout) => P | Promise<P>,
): Promise<{ head: Payout; plan: P }> => beginOn(world, () => needPayout(world, merchant_id, payout_id), plan)

/** A move of a payout, as it is written. */
export const moved = (
  world: World,
  before: Payout,
  after: Payout,
  type: string,
  { rows = [], announces = null }: { rows?: RowChange[]; announces?: string | null } = {},
): Change & { after: Payout } => ({
  head: payouts.name,
  before,
  after: { ...after, modified_at: world.now() },
  rows,
  event: { type, announces },
  by: world.by,
})
