import type { operations as Interface } from './made/interface.ts'

/** An operation of the table of operations. */
export type Operation = {
  verb: string
  path: string
  takes: 'body' | 'form' | 'query' | null
  /** Whether the operation takes an Idempotency-Key. */
  keyed: boolean
  /** Whether a POST only reads, so that it may be sent again without a key. */
  reads?: boolean
  gives: 'json' | 'text' | 'bytes' | 'stream'
  /** The member by which the next page of a list is requested, or `offset`. */
  pages?: string
}

export type OperationId = keyof Interface

type JsonIn<T> = T extends { content: { 'application/json': infer B } } ? B : never

/** The body of an operation, by the operation's name in the OpenAPI document: `Body<'createPayment'>`. */
export type Body<Id extends OperationId> = Interface[Id] extends { requestBody?: infer R } ? JsonIn<NonNullable<R>> : never

/** The query of an operation. */
export type Query<Id extends OperationId> = Interface[Id] extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never

/** The answer of an operation: `Answer<'retrievePayment'>` is a payment. */
export type Answer<Id extends OperationId> = Interface[Id] extends { responses: infer R } ? JsonIn<R[keyof R]> : never

type ItemOf<T> = T extends readonly (infer I)[] ? I : T extends { data: readonly (infer I)[] } ? I : never

/** A page when awaited; every item of all pages when iterated over with `for await`. */
export interface List<Id extends OperationId> extends Promise<Answer<Id>>, AsyncIterable<ItemOf<Answer<Id>>> {}

/** A payment, as all operations return it. Its `status` is a union: a declined payment is `failed`, no error. */
export type Payment = Answer<'retrievePayment'>
export type Refund = Answer<'retrieveRefund'>
export type Payout = Answer<'retrievePayout'>
export type Dispute = Answer<'retrieveDispute'>
export type Customer = Answer<'retrieveCustomer'>

/** The options of one call. */
export type CallOptions = {
  /** The Idempotency-Key of a POST. If missing, the client creates a key, and uses it for all tries of the call. */
  idempotencyKey?: string
  /** Ends the call and its tries. The call then rejects with the signal's reason. */
  signal?: AbortSignal
  /** The timeout of one try, in milliseconds; default 30,000 (the service answers within 25 seconds). */
  timeout?: number
  /** The number of tries after the first; default 4. */
  retries?: number
  /** Additional headers of this call. */
  headers?: Record<string, string>
  /** The query of an operation that also takes a body. */
  query?: Record<string, unknown>
}

/** The clock and randomness of a client. Tests replace them. */
export type Waits = {
  /** Resolves after `ms` milliseconds. Rejects when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Returns a signal that aborts after `ms` milliseconds, and the function that cancels it. */
  deadline(ms: number): { signal: AbortSignal; clear(): void }
  /** Returns a number between 0 and 1. */
  random(): number
  /** Returns the time in milliseconds since 1970. */
  now(): number
}

export type ClientOptions = {
  /** A secret key (`snd_…`, `prod_…`), or the admin key. */
  apiKey: string
  /** The address of the service, such as `https://pay.example.com`. */
  baseUrl: string
  /** The connected account on whose behalf a platform acts. */
  connectedMerchant?: string
  /** The business profile of all calls. */
  profile?: string
  timeout?: number
  retries?: number
  /** A replacement for `fetch`, for workers and proxies. */
  fetch?: typeof globalThis.fetch
  waits?: Waits
}
