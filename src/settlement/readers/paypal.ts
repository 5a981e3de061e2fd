import { type Currency, isCurrency } from '../../base/currencies.ts'
import { uncounted } from '../../connectors/counting.ts'
import { counting } from '../../connectors/paypal/requests.ts'
import type { ReportRow, SettlementLine, SettlementReader } from '../line.ts'
import { readMinor } from './amounts.ts'
import { attempt, blank, type Places, Problem, placesOf, type Read, Sums, shown, TitledRow, type Titles, titleOf, unread } from './kit.ts'
import { movedNothing, paypalLine } from './paypal-transaction.ts'
import { readReportTime } from './times.ts'

const titles = {
  id: ['Transaction ID'],
  invoice: ['Invoice ID'],
  about: ['PayPal Reference ID'],
  about_type: ['PayPal Reference ID Type'],
  code: ['Transaction Event Code'],
  created: ['Transaction Initiation Date'],
  completed: ['Transaction Completion Date'],
  side: ['Transaction Debit or Credit'],
  gross: ['Gross Transaction Amount'],
  currency: ['Gross Transaction Currency'],
  fee_side: ['Fee Debit or Credit'],
  fee: ['Fee Amount'],
  fee_currency: ['Fee Currency'],
  status: ['Transactional Status', 'Transaction Status'],
  custom: ['Custom Field'],
  bank: ['Bank Reference ID'],
} satisfies Titles<string>
type Name = keyof typeof titles

const needed = ['id', 'code', 'side', 'gross', 'currency', 'fee_side', 'fee'] as const

/** In the unit in which PayPal counts, which is larger than ours for some currencies. */
function amountOf(text: string, currency: Currency): number {
  if (text === '') return 0
  const units = readMinor(text)
  const money = units === null || units < 0 ? null : uncounted(counting, units, currency)
  if (money === null) throw new Problem(`${shown(text)} is not an amount in ${currency}`)
  return money.amount
}

function signed(side: string, amount: number): number {
  if (amount === 0) return 0
  if (side !== 'CR' && side !== 'DR') throw new Problem(`${shown(side)} is neither CR nor DR`)
  return side === 'CR' ? amount : -amount
}

function lineOf(row: TitledRow<Name>): SettlementLine | null {
  // A report of transactions also lists those that are pending or were denied.
  if (movedNothing(row.text('status'))) return null
  const currency = row.currency('currency')
  const gross = signed(row.text('side'), amountOf(row.text('gross'), currency))
  const fee = row.text('fee') === '' ? 0 : 0 - signed(row.text('fee_side'), amountOf(row.text('fee'), currency))
  const fees = row.text('fee_currency').toUpperCase()
  if (fee !== 0 && fees !== '' && fees !== currency) throw new Problem(`the fee is in ${shown(fees)}, the amount in ${currency}`)
  const id = row.id('id')
  if (id === null) throw new Problem('has no transaction id')
  return paypalLine(row.at, {
    ...{ id, about: row.id('about'), about_type: row.text('about_type'), code: row.text('code'), currency, gross, fee },
    ...{ request_id: row.id('invoice', 'custom'), bank: row.id('bank') },
    booked_at: readReportTime(row.text('completed')) ?? readReportTime(row.text('created')),
  })
}

/** Totals of a section or of the report, in the order of its footer. */
const totals = ['credits', 'debits', 'fee credits', 'fee debits'] as const

/** Everything that a report says beside its transactions. */
class Section {
  places: Places<Name> | null = null
  account = ''
  period = ''
  rows = 0
  /** Rows that could not be read: their totals cannot agree. */
  unread = 0
  readonly sums = new Sums()

  add(row: TitledRow<Name>): void {
    this.rows++
    const currency = row.text('currency').toUpperCase()
    if (!isCurrency(currency)) return
    const count = (name: string, text: string) => this.sums.add(`${currency} ${name}`, readMinor(text) ?? 0)
    count(row.text('side') === 'CR' ? 'credits' : 'debits', row.text('gross'))
    count(row.text('fee_side') === 'CR' ? 'fee credits' : 'fee debits', row.text('fee'))
  }

  *check({ at, fields }: ReportRow): Generator<Read> {
    const currency = (fields[1] ?? '').toUpperCase()
    for (const [i, name] of totals.entries()) {
      const [told, sum] = [readMinor(fields[i + 2] || '0'), this.sums.get(`${currency} ${name}`)]
      if (told === null) yield unread(at, `${shown(fields[i + 2]!)} is not a total`, fields)
      else if (told !== sum) yield unread(at, `total ${name} of ${shown(currency)} are ${told}, and the lines add up to ${sum}`, fields)
    }
  }

  *balances({ at, fields }: ReportRow): Generator<Read> {
    const currency = (fields[1] ?? '').toUpperCase()
    const batch = [this.account, this.period].filter(Boolean).join('/')
    for (const [type, i] of [['opening_balance', 6], ['closing_balance', 8]] as const) // biome-ignore format: a table
      if (isCurrency(currency) && fields[i + 1])
        yield attempt({ at, fields }, () => {
          const amount = signed(fields[i]!, amountOf(fields[i + 1]!, currency))
          return { ...blank(at, type, currency), batch, gross: amount, net: amount }
        })!
  }
}

function* body(row: ReportRow, section: Section): Generator<Read> {
  if (section.places === null) {
    yield unread(row.at, 'a transaction before the titles of its columns', row.fields)
    return
  }
  const read = new TitledRow(row, section.places, '.')
  section.add(read)
  const line = attempt(row, () => lineOf(read))
  if (line !== null) yield line
}

function* titlesOf(row: ReportRow, section: Section): Generator<Read> {
  const places = placesOf(row.fields, titles)
  const missing = needed.filter(name => places[name] < 0).map(name => titles[name][0])
  section.places = missing.length > 0 ? null : places
  if (missing.length > 0) yield unread(row.at, `the report has no column ${missing.join(', ')}`, row.fields)
}

function* count(row: ReportRow, told: string | undefined, rows: number): Generator<Read> {
  if (readMinor(told ?? '') !== rows)
    yield unread(row.at, `the footer counts ${shown(told ?? '')} transactions, the file has ${rows}`, row.fields)
}

async function* read(rows: Parameters<SettlementReader['read']>[0]): AsyncGenerator<Read, undefined> {
  let section = new Section()
  const report = new Section()
  /** A report of more than one file has its totals in the last one, for all of them. */
  let isOneFile = true
  for await (const row of rows) {
    const [kind = ''] = row.fields
    if (kind === 'SB') {
      if (section.places !== null) report.add(new TitledRow(row, section.places, '.'))
      yield* body(row, section)
    } else if (kind === 'CH') yield* titlesOf(row, section)
    else if (kind === 'SH') {
      section = new Section()
      section.account = row.fields[3] ?? ''
      section.period = (row.fields[1] ?? '').slice(0, 10)
    } else if (kind === 'SF') {
      yield* section.check(row)
      yield* section.balances(row)
    } else if (kind === 'SC') yield* count(row, row.fields[1], section.rows)
    else if (kind === 'FH') isOneFile = readMinor(row.fields[1] ?? '') === 1
    else if (kind === 'RF' && isOneFile) yield* report.check(row)
    else if (kind === 'RC' && isOneFile) yield* count(row, row.fields[1], report.rows)
    else if (!/^(?:RH|RF|RC|FF|FC|CF)$/.test(kind)) yield unread(row.at, `a record of the unknown kind ${shown(kind)}`, row.fields)
  }
  return undefined
}

/**
 * PayPal's settlement report (STL), and its report of transactions, which has the same records: RH report header, FH
 * file header, SH section header, CH titles, SB transaction, SF totals by currency, SC count, then RF, RC and FF.
 * Amounts have no sign and no decimals. developer.paypal.com/docs/reports/sftp-reports/settlement-report
 */
export const paypalSettlement: SettlementReader = {
  name: 'paypal_settlement',
  connector: 'paypal',
  title: 'PayPal: settlement report (STL)',
  matches: header =>
    /^(?:RH|FH|SH)$/.test(header[0] ?? '') || (header[0] === 'CH' && header.some(title => titleOf(title) === 'transactionid')),
  read,
}
