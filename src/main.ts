import { randomUUID } from 'node:crypto'
import { APPLE_PAY } from './accounts/apple-shop.ts'
import { checkKeys, checkMode } from './accounts/check-deployment.ts'
import { ephemeralKeys } from './accounts/ephemeral-keys.ts'
import { findConnectorAccount } from './accounts/merchant.ts'
import { openSettings, SETTINGS_EVERY_MS, type Settings } from './accounts/settings.ts'
import { seal, unsealed } from './audit/seal.ts'
import { openClock, type Sources } from './base/clock.ts'
import { openDice } from './base/dice.ts'
import { openLog } from './base/log.ts'
import { Misconfigured, notListening } from './base/misconfigured.ts'
import { openRemembered } from './base/remembered.ts'
import { type Config, readConfig } from './config.ts'
import { type Names, openReach } from './connectors/reach.ts'
import { openSend } from './connectors/send.ts'
import type { Context, Log, Sender } from './context.ts'
import { customersToForget, forgetBeside, wentThrough } from './customers/delete.ts'
import { PAYERS_REMEMBERED } from './customers/payer.ts'
import { idempotencyKeys } from './database/claims.ts'
import { openCommit } from './database/commit.ts'
import { openReader } from './database/connection.ts'
import { type Deadlines, usualDeadlines } from './database/connection-settings.ts'
import { depthsOf, forgotten } from './database/due.ts'
import { leftJobs } from './database/jobs.ts'
import { migrate } from './database/migrate.ts'
import { statement } from './database/statement.ts'
import { openWriter } from './database/writer.ts'
import { hearOfDispute } from './disputes/hear.ts'
import { disputeAlarms, lookAtDispute } from './disputes/look.ts'
import { disputeVerbs } from './disputes/verbs.ts'
import { openDeliverer } from './events/deliverer.ts'
import { announcements, deliveries, deliveryAttempts, KEPT_MS } from './events/delivery.ts'
import { waitingLines } from './events/delivery-queue.ts'
import { untold } from './events/dispatch-outbox.ts'
import { tellAnew } from './events/forget.ts'
import { openSinking, unsunk } from './events/sink.ts'
import { openFiles, tryFiles } from './files/files.ts'
import { blocklistWork, workOn } from './guard/batch.ts'
import { oldFailures, openTries } from './guard/card-testing.ts'
import type { Readiness, Service } from './http/endpoint.ts'
import { openServer } from './http/server.ts'
import { openBins } from './means/bins.ts'
import { lookAtParked, parkedJobs } from './operations/parked.ts'
import { operationPolls, pollOperation } from './operations/poll.ts'
import { customerReturns } from './operations/returned.ts'
import type { Services } from './operations/verb.ts'
import { openSavedCards, type SavedCards } from './payment-methods/saved-cards.ts'
import { paymentTokens } from './payment-methods/tokens.ts'
import { countVolumes, learnFrom } from './payments/attempts.ts'
import { ELSEWHERE_KEPT_MS, paymentsElsewhere } from './payments/external-payments.ts'
import { keepInTime, promiseAlarms } from './payments/follow-ups.ts'
import { forgetPayer } from './payments/forget.ts'
import { paymentKind } from './payments/kind.ts'
import { PAYMENT } from './payments/payment.ts'
import { captureAlarms, captureScheduled } from './payments/scheduled.ts'
import { expirePayout, payoutSessions } from './payouts/expire.ts'
import { forgetPayee } from './payouts/forget.ts'
import { payoutKind } from './payouts/kind.ts'
import { PAYOUT } from './payouts/payout.ts'
import { refundAlarms, refundScheduled } from './refunds/scheduled.ts'
import { refundVerb } from './refunds/verb.ts'
import { openHealth } from './routing/memory.ts'
import { countFailing, countIsolated, readQueues } from './scheduler/jobs.ts'
import { job, openScheduler, timetable } from './scheduler/scheduler.ts'
import { type Attempt, tellsAttempts } from './telemetry/attempts.ts'
import { forgetBrowsersOf, openRequestLog, requestLogs, WRITE_EVERY_MS } from './telemetry/request-log.ts'
import { loadKeys, nameOf, watchKeys } from './vault/keys.ts'
import { leftoverAlarms } from './vault/leftovers.ts'
import { waitingCvcs } from './vault/records.ts'
import { KEYS_EVERY_MS } from './vault/rotate.ts'
import { numbersHere, openSplitVault } from './vault/split.ts'
import { openVault } from './vault/vault.ts'

/** What tests replace of the world: the clocks it goes by, its deadlines, the patience of callers, or a wrapper around every edge. `late_ms`: how long alarms and settings may stand still. */
export type Doors = {
  wrap?: (context: Context) => Context
  log?: Log
  scheduler?: 'runs' | 'by hand'
  patience?: Service['patience']
  clocks?: Sources
  database?: Deadlines
  late_ms?: number
  /** Which addresses a name stands for, instead of the system. */
  names?: Names
}

export type Running = {
  url: string
  /** Where its metrics are, if they are counted. */
  metrics: string | null
  context: Context
  services: Services
  settings: Settings
  /** Runs what is due by the clock; gives how many alarms rang. */
  tick(): Promise<number>
  close(): Promise<void>
}

const one = statement('ready', 'select 1 from settings_version')

const claims = [
  operationPolls,
  captureAlarms,
  refundAlarms,
  blocklistWork,
  customersToForget,
  promiseAlarms,
  payoutSessions,
  disputeAlarms,
  parkedJobs,
  leftoverAlarms,
]

/**
 * What falls due by the clock, the sealing of the audit log among it; and what is forgotten: security codes that nobody came for, what customers brought back from challenges, Idempotency-Keys under which no money moved, what was told to others 90 days ago,
 * keys whose hour is over, and failures that count no more.
 */
export const fallsDue = timetable(
  'due',
  claims,
  [
    forgotten(waitingCvcs, 'expires_at'),
    forgotten(customerReturns, 'forget_at'),
    forgotten(idempotencyKeys, 'forget_at'),
    forgotten(announcements, 'created', { after_ms: KEPT_MS }),
    forgotten(deliveries, 'created', { after_ms: KEPT_MS }),
    forgotten(deliveryAttempts, 'created', { after_ms: KEPT_MS }),
    forgotten(ephemeralKeys, 'expires_at'),
    forgotten(paymentTokens, 'expires_at'),
    forgotten(requestLogs, 'forget_at'),
    forgotten(paymentsElsewhere, 'created', { after_ms: ELSEWHERE_KEPT_MS }),
    oldFailures,
    leftJobs('jobs', claims),
  ],
  [unsealed],
)

/** How much of each queue waits: alarms by their kinds, what is to be told, and lines of webhooks. */
const depths = depthsOf('queue_depths', [...fallsDue.claimed.map(kind => kind.queue), untold, unsunk, waitingLines])

/** How long a merchant's endpoint may take, and how much of its answer is read. */
const WEBHOOK_LIMITS = { total_ms: 20_000, first_byte_ms: 15_000, connect_ms: 5_000, body_bytes: 16_384, cutsLong: true }

/** How long the vault's own process may take, where there is one: a payment waits for it before it is begun. */
const VAULT_LIMITS = { total_ms: 4_000, first_byte_ms: 3_000, connect_ms: 1_500 }

/** Alarms and settings that nobody has looked at for so long are late: longer than one connection that died silently takes to be thrown away. */
const LATE_MS = 8_000
/** Whoever asks whether we are ready does not wait longer for the database. */
const READY_WITHIN_MS = 2_000

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

const openPatience =
  (milliseconds: number): Service['patience'] =>
  ring => {
    const timer = setTimeout(ring, milliseconds)
    return () => clearTimeout(timer)
  }

/** Reads the settings (and writes down which keys and saved cards were used) unless they are being read: a database that hangs would soon have all its connections hang on this. An outage is logged once. */
function refresher(settings: Pick<Settings, 'refresh' | 'writeDown'>, saved: Pick<SavedCards, 'writeDown'>, log: Log): () => void {
  let reading = false
  let away = false
  return async () => {
    if (reading) return
    reading = true
    try {
      await settings.refresh()
      await settings.writeDown()
      await saved.writeDown()
      away = false
    } catch (error) {
      if (!away) log.warn({ err: error }, 'settings could not be read')
      away = true
    }
    reading = false
  }
}

/** The connector of an account, as far as it is known; Apple, whom all ask, by its own name. */
async function connectorOf(settings: Pick<Settings, 'merchant'>, { merchant_id, merchant_connector_id }: Sender): Promise<string> {
  if (merchant_connector_id === APPLE_PAY) return APPLE_PAY
  const merchant = await settings.merchant(merchant_id).catch(() => undefined)
  return (merchant && findConnectorAccount(merchant, merchant_connector_id)?.connector_name) ?? 'unknown'
}

/** Opens the doors, in order; `close` shuts them in the opposite order. The only place that knows everybody. */
export async function start(config: Config, doors: Doors = {}): Promise<Running> {
  const log = doors.log ?? openLog(config.logLevel)
  const keys = loadKeys(config.keys)
  const vault = openVault(
    keys,
    watchKeys(config.keys, keys, why => log.warn({ why }, 'the key file cannot be read again; the keys stay as they are')),
  )
  const files = openFiles(config.files, log)
  await tryFiles(config.files, files, log)
  await migrate(config.databaseUrl)

  const deadlines = doors.database ?? usualDeadlines
  const lost = (error: Error) => log.warn({ err: error }, 'a database connection was lost')
  const reader = openReader(config.databaseUrl, config.databaseConnections, lost, deadlines)
  const clock = openClock(log, doors.clocks)
  // What nobody asks for is not even loaded.
  const metrics = config.metrics && (await import('./telemetry/metrics.ts')).openMetrics()
  const traces = config.otel && (await import('./telemetry/traces.ts')).openTraces(config.otel, log)
  const writer = openWriter(config.databaseUrl, wait, clock.monotonic, deadlines, metrics?.batch)
  const { names } = doors
  const reach = {
    // In live mode there are no addresses of the deployment's own: every processor is one of the Internet.
    send: openReach({ loopback: config.webhookLoopback, plainly: config.mode === 'test', own: Object.values(config.baseUrls), names }),
    deliver: openReach({ loopback: config.webhookLoopback, names }),
  }
  const { send, close: closeSend } = openSend(reach.send, {
    total_ms: config.processorTimeoutMs,
    first_byte_ms: Math.min(15_000, config.processorTimeoutMs),
    connect_ms: Math.min(5_000, config.processorTimeoutMs),
  })
  const hooks = openSend(reach.deliver, WEBHOOK_LIMITS)
  const bins = openBins({ query: reader.query, log })
  const bare: Context = {
    by: 'service',
    now: clock.now,
    steadySince: clock.steadySince,
    wait,
    random: openDice(),
    query: reader.query,
    commit: change => commit(change),
    send,
    deliver: hooks.send,
    unreachable: (url, by) => reach[by].unreachable(url),
    vault,
    numbers: numbersHere(vault),
    bins,
    files,
    log,
  }
  const measured: Context = metrics
    ? { ...bare, send: metrics.sends(send, sender => connectorOf(settings, sender)), deliver: metrics.delivers(bare.deliver) }
    : bare
  const context: Context = doors.wrap?.(measured) ?? measured
  const vaultLine = openSend(openReach({ own: config.vault === null ? [] : [config.vault.url] }), VAULT_LIMITS)
  const split = config.vault && (await openSplitVault({ ...context, send: vaultLine.send }, vault, config.vault))
  if (split) context.numbers = split
  const plainly = openCommit(writer, context)
  const commit: Context['commit'] = metrics
    ? async change => {
        const begun = performance.now()
        const result = await plainly(change)
        metrics.commit(begun)
        return result
      }
    : plainly
  const tell = (attempt: Attempt) => {
    log.info(attempt, 'attempt')
    metrics?.attempt(attempt)
  }
  const requestLog =
    config.requestLogDays > 0 && config.role !== 'worker'
      ? openRequestLog({ ...context, random: bare.random }, config.requestLogDays)
      : null

  const health = openHealth({ learn: learnFrom(context), volumes: countVolumes(context) }, context.now, log)
  const deployment = {
    mode: config.mode,
    publicUrl: config.publicUrl ?? '',
    baseUrls: config.baseUrls,
  }
  const services: Services = {
    publicUrl: config.publicUrl ?? '',
    kinds: { [PAYMENT]: paymentKind({ verbs: { refund: refundVerb, ...disputeVerbs }, disputed: hearOfDispute }), [PAYOUT]: payoutKind },
    rules: key => settings.rules(key),
    tries: openTries(config.mode === 'test', stopped => {
      log.warn(stopped, 'a limit against card testing stopped a browser')
      metrics?.stopped(stopped.limit)
    }),
    health,
    payers: openRemembered(PAYERS_REMEMBERED),
    saved: openSavedCards(context),
    deployment,
    settingsWritten: () => settings.written(),
  }
  const settings = openSettings(context, deployment, clock, health.prepare, [bins])
  await checkMode(context, config.mode)
  await checkKeys(context, nameOf(config.keys))
  await settings.refresh()
  const alone = traces?.alone(context) ?? context
  const alarmed = { ...alone, by: 'alarm', commit: tellsAttempts(alone.commit, tell, null) }
  const ringing = [
    job(operationPolls, alarm => pollOperation(alarmed, services, settings, alarm)),
    job(captureAlarms, alarm => captureScheduled(alarmed, services, settings, alarm)),
    job(refundAlarms, alarm => refundScheduled(alarmed, services, settings, alarm)),
    job(blocklistWork, alarm => workOn(alarmed, alarm)),
    job(customersToForget, async deleted => {
      const { merchant_id, customer_id } = deleted
      await forgetBeside(context, merchant_id, customer_id)
      await forgetBrowsersOf(context, merchant_id, customer_id)
      const anew = (kind: string) => async (object_id: string, rewritten: boolean) => {
        await forgetBrowsersOf(context, merchant_id, object_id)
        if (rewritten) await tellAnew(context, settings, services.publicUrl, { merchant_id, kind, object_id })
      }
      const [paid, paidOut] = [await forgetPayer(alarmed, deleted, anew(PAYMENT)), await forgetPayee(alarmed, deleted, anew(PAYOUT))]
      await wentThrough(context, deleted, paid && paidOut)
    }),
    job(promiseAlarms, alarm => keepInTime(alarmed, alarm)),
    job(payoutSessions, alarm => expirePayout(alarmed, alarm)),
    job(disputeAlarms, alarm => lookAtDispute(alarmed, services, settings, alarm)),
    job(parkedJobs, alarm => lookAtParked(alarmed, services, settings, alarm)),
    job(leftoverAlarms, async leftover => split?.forgetLeftover(leftover)),
  ]
  const scheduler = openScheduler(context, fallsDue, ringing, clock.monotonic, [{ of: unsealed, run: () => seal(context) }], openPatience)
  const works = config.role !== 'api'
  const sink = config.nats && works ? (await import('./events/nats.ts')).openNats(config.nats, log) : null
  const sinking = sink && openSinking(alone, settings, () => services.publicUrl, sink, randomUUID())
  const deliverer = openDeliverer(alone, settings, () => services.publicUrl, clock.monotonic, sinking)
  const late_ms = doors.late_ms ?? LATE_MS
  async function ready(): Promise<Readiness> {
    const answered = new AbortController()
    const there = context.query(one, []).then(
      rows => rows.length === 1,
      () => false,
    )
    const kept = files.tried().then(
      () => true,
      () => false,
    )
    const inTime = (answer: Promise<boolean>) => Promise.race([answer, wait(READY_WITHIN_MS, answered.signal).then(() => false)])
    const [database, canKeep] = await Promise.all([inTime(there), inTime(kept)])
    answered.abort()
    return {
      database,
      files: canKeep,
      alarms: !works || doors.scheduler === 'by hand' || scheduler.lookedAgo() <= late_ms,
      settings: settings.lookedAgo() <= late_ms,
      clock_skew_ms: clock.skew(),
    }
  }
  const service: Service = {
    context,
    settings,
    services,
    mode: config.mode,
    deployment,
    adminKey: config.adminKey,
    patience: doors.patience ?? openPatience(config.answerWithinMs),
    ready,
    watch: { attempt: tell, request: metrics?.request ?? null, traces, requestLog },
    kinds: fallsDue.claimed,
    depths,
  }
  const app = openServer(service, { trustedProxies: config.trustedProxies, only: config.role === 'worker' ? 'health' : null })
  await app.listen({ host: config.host, port: config.port }).catch(error => {
    throw notListening(error, config)
  })
  const address = app.server.address() as { port: number }
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${address.port}`
  services.publicUrl ||= url
  deployment.publicUrl = services.publicUrl

  if (works && doors.scheduler !== 'by hand') {
    scheduler.run()
    deliverer.run()
  }
  const refreshing = setInterval(refresher(settings, services.saved, log), SETTINGS_EVERY_MS)
  const gauges = {
    queues: () => readQueues(context, depths),
    isolated: () => countIsolated(context),
    endpoints: () => countFailing(context),
    connections: reader.connections,
    lines: () => requestLog?.waiting() ?? 0,
  }
  const scraped =
    metrics &&
    (await metrics.listen(config.metrics!, gauges).catch(error => Promise.reject(notListening(error, config.metrics!, 'METRICS_PORT'))))
  const writingLines = setInterval(() => requestLog?.write(), WRITE_EVERY_MS).unref()
  // A new key is in use within seconds, without a restart.
  const lookingAtKeys = setInterval(vault.refresh, KEYS_EVERY_MS).unref()
  log.info({ url, ...(scraped && { metrics: scraped.url }), mode: config.mode, role: config.role, pid: process.pid }, 'ready')

  return {
    url,
    metrics: scraped?.url ?? null,
    context,
    services,
    settings,
    async tick() {
      await settings.writeDown()
      await requestLog?.write()
      if (!works) return 0
      const rang = await scheduler.tick()
      return rang + (await deliverer.tick())
    },
    async close() {
      clearInterval(refreshing)
      clearInterval(lookingAtKeys)
      clearInterval(writingLines)
      await app.close()
      await Promise.all([scheduler.close(), deliverer.close()])
      const lastUses = () => Promise.all([settings.writeDown('now'), services.saved.writeDown()])
      await lastUses().catch(error => log.warn({ err: error }, 'when keys and cards were last used could not be written down'))
      await requestLog?.write()
      await Promise.all([closeSend(), hooks.close(), vaultLine.close(), scraped?.close(), traces?.close()])
      await writer.close()
      await reader.close()
    },
  }
}

/**
 * The process: starts, and stops on SIGTERM, SIGINT, (if set) the end of standard input, or when its parent is gone and nobody reads its log; in-flight requests are answered first.
 */
async function run(): Promise<void> {
  const [unknown] = process.argv.slice(2)
  if (unknown !== undefined) throw new Misconfigured(`${unknown} is not known: there are no arguments, settings are environment variables`)
  const config = readConfig(process.env)
  const parent = process.ppid
  let running: Running | null = null
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    // What will not end within this time ends without us: everything begun is written, and its alarm will ask.
    setTimeout(() => process.exit(1), 28_000).unref()
    Promise.resolve(running?.close()).then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  if (config.diesWithStdin) process.stdin.on('end', stop).on('error', stop).resume()
  // A log that nobody reads is no reason to take no more payments; that our parent died is one.
  const log = openLog(config.logLevel, () => process.ppid !== parent && stop())
  running = await start(config, { log })
}

if (import.meta.main) {
  run().catch((error: unknown) => {
    // What an operator can mend is said in a sentence; only what nobody foresaw with its stack.
    const words = error instanceof Misconfigured ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(`switchyard cannot start: ${words}\n`)
    process.exit(1)
  })
}
