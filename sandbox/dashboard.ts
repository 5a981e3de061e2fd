// The dashboard of the sandbox's processors, for people: an account's payments, with buttons that move their money
// without the merchant's software. Pages without scripts. The account's key is the user name, without a password.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from './books.ts'
import { listPage, type Note, paymentPage } from './dashboard-page.ts'
import type { Desk } from './desk.ts'
import { basic } from './dialects/language.ts'
import { makeMove, needPayment, readMove } from './moves.ts'
import { Refusal } from './refusals.ts'
import { accountOf } from './who.ts'

type Params = { Params: { id: string } }

/** The payments of one page. */
const MOST = 100

export function openDashboard(app: FastifyInstance, desk: Desk): void {
  app.get('/dashboard', (request, reply) =>
    shown(desk, request, reply, account => listPage([...account.payments.values()].reverse().slice(0, MOST))),
  )

  app.get<Params>('/dashboard/payments/:id', (request, reply) =>
    shown(desk, request, reply, account => onePayment(account, request.params.id)),
  )

  app.post<Params>('/dashboard/payments/:id/move', (request, reply) =>
    shown(desk, request, reply, account => {
      // A browser sends the key to forms of other sites too.
      const from = request.headers['sec-fetch-site'] ?? 'same-origin'
      if (from !== 'same-origin') throw new Refusal('invalid_request', 'This form is not of this dashboard')
      return moveBy(desk, account, request.params.id, new URLSearchParams(String(request.body ?? '')))
    }),
  )
}

function moveBy(desk: Desk, account: Account, id: string, form: URLSearchParams): string {
  const { amount, ...rest } = Object.fromEntries([...form].filter(([, value]) => value !== ''))
  try {
    const ask = readMove({ ...rest, ...(amount !== undefined && { amount: /^\d+$/.test(amount) ? Number(amount) : amount }) })
    makeMove(desk, account, needPayment(account, id), ask)
    return onePayment(account, id, { role: 'status', text: `Done: ${ask.move}` })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return onePayment(account, id, { role: 'alert', text: error.message })
  }
}

function onePayment(account: Account, id: string, note?: Note): string {
  const payment = needPayment(account, id)
  const operations = [...account.operations.values()].filter(one => one.payment === payment.id)
  return paymentPage(payment, operations, note)
}

async function shown(
  desk: Desk,
  request: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  page: (account: Account) => string,
): Promise<FastifyReply> {
  reply.headers({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  })
  const [key] = basic(request.headers) ?? []
  if (!key) return reply.code(401).header('www-authenticate', 'Basic realm="Sandbox account key as the user name"').send('')
  const html = page(desk.account(accountOf({ headers: { authorization: `Bearer ${key}` } })))
  await desk.synced()
  return reply.send(html)
}
