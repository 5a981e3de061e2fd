// Stores a small JSON file atomically: after a crash the file has either the old or the new content. Only the file's
// owner may read it.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { Misconfigured } from '../src/base/misconfigured.ts'

export function readKept<T>(path: string): Partial<T> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
  try {
    const kept = JSON.parse(text) as Partial<T>
    if (typeof kept === 'object' && kept !== null) return kept
  } catch {
    // The error is thrown below.
  }
  throw new Misconfigured(`${path} is not valid JSON. Correct it, or delete it to create it again.`)
}

export function keep(path: string, value: unknown): void {
  const draft = `${path}.${process.pid}`
  const fd = openSync(draft, 'w', 0o600)
  writeSync(fd, `${JSON.stringify(value, null, 2)}\n`)
  fsyncSync(fd)
  closeSync(fd)
  renameSync(draft, path)
}
