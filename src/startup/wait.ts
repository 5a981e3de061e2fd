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
