import type { Socket } from 'node:net'
import type { Statement } from '../context.ts'

const MESSAGE = { bind: 0x42, close: 0x43, execute: 0x45, parse: 0x50, sync: 0x53, terminate: 0x58 } as const
/** The type of a closed object: a statement, not a portal. */
const STATEMENT = 0x53
/** The size of a message's head, its type and its length, in bytes. */
const HEAD = 5

const BEGINNING = 64 * 1024
const LARGEST_KEPT = 1024 * 1024
/** Texts up to this length are copied a character at a time; a call of Node costs more than a dozen of them. */
const SHORT = 24

function writeInt32(bytes: Buffer, value: number, where: number): void {
  bytes[where] = value >>> 24
  bytes[where + 1] = value >>> 16
  bytes[where + 2] = value >>> 8
  bytes[where + 3] = value
}

/** Writes a text, for which the buffer has room, and returns the place behind it. */
function writeText(bytes: Buffer, value: string, where: number): number {
  const { length } = value
  if (length > SHORT) return where + bytes.write(value, where)
  for (let i = 0; i < length; i++) {
    const code = value.charCodeAt(i)
    if (code > 0x7f) return where + bytes.write(value, where)
    bytes[where + i] = code
  }
  return where + length
}

/** Writes messages into one buffer, used again once the system took its bytes. A message is `begin` … `end`. */
function openBytes() {
  let bytes = Buffer.allocUnsafeSlow(BEGINNING)
  let at = 0

  function room(more: number): void {
    if (at + more <= bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(bytes.length * 2, at + more))
    bytes.copy(larger, 0, 0, at)
    bytes = larger
  }

  return {
    /** Begins a message; returns the place of its length. */
    begin(type: number): number {
      room(HEAD)
      bytes[at] = type
      at += HEAD
      return at - 4
    },
    end: (length: number): void => writeInt32(bytes, at - length, length),
    int8(value: number): void {
      room(1)
      bytes[at++] = value
    },
    int16(value: number): void {
      room(2)
      bytes[at++] = value >>> 8
      bytes[at++] = value
    },
    int32(value: number): void {
      room(4)
      writeInt32(bytes, value, at)
      at += 4
    },
    /** Writes a text with a zero behind it. */
    zeroEnded(value: string): void {
      room(value.length * 3 + 1)
      at = writeText(bytes, value, at)
      bytes[at++] = 0
    },
    /** Writes a text behind its length. */
    text(value: string): void {
      room(4 + value.length * 3)
      const length = at
      at = writeText(bytes, value, at + 4)
      writeInt32(bytes, at - length - 4, length)
    },
    /** Writes bytes behind their length. */
    buffer(value: Buffer): void {
      room(4 + value.length)
      writeInt32(bytes, value.length, at)
      at += 4 + value.copy(bytes, at + 4)
    },
    /** The number of bytes since the last sending. */
    written: (): number => at,
    /** Discards everything behind the first `kept` bytes. */
    forget(kept = 0): void {
      at = kept
    },
    sendTo(socket: Socket): void {
      socket.write(bytes.subarray(0, at))
      if (socket.writableLength > 0 || bytes.length > LARGEST_KEPT) bytes = Buffer.allocUnsafeSlow(BEGINNING)
      at = 0
    },
  }
}

/** Opens a writer of messages to PostgreSQL. https://www.postgresql.org/docs/current/protocol-message-formats.html */
export function openMessages() {
  const out = openBytes()

  function message(type: number, body: () => void): void {
    const length = out.begin(type)
    body()
    out.end(length)
  }

  /** Writes a parameter: its length and its bytes, in text form except for bytes. */
  function parameter(value: unknown): void {
    if (typeof value === 'string') out.text(value)
    else if (value === null || value === undefined) out.int32(-1)
    else if (typeof value === 'number' || typeof value === 'boolean') out.text(String(value))
    else if (Buffer.isBuffer(value)) out.buffer(value)
    else throw new TypeError(`a parameter cannot be a ${typeof value}`)
  }

  function formats(values: readonly unknown[]): void {
    for (let i = 0; i < values.length; i++) out.int16(Buffer.isBuffer(values[i]) ? 1 : 0)
  }

  function parameters(values: readonly unknown[]): void {
    for (let i = 0; i < values.length; i++) parameter(values[i])
  }

  return {
    written: out.written,
    forget: out.forget,
    sendTo: out.sendTo,
    parse: (statement: Statement) =>
      message(MESSAGE.parse, () => {
        out.zeroEnded(statement.name)
        out.zeroEnded(statement.text)
        out.int16(0)
      }),
    /** Closes a prepared statement. PostgreSQL reports no error if it does not exist. */
    close: (name: string) =>
      message(MESSAGE.close, () => {
        out.int8(STATEMENT)
        out.zeroEnded(name)
      }),
    /** Writes Bind and Execute of the unnamed portal. `and`: values of further changes, as many for each. */
    run(name: string, values: readonly unknown[], and: readonly { values: readonly unknown[] }[] = []): void {
      // Written without closures and iterators: a hundred values a payment pass here.
      const bind = out.begin(MESSAGE.bind)
      out.zeroEnded('')
      out.zeroEnded(name)
      const count = values.length * (1 + and.length)
      out.int16(count)
      formats(values)
      for (let i = 0; i < and.length; i++) formats(and[i]!.values)
      out.int16(count)
      parameters(values)
      for (let i = 0; i < and.length; i++) parameters(and[i]!.values)
      out.int16(0)
      out.end(bind)
      const execute = out.begin(MESSAGE.execute)
      out.zeroEnded('')
      out.int32(0)
      out.end(execute)
    },
    sync: () => message(MESSAGE.sync, () => {}),
    terminate: () => message(MESSAGE.terminate, () => {}),
  }
}

/** Reads PostgreSQL's bytes, however cut. `receive`: a message's type, and where in `bytes` its body lies. */
export function openAnswers(receive: (type: number, bytes: Buffer, from: number, end: number) => void): (data: Buffer) => void {
  let rest: Buffer | null = null
  return data => {
    const bytes = rest ? Buffer.concat([rest, data]) : data
    let at = 0
    while (bytes.length - at >= HEAD) {
      const end = at + 1 + bytes.readUInt32BE(at + 1)
      if (end > bytes.length) break
      receive(bytes[at]!, bytes, at + HEAD, end)
      at = end
    }
    rest = at < bytes.length ? bytes.subarray(at) : null
  }
}
