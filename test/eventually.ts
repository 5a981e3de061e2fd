import { ok } from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'

/** Waits until a condition holds; fails if that takes longer than `seconds`. */
export async function eventually(isSo: () => Promise<boolean>, description: string, seconds = 10): Promise<void> {
  const until = performance.now() + seconds * 1000
  while (!(await isSo())) {
    ok(performance.now() < until, `${description}: still not so`)
    await pause(10)
  }
}
