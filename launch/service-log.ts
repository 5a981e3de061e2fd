// The service speaks JSON, a line at a time. A file takes it all; a person at the terminal is shown what went wrong,
// in a readable line.
import { type LogFile, lastLines } from './log-file.ts'

const levels: Record<number, string> = { 40: 'warning', 50: 'error', 60: 'fatal' }

export type Listener = {
  hear(chunk: Buffer, from: 'stdout' | 'stderr'): void
  /**
   * Why it could not start, if it said so in its sentence for that; it is kept for the message of the end, not shown.
   */
  refusal(): string | null
  /** Has it said that it is ready? (In a line that it writes only if its LOG_LEVEL lets it.) */
  isReady(): boolean
  lastWords(): string[]
}

const cannot = 'switchyard cannot start: '

/** `raw` gets everything as it is (LOG=stdout) instead of the file. */
export function listen(file: LogFile | null, show: (line: string) => void, raw?: (chunk: Buffer) => void): Listener {
  const heard = { stdout: lastLines(5), stderr: lastLines(5) }
  let shown = 0
  let refusal: string | null = null
  let ready = false
  return {
    hear(chunk, from) {
      if (raw !== undefined && from === 'stdout') raw(chunk)
      else file?.write(chunk)
      const lines = heard[from].hear(chunk.toString('utf8'))
      ready ||= lines.some(line => line.includes('"msg":"ready"'))
      if (raw !== undefined && from === 'stdout') return
      for (const line of lines) {
        const said = from === 'stderr' ? line : trouble(line)
        if (said === null) continue
        if (from === 'stderr' && said.startsWith(cannot)) {
          refusal = said.slice(cannot.length)
          continue
        }
        shown++
        show(said)
      }
    },
    refusal: () => refusal,
    isReady: () => ready,
    // What was shown already need not be repeated.
    lastWords: () =>
      shown > 0 ? [] : [...heard.stdout.all(), ...heard.stderr.all()].filter(line => line !== '').map(line => trouble(line, 0) ?? line),
  }
}

/** A line of pino's as a person reads it, null if it is less than a warning. Most lines are, so they are not parsed. */
export function trouble(line: string, from = 40): string | null {
  if (from > 0 && !/"level":[456]\d/.test(line)) return null
  try {
    const { level, time, msg, err } = JSON.parse(line) as {
      level: number
      time?: number
      msg?: string
      err?: { message?: string; stack?: string }
    }
    if (!(level >= from)) return null
    const clock = new Date(time ?? Date.now()).toISOString().slice(11, 19)
    const why = err?.message && err.message !== msg ? `: ${err.message}` : ''
    return `${clock} ${levels[level] ?? 'note'}: ${msg ?? ''}${why}`
  } catch {
    return from > 0 ? null : line
  }
}
