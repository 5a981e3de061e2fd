import { newEventId } from '../base/id.ts'
import type { Change, Row, World, Written } from '../world.ts'
import { type ClaimedChange, openStatements } from './statements.ts'
import type { Table } from './table.ts'
import type { Writer } from './writer.ts'

/**
 * The only place that writes money rows: one change, one statement, coalesced with those of other requests (`writer.ts`).
 * The guard is the version of the row as the story read it; 0 rows mean a conflict: somebody moved it first, nothing was written.
 */
export function openCommit(writer: Writer, head: Table, world: Pick<World, 'now' | 'random'>) {
  const statements = openStatements(head)
  return async <T extends Row>(change: Change & { after: T }): Promise<Written<T>> => {
    const { before, after } = change
    const created = world.now()
    const { statement, values, proof } = statements.of(change as ClaimedChange, newEventId(world), created)
    if (!(await writer.write({ key: `${after[head.key[0]!]} ${after[head.key[1]!]}`, statement, values, proof }))) return { is: 'conflict' }
    const version = before ? (before.version as number) + 1 : 1
    const sequence = before ? (before.sequence as number) + (change.event.announces === null ? 0 : 1) : (after.sequence as number)
    return { is: 'written', row: { ...after, version, sequence } }
  }
}
