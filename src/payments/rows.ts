import type { Table } from '../database/tables.ts'
import type { Statement, Time, World } from '../world.ts'
import type { Operation, Payment } from './payment.ts'

export const paymentsTable: Table = {
  name: 'payments',
  key: ['merchant_id', 'payment_id'],
  columns: {
    merchant_id: 'text',
    payment_id: 'text',
    version: 'int',
    sequence: 'int',
    status: 'payment_status',
    busy: 'payment_busy',
    profile_id: 'text',
    connector: 'text',
    merchant_connector_id: 'text',
    connector_transaction_id: 'text',
    authorization_request_id: 'text',
    customer_id: 'text',
    currency: 'text',
    amount: 'bigint',
    net_amount: 'bigint',
    amount_authorized: 'bigint',
    amount_capturable: 'bigint',
    amount_capturing: 'bigint',
    amount_received: 'bigint',
    amount_refunding: 'bigint',
    amount_refunded: 'bigint',
    amount_disputed: 'bigint',
    capture_method: 'text',
    authentication_type: 'text',
    attempt_count: 'int',
    operation_count: 'int',
    refund_count: 'int',
    client_secret: 'text',
    card: 'json',
    asked: 'json',
    facts: 'json',
    next_action: 'json',
    last_error: 'json',
    cancellation_reason: 'text',
    body_digest: 'text',
    created: 'timestamptz',
    modified_at: 'timestamptz',
    expires_on: 'timestamptz',
  },
  mutable: [
    'status',
    'busy',
    'profile_id',
    'connector',
    'merchant_connector_id',
    'connector_transaction_id',
    'authorization_request_id',
    'customer_id',
    'currency',
    'amount',
    'net_amount',
    'amount_authorized',
    'amount_capturable',
    'amount_capturing',
    'amount_received',
    'amount_refunding',
    'amount_refunded',
    'amount_disputed',
    'capture_method',
    'authentication_type',
    'attempt_count',
    'operation_count',
    'refund_count',
    'card',
    'asked',
    'facts',
    'next_action',
    'last_error',
    'cancellation_reason',
    'modified_at',
    'expires_on',
  ],
}

export const operationsTable: Table = {
  name: 'operations',
  key: ['merchant_id', 'payment_id', 'n'],
  columns: {
    merchant_id: 'text',
    payment_id: 'text',
    n: 'int',
    verb: 'operation_verb',
    purpose: 'operation_purpose',
    attempt: 'int',
    state: 'operation_state',
    amount: 'bigint',
    currency: 'text',
    connector: 'text',
    merchant_connector_id: 'text',
    request_id: 'text',
    reference: 'text',
    refund_id: 'text',
    said: 'json',
    began: 'timestamptz',
    modified_at: 'timestamptz',
    ask_at: 'timestamptz',
  },
  mutable: ['state', 'reference', 'said', 'modified_at', 'ask_at'],
}

export const vaultTable: Table = {
  name: 'vault_records',
  key: ['merchant_id', 'record'],
  columns: { merchant_id: 'text', record: 'text', sealed: 'bytea', created: 'timestamptz' },
  mutable: ['sealed'],
}

export const waitingCvcsTable: Table = {
  name: 'waiting_cvcs',
  key: ['merchant_id', 'payment_id'],
  columns: { merchant_id: 'text', payment_id: 'text', sealed: 'bytea', expires_at: 'timestamptz' },
  mutable: ['sealed', 'expires_at'],
}

const byId: Statement = { name: 'payment_by_id', text: 'select * from payments where merchant_id = $1 and payment_id = $2' }
const operationByN: Statement = {
  name: 'operation_by_n',
  text: 'select * from operations where merchant_id = $1 and payment_id = $2 and n = $3',
}
const operationByRequest: Statement = { name: 'operation_by_request', text: 'select * from operations where request_id = $1' }
const operationsOf: Statement = {
  name: 'operations_of_payment',
  text: 'select * from operations where merchant_id = $1 and payment_id = $2 order by n',
}

type Reads = Pick<World, 'query'>

/** The payment, or undefined: a foreign one is as absent as a missing one, by the same query. */
export const findPayment = async (world: Reads, merchant_id: string, payment_id: string): Promise<Payment | undefined> =>
  (await world.query<Payment>(byId, [merchant_id, payment_id]))[0]

export const findOperation = async (world: Reads, merchant_id: string, payment_id: string, n: number): Promise<Operation | undefined> =>
  (await world.query<Operation>(operationByN, [merchant_id, payment_id, n]))[0]

/**
 * A payment and one of its operations, to decide on together. The operation is read after the payment, never before: a change is guarded by the payment's version, so an operation that is newer
 * than its payment only makes the commit conflict, while an older one would be settled a second time (a paid payment's own approval would look like somebody else's, and be given back).
 */
export async function findWithOperation(
  world: Reads,
  { merchant_id, payment_id, n }: Pick<Operation, 'merchant_id' | 'payment_id' | 'n'>,
): Promise<[Payment, Operation] | undefined> {
  const payment = await findPayment(world, merchant_id, payment_id)
  const operation = payment && (await findOperation(world, merchant_id, payment_id, n))
  return payment && operation && [payment, operation]
}

/** By the id under which the processor knows it. */
export const findOperationByRequest = async (world: Reads, request_id: string): Promise<Operation | undefined> =>
  (await world.query<Operation>(operationByRequest, [request_id]))[0]

export const findOperations = (world: Reads, merchant_id: string, payment_id: string): Promise<Operation[]> =>
  world.query<Operation>(operationsOf, [merchant_id, payment_id])

export const storedCardOf: Statement = {
  name: 'stored_card',
  text: `select v.sealed, c.sealed as cvc, c.expires_at from vault_records v left join waiting_cvcs c on c.merchant_id = v.merchant_id and c.payment_id = $3
    where v.merchant_id = $1 and v.record = $2`,
}

/** The sealed number under `record`, and the sealed security code that waits for this payment, if one does. */
export const findStoredCard = async (
  world: Reads,
  { merchant_id, payment_id }: Pick<Payment, 'merchant_id' | 'payment_id'>,
  record: string,
): Promise<{ sealed: Buffer; cvc: Buffer | null; expires_at: Time | null } | undefined> =>
  (await world.query<{ sealed: Buffer; cvc: Buffer | null; expires_at: Time | null }>(storedCardOf, [merchant_id, record, payment_id]))[0]
