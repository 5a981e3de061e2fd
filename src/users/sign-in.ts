import { newId } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import type { Context } from '../context.ts'
import { endCredentials, endSignIns } from './credentials.ts'
import { needLink, useLink } from './links.ts'
import { personOfPasskey } from './passkeys.ts'
import { checkPassword, hashPassword, isPassword } from './passwords.ts'
import { merchantsOf } from './person.ts'
import { beginSession, chooseMerchant, type Device, dropSession, endSession, findSession, type LiveSession, mayTry } from './sessions.ts'
import { type Claims, personOfClaims } from './sso.ts'
import type { UserLink } from './tables.ts'
import { checkOwnPassword, personHere, takeCode } from './totp.ts'
import { countTry, forgetTries, isKnownAt, networkOf, rememberSignIn, takeBackTry, triesOf } from './tries.ts'
import { changeUser, findUserByEmail, insertUser, joinMerchant, needUser, newUser, plainEmail, tryChangeUser, type User } from './user.ts'

/** `token`: for the cookie only. */
export type SignedIn = { next: 'signed_in' | 'totp'; token: string; session: LiveSession }

const MOST_CODES = 5

/** `session`: sent by the browser; the sign-in ends it. */
export type Caller = { context: Context; device: Device; session: LiveSession | undefined }

/** Changes are recorded under the user's name. */
const as = (context: Context, user_id: string): Context => ({ ...context, by: `user ${user_id}` })

async function begun(context: Context, next: SignedIn['next'], user: User, device: Device): Promise<SignedIn> {
  const { token } = await beginSession(context, user, next, null, device)
  const session = (await findSession(context, token)) ?? refuse('busy')
  return { next, token, session }
}

/** After a correct first factor. */
async function open({ context, device, session }: Caller, user: User): Promise<SignedIn> {
  if (session) await dropSession(context, session)
  return user.totp_confirmed_at === null ? signedIn(context, device, user, {}) : begun(context, 'totp', user, device)
}

/** At the merchant whose invitation the user accepted first. `used`: the user's row after a used code. */
async function signedIn(context: Context, device: Device, user: User, used: Partial<User>): Promise<SignedIn> {
  const sign = (row: User) => tryChangeUser(as(context, user.user_id), row, { ...used, last_signed_in_at: context.now() }, 'signed_in')
  // Two concurrent sign-ins with a password both succeed; of two with the same code, only one does.
  const isAgain = Object.keys(used).length === 0
  const after = (await sign(user)) ?? (isAgain ? await sign(await needUser(context, user.user_id)) : null)
  if (after === null) refuse(isAgain ? 'busy' : 'code_refused')
  await rememberSignIn(context, user.user_id, device.address)
  const answer = await begun(context, 'signed_in', user, device)
  const [first] = await merchantsOf(context, answer.session)
  if (!first) return answer
  await chooseMerchant(context, answer.session, first.merchant_id)
  return { ...answer, session: { ...answer.session, merchant_id: first.merchant_id } }
}

/** A wrong password and an unknown address take the same error (UR_01) and time. UR_48 after ten wrong passwords. */
export async function signIn(caller: Caller, email: string, password: string): Promise<SignedIn> {
  const { context, device } = caller
  const user = await findUserByEmail(context, email)
  if (!(await isOwnPassword(caller, email, user, password)) || user === undefined) {
    context.log.warn({ address: device.address, user_id: user?.user_id }, 'a sign-in was refused')
    return refuse('sign_in_refused')
  }
  return open(caller, user)
}

/** Wrong passwords from an address, for all accounts together that are not known there. */
const MOST_OF_ADDRESS = 100

/**
 * Counts the try for the account at this address and, unless known there, for the address over all accounts; the work
 * is the same for an account that does not exist.
 */
async function isOwnPassword({ context, device: { address } }: Caller, email: string, user: User | undefined, password: string) {
  const account = plainEmail(email)
  const [ofAccount, ofAddress] = [triesOf(context, 'password', account, address), triesOf(context, 'any password', '', address)]
  await countTry(context, ofAccount)
  const known = await isKnownAt(context, user?.user_id ?? '@nobody', address)
  if (!known) await countTry(context, ofAddress, MOST_OF_ADDRESS)
  const isRight = await isPassword({ address: networkOf(address), account, known }, user?.password, password)
  if (!isRight) return false
  await forgetTries(context, ofAccount)
  if (!known) await takeBackTry(context, ofAddress)
  return true
}

/** A passkey counts as both factors. Refuses (UR_50) an invalid one. */
export async function signInPasskey({ context, device, session }: Caller, publicUrl: string, response: object): Promise<SignedIn> {
  const user = await personOfPasskey({ context, publicUrl, address: device.address }, response)
  if (session) await dropSession(context, session)
  return signedIn(context, device, user, {})
}

/** The provider is responsible for the factors. */
export async function signInSso({ context, device, session }: Caller, claims: Claims): Promise<SignedIn> {
  const user = await personOfClaims(context, claims)
  if (session) await dropSession(context, session)
  return signedIn(context, device, user, {})
}

/** Refuses (UR_37) a wrong or used code; after five, the sign-in must start again. */
export async function signInTotp({ context, device, session }: Caller, code: string): Promise<SignedIn> {
  if (session?.stage !== 'totp') return refuse('session_over')
  const { user_id } = session
  // The caller has given the password already, so the tries are counted for the account, regardless of the IP address.
  const tries = triesOf(context, 'totp', user_id, null)
  await countTry(context, tries)
  if (!(await mayTry(context, session, MOST_CODES))) return refuse('code_refused')
  const user = await needUser(context, user_id)
  const answer = await signedIn(context, device, user, takeCode(context, user, code))
  await forgetTries(context, tries)
  await dropSession(context, session)
  return answer
}

/** This device, all of them with all command lines, or one device by its id. */
export async function signOut(context: Context, session: LiveSession, which: 'this' | 'all' | { session_id: string }): Promise<void> {
  const { user_id } = session
  if (which === 'all') await endSignIns(context, user_id)
  else await endSession(context, user_id, which === 'this' ? session.session_id : which.session_id)
}

/** Ends every other credential of the account, which may be another person's. Refuses (UR_04) an expired link. */
export async function resetPassword(caller: Caller, token: string, password: string): Promise<SignedIn> {
  const { context } = caller
  const link = await needLink(context, 'reset', token)
  const user = await needUser(context, link.user_id)
  checkPassword(password, user.email)
  const kept = await hashPassword(context, { address: networkOf(caller.device.address), account: user.user_id, known: true }, password)
  await useLink(context, link)
  return open(caller, await endCredentials(as(context, user.user_id), user, { password: kept }, 'password_reset'))
}

/** Ends all other sessions and all command lines. Refuses (UR_01) a wrong old password. */
export async function changePassword(context: Context, session: LiveSession, old: string, password: string): Promise<void> {
  const user = await needUser(context, session.user_id)
  await checkOwnPassword(context, user, old)
  checkPassword(password, user.email)
  await changeUser(context, user, { password: await hashPassword(context, personHere(user.user_id), password) }, 'password_changed')
  await endSignIns(context, user.user_id, session.session_id)
}

export type Newcomer = { name?: string | undefined; password: string }

/** A new account gets the password. Refuses (UR_01) a wrong one, (UR_51) an account that uses single sign-on. */
async function prove(caller: Caller, user: User, { name, password }: Newcomer): Promise<User> {
  if (user.password !== null) {
    if (!(await isOwnPassword(caller, user.email, user, password))) refuse('sign_in_refused')
    return user
  }
  // The sender of an invitation can read its link, so the link cannot set a password for an account with single
  // sign-on.
  if (user.sso_subject !== null) refuse('sso_required')
  checkPassword(password, user.email)
  return { ...user, name: name ?? user.name, password: await hashPassword(caller.context, personHere(user.user_id), password) }
}

/** With the link that the service prints at its start; it works once. Refuses (UR_04) an expired link. */
export async function becomeFirst(caller: Caller, token: string, email: string, newcomer: Newcomer): Promise<SignedIn> {
  const { context } = caller
  const link = await needLink(context, 'first', token)
  const known = await findUserByEmail(context, email)
  const before = known ?? newUser(newId(context, 'usr_'), email, context.now())
  const proved = await prove(caller, before, newcomer)
  await useLink(context, link)
  const by = as(context, before.user_id)
  const operator = proved.operator || link.operator
  const user = known
    ? await changeUser(by, known, { ...proved, operator }, 'first_owner')
    : await insertUser(by, { ...proved, operator }, 'first_owner')
  await joinMerchant(by, link.merchant_id, user.user_id, { role: 'owner', invited_by: null })
  return open(caller, user)
}

/** Refuses (UR_04) an expired link. */
export async function acceptInvitation(caller: Caller, token: string, newcomer: Newcomer): Promise<SignedIn> {
  const { context } = caller
  const link: UserLink = await needLink(context, 'invite', token)
  const user = await needUser(context, link.user_id)
  const proved = await prove(caller, user, newcomer)
  await useLink(context, link)
  const by = as(context, user.user_id)
  const after = user.password === null ? await changeUser(by, user, proved, 'joined') : user
  await joinMerchant(by, link.merchant_id, user.user_id, null)
  return open(caller, after)
}
