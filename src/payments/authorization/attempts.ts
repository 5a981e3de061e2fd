import type { Context, Time } from '../../context.ts'
import { rowName } from '../../database/change.ts'
import { type PastChange, rowAt } from '../../database/past-row.ts'
import { statement } from '../../database/statement.ts'
import { failure } from '../../operations/failure.ts'
import type { Operation } from '../../operations/operation.ts'
import { operations } from '../../operations/operation.ts'
import type { CountVolumes, PastAuthorization } from '../../routing/dynamic/dynamic-routing.ts'
import { PAYMENT, type Payment, payments } from '../payment.ts'
import { learnElsewhere } from '../routing/external-payments.ts'
import { type Routable, routingContextOf } from '../routing/routing-context.ts'
import { healthReportSinceOpen } from './account-health.ts'

/** Payments of a profile with their authorizations (none for blocked payments), for statistics and simulations. */

/** A payment, as it was when one of its authorizations began, and this authorization, in one row. */
export type PaymentAttempt = Routable &
  Pick<Operation, 'n' | 'attempt' | 'state' | 'connector' | 'merchant_connector_id' | 'routing'> & { created: Time; heard_at: Time }

/** Whether an attempt ended as it began, because its instrument is blocked: no account was asked. */
export const isBlockedAttempt = ({ response }: Pick<Operation, 'response'>): boolean => response?.code === failure.blocked.error_code

/** Returns a payment as it was when an authorization began, with that instrument. `changes`: oldest first. */
export function paymentAtAttempt(payment: Payment, operation: OperationKey, changes: readonly PastChange[]): Payment {
  const name = rowName(operations, operation)
  const began = changes.find(({ was }) => was.rows?.[name] === null) ?? changes[0]
  return (began && rowAt(payments, payment, payments, changes, began.version)) ?? payment
}
type OperationKey = Pick<Operation, 'merchant_id' | 'kind' | 'object_id' | 'n'>

const MOST_PAYMENTS = 500

const page = statement(
  'attempts_of_profile',
  `select p.payment_id, p.profile_id, p.net_amount, p.currency, p.capture_method, p.authentication_type, p.customer_id, p.card, p.request, p.created,
      p.version, p.sequence, p.attempt_count,
      o.n, o.attempt, o.state, o.connector, o.merchant_connector_id, o.routing, o.modified_at as heard_at
    from (select * from ${payments.name} where merchant_id = $1 and profile_id = $2 and created >= $3 and (created, payment_id) < ($4, $5)
        order by created desc, payment_id desc limit ${MOST_PAYMENTS}) p
      left join ${operations.name} o on o.merchant_id = $1 and o.kind = '${PAYMENT}' and o.object_id = p.payment_id and o.verb = 'authorize'
        and o.response ->> 'code' is distinct from '${failure.blocked.error_code}'
    order by p.created desc, p.payment_id desc, o.n`,
)

const volumes = statement(
  'volumes_of_accounts',
  `select merchant_connector_id, count(*)::int as payments
    from ${payments.name} join unnest($3::text[], $4::timestamptz[]) promised (account, since) on account = merchant_connector_id and created >= since
    where merchant_id = $1 and profile_id = $2 and created >= (select min(since) from unnest($4::timestamptz[]) since) and amount_authorized > 0
    group by merchant_connector_id`,
)

/** Returns a function that counts a profile's authorized payments by account, since each account's own time. */
export const countVolumes =
  (context: Pick<Context, 'query'>): CountVolumes =>
  async (merchant_id, profile_id, accounts) => {
    const [ids, since] = [accounts.map(one => one.account), accounts.map(one => one.since)]
    const rows = await context.query<{ merchant_connector_id: string; payments: number }>(volumes, [merchant_id, profile_id, ids, since])
    return new Map(rows.map(row => [row.merchant_connector_id, row.payments]))
  }

type Row = Omit<PaymentAttempt, 'n'> & Pick<Payment, 'version' | 'sequence' | 'attempt_count'> & { n: number | null }

const changesOf = statement(
  'changes_of_payments_with_attempts',
  `select object_id, version, sequence, was from changes where merchant_id = $1 and kind = '${PAYMENT}' and object_id = any($2) order by version`,
)

/** Returns each attempt with its payment as it was then; only payments with several attempts are read once more. */
async function asTheyWere(context: Pick<Context, 'query'>, merchant_id: string, rows: readonly Row[]): Promise<PaymentAttempt[]> {
  const attempts = rows.filter((row): row is Row & { n: number } => row.n !== null)
  const several = [...new Set(attempts.filter(row => row.attempt_count > 1).map(row => row.payment_id))]
  if (several.length === 0) return attempts
  const found = await context.query<PastChange & { object_id: string }>(changesOf, [merchant_id, several])
  const changes = Map.groupBy(found, one => one.object_id)
  return attempts.map(row => {
    const its = changes.get(row.payment_id)
    if (!its) return row
    const { net_amount, currency, capture_method, authentication_type, customer_id, card, request } = paymentAtAttempt(
      row as unknown as Payment,
      { merchant_id, kind: PAYMENT, object_id: row.payment_id, n: row.n },
      its,
    )
    return { ...row, net_amount, currency, capture_method, authentication_type, customer_id, card, request }
  })
}

/** A payment_id that sorts after every other. */
const LAST = '~'

/** Yields the authorizations of a profile's payments created in this period, the latest payments first, by pages. */
export async function* findAttempts(
  context: Pick<Context, 'query'>,
  merchant_id: string,
  { profile_id, from, to }: { profile_id: string; from: Time; to: Time },
): AsyncGenerator<PaymentAttempt[]> {
  let [created, payment_id] = [to, LAST]
  for (;;) {
    const rows = await context.query<Row>(page, [merchant_id, profile_id, from, created, payment_id])
    const last = rows.at(-1)
    if (!last) return
    yield await asTheyWere(context, merchant_id, rows)
    if (new Set(rows.map(row => row.payment_id)).size < MOST_PAYMENTS) return
    created = last.created
    payment_id = last.payment_id
  }
}

/** Returns a function that reads a profile's latest authorizations, for the health of its accounts, oldest first. */
export const learnFrom =
  (context: Pick<Context, 'query' | 'now'>) =>
  async (merchant_id: string, profile_id: string, since: Time, most: number): Promise<PastAuthorization[]> => {
    const past: PastAuthorization[] = []
    for await (const attempts of findAttempts(context, merchant_id, { profile_id, from: since, to: context.now() })) {
      for (const one of attempts)
        past.push({
          merchant_connector_id: one.merchant_connector_id,
          routingContext: routingContextOf(one),
          report: healthReportSinceOpen(one),
          at: one.heard_at,
        })
      if (past.length >= most) break
    }
    const elsewhere = await learnElsewhere(context, merchant_id, profile_id, since, most)
    return [...past, ...elsewhere]
      .toSorted((a, b) => (a.at < b.at ? 1 : -1))
      .slice(0, most)
      .reverse()
  }
