import type pg from 'pg'
import type { Row, RowStatement } from '../context.ts'
import { connectionSettings, type Deadlines } from './connection-settings.ts'
import { openAnswers, openMessages } from './messages.ts'
import { readServerError, type ServerError, socketOf } from './pipeline.ts'
import { PrimaryClient } from './primary-client.ts'

/** `away`: no response; the rows can be read by the pool. `silent`: no response within the deadline. */
export type Looked = { is: 'found'; rows: Row[] } | { is: 'refused'; error: ServerError } | { is: 'away'; silent: boolean }

type Waiting = { statement: RowStatement; rows: Row[]; error: ServerError | null; answer(looked: Looked): void }

const ANSWER = { row: 0x44, error: 0x45, ready: 0x5a } as const
/** The head of a row's message: the number of its columns, and the length of the first. */
const ROW_HEAD = 6

const NOT_PARSED = '26000'

/** How long after a lost connection all lookups go to the pool. */
const AGAIN_AFTER_MS = 1000

type Messages = ReturnType<typeof openMessages>

/**
 * Reads rows by their keys over one connection: the lookups that are made during one turn of the event loop go out in
 * one write, and no request waits for the response of another. Each row comes as one text, which its table reads
 * (`table.ts`). `pg` has every statement described anew, and makes an object of each column.
 *
 * The connection is only an express lane: while it does not exist, and whenever it is lost, the lookup is `away`, and
 * the pool is queried.
 * `monotonic`: the time in milliseconds, by a clock that never jumps.
 */
export function openLookups(url: string, deadlines: Deadlines, monotonic: () => number) {
  let lane: ReturnType<typeof openLane> | null = null
  let next = 0
  let closed = false

  function begin(): void {
    if (closed || monotonic() < next) return
    next = Number.POSITIVE_INFINITY
    const client = new PrimaryClient(connectionSettings(url, 'reads by key', deadlines))
    const later = () => {
      lane = null
      next = monotonic() + AGAIN_AFTER_MS
    }
    client.connect().then(() => {
      lane = openLane(client, deadlines.silence_ms, later)
      if (closed) lane.close()
    }, later)
  }

  return {
    look(statement: RowStatement, values: readonly unknown[]): Promise<Looked> {
      if (lane) return lane.look(statement, values)
      begin()
      return Promise.resolve({ is: 'away', silent: false })
    },
    close(): void {
      closed = true
      lane?.close()
    },
  }
}

/**
 * Writes a lookup. A value that cannot be written throws, and leaves nothing behind: half a message would spoil the
 * lookups before and after it, which go out together. `parsed`: the names of the statements that PostgreSQL knows.
 */
function writeLookup(out: Messages, parsed: Set<string>, statement: RowStatement, values: readonly unknown[]): void {
  const before = out.written()
  const isNew = !parsed.has(statement.name)
  try {
    if (isNew) out.parse(statement)
    out.run(statement.name, values)
    out.sync()
  } catch (error) {
    out.forget(before)
    throw error
  }
  if (isNew) parsed.add(statement.name)
}

function openLane(client: pg.Client, longestSilenceMs: number, gone: () => void) {
  const socket = socketOf(client)
  const out = openMessages()
  const waiting: Waiting[] = []
  const parsed = new Set<string>()
  let silent = false
  let sending = false
  let over = false

  socket.removeAllListeners('data')
  socket.on('data', openAnswers(answer))
  socket.on('error', () => {})
  socket.setTimeout(longestSilenceMs)
  socket.on('timeout', () => {
    if (waiting.length === 0) return
    silent = true
    socket.destroy()
  })
  socket.on('close', lose)

  function lose(): void {
    if (over) return
    over = true
    gone()
    for (const one of waiting.splice(0)) one.answer({ is: 'away', silent })
  }

  function answer(type: number, bytes: Buffer, from: number, end: number): void {
    const one = waiting[0]
    if (!one) return
    if (type === ANSWER.row) one.rows.push(one.statement.read(bytes.toString('utf8', from + ROW_HEAD, end)))
    else if (type === ANSWER.error) one.error ??= readServerError(bytes, from, end)
    else if (type === ANSWER.ready) {
      waiting.shift()
      const { error, rows } = one
      // The refused part may have been the parsing: that of the lookup just before, on which this one relied.
      if (error) parsed.delete(one.statement.name)
      one.answer(!error ? { is: 'found', rows } : error.code === NOT_PARSED ? { is: 'away', silent: false } : { is: 'refused', error })
    }
  }

  function send(): void {
    sending = false
    if (!over) out.sendTo(socket)
  }

  return {
    look(statement: RowStatement, values: readonly unknown[]): Promise<Looked> {
      // An error of `writeLookup` rejects this lookup alone.
      return new Promise(resolve => {
        if (over) return resolve({ is: 'away', silent })
        writeLookup(out, parsed, statement, values)
        waiting.push({ statement, rows: [], error: null, answer: resolve })
        if (sending) return
        sending = true
        // Sent after everything that this turn of the event loop brings in.
        setImmediate(send)
      })
    },
    close(): void {
      if (over) return
      out.terminate()
      out.sendTo(socket)
      socket.end()
    },
  }
}
