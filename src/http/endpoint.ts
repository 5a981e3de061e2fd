import type Type from 'typebox'
import type { TObject, TSchema } from 'typebox'
import type { Deployment } from '../accounts/connector-account.ts'
import type { Merchant } from '../accounts/merchant.ts'
import type { Settings } from '../accounts/settings.ts'
import type { RefusalName } from '../base/refusal.ts'
import type { Change, Context, Statement } from '../context.ts'
import type { Claimed } from '../database/due.ts'
import type { Payment } from '../payments/payment.ts'
import type { Services, UseCaseCall } from '../payments/services.ts'
import type { AccountHealthWriter } from '../telemetry/account-health.ts'
import type { AttemptObserver } from '../telemetry/attempts.ts'
import type { RequestLogWriter } from '../telemetry/request-log.ts'
import type { Traces } from '../telemetry/traces.ts'
import type { Mailer } from '../users/mail.ts'
import type { Sso } from '../users/sso.ts'
import type { Auth, Credential, EntryAuth } from './auth.ts'
import type { Platforms, Who } from './credentials.ts'

/** The service as endpoints use it: the edges, the merchants' settings, and the deployment. */
export type Service = {
  context: Context
  settings: Settings
  mode: 'test' | 'live'
  deployment: Deployment
  /** Calls `onTimeout` when a caller has waited long enough; returns a function that cancels the call. */
  patience(onTimeout: () => void): () => void
  adminKey: string
  /** The sender of e-mail; null without a mail server. */
  mailer: Mailer
  /** The provider of single sign-on; null if none is configured. */
  sso: Sso | null
  /** The services of the deployment, set once the server listens. */
  services: Services
  ready(): Promise<Readiness>
  /** The telemetry (`telemetry/`) of attempts and requests; each member is null if its telemetry is off. */
  watch: {
    attempt: AttemptObserver
    request: ((method: string, route: string, status: number, ms: number) => void) | null
    traces: Pick<Traces, 'begin'> | null
    requestLog: Pick<RequestLogWriter, 'add' | 'write'> | null
    accounts: AccountHealthWriter
  }
  /** The kinds of scheduled work, and one query for how much work of all kinds is waiting. */
  kinds: readonly Claimed[]
  depths: Statement
  /** The open event streams, each as the function that ends it when the service stops. */
  streams: Set<() => void>
  operation(name: string): Endpoint
}

/** Whether this process can take payments: it can if all of these are true. */
export type Readiness = {
  /** Whether the database answers and writes, and its schema is the one that this release expects. */
  database: boolean
  /** Whether due jobs are searched, and settings are read, as often as they should be. */
  alarms: boolean
  settings: boolean
  /** Whether evidence files can be stored. Payments do not need the file store. */
  files: boolean
  /** How far the host's clock is ahead of the database's, in ms. Harmless: the service uses the database's. */
  clock_skew_ms: number
}

/**
 * A request as an operation receives it: caller authenticated, shapes checked. With a merchant (`M`) it is also the
 * first argument of use cases, which know nothing of HTTP (`Call` in `operations/verb.ts`, or `UseCaseCall`); HTTP's
 * own is in `http-exchange.ts`. Its context is the service's or its own (`request-lifetime.ts`, `idempotency.ts`).
 */
export type ApiRequest<
  M extends Merchant | null = Merchant | null,
  Path = Readonly<Record<string, string>>,
  Query = object,
  Body = object,
> = Omit<UseCaseCall, 'merchant'> & {
  service: Service
  who: Who
  /** The merchant of the key; with the admin key, the merchant in the path. */
  merchant: M
  /** The payment that the client_secret belongs to. A browser must send a client_secret, the merchant's server may. */
  opened: Payment | null
  path: Path
  query: Query
  body: Body
  /** The bytes of the body, for verifying signatures. */
  raw: Buffer
  /** The caller's IP address, as far as the proxies in between are trusted. */
  address: string
  headers: Record<string, string | string[] | undefined>
  /** Returns a signal that is aborted when the caller has disconnected or the service stops. */
  gone(): AbortSignal
}

/**
 * Becomes JSON, a text, a file made while it is sent (`parts`), a customer's page (`pages/`), a redirect, or an event
 * stream until the caller disconnects (`stream`).
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

/** The parameters in braces of a path. */
type PartsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & PartsOf<Rest>
  : Readonly<Record<never, string>>

/** None only where no key or the admin key suffices; with the admin key, the one in the path. */
type MerchantOf<Path extends string, T extends Credential> = T extends 'nothing' | 'user'
  ? null
  : T extends 'secret' | 'client' | 'publishable' | 'secret or client' | 'secret or ephemeral' | 'secret, client or ephemeral'
    ? Merchant
    : Path extends `${string}{merchant_id}${string}`
      ? Merchant
      : Merchant | null

/** The request of one operation, with the types of its path, its credential and its shapes. */
type RequestOf<Path extends string, T extends Credential, Body extends TSchema, Query extends TSchema> = ApiRequest<
  MerchantOf<Path, T>,
  PartsOf<Path>,
  Type.Static<Query>,
  Type.Static<Body>
>

/** A row of the table from which router, authentication, validation and OpenAPI document are derived. */
type Entry<
  Route extends Address,
  T extends Credential,
  Body extends TSchema,
  Query extends TSchema,
  C = RequestOf<Route, T, Body, Query>,
> = {
  title: string
  /** One sentence. */
  description: string
  /**
   * `anyone`, `oneself`, `operator`, or `{ credential: 'secret', permission: 'payments:write', scope: 'profile' }`.
   */
  auth: EntryAuth<T>
  /** For a platform's secret key: only connected accounts, unless the tag allows its own account as well. */
  platforms?: Platforms
  /** Returns the address for webhooks that the request sets, if any: this also requires `customers:personal`. */
  webhookAddress?(body: Type.Static<Body>): unknown
  /** The name of the operation that this one repeats at another address for existing clients; the SDK omits it. */
  aliasOf?: string
  /** The operation's name in the SDK, where the rule gives none that is natural (`tools/openapi/sdk-names.ts`). */
  sdk?: `${string}.${string}`
  body?: Body
  query?: Query
  answers: TSchema | 'text' | 'file' | 'stream' | 'page' | 'redirect' | 'nothing'
  /** The content types of an answer that is a text or a file; default: plain text, or any bytes. */
  types?: readonly string[]
  /** Set if the operation answers with a page or may redirect the customer instead. */
  redirects?: true
  /** The errors besides those that follow from path, credential and shapes (`tools/openapi/errors.ts`). */
  errors?: readonly RefusalName[]
  /** An example body with which the operation succeeds. A test sends it. */
  example?: { summary: string; value: NoInfer<Type.Static<Body>> & object }
  /** For an Idempotency-Key whose first request was interrupted: the object now. Absent if stored with the work. */
  replay?(call: C, object_id: string): Promise<unknown>
  /** For a request cut short: from the changes it wrote, in memory, as the database may be unreachable. */
  partialResponse?(call: C, written: readonly Change[]): Record<string, unknown> | undefined
  /** Set if a POST only reads, because its question is a body: it takes no Idempotency-Key, and writes nothing. */
  reads?: true
  /** Set if the operation also accepts a deleted merchant, with the admin key. */
  ofDeleted?: true
  /** Set if the body may contain `profile_id`; the header X-Profile-Id may then give it instead. */
  choosesProfile?: true
  /** Set if the operation reads the bytes of its body itself (webhooks). */
  rawBody?: true
  /** Set if the body is a form (multipart/form-data): texts are members, the files named here bytes (`FormFile`). */
  form?: true | { files: readonly string[] }
  /** The shape of the 202 answer if a second person has to approve the request (`approval-requests.ts`). */
  approval?: TSchema
  /** Set if the operation answers 202 and its work continues after the answer. */
  async?: true
} & Runs<C> &
  (T extends 'client' | 'secret or client' | 'secret, client or ephemeral' ? { clientSecretOf: ClientSecretOf } : unknown)

/** An operation's function: `json` returns the JSON of the answer, `run` any other answer. */
type Runs<C> = { json(call: C): unknown; run?: never } | { run(call: C): Promise<Result>; json?: never }

/**
 * The object whose client_secret opens an operation to a browser: the one that the path names, any payment of its
 * customer, or any payment or payment method. Compared before anything runs or is returned.
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

/** The data in answers that not every caller may see (`personal-data-mask.ts`). */
export type Confidential = 'personal data' | 'signing key' | 'signing key of merchant' | 'nothing'

/** The facts that all operations of a tag share. */
type TagFacts = {
  confidential: Confidential
  /** The tag's resource in the SDK, and the noun that its methods omit: `createPayment` is `payments.create`. */
  sdk: readonly [resource: string, noun: string]
  /** Default `for others`. */
  platforms?: Platforms
}

/** An operation as the server knows it, with any shapes. */
export type Endpoint = Omit<Entry<Address, Credential, TSchema, TSchema, ApiRequest>, 'platforms' | 'auth' | 'json' | 'run'> & {
  name: string
  method: Method
  path: string
  platforms: Platforms
  auth: Auth
  /** The chapter of the documentation that contains the operation. */
  tag: Tag
  clientSecretOf?: ClientSecretOf
  run(call: ApiRequest): Promise<Result>
}

export const takesKey = ({ method, reads, auth, rawBody }: Endpoint): boolean =>
  method === 'POST' && !reads && auth.credential !== 'nothing' && auth.credential !== 'user' && !rawBody

/** Gives the call the types of its path and shapes. `route`: method and path, with `{name}` for each parameter. */
export function endpoint<
  const Route extends Address,
  const T extends Credential,
  Body extends TSchema = TObject,
  Query extends TSchema = TObject,
>(route: Route, name: string, entry: Entry<Route, T, Body, Query>): AnyEntry {
  const { json, ...facts } = entry as unknown as AnyEntry & { json?(call: ApiRequest): unknown }
  return { ...facts, ...(json && { run: async (call: ApiRequest) => ({ json: await json(call) }) }), route, name }
}

/** Returns an entry that repeats another at a second address, for existing clients. */
export function alias(
  { sdk: _sdk, ...entry }: AnyEntry,
  route: Address,
  name: string,
  words: { title: string; description: string },
): AnyEntry {
  return { ...entry, ...words, route, name, aliasOf: entry.name }
}

export type AnyEntry = Omit<Endpoint, 'method' | 'path' | 'tag' | 'platforms' | 'auth'> & {
  route: Address
  platforms?: Platforms
  auth: Pick<Auth, 'credential'> & Partial<Auth>
}

/** The operations on one kind of object, with their common documentation. */
export type Tag = TagFacts & { name: string; description: string; endpoints: readonly Endpoint[] }

export function tagged(name: string, description: string, facts: TagFacts, entries: readonly AnyEntry[]): Tag {
  const endpoints: Endpoint[] = []
  const tag: Tag = { ...facts, name, description, endpoints }
  for (const { route, auth, ...entry } of entries) {
    const [method, path] = route.split(' ') as [Method, string]
    const known = { permission: null, scope: null, ids: [], within: null, ...auth }
    endpoints.push({ platforms: facts.platforms ?? 'for others', ...entry, method, path, auth: known, tag })
  }
  return tag
}
