import { isOfChance } from './suites.ts'
import type { Failure, Tally } from './tally.ts'

/** The end of a run: what took longest, what failed, in words and with the command that repeats it, and the count. */

/** The number of tests up to which a run does not show its slowest tests. */
const FEW_TESTS = 100
const SHOWN = 20

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Gives several tallies as one. */
export const sum = (all: readonly Tally[]): Tally => ({
  passed: all.reduce((total, { passed }) => total + passed, 0),
  failures: all.flatMap(({ failures }) => failures),
  slowest: all.flatMap(({ slowest }) => slowest).toSorted((a, b) => b.ms - a.ms),
  files: Object.assign({}, ...all.map(({ files }) => files)),
})

/** The number of failed files up to which a failure may be an accident of the machine. */
const MOST_FILES_AGAIN = 5

/**
 * Gives the failed files that may run once more, alone: none if a failure may be a matter of chance in our own code, as
 * in tests of deaths and races.
 */
export function mayRunAgain({ failures }: Tally): string[] {
  const files = [...new Set(failures.map(({ file }) => file))]
  return files.length > MOST_FILES_AGAIN || files.some(file => isOfChance(file) || !file.endsWith('.test.ts')) ? [] : files
}

/** Gives the command that runs a failed test alone: `-t` takes a pattern. */
function again({ name, file }: Failure): string {
  const { SAMPLE } = process.env
  const only = name === file ? '' : ` -t '${name.replaceAll(/[^\p{L}\p{N} ,:;=/_-]/gu, '.')}'`
  return `npm test -- ${SAMPLE === undefined ? '' : `--sample ${SAMPLE} `}${file}${only}`
}

function report(word: string, failure: Failure): void {
  print(`✖ ${word}: ${failure.name} (${failure.file})`)
  print(failure.why.replaceAll(/^/gm, '    '))
  print(`    alone: ${again(failure)}`)
}

const isSame = (a: Failure) => (b: Failure) => a.name === b.name && a.file === b.file

/**
 * Prints the result, the failures last, because readers look there; gives the exit code. `second`: the tally of the
 * files that ran again, null if none did. `missing`: other faults, in words. `ms`: the time that all took.
 */
export function conclude(first: Tally, second: Tally | null, missing: readonly string[], ms: number): number {
  const failures = (second ?? first).failures
  const unsteady = second === null ? [] : first.failures.filter(one => !failures.some(isSame(one)))
  const passed = first.passed + unsteady.length
  const took = (ms: number, text: string) => print(`${(ms / 1000).toFixed(1).padStart(6)} s  ${text}`)
  if (passed > FEW_TESTS) {
    print('The slowest tests:')
    for (const { ms, name, file } of first.slowest.slice(0, SHOWN)) took(ms, `${name} (${file})`)
    print('The slowest files:')
    const files = Object.entries(first.files).toSorted(([, a], [, b]) => b - a)
    for (const [file, ms] of files.slice(0, SHOWN)) took(ms, file)
    took(ms, 'in all')
  }
  for (const one of unsteady) report('Unsteady, failed and then passed', one)
  for (const one of failures) report('Failed', one)
  for (const text of missing) print(`✖ ${text}`)
  const failed = failures.length + missing.length
  print(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}
