import Type from 'typebox'
import { orNull } from '../../base/shapes.ts'
import type { Context } from '../../context.ts'
import type { Passkey } from '../../users/passkeys.ts'
import { merchantsOf, personOf } from '../../users/person.ts'
import { type Permission, permissionDescription, permissions, permissionsOf, roles } from '../../users/roles.ts'
import { cookieName, csrfToken, type LiveSession } from '../../users/sessions.ts'
import type { SignedIn } from '../../users/sign-in.ts'
import { flag, schema, text, time } from '../answer-shapes.ts'
import type { Service } from '../endpoint.ts'

const role = Type.Enum([...roles])
const permission = Type.Enum([...permissions, 'deployment'])

export const userAnswer = schema('User', {
  user_id: text,
  email: text,
  name: orNull(text),
  merchant_id: orNull(text, 'The merchant that requests of this session are about'),
  merchants: Type.Array(schema('MerchantOfUser', { merchant_id: text, merchant_name: orNull(text), role })),
  role: orNull(role, 'Role at this merchant'),
  profile_ids: orNull(Type.Array(text), 'Business profiles for which the role holds; null: the whole merchant'),
  permissions: Type.Array(permission, { description: 'What the role allows here, in this mode' }),
  operator: Type.Boolean({ description: 'Whether the person runs the deployment' }),
  totp: Type.Boolean({ description: 'Whether two-factor authentication is on' }),
  last_signed_in: orNull(time),
  csrf_token: Type.String({ description: 'For the header `x-csrf-token` of requests that change something' }),
})

export const signedInAnswer = schema('SignedIn', {
  next: Type.Enum(['signed_in', 'totp'], { description: 'totp: the second factor follows, POST /user/sign_in/totp' }),
  user: orNull(userAnswer),
})

export const memberAnswer = schema('TeamMember', {
  user_id: text,
  email: text,
  name: orNull(text),
  role,
  profile_ids: orNull(Type.Array(text), 'Business profiles for which the role holds; null: the whole merchant'),
  of: Type.Enum(['merchant', 'organization'], { description: 'organization: the role is that of all of its merchants' }),
  state: Type.Enum(['invited', 'active', 'disabled']),
  totp: Type.Boolean({ description: 'Whether two-factor authentication is on' }),
  last_signed_in: orNull(time),
  invited_by: orNull(text),
  created: time,
})
export const invitedAnswer = schema('Invitation', {
  user: memberAnswer,
  mailed: Type.Boolean({ description: 'Whether the link was sent by mail' }),
  url: orNull(text, 'The link to hand over, where there is no mail server'),
  expires_at: time,
})
export const rolesAnswer = schema('Roles', {
  roles: Type.Array(schema('Role', { role, permissions: Type.Array(permission) })),
  permissions: Type.Array(schema('Permission', { permission, allows: text })),
})
export const sessionAnswer = schema('UserSession', {
  session_id: text,
  current: Type.Boolean({ description: 'The session of this request' }),
  address: orNull(text),
  user_agent: orNull(text),
  created: time,
  seen_at: time,
  expires_at: time,
})
export const totpAnswer = schema('TwoFactorSetUp', {
  next: Type.Enum(['confirm', 'done']),
  secret: orNull(text, 'For authenticators that cannot read the picture; shown once'),
  url: orNull(text, 'otpauth:// address for the picture'),
  recovery_codes: orNull(Type.Array(text), 'Each works once instead of a code; shown once'),
})
export const optionsAnswer = schema('PasskeyOptions', {
  options: Type.Object({}, { additionalProperties: true, description: 'As JSON, for the parsers of PublicKeyCredential' }),
})
export const passkeyAnswer = schema('Passkey', { passkey_id: text, name: text, created: time, last_used_at: orNull(time) })
export const showPasskey = ({ passkey_id, name, created, last_used_at }: Passkey) => ({ passkey_id, name, created, last_used_at })
export const doneAnswer = schema('Done', { done: flag })
export async function done(work: Promise<unknown>) {
  await work
  return { done: true }
}
export const deletedMemberAnswer = schema('DeletedTeamMember', { user_id: text, deleted: flag })
export const operatorLinkAnswer = schema('UserLink', {
  kind: Type.Enum(['first', 'reset']),
  url: Type.String({ description: 'Opens once' }),
  expires_at: time,
})

const inOrder = (held: ReadonlySet<Permission>): Permission[] => [...permissions, 'deployment' as const].filter(one => held.has(one))

/** Shows the person of a session to themselves. */
export async function showUser({ context, settings, mode }: Pick<Service, 'context' | 'settings' | 'mode'>, session: LiveSession) {
  const { merchant, role, profile_ids, permissions } = await personOf(settings, session, mode)
  return {
    user_id: session.user_id,
    email: session.email,
    name: session.name,
    merchant_id: merchant?.merchant_id ?? null,
    merchants: await merchantsOf(context, session),
    role,
    profile_ids: profile_ids === null ? null : [...profile_ids],
    permissions: inOrder(permissions),
    operator: session.operator,
    totp: session.totp_confirmed_at !== null,
    last_signed_in: session.last_signed_in_at,
    csrf_token: csrfToken(context.vault, session),
  }
}

export const showRoles = (mode: 'test' | 'live') => ({
  roles: roles.map(one => ({ role: one, permissions: inOrder(permissionsOf(one, mode)) })),
  permissions: permissions.map(one => ({ permission: one, allows: permissionDescription(one) })),
})

/** Returns a cookie that no script can read and no other site can send; with https it is bound to this host alone. */
function cookie(publicUrl: string, value: string, more: string): string {
  const isSafe = publicUrl.startsWith('https:')
  return `${isSafe ? '__Host-' : ''}${cookieName}=${value}; Path=/; HttpOnly; SameSite=Strict${isSafe ? '; Secure' : ''}${more}`
}

export const noCookie = (publicUrl: string): Record<string, string> => ({ 'set-cookie': cookie(publicUrl, '', '; Max-Age=0') })

const SSO_COOKIE = 'switchyard_sso'

/**
 * Returns the cookie that a browser keeps during single sign-on: the state, and the page to open afterwards. The
 * browser returns from another site, so SameSite is less strict than that of the session cookie; it opens nothing.
 */
export const ssoCookie = (publicUrl: string, state: string, next: string): Record<string, string> => ({
  'set-cookie': `${SSO_COOKIE}=${state}.${Buffer.from(next).toString('base64url')}; Path=/user/sso; HttpOnly; SameSite=Lax; Max-Age=300${publicUrl.startsWith('https:') ? '; Secure' : ''}`,
})

export function ssoCookieIn(cookies: string | undefined): { state: string; next: string } | null {
  const [, state, next] = new RegExp(`(?:^|;\\s*)${SSO_COOKIE}=([0-9A-Za-z]{43})\\.([\\w-]*)`).exec(cookies ?? '') ?? []
  return state === undefined ? null : { state, next: Buffer.from(next!, 'base64url').toString('utf8') }
}

export const sessionCookie = (publicUrl: string, { token }: SignedIn): Record<string, string> => ({
  'set-cookie': cookie(publicUrl, token, ''),
})

/** The token of the session is only in the cookie. */
export async function showSignedIn(service: Service, context: Context, { next, token, session }: SignedIn) {
  const user = next === 'signed_in' ? await showUser({ ...service, context }, session) : null
  return { json: { next, user }, headers: { 'set-cookie': cookie(service.services.publicUrl, token, '') } }
}
