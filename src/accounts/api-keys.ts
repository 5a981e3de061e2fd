import Type from 'typebox'
import { newId, randomAlphanumeric } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { time } from '../base/shapes.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import type { Time, Vault, World } from '../world.ts'
import { type ApiKeyRow, apiKeys } from './merchant.ts'
import { findMerchantRow } from './rows.ts'

export const apiKeyShape = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 64 }),
    description: Type.Optional(Type.String({ maxLength: 256 })),
    expiration: Type.Union([Type.Literal('never'), time], { description: '"never" or a date-time' }),
  },
  { additionalProperties: false },
)
export type ApiKeyAsk = Type.Static<typeof apiKeyShape>

/** What is stored of a key: a keyed digest. The key itself is shown once, at creation. */
export const keyDigest = (vault: Pick<Vault, 'digest'>, key: string): string => vault.digest('api key', key)

/** Key prefixes by deployment: a test key can be told from a live one at a glance. */
export const prefixes = {
  test: { secret: 'snd_', publishable: 'pk_snd_' },
  live: { secret: 'prod_', publishable: 'pk_prd_' },
} as const

/** What keys look like. Anything else is no key, and nobody looks for it. */
export const shapes = { secret: /^(?:snd|prod)_[0-9A-Za-z]{64}$/, publishable: /^pk_(?:snd|prd)_[0-9a-f]{32}$/ } as const

const PREFIX_SHOWN = 12

/** Makes a secret key for a merchant: 64 random letters and digits behind the deployment's prefix. The answer is the only place that ever holds it in clear. */
export async function createApiKey(world: World, mode: 'test' | 'live', merchant_id: string, ask: ApiKeyAsk) {
  if (!(await findMerchantRow(world, merchant_id))) refuse('not_found', { what: 'merchant account' })
  const prefix = prefixes[mode].secret
  const key = prefix + randomAlphanumeric(world, 64)
  const key_id = newId(world, prefix)
  const created = world.now()
  const expires_at = readExpiration(ask.expiration)
  const description = ask.description ?? null
  const row: ApiKeyRow = {
    merchant_id,
    key_id,
    version: 1,
    digest: keyDigest(world.vault, key),
    prefix: key.slice(0, PREFIX_SHOWN),
    name: ask.name,
    description,
    expires_at,
    revoked_at: null,
    created,
  }
  const answer = { key_id, merchant_id, name: ask.name, description, api_key: key, created, expiration: expires_at ?? 'never' }
  await world.commit({
    head: 'api_keys',
    before: null,
    after: row,
    rows: [],
    event: { type: 'created', announces: null },
    by: world.by,
    answer,
  })
  return answer
}

const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/** A time that both JavaScript and PostgreSQL can hold: not a leap second, not the year 0. */
function readExpiration(expiration: string): Time | null {
  if (expiration === 'never') return null
  const moment = Date.parse(expiration)
  if (!(moment >= 0 && moment <= LATEST))
    refuse('malformed', { field: 'expiration', expected: '"never" or a time of the years 1970 to 9999 (UTC)' })
  return new Date(moment).toISOString()
}

const byId = statement('api_key_by_id', select(apiKeys, 'where merchant_id = $1 and key_id = $2'))

/** Revokes a key: dead in this process at once, in every other within a second. Revoking twice is the same. */
export async function revokeApiKey(world: World, merchant_id: string, key_id: string) {
  for (;;) {
    const before = (await world.query<ApiKeyRow>(byId, [merchant_id, key_id]))[0] ?? refuse('not_found', { what: 'API key' })
    const change = {
      head: 'api_keys',
      before,
      after: { ...before, revoked_at: world.now() },
      rows: [],
      event: { type: 'revoked', announces: null },
      by: world.by,
    }
    if (before.revoked_at !== null || (await world.commit(change)).is === 'written') return { merchant_id, key_id, revoked: true }
  }
}
