import { networkOfAddress } from '../../base/network.ts'
import { refuse } from '../../base/refusal.ts'
import type { RowChange } from '../../context.ts'
import { familyNamed } from '../../instruments/families.ts'
import { operationRow } from '../../operations/open.ts'
import type { Operation } from '../../operations/operation.ts'
import { blocked, blockReason } from '../authorization/blocked.ts'
import { planFollowUp } from '../authorization/follow-ups.ts'
import { openAuthorization, route } from '../authorization/open-authorization.ts'
import { hasLink } from '../checkout/payment-link.ts'
import { type Payment, paidBySaved } from '../payment.ts'
import type { UseCaseCall } from '../services.ts'
import { checkStored } from '../stored-credentials/saved-instrument.ts'
import { needsNoCredential } from '../stored-credentials/stored-credential.ts'
import type { PaymentCaller, PaymentTerms } from '../terms.ts'
import { authenticationAsked } from '../three-ds/external-three-ds.ts'
import { authenticatorOf, openAuthentication } from '../three-ds/open-external-three-ds.ts'
import { comesBackFramed } from '../three-ds/return-page.ts'
import { hasInstrument, instrumentOf, type PaidWith } from './paid-with.ts'

/** The beginning of the next attempt: the payment while it is under way, the operation, and rows beside them. */
export type PlannedAttempt = {
  payment: Payment
  operation: Operation
  rows: RowChange[]
  /** Whether a separate account authenticates the customer first. The instrument then waits for the result. */
  authenticates: boolean
  /** Whether the instrument is blocked: the attempt ends as it begins, and nothing is sent. */
  isBlocked: boolean
}

/** Plans an attempt to authorize a payment; reads only. Refuses a payment without an instrument or account (IR_39). */
export async function planAttempt(
  call: UseCaseCall,
  wanted: Payment,
  paid: PaidWith,
  { threeDsResult }: PaymentTerms,
  caller: PaymentCaller,
): Promise<PlannedAttempt> {
  const { context, merchant } = call
  const asking = authenticationAsked(merchant, wanted, threeDsResult)
  const instrument = instrumentOf(paid)
  const by = threeDsResult === null ? authenticatorOf(merchant, asking, instrument) : null
  if (!instrument || !hasInstrument(paid, asking)) return refuseUnpayable(call, asking)
  checkStored(asking.request, paid.saved !== null || paidBySaved(asking.request))
  const shown = by || comesBackFramed(merchant, asking) || hasLink(asking) ? withOrigin(asking, caller) : asking
  const payment = shown.status === 'failed' ? { ...shown, attempt_count: shown.attempt_count + 1 } : shown
  const blocks = blockReason(context, merchant, payment, instrument)
  const whyNot = blocks instanceof Promise ? await blocks : blocks
  const isBlocked = whyNot !== null
  const followUp =
    needsNoCredential(payment.request) || isBlocked ? null : await planFollowUp(context, payment, instrument, paid.saved !== null)
  const attempt = followUp?.payment ?? payment
  const client_network = caller.is === 'client' ? networkOfAddress(caller.address) : null
  const begins =
    by && !isBlocked
      ? openAuthentication(call, attempt, instrument, by, client_network)
      : openAuthorization(call, attempt, instrument, client_network, paid.repeated?.agreed(attempt.profile_id))
  const { payment: after, operation } = whyNot !== null ? blocked(attempt, begins, whyNot) : begins
  const rows = followUp?.rows ?? []
  rows.push(operationRow(operation))
  return { payment: after, operation, rows, authenticates: by !== null && !isBlocked, isBlocked }
}

/** Refuses a payment without an instrument; a payment method that no account accepts is refused for that reason. */
function refuseUnpayable({ merchant, services }: UseCaseCall, payment: Payment): never {
  const { payment_method } = payment.request
  if (payment_method !== undefined && !familyNamed(payment_method)) route(merchant, payment, undefined, services.health)
  return refuse('nothing_to_pay_with')
}

/**
 * Notes the confirming page's origin: it receives the next URL of a frame, and its customer returns to the link's page.
 */
const withOrigin = (payment: Payment, caller: PaymentCaller): Payment =>
  caller.is === 'client' && caller.origin !== null
    ? { ...payment, request: { ...payment.request, checkout_origin: caller.origin } }
    : payment
