import { test } from 'node:test'

type Story = [name: string, tells: () => Promise<void>]

/**
 * Collects tests of deaths that exist for several processors, with several results. All of them take an hour on two
 * cores. `DEATHS=sample` runs one of each call and crossing: processor and result change in turn, and `DEATHS_TURN` (a
 * whole number, by default 0) selects which.
 */
export function openVariations() {
  const all = new Map<string, Story[]>()
  return {
    /** Adds a test. `call`: the call and the crossing of which this test is one variation. */
    add(call: string, ...story: Story): void {
      all.set(call, [...(all.get(call) ?? []), story])
    },
    /** Defines the tests; the last line of a file. */
    run(): void {
      const isSample = process.env.DEATHS === 'sample'
      const first = Number(process.env.DEATHS_TURN ?? 0)
      for (const [turn, stories] of [...all.values()].entries())
        for (const [i, [name, story]] of stories.entries()) if (!isSample || i === (first + turn) % stories.length) test(name, story)
    },
  }
}
