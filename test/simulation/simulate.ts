import { setTimeout as pause } from 'node:timers/promises'
import { type Dice, openDice } from '../long/dice.ts'
import { openDisruptions, type Weather } from '../long/disruptions.ts'
import { vendorConnectors } from '../long/stage.ts'
import { stormOn } from '../long/storm.ts'
import { calmDatabase, DATABASE_PORT, type DatabaseExchange, makeTemplate } from './database.ts'
import { beginNetwork, calmNetwork, cutPortOff, cutsEndAfter, setNetworkWeather } from './network.ts'
import type { SimulatedProcess } from './process.ts'
import { type Crew, crewNames } from './services.ts'
import { doubled, newFolder, openSimulatedStage, SANDBOX_PORT, type SimulatedStage } from './stage.ts'
import { VAULT_PORT } from './vault.ts'
import { as, beginWorld, drive, elapsed, fingerprint, openProgram, type Program, thaw } from './world.ts'

/** The options of a run, all drawn from its seed. A shortened run leaves some of them out (`shrink` in `runs.ts`). */
export type Options = {
  seed: number
  /** The length of the storm, in the simulation's time. */
  seconds: number
  clients: number
  /** The kinds of trouble that occur. */
  troubles: readonly Trouble[]
  /** Whether merchants use all processors; otherwise only the sandbox's own processor. */
  everywhere: boolean
  /** Whether troubles are of few kinds, each frequent: such runs show mistakes that need two troubles at once. */
  concentrated: boolean
  crew: Crew
  /** Whether the vault is a process of its own or part of the service. */
  vault: 'apart' | 'within'
}

export const troubles = [
  'services',
  'database',
  'sandbox',
  'processors',
  'desk',
  'network',
  'statements',
  'clocks',
  'stalls',
  'vault',
  'partitions',
] as const
type Trouble = (typeof troubles)[number]

/** The result of a simulation. `hours`: the time that passed for the service. */
export type Outcome = { found: string[]; fingerprint: string; hours: number }

/** How many times more frequent troubles are in a concentrated run. */
const OFTEN = 4

/** Returns the options of a seed. `concentrated`, if given, overrides the seed. */
export function optionsOf(seed: number, concentrated?: boolean): Options {
  const dice = openDice('options', seed)
  const clients = dice.one([1, 2, 4, 6, 9])
  const options = {
    seed,
    // A storm with few clients lasts longer, because some processes take minutes.
    seconds: clients < 4 ? Math.ceil(dice.between(60, 300) / clients) : dice.between(10, 40),
    clients,
    // Half of the runs have all troubles; the others have a subset, so that each trouble also occurs alone.
    troubles: dice.chance(0.5) ? troubles : troubles.filter(() => dice.chance(0.5)),
    everywhere: false,
    concentrated: false,
    vault: dice.chance(0.3) ? 'apart' : 'within',
    crew: dice.chance(0.5) ? 'two' : dice.one(crewNames),
  } as const
  if (!(concentrated ?? dice.chance(0.3))) return options
  const few = new Set([dice.one(troubles), dice.one(troubles), dice.one(troubles)])
  return {
    ...options,
    seconds: dice.between(8, 20),
    clients: dice.one([6, 9]),
    troubles: troubles.filter(trouble => few.has(trouble)),
    everywhere: dice.chance(0.2),
    concentrated: true,
    vault: few.has('vault') ? 'apart' : options.vault,
  }
}

/** The time after which a client repeats a request that it was asked to repeat. */
const AGAIN_MS = 500
const REST_MS = 600

/** The hours that pass by the service's own clock when the storm is over (`../long/storm.ts`). */
const HOURS_AFTERWARDS = 13.25 + 9 * 24 + 1

/**
 * Runs one simulation. The result's `found` describes each error found, and is empty if none was. `say` is called with
 * each step, `record` with each transaction.
 */
export async function simulate(
  options: Options,
  say: (text: string) => void,
  record: ((exchange: DatabaseExchange) => void) | null = null,
): Promise<Outcome> {
  const { seed, seconds, clients, everywhere, vault, crew } = options
  beginWorld('template')
  beginNetwork()
  await makeTemplate()
  beginWorld(String(seed))
  beginNetwork()
  const base = await openSimulatedStage(newFolder(), {
    connectors: everywhere ? vendorConnectors : [],
    vaultApart: vault === 'apart',
    crew,
    record,
  })
  const found = await drive(async () => {
    const shops = await base.fill()
    const stage: SimulatedStage = { ...base, shops: options.troubles.includes('network') ? shops.map(doubled) : shops }
    const plan = { minutes: seconds / 60, seed, clients, rest_ms: REST_MS, again_ms: AGAIN_MS, say }
    return stormOn(stage, plan, (its, weather) => openTroubles(its, options, weather))
  })
  const outcome = { found, fingerprint: fingerprint(), hours: elapsed() / 3_600_000 + HOURS_AFTERWARDS }
  await base.drop()
  return outcome
}

/** Causes the troubles of a run until its storm is over. */
async function openTroubles(stage: SimulatedStage, { seed, troubles: those, concentrated }: Options, weather: Weather): Promise<void> {
  const { over } = weather
  const often = concentrated ? OFTEN : 1
  const dice = openDice('troubles', seed)
  const has = (trouble: Trouble): boolean => those.includes(trouble)
  if (has('network'))
    setNetworkWeather({
      cut: dice.next() * 0.01,
      slow: dice.next() * 0.05 * often,
      most_ms: dice.one([50, 500, 3000]),
      far: dice.one([null, null, SANDBOX_PORT, stage.vault ? VAULT_PORT : SANDBOX_PORT]),
      far_share: 0.1 * often,
      far_ms: dice.one([3000, 20_000]),
    })
  const statements = has('statements') && {
    locked: dice.next() * 0.02 * often,
    late: dice.next() * 0.01 * often,
    slow: dice.next() * 0.05 * often,
    most_ms: dice.one([50, 1000, 5000]),
  }
  const stalls = has('stalls') && { stalled: dice.next() * 0.02 * often, stalls: openStalls(weather, dice) }
  stage.database.setWeather({ ...calmDatabase, ...statements, ...stalls })
  stage.vault?.database.setWeather({ ...calmDatabase, ...statements })
  const quiet = new Promise<void>(done => over.addEventListener('abort', () => done()))
  await Promise.all([
    quiet,
    openDisruptions(stage, weather, those, often),
    ...(has('clocks') ? stage.services.map(({ process }) => leaps(process, weather, LEAPS_MS)) : []),
    has('clocks') && stage.vault && leaps(stage.vault.process, weather, SMALL_LEAPS_MS),
    has('partitions') && partitions(portsOf(stage), weather, often),
  ])
  await pause(cutsEndAfter())
  setNetworkWeather(calmNetwork)
  for (const one of [stage, stage.vault]) one?.database.setWeather(calmDatabase)
}

const weatherItself = openProgram('the weather')

/**
 * Returns the function that freezes a program for up to minutes and then lets it continue, as a machine that stalls.
 * One program at a time is frozen, so that another one keeps running.
 */
function openStalls({ say, over }: Weather, dice: Dice): (program: Program) => void {
  let isOne = false
  return program => {
    if (isOne || program.isFrozen) return
    isOne = true
    program.isFrozen = true
    const ms = dice.between(25_000, 200_000)
    say(`${program.name} stops for ${ms} ms`)
    // The database calls this and may be killed before the stall ends, so the pause belongs to the weather.
    void as(weatherItself, () => pause(ms)).then(() => {
      isOne = over.aborted
      thaw(program)
    })
  }
}

/** The errors of a service's clock. The service goes by the database's clock, so they may be large. */
const LEAPS_MS = [-3_600_000, -60_000, -1500, 0, 1500, 60_000, 3_600_000]
/** The errors of the vault's clock, which must be less than a minute from the service's clock. */
const SMALL_LEAPS_MS = [-30_000, -1500, 0, 1500, 30_000]

const portsOf = ({ vault }: SimulatedStage): number[] => [DATABASE_PORT, SANDBOX_PORT, ...(vault ? [VAULT_PORT] : [])]

/** Cuts one of these ports off from all others, again and again, for a moment or for longer than a caller waits. */
async function partitions(ports: readonly number[], { say, dice: diceOf, over }: Weather, often: number): Promise<void> {
  const dice = diceOf('partitions')
  while (!over.aborted) {
    await pause(dice.between(3000, 20_000) / often, undefined, { signal: over }).catch(() => {})
    if (over.aborted) return
    const port = dice.one(ports)
    const ms = dice.one([dice.between(100, 2000), dice.between(2000, 12_000)])
    say(`port ${port} is cut off for ${ms} ms`)
    cutPortOff(port, ms)
  }
}

/** Sets the clock of a process's host, again and again. */
async function leaps(process: SimulatedProcess, { say, dice: diceOf, over }: Weather, most: readonly number[]): Promise<void> {
  const dice = diceOf(`the clock of ${process.name}`)
  while (!over.aborted) {
    await pause(dice.between(1000, 12_000), undefined, { signal: over }).catch(() => {})
    const ms = dice.one(most)
    say(`the clock of ${process.name} is ${ms} ms ahead`)
    process.leap(ms)
  }
  process.leap(0)
}
