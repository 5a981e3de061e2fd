import type { Socket } from 'node:net'
import type { Statement } from '../context.ts'

const MESSAGE = { bind: 0x42, close: 0x43, execute: 0x45, parse: 0x50, query: 0x51, sync: 0x53, terminate: 0x58 } as const
/** What is closed: a statement, and no portal. */
const STATEMENT = 0x53
/** A message's type and its length. */
const HEAD = 5

const BEGINNING = 64 * 1024
const LARGEST_KEPT = 1024 * 1024
/**
 * Shorter texts are copied here, a character at a time; longer ones by Node, whose call costs more than a dozen
 * characters.
 */
const SHORT = 24

/**
 * Writes what PostgreSQL is told into one buffer, which is used again once the system has taken its bytes.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export function openMessages() {
  let bytes = Buffer.allocUnsafeSlow(BEGINNING)
  let at = 0

  function room(more: number): void {
    if (at + more <= bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(bytes.length * 2, at + more))
    bytes.copy(larger, 0, 0, at)
    bytes = larger
  }

  function int32(value: number, where: number): void {
    bytes[where] = value >>> 24
    bytes[where + 1] = value >>> 16
    bytes[where + 2] = value >>> 8
    bytes[where + 3] = value
  }

  /** Room for it must have been made. */
  function text(value: string): void {
    const { length } = value
    if (length <= SHORT) {
      const begin = at
      let i = 0
      for (; i < length; i++) {
        const code = value.charCodeAt(i)
        if (code > 0x7f) break
        bytes[at++] = code
      }
      if (i === length) return
      at = begin
    }
    at += bytes.write(value, at)
  }

  /** Begins a message; gives the place where its length belongs. */
  function begin(type: number): number {
    room(HEAD)
    bytes[at] = type
    at += HEAD
    return at - 4
  }

  function end(length: number): void {
    int32(at - length, length)
  }

  function message(type: number, body: () => void): void {
    const length = begin(type)
    body()
    end(length)
  }

  function zeroEnded(value: string): void {
    room(value.length * 3 + 1)
    text(value)
    bytes[at++] = 0
  }

  function int16(value: number): void {
    room(2)
    bytes[at++] = value >>> 8
    bytes[at++] = value
  }

  /** A parameter: its length and its bytes, in text form but for bytes. */
  function parameter(value: unknown): void {
    if (value === null || value === undefined) {
      room(4)
      int32(-1, at)
      at += 4
      return
    }
    if (Buffer.isBuffer(value)) {
      room(4 + value.length)
      int32(value.length, at)
      at += 4 + value.copy(bytes, at + 4)
      return
    }
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
      throw new TypeError(`a parameter cannot be a ${typeof value}`)
    const words = typeof value === 'string' ? value : String(value)
    room(4 + words.length * 3)
    const length = at
    at += 4
    text(words)
    int32(at - length - 4, length)
  }

  function formats(values: readonly unknown[]): void {
    for (let i = 0; i < values.length; i++) int16(Buffer.isBuffer(values[i]) ? 1 : 0)
  }

  function parameters(values: readonly unknown[]): void {
    for (let i = 0; i < values.length; i++) parameter(values[i])
  }

  return {
    query: (sql: string) => message(MESSAGE.query, () => zeroEnded(sql)),
    parse: (statement: Statement) =>
      message(MESSAGE.parse, () => {
        zeroEnded(statement.name)
        zeroEnded(statement.text)
        int16(0)
      }),
    /** Makes PostgreSQL forget a statement. It does not mind if there is none. */
    close: (name: string) =>
      message(MESSAGE.close, () => {
        room(1)
        bytes[at++] = STATEMENT
        zeroEnded(name)
      }),
    /**
     * Bind and Execute, by way of the portal without a name. `and`: more values of the same statement, as many for
     * each.
     */
    run(name: string, values: readonly unknown[], and: readonly { values: readonly unknown[] }[] = []): void {
      // Said without closures and iterators: a hundred values a payment pass here.
      const bind = begin(MESSAGE.bind)
      zeroEnded('')
      zeroEnded(name)
      const count = values.length * (1 + and.length)
      int16(count)
      formats(values)
      for (let i = 0; i < and.length; i++) formats(and[i]!.values)
      int16(count)
      parameters(values)
      for (let i = 0; i < and.length; i++) parameters(and[i]!.values)
      int16(0)
      end(bind)
      const execute = begin(MESSAGE.execute)
      zeroEnded('')
      room(4)
      int32(0, at)
      at += 4
      end(execute)
    },
    sync: () => message(MESSAGE.sync, () => {}),
    terminate: () => message(MESSAGE.terminate, () => {}),
    /** Takes back what was written since the last sending. */
    forget(): void {
      at = 0
    },
    sendTo(socket: Socket): void {
      socket.write(bytes.subarray(0, at))
      if (socket.writableLength > 0 || bytes.length > LARGEST_KEPT) bytes = Buffer.allocUnsafeSlow(BEGINNING)
      at = 0
    },
  }
}

/**
 * Reads what PostgreSQL says, cut however the network liked: calls with each whole message, its type, and where in
 * `bytes` what it says begins and ends.
 */
export function openAnswers(hear: (type: number, bytes: Buffer, from: number, end: number) => void): (data: Buffer) => void {
  let rest: Buffer | null = null
  return data => {
    const bytes = rest ? Buffer.concat([rest, data]) : data
    let at = 0
    while (bytes.length - at >= HEAD) {
      const end = at + 1 + bytes.readUInt32BE(at + 1)
      if (end > bytes.length) break
      hear(bytes[at]!, bytes, at + HEAD, end)
      at = end
    }
    rest = at < bytes.length ? bytes.subarray(at) : null
  }
}
