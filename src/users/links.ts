import { DEPLOYMENT } from '../accounts/gsm.ts'
import { newId, randomAlphanumeric } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { HOUR_MS, later } from '../base/time.ts'
import type { Context, Reads, Vault } from '../context.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { type LinkKind, type UserLink, userLinks } from './tables.ts'

/** A new link revokes the user's earlier ones of its kind, unless a stranger may have asked for it (not signed in). */

type Handed = 'first' | 'invite' | 'reset'
const lasts: Record<Handed, number> = { first: 24 * HOUR_MS, invite: 7 * 24 * HOUR_MS, reset: HOUR_MS }
const pages: Record<Handed, string> = { first: 'setup', invite: 'invitation', reset: 'reset' }
const TOKEN = /^swlink_[0-9A-Za-z]{43}$/

/** In the link for a first owner, whose account does not exist yet. */
export const FIRST = '@first'

const digestOf = (vault: Pick<Vault, 'digest'>, token: string): string => vault.digest('user link', token)

const replace = statement(
  'replace_user_link',
  `with gone as (delete from user_links where merchant_id = $5 and user_id = $4 and kind = $3)
    insert into user_links (${userLinks.names.join(', ')}) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)
const beside = statement('add_user_link', `insert into user_links (${userLinks.names.join(', ')}) values ($1, $2, $3, $4, $5, $6, $7, $8)`)
const byDigest = statement('user_link_by_digest', select(userLinks, 'where digest = $1 and kind = $2 and expires_at > $3'))
const use = statement('use_user_link', 'delete from user_links where digest = $1 returning link_id')
const endOf = statement('end_user_links', 'delete from user_links where merchant_id = $1 and user_id = $2')

export type Link = { url: string; expires_at: string }

/** Only this answer contains the token. `how`: `beside` leaves the user's earlier links valid. */
export async function makeLink(
  context: Pick<Context, 'query' | 'random' | 'now' | 'vault'>,
  publicUrl: string,
  kind: Handed,
  owner: { user_id: string; merchant_id: string; operator?: boolean },
  how: 'instead' | 'beside' = 'instead',
): Promise<Link> {
  const token = `swlink_${randomAlphanumeric(context, 43)}`
  const now = context.now()
  const expires_at = later(now, lasts[kind])
  const { user_id, merchant_id, operator = false } = owner
  const values = [digestOf(context.vault, token), newId(context, 'ulk_'), kind, user_id, merchant_id, operator, now, expires_at]
  await context.query(how === 'beside' ? beside : replace, values)
  return { url: `${publicUrl}/dashboard/${pages[kind]}?token=${token}`, expires_at }
}

const noLink = (): never => refuse('link_invalid')

/** Refuses (UR_04) a link that has expired, was used, or never existed. */
export async function needLink(context: Pick<Context, 'query' | 'vault' | 'now'>, kind: Handed, token: string): Promise<UserLink> {
  if (!TOKEN.test(token)) noLink()
  return (await context.query<UserLink>(byDigest, [digestOf(context.vault, token), kind, context.now()]))[0] ?? noLink()
}

/** By deleting it. Refuses (UR_04) a link that another caller has used first. */
export async function useLink(context: Reads, link: UserLink): Promise<void> {
  if ((await context.query(use, [link.digest])).length === 0) noLink()
}

export const endLinks = async (context: Reads, merchant_id: string, user_id: string): Promise<void> =>
  void (await context.query(endOf, [merchant_id, user_id]))

const CHALLENGE_MS = 5 * 60_000
const answer = statement('answer_challenge', 'delete from user_links where digest = $1 and kind = $2 and expires_at > $3 returning user_id')
type Challenge = Exclude<LinkKind, Handed>

/** Answered once, within five minutes. `user_id`: the only user who may answer; null: any. */
export async function makeChallenge(
  context: Pick<Context, 'query' | 'random' | 'now' | 'vault'>,
  kind: Challenge,
  challenge: string,
  user_id: string | null,
): Promise<void> {
  const id = newId(context, 'ulk_')
  const now = context.now()
  // A challenge of a sign-in has no user, so it gets an id of its own and replaces no other challenge.
  const values = [user_id ?? `@${id}`, DEPLOYMENT, false, now, later(now, CHALLENGE_MS)]
  await context.query(replace, [digestOf(context.vault, `${kind} ${challenge}`), id, kind, ...values])
}

/** Returns the user who may answer it; null if the challenge does not exist. */
export async function useChallenge(
  context: Pick<Context, 'query' | 'now' | 'vault'>,
  kind: Challenge,
  challenge: string,
): Promise<string | null> {
  const digest = digestOf(context.vault, `${kind} ${challenge}`)
  return (await context.query<{ user_id: string }>(answer, [digest, kind, context.now()]))[0]?.user_id ?? null
}
