import type { Merchant } from '../accounts/merchant.ts'
import { profileSetting } from '../accounts/profile-settings.ts'
import { checkMetadata } from '../base/metadata.ts'
import { LARGEST_AMOUNT } from '../base/money.ts'
import { refuse } from '../base/refusal.ts'
import { checkAddress } from '../base/shapes.ts'
import { later } from '../base/time.ts'
import { familyNamed } from '../means/families.ts'
import { readCvc } from '../means/read-card.ts'
import type { Time } from '../world.ts'
import type { ConfirmAsk, CreateAsk } from './ask.ts'
import { capturesAtOnce, type Payment } from './payment.ts'

/** What a request means beyond its shape. Each check names the field it refuses. */

export const PAYMENT_ID = /^[A-Za-z0-9_-]{30}$/

/** An id that a merchant chose: exactly 30 letters, digits, `_` or `-`. */
export function checkChosenId(field: string, id: string): void {
  if (!PAYMENT_ID.test(id)) refuse('malformed', { field, expected: 'exactly 30 letters, digits, _ or -' })
}

/** net_amount: what is charged in the end. Discounts, duty and tax on shipping are informational and do not enter. */
export function netAmount(ask: Pick<CreateAsk, 'shipping_cost' | 'order_tax_amount' | 'surcharge_details'>, amount: number): number {
  const net =
    amount +
    (ask.shipping_cost ?? 0) +
    (ask.order_tax_amount ?? 0) +
    (ask.surcharge_details?.surcharge_amount ?? 0) +
    (ask.surcharge_details?.tax_amount ?? 0)
  if (net > LARGEST_AMOUNT)
    refuse('precondition', {
      words: `net_amount (amount + shipping_cost + order_tax_amount + surcharge_details.surcharge_amount + surcharge_details.tax_amount) must not exceed ${LARGEST_AMOUNT}`,
    })
  return net
}

const SHORTEST_SESSION = 60
const LONGEST_SESSION = 7_890_000

/** When the session ends: the request's `session_expiry`, else the profile's, else 15 minutes, counted from creation. */
export function sessionEnds(merchant: Merchant, profile_id: string, ask: ConfirmAsk, created: Time): Time {
  return later(created, 1000 * (ask.session_expiry ?? profileSetting(merchant, profile_id, 'session_expiry')))
}

/**
 * What this version does not do is refused by name, not ignored: a merchant must not believe that it happened. The values are those that ask for nothing; existing checkouts send some of them always.
 */
export const notYet: ReadonlyMap<string, readonly unknown[]> = new Map<keyof ConfirmAsk, readonly unknown[]>([
  ['mandate_id', []],
  ['mandate_data', []],
  ['recurring_details', []],
  ['split_payments', []],
  ['routing', []],
  ['payment_link', [false]],
  ['payment_link_config', []],
  ['payment_link_config_id', []],
  ['ctp_service_details', []],
  ['three_ds_data', []],
  ['profile_acquirer_id', []],
  ['psd2_sca_exemption_type', []],
  ['mit_category', []],
  ['installment_options', []],
  ['installment_data', []],
  ['external_surcharge_strategy', []],
  ['off_session', [false]],
  ['is_stored_credential', [false]],
  ['setup_future_usage', ['on_session']],
  ['payment_type', ['normal', 'setup_mandate']],
  ['tokenization', ['skip_psp']],
  ['payment_channel', ['ecommerce']],
  ['force_3ds_challenge', [false]],
  ['request_external_three_ds_authentication', [false]],
  ['is_iframe_redirection_enabled', [false]],
  ['request_incremental_authorization', [false]],
  ['request_extended_authorization', [false]],
  ['enable_overcapture', [false]],
])

function checkSupported(ask: CreateAsk | ConfirmAsk): void {
  for (const member in ask) {
    const harmless = notYet.get(member)
    if (!harmless || harmless.includes(ask[member as keyof typeof ask])) continue
    const words =
      harmless.length === 0
        ? `${member} is not supported by this version`
        : `${member} may only be ${harmless.join(' or ')} in this version`
    refuse('not_supported', { words })
  }
}

/** A merchant that a request names must be the one that asks; credentials of a processor come from its connector account, never from a request. */
export function checkNamed(merchant: Merchant, ask: { merchant_id?: string; merchant_connector_details?: unknown }): void {
  if (ask.merchant_id !== undefined && ask.merchant_id !== merchant.merchant_id) refuse('not_found', { what: 'merchant account' })
  if (ask.merchant_connector_details !== undefined)
    refuse('not_supported', { words: 'merchant_connector_details is not supported by this version' })
}

/** Checks that create and confirm share. */
export function checkAsk(merchant: Merchant, ask: CreateAsk | ConfirmAsk): void {
  checkNamed(merchant, ask)
  checkSupported(ask)
  if (ask.capture_method === 'scheduled' || ask.capture_on !== undefined)
    refuse('not_implemented', { words: 'capture_method scheduled and capture_on are not supported by this version' })
  if (ask.session_expiry !== undefined && (ask.session_expiry < SHORTEST_SESSION || ask.session_expiry > LONGEST_SESSION))
    refuse('unacceptable', { field: 'session_expiry', words: `must be ${SHORTEST_SESSION} to ${LONGEST_SESSION} seconds` })
  checkAddress('return_url', ask.return_url)
  if (ask.card_cvc !== undefined) checkCvc(ask.card_cvc, ask.payment_method_data?.card)
  checkMetadata('metadata', ask.metadata)
  checkMetadata('frm_metadata', ask.frm_metadata)
  sameTwice(ask.customer_id, ask.customer?.id, 'customer_id', 'customer.id')
  for (const field of ['email', 'name', 'phone', 'phone_country_code'] as const)
    sameTwice(ask[field], ask.customer?.[field], field, `customer.${field}`)
  const { payment_method, payment_method_type, payment_method_data } = ask
  const variants = Object.keys(payment_method_data ?? {}).filter(key => key !== 'billing')
  if (variants.length > 1)
    refuse('unacceptable', { field: 'payment_method_data', words: `holds ${variants.join(' and ')}; only one can be paid with` })
  if (payment_method_data?.card_token) refuse('not_supported', { words: 'payment_method_data.card_token is not supported by this version' })
  if (payment_method === undefined) {
    if (variants.length > 0) refuse('missing', { field: 'payment_method' })
  } else {
    if (variants[0] !== undefined && variants[0] !== payment_method)
      refuse('unacceptable', { field: 'payment_method_data', words: `${variants[0]} does not belong to payment_method ${payment_method}` })
    const family = familyNamed(payment_method)
    if (payment_method_type === undefined && family?.needsType !== false) refuse('missing', { field: 'payment_method_type' })
    if (payment_method_type !== undefined && family && !family.types.includes(payment_method_type)) {
      refuse('unacceptable', {
        field: 'payment_method_type',
        words: `${payment_method_type} does not belong to payment_method ${payment_method}`,
      })
    }
  }
  if (ask.customer_acceptance?.acceptance_type === 'online' && !ask.customer_acceptance.online)
    refuse('precondition', { words: 'customer_acceptance.online is needed when acceptance_type is online' })
}

/** A security code beside the card is for a card that is kept already; one that comes now brings its own. */
function checkCvc(card_cvc: string, sent: { card_cvc?: string } | undefined): void {
  readCvc(card_cvc, 'card_cvc')
  if (sent && sent.card_cvc !== card_cvc)
    refuse('unacceptable', { field: 'card_cvc', words: 'belongs into payment_method_data.card when a card is sent' })
}

function sameTwice(a: string | undefined, b: string | undefined, here: string, there: string): void {
  if (a !== undefined && b !== undefined && a !== b) refuse('precondition', { words: `${here} and ${there} are both given and differ` })
}

/** Checks of a payment as it will be authorized: its amounts, and what its capture method allows. `ask`: all that was asked of it, then and now. */
export function checkTerms(payment: Pick<Payment, 'amount' | 'net_amount' | 'capture_method'>, ask: CreateAsk | ConfirmAsk): void {
  if ((payment.amount === 0) !== (ask.payment_type === 'setup_mandate'))
    refuse('not_supported', { words: 'amount 0 and payment_type setup_mandate need each other' })
  const capture = ask.amount_to_capture
  if (capture === undefined) return
  if (capture > payment.net_amount) refuse('malformed', { field: 'amount_to_capture', expected: `at most ${payment.net_amount}` })
  if (capturesAtOnce(payment) && capture !== payment.net_amount)
    refuse('precondition', { words: `amount_to_capture must equal ${payment.net_amount} when capture_method is automatic` })
}

/** Captures and cancels ignore members that they do not know, as the ecosystem's do; but not one that speaks of an amount, because without it all of the money moves. */
export function checkAmountNames(ask: object, known: object, words: string): void {
  for (const name of Object.keys(ask))
    if (/amount/i.test(name) && !Object.hasOwn(known, name)) refuse('unreadable', { field: name, words: `is not a known member; ${words}` })
}
