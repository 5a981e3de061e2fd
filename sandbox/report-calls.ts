// The sandbox's own settlement reports: one for each day that is over and on which money moved.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { csvOf, type DayPayout, dayPayouts } from './balance.ts'
import type { Account } from './books.ts'
import { answered } from './calls.ts'
import type { Desk } from './desk.ts'
import { identities } from './identities.ts'
import type { Dispute, Operation } from './records.ts'
import { Refusal } from './refusals.ts'
import { signed } from './units.ts'
import { accountOf } from './who.ts'

type Params = { Params: { day: string } }

export function openReports(app: FastifyInstance, desk: Desk): void {
  for (const prefix of ['', ...Object.keys(identities).map(name => `/${name}`)]) {
    app.get(`${prefix}/v1/reports`, (request, reply) =>
      answered(desk, { request, reply }, account => ({ object: 'list', data: listed(desk, account, request) })),
    )
    app.get<Params>(`${prefix}/v1/reports/:day`, async (request, reply) => {
      const account = desk.account(accountOf(request))
      const of = dayPayouts(account, undefined, desk.now(account)).filter(({ day }) => `${day}.csv` === request.params.day)
      if (of.length === 0) throw new Refusal('not_found', 'No such report')
      await desk.synced()
      return reply.type('text/csv').send(reportOf(of))
    })
  }
}

function listed(desk: Desk, account: Account, { query }: Pick<FastifyRequest, 'query'>): object[] {
  const [since, until] = ['since', 'until'].map(name => {
    const at = Date.parse(String((query as Record<string, unknown>)[name]))
    if (Number.isNaN(at)) throw new Refusal('invalid_request', `${name} must be a time`, name)
    return at
  }) as [number, number]
  const made = dayPayouts(account, undefined, desk.now(account)).filter(({ paid_at }) => paid_at >= since && paid_at < until)
  const days = new Map(made.map(({ day, paid_at }) => [day, paid_at]))
  return [...days].map(([day, at]) => ({ id: day, object: 'report', created_at: new Date(at).toISOString() }))
}

const titles = ['request_id', 'reference', 'batch', 'type', 'currency', 'gross', 'fee', 'net', 'booked_at', 'paid_at']

const reportOf = (payouts: readonly DayPayout[]): string =>
  csvOf([
    titles,
    ...payouts.flatMap(({ day, currency, movements, paid_at }) =>
      movements.map(({ kind, of, amount, fee, at }) => [
        ...[isOperation(of) ? of.reference : '', of.id, `payout_${day}_${currency}`, kind, currency],
        ...[amount, fee, amount - fee].map(one => signed(one, currency)),
        ...[at, paid_at].map(one => new Date(one).toISOString()),
      ]),
    ),
  ])

const isOperation = (of: Operation | Dispute): of is Operation => 'type' in of
