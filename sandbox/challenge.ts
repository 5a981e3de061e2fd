// The shopper's side of 3-D Secure: pages that work without scripts and accept one decision.

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

export function openChallenge(app: FastifyInstance, desk: Desk): void {
  const look = async (request: FastifyRequest<Params>, reply: FastifyReply) => {
    const found = find(desk, request.params)
    await desk.synced()
    if (found === null) return show(reply, unknownPage())
    return show(reply, found.operation.status === 'challenge' ? challengePage(found.operation) : decidedPage(found.operation))
  }
  // A reload or a second tab may request the address to which a decision was sent; the same page is shown.
  for (const address of ['', '/accept', '/reject']) {
    app.get<Params>(`/challenge/:id/:token${address}`, look)
  }
  // Some processors send shoppers to the challenge with a form.
  app.post<Params>('/challenge/:id/:token', look)
  // The challenge address as a QR code.
  app.get<Params>('/challenge/:id/:token/code', async (request, reply) => {
    const found = find(desk, request.params)
    if (found === null) return show(reply, unknownPage())
    const { id, token } = request.params
    return reply.header('content-type', 'image/png').send(codeImage(`${desk.url}/challenge/${id}/${token}`))
  })
  // A hidden frame: loading the frame proves that the shopper's browser was seen.
  for (const method of ['GET', 'POST'] as const)
    app.route<Params>({
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
  app.get('/challenge/*', (_request, reply) => show(reply, unknownPage()))
  for (const decision of ['accept', 'reject'] as const) {
    app.post<Params>(`/challenge/:id/:token/${decision}`, async (request, reply) => {
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

/** Decides the challenge. Returns the address to which the shopper is redirected, or null. */
function answer(desk: Desk, account: Account, operation: Operation, decision: Decision): string | null {
  const payment = account.payments.get(operation.payment)!
  const { return_url } = operation.challenge!
  const does = behaviourOf(payment.card)
  const accepted = does.challenge ?? does.authorize ?? 'approved'
  const verdict = decision === 'accept' ? accepted : 'authentication_failed'
  const decided = () => decideOperation(payment, operation, verdict, desk.turn(account))
  // In some dialects the shopper brings back a token that only the merchant can redeem. Payments by methods other than
  // cards are decided on this page, whether or not the shopper returns to the merchant.
  const bringsBack = returns[payment.dialect ?? '']
  if (bringsBack) {
    const { documents, parameters, waits, address = return_url, events } = bringsBack(account, operation, decision)
    desk.write({ account: account.name, ...(payment.method && !waits && decided()), documents, ...(events && { news: events }) })
    return address && withPairs(address, parameters)
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
