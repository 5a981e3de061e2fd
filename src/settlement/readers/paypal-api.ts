import { type Currency, isCurrency } from '../../base/currencies.ts'
import type { ReportRow, SettlementLine, SettlementReader } from '../line.ts'
import { readExact } from './amounts.ts'
import { documentIn, documentsOf, memberText } from './documents.ts'
import { attempt, Problem, type Read, shown, unread } from './kit.ts'
import { movedNothing, paypalLine } from './paypal-transaction.ts'
import { readReportTime } from './times.ts'

type Document = Record<string, unknown>

/** Amounts are in major units, and negative if they leave the account. */
function moneyIn(document: Document, name: string): { amount: number; currency: Currency } | null {
  const given = documentIn(document[name])
  if (given === null) return null
  const [value, currency] = [memberText(given, 'value'), memberText(given, 'currency_code')]
  if (value === null || currency === null || !isCurrency(currency)) throw new Problem(`has no valid ${name}`)
  const amount = readExact(value, currency)
  if (amount === null) throw new Problem(`${shown(value)} is not an amount in ${currency}`)
  return { amount, currency }
}

function lineOf(at: number, info: Document): SettlementLine | null {
  const status = memberText(info, 'transaction_status') ?? ''
  if (movedNothing(status)) return null
  const [money, fee] = [moneyIn(info, 'transaction_amount'), moneyIn(info, 'fee_amount')]
  if (money === null) throw new Problem('has no amount')
  const { amount: gross, currency } = money
  if (fee !== null && fee.amount !== 0 && fee.currency !== currency)
    throw new Problem(`the fee is in ${fee.currency}, the amount in ${currency}`)
  const id = memberText(info, 'transaction_id')
  if (id === null) throw new Problem('has no transaction id')
  const [began, changed] = ['transaction_initiation_date', 'transaction_updated_date'].map(name =>
    readReportTime(memberText(info, name) ?? ''),
  ) as [string | null, string | null]
  return paypalLine(at, {
    ...{ id, about: memberText(info, 'paypal_reference_id'), about_type: memberText(info, 'paypal_reference_id_type') ?? '' },
    ...{ code: memberText(info, 'transaction_event_code') ?? '', currency, gross, fee: 0 - (fee?.amount ?? 0) },
    request_id: memberText(info, 'invoice_id') ?? memberText(info, 'custom_field'),
    bank: memberText(info, 'bank_reference_id'),
    // A transaction that was reversed or refunded in part was changed on a later day than it was booked.
    booked_at: status === 'S' ? (changed ?? began) : (began ?? changed),
  })
}

function* linesIn(row: ReportRow): Generator<Read> {
  let parsed: unknown
  try {
    parsed = JSON.parse(row.fields[0]!)
  } catch {
    yield unread(row.at, 'is not JSON', row.fields)
    return
  }
  const answer = documentIn(parsed)
  if (answer === null || !members.some(name => name in answer)) yield unread(row.at, 'is no list of transactions', row.fields)
  for (const detail of documentsOf(answer?.transaction_details)) {
    const info = documentIn(detail.transaction_info) ?? {}
    const fields = ['transaction_id', 'transaction_event_code'].map(name => memberText(info, name) ?? '')
    const line = attempt({ at: row.at, fields }, () => lineOf(row.at, info))
    if (line !== null) yield line
  }
}

async function* read(rows: AsyncIterable<ReportRow>): AsyncGenerator<Read> {
  for await (const row of rows) yield* linesIn(row)
}

/** A list without transactions may have its time only. */
const members = ['transaction_details', 'last_refreshed_datetime'] as const

/**
 * Transactions as PayPal's Transaction Search API gives them: pages of those that moved the balance, with their fees.
 * developer.paypal.com/docs/api/transaction-search/v1
 */
export const paypalApi: SettlementReader = {
  name: 'paypal_api_transactions',
  connector: 'paypal',
  title: 'PayPal: transactions, as JSON of the API',
  matches: header => header.length === 1 && header[0]!.startsWith('{') && members.some(name => header[0]!.includes(`"${name}"`)),
  read,
}
