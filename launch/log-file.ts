// A log file that cannot fill the disk: when it is full it becomes `<name>.1`, and what was there before goes.
import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs'

export type LogFile = { write(chunk: Buffer | string): void; close(): void }

export function openLog(path: string, limit = 10_000_000): LogFile {
  let fd = openSync(path, 'a', 0o600)
  let size = fstatSync(fd).size
  return {
    write(chunk) {
      if (fd === -1) return
      try {
        if (size > limit) {
          closeSync(fd)
          renameSync(path, `${path}.1`)
          fd = openSync(path, 'a', 0o600)
          size = 0
        }
        size += writeSync(fd, chunk as string)
      } catch {
        // A full disk must not end the service for the sake of its log.
      }
    },
    close() {
      if (fd !== -1) closeSync(fd)
      fd = -1 // what comes later is lost, not written to a stranger's file
    },
  }
}

/**
 * Cuts a stream into lines and remembers the last ones, for the moment when an operator has to be told why it ended.
 */
export function lastLines(keep: number): { hear(chunk: string): string[]; all(): string[] } {
  const lines: string[] = []
  let rest = ''
  return {
    hear(chunk) {
      const whole = (rest + chunk).split('\n')
      rest = whole.pop()!.slice(0, 100_000)
      lines.push(...whole)
      lines.splice(0, lines.length - keep)
      return whole
    },
    all: () => (rest === '' ? [...lines] : [...lines, rest]),
  }
}
