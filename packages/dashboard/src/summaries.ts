import type { Operation, Payment, Payout, Refund } from './api'
import { type Family, familyOf } from './parts/status-families'

// What several pages say of payments, refunds and payouts, and compute from them.

type Card = { last4?: string | null; card_network?: string | null; card_exp_month?: string | null; card_exp_year?: string | null }
const cardOf = (payment: Payment): Card | null => (payment.payment_method_data as { card?: Card | null } | null)?.card ?? null

/** Card networks with a common short name. */
const shortly: Readonly<Record<string, string>> = { AmericanExpress: 'Amex', DinersClub: 'Diners', CartesBancaires: 'CB' }

/** Returns the payment method in words: `Visa •••• 4242`, or the payment method by the interface's own name. */
export function paidWith(payment: Payment): string | null {
  const card = cardOf(payment)
  if (card?.last4) return `${shortly[card.card_network ?? ''] ?? card.card_network ?? 'Card'} •••• ${card.last4}`
  return payment.payment_method_type ?? payment.payment_method ?? null
}

export function expiryOf(payment: Payment): string | null {
  const card = cardOf(payment)
  return card?.card_exp_month ? `${card.card_exp_month}/${String(card.card_exp_year).slice(-2)}` : null
}

/** Members of payout data that identify an account. The service returns them masked. */
const accounts = ['iban', 'bank_account_number', 'account_number', 'pix_key', 'emv', 'email', 'telephone_number', 'paypal_id', 'last4']
const calledHere: Readonly<Record<string, string>> = { iban: 'IBAN', bank_account_number: 'Account', account_number: 'Account' }

type Destined = Pick<Payout, 'payout_type' | 'payout_method_data'>
type Shown = Readonly<Record<string, unknown>>

/**
 * Returns the payout instrument as the service shows it. Wallets and redirects are nested under the method's name
 * (`way`).
 */
function shownOf({ payout_type, payout_method_data }: Destined): { way: string | null; shown: Shown } {
  const family = (payout_method_data as Record<string, Shown | null> | null)?.[payout_type ?? ''] ?? {}
  const inner = Object.entries(family).find(([, one]) => one !== null && typeof one === 'object')
  return inner ? { way: inner[0], shown: inner[1] as Shown } : { way: null, shown: family }
}

/** Returns the destination of a payout as far as the service shows it: `IBAN •••• 3000`. */
export function paidTo(payout: Destined): string | null {
  const { way, shown } = shownOf(payout)
  const name = accounts.find(one => typeof shown[one] === 'string')
  if (name === undefined) return payout.payout_type
  const account = String(shown[name])
  const kind = calledHere[name] ?? (name === 'last4' ? String(shown.card_network ?? 'Card') : way)
  return [kind, account.includes('@') ? account : `•••• ${account.replace(/^.*[*•]/, '')}`].filter(Boolean).join(' ')
}

/**
 * Returns the family of a payout's status. An `initiated` payout with an error code needs a review: the processor has
 * the payout and reports a problem with it.
 */
export const familyOfPayout = ({ status, error_code }: Pick<Payout, 'status' | 'error_code'>): Family =>
  status === 'initiated' && error_code ? 'person' : familyOf(status)

export function payeeOf(payout: Payout): string | null {
  const { account_holder_name, card_holder_name } = shownOf(payout).shown
  const holder = account_holder_name ?? card_holder_name ?? payout.name
  return typeof holder === 'string' ? holder : null
}

/** Whether the refund's result is not known yet. Its amount stays reserved until then. */
export const isUncertain = ({ status }: Pick<Refund, 'status'>): boolean => status === 'pending' || status === 'review'

export type Sums = { captured: number; returned: number; uncertain: number; disputed: number; left: number }

/**
 * Sums up a payment: the captured amount, the amounts returned for certain, perhaps returned and disputed, and the
 * amount left to refund.
 */
export function sumsOf(payment: Payment): Sums {
  const refunds = payment.refunds ?? []
  const sum = (which: (refund: Refund) => boolean) => refunds.filter(one => which(one as Refund)).reduce((all, one) => all + one.amount, 0)
  const captured = payment.amount_received ?? 0
  const returned = sum(({ status }) => status === 'succeeded')
  const uncertain = sum(isUncertain)
  const disputes = (payment.disputes ?? []) as { dispute_status: string; amount: string }[]
  const disputed = disputes
    .filter(({ dispute_status }) => ['dispute_opened', 'dispute_challenged'].includes(dispute_status))
    .reduce((all, { amount }) => all + Number(amount), 0)
  return { captured, returned, uncertain, disputed, left: Math.max(0, captured - returned - uncertain) }
}

export const maySync = (payment: Payment): boolean =>
  [
    'processing',
    'requires_customer_action',
    'partially_captured_and_processing',
    'conflicted',
    'requires_merchant_action',
    'review',
  ].includes(payment.status) || (payment.refunds ?? []).some(one => isUncertain(one as Refund))

/** Describes the recipient of a refund, as far as it is known: the payment method and the customer's name. */
export function recipientOf(payment: Payment): string {
  const name = payment.customer?.name ?? null
  return `${paidWith(payment) ?? 'the payment method it came from'}${name ? ` of ${name}` : ''}`
}

/** Returns the latest operation whose result is uncertain: the processor has not reported what became of it. */
export const uncertainOf = (operations: readonly Operation[]): Operation | undefined =>
  operations.findLast(({ state }) => state === 'unknown' || state === 'unresolved' || state === 'conflicted')
