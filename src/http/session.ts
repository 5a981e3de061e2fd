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
  /** Of the header `sec-fetch-site`: from where the page comes that asks. */
  site: string | undefined
  connected: string | undefined
  merchant_in_path: string | undefined
}

const isUnsafe = (method: string): boolean => method !== 'GET' && method !== 'HEAD'

/** Refuses (IR_22) a request that another site's page has sent. Browsers that do not say so are held by the cookie. */
export function checkSite(site: string | undefined): void {
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    refuse('forbidden', { words: 'The request comes from a page of another site', help: 'Send it from the dashboard itself' })
}

const over = (): never => refuse('session_over')

/**
 * Authenticates a person by the token of their cookie, and refuses one without permission. 401: no session, one that
 * is over, or that waits for its second factor. 403: without the token against forged requests, or without the
 * permission, which it names. 404: for another merchant than the session is about, whether or not there is one.
 */
export async function sessionBearer(service: Service, endpoint: Endpoint, from: FromBrowser, token: string): Promise<Bearer> {
  const { context, settings, mode } = service
  const session = (await findSession(context, token)) ?? over()
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

function checkForged({ context }: Pick<Service, 'context'>, session: LiveSession, { csrf, site }: FromBrowser): void {
  checkSite(site)
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

/** Is the person still signed in, and may they do this at the same merchant, for the same profiles? It does not make their session last longer. */
export async function stillMay({ context, settings, mode }: Service, before: Doer, token: string, needed: Permission): Promise<boolean> {
  const session = await findSession(context, token, 'unseen')
  if (session?.stage !== 'signed_in') return false
  const person = await personOf(settings, session, mode)
  const isSame = person.merchant?.merchant_id === before.merchant?.merchant_id && `${person.profile_ids}` === `${before.profile_ids}`
  return isSame && person.permissions.has(needed)
}
