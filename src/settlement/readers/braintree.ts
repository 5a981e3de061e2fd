import type { SettlementLine, SettlementReader, SettlementType } from '../line.ts'
import { blank, hasColumns, Problem, placesOf, readTable, type TitledRow, type Titles, told } from './kit.ts'
import { readReportTime } from './times.ts'

const titles = {
  merchant: ['Merchant Account ID', 'Merchant Account Token', 'Merchant Account'],
  id: ['Transaction ID', 'Record ID'],
  about: ['Original Transaction ID', 'Refunded Transaction ID'],
  type: ['Transaction Type', 'Record Type', 'Type'],
  original_currency: ['Presentment Currency', 'Currency ISO Code'],
  original: ['Original Sale Amount', 'Presentment Amount', 'Amount Authorized'],
  currency: ['Settlement Currency', 'Settlement Currency ISO Code', 'Currency'],
  amount: ['Settlement Amount', 'Gross Settlement Amount'],
  settled: ['Settlement Date'],
  disbursed: ['Disbursement Date'],
  rate: ['Exchange Rate', 'Settlement Exchange Rate', 'Settlement Currency Exchange Rate'],
  ours: ['Order ID'],
  fee: ['Total Fee Amount', 'Total Net Fees'],
  transfer: ['Transfer ID', 'Transfer ID(s)', 'Disbursement ID'],
} satisfies Titles<string>
type Name = keyof typeof titles

const needed = ['id', 'type', 'currency', 'amount'] as const

/** In lower case. A type of a movement out of the account is negative, however the report signs it. */
const types: Readonly<Record<string, SettlementType>> = {
  ...{ sale: 'charge', installment: 'charge' },
  ...{ credit: 'refund', refund: 'refund', 'refund failed': 'refund_failure' },
  ...{ 'dispute debit': 'chargeback', dispute: 'chargeback', chargeback: 'chargeback', 'disputed transaction': 'chargeback' },
  ...{ 'dispute credit': 'chargeback_reversal', 'chargeback reversal': 'chargeback_reversal' },
  ...{ adjustment: 'adjustment', return: 'adjustment', reserve: 'adjustment' },
}
const outgoing: readonly SettlementType[] = ['refund', 'chargeback']

/** The id as the API has it, which the connector knows. */
const globalIdOf = (type: 'transaction' | 'refund' | 'dispute', id: string): string =>
  Buffer.from(`${type}_${id}`).toString('base64').replace(/=/g, '')

function objectOf(type: SettlementType, id: string): string {
  return globalIdOf(type.startsWith('refund') ? 'refund' : type.startsWith('chargeback') ? 'dispute' : 'transaction', id)
}

function line(row: TitledRow<Name>): SettlementLine | null {
  const currency = row.currency('currency')
  const amount = row.amount('amount', currency)
  const word = row.text('type').toLowerCase()
  const [id, about] = [row.id('id'), row.id('about')]
  if (amount === null) return null
  if (id === null) throw new Problem('has no transaction id')
  const type = Object.hasOwn(types, word) ? types[word]! : 'unknown'
  const gross = outgoing.includes(type) ? 0 - Math.abs(amount) : amount
  // An estimate of fees (`Est. Total Fee Amount`) is what a later invoice will contain, not what was kept.
  const fee = row.amount('fee', currency) ?? 0
  const [settled, disbursed] = [readReportTime(row.text('settled')), readReportTime(row.text('disbursed'))]
  const day = disbursed?.slice(0, 10) ?? null
  return {
    ...blank(row.at, type, currency),
    request_id: row.id('ours'),
    reference: id,
    object_reference: objectOf(type, id),
    payment_reference: type === 'charge' ? objectOf(type, id) : about === null ? null : globalIdOf('transaction', about),
    batch: row.id('transfer') ?? (day === null ? null : [row.id('merchant'), day, currency].filter(Boolean).join('/')),
    gross,
    fee,
    net: gross - fee,
    original: originalOf(row, currency, gross),
    booked_at: settled ?? disbursed,
    paid_at: disbursed,
    description: type === 'unknown' || type === 'adjustment' ? row.text('type') : null,
  }
}

function originalOf(row: TitledRow<Name>, currency: string, gross: number): SettlementLine['original'] {
  const code = row.text('original_currency')
  if (code === '' || code.toUpperCase() === currency) return null
  const before = row.currency('original_currency')
  const amount = Math.abs(row.amount('original', before) ?? 0)
  return amount === 0 ? null : { amount: gross < 0 ? -amount : amount, currency: before, rate: row.id('rate') }
}

/**
 * Braintree's reports of transactions with their settlement amounts: transaction-level fees, and exports of settled
 * transactions. developer.paypal.com/braintree/docs/reference/request/report/transaction-level-fees
 */
export const braintreeTransactions: SettlementReader = {
  name: 'braintree_transactions',
  connector: 'braintree',
  title: 'Braintree: transaction-level fees, or an export of settled transactions',
  matches: header => hasColumns(header, titles, needed) && header.some(title => /disbursement|settlement date|transfer/i.test(title)),
  read: rows => readTable(rows, { titles, needed, amounts: ['amount', 'fee'], line }),
}

/** Of the settlement batch summary: totals by kind and brand of card. */
const summary = {
  kind: ['kind', 'Transaction Type'],
  count: ['count', 'Transaction Count'],
  amount: ['amount_settled', 'Amount Settled'],
} satisfies Titles<string>

/**
 * Braintree's settlement batch summary has totals only: none of its rows can be matched, and each says so.
 * developer.paypal.com/braintree/docs/reference/request/settlement-batch-summary/generate
 */
export const braintreeSummary: SettlementReader = {
  name: 'braintree_batch_summary',
  connector: 'braintree',
  title: 'Braintree: settlement batch summary (totals only)',
  matches: header => hasColumns(header, summary, ['kind', 'count', 'amount']),
  read: rows =>
    told(rows, (fields, header) => {
      const count = fields[placesOf(header, summary).count] || 'several'
      return `is a total of ${count} transactions: the report of transactions has their lines`
    }),
}
