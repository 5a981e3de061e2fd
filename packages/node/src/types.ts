import type { operations as Interface } from './made/interface.ts'

/** An operation as the table of operations has it. */
export type Operation = {
  verb: string
  path: string
  takes: 'body' | 'form' | 'query' | null
  /** Takes an Idempotency-Key. */
  keyed: boolean
  gives: 'json' | 'text' | 'bytes' | 'stream'
  /** Of lists in pages: the member by which the next page is asked for, or `offset`. */
  pages?: string
}

export type OperationId = keyof Interface

type JsonIn<T> = T extends { content: { 'application/json': infer B } } ? B : never

/** What the body of an operation may contain, by its name in the OpenAPI document: `Body<'createPayment'>`. */
export type Body<Id extends OperationId> = Interface[Id] extends { requestBody?: infer R } ? JsonIn<NonNullable<R>> : never

/** What the query of an operation may contain. */
export type Query<Id extends OperationId> = Interface[Id] extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never

/** What an operation answers with: `Answer<'retrievePayment'>` is a payment. */
export type Answer<Id extends OperationId> = Interface[Id] extends { responses: infer R } ? JsonIn<R[keyof R]> : never

type ItemOf<T> = T extends readonly (infer I)[] ? I : T extends { data: readonly (infer I)[] } ? I : never

/** A page when awaited; every item of all pages when iterated over with `for await`. */
export interface List<Id extends OperationId> extends Promise<Answer<Id>>, AsyncIterable<ItemOf<Answer<Id>>> {}

/** A payment, as it is answered with everywhere. Its `status` is a union: a declined payment is `failed`, no error. */
export type Payment = Answer<'retrievePayment'>
export type Refund = Answer<'retrieveRefund'>
export type Payout = Answer<'retrievePayout'>
export type Dispute = Answer<'retrieveDispute'>
export type Customer = Answer<'retrieveCustomer'>

/** Of one call. */
export type CallOptions = {
  /** Of a POST; made for you if it is not given, and the same for all its tries. */
  idempotencyKey?: string
  /** Ends the call and its tries: it rejects with the signal's reason. */
  signal?: AbortSignal
  /** Of one try, in milliseconds; default 30,000 (the service answers within 25 seconds). */
  timeout?: number
  /** So many tries after the first; default 4. */
  retries?: number
  /** Headers that belong to this call. */
  headers?: Record<string, string>
  /** The query of an operation that takes a body as well. */
  query?: Record<string, unknown>
}

/** How a client waits: of tests, which give their own. */
export type Waits = {
  /** Resolves after so many milliseconds; rejects when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** A signal that aborts after so many milliseconds, and how it is called off. */
  deadline(ms: number): { signal: AbortSignal; clear(): void }
  /** Between 0 and 1. */
  random(): number
  /** Milliseconds since 1970. */
  now(): number
}

export type ClientOptions = {
  /** A secret key (`snd_…`, `prod_…`), or the admin key. */
  apiKey: string
  /** The address of the service, such as `https://pay.example.com`. */
  baseUrl: string
  /** The connected account for which a platform acts. */
  connectedMerchant?: string
  /** The business profile for which calls are made. */
  profile?: string
  timeout?: number
  retries?: number
  /** Another `fetch`, for workers and proxies. */
  fetch?: typeof globalThis.fetch
  waits?: Waits
}
