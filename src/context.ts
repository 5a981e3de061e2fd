/**
 * The edges of the service, as types: everything a story may do to the outside comes in through its first argument,
 * `context`. This file imports nothing, so that every room may import it. `startup/context.ts` builds the real one;
 * tests wrap it (virtual time, kill points).
 */

/**
 * Milliseconds since 1970 as `YYYY-MM-DDTHH:MM:SS.mmmZ`: the form times have on the wire, in rows and in columns.
 * They sort as text.
 */
export type Time = string

/** A row of a table: column name to value, in the interface's own words. */
export type Row = Record<string, unknown>

/** A statement with a name, so that PostgreSQL plans it once for each connection. */
export type Statement = { name: string; text: string }
/**
 * One whose rows come as one text each, in the column `row`, and how it is read: rows that are looked up by their
 * keys (`database/lookups.ts`).
 */
export type RowStatement = Statement & { read(text: string): Row }
export const isRowStatement = (statement: Statement): statement is RowStatement => 'read' in statement

/**
 * One request to a processor, or to a merchant's endpoint. `body` is already encoded, `bytes` is one that is no text;
 * `url` is absolute. `identity`: the certificate that the other side wants to see, and its key (mutual TLS), as PEM.
 * `within_ms`: how long it may take in all, where that is less than usual.
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
 * The owner and the purpose of a request: at a processor every account has its turns, for money and for questions
 * apart (`base/fair-limiter.ts`). A request that may move money is `move`, and so are all requests of its
 * conversation.
 */
export type Sender = { merchant_id: string; merchant_connector_id: string; purpose: 'move' | 'ask' }

/**
 * What came back of a request.
 * - `reply`: an answer of any status was read to its end.
 * - `not_sent`: refused, DNS, TLS or connect timeout, too many under way already; nothing can have happened.
 * - `silence`: sent, or perhaps sent, and no whole answer came (timeout, reset, too large, cut off). Money may have
 *   moved.
 */
export type Reply =
  | { is: 'reply'; status: number; headers: Record<string, string>; body: string }
  | { is: 'not_sent'; why: string }
  | { is: 'silence'; why: string }

/** A request to a processor, and what came back; `at`: when it was sent, `ms`: how long it took in all. */
export type Exchanged = { request: Request; reply: Reply; at: Time; ms: number }

/**
 * Where exchanges with processors are kept for a while, for people to look at. `hidden`: all that is confidential of
 * what was said. Returns at once, and never throws. See `operations/exchanges.ts`.
 */
export type ExchangeLog = {
  keep(
    of: { merchant_id: string; kind: string; object_id: string; request_id: string },
    heard: readonly Exchanged[],
    outcome: string,
    hidden: unknown,
  ): void
}

/**
 * Something written inside a change: see `database/commit.ts`. `before: null` inserts, `after: null` deletes,
 * otherwise the row with that key is updated.
 */
export type RowChange = { table: string; before: Row | null; after: Row | null }

/**
 * An event as a story writes it. `announces` is the type under which merchants hear of it; null for steps that are
 * only kept.
 */
export type EventDraft = { type: string; announces: string | null }

/**
 * Money that moved, as one entry of the double-entry ledger: what it puts on which account, in the lowest
 * denomination of `currency`; a debit is positive, a credit negative, and their sum is zero. `merchant_connector_id`:
 * at which account of a processor; null for none. `request_id`: what that knows it by, if we asked for it.
 */
export type Posting = {
  request_id: string | null
  profile_id: string
  merchant_connector_id: string | null
  currency: string
  entries: Readonly<Record<string, number>>
}

/**
 * One atomic step of a versioned row, the `head` (the name of its table): its guarded move, and everything that is
 * true if and only if that move was written. `before: null` creates it. `posts`: the money that moved with it. `by`:
 * who did it, as `Context.by` has it. `ownId`: the id of what is created was made by us, so no other process can have
 * written it. `origin`: from where it was asked for, of what the audit log has; null for work of our own. `answer`:
 * what the caller is shown once, and can never be shown again; under an Idempotency-Key it is kept, sealed, by the
 * same statement.
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
  /** When it happened, of sample data that is made for a time that has passed; else it happens now. */
  dated?: Time
  /** Its history says that it happened, and nothing of what was: that is what it is for. */
  forgets?: true
}

/**
 * Nothing is written if this row, by its key, is there and has a time in `column`. It is looked at in the statement
 * of the change, so it costs no question of its own.
 */
export type Unless = { table: string; key: Row; column: string }

/** From where a request came: its id (which the log has as well), and the caller's address. */
export type Origin = { request_id: string; address: string }

/**
 * What became of a change: the head's row as it now stands, or a conflict (a concurrent change moved the row first;
 * nothing was written).
 */
export type WriteResult<T extends Row> = { is: 'written'; row: T } | { is: 'conflict' }

/** Encryption and keyed digests. A merchant is only a string here. See `vault/vault.ts`. */
export type Vault = {
  /** AES-256-GCM, bound to the merchant, the record's name and the key id. */
  seal(merchant_id: string, record: string, clear: string): Buffer
  /** The clear text of `seal`. Throws if the bytes were made for another merchant or record, or changed. */
  open(merchant_id: string, record: string, sealed: Buffer): string
  /**
   * 20 characters that name a card within a merchant without giving its number away (keyed HMAC over the whole
   * number).
   */
  fingerprint(merchant_id: string, number: string): string
  /**
   * Keyed digest (hex) for comparing bodies and keys: never a plain hash, because what goes in may hold a card
   * number.
   */
  digest(purpose: string, text: string): string
}

/**
 * Where card numbers, and security codes while they wait, are kept: sealed by the vault in the row that names them,
 * or with the vault's own process, of which the row then holds a reference. A promise where that is asked. See
 * `vault/split.ts`.
 */
export type Numbers = {
  /** What the row holds. `until`: of what may be kept for a while only (security codes). */
  keep(merchant_id: string, record: string, clear: string, until?: Time): Buffer | Promise<Buffer>
  read(merchant_id: string, record: string, kept: Buffer): string | Promise<string>
}

/**
 * What the first digits of a card's number tell, as far as it is known. `networks`: all that the card has, the one
 * that it is used on unless its holder chooses first. `country`: ISO 3166-1, two letters.
 */
export type CardFacts = {
  networks: readonly string[]
  card_type: string | null
  card_subtype?: string | null
  issuer: string | null
  /** Its two letters; and what the operator's table calls it, where it has a name. */
  country: string | null
  country_name?: string | null
}

/**
 * What is known of cards by the first eight digits of their numbers; null: nothing. A promise where the database has
 * to be asked. See `instruments/bins.ts`.
 */
export type Bins = { of(digits: string): CardFacts | null | Promise<CardFacts | null> }

/** What is kept outside the rows, by names of our own (evidence of disputes). See `files/`. */
export type Files = {
  put(name: string, bytes: Buffer, content_type: string): Promise<void>
  /** Null if there is nothing of this name. */
  get(name: string): Promise<Buffer | null>
  delete(name: string): Promise<void>
  /** Can they be kept? Throws what stands against it. */
  tried(): Promise<void>
}

export type Log = {
  info(facts: object, words: string): void
  warn(facts: object, words: string): void
  error(facts: object, words: string): void
}

export type Context = {
  /**
   * Who is at work: `secret_key` and its id, `client`, `admin`, `customer`, `webhook` and its account, `alarm`;
   * `service` without a caller.
   */
  by: string
  /** Writes one change with the commits of concurrent requests; the only way versioned rows are written. */
  commit<T extends Row>(change: Change & { after: T }): Promise<WriteResult<T>>
  /** Reads, or writes rows that have no versions. */
  query<T extends Row>(statement: Statement, values: unknown[]): Promise<T[]>
  /**
   * Speaks to a processor: only to public addresses, and those of the deployment's own settings, never where a
   * redirect points. Never throws.
   */
  send(request: Request, sender: Sender): Promise<Reply>
  /**
   * Sends a webhook to a merchant's endpoint: only to public addresses, never where a redirect points. Never throws.
   */
  deliver(request: Request, sender: Sender): Promise<Reply>
  /** Why nothing may be sent to this address (`by` which of the two), in words that follow its name; null if it may. */
  unreachable(url: string, by: 'send' | 'deliver'): Promise<string | null>
  /** The time by the database's clock, which all processes share; it never goes backwards. See `base/clock.ts`. */
  now(): Time
  /**
   * Since when durations between two such times are right. What must not be concluded too early is counted from here,
   * if it began earlier (`certainlySince`).
   */
  steadySince(): Time
  /** The only waiting there is. Ends early when the signal is given. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>
  random(bytes: number): Buffer
  vault: Vault
  numbers: Numbers
  bins: Bins
  files: Files
  /** What was sent of events that are forgotten in the database; absent where it is kept nowhere. */
  archive?: Files
  /** Absent where none are kept. */
  exchanges?: ExchangeLog
  log: Log
}
