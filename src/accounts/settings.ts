import { hash } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import type { Context, Time } from '../context.ts'
import { statement } from '../database/statement.ts'
import { keyDigest } from './api-keys.ts'
import { type Deployment, openAccount } from './connector-account.ts'
import { findEphemeralKey } from './ephemeral-keys.ts'
import { DEPLOYMENT, type Rules, readRules } from './gsm.ts'
import { openKeyUses } from './key-uses.ts'
import { type Forgetful, type Lookup, openCache } from './memory.ts'
import { type ApiKeyRow, MERCHANT_ID, type Merchant, merchantFrom } from './merchant.ts'
import { platformOf } from './platform.ts'
import { findRouting } from './routing.ts'
import { findConnectorAccounts, findMerchantIdByPublishableKey, findMerchantRow, findProfiles } from './rows.ts'
import { findWebhookEndpoints, type WebhookEndpoint } from './webhook-endpoint.ts'

/** What an ephemeral key stands for. */
export type EphemeralHolder = { merchant: Merchant; id: string; customer_id: string }

/** What an api key stands for. */
export type KeyHolder = { merchant: Merchant; key_id: string; expires_at: Time | null }

const keyByDigest = statement(
  'api_key_by_digest',
  'select merchant_id, key_id, expires_at from api_keys where digest = $1 and revoked_at is null',
)
/**
 * The merchants that changed since a version come along, null if none did; and the time: this is the only SQL that
 * asks for it (`base/clock.ts`).
 */
const look = statement(
  'settings_version',
  `select version, (select array_agg(merchant_id) from settings_changes where version > $1) as changed, (extract(epoch from clock_timestamp()) * 1000)::float8 as clock
    from settings_version`,
)
type Look = { version: number; changed: string[] | null; clock: number }

/** How often the counter is read. */
export const SETTINGS_EVERY_MS = 400
/**
 * The cache is valid for this long after a look at the counter: a revoked key is invalid everywhere within a second,
 * or all keys are refused.
 */
const BELIEVED_MS = 1000

/**
 * Merchants, keys and connector accounts in memory: a known key never needs the database. When the counter of
 * administrative writes has moved, what is of those who changed is forgotten; everything, if not each change since
 * the last look is told. If the counter was not read for a second (the database is away, or the connection that
 * should have brought it has died), it is read before anything is believed. `prepare`: what else must be known of a
 * merchant before it is served. `more`: what others remember, and forget with it.
 */
export function openSettings(
  context: Context,
  deployment: Deployment,
  clock: Pick<Clock, 'setBy' | 'monotonic'>,
  prepare: (merchant: Merchant) => Promise<void> = async () => {},
  more: readonly Forgetful[] = [],
) {
  let known: number | null = null
  let looked = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | null = null
  const merchants = openCache<Merchant>(found => found.merchant_id)
  const keys = openCache<KeyHolder>(found => found.merchant.merchant_id)
  const publishable = openCache<Merchant>(found => found.merchant_id)
  const endpoints = openCache<{ merchant_id: string; all: WebhookEndpoint[] }>(found => found.merchant_id)
  const memories: readonly Forgetful[] = [merchants, keys, publishable, endpoints, ...more]
  let rules: Rules = () => undefined
  const uses = openKeyUses(context)

  /** What is known; after a look at the counter, if the last one is too long ago. */
  function believed<T>(known: () => Promise<T>): Promise<T> {
    if (clock.monotonic() - looked <= BELIEVED_MS) return known()
    looking ??= refresh().finally(() => {
      looking = null
    })
    return looking.then(known)
  }

  async function refresh(): Promise<void> {
    const asked = clock.monotonic()
    const since = known
    const { version, changed } = await clock.setBy(async () => (await context.query<Look>(look, [since]))[0]!)
    if (version !== since) {
      // Each write counts on from where the one before it was committed, so none is skipped: as many as were
      // counted are told, or not all.
      const all = since !== null && changed?.length === version - since
      const who = new Set(changed)
      for (const memory of memories) all ? memory.forget(who) : memory.clear()
      if (!all || who.has(DEPLOYMENT)) rules = await readRules(context)
      // Another look may have come back first, and seen more.
      known = all ? Math.max(known!, version) : version
    }
    looked = Math.max(looked, asked)
  }

  async function read(merchant_id: string): Promise<Merchant | undefined> {
    const row = await findMerchantRow(context, merchant_id)
    if (!row) return undefined
    const [profiles, accounts, routing] = await Promise.all([
      findProfiles(context, merchant_id),
      findConnectorAccounts(context, merchant_id),
      findRouting(context, merchant_id),
    ])
    const opened = accounts.map(account => openAccount(context.vault, deployment, account))
    const merchant = merchantFrom(row, profiles, opened, routing)
    await prepare(merchant)
    return merchant
  }

  const merchant = (merchant_id: string): Lookup<Merchant> =>
    MERCHANT_ID.test(merchant_id) ? believed(() => merchants.get(merchant_id, () => read(merchant_id))) : Promise.resolve(undefined)

  /** Where webhooks of a merchant go, also those that are disabled; none if the merchant is not there. */
  async function webhookEndpoints(merchant_id: string): Promise<readonly WebhookEndpoint[]> {
    const found = await merchant(merchant_id)
    if (!found || found.deleted) return []
    const read = async () => ({ merchant_id, all: await findWebhookEndpoints(context, found) })
    return (await endpoints.get(merchant_id, read))!.all
  }

  return {
    merchant,

    /**
     * The holder of this secret key; undefined if there is none (unknown, revoked, its merchant deleted). Expiry is
     * the caller's to compare: it passes without a write.
     */
    holder(key: string): Lookup<KeyHolder> {
      // Remembered under a plain hash, which takes a quarter of the time of the keyed one; a key has too many letters
      // to be found from it.
      const name = hash('sha256', key, 'base64')
      return believed(() =>
        keys.get(name, async () => {
          const digest = keyDigest(context.vault, key)
          const row = (await context.query<Pick<ApiKeyRow, 'merchant_id' | 'key_id' | 'expires_at'>>(keyByDigest, [digest]))[0]
          const found = row && (await merchant(row.merchant_id))
          return found && !found.deleted ? { merchant: found, key_id: row.key_id, expires_at: row.expires_at } : undefined
        }),
      )
    },

    publishableHolder(key: string): Lookup<Merchant> {
      return believed(() =>
        publishable.get(key, async () => {
          const id = await findMerchantIdByPublishableKey(context, key)
          const found = id === undefined ? undefined : await merchant(id)
          return found?.deleted ? undefined : found
        }),
      )
    },

    webhookEndpoints,

    /** The endpoints of a merchant, and of the platform that it is connected to. */
    async listeners(merchant_id: string): Promise<readonly WebhookEndpoint[]> {
      const found = await merchant(merchant_id)
      const platform = found && platformOf(found)
      const its = await webhookEndpoints(merchant_id)
      return platform ? [...its, ...(await webhookEndpoints(platform))] : its
    },

    /** What the deployment makes of what processors say, as it was when the counter was last read. */
    rules: (key => rules(key)) as Rules,
    /**
     * The customer whose browser holds this key; undefined if there is none, or if its hour is over. Not cached: each
     * use reads its row.
     */
    async ephemeralHolder(key: string): Lookup<EphemeralHolder> {
      const row = await findEphemeralKey(context, key, context.now())
      const found = row && (await merchant(row.merchant_id))
      return found && !found.deleted ? { merchant: found, id: row!.id, customer_id: row!.customer_id } : undefined
    },

    /** A request that is let in brought this key. */
    used: (holder: KeyHolder, now: Time): void => uses.note(holder.merchant.merchant_id, holder.key_id, now),
    /** Writes down, once a minute, which keys were used. */
    writeDown: uses.writeDown,

    /** How many things are remembered, known or unknown. */
    size: () => merchants.size() + keys.size() + publishable.size(),

    /** Reads the counter, and forgets who changed. Called every 400 ms. */
    refresh,

    /** This process has written settings: it reads who changed, or believes nothing before it has. */
    async written(): Promise<void> {
      try {
        await refresh()
      } catch (error) {
        looked = Number.NEGATIVE_INFINITY
        context.log.warn({ err: error }, 'updated settings could not be reloaded yet')
      }
    },

    /** Something has changed, and it is not known what: nothing is believed before the counter was read. */
    doubt(): void {
      looked = Number.NEGATIVE_INFINITY
    },

    /** How many milliseconds ago the counter was last read. */
    lookedAgo: (): number => clock.monotonic() - looked,
  }
}

export type Settings = ReturnType<typeof openSettings>
