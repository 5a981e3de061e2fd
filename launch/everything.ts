// Starts the database, the sandbox and the service, in parallel where possible, and stops them in reverse order.
// Either everything starts, or nothing remains.
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
  say(line: string): void
  /** Receives the service's log with LOG=stdout. */
  raw(chunk: Buffer): void
  /**
   * The pauses in milliseconds before a service that died is started again, by the number of deaths in a row; default:
   * `usualPauses`.
   */
  pauses?: readonly number[]
}

/** The running system. `adminKey`: the generated admin API key; null if the operator has set the key. */
export type Running = {
  base: string
  adminKey: string | null
  demo: Demo | null
  /** The link for the first owner of the demo merchant, which opens once; null if the merchant has an owner. */
  firstLink: string | null
  dataDir: string
  database: string
  failed: Promise<string>
}

/** The time after which a running service counts as steady, so that its next death starts a new row of deaths. */
const STEADY_MS = 60_000
const usualPauses = [1_000, 2_000, 5_000, 15_000, 30_000, 60_000]

/** Everything that is started. It starts once and stops once. */
export class Everything {
  readonly #plan: Plan
  readonly #stopped = new AbortController()
  /** The running parts, in the order of starting. */
  readonly #running: { database?: Postgres; sandbox?: Child; service?: Child } = {}
  readonly #failed = Promise.withResolvers<string>()
  #release = () => {}
  #starting: Promise<Running> | undefined
  #stopping: Promise<void> | undefined
  #keeping: Promise<void> | undefined

  constructor(plan: Plan) {
    this.#plan = plan
  }

  start(): Promise<Running> {
    this.#starting ??= this.#start()
    return this.#starting
  }

  /**
   * Stops everything, at any time, even during a start; `hurry` cuts short the time that the service has to finish.
   */
  stop(hurry?: AbortSignal): Promise<void> {
    this.#stopping ??= this.#stop(hurry)
    return this.#stopping
  }

  async #start(): Promise<Running> {
    const { env, say } = this.#plan
    const wanted = readSettings(env)
    const { dataDir, ...lock } = openFolder(this.#plan.dataDir)
    this.#release = lock.release
    const host = env.HOST || '127.0.0.1'
    const port = await choosePort({ setting: 'PORT', given: env.PORT, usual: 8080, host })
    if (!env.PORT && port !== 8080) say(`port 8080 is in use; the service uses port ${port} instead`)
    const base = baseUrl(host, port)
    const notes = join(dataDir, 'demo.json')
    const isTest = wanted.mode === 'test'
    const key = wanted.adminKey ?? adminKey(notes)

    const [database, sandbox] = await both(this.#openDatabase(dataDir), this.#openSandbox(wanted, dataDir, port))
    this.#stopped.signal.throwIfAborted()
    const own = { DATABASE_URL: database, PORT: String(port), HOST: host, ADMIN_API_KEY: key }
    const open = this.#serviceOpener({ wanted, base, dataDir, sandbox, own })
    const service = await open()
    this.#running.service = service
    await service.ready
    this.#stopped.signal.throwIfAborted()
    this.#keeping = this.#keepUp(service, open)
    const demo = isTest && env.ROLE !== 'worker' ? await openDemoShop({ base, adminKey: key, sandbox, file: notes }) : null
    const firstLink = demo === null ? null : await linkOfFirst(base, key, demo)
    const failed = this.#failed.promise
    return { base, firstLink, adminKey: wanted.adminKey === null ? key : null, demo, dataDir, database, failed }
  }

  /** Returns a function that starts the service; `own`: the settings that are the same each time. */
  #serviceOpener(of: { wanted: Wanted; base: string; dataDir: string; sandbox: string | null; own: Environment }): () => Promise<Service> {
    const { wanted, base, dataDir, sandbox, own } = of
    const { env, say, raw, scripts } = this.#plan
    const isTest = wanted.mode === 'test'
    const log = wanted.logToStdout ? null : openLog(join(dataDir, 'service.log'))
    return () =>
      startService({
        script: scripts.service,
        base,
        say,
        // Each service process has a listener of its own: the readiness of one says nothing about the next.
        listener: listen(log, say, wanted.logToStdout ? raw : undefined),
        env: environment({
          ...env,
          ...own,
          FILES_FOLDER: env.FILES_FOLDER || join(dataDir, 'files'),
          KEY_FILE: env.KEY_FILE || (isTest && !env.KEYS && !env.KEY_COMMAND ? join(dataDir, 'keys.json') : undefined),
          SANDBOX_URL: sandbox ?? undefined,
          CONNECTOR_BASE_URLS: env.CONNECTOR_BASE_URLS || (sandbox ? homesSetting(sandbox) : undefined),
          WEBHOOK_LOOPBACK: env.WEBHOOK_LOOPBACK || (isTest ? '1' : undefined),
          REQUEST_LOG_DAYS: env.REQUEST_LOG_DAYS || '30',
          DIES_WITH_STDIN: '1',
        }),
      })
  }

  /** Restarts a service that ends by itself, after a pause that grows. */
  async #keepUp(first: Service, open: () => Promise<Service>): Promise<void> {
    const { say, pauses = usualPauses } = this.#plan
    const { signal } = this.#stopped
    let service: Service | null = first
    let died = 0
    while (!signal.aborted) {
      const since = performance.now()
      let why = ''
      try {
        service ??= await open()
        this.#running.service = service
        if (signal.aborted) return
        await service.ready
        if (died > 0) say('the service is running again')
        why = await service.ended
      } catch (error) {
        why = (error as Error).message
      }
      if (signal.aborted) return
      service = null
      died = performance.now() - since > STEADY_MS ? 1 : died + 1
      const pause = pauses[Math.min(died, pauses.length) - 1]!
      say(`${why}\nit restarts in ${pause / 1000} s`)
      await wait(pause, undefined, { signal }).catch(() => {})
    }
  }

  async #openDatabase(dataDir: string): Promise<string> {
    const { env, say } = this.#plan
    if (env.DATABASE_URL) return env.DATABASE_URL
    const database = await startPostgres({ dataDir: join(dataDir, 'postgres'), log: say, signal: this.#stopped.signal })
    this.#running.database = database
    this.#guard(database)
    return database.url
  }

  async #openSandbox(wanted: Wanted, dataDir: string, taken: number): Promise<string | null> {
    const { env, say, scripts } = this.#plan
    if (!wanted.sandbox) return env.SANDBOX_URL || null
    const host = env.SANDBOX_HOST || '127.0.0.1'
    const port = await choosePort({ setting: 'SANDBOX_PORT', given: env.SANDBOX_PORT, usual: 8081, host, besides: [taken] })
    if (!env.SANDBOX_PORT && port !== 8081) say(`port 8081 is in use; the sandbox uses port ${port} instead`)
    const ledger = env.SANDBOX_LEDGER || join(dataDir, 'sandbox.ledger')
    const sandbox = await startSandbox({ script: scripts.sandbox, host, port, ledger, show: say })
    this.#running.sandbox = sandbox
    await sandbox.ready
    this.#guard(sandbox)
    return baseUrl(host, port)
  }

  #guard(child: { ended: Promise<string> }): void {
    void child.ended.then(why => this.#stopping === undefined && this.#failed.resolve(why))
  }

  async #stop(hurry?: AbortSignal): Promise<void> {
    const running = this.#running
    this.#stopped.abort(new Error('stopped while starting'))
    await running.service?.stop(30_000, hurry)
    if (running.service === undefined) await running.sandbox?.stop(5000, hurry) // the start may be waiting for the sandbox
    await this.#starting?.catch(() => {}) // the parts that the start was opening are now in `running`
    await running.service?.stop(30_000, hurry)
    await this.#keeping
    await running.service?.stop(30_000, hurry)
    await running.sandbox?.stop(5000, hurry)
    await running.database?.stop()
    this.#release()
  }
}

/**
 * Waits for both promises, as Promise.all does, but a failure also waits for the other promise: nothing may start
 * after stopping has begun.
 */
async function both<A, B>(a: Promise<A>, b: Promise<B>): Promise<[A, B]> {
  const [first, second] = await Promise.allSettled([a, b])
  if (first.status === 'rejected') throw first.reason
  if (second.status === 'rejected') throw second.reason
  return [first.value, second.value]
}
