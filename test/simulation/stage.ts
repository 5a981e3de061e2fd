import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { Agent } from 'undici'
import { homesSetting } from '../../sandbox/homes.ts'
import { openSandbox } from '../../sandbox/server.ts'
import { FORGETS_EVERY_MS } from '../../src/vault/process.ts'
import { judgeVault } from '../judge-vault.ts'
import type { Access } from '../long/clients.ts'
import { type Complaint, openShops, PATIENCE_MS, STORM_ADMIN_KEY } from '../long/stage.ts'
import type { Processor } from '../processor.ts'
import { type DatabaseExchange, openSimulatedDatabase } from './database.ts'
import { asJudge } from './network.ts'
import { openSimulatedProcess } from './process.ts'
import { type Crew, openSimulatedServices } from './services.ts'
import { openSimulatedVault } from './vault.ts'
import { worldDice } from './world.ts'

// Modules that the service loads at first use are loaded now: the world cannot know how long loading takes.
await Promise.all(['../../src/telemetry/metrics.ts', '@fastify/static', 'jose'].map(name => import(name)))

export const SANDBOX_PORT = 8081

export type StageOptions = {
  connectors: readonly string[]
  settings?: Record<string, string>
  vaultApart?: boolean
  crew?: Crew
  record?: ((exchange: DatabaseExchange) => void) | null
}

/** The share of requests with an Idempotency-Key that are sent twice at the same time. */
const DOUBLED = 0.1

type Calls = { call: Access['call'] }

/** Wraps a client's shop so that some of its requests with an Idempotency-Key arrive twice at the same time. */
export const doubled = <Shop extends Calls>(shop: Shop): Shop => ({
  ...shop,
  call(method, path, body, headers) {
    const twin = headers?.['idempotency-key'] !== undefined && worldDice().chance(DOUBLED)
    // The twin receives the same answer, or the error that the first request is still running, or no answer.
    if (twin) shop.call(method, path, body, headers).catch(() => {})
    return shop.call(method, path, body, headers)
  },
})

/** Makes a folder for the files of a simulation: keys, evidence, and the processor's ledger. */
export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'switchyard-simulation-'))
}

/** Opens a database for the judges' queries, which no trouble affects. */
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

/** Wraps a processor so that the judges' requests to it are not affected by troubles. */
const undisturbed = (processor: Processor): Processor =>
  new Proxy(processor, {
    get: (of, name: keyof Processor) => {
      const does = of[name]
      return typeof does === 'function' ? (...args: never[]) => asJudge(() => (does as (...args: never[]) => unknown)(...args)) : does
    },
  })

/** Opens a storm's stage (`../long/stage.ts`) within one process. `fill` starts the processes and adds merchants. */
export async function openSimulatedStage(
  folder: string,
  { connectors, settings: more = {}, vaultApart = false, crew = 'two', record = null }: StageOptions,
) {
  const database = await openSimulatedDatabase(folder, record)
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
    ...(connectors.length > 0 && { CONNECTOR_BASE_URLS: homesSetting(sandboxUrl) }),
    PROCESSOR_TIMEOUT_MS: '1500',
    ...vault?.settings,
    ...more,
  }
  const { services, origins } = openSimulatedServices({ crew, settings, complaints, died })
  const ours = openQuestions(database.url)
  const vaultQuestions = vault && openQuestions(vault.database.url)
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
      const shops = await openShops({ origins, sandboxUrl, agent, connectors })
      return shops.map(shop => ({
        ...shop,
        processor: undisturbed(shop.processor),
        payer: undisturbed(shop.payer),
        others: shop.others.map(undisturbed),
        all: shop.all.map(account => ({ ...account, processor: undisturbed(account.processor) })),
      }))
    },
    query: ours.query,
    /** Sets the vault's clock ahead with the service's clock, by which days pass after a storm. */
    ahead: (ms: number) => vault?.process.leap(ms),
    async judge(): Promise<string[]> {
      if (!vaultQuestions) return []
      // The deletion that begins in this time also ends in it.
      await pause(2 * FORGETS_EVERY_MS)
      return judgeVault(ours.query, vaultQuestions.query)
    },
    async close(): Promise<string[]> {
      for (const questions of [ours, vaultQuestions]) await questions?.close()
      agent.destroy().catch(() => {})
      for (const process of [...services.map(one => one.process), sandbox, ...(vault ? [vault.process] : [])]) {
        process.thaw()
        await process.kill()
      }
      return []
    },
    /** After the simulation: frees the databases' memory and deletes the folder. */
    async drop(): Promise<void> {
      await database.drop()
      await vault?.database.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
export type SimulatedStage = Awaited<ReturnType<typeof openSimulatedStage>> & { shops: Awaited<ReturnType<typeof openShops>> }
