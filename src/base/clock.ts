import type { Log, Time } from '../context.ts'

/**
 * A host whose clock differs by more from the database's is talked about, until it differs by less than half of that.
 */
const SKEW_MS = 1000
/** If ours differs by more, it was wrong about how much time had passed: see `steadySince`. */
const LEAP_MS = 1000
/** By how much a clock that is ahead goes slower, until the others have caught up. */
const BRAKE = 0.1

const real = { host: Date.now, monotonic: () => performance.now() }
export type Sources = typeof real

/**
 * The clock of the deployment. Every process goes by the database's clock, as it last heard of it, carried on by its
 * own monotonic clock. The host's clock is only a first guess; afterwards it is only compared, and setting it changes
 * nothing here.
 *
 * It never goes backwards: if it is behind it leaps, if it is ahead it goes slower. Durations between its times are
 * right unless the database's clock leaps, or ours stood still (a machine that was paused); `steadySince` tells since
 * when that has not happened.
 */
export function openClock(log: Log, { host, monotonic }: Sources = real) {
  /** When the database was last heard, our time then, and by how much that was ahead. */
  let [heard, base, ahead] = [monotonic(), host(), 0]
  let [set, agrees, steady, skew, skewed] = [false, true, base, 0, false]
  let [told, text] = [0, '']

  function milliseconds(): number {
    const passed = monotonic() - heard
    return base + passed - Math.min(ahead, passed * BRAKE)
  }

  function hear(database: number, asked: number): void {
    const at = monotonic()
    // It is now as late as the database said, at least, and later by as much as the question took, at most. Only what
    // lies outside of that is certainly wrong.
    const wrong = (clock: number) => (clock < database ? clock - database : Math.max(0, clock - database - (at - asked)))
    const ours = milliseconds()
    const off = wrong(ours)
    compare(wrong(host()))
    heard = at
    base = off < 0 || !set ? ours - off : ours
    ahead = set && off > 0 ? off : 0
    if (set) judge(off)
    else [set, steady, told] = [true, base, 0]
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
    /** The time, written out once a millisecond. */
    now(): Time {
      const now = Math.floor(milliseconds())
      if (now > told) {
        told = now
        text = new Date(now).toISOString()
      }
      return text
    },
    /** Since when durations are right; now, while our clock is too far ahead of the database's. */
    steadySince: (): Time => new Date(agrees ? steady : milliseconds()).toISOString(),
    /** Asks the database something, and sets itself by the `clock` in the answer (milliseconds since 1970). */
    async setBy<T extends { clock: number }>(question: () => Promise<T>): Promise<T> {
      const asked = monotonic()
      const answer = await question()
      hear(answer.clock, asked)
      return answer
    },
    /** By how many milliseconds the host's clock was last seen ahead of the database's. */
    skew: (): number => skew,
    /** Milliseconds of a clock that cannot be set. */
    monotonic,
  }
}

export type Clock = ReturnType<typeof openClock>
