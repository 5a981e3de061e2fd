import { hostname } from 'node:os'
import pino from 'pino'
import sonic from 'sonic-boom'
import type { Log } from '../context.ts'
import { withoutCardNumbers } from './card-number.ts'

/**
 * More than this is not kept for a reader that does not keep up, or a disk that is full: later lines are lost, the
 * service is not.
 */
const LARGEST_BACKLOG = 16_000_000

/** Lines are gathered until there is so much of them, or for so long. */
const BLOCK = 12_000
const AT_THE_LATEST_MS = 250

/** Where whole lines go, each with its end. */
export type Lines = { write(lines: string): void }

/**
 * Standard output: lines are written in blocks, and at the latest after a quarter of a second. `cutOff` is called
 * once when its reader is gone.
 *
 * Not `pino.destination`: at exit its older writer repeats a write that a broken pipe refused, for ever, and the
 * process never ends. Nor are lines gathered by `sonic-boom`: it makes one flat text of all that it has for every
 * line that it is given, 8 kB each.
 */
export function openLines(cutOff: () => void = () => {}): Lines {
  const out = new sonic.SonicBoom({ fd: 1, minLength: BLOCK, maxLength: LARGEST_BACKLOG })
  let read = true
  let gathered = ''
  const pass = () => {
    if (read && gathered !== '') out.write(gathered)
    gathered = ''
  }
  const late = () => {
    pass()
    if (read) out.flush()
  }
  setInterval(late, AT_THE_LATEST_MS).unref()
  out.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' || !read) return
    read = false
    out.destroy()
    cutOff()
  })
  process.on('exit', () => {
    try {
      pass()
      if (read) out.flushSync()
    } catch {
      // The reader is gone, or the disk is full: the log ends here.
    }
  })
  return {
    write(lines) {
      gathered += lines
      if (gathered.length >= BLOCK) pass()
    },
  }
}

/** The log of this process, as lines of JSON: on standard output unless said otherwise. */
export function openLog(level: 'debug' | 'info' | 'warn' | 'error', lines: Lines = openLines()): Log {
  // Errors of the driver carry rows in `detail`; only name, message, code and stack are let out.
  const err = ({ name, message, code, stack }: Error & { code?: string }) => ({
    type: name,
    message: withoutCardNumbers(message),
    code,
    stack: stack && withoutCardNumbers(stack),
  })
  return pino(
    { level, base: { process: `${hostname()}:${process.pid}` }, serializers: { err }, timestamp: pino.stdTimeFunctions.isoTime },
    lines,
  )
}

/**
 * An object by the name that the interface has for it: a line of the log about a payment has its `payment_id`, of a
 * payout its `payout_id`.
 */
export const namesOf = ({ kind, object_id }: { kind?: unknown; object_id?: unknown }): Record<string, unknown> =>
  typeof kind === 'string' && typeof object_id === 'string' ? { [`${kind}_id`]: object_id } : {}
