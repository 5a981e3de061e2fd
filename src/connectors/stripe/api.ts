import type { Secret } from '../../base/secret.ts'
import type { Request } from '../../context.ts'
import type { Account, Conversation } from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { downloaded, type ParsedReply, parseReply, readerOf } from '../kit/parse-reply.ts'
import { bearerOf } from '../kit/request.ts'
import { settingOf } from '../settings.ts'
import type { ReportPart } from '../settlement-report.ts'
import { readRefused, type StripeRefusal } from './errors.ts'

/** That of Stripe's own library at the time (`stripe.test.ts` checks that both are the same). */
export const VERSION = '2026-10-28.endive'

export type Param = string | number | boolean | undefined | readonly Param[] | { readonly [name: string]: Param }

/** `card[number]=…&expand[0]=…`. Undefined members are left out. */
export function formEncoded(params: { readonly [name: string]: Param }): string {
  const pairs: string[] = []
  const put = (name: string, value: Param): void => {
    if (value === undefined) return
    if (typeof value === 'object') for (const [member, inner] of Object.entries(value)) put(`${name}[${member}]`, inner)
    else pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  }
  for (const [name, value] of Object.entries(params)) put(name, value)
  return pairs.join('&')
}

type StripeReply<T> = ParsedReply<T, StripeRefusal>
type Read<T> = (body: unknown) => T | null

export function openTalk(account: Account, secrets: readonly Secret[] = []) {
  const key = credentialOf(account)
  const unspeakable = [key, ...secrets]
  const stripe_account = settingOf(account, 'stripe_account')
  const headers = {
    authorization: bearerOf(key),
    'stripe-version': VERSION,
    ...(stripe_account !== undefined && { 'stripe-account': stripe_account }),
  }
  function* say<T>(request: Request, read: Read<T>): Conversation<StripeReply<T>> {
    return parseReply(yield request, unspeakable, readerOf(read, readRefused))
  }
  return {
    say,
    get: <T>(path: string, read: Read<T>): Conversation<StripeReply<T>> =>
      say({ method: 'GET', url: account.base_url + path, headers }, read),
    /** A large body, from this host. */
    *download(host: string, path: string): Conversation<ReportPart> {
      return downloaded(yield { method: 'GET', url: host + path, headers, download: true }, unspeakable, readRefused)
    },
    post: (path: string, body: { [name: string]: Param }, idempotencyKey?: string): Request => ({
      method: 'POST',
      url: account.base_url + path,
      headers: {
        ...headers,
        'content-type': 'application/x-www-form-urlencoded',
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      body: formEncoded(body),
    }),
  }
}
export type Talk = ReturnType<typeof openTalk>
