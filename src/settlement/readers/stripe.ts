import { REQUEST_ID } from '../../connectors/stripe/common.ts'
import type { SettlementLine, SettlementReader, SettlementType } from '../line.ts'
import { asFee, blank, copied, hasColumns, type Read, readTable, reserved, Sums, type TitledRow, type Titles, unread } from './kit.ts'
import { readReportTime } from './times.ts'

/** Columns of all versions of the itemised reports, then those of the dashboard's export of balance transactions. */
const titles = {
  id: ['balance_transaction_id', 'id'],
  category: ['reporting_category', 'type'],
  source: ['source_id', 'source'],
  charge: ['charge_id'],
  intent: ['payment_intent_id'],
  currency: ['currency'],
  gross: ['gross', 'amount'],
  fee: ['fee', 'fees'],
  net: ['net'],
  created: ['created_utc', 'Created (UTC)', 'created'],
  payout: ['automatic_payout_id', 'payout_id', 'Transfer'],
  paid: ['automatic_payout_effective_at_utc', 'automatic_payout_effective_at', 'effective_at_utc', 'effective_at', 'Transfer Date (UTC)'],
  trace: ['trace_id'],
  customer_amount: ['customer_facing_amount', 'Customer Facing Amount'],
  customer_currency: ['customer_facing_currency', 'Customer Facing Currency'],
  rate: ['exchange_rate'],
  description: ['description'],
  payment_request: [`payment_metadata[${REQUEST_ID}]`, `${REQUEST_ID} (metadata)`],
  refund_request: [`refund_metadata[${REQUEST_ID}]`],
  transfer_request: [`transfer_metadata[${REQUEST_ID}]`],
} satisfies Titles<string>
type Name = keyof typeof titles

/**
 * Reporting categories, and the types of balance transactions that the dashboard exports. A hold that Stripe places and
 * its release may have one name: the sign decides.
 */
const types: Readonly<Record<string, SettlementType>> = {
  ...{
    charge: 'charge',
    payment: 'charge',
    partial_capture_reversal: 'charge',
    charge_failure: 'charge',
    payment_failure_refund: 'charge',
  },
  ...{ refund: 'refund', payment_refund: 'refund', payment_reversal: 'refund', refund_failure: 'refund_failure' },
  ...{ dispute: 'chargeback', dispute_reversal: 'chargeback_reversal' },
  ...{
    transfer: 'transfer',
    transfer_reversal: 'transfer_failure',
    transfer_refund: 'transfer_failure',
    transfer_failure: 'transfer_failure',
  },
  ...{ fee: 'fee', stripe_fee: 'fee', stripe_fx_fee: 'fee', tax: 'fee', tax_fee: 'fee', network_cost: 'fee' },
  ...{ payout: 'payout', payout_reversal: 'payout_failure', payout_failure: 'payout_failure', payout_cancel: 'payout_failure' },
  ...{ topup: 'deposit', topup_reversal: 'deposit' },
  ...{ risk_reserved_funds: 'reserve', connect_reserved_funds: 'reserve', reserved_funds: 'reserve', reserve_transaction: 'reserve' },
  ...{ payout_minimum_balance_hold: 'reserve', payout_minimum_balance_release: 'reserve' },
  ...{ platform_earning: 'adjustment', platform_earning_refund: 'adjustment', application_fee: 'adjustment' },
  ...{
    connect_collection_transfer: 'adjustment',
    advance: 'adjustment',
    advance_funding: 'adjustment',
    anticipation_repayment: 'adjustment',
  },
  ...{ financing_paydown: 'adjustment', financing_paydown_reversal: 'adjustment', financing_payout: 'adjustment' },
  ...{ other_adjustment: 'adjustment', adjustment: 'adjustment', contribution: 'adjustment', climate_order_purchase: 'adjustment' },
  ...{ transfer_cancel: 'transfer_failure', inbound_transfer: 'deposit', inbound_transfer_reversal: 'deposit' },
  ...{ payment_network_reserve_hold: 'reserve', payment_network_reserve_release: 'reserve', reserve_hold: 'reserve' },
  ...{ reserve_release: 'reserve', application_fee_refund: 'adjustment', climate_order_refund: 'adjustment' },
  ...{ issuing_authorization_release: 'adjustment', issuing_dispute: 'adjustment', obligation_outbound: 'adjustment' },
  ...{
    obligation_reversal_inbound: 'adjustment',
    stripe_balance_payment_debit: 'adjustment',
    stripe_balance_payment_debit_reversal: 'adjustment',
  },
  ...{ financing_payout_reversal: 'adjustment', payment_unreconciled: 'adjustment', fee_credit_funding: 'adjustment' },
  ...{ issuing_authorization_hold: 'adjustment', issuing_transaction: 'adjustment', unreconciled_customer_funds: 'adjustment' },
}

function typeOf(category: string, gross: number, description: string | null): SettlementType {
  const type = Object.hasOwn(types, category) ? types[category]! : 'unknown'
  if (type === 'reserve') return reserved(gross)
  // The dashboard's export calls disputes adjustments: "Chargeback withdrawal for ch_…".
  if (category === 'adjustment' && description?.startsWith('Chargeback')) return gross < 0 ? 'chargeback' : 'chargeback_reversal'
  return type
}

/** Reports have our request id of a refund, and of other movements only that of the payment. */
function namesOf(type: SettlementType, row: TitledRow<Name>) {
  const payment_reference = row.id('intent', 'charge')
  const source = row.id('source')
  if (type === 'payout')
    return { reference: source, object_reference: row.id('trace'), payment_reference, batch: source ?? row.id('payout') }
  const names = { reference: row.id('id'), payment_reference, batch: row.id('payout') }
  return { ...names, object_reference: type === 'charge' ? (payment_reference ?? source) : source }
}

function line(row: TitledRow<Name>): SettlementLine {
  const currency = row.currency('currency')
  const category = row.text('category').toLowerCase()
  const gross = row.amount('gross', currency) ?? 0
  const fee = row.amount('fee', currency) ?? 0
  const description = row.id('description')
  const type = typeOf(category, gross, description)
  const read: SettlementLine = {
    ...blank(row.at, type, currency),
    ...namesOf(type, row),
    request_id: type.startsWith('refund') ? row.id('refund_request') : row.id('payment_request', 'transfer_request'),
    gross,
    fee,
    net: row.amount('net', currency) ?? gross - fee,
    original: originalOf(row, currency, gross),
    booked_at: readReportTime(row.text('created')),
    paid_at: readReportTime(row.text('paid')),
    description: type === 'unknown' || type === 'adjustment' ? [category, description].filter(Boolean).join(': ') : description,
  }
  return type === 'fee' ? asFee(read) : read
}

/** The amount as the customer saw it, if Stripe converted it. */
function originalOf(row: TitledRow<Name>, currency: string, gross: number): SettlementLine['original'] {
  const code = row.text('customer_currency')
  if (code === '' || code.toUpperCase() === currency || gross === 0) return null
  const before = row.currency('customer_currency')
  const amount = Math.abs(row.amount('customer_amount', before) ?? 0)
  return amount === 0 ? null : { amount: gross < 0 ? -amount : amount, currency: before, rate: row.id('rate') }
}

function read(rows: Parameters<SettlementReader['read']>[0]): AsyncIterable<Read> {
  const [lines, payouts] = [new Sums(), new Map<string, SettlementLine>()]
  const needed = ['id', 'category', 'currency', 'gross'] as const
  return readTable(rows, {
    titles,
    needed,
    amounts: ['gross', 'fee', 'net', 'customer_amount'],
    line(row) {
      const made = line(row)
      if (made.type === 'payout' && made.batch !== null) payouts.set(copied(made.batch), made)
      else if (made.batch !== null) lines.add(made.batch, made.net)
      return made
    },
    *end() {
      // A report without a payout's transactions has nothing to compare.
      for (const [batch, payout] of payouts)
        if (lines.has(batch) && lines.get(batch) + payout.net !== 0)
          yield unread(payout.at, `payout ${batch} is ${payout.net} ${payout.currency}, and its lines add up to ${lines.get(batch)}`)
    },
  })
}

/**
 * Stripe's itemised reports *Payout reconciliation* and *Balance change from activity*, and the dashboard's export of
 * balance transactions. docs.stripe.com/reports/payout-reconciliation, /reports/balance, /reports/reporting-categories
 */
export const stripeBalance: SettlementReader = {
  name: 'stripe_balance',
  connector: 'stripe',
  title: 'Stripe: itemised payout reconciliation or balance change from activity',
  matches: header =>
    header.some(title => title === 'balance_transaction_id')
      ? hasColumns(header, titles, ['id', 'category', 'currency', 'gross', 'net'])
      : ['id', 'Type', 'Source', 'Amount', 'Fee', 'Net', 'Currency'].every(title => header.includes(title)),
  read,
}
