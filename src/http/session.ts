import { refuse } from '../base/refusal.ts'
import { type Doer, personOf } from '../users/person.ts'
import type { Permission } from '../users/roles.ts'
import { csrfToken, findSession, type LiveSession } from '../users/sessions.ts'
import type { Endpoint, Service } from './endpoint.ts'
import { checkOfProfile } from './of-profiles.ts'
import { permissionFor } from './permissions.ts'
import { actsFor, actsItself, admits, type Bearer, same } from './who.ts'

/** What a browser sends beside its cookie. */
export type FromBrowser = {
  method: string
  csrf: string | undefined
  page: AskingPage
  /** Of the header `x-by-itself`: the page asks, and no person has done anything for a while. */
  byItself: boolean
  connected: string | undefined
  merchant_in_path: string | undefined
}

const isUnsafe = (method: string): boolean => method !== 'GET' && method !== 'HEAD'

/** What a browser says of the page that asks: the headers `sec-fetch-site`, `origin` and `host`. */
export type AskingPage = { site: string | undefined; origin: string | undefined; host: string | undefined }

type Headers = Readonly<Record<string, string | string[] | undefined>>

export function pageOf(headers: Headers): AskingPage {
  const said = (name: string) => (typeof headers[name] === 'string' ? headers[name] : undefined)
  return { site: said('sec-fetch-site'), origin: said('origin'), host: said('host') }
}

/** Is a page of this service's own, by the address that its browser asked for or the one that all know it by? */
const isOwn = (origin: string, host: string | undefined, publicUrl: string): boolean =>
  URL.canParse(origin) && (new URL(origin).host === host || new URL(origin).origin === new URL(publicUrl).origin)

/**
 * Refuses (IR_22) a request that another site's page has sent. Of a browser that does not know `sec-fetch-site` its
 * `origin` says so; one that says neither is held by the cookie.
 */
export function checkSite({ site, origin, host }: AskingPage, publicUrl: string): void {
  const isOthers = site === undefined ? origin !== undefined && !isOwn(origin, host, publicUrl) : site !== 'same-origin' && site !== 'none'
  if (isOthers) refuse('forbidden', { words: 'The request comes from a page of another site', help: 'Send it from the dashboard itself' })
}

const over = (): never => refuse('session_over')

/**
 * Authenticates a person by the token of their cookie, and refuses one without permission. 401: no session, one that
 * is over, or that waits for its second factor. 403: without the token against forged requests, or without the
 * permission, which it names. 404: for another merchant than the session is about, whether or not there is one.
 */
export async function sessionBearer(service: Service, endpoint: Endpoint, from: FromBrowser, token: string): Promise<Bearer> {
  const { context, settings, mode } = service
  const session = (await findSession(context, token, from.byItself ? 'unseen' : 'used')) ?? over()
  if (session.stage !== 'signed_in') over()
  if (isUnsafe(from.method)) checkForged(service, session, from)
  const person = await personOf(settings, session, mode)
  const { takes } = endpoint
  const byPeople = admits(takes, 'user') || admits(takes, 'secret') || admits(takes, 'admin')
  if (!byPeople) refuse('forbidden', { words: 'A session cannot be used for this operation', help: 'Use the key that it requires' })
  const needed = permissionFor(endpoint)
  checkPermission(person, needed)
  checkOfProfile(endpoint, person, needed)
  if (admits(takes, 'user')) return { is: 'user', person }
  const { merchant_in_path } = from
  const isOperators = needed === 'deployment'
  if (merchant_in_path !== undefined && merchant_in_path !== person.merchant?.merchant_id && !isOperators)
    refuse('not_found', { what: 'merchant account' })
  if (!admits(takes, 'secret')) return { is: 'admin', user: person }
  const merchant = person.merchant ?? refuse('forbidden', { words: 'You have no role at a merchant', help: 'Ask to be invited' })
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
      words: 'The x-csrf-token header is missing, or is not that of this session',
      help: 'Send the csrf_token of `GET /user` in it',
    })
}

/** Refuses (IR_22) a person without a permission, and names it. */
export function checkPermission({ role, permissions }: Doer, needed: Permission | null): void {
  if (needed === null || permissions.has(needed)) return
  refuse('forbidden', {
    words: `This operation requires the permission ${needed}, which ${role === null ? 'you do not have' : `the role ${role} does not have here`}`,
    help:
      needed === 'deployment'
        ? 'Ask whoever runs the deployment'
        : 'Ask an owner or admin of the merchant for a role that has it: see `GET /roles`',
  })
}

/**
 * Is the person still signed in, and may they do this at the same merchant, for the same profiles? The session is not
 * prolonged by it.
 */
export async function stillMay({ context, settings, mode }: Service, before: Doer, token: string, needed: Permission): Promise<boolean> {
  const session = await findSession(context, token, 'unseen')
  if (session?.stage !== 'signed_in') return false
  const person = await personOf(settings, session, mode)
  const isSame = person.merchant?.merchant_id === before.merchant?.merchant_id && `${person.profile_ids}` === `${before.profile_ids}`
  return isSame && person.permissions.has(needed)
}
