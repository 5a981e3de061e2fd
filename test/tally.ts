import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

/**
 * A reporter that counts tests, keeps the reasons of failures, finds the slowest tests and adds up the time of each
 * file; it writes a `Tally` as JSON. To Node, a file that shares a process is a test around its tests
 * (`test/group.ts`): such a file counts only if it failed by itself.
 */

export type Tally = { passed: number; failures: Failure[]; slowest: Slow[]; files: Record<string, number> }
type Slow = { ms: number; name: string; file: string }
/**
 * A failed test. `file` is a path from the current folder; `why` is the error that the test threw, a screen of text at
 * most.
 */
export type Failure = { name: string; file: string; why: string }

const SHOWN = 20
const LINES_OF_A_FAILURE = 30

export default async function* tally(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let passed = 0
  const failures: Failure[] = []
  /**
   * Failures of tests whose file is not known yet: the event of a file that shares a process comes after those of its
   * tests.
   */
  let recent: Failure[] = []
  const slow: Slow[] = []
  /** The time of each file's tests in milliseconds. */
  const files: Record<string, number> = {}
  // The event of a subtest comes before that of its test, and its time is part of the test's time.
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
    const file = isFile ? name : relative('.', data.file ?? '')
    if (nesting === 0) files[file] = (files[file] ?? 0) + details.duration_ms
    if (type === 'test:fail' && !(isFile && errorOf(details)?.failureType === 'subtestsFailed'))
      recent.push({ name, file, why: whyOf(details) })
    else if (type === 'test:pass' && !isFile && skip === undefined && todo === undefined) passed++
    if (nesting === 0) {
      failures.push(...recent.map(failure => (isFile ? { ...failure, file } : failure)))
      recent = []
    }
  }
  settle()
  slow.sort((a, b) => b.ms - a.ms)
  yield JSON.stringify({ passed, failures: [...failures, ...recent], slowest: slow.slice(0, SHOWN), files } satisfies Tally)
}

type TestError = { failureType?: unknown; cause?: unknown }
const errorOf = (details: object): TestError | undefined => (details as { error?: TestError }).error

function whyOf(details: object): string {
  const error = errorOf(details)
  return inspect(error?.cause ?? error)
    .split('\n')
    .slice(0, LINES_OF_A_FAILURE)
    .join('\n')
}
