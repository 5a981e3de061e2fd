import { test } from 'node:test'

type Story = [name: string, tells: () => Promise<void>]

/**
 * Stories of deaths that are told of several processors, with several truths. All of them take an hour on two cores.
 * `DEATHS=sample` tells one of each call and crossing: processor and truth change in turn, and which of them it is
 * with `DEATHS_TURN` (a whole number; 0).
 */
export function openVariations() {
  const all = new Map<string, Story[]>()
  return {
    /** `call`: the call and the crossing, of which this story is one variation. */
    tell(call: string, ...story: Story): void {
      all.set(call, [...(all.get(call) ?? []), story])
    },
    /** Makes tests of them; the last line of a file. */
    run(): void {
      const isSample = process.env.DEATHS === 'sample'
      const first = Number(process.env.DEATHS_TURN ?? 0)
      for (const [turn, told] of [...all.values()].entries())
        for (const [i, [name, tells]] of told.entries()) if (!isSample || i === (first + turn) % told.length) test(name, tells)
    },
  }
}
