import { randomUUID } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import type { Config } from '../config.ts'
import type { Context, Log } from '../context.ts'
import { openArchiving } from '../events/archive.ts'
import { openDeliverer } from '../events/deliverer.ts'
import { openSinking } from '../events/sink.ts'
import type { Service } from '../http/endpoint.ts'
import { openScheduler } from '../scheduler/scheduler.ts'
import { withAttemptReports } from '../telemetry/attempts.ts'
import type { SplitVault } from '../vault/split.ts'
import type { Caches } from './caches.ts'
import { choresOf, fallsDue, fallsDueBesideArchive, jobsOf } from './jobs.ts'
import type { ServiceOverrides } from './overrides.ts'
import type { Telemetry } from './telemetry.ts'
import { openAwakePatience } from './wait.ts'

type Parts = {
  context: Context
  log: Log
  clock: Clock
  caches: Caches
  telemetry: Telemetry
  splitVault: SplitVault | null
  service(): Service
}

/** A process that only answers requests opens scheduler, deliverer and stream, and never runs them. */
export async function openWorker(
  config: Config,
  overrides: ServiceOverrides,
  { context, log, clock, caches, telemetry, splitVault, service }: Parts,
) {
  const { settings, services } = caches
  const works = config.role !== 'api'
  const runs = works && overrides.scheduler !== 'by hand'
  const alone = telemetry.traces?.alone(context) ?? context
  const jobContext = { ...alone, by: 'alarm', commit: withAttemptReports(alone.commit, telemetry.reportAttempt, null) }
  const jobs = jobsOf({
    context: jobContext,
    plain: context,
    services,
    settings,
    splitVault,
    cardNumberHours: config.cardNumberHours,
    service,
  })
  const due = context.archive ? fallsDueBesideArchive : fallsDue
  const scheduler = openScheduler(context, due, jobs, clock.monotonic, choresOf(context), openAwakePatience(clock.monotonic))
  const publicUrl = () => services.publicUrl
  const sink = config.nats && works ? (await import('../events/nats.ts')).openNats(config.nats, log) : null
  const sinking = sink && openSinking(alone, settings, publicUrl, sink, randomUUID())
  const deliverer = openDeliverer(alone, settings, publicUrl, clock.monotonic, {
    sinking,
    archiving: context.archive ? openArchiving(alone, context.archive) : null,
    tried: telemetry.accounts.tried,
    recent: caches.recent,
  })
  return {
    /** The milliseconds since the scheduler last looked for due rows; 0 if this process runs no scheduler. */
    lookedAgo: () => (runs ? scheduler.lookedAgo() : 0),
    run(): void {
      if (!runs) return
      scheduler.run()
      deliverer.run()
    },
    async tick(): Promise<number> {
      if (!works) return 0
      const ran = await scheduler.tick()
      return ran + (await deliverer.tick())
    },
    close: () => Promise.all([scheduler.close(), deliverer.close()]),
  }
}

export type Worker = Awaited<ReturnType<typeof openWorker>>
