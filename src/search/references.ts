import type { Context, Row, Time } from '../context.ts'
import { called } from '../database/called.ts'
import { statement } from '../database/statement.ts'
import { select, type Table } from '../database/table.ts'
import { type Dispute, disputes } from '../disputes/dispute.ts'
import { type OperationReference, operationReferences } from '../operations/references.ts'
import { type Payment, payments } from '../payments/payment.ts'
import { type Payout, payouts } from '../payouts/payout.ts'
import { type Refund, refunds } from '../refunds/refund.ts'

type Reads = Pick<Context, 'query'>

export const refundsCalled = called<Refund>(refunds, 'connector_refund_id')
export const payoutsCalled = called<Payout>(payouts, 'connector_transaction_id')

function calledAt<R extends Row>(name: string, of: Table, column: string) {
  const read = statement(name, select(of, `where merchant_id = $1 and merchant_connector_id = any($2::text[]) and ${column} = $3 limit $4`))
  return (context: Reads, merchant_id: string, accounts: readonly string[], reference: string, limit: number): Promise<R[]> =>
    context.query<R>(read, [merchant_id, accounts, reference, limit])
}
export const disputesCalled = calledAt<Dispute>('disputes_called', disputes, 'connector_dispute_id')
export const operationsCalled = calledAt<OperationReference>('operations_called', operationReferences, 'reference')

const MOST_OF_DAY = 20_000
const ofDay = statement(
  'payments_of_day_by_last_four',
  `select * from (${select(payments, `where merchant_id = $1 and created >= $3::timestamptz and created < $4::timestamptz order by created desc, payment_id desc limit ${MOST_OF_DAY}`)}) day
    where card ->> 'last4' = $2::text limit $5`,
)

/** The latest payments between two times whose card ends with these digits. */
export const paymentsOfDay = (context: Reads, merchant_id: string, digits: string, from: Time, to: Time, limit: number) =>
  context.query<Payment>(ofDay, [merchant_id, digits, from, to, limit])
