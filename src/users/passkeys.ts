import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { DEPLOYMENT } from '../accounts/gsm.ts'
import { refuse } from '../base/refusal.ts'
import type { Context, Reads, Time } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { statement } from '../database/statement.ts'
import { bigint, jsonb, type RowOf, select, table, text, time } from '../database/table.ts'
import { makeChallenge, useChallenge } from './links.ts'
import { checkOwnPassword } from './totp.ts'
import { begunTries, countTry, forgetTries, MOST_BEGUN } from './tries.ts'
import { needUser, type User, users } from './user.ts'

/** The authenticator asks for a fingerprint or a PIN, so a passkey is both factors. The library is loaded when used. */

export const userPasskeys = table('user_passkeys', {
  key: ['merchant_id', 'passkey_id'],
  columns: {
    merchant_id: text(),
    passkey_id: text(),
    user_id: text(),
    public_key: text(),
    /** The authenticator's own count of its uses: one that goes back indicates a copied authenticator. */
    counter: bigint(),
    transports: jsonb<string[]>([]),
    name: text(),
    created: time(),
    last_used_at: time().orNull(),
  },
})
export type Passkey = RowOf<typeof userPasskeys>

const library = () => import('@simplewebauthn/server')

const RP_NAME = 'Switchyard'
const MOST_PASSKEYS = 20
const CHALLENGE_MS = 5 * 60_000

/** Null: the URL cannot have passkeys. Browsers accept no IP addresses, so this machine is `localhost`. */
export function siteOf(publicUrl: string): { rpID: string; origin: string } | null {
  const url = new URL(publicUrl)
  if (['127.0.0.1', '[::1]', '0.0.0.0'].includes(url.hostname)) url.hostname = 'localhost'
  if (/^[\d.]+$|^\[/.test(url.hostname)) return null
  return url.protocol === 'https:' || url.hostname === 'localhost' ? { rpID: url.hostname, origin: url.origin } : null
}

const needSite = (publicUrl: string) =>
  siteOf(publicUrl) ?? refuse('precondition', { problem: 'Passkeys need PUBLIC_URL to be an https address with a domain name' })

const ofUser = statement('passkeys_of_user', select(userPasskeys, 'where user_id = $1 order by created, passkey_id'))
const byId = statement('passkey_by_id', select(userPasskeys, 'where merchant_id = $1 and passkey_id = $2'))
const used = statement(
  'passkey_used',
  `update user_passkeys set counter = $3, last_used_at = $4
    where merchant_id = $1 and passkey_id = $2 and (counter < $3 or (counter = 0 and $3 = 0)) returning passkey_id`,
)

export const listPasskeys = (context: Reads, user_id: string): Promise<Passkey[]> => context.query<Passkey>(ofUser, [user_id])

/** Refuses (UR_01) a wrong password. */
export async function passkeyOptions(context: Context, publicUrl: string, user_id: string, password: string): Promise<object> {
  const { rpID } = needSite(publicUrl)
  const user = await needUser(context, user_id)
  await checkOwnPassword(context, user, password)
  const there = await listPasskeys(context, user_id)
  if (there.length >= MOST_PASSKEYS) refuse('precondition', { problem: `At most ${MOST_PASSKEYS} passkeys are possible; remove one first` })
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: RP_NAME,
    rpID,
    userName: user.email,
    userDisplayName: user.name ?? user.email,
    userID: new TextEncoder().encode(user_id),
    challenge: await challengeOf(context, 'passkey_new', user_id),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    excludeCredentials: there.map(({ passkey_id }) => ({ id: passkey_id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

async function challengeOf(context: Context, kind: 'passkey_new' | 'passkey_in', user_id: string | null) {
  const challenge = context.random(32)
  await makeChallenge(context, kind, challenge.toString('base64url'), user_id)
  return new Uint8Array(challenge)
}

/** '' if the response contains none. */
function challengeIn(response: { clientDataJSON?: unknown }): string {
  try {
    const clientData = JSON.parse(Buffer.from(String(response.clientDataJSON), 'base64url').toString('utf8')) as { challenge?: unknown }
    return typeof clientData.challenge === 'string' ? clientData.challenge : ''
  } catch {
    return ''
  }
}

/** The library throws for an invalid response of an authenticator (UR_50). */
const verified = async <T>(work: () => Promise<T>): Promise<T> => work().catch(() => refuse('passkey_refused'))

/** Refuses (UR_50) a response to another challenge, of another site, or sent before. */
export async function addPasskey(context: Context, publicUrl: string, user_id: string, name: string, response: object): Promise<Passkey> {
  const { rpID, origin } = needSite(publicUrl)
  const given = response as RegistrationResponseJSON
  const expectedChallenge = challengeIn(given.response ?? {})
  // The user is read before the challenge is used: what ends the credentials of the user changes this row, and either
  // ends the challenge first or conflicts with the new passkey.
  const user = await needUser(context, user_id)
  if ((await useChallenge(context, 'passkey_new', expectedChallenge)) !== user_id) refuse('passkey_refused')
  const { verifyRegistrationResponse } = await library()
  const { registrationInfo } = await verified(() =>
    verifyRegistrationResponse({ response: given, expectedChallenge, expectedOrigin: origin, expectedRPID: rpID }),
  )
  const { credential } = registrationInfo ?? refuse('passkey_refused')
  const after: Passkey = {
    merchant_id: DEPLOYMENT,
    passkey_id: credential.id,
    user_id,
    public_key: Buffer.from(credential.publicKey).toString('base64'),
    counter: credential.counter,
    transports: (credential.transports ?? []).slice(0, 8),
    name,
    created: context.now(),
    last_used_at: null,
  }
  if ((await context.query(byId, [DEPLOYMENT, credential.id])).length > 0) refuse('passkey_refused')
  await besideUser(context, user, { before: null, after }, 'passkey_added')
  return after
}

/** Refuses (HE_02) a passkey that is not the user's. */
export async function removePasskey(context: Context, user_id: string, passkey_id: string): Promise<void> {
  const before = (await listPasskeys(context, user_id)).find(one => one.passkey_id === passkey_id)
  if (!before) return refuse('not_found', { what: 'passkey' })
  await besideUser(context, await needUser(context, user_id), { before, after: null }, 'passkey_removed')
}

/** As a change of its user, so that the audit log contains it. */
async function besideUser(
  context: Context,
  user: User,
  of: { before: Passkey | null; after: Passkey | null },
  type: string,
): Promise<void> {
  const rows = [{ table: userPasskeys.name, ...of }]
  const written = await context.commit(changeTo(context, users.name, { before: user, after: user }, type, { rows }))
  if (written.is !== 'written') refuse('busy')
}

export type AtPasskey = { context: Context; publicUrl: string; address: string }

/** Any passkey of this site. Refuses (UR_48) an address for 15 minutes after a hundred that were not answered. */
export async function passkeySignInOptions({ context, publicUrl, address }: AtPasskey): Promise<object> {
  const { rpID } = needSite(publicUrl)
  await countTry(context, begunTries(context, 'passkey', address), MOST_BEGUN)
  const { generateAuthenticationOptions } = await library()
  const challenge = await challengeOf(context, 'passkey_in', null)
  return generateAuthenticationOptions({ rpID, challenge, timeout: CHALLENGE_MS, userVerification: 'required' })
}

/** Refuses (UR_50) a response to another challenge, of another site, sent before, or of a copied authenticator. */
export async function personOfPasskey({ context, publicUrl, address }: AtPasskey, response: object): Promise<User> {
  const { rpID, origin } = needSite(publicUrl)
  const given = response as AuthenticationResponseJSON
  const expectedChallenge = challengeIn(given.response ?? {})
  if ((await useChallenge(context, 'passkey_in', expectedChallenge)) === null) refuse('passkey_refused')
  const [passkey] = await context.query<Passkey>(byId, [DEPLOYMENT, typeof given.id === 'string' ? given.id : ''])
  if (!passkey) return refuse('passkey_refused')
  const credential = {
    id: passkey.passkey_id,
    publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64')),
    counter: passkey.counter,
    transports: passkey.transports,
  }
  const { verifyAuthenticationResponse } = await library()
  const result = await verified(() =>
    verifyAuthenticationResponse({ response: given, expectedChallenge, expectedOrigin: origin, expectedRPID: rpID, credential }),
  )
  // The user is read before the use of the passkey is counted. A change that ends the passkey meanwhile also changes
  // the user, and then no session begins.
  const user = await needUser(context, passkey.user_id)
  const now: Time = context.now()
  const counted =
    result.verified && (await context.query(used, [DEPLOYMENT, passkey.passkey_id, result.authenticationInfo.newCounter, now])).length > 0
  if (!counted) return refuse('passkey_refused')
  await forgetTries(context, begunTries(context, 'passkey', address))
  return user
}
