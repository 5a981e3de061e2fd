import type { Patience } from '../scheduler/tries.ts'

/** Waits so long by the process's own timer; ends early when the signal is given. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Rings after so many milliseconds, unless that is called off. */
export const openPatience: Patience = milliseconds => ring => {
  const timer = setTimeout(ring, milliseconds)
  return () => clearTimeout(timer)
}

/** The parts of a wait; of one in which the process stood still only that part is waited for again. */
const SLICES = 4
/** A timer that rings later than this tells that its process stood still. */
const LATE_MS = 1000

/**
 * Rings after so many milliseconds in which the process was awake: minutes in which it stood still (a suspended
 * machine, a debugger) are no fault of the work that is waited for. `monotonic`: milliseconds.
 */
export const openAwakePatience =
  (monotonic: () => number): Patience =>
  milliseconds =>
  ring => {
    const slice = milliseconds / SLICES
    let left = SLICES
    let timer: NodeJS.Timeout
    const begin = () => {
      const begun = monotonic()
      timer = setTimeout(() => {
        if (monotonic() - begun <= slice + LATE_MS) left--
        if (left > 0) begin()
        else ring()
      }, slice)
    }
    begin()
    return () => clearTimeout(timer)
  }
