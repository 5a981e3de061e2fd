import type { Secret } from '../base/secret.ts'
import type { OperationIdentifier } from '../connectors/connector.ts'
import { type Screen, storedForms } from '../connectors/redaction/card-numbers.ts'
import { findNamed } from './named.ts'
import { findOperation, findOperationByRequest, type Operation } from './operation.ts'
import { type AggregateRow, aggregateOf, type Call } from './verb.ts'

/**
 * Returns the screen for a processor's statements about an operation. `number`: the card number that the operation is
 * sent with, if it is in memory.
 */
export function screenOf(
  { context, services }: Pick<Call, 'context' | 'services'>,
  head: AggregateRow,
  operation: Operation,
  number?: Secret,
): Screen {
  const { digest, fingerprint } = context.vault
  const card = aggregateOf(services, operation).card(head)
  const isPaidWith = (one: string) => card !== null && fingerprint(head.merchant_id, one) === card
  return { digest, hidden: operation.reference, isCard: one => one === number?.reveal() || isPaidWith(one) }
}

/** Finds the operations of this account by the given names, tried in order: those of the first name that is known. */
export async function findCalled(call: Call, merchant_connector_id: string, names: readonly OperationIdentifier[]): Promise<Operation[]> {
  for (const name of names) {
    const found = (await findBy(call, merchant_connector_id, name)).filter(
      operation => operation?.merchant_connector_id === merchant_connector_id && (name.verb === undefined || operation.verb === name.verb),
    )
    if (found.length > 0) return found as Operation[]
  }
  return []
}

async function findBy(
  { context, merchant }: Call,
  merchant_connector_id: string,
  name: OperationIdentifier,
): Promise<(Operation | undefined)[]> {
  const { merchant_id } = merchant
  if ('request_id' in name) return [await findOperationByRequest(context, merchant_id, name.request_id)]
  const found = await Promise.all(
    storedForms(name.reference, context.vault).map(one => findNamed(context, merchant_id, merchant_connector_id, one)),
  )
  const named = found.find(({ length }) => length > 0) ?? []
  return Promise.all(named.map(one => findOperation(context, one, one.n)))
}
