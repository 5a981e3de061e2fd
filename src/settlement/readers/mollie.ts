import type { SettlementLine, SettlementReader, SettlementType } from '../line.ts'
import { asFee, blank, hasColumns, Problem, readTable, reserved, type TitledRow, type Titles } from './kit.ts'
import { readReportTime } from './times.ts'

/** In English and in Dutch, the languages of the export. */
const titles = {
  date: ['Date', 'Datum'],
  method: ['Payment method', 'Betaalmethode'],
  original_currency: ['Currency', 'Valuta'],
  original: ['Amount', 'Bedrag'],
  status: ['Status'],
  id: ['ID'],
  description: ['Description', 'Omschrijving'],
  currency: ['Settlement currency', 'Uitbetalingsvaluta'],
  amount: ['Settlement amount', 'Uitbetalingsbedrag'],
  batch: ['Settlement reference', 'Uitbetalingsreferentie'],
} satisfies Titles<string>

/** By the prefix of Mollie's ids. An amount that came back has the other sign. */
const types: Readonly<Record<string, readonly [positive: SettlementType, negative: SettlementType]>> = {
  tr: ['charge', 'charge'],
  ord: ['charge', 'charge'],
  cpt: ['charge', 'charge'],
  re: ['refund_failure', 'refund'],
  rfd: ['refund_failure', 'refund'],
  chb: ['chargeback_reversal', 'chargeback'],
  rr: ['reserve_release', 'reserve'],
}

/** Costs have no id, only a text: "Withheld transaction fees", "Withheld fees MOL-…", "Ingehouden kosten". */
function typeOf(id: string | null, words: string, amount: number): SettlementType {
  const known = types[id?.split('_')[0] ?? '']
  if (known) return known[amount > 0 ? 0 : 1]
  const text = words.toLowerCase()
  const has = (...parts: string[]) => parts.some(part => text.includes(part))
  if (has('rolling reserve', 'reserve')) return reserved(amount)
  if (has('withheld', 'ingehouden', 'fee', 'kosten', 'costs', 'invoice rounding')) return 'fee'
  if (has('invoice', 'factuur')) return 'invoice'
  if (has('balance transfer', 'top-up', 'topup', 'correction', 'correctie')) return 'adjustment'
  return 'unknown'
}

function line(row: TitledRow<keyof typeof titles>): SettlementLine | null {
  // A refund that failed left no trace on the balance.
  if (/^(?:failed|canceled|cancelled|expired|open|pending)$/i.test(row.text('status')) && row.text('amount') === '') return null
  const currency = row.currency('currency')
  const amount = row.amount('amount', currency)
  if (amount === null) throw new Problem('has no settlement amount')
  const [id, batch, description] = [row.id('id'), row.id('batch'), row.id('description')]
  const type = typeOf(id, `${row.text('method')} ${description ?? ''}`, amount)
  if (id === null && batch === null) throw new Problem('has neither an id nor a settlement reference')
  const read: SettlementLine = {
    ...blank(row.at, type, currency),
    reference: id,
    object_reference: id,
    payment_reference: type === 'charge' ? id : null,
    batch,
    gross: amount,
    net: amount,
    original: originalOf(row, currency, amount),
    // The export has no zone: it is that of the dashboard.
    booked_at: readReportTime(row.text('date'), 'Europe/Amsterdam', 'dmy'),
    description,
  }
  return type === 'fee' ? asFee(read) : read
}

function originalOf(row: TitledRow<keyof typeof titles>, currency: string, amount: number): SettlementLine['original'] {
  const code = row.text('original_currency')
  if (code === '' || code.toUpperCase() === currency || amount === 0) return null
  const before = row.currency('original_currency')
  const original = Math.abs(row.amount('original', before) ?? 0)
  return original === 0 ? null : { amount: amount < 0 ? -original : original, currency: before, rate: null }
}

/**
 * Mollie's export of a settlement: payments, refunds and chargebacks by id, and costs in total. The sum was paid
 * out. docs.mollie.com/docs/settlement-report
 */
export const mollieSettlement: SettlementReader = {
  name: 'mollie_settlement',
  connector: 'mollie',
  title: 'Mollie: export of a settlement',
  matches: header => hasColumns(header, titles, ['date', 'id', 'currency', 'amount', 'batch']),
  read: rows => readTable(rows, { titles, needed: ['date', 'id', 'currency', 'amount', 'batch'], amounts: ['amount', 'original'], line }),
}
