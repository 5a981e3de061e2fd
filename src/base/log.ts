import { hostname } from 'node:os'
import pino from 'pino'
import sonic from 'sonic-boom'
import type { Log } from '../world.ts'
import { withoutCardNumbers } from './card-number.ts'

/** More than this is not kept for a reader that does not keep up, or a disk that is full: later lines are lost, the service is not. */
const LARGEST_BACKLOG = 16_000_000

/**
 * The log on standard output: lines are written in blocks (smaller than the 16 kB that it writes at once), and at the latest after a quarter of a second. `cutOff` is called once when nobody reads it any more.
 *
 * Not `pino.destination`: at exit its older writer repeats a write that a broken pipe refused, for ever, and the process never ends.
 */
export function openLog(level: 'debug' | 'info' | 'warn' | 'error', cutOff: () => void = () => {}): Log {
  const out = new sonic.SonicBoom({ fd: 1, minLength: 16_000, maxLength: LARGEST_BACKLOG, periodicFlush: 250 })
  let read = true
  out.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' || !read) return
    read = false
    out.destroy()
    cutOff()
  })
  process.on('exit', () => {
    try {
      if (read) out.flushSync()
    } catch {
      // Nobody reads it, or the disk is full: these were its last words.
    }
  })
  // Errors of the driver carry rows in `detail`; only name, message, code and stack are let out.
  const err = ({ name, message, code, stack }: Error & { code?: string }) => ({
    type: name,
    message: withoutCardNumbers(message),
    code,
    stack: stack && withoutCardNumbers(stack),
  })
  return pino(
    { level, base: { process: `${hostname()}:${process.pid}` }, serializers: { err }, timestamp: pino.stdTimeFunctions.isoTime },
    { write: line => void (read && out.write(line)) },
  )
}
