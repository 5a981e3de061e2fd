import { acceptsUpdates, type Operation, type OperationState } from '../../operations/operation.ts'
import type { HealthMemory, HealthReport } from '../../routing/dynamic/dynamic-routing.ts'
import type { Payment } from '../payment.ts'
import { routingContextOf } from '../routing/routing-context.ts'

/** The effect of an authorization's result on the health of its account. */

const succeeds: Partial<Record<OperationState, boolean>> = { done: true, declined: false, not_sent: false, not_received: false }
const answers: Partial<Record<OperationState, boolean>> = {
  done: true,
  declined: true,
  waiting: true,
  conflicted: true,
  unknown: false,
  not_sent: false,
}

/** Only the outcome of the call itself shows whether the account answers, not a result that is found out later. */
export const healthReport = (was: Pick<Operation, 'state'>, is: Pick<Operation, 'state'>): HealthReport => ({
  succeeded: acceptsUpdates(was) && !acceptsUpdates(is) ? (succeeds[is.state] ?? null) : null,
  answered: was.state === 'open' && is.state !== 'open' ? (answers[is.state] ?? null) : null,
})

/** Reports a change of an authorization to the memory of health. */
export function reportAuthorization(health: Pick<HealthMemory, 'record'>, payment: Payment, was: Operation, is: Operation): void {
  if (is.verb !== 'authorize' || was.state === is.state) return
  const report = healthReport(was, is)
  if (report.succeeded !== null || report.answered !== null)
    health.record(payment.merchant_id, payment.profile_id, is.merchant_connector_id, report, () => routingContextOf(payment))
}

/** Returns the report of an authorization's state as if it had just left `open`. */
export const healthReportSinceOpen = (is: Pick<Operation, 'state'>): HealthReport => healthReport({ state: 'open' }, is)
