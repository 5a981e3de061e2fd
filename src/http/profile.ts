import { findProfile } from '../accounts/merchant.ts'
import { refuse } from '../base/refusal.ts'
import type { Doer } from '../users/person.ts'
import type { Endpoint, EndpointCall } from './endpoint.ts'
import type { Who } from './who.ts'

/**
 * `X-Profile-Id`: the business profile that a request means. Where one can be chosen it stands for the body's
 * `profile_id`; elsewhere it must at least be one of the merchant's, because a caller who names a profile believes
 * that only it is meant.
 */
export function applyProfile(
  endpoint: Endpoint,
  caller: Who,
  profile_id: string,
  path: Record<string, string>,
  body: Record<string, unknown>,
): void {
  if ('merchant' in caller && !findProfile(caller.merchant, profile_id))
    refuse('precondition', { words: 'X-Profile-Id is not a business profile of this merchant' })
  if (path.profile_id !== undefined && path.profile_id !== profile_id)
    refuse('not_found', { what: 'business profile', id: path.profile_id })
  if (!endpoint.choosesProfile) return
  if (body.profile_id !== undefined && body.profile_id !== profile_id)
    refuse('precondition', { words: 'X-Profile-Id and profile_id are both sent but differ' })
  body.profile_id = profile_id
}

/** The profile that a caller means, who means only one. */
export function narrowedTo(headers: Record<string, string | string[] | undefined>): string | null {
  const profile_id = headers['x-profile-id']
  return typeof profile_id === 'string' && profile_id !== '' ? profile_id : null
}

/**
 * The profiles that an answer is about: the one that the caller names, else those for which their role holds; null:
 * all of the merchant.
 */
export function profilesOf({ headers, who }: Pick<EndpointCall, 'headers' | 'who'>): readonly string[] | null {
  const named = narrowedTo(headers)
  return named === null ? roleHoldsFor(who) : [named]
}

/** The profiles for which the role of a person holds; null: for the whole merchant, as a key does. */
export const roleHoldsFor = (who: Who): readonly string[] | null => doerOf(who)?.profile_ids ?? null

/** The person who asks; null: it is a key. */
export const doerOf = (who: Who): Doer | null => (who.is === 'user' ? who.person : ('user' in who && who.user) || null)
