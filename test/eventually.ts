import { ok } from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Waits until a condition holds; fails if that takes longer than `seconds`, which is long because the machine may be
 * busy.
 */
export async function eventually(isSo: () => Promise<boolean>, description: string, seconds = 60): Promise<void> {
  const until = performance.now() + seconds * 1000
  while (!(await isSo())) {
    ok(performance.now() < until, `${description}: still not so`)
    await pause(10)
  }
}
