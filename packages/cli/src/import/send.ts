import { ApiError, ConflictError, InvalidRequestError, NotFoundError, type Switchyard } from '@switchyard/node'
import { columnOf, type Problem, type Wanted } from './line.ts'
import type { Kind, Source } from './shapes.ts'
import type { Result } from './state.ts'

/** A service that is busy (429, 503) or restarts is waited for: about two minutes, as the SDK spaces its tries. */
const RETRIES = 14

type Sent = { result: Result; id: string }
type Customer = { customer_id: string; name?: string | null; email?: string | null; phone?: string | null }

/** Creates a customer. One who is there stays as they are: that is said if they were to be called otherwise. */
async function createCustomer(
  client: Switchyard,
  wanted: NonNullable<Wanted['customer']>,
  key: string,
  signal: AbortSignal,
): Promise<Sent> {
  const options = { idempotencyKey: key, retries: RETRIES, signal }
  const customer = (await client.customers.create(wanted as never, options)) as Customer
  const differs = (['name', 'email', 'phone'] as const).some(name => wanted[name] !== undefined && wanted[name] !== customer[name])
  return { result: differs ? 'exists' : 'created', id: customer.customer_id }
}

/**
 * Sends a line: the customer, the card, and that it is their default. `key`: each request has an Idempotency-Key that
 * follows from it, so that a line that is sent twice makes one.
 */
export async function sendLine(client: Switchyard, wanted: Wanted, key: string, signal: AbortSignal): Promise<Sent> {
  const made = wanted.customer === null ? null : await createCustomer(client, wanted.customer, `${key}-customer`, signal)
  if (wanted.card === null) return made!
  const options = { retries: RETRIES, signal }
  const saved = await client.paymentMethods.migrate(wanted.card as never, { ...options, idempotencyKey: `${key}-card` })
  const { payment_method_id } = saved
  if (wanted.is_default)
    await client.customers.setDefaultPaymentMethod(wanted.customer_id, payment_method_id, {
      ...options,
      idempotencyKey: `${key}-default`,
    })
  return { result: 'saved', id: payment_method_id }
}

/**
 * Why the service refused a line, by column; null if that says nothing of the line, and the import ends: the key is
 * wrong, or the service is away.
 */
export function refusalOf(error: unknown, kind: Kind, source: Source): Problem | null {
  if (!(error instanceof ApiError)) return null
  const ofLine = error instanceof InvalidRequestError || error instanceof NotFoundError || error instanceof ConflictError
  if (!ofLine && error.type !== 'blocked') return null
  const member = error.errors?.[0]?.field ?? /`?([a-z0-9_.]*[a-z0-9])`? (?:is|must|looks)/.exec(error.help ?? '')?.[1] ?? null
  return { field: member === null ? null : columnOf(kind, source, member), message: `${error.code} ${error.help ?? error.message}` }
}
