import { findProfile } from '../accounts/merchant.ts'
import { refuse } from '../base/refusal.ts'
import type { Doer } from '../users/person.ts'
import type { Who } from './credentials.ts'
import type { ApiRequest, Endpoint } from './endpoint.ts'

/**
 * `X-Profile-Id` stands for the body's `profile_id` where callers may choose a profile. Elsewhere it must at least
 * name a profile of the merchant: the caller believes that only this profile is affected.
 */
export function applyProfile(
  endpoint: Endpoint,
  caller: Who,
  profile_id: string,
  path: Record<string, string>,
  body: Record<string, unknown>,
): void {
  if ('merchant' in caller && !findProfile(caller.merchant, profile_id))
    refuse('precondition', { problem: 'X-Profile-Id is not a business profile of this merchant' })
  if (path.profile_id !== undefined && path.profile_id !== profile_id)
    refuse('not_found', { what: 'business profile', id: path.profile_id })
  if (!endpoint.choosesProfile) return
  if (body.profile_id !== undefined && body.profile_id !== profile_id)
    refuse('precondition', { problem: 'X-Profile-Id and profile_id are both sent but differ' })
  body.profile_id = profile_id
}

/** Returns the profile that the header `X-Profile-Id` names, null without the header. */
export function narrowedTo(headers: Record<string, string | string[] | undefined>): string | null {
  const profile_id = headers['x-profile-id']
  return typeof profile_id === 'string' && profile_id !== '' ? profile_id : null
}

/** The profile that the caller names, else those for which the role holds; null: all of the merchant. */
export function profilesOf({ headers, who }: Pick<ApiRequest, 'headers' | 'who'>): readonly string[] | null {
  const named = narrowedTo(headers)
  return named === null ? roleHoldsFor(who) : [named]
}

/** Returns the profiles for which a person's role holds; null: for the whole merchant, as an API key. */
export const roleHoldsFor = (who: Who): readonly string[] | null => doerOf(who)?.profile_ids ?? null

/** Returns the person who makes the request; null: the caller is a key. */
export const doerOf = (who: Who): Doer | null => (who.is === 'user' ? who.person : ('user' in who && who.user) || null)
