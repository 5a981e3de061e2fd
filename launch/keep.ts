// A small JSON file that is either the old one or the new one, whatever dies in between, and that only its owner may read.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'

export function readKept<T>(path: string): Partial<T> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
  try {
    return JSON.parse(text) as Partial<T>
  } catch {
    throw new Error(`${path} is not JSON any more; mend it, or delete it to have it made anew`)
  }
}

export function keep(path: string, value: unknown): void {
  const draft = `${path}.${process.pid}`
  const fd = openSync(draft, 'w', 0o600)
  writeSync(fd, `${JSON.stringify(value, null, 2)}\n`)
  fsyncSync(fd)
  closeSync(fd)
  renameSync(draft, path)
}
