import { later } from '../base/time.ts'
import { connectors } from '../connectors/all.ts'
import type { NativeStep } from '../connectors/authentication.ts'
import type { Context, Reads } from '../context.ts'
import { forgotten } from '../database/due.ts'
import { statement } from '../database/statement.ts'
import { int, json, type RowOf, table, text, time } from '../database/table.ts'
import { acceptsUpdates, findOperationByRequest, type Operation } from './operation.ts'
import { POLL_FOR_MS } from './poll-schedule.ts'

/**
 * The parameters that customers brought back from a challenge, for processors that can only be queried with them
 * (`Connector.returned`). No other copy exists, so they are stored before the processor is called, until polling ends.
 */
const customerReturns = table('customer_returns', {
  key: ['merchant_id', 'kind', 'object_id', 'n'],
  columns: {
    merchant_id: text(),
    kind: text(),
    object_id: text(),
    n: int(),
    parameters: json<Record<string, string>>(),
    forget_at: time(),
  },
})

/** The parameters that customers brought back from challenges, once they can change nothing any more. */
export const oldReturns = forgotten(customerReturns, 'forget_at')

/** The maximum length of each value, in UTF-16 units: no processor gives customers a longer one. */
const LONGEST = 8_192

const keep = statement(
  'keep_customer_return',
  `insert into customer_returns (merchant_id, kind, object_id, n, parameters, forget_at) values ($1, $2, $3, $4, $5, $6)
   on conflict (merchant_id, kind, object_id, n) do update set parameters = excluded.parameters, forget_at = excluded.forget_at`,
)
/** Keeps only the first result of the browser's fingerprinting, and none after that of the challenge. */
const keepFirst = statement(
  'keep_customer_return_once',
  `insert into customer_returns (merchant_id, kind, object_id, n, parameters, forget_at) values ($1, $2, $3, $4, $5, $6)
   on conflict (merchant_id, kind, object_id, n) do update set parameters = excluded.parameters, forget_at = excluded.forget_at
   where coalesce(customer_returns.parameters->>'threeds_method_comp_ind', customer_returns.parameters->>'trans_status') is null`,
)
const find = statement(
  'customer_return',
  'select parameters from customer_returns where merchant_id = $1 and kind = $2 and object_id = $3 and n = $4',
)

/** Stores what a customer brought back for this authorization: of `pairs`, those that its connector takes. */
export async function keepReturn(
  context: Pick<Context, 'query' | 'now'>,
  merchant_id: string,
  request_id: string,
  pairs: Readonly<Record<string, unknown>>,
): Promise<void> {
  const operation = await findOperationByRequest(context, merchant_id, request_id)
  if (!operation || !acceptsUpdates(operation)) return
  const parameters: Record<string, string> = {}
  for (const name of connectors[operation.connector]?.returned?.parameters ?? []) {
    const value = pairs[name]
    if (typeof value === 'string' && value !== '' && value.length <= LONGEST) parameters[name] = value
  }
  if (Object.keys(parameters).length > 0) await write(context, keep, operation, parameters)
}

const write = (
  context: Pick<Context, 'query' | 'now'>,
  how: typeof keep,
  { merchant_id, kind, object_id, n }: Operation,
  parameters: Readonly<Record<string, string>>,
) => context.query(how, [merchant_id, kind, object_id, n, JSON.stringify(parameters), later(context.now(), 2 * POLL_FOR_MS)])

/**
 * Stores a step of a customer's authentication in the checkout, with the processor's id of the session. The first
 * fingerprinting result counts, so that two calls are one request; the last challenge result counts, so that a forged
 * one does not block the real one.
 */
export async function keepNativeStep(
  context: Pick<Context, 'query' | 'now'>,
  operation: Operation,
  step: NativeStep,
  session: string | null,
): Promise<void> {
  if (!acceptsUpdates(operation)) return
  await write(context, 'trans_status' in step ? keep : keepFirst, operation, { ...step, ...(session !== null && { session }) })
}

/** Returns the parameters of the customer's return from the challenge; null if none, or if the connector takes none. */
export async function findReturn(context: Reads, operation: Operation): Promise<Record<string, string> | null> {
  if (operation.verb !== 'authorize' || !acceptsUpdates(operation) || !connectors[operation.connector]?.returned) return null
  const { merchant_id, kind, object_id, n } = operation
  const [row] = await context.query<Pick<RowOf<typeof customerReturns>, 'parameters'>>(find, [merchant_id, kind, object_id, n])
  return row?.parameters ?? null
}
