import createClient from 'openapi-fetch'
import type { components, paths } from '../.made/interface'
import { leave, userOfTab } from './session'

// The client of the service's public interface. Its types are generated from the service's own OpenAPI document.

export type Schemas = components['schemas']
export type Payment = Schemas['Payment']
export type Attempt = Schemas['Attempt']
export type Refund = Schemas['Refund']
export type Payout = Schemas['Payout']
export type Customer = Schemas['Customer']
export type Mandate = Schemas['Mandate']
export type Event = Schemas['Events']['data'][number]
export type LedgerEntry = Schemas['LedgerEntries']['data'][number]
export type TimelineLine = Schemas['TimelineLine']
export type Operation = Schemas['Operation']
export type PaymentAction = Schemas['PaymentAction']

/** One error of a request. `field` is null if the service names no field. */
export type Fault = { field: string | null; message: string; help: string | null }

/** The longest time after which a request is sent again by itself, in seconds. */
const LONGEST_WAIT_S = 60

/** A refusal by the service, or a request that did not reach it (`status` 0). */
export class Failure extends Error {
  readonly status: number
  readonly code: string
  readonly help: string | null
  readonly requestId: string | null
  /** The seconds after which the service says a retry is worthwhile, else null. */
  readonly after: number | null
  /** All errors of the request; the first one is the failure itself. */
  readonly errors: readonly Fault[]
  constructor(
    status: number,
    code: string,
    message: string,
    help: string | null = null,
    requestId: string | null = null,
    after: number | null = null,
    errors: readonly Fault[] = [{ field: null, message, help }],
  ) {
    super(message)
    this.after = after
    this.errors = errors
    this.status = status
    this.code = code
    this.help = help
    this.requestId = requestId
  }
  /**
   * Whether the request fails only for now: another request holds the object, or there were too many requests. After
   * too many wrong passwords the wait is longer than anybody looks at a dialog.
   */
  get isBusy(): boolean {
    return this.after !== null && this.after <= LONGEST_WAIT_S && [409, 422, 429].includes(this.status)
  }
  /** Whether the request may have had an effect although no answer confirms it. */
  get isLost(): boolean {
    return this.status === 0 || this.status >= 500
  }
}

/**
 * The time without a key, click or touch after which a tab's requests count as automatic: they are sent with
 * `x-by-itself` and do not prolong the session.
 */
const LEFT_ALONE_MS = 5 * 60_000
let touched = Date.now()
const touch = () => {
  touched = Date.now()
}
for (const sign of ['pointerdown', 'keydown', 'touchstart', 'wheel']) addEventListener(sign, touch, { passive: true, capture: true })
const isLeftAlone = (): boolean => Date.now() - touched > LEFT_ALONE_MS

const client = createClient<paths>({ baseUrl: location.origin, credentials: 'same-origin' })
client.use({
  onRequest({ request }) {
    const user = userOfTab()
    if (user !== null && request.method !== 'GET') request.headers.set('x-csrf-token', user.csrf_token)
    if (isLeftAlone()) request.headers.set('x-by-itself', 'true')
    return request
  },
})

type ErrorBody = { error?: { code?: string; message?: string; help?: string | null; errors?: Fault[] } } | undefined

/** Returns the answer of an operation. Throws a refusal as a Failure. */
export async function answer<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call.catch((why: unknown) => {
    throw new Failure(0, 'offline', why instanceof Error ? why.message : 'no answer')
  })
  if (error === undefined && response.ok) return data as T
  if (response.status === 401 && userOfTab() !== null) leave('Your session is over.')
  const details = (error as ErrorBody)?.error
  throw new Failure(
    response.status,
    details?.code ?? String(response.status),
    details?.message ?? response.statusText,
    details?.help ?? null,
    response.headers.get('x-request-id'),
    Number(response.headers.get('retry-after')) || null,
    details?.errors,
  )
}

export const { GET, POST, PUT, DELETE } = client
