import type { Settings } from '../accounts/settings.ts'
import type { Clock } from '../base/clock.ts'
import { between } from '../base/time.ts'
import type { Context, Files, Time } from '../context.ts'
import { statement } from '../database/statement.ts'
import { whyNotWritten } from '../database/write-probe.ts'
import type { Readiness } from '../http/endpoint.ts'
import { wait } from './wait.ts'
import type { Worker } from './worker.ts'

const one = statement('ready', 'select 1 from settings_version')

/** Due rows and settings unread for so long are late: longer than it takes to drop a silent connection. */
const LATE_MS = 8_000
/** How long a readiness check waits for the database. */
const READY_WITHIN_MS = 2_000
/** How long a write that succeeded counts for the readiness. */
const PROBE_EVERY_MS = 1_000

type Parts = { context: Context; files: Files; settings: Settings; worker: Worker; clock: Clock }

export function openReadiness({ context, files, settings, worker, clock }: Parts, late_ms = LATE_MS): () => Promise<Readiness> {
  const isTrue = (answer: Promise<boolean>) => answer.catch(() => false)
  let wrote: Time | null = null
  /** Whether the database can write. Callers without a key ask this, so it is tried once a second at most. */
  async function canWrite(): Promise<boolean> {
    const now = context.now()
    if (wrote !== null && between(wrote, now) < PROBE_EVERY_MS) return true
    const why = await whyNotWritten(context)
    if (why !== null) context.log.error({ why }, 'the database cannot write')
    wrote = why === null ? now : null
    return why === null
  }
  return async () => {
    const answered = new AbortController()
    const there = isTrue(context.query(one, []).then(async rows => rows.length === 1 && (await canWrite())))
    const kept = isTrue(files.tried().then(() => true))
    const inTime = (answer: Promise<boolean>) => Promise.race([answer, wait(READY_WITHIN_MS, answered.signal).then(() => false)])
    const [database, canKeep] = await Promise.all([inTime(there), inTime(kept)])
    answered.abort()
    return {
      database,
      files: canKeep,
      alarms: worker.lookedAgo() <= late_ms,
      settings: settings.lookedAgo() <= late_ms,
      clock_skew_ms: clock.skew(),
    }
  }
}
