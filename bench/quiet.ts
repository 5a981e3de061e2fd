// On a machine that others use too: wait until they are quiet, and measure again what they disturbed.
import { setTimeout as wait } from 'node:timers/promises'
import { watchMachine } from './cpu.ts'
import type { Point } from './points.ts'

/** Percent of other programs, 100 being one core, above which a point says little. */
export const DISTURBED = 15

/** `patience`: how many seconds one point may cost beyond itself; 0 measures once, also on a busy machine. */
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
