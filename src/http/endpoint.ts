import type { TSchema } from 'typebox'
import type { Merchant } from '../accounts/merchant.ts'
import type { Settings } from '../accounts/settings.ts'
import type { Here } from '../operations/verb.ts'
import type { Payment } from '../payments/payment.ts'
import type { Change, World } from '../world.ts'
import type { Takes, Who } from './who.ts'

/** What the service is to an endpoint: the edges, the merchants, and where it stands. */
export type Service = {
  world: World
  settings: Settings
  mode: 'test' | 'live'
  /** Rings when a caller has waited long enough; what it gives calls that off. */
  patience(ring: () => void): () => void
  adminKey: string
  /** Known once the server listens. */
  here: Here
  ready(): Promise<Readiness>
}

/** Can this process take payments? If all of these are true. */
export type Readiness = {
  /** It answers, and the schema is ours. */
  database: boolean
  /** Alarms are looked for, and the settings are read, as often as they should be. */
  alarms: boolean
  settings: boolean
  /** By how many milliseconds the host's clock is ahead of the database's. It may be, because nobody goes by it. */
  clock_skew_ms: number
}

/** One request, as an endpoint sees it: shapes checked, caller known. */
export type Call = {
  service: Service
  /** The service's world, or the one of this request: see `course.ts` and `idempotency.ts`. */
  world: World
  who: Who
  /** For a browser: what its client_secret has opened. */
  opened: Payment | null
  path: Record<string, string>
  query: Record<string, unknown>
  body: Record<string, unknown>
  /** Only for webhooks: the bytes as they came. */
  raw: Buffer
  headers: Record<string, string | string[] | undefined>
}

/** What goes back: a value that becomes JSON, a ready text of another kind, a page for a customer (`customer-page.ts`), or a redirect. */
export type Result = { json: unknown } | { text: string; type: string } | { page: string } | { redirect: string } | { empty: true }

/** One operation of the interface. The table of these is the router, the authentication, the validation and the OpenAPI document. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `{name}` in braces is a part of the path. */
  path: string
  name: string
  /** What the documentation calls it. */
  title: string
  /** One sentence for the documentation. */
  does: string
  room: 'Payments' | 'Refunds' | 'Events' | 'Accounts' | 'Webhooks' | 'Service'
  body?: TSchema
  query?: TSchema
  answers: TSchema | 'text' | 'redirect' | 'nothing'
  /** What an Idempotency-Key answers for if its first request died halfway: the object as it is now. None where the answer is known before the work is written, and kept with it. */
  current?(call: Call, object_id: string): Promise<unknown>
  /** What a request shows that does not come to its end, of what it has written: from the rows in hand, because the database may be away. */
  begun?(call: Call, written: readonly Change[]): Record<string, unknown> | undefined
  /** Its body may say `profile_id`, and so may the header X-Profile-Id. */
  choosesProfile?: true
  /** Reads the bytes itself (webhooks). */
  rawBody?: true
  run(call: Call): Promise<Result>
} & ({ takes: Exclude<Takes, 'secret or client'> } | { takes: 'secret or client'; clientSecretOf: ClientSecretOf })

/** Whose client_secret opens an operation to a browser: what its path names. The door compares them, before the operation or the replay of its answer. */
export type ClientSecretOf = 'payment'

/** The merchant that asks. Only for operations whose credential has one. */
export function merchantOf(call: Call): Merchant {
  if (call.who.is === 'secret' || call.who.is === 'client') return call.who.merchant
  throw new Error('this operation has no merchant')
}
