// Waits on a shared machine until other programs are idle, and repeats measurements that they disturbed.
import { setTimeout as wait } from 'node:timers/promises'
import { watchMachine } from './cpu.ts'
import type { Point } from './points.ts'

/** The load of other programs, in percent with 100 being one core, above which a point is not reliable. */
export const DISTURBED = 15

/**
 * Measures a point without disturbance. `patience`: the seconds that a point may take in addition; with 0 it is
 * measured once, even on a busy machine.
 */
export async function undisturbed(patience: number, measure: () => Promise<Point>): Promise<Point> {
  const until = performance.now() + patience * 1000
  for (;;) {
    while (performance.now() < until && (await busyPercent()) > DISTURBED) await wait(500)
    const point = await measure()
    if (point.others <= DISTURBED || performance.now() >= until) return point
  }
}

async function busyPercent(): Promise<number> {
  const used = watchMachine()
  await wait(500)
  return used()
}
