import type { Context, Time } from '../context.ts'
import { statement } from '../database/statement.ts'
import { select, type Table } from '../database/table.ts'
import { type Dispute, disputes } from '../disputes/dispute.ts'
import { type OperationReference, operationReferences } from '../operations/named.ts'
import { type Payment, payments } from '../payments/payment.ts'
import { type Payout, payouts } from '../payouts/payout.ts'
import { type Refund, refunds } from '../refunds/refund.ts'

type Reads = Pick<Context, 'query'>

/**
 * By the processor's id. A block index (BRIN with bloom filters), which costs a payment almost nothing, narrows the
 * search. The first step is materialized, because the planner would otherwise scan all rows of the merchant instead.
 */
const called = (of: Table, column: string) =>
  statement(
    `${of.name} called`,
    `with called as materialized (${select(of, `where ${column} = $2`)}) select * from called where merchant_id = $1 limit $3`,
  )

const payment = called(payments, 'connector_transaction_id')
const refund = called(refunds, 'connector_refund_id')
const payout = called(payouts, 'connector_transaction_id')
const dispute = statement(
  'disputes_called',
  select(disputes, 'where merchant_id = $1 and merchant_connector_id = any($2::text[]) and connector_dispute_id = $3 limit $4'),
)
const operation = statement(
  'operations_called',
  select(operationReferences, 'where merchant_id = $1 and merchant_connector_id = any($2::text[]) and reference = $3 limit $4'),
)

export const paymentsCalled = (context: Reads, merchant_id: string, reference: string, limit: number): Promise<Payment[]> =>
  context.query<Payment>(payment, [merchant_id, reference, limit])
export const refundsCalled = (context: Reads, merchant_id: string, reference: string, limit: number): Promise<Refund[]> =>
  context.query<Refund>(refund, [merchant_id, reference, limit])
export const payoutsCalled = (context: Reads, merchant_id: string, reference: string, limit: number): Promise<Payout[]> =>
  context.query<Payout>(payout, [merchant_id, reference, limit])

export const disputesCalled = (
  context: Reads,
  merchant_id: string,
  accounts: readonly string[],
  reference: string,
  limit: number,
): Promise<Dispute[]> => context.query<Dispute>(dispute, [merchant_id, accounts, reference, limit])
export const operationsCalled = (
  context: Reads,
  merchant_id: string,
  accounts: readonly string[],
  reference: string,
  limit: number,
): Promise<OperationReference[]> => context.query<OperationReference>(operation, [merchant_id, accounts, reference, limit])

const MOST_OF_DAY = 20_000
const ofDay = statement(
  'payments_of_day_by_last_four',
  `select * from (${select(payments, `where merchant_id = $1 and created >= $3::timestamptz and created < $4::timestamptz order by created desc, payment_id desc limit ${MOST_OF_DAY}`)}) day
    where card ->> 'last4' = $2::text limit $5`,
)

/** The latest payments between two times whose card ends with these digits. */
export const paymentsOfDay = (
  context: Reads,
  merchant_id: string,
  digits: string,
  from: Time,
  to: Time,
  limit: number,
): Promise<Payment[]> => context.query<Payment>(ofDay, [merchant_id, digits, from, to, limit])
