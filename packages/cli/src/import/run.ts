import { statSync } from 'node:fs'
import type { Desk } from '../command.ts'
import { paint, plain } from '../output.ts'
import { Mistake } from '../settings.ts'
import { withoutNumbers } from './checks.ts'
import { type Accounts, type Line, type Problem, wantedOf } from './line.ts'
import { openReading, type Reading } from './read.ts'
import { refusalOf, sendLine } from './send.ts'
import { type Kind, type Source, shapes } from './shapes.ts'
import { digestOf, entryOf, openReport, type Report, type Result } from './state.ts'

export type ImportAsk = {
  kind: Kind
  source: Source
  file: string
  report: string
  dryRun: boolean
  resume: boolean
  concurrency: number
  accounts: Accounts
  signal: AbortSignal
}

export type Summary = { lines: number; report: string; is_complete: boolean; unused_columns: string[] } & Record<Result, number>

/** The number of refused lines that are printed on the terminal. The report has all of them. */
const MOST_PRINTED = 20
const DRAW_EVERY_MS = 200

function sizeOf(file: string): number {
  try {
    const stats = statSync(file)
    if (stats.isFile()) return stats.size
  } catch {}
  throw new Mistake(`there is no file ${file}`)
}

/** Draws the progress of the import in one line of the terminal. Draws nothing if the output is not a terminal. */
function openProgress({ screen }: Desk, summary: Summary, reading: Reading, size: number) {
  const isShown = process.stderr.isTTY === true && !screen.json
  let drawn = 0
  const draw = () => {
    const percent = size === 0 ? 100 : Math.floor((reading.bytes() / size) * 100)
    screen.err(`\r\u001b[K${summary.lines} lines read (${percent} %), ${summary.refused} refused`)
  }
  return {
    tick() {
      if (!isShown || Date.now() - drawn < DRAW_EVERY_MS) return
      drawn = Date.now()
      draw()
    },
    clear: () => isShown && screen.err('\r\u001b[K'),
  }
}

const empty = { created: 0, exists: 0, saved: 0, done: 0, valid: 0, refused: 0 } satisfies Record<Result, number>

/**
 * Imports a file: each line is checked, sent, and reported. At most `concurrency` lines are sent at once; reading
 * waits for them. An error that does not concern the line (the key, the service) ends the import. It is thrown after
 * the lines under way are answered.
 */
export async function runImport(desk: Desk, ask: ImportAsk): Promise<Summary> {
  const { kind, source, file, dryRun } = ask
  const size = sizeOf(file)
  const key = dryRun ? '' : (desk.profile.key ?? '')
  const client = dryRun ? null : desk.client()
  const isJson = kind === 'customers' && source !== 'csv' && /\.(json|jsonl|ndjson)$/i.test(file)
  const reading = openReading(file, size, { shape: shapes[source][kind], kind, isJson })
  const report = openReport(ask.report, ask)
  const summary: Summary = { lines: 0, ...empty, report: ask.report, is_complete: false, unused_columns: reading.unused }
  const progress = openProgress(desk, summary, reading, size)
  let failure: { error: unknown } | null = null

  const refuse = (line: number, problems: readonly Problem[], customer_id?: string) => {
    summary.refused++
    for (const problem of problems) report.write(entryOf(line, problem, customer_id), null)
    if (summary.refused > MOST_PRINTED || desk.screen.json) return
    progress.clear()
    for (const { message } of problems) desk.screen.err(`${paint(desk.screen, 'red', `line ${line}:`)} ${plain(withoutNumbers(message))}\n`)
    if (summary.refused === MOST_PRINTED) desk.screen.err(`… the others are in ${ask.report}\n`)
  }

  async function handle({ line, ...rest }: Line): Promise<void> {
    const wanted = wantedOf(kind, source, { line, ...rest }, ask.accounts, Date.now())
    if (Array.isArray(wanted)) return refuse(line, wanted)
    const { customer_id } = wanted
    if (client === null) return count(report, summary, { line, result: 'valid', customer_id }, null)
    const digest = digestOf(kind, wanted, key)
    if (report.isDone(digest)) {
      summary.done++
      return
    }
    try {
      const { result, id } = await sendLine(client, wanted, report.keyOf(digest), ask.signal)
      count(report, summary, { line, result, customer_id, id }, digest)
    } catch (error) {
      const problem = refusalOf(error, kind, source)
      if (problem === null) throw error
      refuse(line, [problem], customer_id)
    }
  }

  const running = new Set<Promise<void>>()
  try {
    for await (const line of reading.lines) {
      if (failure || ask.signal.aborted) break
      summary.lines++
      progress.tick()
      const work: Promise<void> = handle(line)
        .catch(error => {
          failure ??= { error }
        })
        .finally(() => running.delete(work))
      running.add(work)
      if (running.size >= ask.concurrency) await Promise.race(running)
    }
  } finally {
    await Promise.all(running)
    progress.clear()
    report.close()
  }
  if (ask.signal.aborted) return summary
  if (failure) throw (failure as { error: unknown }).error
  return { ...summary, is_complete: true }
}

function count(report: Report, summary: Summary, entry: Parameters<Report['write']>[0], digest: string | null): void {
  summary[entry.result]++
  report.write(entry, digest)
}
