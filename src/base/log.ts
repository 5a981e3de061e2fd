import { hostname } from 'node:os'
import pino from 'pino'
import sonic from 'sonic-boom'
import type { Log } from '../context.ts'
import { withoutCardNumbers } from './card-number.ts'

/** In characters, for a slow reader or a full disk. Further lines are lost, so that the service goes on. */
const LARGEST_BACKLOG = 16_000_000

/** The size of a block of log lines in characters, and the longest time that lines wait for a block to fill. */
const BLOCK = 12_000
const AT_THE_LATEST_MS = 250

/** A destination of log lines, each including its line break. */
export type Lines = { write(lines: string): void }

/**
 * Opens standard output for log lines. Lines are written in blocks, and after a quarter of a second at the latest.
 * `cutOff` is called once when the reader of the output is gone.
 *
 * `pino.destination` is not used, because at exit its older writer endlessly repeats a write that a broken pipe
 * refused, and the process never ends. `sonic-boom` does not gather the lines, because it makes one flat text of its
 * whole buffer, 8 kB, for every line it receives.
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

/** Opens the log of this process, as lines of JSON, on standard output unless `lines` is given. */
export function openLog(level: 'debug' | 'info' | 'warn' | 'error', lines: Lines = openLines()): Log {
  // Errors of the database driver contain rows in `detail`. Only name, message, code and stack are logged.
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
    warn: (facts, message) => log.warn(facts, message),
    error: (facts, message) => log.error(facts, message),
    /** The same line as pino for plain JSON, twice a payment: pino joins sixty strings, `JSON.stringify` makes one. */
    info(facts, message) {
      if (!log.isLevelEnabled('info')) return
      const members = JSON.stringify(facts)
      const comma = members === '{}' ? '' : ','
      lines.write(`${begins}${isoNow()}${goesOn}${members.slice(1, -1)}${comma}"msg":${JSON.stringify(message)}}\n`)
    },
  }
}

/** The latest time and its text, cached because under load many lines are written within one millisecond. */
let latest = { at: 0, text: '' }
function isoNow(): string {
  const at = Date.now()
  if (at !== latest.at) latest = { at, text: new Date(at).toISOString() }
  return latest.text
}

/** Under the API's name: a line about a payment has its `payment_id`, one about a payout its `payout_id`. */
export const namesOf = ({ kind, object_id }: { kind?: unknown; object_id?: unknown }): Record<string, unknown> =>
  typeof kind === 'string' && typeof object_id === 'string' ? { [`${kind}_id`]: object_id } : {}
