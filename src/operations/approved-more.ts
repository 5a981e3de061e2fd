import type { Outcome } from '../connectors/connector.ts'
import type { PaymentReport } from '../connectors/payment-report.ts'
import { Unscreened } from '../connectors/redaction/card-numbers.ts'
import { findOperation, type Operation } from './operation.ts'
import { type AggregateRow, aggregateOf, type Call } from './verb.ts'

/**
 * Receives what an approval tells beside itself: that others have captured the hold already, before its answer came.
 * Returns whether it tells that. `head`: as the approval has left it.
 */
export async function receiveMore(call: Call, approved: Operation, head: AggregateRow, outcome: Outcome): Promise<boolean> {
  const kind = aggregateOf(call.services, approved)
  if (outcome.is !== 'done' || approved.verb !== 'authorize' || !kind.tellsMore?.(head, outcome)) return false
  const operation = await findOperation(call.context, approved, approved.n)
  if (operation?.state !== 'done') return false
  await kind.reported?.(call, operation, new Unscreened(reportOf(outcome)))
  return true
}

/** The totals of an approval, as a report of the whole payment. */
const reportOf = ({ reference, amount, captured, capturable }: Extract<Outcome, { is: 'done' }>): PaymentReport => ({
  reference,
  currency: amount.currency,
  authorized: amount.amount,
  captured: captured === null || captured === 'as asked' ? null : captured.amount,
  refunded: null,
  held: capturable?.amount ?? null,
  released: null,
  movements: [],
  disputes: [],
})
