import { merchantDisplayName } from '../../accounts/profile-settings.ts'
import type { Outcome } from '../../connectors/connector.ts'
import { dated } from '../../connectors/next-action.ts'
import type { Time } from '../../context.ts'
import { failure } from '../../operations/failure.ts'
import { acceptsUpdates, type Operation } from '../../operations/operation.ts'
import { operationPatch } from '../../operations/operation-patch.ts'
import type { RequestInput, Transition, VerbDefinition } from '../../operations/verb.ts'
import { failedFrom } from '../authorization/card-testing-tries.ts'
import { deleteWaitingCvc } from '../authorization/payment-instrument.ts'
import { standingOn } from '../authorization/retry-target.ts'
import type { Authentication, Payment } from '../payment.ts'
import { ifAllowed } from './moves.ts'

/**
 * Authenticates the customer before a processor is called. No money moves, so the payment fails if no result arrives
 * before the session ends. The first source of the result (the return, a job, `force_sync`) opens the authorization.
 */
export const authenticateVerb: VerbDefinition<Payment> = {
  buildRequest,
  after: afterAuthenticate,
  until: payment => payment.expires_on,
  onPollingEnded: (payment, operation, now) => failed(payment, operation, over, now),
}

function buildRequest({ connector, account, merchant, operation, instrument }: RequestInput<Payment>) {
  if (instrument?.is !== 'card') return null
  const { request_id, amount, currency } = operation
  const money = { amount, currency }
  return connector.authenticate?.({ request_id, money, instrument, merchant_name: merchantDisplayName(merchant) }, account) ?? null
}

/** The ecosystem's error code for a failed authentication. */
const FAILED = 'EXTERNAL_AUTHENTICATION_FAILURE'
const over: Outcome = {
  is: 'declined',
  reference: null,
  code: 'authentication_failed',
  processor_code: 'expired',
  message: 'The customer was not authenticated before the session expired.',
  facts: {},
}

function afterAuthenticate(payment: Payment, operation: Operation, reply: Outcome, now: Time): Transition<Payment> | null {
  if (!acceptsUpdates(operation)) return null
  const outcome = now >= payment.expires_on && reply.is !== 'declined' ? over : reply
  const side = operationPatch(operation, outcome, now, payment.expires_on)
  // The payment was cancelled meanwhile.
  if (payment.alone !== operation.n) return side && { move: null, head: {}, operation: side }
  switch (outcome.is) {
    case 'waiting': {
      const { next_action } = outcome
      if (!next_action || payment.next_action) return side && { move: null, head: {}, operation: side }
      return { move: ifAllowed(payment, 'challenged'), head: { next_action: dated(next_action, now) }, operation: side ?? {} }
    }
    case 'unknown':
      return side && { move: null, head: {}, operation: side }
    case 'done':
      return side?.state === 'conflicted' ? failed(payment, operation, outcome, now) : authenticated(payment, side!, outcome)
    default:
      return failed(payment, operation, outcome, now)
  }
}

/** Opens the authorization in the same change, at the account that was chosen when the payment was confirmed. */
function authenticated(payment: Payment, side: Partial<Operation>, outcome: Extract<Outcome, { is: 'done' }>): Transition<Payment> {
  const { connector, merchant_connector_id } = payment
  const account = { connector_name: connector ?? '', merchant_connector_id: merchant_connector_id ?? '' }
  return {
    move: ifAllowed(payment, 'customer_returned'),
    head: { next_action: null, request: withAuthentication(payment, { ...outcome.facts.authentication, outcome: 'success' }) },
    operation: side,
    rows: [deleteWaitingCvc(payment)],
    open: { is: 'again', verb: 'authorize', next: { account, step_up: false }, head: opened => standingOn(opened) },
  }
}

function failed(payment: Payment, operation: Operation, outcome: Outcome, now: Time): Transition<Payment> | null {
  if (!acceptsUpdates(operation)) return null
  const side = operationPatch(operation, outcome, now, payment.expires_on)!
  if (payment.alone !== operation.n) return { move: null, head: {}, operation: side }
  const why = side.state === 'conflicted' ? failure.contradicted(operation) : failure.of(outcome)
  const error = { error_code: why.error_code, error_message: why.error_message }
  const facts = 'facts' in outcome ? outcome.facts.authentication : undefined
  const counted = outcome.is === 'declined' ? failedFrom(payment, operation, now).rows : undefined
  return {
    move: ifAllowed(payment, 'declined'),
    head: {
      alone: null,
      next_action: null,
      last_error: { ...why, error_code: FAILED },
      request: withAuthentication(payment, { ...facts, ...error, outcome: 'failed' }),
    },
    // No money moved: polling can end.
    operation: { ...side, poll_at: null },
    rows: [deleteWaitingCvc(payment), ...(counted ?? [])],
  }
}

const withAuthentication = (payment: Payment, more: Partial<Authentication>): Payment['request'] => ({
  ...payment.request,
  authentication: { ...payment.request.authentication!, ...more },
})
