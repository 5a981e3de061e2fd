import { refuse } from '../base/refusal.ts'
import { boundedText, dateTime, shortText } from '../base/shapes.ts'
import { readTime } from '../base/time.ts'
import type { Context } from '../context.ts'
import { idsByEmail } from '../customers/list.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { anyOf, type Filter, type ListFilters } from '../lists/filters.ts'
import { resource } from '../lists/list.ts'
import type { ListedResource } from '../lists/queries.ts'
import type { ListParams } from '../lists/read-conditions.ts'
import type { Fields } from '../resources/field.ts'
import { filtersOf } from '../resources/read.ts'
import { paymentFields } from './fields/all.ts'
import type { PaymentStatus } from './lifecycle.ts'
import { type Payment, payments } from './payment.ts'

/** A filter that is no member of a payment: payments are found through the customers with the email address. */
const byEmail = {
  customer_email: {
    filter: { place: 4, by: { id: 'customer_id' }, shape: shortText, column: null },
    description: 'Payments of customers whose current email address is this one. Payments without a customer are not included',
  },
} as const satisfies Fields

/** Defines a filter that uses an index of the payments that have an error; the index begins with `code`. */
const byError = (code: 'error_code' | 'unified_code', description: string): Filter => {
  const page = (towards: 'asc' | 'desc') =>
    statement(
      `payments by ${code} ${towards}`,
      select(
        payments,
        `where merchant_id = $1 and last_error ->> '${code}' = $2::text and created >= $3::timestamptz and created <= $4::timestamptz
          and (created, payment_id) ${towards === 'desc' ? '<' : '>'} ($5::timestamptz, $6::text) and last_error is not null
          order by created ${towards}, payment_id ${towards} limit $7::int`,
      ),
    )
  const holds = ({ last_error }: Payment, value: string) => last_error?.[code] === value
  return {
    shape: boundedText(255),
    by: { onRows: { holds: holds as never, found: { asc: page('asc'), desc: page('desc') } } },
    description,
  }
}

const BEFORE = 'capture_before.lte'
const isDue = ({ facts, amount_capturable }: Payment, value: string) =>
  amount_capturable > 0 && facts?.capture_before !== undefined && facts.capture_before <= value
const capturable: readonly PaymentStatus[] = [
  'requires_capture',
  'partially_authorized_and_requires_capture',
  'partially_captured_and_capturable',
  'partially_captured_and_processing',
]

/** The filters that are evaluated on the payments themselves, in GET lists and exports. */
const onRows: ListFilters = {
  error_code: byError('error_code', 'The error_code that the payment shows'),
  unified_code: byError('unified_code', 'The unified_code that the payment shows'),
  [BEFORE]: {
    shape: dateTime,
    by: { onRows: { holds: isDue as never, among: { facet: 'status', values: capturable } } },
    means: value => readTime(BEFORE, value),
    description: 'Uncaptured authorizations that expire at or before this time',
  },
  payment_link: {
    shape: anyOf(['true', 'false']),
    by: { onRows: { holds: (({ request }: Payment, value: string) => String(request.payment_link === true) === value) as never } },
    description: 'Payments with a payment link (true), or without (false)',
  },
  state: {
    shape: anyOf(['unknown']),
    by: 'own id',
    column: null,
    description: 'unknown: payments with a request to a processor whose result is unknown, and polled for',
  },
}

/** The definition of lists of payments. */
export const listedPayments: ListedResource<typeof payments> = {
  ...resource(payments, ['modified_at', 'attempt_count']),
  what: 'payment',
  filters: { ...filtersOf({ ...paymentFields, ...byEmail }), ...onRows },
  created: 'created',
  orders: { created: 'created', amount: 'amount', modified: 'modified_at', attempt_count: 'attempt_count' },
  most: 20,
  instead: { metadata: 'Payments cannot be filtered by metadata: set a merchant_order_reference_id, and filter by that' },
}

const MOST_UNKNOWN = 1000
// Uses the index of jobs: few operations of all merchants together have a job at a time.
const ofUnknown = statement(
  'payments_of_unknown_operations',
  `with polled as materialized (select merchant_id, kind, object_id from processor_operations
    where poll_at > '2000-01-01' and poll_at < 'infinity' and state = 'unknown')
    select distinct object_id from polled where merchant_id = $1 and kind = 'payment' limit ${MOST_UNKNOWN + 1}`,
)

/** Returns the ids of the payments with an unknown operation. Refuses more payments than the limit. */
async function unknownPayments(context: Pick<Context, 'query'>, merchant_id: string): Promise<string[]> {
  const found = await context.query<{ object_id: string }>(ofUnknown, [merchant_id])
  if (found.length > MOST_UNKNOWN) refuse('unacceptable', { field: 'state', problem: `matches more than ${MOST_UNKNOWN} payments` })
  return found.map(({ object_id }) => object_id)
}

/** Returns the parameters with the email address as ids of customers, and the state as ids of payments. */
export async function paymentListParams(
  context: Pick<Context, 'query' | 'now' | 'vault' | 'listKinds'>,
  merchant_id: string,
  ask: ListParams,
): Promise<ListParams> {
  const { customer_email, state } = ask
  return {
    ...ask,
    ...(customer_email !== undefined && {
      customer_email: await idsByEmail(context, merchant_id, 'customer_email', customer_email as string),
    }),
    ...(state !== undefined && { state: await unknownPayments(context, merchant_id) }),
  }
}
