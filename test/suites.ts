import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { sampleOf } from './sample.ts'

/** The suites: which files of tests belong to each, and how these files may run. */

const suites: Record<string, string[]> = {
  // The examples of the documentation call every operation.
  fast: ['src/**/*.test.ts', 'packages/*/test/*.test.ts', 'test/*.test.ts', 'tools/answers.test.ts'],
  processors: ['src/connectors/**/*.test.ts', 'sandbox/**/*.test.ts', 'test/processors/*.test.ts'],
  project: ['tools/*.test.ts', 'tools/*/*.test.ts'],
  programs: [
    'launch/*.test.ts',
    'packages/cli/test/*.test.ts',
    'packages/node/test/readme.test.ts',
    'test/processes.test.ts',
    'tools/{browser-packages,examples,guides,new-connector,packages}.test.ts',
    'tools/bridge/check.test.ts',
    'bench/*.test.ts',
  ],
  long: ['test/long/**/*.test.ts'],
  browser: ['test/browser/*.test.ts'],
}

export const suiteNames = Object.keys(suites)

/** Suites whose files belong to no other suite, though the patterns of others match them. */
const apart: Record<string, string[]> = { fast: ['processors', 'programs'], project: ['fast', 'programs'] }

/** Gives the files of a suite, a folder, a path or a pattern. */
const filesOf = (word: string): string[] =>
  globSync(suites[word] ?? (existsSync(word) && statSync(word).isDirectory() ? `${word}/**/*.test.ts` : word), {
    exclude: (apart[word] ?? []).flatMap(other => suites[other]!),
  }).sort()

/**
 * Long files of which a sample (`test/sample.ts`) takes one in so many, because each is one long story, or a few; the
 * other long files take samples of their tests.
 */
const stories: [divisor: number, pattern: string][] = [
  [3, 'test/long/bad-input/*.test.ts'],
  [6, 'test/long/{adding,deployment,image,kills,merchant-move,nats,rolling,rotation,runtimes,sdk,simulated-postgres,workers}.test.ts'],
  [2, 'test/long/{receiver-faults,chart}.test.ts'],
  [2, 'test/long/{canaries,split-canaries}.test.ts'],
]

/** Gives those of these files that are in the sample. */
function sampled(files: readonly string[]): string[] {
  const told = stories.map(([divisor, pattern]) => ({ divisor, its: globSync(pattern).sort() }))
  const without = new Set(told.flatMap(({ its, divisor }) => its.filter(file => !sampleOf(its, divisor).includes(file))))
  return files.filter(file => !without.has(file))
}

export type Order = {
  files: string[]
  /** Whether the whole fast suite runs, as `npm test` does. */
  isFast: boolean
}

/** Gives the files that the arguments of a run name, suites as a sample if one is wanted; the fast suite by default. */
export function ordered(args: readonly string[]): Order {
  const named = args.filter(arg => suites[arg] === undefined)
  const targets = named.length > 0 ? named : args.length > 0 ? args : ['fast']
  const files = [...new Set(targets.flatMap(target => (suites[target] ? sampled(filesOf(target)) : filesOf(target))))]
  if (files.length === 0) throw new Error(`there is no test file at ${targets.join(', ')}`)
  return { files, isFast: targets.includes('fast') }
}

export const isLong = (file: string): boolean => file.startsWith('test/long/')

/**
 * Whether the tests of a file are about deaths, races or disorder, where a failure may be a matter of chance in our own
 * code.
 */
export const isOfChance = (file: string): boolean => isLong(file) && !/\/(adding|chart|deployment|image|runtimes)\./.test(file)
export const isBrowser = (file: string): boolean => file.startsWith('test/browser/')

/** Files that take minutes: a run begins with them, so that no core waits for them at its end. */
export const takesMinutes = (file: string): boolean =>
  /test\/long\/(adding|database-deaths|deployment|image|kills|merchant-move|rolling|rotation|simulation|storm)\./.test(file)

/**
 * How a file may run. `together`: in one process with others, one after the other. `alone`: in a process of its own,
 * because it changes the environment or what other files see, or starts programs. `quiet`: while nothing else runs,
 * because it counts what the machine or the database does.
 */
export type Manner = 'together' | 'alone' | 'quiet'

/** The first line of a file says how it may run, if it may not run together with others, and why. */
export function mannerOf(file: string): Manner {
  const text = readFileSync(file, 'utf8')
  if (/^\/\/ Quiet: /m.test(text)) return 'quiet'
  return isLong(file) || file.startsWith('launch/') || /^\/\/ Alone: |^process\.env\.\w+ = /m.test(text) ? 'alone' : 'together'
}
