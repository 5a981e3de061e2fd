import { ok } from 'node:assert/strict'
import type { Conversation, Outcome } from '../src/connectors/connector.ts'
import type { Reply, Request } from '../src/world.ts'

/** A connector without a network: given these replies, these were the requests and this is the outcome. Every reply must be heard and none be missing. */
export function rehearse(conversation: Conversation, replies: readonly Reply[]): { requests: Request[]; outcome: Outcome } {
  const requests: Request[] = []
  let step = conversation.next()
  while (!step.done) {
    const reply = replies[requests.length]
    requests.push(step.value)
    ok(reply, `no reply was rehearsed for request ${requests.length}: ${step.value.method} ${step.value.url}`)
    step = conversation.next(reply)
  }
  ok(requests.length === replies.length, `only ${requests.length} of ${replies.length} replies were heard`)
  return { requests, outcome: step.value }
}

/** A whole answer; anything but text is written as JSON. */
export const replied = (status: number, body: unknown): Reply => ({
  is: 'reply',
  status,
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

export const silence: Reply = { is: 'silence', why: 'no answer in time' }
export const notSent: Reply = { is: 'not_sent', why: 'no connection (ECONNREFUSED)' }
