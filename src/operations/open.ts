import { newRequestId } from '../base/id.ts'
import type { Context, RowChange } from '../context.ts'
import type { Routed } from '../routing/decide.ts'
import { type Destination, type Operation, operations } from './operation.ts'
import { firstPoll } from './poll-schedule.ts'
import type { AggregateRow } from './verb.ts'

/** A request for a new operation. `routing`: the reason for the choice of the connector account. */
export type NewOperation = Pick<Operation, 'kind' | 'object_id' | 'verb' | 'purpose' | 'acts_on' | 'amount'> & {
  refund_id?: string
  client_network?: string | null
  routing?: Routed | null
}

/** With its first poll set. Pure but for clock and dice: the caller commits the operation with its head. */
export function openOperation(
  context: Pick<Context, 'now' | 'random'>,
  head: AggregateRow,
  account: Destination,
  asked: NewOperation,
): Operation {
  const now = context.now()
  return {
    merchant_id: head.merchant_id,
    kind: asked.kind,
    object_id: asked.object_id,
    n: head.operation_count + 1,
    verb: asked.verb,
    purpose: asked.purpose,
    acts_on: asked.acts_on,
    attempt: head.attempt_count,
    state: 'open',
    amount: asked.amount,
    currency: head.currency,
    connector: account.connector_name,
    merchant_connector_id: account.merchant_connector_id,
    request_id: newRequestId(context),
    reference: null,
    refund_id: asked.refund_id ?? null,
    client_network: asked.client_network ?? null,
    routing: asked.routing ?? null,
    response: null,
    began: now,
    modified_at: now,
    poll_at: firstPoll(now),
  }
}

export const operationRow = (operation: Operation): RowChange => ({ table: operations.name, before: null, after: operation })
