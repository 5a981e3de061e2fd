import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { argumentsOf, type Run, runOne, shrink } from './runs.ts'

/**
 * Simulations of the whole service:
 *
 *   npm run simulate -- --runs 100            a hundred seeds, as many at once as there are cores
 *   npm run simulate -- --minutes 60          as many seeds as fit into an hour
 *   npm run simulate -- --seed 7              one run, printed step by step; a seed repeats its run to the byte
 *   … --seconds 12 --clients 2 --troubles network,database --everywhere      options that override those of the seed
 *   … --vault apart --crew roles --concentrated      a separate vault, services by role, few and frequent troubles
 *
 * A run that fails is shortened, and the command that repeats the failure is printed.
 */

const { values } = parseArgs({
  allowNegative: true,
  options: {
    runs: { type: 'string' },
    minutes: { type: 'string' },
    from: { type: 'string', default: String(Math.floor(Math.random() * 1e6)) },
    seed: { type: 'string' },
    seconds: { type: 'string' },
    clients: { type: 'string' },
    troubles: { type: 'string' },
    everywhere: { type: 'boolean' },
    concentrated: { type: 'boolean' },
    vault: { type: 'string' },
    crew: { type: 'string' },
    mutant: { type: 'string' },
  },
})

const say = (text: string) => void process.stdout.write(`${text}\n`)
const mutant = values.mutant === undefined ? {} : { mutant: values.mutant }
const MOST_REPORTED = 3

const given = (['seconds', 'clients', 'troubles', 'vault', 'crew'] as const).flatMap(name =>
  values[name] === undefined ? [] : [`--${name}`, values[name]],
)
for (const name of ['everywhere', 'concentrated'] as const)
  if (values[name] !== undefined) given.push(`--${values[name] ? '' : 'no-'}${name}`)

function report(run: Run): void {
  say(`FAILED: npm run simulate -- ${argumentsOf(run.options).join(' ')}`)
  for (const text of run.found.slice(0, MOST_REPORTED)) say(text)
  if (run.found.length > MOST_REPORTED) say(`… and ${run.found.length - MOST_REPORTED} more`)
}

/** Runs many seeds, one after the other on each core. */
async function many(): Promise<Run[]> {
  const end = values.minutes === undefined ? Number.POSITIVE_INFINITY : Date.now() + Number(values.minutes) * 60_000
  const runs = values.runs === undefined && values.minutes !== undefined ? Number.POSITIVE_INFINITY : Number(values.runs ?? 20)
  const done: Run[] = []
  let next = Number(values.from)
  const last = next + runs
  await Promise.all(
    Array.from({ length: Math.min(availableParallelism(), runs) }, async () => {
      while (next < last && Date.now() < end) {
        const run = await runOne(['--seed', String(next++), ...given], mutant)
        done.push(run)
        if (run.found.length > 0) report(run)
        else
          say(
            `seed ${run.options.seed}: ${run.hours.toFixed(0)} hours in ${(run.ms / 1000).toFixed(1)} s, all is well (${run.fingerprint})`,
          )
      }
    }),
  )
  return done
}

const all = values.seed === undefined ? await many() : [await runOne(['--seed', values.seed, ...given], { ...mutant, loud: true })]
const failed = all.filter(run => run.found.length > 0)
if (values.seed !== undefined) for (const run of failed) report(run)
if (failed[0]) report(await shrink(failed[0], say, args => runOne(args, mutant)))
const hours = all.reduce((sum, run) => sum + run.hours, 0)
say(
  `${all.length} simulations, ${hours.toFixed(0)} hours, ${(all.reduce((sum, run) => sum + run.ms, 0) / 60_000).toFixed(1)} minutes of a core`,
)
say(`${all.length - failed.length} passed, ${failed.length} failed`)
process.exitCode = failed.length === 0 ? 0 : 1
