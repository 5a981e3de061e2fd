import type { Merchant } from '../accounts/merchant.ts'
import { checkAll, refuse } from '../base/refusal.ts'
import { readTime } from '../base/time.ts'
import type { ThreeDsResult } from '../connectors/authentication.ts'
import type { Time } from '../context.ts'
import { familyNamed } from '../instruments/families.ts'
import { readCvc } from '../instruments/read-card.ts'
import type { Call } from '../operations/verb.ts'
import { checkOperatorRefund, checkSecondPerson } from '../users/second-person.ts'
import { checkDescriptor } from './authorization/descriptor.ts'
import { checkInstallments } from './authorization/installments.ts'
import { channelOf } from './authorization/purchase.ts'
import { checkSplit } from './authorization/split.ts'
import { checkNamedMerchant } from './fields/checks.ts'
import { allowedStatuses, type PaymentStatus } from './lifecycle.ts'
import { capturesAtOnce, isManual, type Payment, type PaymentParams, takesAtOnce } from './payment.ts'
import type { ConfirmBody, CreateBody, UpdateBody } from './request-shapes.ts'

/** Checks of a request beyond its single members. Each check names the field it refuses. */

/** Refuses (IR_16) a status that does not allow the action. `action`: as a verb; `instead`: names a possible action. */
export function refuseStatus(
  { status }: Pick<Payment, 'status'>,
  action: string,
  allowed: readonly PaymentStatus[],
  instead = 'Retrieve the payment, and go by its `status`',
): never {
  return refuse('precondition', {
    sentence: `You cannot ${action} this payment because it has status ${status}`,
    problem: `The payment’s status is ${status}; it must be one of ${allowed.join(', ')}`,
    help: instead,
  })
}

/** Refuses (IR_16) a payment whose status does not allow the action. `words`: the action as a verb. */
export function needStatus(payment: Payment, action: keyof typeof allowedStatuses, words: string): void {
  if (!allowedStatuses[action].includes(payment.status)) refuseStatus(payment, words, allowedStatuses[action])
}

/** Refuses (HE_02) a create, capture or cancel that names a merchant other than the caller's. */
export function checkNamed(merchant: Merchant, ask: { merchant_id?: string; all_keys_required?: boolean }): void {
  if (ask.merchant_id !== undefined) checkNamedMerchant('merchant_id', ask.merchant_id, merchant)
}

type Ask = CreateBody | UpdateBody | ConfirmBody

/** Refuses members about the payer that are sent twice and differ. */
export function checkPayer(ask: Pick<CreateBody, 'customer' | 'customer_id' | 'email' | 'name' | 'phone' | 'phone_country_code'>): void {
  const { customer } = ask
  if (!customer) return
  sameTwice(ask.customer_id, customer.id, 'customer_id', 'customer.id')
  for (const field of ['email', 'name', 'phone', 'phone_country_code'] as const)
    sameTwice(ask[field], customer[field], field, `customer.${field}`)
}

/** Refuses more than one instrument, and an instrument that does not belong to the payment method and type. */
export function checkInstrument({
  payment_method,
  payment_method_type,
  payment_method_data,
  payment_experience,
  card_cvc,
}: Pick<Ask, 'payment_method' | 'payment_method_type' | 'payment_method_data' | 'payment_experience' | 'card_cvc'>): void {
  // A security code beside the card is for a saved card; a card in the request has its own security code.
  const sent = payment_method_data?.card
  if (card_cvc !== undefined && sent && sent.card_cvc !== card_cvc)
    refuse('unacceptable', { field: 'card_cvc', problem: 'must be sent in payment_method_data.card when card data is sent' })
  const variants = Object.keys(payment_method_data ?? {}).filter(key => key !== 'billing')
  if (variants.length > 1)
    refuse('unacceptable', { field: 'payment_method_data', problem: `holds ${variants.join(' and ')}; only one payment method is allowed` })
  checkCardToken(payment_method_data?.card_token, card_cvc)
  if (payment_method === undefined) {
    if (variants.length > 0) refuse('missing', { field: 'payment_method' })
    return
  }
  const input = variants[0] === 'card_token' ? 'card' : variants[0]
  if (input !== undefined && input !== payment_method)
    refuse('unacceptable', { field: 'payment_method_data', problem: `${variants[0]} does not belong to payment_method ${payment_method}` })
  const family = familyNamed(payment_method)
  // The payment_method_type may be known only once the customer has chosen it.
  if (payment_method_type === undefined && family?.needsType !== false && variants.length > 0)
    refuse('missing', { field: 'payment_method_type' })
  if (payment_method_type !== undefined && family && !family.types.includes(payment_method_type)) {
    refuse('unacceptable', {
      field: 'payment_method_type',
      problem: `${payment_method_type} does not belong to payment_method ${payment_method}`,
    })
  }
  if (payment_experience !== undefined && family && (payment_method_type !== undefined || !family.needsType)) {
    const input = payment_method_data?.[payment_method as keyof typeof payment_method_data]
    const may = family.experiences(payment_method_type ?? '', input)
    if (!may.includes(payment_experience))
      refuse('unacceptable', {
        field: 'payment_experience',
        problem: `must be ${may.join(' or ')} for this payment method, not ${payment_experience}`,
      })
  }
}

type CardToken = NonNullable<NonNullable<Ask['payment_method_data']>['card_token']>

/** Checks `card_token`, in which newer checkouts send the data that accompany a saved card. */
function checkCardToken(token: CardToken | undefined, card_cvc: string | undefined): void {
  if (token?.card_cvc === undefined) return
  const field = 'payment_method_data.card_token.card_cvc'
  readCvc(token.card_cvc, field)
  if (card_cvc !== undefined && card_cvc !== token.card_cvc)
    refuse('precondition', { problem: `card_cvc and ${field} are both sent but differ` })
}

function sameTwice(a: string | undefined, b: string | undefined, here: string, there: string): void {
  if (a !== undefined && b !== undefined && a !== b) refuse('precondition', { problem: `${here} and ${there} are both sent but differ` })
}

/** Refuses a `capture_on` that is not in the future. */
export function checkCaptureOn({ capture_on }: PaymentParams, now: Time): void {
  if (capture_on !== undefined && readTime('capture_on', capture_on) <= now)
    refuse('unacceptable', { field: 'capture_on', problem: 'must be in the future' })
}

/** Refuses a payment method that the merchant does not allow. A card without a type may be credit or debit. */
export function checkAllowed({ allowed_payment_method_types: allowed, payment_method, payment_method_type }: PaymentParams): void {
  if (!allowed || payment_method === undefined) return
  const types = payment_method_type === undefined ? (familyNamed(payment_method)?.types ?? []) : [payment_method_type]
  if (types.some(type => (allowed as readonly string[]).includes(type))) return
  refuse('unacceptable', {
    field: payment_method_type === undefined ? 'payment_method' : 'payment_method_type',
    problem: `${payment_method_type ?? payment_method} is not among allowed_payment_method_types`,
  })
}

/** Refuses `three_ds_data` without a confirm: the result of an authentication is not stored. */
export function checkNoThreeDsResult(threeDsResult: ThreeDsResult | null): void {
  if (threeDsResult !== null)
    refuse('unacceptable', { field: 'three_ds_data', problem: 'can only be sent when the payment is confirmed: it is not stored' })
}

/** Refuses wishes for the authentication that contradict each other. */
function checkWishes({ request, authentication_type }: Pick<Payment, 'request' | 'authentication_type'>): void {
  const { force_3ds_challenge: forced, psd2_sca_exemption_type: exemption, request_external_three_ds_authentication: apart } = request
  if (forced !== true && exemption === undefined) return
  if (forced === true && authentication_type === 'no_three_ds')
    refuse('precondition', { problem: 'force_3ds_challenge requires authentication_type three_ds' })
  if (forced === true && exemption !== undefined)
    refuse('precondition', {
      problem: 'psd2_sca_exemption_type and force_3ds_challenge cannot be used together: an exemption avoids a challenge',
    })
  if (apart === true && exemption !== undefined)
    refuse('not_supported', {
      problem:
        'psd2_sca_exemption_type is requested from the processor and cannot be used together with request_external_three_ds_authentication',
    })
}

type Wanted = Pick<Payment, 'amount' | 'net_amount' | 'capture_method' | 'authentication_type' | 'request'>

/** Checks a payment as it will be authorized: its amounts, and the requirements of its capture method. */
export const checkTerms = (payment: Wanted): void => checkAll(checksOfTerms, payment)

const checksOfTerms: readonly ((payment: Wanted) => void)[] = [
  checkWishes,
  ({ request }) => checkDescriptor(request),
  checkSplit,
  checkInstallments,
  checkSetUp,
  checkScheduled,
  checkOvercapture,
  checkIncremental,
  checkExtended,
  ({ request }) => checkAllowed(request),
  checkChannel,
  checkToCapture,
]

function checkSetUp({ amount, request }: Wanted): void {
  if (amount !== 0 && request.payment_type === 'setup_mandate')
    refuse('not_supported', { problem: 'payment_type setup_mandate requires amount 0: it sets up a mandate without a charge' })
}

function checkScheduled({ capture_method, request }: Wanted): void {
  if (capture_method === 'scheduled' && request.capture_on === undefined)
    refuse('not_implemented', { problem: 'capture_method scheduled requires capture_on, the time of the capture' })
}

function checkOvercapture({ capture_method, request }: Wanted): void {
  if (request.enable_overcapture === true && capture_method !== 'manual')
    refuse('precondition', { problem: `enable_overcapture requires capture_method manual, not ${capture_method}` })
}

function checkIncremental(payment: Wanted): void {
  const { capture_method, request } = payment
  if (request.request_incremental_authorization === true && capturesAtOnce(payment))
    refuse('not_supported', {
      problem: `request_incremental_authorization requires a separate capture: capture_method must not be ${capture_method}`,
    })
}

function checkExtended({ capture_method, request }: Wanted): void {
  if (request.request_extended_authorization === true && !isManual({ capture_method }))
    refuse('not_supported', {
      problem: `request_extended_authorization requires capture_method manual or manual_multiple, not ${capture_method}`,
    })
}

function checkChannel({ authentication_type, request }: Wanted): void {
  if (authentication_type === 'three_ds' && channelOf(request))
    refuse('precondition', { problem: `authentication_type must be no_three_ds for payment_channel ${request.payment_channel}` })
}

/** Refuses to confirm an amount of 0 with additional amounts, or with a capture method other than automatic. */
export function checkSetUpWithoutCharge(payment: Wanted): void {
  if (payment.amount !== 0) return
  if (payment.net_amount !== 0)
    refuse('precondition', { problem: 'shipping_cost, order_tax_amount and surcharge_details must be 0 when amount is 0' })
  if (!takesAtOnce(payment))
    refuse('precondition', { problem: 'capture_method must be automatic when amount is 0: there is nothing to capture' })
}

function checkToCapture(payment: Wanted): void {
  const capture = payment.request.amount_to_capture
  if (capture === undefined) return
  if (capture > payment.net_amount)
    refuse('malformed', {
      field: 'amount_to_capture',
      expected: 'amount_to_capture lesser than amount',
      explained: `${capture} is more than net_amount, which is ${payment.net_amount}`,
      help: 'Send at most `net_amount`, or remove `amount_to_capture` to capture the full amount',
    })
  if (capturesAtOnce(payment) && capture !== payment.net_amount)
    refuse('precondition', {
      sentence: 'amount_to_capture must be equal to total_capturable_amount when capture_method = automatic',
      problem: `amount_to_capture must equal ${payment.net_amount} when capture_method is automatic`,
      help: 'Remove `amount_to_capture`, or use capture_method manual',
    })
}

/** Refuses unknown members named like amounts, as all of the money would move; other unknown members are ignored. */
export function checkAmountNames(ask: object, known: object, hint: string): void {
  for (const name of Object.keys(ask))
    if (/amount/i.test(name) && !Object.hasOwn(known, name))
      refuse('unreadable', { field: name, problem: `is not a known parameter; ${hint}` })
}

/**
 * Requires a second person's approval above a limit, counting earlier refunds. Refuses (IR_22) an operator's own limit.
 */
export function needSecondPersonToReturn({ merchant, person }: Call, payment: Payment, amount: number): void {
  const { payment_id: subject_id, profile_id, currency, amount_refunded, amount_refunding } = payment
  const total = amount_refunded + amount_refunding + amount
  checkOperatorRefund(merchant, person?.role, { currency, total })
  checkSecondPerson({ merchant, person }, { subject_kind: 'payment', subject_id, profile_id, currency, amount, total })
}
