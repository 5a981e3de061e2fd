import { Refusal, refuse } from '../base/refusal.ts'
import type { Change, Context, WriteResult } from '../context.ts'
import type { Owner } from './operation.ts'
import { bringPollsForward } from './poll.ts'
import type { AggregateRow } from './verb.ts'

/** How often a begin is tried that met a concurrent change. */
const TRIES = 3

/**
 * The *begin* of a request that moves money of an existing object: reads the object, plans purely, writes one change.
 * After a concurrent change it reads and plans again, up to three times; usually the new state then refuses the
 * request. After the third try: 422 HE_00 with Retry-After. A plan that refuses the request as `busy`, because an
 * operation of the object has no result yet, has the processor asked about it soon.
 *
 * `plan` refuses, or returns the change and the data that the use case needs; without a change nothing is written.
 * `plan` writes nothing itself, and leaves nothing in memory, because it may be called again. `write`: replaces
 * `commit` where more than the change must be written, and undone after a conflict.
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
