import type { Currency } from '../../base/currencies.ts'
import type { SettlementLine, SettlementReader, SettlementType } from '../line.ts'
import { asFee, blank, hasColumns, Problem, type Read, readTable, reserved, Sums, type TitledRow, type Titles, told } from './kit.ts'
import { readReportTime } from './times.ts'

/** Columns of the reports of financial actions, by payout and by date. */
const actions = {
  action_type: ['Action Type'],
  action: ['Action ID'],
  payment: ['Payment ID'],
  ours: ['Reference'],
  processed: ['Processed On UTC', 'Processed On'],
  original_currency: ['Processing Currency'],
  original: ['Processing Currency Amount'],
  rate: ['FX Rate Applied'],
  currency: ['Holding Currency'],
  amount: ['Holding Currency Amount'],
  payout: ['Payout ID', 'Settlement ID'],
  breakdown: ['Breakdown Type'],
  detail: ['Fee Detail'],
} satisfies Titles<string>

type Action = TitledRow<keyof typeof actions>

/**
 * The meaning of a breakdown type. Fees and taxes are named by their endings, a
 * chargeback's step by its code; an amount that came back has the other sign.
 */
function typeOf(name: string, amount: number, isOfPayment: boolean): SettlementType {
  const word = name.toLowerCase()
  const has = (...parts: string[]) => parts.some(part => word.includes(part))
  if (/ (?:fee|fees|tax)$/.test(word) || has('fee tax')) return 'fee'
  if (has('reserve', 'security deposit', 'operational funding', 'collateral')) return reserved(amount)
  if (word.startsWith('chargeback') || word.startsWith('dispute')) return amount > 0 ? 'chargeback_reversal' : 'chargeback'
  if (has('clearing failed')) return amount > 0 ? 'refund_failure' : 'charge'
  if (has('refund')) return amount > 0 ? 'refund_failure' : 'refund'
  if (has('capture') || word === 'charge' || word === 'payment') return 'charge'
  if (has('card payout', 'bank payout', 'pay to card', 'pay to bank', 'pay out')) return amount > 0 ? 'transfer_failure' : 'transfer'
  if (has('payout')) return isOfPayment ? (amount > 0 ? 'transfer_failure' : 'transfer') : amount > 0 ? 'payout_failure' : 'payout'
  if (word === 'top up') return 'deposit'
  if (word === 'invoice settlement') return 'invoice'
  if (has('adjustment', 'discrepancy', 'negative position', 'balance correction')) return 'adjustment'
  return 'unknown'
}

type Rests = { fees: Sums; others: Sums; at: number }

/** Fractions of the lowest denomination, in 10^-8 of it, by payout and currency. */
const FINE = 100_000_000

const restKey = (line: SettlementLine): string => `${line.currency} ${line.batch ?? ''}`

/** The sum of a batch is exact: what single lines rounded off is one more line, which the same lines always give. */
function* rounded({ fees, others, at }: Rests): Generator<Read> {
  for (const [sums, type] of [[fees, 'fee'], [others, 'adjustment']] as const) // biome-ignore format: a table
    for (const [key, rest] of sums.entries()) {
      const amount = Math.round(rest / FINE)
      if (amount === 0) continue
      const [currency, batch] = [key.slice(0, 3) as Currency, key.slice(4) || null]
      const reference = batch === null ? null : `${batch}/${currency}/rounding of ${type === 'fee' ? 'fees' : 'amounts'}`
      const line = { ...blank(at, type, currency), batch, reference, gross: amount, net: amount, description: 'Rounding' }
      yield type === 'fee' ? asFee(line) : line
    }
}

function originalOf(row: Action, line: SettlementLine): SettlementLine['original'] {
  const code = row.text('original_currency')
  if (code === '' || code.toUpperCase() === line.currency) return null
  const currency = row.currency('original_currency')
  const { amount } = row.fine('original', currency)
  return amount === 0 ? null : { amount, currency, rate: row.id('rate') }
}

function actionLine(row: Action, rests: Rests): SettlementLine | null {
  if (row.text('amount') === '') return null
  const currency = row.currency('currency')
  const { amount, rest } = row.fine('amount', currency)
  const name = row.text('breakdown') || row.text('action_type')
  if (name === '') throw new Problem('has no breakdown type')
  const [action, payout, payment_reference] = [row.id('action'), row.id('payout'), row.id('payment')]
  const type = typeOf(name, amount, payment_reference !== null)
  const isPayout = type === 'payout' && payout !== null
  const line: SettlementLine = {
    ...blank(row.at, type, currency),
    request_id: row.id('ours'),
    // One row is one part of an action: its amount, and each of its fees.
    reference: isPayout ? payout : action === null ? null : [action, name, row.text('detail')].filter(Boolean).join('/'),
    object_reference: isPayout ? payout : action,
    payment_reference,
    batch: payout,
    gross: amount,
    net: amount,
    booked_at: readReportTime(row.text('processed')),
    description: name,
  }
  if (rest !== 0) (type === 'fee' ? rests.fees : rests.others).add(restKey(line), rest)
  if (amount === 0) return null
  return type === 'fee' ? asFee(line) : { ...line, original: originalOf(row, line) }
}

type Rows = Parameters<SettlementReader['read']>[0]

function readActions(rows: Rows): AsyncIterable<Read> {
  const rests: Rests = { fees: new Sums(), others: new Sums(), at: 1 }
  return readTable(rows, {
    titles: actions,
    needed: ['action_type', 'action', 'payment', 'currency', 'amount', 'payout'],
    amounts: ['amount', 'original'],
    line(row) {
      rests.at = row.at
      return actionLine(row, rests)
    },
    end: () => rounded(rests),
  })
}

/**
 * Checkout.com's financial actions, by payout and by date: each row is one part of an action, of up to eight decimals.
 * checkout.com/docs/funds-management/retrieve-financial-reports/settlement-reports, financial actions by payout ID
 */
export const checkoutActions: SettlementReader = {
  name: 'checkout_financial_actions',
  connector: 'checkout',
  title: 'Checkout.com: financial actions',
  matches: header => hasColumns(header, actions, ['action_type', 'action', 'payment', 'currency', 'amount', 'payout']),
  read: readActions,
}

const breakdown = {
  payout: ['Payout ID', 'Settlement ID'],
  gross: ['Gross In Holding Currency'],
  net: ['Net In Holding Currency'],
} satisfies Titles<string>

/**
 * Checkout.com's settlement breakdown and balance breakdown have the movements of the financial actions without their
 * ids: reading both would post fees twice, so only the financial actions are read.
 * checkout.com/docs/funds-management/retrieve-financial-reports/settlement-reports/settlement-breakdown-report
 */
export const checkoutBreakdown: SettlementReader = {
  name: 'checkout_settlement_breakdown',
  connector: 'checkout',
  title: 'Checkout.com: settlement breakdown (not read)',
  matches: header => hasColumns(header, breakdown, ['payout', 'gross', 'net']),
  read: rows => told(rows, () => 'has no action id: the report of financial actions has this movement with its id'),
}
