// Database, sandbox, service: started side by side where they may be, stopped in the opposite order, and all of it or
// nothing.
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { homesSetting } from '../sandbox/homes.ts'
import { type Child, environment } from './children.ts'
import { adminKey, type Demo, linkOfFirst, openDemoShop } from './demo.ts'
import { openFolder } from './folder.ts'
import { openLog } from './log-file.ts'
import { baseUrl, choosePort } from './ports.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { startSandbox } from './sandbox.ts'
import { type Service, startService } from './service.ts'
import { listen } from './service-log.ts'
import { type Environment, readSettings, type Wanted } from './settings.ts'

export type Plan = {
  dataDir: string
  scripts: { service: string; sandbox: string }
  env: Environment
  /** For a person at the terminal. */
  say(line: string): void
  /** Where the service's log goes with LOG=stdout. */
  raw(chunk: Buffer): void
  /**
   * How long a service that died is left alone, in milliseconds, by how often it has died in a row; the usual pauses
   * unless said otherwise.
   */
  pauses?: readonly number[]
}

/** `adminKey`: the one that was made; who gave one knows it. */
export type Running = {
  base: string
  adminKey: string | null
  demo: Demo | null
  /** Opens once, for the first owner of the demo merchant; null where there is one. */
  firstLink: string | null
  dataDir: string
  database: string
  failed: Promise<string>
}

/** A service that has answered for so long has not died in a row. */
const STEADY_MS = 60_000
const usualPauses = [1_000, 2_000, 5_000, 15_000, 30_000, 60_000]

export type Everything = {
  start(): Promise<Running>
  /** Any time, also in the middle of a start; `hurry` cuts short the service's time to finish. */
  stop(hurry?: AbortSignal): Promise<void>
}

export function everything(plan: Plan): Everything {
  const { env, say } = plan
  const stopped = new AbortController()
  /** What runs, in the order of starting. */
  const running: { database?: Postgres; sandbox?: Child; service?: Child } = {}
  let release = () => {}
  let starting: Promise<Running> | undefined
  let stopping: Promise<void> | undefined
  let keeping: Promise<void> | undefined
  let fail = (_why: string) => {}
  const failed = new Promise<string>(resolve => {
    fail = resolve
  })
  const guard = (child: { ended: Promise<string> }) => void child.ended.then(why => stopping === undefined && fail(why))

  async function start(): Promise<Running> {
    const wanted = readSettings(env)
    const { dataDir, ...lock } = openFolder(plan.dataDir)
    release = lock.release
    const host = env.HOST || '127.0.0.1'
    const port = await choosePort({ setting: 'PORT', given: env.PORT, usual: 8080, host })
    if (!env.PORT && port !== 8080) say(`port 8080 is in use; the service uses port ${port} instead`)
    const base = baseUrl(host, port)
    const notes = join(dataDir, 'demo.json')
    const isTest = wanted.mode === 'test'
    const key = wanted.adminKey ?? adminKey(notes)

    const [database, sandbox] = await both(openDatabase(dataDir), openSandbox(wanted, dataDir, port))
    stopped.signal.throwIfAborted()
    const log = wanted.logToStdout ? null : openLog(join(dataDir, 'service.log'))
    const openService = () =>
      startService({
        script: plan.scripts.service,
        base,
        say,
        // Each has its own: that one was ready says nothing of the next.
        listener: listen(log, say, wanted.logToStdout ? plan.raw : undefined),
        env: environment({
          ...env,
          DATABASE_URL: database,
          PORT: String(port),
          HOST: host,
          ADMIN_API_KEY: key,
          FILES_FOLDER: env.FILES_FOLDER || join(dataDir, 'files'),
          KEY_FILE: env.KEY_FILE || (isTest && !env.KEYS && !env.KEY_COMMAND ? join(dataDir, 'keys.json') : undefined),
          SANDBOX_URL: sandbox ?? undefined,
          CONNECTOR_BASE_URLS: env.CONNECTOR_BASE_URLS || (sandbox ? homesSetting(sandbox) : undefined),
          WEBHOOK_LOOPBACK: env.WEBHOOK_LOOPBACK || (isTest ? '1' : undefined),
          REQUEST_LOG_DAYS: env.REQUEST_LOG_DAYS || '30',
          DIES_WITH_STDIN: '1',
        }),
      })
    const service = await openService()
    running.service = service
    await service.ready
    stopped.signal.throwIfAborted()
    keeping = keepUp(service, openService)
    const demo = isTest && env.ROLE !== 'worker' ? await openDemoShop({ base, adminKey: key, sandbox, file: notes }) : null
    const firstLink = demo === null ? null : await linkOfFirst(base, key, demo)
    return { base, firstLink, adminKey: wanted.adminKey === null ? key : null, demo, dataDir, database, failed }
  }

  /** A service that ends on its own is started again, after a pause that grows. */
  async function keepUp(first: Service, open: () => Promise<Service>): Promise<void> {
    const { pauses = usualPauses } = plan
    let service: Service | null = first
    let died = 0
    while (!stopped.signal.aborted) {
      const since = performance.now()
      let why = ''
      try {
        service ??= await open()
        running.service = service
        if (stopped.signal.aborted) return
        await service.ready
        if (died > 0) say('the service is running again')
        why = await service.ended
      } catch (error) {
        why = (error as Error).message
      }
      if (stopped.signal.aborted) return
      service = null
      died = performance.now() - since > STEADY_MS ? 1 : died + 1
      const pause = pauses[Math.min(died, pauses.length) - 1]!
      say(`${why}\nit restarts in ${pause / 1000} s`)
      await wait(pause, undefined, { signal: stopped.signal }).catch(() => {})
    }
  }

  async function openDatabase(dataDir: string): Promise<string> {
    if (env.DATABASE_URL) return env.DATABASE_URL
    const database = await startPostgres({ dataDir: join(dataDir, 'postgres'), log: say, signal: stopped.signal })
    running.database = database
    guard(database)
    return database.url
  }

  async function openSandbox(wanted: Wanted, dataDir: string, taken: number): Promise<string | null> {
    if (!wanted.sandbox) return env.SANDBOX_URL || null
    const host = env.SANDBOX_HOST || '127.0.0.1'
    const port = await choosePort({ setting: 'SANDBOX_PORT', given: env.SANDBOX_PORT, usual: 8081, host, besides: [taken] })
    if (!env.SANDBOX_PORT && port !== 8081) say(`port 8081 is in use; the sandbox uses port ${port} instead`)
    const ledger = env.SANDBOX_LEDGER || join(dataDir, 'sandbox.ledger')
    const sandbox = await startSandbox({ script: plan.scripts.sandbox, host, port, ledger, show: say })
    running.sandbox = sandbox
    await sandbox.ready
    guard(sandbox)
    return baseUrl(host, port)
  }

  async function stop(hurry?: AbortSignal): Promise<void> {
    stopped.abort(new Error('stopped while starting'))
    await running.service?.stop(30_000, hurry)
    if (running.service === undefined) await running.sandbox?.stop(5000, hurry) // it may be what the start waits for
    await starting?.catch(() => {}) // what it was opening is noted in `running` now
    await running.service?.stop(30_000, hurry)
    await keeping
    await running.service?.stop(30_000, hurry)
    await running.sandbox?.stop(5000, hurry)
    await running.database?.stop()
    release()
  }

  return {
    start: () => (starting ??= start()),
    stop: hurry => (stopping ??= stop(hurry)),
  }
}

/** Like Promise.all, but a failure waits for the other: nothing may come up after we have begun to take all down. */
async function both<A, B>(a: Promise<A>, b: Promise<B>): Promise<[A, B]> {
  const [first, second] = await Promise.allSettled([a, b])
  if (first.status === 'rejected') throw first.reason
  if (second.status === 'rejected') throw second.reason
  return [first.value, second.value]
}
