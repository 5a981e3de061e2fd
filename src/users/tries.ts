import ipaddr from 'ipaddr.js'
import { refuse } from '../base/refusal.ts'
import { between, later } from '../base/time.ts'
import type { Context, Time } from '../context.ts'
import { statement } from '../database/statement.ts'

/**
 * Wrong tries to sign in. They are counted for an account together with the IP address of the caller, so that a caller
 * cannot lock out a user at another address. They are also counted for accounts that do not exist. A try is counted
 * before it is made, so that concurrent tries are limited to ten as well.
 */

export const MOST_TRIES = 10
const WAIT_MS = 15 * 60_000

const count = statement(
  'count_sign_in_try',
  `insert into sign_in_tries as t (digest, tries, forget_at) values ($1, 1, $2)
    on conflict (digest) do update set tries = case when t.forget_at <= $3 then 1 else t.tries + 1 end,
      forget_at = case when t.forget_at > $3 and t.tries >= ${MOST_TRIES} then t.forget_at else excluded.forget_at end
    returning tries, forget_at`,
)
const forget = statement('forget_sign_in_tries', 'delete from sign_in_tries where digest = $1')

/** Returns the network of an IP address. A caller with one IPv6 address has all 2^64 addresses of its network. */
function network(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv6' ? parsed.toNormalizedString().split(':').slice(0, 4).join(':') : parsed.toString()
}

/** Returns the key of the counter for a kind of try, an account and an IP address. */
export const triesOf = (context: Pick<Context, 'vault'>, what: string, account: string, address: string | null): string =>
  context.vault.digest('sign-in try', JSON.stringify([what, account, address === null ? null : network(address)]))

/** Counts a try. Refuses (UR_48) the eleventh and later tries, for a quarter of an hour after the tenth. */
export async function countTry(context: Pick<Context, 'query' | 'now'>, digest: string): Promise<void> {
  const now = context.now()
  const [row] = await context.query<{ tries: number; forget_at: Time }>(count, [digest, later(now, WAIT_MS), now])
  if (row!.tries > MOST_TRIES) refuse('too_many_tries', { seconds: Math.max(1, Math.ceil(between(now, row!.forget_at) / 1000)) })
}

const takeBack = statement('take_back_sign_in_try', 'update sign_in_tries set tries = tries - 1 where digest = $1 and tries > 0')

/** Takes a correct try off the count. The wrong tries before it still count. */
export const takeBackTry = async (context: Pick<Context, 'query'>, digest: string): Promise<void> =>
  void (await context.query(takeBack, [digest]))

/** Deletes all counted tries after a correct one. */
export const forgetTries = async (context: Pick<Context, 'query'>, digest: string): Promise<void> =>
  void (await context.query(forget, [digest]))
