// Starts everything that is measured: a database on disk, the processor, and the service as it ships, each its own
// process.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { request } from 'undici'
import { howItEnded } from '../launch/children.ts'
import { diesWithParent } from '../launch/death-signal.mjs'
import { memoryFlags, memorySettings } from '../launch/memory.ts'
import { choosePort } from '../launch/ports.ts'
import { startPostgres } from '../launch/postgres.ts'
import { homesSetting } from '../sandbox/homes.ts'
import { type Config, readConfig } from '../src/config.ts'
import { openMerchant } from './merchant.ts'

const project = join(import.meta.dirname, '..')
export const ADMIN_KEY = 'admin_key_of_the_bench'
export const MERCHANT = 'bench'

export type Stage = Awaited<ReturnType<typeof openStage>>

/**
 * Opens a stage. `nodeArgs`: arguments of the service's Node (for a profile); none for measurements. `sandbox`: the
 * sandbox answers the first request of each kind (`recorder.ts`), so that all connectors work. `env`: more settings of
 * the service.
 */
export async function openStage({
  nodeArgs = [],
  sandbox = false,
  env: more = {},
}: {
  nodeArgs?: string[]
  sandbox?: boolean
  env?: Record<string, string>
} = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-bench-'))
  const closing: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
  const close = async () => {
    for (const one of closing.splice(0).reverse()) await one()
  }
  try {
    const postgres = await startPostgres({ dataDir: join(folder, 'pg'), settings: { max_connections: '400' } })
    closing.push(() => postgres.stop())
    const database = new pg.Client({ connectionString: postgres.url })
    await database.connect()
    closing.push(() => database.end())
    // pgbench writes to its own tables, because the payments that the service made are counted.
    await database.query('create database limits')
    await database.query('create database yardstick')
    const urlOf = (name: 'limits' | 'yardstick') => {
      const url = new URL(postgres.url)
      url.pathname = `/${name}`
      return url.href
    }

    const processorUrl = `http://127.0.0.1:${await freePort()}`
    const upstream = `http://127.0.0.1:${await freePort()}`
    if (sandbox) {
      const env = { SANDBOX_PORT: new URL(upstream).port, SANDBOX_LEDGER: join(folder, 'ledger') }
      const script = await startScript('sandbox/main.ts', env, join(folder, 'sandbox.log'))
      closing.push(script.stop)
      await answering(`${upstream}/`, script)
    }
    const responds = { PORT: new URL(processorUrl).port, UPSTREAM: upstream }
    const processor = await startScript(sandbox ? 'bench/recorder.ts' : 'bench/responder.ts', responds, join(folder, 'responder.log'))
    closing.push(processor.stop)
    await answering(`${processorUrl}/`, processor)

    const url = `http://127.0.0.1:${await freePort()}`
    const log = join(folder, 'service.log')
    const env = {
      ...memorySettings,
      DATABASE_URL: postgres.url,
      PORT: new URL(url).port,
      ADMIN_API_KEY: ADMIN_KEY,
      KEY_FILE: join(folder, 'keys.json'),
      SANDBOX_URL: processorUrl,
      CONNECTOR_BASE_URLS: homesSetting(processorUrl),
      DIES_WITH_STDIN: '1',
      PROCESSES: process.env.PROCESSES ?? '1',
      ...more,
    }
    const startService = async () => {
      const script = await startScript('src/main.ts', env, log, [...memoryFlags, ...nodeArgs])
      closing.push(script.stop)
      await answering(`${url}/health/ready`, script)
      return script
    }
    // The first start compiles the code and keeps the 20 MB that compiling takes. The measured start is the second, as
    // on every other day.
    await (await startService()).stop()
    const service = await startService()
    const key = await openMerchant(url, ADMIN_KEY, MERCHANT)
    return {
      folder,
      postgres,
      database,
      processor,
      service,
      url,
      key,
      urlOf,
      limits: limitsConfig(urlOf('limits'), folder, processorUrl),
      /** Empties the service's log, which is not needed any more and would grow to gigabytes. */
      forgetLog: () => truncateSync(log),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Returns the configuration of a service that writes where pgbench does. */
const limitsConfig = (databaseUrl: string, folder: string, sandboxUrl: string): Config =>
  readConfig({
    DATABASE_URL: databaseUrl,
    PORT: '0',
    ADMIN_API_KEY: randomBytes(16).toString('hex'),
    KEY_FILE: join(folder, 'limit-keys.json'),
    SANDBOX_URL: sandboxUrl,
    FILES_FOLDER: join(folder, 'files'),
    DATABASE_CONNECTIONS: '2',
    LOG_LEVEL: 'error',
  })

export const freePort = () => choosePort({ setting: 'PORT', given: '0', usual: 0, host: '127.0.0.1' })

export type Script = { pid: number; ended: Promise<string>; stop(): Promise<void>; output(): string }

/**
 * Starts a script of the project with this Node. Its output goes to a file, so that no process reads it during the
 * measurement.
 */
export async function startScript(script: string, env: Record<string, string>, output: string, nodeArgs: string[] = []): Promise<Script> {
  const [command, ...args] = [...diesWithParent('TERM'), process.execPath, ...nodeArgs, join(project, script)]
  const out = openSync(output, 'a')
  const child: ChildProcess = spawn(command!, args, {
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '', ...env },
    stdio: ['pipe', out, out],
    detached: true,
  })
  closeSync(out)
  child.stdin!.on('error', () => {})
  const ended = howItEnded(child)
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { pid: child.pid!, ended, stop, output: () => readFileSync(output, 'utf8').trim().slice(-1000) }
}

export async function answering(url: string, script: Script): Promise<void> {
  let over = false
  void script.ended.then(() => {
    over = true
  })
  for (let tries = 0; !over && tries < 600; tries++) {
    try {
      const answer = await request(url)
      await answer.body.dump()
      if (answer.statusCode < 500) return
    } catch {
      // The server is not listening yet.
    }
    await wait(50)
  }
  throw new Error(`${url} does not respond: ${script.output()}`)
}
