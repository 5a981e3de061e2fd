import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { Agent } from 'undici'
import { homesSetting } from '../../sandbox/homes.ts'
import { openSandbox } from '../../sandbox/server.ts'
import { readConfig } from '../../src/config.ts'
import type { Log } from '../../src/context.ts'
import { start } from '../../src/service.ts'
import type { Door } from '../long/clients.ts'
import { type Complaint, openShops, PATIENCE_MS, STORM_ADMIN_KEY } from '../long/stage.ts'
import { openSimulatedDatabase, type Said } from './database.ts'
import { asJudge, killSockets } from './network.ts'
import { as, endWhoThrows, openProgram, type Program, thaw, worldDice } from './world.ts'

// What is loaded when it is first needed is there: a world does not know how long loading takes.
await Promise.all(['../../src/telemetry/metrics.ts', '@fastify/static', 'jose'].map(name => import(name)))

/** A program of ours in this process: it begins, and ends when it is asked to. */
type Opens = () => Promise<{ close(): Promise<unknown> }>

/** After an end by itself a supervisor starts it again. */
const PAUSE_MS = 50

/** The end of each program by an error that its code does not hear. */
const crashes = new Map<Program, (error: unknown) => void>()
endWhoThrows((program, error) => {
  const crash = crashes.get(program)
  if (!crash) throw error
  crash(error)
})

/** A process that is killed, stopped and started again, always at the same address; as `mortal-process.ts` has it. */
function openSimulatedProcess(name: string, opens: Opens, died: (how: string) => void) {
  let program: Program = { ...openProgram(name), isAlive: false }
  let running: { close(): Promise<unknown> } | null = null
  const end = () => {
    program.isAlive = false
    killSockets(program)
    running = null
  }
  return {
    name,
    alive: () => program.isAlive,
    /** Starts it, as often as it takes until it is ready. */
    async start(): Promise<void> {
      while (!program.isAlive) {
        const mine: Program = openProgram(name)
        program = mine
        const threw = new Promise<never>((_, reject) => {
          crashes.set(mine, error => (running === null ? reject(error) : died(`${name} ended with ${(error as Error)?.stack}`)))
        })
        try {
          running = await Promise.race([as(mine, opens), threw])
        } catch {
          end()
          await new Promise(done => setTimeout(done, PAUSE_MS))
        }
      }
    },
    kill: async () => end(),
    async stop(): Promise<string> {
      if (!running) return 'code 0'
      const its = running
      await as(program, () => its.close())
      end()
      return 'code 0'
    },
    freeze(): void {
      program.isFrozen = true
    },
    thaw: () => thaw(program),
    /** Its host's clock is wrong by so much from now on. */
    leap(ms: number): void {
      program.clockAhead = ms
    },
    memory: () => 0,
  }
}
export type SimulatedProcess = ReturnType<typeof openSimulatedProcess>

export const SANDBOX_PORT = 8081
const FIRST_PORT = 8090

export type StageOptions = { houses: readonly string[]; settings?: Record<string, string>; heard?: ((said: Said) => void) | null }

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

/** The stage of a storm (`../long/stage.ts`) within one process; its merchants come later (`fill`). */
export async function openSimulatedStage(folder: string, { houses, settings: more = {}, heard = null }: StageOptions) {
  const database = await openSimulatedDatabase(folder, heard)
  const complaints: Complaint[] = []
  const deaths: string[] = []
  const died = (how: string) => void deaths.push(how)
  const sandboxUrl = `http://127.0.0.1:${SANDBOX_PORT}`
  const sandbox = openSimulatedProcess(
    'the sandbox',
    () => openSandbox({ port: SANDBOX_PORT, host: '127.0.0.1', ledgerFile: join(folder, 'sandbox.jsonl') }),
    died,
  )
  const services = ['A', 'B'].map((letter, i) => {
    const name = `service ${letter}`
    const port = FIRST_PORT + i
    const settings = {
      DATABASE_URL: database.url,
      HOST: '127.0.0.1',
      PORT: String(port),
      ADMIN_API_KEY: STORM_ADMIN_KEY,
      KEY_FILE: join(folder, 'keys.json'),
      FILES_FOLDER: join(folder, 'files'),
      SANDBOX_URL: sandboxUrl,
      ...(houses.length > 0 && { CONNECTOR_BASE_URLS: homesSetting(sandboxUrl) }),
      PROCESSOR_TIMEOUT_MS: '1500',
      ...more,
    }
    const say = (level: number) => (facts: object, words: string) => {
      const why = (facts as { err?: Error }).err
      if (level >= 40) complaints.push({ who: name, level, words, why: why?.message ?? '', line: `${words} ${why?.stack ?? ''}` })
    }
    const log: Log = { info: say(30), warn: say(40), error: say(50) }
    const process = openSimulatedProcess(name, () => start(readConfig(settings), { log }), died)
    return { url: `http://127.0.0.1:${port}`, settings, process }
  })
  const judge = () => new pg.Pool({ connectionString: database.url, max: 1 }).on('error', () => {})
  let pool: pg.Pool | null = null
  const agent = new Agent({ headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS, connect: { timeout: 3000 } })
  return {
    database,
    sandbox,
    services,
    complaints,
    deaths,
    async fill() {
      await sandbox.start()
      for (const { process } of services) await process.start()
      return openShops({ origins: services.map(({ url }) => url), sandboxUrl, agent, houses })
    },
    query: (text: string, values: unknown[]) =>
      asJudge(async () => {
        pool ??= judge()
        return (await pool.query(text, values)).rows
      }),
    async close(): Promise<string[]> {
      await asJudge(async () => pool?.end())
      agent.destroy().catch(() => {})
      for (const process of [...services.map(one => one.process), sandbox]) {
        process.thaw()
        await process.kill()
      }
      return []
    },
    /** Behind the end of the world: the memory of its database. */
    async drop(): Promise<void> {
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
export type SimulatedStage = Awaited<ReturnType<typeof openSimulatedStage>> & { shops: Awaited<ReturnType<typeof openShops>> }
