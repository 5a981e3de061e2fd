import { ApiError, ConflictError, InvalidRequestError, NotFoundError, type Switchyard } from '@switchyard/node'
import { columnOf, type Problem, type Wanted } from './line.ts'
import type { Kind, Source } from './shapes.ts'
import type { Result } from './state.ts'

/**
 * The number of retries for a service that is busy (429, 503) or restarts: about two minutes, with the SDK's pauses.
 */
const RETRIES = 14

type Sent = { result: Result; id: string }
type Customer = { customer_id: string; name?: string | null; email?: string | null; phone?: string | null }

/**
 * Creates a customer. An existing customer is not changed; the result is `exists` if the name, e-mail address or phone
 * differs.
 */
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
 * Sends a line: the customer, the card, and whether the card is the customer's default. Each request has an
 * Idempotency-Key derived from `key`, so that a line that is sent twice is created once.
 */
export async function sendLine(client: Switchyard, wanted: Wanted, key: string, signal: AbortSignal): Promise<Sent> {
  const made = wanted.customer === null ? null : await createCustomer(client, wanted.customer, `${key}-customer`, signal)
  if (wanted.card === null) return made!
  const options = { retries: RETRIES, signal }
  const saved = await client.paymentMethods.migrate(wanted.card as never, { ...options, idempotencyKey: `${key}-card` })
  const { payment_method_id } = saved
  if (wanted.is_default)
    await client.customers
      .setDefaultPaymentMethod(wanted.customer_id, payment_method_id, { ...options, idempotencyKey: `${key}-default` })
      .catch((error: unknown) => {
        if (!isDefaultAlready(error)) throw error
      })
  return { result: 'saved', id: payment_method_id }
}

/** Whether the service refused to set a default because it is set: a customer's first card is. */
const isDefaultAlready = (error: unknown): boolean => error instanceof ApiError && error.message.includes('already set as default')

/**
 * Returns the reason why the service refused a line, with its column. Returns null for an error that does not concern
 * the line and ends the import: the key is wrong, or the service does not answer.
 */
export function refusalOf(error: unknown, kind: Kind, source: Source): Problem | null {
  if (!(error instanceof ApiError)) return null
  const ofLine = error instanceof InvalidRequestError || error instanceof NotFoundError || error instanceof ConflictError
  if (!ofLine && error.type !== 'blocked') return null
  const member = error.errors?.[0]?.field ?? /(?<![a-z0-9_.])([a-z0-9_.]*[a-z0-9])`? (?:is|must|looks)/.exec(error.help ?? '')?.[1] ?? null
  return { field: member === null ? null : columnOf(kind, source, member), message: `${error.code} ${error.help ?? error.message}` }
}
