import type { Context } from '../context.ts'

/** How often a process is asked whether it still runs, and how often in a row it may fail to answer in that time. */
const ASKED_EVERY_MS = 5_000
const MOST_SILENT = 3

/**
 * Asks a process again and again whether its event loop still turns, until `signal` is given; `silent` is called once
 * the process has not answered for 30 seconds: a check at the port that it shares with others would not notice. A
 * machine that stood still for minutes counts as one missed answer, not many.
 */
export async function watch(
  ask: (within_ms: number) => Promise<unknown>,
  wait: Context['wait'],
  signal: AbortSignal,
  silent: () => void,
): Promise<void> {
  for (let missed = 0; !signal.aborted; ) {
    await wait(ASKED_EVERY_MS, signal)
    if (signal.aborted) return
    missed = (await ask(ASKED_EVERY_MS)) === null ? missed + 1 : 0
    if (missed < MOST_SILENT) continue
    if (!signal.aborted) silent()
    return
  }
}
