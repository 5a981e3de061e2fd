import type { Merchant } from '../accounts/merchant.ts'
import type { Context, Time } from '../context.ts'
import { findDisputes, findDisputesOf } from '../disputes/dispute.ts'
import { findHistories } from '../operations/history.ts'
import type { Operation } from '../operations/operation.ts'
import { findAttemptResults, findOperations } from '../operations/operation.ts'
import type { Eligibility } from '../payments/checkout/eligibility.ts'
import { customerStatistics } from '../payments/customer-payments.ts'
import { attemptId, ownerOf, PAYMENT, type Payment } from '../payments/payment.ts'
import { findRefunds, findRefundsOf } from '../refunds/refund.ts'
import { showAttempts, showRoute } from './attempts.ts'
import { showDisputeOfPayment } from './dispute.ts'
import { type Audience, renderer, type View } from './member.ts'
import { members } from './members.ts'
import { showRefund } from './refund.ts'

export type ShowOptions = {
  publicUrl: string
  audience: Audience
  now: Time
  knows?: View['knows']
  acceptLanguage?: View['acceptLanguage']
  expand_attempts?: boolean
  expand_captures?: boolean
  expand_customer_statistics?: boolean
}

/** Every member is always present, null where unknown. */
export async function showPayment(
  context: Pick<Context, 'query'>,
  merchant: Merchant,
  payment: Payment,
  options: ShowOptions,
): Promise<Record<string, unknown>> {
  const { merchant_id, payment_id } = payment
  const body = paymentBody(merchant, payment, options)
  const withRefunds = payment.refund_count > 0 && options.audience === 'server'
  const withDisputes = payment.adjustments?.disputes !== undefined && options.audience === 'server'
  const withOperations = options.expand_attempts || options.expand_captures
  const withStatistics = options.expand_customer_statistics === true && options.audience === 'server'
  if (!withRefunds && !withDisputes && !withOperations && !withStatistics) return body
  const [refunds, disputes, operations, historyOf, customer_statistics] = await Promise.all([
    withRefunds ? findRefunds(context, merchant_id, payment_id) : null,
    withDisputes ? findDisputes(context, merchant_id, payment_id) : null,
    withOperations ? findOperations(context, ownerOf(payment)) : null,
    options.expand_attempts ? findHistories(context, ownerOf(payment)) : null,
    withStatistics ? customerStatistics(context, payment) : null,
  ])
  return {
    ...body,
    ...(withStatistics && { customer_statistics }),
    ...(refunds && refunds.length > 0 && { refunds: refunds.map(showRefund) }),
    ...(disputes && disputes.length > 0 && { disputes: disputes.map(showDisputeOfPayment) }),
    ...(operations && historyOf && { attempts: showAttempts(merchant, payment, operations, historyOf, options) }),
    ...(operations &&
      options.expand_captures && { captures: operations.filter(o => o.verb === 'capture').map((o, i) => showCapture(payment, o, i + 1)) }),
  }
}

/** As the merchant's server sees each alone. `expand_attempts`: with the accounts to which each was sent. */
export async function showPayments(
  context: Pick<Context, 'query'>,
  merchant: Merchant,
  payments: readonly Payment[],
  { expand_attempts, ...options }: Omit<ShowOptions, 'knows' | 'expand_captures' | 'expand_customer_statistics'>,
): Promise<Record<string, unknown>[]> {
  const { merchant_id } = merchant
  const idsOf = (some: readonly Payment[]) => some.map(({ payment_id }) => payment_id)
  const sent = expand_attempts ? payments.filter(({ operation_count }) => operation_count > 0) : []
  const [refunds, disputes, stops] = await Promise.all([
    findRefundsOf(context, merchant_id, idsOf(payments.filter(({ refund_count }) => refund_count > 0))),
    findDisputesOf(context, merchant_id, idsOf(payments.filter(({ adjustments }) => adjustments?.disputes !== undefined))),
    findAttemptResults(context, merchant_id, PAYMENT, idsOf(sent)),
  ])
  return payments.map(payment => {
    const its = { refunds: refunds.get(payment.payment_id), disputes: disputes.get(payment.payment_id) }
    return {
      ...paymentBody(merchant, payment, options),
      ...(its.refunds && { refunds: its.refunds.map(showRefund) }),
      ...(its.disputes && { disputes: its.disputes.map(showDisputeOfPayment) }),
      ...(expand_attempts && { route: showRoute(merchant, stops.get(payment.payment_id) ?? []) }),
    }
  })
}

const render = renderer(members)

/** The members that come from the payment's own row. */
export const paymentBody = (
  merchant: Merchant,
  payment: Payment,
  { publicUrl, audience, now, knows, acceptLanguage }: Pick<ShowOptions, 'publicUrl' | 'audience' | 'now' | 'knows' | 'acceptLanguage'>,
): Record<string, unknown> => render(payment, { merchant, publicUrl, audience, now, acceptLanguage, ...(knows && { knows }) })

export const showEligibility = ({ payment: { payment_id, request }, deny, card_networks }: Eligibility): Record<string, unknown> => ({
  payment_id,
  sdk_next_action: { next_action: deny === null ? 'confirm' : { deny: { message: deny } } },
  surcharge_details: request.surcharge_details ?? null,
  card_networks,
})

export const showMetadata = ({ payment_id, status, request }: Payment): Record<string, unknown> => ({
  payment_id,
  metadata: request.metadata ?? null,
  status,
  feature_metadata: request.feature_metadata ?? null,
})

const captureStatuses: Partial<Record<Operation['state'], string>> = {
  open: 'started',
  done: 'charged',
  waiting: 'pending',
  unknown: 'pending',
  unresolved: 'pending',
  conflicted: 'pending',
}

function showCapture(payment: Payment, operation: Operation, capture_sequence: number): Record<string, unknown> {
  return {
    capture_id: `${attemptId(payment)}_${capture_sequence}`,
    status: captureStatuses[operation.state] ?? 'failed',
    amount: operation.amount,
    currency: operation.currency,
    connector: operation.connector,
    authorized_attempt_id: attemptId(payment),
    connector_capture_id: operation.reference,
    capture_sequence,
    error_message: operation.response?.words ?? null,
    error_code: operation.response?.code ?? null,
    error_reason: null,
    reference_id: operation.request_id,
  }
}
