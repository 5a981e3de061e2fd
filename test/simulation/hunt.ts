import { availableParallelism } from 'node:os'
import { mutants } from './mutants.ts'
import { runOne } from './runs.ts'

/** The result of a hunt: the number of runs, the milliseconds, and the first error found (`by`), null if none was. */
export type Caught = { name: string; runs: number; ms: number; by: string | null }

/** The arguments of a run with many payments at once and most troubles, which finds common mistakes soon. */
const DENSE = [
  ...['--seconds', '14', '--clients', '8', '--troubles', 'services,database,processors,network,statements'],
  ...['--no-concentrated', '--no-everywhere', '--vault', 'within', '--crew', 'two'],
]

/** The arguments of a run for mistakes that need several troubles at one moment: few, frequent ones by the seed. */
const CONCENTRATED = ['--concentrated']

/** The number of runs that are made even if the time is over, because the machine may be busy. */
const FEWEST_RUNS = 4
const LONGEST_RUN_MS = 300_000

/** Runs seeds until one finds this mutant, or until the time is over. */
export async function hunt(name: string, within_ms: number, first = 1): Promise<Caught> {
  const begun = performance.now()
  const taken = () => Math.round(performance.now() - begun)
  const how = mutants.find(one => one.name === name)?.isRare ? CONCENTRATED : DENSE
  let runs = 0
  while (taken() < within_ms || runs < FEWEST_RUNS) {
    const signal = AbortSignal.timeout(runs < FEWEST_RUNS ? LONGEST_RUN_MS : Math.max(within_ms - taken(), 1))
    const run = await runOne(['--seed', String(first + runs), ...how], { mutant: name, signal }).catch((error: Error) => {
      if (signal.aborted) return null
      throw error
    })
    if (!run) break
    runs++
    const [by] = run.found
    if (by !== undefined) return { name, runs, ms: taken(), by: by.split('\n').slice(0, 2).join(' ').slice(0, 160) }
  }
  return { name, runs, ms: taken(), by: null }
}

/**
 * Hunts these mutants, as many at once as there are cores. `onCaught` is called with each result as it becomes known.
 */
export async function huntAll(names: readonly string[], within_ms: number, onCaught: (caught: Caught) => void): Promise<Caught[]> {
  const left = [...names]
  const all: Caught[] = []
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      for (let name = left.shift(); name !== undefined; name = left.shift()) {
        const caught = await hunt(name, within_ms)
        all.push(caught)
        onCaught(caught)
      }
    }),
  )
  return all
}

if (import.meta.main) {
  const among = process.argv.slice(2)
  const names = mutants
    .filter(({ name, isRare }) => (among.length === 0 ? !isRare : among.some(part => name.includes(part))))
    .map(({ name }) => name)
  const all = await huntAll(names, Number(process.env.WITHIN_S ?? 60) * 1000, ({ name, runs, ms, by }) =>
    process.stdout.write(
      `${(ms / 1000).toFixed(1).padStart(6)} s  ${String(runs).padStart(2)} runs  ${by === null ? 'NOT FOUND' : 'found'}  ${name}\n${' '.repeat(20)}${by ?? ''}\n`,
    ),
  )
  const lost = all.filter(({ by }) => by === null)
  process.stdout.write(`${all.length - lost.length} passed, ${lost.length} failed\n`)
  process.exitCode = lost.length === 0 ? 0 : 1
}
