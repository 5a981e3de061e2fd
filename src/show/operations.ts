import { findConnectorAccount, type Merchant } from '../accounts/merchant.ts'
import type { Context } from '../context.ts'
import { countExchanges } from '../operations/exchanges.ts'
import { findHistories, type OperationHistory, pollsBefore } from '../operations/history.ts'
import { findOperations, isUnfinished, type Operation, type Owner } from '../operations/operation.ts'

/** Null if the account was deleted. */
export const labelOf = (merchant: Merchant, merchant_connector_id: string): string | null =>
  findConnectorAccount(merchant, merchant_connector_id)?.connector_label ?? null

/** Oldest first. `logOf`: the request that wrote a version, if the request is logged. */
export async function showOperations(
  context: Pick<Context, 'query'>,
  merchant: Merchant,
  owner: Owner,
  logOf: (version: number) => string | null,
): Promise<Record<string, unknown>[]> {
  const [operations, historyOf, exchangesOf] = await Promise.all([
    findOperations(context, owner),
    findHistories(context, owner),
    countExchanges(context, owner),
  ])
  return operations.map(one => showOperation(merchant, one, historyOf(one), logOf, exchangesOf(one.request_id)))
}

function showOperation(
  merchant: Merchant,
  operation: Operation,
  { version, by, heard_at, latency_ms }: OperationHistory,
  logOf: (version: number) => string | null,
  exchanges: number,
): Record<string, unknown> {
  const { request_id, n, verb, purpose, attempt, acts_on, amount, currency, connector, merchant_connector_id } = operation
  const { state, response, refund_id, began, modified_at, poll_at, reference } = operation
  return {
    ...{ request_id, n, verb, purpose, attempt, acts_on, amount, currency, connector, merchant_connector_id },
    connector_label: labelOf(merchant, merchant_connector_id),
    state,
    why: response?.words ?? response?.why ?? null,
    error_code: response?.code ?? null,
    refund_id,
    sent_at: began,
    heard_at,
    latency_ms,
    modified_at,
    asked: pollsBefore(operation),
    ask_at: isUnfinished(operation) ? poll_at : null,
    reference,
    version,
    by,
    log_id: version === null ? null : logOf(version),
    exchanges,
  }
}
