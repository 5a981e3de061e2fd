import { refuse } from '../base/refusal.ts'
import { type Doer, personOf } from '../users/person.ts'
import type { Permission } from '../users/roles.ts'
import { csrfToken, findSession, type LiveSession } from '../users/sessions.ts'
import { admits, isForPeople } from './auth.ts'
import { actsFor, actsItself, type Bearer, same } from './credentials.ts'
import type { Endpoint, Service } from './endpoint.ts'
import { checkProfileScope } from './profile-access.ts'

/** The headers that a browser sends beside its session cookie. */
export type FromBrowser = {
  method: string
  csrf: string | undefined
  page: AskingPage
  /** The header `x-by-itself`: whether the page sends the request by itself, without recent activity of a person. */
  byItself: boolean
  connected: string | undefined
  merchant_in_path: string | undefined
}

const isUnsafe = (method: string): boolean => method !== 'GET' && method !== 'HEAD'

/** The page that sends a request, by the headers `sec-fetch-site`, `origin` and `host`. */
export type AskingPage = { site: string | undefined; origin: string | undefined; host: string | undefined }

type Headers = Readonly<Record<string, string | string[] | undefined>>

export function pageOf(headers: Headers): AskingPage {
  const header = (name: string) => (typeof headers[name] === 'string' ? headers[name] : undefined)
  return { site: header('sec-fetch-site'), origin: header('origin'), host: header('host') }
}

/** Whether a page belongs to this service, by the address that its browser used or by the service's public address. */
const isOwn = (origin: string, host: string | undefined, publicUrl: string): boolean =>
  URL.canParse(origin) && (new URL(origin).host === host || new URL(origin).origin === new URL(publicUrl).origin)

/** Refuses (IR_22) other sites' pages by `sec-fetch-site`, else `origin`; without both, SameSite protects. */
export function checkSite({ site, origin, host }: AskingPage, publicUrl: string): void {
  const isOthers = site === undefined ? origin !== undefined && !isOwn(origin, host, publicUrl) : site !== 'same-origin' && site !== 'none'
  if (isOthers) refuse('forbidden', { problem: 'The request comes from a page of another site', help: 'Send it from the dashboard itself' })
}

const over = (): never => refuse('session_over')

/**
 * Authenticates a person by the token of their session cookie, and refuses a person without the permission. 401: no
 * session, an expired one, or one that waits for its second factor. 403: the token against forged requests is missing,
 * or the permission, which the error names. 404: the request names another merchant than the session's, whether or not
 * that merchant exists.
 */
export async function sessionBearer(service: Service, endpoint: Endpoint, from: FromBrowser, token: string): Promise<Bearer> {
  const { context, settings, mode } = service
  const session = (await findSession(context, token, from.byItself ? 'unseen' : 'used')) ?? over()
  if (session.stage !== 'signed_in') over()
  if (isUnsafe(from.method)) checkForged(service, session, from)
  const person = await personOf(settings, session, mode)
  const { auth } = endpoint
  if (!isForPeople(auth))
    refuse('forbidden', { problem: 'A session cannot be used for this operation', help: 'Use the key that it requires' })
  checkPermission(person, auth.permission)
  checkProfileScope(auth, person)
  if (admits(auth, 'user')) return { is: 'user', person }
  const { merchant_in_path } = from
  const isOperators = auth.scope === 'deployment'
  if (merchant_in_path !== undefined && merchant_in_path !== person.merchant?.merchant_id && !isOperators)
    refuse('not_found', { what: 'merchant account' })
  if (!admits(auth, 'secret')) return { is: 'admin', user: person }
  const merchant = person.merchant ?? refuse('forbidden', { problem: 'You have no role at a merchant', help: 'Ask to be invited' })
  if (from.connected !== undefined && person.profile_ids !== null) refuse('no_platform')
  const acts = from.connected === undefined ? actsItself(merchant, endpoint) : await actsFor(settings, merchant, from.connected)
  return { is: 'secret', ...acts, key_id: person.user_id, user: person }
}

function checkForged(
  { context, services }: Pick<Service, 'context' | 'services'>,
  session: LiveSession,
  { csrf, page }: FromBrowser,
): void {
  checkSite(page, services.publicUrl)
  if (csrf === undefined || !same(csrf, csrfToken(context.vault, session)))
    refuse('forbidden', {
      problem: 'The x-csrf-token header is missing, or is not that of this session',
      help: 'Send the csrf_token of `GET /user` in it',
    })
}

/** Refuses (IR_22) a person without a permission, and names the permission. */
export function checkPermission({ role, permissions }: Doer, needed: Permission | null): void {
  if (needed === null || permissions.has(needed)) return
  refuse('forbidden', {
    problem: `This operation requires the permission ${needed}, which ${role === null ? 'you do not have' : `the role ${role} does not have here`}`,
    help:
      needed === 'deployment'
        ? 'Ask the operator of the deployment'
        : 'Ask an owner or admin of the merchant for a role that has it: see `GET /roles`',
  })
}

/** Still signed in, with the permission, at the same merchant and profiles. Does not prolong the session. */
export async function stillMay({ context, settings, mode }: Service, before: Doer, token: string, needed: Permission): Promise<boolean> {
  const session = await findSession(context, token, 'unseen')
  if (session?.stage !== 'signed_in') return false
  const person = await personOf(settings, session, mode)
  const isSame = person.merchant?.merchant_id === before.merchant?.merchant_id && `${person.profile_ids}` === `${before.profile_ids}`
  return isSame && person.permissions.has(needed)
}
