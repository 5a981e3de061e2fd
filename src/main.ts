import cluster from 'node:cluster'
import { type Lines, openLines, openLog } from './base/log.ts'
import { Misconfigured } from './base/misconfigured.ts'
import { type Config, readConfig } from './config.ts'
import type { Log } from './context.ts'

/** The service, or the parent of several processes that share its port. */
type Program = { close(): Promise<unknown>; closes?(): string }

/** The parent of several processes waits longer than each of them. */
const CLOSE_WITHIN_MS = 28_000
const MORE_FOR_PARENT_MS = 1_000

/** `stop`: called when the process must end. Modules are loaded only in the processes that run them. */
async function open(config: Config, log: Log, lines: Lines, stop: () => void): Promise<Program> {
  if (config.processes > 1 && cluster.isPrimary) return (await import('./processes/parent.ts')).openParent(config, log, lines)
  const { start } = await import('./service.ts')
  if (config.processes === 1) return start(config, { log })
  const { openSiblings, roleOf } = await import('./processes/siblings.ts')
  const siblings = openSiblings(stop)
  const running = await start({ ...config, role: roleOf(config.role, siblings) }, { log, siblings })
  siblings.ready()
  return running
}

/** Stops on SIGTERM, SIGINT, the end of standard input (if set), or once orphaned. In-flight requests are answered. */
async function run(): Promise<void> {
  const [unknown] = process.argv.slice(2)
  if (unknown !== undefined)
    throw new Misconfigured(`${unknown} is not a known argument: the service takes none; settings are environment variables`)
  const config = readConfig(process.env)
  const parent = process.ppid
  let running: Program | null = null
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    const giveUp = (err: unknown) => {
      log.error({ err }, 'the service ended without closing in order')
      process.exit(1)
    }
    const limit_ms = CLOSE_WITHIN_MS + (config.processes > 1 && cluster.isPrimary ? MORE_FOR_PARENT_MS : 0)
    // Work that does not end within this time is abandoned: everything begun is written, and its job will poll for
    // the result.
    const late = () =>
      giveUp(new Error(`it did not close within ${limit_ms / 1000} s; it waits for: ${running?.closes?.() ?? 'its processes'}`))
    setTimeout(late, limit_ms).unref()
    Promise.resolve(running?.close()).then(() => process.exit(0), giveUp)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  if (config.diesWithStdin) process.stdin.on('end', stop).on('error', stop).resume()
  // A log without a reader is no reason to stop taking payments; the death of the parent process is.
  const lines = openLines(() => process.ppid !== parent && stop())
  const log = openLog(config.logLevel, lines)
  running = await open(config, log, lines, stop)
}

if (import.meta.main) {
  run().catch((error: unknown) => {
    // An error that the operator can fix is printed as one sentence; only an unexpected error is printed with its
    // stack.
    const message = error instanceof Misconfigured ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)
    if (message !== '') process.stderr.write(`switchyard cannot start: ${message}\n`)
    process.exit(1)
  })
}
