import { hash } from 'node:crypto'
import type { Context, Time } from '../context.ts'
import { statement } from '../database/statement.ts'
import { keyDigest, openKeyUses } from './api-keys.ts'
import { type Forgetful, type Lookup, openCache } from './cache.ts'
import { findEphemeralKey } from './ephemeral-keys.ts'
import type { ApiKeyRow, Merchant } from './merchant.ts'
import { findMerchantIdByPublishableKey } from './rows.ts'
import type { SettingsCounter } from './settings-counter.ts'

export type EphemeralHolder = { merchant: Merchant; id: string; customer_id: string }

/** `scopes`: the permissions of the key; null: all. */
export type KeyHolder = { merchant: Merchant; key_id: string; expires_at: Time | null; scopes: ReadonlySet<string> | null }

const keyByDigest = statement(
  'api_key_by_digest',
  'select merchant_id, key_id, expires_at, scopes from api_keys where digest = $1 and revoked_at is null',
)

/** Entries are valid while the settings counter has not moved. */
export function openKeyHolders(
  context: Context,
  believed: SettingsCounter['believed'],
  merchant: (merchant_id: string) => Lookup<Merchant>,
) {
  const keys = openCache<KeyHolder>(found => found.merchant.merchant_id)
  const publishable = openCache<Merchant>(found => found.merchant_id)
  const uses = openKeyUses(context)
  const memories: readonly Forgetful[] = [keys, publishable]

  return {
    /** The caller must compare `expires_at`, because an expiry changes no row. */
    holder(key: string): Lookup<KeyHolder> {
      // A plain hash takes a quarter of the time of the keyed digest, and a key is too long to be found from it.
      const name = hash('sha256', key, 'base64')
      return believed(() =>
        keys.get(name, async () => {
          const digest = keyDigest(context.vault, key)
          const row = (await context.query<Pick<ApiKeyRow, 'merchant_id' | 'key_id' | 'expires_at' | 'scopes'>>(keyByDigest, [digest]))[0]
          const found = row && (await merchant(row.merchant_id))
          const scopes = row?.scopes ? new Set(row.scopes) : null
          return found && !found.deleted ? { merchant: found, key_id: row.key_id, expires_at: row.expires_at, scopes } : undefined
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

    async ephemeralHolder(key: string): Lookup<EphemeralHolder> {
      const row = await findEphemeralKey(context, key, context.now())
      const found = row && (await merchant(row.merchant_id))
      return found && !found.deleted ? { merchant: found, id: row!.id, customer_id: row!.customer_id } : undefined
    },

    used: (holder: KeyHolder, now: Time): void => uses.note(holder.merchant.merchant_id, holder.key_id, now),
    writeDown: uses.writeDown,

    memories,
    size: (): number => keys.size() + publishable.size(),
  }
}
