// How an answer goes wrong. `before`: nothing was charged, and the call ends here. `after`: the record is on the disk, and the answer is spoilt.

import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'

export type Answer = { status: number; replayed: boolean; body: object }
type Breakage = (reply: FastifyReply, answer: Answer) => void

export type FaultName = keyof typeof faults
export type CallName = 'authorize' | 'capture' | 'void' | 'refund' | 'lookup'
export type Queued = { call: CallName; fault: FaultName; times: number; ms: number }

type Fault = { when: 'before' | 'after'; spoil: Breakage } | { when: 'during' }

const hangLasts = 60_000

export const faults = {
  hang_before: { when: 'before', spoil: hang },
  hang_after: { when: 'after', spoil: hang },
  reset_before: { when: 'before', spoil: reset },
  reset_after: { when: 'after', spoil: reset },
  '500_before': { when: 'before', spoil: say500 },
  '500_after': { when: 'after', spoil: say500 },
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

function hang(reply: FastifyReply): void {
  const socket = seize(reply)
  const end = setTimeout(() => socket.destroy(), hangLasts).unref()
  socket.once('close', () => clearTimeout(end))
}

function reset(reply: FastifyReply): void {
  seize(reply).resetAndDestroy()
}

function say500(reply: FastifyReply): void {
  void reply.code(500).send({ error: { code: 'internal_error', message: 'Something went wrong on our side.', param: null } })
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

function drip(reply: FastifyReply, answer: Answer): void {
  const bytes = Buffer.from(JSON.stringify(answer.body))
  const socket = seize(reply)
  reply.raw.writeHead(answer.status, { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length })
  let sent = 0
  const next = () => {
    reply.raw.write(bytes.subarray(sent, sent + 1))
    sent += 1
    if (sent < bytes.length) return
    clearInterval(drops)
    reply.raw.end()
  }
  const drops = setInterval(next, 1000).unref()
  socket.once('close', () => clearInterval(drops))
  next()
}

function huge(reply: FastifyReply, answer: Answer): void {
  void reply.code(answer.status).send({ ...answer.body, padding: 'x'.repeat(8 << 20) })
}

function seize(reply: FastifyReply): Socket {
  reply.hijack()
  return reply.raw.socket!
}
