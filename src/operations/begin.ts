import { refuse } from '../base/refusal.ts'
import type { Change, Context, WriteResult } from '../context.ts'
import type { AggregateRow } from './verb.ts'

/** How often a begin is tried that met a concurrent change. */
const TRIES = 3

/**
 * The *begin* of a request that moves money of an existing object: reads the object, plans purely, writes one change.
 * After a concurrent change it reads and plans again, up to three times; usually the new state then refuses the
 * request. After the third try: 422 HE_00 with Retry-After.
 *
 * `plan` refuses, or returns the change and the data that the story needs; without a change nothing is written. `plan`
 * writes nothing itself, and leaves nothing in memory, because it may be called again. `write`: replaces `commit`
 * where more than the change must be written, and undone after a conflict.
 */
export async function beginOn<H extends AggregateRow, P extends { change: (Change & { after: H }) | null }>(
  { commit }: Pick<Context, 'commit'>,
  read: () => Promise<H>,
  plan: (head: H) => P | Promise<P>,
  write?: (planned: P) => Promise<WriteResult<H>>,
): Promise<{ head: H; plan: P }> {
  for (let i = 0; i < TRIES; i++) {
    const head = await read()
    const planned = await plan(head)
    if (!planned.change) return { head, plan: planned }
    const written = await (write ? write(planned) : commit(planned.change))
    if (written.is === 'written') return { head: written.row, plan: planned }
  }
  return refuse('busy')
}
