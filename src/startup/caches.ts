import { checkMode, proveKeys } from '../accounts/check-deployment.ts'
import type { Deployment } from '../accounts/connector-account.ts'
import { openSettings, SETTINGS_EVERY_MS, type Settings } from '../accounts/settings.ts'
import { openRecent, type RecentPayments } from '../analytics/recent.ts'
import { boundedSet } from '../base/bounded-set.ts'
import type { Clock } from '../base/clock.ts'
import type { Config } from '../config.ts'
import type { Context, Log } from '../context.ts'
import { PAYERS_REMEMBERED } from '../customers/payer.ts'
import { applyDisputeReport } from '../disputes/receive.ts'
import { disputeVerbs } from '../disputes/verbs.ts'
import { openBrowserTries } from '../guard/card-testing-counters.ts'
import type { openBins } from '../instruments/bins.ts'
import { outside } from '../outside/outside.ts'
import { openSavedCards } from '../payment-methods/saved-cards.ts'
import { countVolumes, learnFrom } from '../payments/authorization/attempts.ts'
import { paymentKind } from '../payments/kind.ts'
import { PAYMENT } from '../payments/payment.ts'
import type { Services } from '../payments/services.ts'
import { payoutKind } from '../payouts/kind.ts'
import { PAYOUT } from '../payouts/payout.ts'
import { type Siblings, withSiblings } from '../processes/siblings.ts'
import { refundVerb } from '../refunds/verb.ts'
import { openHealth } from '../routing/dynamic/dynamic-routing.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { checkDeployment } from '../vault/deployment-checks.ts'
import { keySettingName } from '../vault/keys.ts'
import type { OpenVault } from '../vault/vault.ts'

/** `recent`: the payments that were just decided, only in a process that counts payments. */
export type Caches = { settings: Settings; services: Services; deployment: Deployment; recent: RecentPayments | null }
type Parts = {
  context: Context
  vault: OpenVault
  log: Log
  clock: Clock
  bins: ReturnType<typeof openBins>
  metrics: Metrics | null
  siblings: Siblings | undefined
}

/** Settings, health of accounts, card attempts, payers, saved cards. Refuses another deployment's keys or mode. */
export async function openCaches(config: Config, { context, vault, log, clock, bins, metrics, siblings }: Parts): Promise<Caches> {
  const health = openHealth({ learn: learnFrom(context), volumes: countVolumes(context) }, context.now, log)
  const recent = config.role === 'api' ? null : openRecent()
  const deployment = { mode: config.mode, publicUrl: config.publicUrl ?? '', baseUrls: config.baseUrls }
  const services: Services = {
    publicUrl: config.publicUrl ?? '',
    kinds: {
      [PAYMENT]: paymentKind({
        verbs: { refund: refundVerb, ...disputeVerbs },
        disputed: applyDisputeReport,
        ...outside,
        health,
        publicUrl: () => services.publicUrl,
        ...(recent && { settled: recent.note }),
      }),
      [PAYOUT]: payoutKind,
    },
    rules: key => settings.rules(key),
    tries: openBrowserTries(config.mode === 'test', stopped => {
      log.warn(stopped, 'a card testing limit blocked a browser')
      metrics?.stopped(stopped.limit)
    }),
    health,
    payers: boundedSet(PAYERS_REMEMBERED),
    saved: openSavedCards(context),
    deployment,
    settingsWritten: () => settings.written(),
    merchantNow: merchant_id => settings.merchant(merchant_id),
  }
  const own = openSettings(context, deployment, clock, health.prepare, [bins])
  const settings = siblings ? withSiblings(own, siblings) : own
  await checkMode(context, config.mode)
  const source = keySettingName(config.keys)
  const kind = config.vault ? 'apart' : 'here'
  await checkDeployment(context, { keys: vault.keys(), source, kind }, () => proveKeys(context, source))
  await settings.refresh()
  return { settings, services, deployment, recent }
}

/** Also writes which keys and saved cards were used; `close` writes the last uses. */
export function refreshCaches({ settings, services }: Caches, log: Log) {
  const refreshing = setInterval(refresher(settings, services.saved, log), SETTINGS_EVERY_MS)
  return {
    stop: () => clearInterval(refreshing),
    async close(): Promise<void> {
      const lastUses = () => Promise.all([settings.writeDown('now'), services.saved.writeDown()])
      await lastUses().catch(error => log.warn({ err: error }, 'last-used times of keys and cards could not be stored'))
    },
  }
}

/** One read at a time: a database that hangs would soon have all connections occupied. An outage is logged once. */
function refresher(settings: Pick<Settings, 'refresh' | 'writeDown'>, saved: Pick<Services['saved'], 'writeDown'>, log: Log): () => void {
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
