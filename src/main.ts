import pino from 'pino'
import { openSettings, SETTINGS_EVERY_MS, type Settings } from './accounts/settings.ts'
import { openDice } from './base/dice.ts'
import { openClockwork, tick } from './clockwork/clockwork.ts'
import { type Config, ConfigError, processName, readConfig } from './config.ts'
import { openSend } from './connectors/converse.ts'
import { openCommit } from './database/commit.ts'
import { openReader } from './database/connection.ts'
import { migrate } from './database/migrate.ts'
import { openWriter } from './database/writer.ts'
import type { Service } from './http/endpoint.ts'
import { openServer } from './http/server.ts'
import { answerAlarm } from './news/alarm.ts'
import { operationsTable, paymentsTable, vaultTable, waitingCvcsTable } from './payments/rows.ts'
import { refundsTable } from './refunds/refund.ts'
import { KeysError, loadKeys } from './vault/keys.ts'
import { openVault } from './vault/vault.ts'
import type { Log, Statement, World } from './world.ts'

/** What tests replace of the world: the clock, or a wrapper around every edge. */
export type Doors = { wrap?: (world: World) => World; log?: Log; clockwork?: 'runs' | 'by hand' }

export type Running = {
  url: string
  world: World
  /** Runs what is due by the clock; gives how many alarms rang. */
  tick(): Promise<number>
  close(): Promise<void>
}

/** Lines are written in blocks, and at the latest after a quarter of a second. (The option is the writer's own; pino's types do not name it.) */
const flushing = { periodicFlush: 250 }

const one: Statement = { name: 'ready', text: 'select 1 from settings_version' }

/** The host's clock as text, written out once a millisecond. */
function openClock(): World['now'] {
  let at = 0
  let text = ''
  return () => {
    const now = Date.now()
    if (now !== at) {
      at = now
      text = new Date(now).toISOString()
    }
    return text
  }
}

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Reads the settings unless they are being read: a database that hangs would soon have all its connections hang on this. An outage is logged once. */
function refresher(settings: Pick<Settings, 'refresh'>, log: Log): () => void {
  let reading = false
  let away = false
  return async () => {
    if (reading) return
    reading = true
    try {
      await settings.refresh()
      away = false
    } catch (error) {
      if (!away) log.warn({ err: error }, 'settings could not be read')
      away = true
    }
    reading = false
  }
}

/** Opens the doors, in order; `close` shuts them in the opposite order. The only place that knows everybody. */
export async function start(config: Config, doors: Doors = {}): Promise<Running> {
  const log = doors.log ?? openLog(config)
  const vault = openVault(loadKeys(config.keys))
  await migrate(config.databaseUrl)

  const reader = openReader(config.databaseUrl, config.databaseConnections, error =>
    log.warn({ err: error }, 'a database connection was lost'),
  )
  const writer = openWriter(config.databaseUrl, wait)
  const { send, close: closeSend } = openSend({
    total_ms: config.processorTimeoutMs,
    first_byte_ms: Math.min(15_000, config.processorTimeoutMs),
    connect_ms: Math.min(5_000, config.processorTimeoutMs),
  })
  const bare: World = {
    now: openClock(),
    wait,
    random: openDice(),
    query: reader.query,
    commit: change => commit(change),
    send,
    vault,
    log,
  }
  const tables = [paymentsTable, operationsTable, refundsTable, vaultTable, waitingCvcsTable]
  const world: World = doors.wrap?.(bare) ?? bare
  const commit = openCommit(writer, tables, paymentsTable, world)

  const here = { publicUrl: config.publicUrl ?? '' }
  const settings = openSettings(world, {
    mode: config.mode,
    publicUrl: here.publicUrl,
    baseUrls: config.sandboxUrl ? { phonypay: config.sandboxUrl } : {},
  })
  await settings.refresh()
  const service: Service = {
    world,
    settings,
    here,
    mode: config.mode,
    adminKey: config.adminKey,
    answerWithinMs: config.answerWithinMs,
    ready: () =>
      world.query(one, []).then(
        rows => rows.length === 1,
        () => false,
      ),
  }
  const app = openServer(service, { trustedProxies: config.trustedProxies })
  await app.listen({ host: config.host, port: config.port })
  const address = app.server.address() as { port: number }
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${address.port}`
  here.publicUrl ||= url

  const rings = (alarm: Parameters<typeof answerAlarm>[3]) => answerAlarm(world, here, settings, alarm)
  const clockwork = doors.clockwork === 'by hand' ? null : openClockwork(world, rings)
  const refreshing = setInterval(refresher(settings, log), SETTINGS_EVERY_MS)
  log.info({ url, mode: config.mode, pid: process.pid }, 'ready')

  return {
    url,
    world,
    tick: () => tick(world, rings),
    async close() {
      clearInterval(refreshing)
      await app.close()
      await clockwork?.close()
      await closeSend()
      await writer.close()
      await reader.close()
    },
  }
}

function openLog(config: Config): Log {
  // Errors of the driver carry rows in `detail`; only name, message, code and stack are let out.
  const err = (error: Error & { code?: string }) => ({ type: error.name, message: error.message, code: error.code, stack: error.stack })
  return pino(
    { level: config.logLevel, base: { process: processName }, serializers: { err }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 1, sync: false, minLength: 4096, ...flushing }),
  )
}

/** The process: starts, and stops on SIGTERM, SIGINT or (if set) the end of standard input; in-flight requests are answered first. */
async function run(): Promise<void> {
  const config = readConfig(process.env)
  const running = await start(config)
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    // What will not end within this time ends without us: everything begun is written, and its alarm will ask.
    setTimeout(() => process.exit(1), 28_000).unref()
    running.close().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  if (config.diesWithStdin) process.stdin.on('end', stop).on('error', stop).resume()
}

if (import.meta.main) {
  run().catch((error: unknown) => {
    // What an operator can mend is said in a sentence; only what nobody foresaw with its stack.
    const words =
      error instanceof ConfigError || error instanceof KeysError
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : String(error)
    process.stderr.write(`switchyard cannot start: ${words}\n`)
    process.exit(1)
  })
}
