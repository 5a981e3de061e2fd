import { Secret, TOTP } from 'otpauth'
import { DEPLOYMENT } from '../accounts/gsm.ts'
import { randomAlphanumeric } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { millisecondsOf } from '../base/time.ts'
import type { Context, Vault } from '../context.ts'
import { type HashAsker, isPassword } from './passwords.ts'
import { countTry, forgetTries, triesOf } from './tries.ts'
import { changeUser, findUserByEmail, needUser, noTotp, totpRecord, type User } from './user.ts'

/** Codes of an authenticator app (RFC 6238), and recovery codes in case the app is lost. */

const ISSUER = 'Switchyard'
const PERIOD_S = 30
const SECRET_BYTES = 20
const CODES = 10

const totpOf = (secret: Uint8Array, email: string): TOTP =>
  new TOTP({ issuer: ISSUER, label: email, secret: new Secret({ buffer: Uint8Array.from(secret).buffer }), period: PERIOD_S })

const plain = (code: string): string => code.replace(/[\s-]/g, '').toLowerCase()
const recoveryDigest = (vault: Pick<Vault, 'digest'>, user_id: string, code: string): string =>
  vault.digest('recovery code', `${user_id} ${plain(code)}`)

/** Of a user who is signed in. */
export const personHere = (user_id: string): HashAsker => ({ address: '', account: user_id, known: true })

/** Refuses (UR_01) a wrong password. */
export async function checkOwnPassword(context: Pick<Context, 'query' | 'now' | 'vault'>, user: User, password: string): Promise<void> {
  const tries = triesOf(context, 'own password', user.user_id, null)
  await countTry(context, tries)
  if (!(await isPassword(personHere(user.user_id), user.password, password))) refuse('sign_in_refused')
  await forgetTries(context, tries)
}

/** Returns the secret, once. Required only once a code was given (`confirmTotp`). Refuses (IR_16) a second one. */
export async function beginTotp(context: Context, user_id: string, password: string) {
  const user = await needUser(context, user_id)
  await checkOwnPassword(context, user, password)
  if (user.totp_confirmed_at !== null) refuse('precondition', { problem: 'Two-factor authentication is already on; turn it off first' })
  const secret = context.random(SECRET_BYTES)
  const totp = context.vault.seal(DEPLOYMENT, totpRecord(user_id), secret.toString('base64'))
  await changeUser(context, user, { totp, totp_step: null }, 'totp_begun')
  const made = totpOf(secret, user.email)
  return { next: 'confirm' as const, secret: made.secret.base32, url: made.toString(), recovery_codes: null }
}

/** Returns the recovery codes, once. Refuses (UR_37) a wrong code. */
export async function confirmTotp(context: Context, user_id: string, code: string) {
  const user = await needUser(context, user_id)
  if (user.totp === null || user.totp_confirmed_at !== null)
    return refuse('precondition', { problem: 'Two-factor authentication was not begun; send the password first' })
  await countTry(context, triesOf(context, 'totp', user_id, null))
  const totp_step = stepOf(context, user, code) ?? refuse('code_refused')
  const recovery_codes = Array.from({ length: CODES }, () =>
    randomAlphanumeric(context, 15)
      .toLowerCase()
      .replace(/(.{5})(?=.)/g, '$1-'),
  )
  const digests = recovery_codes.map(one => recoveryDigest(context.vault, user_id, one))
  await changeUser(context, user, { totp_confirmed_at: context.now(), totp_step, recovery_codes: digests }, 'totp_enabled')
  await forgetTries(context, triesOf(context, 'totp', user_id, null))
  return { next: 'done' as const, secret: null, url: null, recovery_codes }
}

/** Refuses (UR_01) a wrong password. */
export async function removeTotp(context: Context, user_id: string, password: string): Promise<void> {
  const user = await needUser(context, user_id)
  await checkOwnPassword(context, user, password)
  if (user.totp === null) return
  await changeUser(context, user, noTotp, 'totp_disabled')
}

/** For the operator of the deployment. Returns whether there was one. Refuses (HE_02) an address without an account. */
export async function resetTotp(context: Pick<Context, 'query' | 'commit' | 'now' | 'by'>, email: string): Promise<boolean> {
  const user = (await findUserByEmail(context, email)) ?? refuse('not_found', { what: 'user' })
  if (user.totp === null) return false
  await changeUser(context, user, noTotp, 'totp_reset')
  return true
}

/** At most one step away from now; null if the code is wrong or was used. */
function stepOf(context: Pick<Context, 'now' | 'vault'>, user: User, code: string): number | null {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token) || user.totp === null) return null
  const secret = Buffer.from(context.vault.open(DEPLOYMENT, totpRecord(user.user_id), user.totp), 'base64')
  const timestamp = millisecondsOf(context.now())
  const delta = totpOf(secret, user.email).validate({ token, timestamp, window: 1 })
  if (delta === null) return null
  const step = Math.floor(timestamp / 1000 / PERIOD_S) + delta
  return user.totp_step !== null && step <= user.totp_step ? null : step
}

/** Of the authenticator, or for recovery. Returns the row's change that uses it up. Refuses (UR_37) any other. */
export function takeCode(context: Pick<Context, 'now' | 'vault'>, user: User, code: string): Partial<User> {
  const totp_step = stepOf(context, user, code)
  if (totp_step !== null) return { totp_step }
  const digest = recoveryDigest(context.vault, user.user_id, code)
  if (!user.recovery_codes.includes(digest)) refuse('code_refused')
  return { recovery_codes: user.recovery_codes.filter(one => one !== digest) }
}
