// Checkout.com's Reports API: the financial actions of each payout, whose files are given for 90 days.

import { type BalanceMovement, csvOf, type DayPayout, dayPayouts, idFrom } from '../balance.ts'
import type { Operation } from '../records.ts'
import { Refusal } from '../refusals.ts'
import { signed } from '../units.ts'
import { invalid } from './checkout-read.ts'
import { actionIdOf, named, paymentIdOf } from './checkout-show.ts'
import type { ApiCall, CallResult, Language } from './language.ts'

const KEPT_MS = 90 * 24 * 3600_000
const MOST = 100

const payoutIdOf = ({ day, currency }: DayPayout): string => `P${idFrom(10, day, currency).toUpperCase()}`
const reportIdOf = ({ day, currency }: DayPayout): string => `rpt_${idFrom(26, 'report', day, currency).toLowerCase()}`
const fileIdOf = ({ day, currency }: DayPayout): string => `file_${idFrom(26, 'file', day, currency).toLowerCase()}`

const payoutsOf = ({ account, turn }: ApiCall): DayPayout[] => dayPayouts(account, 'checkout', turn.at)

function show(payout: DayPayout, url: string): object {
  const { day, paid_at } = payout
  const self = `${url}/checkout/reports/${reportIdOf(payout)}`
  const created_on = new Date(paid_at).toISOString()
  const file = {
    ...{ id: fileIdOf(payout), filename: `financial-actions_ent_sandbox_${day.replaceAll('-', '')}_1.csv`, format: 'CSV' },
    _links: { self: { href: `${self}/files/${fileIdOf(payout)}` } },
  }
  return {
    ...{ id: reportIdOf(payout), created_on, last_modified_on: created_on, type: 'FinancialActionsByPayout' },
    ...{ description: 'Financial actions of a payout', account: { client_id: 'cli_sandbox', entity_id: 'ent_sandbox' } },
    ...{ tags: [`payout_id:${payoutIdOf(payout)}`], from: `${day}T00:00:00Z`, to: created_on, files: [file] },
    _links: { self: { href: self } },
  }
}

function timeIn(query: ApiCall['query'], name: string): number | null {
  if (query[name] === undefined) return null
  const at = Date.parse(String(query[name]))
  if (Number.isNaN(at)) throw invalid(`${name}_invalid`)
  return at
}

function list(asked: ApiCall): CallResult {
  const { query, url } = asked
  const [after, before] = [timeIn(query, 'created_after') ?? 0, timeIn(query, 'created_before') ?? Infinity]
  const limit = Number(query.limit ?? MOST)
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST) throw invalid('limit_invalid')
  const from = Number(query.pagination_token ?? 0)
  const all = payoutsOf(asked)
    .filter(({ paid_at }) => paid_at >= after && paid_at < before)
    .toReversed()
  const data = all.slice(from, from + limit).map(one => show(one, url))
  const next =
    all.length > from + limit ? { next: { href: `${url}/checkout/reports?limit=${limit}&pagination_token=${from + limit}` } } : {}
  return { body: { count: data.length, limit, data, _links: { self: { href: `${url}/checkout/reports` }, ...next } } }
}

function reportIn(asked: ApiCall): DayPayout {
  const found = payoutsOf(asked).find(one => reportIdOf(one) === asked.params.id)
  if (!found) throw new Refusal('not_found', 'No such report')
  return found
}

function file(asked: ApiCall): CallResult {
  const report = reportIn(asked)
  const isKept = asked.turn.at - report.paid_at < KEPT_MS
  if (asked.params.file !== fileIdOf(report) || !isKept) throw new Refusal('not_found', 'No such file')
  return { body: Buffer.from(csvOf([Object.keys(blank), ...rowsOf(report).map(row => Object.values({ ...blank, ...row }))])) }
}

const titles =
  'Client Entity ID,Client Entity Name,Sub Entity ID,Processing Channel ID,Currency Account ID,Action Type,Action ID,Payment ID,Requested On UTC,Processed On UTC,Processing Currency,FX Rate Applied,Holding Currency,Payout ID,Reference,Payment Method,Breakdown Type,Processing Currency Amount,Holding Currency Amount,Fee Detail'
const blank: Record<string, string> = Object.fromEntries(titles.split(',').map(title => [title, '']))

const actions: Record<BalanceMovement['kind'], [action: string, breakdown: string]> = {
  charge: ['Capture', 'Capture'],
  refund: ['Refund', 'Refund'],
  refund_failure: ['Refund', 'Refund Reversal'],
  chargeback: ['Chargeback', 'Chargeback (ADJM)'],
  chargeback_reversal: ['Chargeback', 'Chargeback (RPDW)'],
  transfer: ['Card Payout', 'Card Payout'],
  transfer_failure: ['Card Payout', 'Card Payout Return'],
}

const atTime = (at: number): string => new Date(at).toISOString().replace('Z', '')

function rowsOf(payout: DayPayout): Record<string, string>[] {
  const { currency, net, paid_at, day } = payout
  const shared = {
    ...{ 'Client Entity ID': 'ent_sandbox', 'Client Entity Name': 'Sandbox', 'Processing Channel ID': 'pc_sandbox' },
    ...{ 'Currency Account ID': 'ca_sandbox', 'Processing Currency': currency, 'Holding Currency': currency, 'FX Rate Applied': '1' },
    'Payout ID': payoutIdOf(payout),
  }
  const amount = (value: number) => ({
    'Processing Currency Amount': signed(value, currency),
    'Holding Currency Amount': signed(value, currency),
  })
  const moved = payout.movements.flatMap(({ kind, of, payment, amount: gross, fee, at }) => {
    const [action, breakdown] = actions[kind]
    const operation = 'type' in of ? (of as Operation) : null
    const row = {
      ...shared,
      ...{ 'Action Type': action, 'Action ID': actionIdOf(of.id), 'Payment ID': paymentIdOf(payment.id) },
      ...{ 'Requested On UTC': atTime(at), 'Processed On UTC': atTime(at), Reference: (operation && named(operation).reference) ?? '' },
    }
    const parts = [{ ...row, 'Breakdown Type': breakdown, ...amount(gross) }]
    return fee === 0 ? parts : [...parts, { ...row, 'Breakdown Type': `${action} Fixed Fee`, ...amount(-fee) }]
  })
  const paid = {
    ...shared,
    ...{ 'Action Type': 'Payout', 'Action ID': `pyt_${idFrom(20, day, currency)}`, 'Breakdown Type': 'Payout' },
    ...{ 'Requested On UTC': atTime(paid_at), 'Processed On UTC': atTime(paid_at), ...amount(-net) },
  }
  return [...moved, paid]
}

export const reportCalls: Language['calls'] = [
  { method: 'GET', path: '/reports', call: 'lookup', act: list },
  { method: 'GET', path: '/reports/:id', call: 'lookup', act: asked => ({ body: show(reportIn(asked), asked.url) }) },
  { method: 'GET', path: '/reports/:id/files/:file', call: 'lookup', act: file },
]
