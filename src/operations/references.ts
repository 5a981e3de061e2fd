import { findConnectorAccount } from '../accounts/merchant.ts'
import type { Secret } from '../base/secret.ts'
import { connectors } from '../connectors/all.ts'
import type { OperationIdentifier } from '../connectors/connector.ts'
import { type Screen, storedForms } from '../connectors/redaction/card-numbers.ts'
import type { Reads, RowChange } from '../context.ts'
import { statement } from '../database/statement.ts'
import { int, type RowOf, select, table, text } from '../database/table.ts'
import { findOperation, findOperationByRequest, type Operation } from './operation.ts'
import { type AggregateRow, aggregateOf, type Call } from './verb.ts'

/**
 * Every reference that a processor has given to an operation, only for connectors whose webhooks contain no other id:
 * others cost neither row nor index entry. It is no unique key: two operations may have the same.
 */
export const operationReferences = table('operation_references', {
  money: true,
  pointer: true,
  key: ['merchant_id', 'merchant_connector_id', 'reference', 'kind', 'object_id', 'n'],
  columns: { merchant_id: text(), merchant_connector_id: text(), reference: text(), kind: text(), object_id: text(), n: int() },
})
export type OperationReference = RowOf<typeof operationReferences>

/** The row for a new reference; null if it is not new, or its connector needs none (most do not). */
export function referenceRow(before: Operation, after: Operation): RowChange | null {
  const { merchant_id, merchant_connector_id, reference, kind, object_id, n } = after
  if (reference === before.reference || reference === null || !connectors[after.connector]?.webhook?.byReference.includes(after.verb))
    return null
  return { table: operationReferences.name, before: null, after: { merchant_id, merchant_connector_id, reference, kind, object_id, n } }
}

/** The most operations that are read for one reference: one that a processor gives to so many identifies none. */
const MOST = 10

const byReference = statement(
  'operations_by_reference',
  select(
    operationReferences,
    `where merchant_id = $1 and merchant_connector_id = $2 and reference = $3 order by object_id, n limit ${MOST}`,
  ),
)

const findNamed = (context: Reads, merchant_id: string, merchant_connector_id: string, reference: string): Promise<OperationReference[]> =>
  context.query<OperationReference>(byReference, [merchant_id, merchant_connector_id, reference])

/** The screen for what a processor says of an operation. `number`: the card number sent with it, if in memory. */
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
export async function findByIdentifiers(
  call: Call,
  merchant_connector_id: string,
  names: readonly OperationIdentifier[],
): Promise<Operation[]> {
  for (const name of names) {
    const found = (await findBy(call, merchant_connector_id, name)).filter(
      operation => operation?.merchant_connector_id === merchant_connector_id && (name.verb === undefined || operation.verb === name.verb),
    )
    if (found.length > 0) return found as Operation[]
  }
  return []
}

async function findBy(call: Call, merchant_connector_id: string, name: OperationIdentifier): Promise<(Operation | undefined)[]> {
  const { context, merchant } = call
  const { merchant_id } = merchant
  if ('request_id' in name) return [await findOperationByRequest(context, merchant_id, name.request_id)]
  const forms = storedForms(name.reference, context.vault)
  const found = await Promise.all(forms.map(one => findNamed(context, merchant_id, merchant_connector_id, one)))
  const named = found.find(({ length }) => length > 0) ?? (await findCalled(call, merchant_connector_id, name.verb, forms))
  return Promise.all(named.map(one => findOperation(context, one, one.n)))
}

/** Finds authorizations whose references have no rows of their own (`byReference`), by their heads. */
async function findCalled(
  { context, services, merchant }: Call,
  merchant_connector_id: string,
  verb: OperationIdentifier['verb'],
  forms: readonly string[],
): Promise<Pick<OperationReference, 'merchant_id' | 'kind' | 'object_id' | 'n'>[]> {
  const { merchant_id } = merchant
  const connector = connectors[findConnectorAccount(merchant, merchant_connector_id)?.connector_name ?? '']
  if (verb !== 'authorize' || connector?.webhook?.byReference.includes(verb)) return []
  const all = Object.entries(services.kinds).flatMap(([kind, { called }]) =>
    forms.map(async form => (await called?.(context, merchant_id, form))?.map(one => ({ ...one, kind, merchant_id })) ?? []),
  )
  return (await Promise.all(all)).flat().flatMap(one => (one.n === null ? [] : [{ ...one, n: one.n }]))
}
