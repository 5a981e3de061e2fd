// A log file that cannot fill the disk: when the file is full it becomes `<name>.1` and replaces the previous one.
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
        // A full disk must not end the service because of its log.
      }
    },
    close() {
      if (fd !== -1) closeSync(fd)
      fd = -1 // later output is lost; it must not go to another file with the same descriptor
    },
  }
}

/** Cuts a stream into lines and keeps the last ones, to tell an operator why a process ended. */
export function lastLines(keep: number): { receive(chunk: string): string[]; all(): string[] } {
  const lines: string[] = []
  let rest = ''
  return {
    receive(chunk) {
      const whole = (rest + chunk).split('\n')
      rest = whole.pop()!.slice(0, 100_000)
      lines.push(...whole)
      lines.splice(0, lines.length - keep)
      return whole
    },
    all: () => (rest === '' ? [...lines] : [...lines, rest]),
  }
}
