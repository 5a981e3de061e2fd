import type { Body } from '../../shop.ts'
import { at, nameOf } from './fields.ts'
import { kinds } from './good-payments.ts'
import { same } from './knock.ts'

/** The places where answers show, and rows store, the members of a payment request. */

/**
 * The paths under which an answer shows members of the request; null for a member that is not shown. A member that is
 * not in this table is shown under its own name, if the answer has it.
 */
const shownAs: Record<string, string | null> = {
  confirm: null,
  connector: null,
  'connector.0': null,
  client_secret: null,
  card_cvc: null,
  payment_link: null,
  payment_method_data: null,
  'payment_method_data.card': null,
  'payment_method_data.card.card_number': null,
  'payment_method_data.card.card_cvc': null,
  'payment_method_data.card.card_exp_month': null,
  'payment_method_data.card.card_exp_year': null,
  'payment_method_data.card.card_issuing_country_code': null,
  // The first digits of the card number take precedence over the request.
  'payment_method_data.card.card_network': null,
  'payment_method_data.card.bank_code': null,
  'customer.tax_registration_id': null,
  'customer.document_details': 'customer.customer_document_details',
  customer: null,
  phone_country_code: 'customer.phone_country_code',
  session_expiry: null,
  retry_action: null,
  customer_statistics: null,
}

/** Gives the path under which the answer shows a field; null if it does not. */
function whereShown(path: readonly string[], answer: Body): string[] | null {
  for (let length = path.length; length > 0; length--) {
    const named = shownAs[nameOf(path.slice(0, length))]
    if (named === null && length === path.length) return null
    if (typeof named === 'string') return [...named.split('.'), ...path.slice(length)]
  }
  if (path[0] === 'payment_method_data' && kinds.includes(path[1]!)) return null
  return Object.hasOwn(answer, path[0]!) ? [...path] : null
}

/** Members that are shown with a default although the request did not contain them. */
const hasDefault = [
  'capture_method',
  'authentication_type',
  'profile_id',
  'merchant_id',
  'payment_id',
  'enable_partial_authorization',
  'request_extended_authorization',
  'payment_method_data.card.card_issuer',
  'payment_method_data.card.card_type',
  'payment_method_data.card.card_issuing_country',
  // Null is a mandate without a limit.
  'mandate_data.mandate_type.multi_use',
]

/**
 * Gives a description of how an answer shows a member wrongly, else null. Months are shown with two digits, years with
 * four, and the time of a capture in UTC.
 */
export function faultOfShown(path: readonly string[], sent: unknown, shown: Body): string | null {
  const name = nameOf(path)
  if (name === 'session_expiry' && sent !== undefined) {
    const seconds = (Date.parse(shown.expires_on) - Date.parse(shown.created)) / 1000
    return seconds === sent ? null : `the session lasts ${seconds} s`
  }
  if (name === 'payment_method_data.card.card_exp_year' && sent !== undefined) {
    const year = shown.payment_method_data.card.card_exp_year
    return Number(year) % 2000 === Number(sent) % 2000 ? null : `is shown as ${year}`
  }
  if (name === 'payment_method_data.card.card_number') {
    const { last4, card_isin } = shown.payment_method_data.card
    const digits = String(sent).replace(/\D/g, '')
    return digits.startsWith(card_isin) && digits.endsWith(last4) ? null : `is shown as ${card_isin} and ${last4}`
  }
  if (name === 'payment_method_data.card.card_exp_month' && sent !== undefined) {
    const month = shown.payment_method_data.card.card_exp_month
    return Number(month) === Number(sent) ? null : `is shown as ${month}`
  }
  if (name === 'capture_on' && sent !== undefined)
    return Date.parse(shown.capture_on) === Date.parse(String(sent)) ? null : `is shown as ${shown.capture_on}`
  // A mandate without limits is shown as null.
  if (name === 'mandate_data.mandate_type.multi_use' && same(sent, {})) sent = null
  if (sent === undefined && hasDefault.includes(name)) return null
  const where = whereShown(path, shown)
  if (!where) return null
  const seen = at(shown, where)
  // A list whose one element is empty, or an object whose members are all absent, is shown as it was stored.
  return same(seen, sent) ? null : `is shown as ${JSON.stringify(seen)?.slice(0, 120)}`
}

/** Members with a column of their own: the answer shows them, and is compared with the sent values. */
const columns = ['amount', 'currency', 'capture_method', 'authentication_type', 'customer_id', 'payment_id', 'profile_id']

/**
 * Gives the path at which the column `request` must contain a member of the request; null for a member that is stored
 * elsewhere, or nowhere.
 */
export function keptAs(path: readonly string[]): readonly string[] | null {
  if (path[0] === 'merchant_connector_details') return null
  if (
    [
      ...columns,
      'confirm',
      // It is stored as it is shown.
      'capture_on',
      'client_secret',
      'card_cvc',
      'retry_action',
      'customer_statistics',
      'all_keys_required',
      'three_ds_data',
    ].includes(path[0]!)
  )
    return null
  if (path[0] !== 'payment_method_data') return path
  return path[1] === 'billing' ? ['payment_method_billing', ...path.slice(2)] : null
}

/**
 * Gives the stored value of a member of the credentials that came with a payment. The keys themselves are encrypted:
 * for these the sent value is given.
 */
export function keptOfCredentials([, ...path]: readonly string[], details: Body, sent: unknown): unknown {
  if (path[0] === 'creds_identifier') return details?.creds_identifier
  return path[1] === 'metadata' ? at(details?.metadata, path.slice(2)) : details && sent
}
