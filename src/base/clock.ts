import type { Log, Time } from '../context.ts'

/** How far the host's clock may be from the database's; beyond, a warning is logged until it is half of this. */
const SKEW_MS = 1000
/** The difference beyond which this process's clock has measured durations wrongly: see `steadySince`. */
const LEAP_MS = 1000
/** The share by which a clock that is ahead runs slower until the database's clock has caught up. */
const BRAKE = 0.1

const real = { host: Date.now, monotonic: () => performance.now() }
export type Sources = typeof real

/**
 * Opens the clock of the deployment. Every process follows the database's clock: the last time read from it, plus what
 * its own monotonic clock has counted since. The host's clock is only the first estimate, and later only compared.
 * This clock never goes backwards: if it is behind, it leaps; if ahead, it runs slower. Durations are correct unless
 * the database's clock leaps or this process stood still (a paused machine): `steadySince` returns the time since
 * which neither has happened.
 */
export function openClock(log: Log, { host, monotonic }: Sources = real) {
  /** The monotonic time of the last answer of the database, this clock's time then, and by how much it was ahead. */
  let [syncedAt, base, ahead] = [monotonic(), host(), 0]
  let [set, agrees, steady, skew, skewed] = [false, true, base, 0, false]
  let [latest, text] = [0, '']

  function milliseconds(): number {
    const passed = monotonic() - syncedAt
    return base + passed - Math.min(ahead, passed * BRAKE)
  }

  function adjust(database: number, asked: number): void {
    const at = monotonic()
    // The time is between that in the answer and that plus the query's duration: only a clock outside is wrong.
    const wrong = (clock: number) => (clock < database ? clock - database : Math.max(0, clock - database - (at - asked)))
    const ours = milliseconds()
    const off = wrong(ours)
    compare(wrong(host()))
    syncedAt = at
    base = off < 0 || !set ? ours - off : ours
    ahead = set && off > 0 ? off : 0
    if (set) judge(off)
    else [set, steady, latest] = [true, base, 0]
  }

  function judge(off: number): void {
    const agreed = agrees
    const leapt = off < -LEAP_MS
    agrees = off <= LEAP_MS
    if (leapt || (agrees && !agreed)) steady = base
    if (leapt || (agreed && !agrees))
      log.warn({ ahead_ms: Math.round(off) }, 'the clocks of this process and the database differ: operations in progress get more time')
  }

  function compare(now: number): void {
    skew = Math.round(now)
    if (Math.abs(skew) > (skewed ? SKEW_MS / 2 : SKEW_MS) === skewed) return
    skewed = !skewed
    if (skewed) log.warn({ ahead_ms: skew }, "the host's clock differs from the database's clock, which is authoritative")
    else log.info({ ahead_ms: skew }, "the host's clock agrees with the database's again")
  }

  return {
    /** Returns the current time. Its text is made once per millisecond. */
    now(): Time {
      const now = Math.floor(milliseconds())
      if (now > latest) {
        latest = now
        text = new Date(now).toISOString()
      }
      return text
    },
    /** The time since which durations are correct: now, while this clock is too far ahead of the database's. */
    steadySince: (): Time => new Date(agrees ? steady : milliseconds()).toISOString(),
    /** Runs a database query, and sets this clock by the `clock` in its answer (milliseconds since 1970). */
    async setBy<T extends { clock: number }>(question: () => Promise<T>): Promise<T> {
      const asked = monotonic()
      const answer = await question()
      adjust(answer.clock, asked)
      return answer
    },
    /** Returns by how many milliseconds the host's clock was ahead of the database's at the last comparison. */
    skew: (): number => skew,
    /** Returns the milliseconds of the monotonic clock, which cannot be set. */
    monotonic,
  }
}

export type Clock = ReturnType<typeof openClock>
