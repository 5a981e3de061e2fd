import { timingSafeEqual } from 'node:crypto'
import { shapes } from '../accounts/api-keys.ts'
import type { Merchant } from '../accounts/merchant.ts'
import { accountTypeOf, platformKeyName, platformOf } from '../accounts/platform.ts'
import type { Settings } from '../accounts/settings.ts'
import { refuse } from '../base/refusal.ts'
import type { Time } from '../context.ts'
import type { Doer, Person } from '../users/person.ts'
import type { Permission } from '../users/roles.ts'
import { type Auth, admits } from './auth.ts'
import { checkScopes } from './key-scopes.ts'

/**
 * The accounts for which a platform's secret key opens an operation: those that `x-connected-merchant-id` names, since
 * a platform takes no payments of its own; with `for itself too`, also its own (to receive events).
 */
export type Platforms = 'for others' | 'for itself too'

type Rights = { auth: Auth; platforms: Platforms }

/** The scopes of a key; null: the key has all permissions. */
type Scopes = ReadonlySet<string> | null

/** `client`: its client_secret is still to be compared. `platform`: whose key acts for this connected merchant. */
export type Who =
  | { is: 'nobody' }
  /** `user`: the person who acts, if the caller is a person. */
  | { is: 'admin'; user?: Person }
  /** Sent beside a secret key, which needs none; it must belong to the object of the request. */
  | { is: 'secret'; merchant: Merchant; key_id: string; platform: string | null; client_secret?: string; user?: Doer; scopes?: Scopes }
  | { is: 'user'; person: Person }
  | { is: 'client'; merchant: Merchant; client_secret: string; byToken?: true }
  | { is: 'publishable'; merchant: Merchant }
  | { is: 'ephemeral'; merchant: Merchant; key_id: string; customer_id: string }

/** Besides the operation's permission. Only people and keys with scopes are restricted. */
export function has(who: Who, permission: Permission): boolean {
  if ('user' in who && who.user !== undefined) return who.user.permissions.has(permission)
  return !('scopes' in who) || who.scopes == null || who.scopes.has(permission)
}

export type PresentedCredentials = {
  apiKey: string | undefined
  authorization: string | undefined
  merchant_in_path: string | undefined
  customer_in_path: string | undefined
  /** The header `x-connected-merchant-id`: the account that a platform's key acts for. */
  connected: string | undefined
}

/** With a publishable key the client_secret may be in the body, which is read after the merchant is known. */
export type Bearer =
  | Exclude<Who, { is: 'client' }>
  | { is: 'client'; merchant: Merchant; client_secret: string | undefined; byToken?: true }

/**
 * Authenticates a key, and refuses a caller without permission. 401: no key, an unknown, revoked or expired key, or
 * the key of another merchant than the path names, whether or not that merchant exists. 403: a valid key of the wrong
 * kind, or one whose scopes do not include the scope that the operation needs. Only a platform's secret key may send
 * the header `x-connected-merchant-id` (IR_44, IR_50), and a platform may omit it only for operations on its own
 * account (IR_43).
 */
export async function bearer(
  settings: Settings,
  adminKey: string,
  endpoint: Rights,
  given: PresentedCredentials,
  now: Time,
): Promise<Bearer> {
  const { auth } = endpoint
  if (auth.credential === 'nothing') return { is: 'nobody' }
  const byBrowsers = admits(auth, 'client') || admits(auth, 'publishable')
  const token = byBrowsers && given.authorization !== undefined ? readToken(given.authorization) : null
  // This service does not issue client sessions, so a token that names one is invalid.
  if (token?.client_session_id) return refuse('key_missing_or_unknown')
  const key = token?.publishable_key ?? given.apiKey
  if (key === undefined || key === '') return refuse('key_missing_or_unknown')
  const alone = given.connected === undefined
  if (same(key, adminKey)) {
    if (!admits(auth, 'admin')) refuse('key_missing_or_unknown')
    return alone ? { is: 'admin' } : refuse('no_platform')
  }

  if (shapes.publishable.test(key)) {
    const merchant = (await settings.publishableHolder(key)) ?? refuse('key_missing_or_unknown')
    if (!byBrowsers) return refuse('forbidden', { problem: 'A publishable key cannot be used for this operation' })
    if (!alone) refuse('no_platform')
    if (admits(auth, 'publishable')) return { is: 'publishable', merchant }
    return { is: 'client', merchant, client_secret: token?.client_secret, ...(token && { byToken: true as const }) }
  }

  if (shapes.ephemeral.test(key)) {
    const { id, merchant, customer_id } = (await settings.ephemeralHolder(key)) ?? refuse('key_missing_or_unknown')
    if (!admits(auth, 'ephemeral')) return refuse('forbidden', { problem: 'An ephemeral key cannot be used for this operation' })
    if (!alone) refuse('no_platform')
    if ((given.customer_in_path ?? customer_id) !== customer_id) return refuse('not_found', { what: 'customer' })
    return { is: 'ephemeral', merchant, key_id: id, customer_id }
  }

  const holder = shapes.secret.test(key) ? await settings.holder(key) : undefined
  if (!holder || (holder.expires_at !== null && holder.expires_at <= now)) return refuse('key_missing_or_unknown')
  // An operation that takes only publishable credentials refuses every other key as unknown.
  if (admits(auth, 'publishable')) return refuse('key_missing_or_unknown')
  if (!admits(auth, 'secret')) {
    const needed = admits(auth, 'client')
      ? 'a publishable key and a client_secret'
      : admits(auth, 'user')
        ? 'a person who is signed in'
        : 'the admin key of the deployment'
    return refuse('forbidden', { problem: `This operation requires ${needed}` })
  }
  const acts = alone ? actsItself(holder.merchant, endpoint) : await actsFor(settings, holder.merchant, given.connected!)
  if (given.merchant_in_path !== undefined && given.merchant_in_path !== acts.merchant.merchant_id) return refuse('key_missing_or_unknown')
  if (holder.scopes !== null) checkScopes(auth, holder.scopes)
  settings.used(holder, now)
  return { is: 'secret', ...acts, key_id: holder.key_id, scopes: holder.scopes }
}

type Acts = { merchant: Merchant; platform: string | null }

/** Without `x-connected-merchant-id`: the key's own merchant. Refuses a platform where it must name an account. */
export const actsItself = (merchant: Merchant, { platforms }: Pick<Rights, 'platforms'>): Acts =>
  platforms === 'for others' && accountTypeOf(merchant.details) === 'platform' ? refuse('platform_alone') : { merchant, platform: null }

/** With `x-connected-merchant-id`. An account that is not connected and one that does not exist are refused alike. */
export async function actsFor(settings: Settings, merchant: Merchant, connected: string): Promise<Acts> {
  const type = accountTypeOf(merchant.details)
  if (type === 'connected') return refuse('connected_account')
  const found = type === 'platform' ? await settings.merchant(connected) : undefined
  if (!found || found.deleted || platformOf(found) !== merchant.merchant_id) return refuse('no_platform')
  return { merchant: found, platform: merchant.merchant_id }
}

/** Whether this secret key still gives access to this merchant: the key's own merchant, or one that it acts for. */
export async function isHolder(
  settings: Pick<Settings, 'holder' | 'merchant'>,
  key: string,
  merchant_id: string,
  now: Time,
): Promise<boolean> {
  const holder = shapes.secret.test(key) ? await settings.holder(key) : undefined
  if (holder === undefined || (holder.expires_at !== null && holder.expires_at <= now)) return false
  if (holder.merchant.merchant_id === merchant_id) return true
  const merchant = await settings.merchant(merchant_id)
  return merchant !== undefined && !merchant.deleted && platformOf(merchant) === holder.merchant.merchant_id
}

/** A publishable key requires a client_secret (body or query); beside a secret key, it opens nothing more. */
export function who(is: Bearer, client_secret: string | undefined): Who {
  if (is.is === 'client')
    return { ...is, client_secret: is.client_secret ?? client_secret ?? refuse('missing', { field: 'client_secret' }) }
  return is.is === 'secret' && client_secret !== undefined ? { ...is, client_secret } : is
}

/** Returns the caller's name in the history of changes. */
export function callerName(caller: Who): string {
  if (caller.is === 'user') return `user ${caller.person.user_id}`
  if ('user' in caller && caller.user) return `user ${caller.user.user_id}`
  if (!('key_id' in caller)) return caller.is
  return caller.is === 'secret' && caller.platform !== null
    ? platformKeyName(caller.key_id, caller.platform)
    : `${caller.is}_key ${caller.key_id}`
}

/** Whether two texts are equal, compared in a time that does not reveal where they differ. */
export function same(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  const [x, y] = [Buffer.from(a), Buffer.from(b)]
  return x.length === y.length && timingSafeEqual(x, y)
}

/** Reads the SDK's token: base64 of comma-joined `name=value`, without a scheme word. Null: no such token. */
function readToken(text: string): { publishable_key: string; client_secret: string; client_session_id: string | undefined } | null {
  const pairs = new Map(
    Buffer.from(text, 'base64')
      .toString('utf8')
      .split(',')
      .map(pair => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )
  const [publishable_key, client_secret] = [pairs.get('publishable_key'), pairs.get('client_secret')]
  const client_session_id = pairs.get('client_session_id')
  const isOne = publishable_key && client_secret && shapes.publishable.test(publishable_key)
  return isOne ? { publishable_key, client_secret, client_session_id } : null
}
