// The ways in which an answer can fail. `before`: nothing was charged, and the call ends. `after`: the operation is on
// the disk, and its answer is broken.

import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'

export type Answer = { status: number; replayed: boolean; body: object }
/**
 * Calls `callback` a number of times, at intervals in milliseconds of the account's clock. Returns a function that
 * cancels the rest.
 */
export type Keep = (times: number, every: number, callback: (time: number) => void) => () => void
type Breakage = (reply: FastifyReply, answer: Answer, keep: Keep) => void

export type FaultName = keyof typeof faults
export const callNames = [
  'authorize',
  'capture',
  'void',
  'refund',
  'increment',
  'extend',
  'reverse',
  'payout',
  'cancel_payout',
  'lookup',
  'dispute',
  'order',
  'complete',
  'authenticate',
] as const
export type CallName = (typeof callNames)[number]
export type Queued = { call: CallName; fault: FaultName; times: number; ms: number }

type Fault = { when: 'before' | 'after'; spoil: Breakage } | { when: 'during' }

const hangLasts = 60_000

const faults = {
  hang_before: { when: 'before', spoil: hang },
  hang_after: { when: 'after', spoil: hang },
  reset_before: { when: 'before', spoil: reset },
  reset_after: { when: 'after', spoil: reset },
  '500_before': { when: 'before', spoil: say500 },
  '500_after': { when: 'after', spoil: say500 },
  '429_before': { when: 'before', spoil: say429 },
  html_before: { when: 'before', spoil: reply => sayHtml(reply, 503) },
  html_after: { when: 'after', spoil: reply => sayHtml(reply, 200) },
  truncate_after: { when: 'after', spoil: truncate },
  drip_after: { when: 'after', spoil: drip },
  empty_after: { when: 'after', spoil: reply => void reply.send({}) },
  huge_after: { when: 'after', spoil: huge },
  ignore_idempotency: { when: 'during' },
  latency: { when: 'during' },
  decline: { when: 'during' },
} as const satisfies Record<string, Fault>

export const faultNames = Object.keys(faults) as FaultName[]

export function faultOf(name: FaultName): Fault {
  return faults[name]
}

function hang(reply: FastifyReply, _answer: Answer, keep: Keep): void {
  const socket = seize(reply)
  socket.once(
    'close',
    keep(1, hangLasts, () => socket.destroy()),
  )
}

function reset(reply: FastifyReply): void {
  seize(reply).resetAndDestroy()
}

function say500(reply: FastifyReply): void {
  void reply.code(500).send({ error: { code: 'internal_error', message: 'An internal error occurred.', param: null } })
}

/**
 * Answers 429 (too many requests) in the sandbox's own language, or in that of the dialect at the request's address.
 */
function say429(reply: FastifyReply): void {
  const message = 'Too many requests.'
  const adyen = { status: 429, errorCode: '29_001', message, errorType: 'validation' }
  const adyenplatform = { ...{ type: 'about:blank', title: message, detail: message }, status: 429, errorCode: '29_001' }
  const stripe = { error: { type: 'invalid_request_error', code: 'rate_limit', message } }
  const checkout = { request_id: 'sandbox', error_type: 'too_many_requests', error_codes: ['too_many_requests'] }
  const mollie = { status: 429, title: 'Too Many Requests', detail: message }
  const paypal = { name: 'RATE_LIMIT_REACHED', message, debug_id: 'sandbox', details: [] }
  const { url } = reply.request
  // Braintree returns even its errors with status 200.
  const braintree = {
    data: null,
    errors: [{ message, extensions: { errorClass: 'RESOURCE_LIMIT' } }],
    extensions: { requestId: 'sandbox' },
  }
  if (url.startsWith('/braintree/')) return void reply.code(200).send(braintree)
  const body = url.startsWith('/adyen/')
    ? adyen
    : url.startsWith('/adyenplatform/')
      ? adyenplatform
      : url.startsWith('/stripe/')
        ? stripe
        : url.startsWith('/checkout/')
          ? checkout
          : url.startsWith('/mollie/')
            ? mollie
            : url.startsWith('/paypal/')
              ? paypal
              : { error: { code: 'slow_down', message, param: null } }
  void reply.code(429).header('retry-after', '0').send(body)
}

function sayHtml(reply: FastifyReply, status: number): void {
  const page = '<!doctype html><html><head><title>Gateway</title></head><body><h1>The service is unavailable</h1></body></html>'
  void reply.code(status).type('text/html; charset=utf-8').send(page)
}

function truncate(reply: FastifyReply, answer: Answer): void {
  const text = JSON.stringify(answer.body)
  void reply
    .code(answer.status)
    .type('application/json; charset=utf-8')
    .send(text.slice(0, text.length / 2))
}

function drip(reply: FastifyReply, answer: Answer, keep: Keep): void {
  const bytes = Buffer.from(JSON.stringify(answer.body))
  const socket = seize(reply)
  reply.raw.writeHead(answer.status, { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length })
  const drop = (n: number) => reply.raw.write(bytes.subarray(n, n + 1))
  drop(0)
  const last = bytes.length - 1
  socket.once(
    'close',
    keep(last, 1000, n => (n < last ? drop(n) : reply.raw.end(bytes.subarray(last)))),
  )
}

function huge(reply: FastifyReply, answer: Answer): void {
  void reply.code(answer.status).send({ ...answer.body, padding: 'x'.repeat(8 << 20) })
}

function seize(reply: FastifyReply): Socket {
  reply.hijack()
  return reply.raw.socket!
}
