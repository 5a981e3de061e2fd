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
    /** As it is said now, under an id of now. */
    const again = () => {
      const created = world.now()
      return statements.of(change as ClaimedChange, newEventId({ random: world.random, now: () => created }), created)
    }
    const { statement, values, proof, written } = again()
    const key = `${ownerOf(head, after)} ${idOf(head, after)}`
    // By the id of its event an Idempotency-Key knows whether its work has begun, so that is the same in all tries.
    const claims = (change as ClaimedChange).claim !== undefined
    if (!(await writer.write({ key, statement, values, proof, ...(!claims && { again }) }))) return { is: 'conflict' }
    written()
    const heard = change.event.announces === null ? 0 : 1
    const version = before ? (before.version as number) + 1 : 1
    if (!('sequence' in head.columns)) return { is: 'written', row: { ...after, version } }
    return { is: 'written', row: { ...after, version, sequence: before ? (before.sequence as number) + heard : heard } }
  }
}
