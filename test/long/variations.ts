import { test } from 'node:test'
import { sampleOfEach } from '../sample.ts'

type Story = [name: string, tells: () => Promise<void>]

/** One in so many calls and crossings is tested in a sample (`test/sample.ts`), each with one processor and result. */
const ONE_IN = 3

/**
 * Collects tests of deaths that exist for several processors, with several results. All of them take an hour on two
 * cores.
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
      for (const [name, tells] of sampleOfEach([...all.values()], ONE_IN)) test(name, tells)
    },
  }
}
