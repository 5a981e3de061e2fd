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
  const base = { process: `${hostname()}:${process.pid}` }
  const log = pino({ level, base, serializers: { err }, timestamp: () => `,"time":"${isoNow()}"` }, lines)
  const begins = `{"level":${pino.levels.values.info},"time":"`
  const goesOn = `",${JSON.stringify(base).slice(1, -1)},`
  return {
    warn: (facts, words) => log.warn(facts, words),
    error: (facts, words) => log.error(facts, words),
    /**
     * The same line as pino's, of facts that are plain JSON: two are written for each payment, and pino puts one
     * together from some sixty texts, where `JSON.stringify` makes one.
     */
    info(facts, words) {
      if (!log.isLevelEnabled('info')) return
      const members = JSON.stringify(facts)
      const comma = members === '{}' ? '' : ','
      lines.write(`${begins}${isoNow()}${goesOn}${members.slice(1, -1)}${comma}"msg":${JSON.stringify(words)}}\n`)
    },
  }
}

/** Under load many lines are written in one millisecond. */
let latest = { at: 0, text: '' }
function isoNow(): string {
  const at = Date.now()
  if (at !== latest.at) latest = { at, text: new Date(at).toISOString() }
  return latest.text
}

/**
 * An object by the name that the interface has for it: a line of the log about a payment has its `payment_id`, of a
 * payout its `payout_id`.
 */
export const namesOf = ({ kind, object_id }: { kind?: unknown; object_id?: unknown }): Record<string, unknown> =>
  typeof kind === 'string' && typeof object_id === 'string' ? { [`${kind}_id`]: object_id } : {}
