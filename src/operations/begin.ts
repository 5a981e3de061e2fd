import { refuse } from '../base/refusal.ts'
import type { Change, Context, WriteResult } from '../context.ts'
import type { AggregateRow } from './verb.ts'

/** A begin that met a concurrent change reads and plans again this often. */
const TRIES = 3

/**
 * The *begin* of a money call on something that is there already: reads it, plans purely, writes one change. After a
 * concurrent change it reads and plans again, up to three times; usually the new state refuses then. Afterwards: 422
 * HE_00 with Retry-After.
 *
 * `plan` refuses, or gives the change and the data that the story needs of it; without a change there is nothing to
 * write. It writes nothing itself, and leaves nothing in memory, because it may be made again. `write`: where more
 * belongs to the writing than the change, and is taken back after a conflict.
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
