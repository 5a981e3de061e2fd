import type { Clock } from '../base/clock.ts'
import type { Context } from '../context.ts'
import { type Forgetful, type Lookup, openCache } from './cache.ts'
import { type Deployment, openAccount } from './connector-account.ts'
import { DEPLOYMENT, type Rules, readRules } from './gsm.ts'
import { openKeyHolders } from './key-holders.ts'
import { MERCHANT_ID, type Merchant } from './merchant.ts'
import { merchantFrom } from './merchant-row.ts'
import { platformOf } from './platform.ts'
import { findRouting } from './routing.ts'
import { findConnectorAccounts, findMerchantRow, findMove, findProfiles } from './rows.ts'
import { openSettingsCounter } from './settings-counter.ts'
import { findWebhookEndpoints, type WebhookEndpoint } from './webhook-endpoint.ts'

export const SETTINGS_EVERY_MS = 400
async function readMerchant(context: Context, deployment: Deployment, merchant_id: string): Promise<Merchant | undefined> {
  const row = await findMerchantRow(context, merchant_id)
  if (!row) return undefined
  const [profiles, accounts, routing, moving] = await Promise.all([
    findProfiles(context, merchant_id),
    findConnectorAccounts(context, merchant_id),
    findRouting(context, merchant_id),
    findMove(context, merchant_id),
  ])
  const opened = accounts.map(account => openAccount(context.vault, deployment, account))
  return merchantFrom(row, profiles, opened, routing, moving)
}

/**
 * A known key needs no query. What the settings counter says has changed is dropped; if the counter was not read for a
 * second, it is read before cached data is used. `prepare`: loads further data of a merchant before it is served.
 * `more`: caches to drop with this one.
 */
export function openSettings(
  context: Context,
  deployment: Deployment,
  clock: Pick<Clock, 'setBy' | 'monotonic'>,
  prepare: (merchant: Merchant) => Promise<void> = async () => {},
  more: readonly Forgetful[] = [],
) {
  const merchants = openCache<Merchant>(found => found.merchant_id)
  const endpoints = openCache<{ merchant_id: string; all: WebhookEndpoint[] }>(found => found.merchant_id)
  let rules: Rules = () => undefined
  const { believed, refresh, reach, written, doubt, lookedAgo } = openSettingsCounter(context, clock, forget)
  const holders = openKeyHolders(context, believed, merchant)
  const memories: readonly Forgetful[] = [merchants, endpoints, ...holders.memories, ...more]

  async function forget(changed: ReadonlySet<string> | null): Promise<void> {
    for (const memory of memories) changed ? memory.forget(changed) : memory.clear()
    if (!changed || changed.has(DEPLOYMENT)) rules = await readRules(context)
  }

  async function read(merchant_id: string): Promise<Merchant | undefined> {
    const found = await readMerchant(context, deployment, merchant_id)
    if (found) await prepare(found)
    return found
  }

  function merchant(merchant_id: string): Lookup<Merchant> {
    if (!MERCHANT_ID.test(merchant_id)) return Promise.resolve(undefined)
    return believed(() => merchants.get(merchant_id, () => read(merchant_id)))
  }

  /** Also disabled endpoints; none if the merchant does not exist. */
  async function webhookEndpoints(merchant_id: string): Promise<readonly WebhookEndpoint[]> {
    const found = await merchant(merchant_id)
    if (!found || found.deleted) return []
    const read = async () => ({ merchant_id, all: await findWebhookEndpoints(context, found) })
    return (await endpoints.get(merchant_id, read))!.all
  }

  return {
    merchant,
    holder: holders.holder,
    publishableHolder: holders.publishableHolder,
    ephemeralHolder: holders.ephemeralHolder,
    used: holders.used,
    writeDown: holders.writeDown,

    webhookEndpoints,

    /** Endpoints of the merchant and of the platform that it is connected to. */
    async listeners(merchant_id: string): Promise<readonly WebhookEndpoint[]> {
      const found = await merchant(merchant_id)
      const platform = found && platformOf(found)
      const its = await webhookEndpoints(merchant_id)
      return platform ? [...its, ...(await webhookEndpoints(platform))] : its
    },

    rules: (key => rules(key)) as Rules,

    size: () => merchants.size() + holders.size(),

    refresh,
    reach,
    written,
    doubt,
    lookedAgo,
  }
}

export type Settings = ReturnType<typeof openSettings>
