import type { EventType } from './base/event-types.ts'

/**
 * The edges of the service: a use case accesses the outside only through its first argument, `context`. This file
 * imports only a list of names, so that every module may import it. `startup/context.ts` builds the real context; tests
 * wrap it (virtual time, kill points).
 */

/** `YYYY-MM-DDTHH:MM:SS.mmmZ`, on the wire, in rows and in columns. Times sort as text. */
export type Time = string

/** Column names are the field names of the API. */
export type Row = Record<string, unknown>

/** Named, so that PostgreSQL plans it once for each connection. */
export type Statement = { name: string; text: string }
/** Returns each row as one text, in the column `row`: for rows looked up by their keys (`database/lookups.ts`). */
export type RowStatement = Statement & { read(text: string): Row }
export const isRowStatement = (statement: Statement): statement is RowStatement => 'read' in statement

/**
 * `bytes`: a body that is no text. `identity`: client certificate and key (PEM). `within_ms`: of the whole request.
 * `download`: of a large body; with `into`, a good reply has no body, and its bytes go there as they arrive.
 */
export type Request = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  headers: Record<string, string>
  body?: string
  bytes?: Buffer
  identity?: { certificate: string; key: { reveal(): string } }
  within_ms?: number
  download?: true
  into?(bytes: Buffer): Promise<void>
}

/** Accounts take turns by purpose (`base/fair-limiter.ts`). A conversation that may move money is `move` throughout. */
export type Sender = { merchant_id: string; merchant_connector_id: string; purpose: 'move' | 'ask' }

/**
 * The result of a request.
 * - `reply`: an answer of any status was read to its end.
 * - `not_sent`: refused, DNS, TLS or connect timeout, or too many requests in progress; nothing can have happened.
 * - `silence`: sent, or perhaps sent, and no complete answer came (timeout, reset, too large, cut off).
 *   Money may have moved.
 */
export type Reply =
  | { is: 'reply'; status: number; headers: Record<string, string>; body: string }
  | { is: 'not_sent'; why: string }
  | { is: 'silence'; why: string }

/** `at`: when the request was sent. `ms`: its whole duration. */
export type Exchanged = { request: Request; reply: Reply; at: Time; ms: number }

/** Kept for some days, for people (`operations/exchanges.ts`). `hidden`: all confidential values. Never throws. */
export type ExchangeLog = {
  keep(
    of: { merchant_id: string; kind: string; object_id: string; request_id: string },
    exchanges: readonly Exchanged[],
    outcome: string,
    hidden: unknown,
  ): void
}

/** `before: null` inserts the row, `after: null` deletes it, otherwise the row with that key is updated. */
export type RowChange = { table: string; before: Row | null; after: Row | null }

/** `announces`: the event type that merchants receive; null for steps that are only recorded. */
export type EventDraft = { type: string; announces: EventType | null }

/**
 * One entry of the double-entry ledger: the amount on each account, in the lowest denomination of `currency`. A debit
 * is positive, a credit negative, and their sum is zero. `merchant_connector_id`: where the money moved; null for none.
 * `request_id`: of our request to the processor, null if the money moved without one.
 */
export type Posting = {
  request_id: string | null
  profile_id: string
  merchant_connector_id: string | null
  currency: string
  entries: Readonly<Record<string, number>>
}

/**
 * One atomic step of a versioned row, the `head` (the name of its table): the guarded move of the row, and everything
 * that is true if and only if that move was written. `before: null` creates the row. `posts`: the money that moved.
 * `by`: as `Context.by`. `ownId`: the id of the created row was made by us, so that no other process can have written
 * the row. `origin`: for the audit log; null for work of the service's own. `answer`: shown to the caller once and
 * never again; under an Idempotency-Key the same statement stores it, encrypted.
 */
export type Change = {
  head: string
  before: Row | null
  after: Row
  rows: RowChange[]
  event: EventDraft
  posts?: Posting | undefined
  by: string
  origin?: Origin | null
  answer?: unknown
  ownId?: boolean
  unless?: Unless
  /** For sample data of a time in the past; otherwise the change happens now. */
  dated?: Time
  /** For changes that erase data: the history does not record the former values. */
  forgets?: true
}

/** Writes nothing if the row with this key has a time in `column`; without a query of its own. */
export type Unless = { table: string; key: Row; column: string }

/** `request_id`: as in the log. `address`: the caller's. */
export type Origin = { request_id: string; address: string }

/** `row`: the head after the change. `conflict`: a concurrent change was first; nothing was written. */
export type WriteResult<T extends Row> = { is: 'written'; row: T } | { is: 'conflict' }

/** The vault knows a merchant only as a string (`vault/vault.ts`). */
export type Vault = {
  /** AES-256-GCM, bound to the merchant, the record's name and the key id. */
  seal(merchant_id: string, record: string, clear: string): Buffer
  /** Throws if the bytes were made for another merchant or record, or were changed. */
  open(merchant_id: string, record: string, sealed: Buffer): string
  /** 20 characters that identify a card within a merchant without revealing its number (keyed HMAC over all of it). */
  fingerprint(merchant_id: string, number: string): string
  /** A keyed digest (hex): never a plain hash, because the text may contain a card number. */
  digest(purpose: string, text: string): string
}

/**
 * Card numbers, and security codes that wait for a confirmation. The vault encrypts them in the row that names them, or
 * the separate vault process stores them and the row holds a reference: then the methods return a promise
 * (`vault/split.ts`).
 */
export type Numbers = {
  /** Returns the bytes for the row. `until`: for what may be kept for a limited time only (security codes). */
  keep(merchant_id: string, record: string, clear: string, until?: Time): Buffer | Promise<Buffer>
  read(merchant_id: string, record: string, kept: Buffer): string | Promise<string>
}

/**
 * By the first digits of its number. `networks`: first the one that is used unless the cardholder chooses another.
 * `country`: the issuer's, ISO 3166-1, two letters; `country_name`: its name in the operator's table, if the table has
 * one.
 */
export type CardFacts = {
  networks: readonly string[]
  card_type: string | null
  card_subtype?: string | null
  issuer: string | null
  country: string | null
  country_name?: string | null
}

/** By the first eight digits of a number; null: none. A promise if the database is queried (`instruments/bins.ts`). */
export type Bins = { of(digits: string): CardFacts | null | Promise<CardFacts | null> }

/** Files outside the database (evidence of disputes), by names that the service assigns (`files/`). */
export type Files = {
  put(name: string, bytes: Buffer, content_type: string): Promise<void>
  /** Null if no file has this name. */
  get(name: string): Promise<Buffer | null>
  delete(name: string): Promise<void>
  /** Throws the reason if files cannot be stored. */
  tried(): Promise<void>
}

export type Log = {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

export type Context = {
  /** `secret_key`, its id; `client`, `admin`, `customer`, `alarm`; `webhook`, its account; `service`: no caller. */
  by: string
  /** Together with the commits of concurrent requests: the only way in which versioned rows are written. */
  commit<T extends Row>(change: Change & { after: T }): Promise<WriteResult<T>>
  /** Reads rows, or writes rows that have no versions. */
  query<T extends Row>(statement: Statement, values: unknown[]): Promise<T[]>
  /** To a processor: only to public addresses and those of the own settings. No redirects. Never throws. */
  send(request: Request, sender: Sender): Promise<Reply>
  /** To a merchant's endpoint: only to public addresses. No redirects. Never throws. */
  deliver(request: Request, sender: Sender): Promise<Reply>
  /** Why `send` or `deliver` (`by`) may not call this address, in words that follow its name; null: it may. */
  unreachable(url: string, by: 'send' | 'deliver'): Promise<string | null>
  /** By the database's clock, which all processes share. Never goes backwards (`base/clock.ts`). */
  now(): Time
  /** Since then, `now()` is steady: what must not end too early is counted from it (`certainlySince`). */
  steadySince(): Time
  /** The only way to wait in a use case. Returns early when the signal is aborted. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>
  random(bytes: number): Buffer
  vault: Vault
  numbers: Numbers
  bins: Bins
  /** The kinds of objects in lists, by resource and merchant, as this process has read them (`lists/kinds.ts`). */
  listKinds: Map<string, readonly { kind: number }[]>
  files: Files
  /** Of sent events that the database has deleted; absent if events are not archived. */
  archive?: Files
  /** Absent if exchanges are not kept. */
  exchanges?: ExchangeLog
  log: Log
}

/** A context that can read rows, or write rows without versions, and nothing else. */
export type Reads = Pick<Context, 'query'>
