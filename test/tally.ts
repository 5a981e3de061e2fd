import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/**
 * A reporter that counts tests and finds the slowest; it writes a `Tally` as JSON. To Node, a file that shares a
 * process is a test around its tests (`test/group.ts`): it counts only if it failed by itself.
 */

export type Tally = { passed: number; failed: number; slowest: Slow[] }
type Slow = { ms: number; name: string; file: string }

const SHOWN = 20

export default async function* tally(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let [passed, failed] = [0, 0]
  const slow: Slow[] = []
  // Tests of a test come before it, and their time is part of its time.
  let latest: (Slow & { nesting: number })[] = []
  const settle = () => slow.push(...latest.splice(0).map(({ ms, name, file }) => ({ ms, name, file })))

  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const { name, nesting, details, skip, todo } = data
    const isFile = nesting === 0 && name.endsWith('.test.ts')
    if (isFile) settle()
    else {
      latest = latest.filter(one => one.nesting <= nesting)
      latest.push({ ms: details.duration_ms, name, file: relative('.', data.file ?? ''), nesting })
    }
    if (type === 'test:fail') failed += isFile && failureOf(details) === 'subtestsFailed' ? 0 : 1
    else if (!isFile && skip === undefined && todo === undefined) passed++
  }
  settle()
  slow.sort((a, b) => b.ms - a.ms)
  yield JSON.stringify({ passed, failed, slowest: slow.slice(0, SHOWN) } satisfies Tally)
}

const failureOf = (details: object): unknown => (details as { error?: { failureType?: unknown } }).error?.failureType
