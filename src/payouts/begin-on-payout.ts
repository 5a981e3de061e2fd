import type { EventType } from '../base/event-types.ts'
import { refuse } from '../base/refusal.ts'
import type { Change, Context, RowChange } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { beginOn } from '../operations/begin.ts'
import type { Call } from '../operations/verb.ts'
import { findPayout, PAYOUT, type Payout, payouts } from './payout.ts'

/** Returns the payout. Refuses (404) an unknown one; a payout of another merchant is treated as unknown. */
export const needPayout = async (context: Pick<Context, 'query'>, merchant_id: string, payout_id: string): Promise<Payout> =>
  (await findPayout(context, merchant_id, payout_id)) ?? refuse('not_found', { what: 'payout' })

/** Runs the *begin* of a call on an existing payout (`operations/begin.ts`). */
export const begin = <P extends { change: (Change & { after: Payout }) | null }>(
  { context, merchant: { merchant_id } }: Call,
  payout_id: string,
  plan: (payout: Payout) => P | Promise<P>,
): Promise<{ head: Payout; plan: P }> =>
  beginOn(context, { merchant_id, kind: PAYOUT, object_id: payout_id }, () => needPayout(context, merchant_id, payout_id), plan)

/** Returns a move of a payout as a change to be written. */
export const moved = (
  context: Context,
  before: Payout,
  after: Payout,
  type: string,
  more: { rows?: RowChange[]; announces?: EventType | null } = {},
): Change & { after: Payout } => changeTo(context, payouts.name, { before, after: { ...after, modified_at: context.now() } }, type, more)
