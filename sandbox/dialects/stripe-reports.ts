// Stripe's Reports API: report types, runs, and the files that they make.

import { type BalanceMovement, csvOf, dayPayouts, idFrom, movementsIn } from '../balance.ts'
import type { Account } from '../books.ts'
import { draw } from '../context.ts'
import type { Document } from '../records.ts'
import { signed } from '../units.ts'
import type { ApiCall, CallResult } from './stripe-calls.ts'
import { chargeId, documentOf, type Intent, type RefundNote, refundId, seconds } from './stripe-documents.ts'
import { integer, list, need, nested, only } from './stripe-form.ts'
import type { Read } from './stripe-reads.ts'
import { invalid, missing } from './stripe-refusals.ts'

type ReportRun = Document & {
  object: 'reporting.report_run'
  type: string
  from: number
  until: number
  columns: string[]
  file: string
  created: number
}

const HALF_DAY_S = 12 * 3600
/** How long a run takes, in seconds. */
const TAKES_S = 40
const AVAILABLE_FROM = Date.UTC(2020, 0, 1) / 1000

const movementColumns = [
  ...['balance_transaction_id', 'created_utc', 'currency', 'gross', 'fee', 'net', 'reporting_category', 'source_id', 'description'],
  ...['customer_facing_amount', 'customer_facing_currency', 'charge_id', 'payment_intent_id'],
]
const payoutColumns = ['automatic_payout_id', 'automatic_payout_effective_at_utc']
const ownPayout = ['payout_id', 'effective_at_utc', 'balance_transaction_id', 'currency', 'gross', 'fee', 'net', 'reporting_category']

/** By report type: its columns, the first ones of which are given without a choice. */
const types: Record<string, string[]> = {
  'payout_reconciliation.itemized.5': [...payoutColumns, ...movementColumns],
  'balance_change_from_activity.itemized.3': movementColumns,
  'payouts.itemized.3': ownPayout,
}
const metadataColumn = /^(payment|refund|transfer)_metadata\[\w{1,40}\]$/

const typeNamed = (id: string): string[] => {
  if (!Object.hasOwn(types, id)) throw missing('report type', id)
  return types[id]!
}

const availableUntil = (now: number): number => Math.floor(now / 1000 / HALF_DAY_S) * HALF_DAY_S

export const readReportType: Read = ({ id, now }) => ({
  id,
  object: 'reporting.report_type',
  data_available_start: AVAILABLE_FROM,
  data_available_end: availableUntil(now),
  default_columns: typeNamed(id),
  livemode: false,
  name: id,
  updated: availableUntil(now),
  version: 1,
})

export function createReportRun({ form, turn }: ApiCall): CallResult {
  only(form, ['report_type', 'parameters', 'expand'])
  const type = need(form, 'report_type')
  const known = typeNamed(type)
  const parameters = nested(form, 'parameters')
  only(parameters, ['interval_start', 'interval_end', 'columns', 'timezone', 'currency'], 'parameters')
  const [from, until] = ['interval_start', 'interval_end'].map(name => {
    const at = integer(parameters, name)
    if (at === null) throw invalid('parameter_missing', `Missing required param: parameters[${name}].`, `parameters[${name}]`)
    if (at <= AVAILABLE_FROM || at >= availableUntil(turn.at))
      throw invalid('parameter_invalid_integer', `The value of ${name} is outside the data that is available`, `parameters[${name}]`)
    return at
  }) as [number, number]
  if (from >= until) throw invalid('parameter_invalid_integer', 'interval_start must be before interval_end', 'parameters[interval_start]')
  const asked = list(parameters, 'columns')
  const strange = asked.find(one => !known.includes(one) && !metadataColumn.test(one))
  if (strange !== undefined) throw invalid('parameter_invalid', `Invalid column: ${strange}`, 'parameters[columns]')
  const run: ReportRun = {
    ...{ id: `frr_${draw(turn.context, 24)}`, object: 'reporting.report_run', type, from, until, file: `file_${draw(turn.context, 24)}` },
    ...{ columns: asked.length > 0 ? asked : known, created: seconds(turn.at) },
  }
  return { change: { documents: [run] }, status: 200, body: showRun(run, turn.at, '') }
}

export const readReportRun: Read = ({ account, id, now, url }) => {
  const run = account.documents.get(id) as ReportRun | undefined
  if (run?.object !== 'reporting.report_run') throw missing('report run', id)
  return showRun(run, now, url)
}

function showRun({ id, type, from, until, columns, file, created }: ReportRun, now: number, url: string): object {
  const isDone = seconds(now) >= created + TAKES_S
  const result = {
    ...{ id: file, object: 'file', created: created + TAKES_S, expires_at: created + 365 * 2 * HALF_DAY_S, filename: `${id}.csv` },
    ...{ purpose: 'finance_report_run', title: type, type: 'csv', url: `${url}/stripe/v1/files/${file}/contents` },
  }
  return {
    ...{ id, object: 'reporting.report_run', created, error: null, livemode: false, report_type: type },
    parameters: { interval_start: from, interval_end: until, columns },
    ...{ status: isDone ? 'succeeded' : 'pending', result: isDone ? result : null, succeeded_at: isDone ? created + TAKES_S : null },
  }
}

/** The contents of a run's file; null if there is none, or not yet. */
export function reportFile(account: Account, file: string, now: number): string | null {
  const run = [...account.documents.values()].find((one): one is ReportRun => (one as ReportRun).file === file)
  if (!run || seconds(now) < run.created + TAKES_S) return null
  const rows = run.type.startsWith('payouts') ? payoutRows(account, run) : movementRows(account, run)
  return csvOf([run.columns, ...rows.map(row => run.columns.map(name => row[name] ?? ''))])
}

type Fields = Record<string, string>
const timeOf = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ')
const amounts = (currency: string, gross: number, fee: number): Fields => ({
  currency: currency.toLowerCase(),
  gross: signed(gross, currency),
  fee: signed(fee, currency),
  net: signed(gross - fee, currency),
})

const payoutsIn = (account: Account, { from, until }: ReportRun) =>
  dayPayouts(account, 'stripe', until * 1000 - 1).filter(({ paid_at }) => paid_at >= from * 1000)
const payoutId = (day: string, currency: string): string => `po_${idFrom(24, day, currency)}`

function payoutRows(account: Account, run: ReportRun): Fields[] {
  return payoutsIn(account, run).map(({ day, currency, net, paid_at }) => ({
    payout_id: payoutId(day, currency),
    effective_at_utc: timeOf(paid_at),
    balance_transaction_id: `txn_${idFrom(24, day, currency)}`,
    reporting_category: 'payout',
    ...amounts(currency, -net, 0),
  }))
}

function movementRows(account: Account, run: ReportRun): Fields[] {
  if (!run.type.startsWith('payout_reconciliation'))
    return movementsIn(account, 'stripe')
      .filter(({ at }) => at >= run.from * 1000 && at < run.until * 1000)
      .map(one => fieldsOf(account, one))
  return payoutsIn(account, run).flatMap(({ day, currency, movements, paid_at }) =>
    movements.map(one => ({
      ...fieldsOf(account, one),
      automatic_payout_id: payoutId(day, currency),
      automatic_payout_effective_at_utc: timeOf(paid_at),
    })),
  )
}

const categories: Record<BalanceMovement['kind'], string> = {
  ...{ charge: 'charge', refund: 'refund', refund_failure: 'refund_failure' },
  ...{ chargeback: 'dispute', chargeback_reversal: 'dispute_reversal', transfer: 'transfer', transfer_failure: 'transfer_reversal' },
}

function fieldsOf(account: Account, { kind, of, payment, amount, fee, currency, at }: BalanceMovement): Fields {
  const intent = documentOf<Intent>(account, payment.document ?? null, 'payment_intent')
  const note = documentOf<RefundNote>(account, refundId(of.id), 'refund_note')
  const [charge, transfer] = [chargeId(payment.id), of.id.replace('pout_', 'tr_')]
  const source = kind === 'charge' ? charge : kind.startsWith('refund') ? refundId(of.id) : kind.startsWith('transfer') ? transfer : of.id
  const isTransfer = kind.startsWith('transfer')
  const metadata = Object.entries((isTransfer ? documentOf(account, transfer, 'transfer')?.metadata : intent?.metadata) ?? {})
  return {
    balance_transaction_id: `txn_${idFrom(24, kind, of.id)}`,
    created_utc: timeOf(at),
    ...amounts(currency, amount, fee),
    reporting_category: categories[kind],
    source_id: source,
    description: intent?.description ?? '',
    ...(!isTransfer && { charge_id: charge, payment_intent_id: intent?.id ?? '' }),
    ...Object.fromEntries(metadata.map(([name, value]) => [`${isTransfer ? 'transfer' : 'payment'}_metadata[${name}]`, value])),
    ...Object.fromEntries(Object.entries(note?.metadata ?? {}).map(([name, value]) => [`refund_metadata[${name}]`, value])),
  }
}
