import { APPLE_PAY } from '../accounts/apple-shop.ts'
import { findConnectorAccount } from '../accounts/merchant.ts'
import type { Settings } from '../accounts/settings.ts'
import type { Clock } from '../base/clock.ts'
import { openRandomBytes } from '../base/random.ts'
import type { Config } from '../config.ts'
import type { Context, Files, Log, Sender } from '../context.ts'
import { openCommit } from '../database/commit.ts'
import type { Reader } from '../database/connection.ts'
import type { Writer } from '../database/writer.ts'
import { openBins } from '../instruments/bins.ts'
import { openExchanges } from '../operations/exchanges.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { numbersHere } from '../vault/split.ts'
import type { OpenVault } from '../vault/vault.ts'
import type { Calls } from './outbound.ts'
import type { ServiceOverrides } from './overrides.ts'
import { openNumbers } from './vault.ts'
import { wait } from './wait.ts'

type Parts = {
  log: Log
  vault: OpenVault
  files: Files
  archive: Files | null
  reader: Reader
  writer: Writer
  clock: Clock
  calls: Calls
  metrics: Metrics | null
}

/** Measured if metrics are enabled, wrapped if a test asks for it. `merchant`: by the settings, once open. */
export async function openContext(config: Config, overrides: ServiceOverrides, parts: Parts, merchant: Settings['merchant']) {
  const { log, vault, files, archive, reader, writer, clock, calls, metrics } = parts
  const bins = openBins({ query: reader.query, log })
  const random = openRandomBytes()
  const exchanges =
    config.exchangeDays > 0
      ? openExchanges({ query: reader.query, vault, random: openRandomBytes(), log }, config.exchangeDays, config.exchangeSample)
      : null
  const bare: Context = {
    by: 'service',
    now: clock.now,
    steadySince: clock.steadySince,
    wait,
    random,
    query: reader.query,
    commit: change => commit(change),
    send: calls.send,
    deliver: calls.deliver,
    unreachable: calls.unreachable,
    vault,
    numbers: numbersHere(vault),
    bins,
    listKinds: new Map(),
    files,
    ...(archive && { archive }),
    ...(exchanges && { exchanges }),
    log,
  }
  const measured = metrics ? withMeasuredCalls(bare, metrics, merchant) : bare
  const context: Context = overrides.wrap?.(measured) ?? measured
  const splitVault = await openNumbers(config, context, vault, calls.sendToVault)
  const commit = openMeasuredCommit(writer, context, metrics)
  return { context, bins, random, exchanges, splitVault }
}

const withMeasuredCalls = (bare: Context, metrics: Metrics, merchant: Settings['merchant']): Context => ({
  ...bare,
  send: metrics.sends(bare.send, sender => connectorOf(merchant, sender)),
  deliver: metrics.delivers(bare.deliver),
})

/** As far as it is known; Apple, which is called for all connectors, has its own name. */
async function connectorOf(findMerchant: Settings['merchant'], { merchant_id, merchant_connector_id }: Sender): Promise<string> {
  if (merchant_connector_id === APPLE_PAY) return APPLE_PAY
  const merchant = await findMerchant(merchant_id).catch(() => undefined)
  return (merchant && findConnectorAccount(merchant, merchant_connector_id)?.connector_name) ?? 'unknown'
}

function openMeasuredCommit(writer: Writer, context: Context, metrics: Metrics | null): Context['commit'] {
  const commit = openCommit(writer, context)
  if (!metrics) return commit
  return async change => {
    const begun = performance.now()
    const result = await commit(change)
    metrics.commit(begun)
    return result
  }
}
