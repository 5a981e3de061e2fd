// `--profile DIR`: runs the service under load with V8's sampler, and summarizes the cost of a payment from the
// samples.
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { settleDown } from './counters.ts'
import { watch } from './cpu.ts'
import { table } from './figures.ts'
import { planOf, type Served } from './points.ts'
import { readProfile, type Share, sumUp } from './profile.ts'
import { openStage } from './stage.ts'
import { load } from './wrk.ts'

const WARM_UP = 5
const SECONDS = 10
const MOST = 45

export async function profileService(folder: string, wrk: string, what: Served, clients: number): Promise<string> {
  const dir = resolve(folder)
  mkdirSync(dir, { recursive: true })
  const stage = await openStage({ nodeArgs: ['--cpu-prof', `--cpu-prof-dir=${dir}`, '--cpu-prof-interval=500'] })
  try {
    const plan = await planOf(stage, wrk, what, clients)
    await load({ ...plan, seconds: WARM_UP })
    await settleDown(stage.database)
    await load({ ...plan, seconds: WARM_UP })
    const from = microseconds()
    const end = watch({ service: stage.service.pid, postgres: stage.postgres.pid, processor: stage.processor.pid, load: null })
    const loaded = await load({ ...plan, seconds: SECONDS })
    const used = end()
    const to = microseconds()
    await stage.service.stop()
    const file = readdirSync(dir)
      .filter(name => name.endsWith('.cpuprofile'))
      .map(name => join(dir, name))
      .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0]
    if (file === undefined) throw new Error(`No CPU profile was written to ${dir}`)
    const { functions, places, ours } = sumUp(readProfile(file), from, to)
    const us = (used.service * 1e6) / loaded.requests
    const list = (title: string, shares: Share[]) =>
      `${title}\n${table([['µs', '%', ''], ...shares.slice(0, MOST).map(({ name, percent }) => [((percent * us) / 100).toFixed(1), percent.toFixed(1), name])])}`
    return [
      `${file}: ${Math.round(loaded.requests / loaded.seconds)} payments/s (${what}) at ${clients} clients while sampled, ${us.toFixed(0)} µs of the service and ` +
        `${((used.postgres * 1e6) / loaded.requests).toFixed(0)} µs of PostgreSQL for each.\n` +
        'µs: the share of the samples, times the processor time of the whole process (sampling itself included).',
      list('By package and file, self time', places),
      list('By function, self time', functions),
      list('By the nearest function of ours on the stack', ours),
    ].join('\n\n')
  } finally {
    await stage.close()
  }
}

/** Returns the time of the samples' clock, CLOCK_MONOTONIC. */
const microseconds = () => Number(process.hrtime.bigint() / 1000n)
