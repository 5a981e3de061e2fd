// The shopper's side of 3-D Secure: works without script, answers once.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from './books.ts'
import { behaviourOf } from './cards.ts'
import { challengePage, decidedPage, type Page, unknownPage } from './challenge-page.ts'
import { seenNote } from './complete.ts'
import type { Desk } from './desk.ts'
import { type Decision, returns } from './dialects/returns.ts'
import { decideOperation } from './processor.ts'
import { codeImage } from './qr.ts'
import type { Operation } from './records.ts'

type Params = { Params: { id: string; token: string } }

export function openChallenge(door: FastifyInstance, desk: Desk): void {
  const look = async (request: FastifyRequest<Params>, reply: FastifyReply) => {
    const found = find(desk, request.params)
    await desk.synced()
    if (found === null) return show(reply, unknownPage())
    return show(reply, found.operation.status === 'challenge' ? challengePage(found.operation) : decidedPage(found.operation))
  }
  // A reload or a second tab may ask for the address to which an answer was sent: it shows the same.
  for (const address of ['', '/accept', '/reject']) {
    door.get<Params>(`/challenge/:id/:token${address}`, look)
  }
  // Some processors send their shoppers here with a form.
  door.post<Params>('/challenge/:id/:token', look)
  // The same address as a code to be scanned.
  door.get<Params>('/challenge/:id/:token/code', async (request, reply) => {
    const found = find(desk, request.params)
    if (found === null) return show(reply, unknownPage())
    const { id, token } = request.params
    return reply.header('content-type', 'image/png').send(codeImage(`${desk.url}/challenge/${id}/${token}`))
  })
  // A hidden frame: the browser that loads it was there.
  for (const method of ['GET', 'POST'] as const)
    door.route<Params>({
      method,
      url: '/challenge/:id/:token/collect',
      handler: async (request, reply) => {
        const found = find(desk, request.params)
        if (found === null) return show(reply, unknownPage())
        desk.write({ account: found.account.name, documents: [seenNote(found.operation)] })
        await desk.synced()
        return show(reply, { status: 200, html: '<!doctype html><title>Seen</title>' })
      },
    })
  door.get('/challenge/*', (_request, reply) => show(reply, unknownPage()))
  for (const decision of ['accept', 'reject'] as const) {
    door.post<Params>(`/challenge/:id/:token/${decision}`, async (request, reply) => {
      const found = find(desk, request.params)
      if (found === null) return show(reply, unknownPage())
      const { account, operation } = found
      if (operation.status !== 'challenge') {
        await desk.synced()
        return show(reply, decidedPage(operation))
      }
      const return_url = answer(desk, account, operation, decision)
      await desk.synced()
      if (return_url !== null) return reply.redirect(return_url, 302)
      return show(reply, decidedPage(account.operations.get(operation.id)!))
    })
  }
}

/** Gives where the shopper goes then. */
function answer(desk: Desk, account: Account, operation: Operation, decision: Decision): string | null {
  const payment = account.payments.get(operation.payment)!
  const { return_url } = operation.challenge!
  const does = behaviourOf(payment.card)
  const accepted = does.challenge ?? does.authorize ?? 'approved'
  const verdict = decision === 'accept' ? accepted : 'authentication_failed'
  const decided = () => decideOperation(payment, operation, verdict, desk.turn(account))
  // A shopper may bring back what only the merchant can redeem. What is no card is decided where the shopper was,
  // whether they come back or not.
  const bringsBack = returns[payment.dialect ?? '']
  if (bringsBack) {
    const { documents, brings, waits, address = return_url, news } = bringsBack(account, operation, decision)
    desk.write({ account: account.name, ...(payment.method && !waits && decided()), documents, ...(news && { news }) })
    return address && withPairs(address, brings)
  }
  desk.write({ account: account.name, ...decided() })
  return return_url
}

function withPairs(address: string, pairs: Record<string, string>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(pairs)) url.searchParams.set(name, value)
  return url.href
}

function find(desk: Desk, { id, token }: Params['Params']): { account: Account; operation: Operation } | null {
  const place = desk.books.challenges.get(token)
  if (place === undefined || place.operation !== id) return null
  const account = desk.account(place.account)
  return { account, operation: account.operations.get(id)! }
}

function show(reply: FastifyReply, page: Page): FastifyReply {
  return reply
    .code(page.status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'",
    })
    .send(page.html)
}
