import Type from 'typebox'
import { newId, randomAlphanumeric } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { dateTime, strictObject } from '../base/shapes.ts'
import { readTime } from '../base/time.ts'
import type { Context, Reads, Time, Vault } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { openUses } from '../database/last-uses.ts'
import { statement } from '../database/statement.ts'
import { select, table, text, time } from '../database/table.ts'
import { type ApiKeyRow, apiKeys } from './merchant.ts'
import { move, needMerchant } from './rows.ts'

const name = Type.String({ minLength: 1, maxLength: 64 })
const description = Type.Optional(Type.String({ maxLength: 256 }))
const expiration = Type.Union([Type.Literal('never'), dateTime], { description: '"never" or a date-time' })

export const apiKeyShape = strictObject({ name, description, expiration })
/** `scopes`: permissions; absent: all. `user_id`: the user of a command line's key. */
export type ApiKeyAsk = Type.Static<typeof apiKeyShape> & { scopes?: readonly string[] | undefined; user_id?: string }

export const apiKeyUpdateShape = strictObject({ name: Type.Optional(name), description, expiration: Type.Optional(expiration) })
export type ApiKeyUpdate = Type.Static<typeof apiKeyUpdateShape>

/** Stored in place of the key. Clients may write a live key with the ecosystem's prefix `prd_`. */
export const keyDigest = (vault: Pick<Vault, 'digest'>, key: string): string =>
  vault.digest('api key', key.startsWith(ECOSYSTEMS) ? prefixes.live.secret + key.slice(ECOSYSTEMS.length) : key)

export const prefixes = { test: { secret: 'snd_', publishable: 'pk_snd_' }, live: { secret: 'prod_', publishable: 'pk_prd_' } } as const

const ECOSYSTEMS = 'prd_'

/** A value that matches none is not a key and is not looked up. */
export const shapes = {
  secret: /^(?:snd|prod|prd)_[0-9A-Za-z]{64}$/,
  publishable: /^pk_(?:snd|prd)_[0-9a-f]{32}$/,
  ephemeral: /^epk_[0-9a-f]{32}$/,
} as const

const PREFIX_SHOWN = 12

/** Only the answer ever contains the key in clear. */
export async function createApiKey(context: Context, mode: 'test' | 'live', merchant_id: string, ask: ApiKeyAsk) {
  await needMerchant(context, merchant_id)
  const prefix = prefixes[mode].secret
  const key = prefix + randomAlphanumeric(context, 64)
  const row: ApiKeyRow = {
    merchant_id,
    key_id: newId(context, prefix),
    version: 1,
    digest: keyDigest(context.vault, key),
    prefix: key.slice(0, PREFIX_SHOWN),
    name: ask.name,
    description: ask.description ?? null,
    expires_at: readExpiration(ask.expiration),
    revoked_at: null,
    created: context.now(),
    created_by: context.by,
    scopes: ask.scopes ?? null,
    user_id: ask.user_id ?? null,
  }
  const { prefix: _shown, ...shown } = seen(row)
  const answer = { ...shown, api_key: key }
  await context.commit(changeTo(context, 'api_keys', { before: null, after: row }, 'created', { answer }))
  return answer
}

const seen = ({ key_id, merchant_id, name, description, prefix, created, created_by, scopes, user_id, expires_at }: ApiKeyRow) => ({
  key_id,
  merchant_id,
  name,
  description,
  prefix,
  created,
  created_by,
  scopes,
  user_id,
  expiration: expires_at ?? 'never',
})

const readExpiration = (expiration: string): Time | null =>
  expiration === 'never' ? null : readTime('expiration', expiration, '"never" or ')

/** Apart from the key's row, because no request writes it and it has no history. */
const apiKeyUses = table('api_key_uses', {
  key: ['merchant_id', 'key_id'],
  columns: { merchant_id: text(), key_id: text(), last_used_at: time() },
})

const write = statement(
  'write_key_uses',
  `insert into api_key_uses as u (merchant_id, key_id, last_used_at) select * from unnest($1::text[], $2::text[], $3::timestamptz[])
    order by 1, 2 on conflict (merchant_id, key_id) do update set last_used_at = excluded.last_used_at where u.last_used_at < excluded.last_used_at`,
)

const WRITTEN_EVERY_MS = 60_000

export const openKeyUses = (context: Pick<Context, 'query' | 'now'>) =>
  openUses(
    context.now,
    uses => context.query(write, [uses.map(use => use.merchant_id), uses.map(use => use.id), uses.map(use => use.used_at)]),
    WRITTEN_EVERY_MS,
  )

const byId = statement('api_key_by_id', select(apiKeys, 'where merchant_id = $1 and key_id = $2'))
const ofMerchant = statement(
  'api_keys_of_merchant',
  select(apiKeys, 'where merchant_id = $1 and revoked_at is null order by created desc, key_id limit $2 offset $3'),
)
const usesOf = statement('api_key_uses_of_merchant', select(apiKeyUses, 'where merchant_id = $1 and key_id = any($2)'))

const find = async (context: Reads, merchant_id: string, key_id: string): Promise<ApiKeyRow> =>
  (await context.query<ApiKeyRow>(byId, [merchant_id, key_id]))[0] ?? refuse('not_found', { what: 'API key' })

/** Reads a key that was not revoked; it may have expired. */
async function need(context: Reads, merchant_id: string, key_id: string): Promise<ApiKeyRow> {
  const row = await find(context, merchant_id, key_id)
  return row.revoked_at === null ? row : refuse('not_found', { what: 'API key' })
}

async function showKeys(context: Reads, merchant_id: string, rows: readonly ApiKeyRow[]) {
  const ids = rows.map(row => row.key_id)
  const uses = await context.query<{ key_id: string; last_used_at: Time }>(usesOf, [merchant_id, ids])
  const last = new Map(uses.map(use => [use.key_id, use.last_used_at]))
  return rows.map(row => ({ ...seen(row), last_used_at: last.get(row.key_id) ?? null }))
}

export const retrieveApiKey = async (context: Reads, merchant_id: string, key_id: string) =>
  (await showKeys(context, merchant_id, [await need(context, merchant_id, key_id)]))[0]!

export async function listApiKeys(context: Reads, merchant_id: string, limit: number, skip: number) {
  await needMerchant(context, merchant_id)
  return showKeys(context, merchant_id, await context.query<ApiKeyRow>(ofMerchant, [merchant_id, limit, skip]))
}

export async function updateApiKey(context: Context, merchant_id: string, key_id: string, ask: ApiKeyUpdate) {
  const { expiration: end, ...changes } = ask
  const expires = end === undefined ? {} : { expires_at: readExpiration(end) }
  return move(context, 'api_keys', 'updated', async () => {
    const before = await need(context, merchant_id, key_id)
    const after = { ...before, ...changes, ...expires }
    const [answer] = await showKeys(context, merchant_id, [after])
    return { before, after, answer: answer! }
  })
}

const ofPerson = statement(
  'api_keys_of_person',
  `select k.merchant_id, k.key_id from api_keys k where k.user_id = $1 and k.revoked_at is null
    and ($2 = 'everywhere' or k.merchant_id = $2 or k.merchant_id in (select m.merchant_id from merchants m where '@' || m.organization_id = $2))`,
)

/** `place`: a merchant, all merchants of an organization (`@` and its id), or `everywhere`. */
export async function revokeKeysOfPerson(context: Context, place: string, user_id: string): Promise<number> {
  const keys = await context.query<Pick<ApiKeyRow, 'merchant_id' | 'key_id'>>(ofPerson, [user_id, place])
  for (const { merchant_id, key_id } of keys) await revokeApiKey(context, merchant_id, key_id)
  return keys.length
}

/** Revokes the key of a command line at its own request. A key for servers is refused, because they would stop. */
export async function signOutKey(context: Context, merchant_id: string, key_id: string) {
  if ((await need(context, merchant_id, key_id)).user_id === null)
    refuse('precondition', { problem: 'The key was not made by a sign-in of the command line; revoke it in the dashboard' })
  return revokeApiKey(context, merchant_id, key_id)
}

/** At once in this process, within a second in all others. */
export async function revokeApiKey(context: Context, merchant_id: string, key_id: string) {
  const answer = { merchant_id, key_id, revoked: true }
  return move(context, 'api_keys', 'revoked', async () => {
    const before = await find(context, merchant_id, key_id)
    return before.revoked_at === null ? { before, after: { ...before, revoked_at: context.now() }, answer } : { answer }
  })
}
