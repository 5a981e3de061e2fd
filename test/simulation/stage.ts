import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { Agent } from 'undici'
import { homesSetting } from '../../sandbox/homes.ts'
import { openSandbox } from '../../sandbox/server.ts'
import type { Door } from '../long/clients.ts'
import { type Complaint, openShops, PATIENCE_MS, STORM_ADMIN_KEY } from '../long/stage.ts'
import type { Processor } from '../processor.ts'
import { openSimulatedDatabase, type Said } from './database.ts'
import { asJudge } from './network.ts'
import { openSimulatedProcess } from './process.ts'
import { type Crew, openSimulatedServices } from './services.ts'
import { judgeVault, openSimulatedVault } from './vault.ts'
import { worldDice } from './world.ts'

// What is loaded when it is first needed is there: a world does not know how long loading takes.
await Promise.all(['../../src/telemetry/metrics.ts', '@fastify/static', 'jose'].map(name => import(name)))

export const SANDBOX_PORT = 8081

export type StageOptions = {
  houses: readonly string[]
  settings?: Record<string, string>
  vaultApart?: boolean
  crew?: Crew
  heard?: ((said: Said) => void) | null
}

/** Which share of requests under an Idempotency-Key is sent twice at once. */
const DOUBLED = 0.1

type Calls = { call: Door['call'] }

/** The shop of a client whose requests are doubled on their way: what may be repeated comes twice at once. */
export const doubled = <Shop extends Calls>(shop: Shop): Shop => ({
  ...shop,
  call(method, path, body, headers) {
    const twin = headers?.['idempotency-key'] !== undefined && worldDice().chance(DOUBLED)
    // Its answer is the same one, or that the first is running; it may be lost as well.
    if (twin) shop.call(method, path, body, headers).catch(() => {})
    return shop.call(method, path, body, headers)
  },
})

/** Files of a simulation: keys, evidence, and the processor's ledger. */
export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'switchyard-simulation-'))
}

/** A database as judges ask it: nothing befalls their questions. */
function openQuestions(connectionString: string) {
  let pool: pg.Pool | null = null
  return {
    query: (text: string, values: unknown[]) =>
      asJudge(async () => {
        pool ??= new pg.Pool({ connectionString, max: 1 }).on('error', () => {})
        return (await pool.query(text, values)).rows
      }),
    close: () => asJudge(async () => pool?.end()),
  }
}

/** What judges ask the sandbox, and tell it, is none of the storm's. */
const undisturbed = (processor: Processor): Processor =>
  new Proxy(processor, {
    get: (of, name: keyof Processor) => {
      const does = of[name]
      return typeof does === 'function' ? (...args: never[]) => asJudge(() => (does as (...args: never[]) => unknown)(...args)) : does
    },
  })

/** The stage of a storm (`../long/stage.ts`) within one process; its merchants come later (`fill`). */
export async function openSimulatedStage(
  folder: string,
  { houses, settings: more = {}, vaultApart = false, crew = 'two', heard = null }: StageOptions,
) {
  const database = await openSimulatedDatabase(folder, heard)
  const complaints: Complaint[] = []
  const deaths: string[] = []
  const died = (how: string) => void deaths.push(how)
  const vault = vaultApart ? await openSimulatedVault(folder, complaints, died) : null
  const sandboxUrl = `http://127.0.0.1:${SANDBOX_PORT}`
  const sandbox = openSimulatedProcess(
    'the sandbox',
    () => openSandbox({ port: SANDBOX_PORT, host: '127.0.0.1', ledgerFile: join(folder, 'sandbox.jsonl') }),
    died,
  )
  const settings = {
    DATABASE_URL: database.url,
    HOST: '127.0.0.1',
    ADMIN_API_KEY: STORM_ADMIN_KEY,
    KEY_FILE: join(folder, 'keys.json'),
    FILES_FOLDER: join(folder, 'files'),
    SANDBOX_URL: sandboxUrl,
    ...(houses.length > 0 && { CONNECTOR_BASE_URLS: homesSetting(sandboxUrl) }),
    PROCESSOR_TIMEOUT_MS: '1500',
    ...vault?.settings,
    ...more,
  }
  const { services, origins } = openSimulatedServices({ crew, settings, complaints, died })
  const ours = openQuestions(database.url)
  const theirs = vault && openQuestions(vault.database.url)
  const agent = new Agent({ headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS, connect: { timeout: 3000 } })
  return {
    database,
    sandbox,
    vault,
    services,
    complaints,
    deaths,
    async fill() {
      await sandbox.start()
      await vault?.start()
      for (const { process } of services) await process.start()
      const shops = await openShops({ origins, sandboxUrl, agent, houses })
      return shops.map(shop => ({
        ...shop,
        processor: undisturbed(shop.processor),
        payer: undisturbed(shop.payer),
        others: shop.others.map(undisturbed),
        all: shop.all.map(house => ({ ...house, processor: undisturbed(house.processor) })),
      }))
    },
    query: ours.query,
    /** Days pass by the clock of the service: others go by it. */
    ahead: (ms: number) => vault?.process.leap(ms),
    judge: async () => (theirs ? judgeVault(ours.query, theirs.query) : []),
    async close(): Promise<string[]> {
      for (const questions of [ours, theirs]) await questions?.close()
      agent.destroy().catch(() => {})
      for (const process of [...services.map(one => one.process), sandbox, ...(vault ? [vault.process] : [])]) {
        process.thaw()
        await process.kill()
      }
      return []
    },
    /** Behind the end of the world: the memory of its database. */
    async drop(): Promise<void> {
      await database.drop()
      await vault?.database.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
export type SimulatedStage = Awaited<ReturnType<typeof openSimulatedStage>> & { shops: Awaited<ReturnType<typeof openShops>> }
