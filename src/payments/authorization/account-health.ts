import { type Operation, type OperationState, takesNews } from '../../operations/operation.ts'
import type { HealthMemory } from '../../routing/memory.ts'
import type { Heard } from '../../routing/profile-health.ts'
import type { Payment } from '../payment.ts'
import { routingContextOf } from '../routing/routing-context.ts'

/** What an authorization tells of the account that it went to. */

const succeeds: Partial<Record<OperationState, boolean>> = { done: true, declined: false, not_sent: false, not_received: false }
const answers: Partial<Record<OperationState, boolean>> = {
  done: true,
  declined: true,
  waiting: true,
  conflicted: true,
  unknown: false,
  not_sent: false,
}

/**
 * What news of an authorization says. Whether an account answers is only said by what came of the asking itself, not
 * by what was found out later.
 */
export const heardBetween = (was: Pick<Operation, 'state'>, is: Pick<Operation, 'state'>): Heard => ({
  succeeded: takesNews(was) && !takesNews(is) ? (succeeds[is.state] ?? null) : null,
  answered: was.state === 'open' && is.state !== 'open' ? (answers[is.state] ?? null) : null,
})

/** Tells the memory of health. */
export function heardOfAuthorization(health: Pick<HealthMemory, 'heard'>, payment: Payment, was: Operation, is: Operation): void {
  if (is.verb !== 'authorize' || was.state === is.state) return
  const heard = heardBetween(was, is)
  if (heard.succeeded !== null || heard.answered !== null)
    health.heard(payment.merchant_id, payment.profile_id, is.merchant_connector_id, heard, () => routingContextOf(payment))
}

/** The same of one that is read as it stands. */
export const heardSinceItBegan = (is: Pick<Operation, 'state'>): Heard => heardBetween({ state: 'open' }, is)
