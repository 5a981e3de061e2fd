import type { Context, Time } from '../context.ts'
import { statement } from '../database/statement.ts'
import { PAYMENT } from '../payments/payment.ts'
import type { CountedChange, CountedOperation, CountedPayment, History } from './contribution.ts'

/** Read as an array, because names take as much space as values. */
const paymentColumns = `payment_id version sequence status profile_id connector merchant_connector_id currency net_amount
  amount_authorized amount_capturable amount_received amount_refunded amount_disputed attempt_count card last_error adjustments`.split(
  /\s+/,
)
const counted = `json_build_array(${paymentColumns.map(name => `p.${name}`).join(', ')},
  r.payment_method, r.billing, r.payment_method_billing, p.created)`
const operation = `json_build_array(o.object_id, o.n, o.attempt, o.purpose, o.state, o.connector, o.merchant_connector_id,
  case when o.state <> 'done' then o.response end, o.began, o.modified_at)`

/** Most payments announce only one change, their second and last: it is their history, which is not read. */
export const isShort = ({ version, sequence }: Pick<CountedPayment, 'version' | 'sequence'>): boolean => version === 2 && sequence === 1
const isLong = '(p.version <> 2 or p.sequence <> 1)'
const isQueued = '(c.announces is not null or c.posted is not null)'

/** One text of one point in time. Each history begins with the first announced change. `ids`: SQL as well. */
export const historiesOf = (ids: string): string => `json_build_object(
  'payments', (select json_agg(${counted}) from payments p cross join json_to_record(p.request) r (payment_method text, billing json, payment_method_billing json)
    where p.merchant_id = $1 and p.payment_id = any(${ids})),
  'operations', (select json_agg(${operation}) from processor_operations o
    where o.merchant_id = $1 and o.kind = '${PAYMENT}' and o.object_id = any(${ids}) and o.verb = 'authorize'),
  'changes', (select json_agg(json_build_object('object_id', h.object_id, 'version', h.version, 'sequence', h.sequence, 'queued', h.queued,
      'was', case when h.version > h.first then h.was else '{}' end)) from (
    select c.object_id, c.version, c.sequence, c.was, ${isQueued} as queued, min(c.version) filter (where ${isQueued}) over (partition by c.object_id) as first
      from changes c where c.merchant_id = $1 and c.kind = '${PAYMENT}'
        and c.object_id = any(array(select p.payment_id from payments p where p.merchant_id = $1 and p.payment_id = any(${ids}) and ${isLong}))) h
    where h.version >= h.first))`

const histories = statement('histories_to_count', `select ${historiesOf('$2')} as read`)

export type ReadHistories = {
  payments: unknown[][] | null
  operations: unknown[][] | null
  changes: (CountedChange & { object_id: string })[] | null
}

/** In JSON, the database writes times with a zone. */
const timeOf = (value: unknown): Time => new Date(value as string).toISOString()

function paymentOf(merchant_id: string, row: unknown[]): CountedPayment {
  const columns = Object.fromEntries(paymentColumns.map((name, i) => [name, row[i]]))
  const [payment_method, billing, payment_method_billing, created] = row.slice(paymentColumns.length)
  const request = { payment_method, billing, payment_method_billing }
  return { merchant_id, ...columns, request, created: timeOf(created) } as unknown as CountedPayment
}

function operationOf(merchant_id: string, row: unknown[]): CountedOperation {
  const [object_id, n, attempt, purpose, state, connector, merchant_connector_id, response, began, modified_at] = row
  const times = { began: timeOf(began), modified_at: timeOf(modified_at) }
  const its = { object_id, n, attempt, purpose, state, connector, merchant_connector_id, response }
  return { merchant_id, kind: PAYMENT, ...its, ...times } as CountedOperation
}

export function byPayment(merchant_id: string, { payments, operations, changes }: ReadHistories): Map<string, History> {
  const found = new Map<string, { payment: CountedPayment; changes: CountedChange[]; operations: CountedOperation[] }>()
  for (const row of payments ?? []) {
    const payment = paymentOf(merchant_id, row)
    const { version, sequence } = payment
    found.set(payment.payment_id, {
      payment,
      changes: isShort(payment) ? [{ version, sequence, queued: true, was: {} }] : [],
      operations: [],
    })
  }
  for (const change of changes ?? []) found.get(change.object_id)?.changes.push(change)
  for (const row of operations ?? []) found.get(row[0] as string)?.operations.push(operationOf(merchant_id, row))
  return found
}

export async function findCountedHistories(
  context: Pick<Context, 'query'>,
  merchant_id: string,
  payment_ids: readonly string[],
): Promise<Map<string, History>> {
  const [found] = await context.query<{ read: ReadHistories }>(histories, [merchant_id, payment_ids])
  return byPayment(merchant_id, found!.read)
}
