import { ok } from 'node:assert/strict'
import { Secret } from '../src/base/secret.ts'
import type { Conversation, Outcome } from '../src/connectors/connector.ts'
import type { CustomerStep, Grant, KnownCustomer } from '../src/connectors/conversation.ts'
import type { Reply, Request } from '../src/context.ts'

type Rehearsed<T> = {
  requests: Request[]
  /**
   * All steps of the conversation, in their order: requests as `POST https://…`, notes as they are, and `a token` for
   * each token that was requested.
   */
  lines: (string | { note: string } | CustomerStep)[]
  outcome: T
}

const granted: Grant = { is: 'granted', token: new Secret('rehearsed_token'), expires_in_s: 3600 }

/**
 * Runs a connector's conversation without a network: takes the replies, gives the requests, the notes between them,
 * and the outcome. Every reply must be used, and none may be missing. `grants`: the results of its requests for a
 * token, the last for all further ones. `customer`: the customer that the merchant has stored.
 */
export function rehearse<T = Outcome>(
  conversation: Conversation<T>,
  replies: readonly Reply[],
  grants: readonly Grant[] = [granted],
  customer: KnownCustomer | null = null,
): Rehearsed<T> {
  const requests: Request[] = []
  const lines: Rehearsed<T>['lines'] = []
  let wishes = 0
  let step = conversation.next()
  while (!step.done) {
    const line = step.value
    if ('note' in line) {
      lines.push(line)
      step = conversation.next(undefined as never)
    } else if ('customer' in line) {
      lines.push(line)
      step = conversation.next((line.customer === 'known' ? customer : undefined) as never)
    } else if ('fetch' in line) {
      lines.push('a token')
      step = conversation.next(grants[Math.min(wishes++, grants.length - 1)] as never)
    } else {
      const reply = replies[requests.length]
      requests.push(line)
      lines.push(`${line.method} ${line.url}`)
      ok(reply, `no reply was rehearsed for request ${requests.length}: ${line.method} ${line.url}`)
      step = conversation.next(reply)
    }
  }
  ok(requests.length === replies.length, `only ${requests.length} of ${replies.length} replies were heard`)
  return { requests, lines, outcome: step.value }
}

/** Gives a complete reply; any body but text is written as JSON. */
export const replied = (status: number, body: unknown): Reply => ({
  is: 'reply',
  status,
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

export const silence: Reply = { is: 'silence', why: 'response timeout' }
export const notSent: Reply = { is: 'not_sent', why: 'no connection (ECONNREFUSED)' }
