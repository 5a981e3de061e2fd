import ipaddr from 'ipaddr.js'
import { refuse } from '../base/refusal.ts'
import { between, later } from '../base/time.ts'
import type { Context, Reads, Time } from '../context.ts'
import { statement } from '../database/statement.ts'

/**
 * Wrong tries are counted for an account with the caller's IP address, so that a caller cannot lock out a user
 * elsewhere, and for an address over all accounts not known there, existing or not. A try is counted before it is
 * made, so that concurrent ones are limited too.
 */

const MOST_TRIES = 10
const WAIT_MS = 15 * 60_000

const count = statement(
  'count_sign_in_try',
  `insert into sign_in_tries as t (digest, tries, forget_at) values ($1, 1, $2)
    on conflict (digest) do update set tries = case when t.forget_at <= $3 then 1 else t.tries + 1 end,
      forget_at = case when t.forget_at > $3 and t.tries >= $4::int then t.forget_at else excluded.forget_at end
    returning tries, forget_at`,
)
const forget = statement('forget_sign_in_tries', 'delete from sign_in_tries where digest = $1')

/** A caller with one IPv6 address has all 2^64 addresses of its network. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv6' ? parsed.toNormalizedString().split(':').slice(0, 4).join(':') : parsed.toString()
}

export const triesOf = (context: Pick<Context, 'vault'>, what: string, account: string, address: string | null): string =>
  context.vault.digest('sign-in try', JSON.stringify([what, account, address === null ? null : networkOf(address)]))

/** Of one kind, by an address that completes none, in a quarter of an hour: as many as a shared office may need. */
export const MOST_BEGUN = 100

/** Sign-ins that were begun and not completed. */
export const begunTries = (context: Pick<Context, 'vault'>, what: 'device' | 'passkey' | 'sso', address: string): string =>
  triesOf(context, what, '', address)

/** Refuses (UR_48) more than `most` tries, for a quarter of an hour after the last of them. */
export async function countTry(context: Pick<Context, 'query' | 'now'>, digest: string, most = MOST_TRIES): Promise<void> {
  const now = context.now()
  const [row] = await context.query<{ tries: number; forget_at: Time }>(count, [digest, later(now, WAIT_MS), now, most])
  if (row!.tries > most) refuse('too_many_tries', { seconds: Math.max(1, Math.ceil(between(now, row!.forget_at) / 1000)) })
}

const takeBack = statement('take_back_sign_in_try', 'update sign_in_tries set tries = tries - 1 where digest = $1 and tries > 0')

/** After a correct try; the wrong tries before it still count. */
export const takeBackTry = async (context: Reads, digest: string): Promise<void> => void (await context.query(takeBack, [digest]))

/** After a sign-in from there. */
const KNOWN_MS = 90 * 24 * 3_600_000
const know = statement(
  'know_sign_in',
  'insert into sign_in_tries (digest, tries, forget_at) values ($1, 0, $2) on conflict (digest) do update set forget_at = excluded.forget_at',
)
const known = statement('known_sign_in', 'select 1 from sign_in_tries where digest = $1 and forget_at > $2')
const knownAs = (context: Pick<Context, 'vault'>, user_id: string, address: string): string => triesOf(context, 'known', user_id, address)

export const rememberSignIn = async (context: Pick<Context, 'query' | 'now' | 'vault'>, user_id: string, address: string): Promise<void> =>
  void (await context.query(know, [knownAs(context, user_id, address), later(context.now(), KNOWN_MS)]))

/** Strangers at other addresses do not keep such an account out. */
export const isKnownAt = async (context: Pick<Context, 'query' | 'now' | 'vault'>, user_id: string, address: string): Promise<boolean> =>
  (await context.query(known, [knownAs(context, user_id, address), context.now()])).length > 0

export const forgetTries = async (context: Reads, digest: string): Promise<void> => void (await context.query(forget, [digest]))
