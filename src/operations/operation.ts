import type { ConnectorAccount } from '../accounts/merchant.ts'
import type { Currency } from '../base/currencies.ts'
import type { Facts } from '../connectors/connector.ts'
import { verbNames } from '../connectors/verbs.ts'
import type { Reads, Time } from '../context.ts'
import { statement } from '../database/statement.ts'
import { bigint, int, json, type RowOf, select, table, text, time, word } from '../database/table.ts'
import type { Routed } from '../routing/decide.ts'

export const operationStates = [
  'open',
  'waiting',
  'unknown',
  'done',
  'declined',
  'not_sent',
  'not_received',
  'conflicted',
  'unresolved',
  'lapsed',
] as const
export type OperationState = (typeof operationStates)[number]

/** The part of the processor's answer to one operation that is stored, for the merchant and for our own reviews. */
export type ProcessorResponse = {
  words?: string
  code?: string
  network_code?: string
  network_advice?: string
  /** The unified code of a declined attempt; the payment keeps only that of its last attempt. */
  unified_code?: string
  after_yes?: true
  by_hand?: true
  /** An approval that no payment expects any more. */
  stray?: true
  facts?: Facts
  why?: string
  /** When it was made, as its processor says: only of one that was made there by others. */
  moved_at?: Time
  /** Amount, currency and request id of the answer, only if they differ from the operation's own. */
  amount?: number
  currency?: string
  request_id?: string
}

/**
 * One row per request to a processor that may move money, of the *head* (a payment) with its `kind` and id. While
 * `poll_at` is set, the processor will be asked for the result. `acts_on`: the n of the authorization that it
 * captures, voids or refunds; null: it is one, or the head's own is meant. `reversal`: returns money that should not
 * have moved. `external`: made at the processor by others, and never sent.
 */
export const operations = table('processor_operations', {
  money: true,
  key: ['merchant_id', 'kind', 'object_id', 'n'],
  columns: {
    merchant_id: text(),
    kind: text(),
    object_id: text(),
    n: int(),
    verb: word('operation_verb', verbNames).fixed(),
    purpose: word('operation_purpose', ['merchant', 'reversal', 'external']).fixed(),
    acts_on: int().orNull().fixed(),
    attempt: int().fixed(),
    state: word('operation_state', operationStates),
    amount: bigint().fixed(),
    currency: text<Currency>('USD').fixed(),
    connector: text().fixed(),
    merchant_connector_id: text().fixed(),
    request_id: text().fixed(),
    reference: text().orNull().emptyAtFirst(),
    refund_id: text().orNull().fixed(),
    /** The network from which a browser confirmed the payment, null if no browser did. */
    client_network: text().orNull().fixed(),
    /** The reason for the choice of the connector account; only of an authorization. */
    routing: json<Routed>().orNull().fixed(),
    response: json<ProcessorResponse>().orNull().emptyAtFirst(),
    began: time().fixed(),
    modified_at: time(),
    poll_at: time().orNull('2026-01-01T00:00:05.000Z').unrecorded(),
  },
})

export type Destination = Pick<ConnectorAccount, 'connector_name' | 'merchant_connector_id'>

export type Operation = RowOf<typeof operations>

type State = Pick<Operation, 'state'>

/** Whether the movement of money may still happen. A database constraint ensures that a poll is scheduled for it. */
export const isUnfinished = ({ state }: State): boolean => state === 'open' || state === 'waiting' || state === 'unknown'

/** Whether the operation still takes news: a late result is applied even when, after seven days, polling has ended. */
export const acceptsUpdates = (operation: State): boolean => isUnfinished(operation) || operation.state === 'unresolved'

/** Whether it ended with a no that its processor has not said: given up as not received, or declined by hand. */
export const endedWithOurNo = ({ state, response }: Pick<Operation, 'state' | 'response'>): boolean =>
  state === 'not_received' || (state === 'declined' && response?.by_hand === true)

/** Whether news may still change the operation, so that the processor is queried. */
export const mayStillTurnUp = (operation: Pick<Operation, 'state' | 'response'>): boolean =>
  acceptsUpdates(operation) || endedWithOurNo(operation)

export const isANo = ({ state }: State): boolean => state === 'declined' || state === 'not_sent' || state === 'not_received'

/** Whether a later yes would contradict the operation's end. After a yes, a no is the last word: a yes is older. */
export const endedWithANo = (operation: Pick<Operation, 'state' | 'response'>): boolean =>
  isANo(operation) && !(operation.state === 'declined' && operation.response?.after_yes === true)

/** Whether others return what a payment that is no sale has taken: such a refund has no row of its own. */
export const isReturnOfOthers = ({ purpose, verb, refund_id }: Pick<Operation, 'purpose' | 'verb' | 'refund_id'>): boolean =>
  purpose === 'external' && verb === 'refund' && refund_id === null

const byN = statement('operation_by_n', select(operations, 'where merchant_id = $1 and kind = $2 and object_id = $3 and n = $4'))
const byRequest = statement('operation_by_request', select(operations, 'where merchant_id = $1 and request_id = $2'))
const ofObject = statement('operations_of_object', select(operations, 'where merchant_id = $1 and kind = $2 and object_id = $3 order by n'))

export type Owner = Pick<Operation, 'merchant_id' | 'kind' | 'object_id'>

export const findOperation = async (context: Reads, { merchant_id, kind, object_id }: Owner, n: number): Promise<Operation | undefined> =>
  (await context.query<Operation>(byN, [merchant_id, kind, object_id, n]))[0]

export const findOperationByRequest = async (context: Reads, merchant_id: string, request_id: string): Promise<Operation | undefined> =>
  (await context.query<Operation>(byRequest, [merchant_id, request_id]))[0]

const unfinished = statement(
  'unfinished_operation',
  `select 1 from processor_operations where merchant_id = $1 and poll_at is not null and ($2::text[] is null or merchant_connector_id = any($2)) limit 1`,
)

/** Whether an operation of this merchant (of these accounts, if named) is unfinished at a processor. */
export const hasUnfinished = async (context: Reads, merchant_id: string, accounts?: readonly string[]): Promise<boolean> =>
  (await context.query(unfinished, [merchant_id, accounts ?? null])).length > 0

const ofObjects = statement(
  'operations_of_objects',
  select(operations, 'where merchant_id = $1 and kind = $2 and object_id = any($3) order by object_id, n'),
)

/** By the objects' ids, oldest first. One statement. */
export const findOperationsOf = async (
  context: Reads,
  merchant_id: string,
  kind: string,
  object_ids: readonly string[],
): Promise<Map<string, Operation[]>> =>
  object_ids.length === 0
    ? new Map()
    : Map.groupBy(await context.query<Operation>(ofObjects, [merchant_id, kind, object_ids]), ({ object_id }) => object_id)

/** The connector account that an authorization was sent to, with the authorization's result. */
export type AttemptResult = Pick<Operation, 'object_id' | 'merchant_connector_id' | 'state'> & { code: string | null }

const stopsOf = statement(
  'stops_of_objects',
  `select object_id, merchant_connector_id, state, response ->> 'code' as code from processor_operations
    where merchant_id = $1 and kind = $2 and object_id = any($3) and verb = 'authorize' order by object_id, n`,
)

/** Finds the authorizations of several objects at once, by the objects' ids, each list in order. One statement. */
export const findAttemptResults = async (
  context: Reads,
  merchant_id: string,
  kind: string,
  object_ids: readonly string[],
): Promise<Map<string, AttemptResult[]>> =>
  object_ids.length === 0
    ? new Map()
    : Map.groupBy(await context.query<AttemptResult>(stopsOf, [merchant_id, kind, object_ids]), stop => stop.object_id)

export const findOperations = (context: Reads, { merchant_id, kind, object_id }: Owner): Promise<Operation[]> =>
  context.query<Operation>(ofObject, [merchant_id, kind, object_id])
