import { hash } from 'node:crypto'
import type { Statement, Time, World } from '../world.ts'
import { keyDigest } from './api-keys.ts'
import { type Deployment, openAccount } from './connector-account.ts'
import type { Merchant } from './merchant.ts'
import { findConnectorAccounts, findMerchantIdByPublishableKey, findMerchantRow, findProfiles } from './rows.ts'

/** What an api key stands for. */
export type KeyHolder = { merchant: Merchant; expires_at: Time | null }

const keyByDigest: Statement = {
  name: 'api_key_by_digest',
  text: 'select merchant_id, expires_at from api_keys where digest = $1 and revoked_at is null',
}
const version: Statement = { name: 'settings_version', text: 'select version from settings_version' }

const LARGEST_CACHE = 20_000
/** How often the counter is read: a revoked key is dead everywhere within a second. */
export const SETTINGS_EVERY_MS = 400

/**
 * Merchants, keys and connector accounts in memory: a known key never needs the database. The cache is dropped whole when the counter of administrative writes has
 * moved; while the counter cannot be read, nothing new is believed for longer than it takes the database to come back.
 */
export function openSettings(world: World, deployment: Deployment) {
  let known: number | null = null
  let merchants = new Map<string, Promise<Merchant | undefined>>()
  let keys = new Map<string, Promise<KeyHolder | undefined>>()
  let publishable = new Map<string, Promise<Merchant | undefined>>()

  function forget(): void {
    merchants = new Map()
    keys = new Map()
    publishable = new Map()
  }

  /** Remembers a promise, so that a burst for the same thing asks once; a failed one is forgotten. */
  function remembered<T>(cache: Map<string, Promise<T>>, name: string, read: () => Promise<T>): Promise<T> {
    let value = cache.get(name)
    if (!value) {
      if (cache.size >= LARGEST_CACHE) cache.clear()
      value = read()
      cache.set(name, value)
      value.catch(() => cache.delete(name))
    }
    return value
  }

  async function read(merchant_id: string): Promise<Merchant | undefined> {
    const row = await findMerchantRow(world, merchant_id)
    if (!row) return undefined
    const [profiles, accounts] = await Promise.all([findProfiles(world, merchant_id), findConnectorAccounts(world, merchant_id)])
    const { organization_id, publishable_key, default_profile, details } = row
    return {
      merchant_id,
      organization_id,
      publishable_key,
      default_profile,
      details,
      profiles,
      connectorAccounts: accounts.map(account => openAccount(world.vault, deployment, account)),
    }
  }

  const merchant = (merchant_id: string) => remembered(merchants, merchant_id, () => read(merchant_id))

  return {
    merchant,

    /** Who holds this secret key; undefined if nobody (unknown, revoked). Expiry is the caller's to compare: it passes without a write. */
    holder(key: string): Promise<KeyHolder | undefined> {
      // Remembered under a plain hash, which takes a quarter of the time of the keyed one; a key has too many letters to be found from it.
      return remembered(keys, hash('sha256', key, 'base64'), async () => {
        const digest = keyDigest(world.vault, key)
        const row = (await world.query<{ merchant_id: string; expires_at: Time | null }>(keyByDigest, [digest]))[0]
        const found = row && (await merchant(row.merchant_id))
        return found && { merchant: found, expires_at: row.expires_at }
      })
    },

    publishableHolder(key: string): Promise<Merchant | undefined> {
      return remembered(publishable, key, async () => {
        const id = await findMerchantIdByPublishableKey(world, key)
        return id === undefined ? undefined : merchant(id)
      })
    },

    /** Reads the counter; drops the cache if it has moved. Called every 400 ms, and after each administrative write of this process. */
    async refresh(): Promise<void> {
      const now = (await world.query<{ version: number }>(version, []))[0]?.version ?? null
      if (now !== known) forget()
      known = now
    },
  }
}

export type Settings = ReturnType<typeof openSettings>
