import { setTimeout as pause } from 'node:timers/promises'
import { openBlows, type Weather } from '../long/blows.ts'
import { type Dice, openDice } from '../long/dice.ts'
import { houses } from '../long/stage.ts'
import { stormOn } from '../long/storm.ts'
import { calmDatabase, DATABASE_PORT, makeTemplate, type Said } from './database.ts'
import { beginNetwork, calmNetwork, cutPortOff, setNetworkWeather } from './network.ts'
import type { SimulatedProcess } from './process.ts'
import { type Crew, crewNames } from './services.ts'
import { doubled, newFolder, openSimulatedStage, SANDBOX_PORT, type SimulatedStage } from './stage.ts'
import { VAULT_PORT } from './vault.ts'
import { as, beginWorld, drive, elapsed, fingerprint, openProgram, type Program, thaw } from './world.ts'

/** What a run is made of, all of it drawn from its seed; a shorter run leaves some of it out (`shrink.ts`). */
export type Options = {
  seed: number
  /** Of the storm, in the time of the simulation. */
  seconds: number
  clients: number
  /** Which of `troubles` there are. */
  troubles: readonly Trouble[]
  /** Are merchants paid at all processors, or at the sandbox's own? */
  everywhere: boolean
  /** Are its troubles few, and each of them frequent? What needs two of them at one moment is met then. */
  concentrated: boolean
  crew: Crew
  /** Is the vault a process of its own? */
  vault: 'apart' | 'within'
}

export const troubles = [
  'services',
  'database',
  'sandbox',
  'processors',
  'network',
  'statements',
  'clocks',
  'stalls',
  'vault',
  'partitions',
] as const
export type Trouble = (typeof troubles)[number]

/** `hours`: how much time passed for the service. */
export type Outcome = { found: string[]; fingerprint: string; hours: number }

/** How many times as often as usual troubles come in a concentrated run. */
const OFTEN = 4

/** The options of a seed. `concentrated`: as the run is to be, instead of what the seed says. */
export function optionsOf(seed: number, concentrated?: boolean): Options {
  const dice = openDice('options', seed)
  const clients = dice.one([1, 2, 4, 6, 9])
  const options = {
    seed,
    // Few clients have more time: some things take minutes.
    seconds: clients < 4 ? Math.ceil(dice.between(60, 300) / clients) : dice.between(10, 40),
    clients,
    // Some runs have all troubles, some have few, so that each is also met alone.
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

/** Clients that are told to come back come back so soon. */
const AGAIN_MS = 500
const REST_MS = 600

/** What passes by the service's own clock when the storm is over (`../long/storm.ts`). */
const HOURS_AFTERWARDS = 13.25 + 9 * 24 + 1

/**
 * Runs one simulation. `found`: what is wrong, in words; nothing, if all is well. `say` hears what happens, `heard`
 * every transaction.
 */
export async function simulate(
  options: Options,
  say: (words: string) => void,
  heard: ((said: Said) => void) | null = null,
): Promise<Outcome> {
  const { seed, seconds, clients, everywhere, vault, crew } = options
  beginWorld('template')
  beginNetwork()
  await makeTemplate()
  beginWorld(String(seed))
  beginNetwork()
  const base = await openSimulatedStage(newFolder(), { houses: everywhere ? houses : [], vaultApart: vault === 'apart', crew, heard })
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

/** All that befalls a run, until its storm is over. */
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
    openBlows(stage, weather, those, often),
    ...(has('clocks') ? stage.services.map(({ process }) => leaps(process, weather, LEAPS_MS)) : []),
    has('clocks') && stage.vault && leaps(stage.vault.process, weather, SMALL_LEAPS_MS),
    has('partitions') && partitions(portsOf(stage), weather, often),
  ])
  setNetworkWeather(calmNetwork)
  for (const one of [stage, stage.vault]) one?.database.setWeather(calmDatabase)
}

const weatherItself = openProgram('the weather')

/** A machine that stops for minutes, and goes on as if nothing had happened; one at a time, so that one is there. */
function openStalls({ say, over }: Weather, dice: Dice): (program: Program) => void {
  let isOne = false
  return program => {
    if (isOne || program.isFrozen) return
    isOne = true
    program.isFrozen = true
    const ms = dice.between(25_000, 200_000)
    say(`${program.name} stops for ${ms} ms`)
    // The database tells of it, and may not live to see its end.
    void as(weatherItself, () => pause(ms)).then(() => {
      isOne = over.aborted
      thaw(program)
    })
  }
}

/** How wrong the clock of a service may be, which goes by the database's. */
const LEAPS_MS = [-3_600_000, -60_000, -1500, 0, 1500, 60_000, 3_600_000]
/** The vault goes by its own, and may not be a minute from the service's (decision 50). */
const SMALL_LEAPS_MS = [-30_000, -1500, 0, 1500, 30_000]

const portsOf = ({ vault }: SimulatedStage): number[] => [DATABASE_PORT, SANDBOX_PORT, ...(vault ? [VAULT_PORT] : [])]

/** One of these is cut off from all others, again and again, for a moment or for longer than a caller waits. */
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

/** The host of a service has its clock set, again and again. */
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
