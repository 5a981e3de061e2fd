import { between } from '../base/time.ts'
import type { Time } from '../context.ts'
import { afterWord, openKindNumbers } from '../database/listing-kinds.ts'
import { type PastChange, rowAt } from '../database/past-row.ts'
import { isANo, type Operation, operations } from '../operations/operation.ts'
import { healthReportSinceOpen } from '../payments/authorization/account-health.ts'
import { isBlockedAttempt, paymentAtAttempt } from '../payments/authorization/attempts.ts'
import { billingOf } from '../payments/billing.ts'
import { statuses } from '../payments/lifecycle.ts'
import { cardOf, type Payment, payments } from '../payments/payment.ts'
import { bucketOf } from './scale.ts'
import { type CountedFacets, type Counter, type Counts, counters, type FacetName, facetNames, latencyFacets } from './tables.ts'

/**
 * A change adds what the payment's row at its version adds, less the same of the previous version that was announced or
 * moved money: the sum is the same in any order and however often changes are read.
 */

/** The current row, with the counted part of the request. */
// biome-ignore format: a list reads better in rows
export type CountedPayment = Pick<
  Payment,
  | 'merchant_id' | 'payment_id' | 'version' | 'sequence' | 'status' | 'profile_id' | 'connector' | 'merchant_connector_id'
  | 'currency' | 'net_amount' | 'amount_authorized' | 'amount_capturable' | 'amount_received' | 'amount_refunded'
  | 'amount_disputed' | 'attempt_count' | 'card' | 'request' | 'last_error' | 'adjustments' | 'created'
>
// biome-ignore format: a list reads better in rows
export type CountedOperation = Pick<
  Operation,
  | 'merchant_id' | 'kind' | 'object_id' | 'n' | 'attempt' | 'purpose' | 'state' | 'connector' | 'merchant_connector_id'
  | 'response' | 'began' | 'modified_at'
>
/** `queued`: it was announced to merchants or moved money, so that it was put into the outbox. */
export type CountedChange = PastChange & { queued: boolean }

/** `changes` begin with the first that was put into the outbox. */
export type History = { payment: CountedPayment; changes: readonly CountedChange[]; operations: readonly CountedOperation[] }

/** `at`: the beginning of the hour, as in `AnswerTime`. */
export type Added = { at: Time; facets: CountedFacets; counts: Partial<Counts> }
export type AnswerTime = { at: Time; facets: CountedFacets; bucket: number }

const BETWEEN = '\u001f'

const numbers = openKindNumbers<'counts' | 'latencies'>()

export function kindNumber(of: 'counts' | 'latencies', facets: CountedFacets): number {
  let after = numbers.begin(of)
  for (const name of facetNames) after = afterWord(after.next, facets[name] ?? null)
  return after.number ?? numbers.made(after, kindText(of, facets))
}

function kindText(of: 'counts' | 'latencies', facets: CountedFacets): string {
  let text = `analytics ${of}`
  for (const name of facetNames) if (facets[name] !== undefined) text += `${BETWEEN}${name}=${facets[name]}`
  return text
}

export const hourOf = (time: Time): Time => `${time.slice(0, 13)}:00:00.000Z`

type FacetValues = Record<FacetName, string | null | undefined>

/** `own`: the values of one of its attempts. */
function facetsOf(payment: CountedPayment, own: Partial<FacetValues> = {}): CountedFacets {
  const { profile_id, connector, merchant_connector_id, currency, request, last_error, status } = payment
  const failed = status === 'failed' ? last_error : null
  const values: FacetValues = {
    profile_id,
    connector,
    merchant_connector_id,
    payment_method: request.payment_method,
    card_network: cardOf(payment)?.card_network,
    currency,
    country: billingOf(request)?.address?.country,
    error_code: failed?.error_code,
    unified_code: failed?.unified_code,
    ...own,
  }
  const facets: CountedFacets = {}
  for (const name of facetNames) {
    const word = values[name]
    if (word !== null && word !== undefined) facets[name] = word
  }
  return facets
}

/** 1 for each counter whose condition the payment meets, with the amount. */
function countsOf(payment: CountedPayment): Partial<Counts> {
  const { status, net_amount, amount_authorized, amount_capturable, amount_received, attempt_count, adjustments } = payment
  const is = statuses[status].traits
  const isAuthorized = amount_authorized > 0 || status === 'succeeded'
  const received = is.includes('undone') ? 0 : amount_received
  const counts: Partial<Counts> = {}
  const add = (counter: Counter, amountCounter: Counter, counted: boolean, amount: number) => {
    if (!counted) return
    counts[counter] = 1
    counts[amountCounter] = amount
  }
  add('payments', 'volume', true, net_amount)
  add('authorized', 'authorized_amount', isAuthorized, amount_authorized)
  add('declined', 'declined_amount', status === 'failed' && !isAuthorized, net_amount)
  add('captured', 'captured_amount', received > 0, received)
  add('refunded', 'refunded_amount', payment.amount_refunded > 0, payment.amount_refunded)
  add('disputed', 'disputed_amount', (adjustments?.disputes?.count ?? 0) > 0, payment.amount_disputed)
  add('saved', 'saved_amount', isAuthorized && attempt_count > 1, amount_authorized)
  add('held', 'held_amount', is.includes('holds'), amount_capturable)
  add('outside', 'outside_amount', adjustments?.outside !== undefined, adjustments?.outside ?? 0)
  add('processing', 'processing_amount', status === 'processing' && !isAuthorized, net_amount)
  return counts
}

/** Unconfirmed payments are not counted. */
const isConfirmed = ({ connector, status }: CountedPayment): boolean => connector !== null || status === 'failed'

function contributions(history: History, version: number): Added[] {
  const { payment: now, changes } = history
  const payment = rowAt(payments, now as Payment, payments, changes, version) as CountedPayment | null
  if (!payment || !isConfirmed(payment)) return []
  const at = hourOf(payment.created)
  return [{ at, facets: facetsOf(payment), counts: countsOf(payment) }, ...attemptsOf(history, payment, at, version)]
}

/** Each under its own account, instrument and reason. Routing by success rates learns from the same attempts. */
function attemptsOf({ payment: now, changes, operations: asked }: History, payment: CountedPayment, at: Time, version: number): Added[] {
  const attempts: Added[] = []
  for (const one of asked) {
    const then = rowAt(operations, one as Operation, payments, changes, version)
    if (then?.purpose !== 'merchant' || isBlockedAttempt(then)) continue
    const { succeeded } = healthReportSinceOpen(then)
    if (succeeded === null) continue
    const { connector, merchant_connector_id } = one
    const paid = paymentAtAttempt(now as Payment, one, changes)
    const own = { connector, merchant_connector_id, ...reasonOf(payment, then) }
    const counts: Partial<Counts> = succeeded ? { attempts_authorized: 1 } : { attempts_declined: 1 }
    attempts.push({ at, facets: facetsOf(paid, own), counts })
  }
  return attempts
}

/** Earlier releases stored the unified code with the payment only, for its last attempt. */
function reasonOf({ attempt_count, last_error }: CountedPayment, then: Operation): Pick<FacetValues, 'error_code' | 'unified_code'> {
  if (!isANo(then)) return { error_code: null, unified_code: null }
  const error_code = then.response?.code ?? then.state
  const shown = then.attempt === attempt_count && last_error?.error_code === error_code ? last_error.unified_code : null
  return { error_code, unified_code: then.response?.unified_code ?? shown }
}

const answeredStates: readonly Operation['state'][] = ['done', 'declined', 'waiting']

/** As at the first announced change, so that neither a customer's challenge nor later events count as waiting. */
function answersOf({ payment: now, changes, operations: asked }: History, first: number): AnswerTime[] {
  const answered: AnswerTime[] = []
  const payment = rowAt(payments, now as Payment, payments, changes, first) as CountedPayment | null
  if (!payment) return answered
  const its = facetsOf(payment)
  for (const one of asked) {
    const then = rowAt(operations, one as Operation, payments, changes, first)
    if (then?.purpose !== 'merchant' || !answeredStates.includes(then.state)) continue
    const all: CountedFacets = { ...its, connector: one.connector, merchant_connector_id: one.merchant_connector_id }
    const facets: CountedFacets = {}
    for (const name of latencyFacets) if (all[name] !== undefined) facets[name] = all[name]
    answered.push({ at: hourOf(payment.created), facets, bucket: bucketOf(between(then.began, then.modified_at)) })
  }
  return answered
}

/** Adds to the kinds that the payment and its attempts belong to now, and subtracts from those of before. */
export function addedBy(history: History, version: number): { added: Added[]; answered: AnswerTime[] } {
  const versions = history.changes.filter(change => change.queued).map(change => change.version)
  const earlier = versions.filter(one => one < version)
  const is = byKind(contributions(history, version))
  const was = byKind(earlier.length > 0 ? contributions(history, Math.max(...earlier)) : [])
  const answered = earlier.length === 0 ? answersOf(history, version) : []
  const added: Added[] = []
  for (const [kind, one] of new Map([...was, ...is])) {
    const counts = difference(is.get(kind)?.counts ?? {}, was.get(kind)?.counts ?? {})
    if (Object.keys(counts).length > 0) added.push({ ...one, counts })
  }
  return { added, answered }
}

function byKind(all: readonly Added[]): Map<number, Added> {
  const sums = new Map<number, Added>()
  for (const one of all) {
    const kind = kindNumber('counts', one.facets)
    const sum = sums.get(kind)
    sums.set(kind, sum ? { ...one, counts: total(sum.counts, one.counts) } : one)
  }
  return sums
}

function total(a: Partial<Counts>, b: Partial<Counts>): Partial<Counts> {
  const counts: Partial<Counts> = { ...a }
  for (const [name, by] of Object.entries(b) as [Counter, number][]) counts[name] = (counts[name] ?? 0) + by
  return counts
}

function difference(is: Partial<Counts>, was: Partial<Counts>): Partial<Counts> {
  const counts: Partial<Counts> = {}
  for (const counter of counters) {
    const by = (is[counter] ?? 0) - (was[counter] ?? 0)
    if (by !== 0) counts[counter] = by
  }
  return counts
}
