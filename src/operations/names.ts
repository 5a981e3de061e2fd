import type { Name } from '../connectors/connector.ts'
import { findNamed } from './named.ts'
import { findOperation, findOperationByRequest, type Operation } from './operation.ts'
import type { Call } from './verb.ts'

/** The operations of this account that go by one of these names: those of the first that is known. */
export async function findCalled(call: Call, merchant_connector_id: string, names: readonly Name[]): Promise<Operation[]> {
  for (const name of names) {
    const found = (await findBy(call, merchant_connector_id, name)).filter(
      operation => operation?.merchant_connector_id === merchant_connector_id && (name.verb === undefined || operation.verb === name.verb),
    )
    if (found.length > 0) return found as Operation[]
  }
  return []
}

async function findBy({ world, merchant }: Call, merchant_connector_id: string, name: Name): Promise<(Operation | undefined)[]> {
  const { merchant_id } = merchant
  if ('request_id' in name) return [await findOperationByRequest(world, merchant_id, name.request_id)]
  const named = await findNamed(world, merchant_id, merchant_connector_id, name.reference)
  return Promise.all(named.map(one => findOperation(world, one, one.n)))
}
