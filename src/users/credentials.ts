import { revokeKeysOfPerson } from '../accounts/api-keys.ts'
import { DEPLOYMENT } from '../accounts/gsm.ts'
import { refuse } from '../base/refusal.ts'
import type { Context } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { endDevices } from './devices.ts'
import { endLinks } from './links.ts'
import { listPasskeys, userPasskeys } from './passkeys.ts'
import { endSessions } from './sessions.ts'
import { needUser, noTotp, type User, users } from './user.ts'

/** Sessions, command lines (also those without a key yet), links, new passkeys. `but`: the session that stays. */
export async function endSignIns(context: Context, user_id: string, but = ''): Promise<void> {
  await endSessions(context, user_id, but)
  await endDevices(context, user_id)
  await endLinks(context, DEPLOYMENT, user_id)
  await revokeKeysOfPerson(context, 'everywhere', user_id)
}

/**
 * An invitation may have been accepted by another person than the owner of the address, whose any credential may be.
 * `more`: what the owner signs in with from now on. Refuses (HE_00) after a concurrent change.
 */
export async function endCredentials(context: Context, user: User, more: Partial<User>, type: string): Promise<User> {
  // If the process dies after the change, no session and no command line outlives it.
  await endSignIns(context, user.user_id)
  const rows = (await listPasskeys(context, user.user_id)).map(before => ({ table: userPasskeys.name, before, after: null }))
  const after = { ...user, password: null, ...noTotp, ...more }
  const written = await context.commit(changeTo(context, users.name, { before: user, after }, type, { rows }))
  if (written.is !== 'written') refuse('busy')
  await endSignIns(context, user.user_id)
  return needUser(context, user.user_id)
}
