/** Waits for `ms` milliseconds, or until the signal aborts. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { once: true })
    function end() {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
  })
