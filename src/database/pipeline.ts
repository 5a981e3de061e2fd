import type { Socket } from 'node:net'
import type pg from 'pg'
import type { Statement } from '../context.ts'
import { openAnswers, openMessages } from './messages.ts'

/**
 * A statement and the values of its parameters: text, numbers, booleans, bytes or null. `and`: the values of further
 * changes that the same statement writes; each row that it then returns is the number of one of all these changes
 * (`batch-statements.ts`).
 */
export type BoundStatement = { statement: Statement; values: readonly unknown[]; and?: readonly { values: readonly unknown[] }[] }

const howMany = (call: BoundStatement | undefined): number => 1 + (call?.and?.length ?? 0)

/** An error in PostgreSQL's own text. `code`: its SQLSTATE. */
export class ServerError extends Error {
  readonly code: string
  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

/**
 * The result of a transaction.
 * - `committed`: every statement was answered without an error, and so was the Sync behind them, which commits.
 *   `rows`: how many rows each statement returned; for a statement that writes many changes, one or none for each
 *   change.
 * - `refused`: nothing of the transaction was written; `at` is the place in `rows` of the statement that failed
 *   (behind all of them, if the commit itself failed), and `of` the number of changes that the statement was to write.
 * - `cut off`: the connection was lost before the Sync was answered: whether the transaction was written is not known.
 * - `not sent`: the connection had been lost before; nothing of the transaction was written.
 */
export type Ended =
  | { is: 'committed'; rows: number[] }
  | { is: 'refused'; at: number; of: number; error: Error }
  | { is: 'cut off' | 'not sent'; error: Error }

/** The socket of a client, undocumented: `pipeline.test.ts` and `connection.test.ts` notice if it disappears. */
export const socketOf = (client: pg.ClientBase): Socket => (client as unknown as { connection: { stream: Socket } }).connection.stream

/** One transaction in progress, until PostgreSQL reports that it is ready: committed or rolled back. */
type Flight = {
  calls: readonly BoundStatement[]
  answered: number
  /** The `rows` of `Ended`, and how many of them are known. */
  rows: number[]
  known: number
  error: ServerError | null
  /** Names of the statements that this transaction makes PostgreSQL parse, in order. */
  parses: string[]
  resolve(ended: Ended): void
}

const ANSWER = { commandComplete: 0x43, dataRow: 0x44, error: 0x45, parseComplete: 0x31, ready: 0x5a } as const
/** PostgreSQL is ready, and in no transaction. */
const IDLE = 0x49

/** How many statements for many changes a connection keeps, the last used: 400 kB each, and five of every shape. */
const MOST_OF_MANY = 40

/** Applies a message to the transaction in progress. `ready`: it has ended; `lost`: its result is unknown. */
function applyMessage(flight: Flight, type: number, bytes: Buffer, from: number, end: number): 'ready' | 'lost' | null {
  switch (type) {
    case ANSWER.commandComplete: {
      const of = howMany(flight.calls[flight.answered++])
      if (of === 1) flight.rows[flight.known] = rowsOf(bytes, from, end)
      flight.known += of
      return null
    }
    case ANSWER.dataRow:
      if (howMany(flight.calls[flight.answered]) > 1) flight.rows[flight.known + firstNumber(bytes, from)] = 1
      return null
    case ANSWER.parseComplete:
      flight.parses.shift()
      return null
    case ANSWER.error:
      flight.error ??= readServerError(bytes, from, end)
      return null
    case ANSWER.ready:
      return hasEnded(flight) && bytes[from] === IDLE ? 'ready' : 'lost'
    default:
      return null
  }
}

/** Whether every statement was answered, or one of them, or the commit, with an error. */
const hasEnded = ({ calls, answered, error }: Flight): boolean => error !== null || answered === calls.length

const nothing: readonly string[] = []

type Messages = ReturnType<typeof openMessages>
type Prepared = ReturnType<typeof openPrepared>

/** Opens the list of the statements that PostgreSQL has prepared on a connection. */
function openPrepared(out: Messages) {
  const parsed = new Set<string>()
  /** The prepared statements for many changes, the last used one last. */
  const ofMany = new Set<string>()
  return {
    /**
     * Closes the statements used longest ago, and returns their names. Goes first: after an error PostgreSQL skips the
     * rest.
     */
    closeOldest(): readonly string[] {
      if (ofMany.size <= MOST_OF_MANY) return nothing
      const oldest = [...ofMany].slice(0, ofMany.size - MOST_OF_MANY)
      for (const name of oldest) ofMany.delete(name)
      const closed = oldest.filter(name => parsed.delete(name))
      for (const name of closed) out.close(name)
      return closed
    },
    /** Prepares the statement of a call if PostgreSQL does not know it yet, and notes its name in `parses`. */
    prepare({ statement, and }: BoundStatement, parses: string[]): void {
      const { name } = statement
      if (and) {
        ofMany.delete(name)
        ofMany.add(name)
      }
      if (parsed.has(name)) return
      parsed.add(name)
      parses.push(name)
      out.parse(statement)
    },
    /** Notes that these statements were not parsed after all. */
    unknown(names: readonly string[]): void {
      for (const name of names) parsed.delete(name)
    },
    /** Notes that these statements were not closed after all. */
    known(names: readonly string[]): void {
      for (const name of names) parsed.add(name)
    },
  }
}

/** Writes a transaction; returns the refusal if a value cannot be written. */
function writeTransaction(
  out: Messages,
  prepared: Prepared,
  calls: readonly BoundStatement[],
  { parses, rows }: Pick<Flight, 'parses' | 'rows'>,
): (Ended & { is: 'refused' }) | null {
  const closed = prepared.closeOldest()
  for (const call of calls) {
    prepared.prepare(call, parses)
    try {
      out.run(call.statement.name, call.values, call.and)
    } catch (error) {
      out.forget()
      prepared.unknown(parses)
      prepared.known(closed)
      return { is: 'refused', at: rows.length, of: howMany(call), error: error as Error }
    }
    for (let more = howMany(call); more > 0; more--) rows.push(0)
  }
  out.sync()
  return null
}

/**
 * Sends whole transactions over one connection without waiting in between: the statements and one Sync, in a single
 * write, and the next transaction before this one is answered, if the caller likes. The statements between two Syncs
 * are one transaction, which the Sync commits, unless one of them failed: PostgreSQL then skips all up to the Sync,
 * which rolls back. So a transaction has one answer, in one piece. `pg` sends a Sync (and PostgreSQL a packet) for
 * every statement, asks for a description of each and makes an object of every answer; for a batch of 64 that is most
 * of the work. https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 *
 * Takes a client that `pg` has connected (`pg` handles TLS and passwords), and owns the connection from then on. A
 * server that sends nothing for `longestSilenceMs` while a transaction is in progress is given up: every statement has
 * a timeout of its own, so the server is gone, or cannot be reached.
 */
export function openPipeline(client: pg.Client, longestSilenceMs: number) {
  const socket = socketOf(client)
  const flights: Flight[] = []
  const out = openMessages()
  const prepared = openPrepared(out)
  let gone: Error | null = null
  let closing = false

  // The events of the connection are handled here; `pg` would call its end an error.
  client.on('error', () => {})
  socket.removeAllListeners('data')
  socket.on('data', openAnswers(answer))
  socket.on('error', lose)
  socket.setTimeout(longestSilenceMs)
  socket.on('timeout', () => (flights.length > 0 || closing) && socket.destroy(new Error('the database has fallen silent')))
  socket.on('close', () => lose(new Error('the connection to the database was closed')))

  function lose(error: Error): void {
    gone ??= error
    for (const flight of flights.splice(0)) flight.resolve({ is: 'cut off', error: gone })
  }

  /** Without a transaction in progress, a message is a notice or the farewell of a server that shuts down. */
  function answer(type: number, bytes: Buffer, from: number, end: number): void {
    const flight = flights[0]
    const result = flight && applyMessage(flight, type, bytes, from, end)
    if (!result) return
    if (result === 'lost') {
      lose(flight.error ?? new Error('the database has not ended the transaction'))
      return void socket.destroy()
    }
    flights.shift()
    // PostgreSQL has not parsed the statements that it skipped after an error.
    prepared.unknown(flight.parses)
    flight.resolve(endOf(flight))
  }

  return {
    /** Runs the statements in one transaction. Never rejects. */
    transaction(calls: readonly BoundStatement[]): Promise<Ended> {
      return new Promise(resolve => {
        if (gone) return resolve({ is: 'not sent', error: gone })
        const flight: Flight = { calls, answered: 0, rows: [], known: 0, error: null, parses: [], resolve }
        const refused = writeTransaction(out, prepared, calls, flight)
        if (refused) return resolve(refused)
        flights.push(flight)
        out.sendTo(socket)
      })
    },
    /** Closes the connection; transactions in progress are answered first. */
    close(): Promise<void> {
      return new Promise(resolve => {
        if (gone) return resolve()
        closing = true
        socket.once('close', () => resolve())
        out.terminate()
        out.sendTo(socket)
        socket.end()
      })
    },
    destroy: () => void socket.destroy(),
  }
}

export type Pipeline = ReturnType<typeof openPipeline>

function endOf({ calls, answered, rows, known, error }: Flight): Ended {
  return error ? { is: 'refused', at: known, of: howMany(calls[answered]), error } : { is: 'committed', rows }
}

/** Reads the number that is the only column of a row. */
const firstNumber = (bytes: Buffer, from: number): number =>
  Number(bytes.toString('latin1', from + 6, from + 6 + bytes.readInt32BE(from + 2)))

/** Reads the number at the end of a command tag: `SELECT 1`, `INSERT 0 1`. */
function rowsOf(bytes: Buffer, from: number, end: number): number {
  let rows = 0
  let ten = 1
  for (let i = end - 2; i >= from; i--, ten *= 10) {
    const digit = bytes[i]! - 0x30
    if (digit < 0 || digit > 9) break
    rows += digit * ten
  }
  return rows
}

/** Reads an error's message (M) and SQLSTATE (C). The detail is left out, because it contains values of the row. */
export function readServerError(bytes: Buffer, from: number, end: number): ServerError {
  let [message, code] = ['', '']
  for (let at = from; at < end && bytes[at] !== 0; ) {
    const stop = bytes.indexOf(0, at + 1)
    const text = bytes.toString('utf8', at + 1, stop)
    if (bytes[at] === 0x4d) message = text
    else if (bytes[at] === 0x43) code = text
    at = stop + 1
  }
  return new ServerError(message, code)
}
