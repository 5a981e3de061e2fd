import { setTimeout as pause } from 'node:timers/promises'
import { movesMoney, type Target } from './desk.ts'
import type { Dice } from './dice.ts'
import type { MortalProcess } from './mortal-process.ts'
import type { Stage } from './stage.ts'

/**
 * A fault that is inflicted on a target. It ends when the target works again; `rest` waits, for less time when the
 * storm ends.
 */
type Disruption<T> = { name: string; weight: number; strike(target: T, dice: Dice, rest: (ms: number) => Promise<void>): Promise<unknown> }

const seconds = (dice: Dice, low: number, high: number): number => dice.between(low * 1000, high * 1000)

type BlownProcess = Pick<MortalProcess, 'name' | 'start' | 'kill' | 'stop'> & { freeze(): unknown; thaw(): unknown }
type BlownDatabase = Omit<Stage['database'], 'crashes' | 'ask' | 'stopAccepting' | 'url' | 'folder' | 'drop'>

const ofProcess: Disruption<BlownProcess>[] = [
  {
    name: 'killed',
    weight: 5,
    async strike(process, dice, rest) {
      await process.kill()
      if (dice.chance(0.5)) await rest(seconds(dice, 0, 5))
      await process.start()
    },
  },
  {
    name: 'stopped for a while',
    weight: 4,
    async strike(process, dice, rest) {
      process.freeze()
      await rest(seconds(dice, 0.3, 9)).finally(() => void process.thaw())
    },
  },
]

const ofService: Disruption<BlownProcess>[] = [
  ...ofProcess,
  {
    name: 'stopped for longer than it may be late',
    weight: 1,
    async strike(process, dice, rest) {
      process.freeze()
      await rest(seconds(dice, 31, 50)).finally(() => void process.thaw())
    },
  },
  {
    name: 'deployed anew',
    weight: 2,
    async strike(process) {
      const how = await process.stop()
      if (how === 'never') throw new Error(`${process.name} was asked to end and did not`)
      await process.start()
    },
  },
]

const ofSandbox: Disruption<BlownProcess>[] = [
  ...ofProcess,
  {
    name: 'stopped for longer than a request may be on its way',
    weight: 0.5,
    async strike(process, dice, rest) {
      process.freeze()
      await rest(seconds(dice, 82, 95)).finally(() => void process.thaw())
    },
  },
]

const ofDatabase: Disruption<BlownDatabase>[] = [
  {
    name: 'killed',
    weight: 3,
    async strike(database, dice, rest) {
      await database.kill()
      if (dice.chance(0.5)) await rest(seconds(dice, 0, 8))
      if (dice.chance(0.2)) await database.killAtItsStart()
      await database.start()
    },
  },
  {
    name: 'shut down and started',
    weight: 1,
    async strike(database) {
      await database.stop()
      await database.start()
    },
  },
  { name: 'a writing session killed', weight: 2, strike: database => database.killSession('switchyard writes') },
  { name: 'a reading session killed', weight: 1, strike: database => database.killSession('switchyard reads') },
  { name: 'a writing session ended', weight: 2, strike: database => database.endSession('switchyard writes') },
  { name: 'a reading session ended', weight: 2, strike: database => database.endSession('switchyard reads') },
  {
    name: 'some sessions stopped',
    weight: 2,
    async strike(database, dice, rest) {
      const goOn = await database.freezeSessions(dice.next())
      await rest(seconds(dice, 1, 20)).finally(goOn)
    },
  },
  {
    name: 'stopped for a while',
    weight: 2,
    async strike(database, dice, rest) {
      database.freeze()
      await rest(seconds(dice, 0.3, 12)).finally(database.thaw)
    },
  },
]

const calls = ['authorize', 'capture', 'void', 'refund', 'dispute', 'authenticate', 'lookup'] as const
const faults = [
  'hang_before',
  'hang_after',
  'reset_before',
  'reset_after',
  '500_before',
  '500_after',
  'html_before',
  'html_after',
  'truncate_after',
  'drip_after',
  'empty_after',
  'huge_after',
  'latency',
] as const

/**
 * The faults of a processor. A sandbox that is dead at this moment keeps its settings; the next fault may change them.
 */
const ofProcessor: Disruption<Target>[] = [
  {
    name: 'webhooks are late, and then come all at once',
    weight: 2,
    async strike({ processor }, dice, rest) {
      await processor.account({ webhooks: 'hold' })
      await rest(seconds(dice, 1, 15))
      await processor.account({ webhooks: 'send' })
      await processor.flushWebhooks()
    },
  },
  {
    name: 'webhooks come three times',
    weight: 2,
    async strike({ processor }, dice, rest) {
      await processor.account({ webhooks: 'duplicate' })
      await rest(seconds(dice, 1, 15))
      await processor.account({ webhooks: 'send' })
    },
  },
  {
    name: 'webhooks do not come',
    weight: 2,
    // Only webhooks report disputes, and many outcomes at Adyen: where the shop depends on them, webhooks are only
    // late.
    async strike({ processor, needsWebhooks }, dice, rest) {
      await processor.account({ webhooks: needsWebhooks ? 'hold' : 'off' })
      await rest(seconds(dice, 1, 15))
      await processor.account({ webhooks: 'send' })
      if (needsWebhooks) await processor.flushWebhooks()
    },
  },
  {
    name: 'calls go wrong',
    weight: 6,
    strike: ({ processor }, dice) =>
      processor.fault(dice.one(calls), dice.one(faults), { times: dice.between(1, 6), ms: dice.between(10, 2500) }),
  },
  {
    name: 'calls are declined',
    weight: 2,
    strike: ({ processor }, dice) =>
      processor.fault(dice.one(['capture', 'void', 'refund'] as const), 'decline', { times: dice.between(1, 3) }),
  },
]

const ofDesk: Disruption<Target>[] = [{ name: 'money is moved at its dashboard', weight: 1, strike: movesMoney }]

export type Weather = { say(text: string): void; dice(of: string): Dice; over: AbortSignal }

/** The processes and the shops on which faults are inflicted. */
export type BlownStage = Pick<Stage, 'shops'> & {
  services: { process: BlownProcess }[]
  sandbox: BlownProcess
  database: BlownDatabase
  /** The vault, where it is a process of its own. */
  vault?: { process: BlownProcess; database: BlownDatabase } | null
}

/**
 * Inflicts faults on every target of these kinds, each at its own times, until the storm is over. Resolves when all
 * targets work again. `often`: how many times as often as usual.
 */
export async function openDisruptions(
  stage: BlownStage,
  { say, dice: diceOf, over }: Weather,
  among: readonly string[] = ['services', 'database', 'sandbox', 'processors', 'desk', 'vault'],
  often = 1,
): Promise<void> {
  const has = (kind: string): boolean => among.includes(kind)
  const rest = (ms: number): Promise<void> => pause(ms, undefined, { signal: over }).catch(() => {})
  async function fall<T>(
    name: string,
    target: T,
    disruptions: readonly Disruption<T>[],
    [low, high]: [number, number],
    mayMiss: boolean,
  ): Promise<void> {
    const dice = diceOf(name)
    for (;;) {
      await rest(seconds(dice, low, high) / often)
      if (over.aborted) return
      const disruption = dice.weighted(disruptions)
      say(`${name}: ${disruption.name}`)
      await disruption.strike(target, dice, rest).catch(error => {
        if (!mayMiss) throw error
      })
    }
  }
  await Promise.all([
    ...(has('services') ? stage.services : []).map(({ process }) => fall(process.name, process, ofService, [3, 16], false)),
    has('database') && fall('the database', stage.database, ofDatabase, [4, 22], false),
    has('vault') && stage.vault && fall('the vault', stage.vault.process, ofService, [4, 20], false),
    has('vault') && stage.vault && fall('the database of the vault', stage.vault.database, ofDatabase, [8, 40], false),
    has('sandbox') && fall('the sandbox', stage.sandbox, ofSandbox, [6, 26], false),
    ...stage.shops.flatMap(({ all, has: needs }, i) =>
      all.flatMap(({ connector, processor }) => {
        const target = { processor, connector, needsWebhooks: needs.includes('news') }
        const name = `${connector} of shop ${i}`
        const isOne = all.length === 1
        // Each of several accounts of a shop has faults less often, so that all of them together leave some calls
        // undisturbed.
        return [
          has('processors') && fall(name, target, ofProcessor, isOne ? [1, 6] : [3, 20], true),
          has('desk') && fall(`the desk of ${name}`, target, ofDesk, isOne ? [0.5, 4] : [2, 12], true),
        ]
      }),
    ),
  ])
}
