import { connectors } from '../connectors/all.ts'
import type { Context, RowChange } from '../context.ts'
import { statement } from '../database/statement.ts'
import { int, type RowOf, select, table, text } from '../database/table.ts'
import type { Operation } from './operation.ts'

/**
 * Every reference that a processor has given to an operation. Written only for connectors whose webhooks contain no
 * other id, so that other connectors cost neither a row nor an index entry. Two operations may have the same
 * reference: a processor's reference is not a unique key.
 */
export const operationReferences = table('operation_references', {
  money: true,
  pointer: true,
  key: ['merchant_id', 'merchant_connector_id', 'reference', 'kind', 'object_id', 'n'],
  columns: { merchant_id: text(), merchant_connector_id: text(), reference: text(), kind: text(), object_id: text(), n: int() },
})
export type OperationReference = RowOf<typeof operationReferences>

/**
 * Returns the row for a new reference; null if the reference is not new, or if the connector needs no such row (most
 * do not).
 */
export function nameRow(before: Operation, after: Operation): RowChange | null {
  const { merchant_id, merchant_connector_id, reference, kind, object_id, n } = after
  if (reference === before.reference || reference === null || !connectors[after.connector]?.webhook?.byReference.includes(after.verb))
    return null
  return { table: operationReferences.name, before: null, after: { merchant_id, merchant_connector_id, reference, kind, object_id, n } }
}

/**
 * The most operations that are read for one reference: a reference that a processor gives to so many identifies none.
 */
const MOST = 10

const byReference = statement(
  'operations_by_reference',
  select(
    operationReferences,
    `where merchant_id = $1 and merchant_connector_id = $2 and reference = $3 order by object_id, n limit ${MOST}`,
  ),
)

/** Finds the operations of a connector account that have ever had this reference. */
export const findNamed = (
  context: Pick<Context, 'query'>,
  merchant_id: string,
  merchant_connector_id: string,
  reference: string,
): Promise<OperationReference[]> => context.query<OperationReference>(byReference, [merchant_id, merchant_connector_id, reference])
