import { createHmac, randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs'
import { Mistake } from '../settings.ts'
import { withoutNumbers } from './checks.ts'
import type { Problem, Wanted } from './line.ts'

/**
 * The result of a line. `saved`: the card is stored (again, if it was stored before). `exists`: the customer exists
 * with other details and is not changed. `done`: an earlier run imported the line.
 */
export type Result = 'created' | 'exists' | 'saved' | 'done' | 'valid' | 'refused'
export type Entry = { line: number; result: Result; customer_id?: string; id?: string; field?: string | null; error?: string }

/**
 * Returns a digest of the request for a line, keyed with the API key. A card number could be guessed from a plain
 * digest.
 */
export const digestOf = (kind: string, wanted: Wanted, key: string): string =>
  createHmac('sha256', key)
    .update(JSON.stringify([kind, wanted]))
    .digest('base64url')

const stateFile = (report: string): string => `${report}.state`

const open = (path: string, flags: string): number => {
  try {
    return openSync(path, flags, 0o600)
  } catch (error) {
    throw new Mistake(`${path} cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}

const RUN = /^import [\w-]{16}$/

/** Reads a state file: the name of the import, and the digests of the lines that are done. */
function readState(file: string): { name: string; done: Set<string> } {
  if (!existsSync(file)) throw new Mistake(`there is nothing to go on with: ${file} is not there`)
  // An incomplete last line matches no digest.
  const [name = '', ...done] = readFileSync(file, 'utf8').split('\n')
  if (!RUN.test(name)) throw new Mistake(`${file} is no state of an import`)
  return { name, done: new Set(done) }
}

/**
 * Opens the report and the state file beside it. The state file lists the lines that are done, so that an interrupted
 * import can be resumed. A line is added after it is answered and reported; a line that was interrupted in between is
 * sent again with the same Idempotency-Key. A new import has a new name and so other keys, because the same keys would
 * return the answers of an earlier import whose objects may have been deleted since.
 */
export function openReport(path: string, { resume, dryRun }: { resume: boolean; dryRun: boolean }) {
  const file = stateFile(path)
  // A dry run replaces the report of an earlier dry run, and never the report of an import.
  const isThere = existsSync(file) || (existsSync(path) && !dryRun)
  if (isThere && !resume) throw new Mistake(`${path} is there already: --resume goes on with it, --report names another`)
  const { name, done } = resume ? readState(file) : { name: `import ${randomBytes(12).toString('base64url')}`, done: new Set<string>() }
  const report = open(path, dryRun ? 'w' : 'a')
  const noted = dryRun ? null : open(file, 'a')
  if (noted !== null) writeSync(noted, resume ? '\n' : `${name}\n`)
  return {
    isDone: (digest: string) => done.has(digest),
    /** Returns the base of a line's Idempotency-Keys. */
    keyOf: (digest: string) => `${name.replace(' ', '-')}-${digest}`,
    write(entry: Entry, digest: string | null) {
      writeSync(report, `${withoutNumbers(JSON.stringify(entry))}\n`)
      if (noted === null || digest === null) return
      writeSync(noted, `${digest}\n`)
      done.add(digest)
    },
    close() {
      closeSync(report)
      if (noted !== null) closeSync(noted)
    },
  }
}
export type Report = ReturnType<typeof openReport>

/** Returns the entry of a problem for the report. */
export const entryOf = (line: number, { field, message }: Problem, customer_id?: string): Entry => ({
  line,
  result: 'refused',
  ...(customer_id !== undefined && { customer_id }),
  field,
  error: message,
})
