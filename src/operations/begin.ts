import type { BoundedSet } from '../base/bounded-set.ts'
import { Refusal, refuse } from '../base/refusal.ts'
import type { Change, Context, WriteResult } from '../context.ts'
import { noteThere, refuseDeletedCustomer, unlessRedacted } from '../customers/payer.ts'
import type { Owner } from './operation.ts'
import { bringPollsForward } from './poll.ts'
import type { AggregateRow } from './verb.ts'

const TRIES = 3

/**
 * The *begin* of a request that moves money of an existing object: reads it, plans, writes one change; again after a
 * conflict, where usually the new state refuses. After the third try: 422 HE_00 with Retry-After. A plan that refuses
 * as `busy` has the processor asked soon about the operation without a result.
 *
 * `plan` refuses or returns the change (null: nothing to write). It may be called again, so it writes nothing and
 * leaves nothing in memory. `write` replaces `commit` where more must be written, and undone after a conflict.
 */
export async function beginOn<H extends AggregateRow, P extends { change: (Change & { after: H }) | null }>(
  context: Pick<Context, 'commit' | 'query' | 'now'>,
  owner: Owner,
  read: () => Promise<H>,
  plan: (head: H) => P | Promise<P>,
  write?: (planned: P) => Promise<WriteResult<H>>,
): Promise<{ head: H; plan: P }> {
  for (let i = 0; i < TRIES; i++) {
    const head = await read()
    let planned: P
    try {
      planned = await plan(head)
    } catch (error) {
      if (error instanceof Refusal && error.refusal === 'busy') await bringPollsForward(context, owner)
      throw error
    }
    if (!planned.change) return { head, plan: planned }
    const written = await (write ? write(planned) : context.commit(planned.change))
    if (written.is === 'written') return { head: written.row, plan: planned }
  }
  return refuse('busy')
}

/** `body_digest`: set only if the caller has chosen the id, which makes creation idempotent. */
type Made = AggregateRow & { customer_id: string | null; body_digest: string | null }
type Named = { what: 'payment' | 'payout' | 'refund'; id: string }

/**
 * Returns the head that was created earlier with the id that the caller has chosen (`body_digest` is not null).
 * Refuses (HE_01) another body. It is looked up before anything is checked: a repeated request gets its answer, also
 * when the account, the card or the time that the first one used has gone.
 */
export async function createdBefore<H extends Pick<Made, 'body_digest'>>(
  body_digest: string | null,
  { what, id }: { what: Named['what']; id: string | undefined },
  find: (id: string) => Promise<H | undefined>,
): Promise<H | null> {
  if (body_digest === null || id === undefined) return null
  const existing = await find(id)
  return existing ? sameAs(existing, body_digest, { what, id }) : null
}

function sameAs<H extends Pick<Made, 'body_digest'>>(existing: H, body_digest: string | null, named: Named): H {
  return existing.body_digest !== null && existing.body_digest === body_digest ? existing : refuse('duplicate', named)
}

/**
 * Writes a new head with its rows (`write`: more than the change) and performs what it plans. If a concurrent request
 * has created the head, that request calls the processor: refuses (HE_01) another body. Refuses (IR_11) a head whose
 * customer was deleted.
 */
export async function insertHead<H extends Made>(
  { context, services }: { context: Context; services: { payers: BoundedSet } },
  { after, head, rows, event }: Pick<Change, 'head' | 'rows' | 'event'> & { after: H },
  named: Named,
  steps: {
    find(id: string): Promise<H | undefined>
    write(change: Change & { after: H }): Promise<WriteResult<H>>
    perform(written: H): Promise<H>
  },
): Promise<H> {
  const ownId = after.body_digest === null
  const written = await steps.write({ head, rows, event, after, before: null, by: context.by, ownId, ...unlessRedacted(after) })
  if (written.is === 'written') {
    noteThere(services.payers, after, rows)
    return steps.perform(written.row)
  }
  const existing = await steps.find(named.id)
  if (existing) return sameAs(existing, after.body_digest, named)
  await refuseDeletedCustomer(context, after)
  return refuse('busy')
}
