// Whose account a call is about. Any key opens one: there is nothing to protect here but the key itself, which may be
// a real one and goes no further than this file.

import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Refusal } from './refusals.ts'

/**
 * `sandbox_NAME` names the account NAME, any other key one that is called by its digest. No NAME begins with `~`, so
 * two keys never meet.
 */
export function accountOf(request: Pick<FastifyRequest, 'headers'>): string {
  const key = /^Bearer +(\S.*)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (key === undefined) throw new Refusal('unauthorized', 'No API key provided. Send it as `authorization: Bearer <key>`')
  if (/invalid/i.test(key)) throw new Refusal('unauthorized', 'Invalid API key provided')
  const granted = /^token:(\S{1,128})$/.exec(key)?.[1]
  if (granted !== undefined) return granted
  const own = /^sandbox_([A-Za-z0-9_-]{1,64})$/.exec(key)?.[1] ?? `~${createHash('sha256').update(key).digest('base64url')}`
  // An account that a platform acts for has a ledger of its own (Stripe Connect).
  const connected = request.headers['stripe-account']
  if (connected !== undefined && !/^acct_\w{1,64}$/.test(String(connected)))
    throw new Refusal('unauthorized', 'Invalid account id in Stripe-Account')
  return connected === undefined ? own : `${own}@${connected}`
}

/** An access token names its account: it is no key, and is given only for one. */
export const accessTokenOf = (account: string): string => `token:${account}`
export const accountIn = (token: string): string => token.replace('token:', '')
