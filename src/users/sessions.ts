import { DEPLOYMENT } from '../accounts/gsm.ts'
import { newId, randomAlphanumeric } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { between, later } from '../base/time.ts'
import type { Context, Reads, Time, Vault } from '../context.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import type { Role } from './roles.ts'
import { type Stage, type UserSession, userSessions } from './tables.ts'
import type { User } from './user.ts'

/**
 * The cookie contains a random token, the row its keyed digest. Each request reads the row with the user's roles: a
 * user who is signed out, disabled or removed loses access at once everywhere.
 */

/** Without a request, a session is then over. */
const IDLE_MS = 12 * 3_600_000
const LONGEST_MS = 30 * 24 * 3_600_000
const TOTP_WITHIN_MS = 5 * 60_000
/** The use of a session is written to the database at most so often. */
const SEEN_EVERY_MS = 60_000
const TOKEN = /^swsess_[0-9A-Za-z]{43}$/

export const cookieName = 'switchyard_session'

const digestOf = (vault: Pick<Vault, 'digest'>, token: string): string => vault.digest('user session', token)

/** Sent in the header `x-csrf-token` with every request that changes data. */
export const csrfToken = (vault: Pick<Vault, 'digest'>, session: Pick<UserSession, 'digest'>): string =>
  vault.digest('csrf token', session.digest)

export type Device = { address: string; user_agent: string | null }

/** If these change, the sessions that began with them end. */
type LetIn = Pick<User, 'user_id' | 'password' | 'sso_subject'>

// The user's row is locked against changes. A change that ends the user's sessions comes before the lock, and no
// session begins, or comes after it, and finds the session.
const last = userSessions.names.length
const insert = statement(
  'insert_user_session',
  `insert into user_sessions (${userSessions.names.join(', ')})
    select ${userSessions.names.map((name, i) => `$${i + 1}::${userSessions.columns[name as keyof UserSession].is.sql}`).join(', ')}
    from users where merchant_id = '${DEPLOYMENT}' and user_id = $3 and password is not distinct from $${last + 1} and sso_subject is not distinct from $${last + 2}
    for share returning session_id`,
)

/** Only this answer has the token. Refuses (UR_01) if the credentials have changed meanwhile. */
export async function beginSession(
  context: Pick<Context, 'query' | 'random' | 'now' | 'vault'>,
  { user_id, password, sso_subject }: LetIn,
  stage: Stage,
  merchant_id: string | null,
  device: Device,
): Promise<{ token: string; session: UserSession }> {
  const token = `swsess_${randomAlphanumeric(context, 43)}`
  const now = context.now()
  const session: UserSession = {
    digest: digestOf(context.vault, token),
    session_id: newId(context, 'uss_'),
    user_id,
    merchant_id,
    stage,
    tries: 0,
    address: device.address,
    user_agent: device.user_agent?.slice(0, 200) ?? null,
    created: now,
    seen_at: now,
    expires_at: later(now, stage === 'totp' ? TOTP_WITHIN_MS : IDLE_MS),
  }
  const values = userSessions.names.map(name => session[name as keyof UserSession])
  const begun = await context.query(insert, [...values, password, sso_subject])
  return begun.length === 1 ? { token, session } : refuse('sign_in_refused')
}

export type LiveSession = UserSession &
  Pick<User, 'email' | 'name' | 'operator' | 'totp_confirmed_at' | 'last_signed_in_at'> & {
    roles: readonly { merchant_id: string; role: Role; profile_ids: readonly string[] | null }[]
  }

/** By acceptance: a session begins at the first; a stranger may have invited the user before, and comes later. */
export const rolesOf = (user_id: string): string =>
  `coalesce((select json_agg(json_build_object('merchant_id', r.merchant_id, 'role', r.role, 'profile_ids', r.profile_ids) order by r.accepted_at, r.created, r.merchant_id) from user_roles r
      where r.user_id = ${user_id} and r.accepted_at is not null and r.disabled_at is null and r.removed_at is null), '[]')`

const byDigest = statement(
  'user_session_by_digest',
  `select ${userSessions.names.map(name => `s.${name}`).join(', ')}, u.email, u.name, u.operator, u.totp_confirmed_at, u.last_signed_in_at,
    ${rolesOf('s.user_id')} as roles
    from user_sessions s join users u on u.merchant_id = '${DEPLOYMENT}' and u.user_id = s.user_id where s.digest = $1 and s.expires_at > $2`,
)
const seen = statement('user_session_seen', 'update user_sessions set seen_at = $2, expires_at = $3 where digest = $1')

/** Undefined: none, or none in the right format. */
export function tokenIn(cookies: string | undefined): string | undefined {
  if (cookies === undefined) return undefined
  for (const pair of cookies.split(';')) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    if (name !== cookieName && name !== `__Host-${cookieName}`) continue
    const token = pair.slice(at + 1).trim()
    if (TOKEN.test(token)) return token
  }
  return undefined
}

/** Also one that waits for its second factor. `unseen` does not extend it. */
export async function findSession(
  context: Pick<Context, 'query' | 'vault' | 'now'>,
  token: string,
  how: 'used' | 'unseen' = 'used',
): Promise<LiveSession | undefined> {
  const now = context.now()
  const [session] = await context.query<LiveSession>(byDigest, [digestOf(context.vault, token), now])
  if (session === undefined || between(session.created, now) > LONGEST_MS) return undefined
  if (how === 'used' && session.stage === 'signed_in' && between(session.seen_at, now) >= SEEN_EVERY_MS)
    await context.query(seen, [session.digest, now, later(now, IDLE_MS)])
  return session
}

const end = statement('end_user_session', 'delete from user_sessions where user_id = $1 and session_id = $2 returning session_id')
const endAll = statement('end_user_sessions', 'delete from user_sessions where user_id = $1 and session_id <> $2')
const ofUser = statement(
  'user_sessions_of_user',
  select(userSessions, "where user_id = $1 and stage = 'signed_in' and expires_at > $2 order by created desc, session_id limit 100"),
)
const choose = statement('choose_merchant_of_session', 'update user_sessions set merchant_id = $2 where digest = $1')
const tryMore = statement('try_user_session', 'update user_sessions set tries = tries + 1 where digest = $1 and tries < $2 returning tries')

/** Refuses (HE_02) a session that is not the user's. */
export async function endSession(context: Reads, user_id: string, session_id: string): Promise<void> {
  const ended = await context.query(end, [user_id, session_id])
  if (ended.length === 0) refuse('not_found', { what: 'session' })
}

/** After a new sign-in in the same browser; the session may be gone. */
export const dropSession = async (context: Reads, { user_id, session_id }: UserSession): Promise<void> =>
  void (await context.query(end, [user_id, session_id]))

/** `but`: the id of a session that stays. */
export const endSessions = async (context: Reads, user_id: string, but = ''): Promise<void> =>
  void (await context.query(endAll, [user_id, but]))

export const listSessions = (context: Reads, user_id: string, now: Time): Promise<UserSession[]> =>
  context.query<UserSession>(ofUser, [user_id, now])

export const chooseMerchant = async (context: Reads, session: UserSession, merchant_id: string): Promise<void> =>
  void (await context.query(choose, [session.digest, merchant_id]))

/** Returns whether the session may still make the try. */
export const mayTry = async (context: Reads, session: UserSession, most: number): Promise<boolean> =>
  (await context.query(tryMore, [session.digest, most])).length > 0
