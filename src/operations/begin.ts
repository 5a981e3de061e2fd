import { Refusal, refuse } from '../base/refusal.ts'
import type { Change, Context, WriteResult } from '../context.ts'
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
