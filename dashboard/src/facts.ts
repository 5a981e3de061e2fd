import { useQuery } from '@tanstack/react-query'
import { answer, GET, type Payment, type Payout, type Refund, type Schemas } from './interface'
import { formatAmount } from './parts/money'
import { type Family, familyOf } from './parts/status'

// Queries and words about payments, refunds, payouts and customers that several pages share.

/** Queries the choices of filters and the labels of connector accounts. Both hardly ever change. */
export const useChoices = () =>
  useQuery({ queryKey: ['payments', 'choices'], queryFn: () => answer(GET('/payments/v2/filter')), staleTime: 300_000 })

type Accounts = Record<string, { connector_label?: string | null; merchant_connector_id: string }[]>

/** Returns the ids of all connector accounts. */
export function useAccountIds(): string[] {
  const { data } = useChoices()
  return Object.values((data?.connector ?? {}) as Accounts).flatMap(accounts => accounts.map(one => one.merchant_connector_id))
}

/** Returns the function that gives the label which the merchant gave a connector account. */
export function useLabels(): (merchant_connector_id: string | null | undefined, connector: string | null | undefined) => string {
  const { data } = useChoices()
  const all = Object.values((data?.connector ?? {}) as Accounts).flat()
  const labels = new Map(all.map(account => [account.merchant_connector_id, account.connector_label]))
  return (id, connector) => (id && labels.get(id)) || connector || '–'
}

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

/** Returns the holder of the payout's account, as far as the service shows the name. */
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

export const plural = (count: number, one: string, many = `${one}s`): string => `${formatAmount(count, 'JPY')} ${count === 1 ? one : many}`

/** Formats a rate as a percentage, or as `unknown` if there are too few payments for a rate. */
export const percent = (rate: number | null | undefined): string =>
  rate === null || rate === undefined ? 'unknown' : `${(rate * 100).toFixed(1)} %`

export type TimelineLine = Schemas['TimelineLine']
export type Operation = Schemas['Operation']
export type PaymentAction = Schemas['PaymentAction']

/**
 * Queries all parts of a payment's page. Their keys begin with the payment's key, so one invalidation covers all of
 * them.
 */
export const usePaymentParts = (payment_id: string) => {
  const params = { path: { payment_id } }
  return {
    payment: useQuery({
      queryKey: ['payments', payment_id],
      queryFn: () =>
        answer(GET('/payments/{payment_id}', { params: { ...params, query: { expand_attempts: true, expand_captures: true } } })),
    }),
    actions: useQuery({
      queryKey: ['payments', payment_id, 'actions'],
      queryFn: () => answer(GET('/payments/{payment_id}/actions', { params })),
    }),
    operations: useQuery({
      queryKey: ['payments', payment_id, 'operations'],
      queryFn: () => answer(GET('/payments/{payment_id}/operations', { params })),
    }),
    timeline: useQuery({
      queryKey: ['payments', payment_id, 'timeline'],
      queryFn: () => answer(GET('/payments/{payment_id}/timeline', { params })),
    }),
  }
}

/** Returns the latest operation whose result is uncertain: the processor has not reported what became of it. */
export const uncertainOf = (operations: readonly Operation[]): Operation | undefined =>
  operations.findLast(({ state }) => state === 'unknown' || state === 'unresolved' || state === 'conflicted')

/**
 * Queries all parts of a payout's page. Their keys begin with the payout's key, so one invalidation covers all of
 * them.
 */
export const usePayoutParts = (payout_id: string, mayReadLogs: boolean) => {
  const params = { path: { payout_id } }
  return {
    payout: useQuery({
      queryKey: ['payouts', payout_id],
      queryFn: async () => (await answer(GET('/payouts/{payout_id}', { params }))) as Payout,
    }),
    actions: useQuery({
      queryKey: ['payouts', payout_id, 'actions'],
      queryFn: () => answer(GET('/payouts/{payout_id}/actions', { params })),
    }),
    operations: useQuery({
      queryKey: ['payouts', payout_id, 'operations'],
      queryFn: () => answer(GET('/payouts/{payout_id}/operations', { params })),
    }),
    events: useQuery({
      queryKey: ['payouts', payout_id, 'events'],
      queryFn: () => answer(GET('/events', { params: { query: { object_id: payout_id, limit: 100 } } })),
      enabled: mayReadLogs,
    }),
  }
}
