// An operation as callers see it, changed as some cards require; and as it truly is, for the tests' verification.

import { type Behaviour, behaviourOf } from './cards.ts'
import { showAction } from './methods.ts'
import { stateOf } from './processor.ts'
import type { Operation, Payment } from './records.ts'
import { REFUND_FEE } from './settlement.ts'

type Echo = NonNullable<Behaviour['echoes']>

const echo: Record<Echo, (operation: Operation) => Partial<Operation>> = {
  'another amount': ({ amount }) => ({ amount: amount + 1 }),
  'another currency': ({ currency }) => ({ currency: currency === 'EUR' ? 'USD' : 'EUR' }),
  'another reference': ({ reference }) => ({ reference: `other_${reference}`.slice(0, 64) }),
}

/** Returns the operation with the wrong amount, currency or reference that its card gives to approvals. */
export function echoed(operation: Operation, payment: Payment): Operation {
  const { echoes } = behaviourOf(payment.card)
  const wrong = echoes && (operation.type === 'authorization' || operation.type === 'payout') && operation.status === 'approved'
  return wrong ? { ...operation, ...echo[echoes](operation) } : operation
}

/** Returns the reference by which a caller knows an operation; null if it was made at the processor's dashboard. */
export const callersReference = ({ origin, reference }: Operation): string | null => (origin === 'dashboard' ? null : reference)

/** Whether a refund was approved, and the customer's bank sent the money back later. */
export const cameBack = ({ type, status, decline, arn }: Operation): boolean =>
  type === 'refund' && status === 'declined' && decline?.code === 'refund_failed' && arn !== null

/** The operation as webhooks and lists contain it, with the names of its payment. */
export const announced = (operation: Operation, payment: Payment, url: string) => ({
  payment: { id: payment.id, reference: payment.reference },
  operation: showOperation(operation, { payment, url }),
})

export function showOperation(operation: Operation, { payment, url }: { payment: Payment; url: string }): object {
  // An authorization is shown with the payment's current state, because later captures and voids have changed it.
  const now = operation.type === 'authorization' && operation.status === 'approved' && { payment_state: stateOf(payment) }
  const page = `${url}/challenge/${operation.id}/${operation.challenge?.token}`
  const next_action = showAction(payment, operation, page)
  return {
    ...showTruly(echoed(operation, payment), url),
    ...now,
    ...(cameBack(operation) && { status: 'returned' }),
    ...(next_action && { next_action }),
  }
}

export function showTruly(operation: Operation, url: string): object {
  const { id, due_at: _due, final: _final, webhooks: _webhooks, challenge, ...fields } = operation
  const redirect_url = operation.status === 'challenge' ? `${url}/challenge/${id}/${challenge!.token}` : null
  const fee = operation.type === 'refund' &&
    operation.status === 'approved' && { fee: { amount: REFUND_FEE, currency: operation.currency } }
  return { id, object: 'operation', ...fields, redirect_url, ...fee }
}
