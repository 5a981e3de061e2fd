import { connectors } from '../connectors/all.ts'
import type { Context, RowChange } from '../context.ts'
import { statement } from '../database/statement.ts'
import { int, type RowOf, select, table, text } from '../database/table.ts'
import type { Operation } from './operation.ts'

/**
 * Every reference by which a processor has called an operation. Written only for connectors whose webhooks name
 * nothing else, so that the others pay neither for a row nor for an index. Two operations may be called the same:
 * what strangers say is no key.
 */
export const operationReferences = table('operation_references', {
  money: true,
  pointer: true,
  key: ['merchant_id', 'merchant_connector_id', 'reference', 'kind', 'object_id', 'n'],
  columns: { merchant_id: text(), merchant_connector_id: text(), reference: text(), kind: text(), object_id: text(), n: int() },
})
export type OperationReference = RowOf<typeof operationReferences>

/** The row that a new reference costs; null for most. */
export function nameRow(before: Operation, after: Operation): RowChange | null {
  const { merchant_id, merchant_connector_id, reference, kind, object_id, n } = after
  if (reference === before.reference || reference === null || !connectors[after.connector]?.webhook?.byReference.includes(after.verb))
    return null
  return { table: operationReferences.name, before: null, after: { merchant_id, merchant_connector_id, reference, kind, object_id, n } }
}

/** A processor that calls so many by one name calls nothing by it. */
const MOST = 10

const byReference = statement(
  'operations_by_reference',
  select(
    operationReferences,
    `where merchant_id = $1 and merchant_connector_id = $2 and reference = $3 order by object_id, n limit ${MOST}`,
  ),
)

/** The operations of a connector account that were ever called so. */
export const findNamed = (
  context: Pick<Context, 'query'>,
  merchant_id: string,
  merchant_connector_id: string,
  reference: string,
): Promise<OperationReference[]> => context.query<OperationReference>(byReference, [merchant_id, merchant_connector_id, reference])
