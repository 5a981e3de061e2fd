import { refuse } from '../base/refusal.ts'
import { between } from '../base/time.ts'
import { type AtPasskey, personOfPasskey } from './passkeys.ts'
import type { LiveSession } from './sessions.ts'
import { checkOwnPassword } from './totp.ts'
import { needUser } from './user.ts'

/** After a sign-in at the provider. */
const JUST_NOW_MS = 10 * 60_000

export type Proof = { password?: string | undefined; passkey?: object | undefined }

/**
 * Before something that outlives the session is made (a key, an invitation, a link for a new password): a session can
 * be stolen, so the user gives the password (UR_01 if wrong) or a passkey (UR_50); a user of single sign-on, who has
 * neither, must have signed in within ten minutes (IR_16).
 */
export async function reauthenticate(at: AtPasskey, session: LiveSession, { password, passkey }: Proof): Promise<void> {
  const { context } = at
  const user = await needUser(context, session.user_id)
  if (passkey !== undefined) {
    const { user_id } = await personOfPasskey(at, passkey)
    return user_id === user.user_id ? undefined : refuse('passkey_refused')
  }
  if (password !== undefined) return checkOwnPassword(context, user, password)
  if (user.password !== null) return refuse('missing', { field: 'password' })
  if (between(session.created, context.now()) > JUST_NOW_MS)
    refuse('precondition', { problem: 'Sign in again first: the session is older than ten minutes' })
}
