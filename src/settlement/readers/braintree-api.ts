import { type Currency, isCurrency } from '../../base/currencies.ts'
import type { ReportRow, SettlementLine, SettlementReader, SettlementType } from '../line.ts'
import { readExact } from './amounts.ts'
import { documentIn, documentsOf, memberText } from './documents.ts'
import { attempt, blank, Problem, type Read, shown, unread } from './kit.ts'
import { readReportTime } from './times.ts'

type Document = Record<string, unknown>
type Money = { amount: number; currency: Currency }

function moneyIn(document: Document | null, name: string): Money | null {
  const given = documentIn(document?.[name])
  if (given === null) return null
  const [value, currency] = [memberText(given, 'value'), memberText(given, 'currencyCode') ?? memberText(given, 'currencyIsoCode')]
  if (value === null || currency === null || !isCurrency(currency)) throw new Problem(`has no valid ${name}`)
  const amount = readExact(value, currency)
  if (amount === null) throw new Problem(`${shown(value)} is not an amount in ${currency}`)
  return { amount, currency }
}

/** `sign`: of a refund and a chargeback the amount leaves the account. */
function lineOf(
  at: number,
  { type, sign, document, money, date }: { type: SettlementType; sign: 1 | -1; document: Document; money: Money; date: string },
): SettlementLine {
  const { currency } = money
  const gross = sign * Math.abs(money.amount)
  const day = readReportTime(date)
  const merchant = memberText(document, 'merchantAccountId') ?? memberText(documentIn(document.transaction), 'merchantAccountId')
  return {
    ...blank(at, type, currency),
    reference: memberText(document, 'legacyId') ?? memberText(document, 'id'),
    object_reference: memberText(document, 'id'),
    batch: [merchant, date, currency].filter(one => one !== null).join('/'),
    gross,
    net: gross,
    booked_at: day,
    paid_at: day,
  }
}

/** A transaction or a refund that was disbursed. Null: not yet. */
function paymentLine(at: number, list: 'transactions' | 'refunds', document: Document): SettlementLine | null {
  const details = documentIn(document.disbursementDetails)
  const date = memberText(details, 'date')
  if (date === null) return null
  const [before, money] = [moneyIn(document, 'amount'), moneyIn(details, 'amount')]
  if (money === null) throw new Problem('has no disbursed amount')
  const isRefund = list === 'refunds'
  const line = lineOf(at, { type: isRefund ? 'refund' : 'charge', sign: isRefund ? -1 : 1, document, money, date })
  const isConverted = before !== null && before.currency !== money.currency
  return {
    ...line,
    request_id: memberText(document, 'orderId'),
    payment_reference: isRefund ? memberText(documentIn(document.refundedTransaction), 'id') : line.object_reference,
    original: isConverted
      ? { amount: Math.sign(line.gross) * Math.abs(before.amount), currency: before.currency, rate: memberText(details, 'exchangeRate') }
      : null,
    // Held funds are paid out on another day.
    ...(details?.fundsHeld === true && { paid_at: null }),
  }
}

/** A dispute takes the money with the first of its events that is disbursed, and gives it back when it is won. */
function disputeLines(at: number, document: Document): SettlementLine[] {
  const money = moneyIn(document, 'amountDisputed')
  if (money === null) throw new Problem('has no disputed amount')
  const transaction = documentIn(document.transaction)
  const events = documentsOf(document.statusHistory).flatMap(event => {
    const date = memberText(event, 'disbursementDate')
    return date === null ? [] : { date, isWon: memberText(event, 'status') === 'WON' }
  })
  const taken = events.filter(({ isWon }) => !isWon).toSorted((a, b) => (a.date < b.date ? -1 : 1))[0]
  const won = events.find(({ isWon }) => isWon)
  const named = { payment_reference: memberText(transaction, 'id'), request_id: memberText(transaction, 'orderId') }
  return [
    ...(taken ? [{ ...lineOf(at, { type: 'chargeback', sign: -1, document, money, date: taken.date }), ...named }] : []),
    ...(won ? [{ ...lineOf(at, { type: 'chargeback_reversal', sign: 1, document, money, date: won.date }), ...named }] : []),
  ]
}

const lists = ['transactions', 'refunds', 'disputes'] as const

function* linesIn(row: ReportRow): Generator<Read> {
  let parsed: unknown
  try {
    parsed = JSON.parse(row.fields[0]!)
  } catch {
    yield unread(row.at, 'is not JSON', row.fields)
    return
  }
  const document = documentIn(parsed)
  const search = documentIn((documentIn(document?.data) ?? document)?.search)
  if (search === null) yield unread(row.at, 'has no search', row.fields)
  for (const list of lists) {
    for (const edge of documentsOf(documentIn(search?.[list])?.edges)) {
      const node = documentIn(edge.node) ?? {}
      const place = { at: row.at, fields: [list, memberText(node, 'legacyId') ?? ''] }
      if (list !== 'disputes') {
        const line = attempt(place, () => paymentLine(row.at, list, node))
        if (line !== null) yield line
        continue
      }
      let lines: SettlementLine[] = []
      const problem = attempt(place, () => {
        lines = disputeLines(row.at, node)
        return null
      })
      if (problem === null) yield* lines
      else yield problem
    }
  }
}

async function* read(rows: AsyncIterable<ReportRow>): AsyncGenerator<Read> {
  for await (const row of rows) yield* linesIn(row)
}

/**
 * Disbursements, as Braintree's GraphQL API gives them: pages of transactions, refunds and disputes, without fees.
 * developer.paypal.com/braintree/graphql/reference/types/disbursement-details
 */
export const braintreeApi: SettlementReader = {
  name: 'braintree_api_disbursements',
  connector: 'braintree',
  title: 'Braintree: what was disbursed, as JSON of the API',
  matches: header => header.length === 1 && /^\{.*"search":\{/s.test(header[0]!.slice(0, 1000)),
  read,
}
