import { newEventId } from '../base/id.ts'
import type { Change, Context, Row, WriteResult } from '../context.ts'
import { type ClaimedChange, headTable, idOf, ownerKey } from './change.ts'
import { openStatements } from './statements.ts'
import type { Writer } from './writer.ts'

/**
 * Opens `commit`, the only place that writes versioned rows: one change, one statement, coalesced with those of other
 * requests (`writer.ts`). The guard is the version of the row as the use case read it; 0 rows mean a conflict: a
 * concurrent change moved the row first, and nothing was written.
 */
export function openCommit(writer: Writer, context: Pick<Context, 'now' | 'random' | 'vault'>) {
  const statements = openStatements(context.vault.digest)
  return async <T extends Row>(change: Change & { after: T }): Promise<WriteResult<T>> => {
    const { before, after } = change
    const head = headTable(change)
    const created = change.dated ?? context.now()
    // The event id is the same in all tries: an Idempotency-Key knows by it whether its work has begun.
    const event_id = newEventId({ random: context.random, now: () => created })
    const { statement, values, proof, written } = statements.of(change as ClaimedChange, event_id, created)
    const key = `${ownerKey(head, after)} ${idOf(head, after)}`
    const announced = change.event.announces === null ? 0 : 1
    const late = announced === 0 ? undefined : () => statements.of(change as ClaimedChange, event_id, created, newEventId(context))
    if (!(await writer.write({ key, statement, values, proof, late }))) return { is: 'conflict' }
    written()
    const version = before ? (before.version as number) + 1 : 1
    if (!('sequence' in head.columns)) return { is: 'written', row: { ...after, version } }
    return { is: 'written', row: { ...after, version, sequence: before ? (before.sequence as number) + announced : announced } }
  }
}
