import type { Operation } from './operation.ts'
import { givenUp, sideOf } from './side.ts'
import { type AggregateRow, aggregateOf, type Engine, type VerbDefinition } from './verb.ts'

/**
 * A verb that the operation's kind does not have: nothing is sent, the operation ends as that, and its head stays as
 * it is.
 */
export const lacking: VerbDefinition<AggregateRow> = {
  ask: () => null,
  after(head, operation, outcome, now) {
    const side = sideOf(operation, outcome, now, head.expires_on)
    return side && { move: null, head: {}, operation: side }
  },
  gaveUp: (_head, _operation, now) => ({ move: null, head: {}, operation: givenUp(now) }),
}

/** What an operation asks and what its answers mean. */
export function verbOf(services: Engine, operation: Operation): VerbDefinition<AggregateRow> {
  const { verbs, reversals } = aggregateOf(services, operation)
  return (operation.purpose === 'reversal' ? reversals[operation.verb as 'void'] : verbs[operation.verb]) ?? lacking
}
