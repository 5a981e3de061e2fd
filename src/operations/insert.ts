import { refuse } from '../base/refusal.ts'
import type { Remembered } from '../base/remembered.ts'
import type { Change, WriteResult } from '../context.ts'
import { noteThere, refuseDeletedCustomer, unlessRedacted } from '../customers/payer.ts'
import type { AggregateRow, Call } from './verb.ts'

/**
 * A head as it is created, with or without a customer; `body_digest`: only of one whose id was chosen, which makes
 * creation idempotent.
 */
type Made = AggregateRow & { customer_id: string | null; body_digest: string | null }

/**
 * Writes a head that begins, with all that is true from then on. `mine`: is it what this request asked for? Otherwise
 * it was there already: `same` gives it if it was made by the same body, and refuses (HE_01) it if not. `write`: where
 * more belongs to the writing than the change. Refuses (IR_11) what names a customer who was deleted.
 */
export async function insertHead<H extends Made>(
  { context, services }: Pick<Call, 'context'> & { services: { payers: Remembered } },
  { after, ...change }: Pick<Change, 'head' | 'rows' | 'event'> & { after: H },
  find: () => Promise<H | undefined>,
  same: (existing: H) => H,
  write: (change: Change & { after: H }) => Promise<WriteResult<H>> = context.commit,
): Promise<{ head: H; mine: boolean }> {
  const written = await write({
    ...change,
    after,
    before: null,
    by: context.by,
    ownId: after.body_digest === null,
    ...unlessRedacted(after),
  })
  if (written.is === 'written') {
    noteThere(services.payers, after, change.rows)
    return { head: written.row, mine: true }
  }
  const existing = await find()
  if (!existing) {
    await refuseDeletedCustomer(context, after)
    refuse('busy')
  }
  return { head: same(existing), mine: false }
}
