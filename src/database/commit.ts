import { newEventId } from '../base/id.ts'
import type { Change, Row, World, Written } from '../world.ts'
import { type ClaimedChange, headOf, idOf, openStatements, ownerOf } from './statements.ts'
import type { Writer } from './writer.ts'

/**
 * The only place that writes versioned rows: one change, one statement, coalesced with those of other requests (`writer.ts`).
 * The guard is the version of the row as the story read it; 0 rows mean a conflict: somebody moved it first, nothing was written.
 */
export function openCommit(writer: Writer, world: Pick<World, 'now' | 'random' | 'vault'>) {
  const statements = openStatements(world.vault.digest)
  return async <T extends Row>(change: Change & { after: T }): Promise<Written<T>> => {
    const { before, after } = change
    const head = headOf(change)
    const created = world.now()
    const { statement, values, proof, written } = statements.of(
      change as ClaimedChange,
      newEventId({ random: world.random, now: () => created }),
      created,
    )
    if (!(await writer.write({ key: `${ownerOf(head, after)} ${idOf(head, after)}`, statement, values, proof }))) return { is: 'conflict' }
    written()
    const heard = change.event.announces === null ? 0 : 1
    const version = before ? (before.version as number) + 1 : 1
    if (!('sequence' in head.columns)) return { is: 'written', row: { ...after, version } }
    return { is: 'written', row: { ...after, version, sequence: before ? (before.sequence as number) + heard : heard } }
  }
}
