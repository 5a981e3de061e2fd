import { isReturnOfOthers, type Operation } from './operation.ts'
import { givenUp, operationPatch } from './operation-patch.ts'
import { type AggregateRow, aggregateOf, type Engine, type VerbDefinition } from './verb.ts'

/** For a verb that the operation's kind does not have: nothing is sent, and the head does not change. */
export const lacking: VerbDefinition<AggregateRow> = {
  buildRequest: () => null,
  after(head, operation, outcome, now) {
    const patch = operationPatch(operation, outcome, now, head.expires_on)
    return patch && { move: null, head: {}, operation: patch }
  },
  onPollingEnded: (_head, _operation, now) => ({ move: null, head: {}, operation: givenUp(now) }),
}

export function verbOf(services: Engine, operation: Operation): VerbDefinition<AggregateRow> {
  const { verbs, reversals } = aggregateOf(services, operation)
  const isReturn = operation.purpose === 'reversal' || isReturnOfOthers(operation)
  return (isReturn ? reversals[operation.verb as 'void'] : verbs[operation.verb]) ?? lacking
}
