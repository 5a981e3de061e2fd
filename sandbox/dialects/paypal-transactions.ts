// PayPal's search of transactions: what moved an account's balance, up to three hours late, and what each day is
// withdrawn to the bank. Transactions are searched by the time at which they began. An app needs the permission for it.

import { type BalanceMovement, dayPayouts, idFrom, movementsIn } from '../balance.ts'
import type { Dispute, Operation, Payment } from '../records.ts'
import { type ApiCall, basic, bearer, type CallResult, type Headers } from './language.ts'
import { capturesOf, idOf, noteOf, type OrderNote, refundNote, type Seen, showCapture, showRefund, signedMoney } from './paypal-show.ts'

const DAY_MS = 24 * 3_600_000
const LATE_MS = 3 * 3_600_000
const LONGEST_MS = 31 * DAY_MS
const KEPT_MS = 3 * 365 * DAY_MS
const MOST_FOUND = 10_000

export const TRANSACTIONS = '/v1/reporting/transactions'
const SCOPE = 'https://uri.paypal.com/services/reporting/search/read'

/** An app whose client ID says so has no permission to search: its access tokens begin otherwise. */
const isForbidden = (headers: Headers): boolean => basic(headers)?.[0].endsWith('_without_transaction_search') === true
export const grantedTo = (headers: Headers) =>
  isForbidden(headers) ? { begins: 'A21AB', scopes: [] } : { begins: 'A21AA', scopes: [SCOPE] }

type Names = { invoice_id?: string; custom_id?: string }

/** `about`: the id of the transaction to which it belongs. */
type Transaction = {
  id: string
  code: string
  about: string | null
  status: 'S' | 'V' | 'P' | 'D'
  began: number
  updated: number
  amount: number
  fee: number
  currency: string
  names: Names
  bank?: string
}

const isOperation = (of: Operation | Dispute): of is Operation => 'type' in of

const codes = {
  charge: 'T0006',
  refund: 'T1107',
  refund_failure: 'T1107',
  chargeback: 'T1201',
  chargeback_reversal: 'T1202',
  transfer: 'T0001',
  transfer_failure: 'T1114',
} as const satisfies Record<BalanceMovement['kind'], string>

const orderOf = ({ account }: Seen, { document }: Payment): OrderNote | null => noteOf<OrderNote>(account, document ?? '', 'paypal_order')

/** The names of an operation: its own, or else those of its order. */
function namesOf(seen: Seen, operation: Operation, payment: Payment): Names {
  if (operation.type === 'payout') return { custom_id: operation.reference }
  const order = orderOf(seen, payment)
  if (order === null) return {}
  return (operation.type === 'refund' ? showRefund(seen, operation) : showCapture(seen, order, payment, operation)) as Names
}

const captureOf = ({ account }: Seen, payment: Payment): string | null => {
  const last = capturesOf(account, payment).at(-1)
  return last ? idOf(last.id) : null
}

function isWhollyRefunded({ account }: Seen, id: string, amount: number): boolean {
  const back = [...account.operations.values()].filter(
    one => one.type === 'refund' && one.status === 'approved' && refundNote(account, one)?.capture === id,
  )
  return back.length > 0 && back.reduce((sum, one) => sum + one.amount, 0) >= amount
}

function ofOperation(seen: Seen, operation: Operation, payment: Payment, { kind, at }: Pick<BalanceMovement, 'kind' | 'at'>) {
  const own = operation.type === 'payout' ? idFrom(17, 'item', operation.id).toUpperCase() : idOf(operation.id)
  const cameBack = kind === 'refund_failure' || kind === 'transfer_failure'
  const about = cameBack ? own : kind === 'refund' ? (refundNote(seen.account, operation)?.capture ?? captureOf(seen, payment)) : null
  return {
    ...{ id: cameBack ? idFrom(17, 'back', operation.id).toUpperCase() : own, about, code: codes[kind], updated: at },
    began: cameBack ? at : Date.parse(operation.created_at),
    status: kind === 'charge' && isWhollyRefunded(seen, own, operation.amount) ? ('V' as const) : ('S' as const),
    names: namesOf(seen, operation, payment),
  }
}

function* madeBy(seen: Seen, { kind, of, payment, amount, fee, currency, at }: BalanceMovement): Generator<Transaction> {
  if (isOperation(of)) {
    yield { ...ofOperation(seen, of, payment, { kind, at }), amount, fee, currency }
    return
  }
  const id = idFrom(17, kind, of.id).toUpperCase()
  const common = { status: 'S', began: at, updated: at, currency, names: {} } as const
  yield { ...common, id, code: codes[kind], about: captureOf(seen, payment), amount, fee: 0 }
  if (fee > 0) yield { ...common, id: idFrom(17, 'fee', of.id).toUpperCase(), code: 'T0106', about: id, amount: -fee, fee: 0 }
}

/** The balance is withdrawn at the end of each day; a negative one is made good from the bank. */
function* withdrawalsOf({ account }: Seen, now: number): Generator<Transaction> {
  for (const { currency, net, paid_at, day } of dayPayouts(account, 'paypal', now)) {
    if (net === 0) continue
    const [id, bank] = [idFrom(17, 'bank', day, currency).toUpperCase(), `${day.replaceAll('-', '')}${currency}`]
    const common = { about: null, status: 'S', began: paid_at, updated: paid_at, fee: 0, names: {} } as const
    yield { ...common, id, bank, code: net > 0 ? 'T0400' : 'T0300', amount: -net, currency }
  }
}

/** What moves no balance: captures and refunds that are pending, or were denied. */
function* unmoved(seen: Seen): Generator<Transaction> {
  for (const operation of seen.account.operations.values()) {
    const { type, status, amount, currency, updated_at } = operation
    const payment = seen.account.payments.get(operation.payment)!
    const isCharge = type === 'capture' || (type === 'authorization' && payment.capture === 'automatic' && amount > 0)
    if (payment.dialect !== 'paypal' || !(isCharge || type === 'refund') || !(status === 'pending' || status === 'declined')) continue
    const kind = isCharge ? 'charge' : 'refund'
    const shown = ofOperation(seen, operation, payment, { kind, at: Date.parse(updated_at) })
    yield { ...shown, status: status === 'pending' ? 'P' : 'D', amount: isCharge ? amount : -amount, fee: 0, currency }
  }
}

/** Internet date and time, with seconds. */
const timeOf = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')

function show({ id, code, about, status, began, updated, amount, fee, currency, names, bank }: Transaction): object {
  return {
    transaction_info: {
      transaction_id: id,
      ...(about !== null && { paypal_reference_id: about, paypal_reference_id_type: 'TXN' }),
      transaction_event_code: code,
      ...{ transaction_initiation_date: timeOf(began), transaction_updated_date: timeOf(updated) },
      transaction_amount: signedMoney(amount, currency),
      ...(fee !== 0 && { fee_amount: signedMoney(-fee, currency) }),
      transaction_status: status,
      ...(bank !== undefined && { bank_reference_id: bank }),
      ...(names.invoice_id !== undefined && { invoice_id: names.invoice_id }),
      ...(names.custom_id !== undefined && { custom_field: names.custom_id }),
      protection_eligibility: '02',
    },
  }
}

const refusal = (status: number, name: string, message: string, details: readonly object[] = []): CallResult => ({
  status,
  body: { name, message, debug_id: 'sandbox', details, links: [] },
})
const invalid = (message: string): CallResult => refusal(400, 'INVALID_REQUEST', message)

const NAMES =
  'transaction_id transaction_type transaction_status transaction_amount transaction_currency start_date end_date payment_instrument_type store_id terminal_id fields balance_affecting_records_only page_size page'.split(
    ' ',
  )
const FIELDS = 'all transaction_info payer_info shipping_info auction_info cart_info incentive_info store_info'.split(' ')
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i

/** The problem of a search in PayPal's words, if it has one. */
function problemOf(given: Record<string, string>, now: number): string | null {
  const { start_date = '', end_date = '', fields = 'transaction_info', balance_affecting_records_only: only = 'Y' } = given
  const strange = Object.keys(given).find(name => !NAMES.includes(name))
  if (strange !== undefined) return `Unknown parameter ${strange}`
  for (const name of ['start_date', 'end_date']) if (!TIME.test(given[name] ?? '')) return `Invalid ${name}`
  const [start, end] = [Date.parse(start_date), Date.parse(end_date)]
  if (end < start) return 'End date is before the start date.'
  if (end - start > LONGEST_MS) return 'Date range is greater than 31 days'
  if (start > now - LATE_MS || start < now - KEPT_MS) return 'Data for the given start date is not available.'
  if (fields.split(',').some(one => !FIELDS.includes(one))) return 'Invalid fields'
  if (only !== 'Y' && only !== 'N') return 'Invalid balance_affecting_records_only'
  const [size, page] = [Number(given.page_size ?? 100), Number(given.page ?? 1)]
  if (!Number.isInteger(size) || size < 1 || size > 500) return 'Invalid page_size'
  return Number.isInteger(page) && page >= 1 ? null : 'Invalid page'
}

export function listTransactions(asked: ApiCall): CallResult {
  const { account, turn, url, headers } = asked
  if (!bearer(headers)?.startsWith('A21AA.')) {
    const description = 'You do not have permission to access or perform operations on this resource.'
    return refusal(403, 'NOT_AUTHORIZED', 'Authorization failed due to insufficient permissions.', [
      { issue: 'PERMISSION_DENIED', description },
    ])
  }
  const given = asked.query as Record<string, string>
  const problem = problemOf(given, turn.at)
  if (problem !== null) return invalid(problem)
  const refreshed = turn.at - LATE_MS
  const [start, end] = [Date.parse(given.start_date!), Date.parse(given.end_date!)]
  const found = transactionsOf({ account, url }, turn.at, given.balance_affecting_records_only === 'N').filter(
    one => one.updated <= refreshed && isFound(one, given, start, end),
  )
  if (found.length > MOST_FOUND)
    return refusal(
      400,
      'RESULTSET_TOO_LARGE',
      'Result set size is greater than the maximum limit. Change the filter criteria and try again.',
    )
  const [size, page] = [Number(given.page_size ?? 100), Number(given.page ?? 1)]
  const shown = found.slice((page - 1) * size, page * size)
  const self = { href: `${url}/paypal${TRANSACTIONS}?${new URLSearchParams(given)}`, rel: 'self', method: 'GET' }
  return {
    body: {
      ...(shown.length > 0 && { transaction_details: shown.map(show) }),
      account_number: 'SANDBOX123456',
      ...{ start_date: timeOf(start), end_date: timeOf(Math.min(end, refreshed)), last_refreshed_datetime: timeOf(refreshed) },
      ...{ page, total_items: found.length, total_pages: Math.ceil(found.length / size), links: [self] },
    },
  }
}

const isFound = (one: Transaction, given: Record<string, string>, start: number, end: number): boolean =>
  one.began >= start &&
  one.began <= end &&
  (given.transaction_id ?? one.id) === one.id &&
  (given.transaction_type ?? one.code) === one.code &&
  (given.transaction_status ?? one.status) === one.status &&
  (given.transaction_currency ?? one.currency) === one.currency

function transactionsOf(seen: Seen, now: number, isWithOthers: boolean): Transaction[] {
  const moved = movementsIn(seen.account, 'paypal').flatMap(one => [...madeBy(seen, one)])
  return [...moved, ...withdrawalsOf(seen, now), ...(isWithOthers ? unmoved(seen) : [])].sort((a, b) => a.began - b.began)
}
