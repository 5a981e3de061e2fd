// The account of a call. Any key opens an account, because there is nothing to protect but the key itself, which may
// be a real one and never leaves this file.

import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Refusal } from './refusals.ts'

/**
 * Returns the account of a request: `sandbox_NAME` names the account NAME; any other key opens an account named by the
 * key's digest. No NAME begins with `~`, so two keys never share an account. Refuses (401) a missing or invalid key.
 */
export function accountOf(request: Pick<FastifyRequest, 'headers'>): string {
  const key = /^Bearer +(\S.*)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (key === undefined) throw new Refusal('unauthorized', 'No API key provided. Send it as `authorization: Bearer <key>`')
  if (/invalid/i.test(key)) throw new Refusal('unauthorized', 'Invalid API key provided')
  const granted = /^token:(\S{1,128})$/.exec(key)?.[1]
  if (granted !== undefined) return granted
  const own = /^sandbox_([A-Za-z0-9_-]{1,64})$/.exec(key)?.[1] ?? `~${createHash('sha256').update(key).digest('base64url')}`
  // A connected account, for which a platform acts, has its own ledger (Stripe Connect).
  const connected = request.headers['stripe-account']
  if (connected !== undefined && !/^acct_\w{1,64}$/.test(String(connected)))
    throw new Refusal('unauthorized', 'Invalid account id in Stripe-Account')
  return connected === undefined ? own : `${own}@${connected}`
}

/**
 * Returns an access token, which contains the name of its account. The token is not a key and is issued for one
 * account only.
 */
export const accessTokenOf = (account: string): string => `token:${account}`
export const accountIn = (token: string): string => token.replace('token:', '')
