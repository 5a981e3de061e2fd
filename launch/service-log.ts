// Reads the service's log, one JSON object for each line. A file stores all lines; a person at the terminal sees
// warnings and errors in readable form.
import { type LogFile, lastLines } from './log-file.ts'

const levels: Record<number, string> = { 40: 'warning', 50: 'error', 60: 'fatal' }

export type Listener = {
  receive(chunk: Buffer, from: 'stdout' | 'stderr'): void
  /**
   * Returns the reason why the service could not start, if its output contains one. The reason is part of the final
   * message, and is not shown before.
   */
  refusal(): string | null
  /** Whether the service has logged that it is ready. (The service logs this line only if its LOG_LEVEL allows it.) */
  isReady(): boolean
  lastOutput(): string[]
}

const cannot = 'switchyard cannot start: '

/** Returns a listener. `raw` receives all output unchanged (LOG=stdout) instead of the file. */
export function listen(file: LogFile | null, show: (line: string) => void, raw?: (chunk: Buffer) => void): Listener {
  const output = { stdout: lastLines(5), stderr: lastLines(5) }
  let shown = 0
  let refusal: string | null = null
  let ready = false
  return {
    receive(chunk, from) {
      if (raw !== undefined && from === 'stdout') raw(chunk)
      else file?.write(chunk)
      const lines = output[from].receive(chunk.toString('utf8'))
      ready ||= lines.some(line => line.includes('"msg":"ready"'))
      if (raw !== undefined && from === 'stdout') return
      for (const line of lines) {
        const message = from === 'stderr' ? line : trouble(line)
        if (message === null) continue
        if (from === 'stderr' && message.startsWith(cannot)) {
          refusal = message.slice(cannot.length)
          continue
        }
        shown++
        show(message)
      }
    },
    refusal: () => refusal,
    isReady: () => ready,
    // If lines were shown already, they are not repeated.
    lastOutput: () =>
      shown > 0 ? [] : [...output.stdout.all(), ...output.stderr.all()].filter(line => line !== '').map(line => trouble(line, 0) ?? line),
  }
}

/** Returns a line of pino in readable form, null if it is below a warning. Most lines are, so they are not parsed. */
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
