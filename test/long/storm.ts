import { parseArgs } from 'node:util'
import type { Config } from '../../src/config.ts'
import { readBooks } from './books.ts'
import { type ClientAnswer, type Order, openClients } from './clients.ts'
import { openDice } from './dice.ts'
import { openDisruptions, type Weather } from './disruptions.ts'
import { describeDifferences } from './history.ts'
import { type Difference, judge } from './judge.ts'
import { judgeAnswers } from './judge-answers.ts'
import { openLastDays } from './last-days.ts'
import { openMortalDatabase } from './mortal-database.ts'
import { openStageOn, type Stage, type StageDatabase, type StageOn, type StagePlan, vendorConnectors } from './stage.ts'

/**
 * A storm: clients of several merchants run all journeys at once, against several services on one database, while all
 * processes are killed and stopped at random. When it is over, time passes until nothing is unfinished; then every row
 * is compared with the processor's ledger and with every answer that a client received.
 *
 *   npm run storm -- --minutes 60 --seed 7
 *   … --roles all,all --no-vault      two services with all roles, the vault within them
 *
 * The seed determines the journeys and the faults; how they coincide is never the same.
 */

export type StormPlan = { minutes: number; seed: number; clients?: number; rest_ms?: number; again_ms?: number; say(text: string): void }

/** The most memory (MB) that a service may use. */
const MOST_MEMORY = 450

/**
 * The longest rest in milliseconds of clients between their journeys, so that the books of an hour can still be read.
 */
const REST_MS = 300

/** The number of differing payments that are reported with their whole history. */
const MOST_REPORTED = 20

/** The place of a storm: the database, the faults, and the other parts of the stage. */
export type StormPlace<D extends StageDatabase> = StagePlan & {
  openDatabase(): Promise<D>
  disrupt(stage: StageOn<D>, weather: Weather): Promise<void>
}

/** The parts of an ordinary storm: each role twice, the vault apart, and merchants with all connectors. */
export const wholeStage = { roles: ['api', 'api', 'worker', 'worker'], vaultApart: true, connectors: vendorConnectors } as const

/** Runs a storm on a stage of these parts. Gives the differences in words; none if all is well. */
export const storm = (plan: StormPlan, parts: StagePlan = wholeStage): Promise<string[]> =>
  stormAt<Stage['database']>(plan, { openDatabase: openMortalDatabase, disrupt: openDisruptions, ...parts })

/** Runs a storm at another place. */
export const stormAt = async <D extends StageDatabase>(
  plan: StormPlan,
  { openDatabase, disrupt, ...parts }: StormPlace<D>,
): Promise<string[]> => stormOn(await openStageOn(openDatabase, parts), plan, disrupt)

/** The parts of a stage that a storm needs. `process`: the parts of a process that a storm uses. */
type StormStage = Omit<Stage, 'database' | 'sandbox' | 'services' | 'vault' | 'fill' | 'ahead' | 'judge'> & {
  services: { url: string; settings: Record<string, string>; process: { name: string; memory(): number; stop(): Promise<string> } }[]
  /** Receives by how many milliseconds the service's clock is ahead when days pass. */
  ahead?: (ms: number) => unknown
  /** Checks further conditions at the end; gives the differences. */
  judge?: () => Promise<string[]>
}

/** Runs a storm on an open stage, and closes the stage. */
export async function stormOn<S extends StormStage>(
  stage: S,
  { minutes, seed, clients: many = 24, rest_ms = REST_MS, again_ms = 25, say: sayTo }: StormPlan,
  disrupt: (stage: S, weather: Weather) => Promise<void>,
): Promise<string[]> {
  const begun = Date.now()
  const say = (text: string) => sayTo(`${((Date.now() - begun) / 1000).toFixed(1).padStart(7)} s  ${text}`)
  say(`storm: ${minutes} minutes, seed ${seed}, ${many} clients`)
  const over = new AbortController()
  const found: string[] = []
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, ...stage.services.map(({ process }) => process.memory()))
  }, 1000)
  try {
    const crowds = stage.shops.map((shop, i) =>
      openClients(shop, Math.ceil(many / stage.shops.length), { seed: `${seed} ${i}`, whileRunning: 'ask on', rest_ms, again_ms }),
    )
    const timer = setTimeout(() => over.abort(), minutes * 60_000)
    await disrupt(stage, { say, dice: of => openDice(seed, of), over: over.signal }).finally(() => clearTimeout(timer))

    say('the faults end; clients complete their journeys')
    for (const { processor } of stage.shops.flatMap(({ all }) => all)) {
      await processor.soundAgain()
      await processor.account({ webhooks: 'send' })
      await processor.flushWebhooks()
    }
    found.push(...(await allAnswered(crowds, stage.query)))
    for (const { process } of stage.services) {
      const how = await process.stop()
      if (how !== 'code 0') found.push(`${process.name} was stopped, and ended with ${how} instead of code 0`)
    }
    clearInterval(watch)

    say('the clocks advance')
    const lastDays = await openLastDays(stage)
    try {
      for (const [time, days, isEnd] of [
        ['half a day', ['1 minute', '4 minutes', '10 minutes', '1 hour', '11 hours', '1 hour'], false],
        ['nine days', ['1 day', '1 day', '7 days', '1 hour'], true],
      ] as const) {
        for (const day of days) await lastDays.wait(day)
        await lastDays.lookAtHolds()
        say(`${time} later: ${await lastDays.due()} jobs are pending`)
        found.push(
          ...(await judgeAll(
            stage,
            crowds.map(({ received }) => received),
            say,
            isEnd,
          )),
        )
        found.push(...(await lastDays.askAgain(crowds.map(({ received }) => received))))
      }
      found.push(...((await stage.judge?.()) ?? []))
    } finally {
      await lastDays.close()
    }
    for (const { surprises } of crowds) found.push(...surprises)
    found.push(...stage.deaths, ...complaintsOf(stage, say))
    const counts: Record<string, number> = {}
    for (const crowd of crowds) for (const [outcome, n] of Object.entries(crowd.counts)) counts[outcome] = (counts[outcome] ?? 0) + n
    say(`responses: ${JSON.stringify(counts)}; peak memory of a service: ${most} MB`)
    if (most > MOST_MEMORY) found.push(`a service used ${most} MB; at most ${MOST_MEMORY} MB are allowed`)
  } finally {
    clearInterval(watch)
    found.push(...(await stage.close()))
  }
  say(`${found.length} differences`)
  return found
}

/**
 * Waits until every client is answered; gives the requests that are not. Without faults, an answer takes no longer
 * than the claim of a dead process lasts, and no client may wait forever.
 */
async function allAnswered(
  crowds: { open: Set<Order>; received: ClientAnswer[]; end(): Promise<void> }[],
  query: StormStage['query'],
): Promise<string[]> {
  const enough = new AbortController()
  const late = new Promise<'late'>(resolve => {
    const timer = setTimeout(resolve, 300_000, 'late')
    enough.signal.addEventListener('abort', () => clearTimeout(timer))
  })
  const how = await Promise.race([Promise.all(crowds.map(crowd => crowd.end())), late])
  enough.abort()
  if (how !== 'late') return []
  const unanswered = crowds.flatMap(({ open, received }) =>
    [...open].map(async order => {
      const answers = received.filter(one => one.order === order)
      const last = answers.slice(-3).map(({ at, outcome }) => `${new Date(at).toISOString()} ${outcome}`)
      const counts = Object.entries(Object.groupBy(answers, ({ outcome }) => outcome)).map(
        ([outcome, those]) => `${those!.length} x ${outcome}`,
      )
      const operations = (await operationsOf(query, order)).map(row => JSON.stringify(row))
      return `received no response: ${JSON.stringify(order)}\n  ${[...counts, 'at last:', ...last, 'operations:', ...operations].join('\n  ')}`
    }),
  )
  return Promise.all(unanswered)
}

/** Gives the operations of the object that a request names, without their data. */
const operationsOf = (query: StormStage['query'], { path, body }: Order) =>
  query(
    `select n, connector, verb, purpose, state, amount, reference, began, modified_at, poll_at, now() as now
      from processor_operations where object_id = $1 order by n`,
    [body?.payment_id ?? path.split('/')[2]?.split('?')[0] ?? ''],
  )

/**
 * Compares the books of all shops. Some processors take days for results that others give at once: merchants with
 * accounts there are judged only at the end.
 */
async function judgeAll(
  stage: Pick<StormStage, 'shops' | 'query'>,
  received: ClientAnswer[][],
  say: (text: string) => void,
  isEnd: boolean,
): Promise<string[]> {
  const found: string[] = []
  for (const [i, shop] of stage.shops.entries()) {
    if (!isEnd && shop.others.length > 0) continue
    const books = await readBooks(stage.query, shop, shop.merchant_id)
    const differences: Difference[] = [...judge(books), ...judgeAnswers(books, received[i]!)]
    const authentications = [...books.ours.values()].filter(({ verb, state }) => verb === 'authenticate' && state === 'done').length
    const external = [...books.ours.values()].filter(({ purpose }) => purpose === 'external').length
    const payments = Object.entries(Object.groupBy(books.payments.values(), ({ connector }) => connector ?? 'nowhere'))
    say(`shop ${i} is paid at ${payments.map(([connector, those]) => `${connector} ${those!.length} times`).join(', ')}`)
    say(
      `shop ${i}: ${books.payments.size} payments, ${books.ours.size} operations (${authentications} authentications, ${external} made at the processor by others), ${received[i]!.length} answers, ${differences.length} differences`,
    )
    found.push(...describeDifferences(differences, books, received[i]!))
  }
  return found
}

/**
 * The errors that a log may contain: in all these cases the job tries again. A job finds its object busy if another
 * process changes it, or deletes its card, at the same moment.
 */
const excuses = [
  'the database cannot be reached',
  'the vault cannot be reached',
  'the service is shutting down',
  'Resource is busy',
  // Its reason is in the words of the socket or the driver: the storm ends databases.
  'the database cannot write',
]

function complaintsOf({ complaints }: Pick<Stage, 'complaints'>, say: (text: string) => void): string[] {
  const counts = new Map<string, number>()
  for (const { message, why } of complaints) counts.set(`${message}: ${why}`, (counts.get(`${message}: ${why}`) ?? 0) + 1)
  for (const [message, n] of counts) say(`logged ${n} times: ${message}`)
  return complaints
    .filter(({ level, message, why }) => level >= 50 && !excuses.some(excuse => `${message}: ${why}`.includes(excuse)))
    .map(({ who, line }) => `${who} logged: ${line}`)
}

if (import.meta.main) {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      minutes: { type: 'string', default: '10' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 1e6)) },
      clients: { type: 'string', default: '24' },
      roles: { type: 'string', default: wholeStage.roles.join(',') },
      vault: { type: 'boolean', default: wholeStage.vaultApart },
    },
  })
  const found = await storm(
    {
      minutes: Number(values.minutes),
      seed: Number(values.seed),
      clients: Number(values.clients),
      say: text => process.stdout.write(`${text}\n`),
    },
    { connectors: vendorConnectors, roles: values.roles.split(',') as Config['role'][], vaultApart: values.vault },
  )
  for (const text of found.slice(0, MOST_REPORTED)) process.stdout.write(`${text}\n`)
  for (const text of found.slice(MOST_REPORTED)) process.stdout.write(`${text.split('\n', 3).join(' ').slice(0, 500)}\n`)
  process.stdout.write(found.length === 0 ? '1 passed, 0 failed\n' : `0 passed, ${found.length} failed\n`)
  process.exitCode = found.length === 0 ? 0 : 1
}
