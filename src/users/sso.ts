import { DEPLOYMENT } from '../accounts/gsm.ts'
import { refuse } from '../base/refusal.ts'
import type { Secret } from '../base/secret.ts'
import type { Context, Vault } from '../context.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { endCredentials } from './credentials.ts'
import { findUserByEmail, isPlainEmail, joinMerchant, type User, type UserRole, userRoles, users } from './user.ts'

/** OpenID Connect: the code flow with PKCE. Library and provider's configuration are loaded at the first use. */

export type SsoConfig = { issuer: string; clientId: string; secret: Secret }

/** `subject`: the issuer and its id of the user, which are unique only together. */
export type Claims = { subject: string; email: string }

/** `begin` returns the URL to which the browser is sent; `finish` reads the claims after its return. */
export type Sso = {
  begin(vault: Vault, publicUrl: string, state: string): Promise<string>
  finish(vault: Vault, publicUrl: string, search: string, state: string): Promise<Claims>
}

const library = () => import('openid-client')

/** The reason is only logged; the browser does not receive it. */
export function notAccepted(reason: string): never {
  throw new Error(reason)
}

const returnOf = (publicUrl: string): string => `${publicUrl}/user/sso/callback`

/** The PKCE verifier. Only this deployment can compute it, so it need not be stored. */
const verifierOf = (vault: Vault, state: string): string => vault.digest('sso verifier', state)
const nonceOf = (vault: Vault, state: string): string => vault.digest('sso nonce', state)

export function openSso(config: SsoConfig | null): Sso | null {
  if (config === null) return null
  const { issuer, clientId, secret } = config
  let found: ReturnType<typeof discover> | undefined
  async function discover() {
    const { discovery, ClientSecretPost, allowInsecureRequests, enableNonRepudiationChecks } = await library()
    // A provider without https is allowed only in test mode (`config.ts`).
    const execute = issuer.startsWith('http:') ? [allowInsecureRequests] : []
    // The signature of ID tokens is verified with the provider's keys, although they come from the provider by TLS.
    execute.push(enableNonRepudiationChecks)
    return discovery(new URL(issuer), clientId, undefined, ClientSecretPost(secret.reveal()), { execute })
  }
  /** A failed fetch is repeated with the next call. */
  const provider = () =>
    (found ??= discover().catch(error => {
      found = undefined
      throw error
    }))
  return {
    async begin(vault, publicUrl, state) {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library()
      const url = buildAuthorizationUrl(await provider(), {
        redirect_uri: returnOf(publicUrl),
        scope: 'openid email',
        code_challenge: await calculatePKCECodeChallenge(verifierOf(vault, state)),
        code_challenge_method: 'S256',
        state,
        nonce: nonceOf(vault, state),
      })
      return url.href
    },
    async finish(vault, publicUrl, search, state) {
      const { authorizationCodeGrant } = await library()
      const tokens = await authorizationCodeGrant(await provider(), new URL(`${returnOf(publicUrl)}${search}`), {
        pkceCodeVerifier: verifierOf(vault, state),
        expectedState: state,
        expectedNonce: nonceOf(vault, state),
        idTokenExpected: true,
      })
      const { iss, sub, email, email_verified } = tokens.claims()!
      // An address that the provider has not verified may belong to another person.
      if (typeof email !== 'string' || email_verified !== true) return notAccepted('the provider has not verified the e-mail address')
      // Letters beyond ASCII may look or fold like those of another person's address.
      if (!isPlainEmail(email)) return notAccepted('the e-mail address has characters beyond ASCII')
      return { subject: `${iss} ${sub}`, email }
    },
  }
}

/** Refuses (IR_07) a page that is not a path of the dashboard. */
export function localPage(field: string, next: string | undefined): string {
  if (next === undefined) return '/dashboard'
  if (!/^\/dashboard(?:$|[/?#])/.test(next) || /[\\\s]|\/\//.test(next))
    return refuse('invalid_value', { field, problem: 'must be a path of the dashboard' })
  return next
}

const bySubject = statement('user_by_sso_subject', select(users, 'where merchant_id = $1 and sso_subject = $2'))
const waiting = statement(
  'invitations_of_user',
  `${select(userRoles, 'where user_id = $1 and accepted_at is null and disabled_at is null and removed_at is null')}
    and exists (select 1 from user_links l where l.kind = 'invite' and l.merchant_id = user_roles.merchant_id and l.user_id = $1 and l.expires_at > $2)
    order by created, merchant_id`,
)

/** From then on, the provider alone signs the user in. Earlier credentials end: they may be another person's. */
const linkTo = (context: Context, user: User, subject: string): Promise<User> =>
  endCredentials(context, user, { sso_subject: subject }, 'sso_linked')

/** By its subject once linked, before by e-mail address. Only invited users are admitted: that accepts invitations. */
export async function personOfClaims(context: Context, { subject, email }: Claims): Promise<User> {
  const known = (await context.query<User>(bySubject, [DEPLOYMENT, subject]))[0]
  const user = known ?? (await findUserByEmail(context, email)) ?? notAccepted('nobody was invited by this address')
  if (user.sso_subject !== null && user.sso_subject !== subject) notAccepted('another subject of a known address')
  const open = await context.query<UserRole>(waiting, [user.user_id, context.now()])
  if (user.sso_subject === null && user.password === null && open.length === 0) notAccepted('the invitation has expired')
  const by: Context = { ...context, by: `user ${user.user_id}` }
  const after = user.sso_subject === null ? await linkTo(by, user, subject) : user
  for (const { merchant_id } of open) await joinMerchant(by, merchant_id, user.user_id, null)
  return after
}
