// The sandbox's own calls that read: a payment as a whole, and what changed in the account since a time.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Account } from './books.ts'
import { answered } from './calls.ts'
import { changesPage } from './changes.ts'
import type { Desk } from './desk.ts'
import { disputesOf, showDispute } from './disputes.ts'
import { identities } from './identities.ts'
import { isPayout } from './payouts.ts'
import { mostOf, stateOf } from './processor.ts'
import type { Payment } from './records.ts'
import { Refusal } from './refusals.ts'
import { announced } from './show-operation.ts'

type Params = { id?: string; reference?: string }
type Wire = { request: FastifyRequest<{ Params: Params }> }

export function openPayments(app: FastifyInstance, desk: Desk): void {
  const read = (path: string, act: (account: Account, request: Wire['request']) => object) => {
    for (const prefix of ['', ...Object.keys(identities).map(name => `/${name}`)])
      app.get<{ Params: Params }>(prefix + path, (request, reply) => answered(desk, { request, reply }, account => act(account, request)))
  }
  const payment = (account: Account, { params }: Wire['request']) => showPayment(account, paymentIn(account, params), desk.url)
  read('/v1/payments/:id', payment)
  read('/v1/payments/by-reference/:reference', payment)
  read('/v1/changes', (account, { query }) => changesIn(account, query as Record<string, unknown>, desk.url))
}

function paymentIn(account: Account, { id, reference }: Params): Payment {
  const payment = account.payments.get(id ?? account.references.get(reference!) ?? '')
  if (payment === undefined || isPayout(payment)) throw new Refusal('not_found', 'No such payment')
  return payment
}

function showPayment(account: Account, payment: Payment, url: string): object {
  const { id, reference, currency, phase, authorized, captured, capturing, refunded, disputed = 0 } = payment
  const operations = [...account.operations.values()].filter(one => one.payment === id)
  return {
    id,
    object: 'payment',
    reference,
    currency,
    status: stateOf(payment).status,
    ...{ authorized, captured, refunded, disputed },
    held: phase === 'open' ? Math.max(mostOf(payment) - captured - capturing, 0) : 0,
    released: phase === 'voided' || phase === 'expired' ? phase : null,
    operations: operations.map(operation => announced(operation, payment, url).operation),
    disputes: disputesOf(account, id).map(dispute => dispute.id),
  }
}

/** The changes as callers of the sandbox's own language see them. */
function changesIn(account: Account, query: Record<string, unknown>, url: string): object {
  const { page, next } = changesPage(account, query, {
    operation: (operation, payment) => ({ type: 'operation.updated', ...announced(operation, payment, url) }),
    dispute: dispute => ({ type: 'dispute.updated', dispute: showDispute(account, dispute) }),
  })
  return { object: 'list', data: page, next }
}
