// Adyen's settlement details reports: a batch for each day that is over, numbered from 1, for the report user only.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type BalanceMovement, csvOf, type DayPayout, dayPayouts } from '../balance.ts'
import type { Account } from '../books.ts'
import { spoilt, takeFault } from '../calls.ts'
import type { Desk } from '../desk.ts'
import type { Operation } from '../records.ts'
import { majorText } from '../units.ts'
import { accountOf } from '../who.ts'
import { modificationNote, paymentNote, pspOf } from './adyen-documents.ts'
import { basic } from './language.ts'

type Params = { Params: { merchant: string; file: string } }

/** The account whose report user sends this request; null for any other. */
function accountOfUser({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const [user, password] = basic(headers) ?? []
  const key = password ?? (typeof headers['x-api-key'] === 'string' ? headers['x-api-key'] : undefined)
  if (key === undefined || (user !== undefined && !user.startsWith('report@'))) return null
  try {
    return accountOf({ headers: { authorization: `Bearer ${key}` } })
  } catch {
    return null
  }
}

export function openAdyenReports(app: FastifyInstance, desk: Desk): void {
  app.get<Params>('/adyen/reports/download/MerchantAccount/:merchant/:file', (request, reply) => give(desk, request, reply))
}

async function give(desk: Desk, request: FastifyRequest<Params>, reply: FastifyReply): Promise<FastifyReply> {
  const name = accountOfUser(request)
  if (name === null) return reply.code(401).header('www-authenticate', 'Basic realm="Adyen reports"').send('')
  const order = takeFault(desk, name, 'lookup') ?? { fault: undefined, ms: 0 }
  return spoilt(desk, { request, reply }, { name, call: 'lookup' }, order, {
    withoutEffect: () => {},
    effect() {
      const account = desk.account(name)
      const { merchant, file } = request.params
      const report = reportOf(account, merchant, file, desk.now(account))
      return { status: report === null ? 404 : 200, replayed: false, body: Buffer.from(report ?? '') }
    },
  })
}

const titles =
  'Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation Date,TimeZone,Booking Date,Booking Date TimeZone,Type,Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC),Exchange Rate,Net Currency,Net Debit (NC),Net Credit (NC),Commission (NC),Markup (NC),Scheme Fees (NC),Interchange (NC),Payment Method Variant,Modification Merchant Reference,Batch Number'
const columns = titles.split(',')

function reportOf(account: Account, merchant: string, file: string, now: number): string | null {
  const batch = Number(/^settlement_detail_report_batch_(\d+)\.csv$/.exec(file)?.[1] ?? 0)
  const days = Map.groupBy(dayPayouts(account, 'adyen', now), ({ day }) => day)
  const payouts = [...days].toSorted(([a], [b]) => (a < b ? -1 : 1))[batch - 1]?.[1]
  const isIts = (payout: DayPayout) => payout.movements.some(({ payment }) => paymentNote(account, payment.id).merchantAccount === merchant)
  if (!payouts?.some(isIts)) return null
  const rows = payouts.flatMap(payout => [...payout.movements.map(one => movementRow(account, one)), payoutRow(payout, batch)])
  return csvOf([
    columns,
    ...rows.map(row => columns.map(name => ({ ...row, 'Merchant Account': merchant, 'Batch Number': String(batch) })[name] ?? '')),
  ])
}

type Fields = Record<string, string>

const types: Record<BalanceMovement['kind'], string> = {
  ...{ charge: 'Settled', refund: 'Refunded', refund_failure: 'RefundedReversed', chargeback: 'Chargeback' },
  ...{ chargeback_reversal: 'ChargebackReversed', transfer: 'PaidOut', transfer_failure: 'PaidOutReversed' },
}

const inColumns = (kind: 'Gross' | 'Net', unit: 'GC' | 'NC', amount: number, currency: string): Fields => ({
  [`${kind} ${amount < 0 ? 'Debit' : 'Credit'} (${unit})`]: majorText(Math.abs(amount), currency),
})

const bookedAt = (at: number): Fields => ({
  ...{ 'Creation Date': timeOf(at), TimeZone: 'UTC', 'Booking Date': timeOf(at), 'Booking Date TimeZone': 'UTC' },
})
const timeOf = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ')

function movementRow(account: Account, { kind, of, payment, amount, fee, currency, at }: BalanceMovement): Fields {
  const operation = 'type' in of ? (of as Operation) : null
  const isOwn = operation !== null && operation.type !== 'authorization' && operation.type !== 'payout'
  return {
    ...{ 'Company Account': 'Sandbox', 'Psp Reference': pspOf(payment.id), 'Merchant Reference': payment.reference, ...bookedAt(at) },
    ...{
      Type: types[kind],
      'Modification Reference': pspOf(of.id),
      'Gross Currency': currency,
      'Net Currency': currency,
      'Exchange Rate': '1',
    },
    ...inColumns('Gross', 'GC', amount, currency),
    ...inColumns('Net', 'NC', amount - fee, currency),
    ...(fee !== 0 && { 'Commission (NC)': majorText(fee, currency) }),
    ...(isOwn && { 'Modification Merchant Reference': modificationNote(account, operation.id)?.reference ?? '' }),
  }
}

const payoutRow = ({ currency, net, paid_at }: DayPayout, batch: number): Fields => ({
  ...{
    'Company Account': 'Sandbox',
    Type: 'MerchantPayout',
    'Modification Reference': `TX${batch}${currency}XT batch ${batch}`,
    ...bookedAt(paid_at),
  },
  'Net Currency': currency,
  ...inColumns('Net', 'NC', -net, currency),
})
