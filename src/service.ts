import { randomUUID } from 'node:crypto'
import type { Settings } from './accounts/settings.ts'
import { openClock } from './base/clock.ts'
import { openLog } from './base/log.ts'
import type { Config } from './config.ts'
import type { Context, Log } from './context.ts'
import { usualDeadlines } from './database/connection-settings.ts'
import { openWriter } from './database/writer.ts'
import { ofArchive, openFiles, tryFiles } from './files/files.ts'
import type { Services } from './payments/services.ts'
import { type Caches, openCaches, refreshCaches } from './startup/caches.ts'
import { openContext } from './startup/context.ts'
import { openDatabase } from './startup/database.ts'
import { openHttp } from './startup/http.ts'
import { openCalls } from './startup/outbound.ts'
import type { ServiceOverrides } from './startup/overrides.ts'
import { openReadiness } from './startup/readiness.ts'
import { openStages, type Stages } from './startup/stages.ts'
import { openMetricsPort, openRequests, openTelemetry } from './startup/telemetry.ts'
import { openKeys } from './startup/vault.ts'
import { wait } from './startup/wait.ts'
import { openWorker } from './startup/worker.ts'
import { HEALTH_EVERY_MS, openAccountHealth } from './telemetry/account-health.ts'
import { WRITE_EVERY_MS } from './telemetry/request-log.ts'
import { KEYS_EVERY_MS } from './vault/rotate.ts'

export type { ServiceOverrides }

export type Running = {
  url: string
  /** Null if metrics are disabled. */
  metrics: string | null
  context: Context
  services: Services
  settings: Settings
  /** Returns how many jobs were due. */
  tick(): Promise<number>
  close(): Promise<void>
  /** The stages that `close` is waiting for. */
  closes(): string
}

/** Opens the stages (`startup/`) in order; `close`, or a stage that does not open, closes them in reverse order. */
export async function start(config: Config, overrides: ServiceOverrides = {}): Promise<Running> {
  const log = overrides.log ?? openLog(config.logLevel)
  const stages = openStages()
  try {
    return await openAll(config, overrides, log, stages)
  } catch (error) {
    await stages.close().catch(err => log.warn({ err }, 'the service did not start, and did not close in order'))
    throw error
  }
}

async function openAll(config: Config, overrides: ServiceOverrides, log: Log, stages: Stages): Promise<Running> {
  const vault = openKeys(config, log)
  const files = openFiles(config.files, log)
  await tryFiles(config.files, files, log)
  const archive = config.archive && openFiles(config.archive, log, ofArchive)
  if (config.archive && archive) await tryFiles(config.archive, archive, log, ofArchive)

  const deadlines = overrides.database ?? usualDeadlines
  const reader = await openDatabase(config, log, deadlines)
  stages.opened({ 'database reads': reader.close })
  const clock = openClock(log, overrides.clocks)
  const telemetry = await openTelemetry(config, log, () => context.now())
  const { metrics, traces } = telemetry
  stages.opened({ traces: () => traces?.close() })
  const writer = openWriter(config.databaseUrl, wait, clock.monotonic, deadlines, metrics?.batch)
  stages.opened({ 'database writes': writer.close })

  const calls = openCalls(config, overrides.names)
  stages.opened({ 'requests to processors and webhooks': calls.close })
  const edges = { log, vault, files, archive, reader, writer, clock, calls, metrics }
  const { context, bins, random, exchanges, splitVault } = await openContext(config, overrides, edges, id => settings.merchant(id))
  const requestLog = openRequests(config, context, random)

  const caches: Caches = await openCaches(config, { context, vault, log, clock, bins, metrics, siblings: overrides.siblings })
  const { settings, services } = caches
  const accounts = openAccountHealth(context, telemetry.accounts, services.health, randomUUID())
  const keeping = refreshCaches(caches, log)
  const writeLines = async () => {
    await requestLog?.write()
    await exchanges?.write()
  }
  const runs = overrides.scheduler !== 'by hand'
  const repeated = [
    ...(runs ? [setInterval(writeLines, WRITE_EVERY_MS), setInterval(accounts.write, HEALTH_EVERY_MS)] : []),
    // A new key is in use within seconds, without a restart.
    setInterval(vault.refresh, KEYS_EVERY_MS),
  ]
  for (const timer of repeated) timer.unref()
  stages.opened({
    'settings, health and logs in caches': async () => {
      keeping.stop()
      for (const timer of repeated) clearInterval(timer)
      await keeping.close()
      await writeLines()
      await accounts.write()
    },
  })
  const scraped = await openMetricsPort(config, metrics, { context, reader, requestLog, siblings: overrides.siblings })
  stages.opened({ 'metrics port': () => scraped?.close() })
  const worker = await openWorker(config, overrides, { context, log, clock, caches, telemetry, splitVault, service: () => http.service })
  const ready = openReadiness({ context, files, settings, worker, clock }, overrides.late_ms)
  const http = await openHttp(config, overrides, { context, caches, telemetry, requestLog, accounts, ready })
  // Both are closed at the same time: a delivery or job that began while the last requests are answered could
  // otherwise take as long again.
  stages.opened({ requests: http.close, 'scheduled jobs and deliveries': worker.close })
  worker.run()
  const { url } = http
  log.info({ url, ...(scraped && { metrics: scraped.url }), mode: config.mode, role: config.role, pid: process.pid }, 'ready')

  return {
    url,
    metrics: scraped?.url ?? null,
    context,
    services,
    settings,
    async tick() {
      await settings.writeDown()
      await writeLines()
      await accounts.write()
      return worker.tick()
    },
    closes: stages.closes,
    close: stages.close,
  }
}
