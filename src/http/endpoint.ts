import type Type from 'typebox'
import type { TObject, TSchema } from 'typebox'
import type { Deployment } from '../accounts/connector-account.ts'
import type { Merchant } from '../accounts/merchant.ts'
import type { Settings } from '../accounts/settings.ts'
import type { RefusalName } from '../base/refusal.ts'
import type { Change, Context, Statement } from '../context.ts'
import type { Claimed } from '../database/due.ts'
import type { Payment } from '../payments/payment.ts'
import type { Services, StoryCall } from '../payments/services.ts'
import type { AccountHealthWriter } from '../telemetry/account-health.ts'
import type { AttemptTeller } from '../telemetry/attempts.ts'
import type { RequestLogWriter } from '../telemetry/request-log.ts'
import type { Traces } from '../telemetry/traces.ts'
import type { Mailer } from '../users/mail.ts'
import type { Sso } from '../users/sso.ts'
import type { Credential, Platforms, Who } from './who.ts'

/** What the service is to an endpoint: the edges, the merchants, and where it stands. */
export type Service = {
  context: Context
  settings: Settings
  mode: 'test' | 'live'
  deployment: Deployment
  /** Rings when a caller has waited long enough; what it gives calls that off. */
  patience(ring: () => void): () => void
  adminKey: string
  /** Sends letters to people; null without a mail server. */
  mailer: Mailer
  /** The provider of single sign-on; null where none is set. */
  sso: Sso | null
  /** Known once the server listens. */
  services: Services
  ready(): Promise<Readiness>
  /** The telemetry of requests (`telemetry/`): what became of each attempt and request; null where telemetry is off. */
  watch: {
    attempt: AttemptTeller
    request: ((method: string, route: string, status: number, ms: number) => void) | null
    traces: Pick<Traces, 'begin'> | null
    requestLog: Pick<RequestLogWriter, 'add' | 'write'> | null
    accounts: AccountHealthWriter
  }
  /** What falls due: of each kind that a worker is told, and one question for how much of all waits. */
  kinds: readonly Claimed[]
  depths: Statement
  /** An operation by its name. */
  operation(name: string): Endpoint
}

/** Can this process take payments? If all of these are true. */
export type Readiness = {
  /** It answers, and the schema is ours. */
  database: boolean
  /** Alarms are looked for, and the settings are read, as often as they should be. */
  alarms: boolean
  settings: boolean
  /** Evidence can be kept. Payments need it not. */
  files: boolean
  /**
   * By how many milliseconds the host's clock is ahead of the database's. It may be, because the service goes by the
   * database's.
   */
  clock_skew_ms: number
}

/**
 * One request, as an endpoint sees it: shapes checked, caller known. Of an operation that has a merchant it is also
 * what a story wants as its first argument (`operations/verb.ts`); its world is the service's, or the one of this
 * request (`course.ts`, `idempotency.ts`).
 */
export type EndpointCall = Omit<StoryCall, 'merchant'> & {
  service: Service
  who: Who
  /** The merchant that asks; for the admin key, the one that the path names. */
  merchant: Merchant | null
  /** What the client_secret that came is of: a browser must bring one, the merchant's server may. */
  opened: Payment | null
  path: Readonly<Record<string, string>>
  query: object
  body: object
  /** The bytes as they came: for those who verify them. */
  raw: Buffer
  /** Where the caller is, as far as proxies are trusted. */
  address: string
  headers: Record<string, string | string[] | undefined>
  /** Given when the caller has gone, or the service stops. */
  gone(): AbortSignal
}

/** A call of a merchant, at any path. */
export type MerchantCall = Omit<EndpointCall, 'path' | 'merchant'> & { merchant: Merchant }

/**
 * What goes back: a value that becomes JSON, a ready text of another kind, a file that is made while it is sent
 * (`parts`), a page for a customer (`pages/`), a redirect, or words that go on until the caller has gone (`stream`).
 */
export type Result =
  | { json: unknown; headers?: Record<string, string> }
  | { text: string; type: string }
  | { page: string; headers: Record<string, string> }
  | { parts: AsyncIterable<string | Buffer>; type: string; name: string }
  | { redirect: string; headers?: Record<string, string> }
  | { stream: AsyncIterable<string>; type: string }
  | { empty: true }

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Address = `${Method} /${string}`

/** The parts that a path has in braces. */
type PartsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & PartsOf<Rest>
  : unknown

/**
 * The caller is a merchant, unless no key or the admin key is enough; the admin key speaks for the merchant in the
 * path.
 */
type MerchantOf<Path extends string, T extends Credential> = T extends 'nothing' | 'user'
  ? null
  : T extends 'secret' | 'client' | 'publishable' | 'secret or client' | 'secret or ephemeral' | 'secret, client or ephemeral'
    ? Merchant
    : Path extends `${string}{merchant_id}${string}`
      ? Merchant
      : Merchant | null

/** The call of one operation, typed by its path, its credential and its shapes. */
export type CallOf<Path extends string, T extends Credential, Body extends TSchema, Query extends TSchema> = Omit<
  EndpointCall,
  'merchant' | 'path' | 'query' | 'body'
> & { merchant: MerchantOf<Path, T>; path: PartsOf<Path>; query: Type.Static<Query>; body: Type.Static<Body> }

/**
 * One operation of the interface, as it is written down. The table of these is the router, the authentication, the
 * validation and the OpenAPI document.
 */
type Entry<At extends Address, T extends Credential, Body extends TSchema, Query extends TSchema, C = CallOf<At, T, Body, Query>> = {
  /** Its method and its path: `POST /payments/{payment_id}`. A `{name}` in braces is a part of the path. */
  at: At
  name: string
  /** What the documentation calls it. */
  title: string
  /** One sentence for the documentation. */
  does: string
  /** Who may call it: the merchant's server, unless it says otherwise. */
  takes?: T
  /**
   * For whom a platform's secret key may do it: for accounts that are connected to it alone, unless the room says
   * that it is its own matter as well.
   */
  platforms?: Platforms
  body?: Body
  query?: Query
  answers: TSchema | 'text' | 'file' | 'stream' | 'page' | 'redirect' | 'nothing'
  /** Of a text or a file: of which types it may be; plain, or any bytes, unless said otherwise. */
  types?: readonly string[]
  /** Of a page: the customer may be sent on instead. */
  redirects?: true
  /** What it refuses beyond what follows from its path, its credential and its shapes (`openapi-refusals.ts`). */
  refuses?: readonly RefusalName[]
  /** A body that does what the operation is for. A test sends it. */
  example?: { summary: string; value: NoInfer<Type.Static<Body>> & object }
  /**
   * What an Idempotency-Key answers for if its first request died halfway: the object as it is now. None where the
   * answer is known before the work is written, and kept with it.
   */
  current?(call: C, object_id: string): Promise<unknown>
  /**
   * What a request shows that does not come to its end, of what it has written: from the rows in hand, because the
   * database may be away.
   */
  begun?(call: C, written: readonly Change[]): Record<string, unknown> | undefined
  /** Of a merchant that was deleted too: for the admin key. */
  ofDeleted?: true
  /** Its body may say `profile_id`, and so may the header X-Profile-Id. */
  choosesProfile?: true
  /** Its body stays bytes, which it reads itself (webhooks). */
  rawBody?: true
  /**
   * Its body is a form (multipart/form-data): files are members of it, as text; or as bytes (`FormFile`), those that
   * are named.
   */
  form?: true | { files: readonly string[] }
  /** What a person is answered, with a 202, whose request waits for a second one (`held.ts`). */
  waits?: TSchema
  /** Its work goes on after the answer, which is a 202. */
  accepts?: true
  run(call: C): Promise<Result>
} & (T extends 'client' | 'secret or client' | 'secret, client or ephemeral' ? { clientSecretOf: ClientSecretOf } : unknown)

/**
 * The client_secret that opens an operation to a browser: that of the payment, payment link, payout, collect link or
 * payment method that its path names, of any payment of the customer that its path names, or of whichever payment or
 * payment method it is. The door compares them, before the operation or the replay of its answer.
 */
export type ClientSecretOf =
  | 'payment'
  | 'payout'
  | 'payment link'
  | 'collect link'
  | 'payment of customer'
  | 'payment method'
  | 'any payment'
  | 'any payment or payment method'

/** An operation as the server knows it, with any shapes. */
export type Endpoint = Omit<Entry<Address, Credential, TSchema, TSchema, EndpointCall>, 'at' | 'platforms' | 'takes'> & {
  method: Method
  path: string
  platforms: Platforms
  takes: Credential
  /** The chapter of the documentation. */
  room: string
  clientSecretOf?: ClientSecretOf
}

/** Does an Idempotency-Key work here? */
export const takesKey = (endpoint: Endpoint): boolean =>
  endpoint.method === 'POST' && endpoint.takes !== 'nothing' && endpoint.takes !== 'user' && !endpoint.rawBody

/** An entry of the table, whose call has the types of its own path and shapes. */
export const endpoint = <
  const At extends Address,
  const T extends Credential = 'secret',
  Body extends TSchema = TObject,
  Query extends TSchema = TObject,
>(
  entry: Entry<At, T, Body, Query>,
): Omitted => entry as unknown as Omitted

type Omitted = Omit<Endpoint, 'method' | 'path' | 'room' | 'platforms' | 'takes'> &
  Partial<Pick<Endpoint, 'platforms' | 'takes'>> & { at: Address }

/** The operations about one thing, and what the documentation says of them together. */
export type Room = { name: string; says: string; endpoints: readonly Endpoint[] }

export const room = (name: string, says: string, entries: readonly Omitted[], platforms: Platforms = 'for others'): Room => ({
  name,
  says,
  endpoints: entries.map(({ at, ...entry }) => {
    const [method, path] = at.split(' ') as [Method, string]
    return { method, path, platforms, takes: 'secret', ...entry, room: name }
  }),
})
