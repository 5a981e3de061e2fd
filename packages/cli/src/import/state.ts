import { createHmac, randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs'
import { Mistake } from '../settings.ts'
import { withoutNumbers } from './checks.ts'
import type { Problem, Wanted } from './line.ts'

/**
 * What became of a line. `saved`: the card is kept (again, if it was before); `exists`: the customer was there, with
 * other details, and stays as they were; `done`: an earlier run did it.
 */
export type Result = 'created' | 'exists' | 'saved' | 'done' | 'valid' | 'refused'
export type Entry = { line: number; result: Result; customer_id?: string; id?: string; field?: string | null; error?: string }

/**
 * What a line asks for, as a word that says nothing of it to those who do not have the key: a card number could be
 * guessed from a plain digest.
 */
export const digestOf = (kind: string, wanted: Wanted, key: string): string =>
  createHmac('sha256', key)
    .update(JSON.stringify([kind, wanted]))
    .digest('base64url')

export const stateFile = (report: string): string => `${report}.state`

const open = (path: string, flags: string): number => {
  try {
    return openSync(path, flags, 0o600)
  } catch (error) {
    throw new Mistake(`${path} cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}

const RUN = /^import [\w-]{16}$/

/** What the state file says: the name of this import, and the digests of lines that are done. */
function readState(file: string): { name: string; done: Set<string> } {
  if (!existsSync(file)) throw new Mistake(`there is nothing to go on with: ${file} is not there`)
  // A last line that was cut is no digest of a line, and is not found.
  const [name = '', ...done] = readFileSync(file, 'utf8').split('\n')
  if (!RUN.test(name)) throw new Mistake(`${file} is no state of an import`)
  return { name, done: new Set(done) }
}

/**
 * The report, and beside it the lines that are done, so that an import that was cut goes on. A line is noted as done
 * after it is answered and reported: one that was cut in between is sent again under the same Idempotency-Key. An
 * import that begins anew has a name of its own and with it other keys: it is not answered with what an earlier one
 * made and what was deleted since.
 */
export function openReport(path: string, { resume, dryRun }: { resume: boolean; dryRun: boolean }) {
  const file = stateFile(path)
  // A dry run replaces what an earlier one said, and never what an import did.
  const isThere = existsSync(file) || (existsSync(path) && !dryRun)
  if (isThere && !resume) throw new Mistake(`${path} is there already: --resume goes on with it, --report names another`)
  const { name, done } = resume ? readState(file) : { name: `import ${randomBytes(12).toString('base64url')}`, done: new Set<string>() }
  const report = open(path, dryRun ? 'w' : 'a')
  const noted = dryRun ? null : open(file, 'a')
  if (noted !== null) writeSync(noted, resume ? '\n' : `${name}\n`)
  return {
    isDone: (digest: string) => done.has(digest),
    /** From which the Idempotency-Keys of a line follow. */
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

/** The words of a problem for a report. */
export const entryOf = (line: number, { field, message }: Problem, customer_id?: string): Entry => ({
  line,
  result: 'refused',
  ...(customer_id !== undefined && { customer_id }),
  field,
  error: message,
})
