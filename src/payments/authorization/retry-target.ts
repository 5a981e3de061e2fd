import type { Merchant } from '../../accounts/merchant.ts'
import { isTurnedOff, profileSetting } from '../../accounts/profile-settings.ts'
import { may } from '../../base/lifecycle.ts'
import { refuse } from '../../base/refusal.ts'
import { between } from '../../base/time.ts'
import type { Outcome } from '../../connectors/connector.ts'
import type { Time } from '../../context.ts'
import type { Operation } from '../../operations/operation.ts'
import { allowsAnother, inTimeForAnother, mayTryAgain, nextUntried } from '../../operations/retry-policy.ts'
import type { Answered, RetryTarget } from '../../operations/verb.ts'
import { refuseStatus } from '../check.ts'
import { allowedStatuses, lifecycle } from '../lifecycle.ts'
import { cardOf, type Payment } from '../payment.ts'
import { channelOf } from './purchase.ts'

/** An attempt is one authorization: how a payment moves to a new one, and whether another follows. Pure. */

/** Returns the columns of a payment that move to an authorization that was just begun. */
export const standingOn = (operation: Operation): Partial<Payment> => ({
  alone: operation.n,
  connector: operation.connector,
  merchant_connector_id: operation.merchant_connector_id,
  connector_transaction_id: null,
  authorization_n: operation.n,
  authorization_request_id: operation.request_id,
  last_error: null,
})

/**
 * Whether a failed payment may be confirmed again: if its profile allows it, or in a checkout of ours (`ours`: a
 * payment link, an element), where customers expect to try another card, unless the profile forbids it.
 */
export function retriesByHand(merchant: Merchant, payment: Payment, ours: boolean): boolean {
  const { request, profile_id } = payment
  if (profileSetting(merchant, profile_id, 'is_manual_retry_enabled')) return true
  return (ours || request.payment_link === true) && !isTurnedOff(merchant, profile_id, 'is_manual_retry_enabled')
}

/** Whether there is still time for it: half of the session (contract 3.6), in a checkout of ours all of it. */
export const mayBeRetried = ({ created, expires_on, request }: Payment, now: Time, ours: boolean): boolean =>
  ours || request.payment_link === true ? now < expires_on : between(created, now) <= between(created, expires_on) / 2

function checkRetry(merchant: Merchant, payment: Payment, now: Time, ours: boolean): void {
  if (!retriesByHand(merchant, payment, ours))
    refuse('precondition', {
      sentence:
        'You cannot confirm this payment because it has status failed, you can enable `manual_retry` in profile to try this payment again',
      problem:
        'This payment has failed: it can be confirmed again only if its business profile has is_manual_retry_enabled, or in a payment link or an element',
      help: 'Enable `is_manual_retry_enabled` in the business profile, or create a new payment',
    })
  if (!mayBeRetried(payment, now, ours))
    refuse('precondition', {
      sentence: 'You cannot confirm this payment using `manual_retry` because the allowed duration has expired',
      problem: 'This payment has failed, and the time limit for retrying it has passed',
      help: 'Create a new payment',
    })
}

/** Refuses (IR_16) a payment that was already sent, unless it failed and may be tried again. */
export function checkConfirmable(merchant: Merchant, payment: Payment, now: Time, ours = false): void {
  if (payment.status === 'failed') checkRetry(merchant, payment, now, ours)
  else if (!may(lifecycle, payment.status, 'sent')) refuseStatus(payment, 'confirm', allowedStatuses.confirm)
}

/** Whether a merchant may confirm the payment again; null if never allowed, or if nothing was tried yet. */
export function retryAllowed(merchant: Merchant, payment: Payment, now: Time, ours = false): boolean | null {
  if ((payment.authorization_n === null && payment.status !== 'failed') || !retriesByHand(merchant, payment, ours)) return null
  return payment.status === 'failed' && mayBeRetried(payment, now, ours)
}

/**
 * Returns the account at which an authorization is tried once more within the same confirm (contract 3.6), null if
 * nowhere: only after a definitive decline, as often as the profile allows, and not against the card network's advice.
 * - A soft decline (the issuer refused an exemption): at the same account, with 3-D Secure. The request for an
 *   exemption implies it, so the profile need not allow it.
 * - The decline rule says `step_up_possible`, and the customer was not authenticated: the same.
 * - The rule says `retry`, or nothing was sent: at the next untried account of the payment's routing decision
 *   (`Routed`).
 */
export function retryTarget(answered: Answered<Payment>): RetryTarget | null {
  const { head: payment, operation, outcome, rule } = answered
  if (isSoftDecline(answered))
    return { account: { connector_name: operation.connector, merchant_connector_id: operation.merchant_connector_id }, step_up: true }
  if (!mayTryAgain(answered, payment.profile_id) || isAdvisedAgainst(payment, outcome)) return null
  // An absent customer cannot be challenged.
  const isThere = payment.request.off_session !== true && !channelOf(payment.request)
  if (outcome.is === 'declined' && rule?.step_up_possible && payment.authentication_type === 'no_three_ds' && isThere)
    return { account: { connector_name: operation.connector, merchant_connector_id: operation.merchant_connector_id }, step_up: true }
  const account = allowsAnother(answered) ? nextUntried(answered) : null
  return account && { account, step_up: false }
}

/** Whether the issuer refused a requested exemption (a soft decline) of a customer who can still be authenticated. */
const isSoftDecline = ({ head: { request, authentication_type }, outcome, operation, tried, now }: Answered<Payment>): boolean =>
  request.psd2_sca_exemption_type !== undefined &&
  authentication_type === 'three_ds' &&
  outcome.is === 'declined' &&
  outcome.code === 'authentication_required' &&
  request.off_session !== true &&
  inTimeForAnother({ operation, tried, now })

/**
 * Mastercard's merchant advice codes against another try now: do not try again (03), payment cancellation (21), try
 * again after an hour … ten days (24 to 30) (Mastercard Transaction Processing Rules).
 */
const FORBIDDING_ADVICE = ['03', '21', '24', '25', '26', '27', '28', '29', '30']
/** Visa's response codes of category 1, "issuer will never approve" (Visa Core Rules, decline reattempts). */
const NEVER_APPROVED = ['04', '07', '12', '14', '15', '41', '43', '46', '57', 'R0', 'R1', 'R3']

/** Whether the card's network forbids another try with this card, at any processor. */
function isAdvisedAgainst(payment: Payment, outcome: Outcome): boolean {
  if (outcome.is !== 'declined') return false
  if (FORBIDDING_ADVICE.includes(outcome.network_advice ?? '')) return true
  return cardOf(payment)?.card_network === 'Visa' && NEVER_APPROVED.includes(outcome.network_code ?? '')
}
