import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import tally from './tally.ts'

/**
 * Runs files of tests, each in a process of its own, `lanes` at a time, in the given order: what takes longest should
 * come first. (`node --test` runs files in the order of their names.) Prints each test, and writes a `Tally`.
 */
export type Queue = {
  /** Absolute paths. */
  files: string[]
  lanes: number
  /** The milliseconds after which a test that hangs is ended and named. */
  timeout: number
  /** Only tests whose name matches; null for all. */
  pattern: string | null
  /** The file of the tally. */
  tally: string
}

const { files, lanes, timeout, pattern, tally: file } = JSON.parse(process.argv[2]!) as Queue
const ended = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ended.abort())
const events = run({ files, concurrency: lanes, timeout, signal: ended.signal, ...(pattern !== null && { testNamePatterns: pattern }) })
events.compose(new spec()).pipe(process.stdout)
await once(events.compose(tally).pipe(createWriteStream(file)), 'finish')
