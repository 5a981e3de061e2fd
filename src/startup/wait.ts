import type { Patience } from '../scheduler/tries.ts'

/** By the process's own timer; ends early when the signal is given. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

export const openPatience: Patience = milliseconds => onTimeout => {
  const timer = setTimeout(onTimeout, milliseconds)
  return () => clearTimeout(timer)
}

/** The number of slices of a wait; a slice during which the process stood still is waited for again. */
const SLICES = 4
/** How late a timer may be. A later one proves that the process stood still. */
const LATE_MS = 1000

/** Calls after so long awake: standstill (suspended, debugged) is no fault of the work. `monotonic`: ms. */
export const openAwakePatience =
  (monotonic: () => number): Patience =>
  milliseconds =>
  onTimeout => {
    const slice = milliseconds / SLICES
    let left = SLICES
    let timer: NodeJS.Timeout
    const begin = () => {
      const begun = monotonic()
      timer = setTimeout(() => {
        if (monotonic() - begun <= slice + LATE_MS) left--
        if (left > 0) begin()
        else onTimeout()
      }, slice)
    }
    begin()
    return () => clearTimeout(timer)
  }
