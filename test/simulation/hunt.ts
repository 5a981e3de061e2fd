import { availableParallelism } from 'node:os'
import { mutants } from './mutants.ts'
import { runOne } from './runs.ts'

/** The result of a hunt: the number of runs, the milliseconds, and the first error found (`by`), null if none was. */
export type Caught = { name: string; runs: number; ms: number; by: string | null }

/** The arguments of a run with many payments at once and most troubles, which finds common mistakes soon. */
const DENSE = [
  ...['--seconds', '14', '--clients', '8', '--troubles', 'services,database,processors,desk,network,statements'],
  ...['--no-concentrated', '--no-everywhere', '--vault', 'within', '--crew', 'two'],
]

/** The arguments of a run for mistakes that need several troubles at one moment: few, frequent ones by the seed. */
const CONCENTRATED = ['--concentrated']

/** How many seeds a hunt tries by default. How long they take depends on the machine, what they find does not. */
export const MOST_RUNS = 6

/** Runs one seed after the other until one finds this mutant, at most `mostRuns` of them. */
async function hunt(name: string, mostRuns: number): Promise<Caught> {
  const begun = performance.now()
  const how = mutants.find(one => one.name === name)?.isRare ? CONCENTRATED : DENSE
  const taken = () => Math.round(performance.now() - begun)
  for (let runs = 1; runs <= mostRuns; runs++) {
    const [by] = (await runOne(['--seed', String(runs), ...how], { mutant: name })).found
    if (by !== undefined) return { name, runs, ms: taken(), by: by.split('\n').slice(0, 2).join(' ').slice(0, 160) }
  }
  return { name, runs: mostRuns, ms: taken(), by: null }
}

/**
 * Hunts these mutants, as many at once as there are cores. `onCaught` is called with each result as it becomes known.
 */
export async function huntAll(names: readonly string[], mostRuns: number, onCaught: (caught: Caught) => void): Promise<Caught[]> {
  const left = [...names]
  const all: Caught[] = []
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      for (let name = left.shift(); name !== undefined; name = left.shift()) {
        const caught = await hunt(name, mostRuns)
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
  const all = await huntAll(names, Number(process.env.MOST_RUNS ?? MOST_RUNS), ({ name, runs, ms, by }) =>
    process.stdout.write(
      `${(ms / 1000).toFixed(1).padStart(6)} s  ${String(runs).padStart(2)} runs  ${by === null ? 'NOT FOUND' : 'found'}  ${name}\n${' '.repeat(20)}${by ?? ''}\n`,
    ),
  )
  const lost = all.filter(({ by }) => by === null)
  process.stdout.write(`${all.length - lost.length} passed, ${lost.length} failed\n`)
  process.exitCode = lost.length === 0 ? 0 : 1
}
