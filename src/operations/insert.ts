import type { BoundedSet } from '../base/bounded-set.ts'
import { refuse } from '../base/refusal.ts'
import type { Change, WriteResult } from '../context.ts'
import { noteThere, refuseDeletedCustomer, unlessRedacted } from '../customers/payer.ts'
import type { AggregateRow, Call } from './verb.ts'

/**
 * A head as it is created. `body_digest`: set only if the caller has chosen the id, which makes creation idempotent.
 */
type Made = AggregateRow & { customer_id: string | null; body_digest: string | null }

/**
 * Returns the head that was created earlier with the id that the caller has chosen (`body_digest` is not null).
 * Refuses (HE_01) another body. It is looked up before anything is checked: a repeated request gets its answer, also
 * when the account, the card or the time that the first one used has gone.
 */
export async function createdBefore<H extends Pick<Made, 'body_digest'>>(
  body_digest: string | null,
  what: { what: 'payment' | 'payout' | 'refund'; id: string | undefined },
  find: (id: string) => Promise<H | undefined>,
): Promise<H | null> {
  if (body_digest === null || what.id === undefined) return null
  const existing = await find(what.id)
  return existing ? sameAs(existing, body_digest, { ...what, id: what.id }) : null
}

/** Returns an existing head if it was created by the same body. Refuses (HE_01) another body. */
export function sameAs<H extends Pick<Made, 'body_digest'>>(
  existing: H,
  body_digest: string | null,
  what: { what: 'payment' | 'payout' | 'refund'; id: string },
): H {
  if (existing.body_digest !== null && existing.body_digest === body_digest) return existing
  return refuse('duplicate', what)
}

/**
 * Writes a new head with its rows. Not `mine`: it existed, and `same` returns it, or refuses (HE_01) another body.
 * `write` replaces `commit` where more must be written. Refuses (IR_11) a head whose customer was deleted.
 */
export async function insertHead<H extends Made>(
  { context, services }: Pick<Call, 'context'> & { services: { payers: BoundedSet } },
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
