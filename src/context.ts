import type { EventType } from './base/event-types.ts'

/**
 * The edges of the service, as types: a use case accesses the outside only through its first argument, `context`. This
 * file imports only a list of names, so that every module may import it. `startup/context.ts` builds the real context;
 * tests wrap it (virtual time, kill points).
 */

/** A time as `YYYY-MM-DDTHH:MM:SS.mmmZ`: the form of times on the wire, in rows and in columns. Times sort as text. */
export type Time = string

/** A row of a table: column name to value. Column names are the field names of the API. */
export type Row = Record<string, unknown>

/** A statement with a name, so that PostgreSQL plans it once for each connection. */
export type Statement = { name: string; text: string }
/**
 * A statement that returns each row as one text, in the column `row`, with the function that parses the text: used for
 * rows that are looked up by their keys (`database/lookups.ts`).
 */
export type RowStatement = Statement & { read(text: string): Row }
export const isRowStatement = (statement: Statement): statement is RowStatement => 'read' in statement

/**
 * One request to a processor, or to a merchant's endpoint. `url` is absolute. `body` is an encoded text, `bytes` a
 * body that is not text. `identity`: the client certificate that the other side requires, and its key (mutual TLS), as
 * PEM. `within_ms`: the time limit for the whole request, if it is shorter than usual.
 */
export type Request = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  headers: Record<string, string>
  body?: string
  bytes?: Buffer
  identity?: { certificate: string; key: { reveal(): string } }
  within_ms?: number
}

/**
 * The owner and the purpose of a request. Each account takes turns at a processor, separately for requests that move
 * money and for queries (`base/fair-limiter.ts`). A request that may move money has the purpose `move`, and so have
 * all other requests of its conversation.
 */
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

/** A request to a processor, and its result. `at`: the time when the request was sent. `ms`: its whole duration. */
export type Exchanged = { request: Request; reply: Reply; at: Time; ms: number }

/**
 * The store of exchanges with processors, which keeps them for some days for people to read. `hidden`: all
 * confidential values of the exchange. Returns at once, and never throws. See `operations/exchanges.ts`.
 */
export type ExchangeLog = {
  keep(
    of: { merchant_id: string; kind: string; object_id: string; request_id: string },
    exchanges: readonly Exchanged[],
    outcome: string,
    hidden: unknown,
  ): void
}

/**
 * A row that is written together with a change: see `database/commit.ts`. `before: null` inserts the row, `after:
 * null` deletes it, otherwise the row with that key is updated.
 */
export type RowChange = { table: string; before: Row | null; after: Row | null }

/**
 * An event as a use case writes it. `announces` is the event type that merchants receive; null for steps that are only
 * recorded.
 */
export type EventDraft = { type: string; announces: EventType | null }

/**
 * A movement of money as one entry of the double-entry ledger: the amount on each account, in the lowest denomination
 * of `currency`. A debit is positive, a credit negative, and their sum is zero. `merchant_connector_id`: the connector
 * account where the money moved; null for none. `request_id`: the id of our request to the processor, null if the
 * money moved without a request of ours.
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
 * that is true if and only if that move was written. `before: null` creates the row. `posts`: the money that moved
 * with the step. `by`: the actor, as in `Context.by`. `ownId`: whether the id of the created row was made by us, so
 * that no other process can have written the row. `origin`: the origin of the request, for changes in the audit log;
 * null for work of the service's own. `answer`: the answer that the caller is shown once and that can never be shown
 * again; under an Idempotency-Key the same statement stores the answer, encrypted.
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
  /** The time of the change, for sample data that is made for a time in the past; otherwise the change happens now. */
  dated?: Time
  /**
   * Whether the history records only that the change happened, without the former values: set for changes that erase
   * data.
   */
  forgets?: true
}

/**
 * A condition of a change: nothing is written if the row with this key exists and has a time in `column`. The
 * statement of the change checks the condition, so that it needs no query of its own.
 */
export type Unless = { table: string; key: Row; column: string }

/** The origin of a request: the request's id (which the log contains as well), and the caller's address. */
export type Origin = { request_id: string; address: string }

/**
 * The result of a change: the head's row after the change, or a conflict (a concurrent change moved the row first;
 * nothing was written).
 */
export type WriteResult<T extends Row> = { is: 'written'; row: T } | { is: 'conflict' }

/** Encryption and keyed digests. The vault knows a merchant only as a string. See `vault/vault.ts`. */
export type Vault = {
  /** Encrypts a text with AES-256-GCM, bound to the merchant, the record's name and the key id. */
  seal(merchant_id: string, record: string, clear: string): Buffer
  /**
   * Returns the clear text of `seal`. Throws if the bytes were made for another merchant or record, or were changed.
   */
  open(merchant_id: string, record: string, sealed: Buffer): string
  /**
   * Returns 20 characters that identify a card within a merchant without revealing the card's number (keyed HMAC over
   * the whole number).
   */
  fingerprint(merchant_id: string, number: string): string
  /**
   * Returns a keyed digest (hex) for comparing bodies and keys: never a plain hash, because the text may contain a
   * card number.
   */
  digest(purpose: string, text: string): string
}

/**
 * The store of card numbers, and of security codes that wait for a confirmation. The vault encrypts them in the row
 * that names them, or the separate vault process stores them and the row holds a reference. Methods return a promise
 * if the vault process is called. See `vault/split.ts`.
 */
export type Numbers = {
  /**
   * Stores a number and returns the bytes to store in the row. `until`: the end of storage, for numbers that may be
   * kept for a limited time only (security codes).
   */
  keep(merchant_id: string, record: string, clear: string, until?: Time): Buffer | Promise<Buffer>
  read(merchant_id: string, record: string, kept: Buffer): string | Promise<string>
}

/**
 * The known facts about a card by the first digits of its number. `networks`: all networks of the card, first the one
 * that is used unless the cardholder chooses another. `country`: ISO 3166-1, two letters.
 */
export type CardFacts = {
  networks: readonly string[]
  card_type: string | null
  card_subtype?: string | null
  issuer: string | null
  /** The issuer's country as two letters; `country_name` is its name in the operator's table, if the table has one. */
  country: string | null
  country_name?: string | null
}

/**
 * The facts known about cards by the first eight digits of their numbers; null: none. Returns a promise if the
 * database is queried. See `instruments/bins.ts`.
 */
export type Bins = { of(digits: string): CardFacts | null | Promise<CardFacts | null> }

/** The store of files outside the database (evidence of disputes), by names that the service assigns. See `files/`. */
export type Files = {
  put(name: string, bytes: Buffer, content_type: string): Promise<void>
  /** Returns the file's bytes, null if no file has this name. */
  get(name: string): Promise<Buffer | null>
  delete(name: string): Promise<void>
  /** Tests whether files can be stored. Throws the reason if they cannot. */
  tried(): Promise<void>
}

export type Log = {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

export type Context = {
  /**
   * The actor: `secret_key` and its id, `client`, `admin`, `customer`, `webhook` and its account, `alarm`; `service`
   * without a caller.
   */
  by: string
  /**
   * Writes one change together with the commits of concurrent requests: the only way in which versioned rows are
   * written.
   */
  commit<T extends Row>(change: Change & { after: T }): Promise<WriteResult<T>>
  /** Reads rows, or writes rows that have no versions. */
  query<T extends Row>(statement: Statement, values: unknown[]): Promise<T[]>
  /**
   * Sends a request to a processor: only to public addresses and those of the deployment's own settings. Never follows
   * a redirect. Never throws.
   */
  send(request: Request, sender: Sender): Promise<Reply>
  /** Sends a webhook to a merchant's endpoint: only to public addresses. Never follows a redirect. Never throws. */
  deliver(request: Request, sender: Sender): Promise<Reply>
  /**
   * Returns the reason why `send` or `deliver` (`by`) may not call this address, in words that follow its name; null
   * if the call is allowed.
   */
  unreachable(url: string, by: 'send' | 'deliver'): Promise<string | null>
  /**
   * Returns the time by the database's clock, which all processes share. The time never goes backwards. See
   * `base/clock.ts`.
   */
  now(): Time
  /**
   * Returns the time since which differences between two values of `now()` are reliable. A period that must not be
   * concluded too early is counted from this time if the period began earlier (`certainlySince`).
   */
  steadySince(): Time
  /** Waits: the only way to wait in a use case. Returns early when the signal is aborted. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>
  random(bytes: number): Buffer
  vault: Vault
  numbers: Numbers
  bins: Bins
  /** The kinds of objects in lists, by resource and merchant, as this process has read them (`lists/kinds.ts`). */
  listKinds: Map<string, readonly { kind: number }[]>
  files: Files
  /** The archive of sent events that the database has deleted; absent if events are not archived. */
  archive?: Files
  /** The store of exchanges with processors; absent if exchanges are not kept. */
  exchanges?: ExchangeLog
  log: Log
}
