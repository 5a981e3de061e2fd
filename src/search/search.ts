import { ok } from 'node:assert/strict'
import type { ConnectorAccount, Merchant } from '../accounts/merchant.ts'
import { Refusal } from '../base/refusal.ts'
import { later } from '../base/time.ts'
import type { Context, Time } from '../context.ts'
import { findCustomer } from '../customers/customer.ts'
import { customerListParams, listedCustomers } from '../customers/list.ts'
import { findDispute } from '../disputes/dispute.ts'
import { findEvent } from '../events/event.ts'
import { type ListScope, listByCursor } from '../lists/queries.ts'
import { readConditions } from '../lists/read-conditions.ts'
import { scanRows } from '../lists/row-scan.ts'
import { findOperationByRequest } from '../operations/operation.ts'
import { listedPayments, paymentListParams } from '../payments/list.ts'
import { cardOf, type Payment } from '../payments/payment.ts'
import { findPayment, paymentsCalled } from '../payments/rows.ts'
import { listedPayouts } from '../payouts/list.ts'
import { findPayout } from '../payouts/payout.ts'
import { findRefund } from '../refunds/refund.ts'
import { findRequestLog, findRequestLogs } from '../telemetry/request-log.ts'
import { type Found, type Hit, hitOf } from './hit.ts'
import { disputesCalled, operationsCalled, paymentsOfDay, payoutsCalled, refundsCalled } from './references.ts'

type Reads = Pick<Context, 'query' | 'now' | 'vault' | 'listKinds'>
type Asked = { context: Reads; merchant: Merchant; q: string; limit: number; withLogs: boolean; profiles: readonly string[] | null }
type Way = (asked: Asked) => Promise<Found[]>

const one = async <R>(found: Promise<R | undefined>, show: (row: R) => Found): Promise<Found[]> => {
  const row = await found
  return row ? [show(row)] : []
}

const byId: Way = async ({ context, merchant, q, withLogs }) => {
  const { merchant_id } = merchant
  const attempt = /^(.+)_\d+$/.exec(q)?.[1]
  const account = merchant.connectorAccounts.find(({ merchant_connector_id }) => merchant_connector_id === q)
  const found = await Promise.all([
    one(findPayment(context, merchant_id, q), row => hitOf.payment(row, 'payment_id')),
    attempt === undefined ? [] : one(findPayment(context, merchant_id, attempt), row => hitOf.payment(row, 'attempt_id')),
    one(findRefund(context, merchant_id, q), row => hitOf.refund(row, 'refund_id')),
    one(findPayout(context, merchant_id, q), row => hitOf.payout(row, 'payout_id')),
    one(findDispute(context, merchant_id, q), row => hitOf.dispute(row, 'dispute_id')),
    one(findCustomer(context, merchant_id, q), row => hitOf.customer(row, 'customer_id')),
    account ? [hitOf.account(account, 'merchant_connector_id')] : [],
    withLogs ? one(findEvent(context, merchant_id, q), event => hitOf.event(event, 'event_id')) : [],
    withLogs ? one(findRequestLog(context, merchant_id, q), line => hitOf.log(line, 'log_id')) : [],
  ])
  return found.flat()
}

/** Includes single operations, where webhooks name these. */
const byReference: Way = async ({ context, merchant, q, limit }) => {
  const { merchant_id } = merchant
  const accounts = merchant.connectorAccounts.map(({ merchant_connector_id }: ConnectorAccount) => merchant_connector_id)
  const [payments, refunds, payouts, disputes, operations] = await Promise.all([
    paymentsCalled(context, merchant_id, q, limit),
    refundsCalled(context, merchant_id, q, limit),
    payoutsCalled(context, merchant_id, q, limit),
    disputesCalled(context, merchant_id, accounts, q, limit),
    operationsCalled(context, merchant_id, accounts, q, limit),
  ])
  const acted = await Promise.all(
    operations.filter(({ kind }) => kind === 'payment').map(({ object_id }) => findPayment(context, merchant_id, object_id)),
  )
  return [
    ...payments.map(row => hitOf.payment(row, 'connector_transaction_id')),
    ...refunds.map(row => hitOf.refund(row, 'connector_refund_id')),
    ...payouts.map(row => hitOf.payout(row, 'connector_transaction_id')),
    ...disputes.map(row => hitOf.dispute(row, 'connector_dispute_id')),
    ...acted.flatMap(row => (row ? [hitOf.payment(row, 'connector_transaction_id')] : [])),
  ]
}

const byOrder: Way = async ({ context, merchant: { merchant_id }, q, limit, profiles }) => {
  const ask = { merchant_order_reference_id: q, limit }
  const scope = { merchant_id, profiles }
  const [payments, payouts] = await Promise.all([
    listByCursor(context, listedPayments, scope, ask),
    listByCursor(context, listedPayouts, scope, ask),
  ])
  const matched = 'merchant_order_reference_id'
  return [...payments.map(row => hitOf.payment(row, matched)), ...payouts.map(row => hitOf.payout(row, matched))]
}

const byEmail: Way = async ({ context, merchant: { merchant_id }, q, limit, profiles }) => {
  if (!/^[^@\s]+@[^@\s]+$/.test(q)) return []
  const scope = { merchant_id, profiles }
  const [customers, payments] = await Promise.all([
    profiles === null ? listByCursor(context, listedCustomers, scope, customerListParams(context, merchant_id, { email: q, limit })) : [],
    listByCursor(context, listedPayments, scope, await paymentListParams(context, merchant_id, { customer_email: q, limit })),
  ])
  return [...customers.map(row => hitOf.customer(row, 'email')), ...payments.map(row => hitOf.payment(row, 'email'))]
}

/** The x-request-id of a request to this service, or the request id of a request to a processor. */
const byRequest: Way = async ({ context, merchant: { merchant_id }, q, limit, withLogs }) => {
  const [operation, lines] = await Promise.all([
    findOperationByRequest(context, merchant_id, q),
    withLogs ? findRequestLogs(context, merchant_id, q, limit) : [],
  ])
  const { kind, object_id = '' } = operation ?? {}
  return [
    ...(kind === 'payment' ? await one(findPayment(context, merchant_id, object_id), row => hitOf.payment(row, 'request_id')) : []),
    ...(kind === 'payout' ? await one(findPayout(context, merchant_id, object_id), row => hitOf.payout(row, 'request_id')) : []),
    ...lines.map(line => hitOf.log(line, 'request_id')),
  ]
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
const AMOUNT = /^\d{1,9}(?:[.,]\d{1,3})?$/

/** With a day or an amount, in either order. */
const byLastFour: Way = async ({ context, merchant: { merchant_id }, q, limit, profiles }) => {
  const [a = '', b = '', more] = q.split(/\s+/)
  if (more !== undefined) return []
  const [digits, other] = /^\d{4}$/.test(a) ? [a, b] : [b, a]
  if (!/^\d{4}$/.test(digits)) return []
  const isHers = (payment: Payment) => cardOf(payment)?.last4 === digits
  const found = DAY.test(other)
    ? await ofDay(context, merchant_id, digits, other, limit)
    : AMOUNT.test(other)
      ? (await Promise.all(amountsOf(other).map(amount => ofAmount(context, { merchant_id, profiles }, amount, isHers, limit)))).flat()
      : []
  return found.filter(isHers).map(row => hitOf.payment(row, 'last4'))
}

async function ofDay(context: Reads, merchant_id: string, digits: string, day: string, limit: number): Promise<Payment[]> {
  const start: Time = `${day}T00:00:00.000Z`
  if (Number.isNaN(Date.parse(start))) return []
  return paymentsOfDay(context, merchant_id, digits, start, later(start, 86_400_000), limit)
}

/** In the lowest denomination: as written, or with two or three decimals. */
function amountsOf(written: string): number[] {
  const [whole = '', decimals = ''] = written.split(/[.,]/)
  const scaled = [0, 2, 3].filter(places => places >= decimals.length).map(places => Number(whole + decimals.padEnd(places, '0')))
  return [...new Set(scaled)].filter(amount => amount > 0)
}

async function ofAmount(
  context: Reads,
  { merchant_id, profiles }: ListScope,
  amount: number,
  isHers: (payment: Payment) => boolean,
  limit: number,
) {
  const onRows = [{ name: 'q', holds: isHers as never, found: null, value: '' }]
  const conditions = { ...readConditions(listedPayments, { start_amount: amount, end_amount: amount }, profiles), onRows }
  try {
    const part = { on: 'created', towards: 'desc', limit, offset: 0, after: null } as const
    return await scanRows({ context, merchant_id, of: listedPayments, conditions }, part)
  } catch (error) {
    // Too many payments have this amount: the last 5,000 do not fill a page. A search by day still finds it.
    ok(error instanceof Refusal, error as Error)
    return []
  }
}

const ways: readonly Way[] = [byId, byReference, byOrder, byEmail, byRequest, byLastFour]

/** Matches by id first, then the latest. `withLogs`: events and requests, too. `profiles`: only of these; null: all. */
export async function search(
  context: Reads,
  merchant: Merchant,
  q: string,
  limit: number,
  withLogs: boolean,
  profiles: readonly string[] | null,
): Promise<Hit[]> {
  const asked = { context, merchant, q: q.trim(), limit, withLogs, profiles }
  const [first = [], ...others] = await Promise.all(ways.map(way => way(asked)))
  const rest = others.flat().sort((a, b) => (a.created < b.created ? 1 : a.created > b.created ? -1 : 0))
  const each = new Map<string, Hit>()
  for (const { profile_id, ...hit } of [...first, ...rest]) {
    if (profiles !== null && !profiles.includes(profile_id ?? '')) continue
    const key = `${hit.kind} ${hit.id}`
    if (!each.has(key)) each.set(key, hit)
  }
  return [...each.values()].slice(0, limit)
}
