import type { Secret } from '../base/secret.ts'
import type { Reply, Request } from '../context.ts'
import type { Account, Conversation } from './connector.ts'
import { unknown } from './parse-reply.ts'
import * as wire from './stripe-wire.ts'
import { redact } from './text.ts'
import { readJson } from './wire.ts'

/** How Stripe is spoken to, and heard. */

export type StripeReply<T> =
  | { is: 'heard'; body: T }
  | ({ is: 'refused' } & wire.StripeRefusal)
  | { is: 'not_sent'; why: string }
  | { is: 'unknown'; why: string; status?: number }

/**
 * An account to talk to. `post`: what asks for something; `say`: hears what is answered to it; `ask`: hears the
 * answer to a question.
 */
export function openTalk(account: Account, key: Secret, secrets: readonly Secret[] = [key]) {
  const { stripe_account } = account.metadata
  const headers = {
    authorization: `Bearer ${key.reveal()}`,
    'stripe-version': wire.VERSION,
    ...(typeof stripe_account === 'string' && { 'stripe-account': stripe_account }),
  }
  function hear<T>(reply: Reply, read: (body: unknown) => T | null): StripeReply<T> {
    if (reply.is === 'not_sent') return reply
    if (reply.is === 'silence') return unknown(reply.why)
    const { status } = reply
    const body = readJson(redact(reply.body, secrets))
    const heard = status === 200 ? read(body) : null
    if (heard !== null) return { is: 'heard', body: heard }
    const refused = wire.readRefused(status, body)
    return refused ? { is: 'refused', ...refused } : { ...unknown(`invalid response (HTTP ${status})`), status }
  }
  return {
    post: (path: string, body: { [name: string]: wire.Param }, idempotencyKey?: string): Request => ({
      method: 'POST',
      url: account.base_url + path,
      headers: {
        ...headers,
        'content-type': 'application/x-www-form-urlencoded',
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      body: wire.formEncoded(body),
    }),
    *say<T>(request: Request, read: (body: unknown) => T | null): Conversation<StripeReply<T>> {
      return hear(yield request, read)
    },
    *get<T>(path: string, read: (body: unknown) => T | null): Conversation<StripeReply<T>> {
      return hear(yield { method: 'GET', url: account.base_url + path, headers }, read)
    },
    *ask<T>(
      path: string,
      read: (body: unknown) => T | null,
    ): Conversation<{ is: 'heard'; body: T } | { is: 'missing' } | { is: 'unheard'; why: string }> {
      const reply = yield { method: 'GET', url: account.base_url + path, headers }
      const heard = hear(reply, read)
      if (heard.is === 'heard') return heard
      if (heard.is !== 'refused') return { is: 'unheard', why: heard.why }
      const missing = reply.is === 'reply' && reply.status === 404 && heard.error.code === 'resource_missing'
      return missing ? { is: 'missing' } : { is: 'unheard', why: `the status request was refused (${heard.error.code})` }
    },
  }
}
export type Talk = ReturnType<typeof openTalk>

export const name = (id: string): string => encodeURIComponent(id)
