import type { Currency } from '../../base/currencies.ts'
import type { SettlementLine, SettlementReader, SettlementType } from '../line.ts'
import { asFee, blank, hasColumns, Problem, type Read, readTable, reserved, Sums, type TitledRow, type Titles, unread } from './kit.ts'
import { readReportTime } from './times.ts'

/** Columns of the settlement details report, in all of its orders. */
const details = {
  merchant: ['Merchant Account'],
  payment: ['Psp Reference'],
  ours: ['Merchant Reference'],
  created: ['Creation Date'],
  zone: ['TimeZone', 'Time Zone'],
  booked: ['Booking Date'],
  booked_zone: ['Booking Date TimeZone', 'Booking Date Time Zone'],
  type: ['Type', 'Journal Type'],
  modification: ['Modification Reference', 'Modification Psp Reference'],
  modification_ours: ['Modification Merchant Reference'],
  original_currency: ['Gross Currency'],
  debit: ['Gross Debit (GC)'],
  credit: ['Gross Credit (GC)'],
  rate: ['Exchange Rate'],
  currency: ['Net Currency'],
  net_debit: ['Net Debit (NC)'],
  net_credit: ['Net Credit (NC)'],
  commission: ['Commission (NC)'],
  markup: ['Markup (NC)'],
  scheme: ['Scheme Fees (NC)', 'Scheme Fee (NC)'],
  interchange: ['Interchange (NC)'],
  batch: ['Batch Number'],
} satisfies Titles<string>

/** Columns of the payments accounting report. */
const accounting = {
  merchant: ['Merchant Account'],
  payment: ['Psp Reference'],
  ours: ['Merchant Reference'],
  booked: ['Booking Date'],
  zone: ['TimeZone', 'Time Zone'],
  type: ['Record Type'],
  modification: ['Modification Psp Reference', 'Modification Reference'],
  modification_ours: ['Modification Merchant Reference'],
  original_currency: ['Payment Currency'],
  captured: ['Captured (PC)'],
  rate: ['Exchange Rate'],
  currency: ['Settlement Currency'],
  payable: ['Payable (SC)'],
  commission: ['Commission (SC)'],
  markup: ['Markup (SC)'],
  scheme: ['Scheme Fees (SC)'],
  interchange: ['Interchange (SC)'],
  batch: ['Settlement Batch', 'Batch Number'],
} satisfies Titles<string>

type Details = TitledRow<keyof typeof details>
type Accounting = TitledRow<keyof typeof accounting>

/** Journal types, in lower case. Of a deposit and of a reserve the sign says whether Adyen withholds or releases. */
const types: Readonly<Record<string, SettlementType>> = {
  ...{ settled: 'charge', settledreversed: 'charge', settledinstallment: 'charge', settledbulk: 'charge' },
  ...{ refunded: 'refund', refundedbulk: 'refund', refundedreversed: 'refund_failure' },
  ...{ chargeback: 'chargeback', secondchargeback: 'chargeback', chargebackreversed: 'chargeback_reversal' },
  ...{ paidout: 'transfer', refundedwithdata: 'transfer', paidoutreversed: 'transfer_failure' },
  ...{ fee: 'fee', misccosts: 'fee', paymentcost: 'fee', authorisationschemefee: 'fee', advancementcommission: 'fee' },
  ...{ merchantpayout: 'payout', bankinstructionreturned: 'payout_failure' },
  ...{ merchantpayin: 'deposit', matchedstatement: 'deposit' },
  ...{ depositcorrection: 'reserve', reserveadjustment: 'reserve' },
  ...{ balancetransfer: 'balance_transfer', invoicededuction: 'invoice' },
  ...{ manualcorrected: 'adjustment', internalcompanypayout: 'adjustment', advancement: 'adjustment' },
}

function typeOf(word: string, net: number): SettlementType {
  const name = word.toLowerCase()
  const type = Object.hasOwn(types, name) ? types[name]! : 'unknown'
  return type === 'reserve' ? reserved(net) : type
}

/** Batches are numbered for each merchant account, and paid for each currency. */
function batchOf(row: Details | Accounting, currency: Currency): string | null {
  const batch = row.id('batch')
  return batch === null ? null : [row.id('merchant'), batch, currency].filter(Boolean).join('/')
}

const feesOf = (row: Details | Accounting, currency: Currency): number =>
  (['commission', 'markup', 'scheme', 'interchange'] as const).reduce((sum, name) => sum + row.fine(name, currency).amount, 0)

/** Members that a line about a payment and a line about a batch have in common. */
function lineOf(row: Details | Accounting, word: string, currency: Currency, net: number): SettlementLine {
  const type = typeOf(word, net)
  const modification = row.id('modification')
  const payment_reference = row.id('payment')
  const base = { ...blank(row.at, type, currency), batch: batchOf(row, currency), gross: net, net }
  // Without a payment the reference is only a text, which other batches repeat.
  const about = payment_reference === null ? null : (modification ?? payment_reference)
  return {
    ...base,
    request_id: row.id('modification_ours', 'ours'),
    // The first and the second chargeback of one dispute have the same reference.
    reference: about === null ? null : word.toLowerCase() === 'secondchargeback' ? `${about}/second` : about,
    object_reference: about,
    payment_reference,
    description: about === null || type === 'unknown' ? [word, modification].filter(Boolean).join(': ') : null,
  }
}

/**
 * Gross as the payment had it, with the sign that net and fees give it: reports have had `Settled` in either column.
 * In another currency gross is net and fees, and the payment's amount is the original.
 */
function withFees(
  line: SettlementLine,
  fees: number,
  original: { amount: number; currency: Currency; rate: string | null } | null,
): SettlementLine {
  const gross = line.net + fees
  if (original === null || original.amount === 0) return { ...line, gross, fee: fees }
  const amount = Math.abs(original.amount) * (gross < 0 || (gross === 0 && original.amount < 0) ? -1 : 1)
  if (original.currency === line.currency) return { ...line, gross: amount, fee: amount - line.net }
  return { ...line, gross, fee: fees, original: { ...original, amount } }
}

function originalOf(row: Details | Accounting, read: (currency: Currency) => number) {
  if (row.text('original_currency') === '') return null
  const currency = row.currency('original_currency')
  return { amount: read(currency), currency, rate: row.id('rate') }
}

function detailsLine(row: Details): SettlementLine {
  const currency = row.currency('currency')
  const word = row.text('type')
  if (word === '') throw new Problem('has no type')
  const net = (row.amount('net_credit', currency) ?? 0) - (row.amount('net_debit', currency) ?? 0)
  const booked_at =
    readReportTime(row.text('booked'), row.text('booked_zone') || row.text('zone')) ?? readReportTime(row.text('created'), row.text('zone'))
  const line = { ...lineOf(row, word, currency, net), booked_at }
  if (line.type === 'fee') return asFee(line)
  if (line.type === 'payout') return { ...line, paid_at: booked_at }
  return withFees(
    line,
    feesOf(row, currency),
    originalOf(row, of => (row.amount('credit', of) ?? 0) - (row.amount('debit', of) ?? 0)),
  )
}

/** Most records are statuses of a payment: only what is payable moves the balance. */
function accountingLine(row: Accounting): SettlementLine | null {
  if (row.text('payable') === '') return null
  const currency = row.currency('currency')
  const net = row.amount('payable', currency) ?? 0
  const fees = feesOf(row, currency)
  if (net === 0 && fees === 0) return null
  const line = { ...lineOf(row, row.text('type'), currency, net), booked_at: readReportTime(row.text('booked'), row.text('zone')) }
  return withFees(
    line,
    fees,
    originalOf(row, of => row.amount('captured', of) ?? 0),
  )
}

/** A payout names its batch and, in a text, the transfer that the bank's statement repeats: `TX123XT batch 4, …`. */
const transferIn = (text: string | null): string | null => /\bTX\w{1,40}/.exec(text ?? '')?.[0] ?? null

function readDetails(rows: Parameters<SettlementReader['read']>[0]): AsyncIterable<Read> {
  const sums = new Sums()
  const payouts = new Map<string, { at: number; transfers: (string | null)[] }>()
  return readTable(rows, {
    titles: details,
    needed: ['type', 'currency', 'net_debit', 'net_credit', 'batch', 'payment'],
    amounts: ['net_debit', 'net_credit', 'debit', 'credit'],
    line(row) {
      const line = detailsLine(row)
      if (line.batch === null) throw new Problem('has no batch number')
      sums.add(line.batch, line.net)
      if (line.type !== 'payout') return line
      const transfer = transferIn(line.description)
      const known = payouts.get(line.batch)
      payouts.set(line.batch, { at: row.at, transfers: [...(known?.transfers ?? []), transfer] })
      return { ...line, reference: known ? `${line.batch}/${transfer ?? known.transfers.length}` : line.batch, object_reference: transfer }
    },
    *end() {
      for (const [batch, { at }] of payouts)
        if (sums.get(batch) !== 0) yield unread(at, `batch ${batch} does not add up: ${sums.get(batch)} is left after its payout`)
    },
  })
}

/**
 * Adyen's settlement details report: everything that one payout batch contains.
 * docs.adyen.com/reporting/settlement-reconciliation/transaction-level/settlement-details-report
 */
export const adyenSettlement: SettlementReader = {
  name: 'adyen_settlement_details',
  connector: 'adyen',
  title: 'Adyen: settlement details report',
  matches: header => hasColumns(header, details, ['type', 'currency', 'net_debit', 'net_credit', 'batch', 'payment']),
  read: readDetails,
}

/**
 * Adyen's payments accounting report: statuses of payments by day, of which those that are payable are lines. It has no
 * payouts, invoices and corrections. docs.adyen.com/reporting/invoice-reconciliation/payment-accounting-report
 */
export const adyenAccounting: SettlementReader = {
  name: 'adyen_payments_accounting',
  connector: 'adyen',
  title: 'Adyen: payments accounting report',
  matches: header => hasColumns(header, accounting, ['type', 'currency', 'payable', 'payment']),
  read: rows =>
    readTable(rows, {
      titles: accounting,
      needed: ['type', 'currency', 'payable', 'payment'],
      amounts: ['payable', 'captured', 'commission'],
      line: accountingLine,
    }),
}
